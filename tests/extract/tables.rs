//! Tables and lists in other markup.

use atlas_gt::extract::{FailureKind, Observation};

use crate::page::Hand;

fn peers(html: &str) -> Hand {
    Hand::new(&format!(
        "<section><h2>Export Basket in 2024</h2></section><section><h2>Diversification into New Products</h2>\
         <h3>New Export Products, 2009 - 2024</h3>{html}<p>Source: UN Comtrade, 2024</p></section>"
    ))
}

fn cells(found: &[Observation]) -> Vec<String> {
    let key = |one: &Observation, name: &str| {
        one.keys.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone()).unwrap_or_default()
    };
    found.iter().map(|one| format!("{} {} {}", key(one, "row"), key(one, "column"), one.value)).collect()
}

const EXPECTED: [&str; 6] = [
    "Uganda new_products 28",
    "Uganda usd_per_capita $5",
    "Uganda usd_total $211M",
    "Kenya new_products 24",
    "Kenya usd_per_capita $5",
    "Kenya usd_total $260M",
];

#[test]
fn a_css_grid_reads_as_a_table_does() {
    let grid = "<div><div>Country</div><div>New Products</div><div>USD Per Capita</div><div>USD (Total Value)</div>\
        <div>Uganda</div><div>28</div><div>$5</div><div>$211M</div>\
        <div>Kenya</div><div>24</div><div>$5</div><div>$260M</div></div>";
    let rows = "<div role=table><div role=row><span data-agt-d=b>Country</span><span data-agt-d=b>New Products</span>\
        <span data-agt-d=b>USD Per Capita</span><span data-agt-d=b>USD (Total Value)</span></div>\
        <div role=row><span data-agt-d=b><img alt=''>Uganda</span><span data-agt-d=b>28</span><span data-agt-d=b>$5</span><span data-agt-d=b>$211 M</span></div>\
        <div role=row><span data-agt-d=b><b>Kenya</b></span><span data-agt-d=b>24</span><span data-agt-d=b>$5</span><span data-agt-d=b>$260M</span></div></div>";
    let table = "<table><thead><tr><th>Country<th>New Products<th>USD Per Capita<th>USD (Total Value)</thead>\
        <tr><td>Uganda<td>28<td>$5<td>$211M<tr><td>Kenya<td>24<td>$5<td>$260M</table>";
    for html in [grid, rows, table] {
        let page = peers(html);
        let found = page.read("new_products_peers").unwrap_or_else(|kind| panic!("{html}: {kind}"));
        assert_eq!(cells(&found), EXPECTED, "{html}");
        page.says("new_products_count", "24");
        page.says("new_products_value", "$260M");
    }
}

#[test]
fn a_cell_that_is_missing_shifts_nothing() {
    let page = peers(
        "<div><div>Country</div><div>New Products</div><div>USD Per Capita</div><div>USD (Total Value)</div>\
         <div>Uganda</div><div>28</div><div>$5</div><div>$211M</div>\
         <div>Kenya</div><div></div><div>$5</div><div>$260M</div></div>",
    );
    page.refuses("new_products_peers");
    page.refuses("new_products_count");
    page.refuses("new_products_value");
}

#[test]
fn columns_in_another_order_are_told_by_their_headers() {
    for html in [
        "<table><tr><th>Country<th>USD (Total Value)<th>New Products<th>USD Per Capita\
         <tr><td>Uganda<td>$211M<td>28<td>$5<tr><td>Kenya<td>$260M<td>24<td>$5</table>",
        // with a column that nobody knows
        "<table><tr><th>#<th>USD (Total Value)<th>Country<th>New<br>Products<th>USD<br>Per Capita<th>Region\
         <tr><td>1<td>$211M<td>Uganda<td>28<td>$5<td>Africa<tr><td>2<td>$260M<td>Kenya<td>24<td>$5<td>Africa</table>",
    ] {
        let page = peers(html);
        let found = page.read("new_products_peers").unwrap_or_else(|kind| panic!("{html}: {kind}"));
        assert_eq!(cells(&found), EXPECTED, "{html}");
        page.says("new_products_count", "24");
        page.says("new_products_value", "$260M");
    }
}

