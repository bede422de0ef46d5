//! Sixty mistakes as they occur in folders that scripts and people wrote.

use serde_json::{Value, json};

use super::right::{
    any, bilateral, bilateral_balance, bilateral_product, cagr, change, country_page, current_account,
    destinations, destinations_of, explore_page, group_total, import_product, index_of_product, peers,
    product_export, sector_share, services_breakdown, share_over_years, total_of_year, total_on_country_page,
    two, world_exports, year, yearly, years,
};
use super::world::{COUNTRIES, GROUPS, PRODUCTS, SITE, explore, money, page, percent};
use super::{Draft, Sequence, World};

pub struct Mistake {
    /// The rules one of which finds it.
    pub codes: &'static [&'static str],
    pub what: &'static str,
    pub make: fn(&World, &mut Sequence) -> Vec<Draft>,
}

type Make = fn(&World, &mut Sequence) -> Vec<Draft>;

const fn mistake(codes: &'static [&'static str], what: &'static str, make: Make) -> Mistake {
    Mistake { codes, what, make }
}

/// Both addresses are this one.
fn at(draft: Draft, address: impl Into<String>) -> Vec<Draft> {
    vec![Draft { address: Some(address.into()), ..draft }]
}

/// One key of the first row is another.
fn with(mut draft: Draft, key: &str, value: impl Into<Value>) -> Vec<Draft> {
    draft.rows[0][key] = value.into();
    vec![draft]
}

fn verified(draft: Draft, verification: Value) -> Vec<Draft> {
    vec![Draft { verification: Some(verification), time: Some("2026-02-20T11:02:13Z".into()), ..draft }]
}

/// A row's amount as it is without rounding.
fn raw(draft: &Draft) -> u64 {
    draft.rows[0]["raw_value"].as_u64().unwrap()
}

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
        let row = |country: &super::world::Country| {
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
            ..explore_page(
                r,
                "product_figures",
                "treemap",
                &format!("year=2024&exporter=country-{}", country.id),
            )
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
            ..explore_page(
                r,
                "trade_composition",
                "treemap",
                &format!("year=2023&exporter=country-{}", country.id),
            )
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
            ..explore_page(
                r,
                "trade_over_time",
                "overtime",
                &format!("exporter=country-{}&startYear=2014&endYear=2016", country.id),
            )
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
        let row = |country: &super::world::Country| json!({"country": country.row_name, "eci": format!("{:.4}", w.index(&["eci", country.row_name, "2024"])), "eci_rank": w.rank(country, "ECI ranking")});
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
                json!({"metric": "Exporter rank", "value": super::world::ordinal(w.rank(country, "Exporter rank"))}),
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
            ..explore_page(
                r,
                "trade_composition",
                "treemap",
                &format!("year=2022&exporter=country-{}", country.id),
            )
        }]
    }),
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
            ..explore_page(
                r,
                "trade_composition",
                "treemap",
                &format!("year=2024&exporter=country-{}", country.id),
            )
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
            ..explore_page(
                r,
                "trade_composition",
                "treemap",
                &format!("year={year}&exporter=country-{}", country.id),
            )
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
            ..explore_page(
                r,
                "trade_composition",
                "treemap",
                &format!("year={year}&exporter=country-{}", country.id),
            )
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
            ..explore_page(
                r,
                "product_figures",
                "treemap",
                &format!("year=2024&exporter=country-{}", country.id),
            )
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
            ..explore_page(
                r,
                "market_share",
                "overtime",
                &format!("exporter=country-{}&startYear=2014&endYear=2024", country.id),
            )
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
            ..explore_page(
                r,
                "trade_over_time",
                "overtime",
                &format!("exporter=country-{}&startYear={first}&endYear={last}", country.id),
            )
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
            ..explore_page(
                r,
                "trade_over_time",
                "overtime",
                &format!("exporter=country-{}&startYear={first}&endYear={last}", country.id),
            )
        }]
    }),
    mistake(&["GT012"], "a time with two zones", |w, r| {
        vec![Draft { time: Some("2026-02-28T10:14:09+00:00Z".into()), ..total_of_year(w, r) }]
    }),
    mistake(&["GT012"], "a day in place of a time", |w, r| {
        vec![Draft { time: Some("28.02.2026".into()), ..bilateral(w, r) }]
    }),
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
                json!({"metric": "GDP per capita (PPP)", "country": country.row_name, "value": format!("${}", super::world::grouped(value)), "year": "2024"}),
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
