//! Suites: cases with expected answers and tool calls, scored by named scorers (scorers; decisions 6, 7 and 17).

mod answer;
mod case;
mod compare;
mod file;
mod outcome;
mod read;
mod run;
mod scorer;
#[cfg(test)]
mod tests;

pub(crate) use answer::NO_CALLS;
pub use answer::{AgentOutput, parse_answer};
pub use case::{ConfiguredScorer, Suite, SuiteCase};
pub use compare::{ChangedCase, Resampling, RunCase, RunComparison, compare_runs};
pub use file::{CaseFile, CommandConfig, InputFile, SuiteFile, suite_schema};
pub use outcome::{BandCount, CaseResult, ScoreBand, ScorerOutcome, SuiteScores};
pub use read::{commands_of, read_case, read_suite};
pub use run::{run_case, summarize};
pub use scorer::{Registry, Scorer, ScorerError, configured};
