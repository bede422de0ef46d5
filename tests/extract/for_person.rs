//! A value that is drawn: never read, and a person is told where on the page it is.

use std::path::Path;

use atlas_gt::atlas::AtlasUrl;
use atlas_gt::capture::Capture;
use atlas_gt::extract::{Extractor, Extractors, FailureKind, Wanted};
use atlas_gt::manifest::spec;
use atlas_gt::picture::Area;

const URL: &str = "https://atlas.hks.harvard.edu/explore/geomap?year=2024&exporter=country-404&view=markets";

/// A page with a heading, the caption of one circle, and a note below the drawing.
const PAGE: &str = r#"<html><body><h1 data-agt-box="20,10,600,40">Where did Kenya export to in 2024?</h1>
<p data-agt-box="700,500,80,20">Uganda</p><p data-agt-box="20,900,600,20">Shares of all exports</p></body></html>"#;

fn extractor(find: &str) -> Result<Extractor, String> {
    let text = format!(
        "name = \"map\"\nversion = 1\npage = \"explore/geomap\"\ntitles = [\"Where did {{country}} export to in {{year}}?\"]\n\
         [[sections]]\nslug = \"map\"\nheadings = []\n[[points]]\nid = \"share_seen\"\nmetric = \"Share\"\nanswers = [\"value\"]\nsection = \"map\"\n\
         unit = \"percent\"\nfind = {{ screenshot = {{ {find} }} }}\n"
    );
    let spec = spec::parse(Path::new("map.toml"), &text).map_err(|error| error.to_string())?;
    Extractor::new(spec).map_err(|error| error.to_string())
}

/// Why it is not read, and where a person finds it.
fn read(find: &str) -> (FailureKind, Option<Area>) {
    let extractor = extractor(find).unwrap();
    let capture: Capture = serde_json::from_value(serde_json::json!({
        "requested_url": URL, "settled_url": URL, "status": 200, "title": "The Atlas", "html": PAGE, "pinned": [],
        "exchanges": [], "errors": [], "taken_at": "2026-11-20T10:30:00Z",
    }))
    .unwrap();
    let url = AtlasUrl::parse(URL).unwrap().url;
    let wanted = Wanted { data_point: "share_seen".into(), ..Wanted::default() };
    let asked = std::slice::from_ref(&wanted);
    assert!(extractor.needs_picture(asked));
    let extraction = extractor.extract(&capture, &url, asked);
    let failure = extraction.outcome(&wanted).unwrap().clone().unwrap_err();
    assert_eq!(extraction.is_settled(), failure.is_for_a_person());
    let person = extractor.for_person(&capture, &url, asked).remove(0).unwrap();
    assert!(person.slots.len() == 1 && person.seen.contains("Uganda"), "{person:#?}");
    assert_eq!(person.label, "the share in the circle");
    (failure.kind, person.area)
}

const LABELS: &str = "labels = [\"the share in the circle\"], rule = \"F8\"";

#[test]
fn a_drawn_value_is_left_to_a_person_who_is_told_where_it_is() {
    let (kind, area) = read(LABELS);
    assert_eq!(kind, FailureKind::ForAPerson);
    assert_eq!(area.map(|area| (area.x, area.y)), Some((0, 2)), "all of the drawing");
    let (kind, area) = read(&format!("{LABELS}, around = \"Uganda\""));
    assert_eq!(kind, FailureKind::ForAPerson);
    assert_eq!(area, Some(Area { x: 460, y: 340, width: 560, height: 340 }));
}

#[test]
fn what_is_not_on_the_page_is_an_extractor_to_mend() {
    let (kind, _) = read(&format!("{LABELS}, around = \"Rwanda\""));
    assert_eq!(kind, FailureKind::LabelMissing);
}

