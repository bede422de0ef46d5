//! Reads a free text into numbers with the names beside them, years that only say when, and what is said about
//! absence.

use std::ops::Range;

use rust_decimal::Decimal;

use crate::value::fold::{fold, key};
use crate::value::{
    Absence, Context, ContextPart, Flow, Period, Quantity, Rule, Unit, Value, find_all, format, format_rank,
};
use crate::{Cause, Comparison, Verdict};

use crate::language::{self, lexicon, numerals};

use super::direction::{is_change, outer_sign};
use super::name;
use super::number::amount;
use super::stated::Stated;

/// What a text says about absence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StatedAbsence {
    /// That there is nothing, without saying why.
    Nothing,
    /// A kind of absence.
    Absent(Absence),
}

/// A number and the name beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    /// The name, without words that only say what is measured. May be empty.
    pub name: String,
    /// The number as printed.
    pub shown: String,
    pub quantity: Quantity,
    /// The text names what a number without unit counts, so it takes no unit from the other side.
    pub counted: bool,
    /// The amount by which something changed, and not the amount itself: `grew by $5 billion`.
    pub change: bool,
    /// Years that the text states of this number, and exports or imports.
    pub years: Vec<String>,
    pub flow: Option<&'static str>,
}

/// A free text, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reading {
    pub source: String,
    pub items: Vec<Item>,
    /// Years mentioned beside numbers, sorted.
    pub years: Vec<String>,
    /// Product classifications mentioned, sorted.
    pub classes: Vec<&'static str>,
    /// Exports or imports, when the text speaks of one of them only.
    pub flow: Option<&'static str>,
    /// What else the text states.
    pub stated: Stated,
    /// It was a number from the start, so `source` is only how it would be written.
    pub number: bool,
}

impl Reading {
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Quantity(quantity) => {
                let shown = show(value);
                let item = Item {
                    name: String::new(),
                    shown: shown.clone(),
                    quantity: quantity.clone(),
                    counted: false,
                    change: false,
                    years: Vec::new(),
                    flow: None,
                };
                Self {
                    source: shown,
                    items: vec![item],
                    years: Vec::new(),
                    classes: Vec::new(),
                    flow: None,
                    stated: Stated::default(),
                    number: true,
                }
            }
            Value::Text(text) => Self::of_text(text),
        }
    }

    fn of_text(source: &str) -> Self {
        let text = &numerals::plain_numbers(&numerals::normalized(source));
        let found = find_all(text);
        let mut years = Vec::new();
        let mut numbers: Vec<(Range<usize>, Quantity)> = Vec::new();
        let mut aside: Vec<Range<usize>> = Vec::new();
        for (at, quantity) in found {
            match role(text, &at, &quantity) {
                Role::Value => numbers.push((at, quantity)),
                Role::Year => {
                    years.push(text.get(at.clone()).unwrap_or_default().to_owned());
                    aside.push(at);
                }
                Role::Aside => aside.push(at),
            }
        }
        if numbers.is_empty() && years.len() == 1 && aside.len() == 1 {
            // Only a year: it is the value.
            aside.clear();
            years.clear();
            numbers = find_all(text);
        }
        years.sort();
        years.dedup();
        let mut items = items(text, &numbers, &aside);
        let stated = if items.is_empty() { Stated::default() } else { Stated::of(text) };
        if stated.index_alone() {
            items.iter_mut().for_each(|item| item.counted = true);
        }
        Self {
            source: source.trim().to_owned(),
            items,
            years,
            classes: language::classifications(text),
            flow: flow(text),
            stated,
            number: false,
        }
    }

    /// Takes over what is known of a value besides its text, for finding it in another one.
    pub(super) fn take_context(&mut self, context: &Context) {
        if let Some(period) = context.period.filter(|_| self.years.is_empty()) {
            self.years = years_of(period);
        }
        self.flow = self.flow.or(context.flow.map(flow_name));
    }
}

/// A value as text, for reasons.
pub(super) fn show(value: &Value) -> String {
    match value {
        Value::Text(text) => text.trim().to_owned(),
        Value::Quantity(quantity) => {
            let by_rule = quantity.rule.and_then(|rule| {
                match (rule, u32::try_from(quantity.number).ok(), quantity.total) {
                    (Rule::F10, Some(position), Some(total)) => Some(format_rank(position, total)),
                    _ => format(quantity.number, rule),
                }
            });
            by_rule.unwrap_or_else(|| amount(quantity.number, quantity.unit))
        }
    }
}

