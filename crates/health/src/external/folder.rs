//! A folder of records: `{id}/ground_truth/results.json` or `{id}/results.json`, read one at a
//! time. It may be a store of this program. Then only records count that the store accepts.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::quarantined::QuarantinedFile;
use super::record::{ForeignRecord, Verification};
use crate::error::{Error, Result};
use crate::input;
use crate::manifest::{QuestionId, Quote, Reference};
use crate::truth::Store;
use atlas_gt_core::diagnostic::Place;

/// A folder of records of another tool.
#[derive(Debug)]
pub struct Folder {
    dir: PathBuf,
    records: Vec<(QuestionId, PathBuf)>,
    store: Option<Store>,
}

const RESULTS: &str = "results.json";

impl Folder {
    /// Lists the records of a folder, ordered by question. Uses the subfolder `results/` if the
    /// records are there.
    ///
    /// # Errors
    /// The folder cannot be read, or has no record.
    pub fn open(dir: &Path) -> Result<Self> {
        if dir.join("site.json").exists() {
            return Self::of_store(Store::read(dir)?);
        }
        for dir in [dir.to_owned(), dir.join("results")] {
            let folder = Self { records: records(&dir)?, dir, store: None };
            if !folder.records.is_empty() || !folder.references().is_empty() {
                return Ok(folder);
            }
        }
        Err(no_records(dir))
    }

    /// The records of a store.
    ///
    /// # Errors
    /// The store cannot be read, or has no record.
    pub fn of_store(store: Store) -> Result<Self> {
        let dir = store.dir().to_owned();
        let file = |id: QuestionId| (id.clone(), dir.join(id.as_str()).join(RESULTS));
        let records: Vec<_> = store.question_ids()?.into_iter().map(file).collect();
        if records.is_empty() {
            return Err(no_records(&dir));
        }
        Ok(Self { dir, records, store: Some(store) })
    }

    /// Changed files of a store that belong to no record, among those read.
    #[must_use]
    pub fn faults(&self) -> Vec<QuarantinedFile> {
        let all = self.store.as_ref().map(Store::quarantined).unwrap_or_default();
        let of_none = all.iter().filter(|one| one.question_id.is_none());
        of_none.map(|one| QuarantinedFile::new(&one.path, "", one.reason.clone())).collect()
    }

    /// The folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The questions with a file, in order.
    #[must_use]
    pub fn files(&self) -> &[(QuestionId, PathBuf)] {
        &self.records
    }

    /// Reads one record.
    ///
    /// # Errors
    /// The file is not JSON or not a record, the store rejects it, or another file of the question says something else.
    pub fn read(&self, id: &QuestionId, path: &Path) -> std::result::Result<ForeignRecord, QuarantinedFile> {
        if let Some(store) = &self.store {
            store.load(id).map_err(|error| refused(path, error))?;
        } else {
            self.agrees(id, path)?;
        }
        let mut record = ForeignRecord::read(path, id, json(path)?)?;
        if record.verification.is_none() {
            record.verification = self.verification(id, path);
        }
        Ok(record)
    }

    /// Checks that a question has no second record with other contents: it would be unknown which one is true.
    fn agrees(&self, id: &QuestionId, path: &Path) -> std::result::Result<(), QuarantinedFile> {
        let other = self.dir.join(id.as_str()).join(RESULTS);
        if other == path || !other.is_file() || json(path).ok() == json(&other).ok() {
            return Ok(());
        }
        let reason = format!(
            "{} is a record of question {id} too, but differs: check which of the two the page confirms, and remove the other file",
            other.display()
        );
        Err(QuarantinedFile::new(path, "", reason))
    }

    /// References from papers and web pages, in their own files beside or instead of records:
    /// `quotes`, `data_points`.
    #[must_use]
    pub fn references(&self) -> Vec<(QuestionId, Reference)> {
        let named = |path: &PathBuf| path.file_name()?.to_str()?.parse::<QuestionId>().ok();
        let own = sorted(&self.dir).into_iter().filter(|path| path.is_dir());
        let mut found = Vec::new();
        for (id, own) in own.filter_map(|path| Some((named(&path)?, path))) {
            let quotes: Vec<Quote> = json_files(&own)
                .filter(|path| path.file_name().is_none_or(|name| name != RESULTS))
                .filter_map(|path| json(&path).ok())
                .flat_map(|json| quotes(&json))
                .collect();
            if !quotes.is_empty() {
                found.push((id, Reference { quotes, ..Reference::default() }));
            }
        }
        found
    }

