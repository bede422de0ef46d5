//! The budget of a run. Money is reserved before a request, so that parallel questions cannot spend
//! the same dollar. The actual cost is settled afterwards.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rust_decimal::Decimal;

use crate::error::{Error, Result};
use crate::scoring::cost::Cost;

/// A budget, or no limit.
#[derive(Debug, Default)]
pub struct Budget {
    limit: Option<Decimal>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    spent: Decimal,
    set_aside: Decimal,
    exhausted: bool,
}

/// Money reserved for one question. Dropping it releases the money.
#[derive(Debug)]
pub struct SetAside<'b> {
    budget: &'b Budget,
    dollars: Decimal,
}

impl Budget {
    /// A budget in US dollars; `None` means no limit.
    ///
    /// # Errors
    /// The limit is negative.
    pub fn new(limit: Option<Decimal>) -> Result<Self> {
        if let Some(limit) = limit.filter(|limit| limit.is_sign_negative() && !limit.is_zero()) {
            return Err(Error::Usage(format!("--budget-usd {limit}: a budget is 0 or more dollars")));
        }
        Ok(Self { limit, state: Mutex::default() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks that a price is known if a budget needs it. Without a budget an unknown price is
    /// allowed (decision 21).
    ///
    /// # Errors
    /// A budget is set, but the price is unknown.
    pub fn needs_price<T>(&self, price: Option<T>, of: &str) -> Result<()> {
        match (self.limit, price) {
            (Some(_), None) => Err(Error::Usage(format!(
                "a budget is set, but the price of {of} is unknown: add it to prices.toml, or omit --budget-usd"
            ))),
            _ => Ok(()),
        }
    }

    /// Reserves money for a request; none if the budget is too small. The run should then stop,
    /// finish what is in progress, and report its results.
    pub fn set_aside(&self, estimate: Decimal) -> Option<SetAside<'_>> {
        let mut state = self.state();
        let room = self.limit.is_none_or(|limit| {
            let held = state.spent.checked_add(state.set_aside).and_then(|held| held.checked_add(estimate));
            held.is_some_and(|held| held <= limit)
        });
        if !room {
            state.exhausted = true;
            return None;
        }
        state.set_aside = state.set_aside.saturating_add(estimate);
        Some(SetAside { budget: self, dollars: estimate })
    }

    /// Counts money spent earlier, such as by the resumed run.
    pub(crate) fn spent_before(&self, dollars: Decimal) {
        let mut state = self.state();
        state.spent = state.spent.saturating_add(dollars);
    }

    /// Why the run stopped, if the budget stopped it.
    #[must_use]
    pub fn stopped(&self) -> Option<String> {
        let state = self.state();
        let limit = self.limit.filter(|_| state.exhausted)?;
        Some(format!("the budget of ${limit} is too small for another question: ${} spent", state.spent))
    }
}

impl SetAside<'_> {
    /// Settles the actual cost. Without a known price the reserved amount counts.
    pub fn settle(self, cost: Cost) {
        let mut state = self.budget.state();
        state.spent = state.spent.saturating_add(cost.dollars().unwrap_or(self.dollars));
    }
}

impl Drop for SetAside<'_> {
    fn drop(&mut self) {
        let mut state = self.budget.state();
        state.set_aside -= self.dollars;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dollars(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn questions_under_way_do_not_spend_the_same_dollar() {
        let budget = Budget::new(Some(dollars("0.30"))).unwrap();
        let (first, second) =
            (budget.set_aside(dollars("0.12")).unwrap(), budget.set_aside(dollars("0.12")).unwrap());
        assert!(budget.set_aside(dollars("0.12")).is_none());
        assert!(budget.stopped().is_some());
        // The first was cheaper than thought, the second failed before it cost anything.
        first.settle(Cost::Dollars(dollars("0.05")));
        drop(second);
        assert_eq!(budget.state().spent, dollars("0.05"));
        let third = budget.set_aside(dollars("0.25")).unwrap();
        third.settle(Cost::Unknown);
        assert_eq!(budget.state().spent, dollars("0.30"));
        assert!(budget.set_aside(dollars("0.01")).is_none());
        assert!(budget.stopped().unwrap().contains("$0.30"));
    }

    #[test]
    fn decision_21_an_unknown_price_is_an_error_only_where_a_budget_is_set() {
        let (none, some) = (Budget::new(None).unwrap(), Budget::new(Some(Decimal::ONE)).unwrap());
        assert!(none.needs_price(None::<Decimal>, "openai:m").is_ok());
        assert!(none.set_aside(Decimal::ONE_THOUSAND).is_some() && none.stopped().is_none());
        let error = some.needs_price(None::<Decimal>, "openai:m").unwrap_err();
        assert!(error.to_string().contains("openai:m") && error.exit() as u8 == 2, "{error}");
        assert!(Budget::new(Some(-Decimal::ONE)).is_err());
    }
}
