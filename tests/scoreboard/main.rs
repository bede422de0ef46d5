//! How the scorers decide answers whose right verdict is known: answers that people and other programs wrote (`corpus/`), by
//! corpus and kind, held against what a corpus may get wrong.
//!
//! `cargo test --test scoreboard -- --nocapture` prints the figures. `SHOW=20` prints as many failing answers of every kind
//! with the scorer's reason (`all` for all), `KIND=table` only the kinds with that text in their name, `FAULT=pass` only
//! false passes (`fail`, `unscored`, `open`).

mod corpora;
mod families;
mod family_rows;
mod figures;
mod laws;
mod properties;
#[path = "../records/mod.rs"]
mod records;
mod wording;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use atlas_gt::truth::Store;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Packs the records of the store that `UPDATE_RECORDS` names in place of those that are packed: `make records`.
fn pack(store: &Path) {
    let mut files = BTreeMap::from([("site.json".to_owned(), store.join("site.json"))]);
    for id in Store::read(store).unwrap().question_ids().unwrap() {
        for name in ["results.json", "provenance.json"] {
            let path = format!("{id}/{name}");
            files.insert(path.clone(), store.join(path));
        }
    }
    let texts: BTreeMap<String, String> =
        files.into_iter().map(|(name, path)| (name, std::fs::read_to_string(path).unwrap())).collect();
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/twin.json.gz");
    let mut out = GzEncoder::new(std::fs::File::create(packed).unwrap(), Compression::best());
    out.write_all(&serde_json::to_vec(&texts).unwrap()).unwrap();
    out.finish().unwrap();
}

#[test]
fn the_packed_records_can_be_read() {
    if let Some(store) = std::env::var_os("UPDATE_RECORDS") {
        pack(store.as_ref());
    }
    let all = records::all();
    assert!(all.len() >= 320, "{} records", all.len());
    for question in all {
        assert!(question.stored.provenance_fits(), "question {}", question.id);
        assert!(question.text.is_some(), "question {}", question.id);
    }
}
