//! Rules about all records together. What they need of each is kept small, so that a large folder takes no more memory.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher};
use std::path::PathBuf;

use super::finding::Severity;
use super::rule::{Check, FoundAcross, Rule};
use super::subject::{Subject, country, interval, metric, place_of};
use crate::atlas::Page;
use crate::external::Figure;
use crate::manifest::QuestionId;
use crate::value::{Flow, Interval, Period, Unit};

/// All records, as far as rules about several need them.
#[derive(Debug, Default)]
pub struct Overview {
    /// Question and file of each.
    pub(super) records: Vec<(QuestionId, PathBuf)>,
    /// What each lacks.
    lacks: Vec<Lacks>,
    /// What they say.
    claims: Vec<Claim>,
    /// Whether questions were given.
    has_questions: bool,
}

/// What a record lacks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four independent marks of a record")]
struct Lacks {
    /// A source method that is known.
    method: bool,
    /// Any year.
    year: bool,
    /// A question.
    question: bool,
    /// It is known that it answers nothing.
    has_behavior: bool,
}

/// One number of a record, with a hash of what it is about.
#[derive(Debug, Clone, PartialEq)]
struct Claim {
    /// The record, as a place in the overview.
    record: usize,
    about: u64,
    interval: Interval,
    key: Box<str>,
    text: Box<str>,
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
            has_behavior: subject.has_behavior(),
        });
        if !is_silenced(&DISAGREE) {
            self.claims.extend(claims(subject, place));
        }
    }

    /// Takes in the records of another overview behind its own.
    pub fn append(&mut self, mut other: Self) {
        let first = self.records.len();
        other.claims.iter_mut().for_each(|claim| claim.record += first);
        self.records.append(&mut other.records);
        self.lacks.append(&mut other.lacks);
        self.claims.append(&mut other.claims);
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

/// The numbers of a record that another may state too: those with a year, or of a country page.
fn claims(subject: &Subject<'_>, record: usize) -> Vec<Claim> {
    let Some(page) = subject.page() else { return Vec::new() };
    let claim = |figure: &Figure| {
        let about = about(subject, page, figure)?;
        let text = figure.text.as_str().into();
        Some(Claim { record, about, interval: interval(figure)?, key: place_of(figure).into(), text })
    };
    subject.numbers().filter_map(claim).collect()
}

/// A hash of everything that has to be the same before two numbers may be compared.
fn about(subject: &Subject<'_>, page: &Page, figure: &Figure) -> Option<u64> {
    let about = &figure.about;
    let unit = figure.quantity()?.unit;
    let fold = |text: &str| country(text).map_or_else(|| crate::value::fold::key(text), |id| id.to_string());
    let of_page = subject.countries_of_page();
    let period: Option<Period> = about.period.or_else(|| match (page, subject.years_of_page()) {
        (Page::Explore(_), Some((start, end))) => Some(Period { start, end }),
        _ => None,
    });
    let (kind, class, flow, partner) = match page {
        Page::Country { .. } => ("country", None, None, None),
        // without a year it may be any
        Page::Explore(_) if period.is_none() => return None,
        Page::Explore(page) => {
            let kind = if page.markets { "markets" } else { page.viz.path() };
            let flow = page.flow.filter(|flow| *flow == Flow::Import);
            (kind, Some(super::address::class_of(page)), flow, page.importer.map(|place| place.to_string()))
        }
    };
    let owner = about.country.as_deref().map(&fold).or_else(|| of_page.first().map(ToString::to_string));
    let metric = if figure.name == "value" { metric(figure) } else { String::new() };
    if figure.name == "value" && about.metric.is_none() || metric.contains("rank") && unit != Unit::Rank {
        return None;
    }
    let parts = [
        Some(kind.to_owned()),
        owner,
        about.partner.as_deref().map(&fold).or(partner),
        about.code.clone().or_else(|| about.product.as_deref().map(&fold)),
        about.sector.as_deref().map(&fold),
        about.group.as_deref().map(&fold),
        about.of.clone(),
        about.rank.map(|rank| rank.to_string()),
        period.map(|period| period.to_string()),
        Some(format!("{:?} {:?} {flow:?} {unit:?}", class, about.classification)),
        Some(figure.key.to_lowercase()),
        Some(metric),
    ];
    let mut hasher = foldhash::fast::FixedState::with_seed(0).build_hasher();
    for part in parts {
        hasher.write(part.unwrap_or_default().as_bytes());
        hasher.write_u8(0);
    }
    Some(hasher.finish())
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

pub(super) static DISAGREE: Rule = Rule {
    code: "GT021",
    title: "two records of one thing disagree",
    severity: Severity::Error,
    section: "4.4",
    help: "collect both again from the same page: they are of one country, year and product",
    check: Check::All(disagree),
    passing: r#"[{"record": {"atlas_url": "/countries/404", "results": {"data": [{"metric": "GDP per capita", "value": "$2,274", "year": "2024"}]}}}, {"record": {"atlas_url": "/countries/404", "results": {"data": [{"metric": "GDP per capita", "value": "$2.27k", "year": "2024"}]}}}]"#,
    failing: r#"[{"record": {"atlas_url": "/countries/404", "results": {"data": [{"metric": "GDP per capita", "value": "$2,274", "year": "2024"}]}}}, {"record": {"atlas_url": "/countries/404", "results": {"data": [{"metric": "GDP per capita", "value": "$2,350", "year": "2024"}]}}}]"#,
};

fn disagree(overview: &Overview) -> Vec<FoundAcross> {
    let mut by_thing: BTreeMap<u64, Vec<&Claim>> = BTreeMap::new();
    for claim in &overview.claims {
        by_thing.entry(claim.about).or_default().push(claim);
    }
    let mut found: Vec<FoundAcross> = Vec::new();
    for claims in by_thing.values() {
        // several rows of one record that look alike are told apart by something that is not known here
        let mut records: Vec<usize> = claims.iter().map(|claim| claim.record).collect();
        records.dedup();
        if records.len() != claims.len() {
            continue;
        }
        let apart =
            |a: &Claim, b: &Claim| a.interval.low > b.interval.high || b.interval.low > a.interval.high;
        let pair = claims.iter().enumerate().find_map(|(at, one)| {
            claims[at + 1..].iter().find(|other| apart(one, other)).map(|other| (one, other))
        });
        let Some((one, other)) = pair else { continue };
        let id = overview.records.get(one.record).map(|(id, _)| id.to_string()).unwrap_or_default();
        let message = format!("{}, and {} in Q{id} ({})", other.text, one.text, one.key);
        found.push(FoundAcross {
            records: vec![one.record, other.record],
            key: other.key.to_string(),
            message,
        });
    }
    found.sort_by(|a, b| (&a.records, &a.key).cmp(&(&b.records, &b.key)));
    // one finding for a pair of records
    found.dedup_by(|a, b| a.records == b.records);
    found
}
