//! The desk in a real Chromium over the replica: what waits is said, acted on by keyboard and by mouse, and found in the files.

use atlas_gt_twin::{self as twin, TwinOptions};
use fantoccini::Locator;
use serde_json::{Value, json};

use crate::chromium::Browser;
use crate::hands::{
    click, click_at, focus_by, go, in_background, in_peace, looked_at, press, says, send, text, value,
};
use crate::{client, id, serve};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: it collects and refreshes with browsers"]
async fn what_waits_is_acted_on_by_keyboard_and_by_mouse() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let faults = vec!["label-renamed=gdp".parse().unwrap()];
    let site = twin::start(TwinOptions { faults, rate_limit: None, ..TwinOptions::default() }).await.unwrap();
    let shared = ["--site", &site.base_url, "--store", "store"];
    let (code, out, err) =
        in_background(folder.path(), &[&["collect", "--questions", "61,64,170"][..], &shared].concat()).await;
    assert_eq!(code, 4, "{out}{err}");
    assert_eq!(value(&store, "61"), None);

    let server = serve(folder.path(), &shared);
    let trace = json!({ "id": id(1), "thread_id": "t", "question": "<i>Kenya</i>?", "error": "no data" });
    client().post(format!("{}/api/traces", server.base)).json(&trace).send().await.unwrap();
    let profile = tempfile::tempdir().unwrap();
    let browser = Browser::start(profile.path()).await;
    let other_profile = tempfile::tempdir().unwrap();
    let other = Browser::start(other_profile.path()).await;
    go(&browser, &server.base).await;
    let inbox = text(&browser).await;
    assert!(inbox.contains("Values to review") && inbox.contains("once: <i>Kenya</i>? (no data)"), "{inbox}");

    // a value, by keyboard: to the first, edit, what is no value is refused, then accept; another browser sees it
    go(&browser, &format!("{}/review", server.base)).await;
    go(&other, &format!("{}/review/61", server.base)).await;
    press(&browser, "a").await;
    browser.client.wait().for_element(Locator::Css("svg.page rect.box, svg.page image")).await.unwrap();
    looked_at(&browser, &server.base, &["/review/61"]).await;
    says(&browser, "What is the GDP per capita of Kenya").await;
    // on a narrow screen the form stands above the picture, on a wide one beside it
    let is_above = "const [page, form] = document.querySelectorAll('.sides.wide > section');
        return form.getBoundingClientRect().bottom <= page.getBoundingClientRect().top";
    for (width, expected) in [(400, true), (1280, false)] {
        browser.screen(width, 900).await;
        assert_eq!(browser.js(is_above).await, expected, "{width}");
    }
    focus_by(&browser, "e").await;
    let field = browser.client.active_element().await.unwrap();
    assert_eq!(field.attr("name").await.unwrap().as_deref(), Some("value"));
    send(&browser, "nonsense").await;
    says(&browser, "Not done:").await;
    assert_eq!(value(&store, "61"), None);
    go(&browser, &format!("{}/review/61", server.base)).await;
    press(&browser, "a").await;
    says(&browser, "Done by tester: atlas-gt review accept 61 --point=").await;
    assert_eq!(value(&store, "61").as_deref(), Some("$2,274"), "{}", text(&browser).await);
    // it is taken back by key: the record goes, the value waits again, and what was said stays
    press(&browser, "u").await;
    says(&browser, "Done by tester: atlas-gt review undo 61").await;
    assert_eq!(value(&store, "61"), None);
    let review = || std::fs::read_to_string(store.join("review/61.json")).unwrap();
    assert!(review().contains("\"taken_back\"") && review().contains("$2,274"), "{}", review());
    let (code, out, err) = in_background(folder.path(), &["verify", "--store", "store"]).await;
    assert_eq!(code, 0, "{out}{err}");
    // rejected in a form, and taken back from the list by mouse
    go(&browser, &format!("{}/review/61", server.base)).await;
    focus_by(&browser, "r").await;
    send(&browser, "of another year").await;
    says(&browser, "Done by tester: atlas-gt review reject 61").await;
    assert!(review().contains("\"review\": \"rejected\""), "{}", review());
    go(&browser, &format!("{}/review", server.base)).await;
    says(&browser, "rejected: of another year (tester").await;
    looked_at(&browser, &server.base, &["/review"]).await;
    click(&browser, "form[action='/do/review-undo'] button").await;
    says(&browser, "Done by tester: atlas-gt review undo 61").await;
    assert!(
        review().contains("of another year") && review().contains("\"review\": \"needed\""),
        "{}",
        review()
    );
    press(&browser, "a").await;
    says(&browser, "Done by tester: atlas-gt review accept 61").await;
    assert_eq!(value(&store, "61").as_deref(), Some("$2,274"));
    let (code, out, err) = in_background(folder.path(), &["history", "61", "--store", "store"]).await;
    assert_eq!(code, 0, "{out}{err}");
    // who was slower is told so, and nothing is written twice
    press(&other, "a").await;
    says(&other, "Not done:").await;

    // a release comes out; the refresh is a job, started by mouse
    site.set_faults(Vec::new());
    site.publish(2027).unwrap();
    go(&browser, &server.base).await;
    click(&browser, "form[action='/do/refresh'] button").await;
    says(&browser, "atlas-gt refresh --store=").await;
    let again =
        client().get(format!("{}/jobs/1/events", server.base)).send().await.unwrap().text().await.unwrap();
    assert!(again.contains("event: end"), "{again}");
    says(&browser, "exit code 3").await;

    // one change is accepted by keyboard, the rest rejected by mouse
    go(&browser, &format!("{}/changes", server.base)).await;
    let all = browser.js("return document.querySelectorAll('article').length").await.as_u64().unwrap();
    assert!(all >= 1, "{}", text(&browser).await);
    let first = browser.js("return document.querySelector('article h2').innerText").await;
    let before: Vec<Option<String>> = ["61", "64", "170"].map(|id| value(&store, id)).to_vec();
    looked_at(&browser, &server.base, &["/changes"]).await;
    press(&browser, "a").await;
    says(&browser, "Done by tester: atlas-gt refresh --commit").await;
    let after: Vec<Option<String>> = ["61", "64", "170"].map(|id| value(&store, id)).to_vec();
    assert_ne!(before, after, "{first}");
    if all > 1 {
        click_at(&browser, Locator::XPath("//button[contains(., 'Reject everything')]")).await;
        says(&browser, "Done by tester: atlas-gt refresh --discard").await;
    }
    says(&browser, "None.").await;

    // a failure is reviewed in a form, and taken back by key
    go(&browser, &format!("{}/production", server.base)).await;
    focus_by(&browser, "e").await;
    send(&browser, "no such data").await;
    says(&browser, "Done by tester: atlas-gt failures review").await;
    let listed = || in_background(folder.path(), &["failures", "--format", "json", "--store", "store"]);
    let found: Value = serde_json::from_str(&listed().await.1).unwrap();
    assert_eq!(found["failures"][0]["review"]["reason"], "no such data");
    press(&browser, "u").await;
    says(&browser, "Done by tester: atlas-gt failures undo").await;
    let found: Value = serde_json::from_str(&listed().await.1).unwrap();
    assert_eq!(found["failures"][0]["review"], Value::Null);

    let pages = [
        "/",
        "/records",
        "/records/61",
        "/review",
        "/runs",
        "/spot-checks",
        "/production",
        "/configuration",
        "/jobs",
        "/jobs/1",
    ];
    looked_at(&browser, &server.base, &pages).await;
    in_peace(&browser).await;
    in_peace(&other).await;

    // the same pages as files: no form, no script, every link there
    let (code, out, err) = in_background(folder.path(), &["site", "pages", "--store", "store"]).await;
    assert_eq!(code, 0, "{out}{err}");
    let index = std::fs::read_to_string(folder.path().join("pages/index.html")).unwrap();
    assert!(
        !index.contains("<form") && !index.contains("<script") && index.contains("Failures in production"),
        "{index}"
    );
    assert!(folder.path().join("pages/records/61.html").is_file());
    let (code, ..) = in_background(folder.path(), &["site", "store", "--store", "store"]).await;
    assert_eq!(code, 2, "a folder of something else is left alone");
    site.shutdown().await;
}
