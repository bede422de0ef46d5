//! A site that calls everything otherwise, or puts it in another order: the replica really does so, and what is read
//! from it is what the plain page gives, or nothing.

use std::collections::{BTreeMap, BTreeSet};

use atlas_gt::acquire::browser::Pool;
use atlas_gt::acquire::{Browser, PageSource, SnapshotOptions};
use atlas_gt_twin::Skin;

use crate::bench::{
    Plan, Run, SKINS, all, assert_nothing_wrong, every_point, healthy_kenya, replica, run, shared,
};

/// The text of Kenya's page, a line for each piece of it.
async fn lines(pool: &Pool, skin: Skin, faults: &[&str]) -> Vec<String> {
    lines_at(pool, skin, faults, "countries/404").await
}

/// The same for any page.
async fn lines_at(pool: &Pool, skin: Skin, faults: &[&str], path: &str) -> Vec<String> {
    let twin = replica(skin, faults).await;
    let url = format!("{}/{path}", twin.base_url);
    // on a busy machine a script may time out; a visit is tried again then, too
    let html = match html_of(pool, &url).await {
        Ok(html) => html,
        Err(_) => html_of(pool, &url).await.unwrap(),
    };
    let body = &html[html.find("<body").unwrap()..];
    let pieces = body.split('<').filter_map(|piece| piece.split_once('>').map(|(_, text)| text.trim()));
    pieces.filter(|text| !text.is_empty()).map(str::to_owned).collect()
}

/// The markup of a page after a visit to all its sections.
async fn html_of(pool: &Pool, url: &str) -> Result<String, String> {
    let said = |error: &dyn std::fmt::Debug| format!("{error:?}");
    let mut page = pool.page().await.map_err(|error| said(&error))?;
    page.open(url).await.map_err(|error| said(&error))?;
    let options = SnapshotOptions { scroll: true, ..SnapshotOptions::default() };
    Ok(page.snapshot(&options).await.map_err(|error| said(&error))?.html)
}

/// Where the first line with these words stands.
fn place(lines: &[String], words: &str) -> usize {
    lines.iter().position(|line| line.contains(words)).unwrap_or_else(|| panic!("no \"{words}\""))
}

/// Every point of Kenya's page from a replica with a fault; nothing wrong is stored.
async fn collect(pool: &Pool, healthy: &BTreeMap<String, String>, skin: Skin, fault: &str) -> Run {
    let twin = replica(skin, &[fault]).await;
    let run = Plan::new(&twin.base_url, every_point("404")).run(pool).await;
    assert_nothing_wrong(&run, healthy, &format!("{skin} with {fault}"));
    run
}

