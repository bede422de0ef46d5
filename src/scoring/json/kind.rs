//! What kind of value a field holds: null as the metrics plan defines it, and the types that decide
//! a strategy when none is configured.

use serde::Serialize;

use super::document::Json;
use super::python::is_blank;

/// The type of a value (metrics plan, "Strategy Resolution"; decision 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A number.
    Numeric,
    /// True or false.
    Boolean,
    /// A string that is an ISO 8601 date, with or without a time.
    Date,
    /// A string that is an e-mail address.
    Email,
    /// A list.
    Array,
    /// An object.
    Object,
    /// Any other string.
    Text,
}

impl Kind {
    /// The type of a value; `None` for JSON `null`.
    #[must_use]
    pub fn of(value: &Json<'_>) -> Option<Self> {
        Some(match value {
            Json::Null => return None,
            Json::Bool(_) => Self::Boolean,
            Json::Number(_) => Self::Numeric,
            Json::Array(_) => Self::Array,
            Json::Object(_) => Self::Object,
            Json::String(text) => Self::of_text(text),
        })
    }

    /// The type of a string.
    #[must_use]
    pub(super) fn of_text(text: &str) -> Self {
        if is_date(text) {
            Self::Date
        } else if is_email(text) {
            Self::Email
        } else {
            Self::Text
        }
    }
}

/// Null is `null`, the empty string, or white space alone. `[]` and `{}` are not null.
#[must_use]
pub fn is_null(value: &Json<'_>) -> bool {
    match value {
        Json::Null => true,
        Json::String(text) => is_blank(text),
        _ => false,
    }
}

/// `2024-01-31`, `20240131` or `2024-01`, the first two with an optional time.
fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let number = |from: usize, to: usize| -> Option<u32> {
        let digits = bytes.get(from..to)?;
        digits
            .iter()
            .all(u8::is_ascii_digit)
            .then(|| digits.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0')))
    };
    let (year, month, day, rest) = match (number(0, 4), bytes.get(4)) {
        (Some(year), Some(b'-')) => {
            let Some(month) = number(5, 7) else { return false };
            match bytes.get(7) {
                None => return (1..=12).contains(&month),
                Some(b'-') => match number(8, 10) {
                    Some(day) => (year, month, day, 10),
                    None => return false,
                },
                Some(_) => return false,
            }
        }
        (Some(year), Some(_)) => match (number(4, 6), number(6, 8)) {
            (Some(month), Some(day)) => (year, month, day, 8),
            _ => return false,
        },
        _ => return false,
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day) && text.get(rest..).is_some_and(is_time_or_nothing)
}

/// Nothing, or `T` (or a space) and `12:30`, `12:30:00`, `12:30:00.5`, with `Z` or an offset.
fn is_time_or_nothing(rest: &str) -> bool {
    let Some(time) = rest.strip_prefix(['T', 't', ' ']) else { return rest.is_empty() };
    let zone = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
    let (clock, offset) = time.split_at(zone);
    let (clock, fraction) = clock.split_once(['.', ',']).unwrap_or((clock, "0"));
    let within = |text: &str, limit: u32| {
        text.len() == 2
            && text.bytes().all(|b| b.is_ascii_digit())
            && text.parse().is_ok_and(|n: u32| n < limit)
    };
    let hours_and_minutes = |text: &str| match text.split_once(':') {
        Some((hours, minutes)) => within(hours, 24) && within(minutes, 60),
        None => match text.len() {
            2 => within(text, 24),
            4 => text.is_char_boundary(2) && within(&text[..2], 24) && within(&text[2..], 60),
            _ => false,
        },
    };
    let parts: Vec<&str> = clock.split(':').collect();
    let clock_is_good = match parts.as_slice() {
        [hours, minutes] => within(hours, 24) && within(minutes, 60),
        [hours, minutes, seconds] => within(hours, 24) && within(minutes, 60) && within(seconds, 61),
        _ => false,
    };
    let offset_is_good = match offset.get(1..) {
        None => true,
        Some("") => offset.eq_ignore_ascii_case("z"),
        Some(rest) => !offset.starts_with(['Z', 'z']) && hours_and_minutes(rest),
    };
    clock_is_good && !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit()) && offset_is_good
}

/// One `@`, something without spaces before it, and a domain with a dot after it.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
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

    fn kind(text: &str) -> Kind {
        Kind::of(&Json::String(Cow::Borrowed(text))).unwrap()
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
            assert_eq!(kind(date), Kind::Date, "{date}");
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
            assert_eq!(kind(text), Kind::Text, "{text}");
        }
        assert_eq!(kind("john@example.com"), Kind::Email);
        for text in ["john@", "@example.com", "a b@example.com", "john@example", "a@b@c.d", "john@ex..com"] {
            assert_eq!(kind(text), Kind::Text, "{text}");
        }
    }
}
