//! Values as Python prints them, because EXACT compares `str(gt).lower() == str(aio).lower()`, with
//! objects and lists as `json.dumps(…, sort_keys=True)` (metrics plan, "Strategy Behaviors").

use std::borrow::Cow;
use std::fmt::Write as _;

use super::document::{Entry, Json};
use super::printable::NOT_PRINTABLE;

/// The value as Python's `str` prints it: `True`, `None`, `1.0`, `1e+16`, `['a', None]`.
#[must_use]
pub fn python_str<'a>(value: &'a Json<'_>) -> Cow<'a, str> {
    match value {
        Json::String(text) => Cow::Borrowed(text),
        Json::Null => Cow::Borrowed("None"),
        Json::Bool(true) => Cow::Borrowed("True"),
        Json::Bool(false) => Cow::Borrowed("False"),
        Json::Number(text) => number(text),
        Json::Array(_) | Json::Object(_) => {
            let mut out = String::new();
            repr(&mut out, value);
            Cow::Owned(out)
        }
    }
}

/// The text that EXACT compares, before it is lower-cased: `str`, but lists and objects as JSON with
/// sorted keys.
#[must_use]
pub fn exact_text<'a>(value: &'a Json<'_>) -> Cow<'a, str> {
    match value {
        Json::Array(_) | Json::Object(_) => {
            let mut out = String::new();
            json_sorted(&mut out, value);
            Cow::Owned(out)
        }
        _ => python_str(value),
    }
}

/// Whether EXACT holds for two values.
#[must_use]
pub fn exactly_equal(a: &Json<'_>, b: &Json<'_>) -> bool {
    match (a, b) {
        (Json::String(a), Json::String(b)) => equal_lowered(a, b),
        (Json::Number(a), Json::Number(b)) => a == b || number(a) == number(b),
        (Json::Array(_) | Json::Object(_), Json::Array(_) | Json::Object(_)) if a == b => true,
        _ => equal_lowered(&exact_text(a), &exact_text(b)),
    }
}

fn equal_lowered(a: &str, b: &str) -> bool {
    if a.is_ascii() && b.is_ascii() {
        return a.eq_ignore_ascii_case(b);
    }
    a == b || a.to_lowercase() == b.to_lowercase()
}

/// A JSON number as Python prints what `json.loads` makes of it: an `int` exactly, however long, a
/// `float` by its shortest digits.
fn number(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()) {
        return if text == "-0" { Cow::Borrowed("0") } else { Cow::Borrowed(text) };
    }
    text.parse::<f64>().map_or(Cow::Borrowed(text), |float| Cow::Owned(python_float(float)))
}

/// A float as Python's `repr` prints it: the shortest digits that read back, with an exponent of at
/// least two digits below 1e-4 and from 1e16 on.
#[must_use]
pub fn python_float(float: f64) -> String {
    if float.is_nan() {
        return "nan".to_owned();
    }
    if float.is_infinite() {
        return if float < 0.0 { "-inf" } else { "inf" }.to_owned();
    }
    let scientific = format!("{float:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let fixed = format!("{float}");
        return if fixed.contains('.') { fixed } else { fixed + ".0" };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

/// Python's `repr` of a list, a dictionary or what they hold.
fn repr(out: &mut String, value: &Json<'_>) {
    match value {
        Json::String(text) => repr_text(out, text),
        Json::Array(items) => {
            out.push('[');
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    out.push_str(", ");
                }
                repr(out, item);
            }
            out.push(']');
        }
        Json::Object(object) => {
            out.push('{');
            for (position, entry) in object.entries().iter().enumerate() {
                if position > 0 {
                    out.push_str(", ");
                }
                repr_text(out, &entry.key);
                out.push_str(": ");
                repr(out, &entry.value);
            }
            out.push('}');
        }
        scalar => out.push_str(&python_str(scalar)),
    }
}

/// Python's `repr` of a string: single quotes, unless it holds some and no double ones.
fn repr_text(out: &mut String, text: &str) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            ' '..='~' => out.push(character),
            _ if is_printable(character) => out.push(character),
            _ => {
                let code = u32::from(character);
                // Writing into a `String` cannot fail.
                let _ = match code {
                    0..0x100 => write!(out, "\\x{code:02x}"),
                    0x100..0x1_0000 => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                };
            }
        }
    }
    out.push(quote);
}

fn is_printable(character: char) -> bool {
    let code = u32::from(character);
    if code < 0x80 {
        return (0x20..0x7F).contains(&code);
    }
    let after = NOT_PRINTABLE.partition_point(|(first, _)| *first <= code);
    after == 0 || NOT_PRINTABLE[after - 1].1 < code
}

/// `json.dumps(value, sort_keys=True)`: `, ` and `: ` between parts, everything beyond ASCII escaped.
fn json_sorted(out: &mut String, value: &Json<'_>) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Json::Number(text) => {
            let printed = number(text);
            out.push_str(match &*printed {
                "inf" => "Infinity",
                "-inf" => "-Infinity",
                other => other,
            });
        }
        Json::String(text) => json_text(out, text),
        Json::Array(items) => {
            out.push('[');
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    out.push_str(", ");
                }
                json_sorted(out, item);
            }
            out.push(']');
        }
        Json::Object(object) => {
            // Bytes of UTF-8 sort as code points do, which is Python's order.
            let mut entries: Vec<&Entry<'_>> = object.entries().iter().collect();
            entries.sort_unstable_by(|a, b| a.key.cmp(&b.key));
            out.push('{');
            for (position, entry) in entries.into_iter().enumerate() {
                if position > 0 {
                    out.push_str(", ");
                }
                json_text(out, &entry.key);
                out.push_str(": ");
                json_sorted(out, &entry.value);
            }
            out.push('}');
        }
    }
}

fn json_text(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(character),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
}

/// Whether a text is empty or whitespace alone, as Python's `strip` sees it: Unicode white space and
/// the four information separators.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|character| character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character))
}
