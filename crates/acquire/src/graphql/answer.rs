//! API responses: raw replies, answers, and their errors.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Error, Result};

/// A response as received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpReply {
    /// The body of the request.
    pub request: String,
    /// HTTP status.
    pub status: u16,
    /// The body: JSON.
    pub body: String,
    /// Whether it has errors beside data. A partial reply (decision 13) is never cached.
    pub partial: bool,
}

/// What a query asked for.
#[derive(Debug, Clone)]
pub struct QueryAnswer {
    /// The data of its field.
    pub data: Value,
    /// What the server reports as missing, and why.
    pub errors: Vec<String>,
}

impl QueryAnswer {
    /// A field of the data; `None` if it is null or absent.
    ///
    /// # Errors
    /// Its value has another type.
    pub fn field<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        Option::<T>::deserialize(&self.data[name])
            .map_err(|error| Error::Site(format!("`{name}` in the response cannot be read: {error}")))
    }
}

/// The errors in an answer, in any shape: `data.3.product: not found`.
pub(super) fn errors(answer: &Value) -> Vec<String> {
    let list = match answer.get("errors") {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Array(list)) => list.as_slice(),
        Some(other) => std::slice::from_ref(other),
    };
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    list.iter()
        .map(|error| {
            let message = text(error.get("message").unwrap_or(error));
            match error.get("path").and_then(Value::as_array) {
                Some(steps) => {
                    format!("{}: {message}", steps.iter().map(text).collect::<Vec<_>>().join("."))
                }
                None => message,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_of_another_type_is_an_error_and_a_missing_one_is_not() {
        let data = json!({ "total": 145, "text": "many", "fraction": 145.0, "null": null });
        let answer = QueryAnswer { data, errors: Vec::new() };
        assert_eq!(answer.field::<u64>("total").unwrap(), Some(145));
        assert_eq!(answer.field::<String>("text").unwrap().as_deref(), Some("many"));
        for name in ["null", "absent"] {
            assert_eq!(answer.field::<u64>(name).unwrap(), None);
        }
        for (error, name, value) in [
            (answer.field::<u64>("text").unwrap_err(), "text", "many"),
            (answer.field::<u64>("fraction").unwrap_err(), "fraction", "145.0"),
            (answer.field::<String>("total").unwrap_err(), "total", "145"),
        ] {
            let error = error.to_string();
            assert!(error.contains(&format!("`{name}`")) && error.contains(value), "{error}");
        }
    }

    #[test]
    fn errors_are_read_in_any_shape() {
        let found = errors(&json!({"errors": [
            {"message": "Not a supported country.", "path": ["countryProfile"]},
            {"message": "no", "path": ["data", 3, "product"], "locations": null},
            {"code": 7},
            "plain",
        ]}));
        assert_eq!(
            found.join("; "),
            "countryProfile: Not a supported country.; data.3.product: no; {\"code\":7}; plain"
        );
        assert!(errors(&json!({"errors": null})).is_empty() && errors(&json!({})).is_empty());
        assert_eq!(errors(&json!({"errors": {"message": "one"}})).len(), 1);
    }
}
