//! What a line looks like by itself, and how two boxes stand to each other.

/// Lines of a block in which a label and a value that is not in a card with it are put together, at most.
pub(super) const MAX_BLOCK: usize = 64;

/// Pixels by which boxes may overlap that only touch.
pub(super) const SLACK: f32 = 2.0;

/// Whether a word is a year.
pub(super) fn is_year(word: &str) -> bool {
    word.len() == 4
        && word.bytes().all(|b| b.is_ascii_digit())
        && (word.starts_with("19") || word.starts_with("20"))
}

pub(super) fn looks_like_figure(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    text.len() <= 30 && (text.contains(['$', '%']) || (digits > 0 && digits * 2 >= text.chars().count()))
}

/// Whether a text looks like a figure and is no year.
pub(super) fn is_figure(text: &str) -> bool {
    looks_like_figure(text) && !is_year(text.trim_matches(['(', ')', ' ']))
}

/// Whether a text holds the place of a value that is not there.
pub(super) fn is_blank(text: &str) -> bool {
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    let words = matches!(bare.to_ascii_lowercase().as_str(), "n/a" | "na" | "loading");
    words || (bare.is_empty() && text.contains(['-', '–', '—', '…', '.']))
}

/// Whether two boxes stand in one row.
pub(super) fn is_beside([_, top, _, height]: [f32; 4], [_, other, _, tall]: [f32; 4]) -> bool {
    let shared = (top + height).min(other + tall) - top.max(other);
    shared > height.min(tall) / 2.0
}

/// By how much two boxes overlap across.
pub(super) fn across([left, _, width, _]: [f32; 4], [other, _, wide, _]: [f32; 4]) -> f32 {
    ((left + width).min(other + wide) - left.max(other)).max(0.0)
}
