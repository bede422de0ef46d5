//! `atlas-gt component`: whole runs against adapters with known mistakes; every number is counted by hand.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Map, Value, json};

type Answers = BTreeMap<String, Value>;

/// A command whose runs are kept in a folder of the test.
fn command(runs: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_atlas-gt"));
    command.env("ATLAS_GT_RUNS", runs).args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    let runs = tempfile::tempdir().unwrap();
    command(runs.path(), &[&["component"], arguments].concat()).output().unwrap()
}

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// The right answer to every case of a file: what it expects, of alternatives the last one.
fn right(file: &str) -> Answers {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/components").join(file);
    let cases: Vec<Map<String, Value>> =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let answer = |case: &Map<String, Value>| -> Value {
        let fields = case.iter().filter_map(|(key, value)| Some((key.strip_prefix("expected_")?, value)));
        let one = |value: &Value| value.as_array().and_then(|list| list.last()).unwrap_or(value).clone();
        Value::Object(fields.map(|(field, value)| (field.to_owned(), one(value))).collect())
    };
    cases.iter().map(|case| (case["id"].as_str().unwrap().to_owned(), answer(case))).collect()
}

fn write(folder: &Path, answers: &Answers) {
    for (id, answer) in answers {
        std::fs::write(folder.join(format!("{id}.json")), answer.to_string()).unwrap();
    }
}

/// `right/n` and outcome of a rate.
fn rate<'a>(metrics: &'a Value, name: &str) -> (String, &'a str) {
    let metric = metrics.as_array().unwrap().iter().find(|metric| metric["name"] == name).unwrap();
    let result = &metric["result"];
    (format!("{}/{}", result["successes"], result["n"]), metric["outcome"].as_str().unwrap_or(""))
}

/// Seven mistakes that are right or wrong in known ways, and one case at which the program fails.
fn mistaken() -> Answers {
    let mut answers = right("id_resolution.json");
    answers.get_mut("idr_001").unwrap()["country_id"] = json!(800);
    answers.get_mut("idr_016").unwrap()["product_id"] = json!(726);
    answers.get_mut("idr_017").unwrap()["product_id"] = Value::Null;
    // another way to write what is right
    answers.insert("idr_018".into(), json!({"country_id": "location-528", "product_id": "product-HS92-696"}));
    answers.get_mut("idr_036").unwrap()["product_id"] = json!(4002);
    // a country for one that does not exist
    answers.get_mut("idr_041").unwrap()["country_id"] = json!(404);
    answers.remove("idr_045");
    answers
}

const ADAPTER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/eval/component_adapter.sh");

fn check_mistakes(report: &Value) {
    let report = &report["components"][0];
    assert_eq!((&report["n"], &report["without_answer"]), (&json!(45), &json!(1)));
    // 82.1 to 97.7 % where 95 % are asked for, 79.3 to 96.5 % where 90 % are
    assert_eq!(rate(&report["metrics"], "country accuracy"), ("42/45".into(), "too_few_to_tell"));
    assert_eq!(rate(&report["metrics"], "product accuracy"), ("41/45".into(), "too_few_to_tell"));
    assert_eq!(rate(&report["metrics"], "all fields right").0, "39/45");
    let tiers: Vec<[String; 3]> = report["tiers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tier| {
            [
                tier["tier"].as_str().unwrap().to_owned(),
                rate(&tier["metrics"], "country accuracy").0,
                rate(&tier["metrics"], "product accuracy").0,
            ]
        })
        .collect();
    let expected = [
        ["clean", "14/15", "15/15"],
        ["alias", "12/12", "10/12"],
        ["ambiguous", "8/8", "8/8"],
        ["services", "5/5", "4/5"],
        ["missing", "3/5", "4/5"],
    ];
    assert_eq!(tiers, expected.map(|tier| tier.map(str::to_owned)));
    let failures: Vec<&str> = report["failures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|failure| failure["id"].as_str().unwrap())
        .collect();
    assert_eq!(failures, ["idr_001", "idr_016", "idr_017", "idr_036", "idr_041", "idr_045"]);
    assert_eq!(
        report["failures"][0]["misses"],
        json!([{"field": "country_id", "expected": 404, "answered": 800}])
    );
}

