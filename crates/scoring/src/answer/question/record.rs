//! Derives what the question asks of every row of a record, from the question, the measure names and the context.

use std::collections::{BTreeMap, BTreeSet};

use super::asked::{Asked, reporter};
use crate::answer::point::Expected;
use crate::atlas::{self, CountryId};
use crate::compare::Content;
use crate::language::lexicon::{self, Tag, stem};
use crate::language::sentence::Sentence;
use crate::language::token::{Kind, MEANING, Names, Token};
use crate::value::{Flow, Statistic, Value};

/// A record with its parsed question and measure names.
pub(crate) struct Record<'a> {
    expected: &'a [Expected],
    question: Option<Sentence>,
    /// The parsed measure name of each row.
    labels: Vec<Sentence>,
    /// The context tags of each data point's rows.
    measures: BTreeMap<&'a str, BTreeSet<Tag>>,
}

impl<'a> Record<'a> {
    pub(crate) fn of(expected: &'a [Expected], question: Option<&str>) -> Self {
        let read = |text: &str| Sentence::of(text, &Names::default());
        let labels: Vec<Sentence> = expected.iter().map(|one| read(&one.metric)).collect();
        let mut measures: BTreeMap<&str, BTreeSet<Tag>> = BTreeMap::new();
        for (one, label) in expected.iter().zip(&labels) {
            let own = measures.entry(one.data_point.as_str()).or_default();
            own.extend(meanings(label));
            if let Some(measure) = lexicon::measure(&one.data_point) {
                let names = std::iter::once(&measure.family).chain(&measure.also).chain(&measure.needs);
                own.extend(names.filter_map(|name| lexicon::known(name)));
            }
        }
        Self { expected, question: question.map(read), labels, measures }
    }

    /// The requests for all rows.
    pub(crate) fn asked(&self) -> Vec<Asked<'a>> {
        let rows = self.expected.iter().zip(&self.labels).enumerate();
        rows.map(|(row, (one, label))| self.row(row, one, label)).collect()
    }

    fn row(&self, row: usize, one: &'a Expected, label: &Sentence) -> Asked<'a> {
        let (tags, siblings) = self.tags(one);
        let ends = |end| {
            let texts = self.question.as_ref().unwrap_or(label);
            texts.tokens.iter().any(|token| token.is("comparative", end))
        };
        let others = self.labels.iter().enumerate().filter(|(other, _)| *other != row);
        let context = &one.truth.context;
        let mut asked = Asked {
            one,
            row,
            context: context.clone(),
            country: country_of(context.country.as_ref()),
            partner: country_of(context.partner.as_ref()),
            tags,
            terms: BTreeSet::new(),
            places: BTreeSet::new(),
            sequence: countries(self.question.as_ref()),
            products: context.product.iter().chain(&one.code).cloned().collect(),
            words: BTreeSet::new(),
            periods: Vec::new(),
            row_periods: self.expected.iter().filter_map(|other| other.truth.context.period).collect(),
            question: self.question.clone(),
            siblings,
            label: stems(label)
                .chain(one.column.iter().flat_map(|column| column.split('_')).map(stem))
                .collect(),
            around: others.flat_map(|(_, label)| stems(label)).collect(),
            numbers: Vec::new(),
            ends: match (ends("more"), ends("less")) {
                // The first rows of a ranking are the largest.
                (false, false) => (one.rank.is_some() && self.labels.len() > 1, false),
                both => both,
            },
            reporter: self.question.as_ref().and_then(|question| reporter(&question.tokens)),
            rows: self.expected.len(),
        };
        self.question.iter().chain([label]).for_each(|text| asked.take(text));
        // The row's subject is part of the answer, so the question does not name it.
        let places = asked.places.clone();
        one.names.iter().for_each(|name| asked.take(&Sentence::of(name, &Names::default())));
        let texts = self.expected.iter().filter_map(|other| match &other.truth.content {
            Content::Value(Value::Text(text)) if other.names.is_empty() || std::ptr::eq(one, other) => {
                Some(text)
            }
            _ => None,
        });
        texts.for_each(|text| asked.words.extend(stems(&Sentence::of(text, &Names::default()))));
        Asked { places, ..asked }.with_context()
    }

    /// The context tags of a row, and the tags of other rows that it does not have.
    fn tags(&self, one: &Expected) -> (BTreeSet<Tag>, BTreeSet<Tag>) {
        let own = self.measures.get(one.data_point.as_str()).cloned().unwrap_or_default();
        let siblings: BTreeSet<Tag> =
            self.measures.values().flatten().filter(|tag| !own.contains(*tag)).copied().collect();
        let mut tags = self.question.as_ref().map(meanings).unwrap_or_default();
        tags.retain(|tag| !siblings.contains(tag));
        tags.extend(own);
        (tags, siblings)
    }
}

