use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Value as Json, json};

use super::record::{Known, Prepared};
use super::report::LeafUse;
use crate::external::{Folder, ListedQuestion};
use crate::extract::Extractors;
use crate::manifest::{Details, Manifest, QuestionId, load};
use crate::truth::checks::CheckOutcome;
use crate::truth::{Agreement, Channel, Site, SourceMethod};
use crate::value::Absence;

static EXTRACTORS: LazyLock<Extractors> = LazyLock::new(|| Extractors::built_in().unwrap());
static MANIFEST: LazyLock<Manifest> = LazyLock::new(|| {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("manifests/atlas.json");
    load(&path, &*EXTRACTORS).unwrap()
});

/// A record of a question as an import would keep it; the question asks what the manifest's does, or another thing.
fn prepared(id: &str, asks: Option<&str>, record: Json) -> Prepared {
    tried(id, asks, record).unwrap()
}

fn tried(id: &str, asks: Option<&str>, record: Json) -> Result<Prepared, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(id).join("results.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, record.to_string()).unwrap();
    let opened = Folder::open(folder.path()).unwrap();
    let id: QuestionId = id.parse().unwrap();
    let entry = MANIFEST.entries.iter().find(|entry| entry.question_id == id).unwrap();
    let text = asks.map(str::to_owned).or_else(|| entry.info.question_text.clone()).unwrap();
    let question = ListedQuestion {
        id: id.clone(),
        text,
        category: None,
        difficulty: None,
        source: None,
        address: None,
        behavior: None,
        expected_tool: None,
        expected_query_type: None,
        details: Details::default(),
    };
    let known = Known {
        questions: &[(id.clone(), question)].into(),
        asked: MANIFEST.questions().map(|question| (question.id, question)).collect(),
        by_words: Default::default(),
        extractors: &EXTRACTORS,
        points: Known::points(&EXTRACTORS, &MANIFEST.entries),
        site: Site::Live,
        assumed: SourceMethod::GraphqlApi,
        folder: folder.path(),
    };
    known.prepare(&opened.read(&id, &file).unwrap())
}

/// The rows of a record: time and address are given.
fn rows(id: &str, rows: Json) -> Prepared {
    prepared(id, None, json!({"execution_timestamp": "2026-02-28T10:00:00Z", "results": {"data": rows}}))
}

/// The fields with a data point, with their values.
fn placed(prepared: &Prepared) -> Vec<(String, String)> {
    let is_placed = |field: &String| {
        let leaves = prepared.report.leaves.iter();
        leaves.clone().any(|leaf| leaf.used == LeafUse::Placed && leaf.field.as_ref() == Some(field))
    };
    let fields = prepared.import.record.results.data.iter().map(|row| (row.field(), row.shown()));
    fields.filter(|(field, _)| is_placed(field)).collect()
}

fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(field, value)| ((*field).to_owned(), (*value).to_owned())).collect()
}

/// Why the first value without a data point has none.
fn why(prepared: &Prepared) -> String {
    assert_eq!(placed(prepared), []);
    prepared.report.leaves.iter().find_map(|leaf| leaf.why.clone()).unwrap_or_default()
}

#[test]
fn a_number_under_a_key_of_its_own_is_not_the_value_of_the_metric() {
    let one = rows("61", json!([{"metric": "GDP per capita", "value": "n/a", "confidence": 95}]));
    assert!(why(&one).contains("its name does not suggest"), "{}", why(&one));
    let one = rows("61", json!([{"metric": "GDP per capita", "value": 2274, "unit": "EUR"}]));
    assert!(why(&one).contains("its unit is other currency"), "{}", why(&one));
    let one =
        rows("61", json!([{"metric": "GDP per capita", "value": 2274, "unit": "USD", "confidence": 95}]));
    assert_eq!(placed(&one), pairs(&[("gdp_per_capita", "2274 USD")]));
}

