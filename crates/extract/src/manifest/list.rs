//! A team's own list of questions: JSON (a list, or an object with `questions` and `categories`), JSON lines, CSV or
//! YAML.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::{Map, Value as Json};

use super::asked::{Asked, plain_words};
use super::details::{Details, Reference, ReferenceValue};
use super::entry;
use super::list_text::{Items, ListFault, TEXT, entry_places, items, text_of};
use atlas_gt_core::atlas::nearest;
use atlas_gt_core::diagnostic::Place;
use atlas_gt_core::evidence::Hash;
use atlas_gt_core::question_id::QuestionId;
use atlas_gt_core::words::{count, plural};
use atlas_gt_scoring::language::lexicon::list;

/// A question of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedQuestion {
    /// Its id, or else one derived from its text.
    pub id: QuestionId,
    /// The question's text.
    pub text: String,
    /// The category's id.
    pub category: Option<String>,
    /// Its difficulty, in the list's own word.
    pub difficulty: Option<String>,
    /// Its source.
    pub source: Option<String>,
    /// The page that answers it, as written.
    pub address: Option<String>,
    /// What a right answer does, if no page shows one.
    pub behavior: Option<String>,
    /// The tool that the agent should use.
    pub expected_tool: Option<String>,
    /// The kind of query that the agent should make.
    pub expected_query_type: Option<String>,
    /// Further details.
    pub details: Details,
}

impl From<&ListedQuestion> for Asked {
    fn from(question: &ListedQuestion) -> Self {
        Self::new(&question.text, question.address.as_deref(), question.behavior.is_some())
    }
}

/// An entry of a list that cannot be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnreadEntry {
    /// Its position in the list, from 0.
    pub index: usize,
    /// Its place in the file.
    pub place: Place,
    /// Why it cannot be read.
    pub why: String,
}

impl UnreadEntry {
    /// `questions[1]`
    #[must_use]
    pub fn field(&self) -> String {
        format!("questions[{}]", self.index)
    }

    /// Why it cannot be read, with its line, if known: ``line 3: has no `text` ``.
    #[must_use]
    pub fn located(&self) -> String {
        match self.place.line {
            0 => self.why.clone(),
            line => format!("line {line}: {}", self.why),
        }
    }
}

impl fmt::Display for UnreadEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field(), self.located())
    }
}

/// The questions of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionList {
    /// The format of the file: `JSON`, `JSON lines`, `CSV`, `YAML`.
    pub form: &'static str,
    /// The questions, in the file's order. Of two with the same id, the later one counts.
    pub questions: Vec<ListedQuestion>,
    /// Entries that cannot be read.
    pub unread: Vec<UnreadEntry>,
    /// Warnings: keys that are not read, questions that are asked twice.
    pub odd: Vec<String>,
    /// Whether every entry has only keys of a manifest.
    is_manifest: bool,
}

/// Keys that hold the id.
const ID: [&str; 4] = ["id", "question_id", "qid", "number"];
/// Keys of a reference answer.
const REFERENCE: [&str; 6] =
    ["reference", "reference_answer", "expected_answer", "ground_truth", "correct_answer", "answer"];

/// Keys of an expected behavior.
const BEHAVIOR: [&str; 2] = ["expected_behavior", "expected_behaviour"];
/// Other keys of a list. Those of a manifest are known too.
const OTHER: [&str; 8] =
    ["category_id", "category", "url", "query_type", "note", "classification", "api_target", "tags"];

