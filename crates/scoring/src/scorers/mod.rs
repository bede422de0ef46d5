//! The built-in scorers, one file each unless it takes a few lines. Each states the inputs it needs (`lacks`); a case
//! without them is unscored.

mod contains;
mod ground_truth;
mod json;
mod link;
mod points;
mod route_checks;
#[cfg(test)]
mod tests;
mod tool_calls;
mod tool_selection;
mod value;

pub use link::LinkDifference;
pub use points::{GROUNDING, PointScale, REASONING};
pub use points::{JudgeConfig, Provider, provider_of};
pub use route_checks::{ModeChecks, TraceCheck};
pub use tool_calls::{CallMatch, MatchDetails, match_calls};
pub use tool_selection::{SelectionConfig, SelectionScore, tool_selection};

use serde_json::Value;

use super::score::Score;
use super::suite::{AgentOutput, NO_CALLS, Registry, Scorer, ScorerError, SuiteCase};
use super::text::score_text;
use super::tools::judge_trajectory;

/// A scorer that is a single function without configuration.
struct FnScorer {
    name: &'static str,
    /// Whether it scores the answer's content.
    scores_words: bool,
    lacks: fn(&SuiteCase) -> Option<&'static str>,
    score: fn(&SuiteCase, &AgentOutput) -> Score,
}

const FUNCTIONS: [FnScorer; 7] = [
    FnScorer {
        name: "contains",
        scores_words: true,
        lacks: |case| case.expected_output_contains.is_empty().then_some("`expected_output_contains`"),
        score: contains::contains,
    },
    FnScorer {
        name: "link",
        scores_words: false,
        lacks: |case| case.expected_url.is_none().then_some("`expected_url`"),
        score: link::link,
    },
    FnScorer {
        name: "route_checks",
        scores_words: false,
        lacks: |_| None,
        score: route_checks::route_checks,
    },
    FnScorer {
        name: "text",
        scores_words: true,
        lacks: |case| case.expected_facts.is_none().then_some("`expected_facts`"),
        score: text,
    },
    FnScorer {
        name: "tool_calls",
        scores_words: false,
        lacks: |case| case.expected_calls.is_none().then_some("`expected_calls`"),
        score: tool_calls::tool_calls,
    },
    FnScorer {
        name: "trajectory",
        scores_words: false,
        lacks: |case| case.expected_tool.is_none().then_some("`expected_tool`"),
        score: trajectory,
    },
    FnScorer {
        name: "value",
        scores_words: true,
        lacks: |case| case.expected_value.is_none().then_some("`expected_value`"),
        score: value::value,
    },
];

/// Scorer `text`, the threshold metrics of a Markdown text: the answer's points for `expected_facts` as a share of the
/// attainable points.
fn text(case: &SuiteCase, output: &AgentOutput) -> Score {
    score_text(&output.text, &case.expected_facts.clone().unwrap_or_default()).erased()
}

/// Scorer `trajectory`: the route to the data against `expected_tool` (evaluation strategy, section 6,
/// "`TrajectoryVerdict` Judge Mode").
fn trajectory(case: &SuiteCase, output: &AgentOutput) -> Score {
    match (case.expected_tool, &output.trajectory) {
        (Some(expected), Some(made)) => judge_trajectory(expected, made, &case.data_tools).erased(),
        (_, None) => Score::unscored(NO_CALLS),
        (None, _) => Score::unscored("no route is expected"),
    }
}

impl Scorer for FnScorer {
    fn name(&self) -> &str {
        self.name
    }

    fn scores_words(&self) -> bool {
        self.scores_words
    }

    fn lacks(&self, case: &SuiteCase) -> Option<&'static str> {
        (self.lacks)(case)
    }

    fn score(&self, case: &SuiteCase, output: &AgentOutput, _: &Value) -> Result<Score, ScorerError> {
        Ok((self.score)(case, output))
    }
}

/// The registry of all built-in scorers.
#[must_use]
pub fn builtin() -> Registry {
    let scorers: [Box<dyn Scorer>; 5] = [
        Box::new(ground_truth::GroundTruth),
        Box::new(points::GROUNDING),
        Box::new(json::JsonFields),
        Box::new(points::REASONING),
        Box::new(tool_selection::ToolSelection),
    ];
    let functions = FUNCTIONS.into_iter().map(|scorer| Box::new(scorer) as Box<dyn Scorer>);
    functions.chain(scorers).collect()
}
