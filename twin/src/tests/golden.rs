//! Golden values of the country pages' API.

use super::{data, twin};
use serde_json::{Value, json};

fn rows<'a>(data: &'a Value, field: &str) -> &'a [Value] {
    data[field].as_array().map_or(&[], Vec::as_slice)
}

fn sorted<'a>(rows: &'a [Value], field: &str) -> Vec<&'a Value> {
    let mut rows: Vec<&Value> = rows.iter().collect();
    rows.sort_by(|a, b| b[field].as_f64().unwrap().total_cmp(&a[field].as_f64().unwrap()));
    rows
}

const PROFILE: &str = "latestGdpPerCapita{quantity year} latestGdpPerCapitaPpp{quantity} latestGdpPerCapitaRank{quantity} \
    incomeClassification latestPopulation{quantity} growthProjection growthProjectionRank exportValue importValue \
    exportValueRank currentAccount{quantity} diversificationGrade diversityRank diversity latestCoi latestCoiRank latestEci \
    latestEciRank policyRecommendation growthProjectionClassification growthProjectionRelativeToIncome \
    growthProjectionPercentileClassification coiClassification structuralTransformationStep structuralTransformationDirection \
    structuralTransformationSector{shortName} marketShareMainSector{code shortName longName} newProductExportValue";

/// Figures as published; only the fields named are compared.
fn published() -> Vec<(u32, Value)> {
    vec![
        (
            404,
            json!({
                "latestGdpPerCapita": {"quantity": 2274, "year": 2024}, "latestGdpPerCapitaPpp": {"quantity": 7159},
                "latestGdpPerCapitaRank": {"quantity": 116}, "incomeClassification": "LowerMiddle",
                "latestPopulation": {"quantity": 52_444_000}, "growthProjection": 0.03383, "growthProjectionRank": 39,
                "exportValue": 16_218_559_749.403_66, "diversificationGrade": "B", "diversityRank": 38, "diversity": 226,
                "latestCoi": 1.6222, "latestCoiRank": 8, "policyRecommendation": "LightTouch",
                "growthProjectionClassification": "moderate", "growthProjectionRelativeToIncome": "ModeratelyMore",
                "growthProjectionPercentileClassification": "TopHalf", "coiClassification": "high",
                "newProductExportValue": 260_465_008.0,
            }),
        ),
        (
            724,
            json!({
                "latestGdpPerCapita": {"quantity": 35151, "year": 2024}, "latestGdpPerCapitaPpp": {"quantity": 54674},
                "latestGdpPerCapitaRank": {"quantity": 25}, "incomeClassification": "High",
                "latestPopulation": {"quantity": 49_078_000}, "growthProjection": 0.01311, "growthProjectionRank": 119,
                "latestEci": 0.822_960_913_181_304_9, "growthProjectionClassification": "slow",
                "growthProjectionRelativeToIncome": "Same", "growthProjectionPercentileClassification": "BottomHalf",
                "structuralTransformationStep": "Completed", "structuralTransformationDirection": "stagnated",
                "structuralTransformationSector": {"shortName": "Machinery"},
            }),
        ),
        (
            76,
            json!({
                "exportValue": 377_651_747_244.83, "exportValueRank": 22, "importValue": 367_679_021_629.48,
                "currentAccount": {"quantity": -57_890_000_000.0}, "latestEciRank": 56, "growthProjection": 0.01664,
                "policyRecommendation": "LightTouch", "diversity": 174,
            }),
        ),
        (
            276,
            json!({
                "exportValue": 1_973_872_419_461.204, "exportValueRank": 3, "importValue": 1_794_697_816_510.275,
                "currentAccount": {"quantity": 263_785_000_000.000_03}, "policyRecommendation": "TechFrontier",
            }),
        ),
        (
            356,
            json!({
                "latestEci": 0.716_453_135_013_580_3, "policyRecommendation": "LightTouch", "structuralTransformationStep": "NotStarted",
                "marketShareMainSector": {"code": "services", "shortName": "Services", "longName": "Services"},
            }),
        ),
        (
            840,
            json!({
                "latestGdpPerCapita": {"quantity": 86144, "year": 2024}, "latestGdpPerCapitaRank": {"quantity": 5},
                "exportValueRank": 2, "latestEciRank": 20, "growthProjectionRank": 90, "latestCoiRank": 50, "diversityRank": 14,
                "policyRecommendation": "TechFrontier", "diversificationGrade": "C",
            }),
        ),
        (
            792,
            json!({
                "latestGdpPerCapita": {"quantity": 15882, "year": 2024}, "growthProjection": 0.03395, "diversity": 443, "latestCoi": 2.1297,
                "latestCoiRank": 3, "policyRecommendation": "LightTouch", "latestEciRank": 42, "diversificationGrade": "A",
                "structuralTransformationSector": {"shortName": "Electronics"}, "structuralTransformationDirection": "stagnated",
            }),
        ),
        (
            231,
            json!({
                "exportValue": 2_678_821_616.0, "diversificationGrade": "B", "diversityRank": 100,
                "structuralTransformationStep": "NotStarted",
                "marketShareMainSector": {"code": "1", "shortName": "Agriculture", "longName": "Vegetables, animals, wood and paper"},
            }),
        ),
        (
            704,
            json!({"latestEciRank": 45, "growthProjectionClassification": "rapid", "growthProjectionPercentileClassification": "TopDecile"}),
        ),
        (818, json!({"latestEciRank": 76, "growthProjectionPercentileClassification": "TopQuartile"})),
        (398, json!({"latestEciRank": 55, "growthProjectionRelativeToIncome": "Less"})),
        (620, json!({"latestCoiRank": 6, "policyRecommendation": "ParsimoniousIndustrial"})),
        (288, json!({"latestCoiRank": 99, "policyRecommendation": "StrategicBets", "diversityRank": 124})),
        (410, json!({"latestEciRank": 4, "policyRecommendation": "TechFrontier", "diversityRank": 35})),
    ]
}

