//! Compares texts with several numbers: pairs items by name, or by position and unit, and combines the verdicts.

use crate::language::lexicon;
use crate::{Cause, Comparison, Verdict};

use super::matching::pair;
use super::name::{self, Same};
use super::number::{self, Shown, same_unit};
use super::reading::{Item, Reading, years_apart};

/// A name with its numbers.
struct Row<'a> {
    name: &'a str,
    items: Vec<&'a Item>,
}

/// Compares two texts that both contain numbers.
pub(super) fn compare(a: &Reading, b: &Reading, years: Option<u32>) -> Comparison {
    let mut comparison = by_rows(a, b, years);
    if comparison.verdict == Verdict::Mismatch
        && comparison.cause.is_none()
        && !a.classes.is_empty()
        && !b.classes.is_empty()
        && a.classes != b.classes
    {
        comparison.cause = Some(Cause::OtherClassification);
        comparison.reason =
            format!("{}: {} against {}", comparison.reason, a.classes.join(", "), b.classes.join(", "));
    }
    comparison
}

fn by_rows(a: &Reading, b: &Reading, years: Option<u32>) -> Comparison {
    let (rows_a, rows_b) = (rows(&a.items), rows(&b.items));
    if let ([x], [y]) = (rows_a.as_slice(), rows_b.as_slice()) {
        return row(x, y, years);
    }
    let named = |rows: &[Row<'_>]| rows.iter().all(|row| !row.name.is_empty());
    if named(&rows_a) && named(&rows_b) {
        return paired(&rows_a, &rows_b, years);
    }
    if rows_a.len() == rows_b.len() {
        return combine(rows_a.iter().zip(&rows_b).map(|(x, y)| row(x, y, years)).collect());
    }
    let (x, y): (Vec<&Item>, Vec<&Item>) = (a.items.iter().collect(), b.items.iter().collect());
    numbers(&x, &y, years)
}

fn rows(items: &[Item]) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for item in items {
        match rows.last_mut() {
            Some(row) if item.name.is_empty() => row.items.push(item),
            _ => rows.push(Row { name: &item.name, items: vec![item] }),
        }
    }
    rows
}

/// Compares named rows in any order. Searches a longer list for a single row.
fn paired(a: &[Row<'_>], b: &[Row<'_>], years: Option<u32>) -> Comparison {
    let (few, many, swapped) = if a.len() <= b.len() { (a, b, false) } else { (b, a, true) };
    let mut free: Vec<&Row<'_>> = many.iter().collect();
    let mut verdicts = Vec::new();
    let mut missing = Vec::new();
    for x in few {
        let exact = free.iter().position(|y| name::same(x.name, y.name) == Some(Same::Name));
        let found = exact.or_else(|| free.iter().position(|y| name::same(x.name, y.name).is_some()));
        match found {
            Some(at) => {
                let y = free.remove(at);
                verdicts.push(if swapped { row(y, x, years) } else { row(x, y, years) });
            }
            None => missing.push(x.name),
        }
    }
    if verdicts.is_empty() {
        let names = |rows: &[Row<'_>]| rows.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
        let reason = format!("no name in common: {} against {}", names(a), names(b));
        return Comparison {
            cause: Some(Cause::SwappedEntities),
            ..Comparison::new(Verdict::Mismatch, reason)
        };
    }
    let whole = few.len() == 1 || few.len() == many.len();
    let mut total = combine(verdicts);
    if total.verdict == Verdict::Match && (!missing.is_empty() || !whole) {
        total.verdict = Verdict::Partial;
        total.reason = format!("{}, but the lists have {} and {} names", total.reason, a.len(), b.len());
    } else if !missing.is_empty() {
        total.reason = format!("{}; not found: {}", total.reason, missing.join(", "));
    }
    total
}

/// Compares two rows: their names (if both have one), then their numbers by position or unit.
fn row(x: &Row<'_>, y: &Row<'_>, years: Option<u32>) -> Comparison {
    let part = if x.name.is_empty() || y.name.is_empty() || is_prose(x.name) || is_prose(y.name) {
        None
    } else {
        match name::same(x.name, y.name) {
            Some(same) => (same == Same::Part).then_some((x.name, y.name)),
            None => {
                let mut differ = other_entity(x, y, years);
                differ.reason = format!("{} is not {}: {}", x.name, y.name, differ.reason);
                return differ;
            }
        }
    };
    let mut comparison = numbers(&x.items, &y.items, years);
    if let (Some((a, b)), Verdict::Match) = (part, comparison.verdict) {
        comparison.reason = format!("{}; {a} is assumed to be {b}", comparison.reason);
    }
    comparison
}

fn other_entity(x: &Row<'_>, y: &Row<'_>, years: Option<u32>) -> Comparison {
    let numbers = match (x.items.first(), y.items.first()) {
        (Some(i), Some(j)) => Some(number::compare(shown(i), shown(j), years)),
        _ => None,
    };
    let goods =
        |name: &str| matches!(name.to_lowercase().trim(), "goods" | "services" | "goods and services");
    let cause = if goods(x.name) && goods(y.name) { Cause::Scope } else { Cause::SwappedEntities };
    let reason = numbers.as_ref().map(|n| n.reason.clone()).unwrap_or_default();
    let difference = numbers.and_then(|n| n.difference);
    Comparison { cause: Some(cause), difference, ..Comparison::new(Verdict::Mismatch, reason) }
}

/// Whether a "name" is really a sentence.
fn is_prose(name: &str) -> bool {
    let lower = name.to_lowercase();
    lower.split_whitespace().count() > 12
        || lower.split_whitespace().any(|word| lexicon::listed("sentence_word", word))
}

fn shown(item: &Item) -> Shown<'_> {
    Shown { quantity: &item.quantity, text: &item.shown, counted: item.counted, change: item.change }
}

