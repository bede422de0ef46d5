//! Six-digit products: children of the four-digit ones, whose trade sums to theirs.

use super::{explore, rows, same, sum, twin};
use serde_json::Value;
use std::collections::HashMap;

#[tokio::test]
async fn every_heading_has_one_to_six_children() {
    let twin = twin().await;
    for class in ["Hs92", "Hs12", "Hs22"] {
        let found = explore(
            &twin,
            &format!(
                "{{ four: product{class}(productLevel: 4) {{ productId code }} \
                six: product{class}(productLevel: 6) {{ productId productLevel code nameEn nameShortEn naturalResource parent {{ productId code naturalResource topParent {{ code }} }} topParent {{ code }} }} }}"
            ),
        )
        .await;
        let mut children: HashMap<&str, usize> = HashMap::new();
        let mut seen: HashMap<&str, &str> = HashMap::new();
        for row in rows(&found, "six") {
            let code = row["code"].as_str().unwrap();
            let parent = row["parent"]["code"].as_str().unwrap();
            assert!(code.len() == 6 && code.starts_with(parent) && row["productLevel"] == 6, "{row}");
            assert_eq!(
                (&row["topParent"], &row["naturalResource"]),
                (&row["parent"]["topParent"], &row["parent"]["naturalResource"])
            );
            assert!(seen.insert(code, row["nameEn"].as_str().unwrap()).is_none(), "{code} twice");
            *children.entry(parent).or_default() += 1;
        }
        assert_eq!(children.len(), rows(&found, "four").len(), "{class}");
        assert!(children.values().all(|count| (1..=6).contains(count)), "{class}");
        assert!(
            rows(&found, "six")
                .iter()
                .any(|row| row["productId"] == format!("product-{}-5000", class.to_uppercase()))
        );
    }
}

fn by_parent<'a>(
    found: &'a Value,
    parents: &HashMap<&str, &'a str>,
    list: &str,
    field: &str,
) -> HashMap<&'a str, f64> {
    let mut sums = HashMap::new();
    for row in rows(found, list) {
        *sums.entry(parents[row["productId"].as_str().unwrap()]).or_default() += row[field].as_f64().unwrap();
    }
    sums
}

#[tokio::test]
async fn values_sum_to_the_heading() {
    let twin = twin().await;
    for (class, year) in [("HS92", 2024), ("HS12", 2015), ("HS22", 2023)] {
        let years =
            format!("productClass: {class}, servicesClass: unilateral, yearMin: {year}, yearMax: {year}");
        let fields = "productId exportValue importValue";
        let mut query = format!(
            "{{ products: product{}(productLevel: 6, servicesClass: unilateral) {{ productId parent {{ productId }} }}",
            class.replace("HS", "Hs")
        );
        for level in [4, 6] {
            query += &format!(
                " own{level}: countryProductYear(countryId: 404, productLevel: {level}, {years}) {{ {fields} }} \
                pair{level}: countryCountryProductYear(countryId: 404, partnerCountryId: 840, productLevel: {level}, {years}) {{ {fields} }} \
                world{level}: productYear(productLevel: {level}, {years}) {{ {fields} }} \
                group{level}: countryGroupProductYear(countryId: 404, partnerGroupId: 944, productLevel: {level}, {years}) {{ {fields} }}"
            );
        }
        let found = explore(&twin, &(query + " }")).await;
        let parents: HashMap<&str, &str> = rows(&found, "products")
            .iter()
            .map(|row| (row["productId"].as_str().unwrap(), row["parent"]["productId"].as_str().unwrap()))
            .collect();
        for list in ["own", "pair", "world", "group"] {
            assert!(sum(rows(&found, &format!("{list}6")), "exportValue") > 0.0, "{class} {list}");
            for field in ["exportValue", "importValue"] {
                let children = by_parent(&found, &parents, &format!("{list}6"), field);
                assert_eq!(children.len(), rows(&found, &format!("{list}4")).len(), "{class} {list}");
                for row in rows(&found, &format!("{list}4")) {
                    let all = children[row["productId"].as_str().unwrap()];
                    assert!(same(all, row[field].as_f64().unwrap()), "{class} {list} {field}: {row} {all}");
                }
            }
        }
    }
}
