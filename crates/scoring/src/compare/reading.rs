//! Reads a free text into numbers with their names, years and absence.

use crate::language::token::{Kind, Names, Token};
use std::ops::Range;

use rust_decimal::Decimal;

use crate::language::sentence::Sentence;
use crate::value::fold::{fold, key};
use crate::value::{
    Absence, Context, ContextPart, Flow, Period, Quantity, Rule, Unit, Value, find_all, format, format_rank,
};
use crate::{Cause, Comparison, Verdict};

use crate::language::{self, lexicon, numerals};

use super::direction::Around;
use super::name;
use super::number::amount;
use super::stated::Stated;

/// An absence that a text states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StatedAbsence {
    /// No value, without a reason.
    Nothing,
    /// A kind of absence.
    Absent(Absence),
}

/// A number with the name beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    /// The name without words of measurement. May be empty.
    pub name: String,
    /// The number's text.
    pub shown: String,
    pub quantity: Quantity,
    /// A counted noun follows the number, so it takes no unit from the other side.
    pub counted: bool,
    /// The number is the amount of a change, not a level: `grew by $5 billion`.
    pub change: bool,
    /// The years and flow that the text states for this number.
    pub years: Vec<String>,
    pub flow: Option<&'static str>,
}

/// The content of a free text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reading {
    pub source: String,
    pub items: Vec<Item>,
    /// Years beside numbers, sorted.
    pub years: Vec<String>,
    /// Product classifications, sorted.
    pub classes: Vec<&'static str>,
    /// Exports or imports, if the text mentions only one of them.
    pub flow: Option<&'static str>,
    /// Other context that the text states.
    pub stated: Stated,
    /// The value was a number, not a text; `source` is its formatted form.
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
        let sentence = Sentence::of(&numerals::normalized(source), &Names::default());
        let mut numbers: Vec<(usize, Quantity)> = Vec::new();
        let (mut years, mut aside) = (Vec::new(), Vec::new());
        for (at, token) in sentence.tokens.iter().enumerate() {
            match &token.kind {
                Kind::Number(quantity) if is_in_digits(token) && !is_aside(&sentence, at) => {
                    numbers.push((at, quantity.clone()));
                }
                Kind::Number(_) if is_in_digits(token) => aside.push(token.range.clone()),
                Kind::Duration(_) => aside.push(token.range.clone()),
                Kind::Period(_) => {
                    years.extend(years_in(std::slice::from_ref(token)));
                    aside.push(token.range.clone());
                }
                _ => {}
            }
        }
        // If the text has only a year, that is its value.
        let year = sentence.tokens.iter().position(|token| matches!(token.kind, Kind::Period(_)));
        let is_only_year = numbers.is_empty() && years.len() == 1;
        let found = if is_only_year { find_all(&sentence.text) } else { Vec::new() };
        if let ([(_, only)], Some(at)) = (found.as_slice(), year) {
            numbers.push((at, only.clone()));
            aside.clear();
            years.clear();
        }
        years.sort();
        years.dedup();
        let mut items = items(&sentence, &numbers, &aside);
        let stated = if items.is_empty() { Stated::default() } else { Stated::of(&sentence) };
        if stated.index_alone() {
            items.iter_mut().for_each(|item| item.counted = true);
        }
        Self {
            source: source.trim().to_owned(),
            items,
            years,
            classes: language::classifications(&sentence.text),
            flow: flow(&sentence.tokens),
            stated,
            number: false,
        }
    }

    /// Fills in years and flow from a context, to search for the value in another text.
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

