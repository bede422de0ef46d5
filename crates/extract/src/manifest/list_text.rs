//! Parses the entries of a list of questions: JSON, JSON lines, CSV or YAML. The format is detected from the content,
//! never from the file's name.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value as Json;

use atlas_gt_core::csv_quotes::{ClosedQuotes, OpenQuote};
use atlas_gt_core::diagnostic::{Diagnostics, Place};
use atlas_gt_core::document::{Document, Located, yaml_fault};
use atlas_gt_core::error::Error;
use atlas_gt_core::input;

/// Keys of the question's text, most reliable first.
pub(super) const TEXT: [&str; 5] = ["text", "question_text", "question", "prompt", "query"];

/// Why a text is not a list of questions, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListFault {
    /// The place of the error.
    pub place: Place,
    /// The problem.
    pub message: String,
}

impl ListFault {
    /// The fault as an error of a file.
    #[must_use]
    pub fn of(self, path: &Path) -> Error {
        Error::syntax(path, self.place, self.message)
    }
}

impl From<ListFault> for String {
    fn from(fault: ListFault) -> Self {
        fault.message
    }
}

/// An error about the whole text.
fn whole(message: impl Into<String>) -> ListFault {
    ListFault { place: Place { line: 1, column: 1 }, message: message.into() }
}

/// An entry, or why it cannot be read.
type Item = Result<Json, String>;

/// The entries of a text.
pub(super) struct Items {
    /// The format of the text: `JSON`, `JSON lines`, `CSV`, `YAML`.
    pub form: &'static str,
    pub items: Vec<Item>,
    /// The places of the entries in JSON lines and CSV. In JSON and YAML [`entry_places`] finds them.
    pub places: Vec<Place>,
    /// The names of categories by id.
    pub categories: BTreeMap<String, String>,
    /// Why it is not JSON, if it looks like JSON.
    pub not_json: Option<ListFault>,
}

impl Items {
    fn of(form: &'static str, items: Vec<Item>) -> Self {
        Self { form, items, places: Vec::new(), categories: BTreeMap::new(), not_json: None }
    }

    fn placed(form: &'static str, entries: Vec<(Place, Item)>) -> Self {
        let (places, items) = entries.into_iter().unzip();
        Self { places, ..Self::of(form, items) }
    }

    fn of_json(form: &'static str, json: Json) -> Result<Self, ListFault> {
        const EXPECTED: &str = "holds no questions: expected a list, or an object with a list `questions`";
        match json {
            Json::Array(items) => Ok(Self::of(form, items.into_iter().map(Ok).collect())),
            Json::Object(mut object) => {
                let categories = categories(object.get("categories"));
                match object.remove("questions") {
                    Some(Json::Array(items)) => {
                        Ok(Self { categories, ..Self::of(form, items.into_iter().map(Ok).collect()) })
                    }
                    // a single line of JSON lines
                    _ if TEXT.iter().any(|key| object.contains_key(*key)) => {
                        Ok(Self::of("JSON lines", vec![Ok(Json::Object(object))]))
                    }
                    _ => Err(whole(EXPECTED)),
                }
            }
            _ => Err(whole(EXPECTED)),
        }
    }
}

/// The entries of a text.
///
/// # Errors
/// Why it has none, and where.
pub(super) fn items(text: &str) -> Result<Items, ListFault> {
    let error = match serde_json::from_str::<Json>(text) {
        Ok(json) => return Items::of_json("JSON", json),
        Err(error) => error,
    };
    if let Some(lines) = lines(text) {
        return Ok(Items::placed("JSON lines", lines));
    }
    let head = Head::of(text);
    if head.names.iter().any(|name| TEXT.contains(&name.as_str())) {
        return Ok(Items::placed("CSV", rows(text, &head)?));
    }
    let place = input::json_place(&error);
    let message = format!("is not JSON: {}", input::json_fault(&error));
    let not_json = text.trim_start().starts_with(['{', '[']).then_some(ListFault { place, message });
    match (serde_saphyr::from_str::<Json>(text), not_json) {
        (Ok(Json::String(_)) | Err(_), None) if head.is_table() => Err(whole(format!(
            "the header row lacks a column with the question (`{}`); it has `{}`",
            TEXT.join("`, `"),
            head.names.join("`, `")
        ))),
        (Ok(json), not_json) => Ok(Items { not_json, ..Items::of_json("YAML", json)? }),
        (Err(_), Some(fault)) => Err(fault),
        (Err(error), None) => {
            let (place, message) = yaml_fault(&error);
            Err(ListFault { place, message: format!("is neither JSON nor YAML: {message}") })
        }
    }
}