#[test]
fn a_value_becomes_that_of_the_data_point_with_its_display_and_its_precise_number() {
    let one = rows(
        "75",
        json!([{"metric": "Total exports", "value": "$377.65 billion", "raw_value": 377651747244.83}]),
    );
    assert_eq!(placed(&one), pairs(&[("total_exports", "$377.65 billion")]));
    let row = &one.import.record.results.data[0];
    assert_eq!((row.country.as_str(), row.number.unwrap().to_string().as_str()), ("Brazil", "377650000000"));
    let point = &one.import.provenance.points[0];
    assert_eq!((point.channel, point.agreement), (Channel::Imported, Some(Agreement::Agrees)));
    assert_eq!(point.precise.as_ref().unwrap().number.to_string(), "377651747244.83");
    let interval = point.interval.unwrap();
    assert_eq!(
        (interval.low.normalize().to_string(), interval.is_point()),
        ("377645000000".to_owned(), false)
    );
    let imported = point.imported.as_ref().unwrap();
    assert_eq!(imported.to_string(), "75/results.json row 1 (value, raw_value)");
    assert_eq!(one.import.record.source_method, SourceMethod::GraphqlApi);
    assert!(one.report.method_assumed);
    // a precise number that is not displayed so is kept, and is not the precise number
    let odd = rows("97", json!([{"metric": "ECI value", "value": "0.77", "raw_value_api": 0.8229}]));
    assert!(odd.import.provenance.points[0].precise.is_none());
    assert_eq!(odd.import.record.results.data[0].extra["raw_value_api"], "0.8229");
}

#[test]
fn one_row_may_hold_values_of_several_points_and_what_stands_beside_them_is_kept() {
    let one = rows(
        "43",
        json!([{"metric": "Diversification potential", "country": "Ghana", "eci": "-1.1063", "eci_rank": 124, "coi_rank": 99,
            "strategic_approach": "Strategic Bets Approach", "diversification_grade": "B", "diversity_rank": 101}]),
    );
    let fields: Vec<String> = placed(&one).into_iter().map(|(field, _)| field).collect();
    assert_eq!(
        fields,
        ["eci_rank", "coi_rank", "strategic_approach", "diversification_grade", "diversity_rank"]
    );
    assert_eq!(one.import.record.results.data[0].extra["eci"], "-1.1063");
    let words = rows(
        "162",
        json!([{"metric": "Sectors driving export growth", "value": "Services", "structural_transformation": "completed"}]),
    );
    assert_eq!(
        placed(&words),
        pairs(&[("market_share_growth_sector", "Services"), ("structural_transformation", "completed")])
    );
    let beside = rows(
        "160",
        json!([{"metric": "Export growth mechanism", "value": "expanding global market share", "sector": "Services"}]),
    );
    assert_eq!(placed(&beside).len(), 2, "the sector beside answers too: {:#?}", beside.report.leaves);
    let described =
        rows("166", json!([{"metric": "Strategic approach description", "name": "Light Touch Approach"}]));
    assert_eq!(placed(&described)[0].0, "strategic_approach", "a word of a vocabulary is no description");
    let years = rows(
        "246",
        json!([{"metric": "Data availability", "classification": "HS 1992", "year_min": 1995, "year_max": 2024}]),
    );
    assert_eq!(placed(&years), pairs(&[("year_coverage", "1995-2024")]));
    let code = rows("88", json!([{"product_name": "Business", "hs92_code": "ict"}]));
    assert_eq!(placed(&code), pairs(&[("product_code[ict]", "ict")]));
}

#[test]
fn lists_are_placed_as_a_whole_by_what_they_name() {
    let list = |rank: Json, product: &str, value: &str| json!({"rank": rank, "product": product, "export_value": value, "share": "5.0%"});
    let three = json!([
        list(json!(2), "Transport (transport HS92)", "$2B"),
        list(json!(1), "Business (ict HS92)", "$3B"),
        list(json!(4), "Cars (8703 HS92)", "$0.5B"),
        list(json!(3), "Gold (7108 HS92)", "$1B"),
    ]);
    let one = rows("6", three.clone());
    assert_eq!(
        placed(&one),
        pairs(&[
            ("top_3_products[ict]", "$3B"),
            ("top_3_products[transport]", "$2B"),
            ("top_3_products[7108]", "$1B")
        ])
    );
    let first = &one.import.record.results.data[0];
    assert_eq!((first.text("rank").as_deref(), first.text("share").as_deref()), (Some("1"), Some("5.0%")));
    // without ranks the numbers say the order
    let mut unranked = three;
    unranked
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .for_each(|row| drop(row.as_object_mut().unwrap().remove("rank")));
    assert_eq!(placed(&rows("6", unranked)), placed(&one));
    let partners = |second: &str| {
        rows(
            "17",
            json!([
                {"rank": 1, "country": "China", "export_value": "$164B"},
                {"rank": 2, "country": second, "export_value": "$139B"},
            ]),
        )
    };
    assert_eq!(
        placed(&partners("USA")),
        pairs(&[("top_partners[China]", "$164B"), ("top_partners[USA]", "$139B")])
    );
    assert!(why(&partners("Services Partners")).contains("`Services Partners` is not a country"));
    let internal = rows("5", json!([{"rank": 1, "sector": "product-HS12-126", "export_value": "$116B"}]));
    assert!(why(&internal).contains("internal id"));
    let table = rows("113", json!([{"country": "Uganda", "new_products": 28, "usd_per_capita": "$5"}]));
    assert_eq!(
        placed(&table),
        pairs(&[
            ("new_products_peers[Uganda.new_products]", "28"),
            ("new_products_peers[Uganda.usd_per_capita]", "$5")
        ])
    );
}

