//! The other drawings of the Explore pages, and answers that follow from several of them: what is read is the same in both
//! renderings, and a page that shows another value, country, classification, or nothing, leaves nothing behind.

use super::*;

/// A question about each drawing: trade over time by sector and partner, shares of the world, a map, a product space, the
/// graph of opportunities, the goods of a group of countries, one that follows from two years, one from two countries, one with a value for each year, and what only the API has.
const VIEWS: [&str; 16] = [
    "16", "23", "29", "33", "37", "47", "221", "267", "269", "271", "273", "282", "284", "286", "334", "338",
];

#[test]
#[ignore = "slow: make test-deep"]
fn each_drawing_reads_the_same_in_both_renderings_and_follows_from_its_evidence() {
    run(async {
        let mut seen = Vec::new();
        for skin in [Skin::Hashed, Skin::Mui] {
            let twin = replica(skin, &[]).await;
            let folder = tempfile::tempdir().unwrap();
            let report = collect_and_ask(&twin, questions(&VIEWS), folder.path(), Some(&twin.base_url)).await;
            assert_eq!(notes(&report), BTreeMap::new(), "{skin}");
            assert_eq!(report.totals.collected, VIEWS.len());
            let store = Store::read(folder.path()).unwrap();
            let extractors = Extractors::built_in().unwrap();
            assert_eq!(workflow::verify(&store, &extractors).unwrap().doubts, [], "{skin}");
            assert!(store.unreferenced().unwrap().is_empty(), "evidence of inputs is referred to");
            // what is drawn over time is confirmed by the corner and by the tooltips where the pointer rested
            let provenance = store.load(&"16".parse().unwrap()).unwrap().unwrap().provenance.unwrap();
            let derivation = provenance.derivation.unwrap();
            for input in &derivation.inputs {
                let reason = input.point.agreement_reason.as_deref().unwrap();
                assert!(reason.contains("the corner shows $643B"), "{skin}: {reason}");
                assert!(reason.matches("the tooltip at hover").count() == 2, "{skin}: {reason}");
            }
            // shares of the world have no corner; one rendering has labels at the ends of its lines
            let provenance = store.load(&"23".parse().unwrap()).unwrap().unwrap().provenance.unwrap();
            for input in &provenance.derivation.unwrap().inputs {
                let reason = input.point.agreement_reason.as_deref().unwrap();
                assert!(reason.matches("the tooltip at hover").count() == 2, "{skin}: {reason}");
                let labelled = reason.contains("labels at the ends of lines agree");
                assert_eq!(labelled, skin == Skin::Mui, "{reason}");
            }
            // looked at again, nothing but the look is written
            let again = collect_and_ask(&twin, questions(&VIEWS), folder.path(), Some(&twin.base_url)).await;
            assert_eq!(again.totals.agreed, VIEWS.len(), "{:#?}", notes(&again));
            assert!(Store::read(folder.path()).unwrap().unreferenced().unwrap().is_empty());
            // pages that several inputs and questions share are loaded once, what only the API has not at all
            let pages: BTreeSet<&str> = report.visits.iter().map(|visit| visit.page.as_str()).collect();
            assert_eq!(pages.len(), report.visits.len());
            assert_eq!(report.visits.iter().map(|visit| visit.loads).max(), Some(1));
            let own =
                report.visits.iter().find(|visit| visit.page.contains("year=2015&exporter=country-404"));
            assert_eq!(own.map(|visit| visit.loads), Some(0));
            seen.push(records(folder.path()));
        }
        assert_eq!(seen[0], seen[1]);
        let row = |id: &str| -> Json {
            let record: Json = serde_json::from_str(&seen[0][id]).unwrap();
            record["results"]["data"][0].clone()
        };
        assert_eq!(row("221")["value"], "0.37");
        assert_eq!((&row("47")["absence"], &row("47")["value"]), (&json!("not_shown_here"), &Json::Null));
        assert_eq!((&row("16")["year"], &row("16")["unit"]), (&json!("2014-2024"), &json!("percent")));
        assert_eq!(row("23")["unit"], "percentage_points");
        // a place is of the country that holds it, whichever country's page says so
        assert_eq!((&row("33")["value"], &row("33")["country"]), (&json!("2nd of 4"), &json!("Vietnam")));
        assert_eq!((&row("37")["value"], &row("37")["country"]), (&json!("2nd of 4"), &json!("Egypt")));
        assert_eq!((&row("338")["rank"], &row("338")["value"]), (&json!("1"), &json!("$24.9M")));
        let record: Json = serde_json::from_str(&seen[0]["286"]).unwrap();
        assert_eq!(record["source_method"], "graphql_api");
    });
}