#[tokio::test]
async fn profiles_hold_the_published_figures() {
    let twin = twin().await;
    for (m49, expected) in published() {
        let query = format!("{{countryProfile(location: \"location-{m49}\") {{ {PROFILE} }} }}");
        let found = data(&twin, &query).await["countryProfile"].take();
        for (field, value) in expected.as_object().unwrap() {
            assert_eq!(found[field], *value, "{m49} {field}");
        }
    }
}

#[tokio::test]
async fn totals_of_ranks_are_145_and_144() {
    let twin = twin().await;
    let found = data(
        &twin,
        "{globalDatum { globalExportValue latestEciRankTotal latestCoiRankTotal latestExporterRankTotal \
        latestGdpRankTotal latestDiversityRankTotal latestGdpPppPerCapitaRankTotal } }",
    )
    .await;
    assert_eq!(
        found["globalDatum"],
        json!({
            "globalExportValue": 29_349_810_077_963.0, "latestEciRankTotal": 145, "latestCoiRankTotal": 145,
            "latestExporterRankTotal": 145, "latestGdpRankTotal": 145, "latestDiversityRankTotal": 145,
            "latestGdpPppPerCapitaRankTotal": 144,
        })
    );
}

#[tokio::test]
async fn lookbacks_hold_the_published_changes() {
    let twin = twin().await;
    let query = |m49: u32, years: &str, fields: &str| {
        format!("{{countryLookback(id: \"location-{m49}\", yearRange: {years}) {{ {fields} }} }}")
    };
    for (m49, change) in
        [(76, 13), (792, -3), (404, -3), (840, 7), (704, -17), (818, 3), (398, -26), (410, 1)]
    {
        let found = data(&twin, &query(m49, "TenYears", "eciRankChange")).await;
        assert_eq!(found["countryLookback"]["eciRankChange"], change, "{m49}");
    }
    for (m49, change) in [(404, 7), (840, 8), (288, 24)] {
        let found = data(&twin, &query(m49, "FifteenYears", "diversityRankChange")).await;
        assert_eq!(found["countryLookback"]["diversityRankChange"], change, "{m49}");
    }
    let fields = "exportValueConstGrowthCagr exportValueGrowthNonOilConstCagr gdpPerCapitaChangeConstantCagr \
        gdpPcConstantCagrRegionalDifference exportValueGrowthClassification";
    let shown = |value: &Value| format!("{:.1}", value.as_f64().unwrap() * 100.0);
    for (m49, exports, non_oil) in [(76, "3.8", "3.2"), (276, "-2.3", "-2.4")] {
        let found = data(&twin, &query(m49, "FiveYears", fields)).await["countryLookback"].take();
        assert_eq!(shown(&found["exportValueConstGrowthCagr"]), exports);
        assert_eq!(shown(&found["exportValueGrowthNonOilConstCagr"]), non_oil);
    }
    for (m49, growth) in [(404, "2.6"), (724, "0.9"), (840, "1.8")] {
        let found = data(&twin, &query(m49, "FiveYears", fields)).await["countryLookback"].take();
        assert_eq!(shown(&found["gdpPerCapitaChangeConstantCagr"]), growth);
        assert_eq!(found["gdpPcConstantCagrRegionalDifference"], "Above");
    }
    for (m49, pattern) in [(724, "Troubling"), (356, "Static"), (410, "Promising")] {
        let found = data(&twin, &query(m49, "FiveYears", fields)).await;
        assert_eq!(found["countryLookback"]["exportValueGrowthClassification"], pattern);
    }
}

