//! Drawn shares: what they divide by is told by their labels.

use atlas_gt::extract::FailureKind;
use atlas_gt::truth::Agreement;

use crate::page::Hand;

const CELLS: [(&str, u64); 4] =
    [("Business", 5_000_000), ("Tea", 3_000_000), ("Coffee", 2_000_000), ("Gold", 1_000_000)];

fn page(labels: &[&str]) -> Hand {
    let labels: String = labels.iter().map(|label| format!("<p>{label}</p>")).collect();
    Hand::basket(&labels).treemap(404, &CELLS)
}

/// Name, value and share of every cell, and how they were confirmed.
fn read(page: &Hand) -> Result<(Vec<String>, Agreement, String), FailureKind> {
    let found = page.read("top_products")?;
    let key = |keys: &[(String, String)], name: &str| {
        keys.iter().find(|(key, _)| key == name).map_or_else(String::new, |(_, value)| value.clone())
    };
    let rows = found.iter().map(|one| format!("{} {}", key(&one.keys, "product"), key(&one.keys, "share")));
    Ok((rows.collect(), found[0].agreement, found[0].reason.clone()))
}

#[test]
fn decision_24_labels_that_share_a_total_stand_though_it_is_no_known_sum() {
    // over 12.5 million, where the cells add up to 11
    let labels = ["Business 40.00%", "Coffee 16.00%", "Gold 8.00%"];
    let (rows, agreement, reason) = read(&page(&labels)).unwrap_or_else(|kind| panic!("{kind}"));
    assert_eq!(rows, ["Business 40.00%", "Tea 24.00%", "Coffee 16.00%"]);
    assert_eq!(agreement, Agreement::Agrees);
    assert!(reason.contains("shares divide by a total between 12498"), "{reason}");
}

#[test]
fn decision_24_a_known_sum_that_fits_is_taken_and_the_likeliest_goes_without_saying() {
    let (rows, _, reason) = read(&page(&["Business 45.45%", "Tea 27.27%", "Gold 9.09%"])).unwrap();
    assert_eq!(rows, ["Business 45.45%", "Tea 27.27%", "Coffee 18.18%"]);
    assert_eq!(reason, "the visible label 45.45% agrees with the response");
}

#[test]
fn decision_24_labels_that_no_total_fits_contradict_the_response() {
    for labels in [
        &["Business 40.00%", "Coffee 16.00%", "Gold 9.00%"][..],
        // two labels meet in some total too often
        &["Business 40.00%", "Coffee 16.00%"],
        &["Business 40.00%", "Business 40.00%", "Coffee 16.00%"],
    ] {
        match read(&page(labels)) {
            Err(FailureKind::LabelDisagrees(what)) => {
                assert!(what.contains("Business is labelled 40.00%, the response gives 45.4545"), "{what}");
            }
            other => panic!("{labels:?}: {other:?}"),
        }
    }
}

#[test]
fn decision_24_partners_divide_by_what_their_shares_tell() {
    let rows = |values: [u64; 3]| {
        let ids =
            [("location-800", "Uganda"), ("location-826", "United Kingdom"), ("location-586", "Pakistan")];
        let row = |((id, name), value): (&(&str, &str), u64)| serde_json::json!({ "location": { "id": id, "longName": name }, "exportValue": value });
        ids.iter().zip(values).map(row).collect::<Vec<_>>()
    };
    let query = "{ treeMap(facet: CCY_C, location: \"location-404\") { ... on TreeMapLocation { location { id longName } exportValue } } }";
    let list = "<div><p>export destination</p><p>Uganda 11.02%</p><p>United Kingdom 5.90%</p><p>Pakistan 5.66%</p></div>";
    let page = |values| {
        let data = serde_json::json!({ "treeMap": rows(values) }).to_string();
        Hand::basket(list).asked(query, &data)
    };
    // a total that no response holds
    let found = page([11_020, 5_900, 5_660]).read("top_export_destinations").unwrap();
    assert!(
        found.iter().all(|one| one.agreement == Agreement::Agrees && one.backing.is_none()),
        "{found:#?}"
    );
    assert!(found[0].reason.starts_with("11.02% is a share of a total between 99"), "{}", found[0].reason);
    let found = page([11_020, 5_900, 9_000]).read("top_export_destinations").unwrap();
    assert!(found.iter().any(|one| one.agreement == Agreement::PageDisagrees));
}
