//! The `--overwrite` flag of commands that write a named file.

use std::path::Path;

use crate::error::Result;
use crate::report::output::{self, OutputKind};

/// Whether a named output file may replace any file.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Overwrite {
    /// Overwrite an output file even if this command did not write it
    #[arg(long)]
    overwrite: bool,
}

impl Overwrite {
    /// Whether the flag is set.
    pub const fn is_asked(self) -> bool {
        self.overwrite
    }

    /// Rejects a file that cannot be written, or that this command did not write.
    pub fn check(self, path: &Path, kind: OutputKind) -> Result<()> {
        output::check(path, kind, self.overwrite)
    }

    /// Like [`Overwrite::check`], for an optional path.
    pub fn check_named(self, path: Option<&Path>, kind: OutputKind) -> Result<()> {
        path.map_or(Ok(()), |path| self.check(path, kind))
    }
}
