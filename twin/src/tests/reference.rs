//! What only the API has: conversions, coverage, flags, thresholds, variants of figures.

use super::{explore, rows, same, sum, twin};
use serde_json::{Value, json};

#[tokio::test]
async fn codes_pass_through_every_revision() {
    let twin = twin().await;
    let path = |code: &'static str, from: &'static str, to: &'static str| {
        let twin = &twin;
        async move {
            let query = format!(
                "{{ conversionPath(sourceCode: \"{code}\", sourceClassification: {from}, targetClassification: {to}) {{ fromClassification toClassification codes {{ sourceCode targetCodes }} }} }}"
            );
            explore(twin, &query).await["conversionPath"].take()
        }
    };
    let found = path("0901", "HS1992", "HS2002").await;
    assert_eq!(
        found,
        json!([
            {"fromClassification": "HS1992", "toClassification": "HS1997", "codes": []},
            {"fromClassification": "HS1997", "toClassification": "HS2002", "codes": []},
        ]),
        "an unchanged code has no codes at any step"
    );
    let found = path("0711", "SITC1976", "HS1992").await;
    assert_eq!(found[0]["codes"], json!([]));
    assert_eq!(found[1]["fromClassification"], "SITC1988");
    assert_eq!(found[1]["codes"], json!([{"sourceCode": "0711", "targetCodes": ["0901"]}]));
    let found = path("0503", "HS1992", "HS2022").await;
    let changed: Vec<&Value> =
        found.as_array().unwrap().iter().filter(|step| step["codes"] != json!([])).collect();
    assert_eq!((found.as_array().unwrap().len(), changed.len()), (6, 1), "dropped in a later revision");
    assert_eq!(changed[0]["toClassification"], "HS2012");
    assert_eq!(path("0901", "HS2012", "HS2012").await, json!([]));
    let query = "{ conversionSources(targetCode: \"0901\", targetClassification: HS1992, sourceClassification: SITC1976) { fromClassification toClassification codes { sourceCode targetCodes } } }";
    assert_eq!(
        explore(&twin, query).await["conversionSources"],
        json!([
            {"fromClassification": "SITC1976", "toClassification": "SITC1988", "codes": []},
            {"fromClassification": "SITC1988", "toClassification": "HS1992", "codes": [{"sourceCode": "0711", "targetCodes": ["0901"]}]},
        ])
    );
}

#[tokio::test]
async fn coverage_and_flags_are_all_there() {
    let twin = twin().await;
    let found = explore(
        &twin,
        "{ dataAvailability { productClassification yearMin yearMax } productProduct(productClass: HS92, productLevel: 4) { strength } \
        year { year deflator } dataFlags(countryId: 404) { countryId formerCountry countryProject rankingsOverride cpOverride year minPopulation \
        population minAvgExport avgExport3 complexityCurrentYearCoverage complexityLookbackYearsCoverage imfAnyCoverage \
        imfCurrentYearsCoverage imfLookbackYearsCoverage rankingsEligible countryProfilesEligible inRankings inCp inMv } \
        countryYear(countryId: 404, yearMin: 2022) { exportValue } }",
    )
    .await;
    assert_eq!(
        found["dataAvailability"],
        json!([
            {"productClassification": "HS92", "yearMin": 1995, "yearMax": 2024},
            {"productClassification": "HS12", "yearMin": 2012, "yearMax": 2024},
            {"productClassification": "HS22", "yearMin": 2022, "yearMax": 2024},
            {"productClassification": "SITC", "yearMin": 1962, "yearMax": 2024},
        ])
    );
    assert_eq!(found["productProduct"], json!([]));
    let flags = &found["dataFlags"][0];
    assert!(flags.as_object().unwrap().values().all(|value| !value.is_null()), "{flags}");
    let average = sum(rows(&found, "countryYear"), "exportValue") / 3.0;
    assert!(same(flags["avgExport3"].as_f64().unwrap(), average), "{flags} {average}");
    let deflators = rows(&found, "year");
    assert_eq!((deflators.len(), deflators[62]["deflator"].as_f64()), (63, Some(1.0)));
    assert!(deflators.windows(2).all(|two| two[0]["deflator"].as_f64() < two[1]["deflator"].as_f64()));
}

#[tokio::test]
async fn variants_of_figures_agree() {
    let twin = twin().await;
    let found = explore(
        &twin,
        "{ countryYear(countryId: 404, yearMin: 2010) { year population gdp gdppc gdpPpp gdppcPpp gdpConst gdpPppConst gdppcConst \
        gdppcPppConst eci eciFixed coi currentAccount growthProj } year(yearMin: 2010) { year deflator } \
        hs12: countryYear(countryId: 404, productClass: HS12, yearMin: 2010, yearMax: 2010) { eci eciFixed } }",
    )
    .await;
    for (row, year) in rows(&found, "countryYear").iter().zip(rows(&found, "year")) {
        let of = |name: &str| row[name].as_f64().unwrap();
        let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 0.001, "{row}: {a} {b}");
        close(of("gdp"), of("gdppc") * of("population"));
        close(of("gdpPpp"), of("gdppcPpp") * of("population"));
        for (nominal, real) in [
            ("gdp", "gdpConst"),
            ("gdpPpp", "gdpPppConst"),
            ("gdppc", "gdppcConst"),
            ("gdppcPpp", "gdppcPppConst"),
        ] {
            close(of(real), of(nominal) / year["deflator"].as_f64().unwrap());
        }
        assert!(["eci", "eciFixed", "coi", "currentAccount"].iter().all(|name| row[*name].is_f64()), "{row}");
        assert_eq!(row["growthProj"].is_null(), row["year"] != 2024, "{row}");
    }
    assert_eq!(found["hs12"][0], json!({"eci": null, "eciFixed": null}), "before the classification begins");
}

