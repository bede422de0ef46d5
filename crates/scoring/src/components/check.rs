//! Checks the expected values of a case against the built-in dictionaries: query types, countries and their codes,
//! classifications and ids.

use serde_json::Value;

use super::field::Kind;
use super::{CaseProblem, Component, ComponentCase, Tier};
use crate::atlas::{Api, by_id, lookup, query_type};
use crate::value::Classification;

/// Query types that both APIs answer. Both serve yearly country figures and world figures, and both kinds of page show
/// opportunity tables and the product space.
const SHARED_TYPES: [&str; 4] = ["country_year", "product_table", "product_space", "global_datum"];

/// Types of country groups, from the Explore API's `GroupType`.
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

/// The lowest internal number of four-digit goods. Services have [`SERVICES`].
const FIRST_GOOD: u64 = 650;
/// Internal numbers of the services.
const SERVICES: std::ops::RangeInclusive<u64> = 4000..=4004;

/// Finds the impossible values in one part of a case.
type Check = fn(&ComponentCase) -> Vec<String>;

const CHECKS: [Check; 6] = [fields, query_types, api_target, countries, products_and_groups, years];

/// All impossible values that a case expects.
pub(super) fn check_case(case: &ComponentCase) -> Vec<CaseProblem> {
    let is_resolution = case.component == Component::IdResolution;
    let checks = CHECKS.iter().copied().chain(is_resolution.then_some(ids as Check));
    let problem = |message: String| CaseProblem { case: case.id.clone(), message };
    checks.flat_map(|check| check(case)).map(problem).collect()
}

/// The expected value of a field.
fn expected<'c>(case: &'c ComponentCase, name: &str) -> Option<&'c Value> {
    case.expected.get(name).filter(|value| !value.is_null())
}

fn text<'c>(case: &'c ComponentCase, name: &str) -> Option<&'c str> {
    expected(case, name).and_then(Value::as_str)
}

/// Values of the wrong kind for their field.
fn fields(case: &ComponentCase) -> Vec<String> {
    let stated = case.component.stated(&case.expected);
    let wrong = stated.into_iter().filter_map(|field| {
        let value = case.expected.get(field.name).filter(|value| !field.admits(value))?;
        Some(format!("`expected_{}` is {value}: {}", field.name, field.kind.requirement()))
    });
    wrong.collect()
}

/// Query types that no API has.
fn query_types(case: &ComponentCase) -> Vec<String> {
    let given = case.input.get("query_type").and_then(Value::as_str);
    let named = [("expected_query_type", text(case, "query_type")), ("input_query_type", given)];
    let unknown = named.into_iter().filter_map(|(key, name)| {
        let name = name.filter(|name| query_type(name).is_none())?;
        Some(format!("`{key}` is {name:?}: no query type has that name"))
    });
    unknown.collect()
}

/// An API that cannot answer the query type.
fn api_target(case: &ComponentCase) -> Vec<String> {
    let (kind, target) = (text(case, "query_type").unwrap_or_default(), text(case, "api_target"));
    let valid: &[Option<&str>] = match query_type(kind).map(|kind| kind.api) {
        _ if SHARED_TYPES.contains(&kind) => &[Some("explore"), Some("country_pages")],
        None => &[None, Some("explore"), Some("country_pages")],
        Some(None) => &[None],
        Some(Some(Api::Country)) => &[Some("country_pages")],
        Some(Some(Api::Explore)) => &[Some("explore")],
    };
    let is_wrong = case.component == Component::Classification
        && case.expected.contains_key("api_target")
        && !valid.contains(&target);
    is_wrong
        .then(|| format!("`expected_api_target` is {target:?}: that API does not answer {kind}"))
        .into_iter()
        .collect()
}

