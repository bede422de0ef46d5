//! Records that are right, in the forms that occur.

use serde_json::{Value, json};

use super::world::{
    COUNTRIES, Country, GROUPS, PRODUCTS, Product, SECTORS, SERVICES, explore, grouped, money, ordinal, page,
    percent,
};
use super::{Draft, Sequence, World};

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

type Form = fn(&World, &mut Sequence) -> Draft;

const FORMS: &[Form] = &[
    gdp_per_capita,
    rank,
    total_on_country_page,
    current_account,
    trade_balance_word,
    leading_products,
    destinations,
    total_of_year,
    product_export,
    product_export_hs12,
    bilateral,
    bilateral_product,
    bilateral_balance,
    sector_share,
    share_over_years,
    cagr,
    two_cagrs,
    change,
    change_in_keys,
    index_change,
    services_breakdown,
    services_by_year,
    year_object,
    pairs,
    partner_balances,
    index_of_product,
    group_total,
    group_growth,
    members,
    flag,
    peers,
    grade,
    income_words,
    rank_change,
    opportunity_table,
    world_exports,
    import_product,
    profile,
    eci_series,
    growth_projection,
    population,
    largest_exporter,
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
        difficulty: *random.pick(&["easy", "medium", "hard"]),
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

fn gdp_per_capita(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let value = world.gdp_per_capita(country);
    Draft {
        text: format!("What is the GDP per capita of {} in the latest year shown?", country.name),
        rows: vec![
            json!({"metric": "GDP per capita", "value": format!("${}", grouped(value)), "year": "2024"}),
        ],
        ..country_page(random, "country_overview", country, "")
    }
}

fn rank(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let (metric, section) = *random.pick(&[
        ("ECI ranking", ""),
        ("Exporter rank", "export-basket"),
        ("Diversity rank", "new-products"),
        ("COI rank", "paths"),
    ]);
    Draft {
        text: format!("Which place does {} hold by its {metric}?", country.name),
        rows: vec![json!({"metric": metric, "value": ordinal(world.rank(country, metric))})],
        ..country_page(random, "country_overview", country, section)
    }
}

pub fn total_on_country_page(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let (metric, value) = match random.below(2) {
        0 => ("Total exports", world.exports(country, 2024)),
        _ => ("Total imports", world.imports(country, 2024)),
    };
    let verb = if metric == "Total exports" { "exports" } else { "imports" };
    Draft {
        text: format!("What is the total value of what {} {verb}?", country.name),
        rows: vec![
            json!({"metric": metric, "value": money(value, false), "raw_value": value, "year": "2024"}),
        ],
        ..country_page(random, "export_basket", country, "export-basket")
    }
}

pub fn current_account(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let size = world.amount(3_000_000_000, &["account", country.row_name]);
    let deficit = size.is_multiple_of(2);
    let text = if deficit { money(size, false).replace('$', "$-") } else { money(size, false) };
    let raw = if deficit { -(size as f64) } else { size as f64 };
    Draft {
        text: format!("How large is the current account balance of {}, surplus or deficit?", country.name),
        rows: vec![json!({
            "metric": "Current account balance", "value": text, "raw_value": raw, "year": "2024",
            "status": if deficit { "deficit" } else { "surplus" },
        })],
        ..country_page(random, "export_basket", country, "export-basket")
    }
}

fn trade_balance_word(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let (exports, imports) = (world.exports(country, 2024), world.imports(country, 2024));
    let word = if exports > imports { "trade surplus" } else { "trade deficit" };
    Draft {
        text: format!("Does {} run a trade surplus or a trade deficit?", country.name),
        rows: vec![
            json!({"metric": "Trade balance", "value": word, "export_value": exports, "import_value": imports}),
        ],
        ..country_page(random, "export_basket", country, "export-basket")
    }
}

fn leading_products(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let total = world.exports(country, 2024);
    let mut found: Vec<(u64, &str, &str)> =
        SERVICES.iter().map(|(name, code)| (world.service(country, name, 2024), *name, *code)).collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    let row = |(at, (value, name, code)): (usize, &(u64, &str, &str))| {
        json!({
            "rank": at + 1, "product_name": name, "hs92_code": code, "export_value": money(*value, false),
            "raw_export_value": value, "share": percent(*value as f64 / total as f64, 1),
        })
    };
    Draft {
        text: format!(
            "Which three services lead the exports of {}, and what share does each hold?",
            country.name
        ),
        rows: found.iter().take(3).enumerate().map(row).collect(),
        ..country_page(random, "export_basket", country, "export-basket")
    }
}

pub fn destinations_of(
    world: &World,
    country: &Country,
    year: u32,
    count: usize,
) -> Vec<(u64, &'static Country)> {
    let mut found: Vec<(u64, &Country)> = COUNTRIES
        .iter()
        .filter(|other| other.id != country.id)
        .map(|other| (world.partner(country, other, year), other))
        .collect();
    found.sort_unstable_by_key(|(value, other)| (std::cmp::Reverse(*value), other.id));
    found.truncate(count);
    found
}

pub fn destinations(world: &World, random: &mut Sequence) -> Draft {
    let (country, year) = (any(random), year(random));
    let goods = world.goods(country, year);
    let row = |(at, (value, other)): (usize, (u64, &Country))| {
        json!({
            "rank": at + 1, "country": other.row_name, "share": percent(value as f64 / goods as f64, 1),
            "export_value": money(value, false), "raw_export_value": value,
        })
    };
    let rows = destinations_of(world, country, year, 5).into_iter().enumerate().map(row).collect();
    Draft {
        text: format!("To which five countries did {} export the most goods in {year}?", country.name),
        rows,
        ..explore_page(
            random,
            "trade_partners",
            "treemap",
            &format!("year={year}&exporter=country-{}&view=markets", country.id),
        )
    }
}

pub fn total_of_year(world: &World, random: &mut Sequence) -> Draft {
    let (country, year) = (any(random), year(random));
    let value = world.exports(country, year);
    Draft {
        text: format!("How much did {} export in total in {year}?", country.name),
        rows: vec![json!({
            "metric": "Total exports", "country": country.row_name, "value": money(value, false),
            "raw_value": value, "year": year.to_string(),
        })],
        ..explore_page(
            random,
            "trade_over_time",
            "overtime",
            &format!("exporter=country-{}&startYear={year}&endYear={year}", country.id),
        )
    }
}

pub fn product_export(world: &World, random: &mut Sequence) -> Draft {
    let (country, product, year) = (any(random), random.pick(PRODUCTS), year(random));
    let value = world.product(country, product, "HS92", year);
    let row = match random.below(2) {
        0 => json!({"product_code": product.code, "product_name": product.name, "export_value": value}),
        _ => json!({
            "metric": "Product exports", "country": country.row_name, "product": format!("{} ({} HS92)", product.name, product.code),
            "value": money(value, random.one_in(2)), "raw_value": value, "year": year,
        }),
    };
    Draft {
        text: format!(
            "What was the value of {} that {} exported in {year} (HS 1992)?",
            product.asked, country.name
        ),
        rows: vec![row],
        ..explore_page(
            random,
            "trade_composition",
            "treemap",
            &format!("year={year}&exporter=country-{}", country.id),
        )
    }
}

fn product_export_hs12(world: &World, random: &mut Sequence) -> Draft {
    let (country, year) = (any(random), year(random));
    let mut found: Vec<(u64, &Product)> =
        PRODUCTS.iter().map(|product| (world.product(country, product, "HS12", year), product)).collect();
    found.sort_unstable_by_key(|(value, product)| (std::cmp::Reverse(*value), product.code));
    let row = |(at, (value, product)): (usize, &(u64, &Product))| {
        json!({
            "rank": at + 1, "product": format!("{} ({} HS12)", product.name, product.code),
            "export_value": money(*value, false), "raw_export_value": value,
        })
    };
    let query = format!("year={year}&exporter=country-{}&productClass=HS12", country.id);
    Draft {
        text: format!("Which three goods did {} export most of in {year} (HS 2012)?", country.name),
        rows: found.iter().take(3).enumerate().map(row).collect(),
        ..explore_page(random, "trade_composition", "treemap", &query)
    }
}

pub fn bilateral(world: &World, random: &mut Sequence) -> Draft {
    let (country, partner) = two(random);
    let value = world.partner(country, partner, 2024);
    let query =
        format!("year=2024&view=markets&exporter=country-{}&importer=country-{}", country.id, partner.id);
    Draft {
        text: format!(
            "What was the total value of goods that {} exported to {} in 2024?",
            country.name, partner.name
        ),
        rows: vec![json!({
            "metric": "Total bilateral exports", "exporter": country.row_name, "importer": partner.row_name,
            "value": money(value, false), "raw_value": value, "year": "2024",
        })],
        ..explore_page(random, "trade_partners", "treemap", &query)
    }
}

pub fn bilateral_product(world: &World, random: &mut Sequence) -> Draft {
    let ((country, partner), product) = (two(random), random.pick(PRODUCTS));
    let value = world.product(country, product, "HS12", 2024) / 9;
    let query = format!(
        "year=2024&exporter=country-{}&importer=country-{}&product=product-HS12-{}",
        country.id, partner.id, product.hs12
    );
    Draft {
        text: format!(
            "How much {} did {} export to {} in 2024 (HS 2012)?",
            product.asked, country.name, partner.name
        ),
        rows: vec![json!({
            "metric": "Bilateral product exports", "exporter": country.row_name, "importer": partner.row_name,
            "product": format!("{} ({} HS12)", product.name, product.code), "value": money(value, false),
            "raw_value": value, "year": "2024",
        })],
        ..explore_page(random, "trade_partners", "treemap", &query)
    }
}

pub fn bilateral_balance(world: &World, random: &mut Sequence) -> Draft {
    let (country, partner) = two(random);
    let exports = world.partner(country, partner, 2024);
    let imports = world.partner(partner, country, 2024);
    let balance = i128::from(exports) - i128::from(imports);
    let size = money(balance.unsigned_abs() as u64, false);
    let query =
        format!("year=2024&view=markets&exporter=country-{}&importer=country-{}", country.id, partner.id);
    Draft {
        text: format!(
            "What is the balance of trade in goods of {} with {} in 2024?",
            country.name, partner.name
        ),
        rows: vec![json!({
            "metric": "Trade balance", "country": country.row_name, "partner": partner.row_name,
            "value": if balance < 0 { size.replace('$', "$-") } else { size }, "raw_value": balance as f64,
            "status": if balance < 0 { "deficit" } else { "surplus" }, "exports": money(exports, false),
            "imports": money(imports, false), "year": "2024",
        })],
        ..explore_page(random, "trade_partners", "treemap", &query)
    }
}

pub fn sector_share(world: &World, random: &mut Sequence) -> Draft {
    let (country, year, sector) = (any(random), year(random), *random.pick(SECTORS));
    let (part, total) = (world.sector(country, sector, year), world.exports(country, year));
    let key = format!("{}_value", sector.to_lowercase());
    let share = part as f64 / total as f64;
    Draft {
        text: format!(
            "What share of the exports of {} are {} in {year}?",
            country.name,
            sector.to_lowercase()
        ),
        rows: vec![json!({
            "metric": format!("{sector} share of exports"), "country": country.row_name, "year": year.to_string(),
            key: money(part, false), "total_value": money(total, false), "share": percent(share, 1), "raw_share": share,
        })],
        ..explore_page(
            random,
            "trade_composition",
            "treemap",
            &format!("year={year}&exporter=country-{}", country.id),
        )
    }
}

pub fn share_over_years(world: &World, random: &mut Sequence) -> Draft {
    let (country, (first, last)) = (any(random), years(random));
    let rows = [first, (first + last) / 2, last].map(|year| {
        let own = world.exports(country, year);
        let all: u64 = COUNTRIES.iter().map(|country| world.exports(country, year)).sum();
        let share = own as f64 / all as f64;
        let key = format!("{}_exports", country.row_name.to_lowercase().replace([' ', '\''], "_"));
        json!({
            "year": year.to_string(), key: money(own, false), "global_exports": money(all, false),
            "share": percent(share, 2), "raw_share": share,
        })
    });
    Draft {
        text: format!(
            "How did the share of {} in world exports change from {first} to {last}?",
            country.name
        ),
        rows: rows.to_vec(),
        ..explore_page(
            random,
            "market_share",
            "overtime",
            &format!("exporter=country-{}&startYear={first}&endYear={last}", country.id),
        )
    }
}

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
        ..explore_page(
            random,
            "trade_over_time",
            "overtime",
            &format!("exporter=country-{}&startYear={first}&endYear={last}", country.id),
        )
    }
}

