//! The type of a field's value. The metrics plan defines null; the other types select the default strategy.

use jiff::fmt::temporal::DateTimeParser;
use schemars::JsonSchema;
use serde::Serialize;

use super::document::Json;
use super::exact::is_blank;

/// The type of a value (metrics plan, "Strategy Resolution"; decision 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum JsonKind {
    /// A number.
    Numeric,
    /// True or false.
    Boolean,
    /// An ISO 8601 date string, with or without a time.
    Date,
    /// An e-mail address string.
    Email,
    /// An array.
    Array,
    /// An object.
    Object,
    /// Any other string.
    Text,
}

impl JsonKind {
    /// The type of a value; `None` for JSON `null`.
    #[must_use]
    pub fn of(value: &Json<'_>) -> Option<Self> {
        Some(match value {
            Json::Null => return None,
            Json::Bool(_) => Self::Boolean,
            Json::Number(_) => Self::Numeric,
            Json::Array(_) => Self::Array,
            Json::Object(_) => Self::Object,
            Json::String(text) if is_date(text) => Self::Date,
            Json::String(text) if is_email(text) => Self::Email,
            Json::String(_) => Self::Text,
        })
    }
}

/// Whether a value is null: `null`, the empty string, or only white space. `[]` and `{}` are not null.
#[must_use]
pub fn is_null(value: &Json<'_>) -> bool {
    match value {
        Json::Null => true,
        Json::String(text) => is_blank(text),
        _ => false,
    }
}

/// Whether a text is an ISO 8601 date: `2024-01-31`, `20240131` or `2024-01`. The first two may add a time and offset.
fn is_date(text: &str) -> bool {
    const DATES: DateTimeParser = DateTimeParser::new();
    let is_month = || text.len() == 7 && DATES.parse_date(format!("{text}-01")).is_ok();
    text.starts_with(|c: char| c.is_ascii_digit())
        && (DATES.parse_date(text).is_ok() || DATES.parse_timestamp(text).is_ok() || is_month())
}

/// Whether a text is an e-mail address: a local part, one `@`, and a domain with a dot.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) =
        memchr::memchr(b'@', text.as_bytes()).map(|at| (&text[..at], &text[at + 1..]))
    else {
        return false;
    };
    let plain = |part: &str| part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    !local.is_empty()
        && local.len() <= 64
        && local.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~.".contains(&b))
        && domain.contains('.')
        && domain.split('.').all(|label| !label.is_empty() && label.len() <= 63 && plain(label))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    fn kind(text: &str) -> JsonKind {
        JsonKind::of(&Json::String(Cow::Borrowed(text))).unwrap()
    }

    #[test]
    fn metrics_plan_definition_of_null() {
        for null in ["null", r#""""#, r#""  \t\n""#, r#""\u00a0\u2003""#, r#""\u001c""#] {
            assert!(is_null(&super::super::parse(null.as_bytes()).unwrap()), "{null}");
        }
        for value in ["0", "false", "[]", "{}", r#""x""#, r#"" 0 ""#, r#"["", null]"#] {
            assert!(!is_null(&super::super::parse(value.as_bytes()).unwrap()), "{value}");
        }
    }

    #[test]
    fn decision_4_types_of_strings() {
        for date in [
            "2024-01-31",
            "20240131",
            "2024-02-29",
            "2024-01",
            "2024-01-31T12:30:00Z",
            "2024-01-31 12:30",
            "2024-01-31T12:30:00.123+02:00",
            "2024-01-31T12:30:00-0530",
        ] {
            assert_eq!(kind(date), JsonKind::Date, "{date}");
        }
        for text in [
            "2024",
            "2024-13-01",
            "2023-02-29",
            "2024-01-32",
            "31/01/2024",
            "2024-01-31T25:00",
            "2024-01-31x",
            "January 2024",
            "2024-0",
            "2024-01-31T12:30Z5",
            "2024-01-31T",
            "2024é01-31",
            "20240131é",
        ] {
            assert_eq!(kind(text), JsonKind::Text, "{text}");
        }
        assert_eq!(kind("john@example.com"), JsonKind::Email);
        for text in ["john@", "@example.com", "a b@example.com", "john@example", "a@b@c.d", "john@ex..com"] {
            assert_eq!(kind(text), JsonKind::Text, "{text}");
        }
    }
}
