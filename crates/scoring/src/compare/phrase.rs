//! Compares phrases without numbers by the vocabulary: API values with page wording, phrases with sentences, lists of names.
//! Unlike the reader of answers, it has no question and no record to rely on.

use std::collections::BTreeSet;

use crate::language::lexicon;
use crate::value::fold::key;
use crate::value::vocabulary::{Term, terms, terms_in};
use crate::{Cause, Comparison, Verdict};

use super::name;

/// A match if two texts are the same words; else `None`.
pub(super) fn same(a: &str, b: &str) -> Option<Comparison> {
    let reason = name::explain(a, b)?;
    Some(Comparison::new(Verdict::Match, reason))
}

/// Compares two phrases without numbers.
pub(super) fn compare(a: &str, b: &str) -> Comparison {
    if let Some(comparison) = same(a, b) {
        return comparison;
    }
    let (bare_a, bare_b) = (name::without_parentheses(a), name::without_parentheses(b));
    if let Some(comparison) = same(&bare_a, &bare_b).or_else(|| same(&bare_a, b)).or_else(|| same(a, &bare_b))
    {
        return comparison;
    }
    let (tail_a, tail_b) = (after_label(&bare_a), after_label(&bare_b));
    if let Some(comparison) = same(tail_a, tail_b) {
        return comparison;
    }
    let (a, b) = (a.trim(), b.trim());
    if let Some(comparison) = terms_apart(a, b) {
        return comparison;
    }
    let (x, y) = (name::chunks(&bare_a), name::chunks(&bare_b));
    if !x.is_empty() && x == y {
        return Comparison::new(
            Verdict::Match,
            format!("\"{a}\" and \"{b}\" name the same in a different order or spelling"),
        );
    }
    if let Some(comparison) = by_terms(a, b) {
        return comparison;
    }
    let common: Vec<&String> = x.iter().filter(|chunk| y.contains(chunk)).collect();
    if !common.is_empty() && (x.len() > 1 || y.len() > 1) && !x.is_empty() && !y.is_empty() {
        return Comparison::new(
            Verdict::Partial,
            format!("\"{a}\" and \"{b}\" share {} of {}", common.len(), x.len().max(y.len())),
        );
    }
    let (key_a, key_b) = (key(&bare_a), key(&bare_b));
    let contained = contains(&key_a, &key_b).or_else(|| contains(&key_b, &key_a));
    match contained {
        Some(Place::Free) => {
            Comparison::new(Verdict::Match, format!("one of \"{a}\" and \"{b}\" contains the other"))
        }
        Some(Place::Qualified) => Comparison::new(
            Verdict::Mismatch,
            format!("\"{a}\" and \"{b}\" share words, but one negates or qualifies them"),
        ),
        None => different(a, b),
    }
}

/// Compares two phrases as words of one kind of the vocabulary (`income_classification`): `high` income differs from `many`
/// opportunities. A side that is not such a word may be a sentence that contains one.
pub(super) fn compare_of(kind: &str, a: &str, b: &str) -> Comparison {
    let of_kind = |text: &str| -> BTreeSet<&'static str> {
        let exact: BTreeSet<_> =
            terms(text).filter(|term| term.kind == kind).map(|term| term.canonical).collect();
        if !exact.is_empty() {
            return exact;
        }
        terms_in(text)
            .into_iter()
            .flatten()
            .filter(|term| term.kind == kind)
            .map(|term| term.canonical)
            .collect()
    };
    let (x, y) = (of_kind(a), of_kind(b));
    if x.is_empty() && y.is_empty() {
        return compare(a, b);
    }
    let (a, b) = (a.trim(), b.trim());
    let kind = kind.replace('_', " ");
    let both: Vec<&str> = x.intersection(&y).copied().collect();
    if both.is_empty() {
        return Comparison::new(Verdict::Mismatch, format!("\"{a}\" is not \"{b}\" as {kind}"));
    }
    let verdict = if x == y { Verdict::Match } else { Verdict::Partial };
    Comparison::new(verdict, format!("\"{a}\" and \"{b}\" both mean {kind} {}", both.join(", ")))
}

/// The text after a label and a colon: `Grade: B`.
fn after_label(text: &str) -> &str {
    match text.split_once(':') {
        Some((label, rest)) if label.split_whitespace().count() <= 5 && !rest.trim().is_empty() => rest,
        _ => text,
    }
}

