//! A sentence taken apart: its numbers, and the words that say what they are of (countries, years, products,
//! classifications, measures) and how they are meant.

use std::ops::Range;

use rust_decimal::Decimal;

use super::digits;
use super::passage::Passage;
use crate::atlas::{CountryId, find_names};
use crate::language::lexicon::{self, Sense, Word};
use crate::value::{Interval, Period, Quantity, Unit, find_all};

/// What a word or phrase stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpanKind {
    Country(CountryId),
    /// A country behind "to", "from" or "with".
    Partner(CountryId),
    Year(Period),
    Sense(Sense),
    /// The name of an expected row.
    Row(usize),
}

/// A word or phrase that says something, with its place in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    pub range: Range<usize>,
    pub kind: SpanKind,
}

/// A number of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Number {
    pub range: Range<usize>,
    pub quantity: Quantity,
    pub shown: String,
    /// The other number that this writing may mean.
    pub other: Option<Quantity>,
    /// A word for thousands or millions in another language follows.
    pub foreign_scale: bool,
}

/// A sentence taken apart.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Sentence {
    /// With numbers in plain form.
    pub text: String,
    pub spans: Vec<Span>,
    /// Products and terms of the vocabulary.
    pub terms: Vec<Span>,
    pub numbers: Vec<Number>,
    /// Clauses between commas that only describe: `, which joined in 1995,`.
    pub asides: Vec<Range<usize>>,
}

/// Names of expected rows, as words.
#[derive(Debug, Default)]
pub(super) struct RowNames(pub Vec<(Vec<String>, usize)>);

const FOREIGN_SCALES: [&str; 14] = [
    "milliarde",
    "milliarden",
    "mrd",
    "millionen",
    "mio",
    "milliards",
    "milliard",
    "millones",
    "mil",
    "bilhoes",
    "milhoes",
    "crore",
    "lakh",
    "lakhs",
];

impl Span {
    /// Whether it is a name, of which words are no words of the sentence.
    pub(super) fn is_name(&self) -> bool {
        matches!(
            self.kind,
            SpanKind::Country(_)
                | SpanKind::Partner(_)
                | SpanKind::Row(_)
                | SpanKind::Sense(Sense::Product(_) | Sense::Term(..))
        )
    }
}

impl Sentence {
    /// Whether a word is part of something that is known: a name, a number, a measure, a part of a context.
    pub(super) fn covers(&self, word: &Range<usize>) -> bool {
        let holds = |range: &Range<usize>| range.start <= word.start && word.end <= range.end;
        let cue = |span: &Span| matches!(span.kind, SpanKind::Sense(Sense::Cue(_)));
        self.spans.iter().chain(&self.terms).any(|span| !cue(span) && holds(&span.range))
            || self.numbers.iter().any(|number| holds(&number.range))
    }

    /// Whether words are part of a longer name: `Commodities not specified` denies nothing.
    pub(super) fn is_in_a_name(&self, words: &Range<usize>) -> bool {
        self.spans.iter().chain(&self.terms).any(|span| {
            let holds = span.range.start <= words.start && words.end <= span.range.end;
            holds && span.range.len() > words.len() && span.is_name()
        })
    }

    /// Takes a sentence apart. Terms are sought only when something expected is a word or a product.
    pub(super) fn of(text: &str, rows: &RowNames, with_terms: bool) -> Self {
        let text = digits::plain_numbers(text);
        // the name of the source is no measure
        let text = text.replace("Atlas of Economic Complexity", "Atlas");
        let words = lexicon::words(&text);
        let context = lexicon::context(&words);
        let mut spans: Vec<Span> = countries(&text, &words);
        let classes: Vec<Range<usize>> = context
            .iter()
            .filter(|(_, sense)| matches!(sense, Sense::Classification(_)))
            .map(|(range, _)| range.clone())
            .collect();
        let (mut numbers, years) = numbers(&text, &words, &classes);
        if !rows.0.is_empty() {
            numbers.retain(|number| !is_code(&text, number));
        }
        spans.extend(periods(&text, years));
        spans.extend(context.into_iter().map(|(range, sense)| Span { range, kind: SpanKind::Sense(sense) }));
        spans.sort_by_key(|span| (span.range.start, span.range.end));
        let mut terms: Vec<Span> = Vec::new();
        if with_terms {
            let found = lexicon::terms(&words).into_iter();
            terms.extend(found.map(|(range, sense)| Span { range, kind: SpanKind::Sense(sense) }));
        }
        terms.extend(row_names(&words, rows));
        terms.sort_by_key(|span| (span.range.start, span.range.end));
        // "Business services" is a product's name, and no scope
        let of_a_name = |span: &Span| {
            terms.iter().filter(|term| term.is_name()).any(|term| {
                let gap = text.get(term.range.end..span.range.start);
                gap.is_some_and(|gap| gap.trim().is_empty())
                    || (term.range.start <= span.range.start && span.range.end <= term.range.end)
            })
        };
        spans.retain(|span| !(matches!(span.kind, SpanKind::Sense(Sense::Scope(_))) && of_a_name(span)));
        let asides = asides(&text);
        Self { text, spans, terms, numbers, asides }
    }

