use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::report::{Format, Terminal, write};
use crate::scoring::stats::Running;
use crate::workflow::evaluate::samples::{self, scored};
use crate::workflow::evaluate::{
    Decider, Ending, JudgeNote, RunContext, RunSettings, RunSummary, StoreNow, summarize,
};

const HOSTILE: &str = "</pre></script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">\u{202e}\u{0}";

/// A question with all details that a page can show. Agent, judge and store say `own` everywhere.
fn full(id: &str, verdict: CaseVerdict, own: &str) -> QuestionRecord {
    let mut record = QuestionRecord { scored: Some(scored(verdict, Decider::Judge)), ..samples::record(id) };
    let note = json!({
        "mode": "ground_truth", "verdict": "fail", "value": 0.25, "failure": null, "why": own,
        "dimensions": { "completeness": 2.0, own: 1.0 }, "reasons": { "completeness": own, own: own },
        "findings": [own], "repeats": [0.25, null], "unstable": true,
        "usage": { "input_tokens": 900, "output_tokens": 80 }, "cost_usd": "0.012", "cached": false,
        "model": own, "prompt": own,
    });
    let point = json!({ "field": own, "said": "wrong", "value": own, "sentence": own, "reason": own });
    let points = json!({
        "value": 0.0, "verdict": "mismatch", "reasons": [own], "backend": own,
        "metadata": {
            "question_id": 61, "site": "live", "pipeline": "graphql", "right": 0, "wrong": 1, "missing": 0, "unscored": 0,
            "points": [point], "refused": [{ "field": own, "reason": own }], "extra": [{ "value": own, "sentence": own }],
        },
    });
    let trace = json!({
        "question_id": id, "tool_calls": [own], "node_sequence": [own], "total_duration_ms": 1000, "error": own,
        "node_traces": [
            { "node_name": own, "start_time": 0.0, "end_time": 1.0, "duration_ms": 1000 },
            { "node_name": "plan", "start_time": 0.2, "end_time": 0.5, "duration_ms": 300, "parent": 0, "model": own },
        ],
        "pipeline_sql": own, "atlas_links": [],
        "calls": [{ "name": own, "arguments": { own: own }, "failed": true, "budget": 17 }],
    });
    let reply = json!({ "answer": own, "links": [own], "notes": [own], "trace": trace });
    record.question.text = own.to_owned();
    record.question.category = Some(own.to_owned());
    record.question.query_type = Some(own.to_owned());
    record.answer.reply = Some(read(reply));
    record.truth.as_mut().unwrap().record.results.data[0].metric = own.to_owned();
    let found = record.scored.as_mut().unwrap();
    found.reason = own.to_owned();
    found.unstable = true;
    found.disagreement = Some(own.to_owned());
    found.findings = read(json!([{ "kind": own, "field": own, "detail": own }]));
    found.judgements = vec![read::<JudgeNote>(note)];
    found.points = Some(read(points));
    record
}

fn read<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn summary(settings: &RunSettings, questions: &[QuestionRecord]) -> RunSummary {
    let ending = Ending::at(settings.started);
    let context = RunContext { settings, ending, anchors: None, calibration: None, history: &[] };
    summarize(questions, context)
}

/// The page of a run.
fn page(summary: &RunSummary, questions: &[QuestionRecord], store: StoreNow) -> String {
    let report = EvalReport { summary, questions, store, runs: Path::new("runs") };
    write(&report, Format::Html, &Invocation::default(), Terminal::PLAIN).unwrap()
}

#[test]
fn nothing_of_agent_judge_or_store_becomes_markup() {
    let questions = [full("61", CaseVerdict::Fail, HOSTILE)];
    let mut settings = samples::settings();
    settings.agent_name = HOSTILE.to_owned();
    settings.selection = HOSTILE.to_owned();
    settings.planned = vec!["61".parse().unwrap(), "62".parse().unwrap()];
    let store = StoreNow { unread: Some(HOSTILE.to_owned()), ..StoreNow::default() };
    let page = page(&summary(&settings, &questions), &questions, store);
    assert!(page.matches("document.title=&#x27;taken&#x27;").count() > 40, "the texts are not on the page");
    assert_eq!(page.matches("<script>").count(), 1, "only the page's own script");
    assert_eq!((page.matches("</script>").count(), page.matches("<img").count()), (1, 0));
    assert!(!page.contains(['\u{202e}', '\u{0}']));
    assert!(page.contains("script-src 'sha256-") && !page.contains("innerHTML"));
}

