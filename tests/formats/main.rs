//! Every command in every format: exit codes that agree, JSON that fits its schema, JSON lines that add up to it, pages and Markdown in
//! which nothing of others is markup. And how little a new command takes.

#[path = "../chromium/mod.rs"]
mod chromium;
mod errors;
mod exercise;
mod notify;
mod pages;
#[path = "../provider/mod.rs"]
#[expect(dead_code, reason = "one manner of judging is enough here")]
mod provider;
mod schemas;
#[path = "../serve/shelf.rs"]
#[expect(dead_code, reason = "one value under review is enough here")]
mod shelf;
#[path = "../stage/tree.rs"]
mod tree;
mod wrong_inputs;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use atlas_gt::manifest::QuestionId;
use atlas_gt::truth::review::{self, Review};
use atlas_gt::truth::run_log::RunLog;
use atlas_gt::truth::{Site, Store};
use serde_json::{Map, Value, json};

use provider::{Format, Manner, Provider};
use schemas::fits;

/// The repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A moment at which the records of the example store are fresh.
const NOW: &str = "2026-11-21T10:30:00Z";

/// What nobody's text may become.
const HOSTILE: &str = "<script>window.hostile=1</script><img src=x onerror=window.hostile=1>\u{1b}[31m";

/// A folder with all that the commands of the table name.
fn stage(folder: &Path) {
    let copy = |from: &Path, to: &Path| {
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(from, to).unwrap();
    };
    for entry in ["61/results.json", "61/provenance.json", "site.json", "checks.jsonl"] {
        copy(&root().join("examples/scoring/store").join(entry), &folder.join("store").join(entry));
    }
    for name in
        ["suite.yaml", "answers.jsonl", "facts.json", "report.md", "case.yaml", "calls.json", "pairs.jsonl"]
    {
        copy(&root().join("examples/scoring").join(name), &folder.join(name));
    }
    for name in ["run_first.jsonl", "run_second.jsonl", "truth.json", "answer.json", "values.jsonl"] {
        copy(&root().join("examples/scoring").join(name), &folder.join(name));
    }
    let write = |name: &str, value: &Value| {
        std::fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
        std::fs::write(folder.join(name), value.to_string()).unwrap();
    };
    write("questions.json", &json!([{ "question_id": 7, "question": HOSTILE, "category": HOSTILE }]));
    let row = json!({ "metric": HOSTILE, "country": "Kenya", "value": HOSTILE, "year": 1802 });
    let record = json!({
        "question_id": 7, "execution_timestamp": "2026-03-15T10:30:00Z", "source": HOSTILE,
        "source_method": "graphql_api", "results": { "data": [row] },
    });
    write("results/7/ground_truth/results.json", &record);
    write("told.jsonl", &json!({ "question_id": 61, "answer": format!("It is $9. {HOSTILE}") }));
    let trace = json!({ "thread_id": "t", "question": HOSTILE, "error": HOSTILE });
    let wrong = json!({ "thread_id": "t", "question": " " });
    std::fs::write(folder.join("traces.jsonl"), format!("{trace}\n{wrong}\n")).unwrap();
    write("component.jsonl", &json!({ "id": "idr_001", "answer": { "country_id": 1 } }));
    std::fs::write(folder.join("broken.yaml"), "name: s\ncases: []\n").unwrap();
    let label =
        json!({ "id": "l", "question": HOSTILE, "answer": HOSTILE, "truth": HOSTILE, "label": "pass" });
    write("labels.jsonl", &label);
    // three questions of the manifest: all of them take a debug build half a second to read, at each start
    let mut manifest: Value = serde_json::from_str(include_str!("../../manifests/atlas.json")).unwrap();
    let questions = manifest["questions"].as_array_mut().unwrap();
    questions.retain(|one| one["question_id"].as_u64().is_some_and(|id| (61..=63).contains(&id)));
    for one in questions {
        one["question_text"] = format!("{} {HOSTILE}", one["question_text"].as_str().unwrap()).into();
        one["category"] = HOSTILE.into();
    }
    write("manifest.json", &manifest);
    std::fs::write(folder.join("atlas-gt.toml"), "manifest = \"manifest.json\"\n").unwrap();
    let mut row = shelf::row("gdp_per_capita_rank", &format!("116th {HOSTILE}"));
    (row.metric, row.country, row.year) = (HOSTILE.to_owned(), HOSTILE.to_owned(), Some(HOSTILE.to_owned()));
    row.extra.insert("product".to_owned(), HOSTILE.into());
    let store = Store::open_as_found(folder.join("store")).unwrap();
    shelf::put_under_review(&store, "63", row, HOSTILE);
}

