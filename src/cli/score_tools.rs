//! `atlas-gt score tools`: scores the tool calls of one trajectory against a case, with the scorers
//! of suites.

use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use super::choice::share;
use super::print::print_alone;
use super::score_files::read_json;
use crate::agent::ExecutionTrace;
use crate::error::{Error, Exit, Result};
use crate::input;
use crate::report::Format;
use crate::scoring::scorers;
use crate::scoring::suite::{AgentOutput, read_case, run_case};

/// Arguments of `score tools`
#[derive(Debug, Args)]
pub struct ToolsArgs {
    /// The case, as in a suite: expected_tools, expected_tool_sequence, expected_tool, expected_calls, expected_url, mode
    #[arg(long)]
    case: PathBuf,
    /// The calls: a list of names or of objects with `name` and `arguments`, optionally with the
    /// agent's `url`; or a trace in any format of docs/reference/traces.md
    #[arg(long)]
    trajectory: PathBuf,
    /// Fail (exit 3) if a part is below this, 0 to 1; the case's own `min_score` takes precedence
    #[arg(long, value_name = "SHARE", value_parser = share, default_value_t = 1.0)]
    min_score: f64,
}

/// The scorers of tool use.
const TOOL_SCORERS: [&str; 5] = ["tool_selection", "trajectory", "tool_calls", "link", "route_checks"];

/// Runs the command.
///
/// # Errors
/// A file cannot be read or parsed.
pub fn run(format: Format, args: &ToolsArgs) -> Result<Exit> {
    let registry = scorers::builtin();
    let case = read_case(&args.case, &input::text(&args.case)?, &registry, &TOOL_SCORERS, args.min_score)
        .map_err(|problem| Error::syntax(&args.case, problem.place, problem.message))?;
    let recorded: Value = read_json(&args.trajectory)?;
    let in_file = |message: String| Error::Usage(format!("{}: {message}", args.trajectory.display()));
    let trace = ExecutionTrace::try_from(recorded).map_err(in_file)?;
    let output =
        AgentOutput { trajectory: trace.trajectory(), links: trace.addresses(), ..AgentOutput::default() };
    print_alone(format, &run_case(&case, Some(&output), &registry))
}
