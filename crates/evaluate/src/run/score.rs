//! Scores an answer by rules alone: its data points, its route, its link, and the kinds of errors.
//! Pure.

use std::collections::BTreeSet;

use rust_decimal::Decimal;
use serde_json::Value;

use super::question::{PinnedTruth, Question};
use super::record::{AnswerFinding, Scored};
use crate::agent::{Mode, Reply};
use crate::earlier::earlier_value;
use crate::score_answer;
use crate::scoring::answer::{AnswerVerdict, PointScore, Refusal, refusal};
use crate::scoring::scorers::{self, SelectionConfig, tool_selection};
use crate::scoring::suite::{ConfiguredScorer, ScoreBand, ScorerOutcome, SuiteCase, run_case};
use crate::scoring::text::{MarkdownDocument, MarkerKind, markers};
use crate::scoring::tools::{DataTools, ExpectedTool, Trajectory, judge_trajectory};
use crate::scoring::{CaseVerdict, Cause};
use crate::truth::{Pipeline, Row};
use crate::value::{self, AnswerField, ContextPart, Unit};
use crate::verdict::{Decider, RuleFinding};
use crate::words;

/// The result of the rules.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RuleScore {
    /// The finding.
    pub finding: RuleFinding,
    /// Why the rules cannot decide, if so.
    pub open: Option<String>,
    /// The score with its details. The verdict is still open.
    pub scored: Scored,
}

/// How the agent is asked.
#[derive(Debug, Clone, Copy)]
pub struct AskedFor {
    /// The pipeline that the agent should use.
    pub mode: Mode,
    /// The agent's pipeline, for answers whose trace names none.
    pub pipeline: Option<Pipeline>,
}

/// Scores an answer by the rules.
pub(super) fn by_rules(
    question: &Question,
    truth: Option<&PinnedTruth>,
    reply: &Reply,
    asked: AskedFor,
) -> RuleScore {
    let tools = DataTools::default();
    let pipeline = reply.pipeline(asked.pipeline);
    let trajectory = reply.trace.as_ref().and_then(|trace| trace.trajectory());
    let scorers = scorers_of(question, reply, trajectory.as_ref(), asked.mode, &tools);
    let route = question
        .expected_tool
        .zip(trajectory.as_ref())
        .map(|(expected, made)| judge_trajectory(expected, made, &tools).metadata.route);
    let scored = Scored {
        trajectory: route,
        findings: route_findings(&scorers, question.needs_link),
        scorers,
        pipeline,
        ..Scored::new(CaseVerdict::Unscored, Decider::Nobody, String::new())
    };
    let mut score = RuleScore { finding: RuleFinding::NoTruth, open: None, scored };
    if question.expected_behavior.is_some() {
        let Refusal { shown, reason } = refuses(question, reply, trajectory.as_ref(), &tools);
        score.finding = RuleFinding::Behavior(shown);
        score.scored.score = shown.map(|shown| if shown { 1.0 } else { 0.0 });
        match shown {
            Some(false) => {
                let kind = "answer_instead_of_refusal".to_owned();
                score.scored.findings.push(AnswerFinding { kind, field: None, detail: reason });
            }
            Some(true) => {}
            None => score.open = Some(reason),
        }
    } else if let Some(truth) = truth {
        against_truth(question, truth, reply, &mut score);
    }
    score
}

