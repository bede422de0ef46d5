//! README and book say what the program does: commands, exit codes, settings, rules, kinds; examples, links, sentences.

mod examples;
mod links;
mod pages;
mod sentences;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use pages::Page;

use atlas_gt::config::Settings;
use atlas_gt::error::Exit;
use atlas_gt::extract::{Extractors, Kind};
use atlas_gt::manifest::spec;
use atlas_gt::value::{Rule, parse_as};

/// A page as it is now: an edit of a page needs no build.
fn page(path: &str) -> String {
    Page::read(Path::new(pages::PROJECT).join(path)).text
}

const CONFIGURATION: &str = "docs/reference/configuration.md";
const SPEC: &str = "docs/reference/spec.md";

fn help(command: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_atlas-gt")).args(command).arg("--help").output().unwrap();
    assert!(output.status.success(), "{command:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The names under `Commands:`, or under the headings of their groups, without `help`.
fn commands(help: &str) -> Vec<String> {
    let list = match help.split_once("\nCollect the truth:\n") {
        Some((_, groups)) => groups.split("\n      --").next().unwrap(),
        None => match help.split_once("Commands:\n") {
            Some((_, list)) => list.split("\n\n").next().unwrap(),
            None => return Vec::new(),
        },
    };
    list.lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .filter(|name| name != "help")
        .collect()
}

/// The text from a heading to the next one of its level.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let start = page.find(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("no {heading}")) + 1;
    let level = heading.split(' ').next().unwrap();
    let rest = &page[start + heading.len()..];
    let ends = ["\n## ".to_owned(), format!("\n{level} ")].map(|mark| rest.find(&mark).unwrap_or(rest.len()));
    &rest[..ends.into_iter().min().unwrap()]
}

/// The rows of the first table after a mark: cells without their spaces.
fn table(text: &str) -> Vec<Vec<String>> {
    text.lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'))
        .skip(2)
        .map(|line| line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

/// What stands in backquotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

fn names_after<'a>(text: &'a str, mark: &str) -> Vec<&'a str> {
    let (_, list) = text.split_once(mark).unwrap_or_else(|| panic!("`{mark}` is not in: {text}"));
    quoted(list)
}

#[test]
fn the_readme_is_short_and_names_every_command() {
    let readme = page("README.md");
    assert!(readme.lines().count() <= 250);
    let rows = table(section(&readme, "## Commands"));
    let told: BTreeSet<&str> = rows.iter().map(|row| row[0].trim_matches('`')).collect();
    let real: Vec<String> = commands(&help(&[])).iter().map(|name| format!("atlas-gt {name}")).collect();
    assert!(real.len() >= 7, "{real:?}");
    assert_eq!(told, real.iter().map(String::as_str).collect());
}

#[test]
fn the_table_of_exit_codes_is_that_of_the_program() {
    let told = table(section(&page(CONFIGURATION), "## Exit codes"));
    let real: Vec<Vec<String>> =
        Exit::ALL.iter().map(|exit| vec![(*exit as u8).to_string(), exit.meaning().to_owned()]).collect();
    assert_eq!(told, real);
    let help = help(&[]).split_whitespace().collect::<Vec<_>>().join(" ");
    for &exit in Exit::ALL {
        assert!(help.contains(&format!("{} {}", exit as u8, exit.meaning())), "{exit:?} is not in --help");
    }
}

#[test]
fn the_example_settings_hold_and_have_every_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("atlas-gt.toml");
    std::fs::write(&path, "no_such_key = 1").unwrap();
    let error = Settings::load(&path).unwrap_err().to_string();
    let known: BTreeSet<&str> = names_after(&error, "expected one of ").into_iter().collect();
    assert!(known.contains("page_timeout"), "{error}");

    let text = page(CONFIGURATION);
    let (before, keys) = text.split_once("<!-- settings -->\n").unwrap();
    let rows = table(keys.split("<!-- end of settings -->").next().unwrap());
    let keys: BTreeSet<&str> = rows.iter().map(|row| row[0].trim_matches('`')).collect();
    assert_eq!(keys, known);
    let example = before.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(example.lines().count() > 3, "{example}");
    std::fs::write(&path, example).unwrap();
    Settings::load(&path).unwrap().resolve().unwrap();
}

#[test]
fn every_rule_is_listed_with_examples_that_it_reads() {
    let spec = page(SPEC);
    let (_, text) = spec.split_once("<!-- rules -->").unwrap();
    let rows = table(text);
    let told: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    let real: Vec<String> = Rule::ALL.iter().map(|rule| format!("{rule:?}")).collect();
    assert_eq!(told, real);
    for (row, &rule) in rows.iter().zip(Rule::ALL) {
        let examples = quoted(&row[2]);
        assert!(!examples.is_empty(), "{row:?}");
        for example in examples {
            let read = parse_as(example, rule);
            assert!(read.is_ok(), "{rule:?} does not read {example}: {read:?}");
        }
    }
}

#[test]
fn every_way_to_find_a_point_is_listed() {
    let extractors = Extractors::built_in().unwrap();
    let points = extractors.iter().flat_map(|extractor| extractor.kinds());
    let kinds: BTreeMap<&str, &dyn Kind> =
        points.map(|(point, kind)| (point.find.kind.as_str(), kind)).collect();
    let rows = table(section(&page(SPEC), "## How a point is found"));
    assert_eq!(rows.len(), kinds.len());
    for row in rows {
        let kind = kinds[row[0].trim_matches('`')];
        assert_eq!(row[1..3], [kind.describe().summary.to_owned(), format!("`{}`", kind.method())]);
    }
}

