//! What an evaluation costs (evaluation strategy, section 7; decision 21). Counts come from the data, not from the
//! document's sums.

use rust_decimal::Decimal;
use serde::Serialize;

/// Prices in US dollars a question. `None` is an unknown price.
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
    /// Questions.
    pub questions: u64,
    /// Whether the answers are recorded already.
    pub recorded: bool,
    /// Whether a judge scores them. Trajectories, values and objects need none.
    pub judged: bool,
}

/// What a run costs, in US dollars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CostEstimate {
    /// The agent's part; nothing when its price is unknown.
    pub agent: Option<Decimal>,
    /// The judge's part; nothing when its price is unknown.
    pub judge: Option<Decimal>,
    /// Both; nothing when a price that matters is unknown.
    pub total: Option<Decimal>,
}

/// The cost of a run. Scoring recorded answers without a judge costs nothing, whatever the prices.
#[must_use]
pub fn estimate(plan: RunPlan, prices: Prices) -> CostEstimate {
    let part = |needed: bool, price: Option<Decimal>| {
        if needed && plan.questions > 0 {
            price?.checked_mul(plan.questions.into())
        } else {
            Some(Decimal::ZERO)
        }
    };
    let (agent, judge) = (part(!plan.recorded, prices.agent), part(plan.judged, prices.judge));
    CostEstimate { agent, judge, total: agent.zip(judge).and_then(|(agent, judge)| agent.checked_add(judge)) }
}

/// Holds an estimate against a budget. Without a budget an unknown price is no matter.
///
/// # Errors
/// A cost above the budget, or one that is unknown where a budget is set.
pub fn within_budget(cost: &CostEstimate, budget: Option<Decimal>) -> Result<(), String> {
    match (budget, cost.total) {
        (None, _) => Ok(()),
        (Some(_), None) => {
            Err("a budget is set and a price is unknown: give the price, or leave the budget out".to_owned())
        }
        (Some(budget), Some(total)) if total > budget => {
            Err(format!("the run would cost ${total}, the budget is ${budget}: ask fewer questions"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dollars(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    fn judged(questions: u64) -> CostEstimate {
        estimate(RunPlan { questions, recorded: false, judged: true }, Prices::default())
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
    fn decision_21_recorded_trajectories_cost_nothing_and_unknown_prices_matter_to_a_budget_alone() {
        let unknown = Prices { agent: None, judge: None };
        let recorded = estimate(RunPlan { questions: 246, recorded: true, judged: false }, unknown);
        assert_eq!(recorded.total, Some(Decimal::ZERO));
        let asked = estimate(RunPlan { questions: 246, recorded: false, judged: false }, unknown);
        assert_eq!(asked.total, None);
        assert!(within_budget(&asked, None).is_ok());
        assert!(within_budget(&asked, Some(Decimal::ONE_THOUSAND)).unwrap_err().contains("price is unknown"));
        assert!(within_budget(&judged(5), Some(dollars("0.66"))).is_ok());
        assert!(within_budget(&judged(5), Some(dollars("0.65"))).unwrap_err().contains("$0.66"));
    }
}
