//! The meanings of keys in foreign records, from `keys.toml`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rust_decimal::Decimal;
use serde::Deserialize;

use crate::compiled_in;
use crate::truth::SourceMethod;
use crate::value::{Absence, Flow, Period, Statistic, Unit, Value, parse};

const KEYS: &str = include_str!("keys.toml");

/// Key names by meaning.
type Names = BTreeMap<String, Vec<String>>;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    record: Names,
    verification: Names,
    method: BTreeMap<String, Vec<String>>,
    subject: Names,
    absence: Names,
    side: Names,
    behind: Behind,
    measure: Vec<Measure>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Behind {
    prefixes: Vec<String>,
    suffixes: Vec<String>,
    displayed: Vec<String>,
}

/// A measure, with the keys that hold it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// Its name: `export_value`, `share`.
    pub name: String,
    /// Keys that hold it.
    keys: Vec<String>,
    /// Key suffixes that hold it for the subject in the prefix: `korea_exports`.
    #[serde(default)]
    ends: Vec<String>,
    /// The unit.
    pub unit: Option<Unit>,
    /// The statistic: level, share, rank, growth.
    pub statistic: Option<Statistic>,
    /// The flow.
    pub flow: Option<Flow>,
}

impl Measure {
    /// Whether a key is listed, rather than only ending in a suffix.
    pub(super) fn has_key(&self, key: &str) -> bool {
        self.keys.iter().any(|own| own == key)
    }
}

/// The role of a key in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It states the context: `country`, `product`, `year` (the name in `[subject]`).
    Subject(&'static str),
    /// It holds a value of this measure.
    Value(&'static Measure),
    /// Unknown. The value keeps its own name.
    Unknown,
}

fn file() -> &'static File {
    static FILE: OnceLock<File> = OnceLock::new();
    FILE.get_or_init(|| compiled_in::toml("keys.toml", KEYS))
}

fn meaning(names: &'static Names, key: &str) -> Option<&'static str> {
    names
        .iter()
        .find(|(_, keys)| keys.iter().any(|known| known.eq_ignore_ascii_case(key)))
        .map(|(meaning, _)| meaning.as_str())
}

/// The meaning of a key of the record itself: `id`, `time`, `data`.
#[must_use]
pub(crate) fn of_record(key: &str) -> Option<&'static str> {
    meaning(&file().record, key)
}

/// The meanings of a key in a verification: `value`, `shown`, `matches`. The first unused one
/// applies.
pub(crate) fn of_verification(key: &str) -> impl Iterator<Item = &'static str> {
    let key = key.to_owned();
    file()
        .verification
        .iter()
        .filter(move |(_, keys)| keys.iter().any(|known| known.eq_ignore_ascii_case(&key)))
        .map(|(meaning, _)| meaning.as_str())
}

/// The source method for another tool's word, and whether the word also states a check of the page. Only the five methods
/// and the words listed for them count: a word that merely contains `browser` does not say that a page was read.
#[must_use]
pub fn method(word: &str) -> Option<(SourceMethod, bool)> {
    let (name, _) = file().method.iter().find(|(name, others)| {
        name.eq_ignore_ascii_case(word) || others.iter().any(|other| other.eq_ignore_ascii_case(word))
    })?;
    let method: SourceMethod = serde_json::from_value(name.clone().into()).ok()?;
    let is_api = method.strength() < crate::truth::Strength::PageResponse;
    Some((method, is_api && word.to_ascii_lowercase().contains("browser")))
}

/// The role of a row's key.
#[must_use]
pub fn of_row(key: &str) -> Role {
    let file = file();
    if let Some(subject) = meaning(&file.subject, key) {
        return Role::Subject(subject);
    }
    // `export_value_2016` means the same as `export_value`
    let key = split_year(key).0.to_ascii_lowercase();
    let whole = file.measure.iter().find(|measure| measure.keys.contains(&key));
    let by_end = || {
        let ends = |measure: &&Measure| measure.ends.iter().any(|end| key.ends_with(end.as_str()));
        file.measure.iter().find(ends)
    };
    whole.or_else(by_end).map_or(Role::Unknown, Role::Value)
}

/// Why there is no value, if this key is `false`.
#[must_use]
pub fn absence(key: &str) -> Option<Absence> {
    serde_json::from_value(meaning(&file().absence, key)?.into()).ok()
}

/// The subject in a key such as `korea_exports`: `korea`. None for the measure's own key.
#[must_use]
pub fn beginning(key: &str, measure: &Measure) -> Option<String> {
    let key = split_year(key).0.to_ascii_lowercase();
    if measure.keys.contains(&key) {
        return None;
    }
    let end = measure.ends.iter().find(|end| key.ends_with(end.as_str()))?;
    let name = key.strip_suffix(end.as_str())?.replace('_', " ");
    (!name.is_empty()).then_some(name)
}

/// Splits the trailing year off a key: `ict_2015`.
#[must_use]
pub(crate) fn split_year(key: &str) -> (&str, Option<i16>) {
    let year = |text: &str| text.parse().ok().filter(|year| (1900..=2100).contains(year));
    match key.rsplit_once('_') {
        Some((name, digits)) if digits.len() == 4 => match year(digits) {
            Some(year) => (name, Some(year)),
            None => (key, None),
        },
        _ => (key, None),
    }
}

/// The scale at the end of a key, as values know it: `millions` for `exports_millions`, but not `year` for `last_year`.
pub(super) fn scale(key: &str) -> Option<&str> {
    let last = split_year(key).0.rsplit_once('_')?.1;
    is_scale(last).then_some(last)
}

/// Whether a word is a scale: `millions`.
fn is_scale(word: &str) -> bool {
    matches!(parse(&format!("1 {word}")), Some(Value::Quantity(one)) if one.number > Decimal::ONE)
}

