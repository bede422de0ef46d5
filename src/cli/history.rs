//! `atlas-gt history`: prints every value of a question, with its time, source and reason for
//! change.

use super::print::{moment, print, print_of_store, quarantined};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Error, Exit, Result};
use crate::manifest::QuestionId;
use crate::report::Format;
use crate::selection::at_least_one;
use crate::truth::{Store, history};

/// Print the history of every value of a question: when, from where, why it changed, and the evidence
///
/// `--at` prints the record as it was at the end of that day. To pin an evaluation to a date, use `--format json`, which
/// prints it as stored.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt history 61\n  atlas-gt history 61 gdp_per_capita --format json\n  atlas-gt history 61 --at 2026-06-30 --format json"
)]
pub(super) struct HistoryArgs {
    /// The question
    question: QuestionId,
    /// Only this field: a data point, or one row of it, `top_products[ict]`
    field: Option<String>,
    /// The truth at the end of this day (UTC), or at this time
    #[arg(long, value_name = "DATE")]
    at: Option<String>,
}

pub(super) fn run(shared: Shared, args: HistoryArgs) -> Result<Exit> {
    let config = settings::resolve(&shared, Settings::default())?;
    let store = Store::read(&config.store)?;
    let wanted = |field: &str| {
        args.field.as_ref().is_none_or(|asked| field == asked || field.split('[').next() == Some(asked))
    };
    if let Some(at) = &args.at {
        let Some(mut record) = history::record_at(&store, &args.question, moment(at, true)?)? else {
            let id = &args.question;
            let history = settings::invocation(&config).command(&format!("history {id}"));
            return Err(Error::Usage(format!(
                "question {id} had no record on {at}; `{history}` shows since when it has one"
            )));
        };
        record.results.data.retain(|row| wanted(&row.field()));
        at_least_one(record.results.data.len(), || {
            let field = args.field.as_deref().unwrap_or_default();
            format!("the record of question {} as of {at} has no value `{field}`", args.question)
        })?;
        let exit = match shared.format {
            // as stored, for evaluations that pin it
            Format::Json => {
                print(&record.to_text()?);
                Exit::Ok
            }
            _ => print_of_store(&shared, &config, &record)?,
        };
        return Ok(exit.worst(quarantined(&store.quarantined())));
    }
    let history = history::of(&store, &args.question, &wanted)?;
    at_least_one(history.lives.len(), || {
        let field = args.field.as_deref().unwrap_or_default();
        format!("question {} has never had a value `{field}`", args.question)
    })?;
    let exit = print_of_store(&shared, &config, &history)?;
    Ok(exit.worst(quarantined(&history.quarantined)))
}
