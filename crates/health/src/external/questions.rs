//! The file of questions: a list, or an object with `questions` and `categories`.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value};

use super::folder::Folder;
use super::quarantined::Quarantined;
use super::record::text;
use crate::error::{Error, Result};
use crate::input;
use crate::manifest::QuestionId;
use crate::selection::at_least_one;

/// A question of another tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignQuestion {
    /// Its id.
    pub id: QuestionId,
    /// What is asked.
    pub text: String,
    /// What it is about; the category's name where the file gives one.
    pub category: Option<String>,
    /// How hard it is, in its own word.
    pub difficulty: Option<String>,
    /// Where it comes from.
    pub source: Option<String>,
    /// The page that answers it.
    pub address: Option<String>,
    /// What a right answer does, where no page has one.
    pub behavior: Option<String>,
    /// The tool that the agent should use.
    pub expected_tool: Option<String>,
    /// The query that the agent should make.
    pub expected_query_type: Option<String>,
}

/// The questions of a file.
#[derive(Debug, Clone, Default)]
pub struct Questions {
    /// By their ids.
    pub by_id: BTreeMap<QuestionId, ForeignQuestion>,
    /// Entries that cannot be read.
    pub quarantined: Vec<Quarantined>,
}

impl Questions {
    /// Reads a file of questions. An entry that cannot be read is quarantined.
    ///
    /// # Errors
    /// It is no JSON, or no list of questions.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = input::bytes(path)?;
        let json: Value = serde_json::from_slice(&bytes).map_err(|error| Error::Syntax {
            path: path.to_owned(),
            line: error.line(),
            column: error.column(),
            message: error.to_string(),
        })?;
        let (items, categories) = match json {
            Value::Array(items) => (items, BTreeMap::new()),
            Value::Object(mut object) => {
                let categories = categories(object.get("categories"));
                match object.remove("questions") {
                    Some(Value::Array(items)) => (items, categories),
                    _ => return Err(no_list(path)),
                }
            }
            _ => return Err(no_list(path)),
        };
        let mut questions = Self::default();
        for (at, item) in items.into_iter().enumerate() {
            let wrong = |reason: String| Quarantined::new(path, &format!("questions[{at}]"), reason);
            match question(item, &categories) {
                Ok(question) => {
                    if let Some(twice) = questions.by_id.insert(question.id.clone(), question) {
                        questions
                            .quarantined
                            .push(wrong(format!("question {} stands twice: the later one counts", twice.id)));
                    }
                }
                Err(reason) => questions.quarantined.push(wrong(reason)),
            }
        }
        // what cannot be read is reported as such
        at_least_one(questions.by_id.len() + questions.quarantined.len(), || {
            format!("{} holds no question", path.display())
        })?;
        Ok(questions)
    }

    /// The same where they are the questions of some record of a folder; `path` is their file.
    ///
    /// # Errors
    /// They are of none.
    pub fn of_records(self, path: &Path, folder: &Folder) -> Result<Self> {
        let fitting = folder.files().iter().filter(|(id, _)| self.by_id.contains_key(id)).count();
        at_least_one(fitting + self.quarantined.len(), || {
            format!("{} has the question of no record in {}", path.display(), folder.dir().display())
        })?;
        Ok(self)
    }
}

fn no_list(path: &Path) -> Error {
    Error::Syntax {
        path: path.to_owned(),
        line: 1,
        column: 1,
        message: "holds no questions: expected a list, or an object with a list `questions`".to_owned(),
    }
}

/// Names of categories by their ids, where they are objects with both.
fn categories(value: Option<&Value>) -> BTreeMap<String, String> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items
        .filter_map(|item| {
            Some((text(item.get("id")?)?, text(item.get("name").or_else(|| item.get("id"))?)?))
        })
        .collect()
}

fn question(
    item: Value,
    categories: &BTreeMap<String, String>,
) -> std::result::Result<ForeignQuestion, String> {
    let Value::Object(object) = item else { return Err("is no object".to_owned()) };
    let of = |keys: &[&str]| first(&object, keys);
    let id = of(&["id", "question_id"]).ok_or("has no `id`")?;
    let category = of(&["category_id", "category"]);
    Ok(ForeignQuestion {
        id: id.parse().map_err(|error| format!("{error}"))?,
        text: of(&["text", "question_text", "question"]).ok_or("has no `text`")?,
        category: category.map(|id| categories.get(&id).cloned().unwrap_or(id)),
        difficulty: of(&["difficulty"]),
        source: of(&["source"]),
        address: of(&["atlas_url", "url"]),
        behavior: of(&["expected_behavior"]),
        expected_tool: of(&["expected_tool"]),
        expected_query_type: of(&["expected_query_type"]),
    })
}

fn first(object: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| text(object.get(*key)?))
}
