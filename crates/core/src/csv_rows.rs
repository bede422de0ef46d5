//! The rows of a CSV file with a header row, each as a JSON object. A cell with a JSON list or object is read as such, unless
//! its field is a needed one; other cells are texts.

use std::io::BufRead;
use std::path::Path;

use serde_json::{Map, Value};

use crate::csv_quotes::{ClosedQuotes, OpenQuote};
use crate::error::{Error, Result};

/// A row with its line: an object of its fields, or why it has none.
pub type CsvRow = (usize, std::result::Result<Map<String, Value>, String>);

/// Whether a text is a table and not JSON: it begins with something other than an object or a list.
#[must_use]
pub fn is_csv(begin: &[u8]) -> bool {
    !matches!(begin.trim_ascii_start().first(), None | Some(b'{' | b'['))
}

/// The rows of a file, without empty fields. A `needed` field may be empty: an empty answer is an answer.
///
/// # Errors
/// The file cannot be read, or its header row lacks a `needed` field or has a field twice.
pub fn csv_rows<'p>(
    path: &'p Path,
    mut source: impl BufRead + 'p,
    needed: &'p [&str],
) -> Result<impl Iterator<Item = Result<CsvRow>> + 'p> {
    let begin = source.fill_buf().map_err(Error::file(path))?;
    // where lines end with CRLF, a row's position is still that of the line before, at its LF
    let lf = begin.iter().position(|byte| *byte == b'\n').and_then(|at| at.checked_sub(1));
    let missed = usize::from(lf.is_some_and(|before| begin.get(before) == Some(&b'\r')));
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(ClosedQuotes::new(source, b','));
    let line_of = move |at: Option<&csv::Position>| {
        at.map_or(0, |at| usize::try_from(at.line()).unwrap_or_default() + missed)
    };
    let fault = move |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(source) => match OpenQuote::of(&source) {
            Some(open) => Error::syntax(path, open.0, open.to_string()),
            None => Error::file(path)(source),
        },
        csv::ErrorKind::Utf8 { pos, err } => {
            Error::syntax(path, (line_of(pos.as_ref()), 1), format!("{err}: save the file as UTF-8"))
        }
        other => Error::Usage(format!("{}: {other:?}", path.display())),
    };
    let names = reader.headers().map_err(fault)?.clone();
    let names: Vec<String> = names.iter().map(|name| name.trim().to_owned()).collect();
    if let Some(lacking) = needed.iter().find(|needed| !names.iter().any(|name| name == *needed)) {
        let message = format!(
            "the header row lacks the field `{lacking}`: it has `{}`; fields are separated by commas",
            names.join("`, `")
        );
        return Err(Error::syntax(path, (1, 1), message));
    }
    if let Some(twice) = names.iter().zip(1..).find(|(name, at)| names[*at..].contains(name)) {
        return Err(Error::syntax(path, (1, 1), format!("the header row has the field `{}` twice", twice.0)));
    }
    Ok(reader.into_records().map(move |row| {
        let row = row.map_err(fault)?;
        Ok((line_of(row.position()), object(&names, needed, &row)))
    }))
}

fn object(
    names: &[String],
    needed: &[&str],
    row: &csv::StringRecord,
) -> std::result::Result<Map<String, Value>, String> {
    if row.len() > names.len() {
        let (fields, named) = (row.len(), names.len());
        return Err(format!(
            "{fields} fields, but the header row has {named}: quote fields that contain a comma"
        ));
    }
    let is_said = |(name, text): &(&String, &str)| !text.is_empty() || needed.contains(&name.as_str());
    let value = |(name, text): (&String, &str)| {
        let json =
            || serde_json::from_str::<Value>(text).ok().filter(|json| json.is_array() || json.is_object());
        let json = if needed.contains(&name.as_str()) { None } else { json() };
        (name.clone(), json.unwrap_or_else(|| text.into()))
    };
    Ok(names.iter().zip(row).filter(is_said).map(value).collect())
}
