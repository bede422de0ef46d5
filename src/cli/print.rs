//! Printing and parsing shared by all commands.

use std::io::{IsTerminal, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::settings::{self, Shared};
use crate::config::{Config, Settings};
use crate::error::{Error, Exit, Result};
use crate::manifest::{Diagnostic, Severity};
use crate::report::{
    self, ErrorReport, Format, Invocation, JunitSuite, Report, Terminal, print_diagnostic, print_status,
};
use crate::truth::Quarantined;
use crate::workflow::Clock;

/// Whether something was printed to stdout.
static PRINTED: AtomicBool = AtomicBool::new(false);

/// Reports the error that ended a command: on stderr and in the requested format.
pub(super) fn print_error(shared: &Shared, command: String, error: &Error) {
    // the message of a single one says it all
    if let Error::Invalid(found) = error
        && found.len() > 1
    {
        print_mistakes(found);
    }
    let details = SUITE.lock().unwrap_or_else(PoisonError::into_inner).1.clone();
    complain(error);
    // settings that cannot be read are the error itself
    let config = settings::resolve(shared, Settings::default());
    // a resumed run may name another store, which the command of the hint would not create
    let is_other =
        matches!((error, &config), (Error::NoStore { path, .. }, Ok(config)) if *path != config.store);
    let invocation = config.map_or_else(|_| Invocation::default(), |config| settings::invocation(&config));
    let mut report = ErrorReport::new(command, error, details, &invocation);
    report.hint = report.hint.filter(|_| !is_other);
    if let Some(hint) = &report.hint {
        print_status(format_args!("  {hint}"));
    }
    print_error_report(shared.format, &report);
}

/// Prints an error in the requested format if the command has printed no report. JSON lines take it
/// after the lines that were printed.
pub(super) fn print_error_report(format: Format, report: &ErrorReport) {
    if format == Format::Junit {
        let suite = JunitSuite::of(report, &Invocation::default());
        SUITE.lock().unwrap_or_else(PoisonError::into_inner).0.get_or_insert(suite);
    } else if format == Format::Jsonl || !PRINTED.load(Ordering::Relaxed) {
        report::write_error(report, format).map_or_else(|error| complain(&error), |text| print(&text));
    }
}

/// The maximum number of mistakes shown.
const MAX_MISTAKES: usize = 20;

/// Reports the mistakes in files on stderr, errors first. They explain the error that ends the command.
pub(super) fn print_mistakes(found: &[Diagnostic]) {
    let (wrong, odd): (Vec<_>, Vec<_>) = found.iter().partition(|one| one.severity == Severity::Error);
    for one in wrong.into_iter().chain(odd).take(MAX_MISTAKES) {
        print_diagnostic(one);
        add_reason(one.to_string());
    }
    if let Some(more) = found.len().checked_sub(MAX_MISTAKES).filter(|more| *more > 0) {
        print_status(format_args!("… and {more} more"));
    }
}

pub(super) fn complain(error: &Error) {
    print_status(format_args!("error: {error}"));
    add_reason(error.to_string());
}

/// Whether some output was lost. The final exit code reports it.
static LOST: AtomicBool = AtomicBool::new(false);

/// The exit code for lost output.
pub(super) fn lost() -> Exit {
    if LOST.load(Ordering::Relaxed) { Exit::Unexpected } else { Exit::Ok }
}

/// Prints to stdout. A closed pipe is not an error. Any other write error is reported once, and the
/// command ends with exit code 1.
pub(super) fn print(text: &str) {
    print_bytes(text.as_bytes());
}

/// Like [`print`], for bytes.
pub(super) fn print_bytes(bytes: &[u8]) {
    PRINTED.fetch_or(!bytes.is_empty(), Ordering::Relaxed);
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(bytes).and_then(|()| out.flush())
        && error.kind() != std::io::ErrorKind::BrokenPipe
        && !LOST.swap(true, Ordering::Relaxed)
    {
        complain(&Error::file("standard output")(error));
    }
}

/// Prints a report in the requested format, and returns its exit code.
pub(super) fn print_report<R: Report>(shared: &Shared, config: &Config, report: &R) -> Result<Exit> {
    print_with(shared.format, &settings::invocation(config), report)
}

/// Like [`print_report`], for reports on records. Question texts come from the store, whatever the
/// manifest says.
pub(super) fn print_of_store<R: Report>(shared: &Shared, config: &Config, report: &R) -> Result<Exit> {
    print_with(shared.format, &settings::invocation_of_store(config), report)
}

/// Like [`print_report`], without settings.
pub(super) fn print_alone<R: Report>(format: Format, report: &R) -> Result<Exit> {
    print_with(format, &Invocation::default(), report)
}

/// Like [`print_report`], with a given context.
pub(super) fn print_with<R: Report>(format: Format, invocation: &Invocation, report: &R) -> Result<Exit> {
    match format {
        Format::Junit => hold_suite(JunitSuite::of(report, invocation)),
        _ => print(&report::write(report, format, invocation, terminal())?),
    }
    keep_summary(|| report.doc(invocation).summary.into_iter().map(|line| line.text).collect());
    Ok(report.exit())
}

/// The summary of the last report; none unless it is wanted.
static SUMMARY: Mutex<Option<Vec<String>>> = Mutex::new(None);

/// Asks for the summaries of the reports that follow.
pub(super) fn want_summary() {
    if let Ok(mut kept) = SUMMARY.lock() {
        *kept = Some(Vec::new());
    }
}

/// Stores the summary of a report.
fn keep_summary(summary: impl FnOnce() -> Vec<String>) {
    if let Ok(mut kept) = SUMMARY.lock()
        && kept.is_some()
    {
        *kept = Some(summary());
    }
}

/// The summary of the last report.
pub(super) fn take_summary() -> Vec<String> {
    SUMMARY.lock().ok().and_then(|mut kept| kept.take()).unwrap_or_default()
}

/// A report as file contents.
pub(super) fn written<R: Report>(report: &R, format: Format, config: &Config) -> Result<Vec<u8>> {
    Ok(report::write(report, format, &settings::invocation(config), Terminal::PLAIN)?.into_bytes())
}

/// The properties of stdout.
pub(super) fn terminal() -> Terminal {
    let told = std::env::var("COLUMNS").ok().and_then(|text| text.trim().parse().ok());
    let size = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let width = told.filter(|width| *width > 0).or_else(size);
    let colours = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    Terminal { width: width.unwrap_or(Terminal::PLAIN.width), wraps: true, colours }
}

/// A JUnit suite that waits for the command's exit code, and why the code is not 0.
static SUITE: Mutex<(Option<JunitSuite>, Vec<String>)> = Mutex::new((None, Vec::new()));

fn hold_suite(suite: JunitSuite) {
    drop(SUITE.lock().unwrap_or_else(PoisonError::into_inner).0.replace(suite));
}

fn add_reason(reason: String) {
    SUITE.lock().unwrap_or_else(PoisonError::into_inner).1.push(reason);
}

/// Prints the JUnit suite of the command, with a case for its exit code.
pub(super) fn print_suite(exit: Exit) {
    let (suite, reasons) = std::mem::take(&mut *SUITE.lock().unwrap_or_else(PoisonError::into_inner));
    let Some(suite) = suite else { return };
    let reason = if reasons.is_empty() { exit.meaning().to_owned() } else { reasons.join("\n") };
    match suite.with_exit(exit, &reason).to_xml() {
        Ok(text) => print(&text),
        Err(error) => complain(&error),
    }
}

/// Reports unreadable files of a store, and returns the exit code for them.
pub(super) fn quarantined(all: &[Quarantined]) -> Exit {
    for one in all {
        print_status(format_args!("quarantined: {one}"));
        add_reason(one.to_string());
    }
    Quarantined::exit(all)
}

/// A runtime with one thread per core.
pub(super) fn runtime() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::Browser(format!("no runtime: {error}")))
}

