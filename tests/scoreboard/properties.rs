//! Two properties: a word that nobody knows, put into a slot of a right answer, makes it another answer; and an ordinary verb
//! or adverb outside the slots changes no verdict.

use atlas_gt::atlas;
use atlas_gt::scoring::answer::AnswerVerdict;

use crate::corpora::{scored, told, verdict};
use crate::figures::{Allowed, Figures, Label};
use crate::laws::{Values, other_quantity};
use crate::records::{self, Question};
use crate::wording::{Item, Statement, is_ranked, items, statement};

/// Words of no language, as a modifier and as a noun.
const UNKNOWN: [&str; 3] = ["blorpish", "vexnar", "trelling"];

/// What questions call the things that they ask about.
const PRODUCTS: [&str; 22] = [
    "crude petroleum",
    "refined petroleum oils",
    "packaged medicaments",
    "knitted T-shirts",
    "electronic integrated circuits",
    "iron ore",
    "coffee",
    "bananas",
    "cars",
    "tea",
    "mineral fuels",
    "services",
    "electronics",
    "minerals",
    "agricultural products",
    "vehicles other",
    "pharmaceutical products",
    "travel",
    "transport",
    "goods and services",
    "goods",
    "the product group",
];

/// What questions call what they measure.
const MEASURES: [&str; 23] = [
    "GDP per capita",
    "GDP",
    "Economic Complexity Index",
    "Complexity Outlook Index",
    "Product Complexity Index",
    "revealed comparative advantage",
    "comparative advantage",
    "current account",
    "opportunity gain",
    "population",
    "total value",
    "value",
    "balance of trade",
    "exports",
    "imports",
    "ECI",
    "ratio",
    "deflator",
    "median",
    "distance",
    "share",
    "people",
    "gross export value",
];

/// The right sentences of the records, of those that the scorer calls right.
fn right_statements() -> impl Iterator<Item = (&'static Question, Item, Statement)> {
    records::all().iter().filter_map(|question| {
        let items = items(question);
        let [item] = items.as_slice() else { return None };
        let stated = item.name.is_none().then(|| statement(question, &item.text())).flatten()?;
        let is_right = verdict(&scored(question, &stated.text)) == AnswerVerdict::Right;
        is_right.then(|| (question, item.clone(), stated))
    })
}

/// Where a slot of a sentence begins or ends, by the slot.
fn slots(question: &Question, item: &Item, text: &str) -> Vec<(&'static str, usize)> {
    let mut slots = Vec::new();
    let row = &question.stored.record.results.data[0];
    let lower = text.to_lowercase();
    let word_at = |name: &str| {
        let name = name.to_lowercase();
        let is_edge = |at: Option<char>| !at.is_some_and(char::is_alphanumeric);
        lower.match_indices(&name).map(|(at, _)| at).find(|at| {
            is_edge(lower[..*at].chars().next_back()) && is_edge(lower[at + name.len()..].chars().next())
        })
    };
    let mut add = |slot, at: Option<usize>| slots.extend(at.map(|at| (slot, at)));
    let provenance = question.stored.provenance.as_ref().and_then(|provenance| provenance.of(row));
    let name_of = |id: Option<&String>| {
        let id = id?.parse().ok()?;
        atlas::by_id(id).map(|entity| entity.short_name)
    };
    add("subject", Some(row.country.as_str()).filter(|name| !name.is_empty()).and_then(word_at));
    if let Some(point) = provenance {
        add("partner", name_of(point.context.partner.as_ref()).and_then(word_at));
    }
    add("product", PRODUCTS.iter().find_map(|name| word_at(name)));
    add("measure", MEASURES.iter().find_map(|name| word_at(name)));
    add("period", row.year.as_deref().and_then(|year| word_at(year.split('-').next().unwrap_or(year))));
    if row.unit.is_some() {
        add(
            "unit",
            item.values.first().and_then(|value| text.find(value.as_str()).map(|at| at + value.len())),
        );
    }
    slots
}

