//! Chips: boxed texts beside a figure that do not change its meaning.

use super::normalize_label;
use atlas_gt_scoring::language::lexicon::listed;

/// Marks the start and end of a chip while a line is read.
pub(super) const START: char = '\u{e010}';
pub(super) const END: char = '\u{e011}';

/// Whether a chip leaves the meaning of a figure unchanged: that it is new, or the classification
/// of a product. A unit, size, year or direction in a chip is part of the figure.
pub(super) fn is_aside(text: &str) -> bool {
    let normalized = normalize_label(text);
    let system = normalized
        .strip_prefix("hs")
        .map(|rest| rest.trim_start().len() <= 4 && rest.trim().bytes().all(|byte| byte.is_ascii_digit()));
    listed("chip_aside", &normalized) || system.unwrap_or(false)
}

/// A line, and its text without chips if it has any.
pub(super) fn split(pending: &str) -> (String, Option<String>) {
    if !pending.contains([START, END]) {
        return (pending.to_owned(), None);
    }
    let mut bare = String::new();
    let mut rest = pending;
    while let Some(at) = rest.find(START) {
        bare.push_str(&rest[..at]);
        bare.push(' ');
        rest = rest[at..].find(END).map_or("", |end| &rest[at + end..]);
    }
    bare.push_str(rest);
    (pending.replace([START, END], " "), Some(bare.replace(END, " ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_a_figure_is_no_aside() {
        assert!(["New", "HS92", "HS 2012", "SITC"].into_iter().all(is_aside));
        assert!(!["M", "million", "PPP", "2019", "3", "%", "down", "HS-like"].into_iter().any(is_aside));
    }

    #[test]
    fn a_line_is_read_with_and_without_its_chips() {
        assert_eq!(split("28"), ("28".to_owned(), None));
        let (all, bare) = split("28\u{e010}New\u{e011}");
        assert_eq!((all.trim(), bare.as_deref().map(str::trim)), ("28 New", Some("28")));
    }
}
