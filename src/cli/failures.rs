//! `atlas-gt failures`: lists failures in production, and records how a person classifies them.

use atlas_gt_core::command_line;
use atlas_gt_serve::failures::{self, FailureClass, FailureReview};
use jiff::Timestamp;

use super::failures_promote;
use super::flags::Who;
use super::known_failures::{keep_review, known, since};
use super::print::{print_alone, print_with};
use super::settings::{self, Shared};
use super::traces::{self, Place, failed};
use crate::error::{Error, Exit, Result};
use crate::report::ActionReport;
use crate::workflow::Clock;

/// List failures in production: errors, and answers slower than the 95th percentile of seven days
///
/// Repeated failures are grouped, most frequent first. A person classifies each as `eval_candidate`, `known_limitation`
/// or `infrastructure`. Exit code 3 while any is not reviewed.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  atlas-gt failures\n  atlas-gt failures --since 30d --format md > failures.md\n  \
                  atlas-gt failures review 3f9a1c20b7de --class infrastructure --reason 'the database was down'\n  \
                  atlas-gt failures promote 3f9a1c20b7de --manifest manifest.json --like 61 -- --agent http://localhost:8000\n  \
                  atlas-gt failures undo 3f9a1c20b7de"
)]
pub(super) struct FailuresArgs {
    #[command(flatten)]
    list: List,
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, clap::Args)]
struct List {
    /// Since when: 7d, 24h, or a date
    #[arg(long, value_name = "WHEN", default_value = "7d")]
    since: String,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Classify a failure, with a reason
    Review {
        /// The failure's id, as listed
        failure: String,
        /// The class: eval_candidate, known_limitation or infrastructure
        #[arg(long, value_name = "CLASS")]
        class: FailureClass,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: String,
        #[command(flatten)]
        who: Who,
        #[command(flatten)]
        place: Place,
    },
    /// Turn a failure into an evaluation question, collect its truth, ask it again, and report whether it still fails
    ///
    /// The question stays in the manifest as a regression test. Exit code 3: the failure was not reproduced.
    Promote(failures_promote::FailuresPromoteArgs),
    /// Undo a failure's classification
    Undo {
        /// The failure's id, as listed
        failure: String,
        #[command(flatten)]
        who: Who,
        #[command(flatten)]
        place: Place,
    },
}

pub(super) fn run(shared: &Shared, args: FailuresArgs) -> Result<Exit> {
    let now = Clock::from_environment()?.now();
    super::print::runtime()?.block_on(async {
        match args.action {
            None => list(shared, &args.list, now).await,
            Some(Action::Review { failure, class, reason, who, place }) => {
                command_line::reason(&reason)?;
                let config = place.resolve(shared)?;
                known(&config, &failure, now).await?;
                let review = FailureReview { class, by: who.name(), at: now, reason, question_id: None };
                keep_review(&config, &failure, &review).await?;
                let done = format!("{failure}: {} ({})", class.name(), review.by);
                let with = [("failure", failure), ("class", class.name().to_owned()), ("by", review.by)];
                print_alone(shared.format, &ActionReport::new(done, with))
            }
            Some(Action::Promote(args)) => failures_promote::run(shared, &args, now).await,
            Some(Action::Undo { failure, who, place }) => {
                let (database, _) = traces::open_existing(&place.resolve(shared)?).await?;
                let by = who.name();
                let undone = failures::undo_review(&database, &failure, &by, now).await.map_err(failed)?;
                database.close().await;
                if !undone {
                    return Err(Error::Nothing(format!("{failure} has no classification")));
                }
                let done = format!("{failure}: not reviewed");
                print_alone(shared.format, &ActionReport::new(done, [("failure", failure), ("by", by)]))
            }
        }
    })
}

async fn list(shared: &Shared, list: &List, now: Timestamp) -> Result<Exit> {
    let config = list.place.resolve(shared)?;
    let invocation = settings::invocation(&config).also(&list.place.flags());
    print_with(shared.format, &invocation, &since(&config, now, &list.since).await?)
}
