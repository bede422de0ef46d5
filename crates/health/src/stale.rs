//! Finds records that are due for another check, by two criteria: the time since the last check of
//! the page, and the data release read then.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::atlas::{AtlasUrl, PageKind};
use crate::config::StaleMonths;
use crate::error::{Exit, Result};
use crate::manifest::QuestionId;
use crate::truth::checks::{self, Check, Checks};
use crate::truth::{Age, Quarantined, Store, Stored, age, time_text};

/// The stale records of a store.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct StaleReport {
    /// The time at which ages are computed.
    pub as_of: String,
    /// The number of records read.
    pub records: usize,
    /// The site's data release when it was last read, if a reading or check knows it.
    pub newest_release: Option<String>,
    /// The stale records, longest unchecked first.
    pub stale: Vec<StaleRecord>,
    /// Unreadable records, whose age is unknown.
    pub quarantined: Vec<Quarantined>,
    /// The exit code.
    pub exit_code: u8,
}

/// A record that is due for another check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct StaleRecord {
    /// The question.
    pub question_id: QuestionId,
    /// The kind of page; none if the record's address is not a page of the site.
    pub page: Option<String>,
    /// The later of the record's `execution_timestamp` and the last successful check.
    pub last_looked: String,
    /// Whole days since then.
    pub age_days: i64,
    /// The release read at the last check, if known.
    pub release: Option<String>,
    /// The criteria that apply.
    pub stale_by: Vec<StaleBy>,
    /// The reason as text.
    pub why: String,
    /// The link to its page, if it was read from the live site.
    #[serde(skip)]
    pub page_link: Option<String>,
}

/// A criterion for a stale record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StaleBy {
    /// Its page was not checked for too long.
    Age,
    /// The site has published newer data.
    Release,
}

impl StaleReport {
    /// The exit code: 3 if a record is stale, 2 if one is unreadable.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let stale = if self.stale.is_empty() { Exit::Ok } else { Exit::Differences };
        stale.worst(Quarantined::exit(&self.quarantined))
    }
}

/// Finds the stale records of a store. A record is stale if the months for its kind of page have
/// passed since the last check. It is also stale if it was read from an earlier release than the
/// release that the site had when it was last read. A release named by a date, as the site does, is
/// later than every check before that date.
///
/// # Errors
/// The store cannot be read. Unreadable records are part of the report.
pub fn stale(store: &Store, months: &StaleMonths, now: Timestamp) -> Result<StaleReport> {
    let records: Vec<Stored> = store.records()?.collect();
    let read = checks::read(store)?;
    let newest = newest_release(&records, &read).map(str::to_owned);
    let mut looks: BTreeMap<QuestionId, Checks> = BTreeMap::new();
    for look in read.checks {
        looks.entry(look.question_id.clone()).or_default().checks.push(look);
    }
    let mut found = Vec::new();
    for stored in &records {
        let looks = looks.get(&stored.record.question_id).cloned().unwrap_or_default();
        let page = AtlasUrl::parse(&stored.record.atlas_url).ok().map(|parsed| parsed.url.kind());
        let months = months.of(page);
        let age = age(&stored.record, &looks, months, now);
        let release = release_of(stored, &looks);
        let outdated_reason =
            newest.as_deref().and_then(|newest| outdated_reason(newest, release, age.last_looked));
        let link = |one: StaleRecord| StaleRecord { page_link: stored.record.page().link, ..one };
        found.extend(
            judged(&age, page, months, release, outdated_reason, now).map(|one| (age.last_looked, link(one))),
        );
    }
    // the sort is stable, so equal dates stay ordered by question
    found.sort_by_key(|(last_looked, _)| *last_looked);
    let mut report = StaleReport {
        as_of: time_text(now),
        records: records.len(),
        newest_release: newest,
        stale: found.into_iter().map(|(_, one)| one).collect(),
        quarantined: store.quarantined(),
        exit_code: 0,
    };
    report.exit_code = report.exit() as u8;
    Ok(report)
}

fn judged(
    age: &Age,
    page: Option<PageKind>,
    months: u16,
    release: Option<&str>,
    outdated_reason: Option<String>,
    now: Timestamp,
) -> Option<StaleRecord> {
    let looked = time_text(age.last_looked);
    let old = age.stale.then(|| match months {
        1 => "not checked for a month".to_owned(),
        _ => format!("not checked for {months} months"),
    });
    let stale_by: Vec<StaleBy> =
        [old.as_ref().map(|_| StaleBy::Age), outdated_reason.as_ref().map(|_| StaleBy::Release)]
            .into_iter()
            .flatten()
            .collect();
    let why: Vec<String> = old.into_iter().chain(outdated_reason).collect();
    (!stale_by.is_empty()).then(|| StaleRecord {
        question_id: age.question_id.clone(),
        page: page.map(|page| page.to_string()),
        last_looked: looked,
        age_days: now.duration_since(age.last_looked).as_hours().max(0) / 24,
        release: release.map(str::to_owned),
        stale_by,
        why: why.join("; "),
        page_link: None,
    })
}

/// The release known from the latest reading or check.
fn newest_release<'a>(records: &'a [Stored], checks: &'a Checks) -> Option<&'a str> {
    let looks = checks.checks.iter().filter_map(|look| Some((look.timestamp, look.site_vintage.as_deref()?)));
    let read = records.iter().filter_map(|stored| stored.provenance.as_ref());
    let read = read.flat_map(|provenance| &provenance.points);
    let read = read.filter_map(|point| Some((point.read_at, point.site_vintage.as_deref()?)));
    looks.chain(read).max().map(|(_, release)| release)
}

/// The release read at the last check of a record, if known.
fn release_of<'a>(stored: &'a Stored, looks: &'a Checks) -> Option<&'a str> {
    let read = stored.provenance.iter().flat_map(|provenance| &provenance.points);
    let read = read.map(|point| (point.read_at, point.site_vintage.as_deref()));
    let good = looks.checks.iter().filter(|look| look.outcome.is_good());
    let good = good.map(|look: &Check| (look.timestamp, look.site_vintage.as_deref()));
    read.chain(good).max().and_then(|(_, release)| release)
}

/// Why a reading is not from the newest release; `None` if it is, or if that is unknown.
fn outdated_reason(newest: &str, release: Option<&str>, last_looked: Timestamp) -> Option<String> {
    if let Some(release) = release {
        return (release != newest).then(|| format!("read from release {release}; {newest} is out"));
    }
    let day: Date = newest.parse().ok()?;
    let out = day.to_zoned(TimeZone::UTC).ok()?.timestamp();
    (last_looked < out).then(|| format!("read before release {newest}"))
}
