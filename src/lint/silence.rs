//! Rules that are silenced for a record, with the reason: `lint.json` beside it, `{"GT003b": "why"}`.

use serde_json::Value;

use super::finding::{Finding, Severity};
use super::rule::{Check, Rule, names};

/// The rules that are silenced for one record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Silences {
    /// Code and reason.
    pub(super) of: Vec<(String, String)>,
    /// What is wrong with them: the key, and why.
    pub(super) wrong: Vec<(String, String)>,
}

/// A silence that is none.
pub static UNUSED: Rule = Rule {
    code: "GT030",
    title: "a silence gives no reason, or nothing is silenced by it",
    severity: Severity::Warning,
    section: "3",
    help: "write the reason (`{\"GT003b\": \"…\"}`), or remove the silence of a rule that finds nothing any more",
    check: Check::Elsewhere,
    passing: "lint.json: {\"GT003b\": \"the value was compared with the page of HS 2012 by hand\"}, where GT003b finds something",
    failing: "lint.json: {\"GT003b\": \"\"}",
};

impl Silences {
    /// Reads a file of silences.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut silences = Self::default();
        let object = match serde_json::from_str(text) {
            Ok(Value::Object(object)) => object,
            Ok(_) => {
                silences.wrong.push((String::new(), "is no object of codes and reasons".to_owned()));
                return silences;
            }
            Err(error) => {
                silences.wrong.push((String::new(), format!("is no JSON: {error}")));
                return silences;
            }
        };
        for (code, reason) in object {
            match reason.as_str().map(str::trim) {
                _ if super::rule(&code).is_none() => {
                    silences.wrong.push((code.clone(), format!("`{code}` is no rule")));
                }
                Some(reason) if !reason.is_empty() => silences.of.push((code, reason.to_owned())),
                _ => silences.wrong.push((code.clone(), format!("{code} is silenced without a reason"))),
            }
        }
        silences
    }

    /// Whether a code that is silenced is this rule's, or stands for it.
    #[must_use]
    pub fn names(silenced: &str, code: &str) -> bool {
        names(silenced, code)
    }

    /// Which silence a finding falls under.
    #[must_use]
    pub fn of(&self, code: &str) -> Option<usize> {
        self.of.iter().position(|(silenced, _)| names(silenced, code))
    }

    /// What is wrong with the silences of a record, where those at `used` silenced something. A rule that was not run cannot
    /// find anything.
    #[must_use]
    pub fn findings(&self, used: &[usize], ran: &dyn Fn(&str) -> bool) -> Vec<Finding> {
        let unused = self.of.iter().enumerate().filter(|(at, (code, _))| !used.contains(at) && ran(code));
        let unused =
            unused.map(|(_, (code, _))| (code.clone(), format!("{code} is silenced and finds nothing")));
        let finding = |(key, message)| Finding { key, message, ..UNUSED.finding() };
        self.wrong.iter().cloned().chain(unused).map(finding).collect()
    }
}
