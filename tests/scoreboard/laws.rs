//! Two laws that hold for every record of every store: its own truth, given back, passes; and a right answer with one more
//! line that gives another value of the same unit never does.

use std::collections::{BTreeMap, BTreeSet};

use atlas_gt::value::AnswerField;

use crate::corpora::{scored, told, verdict};
use crate::figures::{Allowed, Figures, Label};
use crate::records::{self, Question};
use crate::wording::{items, verbatim};

#[test]
fn the_truth_given_back_passes() {
    let mut figures = Figures::new("the truth given back");
    let mut records = 0;
    for question in records::all() {
        let wordings = verbatim(question);
        records += usize::from(!wordings.is_empty());
        for wording in wordings {
            let scored = scored(question, &wording.text);
            figures.add(wording.form, Label::Right, verdict(&scored), || {
                told(wording.form, question, &wording.text, &scored)
            });
        }
    }
    assert!(records >= 305, "{records} records hold a value");
    figures.settle_whole(Allowed { false_passes: 0, false_fails: 0, right_unscored: 0 });
}

/// What stands before the other value on its line.
const MARKS: [(&str, &str); 6] = [
    ("unmarked", "{}"),
    ("final answer", "Final answer: {}"),
    ("correction", "Correction: {}"),
    ("bold", "**{}**"),
    ("sentence", "The value is {}."),
    ("quoted", "> {}"),
];

#[test]
fn another_value_on_a_line_of_its_own_never_passes() {
    let mut figures = Figures::new("another value on a line of its own");
    let values = Values::of_the_store();
    let mut without = Vec::new();
    for (at, question) in records::all().iter().enumerate() {
        let wordings = verbatim(question);
        let others = values.others(question);
        if wordings.is_empty() {
            continue;
        }
        if others.is_empty() {
            without.push(question.id.as_str());
            continue;
        }
        // every mark on both sides, the forms and values in turn
        for (turn, (mark, line)) in MARKS.iter().enumerate() {
            for (side, place) in ["behind", "before"].iter().enumerate() {
                let wording = &wordings[(at + 2 * turn + side) % wordings.len()];
                let line = line.replace("{}", &others[(at + turn) % others.len()]);
                let text = match *place {
                    "behind" => format!("{}\n\n{line}", wording.text),
                    _ => format!("{line}\n\n{}", wording.text),
                };
                let kind = format!("{mark}, {place}");
                let scored = scored(question, &text);
                figures.add(&kind, Label::Wrong, verdict(&scored), || {
                    told(wording.form, question, &text, &scored)
                });
            }
        }
    }
    println!("no other value is known for questions {without:?}");
    assert!(without.len() <= 12, "{without:?}");
    figures.settle_whole(Allowed { false_passes: 0, false_fails: 0, right_unscored: 0 });
}

/// The texts of the store by what they are, to draw others from.
pub struct Values {
    /// Texts that answer, by data point.
    texts: BTreeMap<String, BTreeSet<String>>,
    /// Names, by what they name: `product`, `partner`, `name`.
    names: BTreeMap<&'static str, BTreeSet<String>>,
}

const NAMES: [&str; 4] = ["product", "partner", "name", "sector"];
/// Other values of points that the store holds one text of.
const ALSO: [(&str, &str); 14] = [
    ("larger_share", "minerals"),
    ("faster", "Sweden"),
    ("natural_resource", "false"),
    ("green_product", "true"),
    ("country_ranked", "false"),
    ("direction", "fallen"),
    ("smallest", "Uganda"),
    ("gdp_growth_vs_region", "below"),
    ("trade_balance", "trade deficit"),
    ("distance_decile", "Ninth"),
    ("complexity_decile", "Second"),
    ("opportunity_gain_decile", "First"),
    ("product_sector", "Minerals"),
    ("year_coverage", "1962-2020"),
];