/// Compares sides with different counts of numbers: every number of the shorter side needs a match of its unit on the longer.
fn by_unit(x: &[&Item], y: &[&Item], years: Option<u32>) -> Comparison {
    let swapped = x.len() > y.len();
    let (few, many) = if swapped { (y, x) } else { (x, y) };
    let mut verdicts = Vec::new();
    let mut ambiguous = false;
    for item in few {
        let of_unit: Vec<&&Item> =
            many.iter().filter(|other| same_unit(item.quantity.unit, other.quantity.unit)).collect();
        let exact: Vec<&&Item> =
            of_unit.iter().copied().filter(|other| other.quantity.unit == item.quantity.unit).collect();
        let candidates = if exact.is_empty() { of_unit } else { exact };
        let compared: Vec<Comparison> = candidates
            .iter()
            .map(|other| {
                if swapped {
                    number::compare(shown(other), shown(item), years)
                } else {
                    number::compare(shown(item), shown(other), years)
                }
            })
            .collect();
        ambiguous |= compared.len() > 1;
        let best = compared.iter().position(|c| c.verdict == Verdict::Match).unwrap_or(0);
        match compared.into_iter().nth(best) {
            Some(comparison) => verdicts.push(comparison),
            None => verdicts.push(Comparison::new(
                Verdict::Mismatch,
                format!("the other side has no number like {}", item.shown),
            )),
        }
    }
    let mut total = combine(verdicts);
    if ambiguous && total.verdict == Verdict::Match {
        total.verdict = Verdict::Partial;
        total.reason = format!("{}, but one side has more numbers of that unit", total.reason);
    }
    total
}

/// Compares the numbers of one name: by position if the units allow it, else in any order, else by unit.
fn numbers(x: &[&Item], y: &[&Item], years: Option<u32>) -> Comparison {
    if x.len() != y.len() {
        return by_unit(x, y, years);
    }
    let compared = |i: &&Item, j: &&Item| number::compare(shown(i), shown(j), years);
    let in_place = x.iter().zip(y).all(|(i, j)| same_unit(i.quantity.unit, j.quantity.unit));
    if !in_place {
        let partners = pair(x.len(), y.len(), |i, j| {
            x.get(i).zip(y.get(j)).is_some_and(|(i, j)| compared(i, j).verdict == Verdict::Match)
        });
        let pairs: Option<Vec<Comparison>> =
            x.iter().zip(partners).map(|(i, j)| j.and_then(|j| y.get(j)).map(|j| compared(i, j))).collect();
        if let Some(pairs) = pairs {
            return combine(pairs);
        }
    }
    combine(x.iter().zip(y).map(|(i, j)| compared(i, j)).collect())
}

/// Searches the longer `b` for every number of `a`. A number beside the name of another known entity does not count. `None`
/// if `a` has no number.
pub(super) fn find(a: &Reading, b: &Reading, years: Option<u32>) -> Option<Comparison> {
    let mut found = Vec::new();
    for row in rows(&a.items) {
        for item in &row.items {
            found.push(nearest(a, row.name, item, &b.items, years));
        }
    }
    (!found.is_empty()).then(|| combine(found))
}

