//! The writers: one a format, for every report.

mod html;
mod json;
mod junit;
mod markdown;
mod terminal;

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;

pub use html::is_page;
pub use json::{Items, SCHEMA_VERSION, Versioned, line, pretty};
pub use junit::ReportCase;

use super::{Doc, Invocation, sarif};
use crate::error::{Error, Exit, Result};
use crate::lint::Finding;

/// How a report is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables for a terminal
    #[default]
    Table,
    /// One JSON document
    Json,
    /// JSON lines: an item of the report's list a line, then the rest
    Jsonl,
    /// Markdown, for a pull request
    Md,
    /// One HTML page without anything from outside
    Html,
    /// JUnit XML, for continuous integration
    Junit,
    /// SARIF 2.1.0, for code hosts: findings of `lint`
    Sarif,
}

/// What a command found out: data for machines, a document for people, test cases, and an exit code.
pub trait Report: Serialize + JsonSchema {
    /// The name of its schema: `atlas-gt schema NAME`.
    const NAME: &'static str;
    /// The key of its list, of which JSON lines have an item a line.
    const ITEMS: Option<&'static str> = None;

    /// The report as it is read. `invocation` makes commands whole.
    fn doc(&self, invocation: &Invocation) -> Doc;

    /// The exit code that follows from it.
    fn exit(&self) -> Exit {
        Exit::Ok
    }

    /// Its test cases; without any, the command itself is the only case.
    fn cases(&self) -> Vec<ReportCase> {
        Vec::new()
    }

    /// The name of the suite of its test cases.
    fn suite(&self) -> String {
        Self::NAME.replace('_', " ")
    }

    /// Properties of that suite.
    fn properties(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// What is wrong at which place, where the report is about that.
    fn findings(&self) -> Option<&[Finding]> {
        None
    }
}

/// What a terminal can do.
#[derive(Debug, Clone, Copy)]
pub struct Terminal {
    /// Columns of a table.
    pub width: usize,
    /// Whether lines of text end there too: where it is a terminal, and not where a program reads.
    pub wraps: bool,
    /// Whether colours may be used.
    pub colours: bool,
}

impl Terminal {
    /// One that says nothing of itself: a file, a test.
    pub const PLAIN: Self = Self { width: 100, wraps: false, colours: false };
}

/// A report in a format.
///
/// # Errors
/// SARIF is asked for and the report has no findings.
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
        Format::Junit => {
            let mut cases = report.cases();
            if cases.is_empty() {
                cases.push(ReportCase::of_command(R::NAME, report.exit(), &report.doc(invocation)));
            }
            junit::write(&report.suite(), &report.properties(), &cases)?
        }
        Format::Sarif => {
            let findings =
                report.findings().ok_or_else(|| Error::Usage(format!("{}: {NO_FINDINGS}", R::NAME)))?;
            pretty(&sarif::sarif(findings))?
        }
    })
}

/// A document as a terminal shows it.
#[must_use]
pub fn text(doc: &Doc, terminal: Terminal) -> String {
    terminal::write(doc, terminal)
}

/// Why a report cannot be SARIF.
pub const NO_FINDINGS: &str = "--format sarif is for findings, which `atlas-gt lint` alone has";

#[cfg(test)]
mod tests;
