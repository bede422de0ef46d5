//! The scorers that come along: one file each, one line each in [`builtin`]. What a scorer needs of a case it says itself
//! (`lacks`); without it the case is unscored.

mod contains;
mod ground_truth;
mod json;
mod link;
mod points;
mod route_checks;
#[cfg(test)]
mod tests;
mod text;
mod tool_calls;
mod tool_selection;
mod trajectory;
mod value;

pub use link::LinkDifference;
pub use points::{GROUNDING, PointScale, REASONING};
pub use points::{JudgeConfig, Provider, provider_of};
pub use route_checks::{ModeChecks, TraceCheck};
pub use tool_calls::{CallMatch, MatchDetails, match_calls};
pub use tool_selection::{Selection, SelectionConfig, tool_selection};

use super::suite::{Registry, Scorer};

/// The registry of all scorers that come along.
#[must_use]
pub fn builtin() -> Registry {
    let scorers: [Box<dyn Scorer>; 12] = [
        Box::new(contains::Contains),
        Box::new(ground_truth::GroundTruth),
        Box::new(points::GROUNDING),
        Box::new(json::JsonFields),
        Box::new(link::Link),
        Box::new(points::REASONING),
        Box::new(route_checks::RouteChecks),
        Box::new(text::Text),
        Box::new(tool_calls::ToolCalls),
        Box::new(tool_selection::ToolSelection),
        Box::new(trajectory::TrajectoryScorer),
        Box::new(value::DisplayedValue),
    ];
    scorers.into_iter().collect()
}
