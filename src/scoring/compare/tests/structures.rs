//! Lists, tables and nested objects.

use serde_json::json;

use super::super::*;
use crate::scoring::Cause;

fn list(items: &[&str]) -> Vec<Operand> {
    items.iter().copied().map(Operand::text).collect()
}

fn row(cells: &[(&str, &str)]) -> Row {
    cells.iter().map(|(column, text)| ((*column).to_owned(), Operand::text(text))).collect()
}

#[test]
fn lists_in_order_and_in_any_order() {
    let truth = list(&["Germany 8.0%", "United Kingdom 5.9%", "United States of America 5.7%"]);
    let page = list(&["United Kingdom 5.90%", "Germany 7.99%", "USA 5.66%"]);
    assert_eq!(compare_lists(&truth, &page, Order::Unordered).verdict, Verdict::Match);
    let ordered = compare_lists(&truth, &page, Order::Ordered);
    assert_eq!((ordered.verdict, ordered.agreeing), (Verdict::Partial, 1));
    assert_eq!(ordered.parts[0].comparison.cause, Some(Cause::SwappedEntities));
    let short = compare_lists(&truth, &page[..2], Order::Unordered);
    assert_eq!((short.verdict, short.agreeing, short.parts.len()), (Verdict::Partial, 2, 3));
    assert!(short.summary().reason.starts_with("2 of 3 parts agree"));
    assert_eq!(compare_lists(&[], &[], Order::Ranked).verdict, Verdict::Match);
    assert_eq!(compare_lists(&truth, &[], Order::Ordered).verdict, Verdict::NotDisplayed);
}

#[test]
fn overlapping_items_find_the_best_pairing() {
    // `3.4%` fits both, `3.38%` only the first: a greedy pairing would leave one over.
    let structure = compare_lists(&list(&["3.4%", "3.38%"]), &list(&["3.38%", "3.4%"]), Order::Unordered);
    assert_eq!(structure.verdict, Verdict::Match);
    let structure = compare_lists(&list(&["3%", "3.4%"]), &list(&["3.4%", "2.9%"]), Order::Unordered);
    assert_eq!(structure.verdict, Verdict::Match);
}

#[test]
fn ranked_lists_let_ties_change_places() {
    let truth = list(&["China $139B", "Taiwan $139B", "South Korea $112B"]);
    let tied = list(&["Taiwan $139B", "China $139B", "South Korea $112B"]);
    assert_eq!(compare_lists(&truth, &tied, Order::Ranked).verdict, Verdict::Match);
    let wrong = list(&["China $139B", "South Korea $112B", "Taiwan $139B"]);
    let structure = compare_lists(&truth, &wrong, Order::Ranked);
    assert_eq!((structure.verdict, structure.agreeing), (Verdict::Partial, 1));
    let names = compare_lists(
        &list(&["Business", "Unspecified"]),
        &list(&["Unspecified", "Business"]),
        Order::Ranked,
    );
    assert_eq!(names.verdict, Verdict::Mismatch);
}

#[test]
fn tables_find_rows_by_name_and_swaps_by_column() {
    let truth = [
        row(&[("country", "Kenya"), ("new_products", "24"), ("usd_total", "$260.47 million")]),
        row(&[("country", "Turkey"), ("new_products", "30"), ("usd_total", "$2.1 billion")]),
    ];
    let page = [
        row(&[("country", "Türkiye"), ("new_products", "30"), ("usd_total", "$2.12B")]),
        row(&[("country", "Kenya"), ("new_products", "24"), ("usd_total", "$260M")]),
    ];
    let structure = compare_tables(&truth, &page, &["country"]);
    assert_eq!(structure.verdict, Verdict::Match, "{structure:?}");
    assert_eq!(structure.parts[0].path, "[country=Kenya].new_products");
    let swapped = [
        row(&[("country", "Kenya"), ("new_products", "30"), ("usd_total", "$260M")]),
        row(&[("country", "Türkiye"), ("new_products", "24"), ("usd_total", "$2.12B")]),
    ];
    let structure = compare_tables(&truth, &swapped, &["country"]);
    assert_eq!(structure.verdict, Verdict::Partial);
    assert_eq!(structure.summary().cause, Some(Cause::SwappedEntities));
    let missing = compare_tables(&truth, &page[..1], &["country"]);
    assert_eq!(missing.differences().next().unwrap().comparison.verdict, Verdict::NotDisplayed);
    let by_place = compare_tables(&truth, &page, &[]);
    assert_eq!((by_place.verdict, by_place.agreeing), (Verdict::Mismatch, 0));
}

