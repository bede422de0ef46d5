//! Output files named by options. An existing file is replaced if it is an earlier file of the same
//! kind, if it is empty, or if the user allows it. Every other file belongs to the user.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use super::write::is_page;
use crate::atomic_file::write_atomic;
use crate::error::{Error, Result};
use crate::truth::Record;

/// A kind of output file, and how to recognise one.
#[derive(Debug, Clone, Copy)]
pub struct OutputKind {
    /// Its name in messages: `the events of a run`.
    what: &'static str,
    is_one: fn(&[u8]) -> bool,
}

impl OutputKind {
    const fn new(what: &'static str, is_one: fn(&[u8]) -> bool) -> Self {
        Self { what, is_one }
    }
}

/// `--events`.
pub const EVENTS: OutputKind = OutputKind::new("the events of a run", |text| {
    // older ones have no version
    let is_line = ["{\"schema_version\":", "{\"at\":\""].iter().any(|start| begins(text, start));
    is_line && has(text, &["\"at\":\"", "\"event\":\""])
});
/// `eval export --otlp`.
pub const SPANS: OutputKind =
    OutputKind::new("the spans of a run", |text| begins(text, "{\"resourceSpans\":["));
/// `collect --report`.
pub const COLLECTION: OutputKind = OutputKind::new("the report of a collection", |text| {
    has(text, &["\"by_extractor\":", "\"planned_requests\":", "\"schemas\":"])
});
/// `show --picture`.
pub const PICTURE: OutputKind = OutputKind::new("a picture", |bytes| bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
/// `show --evidence`.
pub const CAPTURE: OutputKind = OutputKind::new("a capture of a page", |text| {
    has(text, &["\"requested_url\":", "\"settled_url\":", "\"exchanges\":"])
});
/// `survey --html`.
pub const SURVEY: OutputKind = OutputKind::new("the page of a survey", |text| is_page(text, "Survey"));
/// `mend --html`.
pub const PROPOSALS: OutputKind = OutputKind::new("a page of proposals", |text| is_page(text, "Proposals"));
/// `coverage_report.json`.
pub const COVERAGE: OutputKind = OutputKind::new("a coverage report", |text| {
    has(text, &["\"targets\":", "\"unused_points\":", "\"without_question\":"])
});
/// `coverage_report.md`.
pub const COVERAGE_TEXT: OutputKind =
    OutputKind::new("a coverage report", |text| begins(text, "# Coverage\n\n"));
/// `spot_check_report.json`.
pub const SPOT_CHECK: OutputKind = OutputKind::new("the report of a spot check", |text| {
    has(text, &["\"questions_checked\":", "\"page_unreadable\":", "\"details\":"])
});
/// `spot_check_report.md`.
pub const SPOT_CHECK_TEXT: OutputKind =
    OutputKind::new("the report of a spot check", |text| begins(text, "# Spot check"));
/// `spot_check_report.html`.
pub const SPOT_CHECK_PAGE: OutputKind =
    OutputKind::new("the report of a spot check", |text| is_page(text, "Spot check "));
/// `manifest from --out`.
pub const MANIFEST: OutputKind =
    OutputKind::new("a manifest", |text| has(text, &["\"questions\":", "\"question_id\":"]));
/// `annotate --output`.
pub const ANNOTATIONS: OutputKind =
    OutputKind::new("annotations", |text| text.trim_ascii() == b"[]" || has(text, &["\"reviewed\":"]));
/// `annotate --classification-set`.
pub const CLASSIFICATION_SET: OutputKind = OutputKind::new("a classification set", |text| {
    has(text, &["\"expected_api_target\":", "\"expected_product\":", "\"source_method\":"])
});
/// `export --sqlite`.
pub const TABLES: OutputKind = OutputKind::new("an export", is_export);
/// A record in `export --layout results`, byte for byte as this program writes it.
pub const RESULTS: OutputKind = OutputKind::new("a record", |text| {
    let record = std::str::from_utf8(text).ok().and_then(|text| Record::from_text(text).ok());
    record.and_then(|record| record.to_text().ok()).is_some_and(|again| again.as_bytes() == text)
});

/// The application id in the SQLite file: `ATGT`.
pub(super) const APPLICATION_ID: u32 = 0x4154_4754;

/// Whether a file is an export of this program.
fn is_export(bytes: &[u8]) -> bool {
    bytes.starts_with(b"SQLite format 3\0") && bytes.get(68..72) == Some(&APPLICATION_ID.to_be_bytes())
}

fn has(text: &[u8], marks: &[&str]) -> bool {
    let text = String::from_utf8_lossy(text);
    marks.iter().all(|mark| text.contains(mark))
}

fn begins(text: &[u8], mark: &str) -> bool {
    text.starts_with(mark.as_bytes())
}

/// Whether a file exists and is of this kind.
#[must_use]
pub fn is_one(path: &Path, kind: OutputKind) -> bool {
    std::fs::read(path).is_ok_and(|text| (kind.is_one)(&text))
}

/// Rejects an output file that cannot be written or would be lost. Runs before any work.
///
/// # Errors
/// The path is a folder, its parent folder does not exist, or another kind of file exists there and
/// `overwrite` is false.
pub fn check(path: &Path, kind: OutputKind, overwrite: bool) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(unusable(path, folder, ErrorKind::IsADirectory)),
        // a device or a pipe has no content to lose
        Ok(found) if !found.is_file() || overwrite => Ok(()),
        Ok(_) => {
            let text = std::fs::read(path).map_err(Error::named(path))?;
            if text.is_empty() || (kind.is_one)(&text) {
                return Ok(());
            }
            Err(foreign(path, kind.what))
        }
        Err(_) => {
            let made = tempfile::tempfile_in(folder).map(drop);
            made.map_err(|error| unusable(path, folder, error.kind()))
        }
    }
}

