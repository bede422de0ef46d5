//! The questions of the manifest with the records of the packed store.

mod packed;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use atlas_gt::extract::Extractors;
use atlas_gt::manifest;
use atlas_gt::truth::{Site, Store, Stored};
use atlas_gt::value::Context;

/// A question of the manifest with its truth.
pub struct Question {
    pub id: String,
    /// Its text, as an agent is asked it.
    pub text: Option<String>,
    /// The context that the manifest states.
    pub asked: Option<Context>,
    pub site: Site,
    pub stored: Stored,
}

static QUESTIONS: LazyLock<Vec<Question>> = LazyLock::new(read);

/// All questions that have a record, in the store's order.
pub fn all() -> &'static [Question] {
    &QUESTIONS
}

fn of_the_project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read() -> Vec<Question> {
    let extractors = Extractors::built_in().unwrap();
    let entries = manifest::load(&of_the_project("manifests/atlas.json"), &extractors).unwrap().entries;
    let folder = packed::unpack();
    let store = Store::read(folder.path()).unwrap();
    let ids = store.question_ids().unwrap();
    let questions = ids.iter().map(|id| {
        let entry = entries.iter().find(|entry| entry.question_id == *id);
        Question {
            id: id.to_string(),
            text: entry.and_then(|entry| entry.question_text.clone()),
            asked: entry.map(|entry| entry.context.clone()),
            site: store.site(),
            stored: store.load(id).unwrap().unwrap(),
        }
    });
    questions.collect()
}
