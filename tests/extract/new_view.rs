//! The exercise of `docs/explanation/architecture.md`, "Add a view": a page that no spec of the program reads is read by a spec
//! alone. Built in, it would be this file as TOML, and its line in `manifest/spec/load.rs`.

use std::path::Path;

use atlas_gt::atlas::AtlasUrl;
use atlas_gt::capture::{Capture, Exchange};
use atlas_gt::extract::{Extractor, Wanted};
use atlas_gt::manifest::spec;
use atlas_gt::truth::Agreement;

const SPEC: &str = r#"
name = "map"
version = 1
page = "explore/geomap"
titles = ["Where did {country} export to in {year}?"]

[[sections]]
slug = "map"
headings = []

[[points]]
id = "exports_shown"
metric = "Exports shown"
answers = ["value"]
section = "map"
find = { stat = { labels = ["Total Value"], rule = "F1" } }
unit = "USD"
context = { statistic = "level", flow = "export" }
"#;

fn capture(title: &str, country: u32) -> Capture {
    let address = "http://127.0.0.1/explore/geomap?year=2024&exporter=country-404&view=markets";
    Capture {
        requested_url: address.into(),
        settled_url: address.into(),
        status: 200,
        title: "The Atlas".into(),
        html: format!(
            "<html><body><h1>{title}</h1><div><p>Total Value</p><p>$14.9B</p></div></body></html>"
        ),
        sticky_headers: Vec::new(),
        states: Vec::new(),
        exchanges: vec![Exchange {
            url: "http://127.0.0.1/api/graphql".into(),
            request: serde_json::json!({
                "query": format!(
                    "{{ countryCountryYear(countryId: {country}, yearMin: 2024, yearMax: 2024) {{ exportValue }} }}"
                ),
                "variables": {},
            })
            .to_string(),
            status: 200,
            response: r#"{"data":{"countryCountryYear":[{"exportValue":14900000000}]}}"#.into(),
        }],
        errors: Vec::new(),
        notes: Vec::new(),
        requests: 1,
        files: 0,
        own: Vec::new(),
        taken_at: "2026-11-20T10:30:00Z".into(),
    }
}

fn read(spec: &str, title: &str, country: u32) -> Result<(String, Agreement), String> {
    let spec = spec::parse(Path::new("map.toml"), spec).map_err(|error| error.to_string())?;
    let extractor = Extractor::new(spec).map_err(|error| error.to_string())?;
    let capture = capture(title, country);
    let url = AtlasUrl::parse(
        "https://atlas.hks.harvard.edu/explore/geomap?year=2024&exporter=country-404&view=markets",
    )
    .unwrap()
    .url;
    let wanted = Wanted { data_point: "exports_shown".into(), ..Wanted::default() };
    let extraction = extractor.extract(&capture, &url, std::slice::from_ref(&wanted));
    let found = extraction.outcome(&wanted).unwrap().clone().map_err(|failure| failure.kind.to_string())?;
    Ok((found[0].value.clone(), found[0].agreement))
}

#[test]
fn a_view_without_a_spec_is_read_by_a_spec_alone() {
    let read = |title, country| read(SPEC, title, country);
    let (value, _) = read("Where did Kenya export to in 2024?", 404).unwrap();
    assert_eq!(value, "$14.9B");
    let other = read("Where did Uganda export to in 2024?", 404).unwrap_err();
    assert!(other.contains("Uganda"), "{other}");
    let other = read("Where did Kenya export to in 2023?", 404).unwrap_err();
    assert!(other.contains("2023"), "{other}");
    let other = read("Where did Kenya export to in 2024?", 800).unwrap_err();
    assert!(other.contains("Uganda"), "{other}");
}
