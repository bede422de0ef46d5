//! The values of a row, each with its context according to the row. Every leaf of a row is accounted for.

use std::str::FromStr;

use rust_decimal::Decimal;
use serde_json::{Map, Value as Json};

use super::about::{About, year};
use super::keys::{self, Measure, Role};
use super::record::text as scalar;
use crate::value::{Period, Quantity, Unit, Value, parse};

/// One value as another tool wrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The row in the record, from 0.
    pub row: usize,
    /// Its place in the row: `export_value`, `by_sector.product-HS92-401`.
    pub key: String,
    /// The measure's name, else the key: `export_value`, `available`.
    pub name: String,
    /// The measure, if the key states one.
    pub measure: Option<&'static Measure>,
    /// The value as written.
    pub text: String,
    /// The meaning of the text.
    pub content: FigureContent,
    /// The precise number beside it.
    pub raw: Option<Raw>,
    /// Its context.
    pub about: About,
}

/// The content of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum FigureContent {
    /// A number with the interval of its text, or a word.
    Value(Value),
    /// Nothing: null, an empty text, `N/A`.
    Nothing,
}

/// A precise number beside a displayed one, as written. A share may be a fraction.
#[derive(Debug, Clone, PartialEq)]
pub struct Raw {
    /// Its key.
    pub key: String,
    /// The number.
    pub number: Decimal,
}

/// A leaf of a row and its use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// The row, from 0.
    pub row: usize,
    /// Its place in the row.
    pub key: String,
    /// Its content.
    pub text: String,
    /// Its use.
    pub used: Use,
}

/// The use of a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// A value, with its index in the list of figures.
    Figure(usize),
    /// The precise number of the value with this index.
    Precise(usize),
    /// Context of other values.
    About,
    /// A remark.
    Note,
}

/// The values of the rows of a record, and all their leaves.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FigureRows {
    /// The values, in the order of the rows.
    pub figures: Vec<Figure>,
    /// Every leaf.
    pub leaves: Vec<Leaf>,
}

impl Figure {
    /// A name in a row, as its answer.
    #[must_use]
    pub(crate) fn of_words(row: usize, key: String, name: &str, text: String, about: About) -> Self {
        let content = FigureContent::Value(Value::Text(text.clone()));
        Self { row, key, name: name.to_owned(), measure: None, text, content, raw: None, about }
    }

    /// The number of a value with its interval.
    #[must_use]
    pub const fn quantity(&self) -> Option<&Quantity> {
        match &self.content {
            FigureContent::Value(Value::Quantity(quantity)) => Some(quantity),
            _ => None,
        }
    }

    /// The precise number in the unit of the value: a fraction beside a percentage becomes per cent. None if the two
    /// disagree, because then it is unknown which is right.
    #[must_use]
    pub fn precise(&self) -> Option<Decimal> {
        let (raw, quantity) = (self.raw.as_ref()?.number, self.quantity()?);
        let per_cent = || raw.checked_mul(Decimal::ONE_HUNDRED);
        let fits = |number: &Decimal| quantity.interval.contains(*number);
        Some(raw).filter(fits).or_else(|| per_cent().filter(|_| quantity.unit == Unit::Percent).filter(fits))
    }
}

/// The values of rows.
#[must_use]
pub fn figures(rows: &[Map<String, Json>]) -> FigureRows {
    let mut found = FigureRows::default();
    for (row, map) in rows.iter().enumerate() {
        let before = found.figures.len();
        let about = found.object(row, map, "", &About::default(), None);
        if found.figures.len() == before {
            found.named(row, map, about);
        }
    }
    found
}

