//! The full store of the replica, packed into one file, for tests that need records and no browser.
//!
//! `make records` collects the replica anew and packs the store. The file holds the two files of every record byte for
//! byte, so that they are read as any other store is.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use atlas_gt::extract::Extractors;
use atlas_gt::manifest;
use atlas_gt::truth::{Site, Store, Stored};
use atlas_gt::value::Context;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

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

/// The question of that id.
pub fn find(id: &str) -> Option<&'static Question> {
    all().iter().find(|question| question.id == id)
}

fn of_the_project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The files of the store by their paths, in one compressed JSON object.
fn packed() -> PathBuf {
    of_the_project("tests/records/twin.json.gz")
}

fn read() -> Vec<Question> {
    let extractors = Extractors::built_in().unwrap();
    let entries = manifest::load(&of_the_project("manifests/atlas.json"), &extractors).unwrap().entries;
    let folder = unpack();
    let store = Store::read(folder.path()).unwrap();
    let ids = store.question_ids().unwrap();
    let questions = ids.iter().map(|id| {
        let entry = entries.iter().find(|entry| entry.question_id == *id);
        Question {
            id: id.to_string(),
            text: entry.and_then(|entry| entry.info.question_text.clone()),
            asked: entry.map(|entry| entry.context.clone()),
            site: store.site(),
            stored: store.load(id).unwrap().unwrap(),
        }
    });
    questions.collect()
}

/// The store in a folder of its own.
fn unpack() -> tempfile::TempDir {
    let mut text = String::new();
    let file = std::fs::File::open(packed()).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let files: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

/// Packs the records of a store in place of those that are packed.
pub fn pack(store: &Path) {
    let mut files = BTreeMap::from([("site.json".to_owned(), store.join("site.json"))]);
    for id in Store::read(store).unwrap().question_ids().unwrap() {
        for name in ["results.json", "provenance.json"] {
            let path = format!("{id}/{name}");
            files.insert(path.clone(), store.join(path));
        }
    }
    let texts: BTreeMap<String, String> =
        files.into_iter().map(|(name, path)| (name, std::fs::read_to_string(path).unwrap())).collect();
    let mut out = GzEncoder::new(std::fs::File::create(packed()).unwrap(), Compression::best());
    out.write_all(&serde_json::to_vec(&texts).unwrap()).unwrap();
    out.finish().unwrap();
}
