//! Unreadable files of other tools.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;

/// An unreadable file. The rest of its folder is still read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct QuarantinedFile {
    /// The file.
    pub path: PathBuf,
    /// The path of the key; empty for the whole file.
    pub key: String,
    /// The problem, and the expected form.
    pub reason: String,
}

impl QuarantinedFile {
    pub(super) fn new(path: &Path, key: &str, reason: impl Into<String>) -> Self {
        Self { path: path.to_owned(), key: key.to_owned(), reason: reason.into() }
    }
}

impl fmt::Display for QuarantinedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.key.as_str() {
            "" => write!(f, "{}: {}", self.path.display(), self.reason),
            key => write!(f, "{}: {key}: {}", self.path.display(), self.reason),
        }
    }
}
