//! Mistakes of arithmetic, years and times.

use serde_json::json;

use super::super::Draft;
use super::super::right::{
    any, bilateral, bilateral_balance, cagr, change, current_account, destinations, explore_page,
    sector_share, services_breakdown, share_over_years, total_of_year, total_on_country_page, year, years,
};
use super::super::world::{PRODUCTS, explore, money, of_year, over_years, percent};
use super::{Mistake, at, mistake, raw, with};

pub const MISTAKES: &[Mistake] = &[
    // ------------------------------------------------------------------------------------------------ arithmetic
    mistake(&["GT005"], "goods and services are the same number", |w, r| {
        let country = any(r);
        let (exports, imports) =
            (money(w.goods(country, 2024), false), money(w.imports(country, 2024), false));
        vec![Draft {
            text: format!(
                "How do exports and imports of goods and of services of {} compare in 2024?",
                country.name
            ),
            rows: vec![
                json!({"metric": "Trade overview", "country": country.row_name, "year": "2024", "goods_exports": exports, "goods_imports": imports, "services_exports": exports, "services_imports": imports}),
            ],
            ..explore_page(r, "trade_composition", "treemap", &of_year(country, 2024))
        }]
    }),
    mistake(&["GT005"], "a row for goods and a row for services, with one number", |w, r| {
        let (country, year) = (any(r), year(r));
        let value = w.goods(country, year);
        vec![Draft {
            text: format!("How much did {} export in {year}, goods and services apart?", country.name),
            rows: vec![
                json!({"category": "Goods", "export_value": value}),
                json!({"category": "Services", "export_value": value}),
            ],
            ..explore_page(r, "trade_composition", "treemap", &of_year(country, year))
        }]
    }),
    mistake(&["GT005"], "a total that counts its only part twice", |w, r| {
        let (country, year) = (any(r), year(r));
        let part = w.goods(country, year);
        vec![Draft {
            text: format!("What share of the exports of {} are goods in {year}?", country.name),
            rows: vec![
                json!({"metric": "Goods share", "country": country.row_name, "year": year, "goods_value": part, "total_value": part * 2, "share": "50.0%"}),
            ],
            ..explore_page(r, "trade_composition", "treemap", &of_year(country, year))
        }]
    }),
    mistake(&["GT006"], "a share of another total", |w, r| {
        let mut draft = sector_share(w, r);
        let row = draft.rows[0].as_object_mut().unwrap();
        let share = row.remove("raw_share").unwrap().as_f64().unwrap() * 1.31;
        with(draft, "share", percent(share, 1))
    }),
    mistake(&["GT006"], "parts that are more than their sum", |w, r| {
        let mut draft = services_breakdown(w, r);
        let parts = draft.rows[0]["services_breakdown"].as_object_mut().unwrap();
        let first = parts.values().next().unwrap().clone();
        parts.insert("Financial intermediation".into(), first);
        vec![draft]
    }),
    mistake(&["GT006"], "a rate over one year too many", |w, r| {
        let mut draft = cagr(w, r);
        let row = draft.rows[0].as_object_mut().unwrap();
        let rate = row.remove("raw_cagr").unwrap().as_f64().unwrap();
        let (first, last) = row["period"]
            .as_str()
            .unwrap()
            .split_once('-')
            .map(|(a, b)| (a.parse::<f64>().unwrap(), b.parse::<f64>().unwrap()))
            .unwrap();
        let years = last - first;
        let other = (1.0 + rate).powf(years / (years + 2.0)) - 1.0;
        with(draft, "cagr", percent(other, 2))
    }),
    mistake(&["GT006"], "a balance that is not exports less imports", |w, r| {
        let mut draft = bilateral_balance(w, r);
        let exports = draft.rows[0]["raw_value"].as_f64().unwrap();
        draft.rows[0].as_object_mut().unwrap().remove("raw_value");
        let size = money((exports.abs() * 1.6) as u64 + 900_000_000, false);
        with(draft, "value", if exports < 0.0 { size.replace('$', "$-") } else { size })
    }),
    mistake(&["GT006"], "a change of other values", |w, r| {
        let mut draft = change(w, r);
        let row = draft.rows[0].as_object_mut().unwrap();
        let rate = row.remove("raw_change").unwrap().as_f64().unwrap();
        with(draft, "change_pct", percent(rate + 0.087, 1))
    }),
    mistake(&["GT006", "GT019"], "partners' shares of two totals", |w, r| {
        let mut draft = destinations(w, r);
        let raw = draft.rows[0]["raw_export_value"].as_u64().unwrap();
        let share: f64 = draft.rows[0]["share"].as_str().unwrap().trim_end_matches('%').parse().unwrap();
        draft.rows[0]["export_value"] = json!(money(raw, false));
        with(draft, "share", format!("{:.1}%", share * 0.72))
    }),
    mistake(&["GT007"], "a share that is rounded to nothing", |w, r| {
        let (country, product) = (any(r), r.pick(PRODUCTS));
        let value = w.thousandths(1, 9, &["tiny", country.row_name]) / 10_000.0;
        vec![Draft {
            text: format!(
                "What share of the world's exports of {} came from {} in 2024?",
                product.asked, country.name
            ),
            rows: vec![
                json!({"metric": "Global market share", "country": country.row_name, "product": format!("{} ({} HS92)", product.name, product.code), "value": "0.0%", "raw_value": value, "year": "2024"}),
            ],
            ..explore_page(r, "product_figures", "treemap", &of_year(country, 2024))
        }]
    }),
    mistake(&["GT007"], "an advantage of nothing beside exports of something", |_, r| {
        let country = any(r);
        vec![Draft {
            text: format!(
                "What revealed comparative advantage did {} have in bananas in 2024 (HS 2012)?",
                country.name
            ),
            rows: vec![
                json!({"metric": "RCA", "country": country.row_name, "product": "Bananas (0803 HS12)", "rca": 0.0, "export_value": "$4,968"}),
            ],
            ..explore_page(
                r,
                "product_figures",
                "treemap",
                &format!("year=2024&exporter=country-{}&productClass=HS12", country.id),
            )
        }]
    }),
    mistake(&["GT007"], "years that look alike and differ", |w, r| {
        let country = any(r);
        let shares = [0.002_303, 0.001_698, 0.001_875]
            .map(|share| share * w.thousandths(900, 1050, &["alike", country.row_name]));
        let row = |(year, share): (u32, f64)| json!({"year": year.to_string(), "share": percent(share, 1), "raw_share": share});
        vec![Draft {
            text: format!("How did the share of {} in world exports change from 2014 to 2024?", country.name),
            rows: [2014, 2019, 2024].into_iter().zip(shares).map(row).collect(),
            ..explore_page(r, "market_share", "overtime", &over_years(country, 2014, 2024))
        }]
    }),
    mistake(&["GT008"], "cut off, not rounded", |w, r| {
        let draft = total_on_country_page(w, r);
        let billions = raw(&draft) as f64 / 1e9;
        let cut = ((billions * 100.0).floor() - 1.0) / 100.0;
        with(draft, "value", format!("${cut:.2} billion"))
    }),
    mistake(&["GT008"], "the value of one year, the precise number of another", |w, r| {
        let draft = total_of_year(w, r);
        let other = raw(&draft) * 41 / 40;
        with(draft, "raw_value", other)
    }),
    mistake(&["GT008"], "the sign is lost in the text", |w, r| {
        let draft = loop {
            let draft = current_account(w, r);
            if draft.rows[0]["status"] == "deficit" {
                break draft;
            }
        };
        let text = draft.rows[0]["value"].as_str().unwrap().replace('-', "");
        with(draft, "value", text)
    }),
    // --------------------------------------------------------------------------------------------- years and times
    mistake(&["GT010"], "another year than the one that is asked", |w, r| {
        let draft = sector_share(w, r);
        let asked: u32 = draft.rows[0]["year"].as_str().unwrap().parse().unwrap();
        let year = if asked > 2018 { asked - 3 } else { asked + 3 };
        let address =
            draft.address.clone().unwrap().replace(&format!("year={asked}"), &format!("year={year}"));
        let mut draft = draft;
        draft.rows[0]["year"] = json!(year.to_string());
        at(draft, address)
    }),
    mistake(&["GT010"], "the first year of the period is missing", |w, r| {
        let mut draft = share_over_years(w, r);
        draft.rows.remove(0);
        let address = draft.address.clone().unwrap();
        let id = address.split("country-").nth(1).unwrap().split('&').next().unwrap();
        let address = explore("treemap", &format!("exporter=country-{id}"));
        at(draft, address)
    }),
    mistake(&["GT010", "GT016"], "two years are asked and none is said", |w, r| {
        let country = any(r);
        let row = |(name, value): (&str, u64)| json!({"sector": name, "growth": money(value, false)});
        vec![Draft {
            text: format!(
                "Which sectors contributed most to the growth of the exports of {} from 2012 to 2024?",
                country.name
            ),
            rows: [("Electronics", w.goods(country, 2024) / 9), ("Minerals", w.goods(country, 2024) / 31)]
                .map(row)
                .to_vec(),
            ..explore_page(r, "trade_over_time", "treemap", &format!("exporter=country-{}", country.id))
        }]
    }),
    mistake(&["GT011"], "a rate a year is asked, the whole growth is held", |w, r| {
        let (country, (first, last)) = (any(r), years(r));
        let growth = w.exports(country, last) as f64 / w.exports(country, first) as f64 - 1.0;
        vec![Draft {
            text: format!(
                "By how much a year did the exports of {} grow from {first} to {last}?",
                country.name
            ),
            rows: vec![
                json!({"metric": "5-year total export growth (nominal USD)", "country": country.row_name, "start_year": first, "end_year": last, "growth_5yr": percent(growth, 1)}),
            ],
            ..explore_page(r, "trade_over_time", "overtime", &over_years(country, first, last))
        }]
    }),
    mistake(&["GT011"], "the whole growth under the name of a rate", |w, r| {
        let (country, (first, last)) = (any(r), years(r));
        let (a, b) = (w.exports(country, first), w.exports(country, last));
        vec![Draft {
            text: format!(
                "What was the compound annual growth rate of the exports of {} from {first} to {last}?",
                country.name
            ),
            rows: vec![
                json!({"metric": "Export growth", "country": country.row_name, "period": format!("{first}-{last}"), "start_value": money(a, false), "end_value": money(b, false), "cagr": percent(b as f64 / a as f64 - 1.0, 1)}),
            ],
            ..explore_page(r, "trade_over_time", "overtime", &over_years(country, first, last))
        }]
    }),
    mistake(&["GT012"], "a time with two zones", |w, r| {
        vec![Draft { time: Some("2026-02-28T10:14:09+00:00Z".into()), ..total_of_year(w, r) }]
    }),
    mistake(&["GT012"], "a day in place of a time", |w, r| {
        vec![Draft { time: Some("28.02.2026".into()), ..bilateral(w, r) }]
    }),
];