impl FigureRows {
    /// Reads an object of a row. `of` is the measure named by the key above it. Returns the context of its values.
    fn object(
        &mut self,
        row: usize,
        map: &Map<String, Json>,
        above: &str,
        outer: &About,
        of: Option<&'static Measure>,
    ) -> About {
        let about = self.subjects(row, map, above, outer);
        for (key, value) in map {
            // a precise number is read with the key that it belongs to
            if is_subject(key, value) || displayed(map, key).is_some() {
                continue;
            }
            let measure = measure_of(key);
            let at = joined(above, key);
            let inner = about_key(&about, key, measure);
            match value {
                Json::Object(object) => self.nested(row, object, &at, &inner, measure),
                Json::Array(items) => {
                    for (index, item) in items.iter().enumerate() {
                        let at = format!("{at}[{index}]");
                        match item {
                            Json::Object(object) => {
                                self.object(row, object, &at, &inner, measure);
                            }
                            _ => self.value(row, at, key, item, measure, inner.clone(), None),
                        }
                    }
                }
                _ => {
                    let named = of.filter(|_| key == "value").or(measure);
                    if let Some(pairs) = pairs(value) {
                        self.object(row, &pairs, &at, &inner, named);
                    } else {
                        let raw = raw(map, key).map(|raw| (joined(above, &raw.key), raw));
                        self.value(row, at, key, value, named, inner, raw);
                    }
                }
            }
        }
        about
    }

    /// The context of an object's values, according to its own keys.
    fn subjects(&mut self, row: usize, map: &Map<String, Json>, above: &str, outer: &About) -> About {
        let mut about = outer.clone();
        for (key, value) in map.iter().filter(|(key, value)| is_subject(key, value)) {
            let (Role::Subject(subject), Some(text)) = (keys::of_row(key), scalar(value)) else { continue };
            let used = if subject == "note" { Use::Note } else { Use::About };
            about.set(subject, &text);
            self.leaves.push(Leaf { row, key: joined(above, key), text, used });
        }
        about
    }