#[test]
fn decision_15_a_value_of_another_thing_is_not_placed_and_says_why() {
    let of = |id: &str, row: Json| why(&rows(id, json!([row])));
    for (id, row, reason) in [
        (
            "61",
            json!({"metric": "GDP per capita", "country": "Uganda", "value": "$2,274"}),
            "it is about Uganda, the point about Kenya",
        ),
        ("61", json!({"metric": "Uganda GDP per capita", "value": "$1,100"}), "its name mentions Uganda"),
        ("75", json!({"metric": "Exports of crude oil", "value": "$40 billion"}), "its name mentions `2709`"),
        ("61", json!({"metric": "GDP per capita (PPP)", "value": "$7,159"}), "it says ppp"),
        ("62", json!({"metric": "GDP per capita", "value": "$2,274"}), "it does not say ppp"),
        ("61", json!({"metric": "Population", "value": "52.4 million"}), "it says population"),
        ("75", json!({"metric": "Total imports", "value": "$367 billion"}), "other direction of trade"),
        (
            "45",
            json!({"metric": "Total exports", "year": 2019, "value": "$15M"}),
            "its period is 2019, the point's 2020",
        ),
        (
            "187",
            json!({"metric": "Global export value", "product": "Medicaments (3004 HS12)", "value": "$413B"}),
            "its classification is HS12, the point's HS92",
        ),
        (
            "185",
            json!({"metric": "Global export value", "product": "Coffee (0901 HS12)", "value": "$45B"}),
            "it is about `Coffee` (0901)",
        ),
        ("1", json!({"category": "Goods", "export_value": 223341722802_i64}), "it is only about `Goods`"),
        ("15", json!({"period": "2015-2021", "ict_cagr": "18.8%"}), "it is a cagr, the point a total growth"),
        ("190", json!({"metric": "total export growth (nominal USD)", "growth_5yr": "3.4%"}), "other prices"),
        (
            "195",
            json!({"metric": "Total bilateral exports", "exporter": "Brazil", "importer": "India", "value": "$9B"}),
            "it is about India, the point about China",
        ),
        (
            "195",
            json!({"metric": "Total bilateral exports", "exporter": "China", "importer": "Brazil", "value": "$9B"}),
            "it is about China, the point about Brazil",
        ),
        ("37", json!({"country": "Egypt", "coi_rank": 4}), "its name does not suggest"),
        (
            "112",
            json!({"metric": "New product share of exports", "value": 0.016}),
            "it does not state the unit percent",
        ),
        ("22", json!({"metric": "Electronics market share", "share": 0.28}), "a fraction or a percentage"),
        ("20", json!({"goods_exports": "$761B"}), "one operand, not the difference"),
    ] {
        let found = of(id, row.clone());
        assert!(found.contains(reason), "Q{id} {row}: {found}");
    }
    // and what both call the same is placed
    let import = json!([{"metric": "Total bilateral imports", "importer": "Brazil", "exporter": "China", "value": "$69.93 billion"}]);
    assert_eq!(placed(&rows("200", import)), pairs(&[("bilateral_import_total", "$69.93 billion")]));
    let places = json!([{"metric": "ECI rank change over decade", "value": "worsened 13 positions"}]);
    let moved = rows("147", places);
    assert_eq!(moved.import.record.results.data[0].number.unwrap().to_string(), "-13");
    let twice = rows(
        "61",
        json!([{"metric": "GDP per capita", "value": "$1"}, {"metric": "GDP per capita", "value": "$2"}]),
    );
    assert!(why(&twice).contains("several values match equally"));
}

