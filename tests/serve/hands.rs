//! A person at the desk: keys, the mouse, and what the page says.

use std::path::Path;

use fantoccini::Locator;
use serde_json::{Value, json};

use crate::call;
use crate::chromium::Browser;

pub const TAB: &str = "\u{e004}";
pub const ENTER: &str = "\u{e007}";

/// Runs a command beside the browser.
pub async fn in_background(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let (folder, arguments) =
        (folder.to_owned(), arguments.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
    let work = move || call(&folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    tokio::task::spawn_blocking(work).await.unwrap()
}

/// Does something that brings another page, and waits until it is there: what the page before said counts for nothing.
async fn leaves(browser: &Browser, what: &str, action: impl Future<Output = ()>) {
    browser.js("document.documentElement.dataset.left = ''").await;
    action.await;
    let wait = browser.client.wait().at_most(std::time::Duration::from_secs(120));
    let found = wait.for_element(Locator::Css("html:not([data-left]) main")).await;
    assert!(found.is_ok(), "{what} brings no other page: {}", text(browser).await);
}

/// Opens a page.
pub async fn go(browser: &Browser, address: &str) {
    browser.client.goto(address).await.unwrap();
}

/// Presses a key of the page, or enter on what has the focus; another page comes.
pub async fn press(browser: &Browser, key: &str) {
    leaves(browser, key, focus_by(browser, key)).await;
}

/// Presses a key of the page; what has the focus then is on the same page.
pub async fn focus_by(browser: &Browser, key: &str) {
    if key != ENTER {
        browser.js("if (document.activeElement.matches('input')) document.activeElement.blur()").await;
    }
    type_in(browser, key).await;
}

/// Types into what has the focus and sends it off.
pub async fn send(browser: &Browser, text: &str) {
    type_in(browser, text).await;
    press(browser, ENTER).await;
}

/// Types into what has the focus.
pub async fn type_in(browser: &Browser, text: &str) {
    browser.client.active_element().await.unwrap().send_keys(text).await.unwrap();
}

/// Goes on with the tabulator until something has the focus: everything can be reached so.
pub async fn tab_to(browser: &Browser, what: Locator<'_>) {
    let wanted = serde_json::to_value(browser.client.find(what).await.unwrap()).unwrap();
    for _ in 0..200 {
        let is_there = "return document.activeElement === arguments[0]";
        if browser.client.execute(is_there, vec![wanted.clone()]).await.unwrap() == true {
            return;
        }
        type_in(browser, TAB).await;
    }
    panic!("{what:?} cannot be reached by keyboard: {}", text(browser).await);
}

/// Clicks on what brings another page.
pub async fn click(browser: &Browser, css: &str) {
    click_at(browser, Locator::Css(css)).await;
}

/// As [`click`], wherever it is.
pub async fn click_at(browser: &Browser, what: Locator<'_>) {
    let click = async { browser.client.find(what).await.unwrap().click().await.unwrap() };
    leaves(browser, &format!("{what:?}"), click).await;
}

/// Unfolds or folds something.
pub async fn unfold(browser: &Browser, css: &str) {
    browser.client.find(Locator::Css(css)).await.unwrap().click().await.unwrap();
}

pub async fn fill(browser: &Browser, css: &str, text: &str) {
    browser.client.find(Locator::Css(css)).await.unwrap().send_keys(text).await.unwrap();
}

pub async fn text(browser: &Browser) -> String {
    browser.js("return document.body.innerText").await.as_str().unwrap().to_owned()
}

/// Waits until the page says something: at once, or as a job goes on.
pub async fn says(browser: &Browser, wanted: &str) {
    let wait = browser.client.wait().at_most(std::time::Duration::from_secs(300));
    let path = format!("//*[contains(., \"{wanted}\")]");
    let found = wait.for_element(Locator::XPath(&path)).await;
    assert!(found.is_ok(), "{wanted}: {}", text(browser).await);
}

pub fn value(store: &Path, id: &str) -> Option<String> {
    let record: Value =
        serde_json::from_str(&std::fs::read_to_string(store.join(id).join("results.json")).ok()?).unwrap();
    record["results"]["data"][0]["value"].as_str().map(str::to_owned)
}

/// Pages at both widths and in both schemes: nothing is wider than the window, and a picture of each is kept to look at.
pub async fn looked_at(browser: &Browser, base: &str, paths: &[&str]) {
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("desk");
    std::fs::create_dir_all(&kept).unwrap();
    for path in paths {
        browser.client.goto(&format!("{base}{path}")).await.unwrap();
        for scheme in ["light", "dark"] {
            let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
            browser.emulate("setEmulatedMedia", features).await;
            for width in [400, 1280] {
                browser.screen(width, 900).await;
                let wide = browser.js("return document.documentElement.scrollWidth").await;
                assert!(wide.as_u64().unwrap() <= width.into(), "{path} is {wide} wide in {width}");
                let name = path.split('?').next().unwrap_or_default().trim_matches('/').replace('/', "-");
                let name = if name.is_empty() { "inbox" } else { &name };
                std::fs::write(
                    kept.join(format!("{name}-{width}-{scheme}.png")),
                    browser.client.screenshot().await.unwrap(),
                )
                .unwrap();
            }
        }
    }
}

/// Nothing was said in the console, and the browser ends.
pub async fn in_peace(browser: &Browser) {
    let console: Vec<Value> = browser.log("browser").await;
    assert_eq!(console, [] as [Value; 0]);
    browser.client.clone().close().await.unwrap();
}
