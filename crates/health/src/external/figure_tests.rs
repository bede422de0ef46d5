use serde_json::json;

use super::*;
use crate::external::about::product_text;
use crate::value::Classification;

fn of(rows: Json) -> FigureRows {
    let rows: Vec<Map<String, Json>> = serde_json::from_value(rows).unwrap();
    figures(&rows)
}

fn shown(rows: &FigureRows) -> Vec<(String, String)> {
    rows.figures.iter().map(|figure| (figure.name.clone(), figure.text.clone())).collect()
}

fn pair(name: &str, text: &str) -> (String, String) {
    (name.to_owned(), text.to_owned())
}

#[test]
fn a_bare_number_has_the_unit_and_scale_of_its_row_or_key() {
    let read = |row: Json| {
        let rows = of(json!([row]));
        let [figure] = &rows.figures[..] else { panic!("{rows:?}") };
        let number =
            figure.quantity().map(|quantity| (quantity.number.normalize().to_string(), quantity.unit));
        (figure.text.clone(), number)
    };
    let is = |text: &str, number: &str, unit: Unit| (text.to_owned(), Some((number.to_owned(), unit)));
    let gdp =
        |value: Json, key: &str, unit: &str| json!({"metric": "GDP per capita", "value": value, key: unit});
    assert_eq!(read(gdp(json!(2274), "unit", "EUR")), is("2274 EUR", "2274", Unit::OtherCurrency));
    assert_eq!(read(gdp(json!("2274"), "currency", "KES")), is("2274 KES", "2274", Unit::OtherCurrency));
    assert_eq!(read(gdp(json!(2274), "currency", "usd")), is("2274 USD", "2274", Unit::Usd));
    assert_eq!(read(gdp(json!(3.4), "unit", "percent")), is("3.4 %", "3.4", Unit::Percent));
    assert_eq!(
        read(gdp(json!(378), "unit", "billion USD")),
        is("378 billion USD", "378000000000", Unit::Usd)
    );
    let people = json!({"metric": "Population", "value": 52.4, "unit": "million"});
    assert_eq!(read(people).1.unwrap().0, "52400000");
    assert_eq!(read(json!({"value_millions": 2274})).1.unwrap().0, "2274000000");
    // the metric may state it
    let of_metric = |metric: &str, value: f64| read(json!({"metric": metric, "value": value})).1.unwrap();
    for (metric, value, number, unit) in [
        ("Population (millions)", 52.4, "52400000", Unit::Count),
        ("Total exports in USD billions", 14.1, "14100000000", Unit::Usd),
        ("Total exports (USD bn)", 14.1, "14100000000", Unit::Usd),
        ("GDP per capita (thousand USD)", 2.274, "2274", Unit::Usd),
        ("Total exports ($ millions)", 14_100.0, "14100000000", Unit::Usd),
        ("Total exports ($bn)", 14.1, "14100000000", Unit::Usd),
        ("Export growth (%)", 3.8, "3.8", Unit::Percent),
    ] {
        assert_eq!(of_metric(metric, value), (number.to_owned(), unit), "{metric}");
    }
    let rows = of(json!([{"metric": "Total exports in USD billions", "value": 14.1, "growth": 5.2}]));
    assert_eq!(shown(&rows)[1], pair("growth", "5.2"), "the unit is that of the value");
    assert_eq!(read(gdp(json!(38.2), "unit", "% of GDP")).0, "38.2 % of GDP");
    assert_eq!(read(gdp(json!(378), "unit", "USD billion")).1.unwrap().0, "378000000000");
    let plain = read(json!({"metric": "Total exports (HS 1992)", "value": 14}));
    assert_eq!(plain.0, "14");
    // a text states its own, and a unit that nobody knows makes no number
    assert_eq!(read(gdp(json!("$2,274"), "unit", "EUR")), is("$2,274", "2274", Unit::Usd));
    assert_eq!(read(gdp(json!(2274), "unit", "furlongs")).1, None);
    // the unit of an amount is not that of the share beside it
    let rows = of(json!([{"value": 5, "share": 12, "unit": "EUR"}]));
    assert_eq!(shown(&rows), [pair("value", "5 EUR"), pair("share", "12")]);
}

