//! A rule: what it looks for, what to do about it, and a record that passes and one that fails it.

use std::path::PathBuf;
use std::str::FromStr;

use super::finding::{Finding, Found, Severity};
use super::store_wide::Overview;
use super::subject::Subject;

/// A rule.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// `GT003a`.
    pub code: &'static str,
    /// What is wrong, in a few words.
    pub title: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The section of the evaluation strategy that asks for it.
    pub section: &'static str,
    /// What to do about it.
    pub help: &'static str,
    /// What it looks at.
    pub(super) check: Check,
    /// Records that pass.
    pub passing: Example,
    /// Records that fail.
    pub failing: Example,
}

/// Records as JSON: a list of `{question, record, verification}`, of which `record` is the file `results.json`.
pub type Example = &'static str;

/// What a rule looks at.
#[derive(Clone, Copy)]
pub(super) enum Check {
    /// One record.
    Record(RecordCheck),
    /// All records together.
    All(AllCheck),
    /// It is found while records are read, or when silences are applied.
    Elsewhere,
}

/// A rule about one record.
pub(super) type RecordCheck = fn(&Subject<'_>) -> Vec<Found>;
/// A rule about all records.
pub(super) type AllCheck = fn(&Overview) -> Vec<FoundAcross>;

/// What a rule says of several records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundAcross {
    /// The records, as places in the overview.
    pub(super) records: Vec<usize>,
    /// The key in the last of them.
    pub(super) key: String,
    /// What is wrong.
    pub(super) message: String,
}

impl std::fmt::Debug for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Record(_) => "Record",
            Self::All(_) => "All",
            Self::Elsewhere => "Elsewhere",
        })
    }
}

impl Rule {
    /// Whether it looks at one record alone.
    #[must_use]
    pub const fn is_about_one(&self) -> bool {
        matches!(self.check, Check::Record(_))
    }

    /// What it finds in a record.
    pub fn findings(&'static self, subject: &Subject<'_>) -> Vec<Finding> {
        let Check::Record(check) = self.check else { return Vec::new() };
        let finding = |found: Found| Finding {
            questions: vec![subject.record.id.clone()],
            file: self.file_of(subject),
            key: found.key,
            message: found.message,
            ..self.finding()
        };
        check(subject).into_iter().map(finding).collect()
    }

    /// What it finds in all records together.
    #[must_use]
    pub fn findings_across(&'static self, overview: &Overview) -> Vec<Finding> {
        let Check::All(check) = self.check else { return Vec::new() };
        let finding = |found: FoundAcross| {
            let records = found.records.iter().filter_map(|place| overview.records.get(*place));
            let file = records.clone().next_back().map(|(_, path)| path.clone()).unwrap_or_default();
            let questions = records.map(|(id, _)| id.clone()).collect();
            Finding { questions, file, key: found.key, message: found.message, ..self.finding() }
        };
        check(overview).into_iter().map(finding).collect()
    }

    /// A finding of this rule, about nothing yet.
    #[must_use]
    pub fn finding(&'static self) -> Finding {
        Finding {
            code: self.code,
            severity: self.severity,
            questions: Vec::new(),
            file: PathBuf::new(),
            key: String::new(),
            message: String::new(),
            help: self.help,
        }
    }

    /// The verification's file for rules about it, else the record's.
    fn file_of(&self, subject: &Subject<'_>) -> PathBuf {
        let beside = subject.record.verification.as_ref().and_then(|verification| verification.path.clone());
        beside
            .filter(|_| matches!(self.code, "GT014" | "GT022" | "GT023" | "GT025"))
            .unwrap_or_else(|| subject.record.path.clone())
    }
}

/// Codes of rules: `GT003` stands for `GT003a`, `GT003b` and `GT003c`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection(Vec<String>);

impl Selection {
    /// Whether a rule is among them; all are where none is named.
    #[must_use]
    pub fn has(&self, code: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|named| names(named, code))
    }
}

/// Whether `named` is this code or stands for it.
pub(super) fn names(named: &str, code: &str) -> bool {
    let rest = code
        .get(..named.len())
        .filter(|begin| begin.eq_ignore_ascii_case(named))
        .map(|_| &code[named.len()..]);
    named.len() >= 5 && rest.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_lowercase()))
}

impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let codes: Vec<String> = text.split(',').map(|code| code.trim().to_owned()).collect();
        match codes.iter().find(|code| super::rule(code).is_none()) {
            Some(code) => {
                Err(format!("`{code}` is no rule: docs/lint.md lists them (write GT003 or GT003a,GT005)"))
            }
            None => Ok(Self(codes)),
        }
    }
}
