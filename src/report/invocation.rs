//! The context of a report: flags that make the next command complete, and question texts that make
//! rows readable.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::Text;
use crate::config::{Config, LIVE, ShownPage, SiteChoice};
pub use atlas_gt_core::command_line::quoted;
use atlas_gt_core::command_line::{command, file_flag, flag};
use atlas_gt_core::question_id::question_label;

/// Question texts by id.
pub type QuestionTexts = BTreeMap<String, String>;

/// The context of a report.
#[derive(Default)]
pub struct Invocation {
    flags: String,
    manifest: String,
    /// The address under which the pages of the site can be opened.
    origin: Option<String>,
    questions: OnceCell<QuestionTexts>,
    load: Option<Box<dyn Fn() -> QuestionTexts>>,
}

impl std::fmt::Debug for Invocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Invocation").field("flags", &self.flags).finish_non_exhaustive()
    }
}

impl Invocation {
    /// The context for a configuration. `load` reads the questions when a row first needs one.
    #[must_use]
    pub fn of(config: &Config, load: impl Fn() -> QuestionTexts + 'static) -> Self {
        let site = config.site.to_string();
        let named = flag("site", &site);
        let (named, origin) = match config.site {
            SiteChoice::Live => (String::new(), Some(LIVE.to_owned())),
            SiteChoice::Twin => (named, None),
            SiteChoice::At(_) => (named, Some(site)),
        };
        let (store, extractors) =
            (flag("store", config.store.display()), file_flag("extractors", config.extractors.as_deref()));
        Self {
            flags: format!("{named}{store}{extractors}"),
            manifest: file_flag("manifest", config.manifest.as_deref()),
            origin,
            questions: OnceCell::new(),
            load: Some(Box::new(load)),
        }
    }

    /// The same context with other questions than the manifest's.
    #[must_use]
    pub fn asking(mut self, questions: QuestionTexts) -> Self {
        self.questions = OnceCell::from(questions);
        self
    }

    /// The same context with more flags for commands that visit pages: ` --vintage 2027`.
    #[must_use]
    pub fn visiting(mut self, flags: &str) -> Self {
        self.manifest.push_str(flags);
        self
    }

    /// The same context with more flags for every command: ` --database t.db`.
    #[must_use]
    pub fn also(mut self, flags: &str) -> Self {
        self.flags.push_str(flags);
        self
    }

    /// The flags of every command: ` --site twin --store out/twin`.
    #[must_use]
    pub fn flags(&self) -> &str {
        &self.flags
    }

    /// The manifest flag; empty for the built-in manifest.
    #[must_use]
    pub fn manifest(&self) -> &str {
        &self.manifest
    }

    /// A complete command of this program.
    #[must_use]
    pub fn command(&self, what: &str) -> String {
        command(what, &self.flags)
    }

    /// A complete command that reads a manifest.
    #[must_use]
    pub fn with_manifest(&self, what: &str) -> String {
        command(what, &format!("{}{}", self.flags, self.manifest))
    }

    /// The text of a question in one line; empty if it is unknown.
    pub fn question(&self, id: &str) -> Text {
        let load = || self.load.as_ref().map(|load| load()).unwrap_or_default();
        self.questions.get_or_init(load).get(id).map_or_else(Text::default, |text| Text::brief(text, 90))
    }

    /// A question's label and text, if it is known: `Q61 What is …?`.
    pub fn label_and_question(&self, id: &str) -> String {
        format!("{} {}", question_label(id), self.question(id).text).trim_end().to_owned()
    }

    /// A page of the site that the command reads.
    pub fn page(&self, page: &str) -> Text {
        Text::page(&ShownPage::of(self.origin.as_deref(), page))
    }
}
