//! A report as the writers take it, the formats, and the terminal.

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;

use super::junit::ReportCase;
use crate::error::Exit;
use crate::lint::Finding;
use crate::report::{Doc, Invocation};

/// The output format of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables for a terminal
    #[default]
    Table,
    /// One JSON document
    Json,
    /// JSON lines: one line per item of the list, then the rest
    Jsonl,
    /// Markdown
    Md,
    /// One self-contained HTML page
    Html,
    /// JUnit XML
    Junit,
    /// SARIF 2.1.0, for code hosts: findings of `lint`
    Sarif,
}

/// The result of a command: data for machines, a document for people, test cases, and an exit code.
pub trait Report: Serialize + JsonSchema {
    /// The name of its schema: `atlas-gt schema NAME`.
    const NAME: &'static str;
    /// The key of its list. JSON lines print one line per item of it.
    const ITEMS: Option<&'static str> = None;
    /// Whether JSON lines print its test cases, because the document has no list of them.
    const CASES_ARE_ITEMS: bool = false;

    /// The document for people. `invocation` completes its commands.
    fn doc(&self, invocation: &Invocation) -> Doc;

    /// The exit code.
    fn exit(&self) -> Exit {
        Exit::Ok
    }

    /// Its test cases. If there are none, the command itself is the only case.
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

    /// Its findings, if it reports any.
    fn findings(&self) -> Option<&[Finding]> {
        None
    }
}

/// The properties of the terminal.
#[derive(Debug, Clone, Copy)]
pub struct Terminal {
    /// Columns of a table.
    pub width: usize,
    /// Whether text is wrapped. A file keeps its lines.
    pub wraps: bool,
    /// Whether colors may be used.
    pub colours: bool,
}

impl Terminal {
    /// Settings for a file or a test.
    pub const PLAIN: Self = Self { width: 100, wraps: false, colours: false };
}
