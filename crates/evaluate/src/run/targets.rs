//! The targets of evaluation strategy, section 8, compared with intervals: met, missed, or too few
//! questions to tell.

use super::summary::{RunSummary, RunTarget, TargetUnit};
use crate::scoring::CaseVerdict;
use crate::scoring::stats::{Bounds, Limit, Proportion, TargetOutcome, percentiles, wilson};
use crate::truth::Pipeline;

/// A target without data.
fn unmeasured(name: &'static str, limit: Limit, unit: TargetUnit) -> RunTarget {
    let number = match unit {
        TargetUnit::Share => format!("{:.0} %", limit.value() * 100.0),
        TargetUnit::Points => format!("{} of 5", limit.value()),
        TargetUnit::Milliseconds => format!("{:.0} s", limit.value() / 1000.0),
    };
    let words = match limit {
        Limit::AtLeast(1.0) if unit == TargetUnit::Share => number,
        Limit::AtLeast(_) => format!("≥ {number}"),
        Limit::Below(_) => format!("< {number}"),
    };
    RunTarget {
        name,
        target: words,
        limit: limit.value(),
        unit,
        value: None,
        n: 0,
        low: None,
        high: None,
        state: TargetOutcome::NotMeasured,
    }
}

fn rate(name: &'static str, limit: Limit, found: Option<Proportion>) -> RunTarget {
    let ends = found.map(|found| found.interval);
    RunTarget {
        value: found.map(|found| found.rate),
        n: found.map_or(0, |found| found.n),
        low: ends.map(|ends| ends.low),
        high: ends.map(|ends| ends.high),
        state: limit.outcome(ends),
        ..unmeasured(name, limit, TargetUnit::Share)
    }
}

/// A share of a complete count. It is not a sample, so its interval has no width.
fn share(name: &'static str, limit: Limit, part: u64, all: u64) -> RunTarget {
    let value = (all > 0).then(|| part as f64 / all as f64);
    RunTarget {
        value,
        n: all,
        state: limit.outcome_of_exact(value),
        ..unmeasured(name, limit, TargetUnit::Share)
    }
}

/// A 95th percentile with an upper limit. It is met if at least 95 % of the times are below; that
/// share has an interval.
fn p95(name: &'static str, limit_ms: f64, times: &[f64]) -> RunTarget {
    let below = times.iter().filter(|time| **time < limit_ms).count() as u64;
    let interval = wilson(below, times.len() as u64).map(|share| share.interval);
    RunTarget {
        value: percentiles(times).map(|found| found.p95),
        n: times.len() as u64,
        state: Limit::AtLeast(0.95).outcome(interval),
        ..unmeasured(name, Limit::Below(limit_ms), TargetUnit::Milliseconds)
    }
}

/// The judge's scale.
const ANY_SCORE: Bounds = Bounds { low: 1.0, high: 5.0 };

/// The time from question to answer, in milliseconds, with the pipeline of the answer.
pub(super) type Latency = (Pipeline, f64);

