//! Tests of the kinds of change, and of their lines in the documented form.

use serde_json::Map;

use super::*;
use crate::evidence::Channel;
use crate::truth::{Site, kinds};
use crate::value::{Absence, Classification, Context, Period, Rule, parse_as};

fn row(value: &str, rule: Rule, unit: Unit) -> Row {
    let read = parse_as(value, rule).unwrap();
    Row {
        data_point: "gdp_per_capita".into(),
        metric: "GDP per capita".into(),
        country: "Kenya".into(),
        value: Some(value.into()),
        number: Some(read.number),
        unit: Some(unit),
        year: Some("2024".into()),
        ..Row::default()
    }
}

fn words(value: &str) -> Row {
    Row { number: None, unit: None, value: Some(value.into()), ..row("$1", Rule::F5, Unit::Usd) }
}

fn absent(absence: Absence) -> Row {
    Row { value: None, absence: Some(absence), ..words("") }
}

fn listed(value: &str, code: &str, name: &str, rank: &str) -> Row {
    let mut extra = Map::new();
    for (key, text) in [("rank", rank), ("product", name), ("code", code)] {
        extra.insert(key.into(), text.into());
    }
    Row { extra, metric: "Largest exports".into(), ..row(value, Rule::F1, Unit::Usd) }
}

fn change(old: Option<Row>, new: Option<Row>) -> RowChange {
    let field = old.as_ref().or(new.as_ref()).map(Row::field).unwrap_or_default();
    RowChange { field, old, new }
}

/// How a row was read, with the interval that its rule gives its text.
fn how(row: &Row, rule: Rule, context: Context) -> Provenance {
    let interval = row.value.as_deref().and_then(|text| Some(parse_as(text, rule).ok()?.interval));
    let at = "2026-11-20T12:00:00Z".parse().unwrap();
    let point = PointProvenance {
        displayed: row.value.clone(),
        rule: Some(rule),
        interval,
        ..PointProvenance::of_row(row, context, Channel::Dom, at)
    };
    let (question_id, site) = ("61".parse().unwrap(), Site::Live);
    Provenance { question_id, question: None, site, record: None, points: vec![point], derivation: None }
}

/// The one line of one change.
fn described(old: Option<Row>, new: Option<Row>) -> String {
    judged("61", "/countries/404", &[change(old, new)], None, None, false).remove(0).line
}

#[test]
fn a_revision_is_told_in_the_documented_form() {
    let usd = |text: &str| Some(row(text, Rule::F5, Unit::Usd));
    assert_eq!(
        described(usd("$2,274"), usd("$2,350")),
        "Q61: GDP per capita changed from $2,274 to $2,350 (+3.3 %, revision)"
    );
    assert_eq!(
        described(usd("$100,000"), usd("$99,950")),
        "Q61: GDP per capita changed from $100,000 to $99,950 (-0.05 %, revision)"
    );
    let percent = |text: &str| Some(row(text, Rule::F6, Unit::Percent));
    assert!(
        described(percent("3.38%"), percent("3.41%")).ends_with("from 3.38% to 3.41% (+0.03 pp, revision)")
    );
    let rank = |text: &str| Some(row(text, Rule::F10, Unit::Rank));
    assert!(described(rank("93rd of 145"), rank("91st of 145")).ends_with("(2 up, revision)"));
    let index = |text: &str| Some(row(text, Rule::F12, Unit::Index));
    assert!(described(index("-0.82"), index("-0.79")).ends_with("from -0.82 to -0.79 (+0.03, revision)"));
    assert!(
        described(Some(words("mixed")), Some(words("static"))).ends_with("from mixed to static (revision)")
    );
    let same_value = |rank: &str| Some(listed("$9.80B", "ict", "ICT", rank));
    assert_eq!(
        described(same_value("3"), same_value("2")),
        "Q61: Largest exports, ICT changed from $9.80B to $9.80B (rank 3 → 2, revision)"
    );
}