/// Rejects a table of `export --csv` that would replace another file than an earlier one with the same columns.
///
/// # Errors
/// The file exists, and its first line is not that of the table.
pub fn check_csv(path: &Path, table: &[u8]) -> Result<()> {
    let head =
        |text: &[u8]| text.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii().to_vec();
    match std::fs::read(path) {
        Ok(found) if !found.is_empty() && head(&found) != head(table) => {
            Err(foreign(path, "a table with these columns"))
        }
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Error::named(path)(error)),
    }
}

fn foreign(path: &Path, what: &str) -> Error {
    let why = format!(
        "exists and is not {what} from an earlier run: name another file, or replace it with --overwrite"
    );
    Error::named(path)(std::io::Error::new(ErrorKind::AlreadyExists, why))
}

/// Rejects a place in a store, whose files only its own commands write.
///
/// # Errors
/// The path is the store itself, or inside it.
pub fn outside_store(path: &Path, store: &Path) -> Result<()> {
    if real(path)?.starts_with(real(store)?) {
        let why = "is the store itself, or inside it: name a place outside it";
        return Err(Error::named(path)(std::io::Error::other(why)));
    }
    Ok(())
}

/// The real path. Links are followed as far as the path exists.
fn real(path: &Path) -> Result<PathBuf> {
    let whole = std::path::absolute(path).map_err(Error::named(path))?;
    for there in whole.ancestors() {
        if let Ok(real) = there.canonicalize() {
            // a path that does not exist yet has no links
            let mut real = real;
            for part in whole.strip_prefix(there).unwrap_or(Path::new("")).components() {
                match part {
                    Component::ParentDir => drop(real.pop()),
                    part => real.push(part),
                }
            }
            return Ok(real);
        }
    }
    Ok(whole)
}

/// Writes a checked file atomically.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    // write the target of a link, not the link
    let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    match std::fs::metadata(&place) {
        Ok(found) if !found.is_file() => std::fs::write(&place, bytes).map_err(Error::named(path)),
        _ => write_atomic(&place, bytes),
    }
}

/// Why a named file cannot be created. The system's own message would name a temporary file.
pub(super) fn unusable(file: &Path, folder: &Path, kind: ErrorKind) -> Error {
    let why = if file.is_dir() {
        "is a folder: name a file in it".to_owned()
    } else if folder.exists() && !folder.is_dir() {
        format!("{} is not a folder", folder.display())
    } else if !folder.exists() {
        format!("there is no folder {}: create it first", folder.display())
    } else {
        format!("no file can be created in {} ({kind})", folder.display())
    };
    Error::named(file)(std::io::Error::new(kind, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_earlier_file_of_its_kind_is_replaced_unasked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let tried = |text: &str, kind| {
            std::fs::write(&path, text).unwrap();
            let refused = check(&path, kind, false).err().map(|error| error.to_string());
            assert!(check(&path, kind, true).is_ok());
            refused
        };
        let page =
            |title: &str| format!("<meta name=\"generator\" content=\"atlas-gt\">\n<title>{title}</title>");
        let kinds = [
            (EVENTS, "{\"at\":\"2026-11-20T10:30:00Z\",\"event\":\"run_started\"}\n".to_owned()),
            (SURVEY, page("Survey")),
            (PROPOSALS, page("Proposals")),
            (SPOT_CHECK_PAGE, page("Spot check 2026-11-20T10:30:00Z")),
            (COVERAGE_TEXT, "# Coverage\n\nx".to_owned()),
            (SPOT_CHECK_TEXT, "# Spot check x".to_owned()),
            (ANNOTATIONS, "[]\n".to_owned()),
            (MANIFEST, r#"{"questions": [{"question_id": 1}]}"#.to_owned()),
        ];
        for (kind, own) in &kinds {
            assert_eq!((tried(own, *kind), tried("", *kind)), (None, None), "{kind:?}");
            let others =
                kinds.iter().filter(|(other, _)| other.what != kind.what).map(|(_, text)| text.as_str());
            for other in
                others.chain(["# A README\n", "<!doctype html><title>Survey</title>", "{}", "\0\u{1}"])
            {
                let refused = tried(other, *kind).unwrap_or_else(|| panic!("{kind:?} over {other}"));
                assert!(refused.contains("--overwrite"), "{refused}");
            }
        }
        for kind in [COLLECTION, COVERAGE, SPOT_CHECK, CLASSIFICATION_SET, TABLES, RESULTS] {
            assert!(tried("# A README\n", kind).is_some() && tried("{\"a\": 1}", kind).is_some(), "{kind:?}");
        }
    }

    #[test]
    fn what_cannot_be_written_is_said_before_any_work() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), "").unwrap();
        for (name, words) in [
            ("no/such", "there is no folder"),
            ("file/x", "is not a folder"),
            (".", "is a folder: name a file in it"),
        ] {
            let error = check(&folder.path().join(name), EVENTS, true).unwrap_err();
            assert!(error.to_string().contains(words) && error.exit() as u8 == 2, "{error}");
        }
        check(Path::new("/dev/null"), EVENTS, false).unwrap();
        write(Path::new("/dev/null"), b"{}").unwrap();
        let (path, link) = (folder.path().join("target"), folder.path().join("link"));
        std::fs::write(&path, "old").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write(&link, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert!(link.is_symlink());
    }
}
