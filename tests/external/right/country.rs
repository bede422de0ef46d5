//! Right records of country pages.

use serde_json::{Value, json};

use super::super::world::{COUNTRIES, PRODUCTS, SERVICES, grouped, money, ordinal, percent};
use super::super::{Draft, Sequence, World};
use super::{any, country_page};

pub fn gdp_per_capita(world: &World, random: &mut Sequence) -> Draft {
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

pub fn rank(world: &World, random: &mut Sequence) -> Draft {
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

pub fn trade_balance_word(world: &World, random: &mut Sequence) -> Draft {
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

pub fn leading_products(world: &World, random: &mut Sequence) -> Draft {
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

pub fn grade(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let grades = ["A+", "A", "B", "C", "D", "D-"];
    let grade = grades[world.amount(10, &["grade", country.row_name]) as usize % grades.len()];
    Draft {
        text: format!("Which economic diversification grade does {} get?", country.name),
        rows: vec![json!({"metric": "Diversification grade", "value": grade})],
        ..country_page(random, "new_products", country, "new-products")
    }
}

pub fn income_words(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let words = ["LowerMiddle", "High", "UpperMiddle", "Low"];
    let word = words[world.amount(10, &["income", country.row_name]) as usize % words.len()];
    Draft {
        text: format!("To which income group does the Atlas assign {}?", country.name),
        rows: vec![json!({"metric": "Income classification", "value": word})],
        ..country_page(random, "country_overview", country, "")
    }
}

pub fn rank_change(world: &World, random: &mut Sequence) -> Draft {
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

pub fn profile(world: &World, random: &mut Sequence) -> Draft {
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

pub fn growth_projection(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let rate = world.thousandths(900, 5400, &["projection", country.row_name]) / 100.0 + 0.000_03;
    Draft {
        text: format!("At what annual rate does the Atlas project the economy of {} to grow?", country.name),
        rows: vec![json!({"metric": "Growth projection", "value": percent(rate, 1), "raw_value": rate})],
        ..country_page(random, "country_overview", country, "")
    }
}

pub fn population(world: &World, random: &mut Sequence) -> Draft {
    let country = any(random);
    let people = world.amount(4_000_000, &["people", country.row_name]) / 1000 * 1000;
    Draft {
        text: format!("How many people live in {}?", country.name),
        rows: vec![json!({"metric": "Population", "value": grouped(people), "year": "2024"})],
        ..country_page(random, "country_overview", country, "")
    }
}