fn two_cagrs(world: &World, random: &mut Sequence) -> Draft {
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
        ..explore_page(
            random,
            "trade_over_time",
            "overtime",
            &format!("exporter=country-{}&startYear={first}&endYear={last}", country.id),
        )
    }
}

fn change_in_keys(world: &World, random: &mut Sequence) -> Draft {
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

fn index_change(world: &World, random: &mut Sequence) -> Draft {
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
        ..explore_page(
            random,
            "trade_over_time",
            "overtime",
            &format!("exporter=country-{}&startYear={first}&endYear={last}", country.id),
        )
    }
}

pub fn services_breakdown(world: &World, random: &mut Sequence) -> Draft {
    let (country, year) = (any(random), year(random));
    let parts: Value = SERVICES
        .iter()
        .map(|(name, _)| ((*name).to_owned(), json!(money(world.service(country, name, year), true))))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let (services, total) = (world.services(country, year), world.exports(country, year));
    Draft {
        text: format!("What share of the exports of {} are services in {year}?", country.name),
        rows: vec![json!({
            "metric": "Services share of total exports", "country": country.row_name, "year": year.to_string(),
            "total_value": money(total, true), "services_breakdown": parts, "services_total": money(services, false),
            "services_share": percent(services as f64 / total as f64, 1),
        })],
        ..explore_page(
            random,
            "trade_composition",
            "treemap",
            &format!("year={year}&exporter=country-{}", country.id),
        )
    }
}