fn against_truth(question: &Question, truth: &PinnedTruth, reply: &Reply, score: &mut RuleScore) {
    let (context, text) = (&question.context, question.text.as_str());
    let scored = score_answer(
        &truth.stored(),
        truth.site(),
        Some(context),
        Some(text),
        score.scored.pipeline,
        &reply.answer,
    );
    let details = &scored.metadata;
    let refusal = has_refusal(&reply.answer);
    for point in &details.points {
        let earlier = (point.said == AnswerVerdict::Wrong)
            .then(|| earlier_value(&truth.earlier, &point.field, context, text, &reply.answer))
            .flatten();
        score.scored.outdated |= earlier.is_some();
        let row = truth.record.results.data.iter().find(|row| row.field() == point.field);
        score.scored.findings.extend(point_findings(point, row, earlier, refusal));
    }
    let mut counts = details.counts();
    // for a question about a link, the link counts like a data point
    let link = score.scored.scorers.iter().find(|outcome| outcome.scorer == "link");
    if let Some(link) = link.filter(|_| question.needs_link) {
        match link.score.value {
            Some(value) if value >= 1.0 => counts.right += 1,
            Some(_) if link.score.metadata.contains_key("addresses") => counts.wrong += 1,
            Some(_) => counts.missing += 1,
            None => {}
        }
    }
    score.scored.score = counts.share();
    let open = details.points.iter().find(|point| point.said == AnswerVerdict::Unscored);
    score.open = open.map(|point| point.reason.clone());
    score.finding = RuleFinding::Points(counts);
    score.scored.points = Some(scored);
}

/// Runs the scorers of tools and links, like a suite does.
fn scorers_of(
    question: &Question,
    reply: &Reply,
    trajectory: Option<&Trajectory>,
    mode: Mode,
    tools: &DataTools,
) -> Vec<ScorerOutcome> {
    let expected_tool = question.expected_tool;
    let mut names = vec!["trajectory", "route_checks"];
    // for other questions an existing link is scored, but decides nothing
    if question.needs_link || question.atlas_url.is_some() && !reply.links.is_empty() {
        names.push("link");
    }
    let case = SuiteCase {
        name: question.question_id.to_string(),
        expected_tool,
        expected_url: question.atlas_url.clone(),
        scorers: names
            .into_iter()
            .map(|name| ConfiguredScorer { name: name.to_owned(), config: Value::Null })
            .collect(),
        min_score: 1.0,
        data_tools: tools.clone(),
        mode,
        ..SuiteCase::default()
    };
    let output = reply.output(&case.name);
    let mut outcomes = run_case(&case, Some(&output), &scorers::builtin()).scorers;
    outcomes.retain(|outcome| outcome.status != CaseVerdict::Unscored);
    if let Some((expected, made)) = expected_tool.and_then(|tool| expected_tools(tool, tools)).zip(trajectory)
    {
        // reading documents as well does not matter here (decision 8)
        let is_data = |name: &&str| tools.graphql.iter().chain(&tools.sql).any(|tool| tool == name);
        let called: Vec<&str> = made.names().filter(is_data).collect();
        let score = tool_selection(Some(&expected), None, &called, SelectionConfig::default()).erased();
        outcomes.push(ScorerOutcome {
            scorer: "tool_selection".to_owned(),
            status: CaseVerdict::from_pass(score.reaches(1.0)),
            band: score.value.map(ScoreBand::of),
            score,
        });
    }
    outcomes
}

/// The tools of a mandatory route.
fn expected_tools(expected: ExpectedTool, tools: &DataTools) -> Option<Vec<String>> {
    let first = |names: &[String]| names.first().cloned().into_iter();
    match expected {
        ExpectedTool::GraphqlOnly => Some(first(&tools.graphql).collect()),
        ExpectedTool::SqlOnly => Some(first(&tools.sql).collect()),
        ExpectedTool::Both => Some(first(&tools.graphql).chain(first(&tools.sql)).collect()),
        ExpectedTool::Refusal => Some(Vec::new()),
        ExpectedTool::GraphqlPreferred | ExpectedTool::SqlPreferred | ExpectedTool::Either => None,
    }
}

/// Whether an answer declines as expected, without a value and without a data tool.
fn refuses(
    question: &Question,
    reply: &Reply,
    trajectory: Option<&Trajectory>,
    tools: &DataTools,
) -> Refusal {
    if question.expected_tool != Some(ExpectedTool::Refusal) {
        return Refusal { shown: None, reason: "the expected behavior is not a refusal".to_owned() };
    }
    let is_data = |name: &&str| tools.graphql.iter().chain(&tools.sql).any(|tool| tool == name);
    match trajectory.and_then(|made| made.names().find(is_data)) {
        Some(tool) => Refusal { shown: Some(false), reason: format!("it calls the data tool {tool}") },
        None => refusal(&question.text, &reply.answer),
    }
}

