//! Pages that are built otherwise than the plain ones and show the same: a second country's figures beside the same
//! labels, answers about other countries, shares of another sum, digits in elements of their own, columns in another
//! order. The replica really builds them so, and what is read from them is what the plain page gives.

use atlas_gt::acquire::{Browser, PageSource, SnapshotOptions};

use crate::bench::{
    Plan, SKINS, all, assert_nothing_wrong, every_point, healthy_kenya, replica, run, shared,
};

const OTHERWISE: [&str; 5] =
    ["compare-with=792", "prefetch", "shares-of=goods", "figures-split", "columns-reordered"];

#[test]
#[ignore = "slow: make test-deep"]
fn the_replica_builds_its_pages_as_it_is_told() {
    run(async {
        let browsers = shared();
        let pool = browsers.pool().await;
        all(SKINS.map(async |skin| {
            let twin = replica(skin, &OTHERWISE).await;
            let mut page = pool.page().await.unwrap();
            page.open(&format!("{}/countries/404", twin.base_url)).await.unwrap();
            let options = SnapshotOptions { scroll: true, ..SnapshotOptions::default() };
            let capture = page.snapshot(&options).await.unwrap();
            let html = &capture.html;
            let place = |words: &str| html.find(words).unwrap_or_else(|| panic!("{skin}: no {words}"));
            assert!(place("Compare with") < place("T\u{fc}rkiye"), "{skin}");
            assert!(place("USD (Total Value)") < place("USD Per Capita"), "{skin}: columns");
            // of Kenya's goods; of goods and services it is less
            place("42.64%");
            let digit = html.matches("</span><span class=").count();
            assert!(digit > 100, "{skin}: {digit} digits in elements of their own");
            let asked = |field: &str, place: &str| {
                twin.log().iter().any(|entry| {
                    entry.fields.iter().any(|each| each == field)
                        && entry.variables.to_string().contains(place)
                })
            };
            assert!(asked("countryProfile", "location-792") && asked("treeMap", "location-231"), "{skin}");
        }))
        .await;
    });
}

/// A share is read as it is displayed: where the labels divide by another sum, it alone differs, and where that sum is
/// none that is known there is none.
#[test]
#[ignore = "slow: make test-deep"]
fn pages_that_are_built_otherwise_give_the_same_records() {
    run(async {
        let browsers = shared();
        let pool = browsers.pool().await;
        let healthy = healthy_kenya(pool).await;
        let same = ["compare-with=792", "prefetch", "figures-split", "columns-reordered"];
        all(SKINS.map(async |skin| {
            let twin = replica(skin, &same).await;
            let run = Plan::new(&twin.base_url, every_point("404")).run(pool).await;
            assert_nothing_wrong(&run, healthy, &format!("{skin} built otherwise"));
            assert!(run.failures().is_empty(), "{skin}: {:#?}", run.failures());

            let twin = replica(skin, &["shares-of=goods"]).await;
            let mut entries = every_point("404");
            entries.retain(|entry| ["product_export", "top_products"].contains(&entry.question_id.as_str()));
            let run = Plan::new(&twin.base_url, entries).run(pool).await;
            assert!(run.failures().is_empty(), "{skin}: {:#?}", run.failures());
            for (id, text) in run.records() {
                let without_shares = |text: &str| {
                    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
                    lines.into_iter().filter(|line| !line.contains("\"share\"")).collect::<Vec<_>>()
                };
                assert_eq!(without_shares(&text), without_shares(&healthy[&id]), "{skin}: {id}");
            }
        }))
        .await;
    });
}