#[test]
fn another_year_classification_or_ranking_is_another_scope() {
    let old = row("$2,274", Rule::F5, Unit::Usd);
    let new = Row { year: Some("2025".into()), ..row("$2,350", Rule::F5, Unit::Usd) };
    let line = described(Some(old.clone()), Some(new.clone()));
    assert!(line.ends_with("changed from $2,274 to $2,350 (year 2024 → 2025, scope)"), "{line}");
    // the context says it too where the row does not
    let of = |row: &Row, year: i16, class| {
        let period = Some(Period { start: year, end: year });
        how(row, Rule::F5, Context { period, classification: Some(class), ..Context::default() })
    };
    let (a, b) = (of(&old, 2024, Classification::Hs92), of(&new, 2025, Classification::Hs12));
    let all = [change(Some(old), Some(new))];
    let (kind, reason) = judge(&all[0], &all, Some(&a), Some(&b));
    assert_eq!(kind, ChangeKind::Scope);
    assert!(reason.contains("HS92 → HS12") && reason.contains("year 2024 → 2025"), "{reason}");
    let rank = |text: &str| row(text, Rule::F10, Unit::Rank);
    let (before, after) = (rank("22nd of 145"), rank("22nd of 146"));
    assert!(!crate::truth::same(&before, &after), "the same place among others is another");
    assert!(described(Some(before), Some(after)).ends_with("(of 145 → of 146, scope)"));
}

#[test]
fn the_same_number_printed_or_moved_below_the_display_is_rounding_only() {
    let (old, new) = (row("$378 billion", Rule::F4, Unit::Usd), row("$378B", Rule::F1, Unit::Usd));
    let (a, b) = (how(&old, Rule::F4, Context::default()), how(&new, Rule::F1, Context::default()));
    let all = [change(Some(old), Some(new))];
    assert_eq!(kinds(&all, Some(&a), Some(&b)), [ChangeKind::Rounding]);
    // what is drawn has its number from the response: the text stays
    let precise =
        |number: &str| Row { number: Some(number.parse().unwrap()), ..row("$19.4B", Rule::F1, Unit::Usd) };
    let line = described(Some(precise("19431840737")), Some(precise("19431990737")));
    assert!(line.ends_with("from $19.4B to $19.4B (19431840737 → 19431990737, rounding only)"), "{line}");
}

#[test]
fn another_form_is_a_change_of_schema() {
    let line = described(Some(words("high")), Some(row("$2,350", Rule::F5, Unit::Usd)));
    assert!(line.contains("words → USD, schema"), "{line}");
    let index = Row { unit: Some(Unit::Index), ..row("0.77", Rule::F13, Unit::Index) };
    let line = described(Some(index), Some(row("0.77%", Rule::F6, Unit::Percent)));
    assert!(line.contains("index → percent, schema"), "{line}");
    let kinds_of =
        |old: Absence, new: Absence| kinds(&[change(Some(absent(old)), Some(absent(new)))], None, None);
    assert_eq!(kinds_of(Absence::NotShownHere, Absence::NotAvailableForCountry), [ChangeKind::Schema]);
    // the same product under another code: one row is gone, one is new, and neither disappeared
    let all = [
        change(None, Some(listed("$9.80B", "finance", "Insurance & finance", "2"))),
        change(Some(listed("$9.80B", "financial", "Insurance & finance", "2")), None),
        change(Some(listed("$1.20B", "travel", "Travel & tourism", "3")), None),
    ];
    assert_eq!(kinds(&all, None, None), [ChangeKind::Schema, ChangeKind::Schema, ChangeKind::Disappearance]);
    let lines: Vec<String> =
        judged("90", "", &all, None, None, false).into_iter().map(|change| change.line).collect();
    assert!(lines[0].ends_with("(`finance` was called `financial`, schema)"), "{}", lines[0]);
    assert!(lines[1].ends_with("(`financial` is now called `finance`, schema)"), "{}", lines[1]);
}

#[test]
fn values_come_and_go() {
    let there = row("$2,274", Rule::F5, Unit::Usd);
    let gone = absent(Absence::NotAvailableForCountry);
    assert_eq!(
        described(Some(there.clone()), Some(gone.clone())),
        "Q61: GDP per capita disappeared: was $2,274 (not available for country, disappearance)"
    );
    assert_eq!(
        described(Some(gone), Some(there.clone())),
        "Q61: GDP per capita appeared: $2,274 (not available for country before, appearance)"
    );
    assert!(described(Some(there.clone()), None).ends_with("was $2,274 (no longer there, disappearance)"));
    assert!(described(None, Some(there)).ends_with("appeared: $2,274 (not there before, appearance)"));
}
