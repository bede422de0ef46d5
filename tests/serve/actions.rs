//! Long work and everything else that is done at the desk, by keyboard and by mouse, its effect read from the files; a kill in the middle
//! of it; a failure that becomes a regression target.

use std::path::{Path, PathBuf};
use std::process::Command;

use atlas_gt_twin::{self as twin, TwinOptions};
use fantoccini::Locator;
use serde_json::{Value, json};

use crate::agent::Agent;
use crate::chromium::Browser;
use crate::hands::{
    ENTER, click, fill, go, in_background, in_peace, looked_at, press, says, send, tab_to, text, type_in,
    unfold,
};
use crate::{client, id, serve};

const RIGHT: &str = "Kenya's GDP per capita was $2,274 in 2024.";

fn runs(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder.join("runs")).into_iter().flatten();
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| folder.join("runs").join(name).join("run.json").is_file())
        .collect();
    names.sort();
    names
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The processes that a process started.
fn children(process: u32) -> Vec<String> {
    let parent = format!("PPid:\t{process}");
    let entries = std::fs::read_dir("/proc").unwrap().filter_map(|entry| Some(entry.ok()?.path()));
    let is_child = |path: &PathBuf| {
        std::fs::read_to_string(path.join("status"))
            .is_ok_and(|status| status.lines().any(|line| line == parent))
    };
    entries.filter(is_child).filter_map(|path| path.file_name()?.to_str().map(str::to_owned)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: it collects and refreshes with browsers"]
async fn long_work_is_followed_stopped_and_outlasts_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let site = twin::start(TwinOptions { rate_limit: None, ..TwinOptions::default() }).await.unwrap();
    let shared = ["--site", &site.base_url, "--store", "store"];
    let (code, out, err) =
        in_background(folder.path(), &[&["collect", "--questions", "61,64"][..], &shared].concat()).await;
    assert_eq!(code, 0, "{out}{err}");
    let agent = Agent::start().await;
    agent.says("GDP per capita", Some(RIGHT));
    agent.says("income group", None);

    let mut server = serve(folder.path(), &shared);
    let (profile, other_profile) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let browser = Browser::start(profile.path()).await;
    let other = Browser::start(other_profile.path()).await;

    // an evaluation, started by keyboard alone; one question is answered, the agent keeps the other waiting
    go(&browser, &server.base).await;
    tab_to(&browser, Locator::Css("form[action='/do/eval'] input[name=agent]")).await;
    type_in(&browser, &agent.address).await;
    tab_to(&browser, Locator::Css("form[action='/do/eval'] input[name=questions]")).await;
    send(&browser, "61,64").await;
    says(&browser, "1 of 2 questions").await;
    looked_at(&browser, &server.base, &["/jobs/1", "/jobs"]).await;
    go(&browser, &format!("{}/jobs/1", server.base)).await;
    says(&browser, "1 of 2 questions").await;
    assert!(
        text(&browser).await.contains("atlas-gt eval run --agent=http://127.0.0.1:"),
        "it survives a reload"
    );
    // another browser sees it, and may not start a second one
    go(&other, &server.base).await;
    assert!(text(&other).await.contains("Jobs 1"), "{}", text(&other).await);
    click(&other, "form[action='/do/collect'] button").await;
    says(&other, "Not done:").await;
    says(&other, "job 1 is running").await;
    // stopped by key: what is in hand is finished, and the rest can be gone on with
    press(&browser, "x").await;
    says(&browser, "Done by tester: kill -INT").await;
    says(&browser, "stopping after the current answers").await;
    agent.says("income group", Some("I do not know."));
    says(&browser, "exit code").await;
    assert_eq!(runs(folder.path()).len(), 1);

    // a kill in the middle, of the server and of what it started
    agent.says("income group", None);
    go(&browser, &server.base).await;
    fill(&browser, "form[action='/do/eval'] input[name=agent]", &agent.address).await;
    fill(&browser, "form[action='/do/eval'] input[name=questions]", "61,64").await;
    click(&browser, "form[action='/do/eval'] button").await;
    says(&browser, "1 of 2 questions").await;
    let started = children(server.process.id());
    assert_eq!(started.len(), 1, "{started:?}");
    server.process.kill().unwrap();
    assert!(Command::new("kill").args(["-KILL", &started[0]]).status().unwrap().success());
    drop(server);
    let names = runs(folder.path());
    assert_eq!(names.len(), 2);
    let second = folder.path().join("runs").join(&names[1]);
    let answered = std::fs::read_dir(second.join("questions")).unwrap().count();
    assert!(answered >= 1);
    let (code, out, err) = in_background(folder.path(), &["verify", "--store", "store"]).await;
    assert_eq!(code, 0, "{out}{err}");
    agent.says("income group", Some("I do not know."));
    let (_, out, err) = in_background(folder.path(), &["eval", "resume", "latest"]).await;
    assert!(out.contains("61") && json(&second.join("summary.json"))["questions"] != 0, "{out}{err}");
    // the browser's connection to the server that is gone is said in its console
    browser.log("browser").await;

    // is this verdict right? what a person says stands beside it, and is a label of the calibration
    let server = serve(folder.path(), &shared);
    go(&browser, &format!("{}/runs/{}", server.base, names[1])).await;
    tab_to(&browser, Locator::Css("#q61 summary")).await;
    type_in(&browser, ENTER).await;
    tab_to(&browser, Locator::Css("#q61 select[name=label]")).await;
    type_in(&browser, "f").await;
    tab_to(&browser, Locator::Css("#q61 button")).await;
    press(&browser, ENTER).await;
    says(&browser, "Done by tester: atlas-gt eval label").await;
    says(&browser, "fail, the run says pass").await;
    let kept = std::fs::read_to_string(folder.path().join("runs/labels.jsonl")).unwrap();
    let label: Value = serde_json::from_str(kept.trim()).unwrap();
    assert_eq!((&label["label"], &label["id"]), (&json!("fail"), &json!(format!("{}/61", names[1]))));
    assert_eq!(
        json(&second.join("questions/61.json"))["scored"]["verdict"],
        "pass",
        "the run keeps its verdict"
    );
    looked_at(&browser, &server.base, &[&format!("/runs/{}", names[1]), "/runs"]).await;
    // any two beside each other
    click(&browser, "form[action='/compare'] button").await;
    says(&browser, "questions in both").await;

    // strategies: added by keyboard, tried, exported, imported, removed by mouse
    go(&browser, &format!("{}/configuration", server.base)).await;
    tab_to(&browser, Locator::Css("form[action='/do/strategy-set'] input[name=field]")).await;
    type_in(&browser, "name").await;
    tab_to(&browser, Locator::Css("form[action='/do/strategy-set'] select")).await;
    type_in(&browser, "FU").await;
    tab_to(&browser, Locator::Css("form[action='/do/strategy-set'] button")).await;
    press(&browser, ENTER).await;
    says(&browser, "Done by tester: printf").await;
    let strategies = folder.path().join("field_strategies.json");
    assert_eq!(json(&strategies), json!({ "name": "FUZZY" }));
    click(&browser, "form[action='/do/strategy-try'] button").await;
    says(
        &browser,
        "atlas-gt score json --truth truth.json --answer answer.json --strategies=field_strategies.json",
    )
    .await;
    assert!(text(&browser).await.contains("FUZZY"), "{}", text(&browser).await);
    looked_at(&browser, &server.base, &["/configuration", "/points"]).await;
    let exported =
        client().get(format!("{}/strategies.json", server.base)).send().await.unwrap().text().await.unwrap();
    assert_eq!(exported, std::fs::read_to_string(&strategies).unwrap());
    go(&browser, &format!("{}/configuration", server.base)).await;
    unfold(&browser, "details summary").await;
    fill(&browser, "form[action='/do/strategy-import'] textarea", "{\"a\": \"EXACT\", \"b\": \"NUMERIC\"}")
        .await;
    click(&browser, "form[action='/do/strategy-import'] button").await;
    says(&browser, "Done by tester: printf").await;
    assert_eq!(json(&strategies), json!({ "a": "EXACT", "b": "NUMERIC" }));
    click(&browser, "form[action='/do/strategy-remove'] button").await;
    says(&browser, "Done by tester: printf").await;
    assert_eq!(json(&strategies), json!({ "b": "NUMERIC" }));

    // a spot check and a refresh of what is stale, by mouse
    go(&browser, &server.base).await;
    fill(&browser, "form[action='/do/spot-check'] input[name=agent]", &agent.address).await;
    fill(&browser, "form[action='/do/spot-check'] input[name=questions]", "61,64").await;
    click(&browser, "form[action='/do/spot-check'] button").await;
    says(&browser, "exit code").await;
    go(&browser, &format!("{}/spot-checks", server.base)).await;
    // a plain refusal is a missing value, whatever kind the value is
    says(&browser, "2 checked").await;
    looked_at(&browser, &server.base, &["/spot-checks"]).await;
    go(&browser, &server.base).await;
    click(&browser, "form[action='/do/refresh-stale'] button").await;
    says(&browser, "exit code").await;

    in_peace(&browser).await;
    in_peace(&other).await;
    site.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: it collects with browsers"]
async fn a_failure_is_promoted_reproduced_and_mended_at_the_desk() {
    let folder = tempfile::tempdir().unwrap();
    let site = twin::start(TwinOptions { rate_limit: None, ..TwinOptions::default() }).await.unwrap();
    let shared = ["--site", &site.base_url, "--store", "store"];
    let agent = Agent::start().await;
    agent.says("GDP per head", Some("I could not find that."));
    let server = serve(folder.path(), &shared);
    let trace = json!({ "id": id(1), "thread_id": "t", "question": "How high is Kenya's GDP per head?", "error": "KeyError: 'gdp'" });
    client().post(format!("{}/api/traces", server.base)).json(&trace).send().await.unwrap();
    let profile = tempfile::tempdir().unwrap();
    let browser = Browser::start(profile.path()).await;

    go(&browser, &format!("{}/production", server.base)).await;
    press(&browser, "p").await;
    says(&browser, "Page and data points").await;
    let address = browser.client.current_url().await.unwrap();
    let failure = address.path_segments().unwrap().next_back().unwrap().to_owned();
    looked_at(&browser, &server.base, &[&format!("/production/{failure}")]).await;
    go(&browser, address.as_str()).await;
    // where no page is proposed, the question that is most like it is chosen
    let chosen = browser.client.find(Locator::Css("select[name=like]")).await.unwrap();
    assert!(chosen.text().await.unwrap().contains("like 61"), "{}", text(&browser).await);
    chosen.select_by_value("61").await.unwrap();
    tab_to(&browser, Locator::Css("input[name=agent]")).await;
    send(&browser, &agent.address).await;
    says(&browser, "atlas-gt failures promote").await;
    says(&browser, "exit code").await;
    assert!(text(&browser).await.contains("reproduced in run"), "{}", text(&browser).await);
    let manifest = json(&folder.path().join("manifests/production.json"));
    let question = &manifest["questions"][0];
    assert_eq!(
        (&question["question_text"], &question["category"]),
        (&trace["question"], &json!("production_failure"))
    );
    let number = question["question_id"].to_string();
    go(&browser, &format!("{}/production", server.base)).await;
    says(&browser, &format!("question {number}")).await;
    says(&browser, "Regression target: reproduced (fail)").await;
    looked_at(&browser, &server.base, &["/production"]).await;

    // the agent is mended: asked again, the target turns green
    agent.says("GDP per head", Some(RIGHT));
    go(&browser, &format!("{}/production", server.base)).await;
    press(&browser, "p").await;
    says(&browser, "asks this already").await;
    fill(&browser, "input[name=agent]", &agent.address).await;
    press(&browser, "a").await;
    says(&browser, "not reproduced in run").await;
    go(&browser, &format!("{}/production", server.base)).await;
    says(&browser, "Regression target: fixed").await;
    let week = client()
        .get(format!("{}/production/week.md", server.base))
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    assert!(
        week.starts_with("# Failures in production") && week.contains(&format!("question {number}")),
        "{week}"
    );
    in_peace(&browser).await;
    site.shutdown().await;
}
