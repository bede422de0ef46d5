//! The headers of a table.

use super::cells::without_chips;
use super::spec::TableForm;
use crate::document::{Lines, Page, normalize_label};
use crate::observation::{FailureKind, Miss};
use crate::view::section::nearest;

/// A column of the spec, with the lines of its header.
pub(super) type Head = (usize, Lines);

/// The maximum number of lines between headers.
const MAX_HEADER_GAP: usize = 12;

/// The headers in displayed order: the closest set that names every column.
pub(super) fn headers(page: &Page, lines: Lines, form: &TableForm) -> Result<Vec<Head>, Miss> {
    let mut seen: Vec<Option<Lines>> = vec![None; form.columns.len()];
    let end = lines.end.min(lines.start + MAX_HEADER_GAP * (seen.len() + 1));
    let mut at = lines.start;
    while at < end {
        let Some((column, behind)) = header_from(page, at..lines.end, form) else {
            at += 1;
            continue;
        };
        seen[column] = Some(at..behind);
        at = behind;
        let all = seen.iter().enumerate().map(|(column, lines)| Some((column, lines.clone()?)));
        if let Some(mut heads) = all.collect::<Option<Vec<Head>>>() {
            heads.sort_by_key(|(_, lines)| lines.start);
            if heads.windows(2).all(|pair| pair[1].1.start <= pair[0].1.end + MAX_HEADER_GAP) {
                return Ok(heads);
            }
        }
    }
    let missing = seen.iter().position(Option::is_none).unwrap_or_default();
    let wanted = form.columns[missing].headers.first().map_or("", String::as_str);
    let near = nearest(page, lines.start..end, wanted);
    Err(Miss { kind: FailureKind::LabelMissing, nearest: near })
}

pub(super) fn span(heads: &[Head]) -> Lines {
    let start = heads.first().map_or(0, |(_, lines)| lines.start);
    start..heads.last().map_or(start, |(_, lines)| lines.end)
}

/// The maximum lines of a header: `Global<br>Growth<br>5 YR`.
const MAX_HEADER_LINES: usize = 3;

/// The column whose header starts at the first of the lines, and where the header ends; none if no
/// header starts there. The longest match wins, because columns may be called `Global Growth` and
/// `Global Growth 5 YR`.
fn header_from(page: &Page, lines: Lines, form: &TableForm) -> Option<(usize, usize)> {
    let most = lines.end.min(lines.start + MAX_HEADER_LINES);
    (lines.start + 1..=most).rev().find_map(|end| {
        let text = header(&without_chips(page, lines.start..end));
        let column = form.columns.iter().position(|column| column.headers.contains(&text))?;
        Some((column, end))
    })
}

pub(super) fn header(text: &str) -> String {
    let normalized = normalize_label(&text.replace(['↑', '↓', '⇅', '↕'], " "));
    // a unit is part of the same header: `Global Growth 5 YR (%)`
    let bare = ["(usd)", "(us$)", "($)", "(%)"].iter().find_map(|unit| normalized.strip_suffix(unit));
    bare.map_or_else(|| normalized.clone(), |bare| bare.trim_end().to_owned())
}
