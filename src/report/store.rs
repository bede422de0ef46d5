//! The reports of `verify` and `gc`.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::words::{count, plural};
use super::{CaseVerdict, Doc, Invocation, Report, ReportCase, Text, Tone};
use crate::error::Exit;
use crate::row;
use crate::truth::Quarantined;
use crate::workflow::{Doubt, StoreVerification};
use atlas_gt_core::question_id::question_label;

impl Report for StoreVerification {
    const NAME: &'static str = "verify";
    const ITEMS: Option<&'static str> = Some("doubts");

    fn exit(&self) -> Exit {
        self.exit()
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let mut doc = Doc::new("Verification");
        let is_well = self.exit() == Exit::Ok;
        let bad = match self.quarantined.len() {
            0 => String::new(),
            bad => format!(", {} quarantined", count(bad, "file")),
        };
        doc.verdict(
            if is_well { Tone::Good } else { Tone::Bad },
            format!(
                "{}: {}, {} confirmed from their evidence, {}{bad} ({})",
                if is_well { "verified" } else { "NOT verified" },
                count(self.records, "record"),
                count(self.confirmed, "value"),
                count(self.doubts.len(), "doubt"),
                self.store.display()
            ),
        );
        if self.imported > 0 {
            let imported = plural(self.imported, "imported value has", "imported values have");
            doc.sum(format!("{imported} no evidence"));
        }
        let cells = |doubt: &Doubt| {
            let id = &doubt.question_id;
            let question = Text::from(question_label(id)).linked(self.links.get(id).map(String::as_str));
            row![question, invocation.question(id), &doubt.field, &doubt.message]
        };
        doc.body.rows(&["question", "asked", "field", "doubt"], self.doubts.iter().map(cells));
        if !self.unsealed.is_empty() {
            doc.next("seal records of an older version", invocation.command("verify --seal"));
        }
        doc
    }

    fn cases(&self) -> Vec<ReportCase> {
        let case = |doubt: &Doubt| {
            ReportCase::new(
                format!("{} {}", question_label(&doubt.question_id), doubt.field),
                CaseVerdict::Fail,
                &doubt.message,
            )
        };
        let bad =
            self.quarantined.iter().map(|one| ReportCase::new(one.path.display(), CaseVerdict::Error, one));
        self.doubts.iter().map(case).chain(bad).collect()
    }
}

/// The result of `gc`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Garbage<'a> {
    /// Whether this was a dry run.
    pub dry_run: bool,
    /// Hashes of the unused evidence.
    pub evidence: Vec<String>,
    /// Unreadable files.
    pub quarantined: Vec<Quarantined>,
    /// The store.
    #[serde(skip)]
    pub store: &'a Path,
}

impl Report for Garbage<'_> {
    const NAME: &'static str = "gc";
    const ITEMS: Option<&'static str> = Some("evidence");

    fn doc(&self, invocation: &Invocation) -> Doc {
        let mut doc = Doc::new("Unused evidence");
        let done = if self.dry_run { "would be deleted" } else { "deleted" };
        let store = self.store.display();
        doc.sum(if self.quarantined.is_empty() {
            let pieces = plural(self.evidence.len(), "piece", "pieces");
            format!("{pieces} of evidence {done} ({store})")
        } else {
            format!("no evidence deleted: unreadable files may still refer to it ({store})")
        });
        doc.body.folded("hashes", |body| body.list(&self.evidence));
        if self.dry_run && !self.evidence.is_empty() {
            doc.next("delete it", invocation.command("gc"));
        }
        doc
    }
}