/// What the program says in the folder: exit code, standard output, standard error.
fn call(folder: &Path, line: &str, more: &[&str]) -> (i32, String, String) {
    call_with(Vec::new(), folder, line, more)
}

/// The same, with variables of the environment.
fn call_with(
    variables: Vec<(&str, String)>,
    folder: &Path,
    line: &str,
    more: &[&str],
) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_atlas-gt"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("ATLAS_GT_")) {
        if !["ATLAS_GT_CHROMIUM", "ATLAS_GT_CHROMEDRIVER"].contains(&name.as_str()) {
            command.env_remove(name);
        }
    }
    command
        .env("ATLAS_GT_NOW", NOW)
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env_remove("RUST_LOG")
        .envs(variables);
    let output = command.current_dir(folder).args(line.split(' ')).args(more).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// A command: the schema of what it prints, its arguments, its exit code. `STORE` stands for the flags of the example store, `FAILURE`
/// for the failure in `traces.jsonl`.
type CommandRow = (&'static str, &'static str, i32);

/// The id of that failure, which follows from its question and its error.
const FAILURE: &str = "068b97e85c38";

/// The commands, in an order in which each finds what it needs: runs before they are compared, what waits before it is decided.
const COMMANDS: &[CommandRow] = &[
    ("annotate", "annotate --classification-set set.json --overwrite", 0),
    ("api_introspect", "api introspect --site twin", 0),
    ("collect", "collect STORE --questions 61 --max-age 3650d", 0),
    ("coverage", "coverage STORE", 0),
    ("doctor", "doctor STORE --chromium /nonexistent/program", 2),
    ("gc", "gc STORE --dry-run", 0),
    ("show", "show 61 STORE", 0),
    ("import", "import results --questions questions.json --dry-run", 0),
    ("lint", "lint results --questions questions.json", 3),
    ("lint_rules", "lint --explain GT005", 0),
    ("check", "manifest check", 0),
    ("plan", "plan", 0),
    ("twin_changes", "twin --vintage 2027 --changes", 0),
    ("schema", "schema", 0),
    ("score_answer", "score answer STORE --question 61 $9", 3),
    ("score_answers", "score answers STORE told.jsonl", 3),
    ("score_json", "score json --truth truth.json --answer answer.json", 0),
    ("score_json_summary", "score json --batch pairs.jsonl", 0),
    ("score_text", "score text --facts facts.json report.md", 0),
    ("score_values", "score values --truth $5 --displayed $9", 3),
    ("score_values_file", "score values --jsonl values.jsonl", 3),
    ("suite_case", "score tools --case case.yaml --trajectory calls.json", 3),
    ("suite_run", "suite run suite.yaml --answers answers.jsonl", 0),
    ("check", "suite check broken.yaml", 2),
    ("eval_compare", "eval compare run_first.jsonl run_second.jsonl --fail-on regressions", 3),
    ("component_check", "component check", 0),
    ("component_run", "component run --answers component.jsonl", 6),
    ("eval_summary", "eval run STORE --agent-site twin --answers told.jsonl --runs runs", 0),
    ("eval_summary", "eval report latest --runs runs", 0),
    ("eval_list", "eval list --runs runs", 0),
    ("eval_trend", "eval trend --runs runs", 0),
    ("eval_compare", "eval compare latest latest --runs runs", 0),
    ("eval_cost", "eval cost --runs runs", 0),
    ("eval_summary", "eval resume latest --runs runs", 0),
    ("eval_summary", "eval rescore latest --runs runs", 0),
    ("action", "eval label latest 61 fail --runs runs", 0),
    ("action", "eval export latest --otlp spans.jsonl --runs runs", 0),
    ("eval_calibrate", "eval calibrate labels.jsonl --judge openai:test-model --runs runs", 3),
    ("traces_import", "traces import traces.jsonl --database traces.db", 2),
    ("failures", "failures STORE --database traces.db", 3),
    ("refresh", "refresh STORE --api-only --questions 61 --vintage 2027", 3),
    ("stale", "stale STORE --older-than 1", 3),
    ("verify", "verify STORE", 3),
    ("status", "status STORE --runs runs", 3),
    ("review", "review list STORE", 0),
    ("site", "site pages STORE --runs runs --database traces.db", 0),
    ("review_show", "review show 63 STORE", 0),
    ("review_verdict", "review accept 63 STORE", 0),
    ("show", "show 63 STORE", 0),
    ("list", "list STORE --where Kenya", 0),
    ("history", "history 63 STORE", 0),
    ("export", "export STORE --sqlite truth.db", 0),
    ("export", "export STORE --csv tables", 0),
    ("review_verdict", "review undo 63 STORE", 0),
    ("review_verdict", "review reject 63 STORE --reason tried", 0),
    ("refresh_discard", "refresh STORE --discard --question 61", 0),
    ("refresh_undo", "refresh STORE --undo", 0),
    ("refresh_commit", "refresh STORE --commit --kind rounding", 2),
    ("refresh_commit", "refresh STORE --commit --force --question 61 --reason tried", 0),
    ("changelog", "changelog STORE", 0),
    ("action", "failures review FAILURE STORE --database traces.db --class infrastructure --reason tried", 0),
    ("action", "failures undo FAILURE STORE --database traces.db", 0),
    (
        "failures_promote",
        "failures promote FAILURE STORE --database traces.db --manifest own.json --like 61 --propose",
        0,
    ),
    ("action", "failures promote FAILURE STORE --database traces.db --manifest own.json --like 61", 0),
];

