//! Right records of several years: growth, rates, changes, series.

use serde_json::json;

use super::super::world::{Country, GROUPS, money, over_years, percent};
use super::super::{Draft, Sequence, World};
use super::{any, explore_page, two, yearly, years};

pub fn cagr(world: &World, random: &mut Sequence) -> Draft {
    let (country, (first, last)) = (any(random), years(random));
    let (a, b) = (world.exports(country, first), world.exports(country, last));
    let rate = yearly(a, b, last - first);
    Draft {
        text: format!("How fast did the exports of {} grow a year from {first} to {last}?", country.name),
        rows: vec![json!({
            "metric": "Export CAGR", "country": country.row_name, "period": format!("{first}-{last}"),
            "start_value": money(a, false), "end_value": money(b, false), "cagr": percent(rate, 1), "raw_cagr": rate,
        })],
        ..explore_page(random, "trade_over_time", "overtime", &over_years(country, first, last))
    }
}

pub fn two_cagrs(world: &World, random: &mut Sequence) -> Draft {
    let ((one, other), (first, last)) = (two(random), years(random));
    let row = |country: &Country| {
        let (a, b) = (world.exports(country, first), world.exports(country, last));
        json!({
            "country": country.row_name, "start_year": first, "end_year": last, "start_value": money(a, false),
            "end_value": money(b, false), "cagr": percent(yearly(a, b, last - first), 1),
        })
    };
    let query = format!("exporter=country-{}&startYear={first}&endYear={last}", one.id);
    Draft {
        text: format!(
            "Did the exports of {} or those of {} grow faster from {first} to {last}?",
            one.name, other.name
        ),
        rows: vec![row(one), row(other)],
        ..explore_page(random, "trade_over_time", "overtime", &query)
    }
}

pub fn change(world: &World, random: &mut Sequence) -> Draft {
    let (country, (first, last)) = (any(random), years(random));
    let (a, b) = (world.exports(country, first), world.exports(country, last));
    let change = b as f64 / a as f64 - 1.0;
    Draft {
        text: format!("By how much did the exports of {} change from {first} to {last}?", country.name),
        rows: vec![json!({
            "metric": "Export change", "country": country.row_name, "start_year": first.to_string(),
            "end_year": last.to_string(), "start_value": money(a, false), "end_value": money(b, false),
            "change_pct": percent(change, 1), "raw_change": change,
        })],
        ..explore_page(random, "trade_over_time", "overtime", &over_years(country, first, last))
    }
}

pub fn change_in_keys(world: &World, random: &mut Sequence) -> Draft {
    let (country, (first, last)) = (any(random), years(random));
    let (a, b) = (world.exports(country, first), world.exports(country, last));
    let change = ((b as f64 / a as f64 - 1.0) * 1000.0).round() / 10.0;
    let (a_key, b_key) = (format!("export_value_{first}"), format!("export_value_{last}"));
    Draft {
        text: format!(
            "What is the percentage change in the exports of {} from {first} to {last}?",
            country.name
        ),
        rows: vec![json!({
            "metric": "Percentage change in total export value", "country": country.row_name,
            a_key: money(a, false), b_key: money(b, false), "percentage_change": change,
        })],
        ..explore_page(random, "trade_over_time", "treemap", &format!("exporter=country-{}", country.id))
    }
}

pub fn index_change(world: &World, random: &mut Sequence) -> Draft {
    let (country, (first, last)) = (any(random), years(random));
    let at = |year: u32| {
        (world.index(&["eci", country.row_name, &year.to_string()]) * 10_000.0).round() / 10_000.0
    };
    let (a, b) = (at(first), at(last));
    let change = b - a;
    Draft {
        text: format!(
            "By how much did the Economic Complexity Index of {} change from {first} to {last}?",
            country.name
        ),
        rows: vec![json!({
            "metric": "ECI change", "country": country.row_name, "start_year": first.to_string(),
            "end_year": last.to_string(), "start_value": format!("{a:.4}"), "end_value": format!("{b:.4}"),
            "change": format!("{change:+.4}"), "direction": if change < 0.0 { "worsened" } else { "improved" },
        })],
        ..explore_page(random, "trade_over_time", "overtime", &over_years(country, first, last))
    }
}

pub fn group_growth(world: &World, random: &mut Sequence) -> Draft {
    let (id, asked, name) = random.pick(GROUPS);
    let rate = world.thousandths(10, 90, &["group growth", name]);
    Draft {
        text: format!("How fast did the exports of {asked} grow a year from 2019 to 2024?"),
        rows: vec![json!({
            "metric": "5-year export CAGR", "group": name, "value": percent(rate, 1), "raw_value": rate,
            "start_year": "2019", "end_year": "2024",
        })],
        ..explore_page(
            random,
            "groups",
            "overtime",
            &format!("exporter=group-{id}&startYear=2019&endYear=2024"),
        )
    }
}

pub fn eci_series(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let rows = (2010..=2020u32).map(|year| {
        let eci = format!("{:.4}", world.index(&["eci", country.row_name, &year.to_string()]));
        json!({"year": year.to_string(), "eci": eci})
    });
    Draft {
        text: format!("How did the ECI of {} develop from 2010 to 2020?", country.name),
        rows: rows.collect(),
        ..explore_page(random, "trade_over_time", "overtime", &over_years(country, 2010, 2020))
    }
}