#[tokio::test]
async fn the_charts_eci_is_another_one() {
    let twin = twin().await;
    for (m49, chart, latest) in [(724, "0.77", "0.82"), (356, "0.63", "0.72"), (404, "-0.13", "-0.30")] {
        let query = format!(
            "{{ s: countryYear(location: \"location-{m49}\", year: 2024, eciProductClass: SITC) {{ eci }} \
            h: countryYear(location: \"location-{m49}\", year: 2024) {{ eci }} }}"
        );
        let found = data(&twin, &query).await;
        assert_eq!(format!("{:.2}", found["s"]["eci"].as_f64().unwrap()), chart);
        assert_eq!(format!("{:.2}", found["h"]["eci"].as_f64().unwrap()), latest);
    }
}

const TREE: &str =
    "... on TreeMapProduct { exportValue pci product { id code shortName topLevelParent { shortName } } }";

/// Share among the cells shown, which leave sector Other out.
fn share(rows: &[Value], code: &str) -> String {
    let shown = rows.iter().filter(|row| row["product"]["topLevelParent"]["shortName"] != "Other");
    let total: f64 = shown.clone().map(|row| row["exportValue"].as_f64().unwrap()).sum();
    let one = shown.clone().find(|row| row["product"]["code"] == code).unwrap();
    format!("{:.2}", one["exportValue"].as_f64().unwrap() / total * 100.0)
}

#[tokio::test]
async fn baskets_lead_with_the_published_products() {
    let twin = twin().await;
    let basket = |m49: u32| {
        format!(
            "{{treeMap(facet: CPY_C, productClass: HS, year: 2024, productLevel: fourDigit, location: \"location-{m49}\") {{ {TREE} }} }}"
        )
    };
    for (m49, leaders) in [
        (
            356,
            vec![
                ("ict", 209_145_463_552.853_88),
                ("unspecified", 85_651_735_459.221_24),
                ("2710", 59_296_787_109.0),
            ],
        ),
        (
            840,
            vec![
                ("ict", 403_299_000_000.000_3),
                ("financial", 222_675_000_000.000_2),
                ("travel", 213_779_000_000.000_12),
            ],
        ),
        (724, vec![("travel", 106_656_535_197.296_84)]),
        (404, vec![("travel", 3_496_641_909.0)]),
    ] {
        let found = data(&twin, &basket(m49)).await;
        let order = sorted(rows(&found, "treeMap"), "exportValue");
        for (row, (code, value)) in order.iter().zip(&leaders) {
            assert_eq!(
                (row["product"]["code"].as_str().unwrap(), row["exportValue"].as_f64().unwrap()),
                (*code, *value),
                "{m49}"
            );
        }
    }
    let kenya = data(&twin, &basket(404)).await;
    let kenya = rows(&kenya, "treeMap");
    assert_eq!(share(kenya, "travel"), "21.57", "over the cells shown");
    let total: f64 = kenya.iter().map(|row| row["exportValue"].as_f64().unwrap()).sum();
    assert_eq!(format!("{:.2}", 3_496_641_909.0 / total * 100.0), "21.56", "over everything");
    let usa = data(&twin, &basket(840)).await;
    assert_eq!(share(rows(&usa, "treeMap"), "ict"), "12.64");
    let brazil = data(&twin, &basket(76)).await;
    let crude = rows(&brazil, "treeMap").iter().find(|row| row["product"]["code"] == "2709").unwrap();
    assert_eq!((&crude["pci"], &crude["product"]["id"]), (&Value::Null, &json!("product-HS-910")));
}