/// What a text says about absence, if that is what it says.
pub(super) fn absence(text: &str) -> Option<StatedAbsence> {
    if fold(text).is_empty() {
        return Some(StatedAbsence::Nothing);
    }
    let folded = fold(&name::without_parentheses(text));
    let key = key(&folded);
    if folded.starts_with("uh-oh") || key.contains("could not be found") || key == "page not found" {
        return Some(StatedAbsence::Absent(Absence::PageNotFound));
    }
    if key.contains("not available for highest complexity countries")
        || key == "not available for this country"
    {
        return Some(StatedAbsence::Absent(Absence::NotAvailableForCountry));
    }
    let short = key.split(' ').count() <= 10 && !key.contains(|c: char| c.is_ascii_digit());
    if short && ["not shown", "not displayed", "not visible"].iter().any(|cue| key.contains(cue)) {
        return Some(StatedAbsence::Absent(Absence::NotShownHere));
    }
    let nothing = matches!(
        key.as_str(),
        "n a"
            | "na"
            | "null"
            | "nan"
            | "none"
            | "no data"
            | "not available"
            | "unavailable"
            | "no value"
            | "not applicable"
            | "no data available"
    ) || folded.starts_with("no data")
        || (short && (key.contains("not available") || key.ends_with("unavailable")))
        || (!folded.is_empty() && folded.chars().all(|c| c == '-'))
        || folded == "…";
    nothing.then_some(StatedAbsence::Nothing)
}

/// Texts with numbers that both say a year, or exports or imports, and say another.
pub(super) fn other_context(a: &Reading, b: &Reading) -> Option<Comparison> {
    if a.items.is_empty() || b.items.is_empty() {
        return None;
    }
    if let (Some(x), Some(y)) = (a.flow, b.flow)
        && x != y
    {
        let reason = format!("not the same flow: {x} against {y}");
        return Some(Comparison {
            differing: vec![ContextPart::Flow],
            ..Comparison::new(Verdict::NotComparable, reason)
        });
    }
    if !a.classes.is_empty()
        && !b.classes.is_empty()
        && a.classes.iter().all(|class| !b.classes.contains(class))
    {
        let reason =
            format!("not the same classification: {} against {}", a.classes.join(", "), b.classes.join(", "));
        return Some(Comparison {
            cause: Some(Cause::OtherClassification),
            differing: vec![ContextPart::Classification],
            ..Comparison::new(Verdict::NotComparable, reason)
        });
    }
    if let Some(comparison) = a.stated.apart(&b.stated, a.items.len() == 1 && b.items.len() == 1) {
        return Some(comparison);
    }
    years_apart(&a.years, &b.years).then(|| {
        let reason = format!("not the same year: {} against {}", a.years.join(", "), b.years.join(", "));
        Comparison {
            cause: Some(Cause::OtherYear),
            differing: vec![ContextPart::Period],
            ..Comparison::new(Verdict::NotComparable, reason)
        }
    })
}

/// Whether both name years, and neither names all that the other does: `2012 to 2022` is not `2012 to 2024`.
pub(super) fn years_apart(a: &[String], b: &[String]) -> bool {
    let within = |a: &[String], b: &[String]| a.iter().all(|year| b.contains(year));
    !a.is_empty() && !b.is_empty() && !within(a, b) && !within(b, a)
}

/// The first and the last year of a period, as a text names them.
pub(super) fn years_of(period: Period) -> Vec<String> {
    let mut years = vec![period.start.to_string(), period.end.to_string()];
    years.dedup();
    years
}

/// A flow as texts name it.
pub(super) const fn flow_name(flow: Flow) -> &'static str {
    match flow {
        Flow::Export => "exports",
        Flow::Import => "imports",
    }
}

/// Texts whose only numbers are years: a period, as `1995 - 2024`. `None` when either has no year.
pub(super) fn periods(a: &Reading, b: &Reading) -> Option<Comparison> {
    if a.years.is_empty() || b.years.is_empty() || !a.items.is_empty() || !b.items.is_empty() {
        return None;
    }
    let words = |reading: &Reading| {
        let bare: String = reading.source.chars().map(|c| if c.is_ascii_digit() { ' ' } else { c }).collect();
        name::of_gap(&bare)
    };
    let (x, y) = (words(a), words(b));
    if !x.is_empty() && !y.is_empty() && name::same(&x, &y).is_none() {
        return Some(Comparison::new(Verdict::Mismatch, format!("\"{x}\" is not \"{y}\"")));
    }
    if a.years == b.years {
        return Some(Comparison::new(Verdict::Match, format!("both sides name {}", a.years.join(" to "))));
    }
    let reason = format!("{} is not {}", a.years.join(" to "), b.years.join(" to "));
    Some(Comparison { cause: Some(Cause::OtherYear), ..Comparison::new(Verdict::Mismatch, reason) })
}

fn flow(text: &str) -> Option<&'static str> {
    language::stated(text).flow.map(flow_name)
}

/// Bytes around a number that say what it is for: with all of the text, time would grow with the square of its length.
const AROUND: usize = 32;

