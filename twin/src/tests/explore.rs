//! The Explore API: golden values and quirks.

use super::{explore as data, twin};
use serde_json::{Value, json};

fn sorted<'a>(rows: &'a Value, field: &str) -> Vec<&'a Value> {
    let mut rows: Vec<&Value> = rows.as_array().unwrap().iter().collect();
    rows.sort_by(|a, b| b[field].as_f64().unwrap().total_cmp(&a[field].as_f64().unwrap()));
    rows
}

#[tokio::test]
async fn totals_hold_goods_and_services_in_the_known_years() {
    let twin = twin().await;
    for (m49, year, value) in [
        (404, 2024, 16_218_559_749.0),
        (404, 2020, 9_769_246_843.0),
        (404, 2010, 8_732_314_157.0),
        (76, 2020, 232_668_727_288.0),
        (792, 2015, 208_584_125_885.0),
        (76, 2024, 377_651_747_244.0),
    ] {
        let found = data(&twin, &format!("{{countryYear(countryId: {m49}, yearMin: {year}, yearMax: {year}) {{ countryId year exportValue }} }}")).await;
        let rows = found["countryYear"].as_array().unwrap();
        assert_eq!(
            (rows.len(), &rows[0]["countryId"], &rows[0]["year"]),
            (1, &json!(format!("country-{m49}")), &json!(year))
        );
        assert!((rows[0]["exportValue"].as_f64().unwrap() - value).abs() < 1.0, "{m49} {year}");
    }
}

#[tokio::test]
async fn eci_depends_on_the_class() {
    let twin = twin().await;
    let eci = |class: &'static str, m49: u32, year: i32| {
        let twin = &twin;
        async move {
            let query = format!(
                "{{countryYear(countryId: {m49}, productClass: {class}, yearMin: {year}, yearMax: {year}) {{ eci }} }}"
            );
            data(twin, &query).await["countryYear"][0]["eci"].as_f64().map(|eci| format!("{eci:.4}"))
        }
    };
    assert_eq!(eci("HS92", 404, 2024).await.as_deref(), Some("-0.2677"));
    assert_eq!(eci("HS92", 404, 2010).await.as_deref(), Some("-0.2055"));
    assert_eq!(eci("HS92", 76, 2024).await.as_deref(), Some("0.3700"));
    assert_eq!(eci("HS92", 792, 2015).await.as_deref(), Some("0.5802"));
    assert_eq!(eci("HS12", 404, 2010).await, None, "before the classification begins");
}

#[tokio::test]
async fn classes_have_their_own_ids_and_values() {
    let twin = twin().await;
    let world = |class: &'static str, id: u32| {
        let twin = &twin;
        async move {
            let query = format!(
                "{{productYear(productLevel: 4, productClass: {class}, productId: {id}) {{ productId exportValue pci }} }}"
            );
            data(twin, &query).await["productYear"][0].take()
        }
    };
    for (class, id, value) in [
        ("HS92", 1745, "$767"),
        ("HS12", 725, "$45"),
        ("HS12", 876, "$142"),
        ("HS92", 1763, "$873"),
        ("HS92", 726, "$45"),
    ] {
        let row = world(class, id).await;
        assert_eq!(row["productId"], format!("product-{class}-{id}"));
        assert_eq!(format!("${:.0}", row["exportValue"].as_f64().unwrap() / 1e9), value, "{class} {id}");
    }
    assert_eq!(world("HS12", 725).await["pci"], -2.2002);
    let found = data(&twin, "{ productHs12(productLevel: 4) { productId code } productHs92(productLevel: 4, servicesClass: unilateral) { code productId topParent { nameShortEn } parent { code } naturalResource nameEs } }").await;
    assert_eq!(found["productHs92"].as_array().unwrap().len(), 1248);
    let id = |list: &str, code: &str| {
        found[list].as_array().unwrap().iter().find(|row| row["code"] == code).unwrap()["productId"].clone()
    };
    assert_eq!(
        (id("productHs12", "2601"), id("productHs12", "2710"), id("productHs92", "2709")),
        (json!("product-HS12-876"), json!("product-HS12-906"), json!("product-HS92-910"))
    );
    let ics = id("productHs12", "8542");
    let ics: u32 = ics.as_str().unwrap().rsplit('-').next().unwrap().parse().unwrap();
    assert_eq!(world("HS12", ics).await["exportValue"].as_f64().unwrap().round(), 818_324_704_484.0);
}

#[tokio::test]
async fn pairs_hold_the_published_values() {
    let twin = twin().await;
    for (seller, buyer, export, import) in [
        (76, 156, 93_331_183_606.0, Some(69_928_916_828.0)),
        (404, 840, 607_925_370.0, None),
        (356, 156, 15_784_742_986.0, Some(116_758_296_237.0)),
        (276, 840, 164_021_711_708.0, Some(76_322_686_208.0)),
        (792, 276, 20_382_465_521.0, Some(27_213_849_876.0)),
    ] {
        let found = data(&twin, &format!("{{countryCountryYear(countryId: {seller}, partnerCountryId: {buyer}) {{ exportValue importValue }} }}")).await;
        let row = &found["countryCountryYear"][0];
        assert_eq!(row["exportValue"].as_f64(), Some(export), "{seller} {buyer}");
        assert!(import.is_none() || row["importValue"].as_f64() == import, "{row}");
    }
    for (seller, buyer, leaders) in [
        (404, 840, vec![]),
        (76, 156, vec![(876, 19_431_840_737.0)]),
        (276, 840, vec![(0, 25_319_821_575.0), (0, 16_103_963_077.0), (0, 11_060_238_288.0)]),
        (356, 156, vec![(876, 2_600_782_210.0), (906, 1_276_399_953.0), (0, 825_504_949.0)]),
    ] {
        let found = data(&twin, &format!("{{countryCountryProductYear(countryId: {seller}, partnerCountryId: {buyer}, productLevel: 4, productClass: HS12) {{ productId exportValue }} }}")).await;
        for (row, (id, value)) in
            sorted(&found["countryCountryProductYear"], "exportValue").iter().zip(&leaders)
        {
            assert_eq!(row["exportValue"].as_f64(), Some(*value), "{seller} {buyer}");
            assert!(*id == 0 || row["productId"] == format!("product-HS12-{id}"), "{row}");
        }
    }
    let found = data(&twin, "{countryCountryProductYear(countryId: 404, partnerCountryId: 840, productLevel: 4, productClass: HS12, productId: 725) { exportValue } }").await;
    assert_eq!(found["countryCountryProductYear"][0]["exportValue"], 50_359_788.0);
}

