//! Scorer `contains`: phrases that the answer should contain.

use crate::score::Score;
use crate::similarity::normalised;
use crate::suite::{AgentOutput, SuiteCase};

/// The phrases that a text does not contain, ignoring case and spacing.
pub(super) fn missing<'p>(text: &str, phrases: &'p [String]) -> Vec<&'p str> {
    let text: String = normalised(text).collect();
    let holds = |phrase: &str| text.contains(&normalised(phrase).collect::<String>());
    phrases.iter().map(String::as_str).filter(|phrase| !holds(phrase)).collect()
}

/// The share of the phrases in `expected_output_contains` that the answer contains.
pub(super) fn contains(case: &SuiteCase, output: &AgentOutput) -> Score {
    let phrases = &case.expected_output_contains;
    let missing = missing(&output.text, phrases);
    let found = phrases.len() - missing.len();
    let reason = format!("{found} of {} phrases found", phrases.len());
    Score::scored(found as f64 / phrases.len() as f64, reason).with("missing", missing)
}
