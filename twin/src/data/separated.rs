//! The `.psv` data files: fields between `|`, comments behind `#`, and codes written as ranges.

use serde::de::DeserializeOwned;

/// The rows of a file. Errors name file and line.
pub(super) fn rows<T: DeserializeOwned>(file: &str, text: &str) -> Result<Vec<T>, String> {
    let reader = csv::ReaderBuilder::new()
        .delimiter(b'|')
        .comment(Some(b'#'))
        .has_headers(false)
        .flexible(true)
        .quoting(false)
        .from_reader(text.as_bytes());
    reader.into_deserialize().collect::<Result<_, _>>().map_err(|error| format!("{file}: {error}"))
}

/// A long name, which is left empty when it is the short one.
pub(super) fn long_name(long: String, short: &str) -> String {
    if long.is_empty() { short.to_owned() } else { long }
}

/// The codes of a chapter whose last two digits are in one of the ranges: `1-3,5`.
pub(super) fn codes(chapter: &str, ranges: &str) -> Option<Vec<String>> {
    let mut codes = Vec::new();
    for range in ranges.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let numbers = first.parse::<u32>().ok()?..=last.parse::<u32>().ok()?;
        codes.extend(numbers.map(|number| format!("{chapter}{number:02}")));
    }
    Some(codes)
}
