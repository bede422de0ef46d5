//! Mistakes of verifications and contents.

use serde_json::json;

use super::super::right::{
    any, bilateral, bilateral_balance, country_page, destinations_of, explore_page, import_product, peers,
    total_of_year, total_on_country_page, world_exports,
};
use super::super::world::{grouped, money, percent};
use super::super::{Draft, Sequence};
use super::{Mistake, mistake, raw, verified, with};

pub const MISTAKES: &[Mistake] = &[
    // ----------------------------------------------------------------------------------------------- verifications
    mistake(&["GT013", "GT023"], "values of after the look, which saw others", |w, r| {
        let draft = total_on_country_page(w, r);
        let old = money(raw(&draft) * 9 / 10, false);
        vec![Draft {
            time: Some("2026-03-19T08:00:21Z".into()),
            verification: Some(
                json!({"verified_value": old, "page_showed": old, "match": true, "notes": "", "timestamp": "2026-03-02T12:00:05Z"}),
            ),
            ..draft
        }]
    }),
    mistake(&["GT014"], "verified against the API that it was made from", |w, r| {
        let mut draft = import_product(w, r);
        draft.method = Some("graphql_api");
        let quoted = draft.rows[0]["import_value"].clone();
        let shown = draft.rows[0]["raw_import_value"].to_string();
        verified(
            draft,
            json!({"verified_value": quoted, "page_showed": shown, "match": true, "notes": "Re-queried the GraphQL API, same number", "timestamp": "2026-03-01T12:10:05Z"}),
        )
    }),
    mistake(&["GT022"], "marked as matching, and the page showed another number", |w, r| {
        let draft = world_exports(w, r);
        let (quoted, shown) = (draft.rows[0]["value"].clone(), money(raw(&draft) * 15 / 16, true));
        verified(
            draft,
            json!({"verified_value": quoted, "page_showed": format!("Total Value {shown}"), "match": true, "notes": "small difference", "timestamp": "2026-03-01T09:11:05Z"}),
        )
    }),
    mistake(&["GT022"], "a count marked as matching another count", |w, r| {
        let country = any(r);
        let count = w.amount(40, &["diversity", country.row_name]);
        let draft = Draft {
            text: format!(
                "How many products does {} export with a revealed comparative advantage above one?",
                country.name
            ),
            rows: vec![json!({"metric": "Products with RCA > 1", "value": count})],
            ..country_page(r, "new_products", country, "paths")
        };
        verified(
            draft,
            json!({"verified_value": count.to_string(), "page_showed": format!("{} (RCA>1)", count * 3 / 4), "match": true, "timestamp": "2026-03-01T09:12:05Z"}),
        )
    }),
    mistake(&["GT023"], "the verification is of another value", |w, r| {
        let draft = total_of_year(w, r);
        let other = money(raw(&draft) * 5 / 7, false);
        verified(
            draft,
            json!({"verified_value": other, "page_showed": other, "match": true, "notes": "", "timestamp": "2026-03-01T09:13:05Z"}),
        )
    }),
    mistake(&["GT025", "GT023"], "found wrong, and never corrected", |w, r| {
        let draft = peers(w, r);
        let quoted = draft.rows[0]["usd_total"].clone();
        let draft = Draft {
            rows: vec![
                json!({"metric": "New product export value", "country": draft.rows[0]["country"], "value": quoted}),
            ],
            text: draft
                .text
                .replace("How does", "What is the export value of the new products of")
                .replace(" compare with its three peers in number and value of new export products?", "?"),
            ..draft
        };
        verified(
            draft,
            json!({"verified_value": quoted, "page_showed": "$7.77B", "match": false, "notes": "the page shows another value", "timestamp": "2026-03-01T09:14:05Z"}),
        )
    }),
    // ---------------------------------------------------------------------------------------------------- contents
    mistake(&["GT017"], "a row that names its measure alone", |_, r| {
        let country = any(r);
        vec![Draft {
            text: format!("What has driven the change in the economic complexity of {}?", country.name),
            rows: vec![json!({"metric": "Complexity trend driver"})],
            ..country_page(r, "country_overview", country, "")
        }]
    }),
    mistake(&["GT017"], "what the program said in place of a value", |w, r| {
        with(bilateral(w, r), "value", "Error: 'NoneType' object has no attribute 'group'")
    }),
    mistake(&["GT020"], "a deficit above zero", |w, r| {
        let mut draft = loop {
            let draft = bilateral_balance(w, r);
            if draft.rows[0]["status"] == "surplus" {
                break draft;
            }
        };
        draft.rows[0]["status"] = json!("deficit");
        vec![draft]
    }),
    mistake(&["GT021"], "one thing with two values", |w, r| {
        let country = any(r);
        let draft = |r: &mut Sequence, value: u64| Draft {
            text: format!("What is the GDP per capita of {} by purchasing power?", country.name),
            rows: vec![
                json!({"metric": "GDP per capita (PPP)", "country": country.row_name, "value": format!("${}", grouped(value)), "year": "2024"}),
            ],
            ..country_page(r, "country_overview", country, "")
        };
        let value = w.gdp_per_capita(country) * 3;
        vec![draft(r, value), draft(r, value + value / 11)]
    }),
    mistake(&["GT018"], "a record that no question asks for", |w, r| {
        vec![Draft { unasked: true, ..total_of_year(w, r) }]
    }),
    mistake(&["GT019"], "a partner's share of goods and services", |w, r| {
        let country = any(r);
        let (value, partner) = destinations_of(w, country, 2024, 1)[0];
        let total = w.exports(country, 2024);
        let key = format!("{}_value", partner.row_name.to_lowercase().replace([' ', '\''], "_"));
        vec![Draft {
            text: format!("What share of the exports of {} goes to {} in 2024?", country.name, partner.name),
            rows: vec![
                json!({"metric": "Partner share", "country": country.row_name, "year": "2024", key: money(value, false), "total_exports": money(total, false), "share": percent(value as f64 / total as f64, 1)}),
            ],
            ..explore_page(
                r,
                "trade_partners",
                "treemap",
                &format!("year=2024&exporter=country-{}&view=markets", country.id),
            )
        }]
    }),
];