#[test]
fn objects_are_compared_by_path() {
    let truth = json!({"results": {"data": [
        {"data_point": "gdp_per_capita", "country": "Kenya", "value": "$2,274", "year": "2024"},
        {"data_point": "diversity", "country": "Kenya", "value": 226, "year": "2024"}
    ]}});
    let page = json!({"results": {"data": [
        {"data_point": "diversity", "country": "Kenya", "value": "169 (RCA>1)", "year": 2024},
        {"data_point": "gdp_per_capita", "country": "Kenya", "value": 2274.3, "year": 2024}
    ]}});
    let structure = compare_json(&truth, &page, &JsonOptions::default());
    assert_eq!(structure.verdict, Verdict::Partial);
    let differences: Vec<_> = structure.differences().collect();
    assert_eq!(differences.len(), 1);
    assert_eq!(differences[0].path, "results.data[data_point=diversity,country=Kenya,year=2024].value");
    assert!(differences[0].comparison.reason.contains("226"));
}

#[test]
fn missing_extra_and_null_fields() {
    let options = JsonOptions::default();
    let lenient = JsonOptions { extra_allowed: true, ..JsonOptions::default() };
    let truth = json!({"value": "3.4%", "rank": null});
    let more = json!({"value": "3.38%", "rank": null, "note": "projected"});
    assert_eq!(compare_json(&truth, &more, &options).verdict, Verdict::Partial);
    assert_eq!(compare_json(&truth, &more, &lenient).verdict, Verdict::Match);
    let ignoring = JsonOptions { ignored: vec!["note".into()], ..JsonOptions::default() };
    assert_eq!(compare_json(&truth, &more, &ignoring).verdict, Verdict::Match);
    assert_eq!(compare_json(&json!(null), &json!(""), &options).verdict, Verdict::ExpectedAbsence);
    assert_eq!(compare_json(&json!({"a": 0}), &json!({"a": null}), &options).verdict, Verdict::NotDisplayed);
    assert_eq!(compare_json(&json!(["Kenya"]), &json!("Kenya"), &options).verdict, Verdict::Match);
    assert_eq!(compare_json(&json!({"a": 1}), &json!("a"), &options).verdict, Verdict::Mismatch);
    let members = compare_json(
        &json!({"members": ["Austria", "Czechia"]}),
        &json!({"members": ["Czech Republic", "Austria"]}),
        &options,
    );
    assert_eq!(members.verdict, Verdict::Match);
    assert_eq!(compare_json(&json!(["a"]), &json!(["a", "b"]), &lenient).verdict, Verdict::Match);
}

#[test]
fn one_row_with_another_name_is_a_mismatch() {
    let truth =
        json!([{"metric": "Largest exporter", "country": "Brazil", "export_value": "$10.47 billion"}]);
    let answer = json!([{"metric": "Largest exporter", "country": "Vietnam", "export_value": "$10.5B"}]);
    let structure = compare_json(&truth, &answer, &JsonOptions::default());
    assert_eq!(structure.differences().next().unwrap().comparison.verdict, Verdict::Mismatch);
}

