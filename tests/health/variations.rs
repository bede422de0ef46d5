//! The same formats as a team may as well have them: a byte order mark and CRLF, keys in another order, nulls, numbers as texts, changes
//! under other names, behaviors that only the record says, a zone said twice. And what only a whole folder shows: the history of
//! another tool, components by question list and runs, two manifests with the same numbers.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::call;

const NOW: &str = "2026-11-20T10:30:00Z";
const ZONES: &str = "2026-02-28T10:14:09+00:00Z";

/// The keys of a change in percent, the values that teams write there, and the answer.
const CHANGES: [(&str, &str); 4] = [
    ("change_pct", r#""85.7%""#),
    ("percentage_change", "85.7"),
    ("percent_change", r#""85.7""#),
    ("pct_change", r#""85.7 %""#),
];

fn write(path: &Path, value: &Json, windows: bool) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let text = serde_json::to_string_pretty(value).unwrap();
    let text = if windows { format!("\u{feff}{}", text.replace('\n', "\r\n")) } else { text };
    fs::write(path, text).unwrap();
}

/// A folder with `our list.json`, `truth/` and `runs/`.
fn folder() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let at = |path: String| dir.path().join(path);
    let mut questions = Vec::new();
    let mut results = Vec::new();
    let countries = [("Türkiye", 792), ("Côte d'Ivoire", 384), ("Viet Nam", 704), ("South Korea", 410)];
    for (n, ((name, code), (key, value))) in countries.into_iter().zip(CHANGES).enumerate() {
        let id = 5 + n * 40;
        let page = format!("https://atlas.hks.harvard.edu/countries/{code}");
        let persona = if n % 2 == 0 { "student" } else { "analyst" };
        questions.push(json!({
            "persona": persona, "text": format!("What is {name}'s GDP per capita?"), "tags": if n == 0 { json!("smoke, gdp") } else { Json::Null },
            "expected_api_target": "country_pages", "id": id, "atlas_url": page, "expected_classification": null, "category_id": "own", "difficulty": "easy", "source": "atlas_country_page",
        }));
        let row = match n {
            0 => json!({ "gdp_per_capita": "12345", "year": "2024", "country": name }),
            1 => {
                json!({ "metric": "GDP per capita (current US$)", "raw_value": 12345.27, "value": "US$12,345", "country": name, "year": 2024, "note": null })
            }
            2 => {
                json!({ "metric": "gdp_per_capita", "value": 12345, "location": name, "year": 2024, "unit": "USD" })
            }
            _ => {
                json!({ "value": "$12,345", "metric": "GDP per capita", "country": name, "year": 2024, "extra": { "nested": [1, 2] } })
            }
        };
        let record = |id: usize, address: Json, rows: Json| {
            let id = if n % 2 == 0 { json!(id) } else { json!(id.to_string()) };
            json!({ "results": { "data": rows }, "execution_timestamp": ZONES, "question_id": id, "source_method": "graphql_api",
                "source": "atlas_country_page", "atlas_url": address })
        };
        let put = |id: usize, value: &Json| {
            write(&at(format!("truth/{id}/ground_truth/results.json")), value, n % 2 == 0)
        };
        put(id, &record(id, json!(page), json!([row])));
        let look = json!({ "match": true, "browser_value": "$12,345", "gt_value": "12345", "verification_timestamp": "2026-03-02T09:00:00Z",
            "source_method": "browser_country_page", "atlas_url": null, "match_note": null });
        write(&at(format!("truth/{id}/ground_truth/browser_verification.json")), &look, n % 2 == 1);
        // a change under another name, with what it came from
        questions.push(json!({ "id": id + 1, "text": format!("How much did {name}'s exports grow between 2010 and 2024, in percent?"),
            "category_id": "own", "difficulty": "hard", "source": "atlas_explore_page", "persona": null }));
        let mut row = json!({ "end_year": "2024", "start_year": "2010", "country": name, "end_value": "$16.22 billion", "start_value": "$8.73 billion",
            "raw_change": 0.857_353, "raw_start_value": 8_732_100_000_u64, "raw_end_value": 16_218_600_000_u64 });
        row[key] = serde_json::from_str(value).unwrap();
        let chart = format!(
            "https://atlas.hks.harvard.edu/explore/overtime?exporter=country-{code}&startYear=2010&endYear=2024"
        );
        put(id + 1, &record(id + 1, json!(chart), json!([row])));
        // how to behave, said by the record alone
        questions.push(json!({ "id": id + 2, "text": format!("Who wins the next election in {name}?"), "category_id": "other", "expected_behavior": null }));
        put(
            id + 2,
            &record(
                id + 2,
                Json::Null,
                json!([{ "expected_behavior": "refuse_off_topic", "reason": "no trade" }]),
            ),
        );
        for (id, answer, tool) in [
            (id, format!("The GDP per capita of {name} was **$12,345** in 2024."), "atlas_graphql"),
            (id + 1, format!("{name}'s exports grew by 85.7 % between 2010 and 2024."), "query_tool"),
            (id + 2, "I can only help with questions about international trade.".to_owned(), ""),
        ] {
            let question = questions.iter().find(|one| one["id"] == id).unwrap();
            let is_graphql = tool == "atlas_graphql";
            let tools: Vec<&str> = Some(tool).filter(|tool| !tool.is_empty()).into_iter().collect();
            let link = format!("https://atlas.hks.harvard.edu/countries/{}", if n == 3 { 404 } else { code });
            results.push(json!({
                "cost": { "total_cost_usd": 0.0123, "by_pipeline": {} }, "answer": answer, "question_text": question["text"], "question_id": id, "agent_mode": "auto",
                "category": "own", "difficulty": null, "sql": null, "duration_s": 4.25, "status": "success", "error": null, "timestamp": "2026-03-01T10:00:00+00:00Z",
                "tools_used": tools, "tool_call_counts": {}, "tool_call_details": tools.iter().map(|tool| json!({ "index": 0, "tool_name": tool, "arguments": null, "result_content": "rows", "pipeline_metadata": null })).collect::<Vec<_>>(),
                "token_usage": { "total": { "total_tokens": 1100, "input_tokens": 1000, "output_tokens": 100, "call_count": 3 }, "by_pipeline": {} },
                "step_timing": [{ "node": "agent", "tool_pipeline": null, "wall_time_ms": 1200.5, "llm_time_ms": 1100, "io_time_ms": 0 }],
                "graphql_classification": is_graphql.then(|| json!({ "query_type": "country_profile", "is_rejected": false })),
                "graphql_entity_extraction": is_graphql.then(|| json!({ "country_name": name, "year": "2024" })),
                "graphql_resolved_params": is_graphql.then(|| json!({ "country_id": code })),
                "graphql_api_target": is_graphql.then_some("country_pages"),
                "graphql_atlas_links": if is_graphql { json!([{ "url": link, "label": name, "link_type": "country_page" }]) } else { json!([]) },
            }));
        }
    }
    let list = json!({ "version": 2, "questions": questions, "categories": [{ "name": "Own", "id": "own", "description": null }, { "name": "Other", "id": "other" }] });
    write(&at("our list.json".to_owned()), &list, true);
    for result in results.iter().step_by(2) {
        write(&at(format!("runs/20260301/{}/result.json", result["question_id"])), result, true);
    }
    write(
        &at("runs/20260301/summary.json".to_owned()),
        &json!({ "agent_model": "m", "questions_run": 12, "succeeded": 12, "failed": 0, "results": results }),
        false,
    );
    let line = |day: u8, rate: f64| {
        json!({ "timestamp": format!("2026-02-{day}T10:00:00+00:00Z"), "run_id": format!("r{day}"), "agent_model": null,
        "judge_model": "a judge", "questions_run": 12, "pass_rate": rate, "avg_score": 3.2, "by_category": { "own": {} }, "categories": ["own"], "total_cost_usd": 3.2 })
    };
    fs::write(at("runs/history.jsonl".to_owned()), format!("{}\n{}\n", line(10, 62.0), line(20, 0.64)))
        .unwrap();
    dir
}

fn run(dir: &TempDir, arguments: &[&str]) -> (i32, String, String) {
    call(dir.path(), NOW, arguments)
}

fn read_as(dir: &TempDir, arguments: &[&str]) -> Json {
    let (_, out, err) = run(dir, &[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"))
}

fn imported(dir: &TempDir) {
    let (code, out, err) = run(dir, &["import", "truth", "--questions", "our list.json", "--store", "store"]);
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn records_written_otherwise_are_right_and_say_what_answers() {
    let dir = folder();
    let (code, _, err) = run(&dir, &["manifest", "from", "our list.json", "--out", "manifest.json"]);
    assert!(code == 0 && err.contains("read as a list of 12 questions in 2 categories"), "{err}");
    let report = read_as(&dir, &["lint", "truth", "--questions", "our list.json", "--fail-on", "never"]);
    let alarms: Vec<&Json> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| !one["code"].as_str().unwrap().starts_with("GT012"))
        .collect();
    assert_eq!(alarms, [&Json::Null; 0], "nothing is wrong with them");
    imported(&dir);
    for n in 0..4 {
        let record: Json = serde_json::from_str(
            &fs::read_to_string(dir.path().join(format!("store/{}/results.json", 6 + n * 40))).unwrap(),
        )
        .unwrap();
        let rows = record["results"]["data"].as_array().unwrap();
        let asked: Vec<&Json> = rows.iter().filter(|row| row["support"] != true).collect();
        assert_eq!(
            (asked.len(), &asked[0]["number"], &asked[0]["unit"]),
            (1, &json!("85.7"), &json!("percent")),
            "{n}: {rows:?}"
        );
    }
    // every answer is right, one links to another country's page, which decides nothing
    let run = read_as(
        &dir,
        &[
            "eval",
            "run",
            "--answers",
            "runs",
            "--manifest",
            "our list.json",
            "--store",
            "store",
            "--runs",
            "own",
        ],
    );
    assert_eq!(run["counts"]["pass"], json!(12), "{}", run["findings"]);
    let links: Vec<(&str, &Json)> = run["links"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["name"].as_str().unwrap(), &one["counts"]["pass"]))
        .collect();
    assert_eq!(
        links,
        [("entity", &json!(3)), ("page_kind", &json!(4)), ("parameters", &json!(4)), ("present", &json!(4))]
    );
    let cohorts: Vec<&str> =
        run["cohorts"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(cohorts, ["persona analyst", "persona student", "tag gdp", "tag smoke"]);
    let compared =
        read_as(&dir, &["eval", "compare", "latest", "latest", "--persona", "student", "--runs", "own"]);
    assert_eq!(compared["questions"]["paired"], json!(2));
    let (code, _, err) =
        self::run(&dir, &["eval", "compare", "latest", "latest", "--tag", "slow", "--runs", "own"]);
    assert!(code == 2 && err.contains("is in the cohort slow"), "{err}");
}

#[test]
fn the_history_of_another_tool_stands_in_the_trend_as_another_judge_s() {
    let dir = folder();
    let trend = read_as(&dir, &["eval", "trend", "--runs", "runs"]);
    assert_eq!((trend["runs"].as_array().unwrap().len(), &trend["categories"]), (0, &json!({})));
    let rates: Vec<&Json> =
        trend["other_judges"].as_array().unwrap().iter().map(|one| &one["pass_rate"]).collect();
    assert_eq!(rates, [&json!(0.62), &json!(0.64)]);
    let (_, out, err) = run(&dir, &["eval", "trend", "--runs", "none", "--history", "runs/history.jsonl"]);
    assert!(out.contains("another tool's judge") && out.contains("a judge"), "{out}{err}");
    let (code, ..) = run(&dir, &["eval", "trend", "--history", "gone.jsonl"]);
    assert_eq!(code, 2);
}

#[test]
fn components_take_one_file_a_question_list_and_runs() {
    let dir = folder();
    // the list alone says what is expected of the API, and the runs what was answered
    let found = read_as(
        &dir,
        &["component", "run", "--cases", "our list.json", "--answers", "runs", "--runs", "own"],
    );
    let component = &found["components"][0];
    assert_eq!((&component["component"], &component["n"]), (&json!("classification"), &json!(4)));
    let metric = |component: &Json, name: &str| {
        let metrics = component["metrics"].as_array().unwrap();
        metrics.iter().find(|one| one["name"] == name).map(|one| one["result"]["successes"].clone())
    };
    assert_eq!(metric(component, "api_target"), Some(json!(4)));
    // one file of cases, known by its keys, with fields of its own
    let case = |id: &str, name: &str, year: u16| {
        json!({ "id": id, "question": format!("What is {name}'s GDP per capita?"), "input_query_type": "country_profile",
        "expected_country": name, "expected_year": year, "expected_trade_direction": null, "expected_partner_group": null, "expected_mood": null, "notes": "n" })
    };
    write(
        &dir.path().join("any name.json"),
        &json!([case("a", "Türkiye", 2024), case("b", "Viet Nam", 2023)]),
        true,
    );
    let checked = read_as(&dir, &["component", "check", "--cases", "any name.json"]);
    assert_eq!(
        checked["components"],
        json!([{ "component": "extraction", "cases": 2, "own_fields": ["mood"] }])
    );
    let found = read_as(
        &dir,
        &["component", "run", "--cases", "any name.json", "--answers", "runs", "--runs", "own"],
    );
    let component = &found["components"][0];
    let of = |name: &str| metric(component, name).unwrap();
    assert_eq!(
        [of("country"), of("year"), of("trade_direction"), of("mood")],
        [2, 1, 2, 2].map(|right| json!(right))
    );
}

#[test]
fn decision_34_a_store_remembers_its_questions_and_no_report_gives_a_record_another_s() {
    let dir = folder();
    imported(&dir);
    let marker = || -> Json {
        serde_json::from_str(&fs::read_to_string(dir.path().join("store/site.json")).unwrap()).unwrap()
    };
    let first = marker()["manifest"].clone();
    assert!(first.is_string());
    // the same questions in another file and another order are the same manifest
    let mut list: Json = serde_json::from_str(
        fs::read_to_string(dir.path().join("our list.json")).unwrap().trim_start_matches('\u{feff}'),
    )
    .unwrap();
    list["questions"].as_array_mut().unwrap().reverse();
    write(&dir.path().join("elsewhere.json"), &list, false);
    let (_, _, err) = run(&dir, &["coverage", "--manifest", "elsewhere.json", "--store", "store"]);
    assert!(!err.contains("another list"), "{err}");
    // the same questions and one more, as `failures promote` adds it
    let mut grown = list.clone();
    grown["questions"].as_array_mut().unwrap().push(json!({ "id": 9999, "text": "How large is Peru?" }));
    write(&dir.path().join("grown.json"), &grown, false);
    let (_, _, err) = run(&dir, &["coverage", "--manifest", "grown.json", "--store", "store"]);
    assert!(!err.contains("another list"), "{err}");
    let (_, out, _) = run(&dir, &["coverage", "--manifest", "our list.json", "--store", "store"]);
    assert!(out.contains("atlas-gt manifest check 'our list.json'"), "a path is quoted: {out}");
    // the same numbers and other questions
    let other: Vec<Json> = list["questions"].as_array().unwrap().iter().map(|one| json!({ "id": one["id"], "text": format!("How large is the population of Peru in {}?", one["id"]) })).collect();
    write(&dir.path().join("other.json"), &json!(other), false);
    let (_, out, err) =
        run(&dir, &["coverage", "--manifest", "other.json", "--store", "store", "--format", "json"]);
    assert!(err.contains("another list of questions"), "{err}");
    assert_eq!(serde_json::from_str::<Json>(&out).unwrap()["total"]["with_record"], json!(0));
    let settings = "manifest = \"other.json\"\nstore = \"store\"\n";
    fs::write(dir.path().join("atlas-gt.toml"), settings).unwrap();
    for arguments in [&["history", "5"][..], &["show", "5"], &["list"], &["stale"], &["lint"]] {
        let (_, out, err) = run(&dir, arguments);
        assert!(!out.contains("Peru"), "{arguments:?}: {out}{err}");
        assert!(arguments[0] == "lint" || out.contains("GDP per capita"), "{arguments:?}: {out}{err}");
    }
    let (code, _, err) = run(&dir, &["export", "--sqlite", "t.db"]);
    assert!(code == 2 && err.contains("has another question"), "{err}");
    let (code, out, err) = run(&dir, &["score", "answer", "--question", "5", "$12,345"]);
    assert!(code != 0 && !out.contains("12,345 is"), "{out}{err}");
    let (code, out, _) = run(
        &dir,
        &["import", "truth", "--questions", "our list.json", "--manifest", "other.json", "--store", "store"],
    );
    assert_eq!(code, 2, "{out}");
    assert_eq!(marker()["manifest"], first, "what was refused is not remembered");
}

#[test]
fn decision_34_an_answer_to_a_question_that_only_the_store_has_is_checked_by_its_text() {
    let dir = folder();
    imported(&dir);
    let gdp = "What is T\u{fc}rkiye's GDP per capita?";
    let line = |answer: &Json| fs::write(dir.path().join("a.jsonl"), answer.to_string() + "\n").unwrap();
    let said = |arguments: &[&str]| {
        let (code, out, err) =
            run(&dir, &[arguments, &["a.jsonl", "--manifest", "other.json", "--store", "store"]].concat());
        (code, (out + &err).split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let (score, eval) = (&["score", "answers"][..], &["eval", "run", "--runs", "own", "--answers"][..]);
    // whether or not the manifest asks the same under another number
    for text in ["How large is the population of Peru?", gdp] {
        write(&dir.path().join("other.json"), &json!([{ "id": 9999, "text": text }]), false);
        line(&json!({ "question_id": 5, "question": "Who sells tea?", "answer": "$12,345" }));
        for command in [score, eval] {
            let (code, told) = said(command);
            let due = format!("question 5 is \u{201c}{gdp}\u{201d} here");
            assert!(code == 2 && told.contains(&due), "{command:?}: {code} {told}");
        }
    }
    // a run scores none of them, and says so
    write(&dir.path().join("other.json"), &json!([{ "id": 9999, "text": "Who sells tea?" }]), false);
    line(&json!({ "question": gdp, "answer": "$12,345" }));
    let (code, told) = said(eval);
    let due = "1 of 1 answer is not scored, because the manifest lacks its question: 5";
    assert!(code == 2 && told.contains(due), "{code} {told}");
}

#[test]
fn decision_34_two_lists_with_the_same_numbers_do_not_cross_on_the_desk_nor_between_runs() {
    let dir = folder();
    imported(&dir);
    let list: Json = serde_json::from_str(
        fs::read_to_string(dir.path().join("our list.json")).unwrap().trim_start_matches('\u{feff}'),
    )
    .unwrap();
    let ids: Vec<String> =
        list["questions"].as_array().unwrap().iter().map(|one| one["id"].to_string()).collect();
    let peru = |id: &str| format!("How large is the population of Peru, by source {id}?");
    let other: Vec<Json> = ids.iter().map(|id| json!({ "id": id, "text": peru(id) })).collect();
    write(&dir.path().join("other.json"), &json!(other), false);
    let answers = ids.iter().map(|id| {
        json!({ "question_id": id, "question_text": peru(id), "answer": "Some 34 million." }).to_string()
            + "\n"
    });
    fs::write(dir.path().join("other.jsonl"), answers.collect::<String>()).unwrap();
    let all = ids.join(",");
    let run_of = |manifest: &str, answers: &str| {
        let of = ["--manifest", manifest, "--answers", answers, "--questions", &all];
        let run = read_as(&dir, &[&["eval", "run", "--store", "store", "--runs", "own"][..], &of].concat());
        run["run"].as_str().unwrap().to_owned()
    };
    let (ours, theirs) = (run_of("our list.json", "runs"), run_of("other.json", "other.jsonl"));

    // no record of the store is the truth of a question of the other list
    for id in &ids {
        let kept = fs::read_to_string(dir.path().join(format!("own/{theirs}/questions/{id}.json"))).unwrap();
        let kept: Json = serde_json::from_str(&kept).unwrap();
        assert_eq!((&kept["truth"], &kept["scored"]["verdict"]), (&Json::Null, &json!("unscored")), "{kept}");
    }
    // what has one number in two runs and is two questions is not compared, nor asked again for the other's failure
    let (code, out, err) = run(&dir, &["eval", "compare", &ours, &theirs, "--runs", "own"]);
    assert!(code == 2 && err.contains("no question in common"), "{code} {out}{err}");
    let failed =
        ["eval", "run", "--answers", "other.jsonl", "--manifest", "other.json", "--failed-in", &ours];
    let (code, out, err) = run(&dir, &[&failed[..], &["--store", "store", "--runs", "own"]].concat());
    assert_eq!(code, 2, "{out}{err}");

    fs::write(dir.path().join("atlas-gt.toml"), "manifest = \"other.json\"\n").unwrap();
    let (code, out, err) = run(&dir, &["site", "pages", "--store", "store", "--runs", "own"]);
    assert_eq!(code, 0, "{out}{err}");
    let mut seen = 0;
    for (path, page) in crate::tree::tree(&dir.path().join("pages")) {
        let (path, page) = (path.display().to_string(), String::from_utf8_lossy(&page));
        let of_theirs = path.contains(&theirs);
        // the runs side by side name both by their numbers alone
        assert!(of_theirs || !page.contains("population of Peru"), "{path}");
        assert!(!of_theirs || !page.contains("$12,345"), "{path}");
        seen += usize::from(of_theirs) + usize::from(path.starts_with("records/"));
    }
    assert_eq!(seen, 9, "pages of eight records and of the run");
}
