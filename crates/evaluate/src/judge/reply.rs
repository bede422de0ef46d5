//! Parses a judge's reply by the form of its mode: points and reasons by name, plus further
//! statements.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::IgnoredAny;

use super::form::{Form, HOLDS, Kind, NONE, SCORE, VERDICTS};
use super::modes::Scale;
use crate::scoring::CaseVerdict;
use crate::scoring::json::{Json, Object, parse_object};

/// A parsed reply, in one form for all modes.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ReadReply {
    /// Points by dimension or criterion; `score` if there is only one.
    pub points: BTreeMap<String, f64>,
    /// Reasons by the same names.
    pub reasons: BTreeMap<String, String>,
    /// The stated verdict.
    pub verdict: Option<CaseVerdict>,
    /// The stated total of the points.
    pub total: Option<f64>,
    /// The kinds of failure, the main one first.
    pub faults: Vec<String>,
    /// Further yes-or-no statements, by name.
    pub flags: BTreeMap<&'static str, bool>,
}

/// Parses a reply: the last JSON object of the right form. Text around it is ignored, and so is
/// everything before the end of reasoning (`</think>`).
///
/// # Errors
/// A property is missing, unknown, of the wrong type or out of range, by name.
pub(super) fn read(form: &Form, text: &str) -> Result<ReadReply, String> {
    let said = without_reasoning(text);
    let mut failure = None;
    for object in objects(said).into_iter().rev() {
        match read_object(form, object) {
            Ok(read) => return Ok(read),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    match failure {
        Some(error) => Err(error),
        None => read_object(form, said),
    }
}

fn read_object(form: &Form, text: &str) -> Result<ReadReply, String> {
    let mut object = parse_object(text.as_bytes())
        .map_err(|error| format!("line {}, column {}: {}", error.line, error.column, error.message))?;
    known(&object, &form.properties.iter().map(|property| property.name).collect::<Vec<_>>())?;
    let mut read = ReadReply::default();
    for property in &form.properties {
        let name = property.name;
        let value = required(&mut object, name)?;
        match property.kind {
            Kind::Reason => drop(read.reasons.insert(SCORE.to_owned(), words(name, value)?)),
            Kind::Score(scale) => {
                read.points.insert(name.to_owned(), number(name, &value, Some(scale))?);
            }
            Kind::Mark(key, scale) => {
                let (reason, given) = reasoned(name, key, value)?;
                read.reasons.insert(name.to_owned(), reason);
                read.points.insert(name.to_owned(), number(name, &given, Some(scale))?);
            }
            Kind::Holds => {
                let (reason, holds) = reasoned(name, HOLDS, value)?;
                let Json::Bool(holds) = holds else { return Err(other(name, "true or false", &holds)) };
                read.reasons.insert(name.to_owned(), reason);
                read.points.insert(name.to_owned(), f64::from(u8::from(holds)));
            }
            Kind::Choice(choice) => {
                let word = words(name, value)?;
                if word != NONE && !choice.contains(&word.as_str()) {
                    return Err(format!("`{name}` is {word:?}: expected {} or {NONE}", choice.join(", ")));
                }
                if word != NONE && !read.faults.contains(&word) {
                    read.faults.push(word);
                }
            }
            Kind::Total => read.total = Some(number(name, &value, None)?),
            Kind::Flag => {
                let Json::Bool(holds) = value else { return Err(other(name, "true or false", &value)) };
                read.flags.insert(name, holds);
            }
            Kind::Verdict => {
                let says =
                    |verdict: &CaseVerdict| matches!(&value, Json::String(word) if word == verdict.name());
                let verdict = VERDICTS.into_iter().find(says);
                read.verdict =
                    verdict.ok_or_else(|| other(name, "`pass`, `partial` or `fail`", &value)).map(Some)?;
            }
        }
    }
    Ok(read)
}

/// Parses an object with a reason and the value under `key`.
fn reasoned<'a>(name: &str, key: &str, value: Json<'a>) -> Result<(String, Json<'a>), String> {
    let Json::Object(mut object) = value else { return Err(other(name, "an object", &value)) };
    let of = |error: String| format!("{name}: {error}");
    known(&object, &["reason", key]).map_err(of)?;
    let reason = words("reason", required(&mut object, "reason").map_err(of)?)?;
    Ok((reason, required(&mut object, key).map_err(of)?))
}

fn required<'a>(object: &mut Object<'a>, name: &str) -> Result<Json<'a>, String> {
    object.shift_remove(name).ok_or_else(|| format!("missing field `{name}`"))
}

/// Checks that an object has only these keys.
fn known(object: &Object<'_>, names: &[&str]) -> Result<(), String> {
    let unknown = object.keys().find(|key| !names.contains(&key.as_ref()));
    unknown.map_or(Ok(()), |unknown| Err(format!("unknown field `{unknown}`")))
}

fn words(name: &str, value: Json<'_>) -> Result<String, String> {
    match value {
        Json::String(text) => Ok(Cow::into_owned(text)),
        value => Err(other(name, "a text", &value)),
    }
}