fn services_by_year(world: &World, random: &mut Sequence) -> Draft {
    let (country, (first, last)) = (any(random), years(random));
    let rows = (first..=last).map(|year| {
        let parts: serde_json::Map<String, Value> = SERVICES
            .iter()
            .map(|(name, code)| ((*code).to_owned(), json!(world.service(country, name, year))))
            .collect();
        json!({"year": year, "total_services": world.services(country, year), "by_sector": parts})
    });
    Draft {
        text: format!("How did the exports of services of {} develop from {first} to {last}?", country.name),
        rows: rows.collect(),
        ..explore_page(
            random,
            "trade_over_time",
            "overtime",
            &format!("exporter=country-{}&startYear={first}&endYear={last}", country.id),
        )
    }
}

fn year_object(world: &World, random: &mut Sequence) -> Draft {
    let (country, (first, last)) = (any(random), years(random));
    let values: serde_json::Map<String, Value> = [first, last]
        .map(|year| (year.to_string(), json!(money(world.exports(country, year), true))))
        .into_iter()
        .collect();
    Draft {
        text: format!("What were the exports of {} in {first} and in {last}?", country.name),
        rows: vec![json!({"country": country.row_name, "export_value": values})],
        ..explore_page(
            random,
            "trade_over_time",
            "overtime",
            &format!("exporter=country-{}&startYear={first}&endYear={last}", country.id),
        )
    }
}

