//! The cost of an evaluation (evaluation strategy, section 7; decision 21). Counts come from the data, not from the
//! document's totals.

use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use serde::Serialize;

/// Prices in US dollars per question. `None` is an unknown price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Prices {
    /// An agent's answer.
    pub agent: Option<Decimal>,
    /// A judge's verdict.
    pub judge: Option<Decimal>,
}

impl Default for Prices {
    /// $0.12 for the agent, $0.012 for the judge.
    fn default() -> Self {
        Self { agent: Some(Decimal::new(12, 2)), judge: Some(Decimal::new(12, 3)) }
    }
}

/// How a run gets its answers and scores.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct RunPlan {
    /// Number of questions.
    pub questions: u64,
    /// Whether the answers are already recorded.
    pub recorded: bool,
    /// How many of them a judge scores. Trajectories, values and objects need no judge.
    pub judged: u64,
}

/// The cost of a run, in US dollars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct CostEstimate {
    /// The agent's part; absent when its price is unknown.
    pub agent: Option<Decimal>,
    /// The judge's part; absent when its price is unknown.
    pub judge: Option<Decimal>,
    /// The sum; absent when a price it needs is unknown.
    pub total: Option<Decimal>,
}

/// Estimates the cost of a run. Scoring recorded answers without a judge is free.
#[must_use]
pub fn estimate(plan: RunPlan, prices: Prices) -> CostEstimate {
    let part = |questions: u64, price: Option<Decimal>| {
        if questions > 0 { price?.checked_mul(questions.into()) } else { Some(Decimal::ZERO) }
    };
    let asked = if plan.recorded { 0 } else { plan.questions };
    let (agent, judge) = (part(asked, prices.agent), part(plan.judged, prices.judge));
    CostEstimate { agent, judge, total: agent.zip(judge).and_then(|(agent, judge)| agent.checked_add(judge)) }
}

/// The weekly spend that raises an alert, in US dollars (evaluation strategy, section 11, "Cost Overruns").
pub const WEEKLY_ALERT: Decimal = Decimal::ONE_HUNDRED;

/// The spend of one week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct WeeklySpend {
    /// Number of runs.
    pub runs: u64,
    /// US dollars spent.
    pub dollars: Decimal,
    /// Whether the spend exceeds [`WEEKLY_ALERT`].
    pub alert: bool,
}

/// Sums the cost of all runs in the seven days before `now`.
#[must_use]
pub fn weekly_spend(runs: impl IntoIterator<Item = (Timestamp, Decimal)>, now: Timestamp) -> WeeklySpend {
    let mut spend = WeeklySpend { runs: 0, dollars: Decimal::ZERO, alert: false };
    let week = SignedDuration::from_hours(7 * 24);
    for (at, dollars) in runs {
        if at <= now && now.duration_since(at) < week {
            spend.runs += 1;
            spend.dollars = spend.dollars.saturating_add(dollars);
        }
    }
    spend.alert = spend.dollars > WEEKLY_ALERT;
    spend
}

/// The cost of an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cost {
    /// The record states no cost.
    #[default]
    Unstated,
    /// The record states that the price is unknown.
    Unknown,
    /// US dollars.
    Dollars(Decimal),
}

impl Cost {
    /// Whether the record states no cost.
    #[must_use]
    pub(crate) const fn is_unstated(&self) -> bool {
        matches!(self, Self::Unstated)
    }

    /// The price in US dollars, if it is known.
    #[must_use]
    pub const fn dollars(self) -> Option<Decimal> {
        match self {
            Self::Dollars(dollars) => Some(dollars),
            Self::Unstated | Self::Unknown => None,
        }
    }

    /// Reads a price in US dollars: a number, or a string that holds one.
    ///
    /// # Errors
    /// The value is not a price.
    pub fn read(value: &serde_json::Value) -> Result<Self, String> {
        let text = match value {
            serde_json::Value::Number(number) => number.to_string(),
            serde_json::Value::String(text) => text.clone(),
            _ => return Err("a price must be a number of dollars".to_owned()),
        };
        let price = Decimal::from_str_exact(&text).or_else(|_| Decimal::from_scientific(&text));
        match price {
            Ok(price) if !price.is_sign_negative() || price.is_zero() => Ok(Self::Dollars(price)),
            _ => Err(format!("{text:?} is not a price: expected a number of dollars, 0 or more")),
        }
    }
}

impl Serialize for Cost {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Unstated | Self::Unknown => serializer.serialize_none(),
            Self::Dollars(dollars) => serializer.collect_str(dollars),
        }
    }
}

