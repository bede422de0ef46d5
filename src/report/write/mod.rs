//! The writers, one per format, for every report.

mod html;
mod json;
mod junit;
mod markdown;
mod report;
mod terminal;

pub use html::is_page;
pub use json::{Items, SCHEMA_VERSION, Versioned, line, pretty};
pub use junit::{JunitSuite, ReportCase};
pub use report::{Format, Report, Terminal};

use super::{Doc, ErrorReport, Invocation, sarif};
use crate::error::{Error, Result};

/// Writes a report in a format.
///
/// # Errors
/// The format is SARIF and the report has no findings.
pub fn write<R: Report>(
    report: &R,
    format: Format,
    invocation: &Invocation,
    terminal: Terminal,
) -> Result<String> {
    Ok(match format {
        Format::Table => terminal::write(&report.doc(invocation), terminal),
        Format::Md => markdown::write(&report.doc(invocation)),
        Format::Html => html::write(&report.doc(invocation))?,
        Format::Json => pretty(&Versioned::of(report))?,
        Format::Jsonl => json::lines(report)?,
        Format::Junit => JunitSuite::of(report, invocation).to_xml()?,
        Format::Sarif => {
            let findings =
                report.findings().ok_or_else(|| Error::Usage(format!("{}: {NO_FINDINGS}", R::NAME)))?;
            pretty(&sarif::sarif(findings))?
        }
    })
}

/// Writes an error in a format. A terminal has it on stderr already.
///
/// # Errors
/// It cannot be written.
pub fn write_error(error: &ErrorReport, format: Format) -> Result<String> {
    match format {
        Format::Table => Ok(String::new()),
        Format::Sarif => pretty(&sarif::failed(error)),
        _ => write(error, format, &Invocation::default(), Terminal::PLAIN),
    }
}

/// Formats a document for a terminal.
#[must_use]
pub fn text(doc: &Doc, terminal: Terminal) -> String {
    terminal::write(doc, terminal)
}

/// Why a report cannot be written as SARIF.
pub const NO_FINDINGS: &str = "--format sarif works only for the findings of `atlas-gt lint`";

#[cfg(test)]
mod tests;
