//! The `--events` flag: lets other programs follow the progress of a run.

use std::path::PathBuf;

use super::overwrite::Overwrite;
use crate::error::Result;
use crate::report::events::EventFile;
use crate::report::output;

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
