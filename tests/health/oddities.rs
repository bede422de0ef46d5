//! A third folder of a team, with oddities that the other two have not: how values, years, changes and verifications may be written.
//! Each oddity is held by itself: what was imported, and the verdict on a right and on a wrong answer.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::call;

const NOW: &str = "2026-11-20T10:30:00Z";
const COUNTRIES: [(&str, u16); 3] = [("Kenya", 404), ("Spain", 724), ("Ghana", 288)];

/// One way of writing a truth.
struct Oddity {
    name: &'static str,
    /// The question, `{}` for the country.
    text: &'static str,
    page: &'static str,
    rows: Json,
    /// What stands in `browser_verification.json`, where there is one.
    look: Option<Json>,
    /// The value that has to be imported, as number and unit.
    due: (&'static str, &'static str),
    right: &'static str,
    wrong: &'static str,
}

const GDP: &str = "What is the GDP per capita of {}?";
const GDP_PAGE: &str = "https://atlas.hks.harvard.edu/countries/ID";
const GDP_RIGHT: &str = "The GDP per capita of {} is $2,274.";
const GDP_WRONG: &str = "The GDP per capita of {} is $3,100.";
const EXPORTS: &str = "What was the total value of exports of {} in 2024?";
const EXPORTS_PAGE: &str = "https://atlas.hks.harvard.edu/explore/treemap?exporter=country-ID&year=2024";
const EXPORTS_RIGHT: &str = "In 2024 the total exports of {} were $8.73 billion.";
const EXPORTS_WRONG: &str = "In 2024 the total exports of {} were $9.10 billion.";
const CHANGE: &str = "By what percentage did the exports of {} change from 2014 to 2024?";
const CHANGE_PAGE: &str =
    "https://atlas.hks.harvard.edu/explore/overtime?exporter=country-ID&startYear=2014&endYear=2024";

const CHANGE_WRONG: &str = "The exports of {} grew by 12.4 % from 2014 to 2024.";

fn gdp(name: &'static str, row: Json) -> Oddity {
    Oddity {
        name,
        text: GDP,
        page: GDP_PAGE,
        rows: json!([row]),
        look: None,
        due: ("2274", "USD"),
        right: GDP_RIGHT,
        wrong: GDP_WRONG,
    }
}

fn exports(name: &'static str, row: Json, number: &'static str) -> Oddity {
    let (due, page) = ((number, "USD"), EXPORTS_PAGE);
    Oddity { text: EXPORTS, page, due, right: EXPORTS_RIGHT, wrong: EXPORTS_WRONG, ..gdp(name, row) }
}

fn change(name: &'static str, row: Json, number: &'static str, right: &'static str) -> Oddity {
    let (due, page) = ((number, "percent"), CHANGE_PAGE);
    Oddity { text: CHANGE, page, due, right, wrong: CHANGE_WRONG, ..gdp(name, row) }
}

fn looked(name: &'static str, value: Json, look: Json) -> Oddity {
    Oddity {
        look: Some(look),
        ..gdp(name, json!({ "metric": "GDP per capita", "value": value, "year": 2024 }))
    }
}

