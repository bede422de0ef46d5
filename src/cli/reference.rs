//! Generates `docs/reference/commands.md` from the command definitions. `UPDATE_DOCS=1 cargo test
//! --lib reference` rewrites it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Arg, Command, CommandFactory, Parser as _};

use super::Cli;
use crate::config::{Settings, variable_of};

const INTRODUCTION: &str = "# Commands

<!-- generated: UPDATE_DOCS=1 cargo test --lib reference -->

`atlas-gt help COMMAND` prints the same. Results go to stdout, progress and logs to stderr. See [configuration](configuration.md)
for settings, formats and exit codes.
";

/// `--manifest FILE`, `--question IDS`, or `IDS` for a positional argument.
fn name(arg: &Arg) -> String {
    let values = arg.get_value_names().filter(|_| arg.get_action().takes_values()).unwrap_or_default();
    let values = values.iter().map(|value| value.as_str()).collect::<Vec<_>>().join(" ");
    let long = arg.get_long().map(|long| format!("--{long}")).unwrap_or_default();
    let space = if arg.is_require_equals_set() { "=" } else { " " };
    format!("{long}{space}{values}").trim().to_owned()
}

fn meaning(arg: &Arg) -> String {
    let mut text = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let choices: Vec<String> = arg
        .get_possible_values()
        .iter()
        .filter(|value| !value.is_hide_set() && arg.get_action().takes_values())
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    if !choices.is_empty() {
        write!(text, ": {}", choices.join(", ")).unwrap();
    }
    let default: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if !default.is_empty() && arg.get_action().takes_values() && !arg.is_hide_default_value_set() {
        write!(text, " [default: {}]", default.join(",")).unwrap();
    }
    if let Some(variable) = arg.get_env() {
        write!(text, " [`{}`]", variable.to_string_lossy()).unwrap();
    }
    text.replace('|', "\\|").replace('\n', " ")
}

/// The flags by heading, those without one first.
fn groups<'a>(args: impl Iterator<Item = &'a Arg>) -> Vec<(&'a str, String)> {
    let args = args.filter(|arg| !arg.is_hide_set() && !["help", "version"].contains(&arg.get_id().as_str()));
    let mut groups: Vec<(&str, String)> = vec![("flag", String::new())];
    for arg in args {
        let heading = arg.get_help_heading().unwrap_or("flag");
        let row = format!("| `{}` | {} |\n", name(arg), meaning(arg));
        match groups.iter_mut().find(|(known, _)| *known == heading) {
            Some((_, rows)) => rows.push_str(&row),
            None => groups.push((heading, row)),
        }
    }
    groups.retain(|(_, rows)| !rows.is_empty());
    groups
}

fn table((heading, rows): &(&str, String)) -> String {
    format!("\n| {heading} | meaning |\n|---|---|\n{rows}")
}

fn own_groups(command: &Command) -> Vec<(&str, String)> {
    groups(command.get_arguments().filter(|arg| !arg.is_global_set()))
}

/// Flag groups that several commands share word for word. They are printed once.
fn shared(command: &Command) -> BTreeMap<(&str, String), usize> {
    let mut counts = BTreeMap::new();
    for group in own_groups(command).into_iter().filter(|(heading, _)| *heading != "flag") {
        *counts.entry(group).or_default() += 1;
    }
    for below in command.get_subcommands() {
        for (group, count) in shared(below) {
            *counts.entry(group).or_default() += count;
        }
    }
    counts
}