fn pairs(world: &World, random: &mut Sequence) -> Draft {
    let (country, year) = (any(random), year(random));
    let (exports, imports) = (world.exports(country, year), world.imports(country, year));
    let separator = *random.pick(&["; ", ", ", " | "]);
    let text = format!("exports={}{separator}imports={}", money(exports, true), money(imports, true));
    Draft {
        text: format!("What were the exports and the imports of {} in {year}?", country.name),
        rows: vec![
            json!({"metric": "Trade overview", "country": country.row_name, "year": year, "value": text}),
        ],
        ..explore_page(
            random,
            "trade_composition",
            "overtime",
            &format!("exporter=country-{}&startYear={year}&endYear={year}", country.id),
        )
    }
}

fn partner_balances(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let rows = destinations_of(world, country, 2024, 4).into_iter().map(|(exports, partner)| {
        let imports = world.partner(partner, country, 2024);
        let size = money(exports.abs_diff(imports), false);
        json!({
            "country": partner.row_name, "exports": money(exports, false), "imports": money(imports, false),
            "balance": if exports < imports { size.replace('$', "$-") } else { size },
            "status": if exports < imports { "deficit" } else { "surplus" },
        })
    });
    Draft {
        text: format!(
            "With which countries does {} have a surplus in goods, and with which a deficit, in 2024?",
            country.name
        ),
        rows: rows.collect(),
        ..explore_page(
            random,
            "trade_partners",
            "treemap",
            &format!("year=2024&exporter=country-{}&view=markets", country.id),
        )
    }
}