fn nearest(a: &Reading, name: &str, item: &Item, others: &[Item], years: Option<u32>) -> Comparison {
    let mut beside = "";
    let mut best: Option<Comparison> = None;
    for other in others {
        if !other.name.is_empty() {
            beside = &other.name;
        }
        if !same_unit(item.quantity.unit, other.quantity.unit)
            || (!name.is_empty() && name::known_apart(name, beside))
        {
            continue;
        }
        let mut comparison = number::compare(shown(item), shown(other), years);
        // A number of another year or flow is not the one searched for.
        if comparison.verdict == Verdict::Match {
            if years_apart(&a.years, &other.years) {
                comparison.verdict = Verdict::NotComparable;
                comparison.cause = Some(Cause::OtherYear);
                comparison.reason = format!("{}, but of {}", comparison.reason, other.years.join(", "));
            } else if let (Some(meant), Some(said)) = (a.flow, other.flow)
                && meant != said
            {
                comparison.verdict = Verdict::NotComparable;
                comparison.cause = None;
                comparison.reason = format!("{}, but of {said}", comparison.reason);
            }
        }
        // A cause that explains the error beats a smaller difference.
        let rank = |c: &Comparison| (c.cause.is_none(), c.difference);
        let nearer = best.as_ref().is_none_or(|best| rank(&comparison) < rank(best));
        if comparison.verdict == Verdict::Match {
            return comparison;
        }
        if nearer {
            best = Some(comparison);
        }
    }
    best.unwrap_or_else(|| {
        Comparison::new(Verdict::Mismatch, format!("the text has no number like {}", item.shown))
    })
}

/// Combines several verdicts into one: all match, some match, none match.
pub(super) fn combine(mut parts: Vec<Comparison>) -> Comparison {
    if parts.len() == 1
        && let Some(only) = parts.pop()
    {
        return only;
    }
    let matched = parts.iter().filter(|part| part.verdict == Verdict::Match).count();
    let verdict = if matched == parts.len() {
        Verdict::Match
    } else if matched > 0 {
        Verdict::Partial
    } else if parts.iter().all(|part| part.verdict == Verdict::NotComparable) {
        Verdict::NotComparable
    } else {
        Verdict::Mismatch
    };
    let reported: Vec<&Comparison> = if verdict == Verdict::Match {
        parts.iter().collect()
    } else {
        parts.iter().filter(|part| part.verdict != Verdict::Match).collect()
    };
    let reason = reported.iter().map(|part| part.reason.as_str()).collect::<Vec<_>>().join("; ");
    let cause = reported.iter().find_map(|part| part.cause);
    let difference = reported.iter().filter_map(|part| part.difference).max();
    Comparison { cause, difference, ..Comparison::new(verdict, reason) }
}

/// Compares a text without numbers with one that has numbers.
pub(super) fn name_alone(words: &Reading, numbers: &Reading) -> Comparison {
    let (text, other) = (words.source.as_str(), numbers.source.as_str());
    let names: Vec<&str> = rows(&numbers.items).iter().map(|row| row.name).collect();
    if let [only] = names.as_slice()
        && !only.is_empty()
        && name::same(text, only) == Some(Same::Name)
    {
        return Comparison::new(
            Verdict::Match,
            format!("\"{text}\" is the name beside the number in \"{other}\""),
        );
    }
    let named = names.iter().filter(|name| !name.is_empty()).copied().collect::<Vec<_>>().join("; ");
    if names.len() > 1 && !named.is_empty() && name::same(text, &named) == Some(Same::Name) {
        return Comparison::new(
            Verdict::Match,
            format!("\"{text}\" are the names beside the numbers in \"{other}\""),
        );
    }
    if names.len() > 1 && names.iter().any(|name| name::same(text, name) == Some(Same::Name)) {
        return Comparison::new(Verdict::Partial, format!("\"{text}\" is one of the names in \"{other}\""));
    }
    let in_sentence = super::phrase::compare(text, other);
    if in_sentence.verdict == Verdict::Match {
        return in_sentence;
    }
    Comparison::new(Verdict::Mismatch, format!("\"{text}\" has no number to compare with \"{other}\""))
}