/// One question a drawing.
fn one_a_view() -> Vec<Entry> {
    let spain = "/explore/overtime?exporter=country-724&startYear=2014&endYear=2024";
    let by_method = ("api_preferred", "overtime");
    let services = json!({ "product": "Services", "period": 2019, "classification": "HS92" });
    vec![
        entry("overtime", spain, by_method, &["sector_export"], services.clone()),
        entry(
            "marketshare",
            "/explore/marketshare?exporter=country-724&startYear=2014&endYear=2024",
            ("api_preferred", "marketshare"),
            &["sector_market_share"],
            services,
        ),
        entry(
            "geomap",
            "/explore/geomap?year=2024&exporter=country-404",
            ("dom", "geomap"),
            &["total_value"],
            json!({}),
        ),
        entry(
            "productspace",
            "/explore/productspace?year=2024&exporter=country-76&productClass=HS92",
            ("api_preferred", "productspace"),
            &["rca_products"],
            json!({}),
        ),
        entry(
            "feasibility",
            "/explore/feasibility?year=2024&exporter=country-76&productClass=HS92",
            ("api_preferred", "feasibility"),
            &["eci"],
            json!({}),
        ),
    ]
}

/// What a run over a faulty site stores, and what it says of the rest.
async fn with(faults: &[&str]) -> (Vec<String>, BTreeMap<String, String>) {
    let twin = replica(Skin::Mui, faults).await;
    let folder = tempfile::tempdir().unwrap();
    let report = collect_within(&twin, one_a_view(), folder.path(), None, Duration::from_secs(8)).await;
    let said = notes(&report).into_iter().map(|(id, note)| (id.to_owned(), note)).collect();
    (records(folder.path()).into_keys().collect(), said)
}

#[test]
#[ignore = "slow: make test-deep"]
fn another_country_behind_the_same_address_leaves_nothing_behind() {
    run(async {
        let (stored, said) = with(&["other-country=231"]).await;
        assert_eq!(stored, Vec::<String>::new());
        assert!(said.values().all(|note| note.contains("country")), "{said:#?}");
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn another_classification_behind_the_same_address_leaves_nothing_behind() {
    run(async {
        let (stored, said) = with(&["drawn-otherwise=class:HS12"]).await;
        // totals of goods by place are the same in every classification, and the page says none
        assert!(stored.iter().all(|id| id == "geomap"), "{stored:?}");
        for id in ["overtime", "marketshare", "productspace", "feasibility"] {
            assert!(said[id].contains("classification"), "{id}: {}", said[id]);
        }
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn a_drawing_that_shows_another_value_than_its_response_leaves_nothing_behind() {
    run(async {
        let (stored, said) = with(&["drawn-otherwise=total:$61B", "drawn-otherwise=hover:$9.99B"]).await;
        assert!(said["overtime"].contains("the corner shows $61B"), "{}", said["overtime"]);
        // a total is what the page displays, and the record says that the response contradicts it
        let contradicted = ["overtime", "productspace", "feasibility"];
        assert!(!stored.iter().any(|id| contradicted.contains(&id.as_str())), "{stored:?}");
        for id in ["productspace", "feasibility"] {
            assert!(said[id].contains("the corner shows $61B"), "{id}: {}", said[id]);
        }
        let (stored, said) = with(&["drawn-otherwise=hover:99.9%"]).await;
        assert!(said["marketshare"].contains("the tooltip shows 99.9 for"), "{said:#?}");
        assert!(!stored.contains(&"marketshare".to_owned()), "{stored:?}");
        let (stored, said) = with(&["drawn-otherwise=end:99.9%"]).await;
        assert!(said["marketshare"].contains("the label at the end of a line shows"), "{said:#?}");
        assert!(!stored.contains(&"marketshare".to_owned()), "{stored:?}");
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn what_the_page_never_asked_for_and_what_never_loads_is_not_made_up() {
    run(async {
        let (stored, said) = with(&["page-lacks=countryProductYear"]).await;
        for id in ["overtime", "marketshare", "productspace"] {
            assert!(
                said[id].contains("a response lacks what the value depends on: countryProductYear"),
                "{id}: {}",
                said[id]
            );
        }
        assert!(!stored.iter().any(|id| ["overtime", "marketshare", "productspace"].contains(&id.as_str())));
        let spinners = ["overtime", "marketshare", "geomap", "productspace", "feasibility"]
            .map(|viz| format!("spinner-forever={viz}"));
        let spinners: Vec<&str> = spinners.iter().map(String::as_str).collect();
        let (stored, said) = with(&spinners).await;
        assert_eq!((stored, said.len()), (Vec::new(), 5), "{said:#?}");
    });
}
