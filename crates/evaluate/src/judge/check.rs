//! Checks that a judge's reply is a valid verdict: well-formed, in range, and free of
//! contradictions. Pure.
//!
//! A verdict contradicts itself if
//! - the points add up to another total than stated;
//! - the stated verdict differs from that of the points, which are not within 0.25 of the threshold
//!   between the two;
//! - an answer that states what it should refuse passes, or one that declines and states nothing
//!   fails;
//! - a yes-or-no judgement fails without a kind of failure, or has one although every dimension
//!   holds;
//! - equal texts score below 0.5, or different texts score 1;
//! - a reason calls the answer wrong beside full points, or finds no fault beside the fewest
//!   points.

use std::collections::BTreeMap;

use serde_json::json;

use super::form::{Form, SCORE};
use super::modes::{ASSERTS, Criteria, DECLINES, SAME};
use super::reasons::{calls_wrong, finds_no_fault};
use super::reply::{self, ReadReply};
use super::request::{JudgeRequest, UnscoredKind};
use crate::scoring::CaseVerdict;
use crate::scoring::Score;
use crate::scoring::rubric;
use crate::scoring::scorers::PointScale;

/// The tolerance of a verdict around a threshold, in points of 5.
const TOLERANCE: f64 = 0.25;

/// A valid verdict.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Checked {
    pub score: Score,
    pub verdict: CaseVerdict,
    pub dimensions: BTreeMap<String, f64>,
    pub reasons: BTreeMap<String, String>,
    pub faults: Vec<String>,
}

/// Why a reply is not a valid verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Problem {
    /// Malformed or contradictory.
    pub kind: UnscoredKind,
    /// The problem as text.
    pub what: String,
}

impl Problem {
    fn malformed(what: impl Into<String>) -> Self {
        Self { kind: UnscoredKind::Malformed, what: what.into() }
    }

    fn contradictory(what: impl Into<String>) -> Self {
        Self { kind: UnscoredKind::Contradictory, what: what.into() }
    }
}

/// Parses and checks a reply.
pub(super) fn check(request: &JudgeRequest, text: &str) -> Result<Checked, Problem> {
    let form = &Form::of(request);
    let read = reply::read(form, text).map_err(Problem::malformed)?;
    if let Some((name, _)) = read.reasons.iter().find(|(_, reason)| reason.trim().is_empty()) {
        return Err(Problem::malformed(format!("the reason for {name} is empty")));
    }
    let score = match &request.mode.row().criteria {
        Criteria::Rubric => by_rubric(request, &read)?,
        Criteria::YesNo => by_dimensions(&read)?,
        Criteria::Points(scale) => by_points(scale, request, &read)?,
        Criteria::One(one) => {
            let (given, most) = (read.points.get(SCORE).copied().unwrap_or_default(), one.scale.most);
            Score::scored(given / most, format!("{given} of {most}"))
        }
    };
    let value = score.value.unwrap_or_default();
    reasons_agree(form, &read)?;
    agrees(&read, value)?;
    let verdict = verdict(request, value);
    let mut score = score.by("judge").with("mode", request.mode.name());
    score.reasons.extend(read.reasons.iter().map(|(name, reason)| match name.as_str() {
        SCORE => reason.clone(),
        _ => format!("{name}: {reason}"),
    }));
    Ok(Checked { score, verdict, dimensions: read.points, reasons: read.reasons, faults: read.faults })
}

/// The verdict for a score from 0 to 1. It is `pass` from the threshold upwards. In modes with
/// three verdicts it is `partial` from 2.5 of 5 points, or from 5 of 10.
fn verdict(request: &JudgeRequest, value: f64) -> CaseVerdict {
    if value >= request.passing() {
        CaseVerdict::Pass
    } else if request.mode.row().has_partial && value >= rubric::PARTIAL / rubric::MAX {
        CaseVerdict::Partial
    } else {
        CaseVerdict::Fail
    }
}

fn by_rubric(request: &JudgeRequest, read: &ReadReply) -> Result<Score, Problem> {
    let scored = request.rubric.score(&read.points, request.trace.is_some()).map_err(Problem::malformed)?;
    let reason = format!("{}: {:.2} of {}", scored.verdict.name(), scored.weighted, rubric::MAX);
    let score = Score::new(Some(scored.weighted / rubric::MAX), reason, scored).erased();
    Ok(score.with("points", json!(read.points)))
}