#[test]
fn a_program_with_known_mistakes_gets_the_numbers_that_they_make() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &mistaken());
    let program = format!("'{ADAPTER}' '{}'", folder.path().display());
    let arguments = ["component", "run", "--component", "id_resolution", "--format", "json"];
    let asked = command(folder.path(), &[&arguments[..], &["--adapter-command", &program]].concat());
    let asked = { asked }.output().unwrap();
    check_mistakes(&report(&asked));
    assert_eq!(asked.status.code(), Some(6), "a case without an answer");
    // nothing of what is expected is given away
    let requests = std::fs::read_to_string(folder.path().join("asked")).unwrap();
    assert_eq!(requests.lines().count(), 45);
    assert!(
        requests.contains("\"question\":") && !requests.contains("expected") && !requests.contains("404")
    );
    // the same answers from a file
    let answers = folder.path().join("answers.jsonl");
    let line = |(id, answer): (&String, &Value)| json!({"id": id, "answer": answer}).to_string() + "\n";
    std::fs::write(&answers, mistaken().iter().map(line).collect::<String>()).unwrap();
    let again = run(&[&arguments[1..], &["--answers", answers.to_str().unwrap()]].concat());
    check_mistakes(&report(&again));
    assert_eq!(again.status.code(), Some(6));
}

#[test]
fn answers_from_standard_input_are_refused_and_not_waited_for() {
    let runs = tempfile::tempdir().unwrap();
    let mut asked = command(runs.path(), &["component", "run", "--answers", "-"]);
    let mut asked = asked.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // it stays open
    let input = asked.stdin.take();
    assert_eq!(asked.wait().unwrap().code(), Some(2));
    drop(input);
}

/// What every run can do: it is reported and scored again without asking, held against a gate, compared, and in a trend of its own.
#[test]
fn a_run_of_components_is_kept_as_any_other() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &mistaken());
    let program = format!("'{ADAPTER}' '{}'", folder.path().display());
    let json = |arguments: &[&str]| {
        let output = command(folder.path(), &[arguments, &["--format", "json"]].concat()).output().unwrap();
        let value = serde_json::from_slice::<Value>(&output.stdout);
        (
            output.status.code(),
            value.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr))),
        )
    };
    let gate = ["component", "run", "--component", "id_resolution", "--min-pass-rate", "0.9"];
    let (_, asked) = json(&[&gate[..], &["--adapter-command", &program]].concat());
    let (code, kept) = json(&["eval", "report", "latest"]);
    assert_eq!((code, &kept["components"]), (Some(6), &asked["components"]));
    // 39 of 45, one of them without an answer
    assert_eq!(kept["counts"], json!({"pass": 39, "partial": 0, "fail": 5, "unscored": 0, "error": 1}));
    assert_eq!((&kept["pass_rate"]["n"], &kept["gate"]["passed"]), (&45.into(), &false.into()));
    let (_, again) = json(&["eval", "rescore", "latest"]);
    assert_eq!((&again["components"], &again["rescore_of"]), (&asked["components"], &kept["run"]));
    let (code, compared) = json(&["eval", "compare", kept["run"].as_str().unwrap(), "latest"]);
    assert_eq!((code, &compared["questions"]["paired"]), (Some(0), &45.into()));
    let (_, trend) = json(&["eval", "trend", "--cases", "components"]);
    assert_eq!(trend["runs"].as_array().unwrap().len(), 2);
    let none = command(folder.path(), &["eval", "trend"]).output().unwrap();
    assert_eq!(none.status.code(), Some(2), "no run asked questions of the manifest");
    let asked = std::fs::read_to_string(folder.path().join("asked")).unwrap();
    assert_eq!(asked.lines().count(), 45, "nobody was asked again");
}

