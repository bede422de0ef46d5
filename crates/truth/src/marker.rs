//! `site.json`: whose records a store holds, and the hashes of those files that no other file vouches for.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::files::{optional, parse, text};
use super::record::Site;
use super::seal::{Seal, seal_of, sealed};
use super::tally::Tally;
use crate::atomic_file::TEMPORARY;
use crate::error::{Error, Result};
use atlas_gt_core::evidence::Hash;

/// Its name.
pub(super) const FILE: &str = "site.json";

/// What `site.json` says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Marker {
    /// The site of the store's records. Never two sites (decision 18).
    #[serde(flatten)]
    pub whose: Whose,
    /// The manifest that filled it last: the hash of its questions, wherever the file lay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest: Option<Hash>,
    /// The changelog as it was left.
    #[serde(default, skip_serializing_if = "Tally::is_empty")]
    pub changelog: Tally,
    /// What waits, is under review or was imported beside the records: the hash of each file, by its path below the store.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, Hash>,
}

/// The site that records are of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Whose {
    /// Which one.
    pub site: Site,
    /// The address, when it is neither the Atlas's own nor that of a replica on this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
}

impl Whose {
    /// Refuses the store in `dir`, which holds what this says, where something else is asked for.
    pub fn check(&self, dir: &Path, asked: &Self) -> Result<()> {
        if self == asked {
            return Ok(());
        }
        let message = format!("holds {self}, and {asked} was asked for: choose another store");
        Err(Error::Store { path: dir.to_owned(), message })
    }
}

impl fmt::Display for Whose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.address, self.site) {
            (Some(address), Site::Mirror) => write!(f, "the site at {address}"),
            (Some(address), site) => write!(f, "the site at {address} under the name of the {site} site"),
            (None, site) => write!(f, "the {site} site"),
        }
    }
}

impl Marker {
    /// What the `site.json` of a folder says, and what its seal says of it; nothing where there is none.
    pub fn read(dir: &Path) -> Result<Option<(Self, Seal)>> {
        let path = dir.join(FILE);
        let Some(text) = optional(&path)? else { return Ok(None) };
        Ok(Some((parse(&path, &text)?, seal_of(&text))))
    }

    /// The file's text.
    pub fn to_text(&self) -> Result<String> {
        Ok(sealed(&text(&PathBuf::from(FILE), self)?))
    }
}

/// What is wrong with a `site.json` by its seal.
pub(super) fn fault(dir: &Path, seal: Seal) -> Option<Error> {
    let message = match seal {
        Seal::Intact => return None,
        Seal::Missing => "has no seal: `atlas-gt verify --seal` seals the store of an older version".to_owned(),
        Seal::Broken => {
            "was changed since it was written: restore it from version control, or take its seal out and run `atlas-gt verify --seal`".to_owned()
        }
    };
    Some(Error::Record { path: dir.join(FILE), line: 0, column: 0, message })
}

/// The name of something in a folder that no store is, so that a store may be made of it only where there is nothing.
pub(super) fn occupant(dir: &Path) -> Result<Option<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(Error::named(dir))? {
        let name = entry.map_err(Error::named(dir))?.file_name().to_string_lossy().into_owned();
        if name != ".lock" && !name.starts_with(TEMPORARY) {
            names.push(name);
        }
    }
    Ok(names.into_iter().min())
}

/// Why a folder cannot be used as a store.
pub(super) fn no_store(dir: &Path, why: String) -> Error {
    Error::named(dir)(std::io::Error::other(why))
}
