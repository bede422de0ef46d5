//! Rules that compare all records.

use std::collections::BTreeMap;

use super::overview::{Claim, Overview, Percentage};
use super::rule::{Across, Check, FoundAcross, LintRule, requirement};
use atlas_gt_core::diagnostic::Severity;
use atlas_gt_core::question_id::question_label;
use atlas_gt_core::words::count;

pub(super) static NO_METHOD: LintRule = LintRule {
    code: "GT015",
    title: "records do not state their source method",
    severity: Severity::Warning,
    requirement: requirement::TRUTH,
    help: "set `source_method` to one of the five methods: it decides which answers the value may score",
    check: Check::All(no_method),
    passing: r#"[{"record": {"source_method": "browser_country_page", "results": {"data": [{"value": 24}]}}}]"#,
    failing: r#"[{"record": {"results": {"data": [{"value": 24}]}}}]"#,
};

fn no_method(across: &mut Across<'_>) {
    let overview = across.overview;
    let records = overview.places(|of| !of.has_method && !of.has_behavior);
    let found = |records: &[usize]| together(overview, records, "no source method, or an unknown one");
    across.compare(&records, |at| at, found);
}

pub(super) static NO_YEAR: LintRule = LintRule {
    code: "GT016",
    title: "records have numbers, but neither record, address nor question names a year",
    severity: Severity::Note,
    requirement: requirement::TRUTH,
    help: "write the year that the page showed beside the value",
    check: Check::All(no_year),
    passing: r#"[{"record": {"results": {"data": [{"value": "$2,274", "year": "2024"}]}}}]"#,
    failing: r#"[{"record": {"results": {"data": [{"value": "$2,274"}]}}}]"#,
};

fn no_year(across: &mut Across<'_>) {
    let overview = across.overview;
    let records = overview.places(|of| of.lacks_year && !of.has_behavior);
    across.compare(&records, |at| at, |records| together(overview, records, "numbers without a year"));
}

pub(super) static WHOLE_MINUTE: LintRule = LintRule {
    code: "GT012b",
    title: "times are whole minutes, as people write them by hand",
    severity: Severity::Note,
    requirement: requirement::TRUTH,
    help: "let the program that reads the value write the time",
    check: Check::All(whole_minute),
    passing: r#"[{"record": {"execution_timestamp": "2026-02-28T10:14:09Z", "results": {"data": [{"value": 24}]}}}]"#,
    failing: r#"[{"record": {"execution_timestamp": "2026-02-28T10:00:00Z", "results": {"data": [{"value": 24}]}}}]"#,
};

fn whole_minute(across: &mut Across<'_>) {
    let overview = across.overview;
    // by chance one time in sixty is a whole minute; allow three standard deviations more
    let chance = overview.records.len() as f64 / 60.0;
    let found = |records: &[usize]| {
        let is_few = records.len() * 10 <= overview.records.len();
        let is_chance = is_few && (records.len() as f64) <= 1.0 + chance + 3.0 * chance.sqrt();
        if is_chance { None } else { together(overview, records, "a time without seconds") }
    };
    across.compare(&overview.places(|of| of.is_whole_minute), |at| at, found);
}

pub(super) static NO_QUESTION: LintRule = LintRule {
    code: "GT018",
    title: "a record that no question asks for",
    severity: Severity::Warning,
    requirement: requirement::ASKED,
    help: "add the question, or remove the record",
    check: Check::Questions(no_question),
    passing: r#"[{"question": {"text": "What is the GDP per capita of Kenya?"}, "record": {"results": {"data": [{"value": "$2,274"}]}}}]"#,
    failing: r#"[{"question": {"text": "What is the GDP per capita of Kenya?"}, "record": {"results": {"data": [{"value": "$2,274"}]}}}, {"record": {"results": {"data": [{"value": "$2,350"}]}}}]"#,
};

fn no_question(across: &mut Across<'_>) {
    let found = |record: &usize| FoundAcross {
        records: vec![*record],
        key: "question_id".to_owned(),
        message: "no question has this id".to_owned(),
    };
    for record in across.overview.places(|of| !of.has_question) {
        across.compare(&[record], |at| at, |records| records.first().map(found));
    }
}

/// One finding for all affected records.
fn together(overview: &Overview, records: &[usize], message: &str) -> Option<FoundAcross> {
    if records.is_empty() {
        return None;
    }
    let (found, all) = (records.len(), overview.records.len());
    let message = match (found, all) {
        (1, 1) => format!("the record has {message}"),
        (1, _) => format!("1 of {} has {message}", count(all, "record")),
        _ if found == all => format!("all {} have {message}", count(all, "record")),
        _ => format!("{found} of {} have {message}", count(all, "record")),
    };
    Some(FoundAcross { records: records.to_vec(), key: String::new(), message })
}

