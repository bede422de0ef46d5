//! A survey of the replica: what each page shows of what the specs look for, and what it no longer shows.

#[path = "formats/schemas.rs"]
mod schemas;

use std::path::Path;
use std::process::Command;

use atlas_gt::workflow::survey::Bundle;
use serde_json::Value as Json;

/// The repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A survey by the program; its exit code and report.
fn survey(out: &Path, flags: &[&str]) -> (i32, Json) {
    let said = Command::new(env!("CARGO_BIN_EXE_atlas-gt"))
        .args(["survey", "--site", "twin", "--rate", "100000", "--format", "json", "--out"])
        .arg(out)
        .args(flags)
        .current_dir(root())
        .output()
        .unwrap();
    let text = String::from_utf8(said.stdout).unwrap();
    let report = serde_json::from_str(&text);
    (
        said.status.code().unwrap(),
        report.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&said.stderr))),
    )
}

/// The points of a page with a status.
fn points(report: &Json, page: &str, status: &str) -> Vec<String> {
    let pages = report["pages"].as_array().unwrap();
    let page = pages.iter().find(|one| one["name"] == page).unwrap();
    let all = page["points"].as_array().unwrap().iter().filter(|point| point["status"] == status);
    all.map(|point| point["point"].as_str().unwrap().to_owned()).collect()
}

#[test]
#[ignore = "slow: make test-deep"]
fn every_page_of_the_replica_is_read_within_the_requests_of_a_polite_run() {
    let folder = tempfile::tempdir().unwrap();
    let html = folder.path().join("survey.html");
    let (code, report) = survey(&folder.path().join("all"), &["--html", html.to_str().unwrap()]);
    assert_eq!(code, 0, "{report:#}");
    assert_eq!((&report["points"]["found"], &report["points"]["all"]), (&137.into(), &137.into()));
    // a figure that no page asks for, and a page that does not ask for what another shows
    assert_eq!(points(&report, "The world's exports", "own_query"), ["product_growth_5y"]);
    let missing = points(&report, "Trade Composition by product", "response_missing");
    assert_eq!(missing, ["product_growth_5y"]);
    assert!(report["requests"].as_u64().unwrap() <= 250, "{}", report["requests"]);
    for page in report["pages"].as_array().unwrap() {
        assert!(page["failure"].is_null(), "{page:#}");
        assert_eq!(page["absent"], page["path"] == "/countries/438", "{}", page["name"]);
    }
    let frontier = points(&report, "United States, a frontier country", "absent");
    assert!(frontier.contains(&"product_table".to_owned()), "{frontier:?}");
    let page = std::fs::read_to_string(html).unwrap();
    assert!(page.contains("137 of 137 points") && page.contains("data:image/png;base64,"));
    // what was found is read again from the bundle alone
    let bundle = Bundle::read(&folder.path().join("all")).unwrap();
    assert_eq!(bundle.pages.len(), 21);
    let extractors = atlas_gt::extract::Extractors::built_in().unwrap();
    for page in &bundle.pages {
        for point in &page.page.points {
            let wanted = point.wanted();
            let extractor = extractors.get(&point.extractor).unwrap();
            let again = extractor.extract(&page.capture, &page.url, std::slice::from_ref(&wanted));
            let is_read = again.outcome(&wanted).unwrap().is_ok();
            let was_read = matches!(
                serde_json::to_value(point.status).unwrap().as_str().unwrap(),
                "found" | "absent" | "page_disagrees"
            );
            assert!(!was_read || is_read, "{}: {}", page.page.name, point.point);
        }
    }
}

#[test]
fn what_the_site_renames_is_named_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let flags = ["--pages", "country", "--skin", "mui", "--fault", "label-renamed=gdp:Income a head"];
    let (code, report) =
        survey(folder.path(), &[&flags[..], &["--fault", "heading-renamed=new-products"]].concat());
    assert_eq!(code, 4);
    let missing = points(&report, "Kenya", "missing");
    let gdp = ["gdp_per_capita", "gdp_per_capita_ppp", "gdp_per_capita_rank"];
    assert!(gdp.iter().all(|point| missing.contains(&(*point).to_owned())), "{missing:?}");
    let extractors = atlas_gt::extract::Extractors::built_in().unwrap();
    let spec = extractors.get("country_profile").unwrap().spec();
    let others = missing.iter().filter(|point| !gdp.contains(&point.as_str()));
    for point in others {
        assert_eq!(spec.point(point).unwrap().section, "new-products", "{point}");
    }
    let kenya = &report["pages"][0]["shapes"]["country_profile"];
    let sections = kenya["sections"].as_array().unwrap();
    let lost: Vec<&Json> =
        sections.iter().filter(|one| one["heading"].is_null()).map(|one| &one["slug"]).collect();
    assert_eq!(lost, ["new-products"]);
    let file = std::fs::read_to_string(folder.path().join("survey.json")).unwrap();
    schemas::fits("survey_file", &serde_json::from_str(&file).unwrap()).unwrap();
    let headings = kenya["other_headings"].as_array().unwrap();
    assert!(headings.iter().any(|text| text.as_str().unwrap().contains("Overview")), "{headings:?}");
}

#[test]
fn wrong_input_is_said_before_any_browser_starts() {
    let folder = tempfile::tempdir().unwrap();
    for (flags, word) in [
        (&["--pages", "maps"][..], "--pages maps: nothing in the survey matches"),
        (&["--html", "/nowhere/survey.html"], "/nowhere/survey.html"),
    ] {
        let said = Command::new(env!("CARGO_BIN_EXE_atlas-gt"))
            .args(["survey", "--site", "twin", "--out"])
            .arg(folder.path())
            .args(flags)
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&said.stderr);
        assert!(matches!(said.status.code(), Some(1 | 2)), "{error}");
        assert!(error.contains(word), "{error}");
    }
}
