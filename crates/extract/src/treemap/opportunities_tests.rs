//! Tests of the table of opportunities, which a page may show a part of.

use serde_json::{Value as Json, json};

use super::tests::{Stage, values_of};
use crate::capture::Exchange;

/// Reads a point of the table of opportunities: four rows of the largest products, by their size, and a response
/// that gives `more` products besides, all of them nearer.
fn opportunities(point: &str, below: &str, more: u32) -> Result<Vec<String>, String> {
    let mut capture = Stage::new().capture();
    let exchange = |query: &str, data: Json| Exchange {
        url: "http://site/api/graphql".into(),
        request: json!({ "query": query, "variables": {} }).to_string(),
        status: 200,
        response: json!({ "data": { "data": data } }).to_string(),
    };
    let id = |number: u32| format!("product-HS92-{number}");
    let product = |number: u32| json!({ "productId": id(number), "code": number.to_string(), "nameShortEn": "One", "nameEn": "One", "productType": "good" });
    let row = |number: u32| json!({ "productId": id(number), "year": 2024, "exportValue": 1_000, "exportRca": 0.1, "normalizedDistance": number, "normalizedPci": 0, "normalizedCog": 0 });
    let numbers: Vec<u32> = (1001..=1004).chain(2001..2001 + more).collect();
    let query = "query Q { data: countryProductYear(countryId: 404, productLevel: 4, productClass: HS92, yearMin: 2024, yearMax: 2024) { productId year exportValue exportRca normalizedDistance normalizedPci normalizedCog } }";
    capture.exchanges = vec![
        exchange(
            "{ data: productHs92(productLevel: 4) { productId code nameShortEn nameEn productType } }",
            numbers.iter().map(|number| product(*number)).collect(),
        ),
        exchange(query, numbers.iter().map(|number| row(*number)).collect()),
    ];
    let cells: String = (1..=4)
        .map(|at| {
            format!("<tr><td>Thing {at} (100{at} HS)<td>◆◆◆◆◇<td>◆◆◆◇◇<td>◆◆◇◇◇<td>${}.00B<td>↑ 2.5%", 9 - at)
        })
        .collect();
    capture.title = "Growth Opportunities for Kenya, 2024".into();
    capture.html = format!(
        "<h1>Growth Opportunities for Kenya, 2024</h1><table><tr><th>Product Name<th>Nearby Distance<th>Opportunity \
         Gain<th>Product Complexity<th>Global Size (USD)<th>Global Growth 5 YR (%){cells}</table>{below}"
    );
    let asked = "/explore/feasibility/table?year=2024&exporter=country-404&productLevel=4";
    capture.settled_url = format!("http://site{asked}");
    values_of(&capture, asked, "feasibility_table", point, None)
}

#[test]
fn the_table_of_opportunities_is_read_in_any_order_of_its_columns() {
    let title = "<h1>Growth Opportunities for Kenya, 2024</h1>";
    let row = |name: &str, size: &str| {
        format!("<tr><td>{size}<td>Chemicals<td>◆◆◆◇◇<td>{name}<td>◆◆◆◆◇<td>↑ 2.5%<td>◆◆◇◇◇")
    };
    let mut capture = Stage::new().capture();
    capture.title = "Growth Opportunities for Kenya, 2024".into();
    capture.html = format!(
        "{title}<table><tr><th>Global Size (USD)<th>Sector<th>Opportunity<br>Gain<th>Product Name<th>Nearby Distance<th>Global \
         Growth<br>5 YR<th>Product Complexity{}{}</table>",
        row("Tea (0902 HS92)", "$9.00B"),
        row("Coffee (0901 HS92)", "$8.00B")
    );
    let asked = "/explore/feasibility/table?year=2024&exporter=country-404&productLevel=4";
    capture.settled_url = format!("http://site{asked}");
    let read = |point| values_of(&capture, asked, "feasibility_table", point, Some("0902")).unwrap();
    assert_eq!(read("opportunity_distance"), ["4"]);
    assert_eq!(read("opportunity_gain"), ["3"]);
    assert_eq!(read("opportunity_complexity"), ["2"]);
    assert_eq!(read("opportunity_global_size"), ["$9.00B"]);
    assert_eq!(read("opportunity_global_growth"), ["2.5%"]);
}

#[test]
fn a_page_of_a_sorted_table_tells_neither_the_table_nor_what_comes_first() {
    // all rows are there: the page's own score puts them in order
    let first = opportunities("top_opportunities", "", 0).unwrap();
    assert_eq!(first, ["Thing 4", "Thing 3", "Thing 2", "Thing 1"]);
    for (below, more) in [("<p>Rows per page: 4 1–4 of 40</p>", 0), ("<p>1 2 3 … 10</p>", 36)] {
        for point in ["top_opportunities", "feasibility_table", "opportunity_global_size"] {
            let refusal = opportunities(point, below, more).unwrap_err();
            assert!(refusal.contains("only part of it is there: 4 "), "{refusal}");
        }
    }
}