/// The absence that a text states, if any.
pub(super) fn absence(text: &str) -> Option<StatedAbsence> {
    if fold(text).is_empty() {
        return Some(StatedAbsence::Nothing);
    }
    let folded = fold(&name::without_parentheses(text));
    let key = key(&folded);
    let says = |list: &str| lexicon::list(list).iter().any(|cue| key.contains(cue.as_str()));
    if folded.starts_with("uh-oh") || says("no_page") {
        return Some(StatedAbsence::Absent(Absence::PageNotFound));
    }
    if says("not_for_country") {
        return Some(StatedAbsence::Absent(Absence::NotAvailableForCountry));
    }
    let short = key.split(' ').count() <= 10 && !key.contains(|c: char| c.is_ascii_digit());
    if short && says("not_shown") {
        return Some(StatedAbsence::Absent(Absence::NotShownHere));
    }
    let nothing = lexicon::listed("no_value", &key)
        || folded.starts_with("no data")
        || (short && (key.contains("not available") || key.ends_with("unavailable")))
        || (!folded.is_empty() && folded.chars().all(|c| c == '-'))
        || folded == "…";
    nothing.then_some(StatedAbsence::Nothing)
}

/// Compares the flow, classification, years and other context that two texts with numbers state; `None` if they agree.
pub(super) fn other_context(a: &Reading, b: &Reading) -> Option<Comparison> {
    if a.items.is_empty() || b.items.is_empty() {
        return None;
    }
    if let (Some(x), Some(y)) = (a.flow, b.flow)
        && x != y
    {
        let reason = format!("different flows: {x} against {y}");
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
            format!("different classifications: {} against {}", a.classes.join(", "), b.classes.join(", "));
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
        let reason = format!("different years: {} against {}", a.years.join(", "), b.years.join(", "));
        Comparison {
            cause: Some(Cause::OtherYear),
            differing: vec![ContextPart::Period],
            ..Comparison::new(Verdict::NotComparable, reason)
        }
    })
}

/// Whether both have years, and neither includes all years of the other: `2012 to 2022` differs from `2012 to 2024`.
pub(super) fn years_apart(a: &[String], b: &[String]) -> bool {
    let within = |a: &[String], b: &[String]| a.iter().all(|year| b.contains(year));
    !a.is_empty() && !b.is_empty() && !within(a, b) && !within(b, a)
}

/// The first and last year of a period as text.
pub(super) fn years_of(period: Period) -> Vec<String> {
    let mut years = vec![period.start.to_string(), period.end.to_string()];
    years.dedup();
    years
}

/// The name of a flow in texts.
pub(super) const fn flow_name(flow: Flow) -> &'static str {
    match flow {
        Flow::Export => "exports",
        Flow::Import => "imports",
    }
}

/// Compares texts whose only numbers are years, such as `1995 - 2024`; `None` if either has no year or other numbers.
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
        return Some(Comparison::new(Verdict::Match, format!("both sides state {}", a.years.join(" to "))));
    }
    let reason = format!("{} is not {}", a.years.join(" to "), b.years.join(" to "));
    Some(Comparison { cause: Some(Cause::OtherYear), ..Comparison::new(Verdict::Mismatch, reason) })
}

/// Exports or imports, if the tokens mention only one of them.
fn flow(tokens: &[Token]) -> Option<&'static str> {
    let says = |flow| tokens.iter().any(|token| token.is("flow", flow));
    match (says("export"), says("import")) {
        (true, false) => Some(flow_name(Flow::Export)),
        (false, true) => Some(flow_name(Flow::Import)),
        _ => None,
    }
}

fn is_in_digits(token: &Token) -> bool {
    token.folded.contains(|c: char| c.is_ascii_digit())
}