    pub(super) fn between(&self, from: usize, to: usize) -> &str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// The cues that stand in a part of the sentence.
    pub(super) fn cues(
        &self,
        within: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = (&'static str, &Span)> {
        self.spans.iter().filter_map(move |span| match span.kind {
            SpanKind::Sense(Sense::Cue(cue))
                if span.range.start >= within.start
                    && span.range.end <= within.end
                    && !self.is_in_a_name(&span.range) =>
            {
                Some((cue, span))
            }
            _ => None,
        })
    }

    /// Where the clause of a place begins: behind the nearest comma, semicolon, colon, bracket or conjunction that
    /// turns round.
    pub(super) fn clause_start(&self, at: usize) -> usize {
        let before = self.between(0, at);
        let spans = [", ", "; ", ": ", " but ", " while ", " whereas ", "|", " – ", " — "];
        spans.iter().filter_map(|span| before.rfind(span).map(|i| i + span.len())).max().unwrap_or(0)
    }

    /// Where the clause of a place ends.
    pub(super) fn clause_end(&self, at: usize) -> usize {
        let after = self.between(at, self.text.len());
        let spans = [", ", "; ", ")", " but ", " while ", " whereas ", "|"];
        spans.iter().filter_map(|span| after.find(span)).min().map_or(self.text.len(), |i| at + i)
    }

    /// The passage for a reader, when it is one.
    pub(super) fn is_aside(&self, at: usize) -> bool {
        self.asides.iter().any(|aside| aside.contains(&at))
    }
}

impl Passage {
    pub(super) fn sentence(&self, rows: &RowNames, with_terms: bool) -> Sentence {
        Sentence::of(&self.text, rows, with_terms)
    }
}

fn countries(text: &str, words: &[Word]) -> Vec<Span> {
    if !text.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return Vec::new();
    }
    find_names(text)
        .into_iter()
        .map(|(range, id)| {
            let at = words.partition_point(|word| word.range.start < range.start);
            let mut before =
                words.get(..at).unwrap_or_default().iter().rev().map(|word| word.folded.as_str());
            let mut last = before.next();
            if last == Some("the") {
                last = before.next();
            }
            let touching = words.get(at.wrapping_sub(1)).is_some_and(|word| {
                text.get(word.range.end..range.start).is_some_and(|gap| gap.chars().all(|c| c == ' '))
            });
            // "compared with Ethiopia's $1,350": what a country has is its own
            let owner =
                text.get(range.end..).is_some_and(|rest| rest.starts_with("'s") || rest.starts_with("’s"));
            let partner = !owner && touching && matches!(last, Some("to" | "from" | "with" | "towards"));
            Span { range, kind: if partner { SpanKind::Partner(id) } else { SpanKind::Country(id) } }
        })
        .collect()
}

