//! What every command prints with, and what of its words every command reads.

use std::io::{IsTerminal, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

use super::notify;
use super::settings::{self, Shared};
use crate::config::Config;
use crate::error::{Error, Exit, Result};
use crate::report::{self, Format, Invocation, Report, Terminal, print_status};
use crate::truth::Quarantined;

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
    print_bytes(text.as_bytes());
}

/// As [`print`].
pub(super) fn print_bytes(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(bytes).and_then(|()| out.flush())
        && error.kind() != std::io::ErrorKind::BrokenPipe
        && !LOST.swap(true, Ordering::Relaxed)
    {
        complain(&Error::file("standard output")(error));
    }
}

/// Prints a report in the format that was asked for; its exit code.
pub(super) fn print_report<R: Report>(shared: &Shared, config: &Config, report: &R) -> Result<Exit> {
    print_with(shared.format, &settings::invocation(config), report)
}

/// The same of records: their questions are those that the store says, whatever a manifest asks under their numbers.
pub(super) fn print_of_store<R: Report>(shared: &Shared, config: &Config, report: &R) -> Result<Exit> {
    print_with(shared.format, &settings::invocation_of_store(config), report)
}

/// The same where no settings are read.
pub(super) fn print_alone<R: Report>(format: Format, report: &R) -> Result<Exit> {
    print_with(format, &Invocation::default(), report)
}

/// The same with what surrounds the report.
pub(super) fn print_with<R: Report>(format: Format, invocation: &Invocation, report: &R) -> Result<Exit> {
    print(&report::write(report, format, invocation, terminal())?);
    notify::keep(|| report.doc(invocation).summary.into_iter().map(|line| line.text).collect());
    Ok(report.exit())
}

/// A report for a file.
pub(super) fn written<R: Report>(report: &R, format: Format, config: &Config) -> Result<Vec<u8>> {
    Ok(report::write(report, format, &settings::invocation(config), Terminal::PLAIN)?.into_bytes())
}

/// What stdout can do.
pub(super) fn terminal() -> Terminal {
    let told = std::env::var("COLUMNS").ok().and_then(|text| text.trim().parse().ok());
    let size = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let width = told.filter(|width| *width > 0).or_else(size);
    let colours = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    Terminal { width: width.unwrap_or(Terminal::PLAIN.width), wraps: width.is_some(), colours }
}

/// Names what of a store cannot be read, and gives the exit code for it.
pub(super) fn quarantined(all: &[Quarantined]) -> Exit {
    for one in all {
        print_status(format_args!("quarantined: {one}"));
    }
    Quarantined::exit(all)
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

/// A day, `2026-06-30`, as the moment of its end, or a moment as it is.
pub(super) fn moment(text: &str, end_of_day: bool) -> Result<jiff::Timestamp> {
    let wrong = |_| Error::Usage(format!("`{text}` is no date: write 2026-06-30, or 2026-06-30T12:00:00Z"));
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
