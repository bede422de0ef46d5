//! Sample data for tests of evaluation runs.

use super::history::HistoryLine;
use super::{
    AgentChoice, Answer, CaseSource, CaseVerdict, Decider, PinnedTruth, Question, QuestionRecord,
    RunSettings, Scored,
};
use crate::agent::Reply;
use crate::truth::{Pipeline, Record};
use crate::value::Context;

/// The settings of a run over recorded answers.
pub fn settings() -> RunSettings {
    let answers = AgentChoice::Answers("answers.jsonl".into());
    RunSettings {
        tool_version: "0.1.0".to_owned(),
        store: "ground_truth".into(),
        agent_name: "answers of answers.jsonl".to_owned(),
        pipeline: Some(Pipeline::None),
        ..RunSettings::new(CaseSource::Manifest, answers, "2026-11-20T10:30:00Z".parse().unwrap())
    }
}

/// A question about the GDP per capita of Kenya.
pub fn question(id: &str) -> Question {
    Question {
        category: Some("country_overview".to_owned()),
        context: Context { country: Some("404".to_owned()), ..Context::default() },
        ..Question::new(id.parse().unwrap(), "What is the GDP per capita of Kenya?".to_owned())
    }
}

/// The truth of the question, with another value.
pub fn truth(id: &str, value: &str, number: &str) -> PinnedTruth {
    let mut record: Record =
        serde_json::from_str(include_str!("../../../../examples/scoring/store/61/results.json")).unwrap();
    record.question_id = id.parse().unwrap();
    record.results.data[0].value = Some(value.to_owned());
    record.results.data[0].number = Some(number.parse().unwrap());
    let hash = crate::evidence::Hash::of(record.to_text().unwrap().as_bytes());
    PinnedTruth { hash, record, provenance: None, earlier: Vec::new() }
}

/// A right, unscored answer.
pub fn record(id: &str) -> QuestionRecord {
    let reply = Reply { answer: "Kenya's GDP per capita is $2,274.".to_owned(), ..Reply::default() };
    QuestionRecord {
        question: question(id),
        truth: Some(truth(id, "$2,274", "2274")),
        checks: None,
        answer: Answer {
            asked_at: "2026-11-20T10:30:00Z".parse().unwrap(),
            latency_ms: Some(1_000),
            cost_usd: None,
            reply: Some(reply),
            error: None,
            unreachable: false,
        },
        scored: None,
    }
}

/// A score with only a verdict.
pub fn scored(verdict: CaseVerdict, decided_by: Decider) -> Scored {
    Scored {
        score: match verdict {
            CaseVerdict::Pass => Some(1.0),
            CaseVerdict::Partial => Some(0.5),
            CaseVerdict::Fail => Some(0.0),
            CaseVerdict::Unscored | CaseVerdict::Error => None,
        },
        pipeline: Pipeline::None,
        ..Scored::new(verdict, decided_by, "a sample".to_owned())
    }
}

/// Questions with these verdicts, numbered 1, 2, 3 …
pub fn questions(verdicts: &[CaseVerdict]) -> Vec<QuestionRecord> {
    let one = |(verdict, number): (&CaseVerdict, usize)| QuestionRecord {
        scored: Some(scored(*verdict, Decider::Rules)),
        ..record(&number.to_string())
    };
    verdicts.iter().zip(1..).map(one).collect()
}

/// A line of the history.
pub fn history(run: &str, at: &str, version: u32, verdicts: &[(&str, CaseVerdict)]) -> HistoryLine {
    let text = format!("{{\"timestamp\": \"{at}\", \"run\": \"{run}\", \"scoring_version\": {version}}}");
    let passed = verdicts.iter().filter(|(_, verdict)| *verdict == CaseVerdict::Pass).count();
    HistoryLine {
        verdicts: verdicts.iter().map(|(id, verdict)| ((*id).to_owned(), *verdict)).collect(),
        pass_rate: Some(passed as f64 / verdicts.len() as f64),
        questions: verdicts.len() as u64,
        ..serde_json::from_str(&text).unwrap()
    }
}
