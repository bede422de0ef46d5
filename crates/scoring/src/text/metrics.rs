//! The six metrics with their thresholds, points and traces (scoring thresholds, sections 1 to 5 and the total; decisions 1
//! to 3). Every band includes its lower edge.

use super::citations::{citations, normalise_url, unique_sources};
use super::contradictions::contradictions;
use super::coverage::{coverage, names_section};
use super::facts::Facts;
use super::markdown::MarkdownDocument;
use super::markers::markers;
use super::total::{Band, DOCUMENTED_MAXIMUM, MetricScore, TextDetails, TextMetric};
use super::trace::Trace;
use crate::score::Score;

/// Scores a Markdown text against facts, sections and sources. An empty text gets no points, although single metrics would
/// reward the absence of errors (decision 37).
#[must_use]
pub fn score_text(text: &str, facts: &Facts) -> Score<TextDetails> {
    let document = MarkdownDocument::parse(text);
    let findings = coverage(&document, &facts.facts);
    let cited = citations(&document);
    let sources = unique_sources(&cited);
    let marked = markers(&document, facts.expects_refusal);
    let clashes = contradictions(&document);

    let found: Vec<(&str, bool)> = findings.iter().map(|f| (f.fact.as_str(), f.found)).collect();
    let counted: Vec<&str> = marked.iter().filter(|m| m.counts).map(|m| m.text.as_str()).collect();
    let metrics = vec![
        factual_accuracy(&found),
        schema_compliance(&document, &facts.required_sections),
        provenance(cited.len(), sources.len()),
        hallucination(
            &counted,
            marked.len() - counted.len(),
            &clashes.iter().map(|c| (&*c.first, &*c.second)).collect::<Vec<_>>(),
        ),
        readability(&document),
        mrr(&sources, facts),
    ];
    let is_empty = text.trim().is_empty();
    let points = if is_empty { 0 } else { metrics.iter().filter_map(|metric| metric.score).sum() };
    let attainable = metrics.iter().filter(|m| m.score.is_some()).map(|m| m.maximum).sum();
    let share = (attainable > 0).then(|| f64::from(points) / f64::from(attainable));
    let band_by_points = Band::of(f64::from(points));
    let reason = match is_empty {
        true => "the text is empty: no point counts".to_owned(),
        false => format!("{points} of {attainable} points: {}", band_by_points.name()),
    };
    let details = TextDetails {
        points,
        attainable,
        band_by_points,
        band_by_share: share.map(|share| Band::of(share * DOCUMENTED_MAXIMUM)),
        metrics,
        facts: findings,
        structure: document.structure,
        citations: cited,
        unique_sources: sources,
        markers: marked,
        contradictions: clashes,
    };
    Score::new(share, reason, details)
}

/// A share in per cent, truncated to one decimal, so that it never appears to reach the next bucket.
pub(super) fn percent(part: usize, whole: usize) -> String {
    let thousandths = (part as u128 * 1000).checked_div(whole as u128).unwrap_or(1000);
    match thousandths % 10 {
        0 => format!("{}%", thousandths / 10),
        tenth => format!("{}.{tenth}%", thousandths / 10),
    }
}

/// Section 1: coverage below 40 % gives 0, from 40 % 1, from 70 % 2, from 90 % 3.
pub(super) fn factual_accuracy(facts: &[(&str, bool)]) -> MetricScore {
    const METRIC: TextMetric = TextMetric::FactualAccuracy;
    let total = facts.len();
    let mut trace = Trace::new("Factual Accuracy (0-3)", format!("Ground truth has {total} key facts"));
    if total == 0 {
        return MetricScore::unscored(METRIC, "the case names no facts", trace);
    }
    let found = facts.iter().filter(|(_, found)| *found).count();
    let share = percent(found, total);
    let mut lines: Vec<String> = facts
        .iter()
        .zip(1..)
        .map(|((fact, found), number)| {
            let finding = if *found { "FOUND in text" } else { "NOT FOUND in text" };
            format!("Fact {number}/{total}: \"{fact}\" - {finding}")
        })
        .collect();
    lines.push(format!("Coverage = {found}/{total} = {share}"));
    trace.step("Analyzing coverage of key facts", lines);
    trace.step(
        "Scoring decision tree",
        vec![
            format!("Coverage: {share}"),
            "Checking thresholds: < 40% (0) | 40-70% (1) | 70-90% (2) | >= 90% (3)".to_owned(),
        ],
    );
    let at_least = |per_cent: usize| found * 100 >= per_cent * total;
    let (score, bucket, quality, why) = if at_least(90) {
        (3, ">= 90%", "Excellent", "Complete coverage")
    } else if at_least(70) {
        (2, "70-90%", "Good", "Good coverage with minor gaps")
    } else if at_least(40) {
        (1, "40-70%", "Fair", "Basic coverage with major gaps")
    } else {
        (0, "< 40%", "Poor", "Major gaps")
    };
    trace.result = format!("{share} falls in {bucket} range");
    MetricScore::new(METRIC, score, quality, why, trace)
}