fn number(name: &str, value: &Json<'_>, scale: Option<Scale>) -> Result<f64, String> {
    let given = value.as_f64().ok_or_else(|| other(name, "a number", value))?;
    match scale {
        Some(Scale { least, most, .. }) if !(least..=most).contains(&given) => {
            Err(format!("{name} is {given}: expected {least} to {most}"))
        }
        _ => Ok(given),
    }
}

fn other(name: &str, expected: &str, value: &Json<'_>) -> String {
    format!("`{name}` must be {expected}, not {}", value.kind_name())
}

/// End marks of the reasoning that some models put before their reply.
const REASONING_ENDS: [&str; 3] = ["</think>", "</thinking>", "</reasoning>"];

/// The reply without its reasoning.
fn without_reasoning(text: &str) -> &str {
    let ends = REASONING_ENDS.iter().filter_map(|end| Some(text.rfind(end)? + end.len()));
    text[ends.max().unwrap_or(0)..].trim()
}

/// The maximum nesting of objects in a reply, with a margin. It keeps the time linear when a brace
/// in prose never closes.
const MAX_LEVELS: usize = 16;

/// The outermost JSON objects in a text, in order.
fn objects(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find('{').map(|start| at + start) {
        let object = closing(&text[start..]).map(|end| &text[start..start + end]);
        let object = object.filter(|object| serde_json::from_str::<IgnoredAny>(object).is_ok());
        found.extend(object);
        at = start + object.map_or(1, str::len);
    }
    found
}

/// The end of the object at the start of a text: after the matching brace, ignoring braces in
/// strings.
fn closing(text: &str) -> Option<usize> {
    let (mut level, mut in_string, mut escaped) = (0, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' if !escaped => in_string = !in_string,
            b'{' if !in_string => level += 1,
            b'}' if !in_string => level -= 1,
            _ => {}
        }
        escaped = in_string && byte == b'\\' && !escaped;
        match level {
            0 => return Some(at + 1),
            level if level > MAX_LEVELS => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{JudgeMode, JudgeRequest};

    fn plausibility() -> Form {
        Form::of(&JudgeRequest::new(JudgeMode::Plausibility, "q", "a"))
    }

    #[test]
    fn what_is_missing_or_unknown_is_named() {
        let read = |text: &str| read(&plausibility(), text);
        assert!(read(r#"{"reason": "r", "verdict": "pass"}"#).unwrap_err().contains("missing field `score`"));
        assert!(
            read(r#"{"reason": "r", "score": 5, "verdict": "pass", "bonus": 5}"#)
                .unwrap_err()
                .contains("`bonus`")
        );
        assert!(read("Looks good: 5 of 5").unwrap_err().contains("line 1"));
        let twice = r#"{"reason": "r", "score": 1, "score": 5, "verdict": "pass"}"#;
        assert!(read(twice).unwrap_err().contains("occurs twice"), "a duplicate key is ambiguous");
        let said = r#"{"reason": "r", "score": "5", "verdict": "pass"}"#;
        assert!(read(said).unwrap_err().contains("`score` must be a number, not a string"));
        let open = r#"{"reason": "r", "score": 5, "verdict": "unscored"}"#;
        assert!(read(open).unwrap_err().contains("`pass`, `partial` or `fail`"));
        let fenced = "```json\n{\"reason\": \"r\", \"score\": 5, \"verdict\": \"pass\"}\n```";
        assert_eq!(read(fenced).unwrap().points[SCORE], 5.0);
    }

    #[test]
    fn the_last_object_that_fits_counts_wherever_it_stands() {
        let read = |text: &str| read(&plausibility(), text).map(|read| read.points[SCORE]);
        let say =
            |score: u8| format!(r#"{{"reason": "it {{says}} so", "score": {score}, "verdict": "pass"}}"#);
        for text in [
            format!("<think>\nperhaps {} or {{x}}\n</think>\n{}", say(1), say(5)),
            format!("<think>{{\"a\": 1}}</think>```json\n{}\n```", say(5)),
            format!("First {}, then, on reflection, {} is my verdict.", say(2), say(5)),
            format!("{} (as in {{\"another\": \"object\"}})", say(5)),
            format!("reasoning without its beginning {}</think>{}", say(3), say(5)),
        ] {
            assert_eq!(read(&text).unwrap(), 5.0, "{text}");
        }
        // a draft in the reasoning is no reply, nor is an object in another one
        assert!(read(&format!("<think>{}</think> I cannot say.", say(5))).is_err());
        assert!(read(&format!(r#"{{"result": {}}}"#, say(5))).unwrap_err().contains("`result`"));
    }

    #[test]
    fn a_reply_takes_time_in_proportion_to_its_length() {
        for unit in ["{", "{\"a\":", "{\"a\":[", "{\"", "</think>", "{}", "[{\"a\": \"b", "<think>{\"a\": {"]
        {
            let time = |length: usize| {
                let text = unit.repeat(length / unit.len());
                let started = std::time::Instant::now();
                assert!(read(&plausibility(), &text).is_err());
                started.elapsed().as_secs_f64()
            };
            let (short, long) = (time(25_000), time(200_000));
            assert!(long < short.max(0.004) * 8.0 * 4.0, "{unit}: {short} s, then {long} s");
        }
    }
}
