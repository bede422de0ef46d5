//! A lint rule: its check, its remedy, and records that pass and fail.

use std::collections::BTreeSet;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use super::finding::{Finding, Found};
use super::overview::Overview;
use super::subject::LintSubject;
use crate::external::Verification;
use atlas_gt_core::diagnostic::Severity;

/// The requirements behind the rules (evaluation strategy, sections 3, 4 and 6).
pub(super) mod requirement {
    /// Section 3.
    pub const TRUTH: &str =
        "ground truth is what the Atlas website shows, and a record states how, when and where it was read";
    /// Sections 4.1 and 4.2.
    pub const PAGE: &str = "a person can open the page of a record and see the value";
    /// Section 4.3.
    pub const CHECKED: &str = "question, record, page and verification agree";
    /// Section 4.4.
    pub const SAME: &str = "one thing has one value, until the page changes";
    /// Section 6.
    pub const ASKED: &str = "every record answers a question";
}

/// A rule.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct LintRule {
    /// The code: `GT003a`.
    pub code: &'static str,
    /// The severity.
    pub severity: Severity,
    /// The problem, in a few words.
    pub title: &'static str,
    /// The remedy.
    pub help: &'static str,
    /// What the rule protects.
    pub requirement: &'static str,
    /// The check.
    #[serde(skip)]
    pub(super) check: Check,
    /// Passing records as JSON: a list of `{question, record, verification}`, where `record` is the
    /// file `results.json`.
    pub passing: &'static str,
    /// Failing records.
    pub failing: &'static str,
}

/// The scope of a check.
#[derive(Debug, Clone, Copy)]
pub(super) enum Check {
    /// One record.
    Record(fn(&LintSubject<'_>) -> Option<Found>),
    /// One record, which may have several findings.
    Rows(fn(&LintSubject<'_>) -> Vec<Found>),
    /// The verification of a record.
    Verification(fn(&LintSubject<'_>, &Verification) -> Option<Found>),
    /// All records.
    All(fn(&mut Across<'_>)),
    /// All records against the questions, if they are known.
    Questions(fn(&mut Across<'_>)),
    /// Checked elsewhere: while records are read, or when silences are applied.
    Elsewhere,
}

/// A finding about several records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundAcross {
    /// The indices of the records in the overview.
    pub records: Vec<usize>,
    /// The key in the last of them.
    pub key: String,
    /// The problem.
    pub message: String,
}

/// What a rule finds across all records.
pub(super) struct Across<'a> {
    pub overview: &'a Overview,
    /// The code of the rule.
    code: &'static str,
    pub found: Vec<FoundAcross>,
    /// The records for which a silence hides a finding.
    silenced: BTreeSet<usize>,
}

impl Across<'_> {
    /// Compares things of several records, without those of silenced records. A silence hides something if a finding
    /// names its record when all records count, or when only this silenced record counts besides the others: a finding
    /// about another record may leave it out.
    pub fn compare<T: Copy>(
        &mut self,
        things: &[T],
        record: impl Fn(T) -> usize,
        check: impl Fn(&[T]) -> Option<FoundAcross>,
    ) {
        let is_silenced = |at: usize| self.overview.records[at].silences.of(self.code).is_some();
        let look = |counts: &dyn Fn(usize) -> bool| {
            let counted: Vec<T> = things.iter().copied().filter(|one| counts(record(*one))).collect();
            check(&counted)
        };
        let names =
            |found: &Option<FoundAcross>, at| found.as_ref().is_some_and(|found| found.records.contains(&at));
        let hidden = things.iter().map(|one| record(*one)).filter(|at| is_silenced(*at));
        let mut hidden: BTreeSet<usize> = hidden.collect();
        if !hidden.is_empty() {
            let all = look(&|_| true);
            let alone = |at: usize| look(&|other| other == at || !is_silenced(other));
            hidden.retain(|at| names(&all, *at) || names(&alone(*at), *at));
        }
        self.found.extend(look(&|at| !is_silenced(at)));
        self.silenced.append(&mut hidden);
    }
}

impl LintRule {
    /// Whether the rule checks records, and has what it needs.
    #[must_use]
    pub(crate) fn runs(&self, overview: &Overview) -> bool {
        match self.check {
            Check::Elsewhere => false,
            Check::Questions(_) => overview.has_questions,
            _ => true,
        }
    }

    /// The findings in a record.
    pub fn findings(&'static self, subject: &LintSubject<'_>) -> Vec<Finding> {
        let seen = subject.record.verification.as_ref();
        let found = match self.check {
            Check::Record(check) => check(subject).into_iter().collect(),
            Check::Rows(check) => check(subject),
            Check::Verification(check) => seen.and_then(|seen| check(subject, seen)).into_iter().collect(),
            Check::All(_) | Check::Questions(_) | Check::Elsewhere => Vec::new(),
        };
        let of_verification = seen.filter(|_| matches!(self.check, Check::Verification(_)));
        let file = of_verification.and_then(|seen| seen.path.as_ref()).unwrap_or(&subject.record.path);
        let finding = |found: Found| Finding {
            questions: vec![subject.record.id.clone()],
            file: file.clone(),
            key: found.key,
            message: found.message,
            ..self.finding()
        };
        found.into_iter().map(finding).collect()
    }

    /// The findings across all records, and the records for which a silence hides one.
    #[must_use]
    pub(crate) fn across(&'static self, overview: &Overview) -> (Vec<Finding>, BTreeSet<usize>) {
        let mut across = Across { overview, code: self.code, found: Vec::new(), silenced: BTreeSet::new() };
        if let Check::All(check) | Check::Questions(check) = self.check
            && self.runs(overview)
        {
            check(&mut across);
        }
        let finding = |found: FoundAcross| {
            let records = found.records.iter().filter_map(|place| overview.records.get(*place));
            let file = records.clone().next_back().map(|record| record.path.clone()).unwrap_or_default();
            let questions = records.map(|record| record.id.clone()).collect();
            Finding { questions, file, key: found.key, message: found.message, ..self.finding() }
        };
        (across.found.into_iter().map(finding).collect(), across.silenced)
    }

    /// An empty finding of this rule.
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
}