/// All targets that a single run can measure. Component evaluations, production metrics and
/// comparisons report the others. The latency of a pipeline covers the answers that it gave alone,
/// because the strategy lists one latency and one pipeline per request.
pub(super) fn of(summary: &RunSummary, latencies: &[Latency]) -> Vec<RunTarget> {
    let all: u64 = summary.counts.values().sum();
    let errors = CaseVerdict::Error.of(&summary.counts);
    let coverage = &summary.coverage;
    let times = |of: Option<Pipeline>| -> Vec<f64> {
        let wanted = latencies.iter().filter(|(pipeline, _)| of.is_none_or(|of| of == *pipeline));
        wanted.map(|(_, time)| *time).collect()
    };
    let score_limit = Limit::AtLeast(3.5);
    let score_ends =
        summary.weighted_score.and_then(|score| Some(Bounds { low: score.low?, high: score.high? }));
    vec![
        rate("pass_rate", Limit::AtLeast(0.60), summary.pass_rate),
        RunTarget {
            value: summary.weighted_score.map(|score| score.mean),
            n: summary.weighted_score.map_or(0, |score| score.n),
            low: score_ends.map(|ends| ends.low),
            high: score_ends.map(|ends| ends.high),
            // a single score has no interval: the mean may be anywhere
            state: score_limit.outcome(summary.weighted_score.map(|_| score_ends.unwrap_or(ANY_SCORE))),
            ..unmeasured("avg_weighted_score", score_limit, TargetUnit::Points)
        },
        rate("trajectory_match_rate", Limit::AtLeast(0.95), summary.trajectory_rate),
        p95("latency_p95_ms", 15_000.0, &times(None)),
        p95("graphql_latency_p95_ms", 5_000.0, &times(Some(Pipeline::Graphql))),
        p95("sql_latency_p95_ms", 10_000.0, &times(Some(Pipeline::Sql))),
        rate("error_rate", Limit::Below(0.05), wilson(errors, all)),
        share("questions_with_truth", Limit::AtLeast(0.90), coverage.with_truth, coverage.questions),
        share(
            "categories_with_three",
            Limit::AtLeast(1.0),
            coverage.categories_with_three,
            coverage.categories,
        ),
        share("browser_verified", Limit::AtLeast(0.30), coverage.browser_verified, coverage.with_truth),
        share("query_types_covered", Limit::AtLeast(1.0), coverage.query_types_covered, coverage.query_types),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::samples;
    use crate::run::{Ending, QuestionRecord, RunContext, summarize};
    use CaseVerdict::{Error, Fail, Pass};
    use TargetOutcome::{Met, Missed, NotMeasured, TooFewToTell};

    fn summary(questions: &[QuestionRecord]) -> RunSummary {
        let mut settings = samples::settings();
        settings.coverage = serde_json::from_value(serde_json::json!({
            "questions": 246, "with_truth": 190, "browser_verified": 100, "categories": 28, "categories_with_three": 28,
            "query_types": 21, "query_types_covered": 20,
        }))
        .unwrap();
        let ending = Ending::at(settings.started);
        let context =
            RunContext { settings: &settings, ending, anchors: None, calibration: None, history: &[] };
        summarize(questions, context)
    }

    fn target(questions: &[QuestionRecord], name: &str) -> RunTarget {
        summary(questions).targets.into_iter().find(|target| target.name == name).unwrap()
    }

    /// The tables of the section, line by line, and what 190 of 246 questions with a truth are.
    #[test]
    fn evaluation_strategy_8_asks_for_these_targets() {
        let found = summary(&[]);
        let found: Vec<(&str, &str, f64, TargetOutcome)> = found
            .targets
            .iter()
            .map(|target| (target.name, target.target.as_str(), target.limit, target.state))
            .collect();
        let due = [
            ("pass_rate", "≥ 60 %", 0.60, NotMeasured),
            ("avg_weighted_score", "≥ 3.5 of 5", 3.5, NotMeasured),
            ("trajectory_match_rate", "≥ 95 %", 0.95, NotMeasured),
            ("latency_p95_ms", "< 15 s", 15_000.0, NotMeasured),
            ("graphql_latency_p95_ms", "< 5 s", 5_000.0, NotMeasured),
            ("sql_latency_p95_ms", "< 10 s", 10_000.0, NotMeasured),
            ("error_rate", "< 5 %", 0.05, NotMeasured),
            ("questions_with_truth", "≥ 90 %", 0.90, Missed),
            ("categories_with_three", "100 %", 1.0, Met),
            ("browser_verified", "≥ 30 %", 0.30, Met),
            ("query_types_covered", "100 %", 1.0, Missed),
        ];
        assert_eq!(found, due);
    }

    #[test]
    fn evaluation_strategy_8_rates_are_held_against_their_interval() {
        let of = |passed: usize, n: usize| {
            let verdicts: Vec<_> = (0..n).map(|at| if at < passed { Pass } else { Fail }).collect();
            target(&samples::questions(&verdicts), "pass_rate").state
        };
        // five of five is 56.6 to 100 %
        assert_eq!(
            [of(5, 5), of(170, 246), of(120, 246), of(150, 246)],
            [TooFewToTell, Met, Missed, TooFewToTell]
        );
        let errors = |errors: usize, n: usize| {
            let verdicts: Vec<_> = (0..n).map(|at| if at < errors { Error } else { Pass }).collect();
            target(&samples::questions(&verdicts), "error_rate").state
        };
        assert_eq!([errors(0, 5), errors(2, 246), errors(40, 246)], [TooFewToTell, Met, Missed]);
    }

    #[test]
    fn evaluation_strategy_8_weighted_score_is_held_against_its_interval() {
        let of = |scores: &[f64]| {
            let mut questions = samples::questions(&vec![Pass; scores.len()]);
            for (one, score) in questions.iter_mut().zip(scores) {
                one.scored.as_mut().unwrap().weighted_score = Some(*score);
            }
            target(&questions, "avg_weighted_score").state
        };
        assert_eq!([of(&[]), of(&[5.0]), of(&[5.0, 2.0])], [NotMeasured, TooFewToTell, TooFewToTell]);
        assert_eq!([of(&[3.9, 4.1, 4.0, 4.2]), of(&[2.9, 3.1, 3.0, 3.2])], [Met, Missed]);
        assert_eq!(of(&[3.5, 3.5, 3.5]), Met, "edges are lower-inclusive");
    }

    #[test]
    fn evaluation_strategy_8_latency_of_answers_and_of_each_pipeline() {
        let questions = |n: usize, slow: usize, (quick, long): (u64, u64), pipeline: Pipeline| {
            let mut questions = samples::questions(&vec![Pass; n]);
            for (one, at) in questions.iter_mut().zip(0..) {
                one.answer.latency_ms = Some(if at < slow { long } else { quick });
                one.scored.as_mut().unwrap().pipeline = pipeline;
            }
            questions
        };
        let all = ["latency_p95_ms", "graphql_latency_p95_ms", "sql_latency_p95_ms"];
        for (name, pipeline, times) in [
            (all[0], Pipeline::Unknown, (14_999, 15_000)),
            (all[1], Pipeline::Graphql, (4_999, 5_000)),
            (all[2], Pipeline::Sql, (9_999, 10_000)),
        ] {
            let state = |n, slow| target(&questions(n, slow, times, pipeline), name).state;
            let found = [state(0, 0), state(5, 0), state(246, 2), state(246, 40)];
            assert_eq!(found, [NotMeasured, TooFewToTell, Met, Missed], "{name}");
        }
        // a pipeline's latency covers its own answers, not those of both or of an unknown pipeline
        for (pipeline, counted) in [
            (Pipeline::Graphql, [246, 246, 0]),
            (Pipeline::Sql, [246, 0, 246]),
            (Pipeline::Mixed, [246, 0, 0]),
            (Pipeline::None, [246, 0, 0]),
            (Pipeline::Unknown, [246, 0, 0]),
        ] {
            let questions = questions(246, 0, (900, 900), pipeline);
            for (name, n) in all.into_iter().zip(counted) {
                let found = target(&questions, name);
                let due = (n, (n > 0).then_some(900.0), if n > 0 { Met } else { NotMeasured });
                assert_eq!((found.n, found.value, found.state), due, "{name} of {pipeline}");
            }
            let by_pipeline = summary(&questions).pipeline_latency_ms;
            let known = (pipeline != Pipeline::Unknown).then_some((pipeline, 246));
            assert_eq!(by_pipeline.into_iter().map(|(of, found)| (of, found.n)).next(), known);
        }
    }

    #[test]
    fn evaluation_strategy_8_coverage_is_counted_and_is_no_sample() {
        let truth = |part, all| share("questions_with_truth", Limit::AtLeast(0.90), part, all).state;
        assert_eq!([truth(190, 246), truth(222, 246), truth(9, 10)], [Missed, Met, Met]);
        let categories = |part, all| share("categories_with_three", Limit::AtLeast(1.0), part, all).state;
        assert_eq!([categories(28, 28), categories(27, 28), categories(0, 0)], [Met, Missed, NotMeasured]);
    }
}