#[test]
fn an_unknown_word_in_a_slot_makes_it_another_answer() {
    let mut figures = Figures::new("an unknown word in a slot");
    let mut statements = 0;
    for (turn, (question, item, stated)) in right_statements().enumerate() {
        statements += 1;
        for (slot, at) in slots(question, &item, &stated.text) {
            let word = UNKNOWN[turn % UNKNOWN.len()];
            let (before, behind) = stated.text.split_at(at);
            let text = match slot {
                "unit" => format!("{before} {word}{behind}"),
                _ if before.is_empty() => format!("{} {behind}", crate::wording::upper(word)),
                _ => format!("{before}{word} {behind}"),
            };
            let scored = scored(question, &text);
            figures.add(slot, Label::Wrong, verdict(&scored), || told(slot, question, &text, &scored));
        }
    }
    for question in records::all() {
        let items = items(question);
        if !items.iter().any(|item| item.name.is_some()) {
            continue;
        }
        let line = |at: usize, item: &Item, text: String| {
            if is_ranked(question) {
                format!("{}. {text}", at + 1)
            } else {
                format!("- {}: {text}", item.label)
            }
        };
        let answer = |changed: Option<(usize, bool)>| {
            let lines = items.iter().enumerate().map(|(at, item)| {
                let Some(name) = &item.name else { return line(at, item, item.text()) };
                let name = match changed {
                    Some((row, true)) if row == at => {
                        format!("{} {name}", crate::wording::upper(UNKNOWN[at % 3]))
                    }
                    Some((row, false)) if row == at => {
                        format!("{name} {}", crate::wording::upper(UNKNOWN[at % 3]))
                    }
                    _ => name.clone(),
                };
                line(at, item, Item { name: Some(name), ..item.clone() }.text())
            });
            lines.collect::<Vec<_>>().join("\n")
        };
        if verdict(&scored(question, &answer(None))) != AnswerVerdict::Right {
            continue;
        }
        statements += 1;
        for (row, item) in items.iter().enumerate().take(3) {
            if item.name.is_none() {
                continue;
            }
            for (slot, is_before) in [("name, before it", true), ("name, behind it", false)] {
                let text = answer(Some((row, is_before)));
                let scored = scored(question, &text);
                figures.add(slot, Label::Wrong, verdict(&scored), || told(slot, question, &text, &scored));
            }
        }
    }
    assert!(statements >= 120, "{statements} right answers");
    figures.settle_whole(Allowed { false_passes: 0, false_fails: 0, right_unscored: 0 });
}

/// A sentence behind a comma.
fn within(sentence: &str) -> String {
    sentence.strip_prefix("The ").map_or_else(|| sentence.to_owned(), |rest| format!("the {rest}"))
}

#[test]
fn ordinary_words_outside_the_slots_change_no_verdict() {
    let words: Vec<(&str, &str)> =
        include_str!("words.txt").lines().filter_map(|line| line.split_once(' ')).collect();
    assert!(words.len() >= 500, "{} words", words.len());
    let others = Values::of_the_store();
    // right and wrong sentences in turn, with their verdicts
    let sentences: Vec<(&Question, Statement, AnswerVerdict)> = right_statements()
        .flat_map(|(question, item, right)| {
            let other = item.values.first().and_then(|value| other_quantity(value).into_iter().next());
            let other = other.or_else(|| others.others(question).into_iter().next());
            let wrong = other.and_then(|other| statement(question, &other));
            let wrong = wrong.map(|wrong| {
                let said = verdict(&scored(question, &wrong.text));
                (question, wrong, said)
            });
            [Some((question, right, AnswerVerdict::Right)), wrong].into_iter().flatten()
        })
        .collect();
    let mut figures = Figures::new("an ordinary word outside the slots");
    for (turn, (class, word)) in words.iter().enumerate() {
        let templates: &[(&str, &str)] = match *class {
            "verb" => &[
                ("a verb in a sentence before", "I {w} the page of the Atlas. {s}"),
                ("a verb in a sentence behind", "{s} I {w} the page of the Atlas."),
                ("a verb in a clause before", "After we {w} the page, here is the answer: {s}"),
            ],
            _ => &[
                ("an adverb in front", "{W}, {s}"),
                ("an adverb before the verb", "{v}"),
                ("an adverb in a sentence of its own", "{s} This is {w} so."),
            ],
        };
        for (step, (kind, template)) in templates.iter().enumerate() {
            let (question, sentence, before) = &sentences[(turn * 7 + step * 3) % sentences.len()];
            let text = match sentence.verb {
                Some(at) => format!("{}{word} {}", &sentence.text[..at], &sentence.text[at..]),
                None => format!("{} {}", crate::wording::upper(word), sentence.text),
            };
            let text = template
                .replace("{v}", &text)
                .replace(", {s}", &format!(", {}", within(&sentence.text)))
                .replace("{s}", &sentence.text)
                .replace("{W}", &crate::wording::upper(word))
                .replace("{w}", word);
            let scored = scored(question, &text);
            let after = verdict(&scored);
            // a verdict that stays is right, whichever it is
            let (due, said) = match (before, after) {
                (before, after) if *before == after => (Label::Right, AnswerVerdict::Right),
                (AnswerVerdict::Right, after) => (Label::Right, after),
                (_, AnswerVerdict::Right) => (Label::Wrong, AnswerVerdict::Right),
                (_, _) => (Label::Right, AnswerVerdict::Unscored),
            };
            figures.add(kind, due, said, || {
                format!("{before:?} without it: {}", told(kind, question, &text, &scored))
            });
        }
    }
    figures.settle_whole(Allowed { false_passes: 0, false_fails: 0, right_unscored: 4 });
}

