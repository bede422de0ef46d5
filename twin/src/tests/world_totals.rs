//! A product's world trade is what all countries trade of it.

use super::{data, explore, rows, same, sum, twin};
use serde_json::Value;

fn of<'a>(rows: &'a [Value], product: &Value) -> impl Iterator<Item = &'a Value> {
    rows.iter().filter(move |row| row["productId"] == *product)
}

#[tokio::test]
#[ignore = "slow: make test-deep"]
async fn a_products_world_is_the_sum_of_its_countries() {
    let twin = twin().await;
    for (class, level, year) in
        [("HS92", 4, 2024), ("HS92", 2, 2008), ("HS12", 4, 2019), ("HS22", 1, 2023), ("SITC", 1, 1970)]
    {
        let rest = format!(
            "productLevel: {level}, productClass: {class}, servicesClass: unilateral, yearMin: {year}, yearMax: {year}"
        );
        let fields = "productId exportValue importValue";
        let found = explore(
            &twin,
            &format!(
                "{{ world: productYear({rest}) {{ {fields} }} countries: countryProductYear({rest}) {{ {fields} }} \
                group: groupCountryProductYear(groupId: 1, {rest}) {{ {fields} }} }}"
            ),
        )
        .await;
        let step = if level == 4 { 61 } else { 1 };
        for row in rows(&found, "world").iter().step_by(step) {
            let [countries, group] = ["countries", "group"].map(|list| rows(&found, list));
            let [export, import] = ["exportValue", "importValue"].map(|field| row[field].as_f64().unwrap());
            let total = |list, field| sum(of(list, &row["productId"]), field);
            assert!(same(export, total(countries, "exportValue")), "{class} {level} {year}: {row}");
            assert!(same(import, total(countries, "importValue")), "{class} {level} {year}: {row}");
            assert!(same(export, total(group, "importValue")), "{class} {level} {year}: {row}");
            assert!(same(import, total(group, "exportValue")), "{class} {level} {year}: {row}");
        }
    }
}

#[tokio::test]
async fn known_world_exports_stand() {
    let twin = twin().await;
    for (class, id, value) in [
        ("HS92", 726, 45_100_000_000.0),
        ("HS92", 1745, 767_200_000_000.0),
        ("HS92", 1763, 873_100_000_000.0),
        ("HS12", 725, 45_349_389_536.0),
        ("HS12", 876, 141_576_427_314.0),
    ] {
        let rest = format!("productLevel: 4, productClass: {class}, productId: {id}");
        let found = explore(
            &twin,
            &format!("{{ productYear({rest}) {{ exportValue }} countryProductYear({rest}) {{ exportValue globalMarketShare }} }}"),
        )
        .await;
        let world = found["productYear"][0]["exportValue"].as_f64().unwrap();
        assert!(same(world, value), "{class} {id}: {world}");
        assert!(same(sum(rows(&found, "countryProductYear"), "exportValue"), value), "{class} {id}");
        let shares = sum(rows(&found, "countryProductYear"), "globalMarketShare");
        assert!((shares - 1.0).abs() < 1e-9, "{class} {id}: {shares}");
    }
}

#[tokio::test]
async fn both_apis_have_the_same_world() {
    let twin = twin().await;
    let found = explore(
        &twin,
        "{ productYear(productLevel: 4, servicesClass: unilateral) { productId exportValue } }",
    )
    .await;
    let pages = data(&twin, "{ allProductYear(productClass: HS, productLevel: fourDigit, year: 2024) { product { id } globalExportValue } }").await;
    for row in rows(&pages, "allProductYear") {
        let id = row["product"]["id"].as_str().unwrap().replace("product-HS-", "product-HS92-");
        let world = sum(of(rows(&found, "productYear"), &id.into()), "exportValue");
        assert!(same(world, row["globalExportValue"].as_f64().unwrap()), "{row} {world}");
    }
}
