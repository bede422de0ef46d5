//! Properties of a single line, and the relative position of two boxes.

/// The maximum lines of a block in which a label is matched with a value outside its card.
pub(super) const MAX_BLOCK: usize = 64;

/// The overlap in pixels that counts as touching.
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

/// Whether a text looks like a figure other than a year.
pub(super) fn is_figure(text: &str) -> bool {
    looks_like_figure(text) && !is_year(text.trim_matches(['(', ')', ' ']))
}

/// Whether a text is a placeholder for a missing value.
pub(super) fn is_blank(text: &str) -> bool {
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    let words = matches!(bare.to_ascii_lowercase().as_str(), "n/a" | "na" | "loading");
    words || (bare.is_empty() && text.contains(['-', '–', '—', '…', '.']))
}

/// Whether two boxes are in one row.
pub(super) fn is_beside([_, top, _, height]: [f32; 4], [_, other, _, tall]: [f32; 4]) -> bool {
    let shared = (top + height).min(other + tall) - top.max(other);
    shared > height.min(tall) / 2.0
}

/// The horizontal overlap of two boxes.
pub(super) fn across([left, _, width, _]: [f32; 4], [other, _, wide, _]: [f32; 4]) -> f32 {
    ((left + width).min(other + wide) - left.max(other)).max(0.0)
}
