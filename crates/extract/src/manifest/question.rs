//! A question of a manifest, whether or not it is read from a page.

use super::details::Details;
use super::entry::{Behavior, Entry, QuestionInfo};
use atlas_gt_core::question_id::QuestionId;

/// A question with everything known about it.
#[derive(Debug, Clone, Copy)]
pub struct ManifestQuestion<'a> {
    /// Its id.
    pub id: &'a QuestionId,
    /// What it asks, and what is expected of the agent.
    pub info: &'a QuestionInfo,
    /// Its source.
    pub source: Option<&'a str>,
    /// Its entry, if it is read from a page.
    pub entry: Option<&'a Entry>,
    /// Its expected behavior, if it is not read from a page.
    pub behavior: Option<&'a Behavior>,
    /// Further details from the team.
    pub details: &'a Details,
}

impl<'a> From<&'a Entry> for ManifestQuestion<'a> {
    fn from(entry: &'a Entry) -> Self {
        let Entry { question_id: id, info, source, details, .. } = entry;
        Self { id, info, source: source.as_deref(), entry: Some(entry), behavior: None, details }
    }
}

impl<'a> From<&'a Behavior> for ManifestQuestion<'a> {
    fn from(behavior: &'a Behavior) -> Self {
        let Behavior { question_id: id, info, source, details, .. } = behavior;
        Self { id, info, source: source.as_deref(), entry: None, behavior: Some(behavior), details }
    }
}

impl<'a> ManifestQuestion<'a> {
    /// The text, as the agent gets it.
    #[must_use]
    pub fn text(&self) -> Option<&'a str> {
        self.info.question_text.as_deref()
    }

    /// Whether a right answer shows a behavior instead of giving a value.
    #[must_use]
    pub fn expects_behavior(&self) -> bool {
        self.behavior.is_some_and(|behavior| behavior.expected().is_some())
    }

    /// The address of the page that it is read from or is about.
    #[must_use]
    pub fn address(&self) -> Option<String> {
        let written = || self.behavior?.atlas_url.clone();
        self.entry.map(|entry| entry.url.to_string()).or_else(written)
    }
}
