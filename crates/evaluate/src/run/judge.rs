//! Builds the judge's request for an answer, and combines rules and judge into one score.

use std::num::NonZeroU32;

use rust_decimal::Decimal;

use super::anchors;
use super::ask::CaseScorer;
use super::question::{PinnedTruth, Question};
use super::record::{Answer, AnswerFinding, JudgeNote, QuestionRecord, Scored};
use super::run_folder::RunFolder;
use super::score::{AskedFor, RuleScore, by_rules};
use crate::agent::Reply;
use crate::error::Result;
use crate::judge::{
    AnchorSet, Budget, Grader, Judge, JudgeMode, JudgeRequest, Judgement, Repeated, TokenUsage,
};
use crate::manifest::ExpectedTool;
use crate::scoring::CaseVerdict;
use crate::scoring::cost::Cost;
use crate::scoring::rubric::{MAX, Rubric};
use crate::scoring::tools::DataTools;
use crate::truth::Pipeline;
use crate::verdict::{Decider, Decision, RuleFinding, decide};

/// A judge with its settings.
#[derive(Debug)]
pub struct Judging<'a, J> {
    /// The judge.
    pub grader: &'a Grader<J>,
    /// The dimensions.
    pub rubric: Rubric,
    /// The number of repetitions.
    pub repeat: NonZeroU32,
}

/// Scores answers by rules against their truth, then by a judge if there is one.
#[derive(Debug)]
pub struct TruthScorer<'a, J> {
    /// How the agent is asked.
    pub asked: AskedFor,
    /// The judge, if there is one.
    pub judging: Option<Judging<'a, J>>,
    /// The estimated cost of judging an answer, until it is measured.
    pub judge_price_usd: Decimal,
    /// The folder that stores the judge's anchors.
    pub folder: &'a RunFolder,
}

impl<J: Judge> CaseScorer for TruthScorer<'_, J> {
    fn price_usd(&self) -> Decimal {
        let times = self.judging.as_ref().map_or(0, |judging| judging.repeat.get());
        self.judge_price_usd * Decimal::from(times)
    }

    /// Judges the anchors, unless the run already has them.
    async fn prepare(&self, budget: &Budget, concurrency: usize) -> Result<()> {
        if let Some(kept) = self.folder.anchors()? {
            budget.spent_before(kept.cost_usd.unwrap_or_default());
            return Ok(());
        }
        let Some(judging) = &self.judging else { return Ok(()) };
        let price = self.judge_price_usd * Decimal::from(AnchorSet::built_in()?.cases.len());
        if let Some(room) = budget.set_aside(price) {
            let kept = anchors::judge(self.folder, judging.grader, concurrency).await?;
            room.settle(kept.cost_usd.map_or(Cost::Unknown, Cost::Dollars));
        }
        Ok(())
    }

    async fn score(&self, record: &QuestionRecord) -> Option<Scored> {
        Some(score(record, self.judging.as_ref(), self.asked).await)
    }
}

/// Scores a record by rules, then by the judge if there is one.
async fn score<J: Judge>(
    record: &QuestionRecord,
    judging: Option<&Judging<'_, J>>,
    asked: AskedFor,
) -> Scored {
    let QuestionRecord { question, truth, answer, .. } = record;
    let Answer { reply: Some(reply), .. } = answer else { return unanswered(answer, asked) };
    let rules = by_rules(question, truth.as_ref(), reply, asked);
    let request = judging.and_then(|one| request(question, truth.as_ref(), reply, &rules, one.rubric));
    match judging.zip(request) {
        None => combine(rules, None),
        Some((judging, request)) => {
            let judged = judging.grader.judge_repeatedly(&request, judging.repeat).await;
            combine(rules, Some((request.mode, judged)))
        }
    }
}

