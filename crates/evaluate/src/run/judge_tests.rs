//! Tests of an answer scored by rules and judge together.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Map, Value, json};

use super::*;
use crate::agent::Mode;
use crate::judge::{FakeJudge, Prompts};
use crate::run::samples;

/// A judge that gives every dimension these points, one after another.
fn grader(points: &'static [f64]) -> Grader<FakeJudge> {
    let turn = AtomicUsize::new(0);
    let judge = FakeJudge::new(Box::new(move |prompt| {
        let points = points[turn.fetch_add(1, Ordering::Relaxed) % points.len()];
        let verdict = if points >= 3.5 { "pass" } else { "partial" };
        let names = prompt.schema.schema["properties"].as_object().unwrap().keys();
        let reply: Map<String, Value> = names
            .map(|name| {
                let value = match name.as_str() {
                    "verdict" => json!(verdict),
                    "reason" => json!("As far as it goes."),
                    dimension => json!({ "reason": format!("As far as {dimension} goes."), "score": points }),
                };
                (name.clone(), value)
            })
            .collect();
        Ok(Value::Object(reply).to_string())
    }));
    Grader::new(judge, Prompts::built_in().unwrap())
}

async fn scored(answer: &str, points: &'static [f64], repeat: u32) -> Scored {
    let mut record = samples::record("61");
    record.answer.reply.as_mut().unwrap().answer = answer.to_owned();
    let grader = grader(points);
    let judging =
        Judging { grader: &grader, rubric: Rubric::FourDimensions, repeat: NonZeroU32::new(repeat).unwrap() };
    let asked = AskedFor { mode: Mode::Auto, pipeline: Some(Pipeline::None) };
    score(&record, Some(&judging), asked).await
}

const HEDGED: &str = "Kenya's GDP per capita may be about $2,274.";
const WRONG: &str = "Kenya's GDP per capita is $3,500.";

#[tokio::test]
async fn the_majority_of_repeats_decides_and_says_when_it_straddles_the_threshold() {
    let scored = scored(HEDGED, &[4.0, 3.0, 4.0], 3).await;
    assert_eq!((scored.verdict, scored.decided_by), (CaseVerdict::Pass, Decider::Judge));
    assert!(scored.unstable && scored.judgements[0].repeats.len() == 3, "{scored:?}");
    assert_eq!((scored.score, scored.weighted_score), (Some(0.8), Some(4.0)));
    let split = super::tests::scored(HEDGED, &[4.0, 3.0], 2).await;
    assert_eq!((split.verdict, split.unstable), (CaseVerdict::Unscored, true), "no majority: {split:?}");
}

#[tokio::test]
async fn the_judge_scores_dimensions_and_never_overturns_the_rules() {
    let scored = scored(WRONG, &[5.0], 1).await;
    assert_eq!((scored.verdict, scored.decided_by), (CaseVerdict::Fail, Decider::Rules));
    assert_eq!((scored.score, scored.weighted_score), (Some(0.0), Some(5.0)));
    // one dimension and its reason, not all of them
    let words = scored.disagreement.unwrap();
    assert!(words.starts_with("the rules say fail (") && words.contains("$3,500"), "{words}");
    assert!(
        words.ends_with("; the judge says pass (factual correctness 5: As far as factual_correctness goes.)"),
        "{words}"
    );
    let right = super::tests::scored("Kenya's GDP per capita is $2,274.", &[4.0], 1).await;
    assert_eq!((right.verdict, right.disagreement), (CaseVerdict::Pass, None), "both pass it");
    // a judge that falls short is listed too, by the dimension with the fewest points
    let right = super::tests::scored("Kenya's GDP per capita is $2,274.", &[3.0], 1).await;
    assert_eq!((right.verdict, right.decided_by), (CaseVerdict::Pass, Decider::Rules));
    assert!(right.disagreement.unwrap().contains("the judge says partial (factual correctness 3: "));
}

#[tokio::test]
async fn truth_that_must_not_score_is_not_shown_to_the_judge_either() {
    let mut record = samples::record("61");
    record.truth.as_mut().unwrap().record.source_method = crate::truth::SourceMethod::SqlCrossCheck;
    let grader = grader(&[5.0]);
    let judging = Judging { grader: &grader, rubric: Rubric::FourDimensions, repeat: NonZeroU32::MIN };
    let asked = AskedFor { mode: Mode::Auto, pipeline: Some(Pipeline::Graphql) };
    let scored = score(&record, Some(&judging), asked).await;
    assert_eq!((scored.verdict, grader.counters().asked), (CaseVerdict::Unscored, 0));
}
