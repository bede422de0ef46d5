//! Records that are right, in the forms that occur.

mod country;
mod growth;
mod products;
mod trade;

use serde_json::{Value, json};

use super::world::{COUNTRIES, Country, explore, money, page};
use super::{Draft, Sequence, World};

pub use country::{current_account, peers, total_on_country_page};
pub use growth::{cagr, change};
pub use products::{import_product, index_of_product, product_export, world_exports};
pub use trade::{
    bilateral, bilateral_balance, bilateral_product, destinations, destinations_of, group_total,
    sector_share, services_breakdown, share_over_years, total_of_year,
};

pub const CATEGORIES: &[&str] = &[
    "trade_composition",
    "trade_over_time",
    "trade_partners",
    "country_overview",
    "export_basket",
    "market_share",
    "new_products",
    "product_figures",
    "growth_opportunities",
    "groups",
    "out_of_scope",
];

const DIFFICULTIES: [&str; 3] = ["easy", "medium", "hard"];

type Form = fn(&World, &mut Sequence) -> Draft;

const FORMS: &[Form] = &[
    country::gdp_per_capita,
    country::rank,
    country::total_on_country_page,
    country::current_account,
    country::trade_balance_word,
    country::leading_products,
    trade::destinations,
    trade::total_of_year,
    products::product_export,
    products::product_export_hs12,
    trade::bilateral,
    trade::bilateral_product,
    trade::bilateral_balance,
    trade::sector_share,
    trade::share_over_years,
    growth::cagr,
    growth::two_cagrs,
    growth::change,
    growth::change_in_keys,
    growth::index_change,
    trade::services_breakdown,
    trade::services_by_year,
    trade::year_object,
    trade::pairs,
    trade::partner_balances,
    products::index_of_product,
    trade::group_total,
    growth::group_growth,
    trade::members,
    products::flag,
    country::peers,
    country::grade,
    country::income_words,
    country::rank_change,
    products::opportunity_table,
    products::world_exports,
    products::import_product,
    country::profile,
    growth::eci_series,
    country::growth_projection,
    country::population,
    products::largest_exporter,
];

/// A right record; `at` chooses the form.
pub fn draft(world: &World, random: &mut Sequence, at: usize) -> Draft {
    let mut draft = FORMS[at % FORMS.len()](world, random);
    if random.one_in(4) && draft.verification.is_none() {
        draft.verification = verification(&draft, random);
    }
    draft
}

/// What is the same of all records of a source.
pub fn of(random: &mut Sequence, source: &'static str, category: &'static str, address: String) -> Draft {
    const METHODS: &[&str] = &[
        "graphql_api",
        "browser_country_page",
        "browser_explore_page",
        "graphql_api_browser_enriched",
        "graphql_api_browser_verified",
    ];
    Draft {
        source,
        category,
        difficulty: DIFFICULTIES[random.below(3) as usize],
        address: Some(address),
        time: Some(time(random)),
        method: random.one_in(4).then(|| *random.pick(METHODS)),
        ..Draft::default()
    }
}

pub fn country_page(
    random: &mut Sequence,
    category: &'static str,
    country: &Country,
    section: &str,
) -> Draft {
    of(random, "atlas_country_page", category, page(country, section))
}

pub fn explore_page(random: &mut Sequence, category: &'static str, viz: &str, query: &str) -> Draft {
    of(random, "atlas_explore_page", category, explore(viz, query))
}

pub fn time(random: &mut Sequence) -> String {
    let (day, hour, minute, second) =
        (1 + random.below(27), random.below(24), random.below(60), 1 + random.below(58));
    let stem = format!("2026-02-{day:02}T{hour:02}:{minute:02}:{second:02}");
    match random.below(3) {
        0 => format!("{stem}Z"),
        1 => format!("{stem}.{:06}+00:00", random.below(1_000_000)),
        _ => format!("{stem}+00:00"),
    }
}

/// What somebody saw who looked at the page: the value as the page prints it.
fn verification(draft: &Draft, random: &mut Sequence) -> Option<Value> {
    let [row] = &draft.rows[..] else { return None };
    let stored = row.get("value")?;
    let shown = match (stored.as_str(), row.get("raw_value").and_then(Value::as_u64)) {
        (Some(text), Some(raw)) if text.starts_with('$') => money(raw, true),
        (Some(text), None) => text.to_owned(),
        _ => return None,
    };
    let quoted = row.get("raw_value").filter(|_| random.one_in(3)).unwrap_or(stored);
    let matches = if random.one_in(12) { Value::Null } else { json!(true) };
    Some(json!({
        "verified_value": quoted,
        "page_showed": shown,
        "match": matches,
        "notes": random.pick(&["", "read on the page", "rounded on the page"]),
        "timestamp": format!("2026-03-{:02}T09:{:02}:31Z", 1 + random.below(20), random.below(60)),
    }))
}

pub fn any<'a>(random: &mut Sequence) -> &'a Country {
    random.pick(COUNTRIES)
}

pub fn two<'a>(random: &mut Sequence) -> (&'a Country, &'a Country) {
    let first = random.below(COUNTRIES.len() as u64);
    let second = (first + 1 + random.below(COUNTRIES.len() as u64 - 1)) % COUNTRIES.len() as u64;
    (&COUNTRIES[first as usize], &COUNTRIES[second as usize])
}

pub fn year(random: &mut Sequence) -> u32 {
    2013 + random.below(12) as u32
}

/// A first and a last year.
pub fn years(random: &mut Sequence) -> (u32, u32) {
    let first = 2010 + random.below(7) as u32;
    (first, first + 4 + random.below(4) as u32)
}

pub fn yearly(first: u64, last: u64, years: u32) -> f64 {
    (last as f64 / first as f64).powf(1.0 / f64::from(years)) - 1.0
}