fn oddities() -> Vec<Oddity> {
    let grew = "The exports of {} grew by 85.7 % from 2014 to 2024.";
    vec![
        gdp(
            "number and year are numbers",
            json!({ "metric": "GDP per capita", "country": "{}", "value": 2274, "year": 2024 }),
        ),
        gdp(
            "US$ before the figure",
            json!({ "metric": "GDP per capita", "country": "{}", "value": "US$ 2,274", "year": "2024" }),
        ),
        gdp(
            "USD behind the figure",
            json!({ "metric": "GDP per capita", "country": "{}", "value": "2,274 USD", "year": "2024" }),
        ),
        gdp(
            "unit in the metric",
            json!({ "metric": "GDP per capita (USD)", "country": "{}", "value": "2274", "year": "2024" }),
        ),
        gdp(
            "unit in a key of its own",
            json!({ "metric": "GDP per capita", "unit": "USD", "value": "2,274", "country": "{}" }),
        ),
        gdp("measure as key", json!({ "country": "{}", "gdp_per_capita": "$2,274", "year": 2024 })),
        gdp(
            "year in the metric",
            json!({ "metric": "GDP per capita (2024)", "country": "{}", "value": "$2,274" }),
        ),
        gdp(
            "value with its year behind",
            json!({ "metric": "GDP per capita", "country": "{}", "value": "$2,274 (2024)" }),
        ),
        gdp(
            "raw value beside",
            json!({ "metric": "GDP per capita", "value": "$2,274", "raw_value": 2273.52, "country": "{}", "year": "2024" }),
        ),
        exports(
            "B for billion",
            json!({ "metric": "Total exports", "country": "{}", "value": "$8.73B", "year": 2024 }),
            "8730000000",
        ),
        exports(
            "bn for billion",
            json!({ "metric": "Total exports", "country": "{}", "value": "USD 8.73bn", "year": 2024 }),
            "8730000000",
        ),
        exports(
            "raw number alone",
            json!({ "metric": "Total exports", "country": "{}", "value": 8_732_100_000_u64, "year": 2024 }),
            "8732100000",
        ),
        exports(
            "text of a raw number",
            json!({ "metric": "Total exports", "country": "{}", "value": "8732100000", "year": 2024 }),
            "8732100000",
        ),
        exports(
            "start and end of one year",
            json!({ "country": "{}", "start_year": "2014", "end_year": "2024", "start_value": "$4.70 billion", "end_value": "$8.73 billion" }),
            "8730000000",
        ),
        change(
            "change as a number",
            json!({ "country": "{}", "start_year": 2014, "end_year": 2024, "start_value": 4_701_000_000_u64, "end_value": 8_730_000_000_u64, "change_pct": 85.7 }),
            "85.7",
            grew,
        ),
        change(
            "change with a sign",
            json!({ "country": "{}", "start_year": "2014", "end_year": "2024", "start_value": "$4.70 billion", "end_value": "$8.73 billion", "change_pct": "+85.7%" }),
            "85.7",
            grew,
        ),
        change(
            "a fall with a long minus",
            json!({ "country": "{}", "start_year": "2014", "end_year": "2024", "start_value": "$9.02 billion", "end_value": "$8.73 billion", "change_pct": "\u{2212}3.2%" }),
            "-3.2",
            "The exports of {} fell by 3.2 % from 2014 to 2024.",
        ),
        change(
            "words for per cent",
            json!({ "country": "{}", "period": "2014-2024", "percentage_change": "85.7 percent" }),
            "85.7",
            grew,
        ),
        change(
            "one measure a row",
            json!({ "metric": "Export growth 2014-2024", "country": "{}", "value": "85.7%" }),
            "85.7",
            grew,
        ),
        looked(
            "a look that contradicts",
            json!("$2,350"),
            json!({ "browser_value": "$2,274", "gt_value": "$2,350", "match": false, "match_note": "the page shows less", "verification_timestamp": "2026-03-02T09:00:00Z", "source_method": "browser_country_page" }),
        ),
        looked(
            "a look with a number",
            json!("$2,274"),
            json!({ "browser_value": 2274, "gt_value": 2274, "match": true, "verification_timestamp": "2026-03-02T09:00:00+00:00Z", "source_method": "browser_country_page" }),
        ),
        looked(
            "a look with words",
            json!("$2,274"),
            json!({ "browser_value": "GDP per capita: $2,274 (2024)", "gt_value": "$2,274", "match": true, "verification_timestamp": "2026-03-02T09:00:00Z", "source_method": "browser_country_page" }),
        ),
    ]
}

fn of_country(value: &Json, (name, code): (&str, u16)) -> Json {
    serde_json::from_str(&value.to_string().replace("{}", name).replace("ID", &code.to_string())).unwrap()
}

fn write(path: &Path, value: &Json) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, value.to_string()).unwrap();
}

