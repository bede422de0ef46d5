//! The words that the labelled right answers use, by what they answer: the reader's list follows from them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use atlas_gt::evaluate::expected::expected;
use atlas_gt::scoring::answer::{topics, words};

use crate::records;

/// A labelled answer, as far as it is needed here. Some corpora hold something else.
#[derive(serde::Deserialize)]
struct Answer {
    #[serde(alias = "question_id")]
    question: serde_json::Value,
    answer: String,
    label: String,
}

/// Every word with the letters of the topics whose right answers use it: capitals where it stands before a measure or a product.
fn collected() -> String {
    let files = ["tests/scoreboard/corpus", "tests/answer/fresh"]
        .map(|folder| std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap());
    let mut used: BTreeMap<String, BTreeSet<char>> = BTreeMap::new();
    for file in files.into_iter().flatten() {
        let file = file.unwrap().path();
        let text = std::fs::read_to_string(file).unwrap();
        let answers = text.lines().filter_map(|line| serde_json::from_str::<Answer>(line).ok());
        for Answer { question, answer, .. } in answers.filter(|answer| answer.label == "right") {
            let id = question.as_str().map_or_else(|| question.to_string(), str::to_owned);
            let Some(question) = records::find(&id) else { continue };
            let stored = &question.stored;
            let expected = expected(&stored.record, stored.provenance.as_ref(), question.asked.as_ref());
            let letters: Vec<char> =
                topics(&expected, question.text.as_deref()).iter().map(|topic| topic.letter()).collect();
            for (word, is_modifier) in words(&expected, question.text.as_deref(), &answer) {
                let letter = |letter: &char| if is_modifier { letter.to_ascii_uppercase() } else { *letter };
                used.entry(word).or_default().extend(letters.iter().map(letter));
            }
        }
    }
    let line = |(word, letters): (String, BTreeSet<char>)| format!("{word} {}\n", String::from_iter(letters));
    used.into_iter().map(line).collect()
}

#[test]
fn the_readers_list_of_words_follows_from_the_right_answers() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/scoring/src/language/answer_words.txt");
    let collected = collected();
    if std::env::var_os("UPDATE_WORDS").is_some() {
        std::fs::write(&path, &collected).unwrap();
    }
    assert!(std::fs::read_to_string(&path).unwrap() == collected, "the list is not current: make words");
}