/// Killed at the eleventh case and resumed: the answers are those of one go, and no case that ended is asked again.
#[test]
fn a_run_that_is_killed_goes_on_with_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &mistaken());
    let held = folder.path().join("idr_011.json");
    let answer = std::fs::read(&held).unwrap();
    std::fs::remove_file(&held).unwrap();
    nix::unistd::mkfifo(&held, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let program = format!("'{ADAPTER}' '{}'", folder.path().display());
    let arguments = ["component", "run", "--component", "id_resolution", "--format", "json"];
    let asking = [&arguments[..], &["--concurrency", "1", "--adapter-command", &program]].concat();
    let runs = folder.path().join("runs");
    let mut child = command(&runs, &asking).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let asked = || std::fs::read_to_string(folder.path().join("asked")).unwrap_or_default();
    let started = std::time::Instant::now();
    while asked().lines().count() < 11 {
        assert!(started.elapsed().as_secs() < 60 && child.try_wait().unwrap().is_none(), "{}", asked());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    // SIGKILL; the program that still waits gets an answer that nobody reads
    child.kill().unwrap();
    child.wait().unwrap();
    let mut fifo = std::fs::OpenOptions::new().read(true).write(true).open(&held).unwrap();
    fifo.write_all(&answer).unwrap();
    drop(fifo);
    std::fs::remove_file(&held).unwrap();
    std::fs::write(&held, &answer).unwrap();
    let kept = std::fs::read_dir(&runs).unwrap().next().unwrap().unwrap().path().join("questions");
    assert_eq!(std::fs::read_dir(&kept).unwrap().count(), 10);

    let resumed = command(&runs, &["eval", "resume", "latest", "--format", "json"]).output().unwrap();
    check_mistakes(&report(&resumed));
    assert_eq!(resumed.status.code(), Some(6));
    let ids: Vec<String> = asked()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ids.len(), 46, "the case that was under way is asked a second time, and no other");
    assert_eq!((ids.iter().filter(|id| *id == "idr_011").count(), ids[10].as_str()), (2, "idr_011"));
    let whole = command(&folder.path().join("others"), &asking).output().unwrap();
    assert_eq!(report(&whole)["components"], report(&resumed)["components"]);
}

#[test]
fn an_address_is_asked_in_the_same_way() {
    use axum::extract::State;
    use axum::http::StatusCode;

    async fn answer(
        State(answers): State<Answers>,
        body: axum::Json<Value>,
    ) -> (StatusCode, axum::Json<Value>) {
        match answers.get(body["id"].as_str().unwrap()) {
            Some(answer) => (StatusCode::OK, axum::Json(answer.clone())),
            None => (StatusCode::INTERNAL_SERVER_ERROR, axum::Json(json!("it crashed"))),
        }
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = format!("http://{}/component", listener.local_addr().unwrap());
    let app = axum::Router::new().route("/component", axum::routing::post(answer)).with_state(mistaken());
    runtime.spawn(async move { axum::serve(listener, app).await.unwrap() });
    let output = run(&["run", "--component", "id_resolution", "--format", "json", "--adapter", &address]);
    let report = report(&output);
    check_mistakes(&report);
    assert!(
        report["components"][0]["failures"][5]["error"].as_str().unwrap().contains("status 500"),
        "{report:#}"
    );
    assert_eq!(output.status.code(), Some(6));
}

#[test]
fn decision_22_a_missed_threshold_is_exit_code_3_and_what_is_printed_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let answers = folder.path().join("answers.jsonl");
    let record = |sets: &[Answers]| {
        let lines =
            sets.iter().flatten().map(|(id, answer)| json!({"id": id, "answer": answer}).to_string() + "\n");
        std::fs::write(&answers, lines.collect::<String>()).unwrap();
    };
    let path = answers.to_str().unwrap();
    let all = ["classification.json", "entity_extraction.json", "id_resolution.json"].map(right);
    record(&all);
    let good = run(&["run", "--answers", path, "--format", "json"]);
    assert_eq!(good.status.code(), Some(0), "{}", String::from_utf8_lossy(&good.stdout));
    let good = report(&good);
    // all right is no proof where the cases are few
    for (at, name, outcome) in [
        (0, "accuracy", "met"),
        (0, "rejection recall", "too_few_to_tell"),
        (1, "country accuracy", "too_few_to_tell"),
        (2, "product accuracy", "met"),
        (2, "country accuracy", "too_few_to_tell"),
    ] {
        assert_eq!(rate(&good["components"][at]["metrics"], name).1, outcome, "{name}");
        assert_eq!(good["components"][at]["failures"], json!([]));
    }
    let table = String::from_utf8(run(&["run", "--answers", path]).stdout).unwrap();
    assert!(table.starts_with("exit code 0: no threshold is missed\n"), "{table}");

    // everything is a country profile: 4 of 60 are, none is rejected
    let [mut classification, extraction, ids] = all;
    for answer in classification.values_mut() {
        *answer = json!({"query_type": "country_profile", "api_target": "country_pages"});
    }
    record(&[classification, extraction, ids]);
    let bad = run(&["run", "--answers", path, "--format", "json"]);
    assert_eq!(bad.status.code(), Some(3));
    let bad = report(&bad);
    assert_eq!(rate(&bad["components"][0]["metrics"], "accuracy"), ("4/60".into(), "missed"));
    assert_eq!(bad["components"][0]["metrics"][1]["result"], Value::Null, "nothing was rejected");
    assert_eq!(rate(&bad["components"][0]["metrics"], "rejection recall"), ("0/12".into(), "missed"));
    let junit = run(&["run", "--answers", path, "--format", "junit", "--component", "classification"]);
    let junit = String::from_utf8(junit.stdout).unwrap();
    assert!(junit.contains("failures=\"2\"") && junit.contains("classification: accuracy"), "{junit}");
    let table = String::from_utf8(run(&["run", "--answers", path]).stdout).unwrap();
    assert!(table.contains("missed") && table.contains("4/60") && table.contains("cls_060"), "{table}");
    assert!(table.starts_with("exit code 3: a threshold is missed\n"), "{table}");
    assert!(junit.contains("name=\"verdict\" value=\"exit code 3: a threshold is missed\""), "{junit}");
}

