//! The next release: what the APIs say otherwise, leaf by leaf, and when it comes out.

use std::collections::BTreeSet;

use super::{Value, data, faulty, quick, twin};
use crate::{TwinOptions, start, vintage_changes};

const COUNTRIES: [u32; 8] = [231, 276, 356, 404, 724, 76, 792, 840];

const PROFILE: &str = "latestGdpPerCapita{quantity year} latestGdpPerCapitaPpp{quantity year} latestGdpPerCapitaRank{quantity} \
    incomeClassification latestPopulation{quantity} growthProjection growthProjectionRank exportValue importValue \
    exportValueRank currentAccount{quantity} diversificationGrade diversityRank diversity latestCoi latestCoiRank latestEci \
    latestEciRank policyRecommendation growthProjectionClassification growthProjectionRelativeToIncome \
    growthProjectionPercentileClassification structuralTransformationStep newProductExportValue";

const LOOKBACK: &str = "eciRankChange diversityRankChange exportValueConstGrowthCagr exportValueGrowthNonOilConstCagr \
    gdpPerCapitaChangeConstantCagr gdpPcConstantCagrRegionalDifference exportValueGrowthClassification";

/// Every leaf that differs, with its path.
fn differing(path: &str, one: &Value, other: &Value, into: &mut BTreeSet<String>) {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            for (key, value) in one {
                differing(&format!("{path}.{key}"), value, &other[key], into);
            }
        }
        (one, other) if one != other => _ = into.insert(path.to_owned()),
        _ => {}
    }
}

#[tokio::test]
async fn the_next_release_says_what_it_lists_and_nothing_else() {
    let before = twin().await;
    let after = start(TwinOptions { vintage: 2027, ..quick() }).await.unwrap();
    let mut found = BTreeSet::new();
    for m49 in COUNTRIES {
        let query = format!(
            "{{p: countryProfile(location: \"location-{m49}\") {{ {PROFILE} }} \
             five: countryLookback(id: \"location-{m49}\", yearRange: FiveYears) {{ {LOOKBACK} }} \
             ten: countryLookback(id: \"location-{m49}\", yearRange: TenYears) {{ eciRankChange diversityRankChange }} \
             sitc: countryYear(location: \"location-{m49}\", year: 2024, eciProductClass: SITC) {{ eci }} \
             new: newProductsCountry(location: \"location-{m49}\", year: 2024) {{ newProductCount newProductExportValue }}}}"
        );
        differing(&m49.to_string(), &data(&before, &query).await, &data(&after, &query).await, &mut found);
    }
    let expected = [
        "356.p.policyRecommendation",
        "404.five.gdpPerCapitaChangeConstantCagr",
        "404.p.latestGdpPerCapita.quantity",
        "404.p.latestGdpPerCapitaPpp.quantity",
        "404.p.latestGdpPerCapitaPpp.year",
        "404.p.latestPopulation.quantity",
        "724.p.growthProjection",
        "724.sitc.eci",
        "76.five.eciRankChange",
        "76.p.importValue",
        "76.ten.eciRankChange",
    ];
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn releases_that_are_not_there_are_refused() {
    assert!(vintage_changes(2024).unwrap().is_empty());
    assert!(vintage_changes(2025).unwrap_err().contains("use 2024 or 2027"));
    assert!(start(TwinOptions { vintage: 2025, ..quick() }).await.is_err());
}

#[tokio::test]
async fn a_release_comes_out_when_it_is_told_to_or_after_so_many_requests() {
    const GDP: &str = "{countryProfile(location: \"location-404\") { latestGdpPerCapita { quantity } }}";
    let gdp = async |twin: &crate::Twin| {
        data(twin, GDP).await["countryProfile"]["latestGdpPerCapita"]["quantity"].as_i64().unwrap()
    };
    let twin = twin().await;
    assert_eq!(gdp(&twin).await, 2274);
    twin.publish(2027).unwrap();
    assert_eq!(gdp(&twin).await, 2350);
    assert!(twin.publish(1999).is_err());
    twin.publish(2024).unwrap();
    assert_eq!(gdp(&twin).await, 2274);
    let moving = faulty(&["moves-on=2"]).await;
    assert_eq!([gdp(&moving).await, gdp(&moving).await, gdp(&moving).await], [2274, 2274, 2350]);
}
