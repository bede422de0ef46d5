//! Commands of this program as they are printed: complete, and quoted for a shell.

use std::fmt::{self, Display, Formatter};
use std::path::Path;

use crate::error::{Error, Result};

/// A word in a printed command that a person replaces: `--reason REASON`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placeholder {
    /// The reason for a decision.
    Reason,
    /// The value that a picture shows.
    Value,
}

impl Placeholder {
    const fn word(self) -> &'static str {
        match self {
            Self::Reason => "REASON",
            Self::Value => "VALUE",
        }
    }

    /// The text that a person wrote in its place, without blanks around it.
    ///
    /// # Errors
    /// The text is still the placeholder. The message says what to write.
    pub fn replaced(self, text: &str) -> Result<&str, String> {
        let text = text.trim();
        let meant = match self {
            Self::Reason => "the reason",
            Self::Value => "the value that the picture shows",
        };
        if text == self.word() { Err(format!("write {meant} in place of {self}")) } else { Ok(text) }
    }
}

impl Display for Placeholder {
    /// As a printed command shows it.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The reason for a decision, without blanks around it.
///
/// # Errors
/// It is empty, or still [`Placeholder::Reason`].
pub fn reason(text: &str) -> Result<&str> {
    let placeholder = Placeholder::Reason;
    match placeholder.replaced(text) {
        Ok("") => Err(Error::Usage("--reason is empty".to_owned())),
        Ok(text) => Ok(text),
        Err(why) => Err(Error::Usage(format!("--reason {placeholder}: {why}"))),
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
            [(" ", "--reason is empty"), ("REASON ", "--reason REASON: write the reason in place of REASON")]
        {
            assert_eq!(reason(text).unwrap_err().to_string(), why);
        }
    }

    #[test]
    fn a_printed_placeholder_is_refused_until_a_person_replaces_it() {
        assert_eq!(Placeholder::Value.replaced(" $2,274 "), Ok("$2,274"));
        for (placeholder, why) in [
            (Placeholder::Reason, "write the reason in place of REASON"),
            (Placeholder::Value, "write the value that the picture shows in place of VALUE"),
        ] {
            assert_eq!(placeholder.replaced(&placeholder.to_string()), Err(why.to_owned()));
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
