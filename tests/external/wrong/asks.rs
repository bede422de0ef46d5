//! Records that hold something else than is asked: another group, measure or period, another classification behind nulls; and
//! verifications in the keys of the agent's team.

use serde_json::{Value, json};

use super::super::Draft;
use super::super::right::{
    any, bilateral, country_page, explore_page, group_total, import_product, total_of_year,
    total_on_country_page,
};
use super::super::world::{GROUPS, money, of_year, over_years};
use super::{Mistake, mistake, raw, verified};

/// A country with an amount of one year, asked in these words.
fn amount(
    ask: fn(&str) -> String,
    metric: &'static str,
) -> impl Fn(&super::World, &mut super::Sequence) -> Vec<Draft> {
    move |w, r| {
        let country = any(r);
        let value = money(w.exports(country, 2024), false);
        let row = json!({"metric": metric, "country": country.row_name, "value": value, "year": "2024"});
        vec![Draft {
            text: ask(country.name),
            rows: vec![row],
            ..explore_page(r, "growth", "treemap", &of_year(country, 2024))
        }]
    }
}

/// A series of an index with nulls in these years.
fn series(w: &super::World, r: &mut super::Sequence, nulls: &[u32]) -> Vec<Draft> {
    let country = any(r);
    let row = |year: u32| {
        let eci = (!nulls.contains(&year))
            .then(|| format!("{:.4}", w.index(&["eci", country.row_name, &year.to_string()])));
        json!({"year": year.to_string(), "eci": eci})
    };
    vec![Draft {
        text: format!("How did the ECI of {} develop from 2008 to 2018?", country.name),
        rows: (2008..=2018).map(row).collect(),
        ..explore_page(r, "trade_over_time", "overtime", &over_years(country, 2008, 2018))
    }]
}

fn looked(draft: Draft, method: &str, shown: impl Into<Value>, stored: impl Into<Value>) -> Vec<Draft> {
    verified(
        draft,
        json!({"source_method": method, "verification_timestamp": "2026-03-01T12:10:05Z", "browser_value": shown.into(),
        "gt_value": stored.into(), "match": true, "match_note": ""}),
    )
}

pub const MISTAKES: &[Mistake] = &[
    mistake(&["GT009"], "another group than the one that is asked", |w, r| {
        let mut draft = group_total(w, r);
        let held = draft.rows[0]["group"].clone();
        let (_, other, _) = GROUPS.iter().find(|(_, _, name)| held != *name).unwrap();
        let (_, own, _) = GROUPS.iter().find(|(_, _, name)| held == *name).unwrap();
        draft.text = draft.text.replace(own, other);
        vec![draft]
    }),
    mistake(&["GT009"], "a group in the metric, and another is asked", |w, r| {
        let value = money(w.exports(any(r), 2024), false);
        let row = json!({"metric": "Total exports of East Asia & Pacific", "value": value, "year": "2024"});
        vec![Draft {
            text: "How much did Sub-Saharan Africa export in 2024?".to_owned(),
            rows: vec![row],
            ..explore_page(r, "groups", "treemap", "year=2024&exporter=group-2")
        }]
    }),
    mistake(&["GT032"], "an amount for a share", |w, r| {
        amount(
            |name| format!("What share of the exports of {name} were minerals in 2024?"),
            "Mineral exports",
        )(w, r)
    }),
    mistake(&["GT032", "GT010"], "an amount for growth", |w, r| {
        amount(
            |name| format!("By what percentage did the exports of {name} change from 2019 to 2024?"),
            "Total exports",
        )(w, r)
    }),
    mistake(&["GT032"], "a share for an amount", |_, r| {
        let country = any(r);
        let row =
            json!({"metric": "Export share", "country": country.row_name, "share": "12.4%", "year": "2024"});
        vec![Draft {
            text: format!("How much did {} export to Germany in 2024?", country.name),
            rows: vec![row],
            ..explore_page(r, "growth", "treemap", &of_year(country, 2024))
        }]
    }),
    mistake(&["GT032"], "another figure of the same page", |_, r| {
        let country = any(r);
        let row = json!({"metric": "Population", "country": country.row_name, "value": "52.4 million", "year": "2024"});
        vec![Draft {
            text: format!("What is the Economic Complexity Index rank of {}?", country.name),
            rows: vec![row],
            ..country_page(r, "country_profile", country, "")
        }]
    }),
    mistake(&["GT010"], "ten years for twenty", |w, r| {
        let country = any(r);
        let (first, last) = (w.exports(country, 2014), w.exports(country, 2024));
        let change = format!("{:.1}%", (last as f64 / first as f64 - 1.0) * 100.0);
        let row = json!({"metric": "Export growth", "country": country.row_name, "start_year": "2014", "end_year": "2024",
            "start_value": money(first, false), "end_value": money(last, false), "change_pct": change});
        vec![Draft {
            text: format!(
                "By what percentage did the exports of {} grow over the past 20 years?",
                country.name
            ),
            rows: vec![row],
            ..explore_page(r, "growth", "overtime", &over_years(country, 2014, 2024))
        }]
    }),
    mistake(&["GT010"], "another period than the one that is asked", |w, r| {
        let country = any(r);
        let (first, last) = (w.exports(country, 2012), w.exports(country, 2022));
        let change = format!("{:.1}%", (last as f64 / first as f64 - 1.0) * 100.0);
        let row = json!({"metric": "Export growth", "country": country.row_name, "start_year": "2012", "end_year": "2022",
            "start_value": money(first, false), "end_value": money(last, false), "change_pct": change, "note": "asked: 2010 to 2020"});
        vec![Draft {
            text: format!("By what percentage did the exports of {} grow from 2010 to 2020?", country.name),
            rows: vec![row],
            ..explore_page(r, "growth", "overtime", &over_years(country, 2012, 2022))
        }]
    }),
    mistake(&["GT033"], "nulls at the start of a series", |w, r| series(w, r, &[2008, 2009, 2010, 2011])),
    mistake(&["GT033"], "a null in the middle of a series", |w, r| series(w, r, &[2012])),
    mistake(&["GT014"], "verified by asking the API again", |w, r| {
        let draft = import_product(w, r);
        let value = draft.rows[0]["import_value"].clone();
        looked(Draft { method: Some("graphql_api"), ..draft }, "graphql_api_requery", value.clone(), value)
    }),
    mistake(&["GT014"], "a look that quotes the last digit", |w, r| {
        let draft = total_of_year(w, r);
        let shown = format!("${}", draft.rows[0]["raw_value"]);
        let value = draft.rows[0]["value"].clone();
        looked(Draft { method: Some("graphql_api"), ..draft }, "browser_verification", shown, value)
    }),
    mistake(&["GT022"], "marked as matching, and the page showed another value", |w, r| {
        let draft = bilateral(w, r);
        let (value, shown) = (draft.rows[0]["value"].clone(), money(raw(&draft) * 3 / 4, true));
        looked(draft, "browser_explore_page", shown, value)
    }),
    mistake(&["GT023"], "the look is of another value than the record's", |w, r| {
        let draft = total_on_country_page(w, r);
        let old = money(raw(&draft) * 5 / 7, false);
        looked(draft, "browser_country_page", old.clone(), old)
    }),
    mistake(&["GT013"], "collected again after the look", |w, r| {
        let draft = total_on_country_page(w, r);
        let value = draft.rows[0]["value"].clone();
        let mut drafts = looked(draft, "browser_country_page", value.clone(), value);
        drafts[0].time = Some("2026-03-19T08:00:21Z".into());
        drafts
    }),
];
