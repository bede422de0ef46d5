//! Replies of earlier runs in a folder, by everything that matters to them. Only what was judged is kept, never an error; a damaged
//! entry counts as none.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{JudgeRequest, ModelId, Prompt, Usage};
use crate::atomic_file::write_atomic;
use crate::evidence::Hash;

/// A folder of replies, or none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JudgeCache {
    folder: Option<PathBuf>,
}

/// A reply that was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// What it is a reply to.
    key: Hash,
    /// The model.
    pub model: ModelId,
    /// Hash of the prompt's template.
    pub prompt: Hash,
    /// The reply, as it came.
    pub reply: String,
    /// Hash of the reply.
    hash: Hash,
    /// Tokens that it took.
    pub usage: Usage,
    /// Whether it is the second reply.
    pub repaired: bool,
}

impl Entry {
    pub(super) fn new(
        key: Hash,
        model: ModelId,
        prompt: Hash,
        reply: String,
        usage: Usage,
        repaired: bool,
    ) -> Self {
        let hash = Hash::of(reply.as_bytes());
        Self { key, model, prompt, reply, hash, usage, repaired }
    }
}

/// The key of a reply: provider, model and address, prompt and schema, mode, question, answer, truth and the other texts, rubric, and
/// which repetition it is. The truth goes in by its text, so another truth is another key.
pub(super) fn key(
    model: &ModelId,
    template: &Hash,
    prompt: &Prompt,
    request: &JudgeRequest,
    repeat: u32,
) -> Hash {
    // The threshold is applied to the score afterwards and does not matter to the reply.
    let request = JudgeRequest { threshold: None, ..request.clone() };
    let parts = serde_json::json!([
        "judge 1",
        model,
        template,
        prompt.text,
        prompt.schema.name,
        prompt.schema.schema,
        request,
        repeat
    ]);
    Hash::of(parts.to_string().as_bytes())
}

impl JudgeCache {
    /// Keeps nothing.
    #[must_use]
    pub const fn none() -> Self {
        Self { folder: None }
    }

    /// Keeps replies in a folder, which is made when needed.
    #[must_use]
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()) }
    }

    /// The user's cache folder; nothing is kept where there is none.
    #[must_use]
    pub fn of_user() -> Self {
        Self { folder: crate::machine::cache_folder().map(|folder| folder.join("judge")) }
    }

    fn file(&self, key: &Hash) -> Option<PathBuf> {
        let name = key.as_str();
        Some(self.folder.as_ref()?.join(&name[..2]).join(format!("{name}.json")))
    }

    /// Best effort: what cannot be read, or is not what was written, counts as none.
    pub(super) fn get(&self, key: &Hash) -> Option<Entry> {
        let bytes = std::fs::read(self.file(key)?).ok()?;
        let entry: Entry = serde_json::from_slice(&bytes).ok()?;
        (entry.key == *key && entry.hash == Hash::of(entry.reply.as_bytes())).then_some(entry)
    }

    /// Best effort: a cache that cannot be written costs money and nothing else.
    pub(super) fn put(&self, entry: &Entry) {
        let Some(file) = self.file(&entry.key) else { return };
        let written =
            serde_json::to_string_pretty(entry).map_err(|error| error.to_string()).and_then(|text| {
                write_atomic(&file, format!("{text}\n").as_bytes()).map_err(|error| error.to_string())
            });
        if let Err(error) = written {
            tracing::warn!("the judge's reply is not cached: {error}");
        }
    }
}