fn unanswered(answer: &Answer, asked: AskedFor) -> Scored {
    let Decision { verdict, by, reason } = decide(RuleFinding::NoAnswer, None);
    let detail = answer.error.clone().unwrap_or_default();
    let finding = AnswerFinding { kind: "no_answer".to_owned(), field: None, detail };
    Scored {
        findings: vec![finding],
        pipeline: asked.pipeline.unwrap_or(Pipeline::Unknown),
        ..Scored::new(verdict, by, answer.error.clone().unwrap_or_else(|| reason.to_owned()))
    }
}

/// The judge's request; none if the truth must not score the answer (decision 9).
fn request(
    question: &Question,
    truth: Option<&PinnedTruth>,
    reply: &Reply,
    rules: &RuleScore,
    rubric: Rubric,
) -> Option<JudgeRequest> {
    let (mode, expected) = match (&question.expected_behavior, truth) {
        (Some(expected), _) if question.expected_tool == Some(ExpectedTool::Refusal) => {
            (JudgeMode::Refusal, Some(expected.clone()))
        }
        (Some(expected), _) => {
            (JudgeMode::GroundTruth, Some(format!("What a right answer does: {expected}")))
        }
        (None, Some(truth)) => (JudgeMode::GroundTruth, Some(truth.words())),
        (None, None) => (JudgeMode::Plausibility, None),
    };
    if matches!(rules.finding, RuleFinding::Points(counts) if counts.refused > 0) {
        return None;
    }
    let trace = reply.trace.as_ref().map(|trace| trace.summary(&DataTools::default()));
    let request = JudgeRequest {
        truth: expected,
        trace: trace.filter(|trace| !trace.is_empty()),
        ..JudgeRequest::new(mode, &question.text, &reply.answer)
    };
    Some(request.by(rubric))
}

/// Combines rules and judge. The rules take precedence; a disagreement of the judge is noted.
fn combine(rules: RuleScore, judged: Option<(JudgeMode, Repeated)>) -> Scored {
    let says = judged.as_ref().map(|(_, repeated)| repeated.verdict.unwrap_or(CaseVerdict::Unscored));
    let decision = decide(rules.finding, says);
    let value = judged.as_ref().and_then(|(_, repeated)| repeated.score.value);
    let is_rubric = judged.as_ref().is_some_and(|(mode, _)| *mode == JudgeMode::GroundTruth);
    let disagreement = judged.as_ref().and_then(|(_, repeated)| disagreement(decision, &rules, repeated));
    let note = judged.map(|(mode, repeated)| note(mode, repeated));
    let unstable = decision.by != Decider::Rules && note.as_ref().is_some_and(|note| note.unstable);
    let reason = match (decision.by, decision.verdict, &note) {
        (Decider::Nobody, CaseVerdict::Unscored, Some(JudgeNote { why: Some(why), .. })) => {
            format!("{}: {why}", decision.reason)
        }
        (Decider::Rules, CaseVerdict::Fail, _) if !rules.scored.findings.is_empty() => {
            // the route decides no value
            let (routes, values): (Vec<_>, Vec<_>) =
                rules.scored.findings.iter().partition(|found| found.is_of_route());
            let found = if values.is_empty() { routes } else { values };
            let mut details: Vec<&str> = found.iter().map(|found| found.detail.as_str()).collect();
            details.dedup();
            details.truncate(3);
            format!("{}: {}", decision.reason, details.join("; "))
        }
        (Decider::Nobody, CaseVerdict::Unscored, _) => {
            let why = rules.open.as_ref().map_or_else(String::new, |why| format!(": {why}"));
            format!("{}{why}", decision.reason)
        }
        _ => decision.reason.to_owned(),
    };
    let mut scored = Scored {
        verdict: decision.verdict,
        decided_by: decision.by,
        reason,
        weighted_score: value.filter(|_| is_rubric).map(|value| value * MAX),
        unstable,
        disagreement,
        ..rules.scored
    };
    match decision.by {
        Decider::Rules => {}
        Decider::Judge => scored.score = value,
        Decider::Nobody => scored.score = None,
    }
    scored.findings.extend(note.iter().flat_map(|note| &note.findings).map(|detail| AnswerFinding {
        kind: "addresses_the_judge".to_owned(),
        field: None,
        detail: detail.clone(),
    }));
    if let (Decider::Judge, CaseVerdict::Fail, Some(note)) = (decision.by, decision.verdict, &note) {
        let detail = note.reasons.values().next().cloned().unwrap_or_default();
        let of = |kind: &String| AnswerFinding { kind: kind.clone(), field: None, detail: detail.clone() };
        scored.findings.extend(note.faults.iter().map(of));
    }
    scored.judgements.extend(note);
    scored
}

