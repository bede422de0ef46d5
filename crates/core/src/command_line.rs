//! Commands of this program as they are printed: complete, and quoted for a shell.

use std::fmt::Display;
use std::path::Path;

use crate::error::{Error, Result};

/// Marks in a printed command the reason that a person has to write. [`reason`] refuses it.
pub const REASON: &str = "REASON";

/// Marks in a printed command the value that a person has to write.
pub const VALUE: &str = "VALUE";

/// The reason for a decision, without blanks around it.
///
/// # Errors
/// It is empty, or still [`REASON`].
pub fn reason(text: &str) -> Result<&str> {
    match text.trim() {
        "" => Err(Error::Usage("--reason is empty".to_owned())),
        REASON => Err(Error::Usage(format!("--reason {REASON}: write the reason in place of {REASON}"))),
        text => Ok(text),
    }
}

/// A word quoted for a shell.
#[must_use]
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-=:@,%+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Arguments as they are typed into a shell.
#[must_use]
pub fn typed(arguments: &[impl AsRef<str>]) -> String {
    arguments.iter().map(|one| quoted(one.as_ref())).collect::<Vec<_>>().join(" ")
}

/// A flag with its value, behind a space: ` --store 'my store'`.
#[must_use]
pub fn flag(name: &str, value: impl Display) -> String {
    format!(" --{name} {}", quoted(&value.to_string()))
}

/// Like [`flag`], for a file or folder; empty if none is named.
#[must_use]
pub fn file_flag(name: &str, path: Option<&Path>) -> String {
    path.map(|path| flag(name, path.display())).unwrap_or_default()
}

/// A command: `atlas-gt show 61 --store out/twin`. `what` is quoted already, as are the `flags` behind it, each with a
/// space in front.
#[must_use]
pub fn command(what: &str, flags: &str) -> String {
    format!("atlas-gt {what}{flags}")
}

/// A command on a store: `atlas-gt verify --seal --store out/twin`.
#[must_use]
pub fn store_command(what: &str, store: &Path) -> String {
    command(what, &flag("store", store.display()))
}

/// A command on evaluation runs: `atlas-gt eval resume latest --runs runs`.
#[must_use]
pub fn runs_command(what: &str, runs: &Path) -> String {
    command(what, &flag("runs", runs.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_written_by_a_person() {
        assert_eq!(reason(" the page is gone ").unwrap(), "the page is gone");
        for (text, why) in
            [(" ", "--reason is empty"), (REASON, "--reason REASON: write the reason in place of REASON")]
        {
            assert_eq!(reason(text).unwrap_err().to_string(), why);
        }
    }

    #[test]
    fn a_printed_command_is_complete_and_quoted() {
        assert_eq!(
            store_command("verify --seal", Path::new("out/twin")),
            "atlas-gt verify --seal --store out/twin"
        );
        assert_eq!(
            runs_command("eval list", Path::new("it's here")),
            "atlas-gt eval list --runs 'it'\\''s here'"
        );
        assert_eq!(
            command(&typed(&["review", "show", ""]), &flag("site", "twin")),
            "atlas-gt review show '' --site twin"
        );
    }
}
