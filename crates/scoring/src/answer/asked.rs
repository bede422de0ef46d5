//! What is asked of a data point: its context, the senses and the words of its question.

use std::collections::{BTreeMap, BTreeSet};

use super::Expected;
use crate::atlas::{self, CountryId};
use crate::compare::Content;
use crate::language::lexicon::{self, Tag};
use crate::language::sentence::{Kind, MEANING, Names, Sentence, Token};
use crate::value::{AnswerField, Basis, Context, Flow, Quantity, Scope, Statistic, Unit, Value};

/// A data point as the reader looks for it.
#[derive(Debug, Clone)]
pub(super) struct Asked<'a> {
    pub one: &'a Expected,
    pub row: usize,
    pub context: Context,
    pub country: Option<CountryId>,
    pub partner: Option<CountryId>,
    /// What the question, the measure's name and the record say.
    pub tags: BTreeSet<Tag>,
    /// Terms of the vocabulary in the question.
    pub terms: BTreeSet<Tag>,
    /// Countries that the question names.
    pub places: BTreeSet<CountryId>,
    /// The same, as the question names them.
    pub sequence: Vec<CountryId>,
    /// Products that the question names, by code.
    pub products: BTreeSet<String>,
    /// The words of the question and of the measure's name, without their endings.
    pub words: BTreeSet<String>,
    /// Periods that the question names.
    pub periods: Vec<crate::value::Period>,
    pub question: Option<Sentence>,
    /// What other rows of the record are of, and this one is not.
    pub siblings: BTreeSet<Tag>,
    /// The words of the measure's name and of the column.
    pub label: BTreeSet<String>,
    /// The words of the labels of the record's other rows.
    pub around: BTreeSet<String>,
    /// Numbers that the question or the measure's name holds.
    pub numbers: Vec<rust_decimal::Decimal>,
    /// Which ends of a comparison the question asks for: more, less.
    pub ends: (bool, bool),
    /// Whether the question names a place in an order: `the first opportunity`.
    pub asks_place: bool,
    /// Who the question says counted.
    pub reporter: Option<CountryId>,
    /// How many rows the record has.
    pub rows: usize,
}

/// A word without its ending.
pub(super) fn stem(word: &str) -> String {
    let bare =
        word.strip_suffix("ies").or_else(|| word.strip_suffix("es")).or_else(|| word.strip_suffix('s'));
    let bare = bare.filter(|bare| bare.len() > 2).unwrap_or(word);
    let bare = bare
        .strip_suffix("ing")
        .or_else(|| bare.strip_suffix("ed"))
        .filter(|bare| bare.len() > 3)
        .unwrap_or(bare);
    let bare = word
        .strip_suffix("ity")
        .or_else(|| word.strip_suffix("ities"))
        .filter(|bare| bare.len() > 5)
        .unwrap_or(bare);
    let bare = bare.strip_suffix('y').filter(|bare| bare.len() > 4).unwrap_or(bare);
    bare.trim_end_matches('e').to_owned()
}

fn place(code: Option<&String>) -> Option<CountryId> {
    // trade statistics file Taiwan under "other Asia, not elsewhere specified"
    let code = code.map(|code| if code == "490" { "158" } else { code.as_str() })?;
    code.parse().ok()
}

