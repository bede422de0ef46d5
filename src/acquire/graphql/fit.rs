//! Makes the data of an answer fit its query: what has the wrong shape becomes null, and a null where none
//! may be takes its parent with it, up to the nearest part that may be null, as the GraphQL specification has
//! servers do it (section 6.4.4, "Handling Execution Errors"). So one odd cell costs itself, not the answer.

use apollo_compiler::ast::Type;
use apollo_compiler::executable::{Field, Selection, SelectionSet};
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Schema};
use serde_json::{Map, Value};

use super::row::Notes;

/// Makes `data` fit the one operation of `document`.
pub(super) fn fit(
    schema: &Valid<Schema>,
    document: &Valid<ExecutableDocument>,
    data: &mut Value,
    notes: &mut Notes,
) {
    let fit = Fit { schema, document };
    let Some(operation) = document.operations.iter().next() else { return };
    let fits = match data {
        Value::Object(object) => fit.object(&operation.selection_set, object, notes),
        Value::Null => true,
        ref other => {
            notes.problem(format!("{} instead of an object", kind(other)));
            false
        }
    };
    if !fits {
        *data = Value::Null;
    }
}

struct Fit<'a> {
    schema: &'a Schema,
    document: &'a ExecutableDocument,
}

impl Fit<'_> {
    /// Whether the object can stay.
    fn object(&self, selected: &SelectionSet, object: &mut Map<String, Value>, notes: &mut Notes) -> bool {
        let mut fits = true;
        for selection in &selected.selections {
            fits &= match selection {
                Selection::Field(field) => self.field(field, object, notes),
                Selection::FragmentSpread(spread) => match self.document.fragments.get(&spread.fragment_name)
                {
                    Some(fragment) if self.is_of(object, &selected.ty, &fragment.selection_set.ty) => {
                        self.object(&fragment.selection_set, object, notes)
                    }
                    _ => true,
                },
                Selection::InlineFragment(inline) => {
                    !self.is_of(object, &selected.ty, &inline.selection_set.ty)
                        || self.object(&inline.selection_set, object, notes)
                }
            };
        }
        fits
    }

    /// Whether a fragment on `wanted` speaks of an object that stands where a `declared` is expected.
    fn is_of(&self, object: &Map<String, Value>, declared: &str, wanted: &str) -> bool {
        declared == wanted
            || object
                .get("__typename")
                .and_then(Value::as_str)
                .is_some_and(|name| name == wanted || self.schema.is_subtype(wanted, name))
    }

    fn field(&self, field: &Field, object: &mut Map<String, Value>, notes: &mut Notes) -> bool {
        let key = field.response_key().as_str();
        if key == "__typename" {
            return true;
        }
        let value = object.entry(key).or_insert(Value::Null);
        notes.within(key, |notes| self.value(field.ty(), &field.selection_set, value, notes))
    }

    /// Whether the value, or the null that took its place, can stay.
    fn value(&self, ty: &Type, selected: &SelectionSet, value: &mut Value, notes: &mut Notes) -> bool {
        if !value.is_null() {
            let fits = match ty {
                Type::List(item) | Type::NonNullList(item) => match value {
                    Value::Array(items) => {
                        let mut fits = true;
                        for (index, one) in items.iter_mut().enumerate() {
                            fits &= notes.within(index, |notes| self.value(item, selected, one, notes));
                        }
                        fits
                    }
                    ref other => wrong(notes, other, "a list"),
                },
                Type::Named(name) | Type::NonNullNamed(name) => self.named(name, selected, value, notes),
            };
            if fits {
                return true;
            }
            *value = Value::Null;
        } else if ty.is_non_null() {
            notes.problem("null where there always was a value".to_owned());
        }
        !ty.is_non_null()
    }

    fn named(&self, name: &str, selected: &SelectionSet, value: &mut Value, notes: &mut Notes) -> bool {
        match self.schema.types.get(name) {
            Some(ExtendedType::Scalar(_)) => scalar(name, value, notes),
            Some(ExtendedType::Enum(_)) => value.is_string() || wrong(notes, value, "a word"),
            Some(kind @ (ExtendedType::Union(_) | ExtendedType::Interface(_))) => match value {
                Value::Object(object) => {
                    let named = object.get("__typename").and_then(Value::as_str).unwrap_or_default();
                    if !self.schema.is_subtype(kind.name(), named) {
                        notes.problem(format!("`{named}` is no {name}"));
                        return false;
                    }
                    self.object(selected, object, notes)
                }
                other => wrong(notes, other, "an object"),
            },
            _ => match value {
                Value::Object(object) => self.object(selected, object, notes),
                other => wrong(notes, other, "an object"),
            },
        }
    }
}

fn scalar(name: &str, value: &mut Value, notes: &mut Notes) -> bool {
    let fits = match name {
        "Int" => {
            if let Some(whole) = value.as_f64().filter(|_| !value.is_i64()).and_then(whole) {
                *value = whole.into();
            }
            value.is_i64()
        }
        "Float" => value.is_number(),
        "Boolean" => value.is_boolean(),
        "ID" => {
            if value.is_i64() {
                *value = value.to_string().into();
            }
            value.is_string()
        }
        _ => value.is_string(),
    };
    fits || wrong(notes, value, name)
}

/// The whole number that a float stands for: `5.0`.
fn whole(float: f64) -> Option<i64> {
    // the shortest text of a float without a fraction is that of the integer
    float.to_string().parse().ok()
}

fn wrong(notes: &mut Notes, value: &Value, expected: &str) -> bool {
    notes.problem(format!("{} instead of {expected}", kind(value)));
    false
}

fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        scalar => scalar.to_string(),
    }
}

#[cfg(test)]
#[path = "fit_tests.rs"]
mod tests;
