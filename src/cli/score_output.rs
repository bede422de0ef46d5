//! What the scoring commands print: formats, tables, JUnit, and reading files with their name in every error.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use clap::ValueEnum;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};
use crate::scoring::json::JsonError;

/// How a result is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table for people
    #[default]
    Table,
    /// One JSON document
    Json,
    /// A JSON document per line
    Jsonl,
    /// JUnit XML for continuous integration
    Junit,
}

/// A test case of a JUnit report.
#[derive(Debug, Clone)]
pub struct JunitCase {
    /// Its name.
    pub name: String,
    /// What became of it.
    pub state: JunitState,
    /// Why.
    pub message: String,
}

/// What became of a test case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JunitState {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It could not be run.
    Error,
    /// It was not judged.
    Skipped,
}

/// A JUnit report of one suite.
pub fn junit(suite: &str, cases: &[JunitCase]) -> String {
    let count = |state| cases.iter().filter(|case| case.state == state).count();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    // Writing into a `String` cannot fail.
    let _ = writeln!(
        out,
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">",
        escape(suite),
        cases.len(),
        count(JunitState::Failed),
        count(JunitState::Error),
        count(JunitState::Skipped)
    );
    for case in cases {
        let (name, message) = (escape(&case.name), escape(&case.message));
        let element = match case.state {
            JunitState::Passed => {
                let _ = writeln!(out, "    <testcase name=\"{name}\"/>");
                continue;
            }
            JunitState::Failed => "failure",
            JunitState::Error => "error",
            JunitState::Skipped => "skipped",
        };
        let _ = writeln!(
            out,
            "    <testcase name=\"{name}\">\n      <{element} message=\"{message}\"/>\n    </testcase>"
        );
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

/// A text for an XML attribute. Characters that XML 1.0 cannot hold become U+FFFD.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\r' => out.push_str("&#13;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

/// A table with a head.
pub fn table(head: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = comfy_table::Table::new();
    table.load_preset(comfy_table::presets::UTF8_HORIZONTAL_ONLY);
    table.remove_style(comfy_table::TableComponent::HorizontalLines);
    table.remove_style(comfy_table::TableComponent::MiddleIntersections);
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
    table.set_header(head.to_vec());
    for row in rows {
        table.add_row(row);
    }
    format!("{table}\n")
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

/// Prints to standard output. Whoever reads may stop reading.
///
/// # Errors
/// When it cannot be written for another reason.
pub fn print(text: &str) -> Result<()> {
    print_bytes(text.as_bytes())
}

/// As [`print`].
///
/// # Errors
/// When it cannot be written.
pub fn print_bytes(text: &[u8]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::file("standard output")(error))
        }
        _ => Ok(()),
    }
}

/// Reads a file.
///
/// # Errors
/// With the file's name.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(Error::named(path))
}

/// Reads a file of text.
///
/// # Errors
/// With the file's name, and the line of what is not UTF-8.
pub fn read_text(path: &Path) -> Result<String> {
    String::from_utf8(read(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let fault = JsonError::at(error.as_bytes(), at, "invalid UTF-8: save the file as UTF-8");
        syntax(path, &fault)
    })
}

/// Reads JSON of a known shape.
///
/// # Errors
/// With the file's name, line and column.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = read(path)?;
    serde_json::from_slice(&text).map_err(|error| from_json(path, &error))
}

/// An error of serde_json with the file's name. Its own mention of the place is left out.
pub fn from_json(path: &Path, error: &serde_json::Error) -> Error {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = message.strip_suffix(&place).unwrap_or(&message);
    let message = if message == "recursion limit exceeded" {
        "nested deeper than 128 levels, which is the limit"
    } else {
        message
    };
    Error::Syntax {
        path: path.to_owned(),
        line: error.line(),
        column: error.column(),
        message: message.to_owned(),
    }
}

/// A JSON error with the file's name.
pub fn syntax(path: &Path, error: &JsonError) -> Error {
    Error::Syntax {
        path: path.to_owned(),
        line: error.line,
        column: error.column,
        message: error.message.clone(),
    }
}

/// A share with three decimals, or a dash.
pub fn share(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junit_counts_and_escapes() {
        let case = |state, message: &str| JunitCase { name: "a<b".into(), state, message: message.into() };
        let report =
            junit("s & t", &[case(JunitState::Passed, ""), case(JunitState::Failed, "\"x\"\n\u{1}")]);
        assert!(report.contains("name=\"s &amp; t\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\""));
        assert!(report.contains("<failure message=\"&quot;x&quot;&#10;\u{fffd}\"/>"), "{report}");
    }
}
