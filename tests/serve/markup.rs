//! Markup in everything that others write, on every page of the desk and of `site`, in a real Chromium: it is text, and nothing else.

use std::collections::BTreeSet;
use std::path::Path;

use atlas_gt::truth::{Agreement, PointProvenance, Site, Store, file_reading};
use serde_json::{Value, json};

use crate::chromium::Browser;
use crate::hands::{go, in_background, in_peace};
use crate::shelf::{file, put_under_review, reading, row};
use crate::{client, id, serve};

/// What would run, load or become an element, wherever it stood: in a text, an attribute, a style sheet, a script, a template.
const MARKUP: &str = "\"'></p></svg><forged-element onclick=owned=1></forged-element><script>window.owned=1</script>\
                      <img src=x onerror=window.owned=1><svg onload=window.owned=1></svg>{{ 7 * 7 }}</title></textarea>\
                      <a href=javascript:owned=1>x</a><iframe src=/></iframe>";

/// A heading that a spec can hold, and one that has braces in it too.
const HEADING: &str = "New <forged-element></forged-element><script>window.owned=1</script>";

/// What a page has become, by its script; `scripts` are those that it may have.
const FORGED: &str = "const all = [...document.querySelectorAll('*')]; return {
    owned: window.owned ?? null,
    elements: all.filter(one => ['FORGED-ELEMENT', 'IFRAME', 'OBJECT', 'EMBED', 'BASE'].includes(one.tagName)).length,
    handlers: all.flatMap(one => [...one.attributes]).filter(one => one.name.startsWith('on')).length,
    links: all.filter(one => /^\\s*(javascript|data|vbscript):/i.test(one.getAttribute('href') ?? '') && one.tagName !== 'LINK').length,
    pictures: [...document.images].filter(one => !one.src.includes('/pictures/')).length,
    scripts: [...document.scripts].filter(one => !one.src.endsWith('/assets/desk.js') || one.text).length,
}";

