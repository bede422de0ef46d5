//! Time a byte stays flat, whatever is repeated in a text: a property of every reader of free text, held at its public entry.

use atlas_gt::scoring::answer::score;
use atlas_gt::scoring::compare::compare_texts;
use atlas_gt::scoring::json::{JsonConfig, Numbers, SemanticFallback, Similarities, parse_object};
use atlas_gt::scoring::text::{Fact, Facts, score_text};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use crate::{on_processor, truths};

/// What texts repeat: punctuation, digits, names, marks of Markdown, quotes, brackets, pipes, breaks, wide and combining characters.
const UNITS: [&str; 46] = [
    ".",
    ",",
    ";",
    ":",
    "!",
    "?",
    "-",
    "–",
    "%",
    "$",
    "/",
    "~",
    "5",
    "5.",
    "1.2",
    "$5 ",
    "5% ",
    "2024 ",
    "(5) ",
    "a",
    "a. ",
    "a b ",
    "no ",
    "and ",
    "Kenya ",
    "Kenya,5",
    "GDP: ",
    "*",
    "__a",
    "`",
    "# ",
    "> ",
    "- ",
    "1. ",
    "| a ",
    "|-|\n",
    "(",
    "[a](",
    "\"",
    "\n",
    "世",
    "wrong 5 ",
    "\\text{a}",
    "<s>",
    "<b>5</b>",
    "\\begin{tabular}",
];

/// A reader, by name, and how far its time is held: some are given as much as a file may hold.
type Reader = (&'static str, Box<dyn Fn(&str)>);

fn readers() -> Vec<Reader> {
    let all = truths();
    let mut readers: Vec<Reader> = Vec::new();
    let expected = all["exports"].clone();
    let question = Some("What is Kenya's GDP?");
    readers.push(("answer", Box::new(move |text| drop(score(&expected, question, text)))));
    readers.push(("values", Box::new(|text| drop(compare_texts("$378 billion", text)))));
    readers.push(("values, both", Box::new(|text| drop(compare_texts(text, &format!("{text} ."))))));
    let facts = Facts {
        facts: vec![Fact::Text("Kenya has 52.4 million people".to_owned()), Fact::Text("GDP".to_owned())],
        required_sections: vec!["Sources".to_owned()],
        ..Facts::default()
    };
    readers.push(("text", Box::new(move |text| drop(score_text(text, &facts)))));
    let config = JsonConfig {
        numbers: Numbers::Display,
        semantic: SemanticFallback::Lexical,
        ..JsonConfig::default()
    };
    readers.push((
        "json",
        Box::new(move |text| {
            let truth = serde_json::json!({ "a": "$378 billion", "b": "Kenya exports tea" }).to_string();
            let answer = serde_json::json!({ "a": text, "b": text, text: text }).to_string();
            let truth = parse_object(truth.as_bytes()).unwrap();
            let answer = parse_object(answer.as_bytes()).unwrap();
            drop(atlas_gt::scoring::json::score(truth, answer, &config, &Similarities::new()));
        }),
    ));
    readers
}

/// How many times as long the longer text is.
const TIMES: usize = 8;
/// A byte of the longer text may cost that much more than one of the shorter: room for caches and a busy machine. A time
/// that grew with the square would be eight times as much.
const MORE_A_BYTE: u64 = 3;
/// What the shorter text costs at least, in nanoseconds: below, the clock decides.
const LEAST: u64 = 2_000_000;
/// How often a unit is tried at most.
const TRIES: usize = 3;

/// Bytes of the shorter text; `ATLAS_LINEAR=12500` goes up to what is read of an answer at most, in some four minutes.
fn short() -> usize {
    std::env::var("ATLAS_LINEAR").ok().and_then(|bytes| bytes.parse().ok()).unwrap_or(2_500)
}

/// What is wrong with the time that a reader takes for a unit, where something is.
fn growth(read: &dyn Fn(&str), unit: &str) -> Option<String> {
    let cost = |bytes: usize| {
        let text = unit.repeat(bytes / unit.len());
        let began = on_processor();
        read(&text);
        on_processor() - began
    };
    let (short, times) = (short(), u64::try_from(TIMES).unwrap());
    // something else on the machine can slow down one try, but a reader that grows slows down each
    let mut slow = None;
    for _ in 0..TRIES {
        let (little, much) = (cost(short), cost(TIMES * short));
        if much <= MORE_A_BYTE * times * little.max(LEAST) {
            return None;
        }
        slow = Some((little, much));
    }
    slow.map(|(little, much)| {
        let (little, much) = (little / 1_000_000, much / 1_000_000);
        format!("{unit:?}: {little} ms for {short} bytes, {much} ms for {TIMES} times as many")
    })
}

fn hold(units: &[String]) {
    let mut wrong = Vec::new();
    for (name, read) in readers() {
        // what is built once counts for nobody
        read("Kenya 5, ");
        let began = std::time::Instant::now();
        wrong.extend(units.iter().filter_map(|unit| Some(format!("{name} {}", growth(&read, unit)?))));
        println!("{name}: {} units in {:?}", units.len(), began.elapsed());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "slow: make test-deep"]
fn the_time_a_byte_is_flat_for_every_unit() {
    hold(&UNITS.map(str::to_owned));
}

#[test]
fn the_time_a_byte_is_flat_for_units_that_nobody_chose() {
    // the same units at every run
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), rng);
    let piece = prop::sample::select(&UNITS[..]);
    let units = prop::collection::vec(piece, 1..4)
        .prop_map(|pieces| pieces.concat().chars().take(8).collect::<String>());
    let drawn: Vec<String> = (0..8).map(|_| units.new_tree(&mut runner).unwrap().current()).collect();
    hold(&drawn);
}
