//! JSON: a document, or lines. Every document says the version of its schema first.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Format, Report};
use crate::error::{Error, Result};

/// Version of the schemas of what is printed. It rises when a key goes or changes its meaning, not when one is added.
pub const SCHEMA_VERSION: u32 = 1;

/// A printed document: the version of its schema, and what is printed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Versioned<T> {
    /// Version of the schema.
    #[schemars(extend("const" = SCHEMA_VERSION))]
    schema_version: u32,
    #[serde(flatten)]
    data: T,
}

impl<T> Versioned<T> {
    /// Data with the version.
    pub const fn of(data: T) -> Self {
        Self { schema_version: SCHEMA_VERSION, data }
    }
}

/// A JSON document, one value a line.
///
/// # Errors
/// Never for the types of this crate.
pub fn pretty(value: &impl Serialize) -> Result<String> {
    let mut text = serde_json::to_string_pretty(value).map_err(|error| Error::Usage(error.to_string()))?;
    text.push('\n');
    Ok(text)
}

/// A JSON document in one line.
///
/// # Errors
/// Never for the types of this crate.
pub fn line(value: &impl Serialize) -> Result<String> {
    let mut text = serde_json::to_string(value).map_err(|error| Error::Usage(error.to_string()))?;
    text.push('\n');
    Ok(text)
}

/// An item of the report's list a line, and the rest as `{"summary": …}`; a report without a list is one line.
pub(super) fn lines<R: Report>(report: &R) -> Result<String> {
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

/// The items of a long list, printed as they come: the report is never held whole.
#[derive(Debug)]
pub struct Items {
    format: Format,
    key: &'static str,
    printed: bool,
}

impl Items {
    /// The items of the list `key` in a format; nothing is printed as it comes in those that are not JSON.
    pub const fn new(format: Format, key: &'static str) -> Self {
        Self { format, key, printed: false }
    }

    /// The next piece: an item.
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

    /// The last piece: the rest of the report.
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