impl<'a> Asked<'a> {
    /// What is asked of every row of a record.
    pub(super) fn of(expected: &'a [Expected], question: Option<&str>) -> Vec<Self> {
        let none = Names::default();
        let question = question.map(|question| Sentence::of(question, &none));
        let labels: Vec<Sentence> = expected.iter().map(|one| Sentence::of(&one.metric, &none)).collect();
        let own = |at: usize| -> BTreeSet<Tag> {
            let (Some(one), Some(label)) = (expected.get(at), labels.get(at)) else { return BTreeSet::new() };
            let mut tags = meanings(label);
            if let Some(measure) = lexicon::measure(&one.data_point) {
                let names = std::iter::once(&measure.family).chain(&measure.also).chain(&measure.needs);
                tags.extend(names.filter_map(|name| lexicon::known(name)));
            }
            tags
        };
        let mut groups: BTreeMap<&str, BTreeSet<Tag>> = BTreeMap::new();
        for (at, one) in expected.iter().enumerate() {
            groups.entry(one.data_point.as_str()).or_default().extend(own(at));
        }
        let all: BTreeSet<Tag> = groups.values().flatten().copied().collect();
        (0..expected.len())
            .filter_map(|row| {
                let one = expected.get(row)?;
                let own = groups.get(one.data_point.as_str()).cloned().unwrap_or_default();
                let siblings: BTreeSet<Tag> = all.difference(&own).copied().collect();
                let mut tags = question.as_ref().map(meanings).unwrap_or_default();
                if groups.len() > 1 {
                    tags.retain(|tag| !siblings.contains(tag));
                }
                tags.extend(own);
                let mut asked = Self {
                    one,
                    row,
                    context: one.truth.context.clone(),
                    country: place(one.truth.context.country.as_ref()),
                    partner: place(one.truth.context.partner.as_ref()),
                    tags,
                    terms: BTreeSet::new(),
                    places: BTreeSet::new(),
                    sequence: Vec::new(),
                    products: one.truth.context.product.iter().chain(&one.code).cloned().collect(),
                    words: BTreeSet::new(),
                    periods: Vec::new(),
                    question: question.clone(),
                    siblings,
                    label: BTreeSet::new(),
                    around: BTreeSet::new(),
                    numbers: Vec::new(),
                    ends: (false, false),
                    asks_place: false,
                    reporter: question.as_ref().and_then(|question| super::side::reporter(&question.tokens)),
                    rows: expected.len(),
                };
                let mut tokens = question.iter().flat_map(|question| &question.tokens);
                asked.asks_place = tokens.any(|token| token.listed("ordinal"));
                for text in question.iter().chain(labels.get(row)) {
                    asked.take(text);
                }
                for token in question.as_ref().or(labels.get(row)).into_iter().flat_map(|text| &text.tokens) {
                    asked.ends.0 |= token.is("comparative", "more");
                    asked.ends.1 |= token.is("comparative", "less");
                }
                asked.sequence = countries(question.as_ref());
                let places = asked.places.clone();
                for name in &one.names {
                    asked.take(&Sentence::of(name, &none));
                }
                asked.places = places;
                if let Some(label) = labels.get(row) {
                    asked
                        .label
                        .extend(label.tokens.iter().flat_map(|token| token.folded.split(' ')).map(stem));
                }
                let others = labels.iter().enumerate().filter(|(other, _)| *other != row);
                let others = others.flat_map(|(_, label)| &label.tokens);
                asked.around.extend(others.flat_map(|token| token.folded.split(' ')).map(stem));
                asked.label.extend(one.column.iter().flat_map(|column| column.split('_')).map(stem));
                asked.fill();
                Some(asked)
            })
            .collect()
    }

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

    /// What the context says that the words do not.
    fn fill(&mut self) {
        let flow = match self.context.flow {
            Some(Flow::Export) => Some(("flow", "export")),
            Some(Flow::Import) => Some(("flow", "import")),
            None => None,
        };
        self.tags.extend(flow.filter(|_| !self.tags.iter().any(|(kind, _)| *kind == "flow")));
        match self.context.statistic {
            Some(Statistic::Cagr | Statistic::Projection) => {
                self.tags.extend([("modifier", "growth"), ("statistic", "cagr")]);
            }
            Some(Statistic::TotalGrowth) => {
                self.tags.extend([("modifier", "growth"), ("statistic", "total_growth")])
            }
            Some(Statistic::Change) => self.tags.extend([("modifier", "growth")]),
            Some(Statistic::Share) => self.tags.extend([("statistic", "share")]),
            _ => {}
        }
    }

    pub(super) fn has(&self, kind: &str, value: &str) -> bool {
        self.tags.iter().any(|tag| tag.0 == kind && tag.1 == value)
    }

