//! One measure, written in whole per cent and with decimals.

use super::finding::Severity;
use super::rule::{Check, FoundAcross, Rule};
use super::store_wide::Overview;
use super::subject::{Subject, place_of};
use crate::atlas::Page;
use crate::external::Figure;
use crate::value::fold::key;

/// How a percentage is written at one section of pages.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Percentage {
    metric: Box<str>,
    is_whole: bool,
    /// The record, as a place in the overview.
    pub(super) record: usize,
    key: Box<str>,
    text: Box<str>,
}

pub(super) static DECIMALS: Rule = Rule {
    code: "GT031",
    title: "one measure of one section is written in whole per cent here and with decimals there",
    severity: Severity::Warning,
    section: "3",
    help: "write it as the page shows it, everywhere: a value with more digits was not read from there",
    check: Check::All(other_decimals),
    passing: r#"[{"record": {"atlas_url": "/countries/404/new-products", "results": {"data": [{"metric": "New product share", "value": "2%"}]}}}, {"record": {"atlas_url": "/countries/404/new-products", "results": {"data": [{"metric": "New product share", "value": "7%"}]}}}]"#,
    failing: r#"[{"record": {"atlas_url": "/countries/404/new-products", "results": {"data": [{"metric": "New product share", "value": "2%"}]}}}, {"record": {"atlas_url": "/countries/404/new-products", "results": {"data": [{"metric": "New product share", "value": "6.8%"}]}}}]"#,
};

/// The percentages of a record that are texts under a name of their own. Growth is shown with three digits, so that `19%`
/// stands beside `3.4%`.
pub(super) fn percentages(subject: &Subject<'_>, record: usize) -> Vec<Percentage> {
    let Some(page) = subject.page() else { return Vec::new() };
    let section = match page {
        Page::Country { section, .. } => section.slug(),
        Page::Explore(explore) => explore.viz.path(),
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

fn other_decimals(overview: &Overview) -> Vec<FoundAcross> {
    let mut sorted: Vec<&Percentage> = overview.percentages.iter().collect();
    sorted.sort_unstable();
    let of_metric = |written: &[&Percentage]| {
        let mut ways: Vec<&[&Percentage]> = written.chunk_by(|a, b| a.is_whole == b.is_whole).collect();
        ways.sort_by_key(|way| way.len());
        let (rare, usual) = (ways.first()?, ways.last().filter(|_| ways.len() > 1)?);
        let (one, other) = (rare.last()?, usual.first()?);
        let id = overview.records.get(other.record).map(|(id, _)| id.to_string()).unwrap_or_default();
        // where there is no usual way, both are named
        let beside = usual.iter().filter(|_| usual.len() == rare.len());
        let mut records: Vec<usize> = beside.chain(rare.iter()).map(|one| one.record).collect();
        records.dedup();
        let message = format!("{} here, {} in Q{id}", one.text, other.text);
        Some(FoundAcross { records, key: one.key.to_string(), message })
    };
    sorted.chunk_by(|a, b| a.metric == b.metric).filter_map(of_metric).collect()
}
