//! `atlas-gt completions` and `atlas-gt man`: shell completions and man pages, generated from the command definitions.

use std::path::PathBuf;

use clap::Command;
use clap_complete::{Shell, generate};

use super::print::print;
use crate::error::{Error, Exit, Result};

/// Print shell completions
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  source <(atlas-gt completions bash)\n  source <(atlas-gt completions zsh)\n  atlas-gt completions fish > ~/.config/fish/completions/atlas-gt.fish"
)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(args: &CompletionsArgs, mut cli: Command) -> Exit {
    print(&script(args.shell, &mut cli));
    Exit::Ok
}

fn script(shell: Shell, cli: &mut Command) -> String {
    let mut script = Vec::new();
    generate(shell, cli, "atlas-gt", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    match shell {
        // clap_complete 4.6 takes the hyphen of the program's name for a step to a subcommand, but only in the labels
        Shell::Bash => script.replace("atlas__subcmd__gt__", "atlas__gt__"),
        _ => script,
    }
}

/// Write a man page for every command into a folder
#[derive(Debug, clap::Args)]
#[command(hide = true, after_help = "Examples:\n  atlas-gt man out/man\n  man out/man/atlas-gt-collect.1")]
pub(super) struct ManArgs {
    /// The folder; created if it does not exist
    dir: PathBuf,
}

pub(super) fn write_man(args: &ManArgs, cli: Command) -> Result<Exit> {
    std::fs::create_dir_all(&args.dir).map_err(Error::named(&args.dir))?;
    clap_mangen::generate_to(cli, &args.dir).map_err(Error::named(&args.dir))?;
    Ok(Exit::Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_bash_every_command_completes_its_own_words() {
        let script = script(Shell::Bash, &mut crate::cli::command());
        let commands: Vec<&str> =
            script.lines().filter_map(|line| line.trim().strip_prefix("cmd=\"")?.strip_suffix('"')).collect();
        assert!(commands.contains(&"atlas__gt__subcmd__spot__subcmd__check"), "{commands:?}");
        for command in commands.into_iter().filter(|command| !command.is_empty()) {
            assert!(script.lines().any(|line| line.trim() == format!("{command})")), "{command}");
        }
    }
}
