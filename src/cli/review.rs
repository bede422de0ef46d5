//! `atlas-gt review`: values that a response holds and that no page was found to display.

use std::fmt::Write as _;

use super::print::{Format, count, print, print_json};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Error, Exit, Result};
use crate::manifest::{QuestionId, QuestionIdError};
use crate::truth::review::{self, Review};
use crate::truth::{Reason, Run, Store, accept_reviewed};
use crate::workflow::{self, Clock};

/// Accept or reject values that a response holds though they were not found on their page
///
/// Such a value scores nothing and replaces nothing before it is accepted. Look at the picture that `show` names first.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt review list\n  atlas-gt review show 61\n  atlas-gt review accept 61 --reason 'the picture shows it'\n  atlas-gt review reject 61"
)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// List the questions under review
    List {
        /// How to print the list
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
    },
    /// Show what was looked for, what the response holds, and where page and picture are kept
    Show {
        /// The question
        id: String,
        /// How to print it
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
    },
    /// Make the response's value the truth; the changelog says so
    Accept {
        /// The question
        id: String,
        /// Why; kept in the changelog
        #[arg(long, value_name = "TEXT", default_value = "accepted in review")]
        reason: String,
    },
    /// Drop it; the record stays as it is
    Reject {
        /// The question
        id: String,
    },
}

pub(super) fn run(shared: Shared, args: Args) -> Result<Exit> {
    let config = settings::resolve(&shared, Settings::default())?;
    let store = workflow::open_for_reading(&config.store)?;
    match args.action {
        Action::List { format } => {
            let mut held: Vec<Review> = Vec::new();
            for id in review::ids(&store)? {
                held.extend(review::load(&store, &id)?);
            }
            match format {
                Format::Json => print_json(&held)?,
                Format::Table => {
                    let mut text = String::new();
                    for one in &held {
                        let _ = writeln!(text, "Q{} {}", one.question_id, one.summary());
                    }
                    let _ = writeln!(text, "{} under review", count(held.len(), "question"));
                    print(&text);
                }
            }
        }
        Action::Show { id, format } => {
            let held = held(&store, &id)?;
            match format {
                Format::Json => print_json(&held)?,
                Format::Table => print(&shown(&store, &held)?),
            }
        }
        Action::Accept { id, reason } => {
            let id = held(&store, &id)?.question_id;
            drop(store);
            let store = Store::open_as_found(&config.store)?;
            let why = Reason::new(&reason).ok_or_else(|| Error::Usage("--reason says nothing".to_owned()))?;
            let clock = Clock::from_environment()?;
            let run = Run { id: "review".to_owned(), now: clock.now() };
            let changes = accept_reviewed(&store, &id, &why, &run)?.unwrap_or_default();
            for change in &changes {
                print(&format!("Q{id}: {change}\n"));
            }
            print(&format!("{} taken over\n", count(changes.len(), "value")));
        }
        Action::Reject { id } => {
            let id = held(&store, &id)?.question_id;
            drop(store);
            review::drop(&Store::open_as_found(&config.store)?, &id)?;
            print(&format!("Q{id}: rejected; the record is as it was\n"));
        }
    }
    Ok(Exit::Ok)
}

fn held(store: &Store, id: &str) -> Result<Review> {
    let id: QuestionId = id.parse().map_err(|error: QuestionIdError| Error::Usage(error.to_string()))?;
    review::load(store, &id)?.ok_or_else(|| {
        Error::Usage(format!("question {id}: nothing is under review; `atlas-gt review list` shows what is"))
    })
}

fn shown(store: &Store, held: &Review) -> Result<String> {
    let mut text = format!("Q{} of {}, seen {}\n", held.question_id, held.record.atlas_url, held.seen_at);
    let stored = store.load(&held.question_id)?;
    for missing in &held.missing {
        let known = stored
            .as_ref()
            .and_then(|stored| stored.record.results.data.iter().find(|row| row.field() == missing.field));
        let known = known.map_or_else(|| "nothing".to_owned(), |row| row.shown());
        let _ = writeln!(
            text,
            "{}\n  the response holds {} ({})\n  the record says {known}\n  looked for: {}",
            missing.field, missing.response_value, missing.source, missing.looked_for
        );
    }
    let picture = held.picture.as_ref().map(|hash| store.picture_path(hash));
    let _ = writeln!(text, "page: {}", store.capture_path(&held.capture).display());
    if let Some(picture) = picture {
        let _ = writeln!(text, "picture: {}", picture.display());
    }
    Ok(text)
}