/// The verdict of a yes-or-no judgement. A failure needs a kind, and a full pass has none.
fn by_dimensions(read: &ReadReply) -> Result<Score, Problem> {
    let score = rubric::binary(&read.points).map_err(Problem::malformed)?;
    let passes = score.value.is_some_and(|value| value >= rubric::BINARY_PASS);
    match (passes, read.faults.as_slice()) {
        (false, []) => Err(Problem::contradictory("the answer fails without a kind of failure")),
        (true, [fault, ..]) if score.value == Some(1.0) => {
            Err(Problem::contradictory(format!("every dimension holds, but a failure is named: {fault}")))
        }
        _ => Ok(score),
    }
}

fn by_points(scale: &PointScale, request: &JudgeRequest, read: &ReadReply) -> Result<Score, Problem> {
    scale.of(&read.points, &request.answer, &request.expected_content).map_err(Problem::malformed)
}

/// Checks that the judge's statements follow from its points.
fn agrees(read: &ReadReply, value: f64) -> Result<(), Problem> {
    let of_five = value * rubric::MAX;
    let flag = |name| read.flags.get(name).copied();
    if let Some(total) = read.total {
        let sum: f64 = read.points.values().sum();
        if (sum - total).abs() > 1e-6 {
            return Err(Problem::contradictory(format!("the points add up to {sum}, not to {total}")));
        }
    }
    if flag(SAME) == Some(true) && value < 0.5 {
        return Err(Problem::contradictory(format!(
            "the texts say the same, but their similarity is {value}"
        )));
    }
    if flag(SAME) == Some(false) && value >= 1.0 {
        return Err(Problem::contradictory("the texts differ in content, but their similarity is 1"));
    }
    if let Some((declines, asserts)) = flag(DECLINES).zip(flag(ASSERTS)) {
        let passes = of_five >= rubric::PASS;
        let what = match (declines, asserts) {
            (_, true) if passes => Some("the answer states what it should refuse, but passes"),
            (false, _) if passes => Some("the answer does not decline, but passes"),
            (true, false) if of_five < rubric::PARTIAL => {
                Some("the answer declines and states nothing, but fails")
            }
            _ => None,
        };
        if let Some(what) = what {
            return Err(Problem::contradictory(what));
        }
    }
    read.verdict.map_or(Ok(()), |claimed| verdict_follows(claimed, of_five))
}

fn verdict_follows(claimed: CaseVerdict, of_five: f64) -> Result<(), Problem> {
    let follows = rubric::verdict(of_five);
    let near = |threshold: f64| (of_five - threshold).abs() <= TOLERANCE;
    let between = match (claimed.min(follows), claimed.max(follows)) {
        (CaseVerdict::Partial, CaseVerdict::Fail) => near(rubric::PARTIAL),
        (CaseVerdict::Pass, CaseVerdict::Partial) => near(rubric::PASS),
        (better, worse) => better == worse,
    };
    if between {
        return Ok(());
    }
    Err(Problem::contradictory(format!(
        "the verdict is {}, the points give {of_five:.2} of {}, which is {}",
        claimed.name(),
        rubric::MAX,
        follows.name()
    )))
}