pub(super) static DECIMALS: LintRule = LintRule {
    code: "GT031",
    title: "the same measure of a section is written in whole percent in some records and with decimals in others",
    severity: Severity::Warning,
    requirement: requirement::TRUTH,
    help: "write it as the page shows it: a value with more digits was not read from the page",
    check: Check::All(other_decimals),
    passing: r#"[{"record": {"atlas_url": "/countries/404/new-products", "results": {"data": [{"metric": "New product share", "value": "2%"}]}}}, {"record": {"atlas_url": "/countries/404/new-products", "results": {"data": [{"metric": "New product share", "value": "7%"}]}}}]"#,
    failing: r#"[{"record": {"atlas_url": "/countries/404/new-products", "results": {"data": [{"metric": "New product share", "value": "2%"}]}}}, {"record": {"atlas_url": "/countries/404/new-products", "results": {"data": [{"metric": "New product share", "value": "6.8%"}]}}}]"#,
};

fn other_decimals(across: &mut Across<'_>) {
    let overview = across.overview;
    let mut sorted: Vec<&Percentage> = overview.percentages.iter().collect();
    sorted.sort_unstable();
    let of_metric = |written: &[&Percentage]| {
        let mut ways: Vec<&[&Percentage]> = written.chunk_by(|a, b| a.is_whole == b.is_whole).collect();
        ways.sort_by_key(|way| way.len());
        let (rare, usual) = (ways.first()?, ways.last().filter(|_| ways.len() > 1)?);
        let (one, other) = (rare.last()?, usual.first()?);
        let id = &overview.records[other.record].id;
        // without a usual format, name both
        let beside = usual.iter().filter(|_| usual.len() == rare.len());
        let mut records: Vec<usize> = beside.chain(rare.iter()).map(|one| one.record).collect();
        records.dedup();
        let message =
            format!("{} here, {} in {question}", one.text, other.text, question = question_label(id));
        Some(FoundAcross { records, key: one.key.to_string(), message })
    };
    for written in sorted.chunk_by(|a, b| a.metric == b.metric) {
        across.compare(written, |one: &Percentage| one.record, of_metric);
    }
}

pub(super) static DISAGREE: LintRule = LintRule {
    code: "GT021",
    title: "two records of the same value disagree",
    severity: Severity::Error,
    requirement: requirement::SAME,
    help: "collect both again from the same page: they have the same country, year and product",
    check: Check::All(disagree),
    passing: r#"[{"record": {"atlas_url": "/countries/404", "results": {"data": [{"metric": "GDP per capita", "value": "$2,274", "year": "2024"}]}}}, {"record": {"atlas_url": "/countries/404", "results": {"data": [{"metric": "GDP per capita", "value": "$2.27k", "year": "2024"}]}}}]"#,
    failing: r#"[{"record": {"atlas_url": "/countries/404", "results": {"data": [{"metric": "GDP per capita", "value": "$2,274", "year": "2024"}]}}}, {"record": {"atlas_url": "/countries/404", "results": {"data": [{"metric": "GDP per capita", "value": "$2,350", "year": "2024"}]}}}]"#,
};

fn disagree(across: &mut Across<'_>) {
    let overview = across.overview;
    let mut by_thing: BTreeMap<u64, Vec<&Claim>> = BTreeMap::new();
    for claim in &overview.claims {
        by_thing.entry(claim.about).or_default().push(claim);
    }
    let apart = |a: &Claim, b: &Claim| a.interval.low > b.interval.high || b.interval.low > a.interval.high;
    let of_thing = |claims: &[&Claim]| {
        // rows of one record that look the same differ in an unknown way
        let mut records: Vec<usize> = claims.iter().map(|claim| claim.record).collect();
        records.dedup();
        if records.len() != claims.len() {
            return None;
        }
        let (one, other) = claims.iter().enumerate().find_map(|(at, one)| {
            claims[at + 1..].iter().find(|other| apart(one, other)).map(|other| (one, other))
        })?;
        let id = &overview.records[one.record].id;
        let message = format!(
            "{}, and {} in {question} ({})",
            other.text,
            one.text,
            one.key,
            question = question_label(id)
        );
        Some(FoundAcross { records: vec![one.record, other.record], key: other.key.to_string(), message })
    };
    for claims in by_thing.values() {
        across.compare(claims, |claim: &Claim| claim.record, of_thing);
    }
    across.found.sort_by(|a, b| (&a.records, &a.key).cmp(&(&b.records, &b.key)));
    // one finding per pair of records
    across.found.dedup_by(|a, b| a.records == b.records);
}