#[test]
fn deep_nesting_ends_at_the_limit() {
    let mut deep = json!("$2,274");
    for _ in 0..2000 {
        deep = serde_json::Value::Object([("a".to_owned(), deep)].into_iter().collect());
    }
    let structure = compare_json(&deep, &deep, &JsonOptions::default());
    assert_eq!(structure.verdict, Verdict::NotComparable);
    assert_eq!(structure.parts.len(), 1);
    // Dropping such a value recurses too; that is not what is tested here.
    std::mem::forget(deep);
}

#[test]
fn a_true_value_is_found_in_a_longer_answer() {
    let answer = "In 2024 Kenya's GDP per capita was $2,274 (PPP: $7,159), 116th of 145; exports were $16.2 billion, of which \
                  Germany took 1.5% and Uganda 5.6%. Exports declined by 2.3% a year.";
    for truth in ["$2,274", "$7,159", "116th of 145", "$16.22 billion", "Uganda 5.55%", "-2.3%", "Kenya"] {
        let found = find_in_text(&Operand::text(truth), answer);
        assert_eq!(found.verdict, Verdict::Match, "{truth}: {found:?}");
    }
    for truth in ["$2,275", "115th of 145", "2.3%", "Germany 5.6%", "$16.3 billion", "Brazil"] {
        let found = find_in_text(&Operand::text(truth), answer);
        assert_ne!(found.verdict, Verdict::Match, "{truth}: {found:?}");
    }
    let words = "The country has not yet started the process; sectors with high potential are Iron ores and Coffee, its grade is B.";
    for (truth, said) in [
        ("not yet started", true),
        ("Coffee, Iron ores", true),
        ("Coffee and Tea", false),
        ("B", true),
        ("A+", false),
        ("completed", false),
    ] {
        let found = find_in_text(&Operand::text(truth), words);
        assert_eq!(found.verdict == Verdict::Match, said, "{truth}: {found:?}");
    }
    let near = find_in_text(&Operand::text("$16.22 million"), answer);
    assert_eq!((near.verdict, near.cause), (Verdict::Mismatch, Some(Cause::FactorThousand)), "{near:?}");
}

#[test]
fn words_of_a_known_kind_are_kept_apart() {
    let verdict = |kind, a, b| compare_words(kind, a, b).verdict;
    assert_eq!(verdict("coi_classification", "high", "many"), Verdict::Match);
    assert_eq!(
        verdict("coi_classification", "high", "knowhow affords many opportunities to diversify"),
        Verdict::Match
    );
    assert_eq!(verdict("income_classification", "high", "many"), Verdict::Mismatch);
    assert_eq!(verdict("income_classification", "High", "Spain is a high-income country"), Verdict::Match);
    assert_eq!(verdict("income_classification", "High", "an upper-middle-income country"), Verdict::Mismatch);
    assert_eq!(verdict("no_such_kind", "high", "many"), Verdict::Match);
}

#[test]
fn rows_that_tie_may_change_places() {
    let truth = json!([
        {"rank": 1, "country": "China", "export_value": "$139B"},
        {"rank": 2, "country": "Taiwan", "export_value": "$139B"},
        {"rank": 3, "country": "South Korea", "export_value": "$112B"}
    ]);
    let tied = json!([
        {"rank": 1, "country": "Taiwan", "export_value": "$139B"},
        {"rank": 2, "country": "China", "export_value": "$139B"},
        {"rank": 3, "country": "South Korea", "export_value": "$112B"}
    ]);
    assert_eq!(compare_json(&truth, &tied, &JsonOptions::default()).verdict, Verdict::Match);
    let swapped = json!([
        {"rank": 1, "country": "South Korea", "export_value": "$112B"},
        {"rank": 2, "country": "Taiwan", "export_value": "$139B"},
        {"rank": 3, "country": "China", "export_value": "$139B"}
    ]);
    let structure = compare_json(&truth, &swapped, &JsonOptions::default());
    assert_eq!(
        (structure.verdict, structure.summary().cause),
        (Verdict::Partial, Some(Cause::SwappedEntities))
    );
}
