//! The report of an export.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::words::count;
use super::{Doc, Invocation, Report, layout, sqlite};

/// An export.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Exported<'a> {
    /// The contents.
    #[serde(flatten)]
    pub written: WrittenExport,
    /// Its destination.
    #[serde(skip)]
    pub place: &'a Path,
}

/// The contents of an export.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum WrittenExport {
    /// Tables for SQL.
    Tables(sqlite::WrittenTables),
    /// A folder of results.
    Folder(layout::WrittenLayout),
}

impl Report for Exported<'_> {
    const NAME: &'static str = "export";

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new("Export");
        let place = self.place.display();
        doc.sum(match &self.written {
            WrittenExport::Tables(written) => {
                let questions = written.questions.map(|number| format!(", {}", count(number, "question")));
                format!(
                    "{place}: {}, {}, {}, {}{}; {} with {}, {}",
                    count(written.records, "record"),
                    count(written.values, "value"),
                    count(written.changes, "change"),
                    count(written.checks, "check"),
                    questions.unwrap_or_default(),
                    count(written.runs, "run"),
                    count(written.answers, "answer"),
                    count(written.spot_checks, "spot check"),
                )
            }
            WrittenExport::Folder(written) => format!(
                "{place}: {}, {} written, {} left alone",
                count(written.records, "record"),
                count(written.written, "file"),
                count(written.others, "other question"),
            ),
        });
        doc
    }
}
