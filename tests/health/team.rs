//! A team's own questions, folder, verifications, references and runs, made from the facts of their formats with every oddity, taken in
//! as they are: `manifest from`, `import`, `coverage`, `annotate`, `lint`, `eval run --answers`.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value as Json, json};
use tempfile::TempDir;

use crate::call;

const NOW: &str = "2026-11-20T10:30:00Z";
const COUNTRIES: [(&str, u16, &str, u32, &str, u32); 20] = [
    ("Kenya", 404, "$2,274", 2274, "$8.73 billion", 8_730),
    ("Spain", 724, "$35,327", 35_327, "$612 billion", 612_000),
    ("Brazil", 76, "$10,310", 10_310, "$378 billion", 378_000),
    ("Germany", 276, "$55,800", 55_800, "$2.01 trillion", 2_010_000),
    ("India", 356, "$2,694", 2_694, "$791 billion", 791_000),
    ("Ethiopia", 231, "$1,134", 1_134, "$12.1 billion", 12_100),
    ("Vietnam", 704, "$4,717", 4_717, "$433 billion", 433_000),
    ("Egypt", 818, "$3,338", 3_338, "$76.4 billion", 76_400),
    ("Nigeria", 566, "$824", 824, "$57.9 billion", 57_900),
    ("Chile", 152, "$16,710", 16_710, "$110 billion", 110_000),
    ("Peru", 604, "$8,452", 8_452, "$79.2 billion", 79_200),
    ("Japan", 392, "$32,476", 32_476, "$921 billion", 921_000),
    ("Ghana", 288, "$2,406", 2_406, "$28.6 billion", 28_600),
    ("Poland", 616, "$25,023", 25_023, "$502 billion", 502_000),
    ("Mexico", 484, "$14,034", 14_034, "$654 billion", 654_000),
    ("Thailand", 764, "$7,345", 7_345, "$361 billion", 361_000),
    ("Sweden", 752, "$57,213", 57_213, "$311 billion", 311_000),
    ("Colombia", 170, "$7,914", 7_914, "$66.2 billion", 66_200),
    ("Portugal", 620, "$28,844", 28_844, "$139 billion", 139_000),
    ("Indonesia", 360, "$4,925", 4_925, "$305 billion", 305_000),
];

/// What a team has: `eval_questions.json`, `results/`, `runs/`.
struct Team {
    dir: TempDir,
    questions: Vec<Json>,
}

impl Team {
    /// 120 questions, six of each country, ids with gaps; every form and oddity of the formats.
    fn new() -> Self {
        let mut team = Self { dir: tempfile::tempdir().unwrap(), questions: Vec::new() };
        for (at, country) in COUNTRIES.iter().enumerate() {
            team.of_country(at, *country);
        }
        let categories = json!([
            {"id": "cp_overview", "name": "Country overview", "description": "d"}, {"id": "growth", "name": "Growth", "description": "d"},
            {"id": "papers", "name": "Papers", "description": "d"}, {"id": "out_of_scope", "name": "Out of scope", "description": "d"}]);
        let file = json!({ "categories": categories, "questions": team.questions });
        fs::write(team.path("eval_questions.json"), serde_json::to_string_pretty(&file).unwrap()).unwrap();
        team
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.dir.path().join(name)
    }

