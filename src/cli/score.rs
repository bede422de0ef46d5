//! `atlas-gt score`: scores values, JSON objects, texts and tool use against known truth.

use clap::{Args, Subcommand};

use super::score_answer::{self, AnswerArgs};
use super::score_answers::{self, AnswersArgs};
use super::score_json::{self, JsonArgs};
use super::score_text::{self, TextArgs};
use super::score_tools::{self, ToolsArgs};
use super::score_values::{self, ValuesArgs};
use super::settings::Shared;
use crate::error::{Exit, Result};

/// Score an answer against the truth
#[derive(Debug, Args)]
pub struct ScoreArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Compare displayed values with the one comparator
    Values(ValuesArgs),
    /// Score JSON objects: completeness, hallucination, accuracy, response quality
    Json(JsonArgs),
    /// Score a Markdown text by the six threshold metrics
    Text(TextArgs),
    /// Score a free-text answer against the stored truth of its question
    Answer(AnswerArgs),
    /// Score many free-text answers, and explain why some stay unscored
    Answers(AnswersArgs),
    /// Score the tools that an agent called
    Tools(ToolsArgs),
}

/// Runs the command.
///
/// # Errors
/// A file cannot be read or parsed.
pub(super) fn run(shared: &Shared, args: ScoreArgs) -> Result<Exit> {
    match args.action {
        Action::Values(args) => score_values::run(shared.format, &args),
        Action::Json(args) => score_json::run(shared.format, &args),
        Action::Text(args) => score_text::run(shared.format, &args),
        Action::Answer(args) => score_answer::run(shared, &args),
        Action::Answers(args) => score_answers::run(shared, &args),
        Action::Tools(args) => score_tools::run(shared.format, &args),
    }
}
