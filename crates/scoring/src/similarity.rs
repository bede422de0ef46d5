//! Similarity of two texts: equality after normalisation, spelling similarity, or (on request) word overlap. Every score
//! names its backend.

use std::collections::HashMap;

/// A similarity from 0 to 1 with its backend.
#[derive(Debug, Clone, PartialEq)]
pub struct Similarity {
    /// From 0 (nothing in common) to 1 (identical).
    pub score: f64,
    /// The backend: `normalised`, `levenshtein`, `words`, `given`.
    pub backend: &'static str,
    /// Whether a judge may still replace the score.
    pub provisional: bool,
}

/// Whether two texts are equal apart from case, white space, quotation marks and dashes.
#[must_use]
pub(crate) fn equal_normalised(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    // Shortcut: if the first difference is two plain characters that differ in more than case, the texts differ.
    let parts = a.bytes().zip(b.bytes()).find(|(x, y)| x != y);
    if let Some((x, y)) = parts
        && x.is_ascii_graphic()
        && y.is_ascii_graphic()
        && !x.eq_ignore_ascii_case(&y)
    {
        return false;
    }
    normalised(a).eq(normalised(b))
}

/// The normalised characters of a text: lower case, white space trimmed and collapsed, typographic quotes and dashes
/// as ASCII.
pub(crate) fn normalised(text: &str) -> impl Iterator<Item = char> + '_ {
    text.split_whitespace()
        .enumerate()
        .flat_map(|(position, word)| (position > 0).then_some(' ').into_iter().chain(word.chars()))
        .flat_map(char::to_lowercase)
        .map(|character| match character {
            '\u{2018}' | '\u{2019}' | '\u{02bc}' => '\'',
            '\u{201c}' | '\u{201d}' => '"',
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            other => other,
        })
}

/// Texts longer than this are compared by words, because edit distance takes time proportional to the product of the lengths.
const MAX_SPELLED: usize = 2_000;

/// Spelling similarity: 1 − Levenshtein distance / longer length, after normalisation. If the numbers differ, the
/// similarity is at most 0.5: `2019` for `2018` is another fact, not a typo.
#[must_use]
pub fn spelling(a: &str, b: &str) -> Similarity {
    let (a, b): (String, String) = (normalised(a).collect(), normalised(b).collect());
    let (score, backend) = if a.len().max(b.len()) > MAX_SPELLED {
        (common_words(&a, &b), "words")
    } else {
        (levenshtein_likeness(&a, &b), "levenshtein")
    };
    let score = if digits(&a).eq(digits(&b)) { score } else { score.min(0.5) };
    Similarity { score, backend, provisional: true }
}

/// 1 − Levenshtein distance / longer length. A common prefix and suffix are cut first: they add nothing to the distance,
/// and most wrong answers differ in only one word.
fn levenshtein_likeness(a: &str, b: &str) -> f64 {
    let longer = a.chars().count().max(b.chars().count());
    if longer == 0 {
        return 1.0;
    }
    let before = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    let before =
        (0..=before).rev().find(|at| a.is_char_boundary(*at) && b.is_char_boundary(*at)).unwrap_or(0);
    let (a, b) = (&a[before..], &b[before..]);
    let after: usize =
        a.chars().rev().zip(b.chars().rev()).take_while(|(x, y)| x == y).map(|(x, _)| x.len_utf8()).sum();
    let distance = strsim::levenshtein(&a[..a.len() - after], &b[..b.len() - after]);
    1.0 - distance as f64 / longer as f64
}

fn digits(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty())
}

/// Word similarity: the Dice coefficient of the two bags of words, without plural `s`. It approximates meaning only
/// roughly, so it is provisional.
#[must_use]
pub fn words(a: &str, b: &str) -> Similarity {
    let (a, b): (String, String) = (normalised(a).collect(), normalised(b).collect());
    let score = common_words(&a, &b);
    let score = if digits(&a).eq(digits(&b)) { score } else { score.min(0.5) };
    Similarity { score, backend: "words", provisional: true }
}

/// Twice the number of common words divided by the number of all words (Dice 1945).
fn common_words(a: &str, b: &str) -> f64 {
    fn split(text: &str) -> Vec<&str> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(|word| if word.len() > 3 { word.strip_suffix('s').unwrap_or(word) } else { word })
            .collect()
    }
    let (a, b) = (split(a), split(b));
    if a.is_empty() && b.is_empty() {
        return 0.0;
    }
    let mut bag: HashMap<&str, usize> = HashMap::new();
    for word in &a {
        *bag.entry(*word).or_default() += 1;
    }
    let common = b
        .iter()
        .filter(|word| match bag.get_mut(**word) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        })
        .count();
    2.0 * common as f64 / (a.len() + b.len()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decision_6_equality_after_normalisation() {
        assert!(equal_normalised("  Côte\u{a0}d\u{2019}Ivoire ", "côte d'ivoire"));
        assert!(equal_normalised("2010\u{2013}2020", "2010-2020"));
        assert!(!equal_normalised("Niger", "Nigeria"));
        assert!(!equal_normalised("a b", "ab"));
    }

    #[test]
    fn decision_6_fuzzy_may_use_spelling() {
        let likeness = spelling("John Smith", "John Smyth");
        assert!((likeness.score - 0.9).abs() < 1e-12, "{likeness:?}");
        assert_eq!(likeness.backend, "levenshtein");
        assert!(likeness.provisional);
        assert!(spelling("Exports of 2019", "Exports of 2018").score <= 0.5);
        assert!(spelling(&"long text ".repeat(1000), &"long text ".repeat(1001)).score > 0.99);
    }

    #[test]
    fn decision_6_lexical_meaning_is_provisional() {
        let likeness = words("Exports grew strongly", "strongly grew the export");
        assert!((likeness.score - 6.0 / 7.0).abs() < 1e-12, "{likeness:?}");
        assert!(likeness.provisional);
        assert!(words("grew 5 percent", "grew 7 percent").score <= 0.5);
        assert!(words("", "").score.abs() < 1e-12);
    }
}
