//! A value that is drawn: never read, and a person is told where on the page it is.

use std::path::Path;

use atlas_gt::atlas::AtlasUrl;
use atlas_gt::capture::Capture;
use atlas_gt::extract::{Extractor, FailureKind, Wanted};
use atlas_gt::manifest::spec;
use atlas_gt::picture::Area;

const URL: &str = "https://atlas.hks.harvard.edu/explore/geomap?year=2024&exporter=country-404&view=markets";

/// A page with a heading, the caption of one circle, and a note below the drawing.
const PAGE: &str = r#"<html><body><h1 data-agt-box="20,10,600,40">Where did Kenya export to in 2024?</h1>
<p data-agt-box="700,500,80,20">Uganda</p><p data-agt-box="20,900,600,20">Shares of all exports</p></body></html>"#;

fn extractor(find: &str) -> Result<Extractor, String> {
    let text = format!(
        "name = \"map\"\nversion = 1\npage = \"explore/geomap\"\ntitles = [\"Where did {{country}} export to in {{year}}?\"]\n\
         [[sections]]\nslug = \"map\"\nheadings = []\n[[points]]\nid = \"share_seen\"\nmetric = \"Share\"\nsection = \"map\"\n\
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
    let wanted = Wanted { data_point: "share_seen".into(), product: None, partner: None, year: None };
    let asked = std::slice::from_ref(&wanted);
    assert!(extractor.needs_picture(asked));
    let extraction = extractor.extract(&capture, &url, asked);
    let failure = extraction.outcome(&wanted).unwrap().clone().unwrap_err();
    assert_eq!(extraction.is_settled(), failure.is_for_a_person());
    let person = extractor.for_person(&capture, &url, asked).remove(0).unwrap();
    assert!(person.is_drawn && person.seen.contains("Uganda"), "{person:#?}");
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
        ("labels = [], rule = \"F8\"", "`labels` say what a person looks for"),
        ("labels = [\"a\"]", "a screenshot has either a `rule` or a `vocabulary`"),
        ("labels = [\"a\"], rule = \"F8\", vocabulary = \"sector\"", "either a `rule` or a `vocabulary`"),
        ("labels = [\"a\"], rule = \"F8\", arround = \"b\"", "unknown field `arround`"),
    ] {
        let error = extractor(find).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}
