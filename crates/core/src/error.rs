//! Errors with advice, and their exit codes.

use std::path::{Path, PathBuf};

use strum::VariantArray;

use crate::diagnostic::Diagnostic;
use crate::excerpt::Place;

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Exit codes of all commands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, VariantArray)]
#[repr(u8)]
pub enum Exit {
    /// Success, nothing to report.
    #[default]
    Ok = 0,
    /// An unexpected error.
    Unexpected = 1,
    /// Invalid usage, configuration or manifest.
    Usage = 2,
    /// Differences, or a failed gate.
    Differences = 3,
    /// Something could not be extracted.
    Extraction = 4,
    /// The site is unreachable or refuses.
    Site = 5,
    /// The agent or the judge failed.
    Agent = 6,
    /// Interrupted.
    Interrupted = 130,
}

impl Exit {
    /// Every code, in order.
    pub const ALL: &'static [Self] = <Self as VariantArray>::VARIANTS;

    /// The code with this number.
    #[must_use]
    pub fn of(number: u8) -> Self {
        Self::ALL.iter().copied().find(|exit| *exit as u8 == number).unwrap_or(Self::Unexpected)
    }

    /// The meaning of the code, as in the help and the README.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Ok => "done",
            Self::Unexpected => "unexpected",
            Self::Usage => "usage, configuration, manifest",
            Self::Differences => "differences or a failed gate",
            Self::Extraction => "something could not be extracted",
            Self::Site => "site unreachable or refusing",
            Self::Agent => "agent or judge failed",
            Self::Interrupted => "interrupted",
        }
    }

    /// The code that takes precedence: 130 > 1 > 2 > 5 > 6 > 4 > 3 > 0.
    #[must_use]
    pub fn worst(self, other: Self) -> Self {
        const ORDER: [Exit; 8] = [
            Exit::Interrupted,
            Exit::Unexpected,
            Exit::Usage,
            Exit::Site,
            Exit::Agent,
            Exit::Extraction,
            Exit::Differences,
            Exit::Ok,
        ];
        ORDER.into_iter().find(|code| *code == self || *code == other).unwrap_or(Self::Unexpected)
    }

    /// The code of these that takes precedence; `Ok` if there are none.
    #[must_use]
    pub fn worst_of(codes: impl IntoIterator<Item = Self>) -> Self {
        codes.into_iter().fold(Self::Ok, Self::worst)
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An error of the library. Messages are fragments in lower case that follow "error: ".
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {}", path.display(), message_of(source))]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A file or folder that the user named cannot be used.
    #[error("{}: {}", path.display(), message_of(source))]
    Named {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A file of a store is damaged.
    #[error("{}: {message}", place.in_file(path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The place in it.
        place: Place,
        /// What is wrong and what to do.
        message: String,
    },
    /// A file of one question cannot be read, or belongs to another question or site (decision 28).
    #[error("{}: {message}", place.in_file(path))]
    Record {
        /// The file.
        path: PathBuf,
        /// The place in it; unknown when the file as a whole is wrong.
        place: Place,
        /// What is wrong and what to do.
        message: String,
    },
    /// A file has invalid content.
    #[error("{}: {message}", place.in_file(path))]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The place in it.
        place: Place,
        /// What is wrong and what was expected.
        message: String,
    },
    /// Files have invalid content, at one place or at several.
    #[error("{}", summary(.0))]
    Invalid(Vec<Diagnostic>),
    /// Invalid arguments or configuration.
    #[error("{0}")]
    Usage(String),
    /// There is nothing to process, or a filter matches nothing (decision 37).
    #[error("{0}")]
    Nothing(String),
    /// There is no store yet.
    #[error("{}: {why}; create one, or use another with --store DIR", path.display())]
    NoStore {
        /// The folder.
        path: PathBuf,
        /// What is there instead.
        why: &'static str,
    },
    /// The browser or its driver did not start or was lost.
    #[error("browser: {0}")]
    Browser(String),
    /// The site is unreachable or refuses.
    #[error("site: {0}")]
    Site(String),
    /// A server other than the site is unreachable or refuses.
    #[error("{0}")]
    Server(String),
    /// The store is in an invalid state.
    #[error("store {path}: {message}")]
    Store {
        /// The store's folder, or the file in it.
        path: PathBuf,
        /// What is wrong and what to do.
        message: String,
    },
    /// Interrupted by a signal.
    #[error("interrupted")]
    Interrupted,
}

