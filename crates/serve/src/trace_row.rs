//! A production trace: parsing, checks and storage. Unknown fields are rejected, so nothing else of a request is
//! stored.

use atlas_gt_evaluate::agent::ExecutionTrace;
use atlas_gt_scoring::tools::DataTools;
use atlas_gt_truth::Pipeline;
use jiff::{SignedDuration, Timestamp};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// Maximum number of characters stored of a question or an error. The rest is cut off.
pub const MAX_TEXT: usize = 4000;

/// Maximum length of a thread, tool, node or pipeline name, in characters.
const MAX_NAME: usize = 200;

/// Maximum number of tools or nodes of a trace.
const MAX_STEPS: usize = 1000;

/// How far the clock of an agent may be ahead.
const AHEAD: SignedDuration = SignedDuration::from_hours(1);

/// The document tool. If a trace calls no other tool, its pipeline is `docs`.
const DOCS_TOOL: &str = "docs_tool";

/// A row of `request_traces`, and the JSON of `POST /api/traces`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TraceRow {
    /// A UUID. Equal ids are the same trace. Without an id, each request is a new trace.
    pub id: Option<String>,
    /// The conversation.
    pub thread_id: String,
    /// The question's text.
    pub question: String,
    /// Names of the tools in call order.
    pub tool_calls: Option<Vec<String>>,
    /// Names of the nodes in execution order.
    pub node_sequence: Option<Vec<String>>,
    /// `sql`, `graphql`, `docs` or `mixed`; derived from the tools if omitted.
    pub pipeline_used: Option<String>,
    /// Milliseconds from question to answer.
    pub latency_ms: Option<i32>,
    /// The error, if the request failed.
    pub error: Option<String>,
    /// When the question arrived; now if omitted.
    #[serde(serialize_with = "as_moment", deserialize_with = "from_moment")]
    pub created_at: Option<Timestamp>,
    /// Calls used of the GraphQL budget when the request ended.
    pub budget_used: Option<i32>,
    /// The budget's limit.
    pub budget_limit: Option<i32>,
    /// State of the circuit breaker: `closed`, `open` or `half_open`.
    pub breaker: Option<String>,
    /// Tokens sent to models.
    pub input_tokens: Option<i64>,
    /// Tokens received from models.
    pub output_tokens: Option<i64>,
    /// Cost of the request in US dollars.
    pub cost_usd: Option<f64>,
    /// The user's feedback: 1 or -1.
    pub feedback: Option<i16>,
}

impl TraceRow {
    /// The row to store: with texts cut to their limits, and with id, time and pipeline filled in.
    ///
    /// # Errors
    /// The first invalid field, with the reason.
    pub fn checked(mut self, now: Timestamp) -> Result<Self, String> {
        self.id = Some(match self.id.take() {
            Some(id) => uuid(&id).ok_or_else(|| format!("`id`: {id:?} is not a UUID"))?,
            None => random_uuid()?,
        });
        for (key, text) in [("thread_id", &self.thread_id), ("question", &self.question)] {
            if text.trim().is_empty() {
                return Err(format!("`{key}` is missing or empty"));
            }
        }
        self.question = cut(&self.question, MAX_TEXT);
        self.thread_id = cut(&self.thread_id, MAX_NAME);
        self.error = self.error.filter(|error| !error.trim().is_empty()).map(|error| cut(&error, MAX_TEXT));
        for (key, names) in [("tool_calls", &mut self.tool_calls), ("node_sequence", &mut self.node_sequence)]
        {
            if names.as_ref().is_some_and(|names| names.len() > MAX_STEPS) {
                return Err(format!("`{key}` has more than {MAX_STEPS} entries"));
            }
            for name in names.iter_mut().flatten() {
                *name = cut(name, MAX_NAME);
            }
        }
        for (key, number) in [
            ("latency_ms", self.latency_ms.map(i64::from)),
            ("budget_used", self.budget_used.map(i64::from)),
            ("budget_limit", self.budget_limit.map(i64::from)),
            ("input_tokens", self.input_tokens),
            ("output_tokens", self.output_tokens),
        ] {
            if number.is_some_and(|number| number < 0) {
                return Err(format!("`{key}` is below 0"));
            }
        }
        if self.cost_usd.is_some_and(|cost| !cost.is_finite() || cost < 0.0) {
            return Err("`cost_usd` is not an amount".to_owned());
        }
        if self.breaker.as_deref().is_some_and(|state| !["closed", "open", "half_open"].contains(&state)) {
            return Err("`breaker` is not closed, open or half_open".to_owned());
        }
        if self.feedback.is_some_and(|thought| thought != 1 && thought != -1) {
            return Err("`feedback` is not 1 or -1".to_owned());
        }
        let given = self.pipeline_used.take().filter(|name| !name.trim().is_empty());
        self.pipeline_used =
            given.map(|name| cut(name.trim(), MAX_NAME).to_lowercase()).or_else(|| self.pipeline());
        let at = self.created_at.unwrap_or(now);
        // it would count as one of the last hour until then
        if at > now.saturating_add(AHEAD).unwrap_or(now) {
            return Err(format!("`created_at` is {}, but the clock says {}", moment(at), moment(now)));
        }
        self.created_at = Some(at);
        Ok(self)
    }

