//! `atlas-gt completions`: what a shell completes, from the definitions of the commands.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory, ValueEnum};

use super::{Cli, print};
use crate::error::Exit;

/// Print the completions of a shell
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  source <(atlas-gt completions bash)\n  source <(atlas-gt completions zsh)\n  atlas-gt completions fish > ~/.config/fish/completions/atlas-gt.fish"
)]
pub(super) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

pub(super) fn run(args: &Args) -> Exit {
    let mut cli = Cli::command();
    cli.build();
    let mut rules = String::new();
    match args.shell {
        Shell::Fish => {
            fish(&cli, &[], &mut rules);
            print(&rules);
        }
        Shell::Bash | Shell::Zsh => {
            bash(&cli, "atlas-gt", &mut rules);
            let zsh = if matches!(args.shell, Shell::Zsh) {
                "autoload -U bashcompinit && bashcompinit\n"
            } else {
                ""
            };
            print(&format!("{zsh}{}", BASH.replace("RULES\n", &rules)));
        }
    }
    Exit::Ok
}

/// The words so far choose the command, the last of them a flag whose values are known.
const BASH: &str = r#"_atlas_gt() {
  local path=atlas-gt word words= values=
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if _atlas_gt_words "$path $word"; then path="$path $word"; fi
  done
  _atlas_gt_words "$path"
  _atlas_gt_words "$path ${COMP_WORDS[COMP_CWORD-1]} =" && words=$values
  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
}
_atlas_gt_words() {
  case "$1" in
RULES
  *) return 1 ;;
  esac
}
complete -o default -F _atlas_gt atlas-gt
"#;

fn long_flags(command: &Command) -> impl Iterator<Item = (&str, &Arg)> {
    let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
    shown.filter_map(|arg| arg.get_long().map(|long| (long, arg)))
}

fn values(arg: &Arg) -> String {
    let values = arg.get_possible_values();
    let values = values.iter().filter(|_| arg.get_action().takes_values());
    values.map(clap::builder::PossibleValue::get_name).collect::<Vec<_>>().join(" ")
}

fn below(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|below| !below.is_hide_set())
}

fn bash(command: &Command, path: &str, into: &mut String) {
    let names = below(command).map(|below| below.get_name().to_owned());
    let own = command.get_positionals().map(values).filter(|values| !values.is_empty());
    let words: Vec<String> =
        names.chain(own).chain(long_flags(command).map(|(long, _)| format!("--{long}"))).collect();
    _ = writeln!(into, "  \"{path}\") words=\"{}\" ;;", words.join(" "));
    for (long, arg) in long_flags(command) {
        let values = values(arg);
        if !values.is_empty() {
            _ = writeln!(into, "  \"{path} --{long} =\") values=\"{values}\" ;;");
        }
    }
    for command in below(command).filter(|below| below.get_name() != "help") {
        bash(command, &format!("{path} {}", command.get_name()), into);
    }
}

fn fish(command: &Command, path: &[&str], into: &mut String) {
    let condition = match path {
        [] => "__fish_use_subcommand".to_owned(),
        path => path
            .iter()
            .map(|name| format!("__fish_seen_subcommand_from {name}"))
            .collect::<Vec<_>>()
            .join("; and "),
    };
    let quoted = |text: String| text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', " ");
    let mut rule = |what: String, about: Option<String>| {
        let about = quoted(about.unwrap_or_default());
        _ = writeln!(into, "complete -c atlas-gt -n '{condition}' {what} -d '{about}'");
    };
    for command in below(command) {
        rule(format!("-f -a {}", command.get_name()), command.get_about().map(ToString::to_string));
    }
    for (long, arg) in long_flags(command) {
        let values = values(arg);
        let values = if values.is_empty() { values } else { format!(" -x -a '{values}'") };
        let takes = if arg.get_action().takes_values() { " -r" } else { "" };
        rule(format!("-l {long}{takes}{values}"), arg.get_help().map(ToString::to_string));
    }
    for command in below(command).filter(|below| below.get_name() != "help") {
        fish(command, &[path, &[command.get_name()]].concat(), into);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bash_completes_commands_flags_and_values() {
        let mut cli = Cli::command();
        cli.build();
        let mut rules = String::new();
        bash(&cli, "atlas-gt", &mut rules);
        let script = BASH.replace("RULES\n", &rules);
        let completed = |words: &[&str]| {
            let line = format!(
                "{script}COMP_WORDS=({}); COMP_CWORD={}; _atlas_gt; echo \"${{COMPREPLY[@]}}\"",
                words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
                words.len() - 1
            );
            let output = std::process::Command::new("bash").args(["-c", &line]).output().unwrap();
            String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
        };
        assert_eq!(completed(&["atlas-gt", "man"]), "manifest");
        assert_eq!(completed(&["atlas-gt", "manifest", "ch"]), "check");
        assert_eq!(completed(&["atlas-gt", "refresh", "--questions", "61", "--com"]), "--commit");
        assert_eq!(completed(&["atlas-gt", "refresh", "--format", ""]), "table json md html");
        assert_eq!(completed(&["atlas-gt", "completions", "fi"]), "fish");
    }
}
