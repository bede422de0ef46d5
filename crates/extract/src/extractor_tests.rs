//! Tests of the extractor by itself.

use std::path::Path;

use super::*;
use crate::error::Error;
use crate::manifest::spec::{Specs, parse};

#[test]
fn sticky_headers_that_gave_no_value_are_not_seen_again_unless_something_is_missing() {
    let spec = Specs::built_in().unwrap().get("country_profile").unwrap().clone();
    let extractor = Extractor::new(spec).unwrap();
    let about = Context::default();
    let wanted = ["gdp_per_capita", "eci_rank_complexity", "total_exports", "strategic_approach"]
        .map(|id| extractor.wanted(id, &about));
    // prose is never read in a sticky header
    let all = BTreeSet::from(["introduction", "export-complexity", "export-basket"]);
    assert_eq!(extractor.sticky_headers(&wanted, None), all);

    let read = |wanted: &Wanted, locator: &str| {
        let point = extractor.spec.point(&wanted.data_point).unwrap();
        let found = Observation::absent(
            point,
            about.clone(),
            Absence::NotShownHere,
            String::new(),
            locator.to_owned(),
        );
        (wanted.clone(), Ok(vec![found]))
    };
    let mut extraction = Extraction::shown(
        Some(2024),
        vec![
            read(&wanted[0], "section `introduction`, label \"GDP per capita\""),
            read(&wanted[1], "section `export-complexity`, label \"ECI Ranking\" in the bar"),
            read(&wanted[2], "section `export-basket`, label \"Total Exports\""),
            read(&wanted[3], "section `strategic-approach`, cue"),
        ],
    );
    let one = BTreeSet::from(["export-complexity"]);
    assert_eq!(extractor.sticky_headers(&wanted, Some(&extraction)), one);

    let failure = extractor.failure(&wanted[0], FailureKind::LabelMissing, None);
    extraction.points[0].1 = Err(failure);
    assert_eq!(extractor.sticky_headers(&wanted, Some(&extraction)), all);
}

/// A spec of one point.
fn spec(page: &str, point: &str) -> String {
    let answers = if point.starts_with("answers") { "" } else { "answers = [\"value\"]\n" };
    format!(
        "name = \"x\"\nversion = 1\npage = \"{page}\"\nsections = [{{ slug = \"s\", headings = [] }}]\n[[points]]\nid = \"a\"\nmetric = \"A\"\n{answers}section = \"s\"\n{point}\n"
    )
}

fn error_of(text: &str) -> String {
    let refused = Extractor::new(parse(Path::new("x.toml"), text).unwrap()).unwrap_err();
    let Error::Invalid(found) = refused else { panic!("{refused}") };
    let lines = found.iter().map(|one| format!("{}: {}", one.file_place(), one.message));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn fields_of_drawn_rows_and_columns_are_held_against_the_schema_too() {
    let column = "{ id = \"c\", headers = [\"C\"], rule = \"F1\", field = \"exportVlue\" }";
    for (find, word, near) in [
        ("rows = { of = \"product\", rule = \"F15\", field = \"exportRac\" }", "\"exportRac\"", "exportRca"),
        (
            "rows = { of = \"product\", rule = \"F15\", query = \"productYaer\" }",
            "\"productYaer\"",
            "productYear",
        ),
        (
            "rows = { of = \"product\", take = 3, rule = \"F1\", order = { field = \"pic\", query = \"productYear\" } }",
            "\"pic\"",
            "pci",
        ),
        (
            "rows = { of = \"product\", take = 3, rule = \"F1\", select = [{ sector = \"S\" }, { field = \"exportRac\", least = \"1\" }] }",
            "\"exportRac\"",
            "exportRca",
        ),
        // in the words of an older spec
        ("one = { of = \"product\", rule = \"F15\", field = \"exportRac\" }", "\"exportRac\"", "exportRca"),
        (&format!("table = {{ titles = [], columns = [{column}] }}"), "\"exportVlue\"", "exportValue"),
    ] {
        let text = spec("explore/treemap", &format!("find = {{ {find} }}"));
        let error = error_of(&text);
        let column = text.lines().nth(9).unwrap().find(word).unwrap() + 1;
        assert!(error.starts_with(&format!("x.toml:10:{column}: ")), "{error}");
        assert!(error.contains(&format!("did you mean `{near}`")), "{error}");
    }
}

#[test]
fn a_kind_that_does_not_fit_is_refused_at_its_place() {
    for (page, find, expected) in [
        (
            "country",
            "find = { stta = { labels = [\"A\"] } }",
            "x.toml:10:8: point `a`: there is no kind `stta` (did you mean `stat`?)",
        ),
        (
            "country",
            "find = { stat = { labls = [\"A\"] } }",
            "x.toml:10:17: point `a`: unknown field `labls`, expected one of `labels`, `rule`, `vocabulary`, `form`, `with`, `without`",
        ),
        (
            "country",
            "find = { stat = { labels = [\"A\"] } }",
            "x.toml:10:17: point `a`: a stat needs either a `rule` or a `vocabulary`",
        ),
        (
            "country",
            "find = { rows = { of = \"product\", take = \"all\", rule = \"F3\" } }",
            "x.toml:10:42: point `a`: valid combinations for rows of a treemap of a country's page (- for none): `of` product, `take` asked|N, `over` -",
        ),
        (
            "country",
            "find = { rows = { of = \"product\", until = \"yearMax\", rule = \"F3\" } }",
            "x.toml:10:43: point `a`: `until` has no meaning for rows of a treemap of a country's page; they take of, take, rule, confirm",
        ),
        (
            "explore/geomap",
            "find = { rows = { of = \"product\", take = 5, rule = \"F1\" } }",
            "x.toml:10:17: point `a`: these rows are on pages of `explore/treemap`, not of `explore/geomap`",
        ),
        (
            "explore/treemap",
            "find = { rows = { of = \"product\", take = 0, rule = \"F1\" } }",
            "x.toml:10:17: point `a`: `take` must be `asked`, `all`, `ends` or a number of rows",
        ),
        (
            "explore/treemap",
            "find = { rows = { of = \"product\", take = 5 } }",
            "x.toml:10:17: point `a`: these rows of a drawing need `rule`",
        ),
        (
            "explore/treemap",
            "find = { rows = { of = \"product\", over = \"median\", rule = \"F1\" } }",
            "x.toml:10:17: point `a`: unknown variant `median`, expected one of `sum`, `share`, `count`, `total`, `change`, `world_share`, `per_capita`, `list`, `code`",
        ),
        (
            "explore/treemap",
            "find = { rows = { of = \"product\", take = 5, rule = \"F1\", select = [{ sector = \"Minerals\", least = \"1\" }] } }",
            "x.toml:10:68: point `a`: rows of a drawing are selected by a `sector`, or by a `field` with `least` or `is`",
        ),
        (
            "explore/treemap",
            "find = { rows = { own = true, rule = \"F1\" } }",
            "x.toml:10:17: point `a`: these rows of our own query need `query`",
        ),
        (
            "country",
            "answers = [\"code\"]\nfind = { stat = { labels = [\"A\"], rule = \"F1\" } }",
            "x.toml:9:11: point `a`: rows of `stat` do not answer with `code`, only with `value`, `direction`",
        ),
        (
            "country",
            "find = { cell = { table = \"t\", column = \"c\" } }",
            "x.toml:10:17: point `a`: no table `t`",
        ),
    ] {
        assert_eq!(error_of(&spec(page, find)), expected);
    }
}
