//! Rules about all records together. What they need of each is kept small, so that a large folder takes no more memory.

use std::path::PathBuf;

use super::decimals::{self, Percentage};
use super::disagree::{self, Claim};
use super::finding::Severity;
use super::rule::{Check, FoundAcross, Rule};
use super::subject::Subject;
use crate::manifest::QuestionId;

/// All records, as far as rules about several need them.
#[derive(Debug, Default)]
pub struct Overview {
    /// Question and file of each.
    pub(super) records: Vec<(QuestionId, PathBuf)>,
    /// What each lacks.
    lacks: Vec<Lacks>,
    /// What they say.
    pub(super) claims: Vec<Claim>,
    /// How they write percentages.
    pub(super) percentages: Vec<Percentage>,
    /// Whether questions were given.
    has_questions: bool,
}

/// What a record lacks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "five independent marks of a record")]
struct Lacks {
    /// A source method that is known.
    method: bool,
    /// Any year.
    year: bool,
    /// A question.
    question: bool,
    /// A time to the second.
    seconds: bool,
    /// It is known that it answers nothing.
    has_behavior: bool,
}

impl Overview {
    /// Of no record yet.
    #[must_use]
    pub fn new(has_questions: bool) -> Self {
        Self { has_questions, ..Self::default() }
    }

    /// Takes what rules about all records need of one, without those that are silenced for it.
    pub fn add(&mut self, subject: &Subject<'_>, is_silenced: &dyn Fn(&Rule) -> bool) {
        let place = self.records.len();
        self.records.push((subject.record.id.clone(), subject.record.path.clone()));
        let has_numbers = subject.numbers().next().is_some();
        let says_year = |text: &str| {
            text.split(|c: char| !c.is_ascii_digit()).any(|word| {
                word.len() == 4 && word.parse().is_ok_and(|year: u32| (1950..=2050).contains(&year))
            })
        };
        let has_year = !subject.years().is_empty()
            || subject.years_of_page().is_some()
            || subject.asked.is_some_and(|asked| !asked.years.is_empty())
            || subject.leaves().any(|leaf| says_year(&leaf.text) || says_year(&leaf.key));
        self.lacks.push(Lacks {
            method: subject.record.source_method().is_none() && !is_silenced(&NO_METHOD),
            year: has_numbers && !has_year && !is_silenced(&NO_YEAR),
            question: subject.asked.is_none() && !is_silenced(&NO_QUESTION),
            seconds: is_whole_minute(subject) && !is_silenced(&WHOLE_MINUTE),
            has_behavior: subject.has_behavior(),
        });
        if !is_silenced(&decimals::DECIMALS) {
            self.percentages.extend(decimals::percentages(subject, place));
        }
        if !is_silenced(&disagree::DISAGREE) {
            self.claims.extend(disagree::claims(subject, place));
        }
    }

    /// Takes in the records of another overview behind its own.
    pub fn append(&mut self, mut other: Self) {
        let first = self.records.len();
        other.claims.iter_mut().for_each(|claim| claim.record += first);
        other.percentages.iter_mut().for_each(|one| one.record += first);
        self.records.append(&mut other.records);
        self.lacks.append(&mut other.lacks);
        self.claims.append(&mut other.claims);
        self.percentages.append(&mut other.percentages);
    }

    fn lacking(&self, lacks: impl Fn(&Lacks) -> bool) -> Vec<usize> {
        self.lacks.iter().enumerate().filter(|(_, of)| lacks(of)).map(|(place, _)| place).collect()
    }

    /// A finding about all records that lack something.
    fn found(&self, records: Vec<usize>, message: &str) -> Vec<FoundAcross> {
        if records.is_empty() {
            return Vec::new();
        }
        let message = format!("{} of {} records {message}", records.len(), self.records.len());
        vec![FoundAcross { records, key: String::new(), message }]
    }
}

fn is_whole_minute(subject: &Subject<'_>) -> bool {
    let time = subject.record.time.as_ref().filter(|time| time.text.contains(':'));
    time.and_then(|time| time.at).is_some_and(|at| at.as_second() % 60 == 0 && at.subsec_nanosecond() == 0)
}

pub(super) static NO_METHOD: Rule = Rule {
    code: "GT015",
    title: "records do not say how their values were found",
    severity: Severity::Warning,
    section: "3",
    help: "write `source_method`, one of the five: what a value may score depends on it",
    check: Check::All(no_method),
    passing: r#"[{"record": {"source_method": "browser_country_page", "results": {"data": [{"value": 24}]}}}]"#,
    failing: r#"[{"record": {"results": {"data": [{"value": 24}]}}}]"#,
};

fn no_method(overview: &Overview) -> Vec<FoundAcross> {
    let records = overview.lacking(|of| of.method && !of.has_behavior);
    overview.found(records, "name no source method, or one that nobody knows")
}

pub(super) static NO_YEAR: Rule = Rule {
    code: "GT016",
    title: "records hold numbers, and neither they nor their address nor their question names a year",
    severity: Severity::Note,
    section: "3",
    help: "write the year that the page showed beside the value",
    check: Check::All(no_year),
    passing: r#"[{"record": {"results": {"data": [{"value": "$2,274", "year": "2024"}]}}}]"#,
    failing: r#"[{"record": {"results": {"data": [{"value": "$2,274"}]}}}]"#,
};

fn no_year(overview: &Overview) -> Vec<FoundAcross> {
    let records = overview.lacking(|of| of.year && !of.has_behavior);
    overview.found(records, "hold numbers of no year")
}

pub(super) static WHOLE_MINUTE: Rule = Rule {
    code: "GT012b",
    title: "times are whole minutes, as people write them by hand",
    severity: Severity::Note,
    section: "3",
    help: "let the program that reads the value write the time",
    check: Check::All(whole_minute),
    passing: r#"[{"record": {"execution_timestamp": "2026-02-28T10:14:09Z", "results": {"data": [{"value": 24}]}}}]"#,
    failing: r#"[{"record": {"execution_timestamp": "2026-02-28T10:00:00Z", "results": {"data": [{"value": 24}]}}}]"#,
};

fn whole_minute(overview: &Overview) -> Vec<FoundAcross> {
    let records = overview.lacking(|of| of.seconds);
    // one time in sixty is a whole minute by chance
    if records.len() * 10 <= overview.records.len() {
        return Vec::new();
    }
    overview.found(records, "have a time that is a whole minute")
}

pub(super) static NO_QUESTION: Rule = Rule {
    code: "GT018",
    title: "a record that no question asks for",
    severity: Severity::Warning,
    section: "6",
    help: "add the question, or remove the record",
    check: Check::All(no_question),
    passing: r#"[{"question": {"text": "What is the GDP per capita of Kenya?"}, "record": {"results": {"data": [{"value": "$2,274"}]}}}]"#,
    failing: r#"[{"question": {"text": "What is the GDP per capita of Kenya?"}, "record": {"results": {"data": [{"value": "$2,274"}]}}}, {"record": {"results": {"data": [{"value": "$2,350"}]}}}]"#,
};

fn no_question(overview: &Overview) -> Vec<FoundAcross> {
    if !overview.has_questions {
        return Vec::new();
    }
    let found = |place| FoundAcross {
        records: vec![place],
        key: "question_id".to_owned(),
        message: "no question has this id".to_owned(),
    };
    overview.lacking(|of| of.question).into_iter().map(found).collect()
}
