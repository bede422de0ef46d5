//! The health of truth over stores and folders that the tests make: what is stale, covered, annotated, imported and linted.

mod annotate;
mod coverage;
#[path = "../external/mod.rs"]
mod external;
mod external_folder;
mod import;
mod lint;
mod nothing;
mod oddities;
mod stale;
mod team;
#[path = "../stage/tree.rs"]
mod tree;
mod variations;

use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use atlas_gt::extract::Extractors;
use atlas_gt::manifest::{Manifest, load};
use atlas_gt::truth::{Provenance, Record, Store, file_reading};
use serde_json::{Value as Json, json};

/// The extractors and the manifest of this repository.
fn questions() -> (Extractors, Manifest) {
    let extractors = Extractors::built_in().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/atlas.json");
    let manifest = load(&path, &extractors).unwrap();
    (extractors, manifest)
}

/// One value of a question as it was read.
struct Read<'a> {
    question: &'a str,
    method: &'a str,
    page: &'a str,
    at: &'a str,
    channel: &'a str,
    agreement: Option<&'a str>,
    release: Option<&'a str>,
}

const COUNTRY: Read<'_> = Read {
    question: "61",
    method: "browser_country_page",
    page: "/countries/404",
    at: "2026-11-20T10:00:00Z",
    channel: "dom",
    agreement: Some("agrees"),
    release: None,
};

/// Files a record of these values, all of one question.
fn file(store: &Store, values: &[Read<'_>]) {
    let first = &values[0];
    let rows: Vec<Json> = (values.iter().enumerate())
        .map(|(at, _)| json!({"data_point": format!("p{at}"), "metric": "p", "country": "Kenya", "value": "1"}))
        .collect();
    let points: Vec<Json> = (values.iter().enumerate())
        .map(|(at, value)| {
            json!({"data_point": format!("p{at}"), "channel": value.channel, "agreement": value.agreement,
                   "site_vintage": value.release, "read_at": value.at})
        })
        .collect();
    let record = json!({
        "question_id": first.question, "execution_timestamp": first.at, "source": "atlas",
        "source_method": first.method, "atlas_url": format!("https://atlas.hks.harvard.edu{}", first.page),
        "results": {"data": rows}
    });
    let record = Record::from_text(&record.to_string()).unwrap();
    let provenance: Provenance = serde_json::from_value(
        json!({"question_id": first.question, "question": asked(first.question), "points": points}),
    )
    .unwrap();
    file_reading(store, &record, &provenance, first.at.parse().unwrap()).unwrap();
}

/// The question of the project's manifest.
fn asked(id: &str) -> Option<String> {
    static MANIFEST: LazyLock<Manifest> = LazyLock::new(|| questions().1);
    MANIFEST.questions().find(|one| one.id.as_str() == id)?.text().map(str::to_owned)
}

/// What the program says, at a moment that is given: exit code, standard output, standard error.
fn call(folder: &Path, now: &str, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_atlas-gt"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("ATLAS_GT_")) {
        command.env_remove(name);
    }
    command.env("ATLAS_GT_NOW", now).env_remove("RUST_LOG").current_dir(folder).args(arguments);
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}