#[test]
fn a_displayed_value_takes_its_precise_number_along() {
    let rows = of(json!([
        {"metric": "Total exports", "value": "$377.65 billion", "raw_value": 377651747244.83, "year": "2024"},
        {"product": "Coffee (0901 HS12)", "share": "8.54%", "raw_share": 0.0854},
        {"value": "$-57.89 billion", "raw_value": -57890000000.0},
    ]));
    assert_eq!(
        shown(&rows),
        [pair("value", "$377.65 billion"), pair("share", "8.54%"), pair("value", "$-57.89 billion")]
    );
    let [exports, share, balance] = &rows.figures[..] else { panic!() };
    assert_eq!(exports.precise().unwrap().to_string(), "377651747244.83");
    assert_eq!(exports.about.period, Some(Period::year(2024)));
    assert_eq!(share.precise().unwrap().normalize().to_string(), "8.54");
    let about = &share.about;
    assert_eq!(
        (about.product.as_deref(), about.code.as_deref(), about.classification),
        (Some("Coffee"), Some("0901"), Some(Classification::Hs12))
    );
    assert_eq!(balance.quantity().unwrap().number.to_string(), "-57890000000");
}

#[test]
fn objects_years_pairs_and_lists_give_a_value_each() {
    let rows = of(json!([
        {"year": 2014, "total_services": 136.5, "by_sector": {"product-HS92-401": 71.0, "product-HS92-400": 15.0}},
        {"country": "Spain", "export_value": {"2016": "$393B", "2021": "$462B"}},
        {"value": "exports=$3.50B; imports=$2B"},
        {"group": "European Union", "count": 2, "members": ["Austria", "Belgium"]},
        {"ict_2015": "$112.16 billion", "ict_cagr": "18.8%", "period": "2015-2021"},
    ]));
    let by_sector = &rows.figures[1];
    assert_eq!(
        (by_sector.about.of.as_deref(), by_sector.key.as_str()),
        (Some("product-HS92-401"), "by_sector.product-HS92-401")
    );
    let years: Vec<_> =
        rows.figures.iter().filter(|f| f.row == 1).map(|f| (f.about.period, f.name.as_str())).collect();
    assert_eq!(
        years,
        [(Some(Period::year(2016)), "export_value"), (Some(Period::year(2021)), "export_value")]
    );
    let in_pairs: Vec<_> = rows.figures.iter().filter(|f| f.row == 2).map(|f| f.name.as_str()).collect();
    assert_eq!(in_pairs, ["export_value", "import_value"]);
    assert_eq!(rows.figures.iter().filter(|f| f.row == 3).count(), 3);
    let ict: Vec<_> =
        rows.figures.iter().filter(|f| f.row == 4).map(|f| (f.about.of.as_deref(), f.about.period)).collect();
    assert_eq!(
        ict,
        [(Some("ict"), Some(Period::year(2015))), (Some("ict"), Some(Period { start: 2015, end: 2021 }))]
    );
}

#[test]
fn a_row_of_names_answers_with_its_name_and_every_leaf_is_accounted_for() {
    let rows = of(json!([
        {"rank": 1, "product": "Photographic film, developed (3705 HS92)"},
        {"metric": "Complexity trend driver"},
        {},
        {"available": false},
        {"pci": "N/A", "raw_pci": null, "product_name": "Petroleum oils, crude"},
    ]));
    assert_eq!(
        shown(&rows),
        [
            pair("name", "Photographic film, developed (3705 HS92)"),
            pair("available", "false"),
            pair("index", "N/A")
        ]
    );
    assert_eq!(rows.figures[2].content, FigureContent::Nothing);
    assert_eq!(rows.figures[0].about.code.as_deref(), Some("3705"));
    let leaves: Vec<_> = rows.leaves.iter().map(|leaf| (leaf.row, leaf.key.as_str())).collect();
    assert_eq!(
        leaves,
        [(0, "rank"), (0, "product"), (1, "metric"), (3, "available"), (4, "product_name"), (4, "pci")]
    );
}

#[test]
fn names_with_brackets_that_are_no_code_stay_whole() {
    assert_eq!(product_text("Copper (refined)").0, "Copper (refined)");
    assert_eq!(
        product_text("Business (ict HS22)"),
        ("Business".to_owned(), Some("ict".to_owned()), Some(Classification::Hs22))
    );
    assert_eq!(product_text("Coffee").1, None);
}

#[test]
fn a_row_of_years_alone_answers_with_them_and_sellers_and_buyers_are_told_apart() {
    let rows = of(json!([
        {"metric": "Data availability", "year_min": 1995, "year_max": 2024},
        {"importer": "Brazil", "exporter": "China", "value": "$69.93 billion"},
    ]));
    assert_eq!(shown(&rows), [pair("period", "1995-2024"), pair("value", "$69.93 billion")]);
    let about = &rows.figures[1].about;
    assert_eq!((about.country.as_deref(), about.partner.as_deref()), (Some("China"), Some("Brazil")));
    assert_eq!((about.exporter.as_deref(), about.importer.as_deref()), (Some("China"), Some("Brazil")));
}
