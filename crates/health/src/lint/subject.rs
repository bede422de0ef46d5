//! The input of rules: a record with its question, its values and its parsed address.

use jiff::Timestamp;
use rust_decimal::Decimal;

use crate::atlas::{AtlasUrl, CountryId, Explore, ParsedUrl, SitePage, UrlError, lookup};
use crate::external::keys::{self, Role};
use crate::external::{Figure, FigureContent, FigureRows, ForeignRecord, Leaf, Use, figures};
use crate::manifest::{Asked, QuestionId};
use crate::value::{Classification, Interval, Unit, Value};

/// A record with its context.
#[derive(Debug)]
pub struct LintSubject<'a> {
    /// The record.
    pub record: &'a ForeignRecord,
    /// Its question.
    pub asked: Option<&'a Asked>,
    /// Its values.
    pub(super) rows: FigureRows,
    /// Its parsed address, if it has one.
    pub(super) page: Option<Result<ParsedUrl, UrlError>>,
    /// Whether a row states why it has no value.
    pub(super) is_absent: bool,
    /// The neighbouring questions.
    pub(super) beside: [Option<(&'a QuestionId, &'a Asked)>; 2],
    /// The time of the check, if it matters.
    pub(super) now: Option<Timestamp>,
}

/// Keys that this program adds to a value. They repeat or describe it.
const OWN_KEYS: [&str; 5] = ["data_point", "number", "unit", "answers", "absence"];

impl<'a> LintSubject<'a> {
    /// Parses a record.
    #[must_use]
    pub fn new(record: &'a ForeignRecord, asked: Option<&'a Asked>) -> Self {
        let mut rows = figures(&record.rows);
        let is_own = |row: usize| record.rows.get(row).is_some_and(|row| row.contains_key("data_point"));
        let repeats = |row: usize, key: &str| {
            is_own(row)
                && OWN_KEYS.iter().any(|own| {
                    key.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
                })
        };
        rows.figures.retain(|figure| !repeats(figure.row, &figure.key));
        rows.leaves.retain(|leaf| !repeats(leaf.row, &leaf.key));
        let address = record.address.as_deref().or_else(|| asked?.address.as_deref());
        Self {
            record,
            asked,
            rows,
            page: address.map(AtlasUrl::parse),
            is_absent: record.rows.iter().any(|row| row.contains_key("absence")),
            beside: [None, None],
            now: None,
        }
    }

    /// The same subject with neighbouring questions.
    #[must_use]
    pub const fn between(mut self, beside: [Option<(&'a QuestionId, &'a Asked)>; 2]) -> Self {
        self.beside = beside;
        self
    }

    /// The same subject, checked at a time.
    #[must_use]
    pub const fn at(mut self, now: Timestamp) -> Self {
        self.now = Some(now);
        self
    }

    /// Whether this program wrote the record.
    pub(super) fn is_own(&self) -> bool {
        self.record.is_own()
    }

    /// The number that a record of this program states beside a value.
    pub(super) fn own_number(&self, figure: &Figure) -> Option<Decimal> {
        let row = self.record.rows.get(figure.row).filter(|row| row.contains_key("data_point"))?;
        let text = match row.get("number").filter(|_| figure.key == "value")? {
            serde_json::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        Decimal::from_str_exact(&text).or_else(|_| Decimal::from_scientific(&text)).ok()
    }

    /// Whether the question has an expected behavior instead of a page.
    pub(super) fn has_behavior(&self) -> bool {
        self.record.behavior.is_some() || self.asked.is_some_and(|asked| asked.has_behavior)
    }

    pub(super) fn address(&self) -> Option<&str> {
        self.record.address.as_deref().or_else(|| self.asked?.address.as_deref())
    }

    /// The page that is proposed, if neither record nor question names one.
    pub(super) fn proposed(&self) -> Option<&str> {
        self.asked?.proposed.as_deref().filter(|_| self.page.is_none())
    }

    /// The page, if the address is valid.
    pub(super) fn page(&self) -> Option<&SitePage> {
        Some(&self.page.as_ref()?.as_ref().ok()?.url.page)
    }

    pub(super) fn explore(&self) -> Option<&Explore> {
        match self.page()? {
            SitePage::Explore(explore) => Some(explore),
            SitePage::Country { .. } => None,
        }
    }

    /// The countries in the address.
    pub(super) fn countries_of_page(&self) -> Vec<CountryId> {
        let page = self.page.as_ref().and_then(|page| page.as_ref().ok());
        page.map(|page| page.url.countries()).unwrap_or_default()
    }

    /// The values by row.
    pub(super) fn by_row(&self) -> impl Iterator<Item = &[Figure]> {
        self.rows.figures.chunk_by(|a, b| a.row == b.row)
    }

    /// The numeric values.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &Figure> {
        self.rows.figures.iter().filter(|figure| figure.quantity().is_some())
    }