    /// An object whose keys are years, products or names instead of known keys.
    fn nested(
        &mut self,
        row: usize,
        object: &Map<String, Json>,
        at: &str,
        about: &About,
        of: Option<&'static Measure>,
    ) {
        let is_known =
            |key: &String| !matches!(keys::of_row(key), Role::Unknown) || displayed(object, key).is_some();
        if object.keys().any(is_known) {
            self.object(row, object, at, about, of);
            return;
        }
        for (key, value) in object {
            let mut inner = about.clone();
            match year(key) {
                Some(year) => inner.period = Some(Period::year(year)),
                None => inner.of = Some(key.clone()),
            }
            let at = joined(at, key);
            match value {
                Json::Object(object) => self.nested(row, object, &at, &inner, of),
                _ => self.value(row, at, key, value, of, inner, None),
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one value with all that is known of its place")]
    fn value(
        &mut self,
        row: usize,
        at: String,
        key: &str,
        value: &Json,
        measure: Option<&'static Measure>,
        mut about: About,
        raw: Option<(String, Raw)>,
    ) {
        let place = self.figures.len();
        let of_row = || about.unit.as_deref().filter(|_| takes_unit(measure));
        let is_plain =
            key.eq_ignore_ascii_case("value") || measure.is_some_and(|one| one.unit == Some(Unit::Usd));
        let of_metric_text =
            || about.metric.as_deref().filter(|_| is_plain && takes_unit(measure)).and_then(keys::unit_in);
        let stated = keys::scale(key).or_else(of_row).or_else(of_metric_text);
        let stated = stated.and_then(|unit| with_unit(value, unit));
        let value = stated.as_ref().unwrap_or(value);
        let text = scalar(value).unwrap_or_default();
        let dated = dated(&text);
        about.period = about.period.or(dated.map(|(_, year)| Period::year(year)));
        self.leaves.push(Leaf { row, key: at.clone(), text: text.clone(), used: Use::Figure(place) });
        if let Some((key, raw)) = &raw {
            self.leaves.push(Leaf {
                row,
                key: key.clone(),
                text: raw.number.to_string(),
                used: Use::Precise(place),
            });
        }
        let name = measure.map_or_else(|| key.to_ascii_lowercase(), |measure| measure.name.clone());
        // a bare number of a money measure is an amount
        let named = measure.filter(|measure| measure.unit.is_some()).or_else(|| of_metric(&about));
        let content = match dated {
            Some((shown, _)) => content(&Json::String(shown.to_owned()), named),
            None => content(value, named),
        };
        self.figures.push(Figure {
            row,
            key: at,
            name,
            measure,
            text,
            content,
            raw: raw.map(|(_, raw)| raw),
            about,
        });
    }

    /// The answer of a row that names only years: `1995-2024`.
    fn years(&mut self, row: usize, about: About) {
        let Some(period) = about.period.filter(|period| period.start != period.end) else { return };
        let place = self.figures.len();
        let is_of = |leaf: &&mut Leaf| {
            leaf.row == row && matches!(keys::of_row(&leaf.key), Role::Subject("period" | "start" | "end"))
        };
        let Some(leaf) = self.leaves.iter_mut().find(is_of) else { return };
        leaf.used = Use::Figure(place);
        let key = leaf.key.clone();
        self.figures.push(Figure::of_words(row, key, "period", period.to_string(), about));
    }

    /// The answer of a row without a value: the product, sector or partner that it names.
    fn named(&mut self, row: usize, map: &Map<String, Json>, about: About) {
        let ranked = about.rank.is_some();
        let wanted = ["product", "sector", "partner", "group", "country", "code"];
        let answer = wanted.iter().filter(|subject| **subject != "country" || ranked).find_map(|wanted| {
            map.iter()
                .find(|(key, value)| keys::of_row(key) == Role::Subject(wanted) && scalar(value).is_some())
        });
        let Some((key, value)) = answer else { return self.years(row, about) };
        let place = self.figures.len();
        if let Some(leaf) = self.leaves.iter_mut().find(|leaf| leaf.row == row && leaf.key == *key) {
            leaf.used = Use::Figure(place);
        }
        let text = scalar(value).unwrap_or_default();
        self.figures.push(Figure::of_words(row, key.clone(), "name", text, about));
    }
}

/// Whether a key states the context of values.
fn is_subject(key: &str, value: &Json) -> bool {
    matches!(keys::of_row(key), Role::Subject(_)) && !value.is_object() && !value.is_array()
}

/// The measure that a key names, itself or as the precise number of another.
fn measure_of(key: &str) -> Option<&'static Measure> {
    let measure = |key: &str| match keys::of_row(key) {
        Role::Value(measure) => Some(measure),
        _ => None,
    };
    measure(key).or_else(|| measure(&keys::displayed_key(key)?))
}

/// The context of a key's value: that of its object, plus the name and year in the key itself.
fn about_key(object: &About, key: &str, measure: Option<&'static Measure>) -> About {
    let mut about = object.clone();
    if let Some(name) = measure.and_then(|measure| keys::beginning(key, measure)) {
        about.of = Some(name);
    }
    if let (name, Some(year)) = keys::split_year(key) {
        about.period = Some(Period::year(year));
        if measure.is_none() {
            about.of = Some(name.replace('_', " "));
        }
    }
    if let Some(year) = object.period.and_then(|period| keys::year_of(key, period)) {
        about.period = Some(Period::year(year));
    }
    about
}

/// The neighbouring key with the displayed value of this precise one.
fn displayed<'m>(map: &'m Map<String, Json>, key: &str) -> Option<&'m String> {
    let number = map.get(key).is_some_and(|value| value.is_null() || number(value).is_some());
    let (key, value) = keys::displayed_keys(key)
        .find_map(|shown| map.iter().find(|(other, _)| other.eq_ignore_ascii_case(&shown)))?;
    (number && !value.is_object() && !value.is_array()).then_some(key)
}

/// The precise number beside a displayed value.
fn raw(map: &Map<String, Json>, key: &str) -> Option<Raw> {
    map.iter().find_map(|(other, value)| {
        let is_of = displayed(map, other).is_some_and(|shown| shown == key);
        Some(Raw { key: other.clone(), number: number(value).filter(|_| is_of)? })
    })
}

fn number(value: &Json) -> Option<Decimal> {
    let text = match value {
        Json::Number(number) => number.to_string(),
        Json::String(text) => match parse(text)? {
            Value::Quantity(quantity) => return Some(quantity.number),
            Value::Text(_) => return None,
        },
        _ => return None,
    };
    Decimal::from_str(&text).or_else(|_| Decimal::from_scientific(&text)).ok()
}

/// Whether the unit of a row applies to a measure: a share beside an amount in euros is not in euros.
fn takes_unit(measure: Option<&Measure>) -> bool {
    measure.is_none_or(|measure| measure.unit.is_none_or(|unit| unit == Unit::Usd))
}

