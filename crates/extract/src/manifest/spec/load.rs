//! Reads extractor specs: the built-in ones, or those of a folder.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use super::{Spec, old, problems};
use crate::Extractor;
use crate::error::{Error, Result, all_valid};
use crate::input;
use atlas_gt_core::diagnostic::{At, Diagnostic, Diagnostics, Place};

macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        &[$((
            concat!("manifests/extractors/", $name, ".toml"),
            include_str!(concat!("../../../../../manifests/extractors/", $name, ".toml")),
        )),*]
    };
}

const BUILT_IN: &[(&str, &str)] = built_in![
    "country_api",
    "country_profile",
    "explore_api",
    "feasibility",
    "feasibility_table",
    "geomap",
    "marketshare",
    "overtime",
    "productspace",
    "treemap_verify",
];

/// All extractors of a run.
#[derive(Debug, Clone)]
pub struct Specs {
    specs: Vec<Spec>,
}

impl Specs {
    /// The built-in specs.
    ///
    /// # Errors
    /// A spec does not parse. A test prevents this.
    pub fn built_in() -> Result<Self> {
        let specs =
            BUILT_IN.iter().map(|(path, text)| parse(Path::new(path), text)).collect::<Result<_>>()?;
        Ok(Self { specs })
    }

    /// Every `*.toml` of a folder, ordered by name.
    ///
    /// # Errors
    /// The folder or a file cannot be read, a file is not a spec, or two specs conflict. The error then also holds
    /// the problems of compiling the specs that parse.
    pub fn load(folder: &Path) -> Result<Self> {
        let (mut specs, mut checked): (Vec<Spec>, Vec<Result<()>>) = (Vec::new(), Vec::new());
        for path in &input::files(folder, "toml")? {
            checked.push(parse(path, &input::text(path)?).and_then(|spec| {
                let found = specs.iter().find_map(|other| problems::between(other, &spec));
                let conflict = found.map_or(Ok(()), |problem| Err(spec.invalid([*problem])));
                specs.push(spec);
                conflict
            }));
        }
        if checked.iter().any(Result::is_err) {
            let compiled = specs.iter().map(|spec| Extractor::new(spec.clone()).map(drop));
            all_valid(checked.into_iter().chain(compiled))?;
        }
        if specs.is_empty() {
            return Err(Error::Usage(format!("no extractor (*.toml) in {}", folder.display())));
        }
        Ok(Self { specs })
    }

    /// The extractor of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Spec> {
        self.specs.iter().find(|spec| spec.name == name)
    }

    /// The same specs, with one replaced by another of the same name.
    #[must_use]
    pub fn with(&self, spec: Spec) -> Self {
        let mut specs = self.specs.clone();
        if let Some(own) = specs.iter_mut().find(|own| own.name == spec.name) {
            *own = spec;
        }
        Self { specs }
    }

    /// Already loaded specs.
    #[must_use]
    pub fn of(specs: impl Iterator<Item = Spec>) -> Self {
        Self { specs: specs.collect() }
    }

    /// All extractors.
    pub fn iter(&self) -> impl Iterator<Item = &Spec> {
        self.specs.iter()
    }
}

/// Parses a spec. `Extractor::new` checks what it says.
///
/// # Errors
/// The text is not TOML, or has an unknown or missing key. The error starts with file, line and column.
pub fn parse(path: &Path, text: &str) -> Result<Spec> {
    let malformed = |error: toml::de::Error| {
        let place = Place::of(text, error.span().map_or(0, |span| span.start));
        let mut report = Diagnostics::new(path, text);
        report.error(&At::from(place), error.message());
        Error::Invalid(report.finish().0)
    };
    let (document, mut old) = document(text).map_err(malformed)?;
    let mut spec = Spec::deserialize(Deserializer::from(document)).map_err(malformed)?;
    old.sort_unstable();
    spec.hints = old
        .into_iter()
        .map(|(offset, hint)| format!("{}:{}: {hint}", path.display(), Place::of(text, offset)))
        .collect();
    spec.file = Arc::new((path.to_owned(), text.to_owned()));
    Ok(spec)
}