    /// The pipeline by the called tools; `None` if they do not tell.
    fn pipeline(&self) -> Option<String> {
        let tools = self.tool_calls.clone()?;
        let docs = tools.iter().any(|tool| tool == DOCS_TOOL);
        let trace = ExecutionTrace {
            tool_calls: tools,
            node_sequence: self.node_sequence.clone().unwrap_or_default(),
            ..ExecutionTrace::default()
        };
        match trace.pipeline(&DataTools::default()) {
            Pipeline::None | Pipeline::Unknown => docs.then(|| "docs".to_owned()),
            data => Some(data.to_string()),
        }
    }

    /// Reads and checks a row.
    ///
    /// # Errors
    /// The first invalid field, with the reason.
    pub fn read(value: Value, now: Timestamp) -> Result<Self, String> {
        serde_json::from_value::<Self>(value).map_err(|error| error.to_string())?.checked(now)
    }

    /// The row of a parsed trace.
    #[must_use]
    pub fn of(trace: &ExecutionTrace, thread_id: String, question: String) -> Self {
        Self {
            thread_id,
            question,
            tool_calls: trace.calls.is_some().then(|| trace.tool_calls.clone()),
            node_sequence: Some(trace.node_sequence.clone()).filter(|nodes| !nodes.is_empty()),
            pipeline_used: match trace.pipeline(&DataTools::default()) {
                Pipeline::None | Pipeline::Unknown => None,
                data => Some(data.to_string()),
            },
            latency_ms: i32::try_from(trace.total_duration_ms).ok().filter(|ms| *ms > 0),
            error: trace.error.clone(),
            input_tokens: trace.usage.and_then(|usage| i64::try_from(usage.input_tokens).ok()),
            output_tokens: trace.usage.and_then(|usage| i64::try_from(usage.output_tokens).ok()),
            ..Self::default()
        }
    }
}

/// A timestamp in the form both databases accept: UTC with milliseconds.
#[must_use]
pub fn moment(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}

fn from_moment<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Timestamp>, D::Error> {
    let read = |value: Value| {
        let at = value.as_str().and_then(|text| text.parse().ok());
        let wrong = || {
            D::Error::custom(format!("`created_at`: {value} is not a time: write \"2026-06-30T12:00:00Z\""))
        };
        at.ok_or_else(wrong)
    };
    Option::<Value>::deserialize(value)?.map(read).transpose()
}

fn as_moment<S: serde::Serializer>(at: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
    at.map(moment).serialize(serializer)
}

/// Cuts a text to `most` characters and marks the cut with `…`. Replaces NUL, which PostgreSQL rejects.
fn cut(text: &str, most: usize) -> String {
    let mut kept: String = text.chars().take(most).map(|c| if c == '\0' { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(most).is_some() {
        kept.push('…');
    }
    kept
}

/// Normalizes a UUID with or without hyphens.
pub(crate) fn uuid(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(|c| *c != '-').collect::<String>().to_ascii_lowercase();
    let is_hex = digits.len() == 32 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex.then(|| {
        format!(
            "{}-{}-{}-{}-{}",
            &digits[..8],
            &digits[8..12],
            &digits[12..16],
            &digits[16..20],
            &digits[20..]
        )
    })
}

fn random_uuid() -> Result<String, String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| format!("could not create an id: {error}"))?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    uuid(&digits).ok_or_else(|| "could not create an id".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(json: &str) -> Result<TraceRow, String> {
        let row: TraceRow = serde_json::from_str(json).map_err(|error| error.to_string())?;
        row.checked("2026-11-26T10:00:00.1234Z".parse().unwrap())
    }

    #[test]
    fn a_row_is_whole_before_it_is_kept() {
        let long = "x".repeat(MAX_TEXT + 1);
        let kept = row(&format!(
            r#"{{"thread_id": "t", "question": "{long}", "error": "a\u0000b", "tool_calls": ["atlas_graphql", "query_tool"]}}"#
        ))
        .unwrap();
        assert_eq!(kept.question.chars().count(), MAX_TEXT + 1);
        assert!(kept.question.ends_with('…') && kept.error.as_deref() == Some("a\u{fffd}b"));
        assert_eq!(kept.pipeline_used.as_deref(), Some("mixed"));
        assert_eq!(moment(kept.created_at.unwrap()), "2026-11-26T10:00:00.123Z");
        assert_eq!(uuid(kept.id.as_deref().unwrap()), kept.id);
        let docs = row(r#"{"thread_id": "t", "question": "q", "tool_calls": ["docs_tool"]}"#).unwrap();
        assert_eq!(docs.pipeline_used.as_deref(), Some("docs"));
        assert_eq!(
            row(r#"{"thread_id": "t", "question": "q", "tool_calls": []}"#).unwrap().pipeline_used,
            None
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (json, said) in [
            (r#"{"thread_id": "t", "question": "q", "user_email": "a@b"}"#, "user_email"),
            (r#"{"thread_id": "t"}"#, "`question`"),
            (r#"{"thread_id": "t", "question": "q", "id": "1"}"#, "not a UUID"),
            (r#"{"thread_id": "t", "question": "q", "latency_ms": -1}"#, "`latency_ms`"),
            (r#"{"thread_id": "t", "question": "q", "breaker": "on"}"#, "`breaker`"),
            (r#"{"thread_id": "t", "question": "q", "feedback": 5}"#, "`feedback`"),
        ] {
            let error = row(json).unwrap_err();
            assert!(error.contains(said), "{json}: {error}");
        }
    }
}
