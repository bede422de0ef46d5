//! Tests of the summary of a run.

use std::collections::BTreeMap;

use serde_json::json;

use super::*;
use crate::run::calibrate::CalibrationNote;
use crate::run::samples;
use crate::run::summary::Ending;
use CaseVerdict::{Error, Fail, Partial, Pass, Unscored};

fn ending() -> Ending {
    Ending::at("2026-11-20T10:31:00Z".parse().unwrap())
}

fn with(
    questions: &[QuestionRecord],
    least: Option<f64>,
    calibrated: Option<bool>,
    history: &[HistoryLine],
) -> RunSummary {
    let mut settings = samples::settings();
    settings.min_pass_rate = least;
    settings.planned = questions.iter().map(|one| one.question.question_id.clone()).collect();
    let calibration = calibrated.map(|is_calibrated| CalibrationNote {
        is_calibrated,
        why: None,
        labels: 24,
        agreement: None,
        kappa: None,
        at: None,
    });
    let context = RunContext { settings: &settings, ending: ending(), anchors: None, calibration, history };
    summarize(questions, context)
}

fn of(questions: &[QuestionRecord], least: Option<f64>) -> RunSummary {
    with(questions, least, None, &[])
}

#[test]
fn decisions_6_and_17_what_nothing_decided_leaves_the_rate_and_a_missing_answer_fails() {
    let summary = of(&samples::questions(&[Pass, Pass, Partial, Fail, Unscored, Error]), None);
    let rate = summary.pass_rate.unwrap();
    assert_eq!((rate.successes, rate.n), (2, 5));
    assert_eq!(summary.pass_rate_of_all.unwrap().n, 6);
    assert_eq!(
        summary.counts,
        BTreeMap::from([(Pass, 2), (Partial, 1), (Fail, 1), (Unscored, 1), (Error, 1)])
    );
    assert_eq!((summary.exit_code, summary.duration_s), (6, 60.0));
}

#[test]
fn a_question_without_an_answer_has_no_latency() {
    let mut questions = samples::questions(&[Pass, Error]);
    (questions[1].answer.latency_ms, questions[1].answer.reply) = (Some(9_000), None);
    let latency = of(&questions, None).latency_ms.unwrap();
    assert_eq!((latency.n, latency.p99), (1, 1_000.0));
}

#[test]
fn decision_6_what_is_unscored_passes_no_gate() {
    let open = samples::questions(&[Pass, Pass, Unscored, Unscored]);
    let gate = of(&open, Some(0.6)).gate.unwrap();
    assert!(!gate.passed && gate.rate.unwrap().n == 4, "{gate:?}");
    // it passes where even that does not matter
    assert!(of(&open, Some(0.5)).gate.unwrap().passed);
    assert!(!of(&[], Some(0.0)).gate.unwrap().passed);
}

#[test]
fn what_is_missing_of_a_partial_run_passes_no_gate() {
    let mut questions = samples::questions(&[Pass, Pass]);
    questions[1].scored = None;
    let summary = of(&questions, Some(0.6));
    assert_eq!(summary.partial.as_deref(), Some("it has not ended; 1 of 2 questions is missing"));
    assert!(!summary.gate.unwrap().passed);
}

#[test]
fn evaluation_strategy_11_an_uncalibrated_judge_changes_no_gate() {
    let mut questions = samples::questions(&[Pass, Pass, Fail, Unscored, Unscored]);
    let gate =
        |questions: &[QuestionRecord], calibrated| with(questions, Some(0.5), calibrated, &[]).gate.unwrap();
    let alone = gate(&questions, None);
    assert!(!alone.passed && alone.note.starts_with("2 of 5 passed"), "{alone:?}");
    // neither what it passes nor what it fails
    for (verdict, passed) in [(Pass, true), (Fail, false)] {
        questions[3].scored = Some(samples::scored(verdict, Decider::Judge));
        let uncalibrated = gate(&questions, Some(false));
        assert_eq!((uncalibrated.passed, uncalibrated.rate), (false, alone.rate), "{uncalibrated:?}");
        let note = "2 of 5 passed, undecided questions count as not passed; 1 decided by an uncalibrated \
                    judge counts as undecided";
        assert_eq!(uncalibrated.note, note);
        assert_eq!(gate(&questions, Some(true)).passed, passed);
    }
    // a judge that fails decides nothing
    for one in &mut questions[2..] {
        one.scored = Some(samples::scored(Unscored, Decider::Nobody));
    }
    let failed = with(&questions, Some(0.9), Some(false), &[]);
    assert!(
        !failed.gate.unwrap().passed && failed.exit_reason.contains("40.0 % instead of the required 90.0 %")
    );
    let tight = of(&samples::questions(&[Pass, Pass, Fail]), Some(0.6667)).exit_reason;
    assert!(tight.contains("66.667 % instead of the required 66.670 %"), "{tight}");
}

