//! Quirks that clients of the site have to live with, and the shape of errors.

use super::{ask, client, data, post, twin};
use serde_json::{Value, json};

async fn message(query: &str) -> (u16, String, Value) {
    let twin = twin().await;
    let (status, mut body) = ask(&twin, query).await;
    let message = body["errors"][0]["message"].as_str().unwrap_or_default().to_owned();
    (status, message, body["data"].take())
}

#[tokio::test]
async fn an_unsupported_country_is_an_error_with_status_200() {
    for id in ["location-438", "location-9999", "404", "country-404", "location-404x"] {
        let twin = twin().await;
        let (status, body) =
            ask(&twin, &format!("{{countryProfile(location: \"{id}\") {{ exportValue }} }}")).await;
        assert_eq!(status, 200);
        assert_eq!(body["errors"][0]["message"], "Not a supported country.");
        assert_eq!(body["errors"][0]["path"], json!(["countryProfile"]));
        assert_eq!(body["errors"][0]["locations"], json!([{"line": 1, "column": 2}]));
        assert_eq!(body["data"], json!({"countryProfile": null}));
    }
}

#[tokio::test]
async fn partial_data_stand_beside_errors() {
    let (status, _, data) = message("{ a: countryProfile(location: \"location-438\") { diversity } b: countryProfile(location: \"location-404\") { diversity } }").await;
    assert_eq!(status, 200);
    assert_eq!(data, json!({"a": null, "b": {"diversity": 226}}));
}

#[tokio::test]
async fn a_product_level_cannot_be_selected() {
    let (status, message, data) =
        message("{product(id: \"product-HS-726\") { code level shortName id topLevelParent { code } } }")
            .await;
    assert_eq!(
        (status, message.as_str()),
        (200, "Expected a value of type \"ProductLevel\" but received: fourDigit")
    );
    assert_eq!(
        data["product"],
        json!({"code": "0901", "level": null, "shortName": "Coffee", "id": "product-HS-726", "topLevelParent": {"code": "1"}})
    );
}

#[tokio::test]
async fn broken_queries_fail_with_their_known_words() {
    for (query, expected) in [
        ("{allCountryYearRange(minYear: 2020, maxYear: 2024) { exportValue { year } } }", "'hs_coi'"),
        ("{group(id: \"1\") { id } }", "'NoneType' object has no attribute 'group'"),
        ("{allGroups { id } }", "module 'api.models.classification' has no attribute 'LocationGroup'"),
        (
            "{treeMap(facet: CPY_P, product: \"product-HS-726\") { ... on TreeMapLocation { location { id } } } }",
            "Cannot return null for non-nullable field TreeMapLocation.location.",
        ),
        (
            "{productYearRange(product: \"product-HS-726\", minYear: 2020, maxYear: 2024) { pci { year } } }",
            "free variable 'model' referenced before assignment in enclosing scope",
        ),
        (
            "{allProductYearRange(productClass: HS, productLevel: fourDigit, minYear: 2020, maxYear: 2024) { pci { year } } }",
            "resolve_all_product_year_range() missing 1 required positional argument: 'product_level'",
        ),
        (
            "{allProductYear(productClass: SITC, productLevel: fourDigit, year: 2024) { pci } }",
            "Product class must be one of HS.",
        ),
        (
            "{allLocations(level: region) { id shortName } }",
            "Cannot return null for non-nullable field Location.shortName.",
        ),
        (
            "{countryYear(location: \"location-404\", year: 2030) { eci } }",
            "'NoneType' object has no attribute 'population'",
        ),
    ] {
        let (status, message, _) = message(query).await;
        assert_eq!((status, message.as_str()), (200, expected), "{query}");
    }
    let twin = twin().await;
    let (_, body) = ask(&twin, "{treeMap(facet: CPY_P) { ... on TreeMapLocation { year } } }").await;
    assert_eq!(body["errors"], Value::Null, "the rows are there until their location is asked for");
}

