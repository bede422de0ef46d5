//! Points that are no longer found: the pages are surveyed at the desk, and what is proposed is accepted there.

use std::path::Path;

use atlas_gt_twin::{self as twin, TwinOptions};
use fantoccini::Locator;

use crate::chromium::Browser;
use crate::hands::{ENTER, click, click_at, go, in_peace, looked_at, press, says, tab_to, text};
use crate::serve;

/// The specs of a folder as one text.
fn specs(folder: &Path) -> String {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: it surveys with browsers"]
async fn what_is_no_longer_found_is_surveyed_and_mended_at_the_desk() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("specs");
    std::fs::create_dir(&own).unwrap();
    let checked_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/extractors");
    for entry in std::fs::read_dir(checked_in).unwrap().map(Result::unwrap) {
        std::fs::copy(entry.path(), own.join(entry.file_name())).unwrap();
    }
    let faults = ["label-renamed=gdp:Income a head", "label-renamed=diversity-rank:Rank by Diversity"];
    let faults = faults.map(|fault| fault.parse().unwrap()).to_vec();
    let site = twin::start(TwinOptions { faults, rate_limit: None, ..TwinOptions::default() }).await.unwrap();
    let server =
        serve(folder.path(), &["--site", &site.base_url, "--store", "store", "--extractors", "specs"]);
    let profile = tempfile::tempdir().unwrap();
    let browser = Browser::start(profile.path()).await;
    let points = format!("{}/points", server.base);
    go(&browser, &points).await;
    says(&browser, "no survey").await;

    // surveyed by key, as a job
    press(&browser, "n").await;
    says(&browser, "atlas-gt survey --store=").await;
    says(&browser, "exit code 4").await;
    go(&browser, &points).await;
    let found = text(&browser).await;
    assert!(found.contains("Income a head") && found.contains("the response says"), "{found}");
    looked_at(&browser, &server.base, &["/points"]).await;
    assert!(!specs(&own).contains("Income a head"), "nothing is accepted unasked");

    // the first proven one by its key
    go(&browser, &points).await;
    let proposals = async || -> Vec<String> {
        let script = "return [...document.querySelectorAll('article.good h3')].map(one => one.innerText)";
        serde_json::from_value(browser.js(script).await).unwrap()
    };
    let all = proposals().await;
    assert!(all.len() >= 2, "{all:?}: {}", text(&browser).await);
    let before = specs(&own);
    press(&browser, "a").await;
    says(&browser, &format!("Done by tester: atlas-gt mend --accept={}", all[0])).await;
    let first = specs(&own);
    assert_ne!(first, before);
    assert_eq!(proposals().await, all[1..]);
    let button = "//article[contains(@class, 'good')]//button";
    // the others in turn by mouse, and by tabulator and enter
    for (left, turn) in all[1..].iter().zip(0..) {
        let before = specs(&own);
        if turn % 2 == 0 {
            click_at(&browser, Locator::XPath(button)).await;
        } else {
            tab_to(&browser, Locator::XPath(button)).await;
            press(&browser, ENTER).await;
        }
        says(&browser, &format!("Done by tester: atlas-gt mend --accept={left}")).await;
        assert_ne!(specs(&own), before, "{left}");
    }
    assert!(specs(&own).contains("Income a head") && specs(&own).contains("Rank by Diversity"));

    // surveyed again by mouse, with the specs as they are now: all is found
    click(&browser, "form[action='/do/survey'] button").await;
    says(&browser, "exit code 0").await;
    go(&browser, &points).await;
    assert_eq!(proposals().await, [] as [String; 0]);
    in_peace(&browser).await;
    site.shutdown().await;
}