#[tokio::test]
async fn figures_by_product_agree_with_the_world() {
    let twin = twin().await;
    let found = explore(
        &twin,
        "{ own: countryProductYear(countryId: 404, productLevel: 4, servicesClass: unilateral) { productId exportValue exportRca exportRpop \
        globalMarketShare productStatus isNew cog distance normalizedPci normalizedPciRcalt1 normalizedCogRcalt1 normalizedDistanceRcalt1 \
        normalizedExportRca normalizedExportRcaRcalt1 } \
        world: productYear(productLevel: 4, servicesClass: unilateral) { productId exportValue } \
        people: countryYear { countryId population } \
        six: countryProductYear(countryId: 404, productLevel: 6) { exportRca distance } \
        names: productHs92(productLevel: 4, servicesClass: unilateral) { productId code productType naturalResource greenProduct } \
        groups: productHs92(productLevel: 2) { code naturalResource greenProduct } \
        thresholds: countryYearThresholds(countryId: 404, productClass: SITC) { variable min median percentile50 percentile90 max } }",
    )
    .await;
    let all = sum(rows(&found, "people"), "population");
    let own =
        rows(&found, "people").iter().find(|row| row["countryId"] == "country-404").unwrap()["population"]
            .as_f64()
            .unwrap();
    let by = |list: &str, id: &Value| {
        rows(&found, list).iter().find(|row| row["productId"] == *id).unwrap().clone()
    };
    let mut below = 0;
    for row in rows(&found, "own") {
        let world = by("world", &row["productId"])["exportValue"].as_f64().unwrap();
        let value = row["exportValue"].as_f64().unwrap();
        assert!((row["globalMarketShare"].as_f64().unwrap() - value / world).abs() < 1e-12, "{row}");
        assert!(row["productStatus"].is_null() && row["isNew"].is_null(), "{row}");
        if by("names", &row["productId"])["productType"] == "service" {
            for field in
                ["exportRca", "exportRpop", "cog", "distance", "normalizedPci", "normalizedExportRca"]
            {
                assert!(row[field].is_null(), "{field}: {row}");
            }
            continue;
        }
        let rpop = value / own / (world / all);
        assert!((row["exportRpop"].as_f64().unwrap() - rpop).abs() <= rpop * 1e-6, "{row} {rpop}");
        let weak = row["exportRca"].as_f64().unwrap() < 1.0;
        assert_eq!(row["normalizedDistanceRcalt1"].is_f64(), weak, "{row}");
        assert_eq!(row["normalizedExportRcaRcalt1"].is_f64(), weak, "{row}");
        below += usize::from(weak);
    }
    let mean = sum(rows(&found, "own"), "normalizedDistanceRcalt1") / below as f64;
    assert!(mean.abs() < 1e-9, "z-scores of their own: {mean}");
    assert!(rows(&found, "six").iter().all(|row| row["exportRca"].is_null() && row["distance"].is_null()));
    let flag = |code: &str, flag: &str| {
        rows(&found, "names").iter().chain(rows(&found, "groups")).find(|row| row["code"] == code).unwrap()
            [flag]
            .as_bool()
    };
    assert_eq!((flag("2709", "naturalResource"), flag("0901", "naturalResource")), (Some(true), Some(false)));
    assert_eq!(
        (flag("8541", "greenProduct"), flag("27", "naturalResource"), flag("09", "greenProduct")),
        (Some(true), Some(true), Some(false))
    );
    assert_eq!(rows(&found, "thresholds").len(), 4);
    for row in rows(&found, "thresholds") {
        let of = |name: &str| row[name].as_f64().unwrap();
        assert!(
            of("min") < of("percentile50")
                && of("percentile50") < of("percentile90")
                && of("percentile90") < of("max"),
            "{row}"
        );
    }
}

#[tokio::test]
async fn what_is_reported_adds_up_too() {
    let twin = twin().await;
    let found = explore(
        &twin,
        "{ pair: countryCountryYear(countryId: 276, partnerCountryId: 840) { exportValue importValue exportValueReported importValueReported } \
        products: countryCountryProductYear(countryId: 276, partnerCountryId: 840, productLevel: 4) { exportValueReported importValueReported } }",
    )
    .await;
    let pair = &found["pair"][0];
    for field in ["exportValueReported", "importValueReported"] {
        let (whole, parts) = (pair[field].as_f64().unwrap(), sum(rows(&found, "products"), field));
        assert!((whole / parts - 1.0).abs() < 1e-5, "{field}: {whole} {parts}");
    }
    assert!(pair["exportValueReported"].as_f64() < pair["exportValue"].as_f64());
    assert!(pair["importValueReported"].as_f64() > pair["importValue"].as_f64());
}