impl QuestionList {
    /// Reads a list, or a manifest as one.
    ///
    /// # Errors
    /// Why the text has no questions, and where.
    pub fn read(text: &str) -> Result<Self, ListFault> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let Items { form, items, mut places, categories, not_json } = items(text)?;
        let is_manifest =
            items.iter().any(is_read) || items.iter().all(|item| item.as_ref().is_ok_and(is_entry));
        let odd = unknown_keys(&items);
        let mut list = Self { form, questions: Vec::new(), unread: Vec::new(), odd, is_manifest };
        let mut seen: BTreeMap<QuestionId, usize> = BTreeMap::new();
        for (at, item) in items.into_iter().enumerate() {
            match item.and_then(|item| question(item, &categories)) {
                Ok(question) => match seen.get(&question.id) {
                    Some(before) => {
                        let why = format!(
                            "question {} appears twice: the later one counts, the earlier one is left out",
                            question.id
                        );
                        list.unread.push(UnreadEntry { index: at, why, ..UnreadEntry::default() });
                        list.questions[*before] = question;
                    }
                    None => {
                        seen.insert(question.id.clone(), list.questions.len());
                        list.questions.push(question);
                    }
                },
                Err(why) => list.unread.push(UnreadEntry { index: at, why, ..UnreadEntry::default() }),
            }
        }
        // YAML accepts a JSON object that lacks a value
        if let Some(fault) = not_json.filter(|_| !list.unread.is_empty()) {
            return Err(fault);
        }
        if places.is_empty() && !list.unread.is_empty() {
            places = entry_places(text);
        }
        for entry in &mut list.unread {
            entry.place = places.get(entry.index).copied().unwrap_or_default();
        }
        list.odd.extend(list.asked_twice());
        Ok(list)
    }

    /// Whether it is a list of questions and not a manifest: no entry says how an answer is read.
    #[must_use]
    pub fn is_list(&self) -> bool {
        !self.is_manifest && !self.questions.is_empty()
    }

    /// A description of what the file was read as.
    #[must_use]
    pub fn words(&self) -> String {
        let categories: BTreeSet<&str> =
            self.questions.iter().filter_map(|question| question.category.as_deref()).collect();
        let unread = match self.unread.len() {
            0 => String::new(),
            count => format!(", {count} left out"),
        };
        format!(
            "a list of {} in {} ({}){unread}",
            count(self.questions.len(), "question"),
            plural(categories.len(), "category", "categories"),
            self.form
        )
    }

    /// Why it has no question.
    #[must_use]
    pub fn emptiness(&self) -> String {
        match self.unread.first() {
            Some(entry) => format!("holds no question: {entry}"),
            None if self.form == "CSV" => "holds no question: there is no row below the header".to_owned(),
            None => "holds no question".to_owned(),
        }
    }

    /// Questions with the same words and two ids.
    fn asked_twice(&self) -> Vec<String> {
        let mut first: BTreeMap<String, &QuestionId> = BTreeMap::new();
        let mut twice = Vec::new();
        for ListedQuestion { id, text, .. } in &self.questions {
            match first.entry(plain_words(text)) {
                Entry::Vacant(entry) => drop(entry.insert(id)),
                Entry::Occupied(entry) => {
                    twice.push(format!("questions `{}` and `{id}` ask the same", entry.get()));
                }
            }
        }
        twice
    }
}

/// Whether an entry says how its answer is read, as only manifests do.
fn is_read(item: &Result<Json, String>) -> bool {
    item.as_ref().is_ok_and(|item| entry::READ_BY.iter().any(|key| item.get(key).is_some()))
}

/// Whether an entry has only keys of a manifest.
fn is_entry(item: &Json) -> bool {
    item.get("question_id").is_some()
        && item.as_object().is_some_and(|map| map.keys().all(|key| entry::is_key(key)))
}

/// A warning for each unknown key.
fn unknown_keys(items: &[Result<Json, String>]) -> Vec<String> {
    let known = [&TEXT[..], &ID, &REFERENCE, &BEHAVIOR, &OTHER].concat();
    let is_known = |key: &str| entry::is_key(key) || known.contains(&key);
    let objects = items.iter().flatten().filter_map(Json::as_object);
    let mut seen = BTreeSet::new();
    let unknown = objects
        .flat_map(Map::keys)
        .filter(|key| !key.is_empty() && !is_known(key) && seen.insert(key.as_str()));
    let warning = |key: &String| {
        let near = nearest(key, known.iter().copied().chain(entry::keys()));
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        format!("`{key}` is not read{near}")
    };
    unknown.map(warning).collect()
}