/// The numbers that are values, and the years among the others.
fn numbers(text: &str, words: &[Word], classes: &[Range<usize>]) -> (Vec<Number>, Vec<(Range<usize>, i16)>) {
    let mut values = Vec::new();
    let mut years = Vec::new();
    for (range, quantity) in find_all(text) {
        if classes.iter().any(|class| class.start <= range.start && range.end <= class.end) {
            continue;
        }
        let shown = text.get(range.clone()).unwrap_or_default();
        let at = words.partition_point(|word| word.range.start < range.start);
        let back = |n: usize| at.checked_sub(n).and_then(|i| words.get(i)).map_or("", |w| w.folded.as_str());
        let first = words.partition_point(|word| word.range.start < range.end);
        let ahead = |n: usize| words.get(first + n).map_or("", |word| word.folded.as_str());
        let year = year_of(shown);
        if let Some(year) = year {
            // the base year of constant prices is no year of the value
            let base = matches!(back(1), "constant" | "base" | "real" | "current")
                || (matches!(ahead(0), "prices" | "dollars" | "us") && matches!(back(1), "in" | "constant"));
            if base {
                continue;
            }
            if shown.len() == 4 {
                years.push((range, year));
                continue;
            }
        }
        if quantity.unit == Unit::Count
            && is_no_value(text, &range, shown, (back(1), back(2)), (ahead(0), ahead(1)))
        {
            continue;
        }
        let other = digits::other_reading(shown)
            .and_then(|other| find_all(&other).into_iter().next())
            .map(|(_, other)| other);
        let mut quantity = quantity;
        let mut shown = shown.to_owned();
        if quantity.unit == Unit::Count
            && matches!(ahead(0), "position" | "positions" | "places" | "spots" | "ranks" | "rungs")
        {
            quantity = quantity.with_unit(Unit::Positions);
            shown = format!("{shown} {}", ahead(0));
        }
        let foreign_scale = FOREIGN_SCALES.contains(&ahead(0));
        values.push(Number { range, quantity, shown, other, foreign_scale });
    }
    (values, years)
}

/// A product's code in brackets: `Cars (8703)`.
fn is_code(text: &str, number: &Number) -> bool {
    let digits = matches!(number.shown.len(), 4 | 6) && number.shown.bytes().all(|b| b.is_ascii_digit());
    let before = text.get(..number.range.start).unwrap_or_default().trim_end_matches("HS ");
    digits && before.ends_with('(') && text.get(number.range.end..).is_some_and(|rest| rest.starts_with(')'))
}

/// The year that a text begins with, when that is what it is.
fn year_of(shown: &str) -> Option<i16> {
    let digits = shown.get(..4)?;
    let year: i16 = digits.parse().ok()?;
    let alone = shown.get(4..).is_none_or(|rest| rest.is_empty() || rest.starts_with(' '));
    (alone && (1900..=2100).contains(&year)).then_some(year)
}

/// Codes, spans of years, `top 10`, the count of what is ranked.
fn is_no_value(
    text: &str,
    range: &Range<usize>,
    shown: &str,
    (last, before): (&str, &str),
    (next, after): (&str, &str),
) -> bool {
    let digits = shown.bytes().all(|b| b.is_ascii_digit());
    let tight = text.get(range.end..).is_some_and(|rest| rest.starts_with([' ', '-', '\u{a0}']));
    let spans = tight
        && (["year", "years", "yr", "yrs", "decade", "decades", "month", "months", "digit"].contains(&next));
    let codes = digits
        && (["hs12", "hs92", "hs22", "sitc"].contains(&next)
            || [
                "hs", "code", "codes", "sitc", "top", "hs92", "hs12", "hs22", "chapter", "footnote", "figure",
            ]
            .contains(&last)
            || (last == "product" && before == "code"));
    let of_countries = digits && ["countries", "economies"].contains(&next) && last != "to";
    let enumerates =
        digits && range.start == 0 && text.get(range.end..).is_some_and(|rest| rest.starts_with(") "));
    let cites = text.get(..range.start).is_some_and(|b| b.ends_with('['))
        && text.get(range.end..).is_some_and(|r| r.starts_with(']'));
    let (before, behind) =
        (text.get(..range.start).unwrap_or_default(), text.get(range.end..).unwrap_or_default());
    // `(1) Coffee, (2) Tea`, and the bound of `RCA > 1`
    let listed = digits && shown.len() < 3 && before.ends_with('(') && behind.starts_with(") ");
    let threshold = before.trim_end().ends_with(['>', '<']);
    let _ = after;
    spans || codes || of_countries || enumerates || cites || listed || threshold
}

