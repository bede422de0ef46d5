//! How another command finds the same site, store and specs, and what the questions of the manifest are: what a next step needs to be
//! pasted as it is, and a row to be read without looking the question up.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::Path;

use super::Text;
use crate::config::{Config, SiteChoice};

/// Texts of questions by their ids.
pub type QuestionTexts = BTreeMap<String, String>;

/// What surrounds a report.
#[derive(Default)]
pub struct Invocation {
    flags: String,
    manifest: String,
    site: String,
    questions: OnceCell<QuestionTexts>,
    load: Option<Box<dyn Fn() -> QuestionTexts>>,
}

impl std::fmt::Debug for Invocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Invocation").field("flags", &self.flags).finish_non_exhaustive()
    }
}

impl Invocation {
    /// That of these settings. `load` finds the questions when a row needs one.
    #[must_use]
    pub fn of(config: &Config, load: impl Fn() -> QuestionTexts + 'static) -> Self {
        let file = |flag: &str, path: Option<&Path>| {
            path.map(|path| format!(" --{flag} {}", quoted(&path.display().to_string()))).unwrap_or_default()
        };
        let site = config.site.to_string();
        let named = if config.site == SiteChoice::Live {
            String::new()
        } else {
            format!(" --site {}", quoted(&site))
        };
        let extractors = file("extractors", config.extractors.as_deref());
        Self {
            flags: format!("{named}{}{extractors}", file("store", Some(&config.store))),
            manifest: file("manifest", config.manifest.as_deref()),
            site,
            questions: OnceCell::new(),
            load: Some(Box::new(load)),
        }
    }

    /// The same where the questions are others than those of the manifest.
    #[must_use]
    pub fn asking(mut self, questions: QuestionTexts) -> Self {
        self.questions = OnceCell::from(questions);
        self
    }

    /// Flags of every command: ` --site twin --store out/twin`.
    #[must_use]
    pub fn flags(&self) -> &str {
        &self.flags
    }

    /// The flag of commands that read a manifest; empty for the built-in one.
    #[must_use]
    pub fn manifest(&self) -> &str {
        &self.manifest
    }

    /// A command of this program, whole.
    #[must_use]
    pub fn command(&self, what: &str) -> String {
        format!("atlas-gt {what}{}", self.flags)
    }

    /// The same of a command that reads a manifest.
    #[must_use]
    pub fn with_manifest(&self, what: &str) -> String {
        format!("atlas-gt {what}{}{}", self.flags, self.manifest)
    }

    /// The text of a question, in one line; nothing where it is not known.
    pub fn question(&self, id: &str) -> Text {
        let load = || self.load.as_ref().map(|load| load()).unwrap_or_default();
        self.questions.get_or_init(load).get(id).map_or_else(Text::default, |text| Text::brief(text, 90))
    }

    /// A page of the site that is read.
    pub fn page(&self, page: &str) -> Text {
        Text::page(&self.site, page)
    }
}

/// A word as a shell reads it.
#[must_use]
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-=:@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