/// Commands that open pages in a browser, for seconds each. `VISIT` stands for how they do so.
const VISITS: &[CommandRow] = &[
    ("survey", "survey VISIT --pages geomap --fault wordings-renamed=2 --out survey --html survey.html", 4),
    ("mend", "mend survey STORE --html proposals.html", 3),
    (
        "spot_check",
        "spot-check VISIT --agent-site twin --answers told.jsonl --questions 61 --report checked",
        3,
    ),
];

/// Commands that print no report, with the tests that hold them.
const ELSEWHERE: &[(&str, &str)] = &[
    // a manifest
    ("manifest from", "tests/health"),
    // an address, until it is interrupted
    ("serve", "tests/serve"),
    // a script for a shell
    ("completions", "tests/packaging"),
];

#[test]
fn every_command_is_in_the_table_or_held_by_its_own_test() {
    let listed = include_str!("../../docs/reference/commands.md");
    let heads = listed.lines().filter_map(|line| line.trim_start_matches('#').strip_prefix(" `atlas-gt "));
    let all: Vec<&str> = heads.map(|head| head.trim_end_matches('`')).collect();
    assert!(all.len() > 60, "{all:?}");
    let begins = |line: &str, name: &str| line == name || line.starts_with(&format!("{name} "));
    for name in &all {
        let is_group = all.iter().any(|other| other != name && begins(other, name));
        let in_table = COMMANDS.iter().chain(VISITS).any(|(_, line, _)| begins(line, name));
        let elsewhere = ELSEWHERE.iter().any(|(own, place)| own == name && root().join(place).exists());
        assert!(is_group || in_table != elsewhere, "{name}: in the table {in_table}, elsewhere {elsewhere}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_command_prints_every_format_and_documents_that_fit_and_add_up() {
    let judge = Provider::start([], Manner::Grade(1.0)).await;
    print_all(COMMANDS, &judge);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: make test-deep"]
async fn every_command_that_opens_pages_prints_every_format() {
    let judge = Provider::start([], Manner::Grade(1.0)).await;
    print_all(VISITS, &judge);
}

/// The formats.
const FORMATS: [&str; 7] = ["html", "json", "md", "jsonl", "table", "junit", "sarif"];

/// Runs rows in a folder in one format. Each finds what the rows above it left.
fn print_in(
    format: &str,
    folder: &Path,
    rows: &[CommandRow],
    judge: &Provider,
) -> Vec<(i32, String, String)> {
    stage(folder);
    let print = |(_, line, _): &CommandRow| {
        let line = line.replace("VISIT", "STORE --rate 100000 --page-timeout 60");
        let line = line.replace("STORE", "--site twin --store store").replace("FAILURE", FAILURE);
        call_with(judge.variables(), folder, &line, &["--format", format])
    };
    rows.iter().map(print).collect()
}

/// Runs rows in every format, each in a folder of its own, two at a time; checks all that they print.
fn print_all(rows: &[CommandRow], judge: &Provider) {
    let (left, printed) = (Mutex::new(FORMATS.into_iter()), Mutex::new(BTreeMap::new()));
    let work = || {
        while let Some(format) = { left.lock().unwrap().next() } {
            let folder = tempfile::tempdir().unwrap();
            let said = print_in(format, folder.path(), rows, judge);
            printed.lock().unwrap().insert(format, said);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    let printed = printed.into_inner().unwrap();
    let mut wrong: Vec<String> = Vec::new();
    for (at, (schema, line, due)) in rows.iter().enumerate() {
        for (format, (code, out, err)) in printed.iter().map(|(format, said)| (*format, &said[at])) {
            // SARIF is refused by every command but `lint`, before it runs
            let due = if format == "sarif" && *schema != "lint" { 2 } else { *due };
            let is_well = *code == due && (format == "sarif" || due == 2 || !out.trim().is_empty());
            if !is_well {
                wrong.push(format!("{line} --format {format}: exit code {code} for {due}\n{out}{err}"));
            }
            for (odd, formats) in [
                ("<script>window", &["md", "html", "junit"][..]),
                ("<img src=x", &["md", "html", "junit"]),
                ("\u{1b}", &["table", "md", "html", "junit"]),
            ] {
                if formats.contains(&format) && out.contains(odd) {
                    wrong.push(format!("{line} --format {format}: {odd:?} in\n{out}"));
                }
            }
        }
        let [json, jsonl] = ["json", "jsonl"].map(|format| &printed[format][at].1);
        match serde_json::from_str::<Value>(json) {
            // a command that is refused says so in the requested format
            Ok(whole) if *due == 2 && whole.get("error").is_some() => {
                wrong.extend(fits("error", &whole).err().map(|error| format!("{line}: {error}\n{whole:#}")));
            }
            Ok(whole) => {
                wrong.extend(fits(schema, &whole).err().map(|error| format!("{line}: {error}\n{whole:#}")));
                wrong.extend(adds_up(&whole, jsonl).err().map(|error| format!("{line}: {error}")));
            }
            Err(error) => wrong.push(format!("{line}: {error}: {json}")),
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

/// JSON lines are the items of the one list that they leave out of the summary, and the summary; or the whole in one line.
fn adds_up(whole: &Value, lines: &str) -> Result<(), String> {
    let parse = |line: &str| serde_json::from_str(line).map_err(|error| format!("{error}: {line}"));
    let mut lines: Vec<Value> = lines.lines().map(parse).collect::<Result<_, _>>()?;
    if lines.len() == 1 && lines[0].get("summary").is_none() {
        return Ok(());
    }
    let last = lines.pop().ok_or("no line")?;
    let Some(Value::Object(summary)) = last.get("summary") else { return Err(format!("no summary: {last}")) };
    let nested = whole.get("summary").and_then(Value::as_object);
    let known: &Map<String, Value> = nested.unwrap_or(whole.as_object().ok_or("no object")?);
    for (key, value) in known.iter().filter(|(key, _)| !VOLATILE.contains(&key.as_str())) {
        let in_lines = value.as_array().is_some_and(|items| items.len() == lines.len());
        if !in_lines && !summary.contains_key(key) && !value.is_null() {
            return Err(format!("`{key}` is in no line"));
        }
    }
    Ok(())
}

/// What differs between two runs of a command.
const VOLATILE: [&str; 1] = ["took_ms"];

/// Holds a file against its schema, as a whole or line by line.
fn file_fits(schema: &str, path: &Path) {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let by_line = path.extension().is_some_and(|ending| ending == "jsonl");
    let documents: Vec<&str> = if by_line { text.lines().collect() } else { vec![text.as_str()] };
    assert!(!documents.is_empty(), "{schema}");
    for document in documents {
        fits(schema, &serde_json::from_str(document).unwrap())
            .unwrap_or_else(|error| panic!("{path:?}: {error}"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_files_of_real_runs_fit_their_schemas() {
    let folder = tempfile::tempdir().unwrap();
    stage(folder.path());
    let provider = Provider::start([], Manner::Grade(1.0)).await;
    let judge = ["--judge", Format::OpenAi.judge()];
    let eval = "eval run --site twin --store store --agent-site twin --answers told.jsonl --runs runs --events e.jsonl";
    assert_eq!(call_with(provider.variables(), folder.path(), eval, &judge).0, 0);
    assert_eq!(call(folder.path(), "eval label latest 61 fail --runs runs", &[]).0, 0);
    let labels = folder.path().join("labels.jsonl");
    std::fs::copy(root().join("manifests/judge_anchor.jsonl"), labels).unwrap();
    let calibrate = "eval calibrate labels.jsonl --runs runs";
    assert_eq!(call_with(provider.variables(), folder.path(), calibrate, &judge).0, 3);
    let suite = "suite run suite.yaml --answers answers.jsonl --runs suites";
    assert_eq!(call(folder.path(), suite, &[]).0, 0);
    let store = folder.path().join("store");
    let refresh = "refresh --site twin --store store --api-only --questions 61 --vintage 2027";
    assert_eq!(call(folder.path(), refresh, &[]).0, 3);
    file_fits("store_pending", &store.join("pending/61.json"));
    let forced = "refresh --site twin --store store --commit --force --question 61 --reason tried";
    let (code, out, err) = call(folder.path(), forced, &[]);
    assert_eq!(code, 0, "{out}{err}");
    let inside = |folder: PathBuf| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let run_in =
        |name: &str| inside(folder.path().join(name)).find(|path| path.join("run.json").is_file()).unwrap();
    let (run, of_suite) = (run_in("runs"), run_in("suites"));
    let calibration = inside(folder.path().join("runs/calibration")).next().unwrap();
    for (schema, path) in [
        ("results", store.join("61/results.json")),
        ("provenance", store.join("61/provenance.json")),
        ("store_site", store.join("site.json")),
        ("store_judged", store.join("judged/61.json")),
        ("checks_line", store.join("checks.jsonl")),
        ("changelog_line", store.join("changelog.jsonl")),
        ("run_question", run.join("questions/61.json")),
        ("run_summary", run.join("summary.json")),
        ("run_settings", run.join("run.json")),
        ("run_anchors", run.join("anchors.json")),
        ("run_calibration", calibration),
        ("run_settings", of_suite.join("run.json")),
        ("run_summary", of_suite.join("summary.json")),
        ("run_history_line", folder.path().join("runs/history.jsonl")),
        ("run_labels_line", folder.path().join("runs/labels.jsonl")),
        ("events_line", folder.path().join("e.jsonl")),
    ] {
        file_fits(schema, &path);
    }
    inside(of_suite.join("questions")).for_each(|path| file_fits("run_question", &path));
}

#[test]
fn the_files_of_unfinished_work_fit_their_schemas() {
    let folder = tempfile::tempdir().unwrap();
    stage(folder.path());
    let path = folder.path().join("store");
    let store = Store::open(&path, Site::Twin).unwrap();
    let id: QuestionId = "61".parse().unwrap();
    let log = RunLog::of_collect(&store);
    log.begin(vec![id.clone()], Some(Path::new("own.json")), NOW.parse().unwrap()).unwrap();
    log.filing(&[&id], Vec::new()).unwrap();
    log.finished(&id, false).unwrap();
    let read = |name: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(path.join(name)).unwrap()).unwrap()
    };
    let waiting: Review = serde_json::from_value(json!({
        "question_id": id, "review": "needed", "seen_at": NOW, "capture": "0".repeat(64),
        "missing": [{ "field": "gdp_per_capita", "response_value": "$2,274", "looked_for": "a card" }],
        "record": read("61/results.json"), "provenance": read("61/provenance.json"),
    }))
    .unwrap();
    review::save(&store, &waiting).unwrap();
    file_fits("store_run_line", &path.join(".run.jsonl"));
    file_fits("store_review", &path.join("review/61.json"));
}

#[test]
fn an_export_holds_the_runs_beside_the_truth_and_answers_what_is_asked_often() {
    let folder = tempfile::tempdir().unwrap();
    stage(folder.path());
    let answer = json!({ "question_id": 61, "answer": "It is $9." });
    std::fs::write(folder.path().join("plain.jsonl"), answer.to_string()).unwrap();
    let eval = "eval run --site twin --store store --agent-site twin --answers plain.jsonl";
    assert_eq!(call(folder.path(), eval, &[]).0, 0);
    let csv = "export --site twin --store store --csv tables";
    for _ in 0..2 {
        let (code, out, err) = call(folder.path(), csv, &[]);
        assert_eq!(code, 0, "{err}");
        assert!(out.contains("1 record, 1 value, 0 changes") && out.contains("1 run with 1 answer"), "{out}");
    }
    let table =
        |name: &str| std::fs::read_to_string(folder.path().join(format!("tables/{name}.csv"))).unwrap();
    for (name, words) in [
        ("data_points", "gdp_per_capita"),
        ("truth_now", "2273.5"),
        ("runs", ",twin,manifest,"),
        ("answers", "It is $9."),
        ("scores", ",wrong,"),
        ("last_run_failures", ",fail,"),
        ("pass_rates", ",1,0,1,0"),
        ("last_visits", "2026-11-20T10:30:00Z"),
    ] {
        let text = table(name);
        assert!(text.lines().count() >= 2 && text.contains(words), "{name}: {text}");
    }
    assert_eq!(table("spot_checks").lines().count(), 1, "the head alone");
    std::fs::write(folder.path().join("tables/records.csv"), "of somebody").unwrap();
    assert_eq!(call(folder.path(), csv, &[]).0, 2, "nobody's file is replaced");
}

#[test]
fn a_schema_is_printed_as_it_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (_, listed, _) = call(folder.path(), "schema --format json", &[]);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let names: Vec<&str> =
        listed["schemas"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert!(names.len() > 50 && names.contains(&"manifest") && names.contains(&"results"), "{names:?}");
    for name in names {
        let (code, text, _) = call(folder.path(), "schema", &[name]);
        assert!(code == 0 && serde_json::from_str::<Value>(&text).is_ok(), "{name}");
        let is_kept = |folder: &str| {
            let kept = std::fs::read_to_string(root().join(format!("{folder}/{name}.schema.json")));
            kept.is_ok_and(|kept| kept == text)
        };
        assert!(name == "trace" || is_kept("docs/schemas") || is_kept("manifests"), "{name}");
    }
    assert_eq!(call(folder.path(), "schema nonsense", &[]).0, 2);
}