fn schema_compliance(document: &MarkdownDocument<'_>, required: &[String]) -> MetricScore {
    let present: Vec<(&str, bool)> = required
        .iter()
        .map(|section| {
            (section.as_str(), document.headings.iter().any(|heading| names_section(heading, section)))
        })
        .collect();
    schema(&present, document.structure.headers, document.structure.lists)
}

/// Section 2, overlaps resolved by decision 2: 0 below 50 % and without structure; 2 from 80 % with headers and lists;
/// else 1.
pub(super) fn schema(sections: &[(&str, bool)], headers: usize, lists: usize) -> MetricScore {
    let total = sections.len();
    let found = sections.iter().filter(|(_, found)| *found).count();
    let share = percent(found, total);
    let mut trace = Trace::new(
        "Schema Compliance (0-2)",
        format!("{total} required sections, {headers} headers, {lists} list items"),
    );
    let mut lines: Vec<String> = sections
        .iter()
        .zip(1..)
        .map(|((section, found), number)| {
            format!(
                "Section {number}/{total}: \"{section}\" - {}",
                if *found { "FOUND" } else { "NOT FOUND" }
            )
        })
        .collect();
    lines.push(if total == 0 {
        "Sections = 100% (none is required)".to_owned()
    } else {
        format!("Sections = {found}/{total} = {share}")
    });
    trace.step("Looking for required sections", lines);
    let (any, both) = (headers > 0 || lists > 0, headers > 0 && lists > 0);
    let structure = match (any, both) {
        (_, true) => "Present (headers and lists)",
        (true, _) => "Basic (headers or lists)",
        _ => "Absent",
    };
    trace.step(
        "Scoring decision tree",
        vec![
            format!("Sections matched: {share} AND Structure: {structure}"),
            "Checking thresholds: < 50% and no structure (0) | otherwise (1) | >= 80% with headers and lists (2)"
                .to_owned(),
        ],
    );
    let (score, bucket, quality) = if found * 100 >= 80 * total && both {
        (2, ">= 80% with headers and lists", "Excellent")
    } else if found * 100 < 50 * total && !any {
        (0, "< 50% without structure", "Poor")
    } else if found * 100 < 50 * total {
        (1, "< 50% with structure", "Acceptable")
    } else if found * 100 < 80 * total {
        (1, "50-80%", "Acceptable")
    } else {
        (1, ">= 80% without headers and lists", "Acceptable")
    };
    trace.result = format!("{share} with structure {structure} falls in {bucket}");
    MetricScore::new(
        TextMetric::SchemaCompliance,
        score,
        quality,
        &format!("{found} of {total} sections"),
        trace,
    )
}

/// Section 3, overlaps resolved by decision 2: 2 needs ≥ 5 citations and ≥ 2 sources; 0 needs < 2 and < 1; else 1.
pub(super) fn provenance(citations: usize, sources: usize) -> MetricScore {
    let mut trace =
        Trace::new("Provenance Quality (0-2)", format!("{citations} citations, {sources} unique sources"));
    trace.step(
        "Counting citations and unique sources",
        vec![format!("Citations: {citations}, Unique sources: {sources}")],
    );
    trace.step(
        "Scoring decision tree",
        vec!["Checking thresholds: < 2 and < 1 (0) | >= 2 or >= 1 (1) | >= 5 and >= 2 (2)".to_owned()],
    );
    let (score, bucket, quality) = match (citations, sources) {
        (5.., 2..) => (2, ">= 5 citations and >= 2 sources", "Excellent"),
        (..2, 0) => (0, "< 2 citations and < 1 source", "Poor"),
        _ => (1, ">= 2 citations or >= 1 source", "Fair"),
    };
    trace.result = format!("{citations} citations, {sources} sources fall in {bucket}");
    let why = format!("{citations} citations of {sources} sources");
    MetricScore::new(TextMetric::ProvenanceQuality, score, quality, &why, trace)
}

