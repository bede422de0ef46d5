use std::path::Path;

use serde_json::{Value as Json, json};

use crate::Extractors;
use crate::manifest::parse;

/// What is odd about a question, as far as its words go.
fn odd(text: &str, page: &str, (extractor, points): (&str, &[&str]), context: Json) -> Vec<String> {
    let method = match extractor {
        "country_profile" => "dom",
        _ if points.contains(&"total_value") => "dom",
        _ => "api_preferred",
    };
    let entry = json!({
        "question_id": 1, "question_text": text, "atlas_url": page, "extraction_method": method,
        "extractor": extractor, "data_points": points, "context": context,
    });
    warnings(&entry)
}

fn warnings(entry: &Json) -> Vec<String> {
    let text = json!({ "questions": [entry] }).to_string();
    let manifest = parse(Path::new("test.json"), &text, &Extractors::built_in().unwrap());
    let manifest = manifest.unwrap_or_else(|found| panic!("{entry}: {found:#?}"));
    manifest.warnings.into_iter().map(|found| found.message).collect()
}

/// Each question is in order; with the change that is named it is not, and the report says why.
#[test]
fn what_is_read_is_what_the_question_asks_for() {
    const KENYA: &str = "/explore/treemap?year=2015&exporter=country-404";
    const WORLD: &str = "/explore/treemap?year=2024";
    const MARKETS: &str = "/explore/treemap?year=2024&exporter=country-404&view=markets";
    let api: fn(&'static [&'static str]) -> (&'static str, &'static [&'static str]) =
        |points| ("explore_api", points);
    let treemap = |points: &'static [&'static str]| ("treemap_verify", points);
    let country = |points: &'static [&'static str]| ("country_profile", points);
    let none = || json!({});
    for (right, page, points, context, wrong) in [
        // a measure that nobody asks for, and one that nobody reads
        (
            "What was the population of Kenya in 2015?",
            KENYA,
            api(&["country_population"]),
            none(),
            &[
                (
                    None,
                    Some(api(&["country_population", "country_gdp"])),
                    "asks for population, but `country_gdp` is total gdp",
                ),
                (
                    Some("What were the population and the GDP of Kenya in 2015?"),
                    None,
                    "asks for total gdp, but no data point gives it",
                ),
                (Some("What was the population of Kenya?"), None, ""),
                (
                    Some("What was the population of Kenya in 2014?"),
                    None,
                    "asks for 2014, which neither page",
                ),
            ][..],
        ),
        (
            "How large were the exports of goods of the European Union together in 2024?",
            WORLD,
            api(&["export_eu"]),
            json!({ "period": 2024 }),
            &[
                (
                    Some("How large were the exports of the European Union together in 2024?"),
                    None,
                    "asks for all trade, but `export_eu` covers goods alone",
                ),
                (
                    Some(
                        "How large were the exports of goods and services of the European Union together in 2024?",
                    ),
                    None,
                    "asks for goods and services, but `export_eu` covers goods alone",
                ),
                (
                    Some("How large were the imports of goods of the European Union together in 2024?"),
                    None,
                    "asks for imports, but `export_eu` is about exports",
                ),
                (
                    Some("How large were the exports of goods of the European Union together?"),
                    None,
                    "the context names 2024, but the question names no year",
                ),
            ],
        ),
        (
            "How fast did the exports of goods of the European Union grow a year from 2019 to 2024?",
            WORLD,
            api(&["export_growth_eu"]),
            none(),
            &[
                (
                    Some("How did the exports of goods of the European Union grow from 2019 to 2024?"),
                    None,
                    "a data point gives growth per year, but the question does not ask for it",
                ),
                (None, Some(api(&["export_eu"])), "asks for growth per year, but no data point gives it"),
                (
                    Some(
                        "How fast did the exports of goods of the European Union grow a year from 2015 to 2024?",
                    ),
                    None,
                    "asks for 2015, which neither page",
                ),
            ],
        ),
        (
            "How much did Kenya export to Uganda in 2024, in goods?",
            MARKETS,
            treemap(&["partner_export"]),
            json!({ "partner": "800" }),
            &[
                (
                    Some("How much did Kenya export to Uganda in 2024?"),
                    None,
                    "`partner_export` covers goods alone",
                ),
                (
                    None,
                    Some(treemap(&["partner_share"])),
                    "a data point gives a share, but the question does not ask for it",
                ),
            ],
        ),
        (
            "Which three products did Kenya export most of in 2015 (HS 2012)?",
            "/explore/treemap?year=2015&exporter=country-404&productClass=HS12",
            treemap(&["top_3_products"]),
            none(),
            &[
                (None, Some(treemap(&["top_products"])), "asks for 3 rows, but `top_products` has 5"),
                (
                    Some("Which three products did Kenya export most of in 2015?"),
                    None,
                    "uses HS12, but the question does not say so",
                ),
                (
                    Some("Which three products did Kenya export most of in 2015 (HS 1992)?"),
                    None,
                    "asks for HS92, but the data point uses HS12",
                ),
            ],
        ),
        (
            "How much did Kenya export in total in 2015?",
            KENYA,
            treemap(&["total_value"]),
            json!({ "scope": "goods_and_services", "flow": "export" }),
            &[(
                Some("How many services did Kenya export in 2015?"),
                None,
                "asks for services, but `total_value` covers goods and services",
            )],
        ),
        (
            "Which place does Kenya hold in the ECI ranking?",
            "/countries/404",
            country(&["eci_rank"]),
            none(),
            &[
                (
                    None,
                    Some(country(&["eci_rank", "gdp_per_capita"])),
                    "asks for eci, but `gdp_per_capita` is gdp per capita",
                ),
                (None, Some(country(&["coi_rank"])), "asks for eci, but `coi_rank` is coi"),
                (
                    Some("What is the ECI of Kenya?"),
                    None,
                    "a data point gives a rank, but the question does not ask for it",
                ),
                (
                    None,
                    Some(country(&["complexity_vs_income"])),
                    "asks for a rank, but no data point gives it",
                ),
            ],
        ),
    ] {
        assert_eq!(odd(right, page, points, context.clone()), Vec::<String>::new(), "{right}");
        for (text, other, why) in wrong {
            let found = odd(text.unwrap_or(right), page, other.unwrap_or(points), context.clone());
            let is_as_due =
                if why.is_empty() { found.is_empty() } else { found.iter().any(|one| one.contains(why)) };
            assert!(is_as_due, "{text:?} {other:?}: {found:#?}, where {why:?} is due");
        }
    }
}