/// A bare number with the unit that its row or key states: `378 billion USD`. `None` if it is not bare.
fn with_unit(value: &Json, unit: &str) -> Option<Json> {
    let number = match value {
        Json::Number(_) => number(value)?.to_string(),
        Json::String(text) => Decimal::from_str(text.trim()).ok()?.to_string(),
        _ => return None,
    };
    // the unit names of our own records: `percent`, `persons`, `USD`
    let own = [unit.trim().to_uppercase(), unit.trim().to_lowercase().replace(' ', "_")];
    let own = own.into_iter().find_map(|name| serde_json::from_value(name.into()).ok());
    let sign = match own {
        None | Some(Unit::OtherCurrency) => keys::scale_first(unit),
        Some(Unit::Usd) => "USD".to_owned(),
        Some(Unit::Percent) => "%".to_owned(),
        Some(Unit::PercentagePoints) => "percentage points".to_owned(),
        // a count has no unit
        Some(_) => return None,
    };
    Some(Json::String(format!("{number} {sign}")))
}

/// Texts that mean no value.
const EMPTY: [&str; 7] = ["", "n/a", "na", "null", "none", "-", "nan"];

fn content(value: &Json, measure: Option<&Measure>) -> FigureContent {
    let unit = measure.and_then(|measure| measure.unit);
    let with_unit = |quantity: Quantity| match (quantity.unit, unit) {
        // a number without a unit has that of its key
        (Unit::Count | Unit::Index, Some(unit)) => quantity.with_unit(unit),
        _ => quantity,
    };
    match value {
        Json::Null => FigureContent::Nothing,
        Json::Number(_) => match number(value) {
            Some(number) => {
                let plain = if number.fract().is_zero() { Unit::Count } else { Unit::Index };
                FigureContent::Value(Value::Quantity(Quantity::exact(
                    number.normalize(),
                    unit.unwrap_or(plain),
                )))
            }
            None => FigureContent::Value(Value::Text(value.to_string())),
        },
        Json::String(text) if EMPTY.contains(&text.trim().to_ascii_lowercase().as_str()) => {
            FigureContent::Nothing
        }
        Json::String(text) => match parse(text) {
            Some(Value::Quantity(quantity)) => FigureContent::Value(Value::Quantity(with_unit(quantity))),
            Some(text) => FigureContent::Value(text),
            None => FigureContent::Nothing,
        },
        other => FigureContent::Value(Value::Text(other.to_string())),
    }
}

/// Parses a text of `key=value` pairs as an object.
fn pairs(value: &Json) -> Option<Map<String, Json>> {
    let text = value.as_str().filter(|text| text.contains('='))?;
    let mut found = Map::new();
    for part in text
        .split([';', '|', '\n'])
        .flat_map(|part| part.split(", "))
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        let (key, value) = part.split_once('=')?;
        let key = key.trim().to_ascii_lowercase().replace(' ', "_");
        if key.is_empty() || value.contains('=') || value.contains('(') && !value.contains(')') {
            return None;
        }
        found.insert(key, Json::String(value.trim().to_owned()));
    }
    (!found.is_empty()).then_some(found)
}

/// Parses a quantity followed by its year: `$2,274 (2024)`.
fn dated(text: &str) -> Option<(&str, i16)> {
    let (shown, year_of) = text.trim().strip_suffix(')')?.rsplit_once('(')?;
    let year = year(year_of.trim())?;
    matches!(parse(shown.trim()), Some(Value::Quantity(_))).then_some((shown.trim(), year))
}

/// The money measure that a row names as its metric: `Total exports`.
fn of_metric(about: &About) -> Option<&'static Measure> {
    let key = about.metric.as_deref()?.trim().to_lowercase().replace(' ', "_");
    match keys::of_row(&key) {
        Role::Value(measure) => Some(measure).filter(|it| it.unit == Some(Unit::Usd) && it.has_key(&key)),
        _ => None,
    }
}

fn joined(above: &str, key: &str) -> String {
    if above.is_empty() { key.to_owned() } else { format!("{above}.{key}") }
}

#[cfg(test)]
#[path = "figure_tests.rs"]
mod tests;
