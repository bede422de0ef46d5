//! Whose records a store holds: the Atlas's, the replica's, or those of one other address. Never of two (decision 18).

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::record::Site;
use crate::error::{Error, Result};

/// What `site.json` says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Marker {
    pub site: Site,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
}

impl Marker {
    /// Refuses the store in `dir`, which holds what this says, where something else is asked for.
    pub fn check(&self, dir: &Path, asked: &Self) -> Result<()> {
        if self == asked {
            return Ok(());
        }
        let message = format!("holds {self}, and {asked} was asked for: choose another store");
        Err(Error::Store { path: dir.to_owned(), message })
    }
}

impl std::fmt::Display for Marker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.address, self.site) {
            (Some(address), Site::Mirror) => write!(f, "the site at {address}"),
            (Some(address), site) => write!(f, "the site at {address} under the name of the {site} site"),
            (None, site) => write!(f, "the {site} site"),
        }
    }
}