#[test]
#[ignore = "slow: make test-deep"]
fn of_a_page_in_other_words_no_word_is_left_and_nothing_wrong_is_read() {
    run(async {
        let browsers = shared();
        let pool = browsers.pool().await;
        let healthy = healthy_kenya(pool).await;
        all(SKINS.map(async |skin| {
            let own = lines(pool, skin, &["bar-in-section"]).await;
            let renamed = lines(pool, skin, &["bar-in-section", "wordings-renamed"]).await;
            let all = renamed.join("\n").to_lowercase();
            for words in [
                "gdp per capita",
                "eci ranking",
                "growth projection",
                "total exports",
                "rank change",
                "export destination",
                "share of global trade",
                "new export products",
                "usd per capita",
                "complexity outlook",
                "economic structure",
                "most complex country",
                "inhabitants",
                "opportunity gain",
                "in summary",
            ] {
                assert!(!all.contains(words), "{skin}: \"{words}\" is still there");
                assert!(own.join("\n").to_lowercase().contains(words), "{skin}: no \"{words}\" at all");
            }
            let figures = |lines: &[String]| -> BTreeSet<String> {
                let words = lines.iter().flat_map(|line| line.split_whitespace());
                let words = words.map(|word| word.trim_matches(['(', ')', ',', ';', '.']).to_owned());
                words.filter(|word| word.starts_with(['$', '↑', '↓'])).collect()
            };
            assert_eq!(figures(&own), figures(&renamed), "{skin}: values are the same");
            let run = collect(pool, healthy, skin, "wordings-renamed").await;
            assert!(run.failures().len() * 10 > healthy.len() * 6, "{skin}: {:?}", run.records().keys());
        }))
        .await;
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn one_change_of_language_is_seen_where_it_is() {
    run(async {
        let browsers = shared();
        let pool = browsers.pool().await;
        let healthy = healthy_kenya(pool).await;
        all(SKINS.map(async |skin| {
            let run = collect(pool, healthy, skin, "wording=income-per-head").await;
            let failures = run.failures();
            let failed: Vec<&str> = failures.keys().copied().collect();
            assert_eq!(failed, ["gdp_per_capita", "gdp_per_capita_ppp", "gdp_per_capita_rank"], "{skin}");
            assert!(failures["gdp_per_capita"].contains("the label or cue is not in the section"));
            let lines = lines(pool, skin, &["wording=income-per-head"]).await;
            place(&lines, "Income per head (GDP)");
            place(&lines, "inhabitants have an income per head (GDP) of $2,274");
        }))
        .await;
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn sections_and_cards_in_another_order_give_the_same_records() {
    run(async {
        let browsers = shared();
        let pool = browsers.pool().await;
        let healthy = healthy_kenya(pool).await;
        all(SKINS.map(async |skin| {
            // of the first section, of three others and of the last; after it two cards of one section
            let parts = [
                "richest economy",
                "Export Basket in",
                "Export Complexity in",
                "Top 50 Products",
                "Kenya in Summary",
            ];
            // the last line with them: the bar above all sections names the one in view, on a busy machine any of them
            let place = |lines: &[String], words: &str| {
                lines
                    .iter()
                    .rposition(|line| line.contains(words))
                    .unwrap_or_else(|| panic!("no \"{words}\""))
            };
            let order = |lines: &[String]| parts.map(|words| place(lines, words));
            let cards = |lines: &[String]| {
                ["ECI Ranking", "Growth Projection to 2034"].map(|card| place(lines, card))
            };
            let lines = async |fault: &[&str]| lines(pool, skin, fault).await;
            let own = lines(&[]).await;
            let other = lines(&["sections-reordered"]).await;
            let third = lines(&["sections-reordered=2"]).await;
            assert!(order(&own).is_sorted() && cards(&own).is_sorted(), "{skin}: {:?}", order(&own));
            for reordered in [&other, &third] {
                let order = order(reordered);
                assert!(!order.is_sorted() && order.iter().min() == Some(&order[0]), "{skin}: {order:?}");
            }
            assert!(
                order(&other) != order(&third) && (!cards(&other).is_sorted() || !cards(&third).is_sorted())
            );

            let run = collect(pool, healthy, skin, "sections-reordered").await;
            assert!(run.failures().is_empty(), "{skin}: {:#?}", run.failures());
        }))
        .await;
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn a_page_whose_fields_are_renamed_shows_the_same() {
    run(async {
        let browsers = shared();
        let pool = browsers.pool().await;
        let healthy = healthy_kenya(pool).await;
        all(SKINS.map(async |skin| {
            for path in ["countries/404", "explore/feasibility/table?year=2024&exporter=country-404"] {
                // what follows the scroll position may differ between two looks: the bars, and the first line, which
                // names the section in view
                let own = lines_at(pool, skin, &["bar-in-section"], path).await;
                assert!(own.len() > 300, "{skin}: {own:?}");
                let renamed = lines_at(pool, skin, &["bar-in-section", "fields-renamed"], path).await;
                assert_eq!(renamed[1..], own[1..], "{skin}: {path} reads its answers under their new names");
            }
            let run = collect(pool, healthy, skin, "fields-renamed").await;
            assert!(run.failures().contains_key("space_rca"), "{skin}: {:#?}", run.failures().keys());
        }))
        .await;
    });
}
