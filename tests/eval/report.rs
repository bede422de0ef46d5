//! The report of a run in a real Chromium, opened from disk: its filters work, it asks for nothing, and nothing that an agent says runs.

use fantoccini::Locator;
use serde_json::{Value, json};

use crate::chromium::Browser;
use crate::stage::{self, Stage};

const HOSTILE: &str = "</pre></script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">\
                       <svg onload=\"document.title='taken'\"></svg><a href=\"javascript:alert(1)\">\u{202e}gro.live";

/// A run of 22 questions: attacks in two answers, and one of a megabyte.
fn run(stage: &Stage) {
    let lines = stage.questions.iter().map(|question| {
        let mut reply = stage::reply(question);
        match question.id {
            3 => reply["answer"] = format!("{} {HOSTILE}", reply["answer"].as_str().unwrap()).into(),
            4 => reply["trace"]["tool_calls"] = json!([HOSTILE]),
            5 => reply["answer"] = "a long answer ".repeat(75_000).into(),
            _ => reply["trace"]["node_traces"] = json!([
                { "node_name": "agent", "start_time": 0.0, "end_time": 2.0, "duration_ms": 2000 },
                { "node_name": "ask_api", "start_time": 0.5, "end_time": 1.5, "duration_ms": 1000, "parent": 0 },
            ]),
        }
        reply.to_string()
    });
    std::fs::write(stage.path("answers.jsonl"), lines.collect::<Vec<_>>().join("\n")).unwrap();
    let (code, text) = stage.eval("run --answers answers.jsonl --concurrency 1");
    assert_eq!(code, 0, "{text}");
    let output = stage.command("eval report latest --format html").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stage::told(&output));
    std::fs::write(stage.path("report.html"), output.stdout).unwrap();
}

/// The questions that are shown.
async fn shown(browser: &Browser) -> Vec<u64> {
    let ids = "return [...document.querySelectorAll('article')].filter(a => a.offsetParent).map(a => +a.id.slice(1))";
    serde_json::from_value(browser.js(ids).await).unwrap()
}

