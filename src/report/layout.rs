//! Exports a store as a folder of results: `{question_id}/ground_truth/results.json`, the layout of
//! evaluation strategy, section 4.1.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use serde::Serialize;

use super::output;
use crate::atomic_file;
use crate::error::{Error, Result};
use crate::manifest::QuestionId;
use crate::truth::{Quarantined, Store};

/// The result of an export.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct WrittenLayout {
    /// Records of the store.
    pub records: usize,
    /// Files that were new or changed.
    pub written: usize,
    /// Folders of other questions, left unchanged.
    pub others: usize,
    /// Unreadable records. Their exported files are left unchanged.
    pub quarantined: Vec<Quarantined>,
}

const FOLDER: &str = "ground_truth";

/// Writes every record of a store below `dir`, each file atomically. Unchanged files are not
/// written.
///
/// # Errors
/// The folder is the store or inside it, or holds other data than this layout. Or it holds records
/// of another tool, which only `overwrite` replaces. Or the store cannot be read, or a file cannot
/// be written.
pub fn export(store: &Store, dir: &Path, overwrite: bool) -> Result<WrittenLayout> {
    let unusable =
        |why: String| Error::named(dir)(io::Error::other(format!("{why}: name an empty or a new folder")));
    output::outside_store(dir, store.dir())?;
    let found = layout(dir, &unusable)?;
    // check before anything is written
    for id in store.question_ids()?.iter().filter(|id| found.contains(id)) {
        let path = dir.join(id.as_str()).join(FOLDER).join("results.json");
        if path.exists() {
            output::check(&path, output::RESULTS, overwrite)?;
        }
    }
    let mut written = WrittenLayout::default();
    let mut known = BTreeSet::new();
    for stored in store.records()? {
        let id = stored.record.question_id.clone();
        let folder = dir.join(id.as_str()).join(FOLDER);
        let path = folder.join("results.json");
        let text = stored.record.to_text()?;
        if folder.is_dir() {
            // temporary files of an interrupted export
            atomic_file::sweep(&folder)?;
        }
        if fs::read(&path).ok().as_deref() != Some(text.as_bytes()) {
            atomic_file::write_atomic(&path, text.as_bytes())?;
            written.written += 1;
        }
        written.records += 1;
        known.insert(id);
    }
    written.quarantined = store.quarantined();
    known.extend(written.quarantined.iter().filter_map(|one| one.question_id.clone()));
    written.others = found.difference(&known).count();
    Ok(written)
}

/// The questions in a folder of this layout; none if it is empty or does not exist.
fn layout(dir: &Path, unusable: &dyn Fn(String) -> Error) -> Result<BTreeSet<QuestionId>> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(error) => return Err(Error::named(dir)(error)),
    };
    let mut found = BTreeSet::new();
    for entry in entries {
        let path = entry.map_err(Error::named(dir))?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let id = name.and_then(|name| name.parse::<QuestionId>().ok());
        // an interrupted export may leave an empty folder
        let is_ours = || {
            path.join(FOLDER).is_dir() || fs::read_dir(&path).is_ok_and(|mut inside| inside.next().is_none())
        };
        match id.filter(|_| is_ours()) {
            Some(id) => found.insert(id),
            None => return Err(unusable(format!("contains {}, which is not a question", path.display()))),
        };
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::{Channel, PointProvenance, Provenance, Record, Site, file_reading};
    use crate::value::Context;

    const RECORD: &str = r#"{"question_id": 61, "execution_timestamp": "2026-03-15T10:30:00Z", "source": "s",
        "source_method": "graphql_api", "results": {"data": [{"metric": "GDP", "value": "$1", "number": 1}]}}"#;

    fn store(dir: &Path) -> Store {
        let store = Store::open(dir, Site::Live).unwrap();
        for id in ["61", "62"] {
            let record = Record::from_text(&RECORD.replace("61", id)).unwrap();
            let at = record.execution_timestamp;
            let point = |row| PointProvenance::of_row(row, Context::default(), Channel::Api, at);
            let points = record.results.data.iter().map(point).collect();
            let how = Provenance::of_points(&record, points);
            file_reading(&store, &record, &how, at).unwrap();
        }
        fs::create_dir_all(dir.join("63")).unwrap();
        fs::write(dir.join("63/results.json"), "{").unwrap();
        store
    }

    #[test]
    fn a_store_is_written_as_a_folder_of_results_and_a_second_time_changes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir.path().join("store"));
        let out = dir.path().join("results");
        let first = export(&store, &out, false).unwrap();
        assert_eq!((first.records, first.written, first.quarantined.len()), (2, 2, 1));
        let path = out.join("61/ground_truth/results.json");
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, Record::from_text(RECORD).unwrap().to_text().unwrap());
        assert!(!out.join("63").exists(), "it cannot be read");
        let before = fs::metadata(&path).unwrap().modified().unwrap();
        fs::write(out.join("62/ground_truth/.agt-tmp-of-a-killed-run"), "{").unwrap();
        assert_eq!(export(&store, &out, false).unwrap(), WrittenLayout { written: 0, ..first.clone() });
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
        assert_eq!(fs::read_dir(out.join("62/ground_truth")).unwrap().count(), 1);
        // our own records are replaced, other questions stay
        fs::write(&path, text.replace("$1", "$2")).unwrap();
        fs::create_dir_all(out.join("99/ground_truth")).unwrap();
        assert_eq!(
            export(&store, &out, false).unwrap(),
            WrittenLayout { written: 1, others: 1, ..first.clone() }
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        // another tool's record is replaced only with `overwrite`
        fs::write(&path, RECORD).unwrap();
        let error = export(&store, &out, false).unwrap_err().to_string();
        assert!(error.contains("61/ground_truth/results.json: exists and is not a record"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), RECORD);
        assert_eq!(export(&store, &out, true).unwrap(), WrittenLayout { written: 1, others: 1, ..first });
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }

    #[test]
    fn nothing_is_written_into_a_store_or_among_other_files() {
        let dir = tempfile::tempdir().unwrap();
        let inside = dir.path().join("store");
        let store = store(&inside);
        let other = dir.path().join("other");
        fs::create_dir_all(&other).unwrap();
        fs::write(other.join("notes.txt"), "").unwrap();
        let another = dir.path().join("another");
        fs::create_dir_all(another.join("61")).unwrap();
        fs::write(another.join("61/results.json"), RECORD).unwrap();
        for (out, why) in [
            (inside.clone(), "the store itself"),
            (inside.join("out/deep"), "the store itself"),
            (other.join("../store"), "the store itself"),
            (other, "notes.txt"),
            (another, "is not a question"),
            (dir.path().to_owned(), "is not a question"),
        ] {
            let error = export(&store, &out, false).unwrap_err();
            assert!(error.to_string().contains(why), "{error}");
            assert_eq!(error.exit() as u8, 2);
        }
        assert!(!inside.join("out").exists());
    }
}
