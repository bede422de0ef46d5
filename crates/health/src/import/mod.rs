//! Imports another tool's records into a store. Each value goes to the data point with the same meaning and subject,
//! judged by content alone. A value without a match keeps its own name, and the report says why.

mod answering;
mod behaviors;
mod fit;
mod person;
mod place;
mod record;
mod report;
mod rows;
mod subject;
mod target;
#[cfg(test)]
mod tests;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use rayon::prelude::*;

use crate::error::Result;
use crate::external::{Folder, ListedQuestions, QuarantinedFile};
use crate::extract::Extractors;
use crate::lint::{Asking, errors_in};
use crate::manifest::{Behavior, Manifest, QuestionId};
use crate::truth::checks::{self, Checks};
use crate::truth::{CommitRun, Import, Site, SourceMethod, Store, WriteOutcome, decide_import, file_imports};

use record::{Known, Prepared};
pub use report::{ImportReport, LeafReport, LeafUse, RecordOutcome, RecordReport};

/// What is imported, and how.
#[derive(Debug)]
pub struct ImportOrder<'a> {
    /// The records.
    pub folder: &'a Folder,
    /// Their questions.
    pub questions: &'a ListedQuestions,
    /// The questions with the data points that values may match.
    pub manifest: &'a Manifest,
    /// The extractors of those data points.
    pub extractors: &'a Extractors,
    /// The site of the records.
    pub site: Site,
    /// The source method of records that state none.
    pub assumed: SourceMethod,
    /// Whether this is a dry run.
    pub dry_run: bool,
    /// Who imports, and when.
    pub run: CommitRun,
}

/// Records per batch. It keeps memory independent of the folder's size.
const BATCH: usize = 256;

/// Imports a folder into a store. Without a store, which may not exist yet, nothing is written. `each` is called with
/// every record.
///
/// # Errors
/// The store cannot be read or written, or `each` fails. Unreadable records are reported, and the rest continues.
pub fn import(
    order: &ImportOrder<'_>,
    store: Option<&Store>,
    each: &mut dyn FnMut(&RecordReport) -> Result<()>,
) -> Result<ImportReport> {
    let asked: BTreeMap<_, _> = order.manifest.questions().map(|question| (question.id, question)).collect();
    let known = Known {
        questions: &order.questions.by_id,
        by_words: Known::words(&asked, &order.questions.by_id),
        asked,
        extractors: order.extractors,
        points: Known::points(order.extractors, &order.manifest.entries),
        site: order.site,
        assumed: order.assumed,
        folder: order.folder.dir(),
    };
    let asking = Asking::of(order.questions.clone(), order.extractors);
    let checks = store.map(checks::read).transpose()?.unwrap_or_default();
    let quarantined = order.questions.quarantined.clone();
    let mut report = ImportReport { dry_run: order.dry_run, quarantined, ..ImportReport::default() };
    let mut expected = Vec::new();
    for files in order.folder.files().chunks(BATCH) {
        let mut batch = Vec::new();
        for one in prepared(order, store, &known, (&checks, &asking), files) {
            match one {
                Ok(one) => batch.push(one),
                Err(quarantined) => report.quarantined.push(quarantined),
            }
        }
        if let Some(store) = store.filter(|_| !order.dry_run) {
            let imports: Vec<_> =
                batch.iter().map(|(prepared, outcome)| (&prepared.import, outcome)).collect();
            let (looks, archived) = file_imports(store, &imports, &checks, &order.run)?;
            report.looks += looks;
            report.archived += archived;
        }
        for (mut prepared, outcome) in batch {
            add_outcome(&mut prepared, &outcome);
            report.count(&prepared.report);
            expected.extend(prepared.behavior);
            each(&prepared.report)?;
        }
    }
    of_questions(order, &mut expected, &mut report);
    report.behaviors = expected.len();
    if let Some(store) = store {
        let merged = behaviors::merge(store, expected, order.extractors)?;
        report.behaviors = merged.added;
        if !order.dry_run {
            merged.write(store)?;
            if !report.outcomes.is_empty() || report.behaviors > 0 {
                store.remember_manifest(order.manifest.content())?;
            }
        }
    }
    Ok(report)
}

/// The records with their outcomes, or why they cannot be imported.
fn prepared(
    order: &ImportOrder<'_>,
    store: Option<&Store>,
    known: &Known<'_>,
    (checks, asking): (&Checks, &Asking),
    files: &[(QuestionId, PathBuf)],
) -> Vec<std::result::Result<(Prepared, WriteOutcome), QuarantinedFile>> {
    let one = |(id, path): &(QuestionId, PathBuf)| {
        let refused = |reason| QuarantinedFile { path: path.clone(), key: String::new(), reason };
        let foreign = order.folder.read(id, path)?;
        let mut prepared = known.prepare(&foreign).map_err(refused)?;
        prepared.report.notes.extend(errors_in(&foreign, order.folder, asking));
        if let Some(why) = prepared.import.is_of_the_future(order.run.now) {
            return Err(refused(format!("{why}: correct one of the two, then import it")));
        }
        let outcome = decide(store, &prepared.import, checks).map_err(refused)?;
        Ok((prepared, outcome))
    };
    files.par_iter().map(one).collect()
}

/// Adds the expected behaviors of questions without a record, and the folder's references.
fn of_questions(order: &ImportOrder<'_>, expected: &mut Vec<Behavior>, report: &mut ImportReport) {
    let seen: BTreeSet<&QuestionId> = order.folder.files().iter().map(|(id, _)| id).collect();
    for (id, question) in order.questions.by_id.iter().filter(|(id, _)| !seen.contains(id)) {
        report.without_record += 1;
        expected.extend(behaviors::behavior(id, None, Some(question)));
    }
    for (id, reference) in order.folder.references() {
        report.references += 1;
        let question = order.questions.by_id.get(&id);
        behaviors::refer(expected, &id, question, reference);
    }
}

/// The outcome of a record, or why the stored one cannot be read.
fn decide(
    store: Option<&Store>,
    import: &Import,
    checks: &Checks,
) -> std::result::Result<WriteOutcome, String> {
    match store {
        Some(store) => decide_import(store, import, checks)
            .map_err(|error| format!("is not imported, because the store's record cannot be read: {error}")),
        None if import.record.results.data.is_empty() => {
            Ok(WriteOutcome::Refused("it holds no value".to_owned()))
        }
        None => Ok(WriteOutcome::Written),
    }
}

/// Adds the outcome of a record to its report.
fn add_outcome(prepared: &mut Prepared, outcome: &WriteOutcome) {
    let report = &mut prepared.report;
    report.outcome = RecordOutcome::of(outcome, prepared.behavior.is_some());
    match outcome {
        WriteOutcome::Pending { changes, suspect } => {
            report.changes = changes.iter().map(ToString::to_string).collect();
            report.notes.push(match suspect {
                true => "the store has another value from a stronger source: check the page".to_owned(),
                false => "the store has another value: `refresh --commit` replaces it".to_owned(),
            });
        }
        WriteOutcome::Older(changes) => {
            report.changes = changes.iter().map(ToString::to_string).collect();
            report
                .notes
                .push("the store has another value, which was read later: this one is skipped".to_owned());
        }
        _ => {}
    }
}
