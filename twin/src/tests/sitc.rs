//! The Standard International Trade Classification: its own headings, over the same trade.

use super::{explore, rows, same, sum, twin};
use serde_json::{Value, json};
use std::collections::HashMap;

#[tokio::test]
async fn the_catalogue_is_revision_2() {
    let twin = twin().await;
    let found = explore(
        &twin,
        "{ sector: productSitc(productLevel: 1, servicesClass: unilateral) { productId code nameShortEn } \
        division: productSitc(productLevel: 2) { productId code topParent { code } parent { productId } } \
        heading: productSitc(productLevel: 4, servicesClass: unilateral) { productId code nameShortEn productType parent { productId code } topParent { nameShortEn } } \
        goods: productSitc(productLevel: 4) { productId } six: productSitc(productLevel: 6) { code } }",
    )
    .await;
    let count = |list: &str| rows(&found, list).len();
    assert_eq!((count("sector"), count("division"), count("heading"), count("goods")), (11, 70, 793, 788));
    assert_eq!(count("six"), 0);
    let by_code: HashMap<&str, &Value> =
        rows(&found, "heading").iter().map(|row| (row["code"].as_str().unwrap(), row)).collect();
    let id = |code: &str| by_code[code]["productId"].clone();
    assert_eq!(id("0011"), "product-SITC-650");
    let mut goods: Vec<&str> =
        by_code.iter().filter(|(_, row)| row["productType"] == "good").map(|(code, _)| *code).collect();
    goods.sort_unstable();
    for (at, code) in goods.iter().enumerate() {
        assert_eq!(id(code), format!("product-SITC-{}", 650 + at), "ids follow positions");
        assert_eq!(by_code[code]["parent"]["code"], code[..2], "{code}");
        assert!(
            rows(&found, "division")
                .iter()
                .any(|row| row["productId"] == by_code[code]["parent"]["productId"])
        );
    }
    for (code, sector) in [
        ("0711", "Agriculture"),
        ("3330", "Minerals"),
        ("7810", "Vehicles"),
        ("7764", "Electronics"),
        ("8421", "Textiles"),
        ("9310", "Other"),
    ] {
        assert_eq!(by_code[code]["topParent"]["nameShortEn"], sector, "{code}");
    }
    assert_eq!((&by_code["0711"]["nameShortEn"], id("ict")), (&json!("Coffee"), json!("product-SITC-4003")));
}

#[tokio::test]
async fn goods_sum_to_what_the_harmonized_system_has() {
    let twin = twin().await;
    for (m49, year) in [(404, 2024), (392, 2020), (76, 2001)] {
        let rest = format!("countryId: {m49}, yearMin: {year}, yearMax: {year}");
        let found = explore(
            &twin,
            &format!(
                "{{ hs: countryProductYear({rest}, productLevel: 4) {{ productId exportValue importValue }} \
                one: countryProductYear({rest}, productClass: SITC, productLevel: 1) {{ exportValue importValue }} \
                two: countryProductYear({rest}, productClass: SITC, productLevel: 2) {{ exportValue importValue }} \
                four: countryProductYear({rest}, productClass: SITC, productLevel: 4) {{ productId exportValue importValue exportRca globalMarketShare distance }} \
                goods: productYear(productLevel: 4, productClass: SITC, yearMin: {year}, yearMax: {year}) {{ productId exportValue pci }} \
                names: productSitc(productLevel: 4) {{ productId code }} }}"
            ),
        )
        .await;
        for field in ["exportValue", "importValue"] {
            let [hs, one, two, four] =
                ["hs", "one", "two", "four"].map(|list| sum(rows(&found, list), field));
            assert!((four / hs - 1.0).abs() < 0.001, "{m49} {year}: {four} {hs}");
            assert!(same(one, four) && same(two, four), "{m49} {year}: {one} {two} {four}");
        }
        let own = sum(rows(&found, "four"), "exportValue");
        let world = sum(rows(&found, "goods"), "exportValue");
        let mut strong = 0;
        for row in rows(&found, "four") {
            let value = row["exportValue"].as_f64().unwrap();
            let of =
                rows(&found, "goods").iter().find(|other| other["productId"] == row["productId"]).unwrap();
            let all = of["exportValue"].as_f64().unwrap();
            let rca = value / own / (all / world);
            assert!((row["exportRca"].as_f64().unwrap() / rca - 1.0).abs() < 1e-9 || value == 0.0, "{row}");
            assert!((row["globalMarketShare"].as_f64().unwrap() - value / all).abs() < 1e-12, "{row}");
            strong += usize::from(rca >= 1.0);
        }
        assert!((20..500).contains(&strong), "{m49} {year}: {strong} with RCA of 1");
        let code = |code: &str| {
            rows(&found, "names").iter().find(|row| row["code"] == code).unwrap()["productId"].clone()
        };
        let value = |list: &str, id: &Value| {
            rows(&found, list).iter().find(|row| row["productId"] == *id).unwrap()["exportValue"].as_f64()
        };
        assert_eq!(value("four", &code("0711")), value("hs", &json!("product-HS92-726")), "coffee");
    }
}

#[tokio::test]
async fn years_begin_in_1962() {
    let twin = twin().await;
    let found = explore(
        &twin,
        "{ own: countryProductYear(countryId: 404, productClass: SITC, productLevel: 1, servicesClass: unilateral, yearMin: 1900) { year exportValue } \
        total: countryYear(countryId: 404, productClass: SITC, yearMin: 1900) { year exportValue population eci } \
        hs: countryProductYear(countryId: 404, productLevel: 1, yearMin: 1900) { year } }",
    )
    .await;
    let years = |list: &str| {
        let mut years: Vec<i64> =
            rows(&found, list).iter().map(|row| row["year"].as_i64().unwrap()).collect();
        years.sort_unstable();
        years.dedup();
        (years[0], years.len())
    };
    assert_eq!((years("own"), years("total"), years("hs")), ((1962, 63), (1962, 63), (1995, 30)));
    for total in rows(&found, "total") {
        let own = rows(&found, "own").iter().filter(|row| row["year"] == total["year"]);
        let (own, all) = (sum(own, "exportValue"), total["exportValue"].as_f64().unwrap());
        assert!((own / all - 1.0).abs() < 1e-4, "{total}: {own}");
    }
    let first = |year: i64| {
        rows(&found, "total").iter().find(|row| row["year"] == year).unwrap()["exportValue"].as_f64()
    };
    assert!(first(1962) < first(1980) && first(1980) < first(2000));
}
