//! Right records of trade: of a year, of partners, of sectors and groups.

use serde_json::{Value, json};

use super::super::world::{
    COUNTRIES, Country, GROUPS, PRODUCTS, SECTORS, SERVICES, money, of_year, over_years, percent,
};
use super::super::{Draft, Sequence, World};
use super::{any, explore_page, two, year, years};

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
        ..explore_page(random, "trade_over_time", "overtime", &over_years(country, year, year))
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
        ..explore_page(random, "trade_composition", "treemap", &of_year(country, year))
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
        ..explore_page(random, "market_share", "overtime", &over_years(country, first, last))
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
        ..explore_page(random, "trade_composition", "treemap", &of_year(country, year))
    }
}

pub fn services_by_year(world: &World, random: &mut Sequence) -> Draft {
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
        ..explore_page(random, "trade_over_time", "overtime", &over_years(country, first, last))
    }
}

pub fn year_object(world: &World, random: &mut Sequence) -> Draft {
    let (country, (first, last)) = (any(random), years(random));
    let values: serde_json::Map<String, Value> = [first, last]
        .map(|year| (year.to_string(), json!(money(world.exports(country, year), true))))
        .into_iter()
        .collect();
    Draft {
        text: format!("What were the exports of {} in {first} and in {last}?", country.name),
        rows: vec![json!({"country": country.row_name, "export_value": values})],
        ..explore_page(random, "trade_over_time", "overtime", &over_years(country, first, last))
    }
}

pub fn pairs(world: &World, random: &mut Sequence) -> Draft {
    let (country, year) = (any(random), year(random));
    let (exports, imports) = (world.exports(country, year), world.imports(country, year));
    let separator = *random.pick(&["; ", ", ", " | "]);
    let text = format!("exports={}{separator}imports={}", money(exports, true), money(imports, true));
    Draft {
        text: format!("What were the exports and the imports of {} in {year}?", country.name),
        rows: vec![
            json!({"metric": "Trade overview", "country": country.row_name, "year": year, "value": text}),
        ],
        ..explore_page(random, "trade_composition", "overtime", &over_years(country, year, year))
    }
}

pub fn partner_balances(world: &World, random: &mut Sequence) -> Draft {
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

pub fn members(_: &World, random: &mut Sequence) -> Draft {
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
