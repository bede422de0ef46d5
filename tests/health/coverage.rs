//! Every number of a coverage report that SQL can give is computed again from an export.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use atlas_gt::truth::{Site, Store};
use serde_json::{Value as Json, json};
use sqlx::{AssertSqlSafe, Connection as _, SqliteConnection};
use tokio::runtime::Runtime;

use crate::{COUNTRY, Read, call, file};

const NOW: &str = "2026-11-21T00:00:00Z";

/// Records of every source, channel and agreement that decides what they are worth.
fn store(dir: &Path) {
    let store = Store::open(dir, Site::Live).unwrap();
    let explore = Read { method: "browser_explore_page", channel: "page_response", ..COUNTRY };
    let own = Read { method: "graphql_api", channel: "api", agreement: Some("not_independent"), ..COUNTRY };
    file(&store, &[COUNTRY, Read { channel: "narrative", agreement: None, ..COUNTRY }]);
    file(&store, &[Read { question: "62", agreement: Some("page_disagrees"), ..COUNTRY }]);
    file(
        &store,
        &[Read { question: "170", channel: "tooltip", ..explore }, Read { question: "170", ..explore }],
    );
    file(
        &store,
        &[
            Read { question: "1", agreement: Some("unverified"), ..explore },
            Read { question: "1", ..explore },
        ],
    );
    file(&store, &[Read { question: "2", agreement: Some("single"), ..explore }]);
    file(&store, &[Read { question: "286", ..own }]);
    file(
        &store,
        &[Read { question: "3", channel: "page_response", agreement: Some("not_displayed"), ..own }],
    );
    file(&store, &[Read { question: "5", method: "sql_cross_check", ..COUNTRY }]);
    file(&store, &[Read { question: "6", method: "llm_generated", ..COUNTRY }]);
    for (question, read) in [("63", COUNTRY), ("171", explore), ("287", own)] {
        file(&store, &[Read { question, agreement: None, ..read }]);
    }
    file(&store, &[Read { question: "of_another_manifest", ..COUNTRY }]);
}

/// What each value is worth, by the rules of independence and precedence written as SQL.
const WORTH: &str = "
CREATE VIEW worth AS
SELECT q.question_id, q.category, q.difficulty, q.source, q.expected_query_type, r.source_method AS method,
  r.source_method NOT IN ('sql_cross_check', 'llm_generated') AND coalesce(v.agreement, '') <> 'not_displayed' AS sql,
  r.source_method NOT IN ('sql_cross_check', 'llm_generated') AND coalesce(v.agreement, '') <> 'not_displayed' AND CASE
    WHEN v.channel = 'api' THEN 0
    WHEN v.channel = 'page_response' THEN coalesce(v.agreement, '') = 'agrees'
    ELSE 1 END AS graphql,
  min(CASE r.source_method WHEN 'llm_generated' THEN 0 WHEN 'sql_cross_check' THEN 1 WHEN 'graphql_api' THEN 2 ELSE 4 END,
    CASE v.channel WHEN 'api' THEN 2 WHEN 'page_response' THEN 3 ELSE 4 END) AS trust
FROM questions q JOIN records r USING (question_id) JOIN data_points v USING (question_id)
WHERE coalesce(v.absence, '') <> 'extraction_failed'";

const TRUST: [&str; 5] = ["llm", "sql", "own_api", "page_response", "browser"];

/// An export, open for questions in SQL.
struct Sql(Runtime, RefCell<SqliteConnection>);

impl Sql {
    fn open(file: &Path) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let mut connection = runtime.block_on(SqliteConnection::connect(file.to_str().unwrap())).unwrap();
        runtime.block_on(sqlx::raw_sql(WORTH).execute(&mut connection)).unwrap();
        Self(runtime, RefCell::new(connection))
    }
}

fn number(sql: &Sql, query: &str) -> u64 {
    let text = AssertSqlSafe(format!("SELECT {query}"));
    let found: i64 = sql.0.block_on(sqlx::query_scalar(text).fetch_one(&mut *sql.1.borrow_mut())).unwrap();
    found as u64
}