/// Remarks that were written without sight of the reader, behind right answers: what takes an answer back leaves none right, and
/// what says nothing of it changes few.
#[test]
fn remarks_behind_an_answer() {
    let right: Vec<_> = right_statements().collect();
    let mut figures = Figures::new("a remark behind a right answer");
    for (turn, line) in include_str!("corpus/remarks.txt").lines().enumerate() {
        let (kind, remark) = line.split_once('|').unwrap();
        let (kind, label) = match kind {
            "W" => ("it takes the answer back", Label::Wrong),
            _ => ("it says nothing of the answer", Label::Right),
        };
        for step in 0..10 {
            let (question, _, statement) = &right[(turn * 7 + step * 13) % right.len()];
            let text = format!("{} {remark}", statement.text);
            let scored = scored(question, &text);
            figures.add(kind, label, verdict(&scored), || told(kind, question, &text, &scored));
        }
    }
    figures.settle_whole(Allowed { false_passes: 0, false_fails: 0, right_unscored: 168 });
}

/// Every phrase of the lexicon that keeps a statement from being asserted, at either end of a right sentence: it leaves hardly any
/// right.
#[test]
fn operators_beside_a_right_sentence() {
    const KINDS: [&str; 11] = [
        "negation",
        "hedge",
        "condition",
        "bound_behind",
        "stale",
        "wrong",
        "withdrawn",
        "past",
        "future",
        "elsewhere",
        "exception",
    ];
    let lexicon: toml::Table =
        include_str!("../../crates/scoring/src/language/lexicon.toml").parse().unwrap();
    let phrases = |kind: &'static str| {
        let phrases = lexicon["operator"][kind].as_array().unwrap().iter();
        phrases.map(move |phrase| (kind, phrase.as_str().unwrap().to_owned()))
    };
    let phrases: Vec<(&str, String)> = KINDS.into_iter().flat_map(phrases).collect();
    assert!(phrases.len() >= 800, "{} phrases", phrases.len());
    let right: Vec<_> = right_statements().collect();
    let mut figures = Figures::new("an operator beside a right sentence");
    for (turn, (kind, phrase)) in phrases.iter().enumerate() {
        for step in 0..4 {
            let (question, _, Statement { text, .. }) = &right[(turn * 5 + step * 11) % right.len()];
            let knows = question.text.as_deref().unwrap_or_default().to_lowercase().contains(phrase.as_str());
            if knows {
                continue;
            }
            let bare = text.trim_end_matches('.');
            let text = match step {
                0 => format!("{}: {text}", crate::wording::upper(phrase)),
                1 => format!("{}, {}", crate::wording::upper(phrase), within(text)),
                2 => format!("{bare}, {phrase}."),
                _ => format!("{bare} ({phrase})."),
            };
            let scored = scored(question, &text);
            figures.add(kind, Label::Wrong, verdict(&scored), || told(kind, question, &text, &scored));
        }
    }
    // such as `(odd)`, which may be a remark, and `No: …`
    figures.settle_whole(Allowed { false_passes: 16, false_fails: 0, right_unscored: 0 });
}

/// What an agent or its tools say beside an answer, alone: `Our services are down.`, `Confidence: 2%`. It is right for no record,
/// whatever words of the truth it has.
#[test]
fn talk_that_answers_nothing() {
    talk("talk instead of an answer", 5, 3);
}

#[test]
#[ignore = "slow: all sentences for all records"]
fn all_talk_that_answers_nothing() {
    talk("all talk instead of an answer", 1, 16);
}

fn talk(name: &str, step: usize, passes: usize) {
    let mut figures = Figures::new(name);
    for (turn, sentence) in include_str!("corpus/talk.txt").lines().enumerate() {
        for question in records::all().iter().skip(turn % step).step_by(step) {
            let scored = scored(question, sentence);
            figures.add("talk", Label::Wrong, verdict(&scored), || told("talk", question, sentence, &scored));
        }
    }
    figures.settle_whole(Allowed { false_passes: passes, false_fails: 0, right_unscored: 0 });
}
