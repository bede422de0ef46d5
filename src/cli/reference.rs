//! `docs/reference/commands.md` from the definitions of the commands. `UPDATE_DOCS=1 cargo test --lib reference` writes it anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use clap::{Arg, Command, CommandFactory, Parser as _};

use super::Cli;

const INTRODUCTION: &str = "# Commands

<!-- generated: UPDATE_DOCS=1 cargo test --lib reference -->

`atlas-gt help COMMAND` prints the same. Results go to stdout, progress and logs to stderr. See [configuration](configuration.md)
for settings, formats and exit codes.
";

/// `--manifest FILE`, `--question IDS`, or `IDS` of a positional argument.
fn name(arg: &Arg) -> String {
    let values = arg.get_value_names().filter(|_| arg.get_action().takes_values()).unwrap_or_default();
    let values = values.iter().map(|value| value.as_str()).collect::<Vec<_>>().join(" ");
    let long = arg.get_long().map(|long| format!("--{long}")).unwrap_or_default();
    format!("{long} {values}").trim().to_owned()
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
    if !default.is_empty() && arg.get_action().takes_values() {
        write!(text, " [default: {}]", default.join(",")).unwrap();
    }
    if let Some(variable) = arg.get_env() {
        write!(text, " [`{}`]", variable.to_string_lossy()).unwrap();
    }
    text.replace('|', "\\|").replace('\n', " ")
}

/// The flags under their headings, those without one first.
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

/// The groups of flags that several commands have in the same words: they are printed once.
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

#[test]
fn the_page_of_rules_is_that_of_the_program() {
    keep("docs/reference/lint.md", &crate::report::lint::rules_page());
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

/// The examples of a command and of those below it.
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
        // up to two spaces, a pipe or a redirection: what follows is the shell's, or a remark
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

/// The words of a command line, without their quotes.
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
