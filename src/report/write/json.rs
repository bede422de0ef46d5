//! Writes JSON documents and JSON lines. Every document starts with its schema version.

use serde::Serialize;
use serde_json::Value;

use super::report::{Format, Report};
use crate::error::{Error, Result};
pub use atlas_gt_core::json::{line, pretty};
pub use atlas_gt_core::versioned::{SCHEMA_VERSION, Versioned};

/// One line per item of the report's list, then the rest as `{"summary": …}`. A report without a
/// list is one line, unless its test cases are the items.
pub(super) fn lines<R: Report>(report: &R) -> Result<String> {
    if R::CASES_ARE_ITEMS {
        let mut text: String = report.cases().iter().map(line).collect::<Result<_>>()?;
        text.push_str(&line(&serde_json::json!({ "summary": Versioned::of(report) }))?);
        return Ok(text);
    }
    let Some(key) = R::ITEMS else { return line(&Versioned::of(report)) };
    let whole =
        serde_json::to_value(Versioned::of(report)).map_err(|error| Error::Usage(error.to_string()))?;
    let Value::Object(mut whole) = whole else { return line(&whole) };
    let mut text = String::new();
    if let Some(Value::Array(items)) = whole.remove(key) {
        for item in &items {
            text.push_str(&line(item)?);
        }
    }
    text.push_str(&line(&serde_json::json!({ "summary": whole }))?);
    Ok(text)
}

/// Prints the items of a long list one by one, so that the report never has to fit in memory.
#[derive(Debug)]
pub struct Items {
    format: Format,
    key: &'static str,
    printed: bool,
}

impl Items {
    /// The items of the list `key`. Formats other than JSON print nothing until the end.
    pub const fn new(format: Format, key: &'static str) -> Self {
        Self { format, key, printed: false }
    }

    /// The next piece of output: one item.
    ///
    /// # Errors
    /// Never for the types of this crate.
    pub fn item(&mut self, item: &impl Serialize) -> Result<String> {
        match self.format {
            Format::Jsonl => line(item),
            Format::Json => {
                let start = if self.printed { ",\n".to_owned() } else { self.head() };
                self.printed = true;
                Ok(format!("{start}{}", indented(item, "    ")?))
            }
            _ => Ok(String::new()),
        }
    }

    /// The last piece of output: the rest of the report.
    ///
    /// # Errors
    /// Never for the types of this crate.
    pub fn end(self, summary: &impl Serialize) -> Result<String> {
        match self.format {
            Format::Json => {
                let start = if self.printed { "\n  ]".to_owned() } else { self.head() + "  ]" };
                Ok(format!("{start},\n  \"summary\": {}\n}}\n", indented(summary, "  ")?.trim_start()))
            }
            Format::Jsonl => line(&serde_json::json!({ "summary": Versioned::of(summary) })),
            _ => Ok(String::new()),
        }
    }

    fn head(&self) -> String {
        format!("{{\n  \"schema_version\": {SCHEMA_VERSION},\n  \"{}\": [\n", self.key)
    }
}

fn indented(value: &impl Serialize, by: &str) -> Result<String> {
    let text = pretty(value)?;
    let lines: Vec<String> = text.lines().map(|line| format!("{by}{line}")).collect();
    Ok(lines.join("\n"))
}