/// The country of a code.
fn country_of(code: Option<&String>) -> Option<CountryId> {
    // Trade statistics list Taiwan as "other Asia, not elsewhere specified".
    let code = code.map(|code| if code == "490" { "158" } else { code.as_str() })?;
    code.parse().ok()
}

/// The stems of a text.
fn stems(text: &Sentence) -> impl Iterator<Item = String> {
    text.tokens.iter().flat_map(|token| token.folded.split(' ')).map(stem)
}

/// The countries of a text, in order.
fn countries(text: Option<&Sentence>) -> Vec<CountryId> {
    let tokens = text.into_iter().flat_map(|text| &text.tokens);
    let id = |token: &Token| match token.kind {
        Kind::Country(id) => Some(id),
        _ => None,
    };
    tokens.filter_map(id).collect()
}

/// The context tags of a text.
fn meanings(text: &Sentence) -> BTreeSet<Tag> {
    text.tokens
        .iter()
        .flat_map(|token| &token.tags)
        .filter(|(kind, _)| MEANING.contains(kind))
        .copied()
        .collect()
}

impl Asked<'_> {
    fn take(&mut self, text: &Sentence) {
        for token in &text.tokens {
            match &token.kind {
                Kind::Country(id) => drop(self.places.insert(*id)),
                Kind::Product(code) => drop(self.products.insert((*code).to_owned())),
                Kind::Period(period) => self.periods.push(*period),
                Kind::Number(number) => self.numbers.push(number.number),
                _ => {}
            }
            self.terms.extend(token.terms.iter().copied());
            self.words.extend(token.folded.split(' ').filter(|word| word.len() > 1).map(stem));
        }
    }

    /// Adds tags of the context that the words do not state.
    fn with_context(mut self) -> Self {
        let flow = match self.context.flow.filter(|_| !self.tags.iter().any(|(kind, _)| *kind == "flow")) {
            Some(Flow::Export) => Some(("flow", "export")),
            Some(Flow::Import) => Some(("flow", "import")),
            None => None,
        };
        let statistic: &[Tag] = match self.context.statistic {
            Some(Statistic::Cagr | Statistic::Projection) => &[("modifier", "growth"), ("statistic", "cagr")],
            Some(Statistic::TotalGrowth) => &[("modifier", "growth"), ("statistic", "total_growth")],
            Some(Statistic::Change) => &[("modifier", "growth")],
            Some(Statistic::Share) => &[("statistic", "share")],
            _ => &[],
        };
        self.tags.extend(flow.iter().chain(statistic));
        self
    }
}

/// The names of the rows as they may appear in the answer.
pub(crate) fn row_names(expected: &[Expected], answer: &str) -> Names {
    let mut names = Names::default();
    let apart = |name: &str| -> Option<(String, String)> {
        let (name, code) = name.strip_suffix(')')?.rsplit_once(" (")?;
        Some((name.to_owned(), code.to_owned()))
    };
    let coded: Vec<(String, String)> =
        expected.iter().flat_map(|one| &one.names).filter_map(|name| apart(name)).collect();
    for (row, one) in expected.iter().enumerate() {
        for name in one.names.iter().filter(|name| atlas::lookup(name).is_none()) {
            names.add(name, row);
            // `Unspecified goods`: a generic noun does not change the name.
            ["goods", "services", "products"]
                .iter()
                .for_each(|kind| names.add(&format!("{name} {kind}"), row));
            // `8425 Industrial Machinery, other`
            if let Some((name, code)) = apart(name) {
                names.add(&format!("{code} {name}"), row);
                // A table may give the code in a separate column.
                let only = coded.iter().filter(|(other, _)| *other == name).count() == 1;
                if only && answer.contains(&code) {
                    names.add(&name, row);
                }
            }
            for rest in [", n.e.c", " and similar "] {
                name.split_once(rest).into_iter().for_each(|(start, _)| names.add(start, row));
            }
            if let Some((first, rest)) = name.split_once(", ") {
                names.add(&format!("{rest} {first}"), row);
            }
        }
    }
    names
}