fn describe(command: &Command, path: &str, shared: &BTreeSet<(&str, String)>, into: &mut String) {
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    write!(into, "\n{} `{path}`\n\n{about}\n", "#".repeat(path.split(' ').count())).unwrap();
    let (printed, own): (Vec<_>, Vec<_>) =
        own_groups(command).into_iter().partition(|group| shared.contains(group));
    own.iter().for_each(|group| into.push_str(&table(group)));
    if !printed.is_empty() {
        let links: Vec<String> = printed
            .iter()
            .map(|(heading, _)| format!("[{heading}](#{}-flags)", heading.to_lowercase().replace(' ', "-")))
            .collect();
        write!(into, "\nAlso the flags of {}.\n", links.join(", ")).unwrap();
    }
    if let Some(examples) = command.get_after_help().map(ToString::to_string) {
        let (examples, rest) = examples.split_once("\n\n").unwrap_or((&examples, ""));
        let examples = examples.strip_prefix("Examples:\n").expect("a command has examples");
        let lines: Vec<&str> = examples.lines().map(str::trim_start).collect();
        write!(into, "\n```sh\n{}\n```\n", lines.join("\n")).unwrap();
        if !rest.is_empty() {
            write!(into, "\n{rest}\n").unwrap();
        }
    }
    for below in command.get_subcommands().filter(|below| below.get_name() != "help" && !below.is_hide_set())
    {
        describe(below, &format!("{path} {}", below.get_name()), shared, into);
    }
}

fn keep(page: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "{page} is out of date: UPDATE_DOCS=1 cargo test --lib reference");
}

/// The flags with an environment variable, each with its commands.
fn variables(command: &Command, path: &str, into: &mut BTreeMap<String, (String, String, BTreeSet<String>)>) {
    for arg in command.get_arguments().filter(|arg| arg.get_env().is_some() && !arg.is_hide_set()) {
        let variable = arg.get_env().unwrap_or_default().to_string_lossy().into_owned();
        let mut meaning = arg.get_help().map(ToString::to_string).unwrap_or_default();
        if let Some((head, _)) = meaning.split_once(" [default") {
            meaning = head.to_owned();
        }
        let flag = arg.get_long().map(|long| format!("`--{long}`")).unwrap_or_default();
        let one = into.entry(variable).or_insert((flag, meaning, BTreeSet::new()));
        one.2.insert(if arg.is_global_set() { "every command".to_owned() } else { format!("`{path}`") });
    }
    for below in command.get_subcommands().filter(|below| below.get_name() != "help" && !below.is_hide_set())
    {
        variables(below, format!("{path} {}", below.get_name()).trim_start(), into);
    }
}

/// Environment variables without a flag.
const OTHERS: [(&str, &str); 13] = [
    ("ATLAS_GT_NOW", "The time to use as now, `2026-11-20T10:30:00Z`: for tests and reproducible runs"),
    ("ATLAS_GT_TESSERACT", "Path of the Tesseract program, which reads drawn text"),
    ("ATLAS_GT_JUDGE_KEY", "Key of a judge at a custom address"),
    ("OPENAI_API_KEY", "Key of a judge `openai:MODEL`; `OPENAI_BASE_URL` names another address"),
    ("ANTHROPIC_API_KEY", "Key of a judge `anthropic:MODEL`; `ANTHROPIC_BASE_URL` names another address"),
    (
        "GEMINI_API_KEY",
        "Key of a judge `gemini:MODEL`, or `GOOGLE_API_KEY`; `GOOGLE_GEMINI_BASE_URL` names another address",
    ),
    (
        "HTTPS_PROXY",
        "Proxy for our own requests, like `HTTP_PROXY` and `NO_PROXY`; never used for local addresses",
    ),
    ("RUST_LOG", "Log level, if `--log` is not given"),
    ("NO_COLOR", "Any value disables colors"),
    ("COLUMNS", "Width of tables and text"),
    ("PATH", "Search path for programs: Chromium, ChromeDriver, agents, scorers"),
    ("XDG_CACHE_HOME", "Folder of the caches and the request budget [`~/.cache`]"),
    ("DISPLAY", "If set (or `WAYLAND_DISPLAY`), `review` opens pictures"),
];

