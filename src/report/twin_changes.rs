//! The report of what a release of the twin changes.

use schemars::JsonSchema;
use serde::Serialize;

use super::words::count;
use super::{Doc, Invocation, Report};
use crate::row;

/// What a release of the twin changes on its pages, compared with the one before.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TwinChanges {
    /// The year of the release.
    pub vintage: i32,
    /// The changed values. Empty for the first release.
    pub changes: Vec<TwinChange>,
}

/// A changed value on a page of the twin.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TwinChange {
    /// Path of the page, without a section.
    pub page: String,
    /// The data point, as extractor specs name it.
    pub point: String,
    /// The row of a list, by code or name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// The kind of change: `revision`, `rounding`, and so on.
    pub kind: String,
    /// The value before; none if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// The value in the release; none if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
}

impl Report for TwinChanges {
    const NAME: &'static str = "twin_changes";
    const ITEMS: Option<&'static str> = Some("changes");

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new(format!("Release {} of the twin", self.vintage));
        let values = count(self.changes.len(), "value");
        doc.sum(format!("release {} changes {values} on the twin's pages", self.vintage));
        let cells = |one: &TwinChange| {
            let field = match &one.row {
                Some(row) => format!("{}[{row}]", one.point),
                None => one.point.clone(),
            };
            row![&one.page, field, &one.kind, one.old.as_deref(), one.new.as_deref()]
        };
        doc.body.rows(&["page", "field", "kind", "old", "new"], self.changes.iter().map(cells));
        doc
    }
}