    fn put(&self, id: usize, name: &str, content: &Json) {
        let folder = self.path("results").join(id.to_string()).join("ground_truth");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), serde_json::to_string_pretty(content).unwrap()).unwrap();
    }

    fn truth(&self, id: usize, address: Option<&str>, rows: Json) {
        let record = json!({
            "question_id": id.to_string(), "execution_timestamp": "2026-02-28T10:00:00+00:00Z", "source": "atlas_country_page",
            "source_method": "graphql_api", "atlas_url": address, "results": {"data": rows}
        });
        self.put(id, "results.json", &record);
    }

    fn look(&self, id: usize, shown: &str, stored: &str, matches: bool) {
        let look = json!({
            "source_method": "browser_country_page", "verification_timestamp": "2026-03-02T09:00:00Z", "browser_value": shown,
            "gt_value": stored, "match": matches, "match_note": "read on the page", "atlas_url": "https://atlas.hks.harvard.edu/countries/404"
        });
        self.put(id, "browser_verification.json", &look);
    }

    fn ask(&mut self, id: usize, category: &str, text: String, more: Json) {
        let mut question = Map::from_iter([
            ("id".to_owned(), json!(id)),
            ("category_id".to_owned(), category.into()),
            ("difficulty".to_owned(), "easy".into()),
            ("text".to_owned(), text.into()),
        ]);
        question.extend(more.as_object().unwrap().clone());
        self.questions.push(Json::Object(question));
    }

    fn of_country(
        &mut self,
        at: usize,
        (name, code, gdp, raw, exports, millions): (&str, u16, &str, u32, &str, u32),
    ) {
        let id = 1 + at * 10;
        let page = format!("https://atlas.hks.harvard.edu/countries/{code}");
        // 1: a page, one value; a person looked at it and found the same, or another value
        let more = json!({ "source": "atlas_country_page", "atlas_url": page, "expected_api_target": "country_pages",
            "expected_classification": "HS92", "tags": ["smoke"], "persona": "analyst" });
        self.ask(id, "cp_overview", format!("What is the GDP per capita of {name}?"), more);
        let row = json!([{ "metric": "GDP per capita", "country": name, "value": gdp, "raw_value": raw, "year": "2024" }]);
        self.truth(id, Some(&page), row);
        match at % 3 {
            0 => self.look(id, gdp, gdp, true),
            1 => self.look(id, "$99,999", gdp, false),
            _ => {}
        }
        // 2: one row with several values; operands are support
        let text = format!("By what percentage did the total exports of {name} change from 2010 to 2024?");
        self.ask(id + 1, "growth", text, json!({ "source": "atlas_explore_page" }));
        let row = json!([{ "metric": "Total exports", "country": name, "start_year": "2010", "end_year": "2024", "start_value": "$4.36 billion",
            "end_value": exports, "change_pct": "85.7%", "raw_change": 0.8573, "raw_start_value": 4_360_000_000_u64, "raw_end_value": u64::from(millions) * 1_000_000 }]);
        self.truth(id + 1, None, row);
        // 3: how to behave, as a row
        let behavior = json!({ "expected_behavior": "refuse_off_topic" });
        self.ask(id + 2, "out_of_scope", format!("Write a poem about {name}."), behavior);
        self.truth(id + 2, None, json!([{ "expected_behavior": "refuse_off_topic", "reason": "no poems" }]));
        // 4: a paper
        let paper = json!({ "source": "growth_lab_paper", "source_paper": format!("{name} (2020)") });
        self.ask(id + 3, "papers", format!("What holds growth in {name} back?"), paper);
        let quote = format!("Electricity is scarce in {name}.");
        let research =
            json!({ "quotes": [{ "quote": quote, "page": 3 }], "data_points": [], "confidence": "high" });
        self.put(id + 3, "paper_research.json", &research);
        // 5: a series with a null at its start
        let text = format!("How did the Economic Complexity Index of {name} evolve from 2012 to 2014?");
        self.ask(id + 4, "growth", text, json!({}));
        let rows: Vec<Json> = [(2012, json!("0.6823")), (2013, json!("0.7039")), (2014, Json::Null)]
            .into_iter()
            .map(|(year, eci)| json!({ "country": name, "year": year, "eci": eci }))
            .collect();
        self.truth(id + 4, None, json!(rows));
        // 6: a reference of its own, with an accepted alternative
        let reference = json!({ "values": [{ "metric": "Number of export partners", "value": 169, "accepted": [{ "value": 226, "reason": "the API counts territories" }] }] });
        self.ask(
            id + 5,
            "cp_overview",
            format!("How many export partners does {name} have?"),
            json!({ "reference": reference }),
        );
    }

    /// A run that answers question 1 to 6 of every country rightly, one that fails, `result.json` and `summary.json` mixed.
    fn runs(&self) -> std::path::PathBuf {
        let run = self.path("runs/2026-03-01T10-00-00");
        let answers = COUNTRIES.iter().enumerate().flat_map(|(at, (name, _, gdp, ..))| {
            let id = 1 + at * 10;
            let shown = if at % 3 == 1 { "$99,999" } else { gdp };
            [
                (id, format!("The GDP per capita of {name} is {shown}."), "atlas_graphql"),
                (
                    id + 1,
                    format!("The total exports of {name} grew by 85.7% from 2010 to 2024."),
                    "query_tool",
                ),
                (id + 2, "I can only help with questions about trade.".to_owned(), ""),
                (id + 5, format!("{name} has 226 export partners."), "atlas_graphql"),
            ]
        });
        let mut results = Vec::new();
        for (id, answer, tool) in answers {
            let question = self.questions.iter().find(|question| question["id"] == id).unwrap();
            let tools: Vec<&str> = Some(tool).filter(|tool| !tool.is_empty()).into_iter().collect();
            let calls: Vec<Json> = tools
                .iter()
                .map(|tool| json!({ "index": 0, "tool_name": tool, "arguments": {}, "result_content": "rows", "pipeline_metadata": {} }))
                .collect();
            let result = json!({
                "question_id": id, "question_text": question["text"], "category": question["category_id"], "difficulty": "easy", "agent_mode": "auto",
                "answer": answer, "sql": null, "duration_s": 3.5, "status": "success", "error": null, "timestamp": "2026-03-01T10:00:00+00:00Z",
                "tools_used": tools, "tool_call_counts": {}, "tool_call_details": calls,
                "token_usage": { "by_pipeline": {}, "total": { "input_tokens": 100, "output_tokens": 10, "total_tokens": 110, "call_count": 1 } },
                "cost": { "by_pipeline": {}, "total_cost_usd": 0.001 }, "step_timing": [], "step_timing_summary": {},
            });
            if id % 2 == 0 {
                let folder = run.join(id.to_string());
                fs::create_dir_all(&folder).unwrap();
                fs::write(folder.join("result.json"), result.to_string()).unwrap();
            }
            results.push(result);
        }
        let summary = json!({ "agent_model": "m", "agent_provider": "p", "agent_mode": "auto", "questions_run": results.len(), "succeeded": results.len(), "failed": 0, "results": results });
        fs::create_dir_all(&run).unwrap();
        fs::write(run.join("summary.json"), summary.to_string()).unwrap();
        self.path("runs")
    }
}

