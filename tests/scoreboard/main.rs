//! How the scorers decide answers whose right verdict is known: answers that people and other programs wrote (`corpus/`), by
//! corpus and kind, held against what a corpus may get wrong.
//!
//! `cargo test --test scoreboard -- --nocapture` prints the figures. `SHOW=20` prints as many failing answers of every kind
//! with the scorer's reason (`all` for all), `KIND=table` only the kinds with that text in their name, `FAULT=pass` only
//! false passes (`fail`, `unscored`, `open`).

mod answer_words;
mod corpora;
mod elsewhere;
mod figures;
mod generated;
mod laws;
mod properties;
#[path = "../records/mod.rs"]
mod records;
mod wording;
mod wrapped;
mod wrong;

/// Packs the records of the store that `UPDATE_RECORDS` names: `make records`.
#[test]
fn the_packed_records_can_be_read() {
    if let Some(store) = std::env::var_os("UPDATE_RECORDS") {
        records::pack(store.as_ref());
    }
    let all = records::all();
    assert!(all.len() >= 320, "{} records", all.len());
    for question in all {
        assert!(question.stored.provenance.is_some(), "question {}", question.id);
        assert!(question.text.is_some(), "question {}", question.id);
    }
}