async fn fragment(browser: &Browser) -> String {
    browser.client.current_url().await.unwrap().fragment().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_filters_asks_for_nothing_and_runs_nothing_of_an_answer() {
    let stage = stage::of(22);
    run(&stage);
    let profile = tempfile::tempdir().unwrap();
    let browser = Browser::start(profile.path()).await;
    let address = format!("file://{}", stage.path("report.html").display());
    browser.client.goto(&address).await.unwrap();
    // worst first, and those of a verdict in the order of their numbers
    let kept = stage.kept("20261120T103000Z");
    let with_verdict = |verdict: &'static str| {
        kept.iter().filter(move |(_, one)| one["scored"]["verdict"] == verdict).map(|(id, _)| *id as u64)
    };
    let all: Vec<u64> =
        ["fail", "error", "partial", "unscored", "pass"].into_iter().flat_map(with_verdict).collect();
    assert_eq!(all.len(), 22);
    assert_eq!(shown(&browser).await, all);

    // by keyboard: to the search, a word, and away again
    let page = browser.client.find(Locator::Css("body")).await.unwrap();
    page.send_keys("/").await.unwrap();
    let search = browser.client.active_element().await.unwrap();
    assert_eq!(search.attr("name").await.unwrap().as_deref(), Some("text"));
    let country = stage.questions[6].country.clone();
    search.send_keys(&country).await.unwrap();
    let names_it = |id: &&u64| stage.questions[**id as usize - 1].text.contains(&country);
    let of_country: Vec<u64> = all.iter().filter(names_it).copied().collect();
    assert_eq!(shown(&browser).await, of_country);
    assert!(fragment(&browser).await.starts_with("text="), "{}", fragment(&browser).await);
    search.send_keys("\u{e00c}").await.unwrap();
    assert_eq!((shown(&browser).await, fragment(&browser).await.as_str()), (all.clone(), ""));

    // a verdict and a difficulty at once; the address has them, and brings them back
    let due = |verdict: &str, difficulty: &str| -> Vec<u64> {
        let fits = |record: &Value| {
            record["scored"]["verdict"] == verdict && record["question"]["difficulty"] == difficulty
        };
        kept.iter().filter(|(_, record)| fits(record)).map(|(id, _)| *id as u64).collect()
    };
    let fails = browser.client.find(Locator::Css("input[value=fail]")).await.unwrap();
    fails.send_keys(" ").await.unwrap();
    let difficulty = browser.client.find(Locator::Css("select[name=difficulty]")).await.unwrap();
    difficulty.select_by_value("medium").await.unwrap();
    assert!(!due("fail", "medium").is_empty());
    assert_eq!(shown(&browser).await, due("fail", "medium"));
    assert_eq!(fragment(&browser).await, "verdict=fail&difficulty=medium");
    let counted = browser.js("return document.getElementById('shown').textContent").await;
    assert_eq!(counted, format!("{} of 22 questions", due("fail", "medium").len()));
    browser.client.goto("about:blank").await.unwrap();
    browser
        .client
        .goto(&format!("{address}#category=category+1&type=country_profile&verdict=pass,unscored"))
        .await
        .unwrap();
    let of_category = |record: &&Value| record["question"]["category"] == "category 1";
    assert!(shown(&browser).await.iter().all(|id| of_category(&&kept[&(*id as usize)])));
    assert_eq!(
        shown(&browser).await.len(),
        kept.values()
            .filter(of_category)
            .filter(|record| {
                record["scored"]["verdict"] == "pass" || record["scored"]["verdict"] == "unscored"
            })
            .count()
    );

    // a link to a question that the filters hide shows and opens it
    browser.js("location.hash = '#q3'").await;
    browser.client.wait().for_element(Locator::Css("#q3 details[open]")).await.unwrap();
    assert_eq!(shown(&browser).await, all);
    browser.client.find(Locator::Id("open")).await.unwrap().click().await.unwrap();
    let inert = browser
        .js("return [document.title, document.querySelectorAll('script').length, document.querySelectorAll('img, [onload], [onerror]').length, \
             document.querySelector('#q3 pre').textContent, document.querySelector('#q5 pre').textContent.length, \
             document.querySelectorAll('#q7 svg.bar rect').length]")
        .await;
    assert_eq!(inert[0], "Evaluation run 20261120T103000Z");
    assert_eq!((&inert[1], &inert[2], &inert[5]), (&1.into(), &0.into(), &2.into()));
    assert!(inert[3].as_str().unwrap().contains("<script>document.title='taken'</script>"), "{}", inert[3]);
    assert!(!inert[3].as_str().unwrap().contains('\u{202e}') && inert[4].as_u64().unwrap() < 25_000);

    // no part is wider than a telephone
    for width in [400, 1280] {
        browser.screen(width, 900).await;
        let wide = browser.js("return document.documentElement.scrollWidth").await;
        assert!(wide.as_u64().unwrap() <= width.into(), "{wide}");
    }

    // paper is as narrow as a small window, and tables stay tables on it; what is there to be clicked stays away
    browser.screen(740, 900).await;
    let display =
        "return ['thead', '#filters'].map(one => getComputedStyle(document.querySelector(one)).display)";
    assert_eq!(browser.js(display).await, json!(["none", "flex"]));
    browser.emulate("setEmulatedMedia", json!({ "media": "print" })).await;
    assert_eq!(browser.js(display).await, json!(["table-header-group", "none"]));
    browser.emulate("setEmulatedMedia", json!({ "media": "" })).await;

    let console = browser.log("browser").await;
    assert_eq!(console, [] as [Value; 0]);
    let asked: Vec<String> = browser
        .log("performance")
        .await
        .iter()
        .filter_map(|entry| {
            let event: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let sent = event["message"]["method"] == "Network.requestWillBeSent";
            sent.then(|| event["message"]["params"]["request"]["url"].as_str().unwrap_or_default().to_owned())
        })
        .filter(|url| {
            // the page that a browser begins with is its own
            url != "about:blank"
                && !url.starts_with("chrome://")
                && !url.starts_with("data:")
                && !url.starts_with(address.split('#').next().unwrap())
        })
        .collect();
    assert_eq!(asked, [] as [String; 0]);
    browser.client.clone().close().await.unwrap();
}
