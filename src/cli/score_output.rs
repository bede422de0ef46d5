//! What the scoring commands print: formats, tables, JUnit, and reading files with their name in every error.

use std::io::{BufRead, Write as _};
use std::path::Path;

use clap::ValueEnum;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};
use crate::input;
use crate::scoring::json::{self, JsonError};

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
///
/// # Errors
/// Never for the cases of this crate.
pub fn junit(name: &str, cases: &[JunitCase]) -> Result<String> {
    junit_with(name, &[], cases)
}

/// As [`junit`], with properties of the suite.
///
/// # Errors
/// As [`junit`].
pub fn junit_with(name: &str, properties: &[(&str, String)], cases: &[JunitCase]) -> Result<String> {
    let mut suite = TestSuite::new(xml_text(name));
    let properties: Vec<(&str, String)> =
        properties.iter().map(|(name, value)| (*name, xml_text(value))).collect();
    suite.add_properties(properties.iter().map(|(name, value)| (*name, value.as_str())));
    suite.add_test_cases(cases.iter().map(|case| {
        let mut status = match case.state {
            JunitState::Passed => TestCaseStatus::success(),
            JunitState::Failed => TestCaseStatus::non_success(NonSuccessKind::Failure),
            JunitState::Error => TestCaseStatus::non_success(NonSuccessKind::Error),
            JunitState::Skipped => TestCaseStatus::skipped(),
        };
        if case.state != JunitState::Passed {
            status.set_message(xml_text(&case.message));
        }
        TestCase::new(xml_text(&case.name), status)
    }));
    let mut report = Report::new("atlas-gt");
    report.add_test_suite(suite);
    report.to_string().map_err(|error| Error::Usage(error.to_string()))
}

/// A text as XML 1.0 can hold it (section 2.2, `Char`): what it forbids is replaced, so that nothing disappears unseen.
fn xml_text(text: &str) -> String {
    let is_allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    text.chars().map(|c| if is_allowed(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

/// Prints a result in its format.
///
/// # Errors
/// When it cannot be written.
pub fn show<T: Serialize>(
    format: Format,
    result: &T,
    for_people: impl FnOnce(&T) -> String,
    cases: impl FnOnce(&T) -> (String, Vec<JunitCase>),
) -> Result<()> {
    print(&match format {
        Format::Json => pretty(result)?,
        Format::Jsonl => line(result)?,
        Format::Table => for_people(result),
        Format::Junit => {
            let (name, cases) = cases(result);
            junit(&name, &cases)?
        }
    })
}

impl JunitState {
    /// Passed, failed, or not judged.
    pub fn of(passed: Option<bool>) -> Self {
        match passed {
            Some(true) => Self::Passed,
            Some(false) => Self::Failed,
            None => Self::Skipped,
        }
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

/// Reads JSON of a known shape, strictly.
///
/// # Errors
/// With the file's name, line and column.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    json::read(&input::bytes(path)?).map_err(|error| syntax(path, &error))
}

/// The documents of a file of JSON lines, one at a time, with their lines. Blank lines are passed by.
///
/// # Errors
/// The file cannot be read.
pub fn lines(path: &Path) -> Result<impl Iterator<Item = Result<(usize, Vec<u8>)>> + '_> {
    Ok(lines_of(path, input::reader(path)?))
}

fn lines_of<'p>(
    path: &'p Path,
    source: impl BufRead + 'p,
) -> impl Iterator<Item = Result<(usize, Vec<u8>)>> + 'p {
    let lines = source.split(b'\n').zip(1..).map(move |(text, number)| {
        let mut text = text.map_err(Error::file(path))?;
        text.truncate(text.trim_ascii_end().len());
        Ok((number, text))
    });
    lines.filter(|line| !matches!(line, Ok((_, text)) if text.is_empty()))
}

/// One of the documents of a file of many, with the line that it begins on: JSON, or why it is none.
pub type Document = (usize, std::result::Result<Vec<u8>, String>);

/// The documents of a file of JSON lines, or of a CSV file whose first row names the fields: which of the two, its first
/// character says. A row of CSV becomes an object of texts; an empty field is left out.
///
/// # Errors
/// The file cannot be read, or the first row of a CSV file lacks one of the `needed` fields.
pub fn documents<'p>(
    path: &'p Path,
    needed: &[&str],
) -> Result<Box<dyn Iterator<Item = Result<Document>> + 'p>> {
    let mut source = input::reader(path)?;
    let path = input::shown(path);
    let begin = source.fill_buf().map_err(Error::file(path))?;
    if matches!(begin.trim_ascii_start().first(), None | Some(b'{' | b'[')) {
        return Ok(Box::new(
            lines_of(path, source).map(|line| line.map(|(number, text)| (number, Ok(text)))),
        ));
    }
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(source);
    let fault = |error: &csv::Error| Error::Syntax {
        path: path.to_owned(),
        line: error.position().map_or(0, |at| usize::try_from(at.line()).unwrap_or_default()),
        column: 1,
        message: error.to_string(),
    };
    let names = reader.headers().map_err(|error| fault(&error))?.clone();
    let names: Vec<String> = names.iter().map(|name| name.trim().to_owned()).collect();
    if let Some(lacking) = needed.iter().find(|needed| !names.iter().any(|name| name == *needed)) {
        return Err(Error::Syntax {
            path: path.to_owned(),
            line: 1,
            column: 1,
            message: format!(
                "the first row names no field `{lacking}`: it names `{}`; fields are separated by commas",
                names.join("`, `")
            ),
        });
    }
    let rows = reader.into_records().map(move |row| {
        let row = row.map_err(|error| match error.into_kind() {
            csv::ErrorKind::Io(source) => Error::file(path)(source),
            csv::ErrorKind::Utf8 { pos, err } => Error::Syntax {
                path: path.to_owned(),
                line: pos.map_or(0, |at| usize::try_from(at.line()).unwrap_or_default()),
                column: 1,
                message: format!("{err}: save the file as UTF-8"),
            },
            other => Error::Usage(format!("{}: {other:?}", path.display())),
        })?;
        let line = row.position().map_or(0, |at| usize::try_from(at.line()).unwrap_or_default());
        Ok((line, object(&names, &row)))
    });
    Ok(Box::new(rows))
}

