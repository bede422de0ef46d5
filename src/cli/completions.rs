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