fn read(path: &Path) -> Json {
    serde_json::from_str(
        &fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
    )
    .unwrap()
}

/// Imports the folder into a store beside it, which is given.
fn imported(team: &Team) -> std::path::PathBuf {
    let store = team.path("truth");
    let (code, out, err) = call(
        team.dir.path(),
        NOW,
        &["import", "results", "--questions", "eval_questions.json", "--store", "truth"],
    );
    assert_eq!(code, 0, "{out}{err}");
    store
}

#[test]
fn decision_34_a_list_becomes_a_manifest_and_says_what_it_was_read_as() {
    let team = Team::new();
    let (code, _, err) =
        call(team.dir.path(), NOW, &["manifest", "from", "eval_questions.json", "--out", "manifest.json"]);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("read as a list of 120 questions in 4 categories (JSON)"), "{err}");
    assert!(err.contains("20 with an expected behavior, 20 with their own reference"), "{err}");
    let (code, out, err) = call(team.dir.path(), NOW, &["manifest", "check", "manifest.json"]);
    assert_eq!(code, 0, "{out}{err}");
    let manifest = read(&team.path("manifest.json"));
    let first = &manifest["questions"][0];
    assert_eq!(
        (&first["extractor"], &first["data_points"]),
        (&json!("country_profile"), &json!(["gdp_per_capita"]))
    );
    assert_eq!(
        (&first["category_name"], &first["persona"], &first["tags"]),
        (&json!("Country overview"), &json!("analyst"), &json!(["smoke"]))
    );
    assert!(
        first["proposed"].as_str().unwrap().contains("only its data point `gdp_per_capita` fits"),
        "{first}"
    );
    let paper = &manifest["questions"][3];
    assert!(
        paper["lacks"].as_str().unwrap().starts_with("a data point") && paper["extractor"].is_null(),
        "{paper}"
    );
    // the list is taken as it is, too
    let (code, out, err) = call(team.dir.path(), NOW, &["annotate", "--manifest", "eval_questions.json"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(err.contains("read as a list of 120 questions"), "{err}");
}

#[test]
fn a_folder_is_taken_in_with_every_oddity() {
    let team = Team::new();
    let store = imported(&team);
    let record = |id: usize| read(&store.join(id.to_string()).join("results.json"));
    let how = |id: usize| read(&store.join(id.to_string()).join("provenance.json"));
    // a person's look rises to the browser's truth
    assert_eq!(record(1)["source_method"], "browser_country_page");
    assert_eq!(
        (&how(1)["points"][0]["channel"], &how(1)["points"][0]["person"]["why"]),
        (&json!("person"), &json!("read on the page"))
    );
    assert_eq!(how(1)["question"], "What is the GDP per capita of Kenya?");
    // where it contradicts the record, what was displayed is the truth
    let seen = &record(11)["results"]["data"][0];
    assert_eq!(
        (&seen["value"], &seen["known_difference"], &seen["number"]),
        (&json!("$99,999"), &json!("$35,327"), &json!("99999"))
    );
    // nobody looked: as the record says
    assert_eq!(
        (&record(21)["source_method"], &how(21)["points"][0]["channel"]),
        (&json!("graphql_api"), &json!("imported"))
    );
    // start and end values are of their own years, the raw value is that of its neighbour, operands are support
    let rows = record(2)["results"]["data"].as_array().unwrap().clone();
    let row = |end: &str| {
        rows.iter()
            .find(|row| row["metric"].as_str().unwrap().contains("Total") && row["value"] == end)
            .unwrap()
            .clone()
    };
    assert_eq!(
        (&row("$4.36 billion")["year"], &row("$8.73 billion")["year"], &row("85.7%")["year"]),
        (&json!("2010"), &json!("2024"), &json!("2010-2024"))
    );
    let asked: Vec<&Json> =
        rows.iter().filter(|row| row["support"] != true).map(|row| &row["value"]).collect();
    assert_eq!(asked, ["85.7%"]);
    let point = how(2)["points"]
        .as_array()
        .unwrap()
        .iter()
        .find(|point| point["displayed"] == "85.7%")
        .unwrap()
        .clone();
    assert_eq!(point["precise"]["number"], "85.73");
    // behaviors and quotes are no values
    assert!(!store.join("3").exists() && !store.join("4").exists());
    let expected = read(&store.join("expected_behavior.json"));
    let of = |id: &str| {
        expected["questions"].as_array().unwrap().iter().find(|one| one["question_id"] == id).unwrap().clone()
    };
    assert_eq!(of("3")["expected_behavior"], "refuse_off_topic: no poems");
    assert_eq!(of("4")["reference"]["quotes"][0]["text"], "Electricity is scarce in Kenya.");
    let (code, out, err) = call(
        team.dir.path(),
        NOW,
        &["coverage", "--manifest", "eval_questions.json", "--store", "truth", "--format", "json"],
    );
    assert_eq!(code, 0, "{err}");
    let coverage: Json = serde_json::from_str(&out).unwrap();
    let total = &coverage["total"];
    assert_eq!(
        (&total["questions"], &total["expected_behavior"], &total["with_truth"]),
        (&json!(120), &json!(40), &json!(80)),
        "{total}"
    );
}

#[test]
fn decision_31_a_run_is_scored_by_what_its_questions_ask_for() {
    let team = Team::new();
    imported(&team);
    team.runs();
    let (code, out, err) = call(
        team.dir.path(),
        NOW,
        &[
            "eval",
            "run",
            "--answers",
            "runs",
            "--manifest",
            "eval_questions.json",
            "--store",
            "truth",
            "--format",
            "json",
        ],
    );
    assert_eq!(code, 0, "{out}{err}");
    let runs = fs::read_dir(team.path("runs"))
        .unwrap()
        .filter_map(|entry| Some(entry.ok()?.path().join("questions")));
    let folder = runs.into_iter().find(|path| path.is_dir()).unwrap_or_else(|| panic!("{out}{err}"));
    let verdict = |id: usize| {
        let record = read(&folder.join(format!("{id}.json")));
        (record["scored"]["verdict"].clone(), record["scored"].to_string())
    };
    for at in 0..COUNTRIES.len() {
        let id = 1 + at * 10;
        for (question, what) in [(id + 1, "growth"), (id + 2, "refusal"), (id + 5, "accepted alternative")] {
            let (verdict, why) = verdict(question);
            assert_eq!(verdict, "pass", "{question} {what}: {why}");
        }
        // a person's look may score GraphQL, an imported answer of the API may not
        let (verdict, why) = verdict(id);
        assert_eq!(verdict == "pass", at % 3 != 2, "{id}: {why}");
    }
    let record = read(&folder.join("1.json"));
    let trace = &record["answer"]["reply"]["trace"];
    assert_eq!(
        (&trace["tool_calls"], &trace["total_duration_ms"]),
        (&json!(["atlas_graphql"]), &json!(3500))
    );
}

#[test]
fn decision_34_two_lists_with_the_same_numbers_do_not_cross() {
    let team = Team::new();
    let store = imported(&team);
    let other: Vec<Json> = team.questions.iter().map(|question| json!({ "id": question["id"], "text": format!("How large is the population of {}?", COUNTRIES[question["id"].as_u64().unwrap() as usize % 20].0) })).collect();
    fs::write(team.path("other.json"), json!(other).to_string()).unwrap();
    // no truth of the one scores the other
    let (code, out, _) = call(
        team.dir.path(),
        NOW,
        &["coverage", "--manifest", "other.json", "--store", "truth", "--format", "json"],
    );
    let coverage: Json = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &coverage["total"]["with_record"]), (0, &json!(0)), "{out}");
    // its answers are refused, and its folder too
    team.runs();
    let (code, out, err) = call(
        team.dir.path(),
        NOW,
        &["eval", "run", "--answers", "runs", "--manifest", "other.json", "--store", "truth"],
    );
    assert_eq!(code, 2, "{out}{err}");
    assert!(err.contains("where it was answered"), "{err}");
    let before = read(&store.join("1/results.json"));
    let (code, out, err) = call(
        team.dir.path(),
        NOW,
        &[
            "import",
            "results",
            "--questions",
            "eval_questions.json",
            "--manifest",
            "other.json",
            "--store",
            "truth",
        ],
    );
    assert_eq!(code, 2, "{out}{err}");
    assert!(out.contains("in the list and “How large is the population"), "{out}{err}");
    assert_eq!(read(&store.join("1/results.json")), before);
    // the same questions under other numbers are found by their texts
    let renumbered: Vec<Json> = team.questions.iter().map(|question| json!({ "id": question["id"].as_u64().unwrap() + 5000, "text": question["text"], "expected_behavior": question["expected_behavior"] })).collect();
    fs::write(team.path("renumbered.json"), json!(renumbered).to_string()).unwrap();
    let (_, out, _) = call(
        team.dir.path(),
        NOW,
        &["coverage", "--manifest", "renumbered.json", "--store", "truth", "--format", "json"],
    );
    let coverage: Json = serde_json::from_str(&out).unwrap();
    assert_eq!(coverage["total"]["with_record"], json!(60), "{out}");
}

