//! Summarizes a run. Pure: it needs only the question records, so an old run can be reported again.

use std::collections::{BTreeMap, BTreeSet};

use rust_decimal::{Decimal, RoundingStrategy};

use super::history::{HistoryLine, week_spend};
use super::record::{JudgeNote, QuestionRecord, Scored};
use super::settings::CaseKind;
use super::summary::{Gate, QuestionGroup, RunContext, RunCost, RunSummary, Score5};
use super::targets::{self, Latency};
use super::{components, suite};
use crate::agent::{ExecutionTrace, latency_by_node};
use crate::breaker::MAX_FAILURES;
use crate::error::Exit;
use crate::judge::JudgeMode;
use crate::scoring::CaseVerdict;
use crate::scoring::components::ComponentReport;
use crate::scoring::cost::WEEKLY_ALERT;
use crate::scoring::stats::{Percentiles, mean, percentiles, wilson};
use crate::scoring::tools::{TrajectoryVerdict, match_rate};
use crate::truth::Pipeline;
use crate::verdict::Decider;
use crate::words::count;

/// A finished question, with its score.
type Ended<'a> = (&'a QuestionRecord, &'a Scored);

/// Summarizes the stored questions of a run.
#[must_use]
pub fn summarize(questions: &[QuestionRecord], context: RunContext<'_>) -> RunSummary {
    let ended: Vec<Ended<'_>> =
        questions.iter().filter_map(|one| Some((one, one.scored.as_ref()?))).collect();
    let latencies: Vec<Latency> = ended
        .iter()
        // the time to a failure does not count as latency
        .filter(|(one, _)| one.answer.reply.is_some())
        .filter_map(|(one, scored)| Some((scored.pipeline, one.answer.latency_ms? as f64)))
        .collect();
    let mut summary = of_settings(&context);
    add_verdicts(&mut summary, &ended);
    add_groups(&mut summary, &ended);
    add_findings(&mut summary, &ended);
    add_routes(&mut summary, &ended);
    add_latency(&mut summary, &ended, &latencies);
    summary.components = components::reports(questions);
    summary.suite = suite::scores(context.settings, questions);
    if let Some(suite) = &summary.suite {
        summary.pass_rate = suite.pass_rate;
    }
    summary.cost = cost(questions, &context);
    let left = context.settings.planned.len().saturating_sub(ended.len());
    let missing = left + context.settings.unasked;
    summary.partial = (missing > 0).then(|| partial(&context, left));
    let calibrated = context.calibration.as_ref().is_some_and(|known| known.is_calibrated);
    summary.gate = context.settings.min_pass_rate.map(|least| gate(least, &ended, missing, calibrated));
    // components and suites have their own thresholds
    if summary.components.is_empty() && summary.suite.is_none() {
        summary.targets = targets::of(&summary, &latencies);
    }
    let (exit, reason) = exit(&summary, &context);
    (summary.exit_code, summary.exit_reason) = (exit as u8, reason);
    summary
}

/// The parts of a summary that do not depend on the questions.
fn of_settings(context: &RunContext<'_>) -> RunSummary {
    let (settings, ending) = (context.settings, &context.ending);
    let took_ms = ending.ended.as_millisecond() - settings.started.as_millisecond();
    RunSummary {
        run: settings.run.clone(),
        source: settings.source.kind(),
        started: settings.started.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        ended: ending.ended.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        interrupted: ending.interrupted,
        out_of_budget: ending.out_of_budget,
        agent_away: ending.agent_away,
        check_exit: ending.check_exit,
        duration_s: took_ms.max(0) as f64 / 1000.0,
        tool_version: settings.tool_version.clone(),
        scoring_version: settings.scoring_version,
        agent: settings.agent_name.clone(),
        site: settings.site,
        judge: settings.judge.clone(),
        calibration: context.calibration.clone(),
        selection: settings.selection.clone(),
        seed: settings.seed,
        rescore_of: settings.rescore_of.clone(),
        planned: (settings.planned.len() + settings.unasked) as u64,
        unasked: settings.unasked as u64,
        anchors: context.anchors.clone(),
        coverage: settings.coverage.clone(),
        unreadable: settings.unreadable.clone(),
        unknown_answers: settings.unknown_answers.clone(),
        without_truth: settings.without_truth as u64,
        answered_without_truth: settings.answered_without_truth.iter().map(ToString::to_string).collect(),
        answered_not_in_manifest: settings.answered_not_in_manifest.iter().map(ToString::to_string).collect(),
        ..RunSummary::default()
    }
}