fn counts(sql: &Sql, query: &str) -> BTreeMap<String, u64> {
    let rows = sqlx::query_as::<_, (String, i64)>(AssertSqlSafe(query.to_owned()));
    let rows = sql.0.block_on(rows.fetch_all(&mut *sql.1.borrow_mut())).unwrap();
    rows.into_iter().map(|(name, count)| (name, count as u64)).collect()
}

/// The numbers of a group, as SQL gives them for questions of that kind.
fn group(sql: &Sql, which: &str) -> Json {
    let of = |query: &str| number(sql, query);
    let distinct =
        |what: &str| of(&format!("count(DISTINCT question_id) FROM worth WHERE {which} AND {what}"));
    let methods = format!("SELECT method, count(DISTINCT question_id) FROM worth WHERE {which} GROUP BY 1");
    let trust = format!(
        "SELECT CAST(trust AS TEXT), count(*) FROM (SELECT min(trust) AS trust FROM worth WHERE {which} GROUP BY question_id) GROUP BY 1"
    );
    let trust: BTreeMap<&str, u64> = counts(sql, &trust)
        .into_iter()
        .map(|(rank, number)| (TRUST[rank.parse::<usize>().unwrap()], number))
        .collect();
    let difficulty = format!(
        "SELECT difficulty, count(*) FROM questions WHERE {which} AND difficulty IS NOT NULL GROUP BY 1"
    );
    json!({
        "questions": of(&format!("count(*) FROM questions WHERE {which}")),
        "expected_behavior": of(&format!("count(expected_behavior) FROM questions WHERE {which}")),
        "with_record": distinct("1"),
        "with_truth": distinct("sql"),
        "browser": distinct("sql AND method LIKE 'browser%'"),
        "methods": counts(sql, &methods),
        "trust": trust,
        "difficulty": counts(sql, &difficulty),
    })
}

#[test]
fn the_numbers_of_coverage_are_those_of_sql() {
    let folder = tempfile::tempdir().unwrap();
    store(&folder.path().join("store"));
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/atlas.json");
    let manifest = manifest.to_str().unwrap();
    let run = |arguments: &[&str]| {
        let common = ["--store", "store", "--manifest", manifest];
        call(folder.path(), NOW, &arguments.iter().copied().chain(common).collect::<Vec<_>>())
    };
    let (code, out, err) = run(&["coverage", "--report", "out", "--format", "json"]);
    assert_eq!(code, 0, "{err}");
    let report: Json = serde_json::from_str(&out).unwrap();
    assert_eq!(std::fs::read_to_string(folder.path().join("out/coverage_report.json")).unwrap(), out);
    let (code, out, err) = run(&["export", "--sqlite", "truth.db"]);
    assert!(code == 0 && out.contains("13 records") && out.contains("339 questions"), "{out}{err}");
    let sql = Sql::open(&folder.path().join("truth.db"));

    let mut compared = 0;
    let mut same = |found: &Json, which: &str| {
        let mut found = found.clone();
        found.as_object_mut().unwrap().shift_remove("name");
        assert_eq!(found, group(&sql, which), "{which}");
        compared += 1;
    };
    same(&report["total"], "1");
    for (groups, column) in [
        ("categories", "category"),
        ("difficulties", "difficulty"),
        ("query_types", "expected_query_type"),
        ("sources", "source"),
    ] {
        for found in report[groups].as_array().unwrap() {
            match found["name"].as_str() {
                Some(name) => same(found, &format!("{column} = '{name}'")),
                None => same(found, &format!("{column} IS NULL")),
            }
        }
    }
    assert_eq!(compared, 1 + 27 + 3 + 21 + 3);

    let named = "FROM questions WHERE category IS NOT NULL GROUP BY category";
    let targets = [
        (
            "truth",
            group(&sql, "1")["with_truth"].as_u64().unwrap(),
            number(&sql, "count(*) - count(expected_behavior) FROM questions"),
        ),
        (
            "browser",
            number(&sql, "count(DISTINCT question_id) FROM worth WHERE sql AND method LIKE 'browser%'"),
            number(&sql, "count(DISTINCT question_id) FROM worth WHERE sql"),
        ),
        (
            "categories",
            number(&sql, &format!("count(*) FROM (SELECT count(*) AS n {named}) WHERE n >= 3")),
            number(&sql, &format!("count(*) FROM (SELECT 1 {named})")),
        ),
        ("query_types", number(&sql, "count(DISTINCT expected_query_type) FROM questions"), 21),
    ];
    for ((name, reached, of), target) in targets.iter().zip(report["targets"].as_array().unwrap()) {
        assert_eq!(
            (target["name"].as_str(), target["reached"].as_u64(), target["of"].as_u64()),
            (Some(*name), Some(*reached), Some(*of))
        );
        let met = *reached as f64 / *of as f64 >= target["target"].as_f64().unwrap();
        assert_eq!(target["met"], met, "{name}");
    }
    let met: Vec<bool> = report["targets"].as_array().unwrap().iter().map(|one| one["met"] == true).collect();
    assert_eq!(met, [false, true, false, true]);

    for share in report["pipelines"].as_array().unwrap() {
        let column = match share["pipeline"].as_str().unwrap() {
            "graphql" | "mixed" | "unknown" => "graphql",
            _ => "sql",
        };
        let (may, all) =
            (number(&sql, &format!("sum({column}) FROM worth")), number(&sql, "count(*) FROM worth"));
        assert_eq!(
            (share["may_score"].as_u64(), share["values"].as_u64()),
            (Some(may), Some(all)),
            "{share}"
        );
        let refused: u64 = share["refused"].as_object().unwrap().values().filter_map(Json::as_u64).sum();
        assert_eq!(refused, all - may);
    }
    let without = counts(
        &sql,
        "SELECT question_id, 1 FROM records WHERE question_id NOT IN (SELECT question_id FROM questions)",
    );
    assert_eq!(report["without_question"], json!(without.into_keys().collect::<Vec<_>>()));
}