#[test]
fn what_a_reader_must_know_stands_above_the_figures() {
    let questions = [full("61", CaseVerdict::Fail, "x"), full("62", CaseVerdict::Pass, "x")];
    let mut settings = samples::settings();
    settings.planned = ["61", "62", "63"].map(|id| id.parse().unwrap()).to_vec();
    let mut summary = summary(&settings, &questions);
    summary.calibration = Some(read(json!({
        "is_calibrated": false, "labels": 3, "agreement": null, "kappa": null, "why": "only 3 labels",
    })));
    summary.judge_failures = ["61", "62"].map(|id| (id.to_owned(), "status 400".to_owned())).into();
    let report = EvalReport {
        summary: &summary,
        questions: &questions,
        store: StoreNow::default(),
        runs: Path::new("runs"),
    };
    let text = write(&report, Format::Table, &Invocation::default(), Terminal::PLAIN).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("questions that need it: Q61 Q62 (all). Q61: status 400"), "{text}");
    let store = StoreNow { changed: ["62".parse().unwrap()].into(), ..StoreNow::default() };
    let page = page(&summary, &questions, store);
    let above = page.split("<h2>Targets").next().unwrap();
    let above = above.replace("<a href=\"#q62\">\n", "<a href=\"#q62\">");
    let (notices, failures) = above.split_once("<h2>Not passed</h2>").unwrap();
    assert!(notices.contains("PARTIAL RUN"), "{above}");
    assert!(failures.contains("Q61</a>") && !failures.contains("Q62</a>"), "{failures}");
    for due in [
        "PARTIAL RUN: it has not ended; 1 of 3 questions is missing",
        "the judge is UNCALIBRATED: only 3 labels",
        "2 questions are unstable",
        "The record of 1 question has changed",
        "<a href=\"#q62\">Q62</a>",
    ] {
        assert!(above.contains(due), "{due}: {above}");
    }
    // evaluation strategy 8: the targets, that two questions are too few, and that nobody measured the latency of a pipeline
    for due in
        ["too few to tell", "≥ 60 %", "graphql_latency_p95_ms", "&lt; 5 s", "&lt; 10 s", "not measured"]
    {
        assert!(page.contains(due), "{due}");
    }
    assert!(page.contains("data-remark=\"judge_disagrees truth_changed unstable x\""));
}

#[test]
fn all_shares_of_a_page_have_one_scale() {
    let questions = [full("61", CaseVerdict::Error, "x"), full("62", CaseVerdict::Pass, "x")];
    let page = page(&summary(&samples::settings(), &questions), &questions, StoreNow::default());
    let gauge = page.split("aria-label=\"error_rate: 50.0 %, target &lt; 5 %\"").nth(1).unwrap();
    let gauge = gauge.split("</svg>").next().unwrap();
    assert!(
        gauge.contains("class=\"mark\" x1=\"50%\"") && gauge.contains("class=\"limit\" x1=\"5%\""),
        "{gauge}"
    );
}

#[test]
fn one_answer_is_not_one_answers() {
    let questions = [full("61", CaseVerdict::Pass, "x")];
    let mut summary = summary(&samples::settings(), &questions);
    let mut share = Running::default();
    share.add(1.0);
    summary.right_share = share.estimate();
    let page = page(&summary, &questions, StoreNow::default());
    assert!(page.contains("on average, over 1 answer scored by rules"), "{page}");
}

#[test]
fn json_lines_are_the_cases_and_then_the_summary() {
    let questions = [full("61", CaseVerdict::Fail, "x"), full("62", CaseVerdict::Pass, "x")];
    let mut settings = samples::settings();
    settings.planned = ["61", "62"].map(|id| id.parse().unwrap()).to_vec();
    let (summary, store) = (summary(&settings, &questions), StoreNow::default());
    let report = EvalReport { summary: &summary, questions: &questions, store, runs: Path::new("runs") };
    let text = write(&report, Format::Jsonl, &Invocation::default(), Terminal::PLAIN).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert_eq!(lines[0], json!({ "case": "61", "verdict": "fail", "reason": "x" }));
    assert_eq!(
        (&lines[1]["case"], &lines[2]["summary"]["schema_version"]),
        (&json!("62"), &json!(1)),
        "{text}"
    );
}

#[test]
fn a_long_answer_is_cut_and_a_picture_is_there_once() {
    let mut questions = ["61", "62"].map(|id| full(id, CaseVerdict::Fail, "x"));
    questions[0].answer.reply.as_mut().unwrap().answer = "é".repeat(500_000);
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, 3, 2);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&[0; 6]).unwrap();
    let hash = crate::evidence::Hash::of(&png);
    for record in &mut questions {
        let point = json!({ "data_point": "x", "channel": "tooltip", "screenshot": hash, "read_at": "2026-11-20T10:30:00Z" });
        let provenance = json!({ "question_id": record.question.question_id, "points": [point] });
        record.truth.as_mut().unwrap().provenance = Some(read(provenance));
    }
    let store = StoreNow { pictures: [(hash.clone(), png)].into(), ..StoreNow::default() };
    let page = page(&summary(&samples::settings(), &questions), &questions, store);
    assert!(page.len() < 1_000_000 && page.contains("… 980000 more bytes"), "{}", page.len());
    assert_eq!(
        (page.matches("data:image/png").count(), page.matches("the picture is at Q61").count()),
        (1, 1)
    );
}

/// 5,000 questions, each with texts as long as they are: under 20 MB, and fast even without optimisation.
#[test]
fn five_thousand_questions_are_one_page_of_less_than_20_mb() {
    let text =
        "Kenya's exports of cut flowers were worth $1.2 billion in 2024, which is more than \"before\". "
            .repeat(4);
    let of = |number: usize| {
        let verdict = CaseVerdict::ALL[number % 5];
        let mut record = full(&number.to_string(), verdict, "x");
        record.answer.reply.as_mut().unwrap().answer.clone_from(&text);
        record.question.text = "Which goods did Kenya export most of in 2024?".to_owned();
        record
    };
    let questions: Vec<QuestionRecord> = (1..=5_000).map(of).collect();
    let settings = samples::settings();
    let summary = summary(&settings, &questions);
    let page = page(&summary, &questions, StoreNow::default());
    assert_eq!(page.matches("<article").count(), 5_000);
    assert!(page.len() < 20_000_000, "{}", page.len());
}
