//! Tests of reading manifests: the seed's example, every kind of problem at its place, the manifest of
//! this repository, the schema.

use std::path::Path;

use super::*;
use crate::Extractors;
use crate::manifest::{Difficulty, ExpectedTool, Severity, schema, visits};
use crate::value::{Classification, Flow, Period, Scope, Statistic};

pub(super) const SEED: &str = r#"[
  {
    "question_id": 61,
    "atlas_url": "https://atlas.hks.harvard.edu/countries/404/growth-dynamics",
    "extraction_method": "dom",
    "extractor": "country_profile",
    "data_points": ["gdp_per_capita", "population", "income_classification"]
  },
  {
    "question_id": 170,
    "atlas_url": "https://atlas.hks.harvard.edu/explore/treemap?...",
    "extraction_method": "api_preferred",
    "extractor": "treemap_verify",
    "api_query": "treemapExporterProducts",
    "data_points": ["top_products", "export_values"]
  }
]"#;

pub(super) fn specs() -> &'static Extractors {
    static BUILT_IN: std::sync::LazyLock<Extractors> =
        std::sync::LazyLock::new(|| Extractors::built_in().unwrap());
    &BUILT_IN
}

pub(super) fn read(text: &str) -> Result<Manifest, Vec<Diagnostic>> {
    parse(Path::new("questions.json"), text, specs())
}

pub(super) fn good(text: &str) -> Manifest {
    read(text).unwrap_or_else(|found| panic!("{found:#?}"))
}