/// Replaces the text between two marks of a hand-written page.
fn keep_part(page: &str, mark: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    let kept = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = (format!("<!-- {mark} -->\n"), format!("<!-- end of {mark} -->\n"));
    let (before, rest) = kept.split_once(&begin).unwrap_or_else(|| panic!("{page} has no {begin}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("{page} has no {end}"));
    keep(page, &format!("{before}{begin}{text}{end}{after}"));
}

#[test]
fn the_tables_of_settings_and_variables_are_those_of_the_program() {
    let mut cli = Cli::command();
    cli.build();
    let mut known = BTreeMap::new();
    variables(&cli, "", &mut known);
    let mut flags: BTreeMap<String, String> = BTreeMap::new();
    all_flags(&cli, &mut flags);
    let mut keys = "| key | flag | variable | meaning |\n|---|---|---|---|\n".to_owned();
    for (key, _) in Settings::default().values() {
        let flag = format!("--{}", key.replace('_', "-"));
        let variable = Some(variable_of(key)).filter(|name| known.contains_key(name));
        let meaning = flags.get(&flag).cloned().or_else(|| {
            WITHOUT_FLAG.iter().find(|(name, _)| *name == key).map(|(_, text)| (*text).to_owned())
        });
        let meaning = meaning.unwrap_or_else(|| panic!("`{key}` has neither a flag nor a meaning"));
        let flag = flags.get(&flag).map_or_else(String::new, |_| format!("`{flag}`"));
        let variable = variable.map_or_else(String::new, |name| format!("`{name}`"));
        writeln!(keys, "| `{key}` | {flag} | {variable} | {meaning} |").unwrap();
    }
    keep_part("docs/reference/configuration.md", "settings", &keys);

    let mut table = "| variable | flag | taken by | meaning |\n|---|---|---|---|\n".to_owned();
    for (name, (flag, meaning, commands)) in &known {
        let commands = commands.iter().cloned().collect::<Vec<_>>().join(", ");
        writeln!(table, "| `{name}` | {flag} | {commands} | {} |", meaning.replace('|', "\\|")).unwrap();
    }
    for (name, meaning) in OTHERS {
        writeln!(table, "| `{name}` | | | {meaning} |").unwrap();
    }
    keep_part("docs/reference/configuration.md", "variables", &table);

    // variables in the sources that no table lists
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["src", "crates", "twin/src"] {
        for path in sources(&root.join(folder)) {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let names =
                code.split("\"ATLAS_GT_").skip(1).map(|rest| rest.split('"').next().unwrap_or_default());
            for name in names.filter(|name| !name.is_empty() && !name.contains(['{', ' '])) {
                assert!(
                    table.contains(&format!("`ATLAS_GT_{name}`")),
                    "{}: ATLAS_GT_{name} is in no table",
                    path.display()
                );
            }
        }
    }
}

/// Settings without a flag, with their meaning.
const WITHOUT_FLAG: [(&str, &str); 3] = [
    ("query_types", "A list of query types in addition to the built-in ones"),
    ("stale_months", "Months after which a record is stale, by kind of page: `{ default = 6, country = 4 }`"),
    ("prices", "A price file to use instead of `prices.toml`"),
];

/// The description of each flag, from the first command that has it.
fn all_flags(command: &Command, into: &mut BTreeMap<String, String>) {
    for arg in command.get_arguments() {
        let Some(long) = arg.get_long() else { continue };
        let text = arg.get_help().map(ToString::to_string).unwrap_or_default();
        into.entry(format!("--{long}")).or_insert_with(|| text.replace('|', "\\|").replace('\n', " "));
    }
    command.get_subcommands().for_each(|below| all_flags(below, into));
}

/// The source files below a folder, without tests and benches.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if entry.is_dir() && !["tests", "benches", "target"].contains(&name.as_str()) {
            found.extend(sources(&entry));
        } else if name.ends_with(".rs") && !name.contains("test") && name != "reference.rs" {
            found.push(entry);
        }
    }
    found
}