/// Section 4: no problem gives 2, one or two give 1, more give 0.
pub(super) fn hallucination(markers: &[&str], excused: usize, clashes: &[(&str, &str)]) -> MetricScore {
    let total = markers.len() + clashes.len();
    let mut trace = Trace::new(
        "Hallucination Detection (0-2)",
        format!("{} markers, {excused} of them the expected refusal", markers.len() + excused),
    );
    trace.step(
        "Looking for hallucination markers",
        markers.iter().map(|marker| format!("Marker: \"{marker}\" - FOUND in text")).collect(),
    );
    trace.step(
        "Looking for contradictions between stated facts",
        clashes.iter().map(|(first, second)| format!("\"{first}\" contradicts \"{second}\"")).collect(),
    );
    trace.step(
        "Scoring decision tree",
        vec![
            format!("Markers found: {}, Contradictions: {} -> Total: {total}", markers.len(), clashes.len()),
            "Checking thresholds: 0 (2) | 1-2 (1) | > 2 (0)".to_owned(),
        ],
    );
    let (score, bucket, quality, why) = match total {
        0 => (2, "0", "Excellent", "No problems"),
        1 | 2 => (1, "1-2", "Acceptable", "Minor issues"),
        _ => (0, "> 2", "Poor", "Multiple issues"),
    };
    trace.result = format!("{total} falls in {bucket} range");
    MetricScore::new(TextMetric::HallucinationDetection, score, quality, why, trace)
}

/// Section 5: headers, lists and a mean line length of 30 to 120 characters give 1, else 0.
fn readability(document: &MarkdownDocument<'_>) -> MetricScore {
    let structure = document.structure;
    let average = document.average_line().unwrap_or(0.0);
    let mut trace = Trace::new(
        "Readability (0-1)",
        format!("{} characters of Markdown", document.source.chars().count()),
    );
    trace.step(
        "Counting formatting elements",
        vec![format!(
            "Headers: {}, Lists: {}, Bold: {}, Italic: {}, Code: {}, Avg line: {average:.0} chars",
            structure.headers, structure.lists, structure.bold, structure.italic, structure.code
        )],
    );
    trace.step(
        "Scoring decision tree",
        vec!["Checking thresholds: headers and lists and 30-120 chars (1) | otherwise (0)".to_owned()],
    );
    let mut missing = Vec::new();
    if structure.headers == 0 {
        missing.push("no headers".to_owned());
    }
    if structure.lists == 0 {
        missing.push("no lists".to_owned());
    }
    if !(30.0..=120.0).contains(&average) {
        missing.push(format!("average line of {average:.1} chars is outside 30-120"));
    }
    if missing.is_empty() {
        trace.result = format!("headers, lists and {average:.0} chars fall in 30-120");
        return MetricScore::new(TextMetric::Readability, 1, "Excellent", "Well formatted", trace);
    }
    trace.result = missing.join(", ");
    MetricScore::new(TextMetric::Readability, 0, "Poor", &missing.join(", "), trace)
}

/// Mean reciprocal rank of the first relevant source, in citation order, over the queries of the case (decision 1).
fn mrr(sources: &[String], facts: &Facts) -> MetricScore {
    let queries: Vec<_> = facts.queries.iter().filter(|query| !query.relevant_sources.is_empty()).collect();
    let mut trace = Trace::new(
        "MRR (0-2)",
        format!("{} queries with relevant sources, {} sources cited", queries.len(), sources.len()),
    );
    if queries.is_empty() {
        return MetricScore::unscored(TextMetric::Mrr, "the case names no relevant sources", trace);
    }
    let mut sum = 0.0;
    let mut lines = Vec::new();
    for (query, number) in queries.iter().zip(1..) {
        let relevant: Vec<String> =
            query.relevant_sources.iter().map(|source| normalise_url(source)).collect();
        let rank = sources.iter().position(|source| relevant.contains(source)).map(|place| place + 1);
        let name = query.query.as_deref().unwrap_or("relevant source");
        lines.push(match rank {
            Some(rank) => {
                sum += 1.0 / rank as f64;
                format!("Query {number}/{}: \"{name}\" - FOUND at rank {rank} (1/{rank})", queries.len())
            }
            None => format!("Query {number}/{}: \"{name}\" - NOT FOUND (0)", queries.len()),
        });
    }
    let mean = sum / queries.len() as f64;
    lines.push(format!("MRR = {mean:.3}"));
    trace.step("Ranking the first relevant source of each query", lines);
    let (fair, excellent) = (facts.mrr_bands.fair, facts.mrr_bands.excellent);
    trace.step(
        "Scoring decision tree",
        vec![format!("Checking thresholds: < {fair} (0) | {fair}-{excellent} (1) | >= {excellent} (2)")],
    );
    let (score, bucket, quality) = if mean >= excellent {
        (2, format!(">= {excellent}"), "Excellent")
    } else if mean >= fair {
        (1, format!("{fair}-{excellent}"), "Fair")
    } else {
        (0, format!("< {fair}"), "Poor")
    };
    trace.result = format!("{mean:.3} falls in {bucket} range");
    MetricScore::new(TextMetric::Mrr, score, quality, "relevant sources in citation order", trace)
}
