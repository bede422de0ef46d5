//! `atlas-gt review`: decides on values that need a person.

use std::io::IsTerminal;

use super::flags::Who;
use super::print::{print_of_store, quarantined};
use super::review_steps::{self, Desk};
use super::settings::{self, Shared};
use crate::config::{Config, Settings};
use crate::error::{Exit, Result};
use crate::report::Format;
use crate::report::review::{Queue, ReviewOutcome as Judgement, ReviewedQuestion};
use crate::truth::{CommitRun, Person, Store};
use crate::workflow::Clock;
use crate::workflow::review::{self, PersonVerdict};

/// Accept or reject values that need a person: values read from pictures, and values no page displays
///
/// Such a value neither scores nor replaces anything until it is accepted. Check the picture that `review show` names
/// first. In a terminal, `review` without a subcommand steps through the values.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  atlas-gt review\n  atlas-gt review list\n  atlas-gt review show 61\n  \
                  atlas-gt review accept 61 --reason 'the picture shows it'\n  \
                  atlas-gt review accept 900 -0.48 --point chart_eci --by 'J. Doe'\n  \
                  atlas-gt review reject 61 --reason 'it is of another year'\n  atlas-gt review undo 61\n  atlas-gt review list --format html > review.html")]
pub(super) struct ReviewArgs {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// List the questions under review
    List,
    /// Show the expected value, the API's value, and the paths of page and pictures
    Show {
        /// The question
        id: String,
    },
    /// Accept a value as truth; provenance and changelog record who, when and why
    ///
    /// The record is written when every pending value of the question is accepted.
    Accept {
        /// The question
        id: String,
        /// The value as the picture shows it [default: the API's value]
        #[arg(allow_hyphen_values = true)]
        value: Option<String>,
        /// Which value, if several of the question are pending
        #[arg(long, value_name = "FIELD")]
        point: Option<String>,
        /// Why
        #[arg(long, value_name = "TEXT", default_value = "accepted in review")]
        reason: String,
        #[command(flatten)]
        who: Who,
    },
    /// Reject a value; the record stays as it is, and the same reading is not offered again
    Reject {
        /// The question
        id: String,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: String,
        #[command(flatten)]
        who: Who,
    },
    /// Undo the last decision on a question: it is pending again, and its record is as it was before
    ///
    /// Refused once the record has been written since. The review keeps the decision that was undone.
    Undo {
        /// The question
        id: String,
        /// Why
        #[arg(long, value_name = "TEXT", default_value = "undone")]
        reason: String,
        #[command(flatten)]
        who: Who,
    },
}

pub(super) fn run(shared: Shared, args: ReviewArgs) -> Result<Exit> {
    let config = settings::resolve(&shared, Settings::default())?;
    let store = Store::read(&config.store)?.with_content()?;
    let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if args.action.is_none() && is_terminal && shared.format == Format::Table {
        drop(store);
        let by = settings::user();
        let desk = Desk { config: &config, by, now: Clock::from_environment()?.now() };
        return review_steps::run(&desk, &mut std::io::stdin().lock(), &review_steps::open);
    }
    match args.action.unwrap_or(Action::List) {
        Action::List => {
            let exit = print_of_store(&shared, &config, &queue(&store, shared.format)?)?;
            Ok(exit.worst(quarantined(&store.quarantined())))
        }
        Action::Show { id } => {
            let one = review::of_question(&store, &id)?;
            let exit = print_of_store(&shared, &config, &ReviewedQuestion { one: &one, store: &store })?;
            Ok(exit.worst(quarantined(&store.quarantined())))
        }
        Action::Accept { id, value, point, reason, who } => {
            let (store, person) = judge(store, &config, reason, who)?;
            let verdict = PersonVerdict { value: value.as_deref(), field: point.as_deref(), person };
            let run = CommitRun {
                id: "review".to_owned(),
                now: verdict.person.at,
                by: Some(verdict.person.by.clone()),
            };
            let judged = review::accept(&store, &id, &verdict, &run)?;
            print_of_store(&shared, &config, &Judgement::accepted(&id, &judged))
        }
        Action::Reject { id, reason, who } => {
            let (store, person) = judge(store, &config, reason, who)?;
            review::reject(&store, &id, person)?;
            print_of_store(&shared, &config, &Judgement::rejected(&id))
        }
        Action::Undo { id, reason, who } => {
            let (store, person) = judge(store, &config, reason, who)?;
            let changes = review::undo(&store, &id, &person)?;
            print_of_store(&shared, &config, &Judgement::undone(&id, &changes))
        }
    }
}

/// The review queue, with its pictures if it is written as a page.
fn queue(store: &Store, format: Format) -> Result<Queue> {
    let waiting = review::waiting(store)?;
    let pictures =
        if format == Format::Html { review::pictures(store, &waiting) } else { review::Pictures::default() };
    Ok(Queue { waiting, pictures })
}

/// The store opened for writing, with the person who decides.
fn judge(reading: Store, config: &Config, why: String, who: Who) -> Result<(Store, Person)> {
    drop(reading);
    let person = Person { by: who.name(), at: Clock::from_environment()?.now(), why, crop: None };
    Ok((Store::open_as_found(&config.store)?, person))
}
