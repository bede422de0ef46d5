//! The scoring thresholds section by section, and decisions 1 to 3.

use proptest::prelude::*;

use super::citations::normalise_url;
use super::metrics::{factual_accuracy, hallucination, percent, provenance, schema};
use super::*;

fn found(found: usize, total: usize) -> Vec<(&'static str, bool)> {
    (0..total).map(|n| ("fact", n < found)).collect()
}

fn scored_text(text: &str, facts: &Facts) -> TextDetails {
    score_text(text, facts).metadata
}

fn metric(score: &TextDetails, metric: TextMetric) -> &MetricScore {
    score.metrics.iter().find(|scored| scored.metric == metric).unwrap()
}

#[test]
fn scoring_thresholds_1_factual_accuracy() {
    for (part, whole, score, quality) in [
        (0, 10, 0, "Poor"),
        (39, 100, 0, "Poor"),
        (40, 100, 1, "Fair"),
        (69, 100, 1, "Fair"),
        (70, 100, 2, "Good"),
        (89, 100, 2, "Good"),
        (90, 100, 3, "Excellent"),
        (10, 10, 3, "Excellent"),
        // The log example and example 1 of the interpretations.
        (85, 100, 2, "Good"),
        (82, 100, 2, "Good"),
        // "Testing the Thresholds".
        (73, 100, 2, "Good"),
    ] {
        let scored = factual_accuracy(&found(part, whole));
        assert_eq!((scored.score, scored.quality), (Some(score), quality), "{part}/{whole}");
    }
}

#[test]
fn scoring_thresholds_2_schema_compliance() {
    for (part, whole, headers, lists, score) in [
        (0, 4, 0, 0, 0),
        (1, 4, 0, 0, 0),
        (0, 4, 1, 0, 1),
        (1, 4, 0, 2, 1),
        (2, 4, 0, 0, 1),
        (3, 4, 2, 2, 1), // 75 % and structure: example 2
        (5, 7, 2, 2, 1), // 71 %: the FAQ
        (4, 5, 1, 1, 2),
        (4, 5, 1, 0, 1),
        (5, 5, 0, 0, 1),
        (5, 5, 3, 3, 2),
    ] {
        assert_eq!(
            schema(&found(part, whole), headers, lists).score,
            Some(score),
            "{part}/{whole} {headers} {lists}"
        );
    }
    let log = schema(&found(3, 4), 1, 1).trace.to_string();
    assert!(log.contains("Sections matched: 75% AND Structure: Present"), "{log}");
}

#[test]
fn scoring_thresholds_3_provenance_and_decision_2_overlaps() {
    for (citations, sources, score) in [
        (0, 0, 0),
        (1, 0, 0),
        (0, 1, 1),
        (2, 0, 1),
        (2, 1, 1),
        (4, 1, 1),
        (5, 1, 1),
        (4, 2, 1),
        (5, 2, 2),
        (8, 3, 2), // the log example
        (7, 3, 2), // example 3
    ] {
        assert_eq!(provenance(citations, sources).score, Some(score), "{citations} {sources}");
    }
    assert!(provenance(8, 3).trace.to_string().contains("Citations: 8, Unique sources: 3"));
}

#[test]
fn scoring_thresholds_4_hallucination() {
    for (problems, score) in [(0, 2), (1, 1), (2, 1), (3, 0), (9, 0)] {
        assert_eq!(hallucination(&vec!["unknown"; problems], 0, &[]).score, Some(score));
    }
    let log = hallucination(&["unknown", "unlimited"], 0, &[("a is 1", "a is 2")]);
    assert_eq!(log.score, Some(0));
    assert!(log.trace.to_string().contains("Markers found: 2, Contradictions: 1 -> Total: 3"));
}

#[test]
fn scoring_thresholds_5_readability() {
    let line = |length: usize| format!("# H\n\n- {}\n", "x".repeat(length));
    // Mean of two lines: 3 characters, and the item with its two.
    for (length, score) in [(54, 0), (55, 1), (235, 1), (236, 0)] {
        let scored = scored_text(&line(length), &Facts::default());
        assert_eq!(metric(&scored, TextMetric::Readability).score, Some(score), "{length}");
    }
    let prose = "A line of reasonable length, without any heading or list.";
    assert_eq!(metric(&scored_text(prose, &Facts::default()), TextMetric::Readability).score, Some(0));
    let no_list = format!("# Heading\n\n{prose}");
    assert_eq!(metric(&scored_text(&no_list, &Facts::default()), TextMetric::Readability).score, Some(0));
}

