//! The command line: one file a subcommand, each turning arguments into a library call, a print and an
//! exit code.

mod api;
mod changelog;
mod collect;
mod completions;
mod doctor;
mod export;
mod gc;
mod history;
mod manifest;
mod plan;
#[cfg(all(test, feature = "twin"))]
mod reference;
mod refresh;
mod review;
mod running;
mod score;
mod score_answer;
mod score_batch;
mod score_json;
mod score_output;
mod score_text;
mod score_tools;
mod score_values;
mod settings;
mod site;
mod spot_check;
mod suite;
mod suite_compare;
#[cfg_attr(not(feature = "twin"), path = "no_twin.rs")]
mod twin;
mod verify;
mod visiting;

use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Parser, Subcommand, ValueEnum};

use crate::error::{Error, Exit, Result};
use crate::report::tell;

use settings::Shared;

/// Ground truth from the Atlas of Economic Complexity: collect it with a real browser, keep it with its
/// evidence, compare with it.
#[derive(Debug, Parser)]
#[command(name = "atlas-gt", version, max_term_width = 110, after_help = EXIT_CODES)]
struct Cli {
    #[command(flatten)]
    shared: Shared,
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done · 1 unexpected · 2 usage, configuration, manifest · 3 differences or a failed gate · \
4 something could not be extracted · 5 site unreachable or refusing · 6 agent or judge failed · 130 interrupted";

#[derive(Debug, Subcommand)]
enum Command {
    Api(api::Args),
    Collect(collect::Args),
    Refresh(refresh::Args),
    Review(review::Args),
    History(history::Args),
    Changelog(changelog::Args),
    Export(export::Args),
    Verify(verify::Args),
    Manifest(manifest::Args),
    Plan(plan::Args),
    Score(score::ScoreArgs),
    SpotCheck(spot_check::Args),
    Suite(suite::SuiteArgs),
    #[cfg(feature = "twin")]
    Twin(twin::Args),
    Doctor(doctor::Args),
    Gc(gc::Args),
    Completions(completions::Args),
}

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// For machines
    Json,
}

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    // the first TLS client would panic without a provider; a second installation is no harm
    drop(rustls::crypto::ring::default_provider().install_default());
    let cli = Cli::parse();
    settings::log(&cli.shared);
    let result = match cli.command {
        Command::Api(args) => api::run(cli.shared, args),
        Command::Collect(args) => collect::run(cli.shared, args),
        Command::Refresh(args) => refresh::run(cli.shared, args),
        Command::Review(args) => review::run(cli.shared, args),
        Command::History(args) => history::run(cli.shared, args),
        Command::Changelog(args) => changelog::run(cli.shared, args),
        Command::Export(args) => export::run(cli.shared, args),
        Command::Verify(args) => verify::run(cli.shared, args),
        Command::Manifest(args) => manifest::run(cli.shared, args),
        Command::Plan(args) => plan::run(cli.shared, args),
        Command::Score(args) => score::run(&cli.shared, args),
        Command::SpotCheck(args) => spot_check::run(cli.shared, args),
        Command::Suite(args) => suite::run(args),
        #[cfg(feature = "twin")]
        Command::Twin(args) => twin::run(args),
        Command::Doctor(args) => doctor::run(cli.shared, args),
        Command::Gc(args) => gc::run(cli.shared, args),
        Command::Completions(args) => Ok(completions::run(&args)),
    };
    let exit = result.unwrap_or_else(|error| {
        complain(&error);
        error.exit()
    });
    let lost = if LOST.load(Ordering::Relaxed) { Exit::Unexpected } else { Exit::Ok };
    exit.worst(lost).into()
}

fn complain(error: &Error) {
    tell(format_args!("error: {error}"));
    if let Some(hint) = error.hint() {
        tell(format_args!("  {hint}"));
    }
}

/// Whether a result could not be printed; the exit code says so in the end.
static LOST: AtomicBool = AtomicBool::new(false);

/// Prints to stdout. A reader that has gone away is no error; a result that is lost otherwise is told once, and the
/// command ends with exit code 1.
fn print(text: &str) {
    if let Err(error) = score_output::print(text)
        && !LOST.swap(true, Ordering::Relaxed)
    {
        complain(&error);
    }
}

/// Prints a value as JSON.
fn print_json<T: serde::Serialize>(value: &T) -> Result<()> {
    let mut text = serde_json::to_string_pretty(value).map_err(|error| Error::Usage(error.to_string()))?;
    text.push('\n');
    print(&text);
    Ok(())
}

/// Whether colours may be used on stdout.
fn colours() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Whether colours may be used on stderr.
fn colours_on_stderr() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// A runtime with as many threads as there are cores.
fn runtime() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::Browser(format!("no runtime: {error}")))
}

/// A number of things in words: `1 question`, `3 questions`.
fn count(number: usize, what: &str) -> String {
    crate::report::count(number, what)
}

/// A day, `2026-06-30`, as the moment of its end, or a moment as it is.
fn moment(text: &str, end_of_day: bool) -> Result<jiff::Timestamp> {
    let wrong = |error: jiff::Error| Error::Usage(format!("`{text}` is no date: write 2026-06-30 ({error})"));
    match text.parse::<jiff::civil::Date>() {
        Ok(day) if !text.contains('T') => {
            let day = if end_of_day { day.tomorrow().map_err(wrong)? } else { day };
            let at = day.to_zoned(jiff::tz::TimeZone::UTC).map_err(wrong)?.timestamp();
            let before = jiff::SignedDuration::from_nanos(i64::from(end_of_day));
            at.checked_sub(before).map_err(wrong)
        }
        _ => text.parse().map_err(wrong),
    }
}
