//! What is kept when something was missing on a page: the page, its picture, its responses, and what was
//! looked for. With it an extractor is mended without visiting the site again.

use std::path::PathBuf;

use serde_json::json;

use super::filing::QuestionReport;
use super::visit::Seen;
use crate::error::{Error, Result};
use crate::truth::Store;

/// Writes the bundle of a page, replacing that of an earlier run, and says where it is.
///
/// # Errors
/// The folder cannot be written.
pub(super) fn keep(store: &Store, page: &str, seen: &Seen, questions: &[QuestionReport]) -> Result<Option<PathBuf>> {
    let name: String = page
        .trim_matches('/')
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '.') { c } else { '_' })
        .collect();
    let folder = store.dir().join("failures").join(name);
    std::fs::create_dir_all(&folder).map_err(Error::file(&folder))?;
    let failed: Vec<_> = questions.iter().filter(|question| !question.notes.is_empty()).collect();
    let text = |value: &serde_json::Value| {
        serde_json::to_vec_pretty(value)
            .map_err(|error| Error::Store { path: folder.clone(), message: error.to_string() })
    };
    let parts = [
        ("failure.json", text(&json!({
            "page": page,
            "settled_url": seen.capture.settled_url,
            "title": seen.capture.title,
            "notes": seen.capture.notes,
            "errors": seen.capture.errors,
            "questions": failed,
        }))?),
        ("page.html", seen.capture.html.clone().into_bytes()),
        ("responses.json", text(&json!(seen.capture.exchanges))?),
        ("capture.json", text(&json!(seen.capture))?),
        ("screenshot.png", seen.screenshot.clone().unwrap_or_default()),
    ];
    for (name, bytes) in parts.into_iter().filter(|(_, bytes)| !bytes.is_empty()) {
        let path = folder.join(name);
        std::fs::write(&path, bytes).map_err(Error::file(&path))?;
    }
    Ok(Some(folder))
}
