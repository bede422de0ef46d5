//! `atlas-gt completions`: prints shell completions, generated from the command definitions.

use clap::Command;
use clap_complete::{Shell, generate};

use super::print::print;
use crate::error::Exit;

/// Print shell completions
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  source <(atlas-gt completions bash)\n  source <(atlas-gt completions zsh)\n  atlas-gt completions fish > ~/.config/fish/completions/atlas-gt.fish"
)]
pub(super) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(args: &Args, mut cli: Command) -> Exit {
    let mut script = Vec::new();
    generate(args.shell, &mut cli, "atlas-gt", &mut script);
    print(&String::from_utf8_lossy(&script));
    Exit::Ok
}