/// One entry with some of its lines replaced.
fn entry(lines: &[(&str, &str)]) -> String {
    let mut fields = vec![
        ("question_id", "61"),
        ("atlas_url", r#""/countries/404""#),
        ("extraction_method", r#""dom""#),
        ("extractor", r#""country_profile""#),
        ("data_points", r#"["gdp_per_capita"]"#),
    ];
    for (key, value) in lines {
        match fields.iter_mut().find(|(name, _)| name == key) {
            Some(field) => field.1 = value,
            None => fields.push((key, value)),
        }
    }
    let lines: Vec<String> = fields
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(key, value)| format!("  \"{key}\": {value}"))
        .collect();
    format!("[{{\n{}\n}}]", lines.join(",\n"))
}

/// Lines of all problems of one entry with some of its lines replaced.
pub(super) fn problems(lines: &[(&str, &str)]) -> Vec<String> {
    match read(&entry(lines)) {
        Ok(manifest) => manifest.warnings.iter().map(ToString::to_string).collect(),
        Err(found) => found.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn decision_19_the_seed_example_validates_with_warnings() {
    let manifest = good(SEED);
    assert_eq!(manifest.entries.len(), 2);
    assert_eq!(manifest.entries[0].context.country.as_deref(), Some("404"), "taken from the URL");
    assert_eq!(manifest.entries[1].api_queries, ["countryProductYear"]);
    let fields: Vec<_> = manifest.warnings.iter().map(|found| found.field.as_str()).collect();
    assert_eq!(fields, ["atlas_url", "api_query"]);
    assert_eq!((manifest.warnings[1].place.line, manifest.warnings[1].place.column), (14, 18));
    assert_eq!(manifest.planned().count(), 1, "a URL cut short cannot be visited");
    assert_eq!(manifest.collected().count(), 1);
}

/// An entry that states everything.
fn full_entry() -> String {
    entry(&[
        ("question_id", r#""q-1""#),
        ("question_text", r#""What share of Kenya's exports was tea from 2019 to 2024?""#),
        ("category", r#""export_basket""#),
        ("difficulty", r#""medium""#),
        ("source", r#""atlas_country_page""#),
        ("expected_tool", r#""any""#),
        ("expected_query_type", r#""treemap_products""#),
        ("data_points", r#"["product_export"]"#),
        ("extraction_method", r#""api_preferred""#),
        ("api_query", r#""treeMap""#),
        (
            "context",
            r#"{"country": 404, "partner": "group-1", "product": "0902", "classification": "HS92",
            "period": {"start": 2019, "end": 2024}, "flow": "export", "scope": "goods_and_services", "statistic": "share"}"#,
        ),
    ])
}

#[test]
fn a_full_entry_is_read_in_all_its_parts() {
    let manifest = good(&full_entry());
    assert!(manifest.warnings.is_empty(), "{:?}", manifest.warnings);
    let entry = &manifest.entries[0];
    assert_eq!(entry.info.difficulty, Some(Difficulty::Medium));
    assert_eq!(entry.info.expected_tool, Some(ExpectedTool::Either));
    assert_eq!(entry.api_queries, ["treeMap"]);
    let context = &entry.context;
    assert_eq!(context.country.as_deref(), Some("404"));
    assert_eq!(context.partner.as_deref(), Some("group-1"));
    assert_eq!(context.classification, Some(Classification::Hs92));
    assert_eq!(context.period, Some(Period { start: 2019, end: 2024 }));
    assert_eq!(context.flow, Some(Flow::Export));
    assert_eq!(context.scope, Some(Scope::GoodsAndServices));
    assert_eq!(context.statistic, Some(Statistic::Share));
}

#[test]
fn all_problems_are_told_at_once_in_the_order_of_the_file() {
    let text = r#"[
  {
    "question_id": "../61",
    "atlas_url": "https://example.com/countries/404",
    "extraction_method": "dmo",
    "extractor": "country_profle",
    "data_point": [],
    "data_points": ["gdp_per_capita"]
  },
  {"question_id": 62},
  7
]"#;
    let found = read(text).unwrap_err();
    let reported: Vec<_> = found.iter().map(|found| (found.place.line, found.field.as_str())).collect();
    assert_eq!(
        reported,
        [
            (3, "question_id"),
            (4, "atlas_url"),
            (5, "extraction_method"),
            (6, "extractor"),
            (7, "data_point"),
            (10, "atlas_url"),
            (10, "extraction_method"),
            (10, "extractor"),
            (10, "data_points"),
            (11, ""),
        ]
    );
    assert!(found.iter().all(|found| found.severity == Severity::Error));
    assert_eq!(found[2].suggestion.as_deref(), Some("did you mean `dom`?"));
    assert_eq!(found[3].suggestion.as_deref(), Some("did you mean `country_profile`?"));
    assert_eq!(found[4].suggestion.as_deref(), Some("did you mean `data_points`?"));
}

#[test]
fn each_problem_says_what_to_write() {
    for (lines, parts) in [
        (
            &[("data_points", r#"["gdp_percapita"]"#)][..],
            &["questions.json:6:19", "data_points[0]", "`gdp_per_capita`"][..],
        ),
        (&[("data_points", "[]")], &["no data point"]),
        (&[("data_points", "\"gdp\"")], &["expected a list, found a text"]),
        (&[("data_points", r#"["gdp_per_capita", "gdp_per_capita"]"#)], &["warning", "twice"]),
        (&[("data_points", r#"["product_export"]"#)], &["does not allow", "`api_preferred`"]),
        (&[("extraction_method", r#""narrative""#)], &["does not allow", "`dom`"]),
        (&[("atlas_url", r#""/countries/404/export""#)], &["did you mean `export-basket`"]),
        (&[("atlas_url", "7")], &["questions.json:3:16", "expected a text in quotes, found a number"]),
        (&[("atlas_url", "null")], &["`atlas_url` is missing"]),
        (&[("atlas_url", "")], &["`atlas_url` is missing"]),
        (&[("context", r#"{"country": "724"}"#)], &["Spain (724)", "Kenya (404)"]),
        (&[("context", r#"{"country": "Kenya"}"#)], &["Kenya is `404`"]),
        (&[("context", r#"{"country": 999}"#)], &["no country", "999"]),
        (&[("context", r#"{"period": "2024"}"#)], &["context.period", "2024"]),
        (&[("context", r#"{"period": {"start": 2024, "end": 2019}}"#)], &["begins in 2024"]),
        (&[("context", r#"{"period": [2024]}"#)], &["expected a year", "{\"start\": 2019, \"end\": 2024}"]),
        (&[("context", r#"{"period": {"start": 2024}}"#)], &["context.period: `end` is missing"]),
        (
            &[("context", r#"{"period": {"start": 2019, "ende": 2024}}"#)],
            &["context.period.ende: unknown key", "did you mean `end`"],
        ),
        (
            &[("context", r#"{"period": {"start": 2019, "end": "2024"}}"#)],
            &["context.period.end: expected a whole number, found a text"],
        ),
        (
            &[("context", r#"{"period": {"start": 20190, "end": 2024}}"#)],
            &["context.period.start: expected a year from 1900 to 2100, found 20190"],
        ),
        (&[("context", r#"{"period": 20240}"#)], &["expected a year from 1900 to 2100, found 20240"]),
        (&[("context", r#"{"flow": "exports"}"#)], &["context.flow", "did you mean `export`"]),
        (&[("context", r#"{"classification": "HS96"}"#)], &["HS92"]),
        (&[("context", r#"{"prodct": "0902"}"#)], &["did you mean `product`"]),
        (&[("context", "[]")], &["expected an object"]),
        (&[("expected_tool", r#""graphql""#)], &["graphql_only"]),
        (&[("expected_query_type", r#""country_profil""#)], &["did you mean `country_profile`"]),
        (&[("difficulty", r#""simple""#)], &["easy, medium, hard"]),
        (&[("api_query", r#""treMap""#)], &["did you mean `treeMap`"]),
        (&[("visit", "\"no\"")], &["expected true or false, found a text"]),
        (&[("planned", "\" \"")], &["empty"]),
        (
            &[("question_text", r#""What is the GDP per capita of Spain?""#)],
            &["warning", "Spain (724)", "/countries/404"],
        ),
    ] {
        let found = problems(lines);
        assert_eq!(found.len(), 1, "{lines:?}: {found:#?}");
        for part in parts {
            assert!(found[0].contains(part), "{lines:?}: {}", found[0]);
        }
    }
}

#[test]
fn an_extractor_of_another_kind_of_page_is_refused_with_what_would_fit() {
    let treemap = r#""/explore/treemap?year=2024&exporter=country-404""#;
    let geomap = r#""/explore/geomap?year=2024&exporter=country-404""#;
    let of_treemaps = [
        ("extractor", r#""treemap_verify""#),
        ("extraction_method", r#""api_preferred""#),
        ("data_points", r#"["top_products"]"#),
    ];
    let with = |url| [&of_treemaps[..], &[("atlas_url", url)]].concat();
    for (lines, parts) in [
        (
            vec![("atlas_url", treemap)],
            &[
                "`country_profile` reads pages of kind `country`",
                "`explore/treemap`",
                "`explore_api` or `treemap_verify` reads it",
            ][..],
        ),
        (with(geomap), &["`explore/geomap`", "`geomap` reads it"]),
        (with(r#""/countries/404""#), &["of kind `country`", "`country_profile` reads it"]),
    ] {
        let found = problems(&lines);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(found[0].starts_with("questions.json:5:16: question 61: extractor: "), "{}", found[0]);
        assert!(parts.iter().all(|part| found[0].contains(part)), "{}", found[0]);
    }
    assert!(problems(&with(treemap)).is_empty());
    let later = [&with(geomap)[..], &[("planned", r#""no extractor reads a geomap yet""#)]].concat();
    assert!(problems(&later).is_empty(), "what is planned is not read yet");
}

#[test]
fn duplicate_ids_are_found_across_string_and_integer() {
    let one = entry(&[]);
    let two = entry(&[("question_id", r#""61""#)]);
    let text = format!("{},\n{}", &one[..one.len() - 1], &two[1..]);
    let found = read(&text).unwrap_err();
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].to_string().contains("the first is on line 2"), "{}", found[0]);
}

#[test]
fn an_id_that_names_a_part_of_the_store_is_told_at_its_place() {
    for name in ["commit.json", "site.json", "checks.jsonl", "changelog.jsonl", "failures", "evidence"] {
        let id = format!("\"{name}\"");
        let reported = problems(&[("question_id", &id)]);
        assert!(
            reported[0].starts_with("questions.json:2:18: question_id: ")
                && reported[0].contains("another id"),
            "{reported:?}"
        );
    }
}

#[test]
fn a_manifest_without_a_question_is_an_error_that_names_the_file() {
    for (text, place) in [("[]", "1:1: "), (r#"{"questions": []}"#, "1:15: questions: ")] {
        let found = read(text).unwrap_err();
        assert_eq!(found.len(), 1, "{found:?}");
        let reported = found[0].to_string();
        assert!(reported.starts_with(&format!("questions.json:{place}no question is given")), "{reported}");
    }
}

#[test]
fn planned_entries_are_counted_and_may_name_what_is_not_there_yet() {
    let manifest = good(&entry(&[
        ("extractor", r#""feasibility_table""#),
        ("data_points", r#"["rows"]"#),
        ("planned", r#""the feasibility table comes later""#),
    ]));
    assert_eq!(manifest.entries.len(), 1);
    let reasons: Vec<_> = manifest.planned().map(|(_, reason)| reason).collect();
    assert_eq!(reasons, ["the feasibility table comes later"]);
    assert!(visits(&manifest.entries).is_empty());
}

#[test]
fn an_object_with_questions_is_a_manifest_too() {
    let text = format!("{{\"description\": \"two\", \"questions\": {}}}", entry(&[]));
    assert_eq!(good(&text).entries.len(), 1);
    for text in ["{}", "{\"questions\": 1}", "3", "{\"question\": []}", "[", ""] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn json_that_is_not_strict_is_read_with_a_warning() {
    let text = entry(&[]).replace("\n}]", "\n},]");
    let manifest = good(&text);
    assert_eq!((manifest.entries.len(), manifest.warnings.len()), (1, 1));
    assert!(manifest.warnings[0].to_string().contains("strict JSON"), "{}", manifest.warnings[0]);
    let yaml = parse(Path::new("questions.yaml"), &text, specs()).unwrap();
    assert!(yaml.warnings.is_empty());
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_or_refused_with_a_reason(at in 0usize..600, cut in 0usize..40, put in "[\\PC\n]{0,6}") {
        let at = at.min(SEED.len());
        let end = (at + cut).min(SEED.len());
        let text = format!("{}{put}{}", &SEED[..at], &SEED[end..]);
        if let Err(found) = read(&text) {
            proptest::prop_assert!(found.iter().any(|found| found.severity == Severity::Error));
            for found in found {
                proptest::prop_assert!(!found.message.is_empty());
                proptest::prop_assert!(found.render(false).contains("questions.json") || found.place.line == 0);
            }
        }
    }
}

#[test]
fn a_file_that_is_not_there_is_an_error_that_names_it() {
    let found = load(Path::new("/nowhere/questions.json"), specs()).unwrap_err();
    assert!(found[0].to_string().contains("/nowhere/questions.json"), "{}", found[0]);
}

#[test]
fn problems_are_drawn_at_their_place() {
    let found = read(&entry(&[("data_points", r#"["gdp_percapita"]"#)])).unwrap_err();
    let drawn = found[0].render(false);
    for part in ["questions.json:6:19", "gdp_percapita", "help: did you mean `gdp_per_capita`?"] {
        assert!(drawn.contains(part), "{part}: {drawn}");
    }
    assert_eq!(drawn.matches("did you mean").count(), 1, "{drawn}");
    assert!(!drawn.contains('\u{1b}'));
    assert!(found[0].render(true).contains('\u{1b}'));
}

fn atlas() -> (String, Manifest) {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("manifests/atlas.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let manifest = load(&path, specs()).unwrap_or_else(|found| panic!("{found:#?}"));
    (text, manifest)
}

#[test]
fn the_manifest_of_this_repository_is_right() {
    let (_, manifest) = atlas();
    assert!(manifest.warnings.is_empty(), "{:#?}", manifest.warnings);
    let ids: Vec<u16> = manifest.entries.iter().map(|e| e.question_id.as_str().parse().unwrap()).collect();
    assert!(ids.is_sorted() && ids.windows(2).all(|pair| pair[0] != pair[1]), "{ids:?}");
    let behaviors: Vec<u16> =
        manifest.behaviors.iter().map(|one| one.question_id.as_str().parse().unwrap()).collect();
    assert_eq!(behaviors, [46, 48, 53, 54, 55, 56, 57, 58, 59, 60]);
    assert!((1..=339).all(|id| ids.contains(&id) || behaviors.contains(&id)), "{ids:?}");
    assert_eq!(manifest.planned().count(), 0);
    for one in &manifest.behaviors {
        assert!(
            one.info.question_text.is_some()
                && one.info.category.is_some()
                && one.info.expected_tool.is_some()
        );
    }
    for entry in &manifest.entries {
        let id = &entry.question_id;
        let text = entry.info.question_text.as_deref().unwrap_or_default();
        let named: Vec<_> = crate::atlas::find_names(text).into_iter().map(|(_, id)| id).collect();
        // a question names nobody whom none of its pages or contexts is about
        let known: Vec<_> = std::iter::once(entry).chain(entry.readings()).flat_map(countries_of).collect();
        let is_known = |id: &crate::atlas::CountryId| known.contains(id);
        assert!(named.iter().all(is_known), "{id}: {text}");
        for read in entry.readings() {
            if let crate::atlas::SitePage::Explore(page) = &read.url.page {
                assert!(page.year.is_some() || read.extractor != "treemap_verify", "{id}: states no year");
            } else if entry.derive.is_none() {
                assert_eq!(named.as_slice(), read.url.country().as_slice(), "{id}: {text}");
            }
        }
        assert!(text.ends_with('?') && text.matches(['?', '.']).count() == 1, "{id}: one sentence: {text}");
        assert!(entry.info.category.is_some() && entry.info.difficulty.is_some(), "{id}");
        assert!(entry.info.expected_query_type.is_some() && entry.info.expected_tool.is_some(), "{id}");
        for point in ["product_export", "product_pci"] {
            let named = entry.is_collected() && entry.data_points.iter().any(|name| name == point);
            assert!(!named || entry.context.product.is_some(), "{id}: {point} needs a product");
        }
    }
}

/// The countries that an entry is about: of its address and of its context.
fn countries_of(entry: &Entry) -> Vec<crate::atlas::CountryId> {
    let stated = [&entry.context.country, &entry.context.partner];
    let stated = stated.into_iter().flatten().filter_map(|id| id.parse().ok());
    let sides = match &entry.url.page {
        crate::atlas::SitePage::Country { country, .. } => vec![*country],
        crate::atlas::SitePage::Explore(page) => {
            let sides = page.sides();
            [sides.0, sides.1].into_iter().flatten().filter_map(crate::atlas::PlaceId::country).collect()
        }
    };
    stated.chain(sides).collect()
}

#[test]
fn one_visit_a_page_whatever_the_section() {
    let (_, manifest) = atlas();
    let visits = visits(&manifest.entries);
    let pages: Vec<String> = visits.iter().map(|visit| visit.url.path()).collect();
    let countries = || visits.iter().filter(|visit| visit.url.path().starts_with("/countries/"));
    assert_eq!(countries().count(), 16, "{pages:?}");
    assert!(
        ["/countries/404", "/countries/724", "/countries/76"]
            .iter()
            .all(|page| pages.contains(&(*page).to_owned()))
    );
    let collected = manifest.entries.iter().filter(|entry| entry.is_collected());
    let read: usize = collected.map(|entry| entry.readings().len()).sum();
    assert_eq!(visits.iter().map(|visit| visit.entries.len()).sum::<usize>(), read);
    for visit in countries() {
        // what no page shows is of an extractor of its own
        let read = &visit.by_extractor()["country_profile"];
        let shown = visit.entries.iter().filter(|entry| entry.extractor != "country_api");
        assert!(read.iter().copied().eq(shown), "one extractor reads them all");
    }
}

#[test]
fn pages_that_differ_in_a_parameter_are_two_visits() {
    let text = |year: &str, id: &str| {
        entry(&[
            ("question_id", id),
            ("atlas_url", &format!(r#""/explore/treemap?exporter=country-404&year={year}""#)),
            ("extraction_method", r#""api_preferred""#),
            ("extractor", r#""treemap_verify""#),
            ("data_points", r#"["top_products"]"#),
        ])
    };
    let manifests = [text("2024", "1"), text("2023", "2"), text("2024", "3")].map(|text| good(&text));
    let visits = visits(manifests.iter().flat_map(|manifest| &manifest.entries));
    let entries: Vec<usize> = visits.iter().map(|visit| visit.entries.len()).collect();
    assert_eq!(entries, [2, 1]);
}

#[test]
fn the_schema_is_the_one_checked_in() {
    let path =
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("manifests/manifest.schema.json");
    let current = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, &current).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == current, "manifests/manifest.schema.json is old: run the test with UPDATE_SCHEMA=1");
}

#[test]
fn the_schema_accepts_what_is_read_and_refuses_what_is_not() {
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("manifest.json", schema().to_value()).unwrap();
    let schema = compiler.compile("manifest.json", &mut schemas).unwrap();
    let (atlas, _) = atlas();
    for text in [atlas.as_str(), SEED, &full_entry()] {
        let value = serde_json::from_str(text).unwrap();
        let checked = schemas.validate(&value, schema);
        assert!(checked.is_ok(), "{}", checked.unwrap_err());
    }
    for lines in [
        ("question_id", r#""../61""#),
        ("question_id", "61.5"),
        ("extraction_method", r#""dmo""#),
        ("data_points", "[]"),
        ("data_point", "[]"),
        ("difficulty", r#""simple""#),
        ("context", r#"{"prodct": "0902"}"#),
        ("context", r#"{"flow": "exports"}"#),
        ("visit", "1"),
        ("atlas_url", ""),
    ] {
        let text = entry(&[lines]);
        let value = serde_json::from_str(&text).unwrap();
        assert!(schemas.validate(&value, schema).is_err(), "{text}");
        assert!(read(&text).is_err(), "{text}");
    }
}
