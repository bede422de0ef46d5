//! A record of another tool, with its remarks and the verification beside it.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::keys;
use super::quarantined::QuarantinedFile;
use crate::config::ShownPage;
use crate::manifest::QuestionId;
use crate::truth::{Site, SourceMethod};
use crate::words::json_kind;
use atlas_gt_core::clock::read_moment;

/// A record as written by another tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignRecord {
    /// The file.
    pub path: PathBuf,
    /// The question id from the folder. If the record's own id differs, the record is quarantined.
    pub id: QuestionId,
    /// The time of collection.
    pub time: Option<Moment>,
    /// The origin of the question.
    pub source: Option<String>,
    /// The source method in the record's own word. [`ForeignRecord::source_method`] interprets it.
    pub method: Option<String>,
    /// The stated address of the values.
    pub address: Option<String>,
    /// The tool that the agent should use, in the record's own word.
    pub expected_tool: Option<String>,
    /// The query type that the agent should use, in the record's own word.
    pub expected_query_type: Option<String>,
    /// The rows.
    pub rows: Vec<Map<String, Value>>,
    /// Rows that are no longer considered true.
    pub archived: Vec<Map<String, Value>>,
    /// The expected behavior, if there is no value.
    pub behavior: Option<String>,
    /// A remark on the whole record.
    pub note: Option<String>,
    /// An error during collection.
    pub error: Option<String>,
    /// What a person saw on the page.
    pub verification: Option<Verification>,
    /// Unknown keys with their values.
    pub other: Vec<(String, Value)>,
}

/// A time as written in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// The text.
    pub text: String,
    /// The parsed time. A zone stated twice (`+00:00Z`) counts once, a missing one means UTC.
    pub at: Option<Timestamp>,
    /// Whether the text is valid RFC 3339.
    pub is_rfc3339: bool,
}

/// What a person saw who compared a record with the page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Verification {
    /// The file, if it has its own.
    pub path: Option<PathBuf>,
    /// The verified value.
    pub value: Option<String>,
    /// The record's value, as quoted by the verification.
    pub stored: Option<String>,
    /// The value that the page showed.
    pub shown: Option<String>,
    /// The result of the comparison; `None` if none is stated.
    pub matches: Option<MatchWord>,
    /// Remarks.
    pub notes: Option<String>,
    /// The time.
    pub time: Option<Moment>,
    /// The method.
    pub method: Option<String>,
    /// The visited address.
    pub address: Option<String>,
}

/// The result of a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchWord {
    /// Record and page agree.
    Yes,
    /// They disagree.
    No,
    /// They agree in part.
    Partial,
}

impl Moment {
    /// Parses a time.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let is_rfc3339 = text.parse::<Timestamp>().is_ok() && text.contains('T');
        Self { text: text.to_owned(), at: read_moment(text), is_rfc3339 }
    }
}

impl ForeignRecord {
    /// The source method for the record's own word; none if there is no word or an unknown one.
    #[must_use]
    pub fn source_method(&self) -> Option<SourceMethod> {
        Some(keys::method(self.method.as_deref()?)?.0)
    }

