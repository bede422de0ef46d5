//! The text that EXACT compares: `str(gt).lower() == str(aio).lower()` as Python prints values, with objects and lists as
//! `json.dumps(…, sort_keys=True)` (metrics plan, "Strategy Behaviors").

use std::borrow::Cow;
use std::fmt::Write as _;

use super::document::Json;

/// The text of a value before lower-casing: `True`, `None`, `1.0`, `1e+16`, `[1, "a"]`.
#[must_use]
pub fn exact_text<'a>(value: &'a Json<'_>) -> Cow<'a, str> {
    match value {
        Json::String(text) => Cow::Borrowed(text),
        Json::Null => Cow::Borrowed("None"),
        Json::Bool(true) => Cow::Borrowed("True"),
        Json::Bool(false) => Cow::Borrowed("False"),
        Json::Number(text) => number(text),
        Json::Array(_) | Json::Object(_) => {
            let mut out = String::new();
            json_sorted(&mut out, value);
            Cow::Owned(out)
        }
    }
}

/// Whether EXACT holds for two values.
#[must_use]
pub(crate) fn exactly_equal(a: &Json<'_>, b: &Json<'_>) -> bool {
    if a == b {
        return true;
    }
    let (a, b) = (exact_text(a), exact_text(b));
    a == b || a.to_lowercase() == b.to_lowercase()
}

/// A JSON number as Python prints it after `json.loads`: an `int` exactly, a `float` by its shortest digits. A number beyond
/// the range of floats, such as `1e309` or `1e-400`, stays exact, so that two different ones never compare equal.
fn number(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()) {
        return if text == "-0" { Cow::Borrowed("0") } else { Cow::Borrowed(text) };
    }
    match text.parse::<f64>() {
        Ok(float) if !is_beyond(float, text) => Cow::Owned(python_float(float)),
        _ => Cow::Owned(exact_decimal(text)),
    }
}

/// Whether the number is outside the range of floats: it overflows, or it underflows to zero.
fn is_beyond(float: f64, text: &str) -> bool {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    float.is_infinite() || (float == 0.0 && mantissa.bytes().any(|byte| matches!(byte, b'1'..=b'9')))
}

/// A JSON number in one canonical form, `1.2e+309`; unchanged (in lower case) if its exponent does not fit 64 bits.
fn exact_decimal(text: &str) -> String {
    let (sign, rest) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let leading = digits.len() - digits.trim_start_matches('0').len();
    let shift = i64::try_from(whole.len()).ok().zip(i64::try_from(leading).ok());
    let exponent = exponent.parse::<i64>().ok().zip(shift).and_then(|(exponent, (whole, leading))| {
        exponent.checked_add(whole)?.checked_sub(leading)?.checked_sub(1)
    });
    let Some(exponent) = exponent else { return text.to_ascii_lowercase() };
    let digits = digits.trim_matches('0');
    let (first, others) = digits.split_at(digits.len().min(1));
    let point = if others.is_empty() { "" } else { "." };
    format!("{sign}{first}{point}{others}e{exponent:+03}")
}

/// A float as Python's `repr` prints it: the shortest digits that read back. Below 1e-4 and from 1e16 on it has an exponent
/// of at least two digits.
#[must_use]
pub(crate) fn python_float(float: f64) -> String {
    if float.is_infinite() {
        return if float < 0.0 { "-inf" } else { "inf" }.to_owned();
    }
    let scientific = format!("{float:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        return format!("{float:?}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

/// `json.dumps(value, sort_keys=True)`: separators `, ` and `: `, non-ASCII characters escaped.
fn json_sorted(out: &mut String, value: &Json<'_>) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Json::Number(text) => out.push_str(&number(text)),
        Json::String(text) => json_text(out, text),
        Json::Array(items) => {
            out.push('[');
            for (position, item) in items.iter().enumerate() {
                out.push_str(if position > 0 { ", " } else { "" });
                json_sorted(out, item);
            }
            out.push(']');
        }
        Json::Object(object) => {
            // UTF-8 bytes sort in code-point order, which is Python's order.
            let mut entries: Vec<_> = object.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            out.push('{');
            for (position, (key, value)) in entries.into_iter().enumerate() {
                out.push_str(if position > 0 { ", " } else { "" });
                json_text(out, key);
                out.push_str(": ");
                json_sorted(out, value);
            }
            out.push('}');
        }
    }
}

/// A string as `serde_json` escapes it, with non-ASCII characters as UTF-16 code units.
fn json_text(out: &mut String, text: &str) {
    for character in serde_json::Value::from(text).to_string().chars() {
        match character {
            ' '..='~' => out.push(character),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    // Writing into a `String` cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
}

/// Whether a text is empty or only white space in the sense of Python's `strip`: Unicode white space and the four
/// information separators.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|character| character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character))
}