#[test]
fn diamonds_are_five_spans_and_growth_has_its_arrow() {
    let turned = "matrix(0.707107, 0.707107, -0.707107, 0.707107, 0, 0)";
    let diamond = |bg: &str, bgi: &str| {
        format!(
            "<span data-agt-mark='{{\"w\":14,\"h\":14,\"tf\":\"{turned}\",\"bg\":\"{bg}\",\"bd\":\"1px solid rgb(128, 128, 128)\",\"bgi\":\"{bgi}\"}}'></span>"
        )
    };
    let full = diamond("rgb(128, 128, 128)", "none");
    let empty = diamond("rgba(0, 0, 0, 0)", "none");
    let half =
        diamond("rgba(0, 0, 0, 0)", "linear-gradient(45deg, rgb(128, 128, 128) 50%, rgba(0, 0, 0, 0) 50%)");
    let rating = |fulls: usize, halves: usize| {
        format!("{}{}{}", full.repeat(fulls), half.repeat(halves), empty.repeat(5 - fulls - halves))
    };
    let borders = "0 / 5px solid rgba(0, 0, 0, 0) / 8px solid rgb(200, 90, 20) / 5px solid rgba(0, 0, 0, 0)";
    let table = |arrow: &str, stars: &str| {
        let row = format!(
            "<div>Cars (8703 HS92)</div><div>{stars}</div><div>{}</div><div>{}</div><div>$873B</div><div>{arrow}3.4%</div>",
            rating(5, 0),
            rating(0, 1),
        );
        Hand::new(&format!(
            "<section><h2>Export Basket in 2024</h2></section><section><h2>New Product Opportunities</h2>\
             <h3>Top 50 Products Based on Strategy Approach</h3><div><div>Product Name</div><div>\"Nearby\" Distance</div>\
             <div>Opportunity Gain</div><div>Product Complexity</div><div>Global Size (USD)</div><div>Global Growth 5 YR</div>{}</div></section>",
            row.repeat(50),
        ))
    };
    let up = format!("<i data-agt-mark='{{\"w\":10,\"h\":8,\"bd\":\"{borders}\"}}'></i>");
    let found = table(&up, &rating(2, 1)).read("product_table").unwrap();
    let values: Vec<&str> = found.iter().map(|one| one.value.as_str()).collect();
    assert_eq!(values[..5], ["2.5", "5", "0.5", "$873B", "3.4%"]);
    let found = table("↓ ", &rating(2, 1)).read("product_table").unwrap();
    assert_eq!(found[4].value, "-3.4%");
    // no arrow, no sign, no table; and four diamonds are no rating
    assert_eq!(table("", &rating(2, 1)).refuses("product_table"), FailureKind::SignMissing);
    table("↓", &full.repeat(4)).refuses("product_table");
}

#[test]
fn partners_in_other_markup_are_three_names_with_shares() {
    for html in [
        "<div><div>Top 3 partners</div><select data-agt-value='export destination'></select>\
         <ol><li>Uganda <b>11.02%</b></li><li>United Kingdom <b>5.90%</b></li><li>Pakistan <b>5.66%</b></li></ol></div>",
        "<div><p>export destination</p><div><div>11.02%</div><div>Uganda</div></div><div><div>5.90%</div><div>United Kingdom</div></div>\
         <div><div>5.66%</div><div>Pakistan</div></div></div>",
    ] {
        match Hand::basket(html).read("top_export_destinations") {
            Ok(found) => {
                let read: Vec<String> =
                    found.iter().map(|one| format!("{} {}", one.keys[1].1, one.value)).collect();
                assert_eq!(read, ["Uganda 11.02%", "United Kingdom 5.90%", "Pakistan 5.66%"], "{html}");
            }
            Err(kind) => panic!("{html}: {kind}"),
        }
    }
}

/// A table of opportunities under `title`, with `count` rows.
fn opportunities(title: &str, count: usize, below: &str) -> Hand {
    let row = "<tr><td>Cars (8703 HS92)</td><td>◆◆◆◇◇</td><td>◆◆◆◇◇</td><td>◆◆◆◇◇</td><td>$873B</td><td>↑ 3.4%</td></tr>";
    Hand::new(&format!(
        "<section><h2>Export Basket in 2024</h2></section><section><h2>New Product Opportunities</h2><h3>{title}</h3>\
         <table><tr><th>Product Name</th><th>\"Nearby\" Distance</th><th>Opportunity Gain</th><th>Product Complexity</th>\
         <th>Global Size (USD)</th><th>Global Growth 5 YR</th></tr>{}</table>{below}</section>",
        row.repeat(count)
    ))
}

#[test]
fn a_part_of_a_table_is_not_the_table() {
    let title = "Top 50 Products Based on Strategy Approach";
    let refused = opportunities(title, 15, "").refuses("product_table");
    assert!(matches!(&refused, FailureKind::Partial(what) if what.starts_with("15 of 50 rows")), "{refused}");
    let pager = "<div><span>51\u{2013}100 of 180</span><button>Next page</button></div>";
    let refused = opportunities(title, 50, pager).refuses("product_table");
    assert!(matches!(&refused, FailureKind::Partial(what) if what.contains("51-100 of 180")), "{refused}");
    assert_eq!(opportunities(title, 50, "<p>1-50 of 50</p>").read("product_table").unwrap().len(), 250);
}

#[test]
fn a_number_that_is_seen_beside_a_cell_is_not_a_part_of_it() {
    let page = |cell: &str| {
        peers(&format!(
            "<table><tr><th>Country<th>New Products<th>USD Per Capita<th>USD (Total Value)\
             <tr><td>🇺🇬 Uganda<td>{cell}<td>$5<td>$211M<tr><td>🇰🇪 Kenya<td>24<td>$5<td>$260M</table>"
        ))
    };
    assert_eq!(cells(&page("28<sup>1</sup>").read("new_products_peers").unwrap()), EXPECTED);
    page("28<span><i data-agt-gap=\"\"></i>3</span>").refuses("new_products_peers");
}

#[test]
fn the_response_tells_whether_names_or_shares_come_first() {
    let list = "<div><p>export destination</p><p>11.02%</p><p>Uganda</p><p>5.90%</p><p>United Kingdom</p><p>5.66%</p>\
                <p>Pakistan</p><p>77.42%</p><p>All other countries</p></div>";
    let refused = Hand::basket(list).refuses("top_export_destinations");
    assert!(matches!(&refused, FailureKind::Ambiguous(both) if both.len() == 2), "{refused}");
}
