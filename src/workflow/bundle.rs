//! The bundle of an incomplete page: its markup, picture, responses and the points searched for.
//! With it an extractor can be fixed without visiting the site again.

use std::path::PathBuf;

use serde_json::json;

use super::filing::QuestionReport;
use super::visit::PageResult;
use crate::capture::Capture;
use crate::error::{Error, Result};
use crate::extract::Page;
use crate::truth::Store;

/// Writes the bundle of a page, replacing the one of an earlier run. Returns its folder.
///
/// # Errors
/// The folder cannot be written.
pub(super) fn keep(
    store: &Store,
    page: &str,
    seen: &PageResult,
    questions: &[QuestionReport],
) -> Result<Option<PathBuf>> {
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
        (
            "failure.json",
            text(&json!({
                "page": page,
                "settled_url": seen.capture.settled_url,
                "title": seen.capture.title,
                "notes": seen.capture.notes,
                "errors": seen.capture.errors,
                "questions": failed,
            }))?,
        ),
        ("texts.txt", texts(&seen.capture).into_bytes()),
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

/// The lines of the page as extraction sees them: without hidden text, and with line fragments
/// joined. Sticky headers and content revealed by controls follow under their own titles.
fn texts(capture: &Capture) -> String {
    let headers =
        capture.sticky_headers.iter().map(|bar| (format!("bar while at `{}`", bar.stop), &bar.html));
    let states = capture.states.iter().map(|state| (format!("after `{}`", state.name), &state.html));
    let mut text = String::new();
    for (title, html) in std::iter::once(("page".to_owned(), &capture.html)).chain(headers).chain(states) {
        text.push_str(&format!("== {title}\n"));
        for line in &Page::parse(html).lines {
            text.push_str(&line.text);
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::{CapturedState, StickyHeader};

    #[test]
    fn texts_have_the_lines_that_extraction_sees_of_the_page_its_sticky_headers_and_states() {
        let capture = Capture {
            html: "<style>p{}</style><p>GDP  per <b>capita</b></p><p data-agt-d=n>spoken</p>".to_owned(),
            sticky_headers: vec![StickyHeader {
                stop: "Heading".into(),
                html: "<div>Rank</div><div>38th of 145</div>".into(),
            }],
            states: vec![CapturedState { name: "import".into(), html: "<p>China</p>".into() }],
            ..serde_json::from_str(
                r#"{"requested_url":"","settled_url":"","status":200,"title":"","html":"","pinned":[],
                    "exchanges":[],"errors":[],"taken_at":""}"#,
            )
            .unwrap()
        };
        assert_eq!(
            texts(&capture),
            "== page\nGDP per capita\n== bar while at `Heading`\nRank\n38th of 145\n== after `import`\nChina\n"
        );
    }
}
