//! Flags that several commands share: who decides, where events go, and what may be overwritten.

use std::path::{Path, PathBuf};

use super::settings;
use crate::error::Result;
use crate::report::events::EventFile;
use crate::report::output::{self, OutputKind};

/// The person who decides.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Who {
    /// Who decides [default: the account: `USER`, `LOGNAME` or `USERNAME`]
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
}

impl Who {
    /// The name that is recorded.
    pub fn name(&self) -> String {
        self.by.clone().unwrap_or_else(settings::user)
    }
}

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

/// The destination of a run's events.
#[derive(Debug, clap::Args)]
pub(super) struct EventsTo {
    /// Write every event of the run to this file or pipe, one JSON object per line
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_EVENTS")]
    events: Option<PathBuf>,
}

impl EventsTo {
    /// Opens the destination, if one is given.
    ///
    /// # Errors
    /// It cannot be written, or is not an event file.
    pub fn open(&self, overwrite: Overwrite) -> Result<Option<EventFile>> {
        overwrite.check_named(self.events.as_deref(), output::EVENTS)?;
        self.events.as_deref().map(EventFile::create).transpose()
    }
}
