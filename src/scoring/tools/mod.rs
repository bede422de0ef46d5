//! Tool use: which tools an agent called, in which order, with which arguments, and whether the route fits the
//! question (scorers, "Tool Selection Scorer"; evaluation strategy, sections 2 and 6).

mod call;
mod checks;
mod link;
mod matching;
mod selection;
#[cfg(test)]
mod tests;
mod trajectory;

pub use call::{ToolCall, Trajectory, parse_trajectory};
pub use checks::{CheckOutcome, ModeChecks, RouteMode, TraceCheck, TraceEvent, check_trace};
pub use link::{LinkCheck, LinkDifference, LinkParts, check_link, link_parts};
pub use matching::{
    Arguments, CallMatch, CallSpec, MatchMode, MatchReport, MatchSpec, ToolName, match_calls,
};
pub use selection::{Selection, SelectionConfig, tool_selection};
pub use trajectory::{
    DataTools, ExpectedTool, MatchRate, TrajectoryScore, TrajectoryVerdict, judge_trajectory, match_rate,
};
