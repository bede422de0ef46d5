//! Rows of SQL tables, before they are written.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::truth::Quarantined;

/// The number of rows written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct WrittenTables {
    /// Rows of `records`.
    pub records: usize,
    /// Rows of `data_points`.
    pub values: usize,
    /// Rows of `changes`.
    pub changes: usize,
    /// Rows of `checks`.
    pub checks: usize,
    /// Rows of `runs`.
    pub runs: usize,
    /// Rows of `answers`.
    pub answers: usize,
    /// Spot checks. `spot_checks` has one row per data point.
    pub spot_checks: usize,
    /// Rows of `questions`; none without a manifest.
    pub questions: Option<usize>,
    /// Unreadable records, which are in no table.
    pub quarantined: Vec<Quarantined>,
}

/// Rows by table. An object's keys name the columns. Unknown keys are ignored, and a column without
/// a key is empty.
pub(super) type Rows = Vec<(&'static str, Map<String, Value>)>;

/// The fields of a value.
pub(super) fn fields(value: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// The fields, extended or overridden by others.
pub(super) fn with(mut fields: Map<String, Value>, more: Value) -> Map<String, Value> {
    if let Value::Object(more) = more {
        fields.extend(more);
    }
    fields
}

/// A value as column text.
pub(super) fn text(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}
