//! Mistakes of addresses, classifications and entities.

use serde_json::{Value, json};

use super::super::Draft;
use super::super::right::{
    any, bilateral_product, country_page, destinations, explore_page, group_total, index_of_product,
    product_export, sector_share, total_of_year, two, world_exports, yearly, years,
};
use super::super::world::{
    COUNTRIES, Country, GROUPS, PRODUCTS, SITE, explore, money, of_year, ordinal, over_years, page, percent,
};
use super::{Mistake, at, mistake, with};

pub const MISTAKES: &[Mistake] = &[
    // ------------------------------------------------------------------------------------------------ addresses
    mistake(&["GT001"], "an API as the page", |w, r| at(total_of_year(w, r), format!("{SITE}/api/graphql"))),
    mistake(&["GT001"], "no address at all", |w, r| vec![Draft { address: None, ..product_export(w, r) }]),
    mistake(&["GT001"], "the address of the old site", |w, r| {
        at(total_of_year(w, r), "https://atlas.cid.harvard.edu/explore?country=114&year=2018")
    }),
    mistake(&["GT002"], "a group at the start page of the treemap", |w, r| {
        at(group_total(w, r), explore("treemap", "year=2024"))
    }),
    mistake(&["GT002"], "the members of a group at the start page", |_, r| {
        let (_, asked, name) = r.pick(GROUPS);
        vec![Draft {
            text: format!("Which countries belong to {asked}?"),
            rows: vec![
                json!({"metric": "Group members", "group": name, "count": 3, "members": ["Austria", "Belgium", "Cyprus"]}),
            ],
            ..explore_page(r, "groups", "treemap", "year=2024")
        }]
    }),
    mistake(&["GT002"], "a product's world exports at the start page", |w, r| {
        at(world_exports(w, r), explore("treemap", "year=2024&productClass=HS92"))
    }),
    mistake(&["GT002"], "years of the data at the start page", |_, r| {
        vec![Draft {
            text: "For which years does the Atlas hold data by HS 1992?".into(),
            rows: vec![
                json!({"metric": "Data availability", "classification": "HS 1992", "year_min": 1995, "year_max": 2024}),
            ],
            ..explore_page(r, "product_figures", "treemap", "year=2024")
        }]
    }),
    mistake(&["GT002"], "two countries and a page that names none", |w, r| {
        let ((one, other), (first, last)) = (two(r), years(r));
        let row = |country: &Country| {
            let (a, b) = (w.exports(country, first), w.exports(country, last));
            json!({"country": country.row_name, "start_value": money(a, false), "end_value": money(b, false),
                "cagr": percent(yearly(a, b, last - first), 1)})
        };
        vec![Draft {
            text: format!(
                "Did the exports of {} or of {} grow faster from {first} to {last}?",
                one.name, other.name
            ),
            rows: vec![row(one), row(other)],
            ..explore_page(r, "trade_over_time", "overtime", &format!("startYear={first}&endYear={last}"))
        }]
    }),
    mistake(&["GT024"], "a parameter that the site ignores", |w, r| {
        let draft = total_of_year(w, r);
        let address = format!("{}&productClassification=HS12", draft.address.clone().unwrap());
        at(draft, address)
    }),
    mistake(&["GT024"], "a country by its letters", |w, r| {
        at(total_of_year(w, r), explore("overtime", "exporter=country-KEN&startYear=2015&endYear=2020"))
    }),
    mistake(&["GT024", "GT001"], "an address cut short", |w, r| {
        at(product_export(w, r), explore("treemap", "..."))
    }),
    mistake(&["GT003c"], "the record is of another classification than the question's page", |w, r| {
        let draft = bilateral_product(w, r);
        let address = draft.address.clone().unwrap();
        let other = address.replace("HS12", "HS92");
        vec![Draft { record_address: Some(Some(other)), ..draft }]
    }),
    mistake(&["GT003c"], "the record is of another country than the question's page", |w, r| {
        let (country, other) = two(r);
        vec![Draft {
            text: format!("What is the total value of what {} exports?", country.name),
            rows: vec![
                json!({"metric": "Total exports", "value": money(w.exports(other, 2023) * 7 / 5, false)}),
            ],
            record_address: Some(Some(page(other, "export-basket"))),
            ..country_page(r, "export_basket", country, "export-basket")
        }]
    }),
    // ------------------------------------------------------------------------------------------- classifications
    mistake(&["GT003a"], "asked by HS 1992, answered by HS 2012", |w, r| {
        let mut draft = product_export(w, r);
        let product = r.pick(PRODUCTS);
        draft.text = draft.text.replace("(HS 1992)", "by HS92 codes");
        draft.rows = vec![
            json!({"product": format!("{} ({} HS12)", product.name, product.code), "export_value": "$4.31 billion"}),
        ];
        let address = format!("{}&productClass=HS12", draft.address.clone().unwrap());
        at(draft, address)
    }),
    mistake(&["GT003a"], "asked by the SITC, answered by HS 1992", |w, r| {
        let country = any(r);
        vec![Draft {
            text: format!(
                "What is the revealed comparative advantage of {} in coffee by the SITC in 2024?",
                country.name
            ),
            rows: vec![
                json!({"metric": "RCA", "country": country.row_name, "product": "Coffee (0901 HS92)", "classification": "HS 1992", "rca": w.thousandths(100, 9000, &["sitc", country.row_name])}),
            ],
            ..explore_page(r, "product_figures", "treemap", &of_year(country, 2024))
        }]
    }),
    mistake(&["GT003b"], "rows by HS 2012 at a page by HS 1992", |w, r| {
        let draft = index_of_product(w, r);
        let address = draft.address.clone().unwrap().replace("&productClass=HS12", "");
        at(draft, address)
    }),
    mistake(&["GT003b"], "a list by HS 2022 at a page by HS 1992", |w, r| {
        let country = any(r);
        let row = |(at, code): (usize, &str)| json!({"rank": at + 1, "product": format!("{code} HS22)"), "classification": "HS 2022", "export_value": money(90_000_000_000 - at as u64 * w.amount(1_000_000_000, &[code]), false)});
        vec![Draft {
            text: format!("Which three products did {} export most of in 2023?", country.name),
            rows: ["Business (ict", "Cars (8703", "Transport (transport"]
                .into_iter()
                .enumerate()
                .map(row)
                .collect(),
            ..explore_page(r, "trade_composition", "treemap", &of_year(country, 2023))
        }]
    }),
    mistake(&["GT003b", "GT003a"], "a product of HS 1992 in the address, rows by HS 2012", |w, r| {
        let draft = bilateral_product(w, r);
        let address = draft.address.clone().unwrap().replace("HS12", "HS92");
        at(Draft { text: draft.text.replace(" (HS 2012)", ""), ..draft }, address)
    }),
    // -------------------------------------------------------------------------------------------------- entities
    mistake(&["GT004"], "internal ids as sectors", |w, r| {
        let country = any(r);
        let ids = ["product-HS12-126", "product-HS12-403", "product-HS12-185"];
        let row = |(at, id): (usize, &str)| {
            let value = 70_000_000_000 / (at as u64 + 1) + w.amount(900_000, &[id]);
            json!({"rank": at + 1, "sector": id, "export_value": money(value, false), "raw_export_value": value})
        };
        vec![Draft {
            text: format!(
                "Which three two-digit groups did {} export most of in 2021 (HS 2012)?",
                country.name
            ),
            rows: ids.into_iter().enumerate().map(row).collect(),
            ..explore_page(
                r,
                "trade_composition",
                "treemap",
                &format!("year=2021&exporter=country-{}&productClass=HS12&productLevel=2", country.id),
            )
        }]
    }),
    mistake(&["GT004"], "internal ids as keys of an object", |w, r| {
        let country = any(r);
        let row = |year: u32| {
            json!({"year": year, "total_services": w.services(country, year), "by_sector": {
            "product-HS92-401": w.service(country, "Travel & tourism", year), "product-HS92-403": w.service(country, "Business", year)}})
        };
        vec![Draft {
            text: format!("How did the exports of services of {} develop from 2014 to 2016?", country.name),
            rows: (2014..=2016).map(row).collect(),
            ..explore_page(r, "trade_over_time", "overtime", &over_years(country, 2014, 2016))
        }]
    }),
    mistake(&["GT004"], "an internal id of a country as a partner", |w, r| {
        let mut draft = destinations(w, r);
        draft.rows[1]["country"] = json!("location-840");
        vec![draft]
    }),
    mistake(&["GT004"], "services as a partner", |w, r| {
        let mut draft = destinations(w, r);
        let value = draft.rows[0]["raw_export_value"].as_u64().unwrap() * 4 / 3;
        draft.rows.insert(
            0,
            json!({"rank": 1, "country": "Services Partners", "export_value": money(value, false)}),
        );
        for (at, row) in draft.rows.iter_mut().enumerate() {
            row["rank"] = json!(at + 1);
            row.as_object_mut().unwrap().remove("share");
        }
        draft.rows.pop();
        vec![draft]
    }),
    mistake(&["GT009"], "the neighbours of another country", |w, r| {
        let (country, other) = two(r);
        let row = |country: &Country| json!({"country": country.row_name, "eci": format!("{:.4}", w.index(&["eci", country.row_name, "2024"])), "eci_rank": w.rank(country, "ECI ranking")});
        let rows: Vec<Value> = [country, other].map(row).into_iter().collect();
        vec![Draft {
            text: format!(
                "Which place does {} hold by economic complexity among itself, Laos and Cambodia?",
                country.name
            ),
            rows,
            ..country_page(r, "country_overview", country, "")
        }]
    }),
    mistake(&["GT009"], "the row of the next country", |w, r| {
        let draft = sector_share(w, r);
        let own = draft.rows[0]["country"].clone();
        let at = COUNTRIES.iter().position(|country| own == country.row_name).unwrap();
        with(draft, "country", COUNTRIES[(at + 1) % COUNTRIES.len()].row_name)
    }),
    mistake(&["GT009"], "the page of another country", |w, r| {
        let (country, other) = two(r);
        vec![Draft {
            text: format!("Which place does {} hold among the world's exporters?", country.name),
            rows: vec![
                json!({"metric": "Exporter rank", "value": ordinal(w.rank(country, "Exporter rank"))}),
            ],
            ..country_page(r, "export_basket", other, "export-basket")
        }]
    }),
    mistake(&["GT009"], "another product than the one that is asked", |w, r| {
        let country = any(r);
        vec![Draft {
            text: format!("What was the value of coffee that {} exported in 2022 (HS 1992)?", country.name),
            rows: vec![
                json!({"metric": "Product exports", "country": country.row_name, "product": "Tea (0902 HS92)", "value": money(w.product(country, &PRODUCTS[1], "HS92", 2022), false), "year": 2022}),
            ],
            ..explore_page(r, "trade_composition", "treemap", &of_year(country, 2022))
        }]
    }),
];