#[test]
fn a_point_that_nobody_could_judge_is_refused() {
    for (find, expected) in [
        ("labels = [], rule = \"F8\"", "`labels` must name what a person looks for"),
        ("labels = [\"a\"]", "a screenshot needs either a `rule` or a `vocabulary`"),
        ("labels = [\"a\"], rule = \"F8\", vocabulary = \"sector\"", "either a `rule` or a `vocabulary`"),
        ("labels = [\"a\"], rule = \"F8\", arround = \"b\"", "unknown field `arround`"),
    ] {
        let error = extractor(find).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

/// Of a page that answered none of its queries: the rows that a person is to read of a point, by their keys and the key of
/// the name that stands beside the value.
fn slots(extractor: &str, path: &str, wanted: Wanted) -> Vec<String> {
    let address = format!("https://atlas.hks.harvard.edu{path}");
    let heading = match path {
        _ if path.starts_with("/countries") => "Kenya",
        _ if path.contains("view=markets") || path.contains("geomap") => {
            "Where did Kenya export All Products to in 2024?"
        }
        _ if path.contains("importer") => "What did Kenya export to Uganda in 2024?",
        _ if path.contains("overtime") => "What did Kenya export, 2014 – 2024?",
        _ if path.contains("productspace") => "Kenya in the Product Space, 2024",
        _ => "What did Kenya export in 2024?",
    };
    let capture: Capture = serde_json::from_value(serde_json::json!({
        "requested_url": address, "settled_url": address, "status": 200, "title": "The Atlas",
        "html": format!("<html><body><h1>{heading}</h1><h2>Export Basket in 2024</h2><p>Chart</p></body></html>"), "pinned": [], "exchanges": [],
        "errors": [], "taken_at": "2026-11-20T10:30:00Z",
    }))
    .unwrap();
    let url = AtlasUrl::parse(&address).unwrap().url;
    let extractors = Extractors::built_in().unwrap();
    let extractor = extractors.get(extractor).unwrap();
    let person = extractor.for_person(&capture, &url, std::slice::from_ref(&wanted)).remove(0);
    let slot = |slot: &atlas_gt::extract::Slot| {
        let keys: Vec<String> = slot.keys.iter().map(|(key, value)| format!("{key} {value}")).collect();
        format!("{}+{}", keys.join(" "), slot.named.unwrap_or_default())
    };
    person.map_or_else(Vec::new, |person| person.slots.iter().map(slot).collect())
}

#[test]
fn each_drawn_kind_says_which_values_a_person_is_to_read_when_its_response_is_missing() {
    let of = |point: &str| Wanted { data_point: point.into(), ..Wanted::default() };
    let product = |point: &str, product: &str| Wanted { product: Some(product.into()), ..of(point) };
    let partner = |point: &str| Wanted { partner: Some("800".into()), ..of(point) };
    let (products, partners) = (
        "/explore/treemap?year=2024&exporter=country-404",
        "/explore/treemap?year=2024&exporter=country-404&view=markets",
    );
    let treemap = |path: &str, wanted| slots("treemap_verify", path, wanted);
    let ranked = ["rank 1+product", "rank 2+product", "rank 3+product"];
    assert_eq!(treemap(products, of("top_3_products")), ranked);
    assert_eq!(treemap(partners, of("top_3_partners")), ranked.map(|one| one.replace("product", "partner")));
    assert_eq!(treemap(products, product("product_export", "0902")), ["product 0902+"]);
    assert_eq!(treemap(products, product("sector_share", "Minerals")), ["sector Minerals+"]);
    assert_eq!(treemap(partners, partner("partner_export")), ["partner 800+"]);
    assert_eq!(
        treemap(partners, of("largest_balances")),
        ["column surplus+partner", "column deficit+partner"]
    );
    assert_eq!(
        treemap(
            "/explore/treemap?year=2024&exporter=country-404&importer=country-800",
            of("bilateral_total")
        ),
        ["+"]
    );
    assert_eq!(slots("country_profile", "/countries/404/export-basket", of("top_product_shares")), ranked);
    assert_eq!(
        slots("geomap", "/explore/geomap?year=2024&exporter=country-404", partner("partner_export")),
        ["partner 800+"]
    );
    assert_eq!(
        slots("productspace", "/explore/productspace?year=2024&exporter=country-404", of("rca_products")),
        ["+"]
    );
    let series = |wanted| {
        slots("overtime", "/explore/overtime?startYear=2014&endYear=2024&exporter=country-404", wanted)
    };
    let services = product("sector_export", "Services");
    assert_eq!(series(Wanted { year: Some(2019), ..services.clone() }), ["sector Services+"]);
    assert!(series(services).is_empty(), "no picture says how many years there are");
    // a text of the page is an extractor to mend, not a picture to read
    assert!(slots("country_profile", "/countries/404/export-basket", of("total_exports")).is_empty());
}
