//! The flag of every command whose progress other programs may follow.

use std::path::PathBuf;

use super::overwrite::Overwrite;
use crate::error::Result;
use crate::report::events::EventFile;
use crate::report::output;

/// Where the events of a run go.
#[derive(Debug, clap::Args)]
pub(super) struct EventsTo {
    /// Write every event of the run to this file or pipe, one JSON object per line
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_EVENTS")]
    events: Option<PathBuf>,
}

impl EventsTo {
    /// Opens it, where one is named.
    ///
    /// # Errors
    /// It cannot be written, or is somebody's own.
    pub fn open(&self, overwrite: Overwrite) -> Result<Option<EventFile>> {
        overwrite.check_named(self.events.as_deref(), output::EVENTS)?;
        self.events.as_deref().map(EventFile::create).transpose()
    }
}