/// Years, and two of them as a period.
fn periods(text: &str, years: Vec<(Range<usize>, i16)>) -> Vec<Span> {
    let mut out: Vec<Span> = Vec::new();
    let mut years = years.into_iter().peekable();
    while let Some((range, year)) = years.next() {
        let joined = years.peek().is_some_and(|(next, last)| {
            let gap = text.get(range.end..next.start).unwrap_or_default().trim();
            let between = text.get(..range.start).unwrap_or_default().trim_end().to_lowercase();
            *last > year
                && (matches!(gap, "-" | "–" | "—" | "to" | "until" | "through")
                    || (gap == "and" && between.ends_with("between")))
        });
        if joined && let Some((next, last)) = years.next() {
            out.push(Span {
                range: range.start..next.end,
                kind: SpanKind::Year(Period { start: year, end: last }),
            });
        } else {
            out.push(Span { range, kind: SpanKind::Year(Period::year(year)) });
        }
    }
    out
}

fn row_names(words: &[Word], rows: &RowNames) -> Vec<Span> {
    let mut out = Vec::new();
    for (name, row) in &rows.0 {
        let Some(first) = name.first() else { continue };
        for (at, word) in words.iter().enumerate() {
            if word.folded != *first {
                continue;
            }
            let Some(here) = words.get(at..at + name.len()) else { continue };
            if here.iter().zip(name).all(|(word, own)| word.folded == *own)
                && let Some(last) = here.last()
            {
                out.push(Span { range: word.range.start..last.range.end, kind: SpanKind::Row(*row) });
            }
        }
    }
    out
}

fn asides(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    for opening in [", which ", ", who ", ", whose ", ", where "] {
        for (at, _) in text.match_indices(opening) {
            let from = at + opening.len();
            if let Some(end) = text.get(from..).and_then(|rest| rest.find(", ")) {
                out.push(at..from + end);
            }
        }
    }
    out
}

/// Unit and power of ten that a head or a bracket gives to bare numbers: `US$ billion`, `Share (%)`.
pub(super) fn unit_hint(text: &str) -> Option<(Option<Unit>, u32)> {
    let lower = text.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let power = if has(&["trillion"]) {
        12
    } else if has(&["billion", " bn", "$bn", "$b)"]) {
        9
    } else if has(&["million", " mn", "$mn", "$m)"]) {
        6
    } else if has(&["thousand"]) {
        3
    } else {
        0
    };
    let unit = if has(&["€", "eur", "£", "gbp", "kes", "¥"]) {
        Some(Unit::OtherCurrency)
    } else if has(&["$", "usd", "dollar"]) {
        Some(Unit::Usd)
    } else if has(&["%", "percent", "per cent"]) {
        Some(Unit::Percent)
    } else {
        None
    };
    (unit.is_some() || power > 0).then_some((unit, power))
}

/// The number by which a quantity exceeds its printed digits: 1e9 for `$378 billion`.
pub(super) fn scale_of(number: &Number) -> Decimal {
    let digits: String = number.shown.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    let printed = Decimal::from_str_exact(digits.trim_matches('.')).unwrap_or(Decimal::ONE);
    if printed.is_zero() {
        return Decimal::ONE;
    }
    number.quantity.number.abs().checked_div(printed).unwrap_or(Decimal::ONE)
}

/// One unit of the last printed digit, in full units; of the last digit that is not zero when `loosely`, yet never
/// coarser than two significant digits.
pub(super) fn last_digit(number: &Number, loosely: bool) -> Decimal {
    let digits: String = number.shown.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    let digits = digits.trim_end_matches('.').to_owned();
    let decimals = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let mut unit = Decimal::new(1, u32::try_from(decimals.min(20)).unwrap_or(0));
    if loosely && decimals == 0 {
        let significant = digits.trim_start_matches('0').len();
        let zeros = digits.len() - digits.trim_end_matches('0').len();
        for _ in 0..zeros.min(significant.saturating_sub(2)).min(20) {
            unit *= Decimal::TEN;
        }
    }
    unit.checked_mul(scale_of(number)).unwrap_or(unit)
}

/// A quantity of which only an interval is known.
pub(super) fn within(low: Decimal, high: Decimal, number: Decimal, unit: Unit) -> Quantity {
    Quantity { number, interval: Interval::closed(low, high), unit, rule: None, total: None }
}