pub fn index_of_product(world: &World, random: &mut Sequence) -> Draft {
    let (country, product) = (any(random), random.pick(PRODUCTS));
    let (metric, asked, value) = match random.below(3) {
        0 => (
            "RCA",
            "revealed comparative advantage",
            world.thousandths(40, 9000, &["rca", country.row_name, product.code]),
        ),
        1 => (
            "Distance",
            "distance",
            world.thousandths(600, 960, &["distance", country.row_name, product.code]),
        ),
        _ => {
            ("COG", "opportunity gain", world.thousandths(10, 1900, &["cog", country.row_name, product.code]))
        }
    };
    let query = format!("year=2024&exporter=country-{}&productClass=HS12", country.id);
    Draft {
        text: format!("What is the {asked} of {} in {} in 2024 (HS 2012)?", country.name, product.asked),
        rows: vec![json!({
            "metric": metric, "country": country.row_name, "product": format!("{} ({} HS12)", product.name, product.code),
            "value": value, "year": "2024",
        })],
        ..explore_page(random, "product_figures", "treemap", &query)
    }
}

pub fn group_total(world: &World, random: &mut Sequence) -> Draft {
    let (id, asked, name) = random.pick(GROUPS);
    let year = year(random);
    let value = world.amount(400_000_000_000, &["group", name, &year.to_string()]);
    Draft {
        text: format!("How large were the exports of {asked} together in {year}?"),
        rows: vec![json!({
            "metric": "Total export value", "group": name, "value": money(value, false), "raw_value": value, "year": year.to_string(),
        })],
        ..explore_page(random, "groups", "treemap", &format!("year={year}&exporter=group-{id}"))
    }
}