    /// The verification beside a record: another JSON file in its folders that states a match.
    fn verification(&self, id: &QuestionId, record: &Path) -> Option<Verification> {
        json_files(&self.dir.join(id.as_str())).filter(|path| path != record).find_map(|path| {
            match json(&path) {
                Ok(Value::Object(object)) => Verification::read(&object, Some(&path)),
                _ => None,
            }
        })
    }
}

/// The JSON files in a question's folder and the folders in it, sorted by name.
fn json_files(own: &Path) -> impl Iterator<Item = PathBuf> {
    let inner = sorted(own).into_iter().filter(|path| path.is_dir());
    let files = std::iter::once(own.to_owned()).chain(inner).flat_map(|folder| sorted(&folder));
    files.filter(|path| path.extension().is_some_and(|kind| kind == "json") && path.is_file())
}

/// The entries of a folder, sorted by name; empty if it cannot be read.
fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// The quotes in a research file, or else its data points.
fn quotes(json: &Value) -> Vec<Quote> {
    let text =
        |value: &Value, keys: &[&str]| keys.iter().find_map(|key| super::record::text(value.get(*key)?));
    let source = text(json, &["source_paper", "paper", "title", "url", "source"]);
    let list = |key: &str| json.get(key).and_then(Value::as_array).into_iter().flatten();
    let quoted = |one: &Value| {
        let said = match one {
            Value::Object(_) => text(one, &["quote", "text", "content", "passage"])?,
            other => super::record::text(other)?,
        };
        let source =
            text(one, &["source", "url", "page", "section", "paper", "title"]).or_else(|| source.clone());
        Some(Quote { text: said, source })
    };
    let quotes: Vec<Quote> = list("quotes").filter_map(quoted).collect();
    if !quotes.is_empty() {
        return quotes;
    }
    let point = |one: &Value| {
        let said = match one {
            Value::Object(map) => {
                let parts = map
                    .iter()
                    .filter_map(|(key, value)| Some(format!("{key}: {}", super::record::text(value)?)));
                parts.collect::<Vec<_>>().join(", ")
            }
            other => super::record::text(other)?,
        };
        Some(Quote { text: said, source: source.clone() })
    };
    list("data_points").filter_map(point).collect()
}

fn no_records(dir: &Path) -> Error {
    Error::Nothing(format!(
        "{} has no records: expected {{id}}/ground_truth/results.json or {{id}}/results.json",
        dir.display()
    ))
}

/// Why a store rejects a record.
fn refused(record: &Path, error: Error) -> QuarantinedFile {
    match error {
        Error::Record { path, place: Place { line: 0, .. }, message } => {
            QuarantinedFile::new(&path, "", message)
        }
        Error::Record { path, place: Place { line, column }, message } => {
            QuarantinedFile::new(&path, "", format!("line {line}, column {column}: {message}"))
        }
        other => QuarantinedFile::new(record, "", other.to_string()),
    }
}

fn records(dir: &Path) -> Result<Vec<(QuestionId, PathBuf)>> {
    if !dir.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).map_err(Error::named(dir))? {
        let path = entry.map_err(Error::named(dir))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        let Some(id) = name.and_then(|name| name.parse::<QuestionId>().ok()) else { continue };
        let file = [path.join("ground_truth").join(RESULTS), path.join(RESULTS)];
        found.extend(file.into_iter().find(|file| file.is_file()).map(|file| (id, file)));
    }
    found.sort();
    Ok(found)
}

fn json(path: &Path) -> std::result::Result<Value, QuarantinedFile> {
    let wrong = |reason: String| QuarantinedFile::new(path, "", reason);
    let bytes = input::bytes(path).map_err(|error| match error {
        Error::Syntax { message, .. } => wrong(message),
        Error::Named { source, .. } => wrong(format!("cannot be read: {source}")),
        other => wrong(other.to_string()),
    })?;
    let value = serde_json::from_slice(&bytes).map_err(|error| wrong(format!("is not JSON: {error}")))?;
    // a key that occurs twice is ambiguous
    atlas_gt_scoring::json::parse(&bytes)
        .map_err(|error| wrong(format!("line {}: {}", error.line, error.message)))?;
    Ok(value)
}