impl Spec {
    /// Its problems as an error, each with file, line and column of its key.
    #[must_use]
    pub fn invalid(&self, problems: impl IntoIterator<Item = Diagnostic>) -> Error {
        let (path, text) = &*self.file;
        let document = document(text).ok().map(|(document, _)| document);
        let mut report = Diagnostics::new(path, text);
        for Diagnostic { field, message, .. } in problems {
            let offset = document.as_ref().map_or(0, |document| offset(document, &field));
            report.error(&At { place: Place::of(text, offset), field }, message);
        }
        Error::Invalid(report.finish().0)
    }

    /// A problem of a point, with its id.
    #[must_use]
    pub fn of_point(&self, index: usize, problem: Box<Diagnostic>) -> Diagnostic {
        let mut problem = problem.below(&format!("points[{index}]"));
        problem.message = format!("point `{}`: {}", self.points[index].id, problem.message);
        *problem
    }
}

/// A spec as a document with current keys, and the places of old ones.
type Document<'t> = (Spanned<DeTable<'t>>, Vec<(usize, String)>);

fn document(text: &str) -> std::result::Result<Document<'_>, toml::de::Error> {
    let mut document = DeTable::parse(text)?;
    let mut old = Vec::new();
    old::renew(document.get_mut(), "", &mut old);
    Ok((document, old))
}

