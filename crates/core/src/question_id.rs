//! The id of a question: a string or an integer. It names a folder in the store, so it must not be a path.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Names that the store itself uses.
const OF_THE_STORE: [&str; 10] = [
    "changelog.jsonl",
    "checks.jsonl",
    "commit.json",
    "evidence",
    "expected_behavior.json",
    "failures",
    "judged",
    "pending",
    "review",
    "site.json",
];

/// An id of 1 to 100 letters, digits, `_`, `.` and `-`. It does not start with `.` or `-`, and is not a name that the
/// store itself uses.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(try_from = "Form", into = "String")]
pub struct QuestionId(String);

/// An invalid question id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuestionIdError {
    /// Invalid characters or length.
    #[error(
        "`{0}` is not a question id: use up to 100 letters, digits, `_`, `.` and `-`, and do not start with `.` or `-`"
    )]
    Form(String),
    /// A name that the store itself uses.
    #[error("`{0}` is a name that the store itself uses: give the question another id, such as `q-{0}`")]
    OfTheStore(String),
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(untagged, expecting = "a question id is a whole number or a text")]
enum Form {
    Integer(i64),
    Text(String),
}

/// A question as reports name it: `Q61`, or an id that is no number as it is.
#[must_use]
pub fn question_label(id: impl fmt::Display) -> String {
    let id = id.to_string();
    if id.bytes().all(|byte| byte.is_ascii_digit()) { format!("Q{id}") } else { id }
}

impl TryFrom<Form> for QuestionId {
    type Error = QuestionIdError;

    fn try_from(form: Form) -> Result<Self, QuestionIdError> {
        match form {
            Form::Integer(number) => number.to_string().parse(),
            Form::Text(text) => text.parse(),
        }
    }
}

impl From<QuestionIdError> for Error {
    fn from(error: QuestionIdError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<QuestionId> for String {
    fn from(id: QuestionId) -> Self {
        id.0
    }
}

impl FromStr for QuestionId {
    type Err = QuestionIdError;

    fn from_str(text: &str) -> Result<Self, QuestionIdError> {
        let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-');
        let right =
            (1..=100).contains(&text.len()) && text.bytes().all(allowed) && !text.starts_with(['.', '-']);
        match text {
            _ if !right => Err(QuestionIdError::Form(text.to_owned())),
            _ if OF_THE_STORE.contains(&text) => Err(QuestionIdError::OfTheStore(text.to_owned())),
            _ => Ok(Self(text.to_owned())),
        }
    }
}

impl QuestionId {
    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id as the seed's own files have it: an integer if it is the plain form of one.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        match self.number() {
            Some(number) => number.into(),
            None => self.0.clone().into(),
        }
    }

    fn number(&self) -> Option<u64> {
        self.0.parse::<u64>().ok().filter(|number| number.to_string() == self.0)
    }
}

/// Serialises an id as the seed's own files do: as an integer if possible.
pub fn integer_or_text<S: serde::Serializer>(id: &QuestionId, serializer: S) -> Result<S::Ok, S::Error> {
    id.to_json().serialize(serializer)
}

/// The schema of an id serialised by [`integer_or_text`].
pub fn integer_or_text_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": ["integer", "string"] })
}

impl fmt::Display for QuestionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Integers first, by value, then all other ids by text: 9, 61, 100, `a`.
impl Ord for QuestionId {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.number(), other.number()) {
            (Some(a), Some(b)) => a.cmp(&b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => self.0.cmp(&other.0),
        }
    }
}

impl PartialOrd for QuestionId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn decision_19_ids_are_strings_or_integers() {
        let ids: Vec<QuestionId> = serde_json::from_str(r#"[61, "61", "061", "eci-1.b_2"]"#).unwrap();
        assert_eq!(ids[0], ids[1]);
        assert_ne!(ids[1], ids[2]);
        assert_eq!(serde_json::to_string(&ids).unwrap(), r#"["61","61","061","eci-1.b_2"]"#);
        assert_eq!(ids[0].to_json(), serde_json::json!(61));
        assert_eq!(ids[2].to_json(), serde_json::json!("061"));
    }

    #[test]
    fn refuses_what_could_lead_out_of_the_store() {
        for text in
            ["", ".", "..", "../61", "a/b", "a\\b", "61 ", ".lock", "-f", "a\0", "ü", &"a".repeat(101)]
        {
            assert!(text.parse::<QuestionId>().is_err(), "{text:?}");
        }
        assert!(serde_json::from_str::<QuestionId>("-1").is_err());
    }

    #[test]
    fn refuses_the_names_of_what_a_store_holds_beside_its_questions() {
        for name in OF_THE_STORE {
            let error = name.parse::<QuestionId>().unwrap_err().to_string();
            assert!(error.contains("another id"), "{error}");
            assert!(format!("q-{name}").parse::<QuestionId>().is_ok());
        }
    }

    #[test]
    fn sorts_numbers_by_size() {
        let mut ids: Vec<QuestionId> =
            ["b", "100", "9", "a", "61", "061"].iter().map(|text| text.parse().unwrap()).collect();
        ids.sort();
        let texts: Vec<_> = ids.iter().map(QuestionId::as_str).collect();
        assert_eq!(texts, ["9", "61", "100", "061", "a", "b"]);
    }

    proptest! {
        #[test]
        fn a_good_id_is_one_part_of_a_path(text in "\\PC{0,8}") {
            if text.parse::<QuestionId>().is_ok() {
                let parts: Vec<_> = std::path::Path::new(&text).components().collect();
                prop_assert!(matches!(parts[..], [std::path::Component::Normal(_)]));
            }
        }
    }
}
