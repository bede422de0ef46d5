//! Changes at the desk: each one, a kind and all of them, accepted and rejected, by keyboard and by mouse, and taken back.

use atlas_gt::truth::{Store, changelog};
use fantoccini::Locator;
use serde_json::json;

use crate::chromium::Browser;
use crate::hands::{
    ENTER, click_at, go, in_background, in_peace, looked_at, press, says, tab_to, text, type_in,
};
use crate::serve;
use crate::shelf::{state, with_changes};

/// How somebody acts.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Hand {
    Keys,
    Mouse,
}

/// The button of a form that holds these fields.
fn form(action: &str, fields: &[(&str, &str)]) -> String {
    let held = fields.iter().map(|(name, value)| format!("[.//input[@name='{name}' and @value='{value}']]"));
    format!("//form[@action='/do/{action}']{}//button", held.collect::<String>())
}

impl Hand {
    /// Uses a button: by its key where it has one, else by tabulator and enter.
    async fn uses(self, browser: &Browser, button: &str, key: Option<&str>) {
        match (self, key) {
            (Self::Mouse, _) => click_at(browser, Locator::XPath(button)).await,
            (Self::Keys, Some(key)) => press(browser, key).await,
            (Self::Keys, None) => {
                tab_to(browser, Locator::XPath(button)).await;
                press(browser, ENTER).await;
            }
        }
    }
}

async fn every_change_is_decided_and_taken_back(hand: Hand) {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    with_changes(&store);
    let before = state(&store);
    assert_eq!(
        before,
        ["$2,274 52 | $2,350 53", "$1,100 | $1,200", "$900 9 | $900", "$700 | $700 7"],
        "what waits stands beside what is stored"
    );
    let server = serve(folder.path(), &["--store", "store"]);
    let profile = tempfile::tempdir().unwrap();
    let browser = Browser::start(profile.path()).await;
    go(&browser, &server.base).await;
    let inbox = text(&browser).await;
    assert!(inbox.contains("Pending changes 5") && inbox.contains("in 4 questions"), "{inbox}");
    go(&browser, &format!("{}/changes", server.base)).await;
    // on each side the value is marked on its page, where there is one
    let script = "return [...document.querySelectorAll('article .sides')].map(sides => [...sides.children].map(side => {
        const box = side.querySelector('svg.page rect.box');
        const at = (one) => ['x', 'y'].map(name => one.getAttribute(name)).join();
        return box && [...side.querySelectorAll('foreignObject')].find(one => at(one) === at(box))?.textContent;
    }))";
    let marked = browser.js(script).await;
    let expected =
        json!([["$2,274", "$2,350"], ["52", "53"], ["$1,100", "$1,200"], ["9", null], [null, "7"]]);
    assert_eq!(marked, expected);
    let one = |action: &str, field: &str| form(action, &[("id", "61"), ("field", field)]);
    let undo = "//form[@action='/do/change-undo']//button";
    let next = async || {
        // to the second change of the list: the keys are its own then
        type_in(&browser, "jj").await;
    };

    // one of two changes of a question, whichever is meant
    if hand == Hand::Keys {
        next().await;
    }
    hand.uses(&browser, &one("change-accept", "population"), Some("a")).await;
    says(&browser, "Done by tester: atlas-gt refresh --commit --question=61 --field=population --by=tester")
        .await;
    assert_eq!(state(&store)[0], "$2,274 53 | $2,350 53", "{hand:?}");
    hand.uses(&browser, undo, Some("u")).await;
    says(&browser, "Done by tester: atlas-gt refresh --undo=").await;
    assert_eq!(state(&store), before, "{hand:?}");
    if hand == Hand::Keys {
        next().await;
    }
    hand.uses(&browser, &one("change-reject", "population"), Some("r")).await;
    says(&browser, "Done by tester: atlas-gt refresh --discard --question=61 --field=population").await;
    assert_eq!(state(&store)[0], "$2,274 52 | $2,350 52", "{hand:?}");
    // the other one after it; both are taken back, the last first
    hand.uses(&browser, &one("change-accept", "gdp_per_capita"), Some("a")).await;
    says(&browser, "Done by tester: atlas-gt refresh --commit --question=61 --field=gdp_per_capita").await;
    assert_eq!(state(&store)[0], "$2,350 52 | ", "{hand:?}");
    looked_at(&browser, &server.base, &["/changes", "/records/61"]).await;
    // who it was stands in the history of the record
    says(&browser, "revision, accepted in run ").await;
    let history = text(&browser).await;
    assert!(history.contains("by tester") && history.contains("rejected in run "), "{history}");
    go(&browser, &format!("{}/changes", server.base)).await;
    for left in ["$2,274 52 | $2,350 52", "$2,274 52 | $2,350 53"] {
        hand.uses(&browser, undo, Some("u")).await;
        says(&browser, "Done by tester: atlas-gt refresh --undo=").await;
        assert_eq!(state(&store)[0], left, "{hand:?}");
    }

    // a kind, and everything
    let revised = ["$2,350 53 | ", "$1,200 | ", "$900 9 | $900", "$700 | $700 7"];
    let kept = ["$2,274 52 | ", "$1,100 | ", "$900 9 | $900", "$700 | $700 7"];
    let all = ["$2,350 53 | ", "$1,200 | ", "$900 | ", "$700 7 | "];
    let none = ["$2,274 52 | ", "$1,100 | ", "$900 9 | ", "$700 | "];
    let kind = [("kind", "revision")];
    for (action, fields, key, command, after) in [
        ("change-accept", &kind[..], None, "--commit --kind=revision", revised),
        ("change-reject", &kind[..], None, "--discard --kind=revision", kept),
        ("change-accept", &[("all", "yes")], Some("A"), "--commit --by=tester --store=", all),
        ("change-reject", &[("all", "yes")], Some("R"), "--discard --by=tester --store=", none),
    ] {
        hand.uses(&browser, &form(action, fields), key).await;
        says(&browser, &format!("Done by tester: atlas-gt refresh {command}")).await;
        assert_eq!(state(&store), after, "{hand:?} {action} {command}");
        hand.uses(&browser, undo, Some("u")).await;
        says(&browser, "Done by tester: atlas-gt refresh --undo=").await;
        assert_eq!(state(&store), before, "{hand:?} {action} {command} taken back");
    }
    assert!(!text(&browser).await.contains("can be undone"), "nothing is left to take back");
    in_peace(&browser).await;

    // nothing is lost: the changelog has each value as it came and as it went
    let lines = changelog::lines(&Store::read(&store).unwrap(), None).unwrap();
    let undone = lines.iter().filter(|line| line.reason.as_deref() == Some("taken back: undone")).count();
    let by_tester = lines.iter().filter(|line| line.by.as_deref() == Some("tester")).count();
    assert_eq!((lines.len(), undone, by_tester), (20, 10, 20));
    let (code, out, err) = in_background(folder.path(), &["history", "61", "--store", "store"]).await;
    assert!(code == 0 && out.contains("$2,350") && out.contains(" by tester"), "{out}{err}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: it starts a browser"]
async fn every_change_is_decided_and_taken_back_by_keyboard() {
    every_change_is_decided_and_taken_back(Hand::Keys).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: it starts a browser"]
async fn every_change_is_decided_and_taken_back_by_mouse() {
    every_change_is_decided_and_taken_back(Hand::Mouse).await;
}
