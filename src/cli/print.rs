//! What every command prints with, and what of its words every command reads.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;

use super::score_output;
use crate::error::{Error, Exit, Result};
use crate::report::print_status;
use crate::truth::Quarantined;

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    Table,
    /// For machines
    Json,
}

pub(super) fn complain(error: &Error) {
    print_status(format_args!("error: {error}"));
    if let Some(hint) = error.hint() {
        print_status(format_args!("  {hint}"));
    }
}

/// Whether a result could not be printed; the exit code says so in the end.
static LOST: AtomicBool = AtomicBool::new(false);

/// The exit code of what could not be printed.
pub(super) fn lost() -> Exit {
    if LOST.load(Ordering::Relaxed) { Exit::Unexpected } else { Exit::Ok }
}

/// Prints to stdout. A reader that has gone away is no error; a result that is lost otherwise is reported once, and the
/// command ends with exit code 1.
pub(super) fn print(text: &str) {
    if let Err(error) = score_output::print(text)
        && !LOST.swap(true, Ordering::Relaxed)
    {
        complain(&error);
    }
}

/// Prints a piece of JSON.
pub(super) fn print_json_text(text: serde_json::Result<String>) -> Result<()> {
    print(&text.map_err(|error| Error::Usage(error.to_string()))?);
    Ok(())
}

/// Names what of a store cannot be read, and gives the exit code for it.
pub(super) fn quarantined(all: &[Quarantined]) -> Exit {
    for one in all {
        print_status(format_args!("quarantined: {one}"));
    }
    Quarantined::exit(all)
}

/// Prints a value as JSON.
pub(super) fn print_json<T: serde::Serialize>(value: &T) -> Result<()> {
    print(&score_output::pretty(value)?);
    Ok(())
}

/// Whether colours may be used on stdout.
pub(super) fn colours() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Whether colours may be used on stderr.
pub(super) fn colours_on_stderr() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// A runtime with as many threads as there are cores.
pub(super) fn runtime() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::Browser(format!("no runtime: {error}")))
}

/// A number of things in words: `1 question`, `3 questions`.
pub(super) fn count(number: usize, what: &str) -> String {
    crate::report::count(number, what)
}

/// A day, `2026-06-30`, as the moment of its end, or a moment as it is.
pub(super) fn moment(text: &str, end_of_day: bool) -> Result<jiff::Timestamp> {
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