    /// Its page, as shown. A record that names no site belongs to the Atlas.
    #[must_use]
    pub(crate) fn page(&self) -> ShownPage<'_> {
        let named = self.other.iter().find(|(key, _)| key == "site");
        let site = named.map_or(Some(Site::Live), |(_, site)| site.as_str()?.parse().ok());
        // an unknown site is treated like a mirror, of which least is shown
        site.unwrap_or(Site::Mirror).page(self.address.as_deref().unwrap_or_default())
    }

    /// Whether a person also checked the page, according to the method word or a verification.
    #[must_use]
    pub(crate) fn was_looked_at(&self) -> bool {
        let by_method = self.method.as_deref().and_then(keys::method).is_some_and(|(_, looked)| looked);
        by_method || self.verification.is_some()
    }

    /// Parses a record.
    ///
    /// # Errors
    /// The part that cannot be parsed, with its key.
    pub(crate) fn read(path: &Path, id: &QuestionId, json: Value) -> Result<Self, QuarantinedFile> {
        let wrong = |key: &str, reason: String| QuarantinedFile::new(path, key, reason);
        let Value::Object(object) = json else {
            return Err(wrong("", format!("is {}: a record is an object", json_kind(&json))));
        };
        let mut record = Self {
            path: path.to_owned(),
            id: id.clone(),
            time: None,
            source: None,
            method: None,
            address: None,
            expected_tool: None,
            expected_query_type: None,
            rows: Vec::new(),
            archived: Vec::new(),
            behavior: None,
            note: None,
            error: None,
            verification: None,
            other: Vec::new(),
        };
        record.take(object, "", &wrong)?;
        Ok(record)
    }

    fn take(
        &mut self,
        object: Map<String, Value>,
        above: &str,
        wrong: &dyn Fn(&str, String) -> QuarantinedFile,
    ) -> Result<(), QuarantinedFile> {
        for (key, value) in object {
            let at = if above.is_empty() { key.clone() } else { format!("{above}.{key}") };
            let first = |slot: &mut Option<String>, text: Option<String>| {
                if slot.is_none() {
                    *slot = text;
                }
            };
            match keys::of_record(&key) {
                Some("results") => match value {
                    Value::Object(inner) => self.take(inner, &at, wrong)?,
                    Value::Array(_) => self.values(rows(value).map_err(|why| wrong(&at, why))?),
                    Value::Null => {}
                    other => return Err(wrong(&at, format!("is {}: expected an object", json_kind(&other)))),
                },
                Some("data") => self.values(rows(value).map_err(|why| wrong(&at, why))?),
                Some("archived") => self.archived.extend(rows(value).map_err(|why| wrong(&at, why))?),
                Some("id") => {
                    let said = text(&value).unwrap_or_default();
                    if !said.is_empty() && said != self.id.as_str() {
                        let why = format!(
                            "states question {said} but is in the folder of question {}: move it to its own folder",
                            self.id
                        );
                        return Err(wrong(&at, why));
                    }
                }
                Some("time") => {
                    if let Some(text) = text(&value).filter(|_| self.time.is_none()) {
                        self.time = Some(Moment::read(&text));
                    }
                }
                Some("source") => first(&mut self.source, text(&value)),
                Some("method") => first(&mut self.method, text(&value)),
                Some("address") => first(&mut self.address, text(&value)),
                Some("tool") => first(&mut self.expected_tool, text(&value)),
                Some("query_type") => first(&mut self.expected_query_type, text(&value)),
                Some("behavior") => first(&mut self.behavior, text(&value)),
                Some("note") => first(&mut self.note, text(&value)),
                Some("error") => first(&mut self.error, text(&value)),
                Some("verification") => {
                    if let Value::Object(inner) = &value {
                        self.verification = Verification::read(inner, None);
                    }
                }
                _ => self.other.push((at, value)),
            }
        }
        Ok(())
    }
}

impl ForeignRecord {
    /// Adds rows. A row with an expected behavior is not a value.
    fn values(&mut self, rows: Vec<Map<String, Value>>) {
        for row in rows {
            let behavior = row.iter().find(|(key, _)| keys::of_record(key) == Some("behavior"));
            match behavior.and_then(|(_, value)| text(value)) {
                None => self.rows.push(row),
                Some(behavior) => {
                    let reason = ["reason", "note", "notes"].iter().find_map(|key| text(row.get(*key)?));
                    let whole =
                        reason.map_or_else(|| behavior.clone(), |reason| format!("{behavior}: {reason}"));
                    self.behavior = self.behavior.take().or(Some(whole));
                }
            }
        }
    }

    /// Whether this program wrote it: every row names its data point.
    #[must_use]
    pub fn is_own(&self) -> bool {
        !self.rows.is_empty() && self.rows.iter().all(|row| row.contains_key("data_point"))
    }
}

impl Verification {
    /// The value that the verification is about: the quoted one, or else the verified one.
    #[must_use]
    pub fn quoted(&self) -> Option<&str> {
        self.stored.as_deref().or(self.value.as_deref())
    }