#[test]
fn the_example_spec_parses() {
    let text = page(SPEC);
    let (_, example) = text.split_once("```toml\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let read = spec::parse(Path::new("example.toml"), example).unwrap();
    assert!(read.point("diversity_rank").is_some());
}

const DATA_POINTS: &str = "# Data points\n\
\n\
<!-- generated: UPDATE_DOCS=1 cargo test --test docs -->\n\
\n\
This table lists every data point of the Atlas by its number in the published lists. Each row names the point of a\n\
[spec](spec.md) that reads it, its kind, and the API field behind it. The last column lists the questions of\n\
`manifests/atlas.json` that use it; `none` means that no question does. Points of an `own` query are on no page. Their truth never\n\
scores an agent that asks the same API.\n";

/// The published lists of data points, each with what reads it: its kind, the field of an API behind it, and
/// the questions of the manifest that ask for it.
#[test]
fn the_page_of_data_points_is_that_of_the_specs_and_the_manifest() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let extractors = Extractors::built_in().unwrap();
    let specs = atlas_gt::manifest::spec::Specs::built_in().unwrap();
    let manifest = atlas_gt::manifest::load(&root.join("manifests/atlas.json"), &extractors).unwrap();
    let mut asked: BTreeMap<(String, String), BTreeSet<u32>> = BTreeMap::new();
    for read in manifest.entries.iter().flat_map(atlas_gt::manifest::Entry::readings) {
        for point in &read.data_points {
            let id = read.question().as_str().parse().unwrap();
            asked.entry((read.extractor.clone(), point.clone())).or_default().insert(id);
        }
    }
    let mut page = DATA_POINTS.to_owned();
    let mut listed: BTreeSet<(String, String)> = BTreeSet::new();
    let row = |page: &mut String, number: &str, name: &str, spec: &str, point: &str| {
        let of = specs.get(spec).unwrap_or_else(|| panic!("no extractor {spec}"));
        let point = of.point(point).unwrap_or_else(|| panic!("{spec} has no point {point}"));
        let own = if extractors.get(spec).unwrap().is_own(&point.id) { ", `own`" } else { "" };
        let kind = &point.find.kind;
        let ids = asked.get(&(spec.to_owned(), point.id.clone()));
        let ids: Vec<String> = ids.into_iter().flatten().map(u32::to_string).collect();
        let ids = if ids.is_empty() { "none".to_owned() } else { ids.join(", ") };
        let field = point.api_field().map_or_else(|| "–".to_owned(), |field| format!("`{field}`"));
        let text = format!(
            "| {number} | {name} | {} | `{spec}.{}` | `{kind}`{own} | {field} | {ids} |\n",
            of.page, point.id
        );
        page.push_str(&text);
    };
    let head =
        "| # | data point | page | point | kind | API field | questions |\n|---|---|---|---|---|---|---|\n";
    for (part, title, count) in [("country", "Country pages", 73), ("explore", "Explore pages and API", 62)] {
        page.push_str(&format!("\n## {title}\n\n{head}"));
        let text = include_str!("../../manifests/data_points.tsv");
        let rows = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split('\t').collect::<Vec<_>>());
        let mut numbers = Vec::new();
        for columns in rows.filter(|columns| columns[0] == part) {
            let [_, number, name, points] = columns[..] else { panic!("{columns:?}") };
            numbers.push(number.parse::<u32>().unwrap());
            for point in points.split(' ') {
                let (spec, point) = point.split_once('.').unwrap();
                listed.insert((spec.to_owned(), point.to_owned()));
                row(&mut page, number, name, spec, point);
            }
        }
        assert_eq!(numbers, (1..=count).collect::<Vec<_>>(), "every number of the list has a point");
    }
    page.push_str(&format!("\n## Beside the lists\n\n{head}"));
    for spec in specs.iter() {
        for point in &spec.points {
            if !listed.contains(&(spec.name.clone(), point.id.clone())) {
                row(&mut page, "", &point.metric, &spec.name, &point.id);
            }
        }
    }
    let path = root.join("docs/reference/data-points.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == page, "docs/reference/data-points.md is old: run the test with UPDATE_DOCS=1");
}

/// The public types of all crates, by name, each with the files that define it.
fn public_types() -> BTreeMap<String, Vec<String>> {
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = std::fs::read_dir(root.join("crates")).unwrap().map(|one| one.unwrap().path().join("src"));
    let mut folders: Vec<_> = crates.chain([root.join("src"), root.join("twin/src")]).collect();
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|one| one.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|ending| ending != "rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let declared = text.lines().filter_map(|line| {
                let (what, rest) = line.strip_prefix("pub ")?.split_once(' ')?;
                let name = rest.split(|c: char| !c.is_alphanumeric()).next()?;
                ["struct", "enum", "trait", "type"].contains(&what).then(|| name.to_owned())
            });
            for name in declared {
                types.entry(name).or_default().push(path.display().to_string());
            }
        }
    }
    types
}

#[test]
fn a_public_type_name_has_one_meaning_and_every_word_of_the_glossary_names_a_type() {
    let types = public_types();
    assert!(types.len() > 500, "{}", types.len());
    let shared: Vec<_> = types.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(shared.is_empty(), "{shared:#?}");
    let rows = table(&page("docs/glossary.md"));
    assert!((20..=40).contains(&rows.len()), "{}", rows.len());
    assert!(rows.iter().map(|row| &row[0]).is_sorted(), "the words are in alphabetical order");
    for row in &rows {
        assert!(types.contains_key(quoted(&row[2])[0]), "no public type: {row:?}");
    }
}
