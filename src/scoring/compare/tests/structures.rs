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