/// Whether a number is not a value: a code, a threshold, a span of years, a list number.
fn is_aside(sentence: &Sentence, at: usize) -> bool {
    let Some(token) = sentence.tokens.get(at) else { return false };
    let before = at.checked_sub(1).and_then(|at| sentence.tokens.get(at));
    let after = sentence.tokens.get(at + 1);
    if before.is_some_and(|before| before.mark('>')) {
        return true;
    }
    if token.number().is_none_or(|number| number.unit != Unit::Count) || sentence.tokens.len() == 1 {
        return false;
    }
    let is_class = |next: &Token| next.tagged("classification") && next.depth == token.depth;
    let is_code = before.is_some_and(|before| is_class(before) || before.ends_in("before_aside"))
        || after.is_some_and(is_class);
    let spans =
        after.is_some_and(|after| ["year", "yr", "decade"].iter().any(|span| after.folded.starts_with(span)));
    let opens = sentence.text.get(..token.range.start).unwrap_or_default().trim_end();
    let rest = sentence.text.get(token.range.end..).unwrap_or_default();
    let enumerates = (rest.starts_with(". ") || rest.starts_with(") "))
        && token.folded.bytes().all(|byte| byte.is_ascii_digit())
        && (opens.is_empty() || opens.ends_with([';', '|', ':', ',']))
        && token.number().is_some_and(|number| number.number <= Decimal::from(250));
    is_code || spans || enumerates
}

/// The numbers with their names. A name precedes its number, or follows it if the text begins with a number.
fn items(sentence: &Sentence, numbers: &[(usize, Quantity)], aside: &[Range<usize>]) -> Vec<Item> {
    let (text, tokens) = (&sentence.text, &sentence.tokens);
    let place = |at: usize| tokens.get(at).map(|token| token.range.clone()).unwrap_or_default();
    let ends = std::iter::once(None).chain(numbers.iter().map(|(at, _)| Some(*at)));
    let starts = numbers.iter().map(|(at, _)| Some(*at)).chain([None]);
    // The text (without asides) and the tokens between each two numbers.
    let between: Vec<(String, &[Token])> = ends
        .zip(starts)
        .map(|(from, to)| {
            let (start, end) =
                (from.map_or(0, |at| place(at).end), to.map_or(text.len(), |at| place(at).start));
            let inner = from.map_or(0, |at| at + 1)..to.unwrap_or(tokens.len());
            (without(text, start..end, aside), tokens.get(inner).unwrap_or_default())
        })
        .collect();
    // Years and flow precede their number, unless none precede the first number.
    let context = |at: usize| between.get(at).map_or(&[][..], |(_, tokens)| tokens);
    let years_follow = years_in(context(0)).is_empty();
    let flow_follows = flow(context(0)).is_none();
    let names: Vec<String> = between.iter().map(|(gap, _)| name::of_gap(gap)).collect();
    let names_follow =
        names.first().is_some_and(String::is_empty) && names.last().is_some_and(|last| !last.is_empty());
    let item = |(i, (at, quantity)): (usize, &(usize, Quantity))| {
        let around = Around::of(sentence, *at, context(i), context(i + 1));
        let (quantity, shown) = around.signed(quantity, sentence.shown(&place(*at)).to_owned());
        Item {
            name: names.get(i + usize::from(names_follow)).cloned().unwrap_or_default(),
            counted: quantity.unit == Unit::Count && around.names_things(),
            change: around.is_change(&quantity),
            years: years_in(context(i + usize::from(years_follow))),
            flow: flow(context(i + usize::from(flow_follows))),
            shown,
            quantity,
        }
    };
    numbers.iter().enumerate().map(item).collect()
}

/// A part of a text without some ranges.
fn without(text: &str, part: Range<usize>, others: &[Range<usize>]) -> String {
    let mut out = String::new();
    let mut at = part.start;
    let first = others.partition_point(|other| other.start < part.start);
    for other in others[first..].iter().take_while(|other| other.end <= part.end) {
        out.push_str(text.get(at..other.start).unwrap_or_default());
        at = other.end;
    }
    out.push_str(text.get(at..part.end).unwrap_or_default());
    out
}

/// The years in the tokens.
fn years_in(tokens: &[Token]) -> Vec<String> {
    let years = tokens.iter().filter_map(|token| match token.kind {
        // `2023/24` is neither 2023 nor 2024.
        Kind::Period(_) if token.folded.contains('/') => Some(vec![token.folded.clone()]),
        Kind::Period(period) => Some(years_of(period)),
        _ => None,
    });
    years.flatten().collect()
}