/// A row of CSV as a JSON object.
fn object(names: &[String], row: &csv::StringRecord) -> std::result::Result<Vec<u8>, String> {
    if row.len() > names.len() {
        let (fields, named) = (row.len(), names.len());
        return Err(format!(
            "{fields} fields, and the first row names {named}: quote a field that holds a comma"
        ));
    }
    let fields = names.iter().zip(row).filter(|(_, text)| !text.is_empty());
    let object: serde_json::Map<String, serde_json::Value> =
        fields.map(|(name, text)| (name.clone(), text.into())).collect();
    serde_json::to_vec(&object).map_err(|error| error.to_string())
}

/// The document of one of the [`lines`].
///
/// # Errors
/// With the file's name, line and column.
pub fn document<T: DeserializeOwned>(path: &Path, line: usize, text: &[u8]) -> Result<T> {
    json::read(text).map_err(|error| syntax(path, &JsonError { line, ..error }))
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
        let cases = [case(JunitState::Passed, ""), case(JunitState::Failed, "\"x\"\n\u{1}")];
        let report = junit("s & t", &cases).unwrap();
        assert!(report.contains("testsuite name=\"s &amp; t\" tests=\"2\""), "{report}");
        assert!(report.contains("failures=\"1\""), "{report}");
        assert!(report.contains("&quot;x&quot;") && !report.contains('\u{1}'), "{report}");
    }

    #[test]
    fn junit_holds_nothing_that_xml_forbids() {
        let odd: String = (0..=0x10ffff)
            .step_by(0x7f)
            .chain(0..0x300)
            .chain(0xfff0..=0xffff)
            .filter_map(char::from_u32)
            .collect();
        let states = [JunitState::Passed, JunitState::Failed, JunitState::Error, JunitState::Skipped];
        let cases = states.map(|state| JunitCase { name: odd.clone(), state, message: odd.clone() });
        let report = junit_with(&odd, &[("verdict", odd.clone())], &cases).unwrap();
        // XML 1.0, section 2.2
        let is_char = |c: char| matches!(u32::from(c), 0x9 | 0xa | 0xd | 0x20..=0xd7ff | 0xe000..=0xfffd | 0x1_0000..=0x10_ffff);
        assert_eq!(report.chars().find(|c| !is_char(*c)), None);
        assert_eq!(report.matches("<testcase ").count(), 4);
    }
}
