//! Suites: cases with what is expected of an agent, scored by named scorers, built in or one's own (scorers;
//! decisions 6, 7 and 17).

mod builtin;
mod compare;
mod file;
mod judged;
mod outcome;
mod read;
mod run;
mod scorer;
#[cfg(test)]
mod tests;

pub use builtin::{CONTAINS, JsonScorerConfig, builtin_scorers};
pub use compare::{ChangedCase, Resampling, RunCase, RunComparison, compare_runs};
pub use file::{CaseFile, CommandConfig, InputFile, SuiteFile, suite_schema};
pub use judged::{JudgeConfig, Provider, expected_content_points, provider_of};
pub use outcome::{
    BandCount, CaseResult, CaseVerdict, ScoreBand, ScoreStatus, ScorerOutcome, SuiteResult, SuiteVerdict,
};
pub use read::{Case, Diagnostic, Severity, Suite, commands_of, read_suite};
pub use run::{run_case, run_suite};
pub use scorer::{AgentOutput, Registry, Scorer, ScorerError, ScorerResult, parse_answer};
