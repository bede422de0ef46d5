//! Reads a manifest file: what to collect, or all its errors.

use std::path::{Path, PathBuf};

use super::asked::plain_words;
use super::check;
use super::entry::{Behavior, Entry};
use super::list::QuestionList;
use super::list_text::ListFault;
use super::method::PointCatalog;
use super::propose::propose;
use super::question::ManifestQuestion;
use crate::error::Error;
use crate::input;
use atlas_gt_core::diagnostic::{At, Diagnostic, Diagnostics, Place};
use atlas_gt_core::document::Document;
use atlas_gt_core::evidence::Hash;

/// A valid manifest.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// The file.
    pub path: PathBuf,
    /// The questions in the file's order, planned ones included.
    pub entries: Vec<Entry>,
    /// The questions that no page answers.
    pub behaviors: Vec<Behavior>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// What the file was read as, if it is not a manifest: `a list of 516 questions …`.
    pub read_as: Option<String>,
}

impl Manifest {
    /// All questions: those that a page answers, in the file's order, then the others.
    pub fn questions(&self) -> impl Iterator<Item = ManifestQuestion<'_>> {
        self.entries
            .iter()
            .map(ManifestQuestion::from)
            .chain(self.behaviors.iter().map(ManifestQuestion::from))
    }

    /// A hash of its questions. Equal questions with equal numbers have the same hash, whatever their file and order.
    #[must_use]
    pub fn content(&self) -> Hash {
        let mut all: Vec<String> = self
            .questions()
            .map(|one| format!("{}\t{}\n", one.id, plain_words(one.text().unwrap_or_default())))
            .collect();
        all.sort();
        Hash::of(all.concat().as_bytes())
    }

    /// The questions that wait for a future extractor, with the reason.
    pub fn planned(&self) -> impl Iterator<Item = (&Entry, &str)> {
        self.entries.iter().filter_map(|entry| Some((entry, entry.planned.as_deref()?)))
    }

    /// The questions that are collected now.
    pub fn collected(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.is_collected())
    }
}

/// Reads and checks a manifest.
///
/// # Errors
/// All its errors and warnings, in the file's order.
pub fn load(path: &Path, catalog: &dyn PointCatalog) -> Result<Manifest, Vec<Diagnostic>> {
    let error = match input::text(path) {
        Ok(text) => return parse(path, &text, catalog),
        Err(error) => error,
    };
    let mut report = Diagnostics::new(path, "");
    let what = match error {
        Error::Named { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            "does not exist".to_owned()
        }
        Error::Named { source, .. } => format!("cannot be read: {source}"),
        Error::Syntax { place, message, .. } => format!("cannot be read, {place}: {message}"),
        other => format!("cannot be read: {other}"),
    };
    let path = path.display();
    report.error(
        &At::default(),
        format!("{path} {what}; name another file with --manifest, or omit it for the built-in one"),
    );
    Err(report.finish().0)
}

/// Checks a manifest's text. The path is only for messages.
///
/// # Errors
/// As [`load`].
pub fn parse(path: &Path, text: &str, catalog: &dyn PointCatalog) -> Result<Manifest, Vec<Diagnostic>> {
    let listed = QuestionList::read(text);
    if let Ok(list) = &listed
        && list.is_list()
    {
        return of_list(path, list, catalog);
    }
    let mut report = Diagnostics::new(path, text);
    let document = Document::parse(text, &mut report);
    let (entries, behaviors) = match &document {
        Some(document) => {
            strict_json(path, text, &mut report);
            check::questions(document, catalog, &mut report)
        }
        None => (Vec::new(), Vec::new()),
    };
    let is_structured = document.is_some_and(|document| document.scalar().is_none());
    match report.finish() {
        (found, true) => Err(cause(path, text, listed, is_structured).unwrap_or(found)),
        (warnings, false) => {
            Ok(Manifest { path: path.to_owned(), entries, behaviors, warnings, read_as: None })
        }
    }
}

/// Why a text cannot be a manifest at all. Any other error would only follow from this.
fn cause(
    path: &Path,
    text: &str,
    listed: Result<QuestionList, ListFault>,
    is_structured: bool,
) -> Option<Vec<Diagnostic>> {
    let (place, message) = match (not_json(path, text), listed) {
        (Some((place, fault)), Ok(list)) if list.form != "CSV" => (place, format!("is not JSON: {fault}")),
        (None, _) if is_structured => return None,
        (_, Err(fault)) => (fault.place, fault.message),
        (_, Ok(list)) => (Place { line: 1, column: 1 }, list.emptiness()),
    };
    let mut report = Diagnostics::new(path, text);
    report.error(&place.into(), message);
    Some(report.finish().0)
}

/// A list of questions, read as the manifest that [`propose`] generates from it.
fn of_list(
    path: &Path,
    list: &QuestionList,
    catalog: &dyn PointCatalog,
) -> Result<Manifest, Vec<Diagnostic>> {
    let made = propose(list, catalog);
    let mut report = Diagnostics::new(path, "");
    let made = Document::parse(&made.text, &mut report);
    let (entries, behaviors) =
        made.map(|document| check::questions(&document, catalog, &mut report)).unwrap_or_default();
    let (found, is_wrong) = report.finish();
    if is_wrong {
        return Err(found);
    }
    // warnings about a proposal are not about the list
    let mut report = Diagnostics::new(path, "");
    for entry in &list.unread {
        let at = At { place: entry.place, field: entry.field() };
        report.warning(&at, format!("left out: {}", entry.why));
    }
    for odd in &list.odd {
        report.warning(&At::default(), odd);
    }
    let (asked, proposed) = (behaviors.len(), entries.len());
    let read_as = Some(format!("{}: {proposed} with a proposed page, {asked} without one", list.words()));
    Ok(Manifest { path: path.to_owned(), entries, behaviors, warnings: report.finish().0, read_as })
}

/// Where and why a `.json` file is not valid JSON.
fn not_json(path: &Path, text: &str) -> Option<(Place, String)> {
    path.extension().filter(|extension| *extension == "json")?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let error = serde_json::from_str::<serde::de::IgnoredAny>(text).err()?;
    Some((input::json_place(&error), input::json_fault(&error)))
}

/// Parsing with places is lenient, but other programs read a `.json` file strictly.
fn strict_json(path: &Path, text: &str, report: &mut Diagnostics) {
    if let Some((place, fault)) = not_json(path, text) {
        report.warning(&place.into(), "this is not strict JSON, which other programs expect").suggest(fault);
    }
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "derived_tests.rs"]
mod derived_tests;

#[cfg(test)]
#[path = "faulty_list_tests.rs"]
mod faulty_list_tests;
