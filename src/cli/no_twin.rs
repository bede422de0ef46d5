//! Replaces the twin in builds without it: no flags, and an error that explains how to get it.

use crate::error::{Error, Result};

/// Flags of the twin: none.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Twin")]
pub(super) struct Options {}

/// A running twin. It cannot exist in this build.
pub(super) enum Twin {}

impl Options {
    #[expect(clippy::unused_async, reason = "the real twin starts a server")]
    pub async fn start(self, _rate: u32) -> Result<(String, Twin)> {
        Err(Error::Usage(
            "this program was built without the twin: build it with the feature `twin` (on by default), or set --site to \
             an address"
                .to_owned(),
        ))
    }

    pub fn flags(&self) -> String {
        String::new()
    }
}

impl Twin {
    #[expect(clippy::unused_async, reason = "the real twin waits for its server")]
    pub async fn shutdown(self) {
        match self {}
    }
}
