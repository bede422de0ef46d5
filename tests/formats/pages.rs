//! Every page that a command prints or writes, in a real Chromium: it fits a telephone and a desk, and no text of others runs on it.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use url::Url;

use crate::chromium::Browser;
use crate::provider::{Manner, Provider};
use crate::tree::tree;
use crate::{COMMANDS, VISITS, print_in};

/// What a page is like when all of it is unfolded. Where it is too wide: how wide, and the last elements outside the window.
const PAGE: &str = "document.querySelectorAll('details').forEach(one => one.open = true);
    const root = document.documentElement, all = [...document.querySelectorAll('*')];
    const outside = all.filter(one => one.getBoundingClientRect().right > innerWidth).map(one => one.outerHTML.slice(0, 80));
    return {
        outside: root.scrollWidth > innerWidth ? [root.scrollWidth, ...outside.slice(-3)] : [],
        ran: window.hostile ?? null,
        handlers: all.flatMap(one => [...one.attributes]).filter(one => one.name.startsWith('on')).length,
        has_heading: document.querySelector('h1, h2') !== null,
        has_text: document.body.innerText.trim() !== '',
    }";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: make test-deep"]
async fn every_page_fits_both_widths_and_runs_no_text_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let judge = Provider::start([], Manner::Grade(1.0)).await;
    let rows = [COMMANDS, VISITS].concat();
    let printed = print_in("html", folder.path(), &rows, &judge);
    std::fs::create_dir(folder.path().join("printed")).unwrap();
    for ((_, line, due), (code, page, err)) in rows.iter().zip(printed) {
        assert_eq!(code, *due, "{line}: {err}");
        // named after the command, as a failure then is
        let name = format!("printed/{}.html", line.replace('/', "_"));
        std::fs::write(folder.path().join(name), page).unwrap();
    }
    let is_page = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "html");
    let pages: Vec<PathBuf> = tree(folder.path()).into_keys().filter(is_page).collect();
    for written in ["survey.html", "proposals.html", "checked/spot_check_report.html", "pages/index.html"] {
        assert!(pages.iter().any(|page| page == Path::new(written)), "{written}: {pages:?}");
    }

    let profile = tempfile::tempdir().unwrap();
    let browser = Browser::start(profile.path()).await;
    let due = json!({ "outside": [], "ran": null, "handlers": 0, "has_heading": true, "has_text": true });
    let (mut wrong, mut hostile) = (Vec::new(), 0);
    for page in &pages {
        let address = Url::from_file_path(folder.path().join(page)).unwrap();
        for width in [400, 1280] {
            browser.screen(width, 900).await;
            browser.client.goto(address.as_str()).await.unwrap();
            let found = browser.js(PAGE).await;
            let console: Vec<Value> = browser.log("browser").await;
            if found != due || !console.is_empty() {
                wrong.push(format!("{} at {width} pixels: {found} {}", page.display(), Value::from(console)));
            }
        }
        let holds = "return document.body.textContent.includes('window.hostile=1')";
        hostile += usize::from(browser.js(holds).await == true);
    }
    browser.client.clone().close().await.unwrap();
    assert!(wrong.is_empty(), "{} wrong:\n\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(hostile >= 25, "{hostile} of {} pages hold text of others", pages.len());
}
