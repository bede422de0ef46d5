//! Reads text from a picture with `tesseract`, if installed. The result is only a suggestion and never becomes a value.

use std::time::Duration;

use crate::process::{self, ProcessLimits};

/// A line of text in a picture, or a single word of it.
#[derive(Debug, Clone, PartialEq)]
pub struct OcrLine {
    /// The recognised text.
    pub text: String,
    /// The confidence of its least certain word, in per cent.
    pub confidence: f32,
}

/// Timeout of a run.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Maximum size of its output, in bytes.
const MAX_OUTPUT: u64 = 4 << 20;

/// Reads the lines of a picture (PNG), and each of their words. `None` if the program is missing or fails. The
/// environment variable `ATLAS_GT_TESSERACT` names a program that is not on `PATH`.
pub fn read(picture: &[u8]) -> Option<Vec<OcrLine>> {
    let program = std::env::var("ATLAS_GT_TESSERACT").unwrap_or_else(|_| "tesseract".to_owned());
    read_by(&program, picture)
}

fn read_by(program: &str, picture: &[u8]) -> Option<Vec<OcrLine>> {
    // Sparse text: labels can be anywhere on a drawing.
    let command = [program, "stdin", "stdout", "--psm", "11", "tsv"].map(str::to_owned);
    let limits = ProcessLimits { command: &command, timeout: TIMEOUT, most: MAX_OUTPUT };
    match process::run(&limits, picture.to_vec()) {
        Ok(table) => Some(lines(&String::from_utf8_lossy(&table))),
        Err(failure) => {
            tracing::debug!("no text suggestions: {}", failure.message(&limits));
            None
        }
    }
}

/// Parses the program's output. Each row has tab-separated columns: level, page, block, paragraph, line, word, left,
/// top, width, height, confidence and text.
fn lines(table: &str) -> Vec<OcrLine> {
    let mut lines: Vec<(Vec<&str>, OcrLine)> = Vec::new();
    let mut words = Vec::new();
    for row in table.lines() {
        let cells: Vec<&str> = row.split('\t').collect();
        let [_, page, block, paragraph, line, _, .., confidence, text] = cells.as_slice() else { continue };
        let (Ok(confidence), text) = (confidence.parse::<f32>(), text.trim()) else { continue };
        if confidence < 0.0 || text.is_empty() {
            continue;
        }
        let word = OcrLine { text: text.to_owned(), confidence };
        let place = vec![*page, *block, *paragraph, *line];
        match lines.last_mut().filter(|(known, _)| *known == place) {
            Some((_, line)) => {
                line.text.push(' ');
                line.text.push_str(text);
                line.confidence = line.confidence.min(confidence);
            }
            None => lines.push((place, word.clone())),
        }
        words.push(word);
    }
    let mut all: Vec<OcrLine> = lines.into_iter().map(|(_, line)| line).collect();
    words.retain(|word| !all.contains(word));
    all.append(&mut words);
    all
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    const TABLE: &str =
        "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext
1\t1\t0\t0\t0\t0\t0\t0\t200\t60\t-1\t
5\t1\t1\t1\t1\t1\t8\t9\t60\t12\t96.5\tECI
5\t1\t1\t1\t1\t2\t70\t9\t60\t12\t91.25\t(2024):
5\t1\t2\t1\t1\t1\t8\t40\t60\t12\t88\t-0.48
5\t1\t3\t1\t1\t1\t8\t50\t60\t12\t95\t
";

    #[test]
    fn lines_and_words_are_read_with_the_confidence_of_the_least_sure() {
        let line = |text: &str, confidence| OcrLine { text: text.to_owned(), confidence };
        let expected =
            [line("ECI (2024):", 91.25), line("-0.48", 88.0), line("ECI", 96.5), line("(2024):", 91.25)];
        assert_eq!(lines(TABLE), expected);
        assert_eq!(lines("nothing like it"), []);
    }

    #[test]
    fn a_program_that_is_missing_or_fails_suggests_nothing() {
        assert_eq!(read_by("atlas-gt-no-such-program", b"png"), None);
        assert_eq!(read_by("false", b"png"), None);
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("tesseract");
        std::fs::write(&program, format!("#!/bin/sh\ncat > /dev/null\ncat <<'END'\n{TABLE}END\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let read = read_by(program.to_str().unwrap(), b"png").unwrap();
        assert_eq!(read, lines(TABLE));
    }
}