    /// The number that is asked for.
    pub(super) fn number(&self) -> Option<&Quantity> {
        match &self.one.truth.content {
            Content::Value(Value::Quantity(quantity)) => Some(quantity),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match &self.one.truth.content {
            Content::Value(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub(super) fn fields(&self) -> &[AnswerField] {
        if self.one.answers.is_empty() { &[AnswerField::Value] } else { &self.one.answers }
    }

    /// Whether the value is a change, whose direction is its sign.
    pub(super) fn is_change(&self) -> bool {
        matches!(
            self.context.statistic,
            Some(
                Statistic::Change
                    | Statistic::TotalGrowth
                    | Statistic::Cagr
                    | Statistic::Projection
                    | Statistic::RankChange
            )
        ) || self.number().is_some_and(|quantity| quantity.unit == Unit::Positions)
    }

    /// Whether a share of the world's exports is asked for.
    pub(super) fn of_world(&self) -> bool {
        (self.has("metric", "world_trade") || self.has("metric", "market_share"))
            && self.number().is_some_and(|number| {
                number.unit == Unit::Percent && self.context.statistic == Some(Statistic::Share)
            })
    }

    /// Whether what the whole world trades is asked for, and no share of it.
    pub(super) fn is_of_the_world(&self) -> bool {
        self.has("metric", "world_trade")
            && !self.has("metric", "market_share")
            && self.context.statistic != Some(Statistic::Share)
    }

    /// The flow that the words ask for, where they name one.
    pub(super) fn flow(&self) -> Option<Flow> {
        match (self.has("flow", "export"), self.has("flow", "import")) {
            (true, false) => Some(Flow::Export),
            (false, true) => Some(Flow::Import),
            _ => None,
        }
    }

    /// Whether the value is a balance, whose sign may be said as a surplus or a deficit.
    pub(super) fn is_balance(&self) -> bool {
        self.has("metric", "trade_balance")
            || self.has("metric", "current_account")
            || self.words.contains("surplu")
            || self.one.data_point.contains("balance")
    }

    /// Whether a phrase that says what something is of may stand at what is asked for.
    pub(super) fn allows(&self, tag: Tag) -> bool {
        if self.tags.contains(&tag) {
            return true;
        }
        let any = |kind: &str| self.tags.iter().any(|(own, _)| *own == kind);
        match tag {
            ("metric", "trade" | "trade_balance") if self.is_balance() => true,
            ("metric", "trade") => [
                "trade",
                "world_trade",
                "market_share",
                "new_products",
                "rca",
                "trade_balance",
                "current_account",
                "diversity",
            ]
            .iter()
            .any(|metric| self.has("metric", metric)),
            ("metric", "world_trade") => self.country.is_none() || self.has("metric", "market_share"),
            ("metric", "market_share") => self.has("metric", "world_trade"),
            ("metric", "gdp_per_capita") => {
                self.has("modifier", "per_person") && self.has("metric", "total_gdp")
            }
            ("metric", "population") => self.has("modifier", "per_person"),
            ("metric", "projection") => self.context.statistic == Some(Statistic::Projection),
            ("metric", "pci") if self.knows("complex") => true,
            ("modifier", "per_person") => self.has("metric", "gdp_per_capita"),
            ("flow", "import") if !self.is_balance() => {
                !any("flow") && (!any("metric") || self.has("metric", "trade"))
            }
            ("flow", _) => !any("flow") || self.is_balance(),
            // what is exported of a service is an export of services; a share of them has another base
            ("scope", "services")
                if self.is_of_services() && self.context.statistic != Some(Statistic::Share) =>
            {
                true
            }
            ("scope", value) => match self.context.scope {
                Some(Scope::Goods) => value == "goods",
                Some(Scope::Services) => value == "services",
                Some(Scope::GoodsAndServices) => value == "goods_and_services",
                _ if any("scope") => false,
                _ => value == "goods_and_services" || (value == "goods" && !self.products.is_empty()),
            },
            ("basis", "current") => {
                !matches!(self.context.basis, Some(Basis::Constant))
                    && !self.has("basis", "constant")
                    && !self.has("modifier", "ppp")
            }
            ("basis", _) => matches!(self.context.basis, Some(Basis::Constant)),
            ("statistic", "cagr") => self.number().is_none_or(|number| {
                matches!(self.context.statistic, Some(Statistic::Cagr | Statistic::Projection))
                    && number.unit == Unit::Percent
            }),
            ("statistic", "total_growth") => {
                !matches!(self.context.statistic, Some(Statistic::Cagr | Statistic::Projection))
                    && !self.has("statistic", "cagr")
            }
            ("statistic", "share") => {
                self.number()
                    .is_some_and(|number| matches!(number.unit, Unit::Percent | Unit::PercentagePoints))
                    && (self.has("statistic", "share") || self.knows("share"))
            }
            ("classification", value) => self
                .context
                .classification
                .is_some_and(|own| serde_json::to_value(own).is_ok_and(|own| own == value)),
            ("group", "world") => self.has("metric", "world_trade") && self.country.is_none(),
            ("group", value) if value.ends_with("_income") => {
                self.text().is_some_and(|text| text.contains("income"))
            }
            ("part", "whole") => {
                self.products.is_empty() && !self.terms.iter().any(|term| term.0 == "sector")
            }
            ("part", "sum") => self.rows == 1,
            ("part", "all_partners") => self.partner.is_none(),
            ("part", "single_year") => self.context.period.is_none_or(|own| own.start == own.end),
            // `the region's exports`, where a group of countries is asked for
            ("part", "region_itself") => self.country.is_none() && any("group"),
            ("part", "combined") => {
                self.knows("together")
                    || self.knows("total")
                    || any("group")
                    || self.context.scope == Some(Scope::GoodsAndServices)
            }
            ("level", _) => !any("level"),
            ("direction", _) => true,
            ("modifier", "growth") => self.is_change(),
            _ => false,
        }
    }

    /// Whether all products that are asked about are services.
    fn is_of_services(&self) -> bool {
        let is_service = |code: &String| ["ict", "travel", "transport", "financial"].contains(&code.as_str());
        !self.products.is_empty() && self.products.iter().all(is_service)
    }

    /// Whether a word stands in the label of another row.
    pub(super) fn of_another_row(&self, folded: &str) -> bool {
        folded.split(' ').all(|word| self.around.contains(&stem(word)))
    }

    /// Whether words say the label of another row and nothing of this one's: `complexity – second` of a distance.
    pub(super) fn is_labelled_otherwise(&self, stems: &BTreeSet<String>) -> bool {
        let only = |own: &BTreeSet<String>, other: &BTreeSet<String>| {
            stems.iter().any(|word| own.contains(word) && !other.contains(word))
        };
        only(&self.around, &self.label) && !only(&self.label, &self.around)
    }

    /// Whether a word stands in the question or in the measure's name.
    pub(super) fn knows(&self, folded: &str) -> bool {
        folded.split(' ').all(|word| matches!(word, "s" | "a" | "i") || self.words.contains(&stem(word)))
    }
}

/// The names of the rows, so that they are found in the answer.
pub(super) fn row_names(expected: &[Expected], answer: &str) -> Names {
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
            // `Unspecified goods`: what kind of thing it is narrows nothing
            ["goods", "services", "products"]
                .iter()
                .for_each(|kind| names.add(&format!("{name} {kind}"), row));
            // `8425 Industrial Machinery, other`
            if let Some((name, code)) = apart(name) {
                names.add(&format!("{code} {name}"), row);
                // a table gives the code in a column of its own
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

/// The countries of a text, in order.
fn countries(text: Option<&Sentence>) -> Vec<CountryId> {
    let tokens = text.into_iter().flat_map(|text| &text.tokens);
    let id = |token: &Token| match token.kind {
        Kind::Country(id) => Some(id),
        _ => None,
    };
    tokens.filter_map(id).collect()
}

/// What a text says that it is of.
fn meanings(text: &Sentence) -> BTreeSet<Tag> {
    text.tokens
        .iter()
        .flat_map(|token| &token.tags)
        .filter(|(kind, _)| MEANING.contains(kind))
        .copied()
        .collect()
}

impl Asked<'_> {
    pub(super) fn is_projection(&self) -> bool {
        self.context.statistic == Some(Statistic::Projection) || self.has("metric", "projection")
    }

    /// What another row is not of and this one is.
    pub(super) fn siblings_of(&self, other: &Self) -> BTreeSet<Tag> {
        other.siblings.difference(&self.siblings).copied().collect()
    }

    /// Whether the question names several countries, none of which the record holds as its own.
    pub(super) fn siblings_share_places(&self) -> bool {
        self.places.len() > 1 && self.partner.is_none() && self.text().is_some()
    }
}

impl Asked<'_> {
    /// What the question asks a share of.
    pub(super) fn base(&self) -> Option<BTreeSet<Tag>> {
        self.share_of().and_then(super::base::first_measure)
    }

    /// The scope of what the question asks a share of.
    pub(super) fn base_scope(&self) -> Option<&'static str> {
        self.share_of().and_then(super::base::scope_of)
    }

    /// The question from the `of` of a share on.
    fn share_of(&self) -> Option<&[Token]> {
        let tokens = &self.question.as_ref()?.tokens;
        let is_share = |token: &Token| {
            ["share", "part", "proportion", "percentage"]
                .iter()
                .any(|word| token.folded.split(' ').any(|own| own == *word))
        };
        let shares: Vec<usize> =
            (0..tokens.len()).filter(|at| tokens.get(*at).is_some_and(is_share)).collect();
        // a question for as many shares as there are rows names them in the order of the rows
        let own = if shares.len() == self.rows { self.row } else { 0 };
        let at = *shares.get(own)?;
        let rest = tokens.get(at + 1..)?;
        let is_of = |token: &Token| token.folded == "of" || token.folded.ends_with(" of");
        (is_of(tokens.get(at)?) || rest.first().is_some_and(is_of)).then_some(rest)
    }
}
