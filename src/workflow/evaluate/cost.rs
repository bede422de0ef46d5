//! What kinds of runs there are, counted from the manifest (evaluation strategy, section 7; decision 21), and what was spent of late.

use rust_decimal::Decimal;
use serde::Serialize;

use super::history::{HistoryLine, WEEKLY_ALERT_USD, week_spend};
use super::selection::SMOKE;
use crate::manifest::{Entry, Manifest, QuestionId};
use crate::scoring::cost::RunPlan;
use crate::scoring::prices::RunType;

/// The kinds of runs over a manifest.
#[must_use]
pub fn run_types(manifest: &Manifest) -> Vec<RunType> {
    let entries = manifest.entries.iter().filter(|entry| entry.question_text.is_some());
    let behaviors = manifest.behaviors.iter().filter(|behavior| behavior.question_text.is_some());
    let ids: Vec<&QuestionId> = entries
        .map(|entry: &Entry| &entry.question_id)
        .chain(behaviors.map(|behavior| &behavior.question_id))
        .collect();
    let all = ids.len() as u64;
    let smoke = ids.iter().filter(|id| SMOKE.contains(&id.as_str())).count() as u64;
    let run = |name: &str, questions: u64, recorded: bool, judged: u64| RunType {
        name: name.to_owned(),
        plan: RunPlan { questions, recorded, judged },
        component: false,
    };
    vec![
        run("smoke test, judged", smoke, false, smoke),
        run("routes of all questions", all, false, 0),
        run("all questions, judged", all, false, all),
        run("routes of recorded answers", all, true, 0),
        run("recorded answers, judged", all, true, all),
    ]
}

/// What was spent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Spend {
    /// Runs of the last seven days.
    pub week_runs: usize,
    /// What they cost in US dollars.
    pub week_usd: Decimal,
    /// Above this a week is an alert.
    pub alert_usd: u32,
    /// Whether it is.
    pub week_alert: bool,
    /// What all runs cost.
    pub total_usd: Decimal,
}

impl Spend {
    /// What the runs of a history cost up to a moment.
    #[must_use]
    pub fn of(history: &[HistoryLine], now: jiff::Timestamp) -> Self {
        let week_usd = week_spend(history, now);
        let since = now - jiff::SignedDuration::from_hours(7 * 24);
        Self {
            week_runs: history.iter().filter(|run| run.timestamp > since && run.timestamp <= now).count(),
            week_usd,
            alert_usd: WEEKLY_ALERT_USD,
            week_alert: week_usd > Decimal::from(WEEKLY_ALERT_USD),
            total_usd: history.iter().map(HistoryLine::cost).sum(),
        }
    }
}