/// What to do next about an error. The report knows the flags of the command that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hint {
    /// In words.
    Words(&'static str),
    /// A command without its flags, and what it does.
    Command(&'static str, &'static str),
    /// The help of the command that failed.
    Help,
}

/// The system's message without its error number.
fn message_of(source: &std::io::Error) -> String {
    without_number(&source.to_string())
}

/// A message without the system's error numbers.
pub(crate) fn without_number(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some(start) = text.find(" (os error ") {
        let Some(length) = text[start..].find(')') else { break };
        text.replace_range(start..=start + length, "");
    }
    text
}

/// The only error of some files, or how many there are and the first.
fn summary(found: &[Diagnostic]) -> String {
    match found {
        [one] => one.to_string(),
        [] => "0 errors".to_owned(),
        [first, ..] => format!("{} errors, the first: {first}", found.len()),
    }
}

/// All values, or the errors of every invalid one. Any other error ends it at once.
///
/// # Errors
/// A value is invalid, or cannot be read.
pub fn all_valid<T>(all: impl IntoIterator<Item = Result<T>>) -> Result<Vec<T>> {
    let (mut valid, mut invalid) = (Vec::new(), Vec::new());
    for one in all {
        match one {
            Ok(value) => valid.push(value),
            Err(Error::Invalid(found)) => invalid.extend(found),
            Err(error) => return Err(error),
        }
    }
    if invalid.is_empty() { Ok(valid) } else { Err(Error::Invalid(invalid)) }
}

impl Error {
    /// Wraps a system error with the file's path.
    pub fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { path, source }
    }

    /// Like [`Error::file`], for a path from the command line, the environment or the configuration.
    pub fn named(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Named { path, source }
    }

    /// Invalid content at a place: a line and a column, from 1; 0 when unknown.
    pub fn syntax(path: &Path, place: impl Into<Place>, message: impl Into<String>) -> Self {
        Self::Syntax { path: path.to_owned(), place: place.into(), message: message.into() }
    }

    /// Invalid content at a byte offset of the file's text.
    pub fn syntax_at(path: &Path, text: impl AsRef<[u8]>, offset: usize, message: impl Into<String>) -> Self {
        Self::syntax(path, Place::of(text, offset), message)
    }

    /// What to do next, if the message does not say it.
    #[must_use]
    pub const fn hint(&self) -> Option<Hint> {
        match self {
            Self::Browser(_) => Some(Hint::Command("doctor", "checks browser, driver and their versions")),
            Self::Site(_) => Some(Hint::Command("doctor", "checks whether the site is reachable")),
            Self::NoStore { .. } => Some(Hint::Command("collect", "creates it")),
            Self::Named { .. } => Some(Hint::Words(
                "the path comes from the command line or the configuration: correct it there",
            )),
            Self::Usage(_) => Some(Hint::Help),
            _ => None,
        }
    }

    /// The exit code of this error.
    #[must_use]
    pub const fn exit(&self) -> Exit {
        match self {
            Self::File { .. } | Self::Damaged { .. } | Self::Store { .. } | Self::Browser(_) => {
                Exit::Unexpected
            }
            Self::Record { .. }
            | Self::Named { .. }
            | Self::Syntax { .. }
            | Self::Invalid(_)
            | Self::Usage(_)
            | Self::Nothing(_)
            | Self::NoStore { .. } => Exit::Usage,
            Self::Site(_) | Self::Server(_) => Exit::Site,
            Self::Interrupted => Exit::Interrupted,
        }
    }
}