#[test]
fn decision_15_a_question_or_address_of_another_thing_places_nothing() {
    let row = json!([{"metric": "GDP per capita", "value": "$2,274"}]);
    let asks = |text: &str| prepared("61", Some(text), json!({"results": {"data": row}}));
    let other = tried("61", Some("What is the GDP per capita of Uganda?"), json!({"results": {"data": row}}));
    let why = other.map(|_| ()).unwrap_err();
    assert!(why.contains("of Uganda?” in the list and"), "{why}");
    let told = |one: &Prepared, text: &str| one.report.notes.iter().any(|note| note.contains(text));
    assert_eq!(placed(&asks("How high is Kenya's GDP per capita?")).len(), 1);
    let at = |url: &str| prepared("61", None, json!({"atlas_url": url, "results": {"data": row}}));
    let other = at("https://atlas.hks.harvard.edu/countries/800");
    assert!(told(&other, "the address shows Uganda"), "{:?}", other.report.notes);
    assert_eq!(placed(&at("https://atlas.hks.harvard.edu/countries/404")).len(), 1);
    assert_eq!(
        placed(&at("https://atlas.hks.harvard.edu/api/graphql")).len(),
        1,
        "an address of no page says nothing"
    );
}

#[test]
fn a_value_without_a_data_point_has_a_name_of_its_own_that_stays() {
    let rows_of = || {
        rows(
            "32",
            json!([
                {"year": "2012", "eci": "0.6823"}, {"year": "2013", "eci": "0.7039"}, {"year": "2014", "eci": null},
                {"by_sector": {"Textiles": 3.5, "Metals": 2}, "total_value": "$4B"},
            ]),
        )
    };
    let one = rows_of();
    let fields: Vec<String> = one.import.record.results.data.iter().map(crate::truth::Row::field).collect();
    assert_eq!(
        fields,
        [
            "eci_imported[2012]",
            "eci_imported[2013]",
            "by_sector[Textiles]",
            "by_sector[Metals]",
            "total_value_imported"
        ]
    );
    assert_eq!(one.import.record, rows_of().import.record);
    assert_eq!(one.import.provenance, rows_of().import.provenance);
    // every row knows how it came
    for row in &one.import.record.results.data {
        assert!(one.import.provenance.of(row).is_some(), "{}", row.field());
    }
}

#[test]
fn decision_35_what_a_person_saw_on_the_page_is_the_browsers_truth_with_a_dated_look() {
    let record = |seen: Json| {
        prepared(
            "61",
            None,
            json!({
                "execution_timestamp": "2026-02-01T10:00:00+00:00Z", "source_method": "graphql_api_browser_verified",
                "results": {"data": [{"metric": "GDP per capita", "value": "$2,274"}]}, "verification": seen,
            }),
        )
    };
    let seen = |matches: Json| json!({"verified_value": "$2,274", "page_showed": "$2,300", "match": matches, "verified_at": "2026-03-05T08:00:00Z"});
    let yes = record(seen(json!(true)));
    let look = yes.import.look.clone().unwrap();
    assert_eq!(
        (look.outcome, look.timestamp.to_string().as_str()),
        (CheckOutcome::Unchanged, "2026-03-05T08:00:00Z")
    );
    assert_eq!(
        (yes.import.record.source_method, yes.report.method_assumed),
        (SourceMethod::BrowserCountryPage, false)
    );
    assert_eq!(yes.import.provenance.points[0].channel, Channel::Person);
    assert_eq!(yes.import.record.execution_timestamp.to_string(), "2026-02-01T10:00:00Z");
    let no = record(seen(json!(false))).import.look.unwrap();
    assert_eq!(no.outcome, CheckOutcome::Suspect);
    assert!(no.detail.unwrap().contains("the page showed $2,300"));
    assert_eq!(record(seen(Json::Null)).import.look, None, "nobody says what came of it");
}

#[test]
fn what_is_no_value_gives_no_truth_and_says_so() {
    let empty = rows("50", json!([{}]));
    assert_eq!(
        (empty.import.record.results.data.len(), empty.report.notes[0].as_str()),
        (0, "the record holds no value")
    );
    let error = rows("61", json!([{"metric": "GDP per capita", "value": "Error: timeout after 30 s"}]));
    assert_eq!(error.import.record.results.data, []);
    assert_eq!(error.report.leaves[1].used, LeafUse::Nothing);
    let told = prepared("61", None, json!({"results": {"data": [], "error": "HTTP 500"}}));
    assert!(told.report.notes.iter().any(|note| note.contains("HTTP 500")), "{:?}", told.report.notes);
    let absent = rows("130", json!([{"available": false}]));
    assert_eq!(absent.import.record.results.data[0].absence, Some(Absence::NotAvailableForCountry));
    let archived = prepared(
        "61",
        None,
        json!({
            "results": {"data": [{"metric": "GDP per capita", "value": "$2,274"}], "archived_data": [{"metric": "GDP per capita", "value": "$2,100"}]},
        }),
    );
    assert_eq!(archived.import.archived[0].row.field(), "gdp_per_capita");
    assert_eq!(archived.report.archived.len(), 2);
}
