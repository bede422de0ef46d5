//! The words of answers: what they measure, narrow, ask, doubt, deny. `lexicon.toml` holds them; the comparator of texts
//! and the reader of answers stand on the same ones.

pub(in crate::scoring) mod lexicon;

use std::collections::BTreeSet;

use lexicon::Sense;

/// Words of a text that keep it from asserting the value that it holds: it asks, supposes, doubts or denies; with
/// `of_number`, it also names a bound (decision 27).
pub(in crate::scoring) fn unasserting(text: &str, of_number: bool) -> BTreeSet<String> {
    let words = lexicon::words(text);
    let place = |range: &std::ops::Range<usize>| text.get(range.clone()).unwrap_or_default().to_lowercase();
    // words of a name are no words of the sentence: `Commodities not specified`
    let names = lexicon::terms(&words);
    let is_named = |range: &std::ops::Range<usize>| {
        names
            .iter()
            .any(|(name, _)| name.start <= range.start && range.end <= name.end && name.len() > range.len())
    };
    let kinds = ["condition", "hedge", "ask", "denial", "wrong"];
    let mut found: BTreeSet<String> = lexicon::assertion(&words)
        .into_iter()
        .filter(|(range, kind)| kinds.contains(kind) && !is_named(range))
        .map(|(range, _)| place(&range))
        .collect();
    if of_number {
        let bounds = lexicon::context(&words).into_iter();
        let bounds = bounds.filter(|(_, sense)| matches!(sense, Sense::Cue("more" | "less")));
        // "over $5 billion", and not "over the past five years"
        let bounds = bounds.filter(|(range, _)| {
            let rest = text.get(range.end..).unwrap_or_default().trim_start();
            let bare = rest.trim_start_matches(|c: char| c.is_alphabetic() || c == ' ');
            let span = bare.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches([' ', '-']);
            let of_time = ["year", "decade", "month"].iter().any(|word| span.starts_with(word));
            !of_time
                && rest.len() - bare.len() <= 4
                && bare.starts_with(|c: char| c.is_ascii_digit() || "$€£-−".contains(c))
        });
        found.extend(bounds.map(|(range, _)| place(&range)));
    }
    if text.trim_end().ends_with('?') {
        found.insert("?".to_owned());
    }
    found
}