/// A part of a text, as far as it goes in whole characters.
fn around(text: &str, part: Range<usize>) -> &str {
    let start = (part.start..=part.end).find(|at| text.is_char_boundary(*at)).unwrap_or(part.end);
    let end = (start..=part.end.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(start);
    text.get(start..end).unwrap_or_default()
}

enum Role {
    Value,
    Year,
    Aside,
}

/// What a number is for in its text: a value, the year it is about, or a code, a threshold, a span of years, a place
/// in an enumeration.
fn role(text: &str, at: &Range<usize>, quantity: &Quantity) -> Role {
    let before = fold(around(text, at.start.saturating_sub(AROUND)..at.start));
    let after = fold(around(text, at.end..at.end + AROUND));
    let printed = text.get(at.clone()).unwrap_or_default();
    let alone = before.is_empty() && after.is_empty();
    if alone || quantity.unit != Unit::Count {
        return if before.ends_with('>') { Role::Aside } else { Role::Value };
    }
    let digits = printed.bytes().all(|b| b.is_ascii_digit());
    if before.ends_with('>') || before.ends_with("hs") || before.ends_with("sitc") || before.ends_with("top")
    {
        return Role::Aside;
    }
    if digits && ["hs", "sitc"].iter().any(|class| after.starts_with(class)) {
        return Role::Aside;
    }
    if ["year", "yr", "decade"].iter().any(|span| after.trim_start_matches('-').starts_with(span)) {
        return Role::Aside;
    }
    let first = before.is_empty() || before.ends_with([';', '|', ':', ',']);
    let enumerates = (after.starts_with(". ") || after.starts_with(") "))
        && first
        && quantity.number <= Decimal::from(250);
    if digits && enumerates {
        return Role::Aside;
    }
    let year = digits
        && printed.len() == 4
        && (Decimal::from(1900)..=Decimal::from(2100)).contains(&quantity.number);
    if year { Role::Year } else { Role::Value }
}

/// Numbers with the names beside them. Names stand before their numbers, or behind when the text begins with
/// a number.
fn items(text: &str, numbers: &[(Range<usize>, Quantity)], aside: &[Range<usize>]) -> Vec<Item> {
    let gap = |from: usize, to: usize| -> String {
        let mut out = String::new();
        let mut at = from;
        let first = aside.partition_point(|skip| skip.start < from);
        for skip in aside[first..].iter().take_while(|skip| skip.end <= to) {
            out.push_str(text.get(at..skip.start).unwrap_or_default());
            at = skip.end;
        }
        out.push_str(text.get(at..to).unwrap_or_default());
        out
    };
    let ends = numbers.iter().map(|(at, _)| at.end);
    let starts = numbers.iter().map(|(at, _)| at.start);
    let mut gaps: Vec<String> =
        std::iter::once(0).chain(ends).zip(starts.chain([text.len()])).map(|(a, b)| gap(a, b)).collect();
    // Whole, years included: what is said of a number stands before it, unless nothing of the kind stands before the first.
    let ends = || numbers.iter().map(|(at, _)| at.end);
    let starts = numbers.iter().map(|(at, _)| at.start);
    let whole: Vec<&str> = std::iter::once(0)
        .chain(ends())
        .zip(starts.chain([text.len()]))
        .map(|(a, b)| text.get(a..b).unwrap_or_default())
        .collect();
    let said = |at: usize| whole.get(at).copied().unwrap_or_default();
    let years_behind = years_in(said(0)).is_empty();
    let flow_behind = flow(said(0)).is_none();
    let names: Vec<String> = gaps.iter().map(|gap| name::of_gap(gap)).collect();
    let behind =
        names.first().is_some_and(String::is_empty) && names.last().is_some_and(|last| !last.is_empty());
    if gaps.is_empty() {
        gaps.push(String::new());
    }
    numbers
        .iter()
        .enumerate()
        .map(|(i, (at, quantity))| {
            let (before, after) =
                (gaps.get(i).map_or("", String::as_str), gaps.get(i + 1).map_or("", String::as_str));
            let name = if behind { names.get(i + 1) } else { names.get(i) }.cloned().unwrap_or_default();
            let shown = text.get(at.clone()).unwrap_or_default().to_owned();
            let (quantity, shown) = outer_sign(quantity, shown, before, after);
            let counted = quantity.unit == Unit::Count && names_things(after);
            let change = is_change(before, &quantity);
            let years = years_in(said(i + usize::from(years_behind)));
            let flow = flow(said(i + usize::from(flow_behind)));
            Item { name, shown, quantity, counted, change, years, flow }
        })
        .collect()
}

/// The years that a piece of text names.
fn years_in(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words
        .filter(|word| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit()))
        .filter(|word| ("1900"..="2100").contains(word))
        .map(str::to_owned)
        .collect()
}

/// Whether the text behind a bare number names what it counts: `24 new products`, `145 countries`.
fn names_things(after: &str) -> bool {
    let close = after.split([';', ',', '\n', '|', '.', '(']).next().unwrap_or_default();
    key(close).split(' ').take(3).any(|word| lexicon::listed("counted", word))
}