/// The unit or scale that a metric states: `USD billions` of `Total exports in USD billions`, `millions` of `Population
/// (millions)`.
pub(super) fn unit_in(metric: &str) -> Option<&str> {
    let inside = metric.trim().strip_suffix(')').and_then(|text| text.rsplit_once('(')).map(|(_, unit)| unit);
    let behind = || metric.rsplit_once(" in ").map(|(_, unit)| unit);
    let is_unit = |unit: &&str| match parse(&format!("1 {}", scale_first(unit))) {
        Some(Value::Quantity(one)) => {
            one.number > Decimal::ONE || !matches!(one.unit, Unit::Count | Unit::Index)
        }
        _ => false,
    };
    inside.into_iter().chain(behind()).map(str::trim).find(is_unit)
}

/// A unit as values know it, with the scale in front: `billion USD` for `USD billions`.
pub(super) fn scale_first(unit: &str) -> String {
    let spelled = unit.trim().strip_prefix('$').map(|rest| format!("USD {rest}"));
    let unit = spelled.as_deref().unwrap_or(unit).trim();
    let words = unit.split_whitespace().filter(|word| !word.eq_ignore_ascii_case("of"));
    let (scales, others): (Vec<&str>, Vec<&str>) = words.partition(|word| is_scale(word));
    if scales.is_empty() {
        return unit.to_owned();
    }
    [scales, others].concat().join(" ")
}

/// The key whose precise value this key holds: `export_value` for `raw_export_value`.
#[must_use]
pub(crate) fn displayed_key(key: &str) -> Option<String> {
    displayed_keys(key).next()
}

/// The keys whose precise value this key may hold, likeliest first: `change`, `change_pct` for
/// `raw_change`.
pub(super) fn displayed_keys(key: &str) -> impl Iterator<Item = String> {
    let behind = &file().behind;
    let lower = key.to_ascii_lowercase();
    let mut bare = lower.as_str();
    for prefix in &behind.prefixes {
        bare = bare.strip_prefix(prefix.as_str()).unwrap_or(bare);
    }
    for suffix in &behind.suffixes {
        bare = bare.strip_suffix(suffix.as_str()).unwrap_or(bare);
    }
    let bare = (bare != lower && !bare.is_empty()).then(|| bare.to_owned());
    bare.into_iter().flat_map(|bare| behind.displayed.iter().map(move |form| form.replace("{}", &bare)))
}

/// The year of a period that a key's value belongs to: the first for `start_value`, the last for
/// `raw_end_value`.
pub(crate) fn year_of(key: &str, period: Period) -> Option<i16> {
    let lower = displayed_key(key).unwrap_or_else(|| key.to_ascii_lowercase());
    let is = |side: &str| {
        file()
            .side
            .get(side)
            .is_some_and(|starts| starts.iter().any(|start| lower.starts_with(start.as_str())))
    };
    match (is("start"), is("end")) {
        (true, _) => Some(period.start),
        (_, true) => Some(period.end),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_can_be_read_and_no_key_of_a_row_means_two_things() {
        let file: File = toml::from_str(KEYS).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        let subjects = file.subject.values().flatten();
        for key in subjects.chain(file.measure.iter().flat_map(|measure| &measure.keys)) {
            assert!(seen.insert(key.clone()), "{key} stands twice");
        }
        assert!(file.absence.values().flatten().all(|key| absence(key).is_some()));
        for word in file.method.keys().chain(file.method.values().flatten()) {
            assert!(method(word).is_some(), "{word}");
        }
    }

    #[test]
    fn keys_are_taken_apart() {
        let measure = |key: &str| match of_row(key) {
            Role::Value(measure) => (measure.name.as_str(), beginning(key, measure)),
            other => panic!("{key}: {other:?}"),
        };
        assert_eq!(measure("exports"), ("export_value", None));
        assert_eq!(measure("korea_exports"), ("export_value", Some("korea".to_owned())));
        assert_eq!(measure("export_value_2016"), ("export_value", None));
        assert_eq!(measure("minerals_share"), ("share", Some("minerals".to_owned())));
        assert_eq!(split_year("ict_2015"), ("ict", Some(2015)));
        assert_eq!(of_row("whatever"), Role::Unknown);
        assert_eq!(displayed_key("raw_export_value").as_deref(), Some("export_value"));
        assert_eq!(displayed_key("raw_value_api").as_deref(), Some("value"));
        assert_eq!(displayed_key("value_precise").as_deref(), Some("value"));
        assert_eq!(displayed_key("value"), None);
        assert_eq!(displayed_keys("raw_change").nth(1).as_deref(), Some("change_pct"));
        assert!(displayed_keys("raw_change").any(|key| key == "percent_change"));
        let period = Period { start: 2010, end: 2024 };
        let year = |key| year_of(key, period);
        assert_eq!(
            (year("start_value"), year("raw_end_value"), year("change_pct")),
            (Some(2010), Some(2024), None)
        );
    }

    #[test]
    fn evaluation_strategy_3_methods_of_other_tools_map_to_the_five() {
        assert_eq!(method("browser_treemap"), Some((SourceMethod::BrowserExplorePage, false)));
        assert_eq!(method("graphql_api_browser_verified"), Some((SourceMethod::GraphqlApi, true)));
        assert_eq!(method("graphql_api"), Some((SourceMethod::GraphqlApi, false)));
        for word in ["by hand", "guess without browser", "not read in a browser", "api thing", "page", ""] {
            assert_eq!(method(word), None, "{word}");
        }
        assert_eq!(method("graphql_requery"), Some((SourceMethod::GraphqlApi, false)));
        assert_eq!(method("browser_country_scrape"), Some((SourceMethod::BrowserCountryPage, false)));
    }
}
