//! Answers: what was said, byte for byte with its hash, and what it means.

use serde::Serialize;
use serde_json::Value;

use crate::truth::Hash;

/// A response as received, for evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The body, byte for byte.
    pub body: Vec<u8>,
    /// Hash of the body.
    pub hash: Hash,
    /// The request body that it answers.
    pub request: String,
    /// HTTP status.
    pub status: u16,
}

/// Who found a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The server said so.
    Server,
    /// The answer does not keep to the schema, or cannot be read as what it should be.
    Reading,
}

/// A part of an answer that is missing or was left out.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Problem {
    /// Who found it.
    pub origin: Origin,
    /// Where in the answer: `data.3.productId`.
    pub path: String,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

/// A typed answer, whole or partial.
#[derive(Debug, Clone)]
pub struct Answer<T> {
    /// What was answered; `None` when the API said null.
    pub value: Option<T>,
    /// What is missing from it, and why. Empty for a whole answer.
    pub problems: Vec<Problem>,
    /// The response itself.
    pub reply: std::sync::Arc<Reply>,
}

impl<T> Answer<T> {
    /// Whether something of it is missing.
    #[must_use]
    pub const fn is_partial(&self) -> bool {
        !self.problems.is_empty()
    }
}

/// The errors that an answer carries, however they are shaped.
pub(super) fn errors(answer: &Value) -> Vec<Problem> {
    let list = match answer.get("errors") {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Array(list)) => list.as_slice(),
        Some(other) => std::slice::from_ref(other),
    };
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    list.iter()
        .map(|error| Problem {
            origin: Origin::Server,
            path: match error.get("path") {
                Some(Value::Array(steps)) => steps.iter().map(text).collect::<Vec<_>>().join("."),
                _ => String::new(),
            },
            message: text(error.get("message").unwrap_or(error)),
        })
        .collect()
}

/// All messages in one line.
pub(super) fn messages(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn errors_are_read_in_any_shape() {
        let found = errors(&json!({"errors": [
            {"message": "Not a supported country.", "path": ["countryProfile"]},
            {"message": "no", "path": ["data", 3, "product"], "locations": null},
            {"code": 7},
            "plain",
        ]}));
        assert_eq!(
            messages(&found),
            "countryProfile: Not a supported country.; data.3.product: no; {\"code\":7}; plain"
        );
        assert!(errors(&json!({"errors": null})).is_empty() && errors(&json!({})).is_empty());
        assert_eq!(errors(&json!({"errors": {"message": "one"}})).len(), 1);
    }
}