#[test]
fn a_result_is_of_what_the_question_asks_for() {
    let entry = |text: &str, metric: &str, operation: &str| {
        json!({
            "question_id": 1, "question_text": text, "extraction_method": "api_preferred",
            "atlas_url": "/explore/overtime?exporter=country-404&startYear=2010&endYear=2024",
            "derive": {
                "inputs": {
                    "first": { "extractor": "overtime", "data_point": "export_of_year", "context": { "period": 2010 } },
                    "last": { "extractor": "overtime", "data_point": "export_of_year", "context": { "period": 2024 } },
                },
                "steps": [{ "name": "result", "operation": operation, "of": ["first", "last"], "metric": metric }],
            },
        })
    };
    let found = |text: &str, metric: &str, operation: &str| warnings(&entry(text, metric, operation));
    let yearly = "How fast did the exports of Kenya grow a year from 2010 to 2024?";
    assert_eq!(found(yearly, "Growth of exports a year", "cagr"), Vec::<String>::new());
    assert!(found(yearly, "Growth of exports", "growth")[0].contains("asks for growth per year"));
    assert!(found(yearly, "Growth of GDP a year", "cagr")[0].contains("`result` is total gdp"));
    let imports =
        found("How fast did the imports of Kenya grow a year from 2010 to 2024?", "Growth a year", "cagr");
    assert_eq!(imports.len(), 2, "each input is of the other side: {imports:?}");
    let years = found(
        "How fast did the exports of Kenya grow a year from 2005 to 2024?",
        "Growth of exports a year",
        "cagr",
    );
    assert!(years[0].contains("asks for 2005"), "{years:?}");
}