/// Parses a day such as `2026-06-30` as its end or its start, or an exact time. Neither may begin in the future.
pub(super) fn moment(text: &str, end_of_day: bool) -> Result<jiff::Timestamp> {
    let wrong = |_| Error::Usage(format!("`{text}` is not a date: write 2026-06-30 or 2026-06-30T12:00:00Z"));
    let start = |day: jiff::civil::Date| -> Result<jiff::Timestamp> {
        Ok(day.to_zoned(jiff::tz::TimeZone::UTC).map_err(wrong)?.timestamp())
    };
    let day = text.parse::<jiff::civil::Date>().ok().filter(|_| !text.contains('T'));
    let begin = match day {
        Some(day) => start(day)?,
        None => text.parse::<jiff::Timestamp>().map_err(wrong)?,
    };
    let now = Clock::from_environment()?.now();
    if begin > now {
        let now = now.strftime("%Y-%m-%dT%H:%M:%SZ");
        return Err(Error::Usage(format!(
            "`{text}` is in the future (it is {now} now): write a day or time that has begun"
        )));
    }
    match day.filter(|_| end_of_day) {
        Some(day) => {
            let end = start(day.tomorrow().map_err(wrong)?)?;
            end.checked_sub(jiff::SignedDuration::from_nanos(1)).map_err(wrong)
        }
        None => Ok(begin),
    }
}