/// The folder: a question of each oddity for each country.
fn folder() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let mut questions = Vec::new();
    for (at, oddity) in oddities().iter().enumerate() {
        for (n, country) in COUNTRIES.into_iter().enumerate() {
            let id = 1 + at * 7 + n;
            let page = oddity.page.replace("ID", &country.1.to_string());
            // one text for several oddities would be one question; a word that asks for something would be left over
            let text = oddity.text.replace("{}", country.0) + &" Please!".repeat(at);
            questions.push(json!({ "id": id, "category_id": "c", "difficulty": "easy", "text": text, "atlas_url": page }));
            let of = dir.path().join(format!("results/{id}/ground_truth"));
            let record = json!({ "question_id": id.to_string(), "execution_timestamp": "2026-03-01T10:00:09Z", "source": "atlas", "source_method": "graphql_api",
                "atlas_url": page, "results": { "data": of_country(&oddity.rows, country) } });
            write(&of.join("results.json"), &record);
            if let Some(look) = &oddity.look {
                write(&of.join("browser_verification.json"), &of_country(look, country));
            }
        }
    }
    let list =
        json!({ "categories": [{ "id": "c", "name": "C", "description": "" }], "questions": questions });
    write(&dir.path().join("questions.json"), &list);
    dir
}

/// The verdicts on one answer to every question.
fn verdicts(dir: &TempDir, runs: &str, answer: impl Fn(&Oddity) -> &'static str) -> BTreeMap<usize, String> {
    let mut lines = String::new();
    for (at, oddity) in oddities().iter().enumerate() {
        for (n, country) in COUNTRIES.into_iter().enumerate() {
            let said = answer(oddity).replace("{}", country.0);
            let trace = json!({ "tool_calls": ["query_tool"] });
            lines += &json!({ "question_id": 1 + at * 7 + n, "answer": said, "trace": trace }).to_string();
            lines.push('\n');
        }
    }
    fs::write(dir.path().join("answers.jsonl"), lines).unwrap();
    let run = [
        "eval",
        "run",
        "--answers",
        "answers.jsonl",
        "--manifest",
        "questions.json",
        "--store",
        "store",
        "--runs",
        runs,
        "--format",
        "json",
    ];
    let (_, out, err) = call(dir.path(), NOW, &run);
    let summary: Json = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
    let kept = dir.path().join(runs).join(summary["run"].as_str().unwrap()).join("questions");
    let of = |path: &Path| -> Json { serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap() };
    fs::read_dir(kept)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let id = path.file_stem().unwrap().to_str().unwrap().parse().unwrap();
            let record = of(&path);
            (id, format!("{}: {}", record["scored"]["verdict"].as_str().unwrap(), record["scored"]["reason"]))
        })
        .collect()
}

#[test]
fn values_written_in_other_ways_are_imported_and_score() {
    let dir = folder();
    let import = ["import", "results", "--questions", "questions.json", "--store", "store"];
    let (code, out, err) = call(dir.path(), NOW, &import);
    assert_eq!(code, 0, "{out}{err}");
    let right = verdicts(&dir, "right", |oddity| oddity.right);
    let wrong = verdicts(&dir, "wrong", |oddity| oddity.wrong);
    let mut faults = Vec::new();
    let all = oddities();
    for (at, oddity) in all.iter().enumerate() {
        for (n, (country, _)) in COUNTRIES.into_iter().enumerate() {
            let id = 1 + at * 7 + n;
            let record =
                fs::read_to_string(dir.path().join(format!("store/{id}/results.json"))).unwrap_or_default();
            let record: Json = serde_json::from_str(&record).unwrap_or_default();
            let rows = record["results"]["data"].as_array().cloned().unwrap_or_default();
            let asked: Vec<(&Json, &Json)> = rows
                .iter()
                .filter(|row| row["support"] != true)
                .map(|row| (&row["number"], &row["unit"]))
                .collect();
            let is_held = asked.iter().any(|one| *one == (&json!(oddity.due.0), &json!(oddity.due.1)));
            let is_right = right.get(&id).is_some_and(|said| said.starts_with("pass"));
            let is_wrong = wrong.get(&id).is_some_and(|said| said.starts_with("fail"));
            if !(is_held && is_right && is_wrong) {
                let fault = format!(
                    "{}, {}: holds {asked:?}; right {:?}; wrong {:?}",
                    oddity.name,
                    country,
                    right.get(&id),
                    wrong.get(&id)
                );
                faults.push(fault);
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} of {} wrong:\n{}\n{out}",
        faults.len(),
        all.len() * COUNTRIES.len(),
        faults.join("\n")
    );
}