#[test]
fn evaluation_strategy_8_average_weighted_score_is_the_judges_alone() {
    let mut questions = samples::questions(&[Pass, Pass, Fail]);
    assert_eq!(of(&questions, None).weighted_score, None, "no judge, no score");
    for (one, score) in questions.iter_mut().zip([5.0, 4.0]) {
        one.scored.as_mut().unwrap().weighted_score = Some(score);
    }
    let score = of(&questions, None).weighted_score.unwrap();
    assert_eq!((score.n, score.mean), (2, 4.5));
}

#[test]
fn evaluation_strategy_8_a_line_of_the_history_has_scores_models_and_duration() {
    let mut questions = samples::questions(&[Pass, Fail]);
    questions[0].scored.as_mut().unwrap().weighted_score = Some(4.0);
    let line = of(&questions, None).history_line(&questions, &samples::settings());
    let line = serde_json::to_value(line).unwrap();
    for (key, due) in [
        ("timestamp", json!("2026-11-20T10:30:00Z")),
        ("agent_model", json!("answers of answers.jsonl")),
        ("judge_model", json!(null)),
        ("avg_score", json!(4.0)),
        ("pass_rate", json!(0.5)),
        ("duration_s", json!(60.0)),
        ("categories", json!({ "country_overview": 0.5 })),
    ] {
        assert_eq!(line[key], due, "{key}");
    }
}

#[test]
fn evaluation_strategy_11_a_week_above_100_dollars_is_an_alert() {
    let mut questions = samples::questions(&[Pass]);
    questions[0].answer.cost_usd = Some("1.00".parse().unwrap());
    let mut line = samples::history("20261115T103000Z", "2026-11-15T10:30:00Z", 3, &[("1", Pass)]);
    for (before, alert) in [("99.00", false), ("99.01", true)] {
        line.agent_cost_usd = Some(before.parse().unwrap());
        let history = std::slice::from_ref(&line);
        // an agent that is asked is paid; answers that are there cost what they cost, and the run spends nothing
        let mut settings = samples::settings();
        settings.agent = crate::run::settings::AgentChoice::Url("http://localhost:8000".to_owned());
        let context =
            RunContext { settings: &settings, ending: ending(), anchors: None, calibration: None, history };
        let cost = summarize(&questions, context).cost;
        assert_eq!((cost.week_alert, cost.total_usd), (alert, "1.00".parse().unwrap()), "{cost:?}");
        let recorded = with(&questions, None, None, history).cost;
        assert_eq!(
            (recorded.agent_usd, recorded.total_usd.is_zero(), recorded.week_alert),
            (cost.agent_usd, true, false)
        );
    }
    questions[0].answer.cost_usd = None;
    let unknown = of(&questions, None);
    assert_eq!((unknown.cost.agent_usd, unknown.cost.unknown), (None, 1));
    let line = unknown.history_line(&questions, &samples::settings());
    assert_eq!((line.cost(), line.spent().is_zero()), (None, true));
}

#[test]
fn decision_8_routes_have_a_rate_and_a_strict_one() {
    let mut questions = samples::questions(&[Pass, Pass, Fail, Error, Pass]);
    for one in &mut questions {
        one.question.expected_tool = Some(crate::manifest::ExpectedTool::GraphqlPreferred);
    }
    for (one, route) in questions.iter_mut().zip([
        Some(TrajectoryVerdict::Pass),
        Some(TrajectoryVerdict::Acceptable),
        Some(TrajectoryVerdict::Fail),
        None,
        None,
    ]) {
        one.scored.as_mut().unwrap().trajectory = route;
    }
    questions[3].answer.reply = None;
    // the missing answer is a wrong route, the route that nobody recorded is none
    let routes = of(&questions, None).trajectories;
    assert_eq!((routes.n, routes.rate, routes.strict_rate), (4, Some(0.5), Some(0.25)));
}