/// Where the judge's majority contradicts the rules: both verdicts as text, each with a reason.
fn disagreement(decision: Decision, rules: &RuleScore, repeated: &Repeated) -> Option<String> {
    let verdict = repeated.verdict.filter(|_| decision.by == Decider::Rules)?;
    if (decision.verdict == CaseVerdict::Pass) == (verdict == CaseVerdict::Pass) {
        return None;
    }
    let judged = repeated.runs.iter().find(|run| run.verdict == Some(verdict))?;
    let why = rules.scored.findings.first().map_or(decision.reason, |finding| finding.detail.as_str());
    Some(format!(
        "the rules say {} ({why}); the judge says {} ({})",
        decision.verdict.name(),
        verdict.name(),
        main_reason(judged)
    ))
}

/// The reason of the dimension that supports the judge's verdict most, with its points. A tie goes
/// to the larger weight.
fn main_reason(judged: &Judgement) -> String {
    let weights = Rubric::FiveDimensions.weights();
    let rank = |name: &str| weights.iter().position(|(known, _)| known.name() == name);
    let against = |points: f64| if judged.verdict == Some(CaseVerdict::Pass) { MAX - points } else { points };
    let first = judged.dimensions.iter().min_by(|(a, of_a), (b, of_b)| {
        let by_points = against(**of_a).total_cmp(&against(**of_b));
        by_points.then_with(|| rank(a).unwrap_or(usize::MAX).cmp(&rank(b).unwrap_or(usize::MAX)))
    });
    let of_dimension = first.and_then(|(name, _)| judged.reasons.get(name));
    let reason = of_dimension.or_else(|| judged.reasons.values().next()).map_or("", String::as_str);
    match first {
        Some((name, points)) => format!("{} {points}: {reason}", name.replace('_', " ")),
        None => reason.to_owned(),
    }
}

/// The stored note on repeated judgements: totals, and details of the first one with the majority's
/// verdict.
fn note(mode: JudgeMode, repeated: Repeated) -> JudgeNote {
    let Repeated { score, verdict, unstable, runs } = repeated;
    let shown = runs.iter().find(|run| run.verdict == verdict).or(runs.first()).cloned();
    JudgeNote {
        mode,
        verdict,
        value: score.value,
        failure: shown.as_ref().and_then(|run| run.failure),
        why: verdict.is_none().then(|| score.reason()),
        repeats: if runs.len() > 1 { runs.iter().map(|run| run.score.value).collect() } else { Vec::new() },
        unstable,
        usage: runs.iter().fold(TokenUsage::default(), |sum, run| sum.plus(run.usage)),
        cost_usd: runs.iter().map(|run| run.cost.dollars()).sum(),
        cached: runs.iter().all(|run| run.cached),
        model: shown.as_ref().map(|run| run.model.to_string()).unwrap_or_default(),
        prompt: shown.as_ref().map(|run| run.prompt.to_string()).unwrap_or_default(),
        dimensions: shown.as_ref().map(|run| run.dimensions.clone()).unwrap_or_default(),
        reasons: shown.as_ref().map(|run| run.reasons.clone()).unwrap_or_default(),
        faults: shown.as_ref().map(|run| run.faults.clone()).unwrap_or_default(),
        findings: shown.map(|run| run.findings).unwrap_or_default(),
    }
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