    /// Parses a verification; `None` for an object that states no match.
    pub(crate) fn read(object: &Map<String, Value>, path: Option<&Path>) -> Option<Self> {
        let mut found = Self { path: path.map(Path::to_owned), ..Self::default() };
        let mut says = false;
        for (key, value) in object {
            for meaning in keys::of_verification(key) {
                let slot = match meaning {
                    "matches" => {
                        says = true;
                        found.matches = match_word(value);
                        break;
                    }
                    "time" => {
                        if found.time.is_some() {
                            continue;
                        }
                        found.time = text(value).map(|text| Moment::read(&text));
                        break;
                    }
                    "value" => &mut found.value,
                    "stored" => &mut found.stored,
                    "shown" => &mut found.shown,
                    "notes" => &mut found.notes,
                    "method" => &mut found.method,
                    "address" => &mut found.address,
                    _ => continue,
                };
                if slot.is_none() {
                    *slot = text(value);
                    break;
                }
            }
        }
        says.then_some(found)
    }
}

fn match_word(value: &Value) -> Option<MatchWord> {
    match value {
        Value::Bool(true) => Some(MatchWord::Yes),
        Value::Bool(false) => Some(MatchWord::No),
        Value::String(word) => match word.to_ascii_lowercase().as_str() {
            "true" | "yes" | "match" | "exact" => Some(MatchWord::Yes),
            "false" | "no" | "mismatch" => Some(MatchWord::No),
            "partial" | "partly" | "partially" => Some(MatchWord::Partial),
            _ => None,
        },
        _ => None,
    }
}

/// The rows in a value. Anything but an object becomes a row with that single value.
fn rows(value: Value) -> Result<Vec<Map<String, Value>>, String> {
    let items = match value {
        Value::Null => Vec::new(),
        Value::Array(items) => items,
        Value::Object(row) => vec![Value::Object(row)],
        other => return Err(format!("is {}: expected a list of rows", json_kind(&other))),
    };
    let row = |item| match item {
        Value::Object(row) => row,
        other => Map::from_iter([("value".to_owned(), other)]),
    };
    Ok(items.into_iter().map(row).collect())
}

/// A scalar as text, anything else as JSON; none for null and empty text.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(json: Value) -> Result<ForeignRecord, QuarantinedFile> {
        ForeignRecord::read(Path::new("7/ground_truth/results.json"), &"7".parse().unwrap(), json)
    }

    #[test]
    fn a_record_is_read_with_its_oddities() {
        let record = read(json!({
            "question_id": 7,
            "execution_timestamp": "2026-02-28T10:00:00+00:00Z",
            "source_method": "browser_treemap",
            "results": {"data": [{"metric": "GDP", "value": 1}, "free text"], "note": "a remark", "archived_data": [{"value": 2}]},
            "verification": {"verified_value": "$1", "page_showed": "$2", "match": "partial", "notes": "n", "timestamp": "2026-03-01"},
            "whatever": [1],
        }))
        .unwrap();
        assert_eq!((record.rows.len(), record.archived.len()), (2, 1));
        assert_eq!(record.source_method(), Some(SourceMethod::BrowserExplorePage));
        let time = record.time.unwrap();
        assert_eq!((time.at.unwrap().to_string().as_str(), time.is_rfc3339), ("2026-02-28T10:00:00Z", false));
        let seen = record.verification.unwrap();
        assert_eq!((seen.value.as_deref(), seen.matches), (Some("$1"), Some(MatchWord::Partial)));
        assert!(seen.time.unwrap().at.is_some());
        assert_eq!(record.other, [("whatever".to_owned(), json!([1]))]);
        assert_eq!(record.note.as_deref(), Some("a remark"));
    }

    #[test]
    fn what_is_no_record_is_quarantined_with_its_key() {
        let wrong = |json| {
            let quarantined = read(json).unwrap_err();
            (quarantined.key, quarantined.reason)
        };
        assert_eq!(wrong(json!([1])).1, "is a list: a record is an object");
        assert_eq!(wrong(json!({"results": {"data": "$1"}})).0, "results.data");
        let (key, reason) = wrong(json!({"question_id": "8", "results": {"data": []}}));
        assert!(key == "question_id" && reason.contains("states question 8"), "{reason}");
    }
}