/// The place of a field. For an omitted field, the place of its nearest table.
fn offset(document: &Spanned<DeTable<'_>>, field: &str) -> usize {
    let mut offset = document.span().start;
    let mut value: Option<&Spanned<DeValue<'_>>> = None;
    for step in field.split(['.', '[']) {
        let index: Option<usize> = step.strip_suffix(']').and_then(|index| index.parse().ok());
        let next = match (value.map(Spanned::get_ref), index) {
            (None, _) => document.get_ref().get(step),
            (Some(value), Some(index)) => value.get(index),
            (Some(DeValue::Table(find)), None) if step == "rows" => {
                // a key that an older spec calls differently
                find.get("rows").or_else(|| find.iter().next().map(|(_, params)| params))
            }
            (Some(value), None) => value.get(step),
        };
        let Some(next) = next else { break };
        (offset, value) = (next.span().start, Some(next));
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_specs_parse() {
        let specs = Specs::built_in().unwrap();
        assert!(specs.get("country_profile").is_some_and(|spec| spec.points.len() > 50));
    }

    /// What is wrong with a spec, each at its place.
    fn refusal(text: &str) -> String {
        let refused = parse(Path::new("x.toml"), text).and_then(crate::Extractor::new).unwrap_err();
        let Error::Invalid(found) = refused else { panic!("{refused}") };
        let lines = found.iter().map(|one| format!("{}: {}", one.file_place(), one.message));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn every_error_of_a_spec_is_reported_with_its_field() {
        let text = spec("country", STAT)
            .replace("section = \"s\"", "section = \"nowhere\"")
            .replace("slug = \"s\", headings = []", "slug = \"s\", headings = [\"A\", \"{year\"]")
            .replace("labels", "labls");
        let refused = parse(Path::new("x.toml"), &text).and_then(crate::Extractor::new).unwrap_err();
        let summary = refused.to_string();
        assert!(summary.starts_with("3 errors, the first: x.toml:4:"), "{summary}");
        let Error::Invalid(found) = refused else { panic!("{summary}") };
        let fields: Vec<&str> = found.iter().map(|one| one.field.as_str()).collect();
        assert_eq!(fields, ["sections[0].headings[1]", "points[0].section", "points[0].find.stat"]);
        assert_eq!(
            found[1].to_string(),
            "x.toml:9:11: points[0].section: point `a`: no section `nowhere` in this spec"
        );
    }

    #[test]
    fn files_that_are_no_specs_conflicts_and_invalid_references_are_reported_together() {
        let folder = tempfile::tempdir().unwrap();
        let right = spec("country", STAT);
        let nowhere = right.replace("section = \"s\"", "section = \"nowhere\"");
        for (file, text) in [
            ("a.toml", "name = 1\n"),
            ("b.toml", "name = \"x\"\nversio = 1\n"),
            ("c.toml", nowhere.as_str()),
            ("d.toml", right.as_str()),
        ] {
            std::fs::write(folder.path().join(file), text).unwrap();
        }
        let Error::Invalid(found) = Specs::load(folder.path()).unwrap_err() else { panic!() };
        let lines = found.iter().map(|one| (one.path.file_name().unwrap().to_str().unwrap(), one.place.line));
        let due = [("a.toml", 1), ("b.toml", 2), ("d.toml", 1), ("c.toml", 9)];
        assert_eq!(lines.collect::<Vec<_>>(), due, "{found:?}");
    }

    #[test]
    fn an_error_names_file_line_and_what_is_wrong() {
        let text = "name = \"x\"\nversion = 1\npage = \"country\"\nsections = []\n[[points]]\nid = \"a\"\nmetric = \"A\"\nanswers = [\"value\"]\nsection = \"nowhere\"\nfind = { stat = { labels = [\"A\"], rule = \"F1\" } }\n";
        assert_eq!(refusal(text), "x.toml:9:11: point `a`: no section `nowhere` in this spec");
        let silent = text.replace("answers = [\"value\"]\n", "");
        let error = parse(Path::new("x.toml"), &silent).unwrap_err().to_string();
        assert!(error.starts_with("x.toml:5:") && error.contains("missing field `answers`"), "{error}");
        let error = parse(Path::new("x.toml"), "name = 1\n").unwrap_err().to_string();
        assert!(error.starts_with("x.toml:1:8: "), "{error}");
    }

    /// A spec of one point.
    fn spec(page: &str, point: &str) -> String {
        format!(
            "name = \"x\"\nversion = 1\npage = \"{page}\"\nsections = [{{ slug = \"s\", headings = [] }}]\n[[points]]\nid = \"a\"\nmetric = \"A\"\nanswers = [\"value\"]\nsection = \"s\"\n{point}\n"
        )
    }

    const STAT: &str = "find = { stat = { labels = [\"A\"], rule = \"F1\" } }";

    /// The place of a word in a text.
    fn place(text: &str, word: &str) -> Place {
        Place::of(text, text.find(word).unwrap())
    }

    #[test]
    fn what_a_response_must_hold_is_held_against_the_schema_when_the_spec_is_compiled() {
        let profile = "field = \"countryProfile\", path = \"exportValue\"";
        let lookback = "field = \"countryLookback\", path = \"eciRankChange\"";
        let rows = |name| {
            format!(
                "field = \"treeMap\", rows = {{ name = {name}, key = \"product.code\", value = \"rca\" }}"
            )
        };
        for (response, word, hint) in [
            ("field = \"countryProfil\"".to_owned(), "\"countryProfil\"", "`countryProfile`"),
            (
                "field = \"countryProfile\", path = \"exportVale\"".to_owned(),
                "\"exportVale\"",
                "`exportValue`",
            ),
            (
                "field = \"countryProfile\", path = \"latestGdp\"".to_owned(),
                "\"latestGdp\"",
                "one of its fields: quantity",
            ),
            (format!("{profile}, year = \"latestGdp.yaer\""), "\"latestGdp.yaer\"", "`year`"),
            (format!("{profile}, over = \"importVale\""), "\"importVale\"", "`importValue`"),
            (format!("{profile}, minus = \"importVale\""), "\"importVale\"", "`importValue`"),
            (
                format!("{profile}, total = {{ field = \"globlDatum\", path = \"x\" }}"),
                "\"globlDatum\"",
                "`globalDatum`",
            ),
            (
                format!("{profile}, total = {{ field = \"globalDatum\", path = \"latestEciRankTotl\" }}"),
                "\"latestEciRankTotl\"",
                "`latestEciRankTotal`",
            ),
            (format!("{profile}, args = {{ locaton = \"x\" }}"), "{ locaton", "`location`"),
            (format!("{lookback}, window = \"TenYear\""), "\"TenYear\"", "`TenYears`"),
            (
                format!("{lookback}, window_arg = \"eciRankChangeYearRnge\""),
                "\"eciRankChangeYearRnge\"",
                "`eciRankChangeYearRange`",
            ),
            ("field = \"countryYear\", path = \"eci\", year_arg = \"yaer\"".to_owned(), "\"yaer\"", "`year`"),
            (rows("\"product.shortNam\""), "\"product.shortNam\"", "`shortName`"),
            (
                "field = \"treeMap\", args = { facet = \"CCY\" }".to_owned(),
                "{ facet",
                "`CCY` is not a TreeMapType",
            ),
        ] {
            let text = spec("country", &format!("{STAT}\nresponse = {{ {response} }}"));
            let error = refusal(&text);
            assert!(error.starts_with(&format!("x.toml:{}: point `a`: ", place(&text, word))), "{error}");
            assert!(error.contains(hint), "{error}");
        }
        let explore = spec("explore/treemap", &format!("{STAT}\nresponse = {{ {profile} }}"));
        let error = refusal(&explore);
        assert!(error.contains("the explore API has no query `countryProfile`"), "{error}");
    }

    #[test]
    fn two_specs_of_one_page_share_neither_a_name_nor_the_name_of_a_control() {
        let folder = tempfile::tempdir().unwrap();
        let load = |first: &str, second: &str| {
            std::fs::write(folder.path().join("a.toml"), first).unwrap();
            std::fs::write(folder.path().join("b.toml"), second).unwrap();
            Specs::load(folder.path()).map_err(|error| error.to_string())
        };
        let one = spec("country", STAT);
        let error = load(&one, &one).unwrap_err();
        assert!(error.contains("b.toml:1:8: name: an extractor is also called `x` in "), "{error}");
        let control = |name: &str, choose: &str| {
            let open = format!("name = \"origins\"\nopen = \"Trade\"\nchoose = \"{choose}\"\n");
            format!("{}[[interactions]]\n{open}", one.replace("\"x\"", &format!("\"{name}\"")))
        };
        assert!(load(&control("x", "Imports"), &control("y", "Imports")).is_ok());
        let error = load(&control("x", "Imports"), &control("y", "Origins")).unwrap_err();
        assert!(
            error.contains("b.toml:12:8: interactions[0].name: another control has this name in "),
            "{error}"
        );
        let elsewhere = control("y", "Origins").replace("\"country\"", "\"explore/treemap\"");
        assert!(load(&control("x", "Imports"), &elsewhere).is_ok());
    }

    #[test]
    fn an_unknown_kind_of_page_is_refused_at_its_place() {
        let error = parse(Path::new("x.toml"), &spec("explore/treemp", STAT)).unwrap_err().to_string();
        assert_eq!(
            error,
            "x.toml:3:8: `explore/treemp` is not a kind of page (did you mean `explore/treemap`?)"
        );
    }

    /// Old notations, and the current ones with the same meaning.
    const OLD: [(&str, &str); 18] = [
        (
            r#"one = { of = "product", rule = "F12", from = "productYear", field = "pci", decimals = 3, share = false, tooltip = ["PCI"] }"#,
            r#"{ confirm = [{ tooltip = ["PCI"] }], decimals = 3, field = "pci", of = "product", query = "productYear", rule = "F12" }"#,
        ),
        (
            r#"one = { of = "product", rule = "F1", sector = true }"#,
            r#"{ field = "sector", of = "product", rule = "F1" }"#,
        ),
        (
            r#"ranked = { of = "partner", count = 5, rule = "F1" }"#,
            r#"{ of = "partner", rule = "F1", take = 5 }"#,
        ),
        (
            r#"ranked = { of = "product", count = 3, rule = "F1", sector = "Minerals", most_complex = true }"#,
            r#"{ of = "product", order = { field = "pci", query = "productYear" }, rule = "F1", select = [{ sector = "Minerals" }, { field = "exportRca", least = "1" }], take = 3 }"#,
        ),
        (r#"group = { rule = "F1" }"#, r#"{ of = "sector", over = "sum", rule = "F1" }"#),
        (
            r#"group = { rule = "F6", share = true, complexity = "high" }"#,
            r#"{ of = "product", over = "share", rule = "F6", select = [{ called = "high complexity", field = "complexityEnum", is = "high", query = "productYear" }], take = "all" }"#,
        ),
        (r#"sum = { rule = "F3" }"#, r#"{ confirm = ["corner"], over = "sum", rule = "F3", take = "all" }"#),
        (r#"total = { rule = "F3" }"#, r#"{ over = "total", rule = "F3" }"#),
        (
            r#"count = { field = "exportRca", least = "1" }"#,
            r#"{ of = "product", over = "count", rule = "Integer", select = [{ field = "exportRca", least = "1" }], take = "all" }"#,
        ),
        (
            r#"balances = { rule = "F1" }"#,
            r#"{ field = "exportValue", less = "importValue", of = "partner", rule = "F1", take = "ends" }"#,
        ),
        (
            r#"cells = { count = 3, label = "F6", rule = "F1" }"#,
            r#"{ confirm = [{ label = "F6" }], of = "product", rule = "F1", take = 3 }"#,
        ),
        (
            r#"row = { of = "product", key = "product.code", value = "connections", rule = "Integer", count = true }"#,
            r#"{ field = "connections", key = "product.code", of = "product", over = "count", rule = "Integer" }"#,
        ),
        (
            r#"series = { of = "product", total = true, of_world = true, rule = "F9" }"#,
            r#"{ of = "sector", over = "world_share", rule = "F9", take = "all" }"#,
        ),
        (
            r#"series = { of = "partner", rule = "F1", per_capita = true }"#,
            r#"{ of = "partner", over = "per_capita", rule = "F1" }"#,
        ),
        (
            r#"series = { of = "product", rule = "F1", changes = 3 }"#,
            r#"{ of = "product", over = "change", rule = "F1", take = 3 }"#,
        ),
        (
            r#"api = { query = "groupYear", field = "exportValue", rule = "F1", give = "sum", partner = true, group = "Africa" }"#,
            r#"{ field = "exportValue", of = "partner", over = "sum", own = true, query = "groupYear", rule = "F1", select = [{ group = "Africa" }] }"#,
        ),
        (
            r#"api = { query = "q", field = "f", rule = "F1", give = "largest_partners" }"#,
            r#"{ field = "f", of = "partner", own = true, query = "q", rule = "F1", take = 1 }"#,
        ),
        (
            r#"api = { query = "q", field = "median", variable = "pci", of_world = true, decimals = 3 }"#,
            r#"{ decimals = 3, field = "median", of_world = true, own = true, query = "q", select = [{ field = "variable", is = "pci" }] }"#,
        ),
    ];

    #[test]
    fn kinds_that_are_rows_now_are_read_as_such_with_what_to_write() {
        for (old, now) in OLD {
            let kind = old.split_once(' ').unwrap().0;
            let text = spec("explore/treemap", &format!("find = {{ {old} }}"));
            let read = parse(Path::new("x.toml"), &text).unwrap();
            let hint = format!("x.toml:10:10: `{kind}` is now `rows`; write `find = {{ rows = {now} }}`");
            assert_eq!(read.hints, [hint]);
            // the suggested text is a spec that reads the same
            let text = spec("explore/treemap", &format!("find = {{ rows = {now} }}"));
            let again = parse(Path::new("x.toml"), &text).unwrap();
            assert!(again.hints.is_empty());
            let rows = |spec: &Spec| format!("{:?}", spec.points[0].find.rows().unwrap());
            assert_eq!(rows(&read), rows(&again));
        }
    }

    #[test]
    fn old_keys_are_read_with_a_hint() {
        let text = spec(
            "country",
            "find = { stat = { labels = [\"A\"], rule = \"F1\", with = [\"b\"], near = [\"c\"] } }\nresponse = { field = \"countryProfile\", path = \"exportValue\", honest = \"known\" }\n\
             [[points]]\nid = \"n\"\nmetric = \"N\"\nanswers = [\"value\"]\nsection = \"s\"\nfind = { narrative = { cues = [\"{value}\"], rule = \"F1\", signed = true } }",
        );
        let spec = parse(Path::new("x.toml"), &text).unwrap();
        let stat: toml::Table = spec.points[0].find.params().unwrap();
        assert_eq!(stat["with"], toml::Value::from(vec!["b", "c"]));
        let difference = spec.points[0].response.as_ref().and_then(|one| one.known_difference.as_deref());
        assert_eq!(difference, Some("known"));
        let hint = |word, hint: &str| format!("x.toml:{}: {hint}", place(&text, word));
        let hints = [
            hint("near =", "`near` means the same as `with`; write `with`"),
            hint("honest =", "`honest` is now called `known_difference`"),
            hint("signed =", "`signed` has no effect on a narrative; remove it"),
        ];
        assert_eq!(spec.hints, hints);
        for spec in Specs::built_in().unwrap().iter() {
            assert!(spec.hints.is_empty(), "{:?}", spec.hints);
        }
    }
}