/// The lines of JSON lines, each parsed or with its error. A text whose first line is a complete object counts as
/// JSON lines.
fn lines(text: &str) -> Option<Vec<(Place, Item)>> {
    let read = |(number, line): (usize, &str)| match serde_json::from_str::<Json>(line) {
        Ok(json) => (Place { line: number, column: 1 }, Ok(json)),
        Err(error) => {
            let place = Place { line: number, column: input::json_place(&error).column };
            (place, Err(format!("is not JSON: {}", input::json_fault(&error))))
        }
    };
    let lines: Vec<_> = input::lines(text).map(read).collect();
    let is_object = |(_, line): &(Place, Item)| line.as_ref().is_ok_and(Json::is_object);
    let objects = lines.iter().filter(|line| is_object(line)).count();
    (objects * 2 > lines.len() || lines.first().is_some_and(is_object)).then_some(lines)
}

/// The first row of a table.
struct Head {
    delimiter: u8,
    names: Vec<String>,
}

impl Head {
    fn of(text: &str) -> Self {
        let line = text.lines().next().unwrap_or_default();
        let count = |by: &u8| line.bytes().filter(|byte| byte == by).count();
        let delimiter = [b',', b';', b'\t'].into_iter().max_by_key(count).unwrap_or(b',');
        let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(line.as_bytes());
        let names = reader.headers().cloned().unwrap_or_default();
        let names = names.iter().map(|name| name.trim().to_lowercase().replace(' ', "_")).collect();
        Self { delimiter, names }
    }

    /// Whether it has several names and does not look like YAML.
    fn is_table(&self) -> bool {
        self.names.len() > 1 && !self.names.iter().any(|name| name.contains([':', '{', '[']))
    }
}

/// The rows of a table with a header row that has a column for the question.
fn rows(text: &str, head: &Head) -> Result<Vec<(Place, Item)>, ListFault> {
    let source = ClosedQuotes::new(text.as_bytes(), head.delimiter);
    let mut rows = Vec::new();
    for record in csv::ReaderBuilder::new().delimiter(head.delimiter).from_reader(source).into_records() {
        let error = match record {
            Ok(record) => {
                let cell = |(name, cell): (&String, &str)| (name.clone(), Json::from(cell));
                let row = Json::Object(head.names.iter().zip(record.iter()).map(cell).collect());
                rows.push((line(record.position()), Ok(row)));
                continue;
            }
            Err(error) => error,
        };
        let open = match error.kind() {
            csv::ErrorKind::Io(error) => OpenQuote::of(error),
            _ => None,
        };
        if let Some(open) = open {
            return Err(ListFault { place: open.0, message: open.to_string() });
        }
        rows.push((line(error.position()), Err(error.to_string())));
    }
    Ok(rows)
}

/// The place of a row.
fn line(position: Option<&csv::Position>) -> Place {
    let line = position.and_then(|position| usize::try_from(position.line()).ok());
    line.map_or_else(Place::default, |line| Place { line, column: 1 })
}

/// The places of the entries of a list in JSON or YAML.
pub(super) fn entry_places(text: &str) -> Vec<Place> {
    #[derive(Deserialize)]
    struct Listing {
        questions: Vec<Located<IgnoredAny>>,
    }
    let mut report = Diagnostics::new(Path::new(""), text);
    let entries = Document::parse(text, &mut report).and_then(|document| match document.is_list() {
        true => document.read(&mut report).value,
        false => document.read::<Listing>(&mut report).value.map(|listing| listing.questions),
    });
    entries.unwrap_or_default().into_iter().map(|entry: Located<IgnoredAny>| entry.at.place).collect()
}

/// A scalar as text; none for null, empty texts, lists and objects.
pub(super) fn text_of(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Json::Number(_) | Json::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

/// Names of categories by id, if they are objects with both.
fn categories(value: Option<&Json>) -> BTreeMap<String, String> {
    let items = value.and_then(Json::as_array).into_iter().flatten();
    items
        .filter_map(|item| {
            Some((text_of(item.get("id")?)?, text_of(item.get("name").or_else(|| item.get("id"))?)?))
        })
        .collect()
}