    /// The leaves, without remarks.
    pub(super) fn leaves(&self) -> impl Iterator<Item = &Leaf> {
        self.rows.leaves.iter().filter(|leaf| leaf.used != Use::Note)
    }

    /// The classifications in the words, codes and keys of rows.
    pub(super) fn classes(&self) -> Vec<(Classification, String)> {
        let mut found: Vec<(Classification, String)> = Vec::new();
        let mut add = |class: Classification, key: String| {
            if !found.iter().any(|(known, _)| *known == class) {
                found.push((class, key));
            }
        };
        for figure in &self.rows.figures {
            if let Some(class) = figure.about.classification {
                add(class, place(figure.row, &figure.key));
            }
        }
        for leaf in self.leaves() {
            if let Some(class) =
                class_of_id(&leaf.text).or_else(|| leaf.key.split('.').find_map(class_of_key))
            {
                add(class, place(leaf.row, &leaf.key));
            }
        }
        found
    }

    /// The years in rows, in any form.
    pub(super) fn years(&self) -> Vec<i16> {
        let mut years: Vec<i16> = self
            .rows
            .figures
            .iter()
            .filter_map(|figure| figure.about.period)
            .flat_map(|period| [period.start, period.end])
            .collect();
        years.sort_unstable();
        years.dedup();
        years
    }

    /// Whether the rows have nothing but a span of years.
    pub(super) fn years_alone(&self) -> bool {
        self.leaves().any(|leaf| matches!(keys::of_row(&leaf.key), Role::Subject("start" | "end" | "period")))
    }

    /// The first and last year in the address.
    pub(super) fn years_of_page(&self) -> Option<(i16, i16)> {
        let explore = self.explore()?;
        match (explore.start_year, explore.end_year, explore.year) {
            (Some(start), Some(end), _) => Some((start, end)),
            (Some(year), None, _) | (None, Some(year), _) | (None, None, Some(year)) => Some((year, year)),
            (None, None, None) => None,
        }
    }
}

/// A key of a row, as written in the file.
pub(super) fn place(row: usize, key: &str) -> String {
    if key.is_empty() { format!("results.data[{row}]") } else { format!("results.data[{row}].{key}") }
}

/// The key of a value, as written in the file.
pub(super) fn place_of(figure: &Figure) -> String {
    place(figure.row, &figure.key)
}

/// The classification of a product's internal id.
fn class_of_id(text: &str) -> Option<Classification> {
    text.starts_with("product-")
        .then(|| text.parse::<crate::atlas::ProductId>().ok())
        .flatten()
        .map(|id| id.classification)
}

/// The classification in a key: `hs92_code`, or an id used as key.
fn class_of_key(key: &str) -> Option<Classification> {
    let lower = key.to_ascii_lowercase();
    let named = [
        ("hs92_", Classification::Hs92),
        ("hs12_", Classification::Hs12),
        ("hs22_", Classification::Hs22),
        ("sitc_", Classification::Sitc),
    ];
    let counts = lower.ends_with("_count");
    named
        .into_iter()
        .find(|(start, _)| lower.starts_with(start) && !counts)
        .map(|(_, class)| class)
        .or_else(|| class_of_id(key))
}

/// The interval of a value: all numbers that round to its digits, unless it states its own
/// rounding.
pub(super) fn interval(figure: &Figure) -> Option<Interval> {
    let quantity = figure.quantity()?;
    if !quantity.interval.is_point() {
        return Some(quantity.interval);
    }
    let scale = quantity.number.scale();
    let half = Decimal::new(5, scale + 1);
    Some(Interval::around(quantity.number, half))
}

/// Whether a value is an amount of money.
pub(super) fn is_money(figure: &Figure) -> bool {
    let Some(quantity) = figure.quantity() else { return false };
    let bare =
        matches!(quantity.unit, Unit::Count | Unit::Index) && quantity.number.abs() >= Decimal::from(100_000);
    quantity.unit == Unit::Usd || bare
}

/// The country named by a text.
pub(super) fn country(text: &str) -> Option<CountryId> {
    lookup(text).map(|entity| entity.id)
}

/// The precise value, or else the number in its digits.
pub(super) fn exact(figure: &Figure) -> Option<Decimal> {
    figure.precise().or_else(|| Some(figure.quantity()?.number))
}

/// The words of a value that is not a number.
pub(super) fn words(figure: &Figure) -> Option<&str> {
    match &figure.content {
        FigureContent::Value(Value::Text(text)) => Some(text),
        _ => None,
    }
}

/// The number of significant digits.
pub(super) fn digits(number: Decimal) -> usize {
    number.normalize().mantissa().unsigned_abs().to_string().trim_end_matches('0').len()
}

/// The measure in lower case, from the row's words and the key.
pub(super) fn metric(figure: &Figure) -> String {
    format!("{} {}", figure.about.metric.as_deref().unwrap_or_default(), figure.key.replace('_', " "))
        .to_lowercase()
}
