//! Damages a complete answer: null fields with errors beside the data, numbers as strings, or no numbers at all.

use super::schema::original;
use apollo_compiler::ExecutableDocument;
use apollo_compiler::executable::{Field, Selection, SelectionSet};
use serde_json::{Value as Json, json};

/// The kind of damage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Partial {
    /// A field is null wherever it occurs, with an error for each place.
    Errors {
        /// Its name in the schema.
        field: String,
        /// In a list, only in the row with the largest trade.
        largest: bool,
    },
    /// Numbers are strings, as many APIs send large ones.
    NumbersAsText,
    /// Numbers are null where the schema allows it, except years and levels, which identify a row.
    NoNumbers,
}

/// The real server's message for a figure without data.
const MESSAGE: &str = "float() argument must be a string or a number, not 'NoneType'";

/// Damages the data of an answer and returns the errors that come with it.
pub(super) fn spoil(
    document: &ExecutableDocument,
    selected: &SelectionSet,
    data: &mut Json,
    partial: &Partial,
) -> Vec<Json> {
    let mut walk = Walk { document, partial, errors: Vec::new() };
    if walk.object(selected, data, &mut Vec::new()).is_none() {
        *data = Json::Null;
    }
    walk.errors
}

struct Walk<'a> {
    document: &'a ExecutableDocument,
    partial: &'a Partial,
    errors: Vec<Json>,
}

impl Walk<'_> {
    /// Damages the fields of an object. Returns `None` if a non-null field became null, which makes the object null
    /// too.
    fn object(&mut self, selected: &SelectionSet, object: &mut Json, path: &mut Vec<Json>) -> Option<()> {
        for selection in &selected.selections {
            match selection {
                Selection::Field(field) => self.field(field, object, path)?,
                Selection::InlineFragment(fragment) => {
                    self.object(&fragment.selection_set, object, path)?;
                }
                Selection::FragmentSpread(spread) => {
                    if let Some(fragment) = spread.fragment_def(self.document) {
                        self.object(&fragment.selection_set, object, path)?;
                    }
                }
            }
        }
        Some(())
    }

    fn field(&mut self, field: &Field, object: &mut Json, path: &mut Vec<Json>) -> Option<()> {
        let key = field.response_key().as_str();
        let Some(value) = object.get_mut(key) else { return Some(()) };
        path.push(key.into());
        let may_be_null = !field.definition.ty.is_non_null();
        let stays = match self.partial {
            Partial::Errors { field: name, .. }
                if original(&field.definition) == name && !value.is_null() =>
            {
                self.errors.push(json!({ "message": MESSAGE, "path": path }));
                None
            }
            Partial::Errors { .. } => self.value(field, value, path),
            Partial::NumbersAsText | Partial::NoNumbers if field.selection_set.selections.is_empty() => {
                let is_of_row = matches!(original(&field.definition), "year" | "productLevel");
                match (self.partial, &value) {
                    (Partial::NumbersAsText, Json::Number(number)) => *value = number.to_string().into(),
                    (Partial::NoNumbers, Json::Number(_)) if may_be_null && !is_of_row => *value = Json::Null,
                    _ => {}
                }
                Some(())
            }
            _ => self.value(field, value, path),
        };
        path.pop();
        if stays.is_none() {
            *value = Json::Null;
        }
        stays.or_else(|| may_be_null.then_some(()))
    }

    fn value(&mut self, field: &Field, value: &mut Json, path: &mut Vec<Json>) -> Option<()> {
        match value {
            Json::Object(_) => self.object(&field.selection_set, value, path),
            Json::Array(items) => {
                let only = match self.partial {
                    Partial::Errors { field: name, largest: true }
                        if self.selects(&field.selection_set, name) =>
                    {
                        self.largest(&field.selection_set, items)
                    }
                    _ => None,
                };
                for (at, item) in items.iter_mut().enumerate() {
                    if item.is_object() && only.is_none_or(|only| only == at) {
                        path.push(at.into());
                        if self.object(&field.selection_set, item, path).is_none() {
                            *item = Json::Null;
                        }
                        path.pop();
                    }
                }
                Some(())
            }
            _ => Some(()),
        }
    }

    /// Whether a field is selected at any depth.
    fn selects(&self, selected: &SelectionSet, name: &str) -> bool {
        selected.selections.iter().any(|selection| match selection {
            Selection::Field(field) => {
                original(&field.definition) == name || self.selects(&field.selection_set, name)
            }
            Selection::InlineFragment(fragment) => self.selects(&fragment.selection_set, name),
            Selection::FragmentSpread(spread) => spread
                .fragment_def(self.document)
                .is_some_and(|fragment| self.selects(&fragment.selection_set, name)),
        })
    }

    /// The index of the row with the largest trade; the first if rows have none.
    fn largest(&self, selected: &SelectionSet, rows: &[Json]) -> Option<usize> {
        let keys = ["exportValue", "importValue"].map(|name| self.key_of(selected, name));
        let trade =
            |row: &Json| keys.iter().flatten().find_map(|key| row.get(key)?.as_f64()).unwrap_or_default();
        // The first of equal rows.
        (0..rows.len()).rev().max_by(|one, other| trade(&rows[*one]).total_cmp(&trade(&rows[*other])))
    }

    /// The response key of a field.
    fn key_of(&self, selected: &SelectionSet, name: &str) -> Option<String> {
        selected.selections.iter().find_map(|selection| match selection {
            Selection::Field(field) => {
                (original(&field.definition) == name).then(|| field.response_key().to_string())
            }
            Selection::InlineFragment(fragment) => self.key_of(&fragment.selection_set, name),
            Selection::FragmentSpread(spread) => {
                self.key_of(&spread.fragment_def(self.document)?.selection_set, name)
            }
        })
    }
}
