//! Two records of one thing: what each says is kept as a hash of what it is about, with its interval.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher};

use super::finding::Severity;
use super::rule::{Check, FoundAcross, Rule};
use super::store_wide::Overview;
use super::subject::{Subject, country, interval, metric, place_of};
use crate::atlas::{Explore, Page};
use crate::external::Figure;
use crate::value::{Flow, Interval, Period, Unit};

/// One number of a record, with a hash of what it is about.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Claim {
    /// The record, as a place in the overview.
    pub(super) record: usize,
    about: u64,
    interval: Interval,
    key: Box<str>,
    text: Box<str>,
}

/// The numbers of a record that another may state too: those with a year, or of a country page.
pub(super) fn claims(subject: &Subject<'_>, record: usize) -> Vec<Claim> {
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
    let period: Option<Period> = about.period.or_else(|| match (page, subject.years_of_page()) {
        (Page::Explore(_), Some((start, end))) => Some(Period { start, end }),
        _ => None,
    });
    let (kind, class, flow, group) = match page {
        Page::Country { .. } => ("country", None, None, None),
        // without a year it may be any
        Page::Explore(_) if period.is_none() => return None,
        Page::Explore(page) => {
            let kind = if page.markets { "markets" } else { page.viz.path() };
            let flow = page.flow.filter(|flow| *flow == Flow::Import);
            (kind, Some(super::address::class_of(page)), flow, Some(named(page)))
        }
    };
    // a row may name the page's own country, or another one beside it
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
        // rows may leave to the question what they are about
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

/// The places and the product that an Explore page names.
fn named(page: &Explore) -> String {
    let places = [page.exporter, page.importer].into_iter().flatten().map(|place| place.to_string());
    places.chain(page.product.map(|product| product.to_string())).collect::<Vec<_>>().join(" ")
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
