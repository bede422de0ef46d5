//! A made-up folder of records as other tools write them: right ones in every form that occurs, odd ones, and planted
//! mistakes. The same seed gives the same bytes.

mod odd;
mod right;
mod world;
mod wrong;

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

pub use world::World;

/// One question with its record before it is written.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    pub text: String,
    pub category: &'static str,
    pub difficulty: &'static str,
    pub source: &'static str,
    /// The address of the question.
    pub address: Option<String>,
    /// The address of the record where it is another one.
    pub record_address: Option<Option<String>>,
    pub time: Option<String>,
    pub method: Option<&'static str>,
    pub rows: Vec<Value>,
    /// Other keys of the record.
    pub more: Vec<(&'static str, Value)>,
    /// Other keys of `results`.
    pub in_results: Vec<(&'static str, Value)>,
    pub verification: Option<Value>,
    pub behavior: Option<&'static str>,
    /// What the whole file holds in place of a record.
    pub raw: Option<String>,
    /// A record that no question asks for.
    pub unasked: bool,
}

/// A mistake that was put in.
#[derive(Debug, Clone)]
pub struct Planted {
    /// The records that show it; a finding at one of them is enough.
    pub questions: Vec<String>,
    /// The rules one of which finds it.
    pub codes: &'static [&'static str],
    /// What is wrong.
    pub what: &'static str,
}

