//! Finds numbers in prose, tells years apart, and extracts the words around them.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::compiled_in;
use crate::language::lexicon;

/// A number in prose: sign, currency, digits, unit.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    compiled_in::pattern(
        r"(?:USD ?)?[-+\u{2212}\u{2191}\u{2193}]?(?:US)?\$?[-\u{2212}]?\d[\d,]*(?:\.\d+)?(?:(?:st|nd|rd|th)\b(?: (?:out )?of \d+\b)?|(?: ?%| ?percentage points?\b| ?per ?cent\b| (?:trillion|billion|million|thousand|positions?)\b| ?(?:bn|mn|[kKmMBT])\b))?",
    )
});

/// A number in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Number<'a> {
    pub text: &'a str,
    pub range: Range<usize>,
    /// Four bare digits from 1900 to 2100.
    pub is_year: bool,
}

/// Finds the numbers of a text, in order. Digits inside a word (`CO2`, `HS92`) do not count.
pub(super) fn numbers(text: &str) -> Vec<Number<'_>> {
    NUMBER
        .find_iter(text)
        .filter_map(|hit| {
            let before = text[..hit.start()].chars().next_back();
            let after = text[hit.end()..].chars().next();
            if before.is_some_and(char::is_alphanumeric) || after.is_some_and(char::is_alphabetic) {
                return None;
            }
            // In a range such as 2010-2020 the dash is not a sign.
            let joined = before.is_some_and(|c| c.is_ascii_digit());
            if joined {
                return None;
            }
            let trimmed = hit.as_str().trim_end_matches(',');
            let is_year = trimmed.len() == 4
                && trimmed.bytes().all(|byte| byte.is_ascii_digit())
                && ("1900"..="2100").contains(&trimmed);
            Some(Number { text: trimmed, range: hit.start()..hit.start() + trimmed.len(), is_year })
        })
        .collect()
}

/// The distinct words of a text, sorted, without numbers and filler words. Words are lower-cased and lose possessive `'s` and
/// plural `s`.
pub(super) fn subject_words(text: &str, numbers: &[Number<'_>]) -> Vec<String> {
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    for number in numbers {
        kept.push_str(&text[at..number.range.start]);
        kept.push(' ');
        at = number.range.end;
    }
    kept.push_str(&text[at..]);
    let lowered = kept.to_lowercase().replace('\u{2019}', "'").replace("'s", "");
    let mut words: Vec<String> = lowered
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && !lexicon::listed("filler", word))
        .map(|word| {
            let singular = if word.len() > 3 { word.strip_suffix('s').unwrap_or(word) } else { word };
            singular.to_owned()
        })
        .collect();
    words.sort();
    words.dedup();
    words
}

/// Splits a passage into clauses: after `.`, `!`, `?` and `;` before white space, and at joints such as `, while`, `, and`,
/// `, but`.
pub(super) fn clauses(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, character) in text.char_indices() {
        if at < start {
            continue;
        }
        let rest = &text[at + character.len_utf8()..];
        let ends = match character {
            '.' | '!' | '?' | ';' => rest.is_empty() || rest.starts_with(char::is_whitespace),
            ',' => {
                let mut joints = lexicon::list("joint").iter();
                joints.any(|joint| rest.starts_with(&format!(" {joint} ")))
            }
            _ => false,
        };
        if ends {
            parts.push(text[start..at].trim());
            start = at + character.len_utf8();
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_their_units() {
        let text = "In 2024, Kenya (HS92) exported $8.2 billion, 3.38% of GDP, ranking 116th of 145; -0.82 and USD -$13.1B.";
        let found: Vec<&str> = numbers(text).iter().map(|number| number.text).collect();
        assert_eq!(found, ["2024", "$8.2 billion", "3.38%", "116th of 145", "-0.82", "USD -$13.1B"]);
        assert!(numbers(text)[0].is_year);
        assert!(!numbers("$2024")[0].is_year);
    }

    #[test]
    fn clauses_and_their_words() {
        let text = "Kenya's exports were $5.2 billion, while Uganda had 3%. It grew.";
        assert_eq!(clauses(text), ["Kenya's exports were $5.2 billion", "while Uganda had 3%", "It grew"]);
        assert_eq!(subject_words(clauses(text)[0], &numbers(clauses(text)[0])), ["export", "kenya"]);
    }
}
