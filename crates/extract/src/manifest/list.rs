//! A team's own list of questions as it stands: JSON (a list, or an object with `questions` and `categories`), JSON lines, CSV, or YAML.
//! What a file is, is told by what it holds, never by its name.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json};

use super::details::{Details, Reference, ReferenceValue};
use super::entry;
use atlas_gt_core::evidence::Hash;
use atlas_gt_core::input;
use atlas_gt_core::question_id::QuestionId;
use atlas_gt_scoring::language::lexicon::list;

/// A question of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedQuestion {
    /// Its id: its own, else one that follows from its text.
    pub id: QuestionId,
    /// What is asked.
    pub text: String,
    /// What it is about: the category's id.
    pub category: Option<String>,
    /// How hard it is, in its own word.
    pub difficulty: Option<String>,
    /// Where it comes from.
    pub source: Option<String>,
    /// The page that answers it, as it is written.
    pub address: Option<String>,
    /// What a right answer does, where no page has one.
    pub behavior: Option<String>,
    /// The tool that the agent should use.
    pub expected_tool: Option<String>,
    /// The query that the agent should make.
    pub expected_query_type: Option<String>,
    /// What else is said of it.
    pub details: Details,
}

/// The questions of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionList {
    /// What the file is: `JSON`, `JSON lines`, `CSV`, `YAML`.
    pub form: &'static str,
    /// The questions, in the file's order. Of two with one id the later counts.
    pub questions: Vec<ListedQuestion>,
    /// Entries that cannot be read: which one, from 0, and why.
    pub unread: Vec<(usize, String)>,
    /// Whether every entry is written as a manifest writes it.
    is_manifest: bool,
}

/// Keys that hold what is asked, the surest first.
const TEXT: [&str; 5] = ["text", "question_text", "question", "prompt", "query"];
/// Keys that hold the id.
const ID: [&str; 4] = ["id", "question_id", "qid", "number"];
/// Keys of an answer that somebody wrote beside the question.
const REFERENCE: [&str; 6] =
    ["reference", "reference_answer", "expected_answer", "ground_truth", "correct_answer", "answer"];

impl QuestionList {
    /// Reads a list, or a manifest as one.
    ///
    /// # Errors
    /// Why the text holds no questions.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (form, items, categories) = items(text)?;
        let is_manifest =
            items.iter().any(is_read) || items.iter().all(|item| item.as_ref().is_ok_and(is_entry));
        let mut list = Self { form, questions: Vec::new(), unread: Vec::new(), is_manifest };
        let mut places: BTreeMap<QuestionId, usize> = BTreeMap::new();
        for (at, item) in items.into_iter().enumerate() {
            match item.and_then(|item| question(item, &categories)) {
                Ok(question) => match places.get(&question.id) {
                    Some(before) => {
                        let why = format!("question {} stands twice: the later one counts", question.id);
                        list.unread.push((at, why));
                        list.questions[*before] = question;
                    }
                    None => {
                        places.insert(question.id.clone(), list.questions.len());
                        list.questions.push(question);
                    }
                },
                Err(reason) => list.unread.push((at, reason)),
            }
        }
        Ok(list)
    }

    /// Whether it is a list of questions, and no manifest: none of its entries says how an answer is read.
    #[must_use]
    pub fn is_list(&self) -> bool {
        !self.is_manifest && !self.questions.is_empty()
    }

    /// The line that says what a file was read as.
    #[must_use]
    pub fn words(&self) -> String {
        let categories: BTreeSet<&str> =
            self.questions.iter().filter_map(|question| question.category.as_deref()).collect();
        let unread = match self.unread.len() {
            0 => String::new(),
            count => format!(", {count} left out"),
        };
        format!(
            "a list of {} questions in {} categories ({}){unread}",
            self.questions.len(),
            categories.len(),
            self.form
        )
    }
}

/// Whether an entry says how its answer is read, as only a manifest does.
fn is_read(item: &Result<Json, String>) -> bool {
    item.as_ref().is_ok_and(|item| entry::READ_BY.iter().any(|key| item.get(key).is_some()))
}

/// Whether an entry has the keys of a manifest and no others.
fn is_entry(item: &Json) -> bool {
    item.get("question_id").is_some()
        && item.as_object().is_some_and(|map| map.keys().all(|key| entry::is_key(key)))
}