#[test]
fn what_is_wrong_with_files_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let answers = folder.path().join("answers.jsonl");
    let complaint = |text: &str| {
        std::fs::write(&answers, text).unwrap();
        let output = run(&["run", "--answers", answers.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let good = "{\"id\": \"cls_001\", \"answer\": {}}\n";
    assert!(
        complaint("\n{\"id\": \"cls_999\", \"answer\": {}}")
            .contains("answers.jsonl:2:1: no case has the id")
    );
    assert!(complaint(&format!("{good}{good}")).contains("answers.jsonl:2:1"));
    assert!(complaint("{\"id\": \"cls_001\"}").contains("either `answer` or `error`"));

    let checked = run(&["check"]);
    assert_eq!(checked.status.code(), Some(0));
    assert!(String::from_utf8(checked.stdout).unwrap().contains("id_resolution: 45 cases, nothing wrong"));
    let case = json!([{"id": "c", "question": "q", "expected_query_type": "treemap", "expected_api_target": "explore"}]);
    std::fs::write(folder.path().join("classification.json"), format!("{case:#}")).unwrap();
    let output = run(&["check", "--component", "classification", "--cases", folder.path().to_str().unwrap()]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && error.contains("classification.json:3: case c:"), "{error}");
    assert!(error.contains("no query type has that name"), "{error}");
}

#[test]
fn a_component_takes_its_own_cases_of_a_file_and_every_bad_case_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mycases.json");
    let of = |id: &str, key: &str, value: Value| json!({"id": id, "question": "q", key: value}).to_string();
    let checked = |cases: &[String], component: &str| {
        std::fs::write(&path, format!("[\n{}\n]", cases.join(",\n"))).unwrap();
        let output = run(&["check", "--component", component, "--cases", path.to_str().unwrap()]);
        (
            output.status.code().unwrap(),
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat(),
        )
    };
    let cases = [
        of("a", "expected_query_type", json!("reject")),
        of("b", "expected_query_type", json!("country_profile")),
        of("c", "expected_country_id", json!(404)),
    ];
    let (code, text) = checked(&cases, "classification");
    assert!(
        code == 0 && text.contains("classification: 2 cases") && !text.contains("id_resolution"),
        "{text}"
    );
    let (code, text) = checked(&cases, "extraction");
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("no case of extraction, but 2 of classification, 1 of id_resolution"), "{text}");

    let bad = ["a", "b", "c"]
        .map(|id| of(id, "expected_query_type", json!(if id == "b" { "reject" } else { "treemap" })));
    let (code, text) = checked(&bad, "classification");
    assert!(
        code == 2 && text.contains("mycases.json:2: case a: ") && text.contains("line 4: case c: "),
        "{text}"
    );
    assert!(!text.contains("case b"), "{text}");
}