fn add_verdicts(summary: &mut RunSummary, ended: &[Ended<'_>]) {
    let scored = || ended.iter().map(|(_, scored)| *scored);
    let shares: Vec<f64> = scored().filter_map(|scored| scored.points.as_ref()?.value).collect();
    let counts = CaseVerdict::counts(scored().map(|scored| scored.verdict));
    summary.pass_rate = CaseVerdict::pass_rate(&counts);
    summary.pass_rate_of_all = wilson(CaseVerdict::Pass.of(&counts), ended.len() as u64);
    summary.counts = counts;
    summary.weighted_score = Score5::of(scored().filter_map(|scored| scored.weighted_score));
    summary.right_share = mean(&shares);
    summary.dimensions = dimensions(scored());
    for scored in scored() {
        *summary.decided_by.entry(scored.decided_by).or_default() += 1;
    }
}

fn add_groups(summary: &mut RunSummary, ended: &[Ended<'_>]) {
    let grouped = |name: &dyn Fn(&QuestionRecord) -> Option<String>| {
        groups(ended, &|one| vec![name(one).unwrap_or_else(|| "none".to_owned())])
    };
    summary.categories = grouped(&|one| one.question.category.clone());
    summary.difficulties = grouped(&|one| one.question.difficulty.map(|one| one.to_string()));
    summary.query_types = grouped(&|one| one.question.query_type.clone());
    summary.cohorts = groups(ended, &|one| one.question.cohorts());
    summary.links = links(ended.iter().map(|(_, scored)| *scored));
    summary.source_methods = grouped(&|one| match &one.truth {
        Some(truth) => Some(truth.source_method().to_string()),
        None => one.question.expected_behavior.as_ref().map(|_| "expected_behavior".to_owned()),
    });
}

/// The problems of a run, with their questions.
fn add_findings(summary: &mut RunSummary, ended: &[Ended<'_>]) {
    let ids = |wanted: &dyn Fn(&Scored) -> bool| -> Vec<String> {
        let chosen = ended.iter().filter(|(_, scored)| wanted(scored));
        chosen.map(|(one, _)| one.question.question_id.to_string()).collect()
    };
    let disagreement = |(one, scored): &Ended<'_>| {
        Some((one.question.question_id.to_string(), scored.disagreement.clone()?))
    };
    summary.findings = findings(ended);
    summary.outdated = ids(&|scored| scored.outdated);
    summary.unstable = ids(&|scored| scored.unstable);
    summary.judge_failures = judge_failures(ended);
    summary.disagreements = ended.iter().filter_map(disagreement).collect();
}

/// Routes, tools and traces.
fn add_routes(summary: &mut RunSummary, ended: &[Ended<'_>]) {
    // a spot check does not score routes
    let routes = if summary.source == CaseKind::SpotCheck { Vec::new() } else { routes(ended) };
    let trajectories = match_rate(routes);
    let of_route = |verdict| trajectories.verdicts.get(&verdict).copied().unwrap_or(0);
    let good = of_route(TrajectoryVerdict::Pass) + of_route(TrajectoryVerdict::Acceptable);
    summary.trajectory_rate = wilson(good, trajectories.n);
    summary.trajectories = trajectories;
    let selection: Vec<f64> = ended
        .iter()
        .flat_map(|(_, scored)| &scored.scorers)
        .filter(|outcome| outcome.scorer == "tool_selection")
        .filter_map(|outcome| outcome.score.value)
        .collect();
    summary.tool_selection = mean(&selection);
    summary.tools = tools(traces(ended));
    let keys: BTreeSet<&String> = traces(ended).flat_map(|trace| &trace.unknown_keys).collect();
    summary.unknown_trace_keys = keys.into_iter().cloned().collect();
}

fn add_latency(summary: &mut RunSummary, ended: &[Ended<'_>], latencies: &[Latency]) {
    summary.latency_ms = percentiles(&latencies.iter().map(|(_, time)| *time).collect::<Vec<_>>());
    summary.pipeline_latency_ms = latency_by_pipeline(latencies);
    summary.node_latency_ms = latency_by_node(traces(ended));
}

fn traces<'a>(ended: &'a [Ended<'a>]) -> impl Iterator<Item = &'a ExecutionTrace> {
    ended.iter().filter_map(|(one, _)| one.answer.reply.as_ref()?.trace.as_ref())
}

/// Groups items by key, in order.
fn by<K: Ord, V>(all: impl Iterator<Item = (K, V)>) -> BTreeMap<K, Vec<V>> {
    let mut found: BTreeMap<K, Vec<V>> = BTreeMap::new();
    for (key, value) in all {
        found.entry(key).or_default().push(value);
    }
    found
}

fn groups(ended: &[Ended<'_>], names: &dyn Fn(&QuestionRecord) -> Vec<String>) -> Vec<QuestionGroup> {
    let named = ended.iter().flat_map(|(one, scored)| names(one).into_iter().map(|name| (name, *scored)));
    let group = |(name, members): (String, Vec<&Scored>)| {
        let counts = CaseVerdict::counts(members.iter().map(|scored| scored.verdict));
        QuestionGroup {
            name,
            pass_rate: CaseVerdict::pass_rate(&counts),
            counts,
            weighted_score: Score5::of(members.iter().filter_map(|scored| scored.weighted_score)),
        }
    };
    by(named).into_iter().map(group).collect()
}

/// The dimensions of scored links, each with the number of links that hold and that do not.
fn links<'a>(scored: impl Iterator<Item = &'a Scored>) -> Vec<QuestionGroup> {
    let judged = scored.flat_map(|scored| &scored.scorers).filter(|outcome| outcome.scorer == "link");
    let held = judged.filter_map(|outcome| outcome.score.metadata.get("dimensions")?.as_object());
    let each = held.flatten().map(|(name, holds)| (name.clone(), CaseVerdict::from_pass(holds.as_bool())));
    let group = |(name, verdicts): (String, Vec<CaseVerdict>)| {
        let counts = CaseVerdict::counts(verdicts.into_iter());
        QuestionGroup { name, pass_rate: CaseVerdict::pass_rate(&counts), counts, weighted_score: None }
    };
    by(each).into_iter().map(group).collect()
}

fn dimensions<'a>(scored: impl Iterator<Item = &'a Scored>) -> BTreeMap<String, Score5> {
    let judged =
        scored.filter(|scored| scored.weighted_score.is_some()).flat_map(|scored| &scored.judgements);
    let points =
        by(judged.flat_map(|note| note.dimensions.iter().map(|(name, given)| (name.clone(), *given))));
    points.into_iter().filter_map(|(name, points)| Some((name, Score5::of(points.into_iter())?))).collect()
}

fn findings(ended: &[Ended<'_>]) -> BTreeMap<String, Vec<String>> {
    by(ended.iter().flat_map(|(one, scored)| {
        let own: BTreeSet<&String> = scored.findings.iter().map(|finding| &finding.kind).collect();
        own.into_iter().map(|kind| (kind.clone(), one.question.question_id.to_string()))
    }))
}

/// The failures of the judge on questions that nothing else decided. On others it was not needed.
fn judge_failures(ended: &[Ended<'_>]) -> BTreeMap<String, String> {
    let failed = ended.iter().filter(|(_, scored)| scored.decided_by == Decider::Nobody);
    failed
        .filter_map(|(one, scored)| {
            let note = scored.judgements.iter().find(|note| is_needed(note))?;
            Some((one.question.question_id.to_string(), note.why.clone().unwrap_or_default()))
        })
        .collect()
}

/// The routes. A missing answer is a wrong route (decision 17). An unrecorded route is not judged.
fn routes(ended: &[Ended<'_>]) -> Vec<TrajectoryVerdict> {
    ended
        .iter()
        .filter(|(one, _)| one.question.expected_tool.is_some())
        .filter_map(|(one, scored)| {
            let is_missing = one.answer.reply.is_none();
            scored.trajectory.or(is_missing.then_some(TrajectoryVerdict::Fail))
        })
        .collect()
}

/// The latency by pipeline, for answers with a known pipeline.
fn latency_by_pipeline(latencies: &[Latency]) -> BTreeMap<Pipeline, Percentiles> {
    let known = latencies.iter().copied().filter(|(pipeline, _)| *pipeline != Pipeline::Unknown);
    by(known).into_iter().filter_map(|(pipeline, times)| Some((pipeline, percentiles(&times)?))).collect()
}

fn tools<'a>(traces: impl Iterator<Item = &'a ExecutionTrace>) -> BTreeMap<String, u64> {
    let mut calls: BTreeMap<String, u64> = BTreeMap::new();
    for call in traces.flat_map(|trace| &trace.tool_calls) {
        *calls.entry(call.clone()).or_default() += 1;
    }
    calls
}

fn cost(questions: &[QuestionRecord], context: &RunContext<'_>) -> RunCost {
    let settings = context.settings;
    let mut cost = RunCost { budget_usd: settings.budget_usd, ..RunCost::default() };
    for one in questions {
        match one.answer.cost_usd {
            Some(price) => *cost.agent_usd.get_or_insert_default() += price,
            None => cost.unknown += 1,
        }
        cost.assumed += u64::from(one.is_cost_assumed());
        match one.judge_cost() {
            Some(price) => cost.judge_usd += price,
            None => cost.unknown += 1,
        }
    }
    match context.anchors.as_ref().map(|anchors| anchors.cost_usd) {
        Some(Some(price)) => cost.judge_usd += price,
        Some(None) => cost.unknown += 1,
        None => {}
    }
    let spent = cost.agent_usd.filter(|_| !settings.is_of_known_answers());
    cost.total_usd = spent.unwrap_or_default() + cost.judge_usd;
    cost.whole_run_usd = whole_run(questions, context, cost.total_usd);
    let others: Vec<HistoryLine> =
        context.history.iter().filter(|line| line.run != settings.run).cloned().collect();
    cost.week_usd = week_spend(&others, settings.started).dollars + cost.total_usd;
    cost.week_alert = cost.week_usd > WEEKLY_ALERT;
    cost
}

/// The expected cost of the whole run, if its budget stopped it, in whole cents. Each remaining case costs the mean so
/// far, but at least the set price. A judge adds a fifth.
fn whole_run(questions: &[QuestionRecord], context: &RunContext<'_>, spent: Decimal) -> Option<Decimal> {
    let settings = context.settings;
    let ended = questions.iter().filter(|one| one.is_ended() && !one.answer.unreachable).count();
    let missing = settings.planned.len().saturating_sub(ended);
    let mean = spent.checked_div(ended.into()).unwrap_or_default();
    let each = mean.max(settings.agent_price_usd.unwrap_or_default());
    let whole = spent.checked_add(each.checked_mul(missing.into())?)?;
    // without judgements, the price of the judge is unknown
    let is_known = settings.judge.is_none() || !mean.is_zero();
    let margin = if settings.judge.is_some() { Decimal::new(12, 1) } else { Decimal::ONE };
    let cents = whole.checked_mul(margin)?.round_dp_with_strategy(2, RoundingStrategy::AwayFromZero);
    (context.ending.out_of_budget && is_known && !each.is_zero()).then_some(cents.normalize())
}

/// Why a run is incomplete. `left` of its own cases are unfinished.
fn partial(context: &RunContext<'_>, left: usize) -> String {
    let why = match (context.ending.interrupted, context.ending.out_of_budget) {
        (true, _) => "it was interrupted",
        (false, true) => "the budget is spent",
        (false, false) if context.ending.agent_away => {
            "the agent could not be reached several times in a row"
        }
        (false, false) if left == 0 => UNASKED,
        (false, false) => "it has not ended",
    };
    let missing = left + context.settings.unasked;
    let all = count(context.settings.planned.len() + context.settings.unasked, "question");
    format!("{why}; {missing} of {all} {} missing", if missing == 1 { "is" } else { "are" })
}

/// Why a rescored run is incomplete although all its answers are scored.
const UNASKED: &str = "the rescored run is not complete";

/// Compares the pass rate with the minimum. Undecided and missing questions count as not passed (decisions 6 and 17),
/// even if a judge failed on them. Decisions of an uncalibrated judge count as undecided.
fn gate(least: f64, ended: &[Ended<'_>], missing: usize, calibrated: bool) -> Gate {
    let counted = |scored: &Scored| calibrated || scored.decided_by != Decider::Judge;
    let passed =
        ended.iter().filter(|(_, scored)| scored.verdict == CaseVerdict::Pass && counted(scored)).count();
    let all = ended.len() + missing;
    let rate = wilson(passed as u64, all as u64);
    let distrusted = ended.iter().filter(|(_, scored)| !counted(scored)).count();
    let mut note = format!("{passed} of {all} passed, undecided questions count as not passed");
    if distrusted > 0 {
        let count = if distrusted == 1 { "counts" } else { "count" };
        note.push_str(&format!("; {distrusted} decided by an uncalibrated judge {count} as undecided"));
    }
    Gate { min_pass_rate: least, passed: rate.is_some_and(|rate| rate.rate >= least), rate, note }
}

/// Why a gate fails, with enough digits to distinguish the two rates.
fn missed(gate: &Gate) -> String {
    let Some(rate) = gate.rate else { return "no question counts for it".to_owned() };
    let least = gate.min_pass_rate;
    let shown = |share: f64, digits: usize| format!("{:.digits$} %", share * 100.0);
    let differs = |digits: &usize| shown(rate.rate, *digits) != shown(least, *digits);
    let digits = (1..6).find(differs).unwrap_or(6);
    format!("{} instead of the required {}", shown(rate.rate, digits), shown(least, digits))
}

/// Whether a judge failed on a question that it could have decided.
fn is_needed(note: &JudgeNote) -> bool {
    note.verdict.is_none() && note.mode != JudgeMode::Plausibility
}

/// The meaning of a spot check's exit code beyond its answers.
fn of_check(code: u8) -> Option<(Exit, &'static str)> {
    let why = match Exit::of(code) {
        Exit::Differences => "answers, pages or stored truth differ",
        Exit::Site => "pages could not be reached",
        Exit::Extraction => "pages could not be read",
        Exit::Usage => "records cannot be read",
        _ => return None,
    };
    Some((Exit::of(code), why))
}

/// The exit code of a run, and why (decision 22).
fn exit(summary: &RunSummary, context: &RunContext<'_>) -> (Exit, String) {
    let errors = CaseVerdict::Error.of(&summary.counts);
    let mut found: Vec<(Exit, String)> = Vec::new();
    if context.ending.interrupted {
        found.push((Exit::Interrupted, "interrupted".to_owned()));
    }
    if !summary.unreadable.is_empty() {
        found.push((
            Exit::Usage,
            format!("the truth of {} cannot be read", count(summary.unreadable.len(), "question")),
        ));
    }
    if !summary.unknown_answers.is_empty() {
        found.push((Exit::Usage, summary.unknown_answers.words()));
    }
    if context.ending.agent_away && summary.partial.is_some() {
        found.push((Exit::Agent, format!("the agent could not be reached {MAX_FAILURES} times in a row")));
    }
    if errors > 0 {
        let of = if summary.suite.is_some() {
            "the agent or a scorer failed in"
        } else {
            "the agent gave no answer to"
        };
        let cases = if summary.suite.is_some() { "case" } else { "question" };
        found.push((Exit::Agent, format!("{of} {}", count(errors, cases))));
    }
    if !summary.judge_failures.is_empty() {
        let failed = count(summary.judge_failures.len(), "question");
        found.push((Exit::Agent, format!("the judge failed at {failed}")));
    }
    if let Some((exit, why)) = context.ending.check_exit.and_then(of_check) {
        found.push((exit, why.to_owned()));
    }
    if let Some(gate) = summary.gate.as_ref().filter(|gate| !gate.passed) {
        found.push((Exit::Differences, format!("the gate failed: {}", missed(gate))));
    }
    let stopped_early =
        context.ending.interrupted || context.ending.out_of_budget || context.ending.agent_away;
    let has_left = summary.resume().is_some();
    if !stopped_early && has_left {
        found.push((Exit::Interrupted, "the run has not ended".to_owned()));
    }
    if !has_left && summary.unasked > 0 {
        found.push((Exit::Differences, UNASKED.to_owned()));
    }
    if summary.components.iter().any(ComponentReport::is_missed) {
        found.push((Exit::Differences, "a threshold is missed".to_owned()));
    }
    if let Some(why) = summary.suite.as_ref().and_then(|suite| suite.missed(context.settings.min_score)) {
        found.push((Exit::Differences, why));
    }
    if context.ending.out_of_budget {
        found.push((Exit::Differences, "the budget stopped the run".to_owned()));
    }
    let worst = || Exit::worst_of(found.iter().map(|(exit, _)| *exit));
    // the exit code of a check also covers its pages
    let exit = context.ending.check_exit.map_or_else(worst, Exit::of);
    let reasons: Vec<String> = found.into_iter().map(|(_, reason)| reason).collect();
    let reason = match (reasons.is_empty(), &summary.gate) {
        (false, _) => reasons.join("; "),
        (true, Some(_)) => "the gate passed".to_owned(),
        (true, None) if context.ending.check_exit.is_some() => "no differences".to_owned(),
        (true, None) if !summary.components.is_empty() => "no threshold is missed".to_owned(),
        (true, None) if summary.suite.is_some() && context.settings.min_score.is_some() => {
            "the mean score reaches the minimum".to_owned()
        }
        (true, None) if summary.suite.is_some() => "every case passed".to_owned(),
        (true, None) => "done; no gate was set".to_owned(),
    };
    (exit, reason)
}

#[cfg(test)]
#[path = "summarize_tests.rs"]
mod tests;