#[tokio::test]
async fn partners_hold_the_published_shares() {
    let twin = twin().await;
    for (m49, expected) in [
        (792, [("Germany", "7.99"), ("United Kingdom", "5.90"), ("United States of America", "5.66")]),
        (231, [("United States of America", "14.60"), ("China", "12.23"), ("Saudi Arabia", "11.78")]),
    ] {
        let query = format!(
            "{{treeMap(facet: CCY_C, year: 2024, location: \"location-{m49}\") {{ ... on TreeMapLocation {{ exportValue location {{ longName }} }} }} }}"
        );
        let found = data(&twin, &query).await;
        let order = sorted(rows(&found, "treeMap"), "exportValue");
        let total: f64 = order.iter().map(|row| row["exportValue"].as_f64().unwrap()).sum();
        for (row, (name, share)) in order.iter().zip(expected) {
            assert_eq!(row["location"]["longName"], name);
            assert_eq!(
                format!("{:.2}", row["exportValue"].as_f64().unwrap() / total * 100.0),
                share,
                "{name}"
            );
        }
    }
}

#[tokio::test]
async fn two_counts_of_rca_stay_different() {
    let twin = twin().await;
    for (m49, page, api) in [(404, 169, 226), (792, 339, 443), (840, 283, 371)] {
        let query = format!(
            "{{ productSpace(location: \"location-{m49}\", year: 2024, productClass: HS) {{ rca x y product {{ productType neverShow }} }} \
            countryProfile(location: \"location-{m49}\") {{ diversity }} \
            treeMap(facet: CPY_C, location: \"location-{m49}\") {{ ... on TreeMapProduct {{ rca }} }} }}"
        );
        let found = data(&twin, &query).await;
        let space = rows(&found, "productSpace");
        assert_eq!(space.len(), 852);
        let strong = |rows: &[Value]| {
            rows.iter().filter(|row| row["rca"].as_f64().is_some_and(|rca| rca >= 1.0)).count()
        };
        assert_eq!(strong(space), page, "{m49}: as the page counts");
        assert_eq!(strong(rows(&found, "treeMap")), api, "{m49}: as the API counts");
        assert_eq!(found["countryProfile"]["diversity"], api);
    }
}

#[tokio::test]
async fn new_products_and_peers_are_the_published_ones() {
    let twin = twin().await;
    let query = |m49: u32| {
        format!(
            "{{ newProductsCountry(location: \"location-{m49}\", year: 2024) {{ newProductCount newProductExportValuePerCapita newProductExportValue newProducts {{ code }} }} \
        newProductsComparisonCountries(location: \"location-{m49}\", year: 2024, quantity: 3) {{ location {{ shortName }} newProductCount newProductExportValuePerCapita newProductExportValue }} }}"
        )
    };
    let kenya = data(&twin, &query(404)).await;
    let own = &kenya["newProductsCountry"];
    assert_eq!(
        (&own["newProductCount"], &own["newProductExportValuePerCapita"], &own["newProductExportValue"]),
        (&json!(24), &json!(5), &json!(260_465_008.0))
    );
    assert_eq!(rows(own, "newProducts").len(), 24);
    let table = |found: &Value| -> Vec<(String, i64, i64, String)> {
        let mut table: Vec<_> = rows(found, "newProductsComparisonCountries")
            .iter()
            .map(|row| {
                (
                    row["location"]["shortName"].as_str().unwrap().to_owned(),
                    row["newProductCount"].as_i64().unwrap(),
                    row["newProductExportValuePerCapita"].as_i64().unwrap(),
                    format!("{:.2}", row["newProductExportValue"].as_f64().unwrap() / 1e6),
                )
            })
            .collect();
        table.sort();
        table
    };
    let row = |name: &str, count, per_head, value: &str| (name.to_owned(), count, per_head, value.to_owned());
    assert_eq!(
        table(&kenya),
        [row("Ethiopia", 21, 2, "181.47"), row("Tanzania", 17, 7, "468.11"), row("Uganda", 28, 5, "210.90")]
    );
    let ethiopia = data(&twin, &query(231)).await;
    assert_eq!(
        table(&ethiopia),
        [row("Kenya", 24, 5, "260.47"), row("Sudan", 7, 4, "183.89"), row("Uganda", 28, 5, "210.90")]
    );
    for (m49, count, per_head) in [(840, 6, 536), (792, 30, 101), (76, 5, 12), (620, 16, 144), (288, 14, 93)]
    {
        let found = data(&twin, &query(m49)).await["newProductsCountry"].take();
        assert_eq!(
            (&found["newProductCount"], &found["newProductExportValuePerCapita"]),
            (&json!(count), &json!(per_head)),
            "{m49}"
        );
    }
}