#[test]
fn scoring_thresholds_5_formatting_elements() {
    let text = "# One\n\n## Two\n\n- a\n* b\n\n\u{2022} c\n\u{2022} d\n\n1. e\n\n**bold** and *italic* and `code`\n\n```\n# no\n- no\n```\n";
    let structure = MarkdownDocument::parse(text).structure;
    assert_eq!(structure, Structure { headers: 2, lists: 5, bold: 1, italic: 1, code: 2, tables: 0 });
}

#[test]
fn decision_2_line_length_leaves_code_and_blank_lines_out() {
    let text = "12345\n\n  \n```\nvery very long code line here\n```\n1234567\n";
    assert_eq!(MarkdownDocument::parse(text).average_line(), Some(6.0));
    assert_eq!(MarkdownDocument::parse("\n \n").average_line(), None);
}

#[test]
fn scoring_thresholds_log_reading_guide() {
    let facts = [("Founded in 2015", true), ("AI company", true), ("a", false), ("b", false), ("c", false)];
    let expected = r#"================================================================================
CALCULATING: Factual Accuracy (0-3)
================================================================================
INPUT VALIDATION: Ground truth has 5 key facts
STEP 1: Analyzing coverage of key facts
------------------------------------------------------------
  Fact 1/5: "Founded in 2015" - FOUND in text
  Fact 2/5: "AI company" - FOUND in text
  Fact 3/5: "a" - NOT FOUND in text
  Fact 4/5: "b" - NOT FOUND in text
  Fact 5/5: "c" - NOT FOUND in text
  Coverage = 2/5 = 40%

STEP 2: Scoring decision tree
------------------------------------------------------------
  Coverage: 40%
  Checking thresholds: < 40% (0) | 40-70% (1) | 70-90% (2) | >= 90% (3)

THRESHOLD RESULT: 40% falls in 40-70% range
SCORE = 1 (Fair: Basic coverage with major gaps)
================================================================================
"#;
    assert_eq!(factual_accuracy(&facts).trace.to_string(), expected);
}

#[test]
fn shares_are_cut_so_that_they_stay_in_their_bucket() {
    assert_eq!(percent(5, 7), "71.4%");
    assert_eq!(percent(8999, 10_000), "89.9%");
    assert_eq!(percent(0, 0), "100%");
}

#[test]
fn scoring_thresholds_markdown_bands() {
    for (points, band) in [
        (14.0, Band::Excellent),
        (12.0, Band::Excellent),
        (11.9, Band::Good),
        (10.0, Band::Good),
        (8.0, Band::Acceptable),
        (6.0, Band::NeedsImprovement),
        (5.9, Band::Poor),
        (0.0, Band::Poor),
    ] {
        assert_eq!(Band::of(points), band, "{points}");
    }
}

const REPORT: &str = "# Kenya\n\n## Overview\n\nKenya was founded as a republic in 1963, and its capital is Nairobi.\n\n\
    ## Trade\n\n- GDP per capita of Kenya is $2,274 [Source: https://atlas.hks.harvard.edu/countries/404]\n\
    - Kenya exports tea, coffee and cut flowers to many countries [1] [2]\n\
    - Tourism brings income, too (Hausmann, 2014), see https://example.com/tourism\n";

#[test]
fn scoring_thresholds_total_score_interpretation() {
    for (points, band, name) in [
        (14.0, Band::Excellent, "Excellent"),
        (12.0, Band::Excellent, "Excellent"),
        (11.99, Band::Good, "Good"),
        (10.0, Band::Good, "Good"),
        (9.99, Band::Acceptable, "Acceptable"),
        (8.0, Band::Acceptable, "Acceptable"),
        (7.99, Band::NeedsImprovement, "Needs Improvement"),
        (6.0, Band::NeedsImprovement, "Needs Improvement"),
        (5.99, Band::Poor, "Poor"),
        (0.0, Band::Poor, "Poor"),
    ] {
        assert_eq!((Band::of(points), Band::of(points).name()), (band, name), "{points}");
    }
}

fn full_case() -> Facts {
    serde_json::from_str(
        r#"{"facts": ["GDP per capita of Kenya is $2,274", {"any_of": ["Nairobi", "Nai robi"]}, {"value": "$2,274"}],
            "required_sections": ["Overview", "Trade"],
            "queries": [{"query": "gdp", "relevant_sources": ["http://atlas.hks.harvard.edu/countries/404/"]}]}"#,
    )
    .unwrap()
}