impl Values {
    pub fn of_the_store() -> Self {
        let mut values = Self { texts: BTreeMap::new(), names: BTreeMap::new() };
        for row in records::all().iter().flat_map(|question| &question.stored.record.results.data) {
            if row.unit.is_none()
                && let Some(text) = &row.value
            {
                values.texts.entry(row.data_point.clone()).or_default().insert(text.clone());
            }
            for key in NAMES {
                values.names.entry(key).or_default().extend(row.text(key));
            }
        }
        for (point, text) in ALSO {
            values.texts.entry(point.to_owned()).or_default().insert(text.to_owned());
        }
        values
    }

    /// Values that are none of the question's, of the unit or kind of what answers it.
    pub fn others(&self, question: &Question) -> Vec<String> {
        let rows = &question.stored.record.results.data;
        let own: BTreeSet<String> = items(question)
            .into_iter()
            .flat_map(|item| item.values.into_iter().chain(item.name))
            .chain(rows.iter().filter_map(|row| row.value.clone()))
            .collect();
        let own_names: BTreeSet<String> = rows.iter().filter_map(atlas_gt::truth::Row::name).collect();
        let mut out = Vec::new();
        for row in rows.iter().take(3) {
            let fields = row.answered_by();
            for field in fields {
                let text = match field {
                    AnswerField::Value | AnswerField::Direction => row.value.clone(),
                    AnswerField::Share => row.text("share"),
                    AnswerField::Code => row.text("code"),
                    AnswerField::Rank | AnswerField::Name => None,
                };
                match (text, field) {
                    (Some(text), AnswerField::Code) => {
                        out.push(if text == "8517" { "2709" } else { "8517" }.to_owned());
                    }
                    (Some(text), _) if row.unit.is_some() || *field == AnswerField::Share => {
                        out.extend(other_quantity(&text));
                    }
                    (Some(text), _) => {
                        let known = self.texts.get(&row.data_point).into_iter().flatten();
                        out.extend(known.filter(|other| **other != text).cloned());
                    }
                    (None, AnswerField::Name) => {
                        let key = NAMES.into_iter().find(|key| row.text(key).is_some());
                        let known = key.and_then(|key| self.names.get(key)).into_iter().flatten();
                        out.extend(known.filter(|other| !own_names.contains(*other)).take(40).cloned());
                    }
                    (None, _) => {}
                }
            }
        }
        out.retain(|other| !own.contains(other));
        out
    }
}

/// A quantity of the same form that is surely another.
pub fn other_quantity(text: &str) -> Vec<String> {
    let Some(at) = text.find(|c: char| c.is_ascii_digit()) else { return Vec::new() };
    let end = text[at..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |end| at + end);
    let digits = &text[at..end];
    let rest = &text[end..];
    if let Some(behind) = ["st", "nd", "rd", "th"].iter().find_map(|suffix| rest.strip_prefix(suffix)) {
        let place: u32 = digits.parse().unwrap_or(1);
        let of: Option<u32> = behind.strip_prefix(" of ").and_then(|of| of.parse().ok());
        let other = if of.is_some_and(|of| place + 1 > of) { place - 1 } else { place + 1 };
        return vec![format!("{}{}{behind}", &text[..at], ordinal(other))];
    }
    let first = digits.as_bytes()[0] - b'0';
    let other = |by: u8| (first + by - 1) % 9 + 1;
    [3, 5].iter().map(|by| format!("{}{}{}", &text[..at], other(*by), &text[at + 1..])).collect()
}

/// `21st`.
pub fn ordinal(number: u32) -> String {
    let suffix = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{suffix}")
}

/// What the wordings rest on: no record is without an answer in words that are its own.
#[test]
fn every_item_of_a_record_has_a_text() {
    for question in records::all() {
        for item in items(question) {
            assert!(!item.text().is_empty() && !item.label.is_empty(), "question {}: {item:?}", question.id);
        }
    }
}
