//! What an evaluation run costs beside its agent and its judge: 246 questions, both answer at once.
//!
//! `cargo bench --bench eval`

use std::num::NonZeroU32;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use atlas_gt::agent::{Agent, AgentError, AgentQuestion, Reply};
use atlas_gt::event::Events;
use atlas_gt::judge::{FakeJudge, Grader, Prompts};
use atlas_gt::truth::{Pipeline, Record, Site};
use atlas_gt::workflow::Clock;
use atlas_gt::workflow::evaluate::{
    self, AgentChoice, AskedFor, Case, CaseSource, JudgeChoice, Judging, PinnedTruth, Question, Run,
    RunFolder, RunLimits, RunSettings, TruthScorer,
};
use serde_json::{Map, Value, json};

/// As many as the documents' full evaluation has.
const QUESTIONS: usize = 246;

struct AtOnce;

impl Agent for AtOnce {
    fn name(&self) -> String {
        "an agent that answers at once".to_owned()
    }

    async fn ask(&self, _: &AgentQuestion) -> Result<Reply, AgentError> {
        let trace = serde_json::from_value(json!({ "tool_calls": ["atlas_graphql"] }));
        Ok(Reply {
            answer: "Kenya's GDP per capita is $2,274.".to_owned(),
            trace: trace.ok(),
            ..Reply::default()
        })
    }
}

/// Full marks, in the shape that is asked for.
fn judge() -> FakeJudge {
    FakeJudge::new(Box::new(|prompt| {
        let mut reply = Map::new();
        for name in prompt.schema.schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name)
        {
            let value = match name.as_str() {
                "verdict" => json!("pass"),
                "reason" => json!("As far as it goes."),
                _ => json!({ "reason": "As far as it goes.", "score": 5 }),
            };
            reply.insert(name.clone(), value);
        }
        Ok(Value::Object(reply).to_string())
    }))
}

fn questions() -> Result<Vec<Case>, Box<dyn std::error::Error>> {
    let text = include_str!("../examples/scoring/store/61/results.json");
    let mut asked = Vec::new();
    for id in 1..=QUESTIONS {
        let mut record: Record = serde_json::from_str(text)?;
        record.question_id = id.to_string().parse()?;
        let question: Question = serde_json::from_value(json!({
            "question_id": id, "text": "What is the GDP per capita of Kenya?", "category": "country_overview",
            "expected_tool": "graphql_only", "context": { "country": "404" },
        }))?;
        let hash = serde_json::from_value(json!("0".repeat(64)))?;
        let truth = PinnedTruth { hash, record, provenance: None, earlier: Vec::new() };
        asked.push(Case::of_question(question, Some(truth)));
    }
    Ok(asked)
}

fn settings(asked: &[Case], judge: Option<JudgeChoice>) -> Result<RunSettings, jiff::Error> {
    let answers = AgentChoice::Answers("answers".into());
    Ok(RunSettings {
        site: Site::Twin,
        pipeline: Some(Pipeline::Graphql),
        judge,
        planned: asked.iter().map(|case| case.question.question_id.clone()).collect(),
        ..RunSettings::new(CaseSource::Manifest, answers, "2026-11-20T10:30:00Z".parse()?)
    })
}

/// The best of five runs, in milliseconds a question.
fn best(judged: bool) -> Result<f64, Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let folder = tempfile::tempdir()?;
        let asked = questions()?;
        let choice = judged.then(|| JudgeChoice {
            model: "fake".to_owned(),
            prompts: None,
            prompts_hash: String::new(),
            rubric: Default::default(),
            repeat: 1,
        });
        let mut settings = settings(&asked, choice)?;
        let grader = Grader::new(judge(), Prompts::built_in()?);
        let started = Instant::now();
        let folder = RunFolder::create(folder.path(), &mut settings)?;
        let judging = judged.then_some(Judging {
            grader: &grader,
            rubric: Default::default(),
            repeat: NonZeroU32::MIN,
        });
        let asked_for = AskedFor { mode: settings.mode, pipeline: settings.pipeline };
        let judge_price_usd = Default::default();
        let scorer = TruthScorer { asked: asked_for, judging, judge_price_usd, folder: &folder };
        let (events, stop) = (Events::silent(), AtomicBool::new(false));
        let run = Run {
            folder: &folder,
            agent: &AtOnce,
            scorer: &scorer,
            limits: RunLimits::of(&settings),
            clock: Clock::System,
            events: &events,
            stop: &stop,
        };
        let summary = runtime.block_on(evaluate::run(&folder, &settings, &run, asked))?;
        best = best.min(started.elapsed().as_secs_f64() * 1000.0 / QUESTIONS as f64);
        let passed = summary.pass_rate.map_or(0, |rate| rate.successes);
        assert_eq!(passed, QUESTIONS as u64, "{summary:?}");
    }
    Ok(best)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{QUESTIONS} questions, agent and judge answer at once; milliseconds a question, best of five:");
    println!("  scored by rules, kept on disk         {:.3}", best(false)?);
    println!("  judged besides (twice kept, anchors)  {:.3}", best(true)?);
    Ok(())
}
