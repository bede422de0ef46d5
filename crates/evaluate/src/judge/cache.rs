//! The judge cache: a folder of earlier replies, keyed by everything that affects them. It stores
//! only judgements, never errors. A damaged entry counts as missing.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{JudgeRequest, ModelId, Prompt, TokenUsage};
use crate::atomic_file::write_atomic;
use crate::evidence::Hash;
use atlas_gt_core::json::pretty;

/// A cache folder, or no cache.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JudgeCache {
    folder: Option<PathBuf>,
}

/// A cached reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// The key that it was stored under.
    key: Hash,
    /// The model.
    pub model: ModelId,
    /// The hash of the prompt template.
    pub prompt: Hash,
    /// The reply text.
    pub reply: String,
    /// The hash of the reply.
    hash: Hash,
    /// Its tokens.
    pub usage: TokenUsage,
    /// Whether it is a repaired reply.
    pub repaired: bool,
}

impl Entry {
    pub(super) fn new(
        key: Hash,
        model: ModelId,
        prompt: Hash,
        reply: String,
        usage: TokenUsage,
        repaired: bool,
    ) -> Self {
        let hash = Hash::of(reply.as_bytes());
        Self { key, model, prompt, reply, hash, usage, repaired }
    }
}

/// The key of a reply: provider, model and address, prompt and schema, mode, all texts, rubric, and
/// the number of the repetition. The truth is part of the texts, so another truth gives another
/// key.
pub(super) fn key(
    model: &ModelId,
    template: &Hash,
    prompt: &Prompt,
    request: &JudgeRequest,
    repeat: u32,
) -> Hash {
    // The threshold is applied afterwards and does not affect the reply.
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
    /// No cache.
    #[must_use]
    pub const fn none() -> Self {
        Self { folder: None }
    }

    /// A cache in a folder, created when needed.
    #[must_use]
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()) }
    }

    /// A cache in the user's cache folder; no cache if there is none.
    #[must_use]
    pub fn of_user() -> Self {
        Self { folder: crate::machine::cache_folder().map(|folder| folder.join("judge")) }
    }

    fn file(&self, key: &Hash) -> Option<PathBuf> {
        let name = key.as_str();
        Some(self.folder.as_ref()?.join(&name[..2]).join(format!("{name}.json")))
    }

    /// Best effort: an unreadable or modified entry counts as missing.
    pub(super) fn get(&self, key: &Hash) -> Option<Entry> {
        let bytes = std::fs::read(self.file(key)?).ok()?;
        let entry: Entry = serde_json::from_slice(&bytes).ok()?;
        (entry.key == *key && entry.hash == Hash::of(entry.reply.as_bytes())).then_some(entry)
    }

    /// Best effort: an unwritable cache costs money but is no error.
    pub(super) fn put(&self, entry: &Entry) {
        let Some(file) = self.file(&entry.key) else { return };
        if let Err(error) = pretty(entry).and_then(|text| write_atomic(&file, text.as_bytes())) {
            tracing::warn!("the judge's reply is not cached: {error}");
        }
    }
}
