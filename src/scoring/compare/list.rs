//! Lists: in order, in any order, or ranked, where neighbours that tie at displayed precision may change places.

use crate::scoring::{Cause, Comparison, Verdict};

use super::structure::{self, Part, Structure};
use super::{Content, Operand, compare, number, reading};

/// What the order of a list means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Place by place.
    Ordered,
    /// In any order.
    #[default]
    Unordered,
    /// By size or place; items whose numbers cannot be told apart at displayed precision may change places.
    Ranked,
}

/// Compares two lists. Items are named by their place in the truth, `[0]`.
#[must_use]
pub fn compare_lists(truth: &[Operand], other: &[Operand], order: Order) -> Structure {
    Structure::of(parts(truth, other, order))
}

/// The parts of a list: one for each item of the truth, in order, then what only the other side has.
pub(super) fn parts(truth: &[Operand], other: &[Operand], order: Order) -> Vec<Part> {
    match order {
        Order::Ordered => in_order(truth, other),
        Order::Unordered => in_any_order(truth, other),
        Order::Ranked => ranked(truth, other),
    }
}

fn in_order(truth: &[Operand], other: &[Operand]) -> Vec<Part> {
    let mut parts: Vec<Part> = truth
        .iter()
        .zip(other)
        .enumerate()
        .map(|(i, (a, b))| Part { path: place(i), comparison: swapped(compare(a, b), a, other) })
        .collect();
    let common = parts.len();
    parts.extend(
        truth.iter().enumerate().skip(common).map(|(i, a)| structure::one_sided(place(i), &show(a), true)),
    );
    parts.extend(
        other.iter().enumerate().skip(common).map(|(i, b)| structure::one_sided(place(i), &show(b), false)),
    );
    parts
}

/// A mismatch whose true value stands elsewhere in the list is a swap.
fn swapped(mut comparison: Comparison, a: &Operand, others: &[Operand]) -> Comparison {
    if comparison.verdict == Verdict::Mismatch
        && others.iter().any(|b| compare(a, b).verdict == Verdict::Match)
    {
        comparison.cause = Some(Cause::SwappedEntities);
        comparison.reason = format!("{}; it stands at another place of the list", comparison.reason);
    }
    comparison
}

fn in_any_order(truth: &[Operand], other: &[Operand]) -> Vec<Part> {
    let partners = structure::pair(truth.len(), other.len(), |i, j| agrees(truth, i, other, j));
    leftovers(truth, other, &partners, |i, _| place(i))
}

fn agrees(truth: &[Operand], i: usize, other: &[Operand], j: usize) -> bool {
    matches!((truth.get(i), other.get(j)), (Some(a), Some(b)) if compare(a, b).verdict.agrees())
}

/// Paired items, then what found no partner: compared in order with what is left on the other side.
fn leftovers(
    truth: &[Operand],
    other: &[Operand],
    partners: &[Option<usize>],
    path: impl Fn(usize, usize) -> String,
) -> Vec<Part> {
    let taken: Vec<usize> = partners.iter().flatten().copied().collect();
    let mut free = other.iter().enumerate().filter(|(j, _)| !taken.contains(j));
    let mut parts = Vec::new();
    for (i, a) in truth.iter().enumerate() {
        let partner = partners.get(i).copied().flatten();
        let part = match partner.and_then(|j| other.get(j).map(|b| (j, b))).or_else(|| free.next()) {
            Some((j, b)) => Part { path: path(i, j), comparison: compare(a, b) },
            None => structure::one_sided(place(i), &show(a), true),
        };
        parts.push(part);
    }
    parts.extend(free.map(|(j, b)| structure::one_sided(place(j), &show(b), false)));
    parts
}

fn ranked(truth: &[Operand], other: &[Operand]) -> Vec<Part> {
    let partners = structure::pair(truth.len(), other.len(), |i, j| agrees(truth, i, other, j));
    let mut parts = leftovers(truth, other, &partners, |i, _| place(i));
    for (i, partner) in partners.iter().enumerate() {
        let Some(j) = *partner else { continue };
        if j == i {
            continue;
        }
        let between = i.min(j)..=i.max(j);
        let tied = between.clone().all(|k| truth.get(k).zip(truth.get(i)).is_some_and(|(a, b)| ties(a, b)))
            || between.clone().all(|k| other.get(k).zip(other.get(j)).is_some_and(|(a, b)| ties(a, b)));
        if let Some(part) = parts.get_mut(i) {
            if tied {
                part.comparison.reason = format!(
                    "{}; ties with its neighbours, so place {} is as good",
                    part.comparison.reason,
                    j + 1
                );
            } else {
                let shown = truth.get(i).map(show).unwrap_or_default();
                let reason = format!("{shown} stands at place {} instead of {}", j + 1, i + 1);
                part.comparison = Comparison {
                    cause: Some(Cause::SwappedEntities),
                    ..Comparison::new(Verdict::Mismatch, reason)
                };
            }
        }
    }
    parts
}

/// Whether the numbers of two items cannot be told apart; without numbers nothing ties.
fn ties(a: &Operand, b: &Operand) -> bool {
    let (Content::Value(x), Content::Value(y)) = (&a.content, &b.content) else { return false };
    let (x, y) = (reading::Reading::of(x), reading::Reading::of(y));
    !x.items.is_empty()
        && x.items.len() == y.items.len()
        && x.items.iter().zip(&y.items).all(|(i, j)| {
            let shown = |item: &reading::Item| item.shown.clone();
            let (s, t) = (shown(i), shown(j));
            let left = number::Shown { quantity: &i.quantity, text: &s, counted: false, change: false };
            let right = number::Shown { quantity: &j.quantity, text: &t, counted: false, change: false };
            number::compare(left, right, None).verdict == Verdict::Match
        })
}

fn place(i: usize) -> String {
    format!("[{i}]")
}

/// An operand as text, for reasons and paths.
pub(super) fn show(operand: &Operand) -> String {
    match &operand.content {
        Content::Value(value) => reading::show(value),
        Content::Absent(_) => "no value".to_owned(),
        Content::Unread(_) => "what could not be read".to_owned(),
    }
}
