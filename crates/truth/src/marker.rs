//! `site.json`: the site of a store's records, and the hashes of files that no other file covers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::files::{optional, parse_or, text};
use super::quarantine::unreadable;
use super::record::Site;
use super::seal::{Seal, seal_command, seal_of, sealed};
use super::tally::Tally;
use crate::atomic_file::TEMPORARY;
use crate::error::{Error, Result};
use atlas_gt_core::diagnostic::Place;
use atlas_gt_core::evidence::Hash;
use atlas_gt_core::question_id::QuestionId;

/// The file name.
pub(super) const FILE: &str = "site.json";

/// What to do about a lost or unreadable `site.json`.
pub(super) fn remedy(dir: &Path) -> String {
    format!(
        "restore it from version control, or write the site of the records to it, {{\"site\": \"live\"}}, \
         {{\"site\": \"twin\"}} or {{\"site\": \"mirror\", \"address\": \"https://…\"}}, and run `{}`",
        seal_command(dir)
    )
}

/// The content of `site.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct StoreMarker {
    /// The site of the store's records. Never two sites (decision 18).
    #[serde(flatten)]
    pub(super) whose: Whose,
    /// The manifest that last filled the store: the hash of its questions, independent of the file's path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) manifest: Option<Hash>,
    /// The tally of the changelog.
    #[serde(default, skip_serializing_if = "Tally::is_empty")]
    pub(super) changelog: Tally,
    /// The questions with a record, so that a deleted one is missed. Empty in a store of an older version.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) records: BTreeSet<QuestionId>,
    /// The hashes of pending, reviewed and imported files beside the records, by path below the store.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) files: BTreeMap<String, Hash>,
}

/// The origin of records.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Whose {
    /// The site.
    pub site: Site,
    /// Its address, unless it is the Atlas or a local replica.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
}

impl Whose {
    /// Returns an error if the store in `dir`, which has this origin, was opened for another one.
    pub fn check(&self, dir: &Path, asked: &Self) -> Result<()> {
        if self == asked {
            return Ok(());
        }
        let message = format!("holds {self}, but {asked} was requested: use another store");
        Err(Error::Store { path: dir.to_owned(), message })
    }
}

impl fmt::Display for Whose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.address, self.site) {
            (Some(address), Site::Mirror) => write!(f, "the site at {address}"),
            (Some(address), site) => write!(f, "the site at {address}, recorded as the {site} site"),
            (None, site) => write!(f, "the {site} site"),
        }
    }
}

impl StoreMarker {
    /// Reads the `site.json` of a folder and the state of its seal; `None` if there is none.
    pub(super) fn read(dir: &Path) -> Result<Option<(Self, Seal)>> {
        let path = dir.join(FILE);
        let text = match optional(&path).map_err(unreadable) {
            Ok(Some(text)) => text,
            Ok(None) => return Ok(None),
            Err(Error::Record { path, place, .. }) if place.line > 0 => {
                let message = format!("it is not plain text; {}", remedy(dir));
                return Err(Error::Record { path, place, message });
            }
            Err(other) => return Err(other),
        };
        let marker = parse_or(&path, &text, &remedy(dir)).map_err(unreadable)?;
        Ok(Some((marker, seal_of(&text))))
    }

    /// The text of the file.
    pub(super) fn to_text(&self) -> Result<String> {
        Ok(sealed(&text(&PathBuf::from(FILE), self)?))
    }
}

/// The error for a `site.json` without an intact seal.
pub(super) fn fault(dir: &Path, seal: Seal) -> Option<Error> {
    let command = seal_command(dir);
    let message = match seal {
        Seal::Intact => return None,
        Seal::Missing => format!("has no seal, as in a store of an older version: seal it with `{command}`"),
        Seal::Broken => format!(
            "was changed since it was written: restore it from version control, or delete its seal and run `{command}`"
        ),
    };
    Some(Error::Record { path: dir.join(FILE), place: Place::default(), message })
}

/// The name of some file in a folder without `site.json`. A new store needs an empty folder.
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

/// The error for a folder that is not a store.
pub(super) fn no_store(dir: &Path, why: String) -> Error {
    Error::Nothing(format!("{}: {why}", dir.display()))
}