/// Checks that each reason agrees with its own points.
fn reasons_agree(form: &Form, read: &ReadReply) -> Result<(), Problem> {
    for (name, reason) in &read.reasons {
        let Some((points, scale)) = read.points.get(name).zip(form.scale(name)) else { continue };
        if !scale.of_facts {
            continue;
        }
        let contradicts = if *points >= scale.most && calls_wrong(reason) {
            "calls the answer wrong"
        } else if *points <= scale.least && finds_no_fault(reason) {
            "finds no fault"
        } else {
            continue;
        };
        let most = scale.most;
        return Err(Problem::contradictory(format!(
            "{name} has {points} of {most}, but its reason {contradicts}: {reason:?}"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::judge::JudgeMode;
    use crate::scoring::rubric::Rubric;

    fn request(mode: JudgeMode) -> JudgeRequest {
        JudgeRequest::new(mode, "q", "a").against("t")
    }

    fn four(scores: [f64; 4], reason: &str, verdict: &str) -> String {
        let mark = |score: f64| json!({ "reason": reason, "score": score });
        json!({
            "factual_correctness": mark(scores[0]), "data_accuracy": mark(scores[1]),
            "completeness": mark(scores[2]), "reasoning_quality": mark(scores[3]), "verdict": verdict,
        })
        .to_string()
    }

    fn problem(mode: JudgeMode, reply: Value) -> Problem {
        check(&request(mode), &reply.to_string()).unwrap_err()
    }

    #[test]
    fn evaluation_strategy_6_dimensions_are_weighed_and_the_verdict_follows() {
        let mut older = request(JudgeMode::GroundTruth);
        older.rubric = Rubric::FourDimensions;
        let checked = check(&older, &four([4.0, 3.0, 4.0, 5.0], "Mostly there.", "pass")).unwrap();
        assert_eq!((checked.score.value, checked.verdict), (Some(3.85 / 5.0), CaseVerdict::Pass));
        assert_eq!(checked.dimensions["data_accuracy"], 3.0);
        assert_eq!(checked.score.backend, "judge");
        // Without a trace the five have no source, and the rest is renormalised (decision 16).
        let checked =
            check(&request(JudgeMode::GroundTruth), &four([4.0; 4], "Mostly there.", "pass")).unwrap();
        assert_eq!(checked.score.metadata["unscored"], json!(["data_source_appropriateness"]));
        assert_eq!(checked.score.value, Some(0.8));
    }

    #[test]
    fn yes_and_no_pass_with_three_of_four_and_both_critical_ones() {
        let reply = |holds: [bool; 4], faults: [&str; 2]| {
            let one = |holds: bool| json!({ "reason": "As it is.", "holds": holds });
            json!({
                "factual_correctness": one(holds[0]), "data_accuracy": one(holds[1]), "completeness": one(holds[2]),
                "reasoning_quality": one(holds[3]), "failure": faults[0], "secondary_failure": faults[1],
            })
            .to_string()
        };
        let of = |holds, faults| check(&request(JudgeMode::Binary), &reply(holds, faults));
        let none = ["none", "none"];
        for (holds, faults, value, verdict) in [
            ([true; 4], none, 1.0, CaseVerdict::Pass),
            ([true, true, false, true], ["incomplete", "none"], 0.75, CaseVerdict::Pass),
            ([true, true, true, false], none, 0.75, CaseVerdict::Pass),
            // a critical one is missing, whatever else holds
            ([true, false, true, true], ["wrong_value", "wrong_period"], 0.5, CaseVerdict::Fail),
            ([false, true, true, true], ["wrong_entity", "none"], 0.5, CaseVerdict::Fail),
            ([true, true, false, false], ["incomplete", "none"], 0.5, CaseVerdict::Fail),
            ([false; 4], ["wrong_refusal", "none"], 0.0, CaseVerdict::Fail),
        ] {
            let checked = of(holds, faults).unwrap();
            assert_eq!((checked.score.value, checked.verdict), (Some(value), verdict), "{holds:?}");
            let due: Vec<&str> = faults.into_iter().filter(|fault| *fault != "none").collect();
            assert_eq!(checked.faults, due);
        }
        assert_eq!(of([false; 4], none).unwrap_err().kind, UnscoredKind::Contradictory);
        assert_eq!(of([true; 4], ["incomplete", "none"]).unwrap_err().kind, UnscoredKind::Contradictory);
        assert!(of([false; 4], ["bad", "none"]).unwrap_err().what.contains("wrong_value"));
        assert_eq!(crate::scoring::rubric::FAULTS.len(), 7);
    }

    #[test]
    fn what_is_out_of_range_is_malformed() {
        let text = four([6.0, 4.0, 4.0, 4.0], "Fine.", "pass");
        let error = check(&request(JudgeMode::GroundTruth), &text).unwrap_err();
        assert_eq!(error.kind, UnscoredKind::Malformed);
        assert!(error.what.contains("factual_correctness is 6"), "{error:?}");
        let error = problem(JudgeMode::Semantic, json!({ "reason": "r", "same": true, "score": 92 }));
        assert!(error.what.contains("expected 0 to 1"), "{error:?}");
        let error = problem(JudgeMode::Semantic, json!({ "reason": " ", "same": true, "score": 1 }));
        assert!(error.what.contains("reason for score is empty"), "{error:?}");
        let points = |points: f64| json!({ "reason": "r", "points": points });
        let reply = json!({ "factual_accuracy": points(5.0), "evidence_support": points(4.0), "total": 9 });
        assert!(problem(JudgeMode::Grounding, reply).what.contains("expected 0 to 4"));
    }

    #[test]
    fn a_verdict_against_its_points_is_named() {
        for (scores, verdict, fits) in [
            ([5.0; 4], "fail", false),
            ([5.0; 4], "partial", false),
            ([1.0; 4], "pass", false),
            // 3.4 is so near to 3.5 that both can be meant
            ([3.0, 4.0, 3.0, 4.0], "pass", true),
            ([4.0; 4], "partial", false),
            ([2.0; 4], "fail", true),
        ] {
            let checked = check(&request(JudgeMode::GroundTruth), &four(scores, "As it is.", verdict));
            assert_eq!(checked.is_ok(), fits, "{scores:?} {verdict} {checked:?}");
            if let Err(error) = checked {
                assert_eq!(error.kind, UnscoredKind::Contradictory);
            }
        }
    }

    #[test]
    fn sums_that_do_not_add_up_are_named() {
        let points = |points: f64| json!({ "reason": "r", "points": points });
        let reply = |total: f64| {
            json!({
                "logical_coherence": points(3.0), "information_usage": points(2.0),
                "problem_decomposition": points(2.0), "completeness": points(1.0), "total": total,
            })
        };
        let checked = check(&request(JudgeMode::Reasoning), &reply(8.0).to_string()).unwrap();
        assert_eq!((checked.score.value, checked.verdict), (Some(0.8), CaseVerdict::Pass));
        let error = problem(JudgeMode::Reasoning, reply(10.0));
        assert_eq!(error.kind, UnscoredKind::Contradictory);
        assert!(error.what.contains("add up to 8, not to 10"), "{error:?}");
    }

    #[test]
    fn decision_7_expected_content_needs_no_judge() {
        let points = |points: f64| json!({ "reason": "r", "points": points });
        let reply = json!({ "factual_accuracy": points(4.0), "evidence_support": points(3.0), "total": 7 });
        let mut asked = request(JudgeMode::Grounding);
        asked.answer = "France has about 67 million people.".to_owned();
        asked.expected_content = vec!["67 million".to_owned(), "Paris".to_owned()];
        let checked = check(&asked, &reply.to_string()).unwrap();
        assert_eq!(checked.score.value, Some(0.8), "4 + 3 + 1 of 2: {checked:?}");
    }

    #[test]
    fn reasons_against_their_points_are_named() {
        let mode = JudgeMode::GroundTruth;
        let error = check(&request(mode), &four([5.0; 4], "The export value is wrong.", "pass")).unwrap_err();
        assert_eq!(error.kind, UnscoredKind::Contradictory);
        assert!(error.what.contains("calls the answer wrong"), "{error:?}");
        let error =
            check(&request(mode), &four([1.0; 4], "The answer is fully correct.", "fail")).unwrap_err();
        assert!(error.what.contains("finds no fault"), "{error:?}");
        // The same words with points that fit them.
        assert!(check(&request(mode), &four([1.0; 4], "The export value is wrong.", "fail")).is_ok());
        assert!(check(&request(mode), &four([5.0; 4], "The answer is fully correct.", "pass")).is_ok());
    }

    #[test]
    fn refusals_and_similarities_contradict_themselves_in_their_own_ways() {
        let refusal = |declines: bool, asserts: bool, score: f64, verdict: &str| {
            json!({
                "reason": "r", "declines": declines, "asserts_answer": asserts, "score": score,
                "verdict": verdict,
            })
        };
        let fits = |reply: Value| check(&request(JudgeMode::Refusal), &reply.to_string()).is_ok();
        assert!(fits(refusal(true, false, 5.0, "pass")) && fits(refusal(false, true, 1.0, "fail")));
        assert!(!fits(refusal(false, true, 5.0, "pass")));
        assert!(!fits(refusal(false, false, 5.0, "pass")));
        assert!(!fits(refusal(true, false, 1.0, "fail")));
        let alike = |same: bool, score: f64| {
            let reply = json!({ "reason": "r", "same": same, "score": score });
            check(&request(JudgeMode::Fuzzy), &reply.to_string())
        };
        // Metrics plan: "John Smith" and "John Smyth", 0.92 against 0.85.
        assert_eq!(alike(true, 0.92).unwrap().verdict, CaseVerdict::Pass);
        assert_eq!(alike(false, 0.84).unwrap().verdict, CaseVerdict::Fail);
        assert!(alike(true, 0.3).is_err() && alike(false, 1.0).is_err());
    }
}
