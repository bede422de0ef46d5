//! The reports of `verify` and `gc`.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::words::{count, plural};
use super::{CaseVerdict, Doc, Invocation, Report, ReportCase, Tone};
use crate::error::Exit;
use crate::row;
use crate::truth::Quarantined;
use crate::workflow::{Doubt, StoreVerification};
use atlas_gt_core::question_id::question_label;

/// The result of a verification.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Verified<'a> {
    /// The result.
    #[serde(flatten)]
    pub result: &'a StoreVerification,
    /// The store.
    #[serde(skip)]
    pub store: &'a Path,
}

impl Report for Verified<'_> {
    const NAME: &'static str = "verify";
    const ITEMS: Option<&'static str> = Some("doubts");

    fn exit(&self) -> Exit {
        self.result.exit()
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let result = self.result;
        let mut doc = Doc::new("Verification");
        let is_well = self.exit() == Exit::Ok;
        let bad = match result.quarantined.len() {
            0 => String::new(),
            bad => format!(", {} quarantined", count(bad, "file")),
        };
        doc.verdict(
            if is_well { Tone::Good } else { Tone::Bad },
            format!(
                "{}: {}, {} confirmed from their evidence, {}{bad} ({})",
                if is_well { "verified" } else { "NOT verified" },
                count(result.records, "record"),
                count(result.confirmed, "value"),
                count(result.doubts.len(), "doubt"),
                self.store.display()
            ),
        );
        if result.imported > 0 {
            let imported = plural(result.imported, "imported value has", "imported values have");
            doc.sum(format!("{imported} no evidence"));
        }
        let cells = |doubt: &Doubt| {
            let id = &doubt.question_id;
            row![question_label(id), invocation.question(id), &doubt.field, &doubt.message]
        };
        doc.body.rows(&["question", "asked", "field", "doubt"], result.doubts.iter().map(cells));
        if !result.unsealed.is_empty() {
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
        let bad = self
            .result
            .quarantined
            .iter()
            .map(|one| ReportCase::new(one.path.display(), CaseVerdict::Error, one));
        self.result.doubts.iter().map(case).chain(bad).collect()
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