/// What was written.
#[derive(Debug)]
pub struct Folder {
    /// The folder with `results/` and the file of questions.
    pub dir: PathBuf,
    pub questions: PathBuf,
    /// How many records there are, quarantined ones included.
    pub records: usize,
    pub planted: Vec<Planted>,
    /// Unreadable records, with the key that is named (empty for the whole file).
    pub quarantined: Vec<(String, &'static str)>,
    /// Odd records that are right: the id and what is odd.
    pub odd: Vec<(String, &'static str)>,
    /// Values in rows and archived rows, by record: every scalar that is not empty.
    pub leaves: Vec<(String, usize)>,
}

/// A generator with a fixed sequence.
#[derive(Debug, Clone)]
pub struct Sequence(pub u64);

impl Sequence {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    pub fn one_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[usize::try_from(self.below(of.len() as u64)).unwrap()]
    }
}

/// Writes a folder of this many records. Mistakes and odd records take the same number of places at any size; `records` is
/// at least 120.
pub fn write(dir: &Path, records: usize, seed: u64) -> Folder {
    let world = World { seed };
    let mut random = Sequence(seed.wrapping_mul(2_654_435_761).wrapping_add(1));
    let mut drafts: Vec<(Draft, Vec<Mark>)> = Vec::new();
    for (at, mistake) in wrong::mistakes().enumerate() {
        for draft in (mistake.make)(&world, &mut random) {
            drafts.push((draft, vec![Mark::Planted(at)]));
        }
    }
    for odd in odd::ODDITIES {
        let draft = (odd.make)(&world, &mut random);
        let mark = odd.quarantined.map_or(Mark::Odd(odd.what), Mark::Quarantined);
        drafts.push((draft, vec![mark]));
    }
    while drafts.len() < records {
        let form = drafts.len();
        drafts.push((right::draft(&world, &mut random, form), Vec::new()));
    }
    // mistakes stand among the others, in no order
    for at in (1..drafts.len()).rev() {
        drafts.swap(at, usize::try_from(random.below(at as u64 + 1)).unwrap());
    }

    let mut folder = Folder {
        dir: dir.to_owned(),
        questions: dir.join("eval_questions.json"),
        records: drafts.len(),
        planted: wrong::mistakes()
            .map(|mistake| Planted { questions: Vec::new(), codes: mistake.codes, what: mistake.what })
            .collect(),
        quarantined: Vec::new(),
        odd: Vec::new(),
        leaves: Vec::new(),
    };
    let mut questions = Vec::new();
    for (at, (draft, marks)) in drafts.into_iter().enumerate() {
        let id = (at + 1).to_string();
        for mark in marks {
            match mark {
                Mark::Planted(at) => folder.planted[at].questions.push(id.clone()),
                Mark::Odd(what) => folder.odd.push((id.clone(), what)),
                Mark::Quarantined(key) => folder.quarantined.push((id.clone(), key)),
            }
        }
        if !draft.unasked {
            questions.push(question(&draft, at + 1));
        }
        put(dir, &draft, &id, at, &mut folder, &mut random);
    }
    let categories: Vec<Value> = right::CATEGORIES.iter().map(|id| json!({"id": id, "name": id})).collect();
    let file = json!({"categories": categories, "questions": questions});
    std::fs::write(&folder.questions, serde_json::to_string_pretty(&file).unwrap()).unwrap();
    folder
}

enum Mark {
    Planted(usize),
    Odd(&'static str),
    Quarantined(&'static str),
}

fn question(draft: &Draft, id: usize) -> Value {
    let mut object = Map::new();
    object.insert("id".into(), json!(id));
    object.insert("category_id".into(), json!(draft.category));
    object.insert("text".into(), json!(draft.text));
    object.insert("difficulty".into(), json!(draft.difficulty));
    if !draft.source.is_empty() {
        object.insert("source".into(), json!(draft.source));
    }
    if let Some(address) = &draft.address {
        object.insert("atlas_url".into(), json!(address));
    }
    if let Some(behavior) = draft.behavior {
        object.insert("expected_behavior".into(), json!(behavior));
    }
    Value::Object(object)
}

/// Writes one record and what lies beside it.
fn put(dir: &Path, draft: &Draft, id: &str, at: usize, folder: &mut Folder, random: &mut Sequence) {
    let own = dir.join("results").join(id).join("ground_truth");
    std::fs::create_dir_all(&own).unwrap();
    if let Some(verification) = &draft.verification {
        let beside = if random.one_in(3) { own.join("../browser_verification") } else { own.clone() };
        std::fs::create_dir_all(&beside).unwrap();
        let text = serde_json::to_string_pretty(verification).unwrap();
        std::fs::write(beside.join("verification.json"), text).unwrap();
    }
    let text = match &draft.raw {
        Some(raw) => raw.replace("{id}", id),
        None => record(draft, id, at, folder),
    };
    std::fs::write(own.join("results.json"), text).unwrap();
}

fn record(draft: &Draft, id: &str, at: usize, folder: &mut Folder) -> String {
    let mut object = Map::new();
    // ids are texts and numbers
    let own_id = if at.is_multiple_of(3) { json!(at + 1) } else { json!(id) };
    object.insert("question_id".into(), own_id);
    if let Some(time) = &draft.time {
        object.insert("execution_timestamp".into(), json!(time));
    }
    if !draft.source.is_empty() {
        object.insert("source".into(), json!(draft.source));
    }
    match draft.record_address.clone().unwrap_or_else(|| draft.address.clone()) {
        Some(address) => object.insert("atlas_url".into(), json!(address)),
        None => object.insert("atlas_url".into(), Value::Null),
    };
    if let Some(behavior) = draft.behavior {
        object.insert("expected_behavior".into(), json!(behavior));
    }
    let mut results = Map::new();
    results.insert("data".into(), json!(draft.rows));
    results.extend(draft.in_results.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
    let archived: usize = results
        .iter()
        .filter(|(key, _)| ["archived", "archived_data"].contains(&key.as_str()))
        .map(|(_, value)| leaves(value))
        .sum();
    folder.leaves.push((id.to_owned(), draft.rows.iter().map(leaves).sum::<usize>() + archived));
    object.insert("results".into(), Value::Object(results));
    if let Some(method) = draft.method {
        object.insert("source_method".into(), json!(method));
    }
    object.extend(draft.more.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
    serde_json::to_string_pretty(&object).unwrap()
}

/// Scalars that hold something.
fn leaves(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(leaves).sum(),
        Value::Object(object) => object.values().map(leaves).sum(),
        Value::Null => 0,
        Value::String(text) => usize::from(!text.trim().is_empty()),
        _ => 1,
    }
}