fn has_refusal(text: &str) -> bool {
    markers(&MarkdownDocument::parse(text), true).iter().any(|marker| marker.kind == MarkerKind::Refusal)
}

/// The findings on a data point, by kind.
fn point_findings(
    point: &PointScore,
    row: Option<&Row>,
    earlier: Option<String>,
    refusal: bool,
) -> Vec<AnswerFinding> {
    let finding =
        |kind: String, detail: String| AnswerFinding { kind, field: Some(point.field.clone()), detail };
    match point.said {
        AnswerVerdict::Right | AnswerVerdict::Unscored => Vec::new(),
        AnswerVerdict::Missing if refusal => {
            let detail = "the answer declines, but the question has an answer".to_owned();
            vec![finding("refusal_instead_of_answer".to_owned(), detail)]
        }
        AnswerVerdict::Missing if point.comparison.is_none() => {
            vec![finding("missing".to_owned(), point.reason.clone())]
        }
        // it gives a value of another context instead
        AnswerVerdict::Missing | AnswerVerdict::Wrong => {
            let mut kinds = kinds(point, row);
            if let Some(earlier) = earlier {
                kinds.insert(0, "outdated".to_owned());
                let detail = format!("{earlier} was true before; {}", point.reason);
                return kinds.into_iter().map(|kind| finding(kind, detail.clone())).collect();
            }
            kinds.into_iter().map(|kind| finding(kind, point.reason.clone())).collect()
        }
    }
}

/// A number within this relative difference is the true one, badly rounded.
const ROUNDING: Decimal = Decimal::from_parts(1, 0, 0, false, 2);

/// The size of what answers a row: its share, if the answer gives that, else its number.
fn size(row: &Row, point: &PointScore) -> Option<Decimal> {
    let number = |text: &str| match value::parse(text) {
        Some(value::Value::Quantity(quantity)) => Some(quantity),
        _ => None,
    };
    let is_share = row.answered_by() == [AnswerField::Share]
        || point.value.as_deref().and_then(number).is_some_and(|given| given.unit == Unit::Percent);
    let share = || number(row.extra.get("share")?.as_str()?).map(|share| share.number);
    let size = if is_share { share().or(row.number) } else { row.number };
    size.map(|size| size.abs()).filter(|size| !size.is_zero())
}

/// The kinds of a wrong value: the differing context parts, the comparator's cause, or the size of
/// the difference.
fn kinds(point: &PointScore, row: Option<&Row>) -> Vec<String> {
    let Some(compared) = &point.comparison else { return vec!["other_value".to_owned()] };
    if !compared.differing.is_empty() {
        let parts: BTreeSet<String> = compared.differing.iter().map(|part| of_part(*part)).collect();
        return parts.into_iter().collect();
    }
    if let Some(cause) = compared.cause.filter(|cause| *cause != Cause::Rounding) {
        return vec![words::name(&cause).to_owned()];
    }
    let near = compared
        .difference
        .zip(row.and_then(|row| size(row, point)))
        .and_then(|(difference, size)| difference.abs().checked_div(size))
        .is_some_and(|share| share < ROUNDING);
    vec![if near { "rounding" } else { "other_value" }.to_owned()]
}

fn of_part(part: ContextPart) -> String {
    if part == ContextPart::Period {
        return "other_year".to_owned();
    }
    format!("other_{}", words::name(&part))
}

fn route_findings(scorers: &[ScorerOutcome], needs_link: bool) -> Vec<AnswerFinding> {
    let kind = |name: &str| match name {
        "trajectory" => Some("wrong_route"),
        "route_checks" => Some("wrong_fallback"),
        "link" if needs_link => Some("wrong_link"),
        _ => None,
    };
    let failed = scorers.iter().filter(|outcome| outcome.status == CaseVerdict::Fail);
    failed
        .filter_map(|outcome| {
            let kind = kind(&outcome.scorer)?.to_owned();
            Some(AnswerFinding { kind, field: None, detail: outcome.score.reason() })
        })
        .collect()
}

#[cfg(test)]
#[path = "score_tests.rs"]
mod tests;
