//! Decision 37: a run over nothing, a store that is none and a filter that fits nothing are errors (2) in every command, and so
//! is a site that is away (5), also where there is nothing to do.

use std::net::TcpListener;
use std::path::Path;

use atlas_gt::truth::{Provenance, Record, Site, Store, file_reading};
use serde_json::json;

use crate::call;

const NOW: &str = "2026-11-21T00:00:00Z";

/// One command, what it needs to say, and its exit code.
type Row<'a> = (&'a str, i32, &'a str);

/// Files that commands are given, and the stores `full` with one record of the twin, and `empty` with none.
fn stage(folder: &Path) {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let record = json!({
        "question_id": "61", "execution_timestamp": "2026-11-20T10:30:00Z", "source": "atlas_country_page",
        "source_method": "browser_country_page", "atlas_url": "https://atlas.hks.harvard.edu/countries/404",
        "site": "twin", "results": { "data": [{
            "data_point": "gdp_per_capita", "metric": "GDP per capita", "country": "Kenya", "value": "$2,274",
            "number": "2274", "unit": "USD", "year": "2024" }] },
    });
    let provenance = json!({ "question_id": "61", "points": [{
        "data_point": "gdp_per_capita", "channel": "dom", "agreement": "agrees", "read_at": "2026-11-20T10:30:00Z" }] });
    let full = Store::open(folder.join("full"), Site::Twin).unwrap();
    let record = Record::from_text(&record.to_string()).unwrap();
    let provenance: Provenance = serde_json::from_value(provenance).unwrap();
    file_reading(&full, &record, &provenance, "2026-11-20T10:30:00Z".parse().unwrap()).unwrap();
    drop(Store::open(folder.join("empty"), Site::Twin).unwrap());
    write("questions/none.json", r#"{"questions": []}"#);
    write("questions/other.json", r#"{"questions": [{"id": 7, "text": "What is it?"}]}"#);
    write("answers.jsonl", "{\"question_id\": 61, \"answer\": \"$2,274\"}\n");
    write("empty.jsonl", "\n");
    write("empty.md", "");
    write("report.md", "# Kenya\n");
    write("none.json", "{}");
    write("list.json", "[]");
    for name in ["classification", "entity_extraction", "id_resolution"] {
        write(&format!("cases/{name}.json"), "[]");
    }
    write(
        "suite.yaml",
        "name: s\ncases:\n- {name: a, input: {query: q}, scorers: [value], expected_value: '1'}\n",
    );
    write("suite_none.yaml", "name: s\ncases: []\n");
    write("pairs/truth/a.json", r#"{"a": 1}"#);
    write("pairs/answer/b.json", r#"{"a": 1}"#);
    write("nobody/truth/.keep", "");
    write("nobody/answer/.keep", "");
    write("specs/none.txt", "");
    let survey = json!({
        "site": "http://127.0.0.1/", "bundle": "survey", "at": NOW, "pages": [{
            "name": "Kenya", "path": "/countries/404", "failure": "the site is away", "absent": false, "settled": "",
            "took_ms": 1, "looks": 0, "requests": 0, "third_parties": {}, "notes": [], "shapes": {}, "states": [],
            "points": [], "capture": null, "picture": null }],
        "points": { "found": 0, "all": 0 }, "requests": 0, "planned_requests": 0, "took_ms": 1, "interrupted": false,
        "peak_memory_mb": null,
    });
    write("survey/survey.json", &survey.to_string());
    write("survey/site.json", r#"{"site": "twin"}"#);
}

/// Runs every row, and says all that is wrong with any.
fn hold(rows: &[Row<'_>], shared: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    stage(folder.path());
    let mut wrong = Vec::new();
    for (line, due, part) in rows {
        let arguments: Vec<&str> = line.split(' ').map(|word| if word == "''" { "" } else { word }).collect();
        // a row may name a store of its own
        let shared: &[&str] = if arguments.contains(&"--store") { &shared[..2] } else { shared };
        let (code, out, err) = call(folder.path(), NOW, &[&arguments[..], shared].concat());
        if code != *due || !format!("{out}{err}").contains(part) {
            wrong.push(format!("{line}: exit code {code} for {due}, \"{part}\" in\n{out}{err}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Every command that works on the records of a store.
const OF_A_STORE: [&str; 20] = [
    "refresh",
    "refresh --stale",
    "refresh --api-only",
    "refresh --commit",
    "refresh --discard",
    "review",
    "review list",
    "review show 61",
    "spot-check --agent-site twin --answers answers.jsonl",
    "verify",
    "stale",
    "export --sqlite truth.db",
    "export --layout results results",
    "gc",
    "gc --dry-run",
    "changelog",
    "history 61",
    "lint",
    "score answer --question 61 $2,274",
    "eval run --agent-site twin --answers answers.jsonl",
];

#[test]
fn a_store_without_a_record_is_an_error_and_so_is_none() {
    for store in ["empty", "nowhere"] {
        let rows: Vec<Row<'_>> = OF_A_STORE.iter().map(|line| (*line, 2, store)).collect();
        // a spot check makes the store that it is to keep changes in
        let rows: Vec<Row<'_>> = rows
            .into_iter()
            .filter(|(line, ..)| store == "empty" || !line.starts_with("spot-check"))
            .collect();
        hold(&rows, &["--site", "twin", "--store", store]);
    }
}

#[test]
fn a_filter_that_fits_nothing_is_an_error() {
    hold(
        &[
            ("refresh --page nope", 2, "--page nope"),
            ("refresh --page countries/404 --page countries/999", 2, "--page countries/999"),
            ("refresh --questions 99", 2, "--questions 99"),
            ("refresh --questions ,", 2, "--questions is empty"),
            ("refresh --questions 61 --page explore/treemap", 2, "--page explore/treemap"),
            ("refresh --commit --question 61", 2, "no pending change"),
            ("refresh --commit --question 99", 2, "--questions 99"),
            ("refresh --commit --field nope", 2, "--field nope"),
            // the comma belongs to the name of the row
            ("refresh --commit --field nope[coal,crude]", 2, "--field nope[coal,crude]"),
            ("refresh --commit --kind revision", 2, "no pending change"),
            ("refresh --discard --field nope", 2, "--field nope"),
            ("refresh --discard --kind scope", 2, "no pending change"),
            ("collect --questions 99999", 2, "--questions 99999"),
            ("collect --questions ,", 2, "--questions is empty"),
            ("collect --extractor nope", 2, "--extractor nope"),
            (
                "plan --extractor country_profile --questions 1",
                2,
                "no selected question is read by country_profile",
            ),
            ("collect --extractor ''", 2, "--extractor is empty"),
            ("collect --store fresh --retry-failed", 2, "--retry-failed"),
            ("spot-check --agent-site twin --answers answers.jsonl --questions 99", 2, "--questions 99"),
            ("survey --pages nope", 2, "--pages nope"),
            ("survey --pages ''", 2, "--pages is empty"),
            ("mend survey", 2, "the survey read no page (the site is away)"),
            ("mend nowhere", 2, "no survey"),
            ("mend", 2, "no survey"),
            ("history 99", 2, "question 99"),
            ("history 61 nope", 2, "`nope`"),
            ("history 61 nope --at 2026-11-20", 2, "`nope`"),
            ("history 61 --at 2020-01-01", 2, "question 61 had no record"),
            ("review show 99", 2, "99"),
            ("score answer --question 99 $1", 2, "question 99"),
            ("lint full --rules GT999", 2, "GT999"),
            ("lint full --questions questions/other.json", 2, "has a record in"),
            ("lint full --questions questions/none.json", 2, "has no question"),
            ("lint specs", 2, "has no records"),
            ("import full --questions questions/other.json --store fresh", 2, "has a record in"),
            ("import full --questions questions/none.json --store fresh", 2, "has no question"),
            ("import specs --questions questions/other.json --store fresh", 2, "has no records"),
            ("eval run --agent-site twin --answers answers.jsonl --questions 99999", 2, "--questions 99999"),
            ("eval run --agent-site twin --answers answers.jsonl --balanced 0", 2, "no question to ask"),
            (
                "eval run --agent-site twin --answers answers.jsonl --changed-since 2026-11-20",
                2,
                "no question to ask",
            ),
            ("eval run --agent-site twin --answers empty.jsonl", 2, "no answer"),
            ("eval list", 2, "runs has no run: start one with `atlas-gt eval run --runs runs`"),
            ("eval trend", 2, "has no run"),
            (
                "spot-check --resume latest",
                2,
                "runs has no run: start one with `atlas-gt spot-check --runs runs`",
            ),
            ("eval report latest", 2, "runs has no run: start one with `atlas-gt eval run --runs runs`"),
            ("eval calibrate empty.jsonl --judge http://127.0.0.1:9/v1#m", 2, "no label"),
        ],
        &["--site", "twin", "--store", "full"],
    );
}

#[test]
fn a_file_that_holds_nothing_is_an_error() {
    hold(
        &[
            ("plan --manifest questions/none.json", 2, "questions"),
            ("coverage --manifest questions/none.json", 2, "questions"),
            ("annotate --manifest questions/none.json", 2, "questions"),
            ("annotate --classification-set set.json --per-type 0", 2, "--per-type"),
            ("eval cost --manifest questions/none.json", 2, "questions"),
            ("manifest check questions/none.json", 2, "questions"),
            ("collect --manifest questions/none.json", 2, "questions"),
            ("score values --jsonl empty.jsonl", 2, "has no pair"),
            ("score values --truth '' --displayed ''", 2, "--truth is empty"),
            ("score json --batch empty.jsonl", 2, "has no pair"),
            ("score json --batch nobody", 2, "has no pair"),
            ("score json --batch pairs", 2, "no answer has the name of a truth"),
            ("score json --truth pairs/truth --answer pairs/answer", 2, "no answer has the name of a truth"),
            ("score text --facts none.json report.md", 2, "has no fact"),
            ("suite check suite_none.yaml", 2, "no cases"),
            ("suite run suite.yaml --answers empty.jsonl", 2, "has no answer"),
            ("eval compare empty.jsonl empty.jsonl", 2, "has no case"),
            ("component check --cases cases", 2, "has no case"),
            ("component run --cases cases --answers empty.jsonl", 2, "has no case"),
        ],
        &[],
    );
}

#[test]
fn a_good_state_with_nothing_to_report_is_done() {
    hold(
        &[
            ("changelog", 0, "0 changes"),
            ("review list", 0, "0 questions"),
            ("refresh --commit", 0, "no change is pending"),
            ("refresh --discard", 0, "no change is pending"),
            ("gc", 0, "0 pieces"),
            ("stale", 0, "1 record, 0 stale"),
            ("refresh --stale", 0, "none of the 1 chosen record is stale"),
            ("collect --questions 61 --max-age 30d", 0, "nothing left to collect"),
            ("collect --questions 61 --resume", 0, "1 answered before"),
            ("collect --resume", 0, "nothing to resume: no collection is unfinished"),
            // which questions have truth is a fair question to a store that has none yet
            ("coverage --store empty", 0, "0 of"),
        ],
        &["--site", "twin", "--store", "full"],
    );
}

#[test]
fn a_site_that_is_away_is_reported_also_where_there_is_nothing_to_do() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let site = format!("http://{free}");
    hold(
        &[
            ("refresh", 5, "could not be reached"),
            ("refresh --stale", 5, "could not be reached"),
            ("refresh --stale --ignore-robots", 5, "could not be reached"),
            ("collect --questions 61", 5, "could not be reached"),
            ("collect --questions 61 --resume", 5, "could not be reached"),
            ("collect --questions 61 --max-age 30d --ignore-robots", 5, "could not be reached"),
            ("survey --pages country --out survey/away", 5, "could not be reached"),
            ("spot-check --agent-site twin --answers answers.jsonl", 5, "could not be reached"),
            ("api introspect", 5, "Connection refused"),
            // nothing is said of the site where nothing can be asked of it
            ("refresh --store empty", 2, "empty has no records"),
        ],
        &["--site", &site, "--store", "full"],
    );
}