/// The cost of recorded answers. Scoring them is free (decision 21).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct AnswersCost {
    /// Answers that state their price.
    pub priced: u64,
    /// Answers that state an unknown price.
    pub unknown: u64,
    /// Answers that state no price.
    pub unstated: u64,
    /// The sum of the stated prices, in US dollars.
    #[schemars(with = "String")]
    pub dollars: Decimal,
}

impl AnswersCost {
    /// Sums the costs; `None` when no answer states a price.
    #[must_use]
    pub fn of(costs: impl Iterator<Item = Cost>) -> Option<Self> {
        Some(Self::sum(costs)).filter(|sum| sum.priced + sum.unknown > 0)
    }

    /// Sums the costs, even when no answer states a price.
    #[must_use]
    pub fn sum(costs: impl Iterator<Item = Cost>) -> Self {
        let mut sum = Self { priced: 0, unknown: 0, unstated: 0, dollars: Decimal::ZERO };
        for cost in costs {
            match cost {
                Cost::Unstated => sum.unstated += 1,
                Cost::Unknown => sum.unknown += 1,
                Cost::Dollars(dollars) => {
                    sum.priced += 1;
                    sum.dollars = sum.dollars.saturating_add(dollars);
                }
            }
        }
        sum
    }

    /// The sum as an estimate for a budget check. An answer without a price counts at the default price; one answer of
    /// unknown price makes the total unknown.
    #[must_use]
    pub fn estimate(&self, prices: Prices) -> CostEstimate {
        let rest = estimate(RunPlan { questions: self.unstated, recorded: false, judged: 0 }, prices);
        let agent = rest.agent.filter(|_| self.unknown == 0).and_then(|rest| rest.checked_add(self.dollars));
        CostEstimate { agent, judge: Some(Decimal::ZERO), total: agent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dollars(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    fn judged(questions: u64) -> CostEstimate {
        estimate(RunPlan { questions, recorded: false, judged: questions }, Prices::default())
    }

    #[test]
    fn evaluation_strategy_7_prices_of_an_answer_and_of_a_verdict() {
        let prices = Prices::default();
        assert_eq!((prices.agent, prices.judge), (Some(dollars("0.12")), Some(dollars("0.012"))));
    }

    #[test]
    fn evaluation_strategy_7_cost_per_run_type() {
        for (questions, agent, judge, total) in
            [(5, "0.60", "0.06", "0.66"), (246, "29.52", "2.952", "32.472"), (290, "34.80", "3.48", "38.28")]
        {
            let cost = judged(questions);
            assert_eq!(cost.agent, Some(dollars(agent)));
            assert_eq!(cost.judge, Some(dollars(judge)));
            assert_eq!(cost.total, Some(dollars(total)));
        }
    }

    #[test]
    fn evaluation_strategy_11_more_than_100_dollars_a_week_is_an_alert() {
        let at = |day: u8| format!("2026-03-{day:02}T12:00:00Z").parse::<Timestamp>().unwrap();
        let runs = |last: &str| [(at(1), dollars("90")), (at(3), dollars("60")), (at(8), dollars(last))];
        let week = weekly_spend(runs("40"), at(9));
        assert_eq!((week.runs, week.dollars, week.alert), (2, dollars("100"), false));
        assert!(weekly_spend(runs("40.01"), at(9)).alert);
        assert_eq!(weekly_spend(runs("40"), at(2)).dollars, dollars("90"), "what comes later is not counted");
    }

    #[test]
    fn decision_21_recorded_trajectories_cost_nothing_and_unknown_prices_matter_to_a_budget_alone() {
        let unknown = Prices { agent: None, judge: None };
        let recorded = estimate(RunPlan { questions: 246, recorded: true, judged: 0 }, unknown);
        assert_eq!(recorded.total, Some(Decimal::ZERO));
        let asked = estimate(RunPlan { questions: 246, recorded: false, judged: 0 }, unknown);
        assert_eq!(asked.total, None);
    }

    #[test]
    fn decision_21_stated_prices_are_summed_and_the_default_fills_the_gaps() {
        let price = |text: &str| Cost::read(&serde_json::Value::from(text)).unwrap();
        assert_eq!(AnswersCost::of([Cost::Unstated].into_iter()), None);
        let sum = AnswersCost::of([price("0.30"), Cost::Unstated, price("1e-2")].into_iter()).unwrap();
        assert_eq!((sum.priced, sum.unstated, sum.dollars), (2, 1, dollars("0.31")));
        assert_eq!(sum.estimate(Prices::default()).total, Some(dollars("0.43")));
        let unknown = AnswersCost::of([price("0.30"), Cost::Unknown].into_iter()).unwrap();
        assert_eq!(unknown.estimate(Prices::default()).total, None);
        for bad in [serde_json::json!("-1"), serde_json::json!("NaN"), serde_json::json!([1])] {
            assert!(Cost::read(&bad).is_err(), "{bad}");
        }
    }
}