#[tokio::test]
async fn what_does_not_fit_the_schema_is_a_400() {
    for (query, expected) in [
        (
            "{treeMap(facet: CPY_C, productClass: HS12) { __typename } }",
            "Argument \"productClass\" has invalid value HS12.\nExpected type \"ProductClass\", found HS12.",
        ),
        (
            "{countryProfile(location: \"location-404\") { gdp } }",
            "Cannot query field \"gdp\" on type \"CountryProfile\".",
        ),
        // the two below as graphql-core 2.3.2 answers them from the same schema
        (
            "{countryProfile(location: \"location-404\") { exportvalue } }",
            "Cannot query field \"exportvalue\" on type \"CountryProfile\". Did you mean \"exportValue\", \"importValue\", \"exportValueRank\" or \"exportValueNonOil\"?",
        ),
        (
            "{treeMap(facet: CPY_C) { exportValue } }",
            "Cannot query field \"exportValue\" on type \"TreeMapDatum\". Did you mean to use an inline fragment on \"TreeMapProduct\" or \"TreeMapLocation\"?",
        ),
        (
            "{countryProfile { diversity } }",
            "Field \"countryProfile\" argument \"location\" of type \"ID!\" is required but not provided.",
        ),
        (
            "{countryProfile(location: \"location-404\", year: 2024) { diversity } }",
            "Unknown argument \"year\" on field \"countryProfile\" of type \"Query\".",
        ),
        (
            "{countryProfile(location: \"location-404\") }",
            "Field \"countryProfile\" of type \"CountryProfile\" must have a sub selection.",
        ),
        (
            "query Q($x: Int) {globalDatum { globalExportValue } }",
            "Variable \"$x\" is never used in operation \"Q\".",
        ),
    ] {
        let (status, message, data) = message(query).await;
        assert_eq!((status, message.as_str(), &data), (400, expected, &Value::Null), "{query}");
    }
    let (status, message, _) = message("{countryProfile(").await;
    assert_eq!(status, 400);
    assert!(message.starts_with("Syntax Error GraphQL (1:"), "{message}");
}

#[tokio::test]
async fn variables_are_coerced_and_missed() {
    let twin = twin().await;
    let query = "query Profile($location: ID!, $year: Int!) { countryProfile(location: $location) { diversity } countryYear(location: $location, year: $year) { gdpPerCapita } }";
    let body = json!({"operationName": "Profile", "query": query, "variables": {"location": "location-404", "year": 2024}});
    let found: Value = post(&twin, &body).await.json().await.unwrap();
    assert_eq!(
        found["data"],
        json!({"countryProfile": {"diversity": 226}, "countryYear": {"gdpPerCapita": 2274}})
    );
    for (variables, expected) in [
        (
            json!({"location": "location-404"}),
            "Variable \"$year\" of required type \"Int!\" was not provided.",
        ),
        (
            json!({"location": "location-404", "year": "soon"}),
            "Variable \"$year\" got invalid value \"soon\".\nExpected type \"Int\", found \"soon\".",
        ),
    ] {
        let response = post(&twin, &json!({"query": query, "variables": variables})).await;
        assert_eq!(response.status(), 400);
        let body: Value = response.json().await.unwrap();
        assert_eq!(body["errors"][0]["message"], expected);
    }
    let unknown = post(&twin, &json!({"operationName": "Other", "query": query})).await;
    assert_eq!(
        unknown.json::<Value>().await.unwrap()["errors"][0]["message"],
        "Unknown operation named \"Other\"."
    );
}

#[tokio::test]
async fn bodies_that_are_no_requests_are_400() {
    let twin = twin().await;
    let url = format!("{}/api/countries/graphql", twin.base_url);
    for (kind, body, expected) in [
        ("application/json", "{", "POST body sent invalid JSON."),
        ("application/json", "{}", "Must provide query string."),
        ("text/plain", "{\"query\": \"{ __typename }\"}", "Must provide query string."),
    ] {
        let response = client().post(&url).header("content-type", kind).body(body).send().await.unwrap();
        assert_eq!(response.status(), 400);
        assert_eq!(response.json::<Value>().await.unwrap()["errors"][0]["message"], expected);
    }
    let page = client().get(&url).header("accept", "text/html").send().await.unwrap();
    assert!(page.text().await.unwrap().contains("GraphiQL"));
}

#[tokio::test]
async fn introspection_is_on() {
    let twin = twin().await;
    let found = data(&twin, "{ __schema { queryType { name fields { name } } } __type(name: \"ProductClass\") { enumValues { name } } }").await;
    assert_eq!(found["__schema"]["queryType"]["fields"].as_array().unwrap().len(), 25);
    assert_eq!(found["__type"]["enumValues"], json!([{"name": "HS"}, {"name": "SITC"}]));
    for (name, fields) in
        [("CountryProfile", 46), ("CountryYear", 14), ("Product", 10), ("Location", 15), ("GlobalDatum", 10)]
    {
        let found = data(&twin, &format!("{{ __type(name: \"{name}\") {{ fields {{ name }} }} }}")).await;
        assert_eq!(found["__type"]["fields"].as_array().unwrap().len(), fields, "{name}");
    }
}