#[tokio::test]
async fn policies_divide_the_countries_as_the_site_does() {
    let twin = twin().await;
    let found = data(&twin, "{allCountryProfiles { policyRecommendation eciNatResourcesGdpControlled location { id } } allCountryYear(year: 2024) { coi location { id } } }").await;
    let policies = rows(&found, "allCountryProfiles");
    let count = |name: &str| policies.iter().filter(|row| row["policyRecommendation"] == name).count();
    assert_eq!(
        [count("TechFrontier"), count("LightTouch"), count("ParsimoniousIndustrial"), count("StrategicBets")],
        [16, 44, 22, 63]
    );
    for row in policies {
        let year = rows(&found, "allCountryYear")
            .iter()
            .find(|other| other["location"]["id"] == row["location"]["id"])
            .unwrap();
        let (outlook, complexity) =
            (year["coi"].as_f64().unwrap(), row["eciNatResourcesGdpControlled"].as_f64().unwrap());
        let rule = match row["policyRecommendation"].as_str().unwrap() {
            "TechFrontier" => true,
            "LightTouch" => outlook >= 0.0 && complexity >= 0.0,
            "ParsimoniousIndustrial" => outlook >= 0.0 && complexity < 0.0,
            _ => outlook < 0.0,
        };
        assert!(rule, "{row} {outlook}");
    }
}

#[tokio::test]
async fn the_top_of_the_table_lies_in_the_published_groups() {
    let twin = twin().await;
    for (m49, weights, ceiling, groups) in [
        (404, [60.0, 20.0, 20.0], -0.30216 + 1.75, ["Articles of iron or steel", "Paper and paperboard"]),
        (
            356,
            [60.0, 20.0, 20.0],
            0.716_45 + 1.75,
            ["Electrical machinery and equipment", "Industrial Machinery"],
        ),
    ] {
        let query = format!(
            "{{treeMap(facet: CPY_C, location: \"location-{m49}\") {{ ... on TreeMapProduct {{ rca pci normalizedDistance normalizedPci normalizedOpportunityGain \
            product {{ hideFeasibility neverShow parent {{ longName }} }} }} }} }}"
        );
        let found = data(&twin, &query).await;
        let score = |row: &Value| {
            ["normalizedDistance", "normalizedPci", "normalizedOpportunityGain"]
                .iter()
                .zip(weights)
                .map(|(field, weight)| row[*field].as_f64().unwrap() * weight)
                .sum::<f64>()
        };
        let mut open: Vec<&Value> = rows(&found, "treeMap")
            .iter()
            .filter(|row| {
                row["rca"].as_f64().is_some_and(|rca| rca < 1.0)
                    && row["pci"].as_f64().is_some_and(|pci| pci < ceiling)
                    && row["product"]["hideFeasibility"] == false
            })
            .collect();
        open.sort_by(|a, b| score(b).total_cmp(&score(a)));
        let mut counts = std::collections::BTreeMap::<&str, usize>::new();
        for row in &open[..50] {
            *counts.entry(row["product"]["parent"]["longName"].as_str().unwrap()).or_default() += 1;
        }
        let mut order: Vec<(&str, usize)> = counts.into_iter().collect();
        order.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let mut first: Vec<&str> = order.iter().take(2).map(|(name, _)| *name).collect();
        first.sort_unstable();
        assert_eq!(first, groups, "{m49} {order:?}");
    }
}