/// A mismatch if both are different terms of one kind.
fn terms_apart(a: &str, b: &str) -> Option<Comparison> {
    let apart = terms(a).any(|x| terms(b).any(|y| x.kind == y.kind && x.canonical != y.canonical));
    apart.then(|| different(a, b))
}

fn different(a: &str, b: &str) -> Comparison {
    let entity = |text: &str| {
        terms(text)
            .any(|term| matches!(term.kind, "country" | "group" | "product_name" | "service" | "sector"))
    };
    let cause = (entity(a) && entity(b)).then_some(Cause::SwappedEntities);
    Comparison { cause, ..Comparison::new(Verdict::Mismatch, format!("\"{a}\" is not \"{b}\"")) }
}

/// Decides by the vocabulary if one side is a term and the other a sentence with a term of that kind.
fn by_terms(a: &str, b: &str) -> Option<Comparison> {
    let (of_a, of_b): (Vec<Term>, Vec<Term>) = (terms(a).collect(), terms(b).collect());
    let (term_text, sentence, known) = match (of_a.is_empty(), of_b.is_empty()) {
        (false, true) => (a, b, of_a),
        (true, false) => (b, a, of_b),
        _ => return None,
    };
    // A single letter is a grade only if the sentence mentions grades: "a" is an article.
    if term_text.trim().len() == 1 && !key(sentence).contains("grade") {
        return None;
    }
    for term in &known {
        let same_kind: BTreeSet<&'static str> = terms_in(sentence)
            .into_iter()
            .flatten()
            .filter(|found| found.kind == term.kind)
            .map(|found| found.canonical)
            .collect();
        if same_kind.is_empty() {
            continue;
        }
        if !same_kind.contains(term.canonical) {
            continue;
        }
        let verdict = if same_kind.len() == 1 { Verdict::Match } else { Verdict::Partial };
        let reason = format!("\"{sentence}\" says {} as \"{term_text}\" does", term.canonical);
        return Some(Comparison::new(verdict, reason));
    }
    None
}

/// Searches a longer text for a phrase or for every name of a list, as a term of the vocabulary or word by word. A negated or
/// qualified phrase does not count.
pub(super) fn find(phrase: &str, text: &str) -> Option<Comparison> {
    let stated = |sought: &str| {
        // The text may also mention other terms of the kind.
        if by_terms(sought, text).is_some() {
            return true;
        }
        let (long, short) =
            (key(&text.replace(['(', ')'], " ").replace(['\'', '\u{2019}'], " ")), key(sought));
        short.len() > 2 && matches!(place(&long, &short, true), Some(Place::Free))
    };
    let bare = name::without_parentheses(phrase);
    let names = name::chunks(&bare);
    let all = stated(&bare)
        || (names.len() > 1 && bare.split([',', ';']).flat_map(|part| part.split(" and ")).all(stated));
    all.then(|| Comparison::new(Verdict::Match, format!("the text says \"{}\"", phrase.trim())))
}

enum Place {
    Free,
    Qualified,
}

/// Whether `long` contains `short` on word boundaries. `short` needs two words, or one long word.
fn contains(long: &str, short: &str) -> Option<Place> {
    if short.is_empty() || long.len() <= short.len() || (!short.contains(' ') && short.len() < 8) {
        return None;
    }
    place(long, short, false)
}

/// How `long` contains `short`. `listed` allows `short` to be one of several joined by "and".
fn place(long: &str, short: &str, listed: bool) -> Option<Place> {
    let words: Vec<&str> = long.split(' ').collect();
    let sought: Vec<&str> = short.split(' ').collect();
    let bare = |word: &str| word.trim_matches([',', ';', ':']).to_owned();
    let at = words
        .windows(sought.len())
        .position(|run| run.iter().map(|w| bare(w)).eq(sought.iter().map(|w| bare(w))))?;
    let before = at.checked_sub(1).and_then(|i| words.get(i)).map(|w| bare(w));
    let negated = words.get(..at).is_some_and(|before| {
        before.iter().rev().take(4).any(|w| lexicon::listed("denies_behind", &bare(w)))
    });
    let qualified = negated
        || before.is_some_and(|word| {
            lexicon::listed("qualifier", word.as_str())
                && !(listed && matches!(word.as_str(), "and" | "or" | "but"))
        });
    Some(if qualified { Place::Qualified } else { Place::Free })
}
