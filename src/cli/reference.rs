//! `docs/commands.md` from the definitions of the commands. `UPDATE_DOCS=1 cargo test --lib reference` writes it anew.

use std::fmt::Write as _;
use std::path::Path;

use clap::{Arg, Command, CommandFactory};

use super::Cli;

const INTRODUCTION: &str = "# Commands

Generated from the program (`UPDATE_DOCS=1 cargo test --lib reference`); a test keeps it up to date. `atlas-gt help COMMAND` prints
the same. What the commands are for: [operating](operating.md), [store](store.md), [truth health](health.md), [mending](mending.md),
[scoring](scoring.md), [evaluating](evaluating.md), [components](components.md).

Results go to stdout, progress and logs to stderr. Every command takes `--format`: `table`, `json`, `jsonl`, `md`, `html`, `junit`, and
`lint` also `sarif`. What `json` prints has the schema that `atlas-gt schema NAME` prints (docs/schemas/).
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
fn flags<'a>(args: impl Iterator<Item = &'a Arg>) -> String {
    let args = args.filter(|arg| !arg.is_hide_set() && !["help", "version"].contains(&arg.get_id().as_str()));
    let mut groups: Vec<(Option<&str>, String)> = vec![(None, String::new())];
    for arg in args {
        let heading = arg.get_help_heading();
        let row = format!("| `{}` | {} |\n", name(arg), meaning(arg));
        match groups.iter_mut().find(|(known, _)| *known == heading) {
            Some((_, rows)) => rows.push_str(&row),
            None => groups.push((heading, row)),
        }
    }
    let table = |(heading, rows): (Option<&str>, String)| match rows.is_empty() {
        true => rows,
        false => format!("\n| {} | meaning |\n|---|---|\n{rows}", heading.unwrap_or("flag")),
    };
    groups.into_iter().map(table).collect()
}

fn describe(command: &Command, path: &str, into: &mut String) {
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    write!(into, "\n{} `{path}`\n\n{about}\n", "#".repeat(path.split(' ').count())).unwrap();
    into.push_str(&flags(command.get_arguments().filter(|arg| !arg.is_global_set())));
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
        describe(below, &format!("{path} {}", below.get_name()), into);
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
    keep("docs/lint.md", &crate::report::lint::rules_page());
}

#[test]
fn the_page_of_commands_is_that_of_the_program() {
    let mut cli = Cli::command();
    cli.build();
    let mut text = INTRODUCTION.to_owned();
    text.push_str("\nEvery command takes these:\n");
    text.push_str(&flags(cli.get_arguments().filter(|arg| arg.is_global_set())));
    for (title, names) in super::GROUPS {
        write!(text, "\n# {title}\n").unwrap();
        for command in
            names.iter().filter(|name| **name != "help").filter_map(|name| cli.find_subcommand(name))
        {
            describe(command, &format!("atlas-gt {}", command.get_name()), &mut text);
        }
    }
    keep("docs/commands.md", &text);
}