#[test]
fn decision_1_points_of_the_points_attainable_and_both_bands() {
    let scored = scored_text(REPORT, &full_case());
    let points: Vec<Option<u32>> = scored.metrics.iter().map(|metric| metric.score).collect();
    assert_eq!(points, [Some(3), Some(2), Some(2), Some(2), Some(1), Some(2)], "{:#?}", scored.facts);
    assert_eq!((scored.points, scored.attainable), (12, 12));
    assert_eq!((scored.band_by_points, scored.band_by_share), (Band::Excellent, Some(Band::Excellent)));

    let without = Facts { queries: Vec::new(), ..full_case() };
    let scored = scored_text(REPORT, &without);
    assert_eq!((scored.points, scored.attainable), (10, 10));
    assert_eq!((scored.band_by_points, scored.band_by_share), (Band::Good, Some(Band::Excellent)));
    assert_eq!(metric(&scored, TextMetric::Mrr).score, None);
}

#[test]
fn decision_1_mean_reciprocal_rank() {
    let text = "https://a.com https://b.com https://c.com https://d.com";
    for (sources, score) in [
        (vec!["https://a.com"], 2),
        (vec!["https://b.com"], 1),
        (vec!["https://c.com"], 1),
        (vec!["https://d.com"], 0),
        (vec!["https://x.com"], 0),
        (vec!["https://a.com", "https://b.com"], 2), // (1 + 1/2) / 2 = 0.75
        (vec!["https://a.com", "https://x.com"], 1),
    ] {
        let queries = sources
            .iter()
            .map(|source| Query { query: None, relevant_sources: vec![(*source).to_owned()] })
            .collect();
        let facts = Facts { queries, ..Facts::default() };
        assert_eq!(metric(&scored_text(text, &facts), TextMetric::Mrr).score, Some(score), "{sources:?}");
    }
    let strict = Facts {
        queries: vec![Query { query: None, relevant_sources: vec!["https://b.com".to_owned()] }],
        mrr_bands: MrrBands { fair: 0.6, excellent: 0.9 },
        ..Facts::default()
    };
    assert_eq!(
        metric(&scored_text(text, &strict), TextMetric::Mrr).score,
        Some(0),
        "the cut-offs are configurable"
    );
}

#[test]
fn decision_2_facts_with_numbers_are_found_through_the_comparator() {
    let facts = |text: &str| Facts { facts: vec![Fact::Text(text.to_owned())], ..Facts::default() };
    let found = |text: &str, fact: &str| scored_text(text, &facts(fact)).facts[0].found;
    assert!(found(
        "Exports of Kenya reached $8.2 billion in 2024.",
        "In 2024, Kenya exports were $8.2 billion"
    ));
    assert!(!found(
        "Exports of Kenya reached $8.2 billion in 2023.",
        "In 2024, Kenya exports were $8.2 billion"
    ));
    assert!(!found(
        "Exports of Kenya reached $9.9 billion in 2024.",
        "In 2024, Kenya exports were $8.2 billion"
    ));
    assert!(!found("Kenya did well. Uganda exported $8.2 billion.", "Kenya exports: $8.2 billion"));
}

#[test]
fn decision_3_expected_refusal() {
    let text = "I cannot provide this.";
    let score = |expects_refusal| {
        let facts = Facts { expects_refusal, ..Facts::default() };
        metric(&scored_text(text, &facts), TextMetric::HallucinationDetection).score
    };
    assert_eq!((score(false), score(true)), (Some(1), Some(2)));
}

#[test]
fn facts_json_is_checked() {
    for (text, part) in [
        (r#"{"facts": [{"any_off": []}]}"#, "a fact: a text, or an object"),
        (r#"{"fact": []}"#, "unknown field `fact`"),
    ] {
        let error = serde_json::from_str::<Facts>(text).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    for text in [r#"{"facts": [" "]}"#, r#"{"facts": [{}]}"#, r#"{"mrr_bands": {"fair": 0.9}}"#] {
        assert!(serde_json::from_str::<Facts>(text).unwrap().check().is_err(), "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_scored(text in "(\\PC|[#*`\\[\\]()|>\\-\n 0-9$%.]){0,120}") {
        let scored = scored_text(&text, &full_case());
        prop_assert!(scored.points <= scored.attainable);
        prop_assert!(scored.metrics.iter().all(|metric| metric.score.is_none_or(|score| score <= metric.maximum)));
        prop_assert_eq!(&scored_text(&text, &full_case()), &scored);
    }

    #[test]
    fn normalising_an_address_twice_changes_nothing(text in "https?://[a-zA-Z.]{1,12}(:[0-9]{1,4})?(/[a-z%.]{0,5}){0,3}(\\?[a-z]=[a-z&=+]{0,6})?(#x)?") {
        let once = normalise_url(&text);
        prop_assert_eq!(normalise_url(&once), once);
    }
}