#[test]
fn what_an_export_writes_comes_back_whole() {
    let team = Team::new();
    let store = imported(&team);
    let (code, out, err) =
        call(team.dir.path(), NOW, &["export", "--layout", "results", "out", "--store", "truth"]);
    assert_eq!(code, 0, "{out}{err}");
    let (code, out, err) = call(
        team.dir.path(),
        NOW,
        &["import", "out", "--questions", "eval_questions.json", "--store", "again"],
    );
    assert_eq!(code, 0, "{out}{err}");
    for entry in fs::read_dir(&store)
        .unwrap()
        .filter_map(Result::ok)
        .filter(|entry| entry.path().join("results.json").exists())
    {
        let again = team.path("again").join(entry.file_name()).join("results.json");
        assert_eq!(
            read(&again)["results"],
            read(&entry.path().join("results.json"))["results"],
            "{:?}",
            entry.file_name()
        );
    }
}

#[test]
fn records_that_answer_the_question_before_them_are_found_and_right_ones_left_alone() {
    let team = Team::new();
    let lint = || {
        let (_, out, err) = call(
            team.dir.path(),
            NOW,
            &[
                "lint",
                "results",
                "--questions",
                "eval_questions.json",
                "--format",
                "json",
                "--fail-on",
                "never",
            ],
        );
        let report: Json = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
        report["findings"].as_array().unwrap().clone()
    };
    let of = |findings: &[Json], id: usize| -> Vec<String> {
        let id = json!(id.to_string());
        let own =
            findings.iter().filter(|one| one["questions"].as_array().unwrap() == std::slice::from_ref(&id));
        own.map(|one| one["code"].as_str().unwrap().to_owned()).collect()
    };
    // the first of every country is right, but for the look that found another value (GT025)
    let before = lint();
    let alarms: Vec<Vec<String>> =
        (0..COUNTRIES.len()).filter(|at| at % 3 != 1).map(|at| of(&before, 1 + at * 10)).collect();
    assert!(alarms.iter().all(|codes| codes.iter().all(|code| code.starts_with("GT012"))), "{alarms:?}");
    // fourteen records of growth take the place of the series behind them
    let place = |id: usize| team.path("results").join(id.to_string()).join("ground_truth/results.json");
    for at in 0..14 {
        let mut shifted = read(&place(2 + at * 10));
        shifted["question_id"] = json!((5 + at * 10).to_string());
        // the question before it is the paper's: the one of growth stands there now
        fs::write(place(5 + at * 10), shifted.to_string()).unwrap();
        let mut moved = read(&place(1 + at * 10));
        moved["question_id"] = json!((2 + at * 10).to_string());
        fs::write(place(2 + at * 10), moved.to_string()).unwrap();
    }
    let after = lint();
    let found = (0..14).filter(|at| of(&after, 2 + at * 10).contains(&"GT034".to_owned())).count();
    assert!(
        found >= 12,
        "{found} of 14: {:?}",
        (0..14).map(|at| of(&after, 2 + at * 10)).collect::<Vec<_>>()
    );
}