/// Where the name of a list is misspelled, the list is empty, and its own name stands nowhere.
#[test]
fn every_list_of_the_lexicon_is_read_by_its_name() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let text = std::fs::read_to_string(crates.join("scoring/src/language/lexicon.toml")).unwrap();
    let lexicon: toml::Table = text.parse().unwrap();
    let code: String = sources(&crates).iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    for name in lexicon["list"].as_table().unwrap().keys() {
        assert!(code.contains(&format!("\"{name}\"")), "no code reads the list `{name}`");
    }
}

#[test]
fn the_page_of_rules_is_that_of_the_program() {
    let mut text = String::from(
        "# Lint rules\n\n<!-- generated: UPDATE_DOCS=1 cargo test --lib reference -->\n
`atlas-gt lint` checks records by these rules: [how to use it](../how-to/import.md#lint-the-records). `atlas-gt lint --explain GT005` prints a rule
with examples that pass and fail.

| rule | severity | what is wrong | what to do |\n|---|---|---|---|\n",
    );
    for rule in crate::lint::RULES {
        let _ =
            writeln!(text, "| {} | {} | {} | {} |", rule.code, rule.severity.name(), rule.title, rule.help);
    }
    keep("docs/reference/lint.md", &text);
}

#[test]
fn the_page_of_commands_is_that_of_the_program() {
    let mut cli = Cli::command();
    cli.build();
    let mut text = INTRODUCTION.to_owned();
    text.push_str("\nEvery command takes these:\n");
    groups(cli.get_arguments().filter(|arg| arg.is_global_set()))
        .iter()
        .for_each(|group| text.push_str(&table(group)));
    let shared: BTreeSet<(&str, String)> =
        shared(&cli).into_iter().filter(|(_, count)| *count > 2).map(|(group, _)| group).collect();
    text.push_str("\n# Shared flags\n");
    for group in &shared {
        write!(text, "\n## {} flags\n{}", group.0, table(group)).unwrap();
    }
    for (title, names) in super::GROUPS {
        write!(text, "\n# {title}\n").unwrap();
        for command in
            names.iter().filter(|name| **name != "help").filter_map(|name| cli.find_subcommand(name))
        {
            describe(command, &format!("atlas-gt {}", command.get_name()), &shared, &mut text);
        }
    }
    keep("docs/reference/commands.md", &text);
}

/// The examples of a command and its subcommands.
fn examples(command: &Command, into: &mut Vec<String>) {
    if let Some(text) = command.get_after_help().map(ToString::to_string) {
        let list = text.split("\n\n").next().unwrap_or_default().lines().skip(1);
        into.extend(list.map(|line| line.trim().to_owned()));
    }
    command.get_subcommands().for_each(|below| examples(below, into));
}

#[test]
fn every_example_of_help_is_a_command_line_of_the_program() {
    let mut lines = Vec::new();
    let mut cli = Cli::command();
    cli.build();
    cli.get_subcommands().for_each(|command| examples(command, &mut lines));
    let mut tried = 0;
    for line in lines {
        let Some((_, arguments)) = line.split_once("atlas-gt ") else { continue };
        // stop at two spaces, a pipe or a redirection: the rest is a remark or belongs to the shell
        let arguments = arguments
            .trim_end_matches(')')
            .split("  ")
            .next()
            .unwrap()
            .split(" | ")
            .next()
            .unwrap()
            .split(" > ")
            .next()
            .unwrap();
        let words = shlex(arguments);
        if let Err(error) = Cli::try_parse_from(std::iter::once("atlas-gt".to_owned()).chain(words)) {
            panic!("{line}: {error}");
        }
        tried += 1;
    }
    assert!(tried > 60, "{tried}");
}

/// Splits a command line into words, without quotes.
fn shlex(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in line.chars() {
        match (letter, quote) {
            ('\'' | '"', None) => quote = Some(letter),
            (_, Some(open)) if open == letter => quote = None,
            (' ', None) => words.push(String::new()),
            _ => words.last_mut().unwrap().push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
