//! Rules that are silenced for a record, with the reason: `lint.json` beside it, `{"GT003b": "why"}`.

use serde_json::{Map, Value};

use super::finding::{Finding, stands_for};
use super::rules::{UNUSED, rule};

/// The rules that are silenced for one record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Silences {
    /// Their codes.
    pub codes: Vec<String>,
    /// Their own problems: the key, and why.
    wrong: Vec<(String, String)>,
}

impl Silences {
    /// Reads a file of silences.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut silences = Self::default();
        let object = serde_json::from_str(text).unwrap_or_else(|error| {
            let not_json = !error.is_data();
            let why = if not_json { format!("is no JSON: {error}") } else { NO_OBJECT.to_owned() };
            silences.wrong.push((String::new(), why));
            Map::<String, Value>::new()
        });
        for (code, reason) in object {
            let why = match reason.as_str().map(str::trim) {
                _ if rule(&code).is_none() => format!("`{code}` is no rule"),
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

    /// Which silence a finding falls under.
    #[must_use]
    pub fn of(&self, code: &str) -> Option<usize> {
        self.codes.iter().position(|silenced| stands_for(silenced, code))
    }

    /// What is wrong with the silences of a record, where those at `used` silenced something. A rule that was not run cannot
    /// find anything.
    #[must_use]
    pub fn findings(&self, used: &[usize], ran: &dyn Fn(&str) -> bool) -> Vec<Finding> {
        let unused = self.codes.iter().enumerate().filter(|(at, code)| !used.contains(at) && ran(code));
        let unused = unused.map(|(_, code)| (code.clone(), format!("{code} is silenced and finds nothing")));
        let finding = |(key, message)| Finding { key, message, ..UNUSED.finding() };
        self.wrong.iter().cloned().chain(unused).map(finding).collect()
    }
}

const NO_OBJECT: &str = "is no object of codes and reasons";
