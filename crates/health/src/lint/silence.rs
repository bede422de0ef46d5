//! Silenced rules of a record, with reasons: `lint.json` beside it, `{"GT003b": "why"}`.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::finding::stands_for;

/// The silenced rules of one record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Silences {
    /// The file that holds them.
    pub file: PathBuf,
    /// Their codes.
    codes: Vec<String>,
    /// The indices of those that silenced a finding.
    used: Vec<usize>,
    /// Invalid entries: the key, and the problem.
    wrong: Vec<(String, String)>,
}

impl Silences {
    /// Parses a silence file. `is_rule` knows the codes.
    pub fn read(file: &Path, text: &str, is_rule: impl Fn(&str) -> bool) -> Self {
        let mut silences = Self { file: file.to_owned(), ..Self::default() };
        let object = serde_json::from_str(text).unwrap_or_else(|error| {
            let not_json = !error.is_data();
            let why = if not_json { format!("is not JSON: {error}") } else { NO_OBJECT.to_owned() };
            silences.wrong.push((String::new(), why));
            Map::<String, Value>::new()
        });
        for (code, reason) in object {
            let why = match reason.as_str().map(str::trim) {
                _ if !is_rule(&code) => format!("`{code}` is not a rule"),
                Some(reason) if !reason.is_empty() => {
                    silences.codes.push(code);
                    continue;
                }
                _ => format!("{code} is silenced without a reason"),
            };
            silences.wrong.push((code, why));
        }
        silences
    }

    /// Whether a code is silenced, which uses its silence.
    pub fn take(&mut self, code: &str) -> bool {
        let at = self.of(code);
        self.used.extend(at);
        at.is_some()
    }

    /// The index of the silence that covers a code.
    #[must_use]
    pub fn of(&self, code: &str) -> Option<usize> {
        self.codes.iter().position(|silenced| stands_for(silenced, code))
    }

    /// What is wrong with the silences themselves, by key. A rule that did not run leaves its silence unchecked.
    pub fn problems(&self, ran: impl Fn(&str) -> bool) -> Vec<(String, String)> {
        let unused = self.codes.iter().enumerate().filter(|(at, code)| !self.used.contains(at) && ran(code));
        let unused = unused.map(|(_, code)| (code.clone(), format!("{code} is silenced but finds nothing")));
        self.wrong.iter().cloned().chain(unused).collect()
    }
}

const NO_OBJECT: &str = "is not an object of codes and reasons";
