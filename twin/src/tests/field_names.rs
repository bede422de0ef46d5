//! Fields that are called otherwise: in schemas and data alike, and the old names are errors.

use super::{ask, client, data, explore, faulty, rows, sum, twin};
use crate::field_names::{for_pages, of};
use apollo_compiler::Schema;
use apollo_compiler::schema::ExtendedType;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const APIS: [(&str, &str); 2] = [
    ("country", include_str!("../../../graphql/country.graphql")),
    ("explore", include_str!("../../../graphql/explore.graphql")),
];

/// A query with the names that fields have now.
fn asked(api: &str, seed: u64, query: &str) -> String {
    let names = of(api, seed);
    let word = regex::Regex::new(r"\w+").unwrap();
    word.replace_all(query, |found: &regex::Captures<'_>| {
        names.get(&found[0]).copied().unwrap_or(&found[0]).to_owned()
    })
    .into_owned()
}

/// An answer with the names that fields had before.
fn read(api: &str, seed: u64, value: Value) -> Value {
    let names = of(api, seed);
    match value {
        Value::Array(items) => items.into_iter().map(|item| read(api, seed, item)).collect(),
        Value::Object(members) => members
            .into_iter()
            .map(|(name, inner)| {
                let old = names.iter().find(|(_, new)| **new == name).map_or(name.as_str(), |(old, _)| old);
                (old.to_owned(), read(api, seed, inner))
            })
            .collect(),
        leaf => leaf,
    }
}

#[test]
fn new_names_are_free_and_old_ones_stand_for_values_alone() {
    for (api, sdl) in APIS {
        let schema = Schema::parse_and_validate(sdl, "schema.graphql").unwrap();
        let query = schema.schema_definition.query.as_ref().unwrap().as_ref();
        let objects: Vec<_> = schema
            .types
            .iter()
            .filter_map(|(name, ty)| match ty {
                ExtendedType::Object(object) if !name.starts_with("__") => Some((name, object)),
                _ => None,
            })
            .collect();
        let all = |of_query: bool| {
            let objects = objects.iter().filter(move |(name, _)| (*name == query) == of_query);
            objects.flat_map(|(_, object)| object.fields.values())
        };
        let fields: BTreeSet<&str> = all(false).map(|field| field.name.as_str()).collect();
        let roots: BTreeSet<&str> = all(true).map(|field| field.name.as_str()).collect();
        let arguments: BTreeSet<&str> = all(true)
            .chain(all(false))
            .flat_map(|field| &field.arguments)
            .map(|one| one.name.as_str())
            .collect();
        for seed in 1..12 {
            let names = of(api, seed);
            assert!(names.len() >= if api == "country" { 40 } else { 15 }, "{api}: {}", names.len());
            let new: BTreeSet<&str> = names.values().copied().collect();
            assert_eq!(new.len(), names.len(), "{api}: one name for two fields");
            for name in &new {
                assert!(![&fields, &roots, &arguments].iter().any(|all| all.contains(name)), "{api}: {name}");
            }
            for old in names.keys() {
                assert!(fields.contains(old), "{api} has no {old}");
                assert!(!roots.contains(old) && !arguments.contains(old), "{api}: {old}");
                assert!(!["id", "code", "year"].contains(old) && !old.ends_with("Name"), "{api}: {old}");
            }
        }
        assert_ne!(of(api, 1), of(api, 2));
    }
    assert!(for_pages(&["drift".to_owned()]).values().all(std::collections::BTreeMap::is_empty));
    assert_eq!(for_pages(&["fields-renamed=2".to_owned()])["explore"], of("explore", 2));
}

const PROFILE: &str = "{ countryProfile(location: \"location-404\") { latestEciRank exportValue importValue growthProjection \
    diversity diversityRank newProductExportValue policyRecommendation latestPopulation { quantity year } } \
    countryLookback(id: \"location-404\", yearRange: TenYears) { eciRankChange } \
    globalDatum { latestEciRankTotal } }";

#[tokio::test]
async fn the_values_are_the_same_under_other_names() {
    let (own, renamed) = (twin().await, faulty(&["fields-renamed=3"]).await);
    let before = data(&own, PROFILE).await;
    let after = data(&renamed, &asked("country", 3, PROFILE)).await;
    assert!(after["countryProfile"].get("latestEciRank").is_none());
    assert_eq!(read("country", 3, after), before);

    let trade = "{ countryProductYear(countryId: 404, productLevel: 4, yearMin: 2024, yearMax: 2024) \
        { productId exportValue exportRca cog distance globalMarketShare } }";
    let growth = "{ productYear(productLevel: 4, yearMin: 2024, yearMax: 2024) { productId pci exportValueConstGrowth5 exportValueConstCagr5 } }";
    for query in [trade, growth] {
        let before = explore(&own, query).await;
        let after = explore(&renamed, &asked("explore", 3, query)).await;
        assert_eq!(read("explore", 3, after), before, "{query}");
    }
    // what is made only when it is asked for is made under its new name too
    let shares = explore(&renamed, &asked("explore", 3, trade)).await;
    assert!(sum(rows(&shares, "countryProductYear"), of("explore", 3)["globalMarketShare"]) > 0.0);
}

#[tokio::test]
async fn the_old_names_are_errors() {
    let renamed = faulty(&["fields-renamed"]).await;
    let (status, body) =
        ask(&renamed, "{countryProfile(location: \"location-404\") { latestEciRank }}").await;
    assert_eq!(status, 400);
    let message = body["errors"][0]["message"].as_str().unwrap();
    let start = "Cannot query field \"latestEciRank\" on type \"CountryProfile\". Did you mean \"latest";
    assert!(message.starts_with(start) && message.ends_with("\"?"), "{message}");
    let query = "{ productYear(productLevel: 4) { productId pci } }";
    let request = client().post(format!("{}/api/graphql", renamed.base_url)).json(&json!({ "query": query }));
    let body: Value = request.send().await.unwrap().json().await.unwrap();
    let message = body["errors"][0]["message"].as_str().unwrap();
    assert!(message.starts_with("Cannot query field \"pci\" on type \"ProductYear\"."), "{message}");
}

#[tokio::test]
async fn introspection_knows_the_new_names_alone() {
    let renamed = faulty(&["fields-renamed", "schema-lacks=country:CountryProfile.diversity"]).await;
    let query = "{ __type(name: \"CountryProfile\") { fields { name } } __schema { directives { name } } }";
    let found = data(&renamed, query).await;
    let names: Vec<&str> =
        rows(&found["__type"], "fields").iter().filter_map(|one| one["name"].as_str()).collect();
    let country = of("country", 1);
    for (old, new) in [("latestEciRank", true), ("exportValue", true), ("location", false)] {
        let now = if new { country[old] } else { old };
        assert!(names.contains(&now), "{now}");
        assert_eq!(names.contains(&old), !new, "{old}");
    }
    assert!(
        !names.contains(&"diversity") && !names.contains(&country["diversity"]),
        "the field is gone as well"
    );
    assert!(rows(&found["__schema"], "directives").iter().all(|one| one["name"] != "renamed"));
}
