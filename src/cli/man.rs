//! `atlas-gt man`: writes a man page for every command, from the command definitions. `make dist`
//! uses it.

use std::path::PathBuf;

use clap::Command;

use crate::error::{Error, Exit, Result};

/// Write a man page for every command into a folder
#[derive(Debug, clap::Args)]
#[command(hide = true, after_help = "Examples:\n  atlas-gt man out/man\n  man out/man/atlas-gt-collect.1")]
pub(super) struct Args {
    /// The folder; created if it does not exist
    dir: PathBuf,
}

pub(super) fn run(args: &Args, cli: Command) -> Result<Exit> {
    std::fs::create_dir_all(&args.dir).map_err(Error::named(&args.dir))?;
    clap_mangen::generate_to(cli, &args.dir).map_err(Error::named(&args.dir))?;
    Ok(Exit::Ok)
}