#[test]
fn coverage_names_the_commands_that_close_each_gap() {
    let folder = tempfile::tempdir().unwrap();
    store(&folder.path().join("store"));
    let call = |arguments: &[&str]| call(folder.path(), NOW, arguments);
    let (_, out, err) =
        call(&["coverage", "--store", "store", "--report", "out/coverage", "--format", "json"]);
    let report: Json = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{err}"));
    let gap = |what: &str| {
        let gaps = report["gaps"].as_array().unwrap();
        gaps.iter().find(|gap| gap["what"].as_str().unwrap().starts_with(what)).unwrap()
    };
    let ids = |gap: &Json| gap["questions"].as_array().unwrap().len();
    // 329 questions have a page, 12 of them a record
    assert_eq!(ids(gap("no record")), 329 - 12);
    let command = gap("no record")["commands"][0].as_str().unwrap();
    assert!(command.starts_with("atlas-gt collect --questions 4,7-45,47,49-52,64-169,172-285,"), "{command}");
    assert!(command.ends_with(" --store store"), "{command}");
    assert_eq!(gap("a record that scores no answer")["questions"], json!(["3", "5", "6"]));
    assert_eq!(
        gap("category edge_cases")["first"],
        "write 1 more with \"category\": \"edge_cases\" into manifests/atlas.json"
    );
    assert_eq!(report["unused_extractors"], json!([]));
    assert_eq!(report["unused_points"]["treemap_verify"], json!(["top_origins", "partner_import"]));

    let markdown = std::fs::read_to_string(folder.path().join("out/coverage/coverage_report.md")).unwrap();
    assert!(
        markdown.contains("| questions with truth | 9 of 329 (2.7 %) | at least 90.0 % | **NOT MET** |"),
        "{markdown}"
    );
    assert!(markdown.contains(&format!("```text\n{command}\n```")));

    // a gate is asked for by name
    for (gates, code) in [("targets", 3), ("truth", 3), ("categories", 3), ("browser,query-types", 0)] {
        assert_eq!(call(&["coverage", "--store", "store", "--fail-on", gates]).0, code, "{gates}");
    }
    std::fs::write(folder.path().join("store/61/results.json"), "{").unwrap();
    let (code, _, err) = call(&["coverage", "--store", "store"]);
    assert!(code == 2 && err.contains("quarantined: store/61/results.json:1:1: "), "{err}");
}
