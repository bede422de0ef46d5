//! A small summary of each record, for rules that compare all records. It keeps memory low for
//! large folders.

use std::hash::{BuildHasher, Hasher};
use std::path::PathBuf;

use super::silence::Silences;
use super::subject::{LintSubject, country, interval, metric, place_of};
use crate::atlas::{Explore, SitePage};
use crate::external::Figure;
use crate::manifest::QuestionId;
use crate::value::fold::key;
use crate::value::{Flow, Interval, Period, Unit};

/// The summaries that store-wide rules need.
#[derive(Debug, Default)]
pub struct Overview {
    /// The records.
    pub(super) records: Vec<Known>,
    /// Their numbers.
    pub(super) claims: Vec<Claim>,
    /// Their percentages.
    pub(super) percentages: Vec<Percentage>,
    /// Whether there is a questions file.
    pub(super) has_questions: bool,
}

/// The summary of a record.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent marks of a record")]
pub(super) struct Known {
    pub id: QuestionId,
    pub path: PathBuf,
    pub silences: Silences,
    /// It states a known source method.
    pub has_method: bool,
    /// It has numbers, but nothing names a year.
    pub lacks_year: bool,
    pub has_question: bool,
    /// Its time has no seconds.
    pub is_whole_minute: bool,
    /// It has an expected behavior instead of a value.
    pub has_behavior: bool,
}

impl Overview {
    /// Without any record.
    #[must_use]
    pub fn new(has_questions: bool) -> Self {
        Self { has_questions, ..Self::default() }
    }

    /// Adds the summary of a record.
    pub fn add(&mut self, subject: &LintSubject<'_>, silences: Silences) {
        let place = self.records.len();
        self.records.push(Known {
            id: subject.record.id.clone(),
            path: subject.record.path.clone(),
            silences,
            has_method: subject.record.source_method().is_some(),
            lacks_year: subject.numbers().next().is_some() && !says_year(subject),
            has_question: subject.asked.is_some(),
            is_whole_minute: is_whole_minute(subject),
            has_behavior: subject.has_behavior(),
        });
        self.percentages.extend(percentages(subject, place));
        self.claims.extend(claims(subject, place));
    }

    /// Appends the records of another overview.
    pub fn append(&mut self, mut other: Self) {
        let first = self.records.len();
        other.claims.iter_mut().for_each(|claim| claim.record += first);
        other.percentages.iter_mut().for_each(|one| one.record += first);
        self.records.append(&mut other.records);
        self.claims.append(&mut other.claims);
        self.percentages.append(&mut other.percentages);
    }

    /// The indices of records that satisfy a condition.
    pub(super) fn places(&self, is_so: impl Fn(&Known) -> bool) -> Vec<usize> {
        (0..self.records.len()).filter(|at| is_so(&self.records[*at])).collect()
    }
}

fn says_year(subject: &LintSubject<'_>) -> bool {
    let is_year =
        |word: &str| word.len() == 4 && word.parse().is_ok_and(|year: u32| (1950..=2050).contains(&year));
    let says = |text: &str| text.split(|c: char| !c.is_ascii_digit()).any(is_year);
    !subject.years().is_empty()
        || subject.years_of_page().is_some()
        || subject.asked.is_some_and(|asked| !asked.years.is_empty())
        || subject.leaves().any(|leaf| says(&leaf.text) || says(&leaf.key))
}

fn is_whole_minute(subject: &LintSubject<'_>) -> bool {
    let time = subject.record.time.as_ref().filter(|time| time.text.contains(':'));
    time.and_then(|time| time.at).is_some_and(|at| at.as_second() % 60 == 0 && at.subsec_nanosecond() == 0)
}

/// The format of a percentage in one section of pages.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Percentage {
    pub metric: Box<str>,
    pub is_whole: bool,
    /// The index of its record.
    pub record: usize,
    pub key: Box<str>,
    pub text: Box<str>,
}

/// The percentages that a record writes as text, each under its own name. Growth is excluded: pages
/// show it with three digits, so `19%` can appear beside `3.4%`.
fn percentages(subject: &LintSubject<'_>, record: usize) -> Vec<Percentage> {
    let Some(page) = subject.page() else { return Vec::new() };
    let section = match page {
        SitePage::Country { section, .. } => section.slug(),
        SitePage::Explore(explore) => explore.viz.path(),
    };
    let percentage = |figure: &Figure| {
        let number = figure.text.strip_suffix('%').filter(|_| figure.name == "value")?.trim_end();
        let metric = key(figure.about.metric.as_deref()?);
        let says_nothing = figure.quantity()?.number.is_zero() || metric.contains("growth");
        (!says_nothing).then(|| Percentage {
            metric: format!("{section} {metric}").into(),
            is_whole: !number.contains('.'),
            record,
            key: place_of(figure).into(),
            text: figure.text.as_str().into(),
        })
    };
    subject.numbers().filter_map(percentage).collect()
}

/// A number of a record, with a hash of its context.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Claim {
    /// The index of its record.
    pub record: usize,
    pub about: u64,
    pub interval: Interval,
    pub key: Box<str>,
    pub text: Box<str>,
}

/// The numbers of a record that another record may also state: those with a year, or from a country
/// page.
fn claims(subject: &LintSubject<'_>, record: usize) -> Vec<Claim> {
    let Some(page) = subject.page() else { return Vec::new() };
    let claim = |figure: &Figure| {
        let about = about(subject, page, figure)?;
        let text = figure.text.as_str().into();
        Some(Claim { record, about, interval: interval(figure)?, key: place_of(figure).into(), text })
    };
    subject.numbers().filter_map(claim).collect()
}

/// A hash of everything that must match before two numbers are comparable.
fn about(subject: &LintSubject<'_>, page: &SitePage, figure: &Figure) -> Option<u64> {
    let about = &figure.about;
    let unit = figure.quantity()?.unit;
    let fold = |text: &str| country(text).map_or_else(|| key(text), |id| id.to_string());
    let period: Option<Period> = about.period.or_else(|| match (page, subject.years_of_page()) {
        (SitePage::Explore(_), Some((start, end))) => Some(Period { start, end }),
        _ => None,
    });
    let (kind, class, flow, group) = match page {
        SitePage::Country { .. } => ("country", None, None, None),
        // without a year it may be from any year
        SitePage::Explore(_) if period.is_none() => return None,
        SitePage::Explore(page) => {
            let kind = if page.markets { "markets" } else { page.viz.path() };
            let flow = page.flow.filter(|flow| *flow == Flow::Import);
            (kind, Some(page.classification()), flow, Some(named(page)))
        }
    };
    // a row may name the page's own country, or another country beside it
    let mut places: Vec<String> = subject.countries_of_page().iter().map(ToString::to_string).collect();
    for named in [&about.country, &about.partner].into_iter().flatten().map(|text| fold(text)) {
        if !places.contains(&named) {
            places.push(named);
        }
    }
    let metric = metric(figure);
    if figure.name == "value" && about.metric.is_none() || metric.contains("rank") && unit != Unit::Rank {
        return None;
    }
    let parts = [
        Some(kind.to_owned()),
        Some(places.join(" ")),
        // rows may rely on the question for their subject
        subject.asked.map(|asked| format!("{:?} {:?}", asked.countries, asked.products)),
        group,
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

/// The places and the product in an Explore address.
fn named(page: &Explore) -> String {
    let places = [page.exporter, page.importer].into_iter().flatten().map(|place| place.to_string());
    places.chain(page.product.map(|product| product.to_string())).collect::<Vec<_>>().join(" ")
}