fn text(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A folder in which every text is markup: records, what waits, changes, runs, answers, a spot check, strategies.
async fn stage(folder: &Path) {
    let store = Store::open(folder.join("store"), Site::Twin).unwrap();
    let forged = |value: &str| {
        let mut row = row("gdp_per_capita", &format!("{value}{MARKUP}"));
        row.metric = format!("GDP{MARKUP}");
        row.country = MARKUP.to_owned();
        row.year = Some(MARKUP.to_owned());
        row.extra.insert("product".to_owned(), MARKUP.into());
        row
    };
    for (value, at) in [("$1 ", 8), ("$2 ", 9)] {
        let (mut record, mut provenance) = reading(&store, "61", &[forged(value)], at);
        record.source = MARKUP.to_owned();
        record.atlas_url = format!("javascript:window.owned=1//{MARKUP}");
        let of = |point: PointProvenance| PointProvenance {
            agreement: Some(Agreement::PageDisagrees),
            agreement_reason: Some(MARKUP.to_owned()),
            extractor: Some(MARKUP.to_owned()),
            site_vintage: Some(MARKUP.to_owned()),
            ..point
        };
        provenance.points = provenance.points.into_iter().map(of).collect();
        file_reading(&store, &record, &provenance, record.execution_timestamp).unwrap();
    }
    file(&store, "62", &[row("gdp_per_capita_ppp", "7")], 8);
    put_under_review(&store, "63", forged("$3 "), MARKUP);
    drop(store);

    let manifest: Value = serde_json::from_str(include_str!("../../manifests/atlas.json")).unwrap();
    let mut asked = manifest["questions"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["question_id"] == 62)
        .unwrap()
        .clone();
    asked["question_text"] = format!("What is it? {MARKUP}").into();
    asked["category"] = MARKUP.into();
    text(folder, "own.json", &json!({ "questions": [asked] }).to_string());
    let answer = json!({ "question_id": 62, "answer": format!("It is $9. {MARKUP}"), "trace": { "tool_calls": [MARKUP] } });
    text(folder, "told.jsonl", &answer.to_string());
    for _ in 0..2 {
        let run = [
            "eval",
            "run",
            "--site",
            "twin",
            "--store",
            "store",
            "--manifest",
            "own.json",
            "--agent-site",
            "twin",
        ];
        let (code, out, err) =
            in_background(folder, &[&run[..], &["--answers", "told.jsonl", "--runs", "runs"]].concat()).await;
        assert!([0, 3].contains(&code), "{code} {out}{err}");
    }
    let check = json!({ "timestamp": MARKUP, "questions_checked": 1, "matches": 0, "mismatches": 1, "causes": { MARKUP: 1 },
                        "agent": MARKUP, "details": [{ "match": false, "question_id": MARKUP, "question_text": MARKUP,
                                                       "discrepancy": MARKUP, "agent_answer": MARKUP, "browser_data": MARKUP }] });
    text(folder, "out/spot_checks/one/spot_check_report.json", &check.to_string());
    text(folder, "field_strategies.json", &json!({ MARKUP: "EXACT" }).to_string());
    let renamed =
        [format!("heading-renamed=new-products:{HEADING}"), format!("heading-renamed=market-share:{MARKUP}")];
    let faults = renamed.iter().flat_map(|renamed| ["--fault", renamed]);
    let survey = ["survey", "--site", "twin", "--pages", "country", "--rate", "100000"];
    let survey: Vec<&str> = survey.into_iter().chain(faults).collect();
    let (code, out, err) = in_background(folder, &survey).await;
    assert_eq!(code, 4, "{out}{err}");
}

/// A survey that comes after the first and read nothing: why is told as its page told it.
fn unread(folder: &Path) {
    let name = std::fs::read_dir(folder.join("out/surveys")).unwrap().next().unwrap().unwrap().file_name();
    let first = folder.join("out/surveys").join(&name);
    let mut survey: Value =
        serde_json::from_str(&std::fs::read_to_string(first.join("survey.json")).unwrap()).unwrap();
    let page = &mut survey["pages"][0];
    page["capture"] = Value::Null;
    page["failure"] = MARKUP.into();
    survey["pages"] = json!([page]);
    let later = format!("out/surveys/{}-later", name.to_str().unwrap());
    text(folder, &format!("{later}/survey.json"), &survey.to_string());
    std::fs::copy(first.join("site.json"), folder.join(&later).join("site.json")).unwrap();
}

/// What a page says, after it was seen that nothing on it is forged.
async fn inert(browser: &Browser, address: &str) -> String {
    go(browser, address).await;
    let found = browser.js(FORGED).await;
    let none =
        json!({ "owned": null, "elements": 0, "handlers": 0, "links": 0, "pictures": 0, "scripts": 0 });
    assert_eq!(found, none, "{address}");
    // what is folded up too
    browser.js("return document.body.textContent + document.title").await.as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: it starts a browser"]
async fn what_others_wrote_is_text_on_every_page() {
    let folder = tempfile::tempdir().unwrap();
    stage(folder.path()).await;
    let server = serve(folder.path(), &["--site", "twin", "--store", "store"]);
    let trace = json!({ "id": id(1), "thread_id": MARKUP, "question": MARKUP, "error": MARKUP, "pipeline_used": MARKUP,
                        "tool_calls": [MARKUP], "node_sequence": [MARKUP] });
    let sent = client().post(format!("{}/api/traces", server.base)).json(&trace).send().await.unwrap();
    assert_eq!(sent.status(), 200);
    let profile = tempfile::tempdir().unwrap();
    let browser = Browser::start(profile.path()).await;

    // the failure is judged and a job started in somebody else's name, which is markup too
    let csrf = inert(&browser, &format!("{}/production", server.base)).await;
    assert!(csrf.contains("forged-element"));
    let script = "const form = document.querySelector('form[action=\"/do/failure-review\"]');
        form.by.value = arguments[0]; form.reason.value = arguments[0]; form.requestSubmit()";
    browser.client.execute(script, vec![MARKUP.into()]).await.unwrap();
    crate::hands::says(&browser, "Done by").await;

    // every page that a link leads to
    let (mut due, mut seen) = (vec!["/".to_owned()], BTreeSet::new());
    let mut with_markup = BTreeSet::new();
    while let Some(path) = due.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let said = inert(&browser, &format!("{}{path}", server.base)).await;
        if said.contains("forged-element") {
            with_markup.insert(path);
        }
        let script = "return [...document.querySelectorAll('a[href]')].map(one => one.getAttribute('href').split('#')[0])";
        let links: Vec<String> = serde_json::from_value(browser.js(script).await).unwrap();
        let pages = links.into_iter().filter(|link| link.starts_with('/') && !link.contains(['.', '?']));
        due.extend(pages);
    }
    let kinds: BTreeSet<&str> =
        with_markup.iter().map(|path| path.split('/').nth(1).unwrap_or_default()).collect();
    let wanted =
        ["", "changes", "configuration", "points", "production", "records", "review", "runs", "spot-checks"];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), wanted, "{seen:?}");
    let points = inert(&browser, &format!("{}/points", server.base)).await;
    for wording in [HEADING, MARKUP] {
        assert!(points.contains(wording), "{wording}: {points}");
    }
    unread(folder.path());
    let points = inert(&browser, &format!("{}/points", server.base)).await;
    assert!(points.contains("the survey read no page") && points.contains(MARKUP), "{points}");
    for path in ["/records/61", "/review/63", "/spot-checks"] {
        assert!(with_markup.contains(path), "{path}: {with_markup:?}");
    }
    assert!(with_markup.iter().any(|path| path.starts_with("/production/")), "{with_markup:?}");
    let runs: Vec<&String> = with_markup.iter().filter(|path| path.starts_with("/runs/")).collect();
    assert_eq!(runs.len(), 2, "{with_markup:?}");
    let names: Vec<&str> = runs.iter().map(|path| path.trim_start_matches("/runs/")).collect();
    inert(&browser, &format!("{}/compare?first={}&second={}", server.base, names[0], names[1])).await;

    // the same as files
    let (code, out, err) =
        in_background(folder.path(), &["site", "pages", "--site", "twin", "--store", "store"]).await;
    assert_eq!(code, 0, "{out}{err}");
    let mut folders = vec![folder.path().join("pages")];
    let (mut files, mut forged) = (0, 0);
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "html") {
                let said = inert(&browser, &format!("file://{}", path.display())).await;
                (files, forged) = (files + 1, forged + usize::from(said.contains("forged-element")));
            }
        }
    }
    assert!(files >= 12 && forged >= 9, "{forged} of {files}");
    in_peace(&browser).await;
}
