//! The README says what the program does: commands, flags, exit codes, settings, rules, faults, links.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use atlas_gt::config::Settings;
use atlas_gt::error::Exit;
use atlas_gt::manifest::spec;
use atlas_gt::twin::Fault;
use atlas_gt::value::{Rule, parse_as};

const README: &str = include_str!("../README.md");

fn help(command: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_atlas-gt")).args(command).arg("--help").output().unwrap();
    assert!(output.status.success(), "{command:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The names under `Commands:`, without `help`.
fn commands(help: &str) -> Vec<String> {
    let Some((_, list)) = help.split_once("Commands:\n") else { return Vec::new() };
    list.lines()
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .filter(|name| name != "help")
        .collect()
}

/// The long flags that a help text describes.
fn flags(help: &str) -> BTreeSet<String> {
    help.lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with('-'))
        .filter_map(|line| line.split([' ', ',']).find(|word| word.starts_with("--")))
        // a line of the text may be wrapped before a flag
        .map(|flag| flag.trim_end_matches([']', ')', '.', ';']).to_owned())
        .filter(|flag| !matches!(flag.as_str(), "--help" | "--version"))
        .collect()
}

/// The text from a heading to the next one of its level.
fn section<'a>(heading: &str) -> &'a str {
    let start = README.find(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("no {heading}")) + 1;
    let level = heading.split(' ').next().unwrap();
    let rest = &README[start + heading.len()..];
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

fn mentions(text: &str, flag: &str) -> bool {
    text.match_indices(flag).any(|(at, _)| {
        !text[at + flag.len()..].starts_with(|next: char| next == '-' || next.is_ascii_alphanumeric())
    })
}

#[test]
fn every_command_and_every_flag_is_described() {
    let top = help(&[]);
    let shared = flags(&top);
    assert!(shared.contains("--store"), "{top}");
    let general = section("## Commands");
    for flag in &shared {
        assert!(mentions(general, flag), "{flag} is not described");
    }
    let all = commands(&top);
    assert!(all.len() >= 7, "{all:?}");
    for command in &all {
        let text = section(&format!("### `atlas-gt {command}`"));
        assert!(text.contains(&format!("atlas-gt {command}")), "{command} has no example");
        let own = help(&[command]);
        let below = commands(&own);
        let mut described = flags(&own);
        for below in &below {
            assert!(text.contains(&format!("{command} {below}")), "{command} {below} is not described");
            described.extend(flags(&help(&[command, below])));
        }
        for flag in described.difference(&shared) {
            assert!(mentions(text, flag), "{flag} of {command} is not described");
        }
    }
    let described = README.lines().filter(|line| line.starts_with("### `atlas-gt ")).count();
    assert_eq!(described, all.len(), "a command is described that is not there");
}

#[test]
fn the_table_of_exit_codes_is_that_of_the_program() {
    let told = table(section("## Exit codes"));
    let real: Vec<Vec<String>> =
        Exit::ALL.iter().map(|exit| vec![(*exit as u8).to_string(), exit.meaning().to_owned()]).collect();
    assert_eq!(told, real);
    let help = help(&[]).split_whitespace().collect::<Vec<_>>().join(" ");
    for exit in Exit::ALL {
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

    let (_, example) = README.split_once("<!-- settings -->\n```toml\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let keys: BTreeSet<&str> = example.lines().filter_map(|line| line.split(" =").next()).collect();
    assert_eq!(keys, known);
    std::fs::write(&path, example).unwrap();
    Settings::load(&path).unwrap().resolve().unwrap();
}

#[test]
fn every_rule_is_listed_with_examples_that_it_reads() {
    let (_, text) = README.split_once("<!-- rules -->").unwrap();
    let rows = table(text);
    let told: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    let real: Vec<String> = Rule::ALL.iter().map(|rule| format!("{rule:?}")).collect();
    assert_eq!(told, real);
    for (row, rule) in rows.iter().zip(Rule::ALL) {
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
    let nonsense = "name = \"x\"\nversion = 1\npage = \"country\"\nsections = []\n[[points]]\nid = \"p\"\n\
                    metric = \"P\"\nsection = \"s\"\nfind = { nonsense = {} }\n";
    let error = spec::parse(Path::new("x.toml"), nonsense).unwrap_err().to_string();
    let known = names_after(&error, "expected one of ");
    assert!(known.contains(&"narrative"), "{error}");
    let rows = table(section("## The extractor spec"));
    let told: Vec<&str> = rows.iter().map(|row| row[0].trim_matches('`')).collect();
    assert_eq!(told, known);
}

#[test]
fn the_example_spec_parses() {
    let (_, example) = section("## The extractor spec").split_once("```toml\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let read = spec::parse(Path::new("example.toml"), example).unwrap();
    assert!(read.point("diversity_rank").is_some());
}

#[test]
fn every_fault_that_is_named_exists() {
    let (_, list) = section("### `atlas-gt twin`").split_once("Faults: ").unwrap();
    let faults = quoted(list);
    assert!(faults.len() > 20, "{faults:?}");
    for fault in faults {
        assert_eq!(fault.parse::<Fault>().map(|known| known.to_string()).as_deref(), Ok(fault));
    }
}

#[test]
fn what_is_linked_is_there() {
    for target in README.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        if !target.starts_with("http") {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(target);
            assert!(path.is_file(), "{target} is linked and not there");
        }
    }
}
