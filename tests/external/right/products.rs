//! Right records of products.

use serde_json::json;

use super::super::world::{COUNTRIES, PRODUCTS, Product, money, of_year};
use super::super::{Draft, Sequence, World};
use super::{any, explore_page, year};

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
        ..explore_page(random, "trade_composition", "treemap", &of_year(country, year))
    }
}

pub fn product_export_hs12(world: &World, random: &mut Sequence) -> Draft {
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

pub fn flag(world: &World, random: &mut Sequence) -> Draft {
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

pub fn opportunity_table(world: &World, random: &mut Sequence) -> Draft {
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

pub fn largest_exporter(world: &World, random: &mut Sequence) -> Draft {
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
