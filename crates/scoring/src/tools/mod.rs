//! Tool use: an agent's calls, the expected calls, and the route to the data (evaluation strategy, sections 2 and 6).

mod call;
mod expected;
mod route;

pub use atlas_gt_core::pipeline::{ExpectedTool, Mode};
pub use call::{CALL_KEYS, ToolCall, Trajectory, parse_trajectory};
pub use expected::{Arguments, CallSpec, DataTools, MatchMode, MatchSpec, ToolName};
pub use route::{MatchRate, Route, TrajectoryVerdict, judge_trajectory, match_rate};