#[tokio::test]
async fn imports_lead_with_the_published_products() {
    let twin = twin().await;
    for (m49, leaders) in
        [(840, vec![344_098_000_000.0, 193_332_912_602.0, 178_911_999_999.0]), (231, vec![688_245_096.0])]
    {
        let found = data(&twin, &format!("{{countryProductYear(countryId: {m49}, productLevel: 4, servicesClass: unilateral) {{ importValue productId }} }}")).await;
        let order = sorted(&found["countryProductYear"], "importValue");
        let values: Vec<f64> =
            order.iter().take(leaders.len()).map(|row| row["importValue"].as_f64().unwrap()).collect();
        assert_eq!(values, leaders, "{m49}");
    }
}

#[tokio::test]
async fn the_worlds_exporters_of_a_product_have_the_published_shares() {
    let twin = twin().await;
    let found = data(&twin, "{groupCountryProductYear(groupId: 1, productId: 1745, productLevel: 4) { partnerCountryId importValue } }").await;
    let order = sorted(&found["groupCountryProductYear"], "importValue");
    let total: f64 = order.iter().map(|row| row["importValue"].as_f64().unwrap()).sum();
    for (row, (id, share)) in
        order.iter().zip([("country-156", "18.14"), ("country-490", "18.08"), ("country-410", "14.62")])
    {
        assert_eq!(row["partnerCountryId"], id);
        assert_eq!(format!("{:.2}", row["importValue"].as_f64().unwrap() / total * 100.0), share);
    }
}

#[tokio::test]
async fn opportunities_lead_with_the_published_products() {
    let twin = twin().await;
    for m49 in [404, 792] {
        let found = data(&twin, &format!("{{ countryProductYear(countryId: {m49}, productLevel: 4) {{ productId exportRca normalizedDistance normalizedPci normalizedCog }} productHs92(productLevel: 4) {{ productId code showFeasibility }} }}")).await;
        let score = |row: &Value| {
            Some(
                0.5 * row["normalizedDistance"].as_f64()?
                    + 0.15 * row["normalizedPci"].as_f64()?
                    + 0.35 * row["normalizedCog"].as_f64()?,
            )
        };
        let mut open: Vec<(f64, &Value)> = found["countryProductYear"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|row| row["exportRca"].as_f64().is_some_and(|rca| rca < 1.0))
            .filter_map(|row| Some((score(row)?, row)))
            .collect();
        open.sort_by(|a, b| b.0.total_cmp(&a.0));
        let code = |id: &Value| {
            found["productHs92"].as_array().unwrap().iter().find(|row| row["productId"] == *id).unwrap()["code"].as_str().unwrap()
        };
        let first: Vec<&str> = open.iter().take(5).map(|(_, row)| code(&row["productId"])).collect();
        assert_eq!(first, ["3705", "9010", "8456", "8113", "7506"], "{m49}");
    }
    let found = data(&twin, "{productYear(productLevel: 4) { productId exportValue exportValueConstGrowth5 exportValueConstCagr5 } }").await;
    let row = |id: &str| {
        found["productYear"].as_array().unwrap().iter().find(|row| row["productId"] == id).unwrap()
    };
    assert_eq!(row("product-HS92-1763")["exportValueConstGrowth5"], -0.034);
    assert_eq!(
        format!("{:.4}", row("product-HS92-1763")["exportValueConstCagr5"].as_f64().unwrap()),
        "-0.0069"
    );
}

#[tokio::test]
async fn groups_hold_the_published_figures() {
    let twin = twin().await;
    let found = data(&twin, "{ locationGroup { groupId groupName members exportValueCagr5 } groupYear { groupId exportValue } dataAvailability { productClassification yearMin yearMax } productProduct(productClass: HS92, productLevel: 4) { strength } }").await;
    for (name, members, exports, growth) in [
        ("European Union", 27, 6_076_912_058_762.0, "0.0348"),
        ("low", 28, 97_388_272_560.0, "0.0732"),
        ("Sub-Saharan Africa", 0, 407_138_788_652.0, "0.0460"),
        ("East Asia & Pacific", 0, 7_269_407_926_049.0, "0.0558"),
    ] {
        let group =
            found["locationGroup"].as_array().unwrap().iter().find(|row| row["groupName"] == name).unwrap();
        assert!(members == 0 || group["members"].as_array().unwrap().len() == members, "{name}");
        assert_eq!(format!("{:.4}", group["exportValueCagr5"].as_f64().unwrap()), growth);
        let year = found["groupYear"]
            .as_array()
            .unwrap()
            .iter()
            .find(|row| row["groupId"] == group["groupId"])
            .unwrap();
        assert_eq!(year["exportValue"].as_f64(), Some(exports));
    }
    assert_eq!(
        found["dataAvailability"][0],
        json!({"productClassification": "HS92", "yearMin": 1995, "yearMax": 2024})
    );
    assert_eq!(found["productProduct"], json!([]));
}