#[tokio::test]
async fn nulls_zeros_and_order_are_as_the_site_has_them() {
    let twin = twin().await;
    let found = data(&twin, "{ treeMap(facet: CPY_C, location: \"location-404\") { ... on TreeMapProduct { exportValue pci rca product { code productType } } } \
        newProductsCountry(location: \"location-404\", year: 2024) { location { id } } \
        early: countryYear(location: \"location-404\", year: 2010) { eci eciRank } \
        none: treeMap(facet: CPY_C, location: \"location-404\", year: 2031) { __typename } }").await;
    let rows = found["treeMap"].as_array().unwrap();
    assert_eq!(rows.len(), 1248);
    let of = |code: &str| rows.iter().find(|row| row["product"]["code"] == code).unwrap();
    assert_eq!(
        (&of("travel")["pci"], &of("2709")["pci"], &of("travel")["rca"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    assert_eq!(of("0901")["pci"], -2.2002);
    assert!(rows.iter().any(|row| row["exportValue"] == 0.0), "zero rows are not left out");
    let values: Vec<f64> = rows.iter().map(|row| row["exportValue"].as_f64().unwrap()).collect();
    let codes: Vec<&str> = rows.iter().map(|row| row["product"]["code"].as_str().unwrap()).collect();
    assert!(!values.is_sorted() && !values.iter().rev().is_sorted() && !codes.is_sorted());
    assert_eq!(found["newProductsCountry"]["location"], Value::Null);
    assert_eq!(found["early"], json!({"eci": 0.0, "eciRank": null}));
    assert_eq!(found["none"], json!([]));
}

#[tokio::test]
async fn an_int_beyond_32_bits_is_a_partial_error() {
    let (status, message, data) =
        message("{countryProfile(location: \"location-404\") { exportValueNonOil diversity } }").await;
    assert_eq!(status, 200);
    assert!(message.starts_with("Int cannot represent non 32-bit signed integer value: "), "{message}");
    assert_eq!(data["countryProfile"], json!({"exportValueNonOil": null, "diversity": 226}));
}

#[tokio::test]
async fn sectors_without_a_year_come_with_all_years() {
    let twin = twin().await;
    let found = data(&twin, "{treeMap(facet: CPY_C, productLevel: section, location: \"location-404\") { ... on TreeMapProduct { year exportValue globalMarketShare product { id code } } } }").await;
    let rows = found["treeMap"].as_array().unwrap();
    assert_eq!(rows.len(), 11 * 29);
    let services =
        rows.iter().find(|row| row["year"] == 2024 && row["product"]["code"] == "services").unwrap();
    assert_eq!(services["product"]["id"], "product-HS-11");
    assert!(services["globalMarketShare"].as_f64().unwrap() > 0.0);
}

#[tokio::test]
async fn every_field_of_the_schema_has_a_resolver() {
    // A field that no resolver fills answers null without an error; so each must be non-null somewhere.
    let twin = twin().await;
    let scalars = |found: &Value| -> Vec<String> {
        found["__type"]["fields"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|field| ["SCALAR", "ENUM"].contains(&field["type"]["kind"].as_str().unwrap()))
            .map(|field| field["name"].as_str().unwrap().to_owned())
            .collect()
    };
    for (kind, before, after) in [
        ("CountryProfile", "countryProfile(location: \"location-231\")", ""),
        ("CountryLookback", "countryLookback(id: \"location-76\", yearRange: FiveYears)", ""),
        ("GlobalDatum", "globalDatum(yearRange: FiveYears)", ""),
        ("CountryYear", "countryYear(location: \"location-76\", year: 2024)", ""),
        ("Location", "location(id: \"location-76\")", ""),
        ("ProductYear", "productYear(product: \"product-HS-726\", year: 2024)", ""),
        ("NewProductsCountry", "newProductsCountry(location: \"location-76\", year: 2024)", ""),
    ] {
        let found =
            data(&twin, &format!("{{ __type(name: \"{kind}\") {{ fields {{ name type {{ kind }} }} }} }}"))
                .await;
        let fields = scalars(&found).join(" ");
        let (_, body) = ask(&twin, &format!("{{ it: {before}{after} {{ {fields} }} }}")).await;
        // Declared as Int, and too large for it in most countries.
        let tolerated = [
            "exportValueNonOil",
            "exportValueNatResources",
            "importValueNatResources",
            "netExportValueNatResources",
        ];
        for (field, value) in body["data"]["it"].as_object().unwrap() {
            assert!(!value.is_null() || tolerated.contains(&field.as_str()), "{kind}.{field}");
        }
    }
}