type Items = (&'static str, Vec<Result<Json, String>>, BTreeMap<String, String>);

/// The entries of a text, and the names of categories by their ids.
fn items(text: &str) -> Result<Items, String> {
    let of =
        |form, json| match json {
            Json::Array(items) => Ok((form, items.into_iter().map(Ok).collect(), BTreeMap::new())),
            Json::Object(mut object) => {
                let categories = categories(object.get("categories"));
                match object.remove("questions") {
                    Some(Json::Array(items)) => Ok((form, items.into_iter().map(Ok).collect(), categories)),
                    // one line of JSON lines
                    _ if TEXT.iter().any(|key| object.contains_key(*key)) => {
                        Ok(("JSON lines", vec![Ok(Json::Object(object))], categories))
                    }
                    _ => Err("holds no questions: expected a list, or an object with a list `questions`"
                        .to_owned()),
                }
            }
            _ => Err("holds no questions: expected a list, or an object with a list `questions`".to_owned()),
        };
    let error = match serde_json::from_str::<Json>(text) {
        Ok(json) => return of("JSON", json),
        Err(error) => error,
    };
    if let Some(lines) = lines(text) {
        return Ok(("JSON lines", lines, BTreeMap::new()));
    }
    if let Some(rows) = table(text) {
        return Ok(("CSV", rows, BTreeMap::new()));
    }
    match serde_saphyr::from_str::<Json>(text) {
        Ok(json) => of("YAML", json),
        Err(_) if text.trim_start().starts_with(['{', '[']) => Err(format!("is no JSON: {error}")),
        Err(error) => Err(format!("is neither JSON nor YAML: {}", error.without_snippet())),
    }
}

/// The lines of JSON lines; one that cannot be read is said by itself.
fn lines(text: &str) -> Option<Vec<Result<Json, String>>> {
    let read = |(number, line): (usize, &str)| {
        serde_json::from_str::<Json>(line).map_err(|error| format!("line {number} is no JSON: {error}"))
    };
    let lines: Vec<_> = input::lines(text).map(read).collect();
    let objects = lines.iter().filter(|line| line.as_ref().is_ok_and(Json::is_object)).count();
    (objects * 2 > lines.len()).then_some(lines)
}

/// The rows of a table whose first row names a column with the question.
fn table(text: &str) -> Option<Vec<Result<Json, String>>> {
    let head = text.lines().next()?;
    let delimiter =
        [b',', b';', b'\t'].into_iter().max_by_key(|by| head.bytes().filter(|byte| byte == by).count())?;
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(text.as_bytes());
    let names: Vec<String> =
        reader.headers().ok()?.iter().map(|name| name.trim().to_lowercase().replace(' ', "_")).collect();
    names.iter().find(|name| TEXT.contains(&name.as_str()))?;
    let row = |record: Result<csv::StringRecord, csv::Error>| {
        let record = record.map_err(|error| error.to_string())?;
        let cell = |(name, cell): (&String, &str)| (name.clone(), Json::from(cell));
        Ok(Json::Object(names.iter().zip(record.iter()).map(cell).collect()))
    };
    Some(reader.records().map(row).collect())
}

/// Names of categories by their ids, where they are objects with both.
fn categories(value: Option<&Json>) -> BTreeMap<String, String> {
    let items = value.and_then(Json::as_array).into_iter().flatten();
    items
        .filter_map(|item| {
            Some((text(item.get("id")?)?, text(item.get("name").or_else(|| item.get("id"))?)?))
        })
        .collect()
}

fn question(item: Json, categories: &BTreeMap<String, String>) -> Result<ListedQuestion, String> {
    let Json::Object(object) = item else { return Err("is no object".to_owned()) };
    let of = |keys: &[&str]| keys.iter().find_map(|key| text(object.get(*key)?));
    let asked = of(&TEXT).ok_or("has no `text`")?;
    let id = match of(&ID) {
        Some(id) => id,
        // by content, never by position
        None => format!("q-{}", Hash::of(asked.as_bytes()).as_str().chars().take(10).collect::<String>()),
    };
    let category = of(&["category_id", "category"]);
    let name = category.as_ref().and_then(|id| categories.get(id).cloned());
    let behavior = of(&["expected_behavior"]);
    let expected_tool = of(&["expected_tool"])
        .or_else(|| behavior.as_ref().filter(|behavior| declines(behavior)).map(|_| "refusal".to_owned()));
    Ok(ListedQuestion {
        id: id.parse().map_err(|error| format!("{error}"))?,
        text: asked,
        difficulty: of(&["difficulty"]),
        source: of(&["source"]),
        address: of(&["atlas_url", "url"]),
        behavior,
        expected_tool,
        expected_query_type: of(&["expected_query_type", "query_type"]),
        details: Details {
            category_name: name
                .or_else(|| of(&["category_name"]))
                .filter(|name| Some(name) != category.as_ref()),
            source_paper: of(&["source_paper"]),
            persona: of(&["persona"]),
            notes: of(&["notes", "note"]),
            tags: tags(object.get("tags")),
            expected_classification: of(&["expected_classification", "classification"]),
            expected_api_target: of(&["expected_api_target", "api_target"]),
            reference: REFERENCE.iter().find_map(|key| reference(object.get(*key)?)),
            proposed: None,
            lacks: None,
        },
        category,
    })
}

/// Whether an expected behavior is that a question is declined: `refuse_off_topic`, `Declines, and says why.`
#[must_use]
pub fn declines(behavior: &str) -> bool {
    let first = behavior.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    list("declines_stem").iter().any(|start| first.starts_with(start))
}

/// Tags: a list, or words with commas between them.
fn tags(value: Option<&Json>) -> Vec<String> {
    match value {
        Some(Json::Array(list)) => list.iter().filter_map(text).collect(),
        Some(Json::String(words)) => words
            .split([',', ';', '|'])
            .map(str::trim)
            .filter(|tag| !tag.is_empty())
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}

/// A reference: in the form of a manifest, or an answer that stands alone. A sentence is a quote, not a value.
fn reference(value: &Json) -> Option<Reference> {
    let one = |value: &Json| {
        let mut read: ReferenceValue = match value {
            Json::Object(_) => serde_json::from_value(value.clone()).ok()?,
            _ => ReferenceValue { value: text(value)?, ..ReferenceValue::default() },
        };
        read.value = read.value.trim().to_owned();
        (!read.value.is_empty()).then_some(read)
    };
    let of_values = |values: Vec<ReferenceValue>| {
        (!values.is_empty()).then(|| Reference { values, ..Reference::default() })
    };
    match value {
        Json::Object(_) => serde_json::from_value(value.clone())
            .ok()
            .filter(|reference| *reference != Reference::default())
            .or_else(|| of_values(vec![one(value)?])),
        Json::Array(items) => of_values(items.iter().filter_map(one).collect()),
        _ => {
            let said = text(value)?;
            if said.split_whitespace().count() <= MAX_WORDS {
                return of_values(vec![one(value)?]);
            }
            let quote = super::details::Quote { text: said, source: None };
            Some(Reference { quotes: vec![quote], ..Reference::default() })
        }
    }
}

/// Words that an answer has at most that is a value rather than a sentence.
const MAX_WORDS: usize = 5;

/// A scalar as text; nothing for null, empty texts, lists and objects.
fn text(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Json::Number(_) | Json::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

/// A JSON object without what is null or empty.
pub(super) fn filled(object: Json) -> Map<String, Json> {
    let Json::Object(object) = object else { return Map::new() };
    let is_empty = |value: &Json| match value {
        Json::Null => true,
        Json::Object(map) => map.is_empty(),
        Json::Array(list) => list.is_empty(),
        _ => false,
    };
    object.into_iter().filter(|(_, value)| !is_empty(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaml_in_either_style_is_a_list_and_broken_files_are_called_what_they_look_like() {
        let block = QuestionList::read("- id: 1\n  text: How large is it?\n").unwrap();
        let flow = QuestionList::read("[{id: 1, text: 'How large is it?'},]\n").unwrap();
        assert_eq!((flow.form, &flow.questions), ("YAML", &block.questions));
        let said = |text| QuestionList::read(text).unwrap_err();
        assert!(said("[{\"id\": 1, \"text\": }").starts_with("is no JSON: "));
        let yaml = said("- id: 1\n  text: \"How large\n- id: 2\n");
        assert!(yaml.starts_with("is neither JSON nor YAML: ") && yaml.contains("line "), "{yaml}");
    }
}