fn group_growth(world: &World, random: &mut Sequence) -> Draft {
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

fn members(_: &World, random: &mut Sequence) -> Draft {
    let (id, asked, name) = random.pick(GROUPS);
    let members: Vec<&str> =
        COUNTRIES.iter().skip(*id as usize).step_by(4).map(|country| country.row_name).collect();
    Draft {
        text: format!("Which countries does the Atlas count among {asked}?"),
        rows: vec![
            json!({"metric": "Group members", "group": name, "count": members.len(), "members": members}),
        ],
        ..explore_page(random, "groups", "treemap", &format!("year=2024&exporter=group-{id}"))
    }
}

fn flag(world: &World, random: &mut Sequence) -> Draft {
    let product = random.pick(PRODUCTS);
    let value = world.amount(10, &["resource", product.code]).is_multiple_of(2);
    Draft {
        text: format!("Does the Atlas class {} as a natural resource?", product.asked),
        rows: vec![json!({
            "metric": "Natural resource classification", "product": format!("{} ({} HS92)", product.name, product.code), "value": value,
        })],
        ..explore_page(
            random,
            "product_figures",
            "treemap",
            &format!("year=2024&view=markets&product=product-HS92-{}", product.hs92),
        )
    }
}

pub fn peers(world: &World, random: &mut Sequence) -> Draft {
    let first = random.below(COUNTRIES.len() as u64 - 4) as usize;
    let rows = COUNTRIES[first..first + 4].iter().map(|country| {
        let value = world.amount(90_000_000, &["new", country.row_name]);
        json!({
            "country": country.row_name, "new_products": world.amount(4, &["count", country.row_name]),
            "usd_per_capita": format!("${}", world.amount(1, &["capita", country.row_name])), "usd_total": money(value, false),
        })
    });
    let country = &COUNTRIES[first];
    Draft {
        text: format!(
            "How does {} compare with its three peers in number and value of new export products?",
            country.name
        ),
        rows: rows.collect(),
        ..country_page(random, "new_products", country, "new-products")
    }
}

fn grade(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let grades = ["A+", "A", "B", "C", "D", "D-"];
    let grade = grades[world.amount(10, &["grade", country.row_name]) as usize % grades.len()];
    Draft {
        text: format!("Which economic diversification grade does {} get?", country.name),
        rows: vec![json!({"metric": "Diversification grade", "value": grade})],
        ..country_page(random, "new_products", country, "new-products")
    }
}

fn income_words(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let words = ["LowerMiddle", "High", "UpperMiddle", "Low"];
    let word = words[world.amount(10, &["income", country.row_name]) as usize % words.len()];
    Draft {
        text: format!("To which income group does the Atlas assign {}?", country.name),
        rows: vec![json!({"metric": "Income classification", "value": word})],
        ..country_page(random, "country_overview", country, "")
    }
}

fn rank_change(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let change = 1 + world.amount(1, &["places", country.row_name]);
    let verb = if change.is_multiple_of(2) { "worsened" } else { "improved" };
    let place = ordinal(world.rank(country, "ECI ranking"));
    Draft {
        text: format!(
            "By how many places, and in which direction, has {} moved in the ECI ranking in a decade?",
            country.name
        ),
        rows: vec![json!({
            "metric": "ECI rank change over decade", "value": format!("{verb} {change} positions"),
            "current_rank": place.split(' ').next(),
        })],
        ..country_page(random, "country_overview", country, "")
    }
}

fn opportunity_table(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let first = world.amount(1, &["table", country.row_name]) as usize % 9;
    let row = |(at, product): (usize, &Product)| json!({"rank": at + 1, "product": format!("{} ({} HS92)", product.name, product.code)});
    Draft {
        text: format!(
            "Which five products head the table of growth opportunities of {} in 2024?",
            country.name
        ),
        rows: PRODUCTS[first..first + 5].iter().enumerate().map(row).collect(),
        ..explore_page(
            random,
            "growth_opportunities",
            "feasibility/table",
            &format!("year=2024&productLevel=4&exporter=country-{}", country.id),
        )
    }
}

pub fn world_exports(world: &World, random: &mut Sequence) -> Draft {
    let product = random.pick(PRODUCTS);
    let (class, id) = *random.pick(&[("HS92", product.hs92), ("HS12", product.hs12)]);
    let value = world.world(product, class);
    let said = if class == "HS12" { " (HS 2012)" } else { "" };
    Draft {
        text: format!("What was the value of the world's exports of {} in 2024{said}?", product.asked),
        rows: vec![json!({
            "metric": "Global export value", "product": format!("{} ({} {class})", product.name, product.code),
            "value": money(value, false), "raw_value": value, "year": "2024",
        })],
        ..explore_page(
            random,
            "product_figures",
            "treemap",
            &format!("year=2024&view=markets&product=product-{class}-{id}"),
        )
    }
}

pub fn import_product(world: &World, random: &mut Sequence) -> Draft {
    let (country, product) = (any(random), random.pick(PRODUCTS));
    let value = world.product(country, product, "import", 2024);
    let query = format!("year=2024&exporter=country-{}&tradeDirection=imports&productClass=HS12", country.id);
    Draft {
        text: format!(
            "What was the value of {} that {} imported in 2024 (HS 2012)?",
            product.asked, country.name
        ),
        rows: vec![json!({
            "metric": "Product import value", "country": country.row_name,
            "product": format!("{} ({} HS12)", product.name, product.code), "import_value": money(value, false),
            "raw_import_value": value, "year": "2024",
        })],
        ..explore_page(random, "trade_composition", "treemap", &query)
    }
}

fn profile(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let eci = world.index(&["eci", country.row_name, "2024"]);
    let products: Vec<Value> = PRODUCTS[..4]
        .iter()
        .map(|product| {
            let value = world.product(country, product, "HS92", 2024);
            json!({"product": format!("{} ({} HS92)", product.name, product.code), "export_value": money(value, false)})
        })
        .collect();
    Draft {
        text: format!("How complex is the economy of {}, and which goods does it export?", country.name),
        rows: vec![json!({
            "metric": "Complexity profile", "country": country.row_name, "eci": format!("{eci:.4}"),
            "eci_rank": world.rank(country, "ECI ranking"), "diversity": world.amount(40, &["diversity", country.row_name]),
            "top_products": products,
        })],
        ..country_page(random, "country_overview", country, "export-complexity")
    }
}

fn eci_series(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let rows = (2010..=2020u32).map(|year| {
        let eci = (year >= 2012)
            .then(|| format!("{:.4}", world.index(&["eci", country.row_name, &year.to_string()])));
        json!({"year": year.to_string(), "eci": eci})
    });
    Draft {
        text: format!("How did the ECI of {} develop from 2010 to 2020?", country.name),
        rows: rows.collect(),
        ..explore_page(
            random,
            "trade_over_time",
            "overtime",
            &format!("exporter=country-{}&startYear=2010&endYear=2020", country.id),
        )
    }
}

fn growth_projection(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let rate = world.thousandths(900, 5400, &["projection", country.row_name]) / 100.0 + 0.000_03;
    Draft {
        text: format!("At what annual rate does the Atlas project the economy of {} to grow?", country.name),
        rows: vec![json!({"metric": "Growth projection", "value": percent(rate, 1), "raw_value": rate})],
        ..country_page(random, "country_overview", country, "")
    }
}

fn population(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let people = world.amount(4_000_000, &["people", country.row_name]) / 1000 * 1000;
    Draft {
        text: format!("How many people live in {}?", country.name),
        rows: vec![json!({"metric": "Population", "value": grouped(people), "year": "2024"})],
        ..country_page(random, "country_overview", country, "")
    }
}

fn largest_exporter(world: &World, random: &mut Sequence) -> Draft {
    let product = random.pick(PRODUCTS);
    let largest = COUNTRIES.iter().max_by_key(|country| world.product(country, product, "HS12", 2024));
    let country = largest.unwrap();
    let value = world.product(country, product, "HS12", 2024);
    Draft {
        text: format!("Which country exported the most {} in 2024 (HS 2012)?", product.asked),
        rows: vec![json!({
            "metric": "Largest exporter", "product": format!("{} ({} HS12)", product.name, product.code),
            "country": country.row_name, "export_value": money(value, false), "raw_export_value": value, "year": "2024",
        })],
        ..explore_page(
            random,
            "product_figures",
            "treemap",
            &format!("year=2024&view=markets&product=product-HS12-{}", product.hs12),
        )
    }
}
