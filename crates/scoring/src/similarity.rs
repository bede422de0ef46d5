//! How alike two texts are: equality after normalisation, a similarity of spelling, or (when asked for) of words. Every number
//! says where it comes from.

use std::collections::HashMap;

/// A similarity from 0 to 1 with its origin.
#[derive(Debug, Clone, PartialEq)]
pub struct Similarity {
    /// From 0, nothing in common, to 1, the same.
    pub score: f64,
    /// Who says so: `normalised`, `levenshtein`, `words`, `given`.
    pub backend: &'static str,
    /// Whether the number is a stand-in for a judge's.
    pub provisional: bool,
}

/// Whether two texts are equal but for case, white space, quotation marks and dashes.
#[must_use]
pub(crate) fn equal_normalised(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    // Where the texts part, two plain characters that differ in more than case settle it.
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

/// The characters of a text, lower-cased, runs of white space as one space, none at the ends, and
/// typographic quotes and dashes as their ASCII forms.
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

/// Longer texts are compared by words: the edit distance takes time by the product of the lengths.
const MAX_SPELLED: usize = 2_000;

/// Similarity of spelling: 1 − Levenshtein distance / longer length, after normalisation. Texts
/// whose numbers differ are at most half alike: `2019` for `2018` is another fact, not a slip of a key.
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

/// 1 − Levenshtein distance / longer length. What the texts begin and end with alike adds nothing to the distance, and
/// wrong answers are mostly right but for a word.
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

/// Similarity of words: the Dice coefficient of the two bags of words, plural `s` dropped. A crude
/// stand-in for meaning, hence provisional.
#[must_use]
pub fn words(a: &str, b: &str) -> Similarity {
    let (a, b): (String, String) = (normalised(a).collect(), normalised(b).collect());
    let score = common_words(&a, &b);
    let score = if digits(&a).eq(digits(&b)) { score } else { score.min(0.5) };
    Similarity { score, backend: "words", provisional: true }
}

/// Twice the number of common words over the number of all words (Dice 1945).
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
