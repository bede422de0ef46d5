//! The flag of every command that writes a file that an option names.

use std::path::Path;

use crate::error::Result;
use crate::report::output::{self, OutputKind};

/// Whether files that an option names may take the place of others.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Overwrite {
    /// Overwrite an output file even if this command did not write it
    #[arg(long)]
    overwrite: bool,
}

impl Overwrite {
    /// Whether any file may go.
    pub const fn is_asked(self) -> bool {
        self.overwrite
    }

    /// Refuses a file that cannot be written, or is somebody's own.
    pub fn check(self, path: &Path, kind: OutputKind) -> Result<()> {
        output::check(path, kind, self.overwrite)
    }

    /// As [`Overwrite::check`], of a file that may not be named.
    pub fn check_named(self, path: Option<&Path>, kind: OutputKind) -> Result<()> {
        path.map_or(Ok(()), |path| self.check(path, kind))
    }
}
