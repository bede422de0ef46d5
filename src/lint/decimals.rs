//! One measure, written with different numbers of decimals.

use super::finding::Severity;
use super::rule::{Check, FoundAcross, Rule};
use super::store_wide::Overview;
use super::subject::{Subject, place_of};
use crate::external::Figure;
use crate::value::fold::key;

/// How a percentage is written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Percentage {
    metric: Box<str>,
    decimals: usize,
    /// The record, as a place in the overview.
    pub(super) record: usize,
    key: Box<str>,
    text: Box<str>,
}

pub(super) static DECIMALS: Rule = Rule {
    code: "GT031",
    title: "one measure is written with different numbers of decimals",
    severity: Severity::Warning,
    section: "3",
    help: "write it as the page shows it, everywhere: a value with more digits was not read from there",
    check: Check::All(other_decimals),
    passing: r#"[{"record": {"results": {"data": [{"metric": "New product share", "value": "2%"}]}}}, {"record": {"results": {"data": [{"metric": "New product share", "value": "7%"}]}}}]"#,
    failing: r#"[{"record": {"results": {"data": [{"metric": "New product share", "value": "2%"}]}}}, {"record": {"results": {"data": [{"metric": "New product share", "value": "6.8%"}]}}}]"#,
};

/// The percentages of a record that are texts under a name of their own.
pub(super) fn percentages(subject: &Subject<'_>, record: usize) -> Vec<Percentage> {
    let percentage = |figure: &Figure| {
        let number = figure.text.strip_suffix('%').filter(|_| figure.name == "value")?.trim_end();
        let decimals = number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let metric = key(figure.about.metric.as_deref()?).into();
        let text = figure.text.as_str().into();
        Some(Percentage { metric, decimals, record, key: place_of(figure).into(), text })
    };
    subject.numbers().filter_map(percentage).collect()
}

fn other_decimals(overview: &Overview) -> Vec<FoundAcross> {
    let mut sorted: Vec<&Percentage> = overview.percentages.iter().collect();
    sorted.sort_unstable();
    let of_metric = |written: &[&Percentage]| {
        let mut ways: Vec<&[&Percentage]> = written.chunk_by(|a, b| a.decimals == b.decimals).collect();
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