fn question(item: Json, categories: &BTreeMap<String, String>) -> Result<ListedQuestion, String> {
    let Json::Object(object) = item else { return Err("is no object".to_owned()) };
    let of = |keys: &[&str]| keys.iter().find_map(|key| text_of(object.get(*key)?));
    let asked = of(&TEXT).ok_or("has no `text`")?;
    let stated = ID.iter().find_map(|key| object.get(*key).filter(|id| id.is_f64()));
    if let Some(number) = stated {
        return Err(format!("a question id is a whole number or a text, not {number}"));
    }
    let id = match of(&ID) {
        Some(id) => id,
        // by content, never by position
        None => format!("q-{}", Hash::of(asked.as_bytes()).as_str().chars().take(10).collect::<String>()),
    };
    let category = of(&["category_id", "category"]);
    let name = category.as_ref().and_then(|id| categories.get(id).cloned());
    let behavior = of(&BEHAVIOR);
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

/// Whether the expected behavior is to decline: `refuse_off_topic`, `Declines, and says why.`
#[must_use]
pub fn declines(behavior: &str) -> bool {
    let first = behavior.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    list("declines_stem").iter().any(|start| first.starts_with(start))
}

/// Tags: a list, or comma-separated words.
fn tags(value: Option<&Json>) -> Vec<String> {
    match value {
        Some(Json::Array(list)) => list.iter().filter_map(text_of).collect(),
        Some(Json::String(words)) => words
            .split([',', ';', '|'])
            .map(str::trim)
            .filter(|tag| !tag.is_empty())
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}

/// A reference: in the form of a manifest, or a bare answer. A sentence is a quote, not a value.
fn reference(value: &Json) -> Option<Reference> {
    let one = |value: &Json| {
        let mut read: ReferenceValue = match value {
            Json::Object(_) => serde_json::from_value(value.clone()).ok()?,
            _ => ReferenceValue { value: text_of(value)?, ..ReferenceValue::default() },
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
            let said = text_of(value)?;
            if said.split_whitespace().count() <= MAX_WORDS {
                return of_values(vec![one(value)?]);
            }
            let quote = super::details::Quote { text: said, source: None };
            Some(Reference { quotes: vec![quote], ..Reference::default() })
        }
    }
}

/// The maximum number of words of a value. A longer answer is a sentence.
const MAX_WORDS: usize = 5;

/// A JSON object without null and empty values.
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
        let json = said("[{\"id\": 1,\n \"text\": }");
        assert_eq!((json.place.line, json.place.column), (2, 10), "{json:?}");
        assert!(json.message.starts_with("is not JSON: ") && !json.message.contains(" at line "), "{json:?}");
        let yaml = said("- id: 1\n  text: \"How large\n- id: 2\n");
        assert!(yaml.message.starts_with("is neither JSON nor YAML: "), "{yaml:?}");
        assert!(yaml.place.line > 1 && !yaml.message.contains(" at line "), "{yaml:?}");
        let twice = said("- id: 1\n  text: How?\n  id: 2\n");
        assert!(twice.place.line == 3 && twice.message.ends_with("the key `id` stands twice"), "{twice:?}");
        // the second line is what is wrong, not that there are two
        let lines = QuestionList::read("{\"id\": 1, \"text\": \"How?\"}\n{\"id\": 2, \"text\": }\n").unwrap();
        assert_eq!(
            (lines.form, lines.unread[0].to_string().as_str()),
            ("JSON lines", "questions[1]: line 2: is not JSON: expected value")
        );
    }

    #[test]
    fn a_table_says_what_its_header_lacks_and_which_quote_is_open() {
        let said = |text: &str| QuestionList::read(text).unwrap_err();
        let header = said("id,asked\nq1,How?\n");
        assert!(header.message.contains("lacks a column with the question"), "{header:?}");
        assert!(header.message.ends_with("it has `id`, `asked`"), "{header:?}");
        let open = said("id,text\nq1,\"unclosed quote\nq2,hello\n");
        assert_eq!((open.place.line, open.place.column), (2, 4));
        assert_eq!(open.message, "this quote is never closed");
        let empty = QuestionList::read("id,text\n").unwrap();
        assert_eq!(empty.emptiness(), "holds no question: there is no row below the header");
        let untold = QuestionList::read("- id: 1\n- id: 2\n").unwrap();
        assert_eq!(untold.emptiness(), "holds no question: questions[0]: line 1: has no `text`");
    }

    #[test]
    fn keys_that_nothing_reads_and_questions_asked_twice_are_named() {
        let list = QuestionList::read(
            "id,text,dificulty,categry,expected_behaviour,shoe size\na,Who?,easy,c,declines,44\nb,who,easy,c,,44\n",
        )
        .unwrap();
        assert_eq!(
            list.odd,
            [
                "`dificulty` is not read; did you mean `difficulty`?",
                "`categry` is not read; did you mean `category`?",
                "`shoe_size` is not read",
                "questions `a` and `b` ask the same",
            ]
        );
        assert_eq!(list.questions[0].behavior.as_deref(), Some("declines"));
        let number = QuestionList::read("[{\"id\": 61.0, \"text\": \"How?\"}]").unwrap();
        assert_eq!(number.unread[0].why, "a question id is a whole number or a text, not 61.0");
    }

    #[test]
    fn what_cannot_be_read_has_its_place_in_every_form() {
        let said = |text: &str| {
            let list = QuestionList::read(text).unwrap();
            list.unread.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let lacks = |at: usize, line: usize| [format!("questions[{at}]: line {line}: has no `text`")];
        assert_eq!(said("[{\"id\": 1, \"text\": \"How?\"},\n {\"id\": 2}]"), lacks(1, 2));
        assert_eq!(said("questions:\n  - id: 1\n    text: How?\n  - id: 2\n"), lacks(1, 4));
        assert_eq!(said("# ours\n- id: 1\n- id: 2\n  text: How?\n"), lacks(0, 2));
        assert_eq!(said("{\"id\": 1, \"text\": \"How?\"}\n\n{\"id\": 2}\n"), lacks(1, 3));
        // YAML, by which places are found, refuses a key that stands twice
        assert_eq!(said("[{\"id\": 1, \"id\": 2, \"text\": \"How?\"}, {}]"), ["questions[1]: has no `text`"]);
        assert_eq!(said("id,text\n1,\"How\nlarge?\"\n2,\n"), lacks(1, 4));
    }
}