/// Invalid country codes, and codes that do not match the named country.
fn countries(case: &ComponentCase) -> Vec<String> {
    let pairs = [("country", "country_code"), ("partner_country", "partner_country_code")];
    let wrong = pairs.into_iter().filter_map(|(name, code)| {
        let key = code;
        let code = text(case, code)?;
        match (text(case, name).and_then(lookup), lookup(code).filter(|entity| entity.iso3 == code)) {
            (_, None) => Some(format!("`expected_{key}` is {code:?}: not an ISO alpha-3 code")),
            (Some(country), Some(other)) if country.id != other.id => Some(format!(
                "`expected_{name}` is {}, but its code {code:?} means {}",
                country.short_name, other.short_name
            )),
            _ => None,
        }
    });
    wrong.collect()
}

/// Classifications, group types and product codes that do not exist.
fn products_and_groups(case: &ComponentCase) -> Vec<String> {
    let class = text(case, "product_class").filter(|class| class.parse::<Classification>().is_err());
    let group = text(case, "group_type").filter(|kind| !GROUP_TYPES.contains(kind));
    let is_code =
        |code: &str| matches!(code.len(), 2 | 4 | 6) && code.bytes().all(|digit| digit.is_ascii_digit());
    let code = text(case, "product_code").filter(|code| !is_code(code));
    let found = [
        class
            .map(|class| format!("`expected_product_class` is {class:?}: expected HS92, HS12, HS22 or SITC")),
        group.map(|kind| {
            format!("`expected_group_type` is {kind:?}: expected one of {}", GROUP_TYPES.join(", "))
        }),
        code.map(|code| format!("`expected_product_code` is {code:?}: expected 2, 4 or 6 digits")),
    ];
    found.into_iter().flatten().collect()
}

/// Years without data, and ranges that end before they begin.
fn years(case: &ComponentCase) -> Vec<String> {
    let years = ["min_year", "max_year"].map(|name| expected(case, name).and_then(Value::as_i64));
    let reversed = match years {
        [Some(first), Some(last)] if first > last => {
            Some(format!("`expected_min_year` {first} is after `expected_max_year` {last}"))
        }
        _ => None,
    };
    let outside = years.into_iter().flatten().filter(|year| !(1962..=2100).contains(year));
    let outside = outside.map(|year| format!("the year {year} is out of range: expected 1962 to 2100"));
    reversed.into_iter().chain(outside).collect()
}

/// Unknown ids, and a number of ids that does not fit the tier.
fn ids(case: &ComponentCase) -> Vec<String> {
    let mut found = Vec::new();
    let country = case.expected.get("country_id").and_then(Value::as_u64);
    let is_known =
        |id: u64| u16::try_from(id).ok().and_then(crate::atlas::CountryId::new).and_then(by_id).is_some();
    if let Some(id) = country.filter(|id| !is_known(*id)) {
        found.push(format!("`expected_country_id` is {id}: no country has that M49 code"));
    }
    let product = case.expected.get("product_id");
    let products: Vec<u64> = match product {
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_u64).collect(),
        Some(one) => one.as_u64().into_iter().collect(),
        None => Vec::new(),
    };
    found.extend(products.iter().filter(|id| **id < FIRST_GOOD).map(|id| {
        format!("`expected_product_id` is {id}: products have four-digit ids of {FIRST_GOOD} or more")
    }));
    let fits = match case.tier {
        Some(Tier::Ambiguous) => products.len() > 1,
        Some(Tier::Services) => products.len() == 1 && products.iter().all(|id| SERVICES.contains(id)),
        Some(Tier::Missing) => products.is_empty() || country.is_none(),
        _ => products.len() == 1 || product.is_none(),
    };
    if !fits {
        found.push("the ids do not fit the tier: ambiguous has several products, services one of 4000 to 4004, missing lacks an id, others have one".to_owned());
    }
    found
}

impl Kind {
    /// What a value of this kind must be.
    const fn requirement(self) -> &'static str {
        match self {
            Self::Word => "expected a text",
            Self::Country => "no known country has that name",
            Self::Number => "expected a whole number",
            Self::Level => "expected section, twoDigit, fourDigit or sixDigit",
            Self::Direction => "expected exports or imports",
            Self::PlaceId => "expected the id of a country or group",
            Self::ProductId => "expected the id of a product",
        }
    }
}
