//! Whether what a case expects can be true: query types, countries and their codes, classifications and ids by the program's own
//! dictionaries.

use serde_json::Value;

use super::field::Kind;
use super::{CaseProblem, Component, ComponentCase, Tier};
use crate::atlas::{Api, by_id, lookup, query_type};
use crate::value::Classification;

/// Query types that both APIs answer: both hold figures of a country in a year and of the world, and the tables of opportunities and
/// the product space are drawn on both kinds of page.
const OF_BOTH: [&str; 4] = ["country_year", "product_table", "product_space", "global_datum"];

/// Types of groups of countries, as the Explore API's `GroupType` lists them.
const GROUP_TYPES: [&str; 9] = [
    "continent",
    "political",
    "region",
    "rock_song",
    "subregion",
    "trade",
    "wdi_income_level",
    "wdi_region",
    "world",
];

/// Goods have internal numbers from here on in four digits; services stand at [`SERVICES`].
const FIRST_GOOD: u64 = 650;
/// Internal numbers of the services.
const SERVICES: std::ops::RangeInclusive<u64> = 4000..=4004;

/// All that cannot be true of what a case expects.
#[must_use]
pub fn check_case(case: &ComponentCase) -> Vec<CaseProblem> {
    let mut found = Vec::new();
    let mut report = |message: String| found.push(CaseProblem { case: case.id.clone(), message });
    let expected = |name: &str| case.expected.get(name).filter(|value| !value.is_null());
    let text = |name: &str| expected(name).and_then(Value::as_str);
    for field in case.component.stated(&case.expected) {
        let Some(value) = case.expected.get(field.name) else { continue };
        if !field.admits(value) {
            report(format!("`expected_{}` is {value}: {}", field.name, field.kind.wanted()));
        }
    }
    for (key, kind) in [
        ("expected_query_type", text("query_type")),
        ("input_query_type", case.input.get("query_type").and_then(Value::as_str)),
    ] {
        if let Some(name) = kind.filter(|name| query_type(name).is_none()) {
            report(format!("`{key}` is {name:?}: no query type of that name"));
        }
    }
    if case.component == Component::Classification {
        let kind = text("query_type").unwrap_or_default();
        let valid: &[Option<&str>] = match query_type(kind).map(|kind| kind.api) {
            _ if OF_BOTH.contains(&kind) => &[Some("explore"), Some("country_pages")],
            None => &[None, Some("explore"), Some("country_pages")],
            Some(None) => &[None],
            Some(Some(Api::Country)) => &[Some("country_pages")],
            Some(Some(Api::Explore)) => &[Some("explore")],
        };
        if case.expected.contains_key("api_target") && !valid.contains(&text("api_target")) {
            report(format!(
                "`expected_api_target` is {:?}: {kind} is not answered by it",
                text("api_target")
            ));
        }
    }
    for (name, code) in [("country", "country_code"), ("partner_country", "partner_country_code")] {
        let of_name = text(name).and_then(lookup);
        let of_code = text(code).map(|code| (code, lookup(code).filter(|entity| entity.iso3 == code)));
        match (of_name, of_code) {
            (_, Some((code, None))) => report(format!(
                "`expected_{code_key}` is {code:?}: no ISO alpha-3 code",
                code_key = code_key(name)
            )),
            (Some(country), Some((code, Some(other)))) if country.id != other.id => {
                report(format!(
                    "`expected_{name}` is {} and its code {code:?} is {}",
                    country.short_name, other.short_name
                ));
            }
            _ => {}
        }
    }
    if let Some(class) = text("product_class").filter(|class| class.parse::<Classification>().is_err()) {
        report(format!("`expected_product_class` is {class:?}: expected HS92, HS12, HS22 or SITC"));
    }
    if let Some(kind) = text("group_type").filter(|kind| !GROUP_TYPES.contains(kind)) {
        report(format!("`expected_group_type` is {kind:?}: expected one of {}", GROUP_TYPES.join(", ")));
    }
    if let Some(code) = text("product_code")
        .filter(|code| !matches!(code.len(), 2 | 4 | 6) || !code.bytes().all(|digit| digit.is_ascii_digit()))
    {
        report(format!("`expected_product_code` is {code:?}: expected 2, 4 or 6 digits"));
    }
    let years = [expected("min_year"), expected("max_year")].map(|year| year.and_then(Value::as_i64));
    if let [Some(first), Some(last)] = years
        && first > last
    {
        report(format!("`expected_min_year` {first} is after `expected_max_year` {last}"));
    }
    for year in years.into_iter().flatten().filter(|year| !(1962..=2100).contains(year)) {
        report(format!("the year {year} is before all data, or far ahead"));
    }
    if case.component == Component::IdResolution {
        ids(case, &mut report);
    }
    found
}

fn ids(case: &ComponentCase, report: &mut impl FnMut(String)) {
    let country = case.expected.get("country_id").and_then(Value::as_u64);
    let is_known =
        |id: u64| u16::try_from(id).ok().and_then(crate::atlas::CountryId::new).and_then(by_id).is_some();
    if let Some(id) = country.filter(|id| !is_known(*id)) {
        report(format!("`expected_country_id` is {id}: no country has that M49 code"));
    }
    let product = case.expected.get("product_id");
    let products: Vec<u64> = match product {
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_u64).collect(),
        Some(one) => one.as_u64().into_iter().collect(),
        None => Vec::new(),
    };
    for id in products.iter().filter(|id| **id < FIRST_GOOD) {
        report(format!(
            "`expected_product_id` is {id}: products have four-digit ids of {FIRST_GOOD} or more"
        ));
    }
    let fits = match case.tier {
        Some(Tier::Ambiguous) => products.len() > 1,
        Some(Tier::Services) => products.len() == 1 && products.iter().all(|id| SERVICES.contains(id)),
        Some(Tier::Missing) => products.is_empty() || country.is_none(),
        _ => products.len() == 1 || product.is_none(),
    };
    if !fits {
        report("the ids do not fit the tier: ambiguous has several products, services one of 4000 to 4004, missing lacks an id, others have one".to_owned());
    }
}

fn code_key(name: &str) -> String {
    format!("{name}_code")
}

impl Kind {
    /// What a value of it must be.
    const fn wanted(self) -> &'static str {
        match self {
            Self::Word => "expected a text",
            Self::Country => "no country of that name is known",
            Self::Number => "expected a whole number",
            Self::Level => "expected section, twoDigit, fourDigit or sixDigit",
            Self::Direction => "expected exports or imports",
            Self::PlaceId => "expected the id of a country or group",
            Self::ProductId => "expected the id of a product",
        }
    }
}
