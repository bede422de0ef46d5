//! The English of the book can be measured in one respect: sentences are short.

use super::pages::{PROJECT, Page, book};

const MAX_WORDS: usize = 35;
const MAX_MEAN: f64 = 16.0;

/// The sentences of a page's prose: without code, tables, headings, comments and pictures. An item of a list ends one.
fn sentences(text: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in Page::prose(text) {
        let line = line.trim();
        let item = line
            .trim_start_matches(|letter: char| letter.is_ascii_digit())
            .trim_start_matches(['-', '*', '.']);
        let listed = item.len() < line.len() && item.starts_with(' ');
        if line.is_empty() || line.starts_with(['#', '|', '<', '!']) || listed {
            paragraphs.push(String::new());
        }
        if !line.starts_with(['#', '|', '<', '!']) {
            let paragraph = paragraphs.last_mut().unwrap();
            paragraph.push_str(if listed { item } else { line });
            paragraph.push(' ');
        }
    }
    let ends = |word: &str| word.trim_end_matches(['*', ')', '"', '_']).ends_with(['.', '!', '?']);
    let mut found = Vec::new();
    for paragraph in paragraphs {
        let mut words = Vec::new();
        for word in paragraph.split_whitespace() {
            words.push(word);
            if ends(word) {
                found.push(std::mem::take(&mut words).join(" "));
            }
        }
        found.push(words.join(" "));
    }
    found.retain(|sentence| sentence.split(' ').any(|word| word.contains(char::is_alphabetic)));
    found
}

/// A link is its text, a piece of code one word.
fn words(sentence: &str) -> usize {
    let mut plain = String::new();
    for (index, part) in sentence.split('`').enumerate() {
        plain.push_str(if index % 2 == 0 { part } else { "code" });
    }
    let without_targets: String = plain
        .split("](")
        .enumerate()
        .map(
            |(index, part)| if index == 0 { part } else { part.split_once(')').map_or("", |(_, rest)| rest) },
        )
        .collect();
    without_targets.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count()
}

#[test]
fn sentences_are_short() {
    let mut pages = book();
    pages.push(Page::read(std::path::Path::new(PROJECT).join("README.md")));
    let mut all = Vec::new();
    let mut wrong = Vec::new();
    for page in &pages {
        let lengths: Vec<(usize, String)> =
            sentences(page.written()).into_iter().map(|sentence| (words(&sentence), sentence)).collect();
        if lengths.is_empty() {
            continue;
        }
        let mean = lengths.iter().map(|(count, _)| *count as f64).sum::<f64>() / lengths.len() as f64;
        println!("{}: {} sentences, {mean:.1} words on average", page.name(), lengths.len());
        if mean > MAX_MEAN {
            wrong.push(format!("{}: {mean:.1} words a sentence on average", page.name()));
        }
        wrong.extend(
            lengths
                .iter()
                .filter(|(count, _)| *count > MAX_WORDS)
                .map(|(count, sentence)| format!("{}: {count} words: {sentence}", page.name())),
        );
        all.extend(lengths.into_iter().map(|(count, _)| count));
    }
    println!(
        "the book: {} sentences, {:.1} words on average",
        all.len(),
        all.iter().sum::<usize>() as f64 / all.len() as f64
    );
    assert!(all.len() > 300, "{}", all.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn sentences_are_told_apart() {
    let text = "# A heading\n\nOne `a b c` two\n[three](x.md). Four:\n\n- five six\n- seven\n\n| a | table |\n\n```sh\ncode here\n```\n";
    let found = sentences(text);
    assert_eq!(found, ["One `a b c` two [three](x.md).", "Four:", "five six", "seven"]);
    assert_eq!(words(&found[0]), 4);
}
