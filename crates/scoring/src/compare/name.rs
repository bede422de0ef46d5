//! Names beside numbers: extracts a name from text, and decides whether two names mean the same entity. A name may be in no
//! dictionary, so it is what remains of the text without words of measurement, not a token.

use std::collections::BTreeSet;

use crate::language::lexicon;
use crate::value::fold::key;
use crate::value::vocabulary::{Equivalence, Term, same_words, terms};

/// The name in the text between two numbers, without separators, qualifiers in parentheses, directions and words of
/// measurement. Empty if nothing remains.
pub(super) fn of_gap(gap: &str) -> String {
    let bare = without_parentheses(gap);
    let trimmed = bare.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '…' | '\''));
    // Keep a name of the vocabulary whole, even if it begins with a word of measurement. `per` and `are` are words, `PER` and
    // `ARE` are countries.
    let word = lexicon::listed("no_name", key(trimmed).as_str()) && trimmed.chars().any(char::is_lowercase);
    if !word && terms(trimmed).any(|term| !lexicon::listed("kind_without_name", term.kind)) {
        return trimmed.to_owned();
    }
    let words: Vec<&str> = trimmed.split_whitespace().collect();
    let filler = |word: &&str| {
        let key = key(word);
        let key = key.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
        key.is_empty() || lexicon::listed("no_name", key.as_str()) || is_direction(&key)
    };
    let from = words.iter().position(|word| !filler(word)).unwrap_or(words.len());
    let to = words.iter().rposition(|word| !filler(word)).map_or(from, |last| last + 1);
    words
        .get(from..to)
        .map(|words| words.iter().map(|word| without_possessive(word)).collect::<Vec<_>>().join(" "))
        .unwrap_or_default()
        .trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '…' | ')'))
        .to_owned()
}

/// Whether a word only states a direction.
fn is_direction(word: &str) -> bool {
    let tags = lexicon::tags(&lexicon::words(word));
    tags.is_some_and(|(_, tags)| tags.iter().any(|(kind, _)| *kind == "direction"))
}

/// A name without the possessive `'s`: `Kenya's`.
fn without_possessive(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("\u{2019}s")).unwrap_or(word)
}

/// The text without parts in parentheses. An unclosed parenthesis ends with the text.
pub(super) fn without_parentheses(text: &str) -> String {
    let mut depth = 0u32;
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// How two names match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Same {
    /// The same name, or two names of one entity.
    Name,
    /// One name is part of the other: shortened, or with a qualifier.
    Part,
}

/// Whether and how two names mean the same entity.
pub(super) fn same(a: &str, b: &str) -> Option<Same> {
    if same_words(a, b).is_some() {
        return Some(Same::Name);
    }
    let (bare_a, bare_b) = (without_parentheses(a), without_parentheses(b));
    if same_words(&bare_a, &bare_b).is_some() {
        return Some(Same::Name);
    }
    let (chunks_a, chunks_b) = (chunks(&bare_a), chunks(&bare_b));
    if !chunks_a.is_empty() && chunks_a == chunks_b {
        return Some(Same::Name);
    }
    let (key_a, key_b) = (key(&bare_a), key(&bare_b));
    if cut_off(&key_a, &key_b) || cut_off(&key_b, &key_a) {
        return Some(Same::Part);
    }
    if known_apart(&bare_a, &bare_b) {
        return None;
    }
    let words = |text: &str| -> BTreeSet<String> {
        text.split([' ', ',', ';', ':']).filter(|w| !w.is_empty() && *w != "and").map(str::to_owned).collect()
    };
    let (words_a, words_b) = (words(&key_a), words(&key_b));
    let nested =
        |inner: &BTreeSet<String>, outer: &BTreeSet<String>| !inner.is_empty() && inner.is_subset(outer);
    (nested(&words_a, &words_b) || nested(&words_b, &words_a)).then_some(Same::Part)
}

/// Whether the names are known to mean different entities of one kind: `Guinea` and `Guinea-Bissau`.
pub(super) fn known_apart(a: &str, b: &str) -> bool {
    let (of_a, of_b): (Vec<Term>, Vec<Term>) = (terms(a).collect(), terms(b).collect());
    of_a.iter().any(|x| of_b.iter().any(|y| x.kind == y.kind && x.canonical != y.canonical))
}

/// Whether `short` is a label cut off with an ellipsis, as in a small chart cell.
fn cut_off(short: &str, long: &str) -> bool {
    let stem = short.strip_suffix('…').or_else(|| short.strip_suffix("..."));
    stem.is_some_and(|stem| stem.trim_end().len() >= 3 && long.starts_with(stem.trim_end()))
}

/// The sorted parts of a list of names, split at every comma, semicolon, `and` and `&`. The same list in another order has
/// the same parts, even if a name contains an "and".
pub(super) fn chunks(text: &str) -> Vec<String> {
    let text = text.replace('&', " and ").replace(['\n', '|'], ";");
    let mut chunks: Vec<String> = text
        .split([',', ';'])
        .flat_map(|part| {
            let key = key(part);
            key.split(" and ")
                .map(|chunk| chunk.strip_prefix("and ").unwrap_or(chunk).trim().to_owned())
                .collect::<Vec<_>>()
        })
        .filter(|chunk| !chunk.is_empty())
        .map(|chunk| match same_term(&chunk) {
            Some(term) => term,
            None => chunk,
        })
        .collect();
    chunks.sort();
    chunks
}

/// The entity that a chunk names unambiguously, so that lists in different spellings have the same parts.
fn same_term(chunk: &str) -> Option<String> {
    let mut found = terms(chunk);
    let term = found.next()?;
    found.next().is_none().then(|| format!("{}:{}", term.kind, term.canonical))
}

/// Explains why two names are the same.
pub(super) fn explain(a: &str, b: &str) -> Option<String> {
    match same_words(a, b)? {
        Equivalence::Spelling if a.trim() == b.trim() => Some(format!("both sides say \"{}\"", a.trim())),
        Equivalence::Spelling => Some(format!("\"{}\" and \"{}\" are spelled the same", a.trim(), b.trim())),
        Equivalence::Term { kind, canonical } => {
            let kind = kind.replace('_', " ");
            Some(format!("\"{}\" and \"{}\" both mean {kind} {canonical}", a.trim(), b.trim()))
        }
    }
}
