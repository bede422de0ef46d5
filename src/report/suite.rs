//! The reports of suites: one case, all cases, changes between two runs, and an agent's components.

use schemars::JsonSchema;
use serde::Serialize;

use super::score::tone;
use super::words::{badge, between, count, exit_line, per_cent, three, verdict_tone};
use super::{Body, CaseVerdict, Doc, Invocation, Report, ReportCase, Table, Text, Tone};
use crate::error::Exit;
use crate::row;
use crate::scoring::components::{CaseFailure, ComponentMetric, ComponentReport};
use crate::scoring::cost::AnswersCost;
use crate::scoring::stats::TargetOutcome;
use crate::scoring::suite::{CaseResult, ChangedCase, RunComparison, ScorerOutcome, SuiteScores};
use crate::scoring::tools::MatchRate;
use crate::workflow::evaluate::{QuestionRecord, RunSummary};

impl Report for CaseResult {
    const NAME: &'static str = "suite_case";
    const ITEMS: Option<&'static str> = Some("scorers");

    fn suite(&self) -> String {
        self.case.clone()
    }

    fn exit(&self) -> Exit {
        if self.verdict == CaseVerdict::Pass { Exit::Ok } else { Exit::Differences }
    }

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new(format!("Case {}", self.case));
        let state = verdict_tone(self.verdict);
        doc.sum(Text::toned(state, format!("{}: {}, {}", self.case, self.verdict.name(), three(self.score))));
        let head = ["scorer", "verdict", ">score", "why"];
        doc.body.table(Table::new(&head).rows(self.scorers.iter().map(|one| scorer_row(one, ""))));
        doc
    }

    /// One test case per scorer.
    fn cases(&self) -> Vec<ReportCase> {
        let case =
            |scorer: &ScorerOutcome| ReportCase::new(&scorer.scorer, scorer.status, scorer.score.reason());
        self.scorers.iter().map(case).collect()
    }
}

fn scorer_row(scorer: &ScorerOutcome, indent: &str) -> Vec<Text> {
    let name = format!("{indent}{}", scorer.scorer);
    row![name, badge(scorer.status), three(scorer.score.value), scorer.score.reason()]
}

/// The result of a suite's run.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SuiteRun {
    /// The run, by which `eval report`, `compare` and `resume` find it.
    pub run: String,
    /// Version of the scoring rules.
    pub scoring_version: u32,
    /// The scores.
    #[serde(flatten)]
    pub scores: SuiteScores,
    /// The share of right routes over the cases with the scorer `trajectory`; a missing answer is a fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trajectories: Option<MatchRate>,
    /// The stated cost of the answers in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<AnswersCost>,
    /// Cases named by answers that the suite does not have.
    pub unmatched: Vec<String>,
    /// Why the run is incomplete; none if complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<String>,
    /// The exit code.
    pub exit_code: u8,
    /// The reason for the exit code.
    pub exit_reason: String,
    /// The cases in order, as far as they were asked.
    pub cases: Vec<CaseResult>,
}

impl SuiteRun {
    /// The result of a run, from its summary and questions; none for a run of other cases.
    #[must_use]
    pub fn of(summary: RunSummary, questions: &[QuestionRecord], cost: Option<AnswersCost>) -> Option<Self> {
        let unmatched = summary.unknown_answers.answers.into_iter().map(|one| one.question_id);
        Some(Self {
            run: summary.run,
            scoring_version: summary.scoring_version,
            scores: summary.suite?,
            trajectories: Some(summary.trajectories).filter(|rate| rate.n > 0),
            cost,
            unmatched: unmatched.collect(),
            partial: summary.partial,
            exit_code: summary.exit_code,
            exit_reason: summary.exit_reason,
            cases: questions.iter().filter_map(QuestionRecord::case_result).collect(),
        })
    }
}

impl Report for SuiteRun {
    const NAME: &'static str = "suite_run";
    const ITEMS: Option<&'static str> = Some("cases");

    fn exit(&self) -> Exit {
        Exit::of(self.exit_code)
    }

    fn suite(&self) -> String {
        self.scores.suite.clone()
    }

    fn properties(&self) -> Vec<(&'static str, String)> {
        vec![("verdict", exit_line(self.exit_code, &self.exit_reason))]
    }

    fn doc(&self, _: &Invocation) -> Doc {
        let scores = &self.scores;
        let mut doc = Doc::new(format!("Suite {}", scores.suite));
        if let Some(why) = &self.partial {
            doc.sum(format!("PARTIAL RUN: {why}"));
        }
        if let Some(rate) = scores.pass_rate {
            doc.sum(format!(
                "{}: {} of {} pass ({}, 95 % interval {})",
                scores.suite,
                rate.successes,
                count(rate.n, "case"),
                per_cent(rate.rate),
                between(&rate.interval)
            ));
        }
        if let Some(mean) = mean_score(scores) {
            doc.sum(mean);
        }
        if let Some(cost) = &self.cost {
            let others = match cost.unknown + cost.unstated {
                0 => String::new(),
                others => format!(", {others} without"),
            };
            let priced = count(cost.priced, "answer");
            doc.sum(format!(
                "the answers cost ${} ({priced} with a price{others}); scoring is free",
                cost.dollars
            ));
        }
        if scores.unscored > 0 {
            doc.sum(format!("unscored: {}; no gate passes with that", scores.unscored));
        }
        doc.sum(Text::toned(Tone::of_exit(self.exit_code), exit_line(self.exit_code, &self.exit_reason)));
        let mut cases: Vec<&CaseResult> = self.cases.iter().collect();
        cases.sort_by_key(|case| case.verdict.place());
        let cells = |case: &CaseResult| {
            let why = case.error.clone().unwrap_or_default();
            let mut rows = vec![row![&case.case, badge(case.verdict), three(case.score), why]];
            rows.extend(case.scorers.iter().map(|one| scorer_row(one, "  ")));
            rows
        };
        let head = ["case", "verdict", ">score", "why"];
        doc.body.table(Table::new(&head).rows(cases.into_iter().flat_map(cells)));
        if !self.unmatched.is_empty() {
            doc.body.line(format!("answers that belong to no case: {}", self.unmatched.join(", ")));
        }
        doc
    }

    fn cases(&self) -> Vec<ReportCase> {
        let case = |case: &CaseResult| {
            let parts = case.scorers.iter().map(|scorer| {
                format!("{} {}: {}", scorer.scorer, three(scorer.score.value), scorer.score.reason())
            });
            let message: Vec<String> = case.error.iter().cloned().chain(parts).collect();
            ReportCase::new(&case.case, case.verdict, message.join("\n"))
        };
        self.cases.iter().map(case).collect()
    }
}

/// The mean score of a suite with its band.
pub(super) fn mean_score(scores: &SuiteScores) -> Option<String> {
    let (score, band) = scores.score.zip(scores.band)?;
    let mean = format!("mean {:.3} over {}", score.mean, count(score.n, "case"));
    // a band describes the agent, not the cases that it happened to answer
    let is_whole = scores.pass_rate.is_some_and(|rate| rate.n == score.n);
    Some(if is_whole { format!("{mean}: {}", band.describe()) } else { mean })
}

/// Cases that changed between two runs, new failures first.
pub(super) fn changed_cases(compared: &RunComparison) -> Vec<ReportCase> {
    let case = |changed: &ChangedCase, state| ReportCase::new(&changed.case, state, changed.words());
    let broken = compared.regressions.iter().map(|changed| case(changed, CaseVerdict::Fail));
    broken.chain(compared.improvements.iter().map(|changed| case(changed, CaseVerdict::Pass))).collect()
}

/// The same cases as a table. `named` makes the first two cells, the case and what was asked.
pub(super) fn changed_table(
    compared: &RunComparison,
    [broken, fixed]: [&str; 2],
    named: impl Fn(&str) -> [Text; 2],
) -> Table {
    let row = |word: &str, passed, case: &ChangedCase| {
        let difference = case.difference.map_or_else(|| "–".to_owned(), |by| format!("{by:+.3}"));
        let [name, asked] = named(&case.case);
        row![name, asked, Text::badge(tone(Some(passed)), word), case.words(), difference]
    };
    let lost = compared.regressions.iter().map(|case| row(broken, false, case));
    let won = compared.improvements.iter().map(|case| row(fixed, true, case));
    Table::new(&["case", "asked", "change", "verdict", ">score"]).rows(lost.chain(won))
}

/// The test of an agent's components.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Components {
    /// The result of each component.
    pub components: Vec<ComponentReport>,
    /// The exit code with its reason.
    #[serde(skip)]
    pub exit: (Exit, String),
}

impl Report for Components {
    const NAME: &'static str = "component_run";
    const ITEMS: Option<&'static str> = Some("components");

    fn exit(&self) -> Exit {
        self.exit.0
    }

    fn properties(&self) -> Vec<(&'static str, String)> {
        vec![("verdict", exit_line(self.exit.0 as u8, &self.exit.1))]
    }

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new("Components");
        let (exit, why) = &self.exit;
        doc.sum(Text::toned(tone(Some(*exit == Exit::Ok)), exit_line(*exit as u8, why)));
        add_components(&mut doc.body, &self.components);
        doc
    }

    /// One test case per threshold, and one per unanswered case.
    fn cases(&self) -> Vec<ReportCase> {
        let mut cases = Vec::new();
        for report in &self.components {
            let component = report.component.name();
            for metric in report.metrics.iter().filter(|metric| metric.target.is_some()) {
                let state = CaseVerdict::from_pass(is_met(metric));
                let target = metric.target.map(per_cent).unwrap_or_default();
                let found =
                    format!("{} {}, target {target}: {}", rate(metric), interval(metric), outcome(metric));
                cases.push(ReportCase::new(format!("{component}: {}", metric.name), state, found));
            }
            let unanswered = report.failures.iter().filter(|failure| failure.error.is_some());
            cases.extend(unanswered.map(|one| {
                ReportCase::new(format!("{component}: {}", one.id), CaseVerdict::Error, why(one))
            }));
        }
        cases
    }
}

/// A section for each component: its rates beside their targets, its failures, its tiers.
pub(super) fn add_components(body: &mut Body, components: &[ComponentReport]) {
    for report in components {
        let cases = format!("{}, {} without an answer", count(report.n, "case"), report.without_answer);
        body.section(format!("{}: {cases}", report.component.name()), |body| add_component(body, report));
    }
}

fn add_component(body: &mut Body, report: &ComponentReport) {
    let cells = |metric: &ComponentMetric| {
        let target = metric.target.map_or_else(String::new, |target| format!("≥ {}", per_cent(target)));
        let word = outcome(metric);
        let word = if word.is_empty() { Text::default() } else { Text::badge(tone(is_met(metric)), word) };
        row![&metric.name, rate(metric), interval(metric), target, word]
    };
    let head = ["rate", "right", "95 % interval", "target", "outcome"];
    body.table(Table::new(&head).rows(report.metrics.iter().map(cells)));
    let head = ["case", "asked", "why"];
    let failure = |one: &CaseFailure| row![&one.id, &one.question, why(one)];
    body.table(Table::new(&head).rows(report.failures.iter().map(failure)));
    let names = report.tiers.first().map(|tier| tier.metrics.iter().map(|metric| metric.name.as_str()));
    let head: Vec<&str> = std::iter::once("tier").chain(names.into_iter().flatten()).collect();
    body.table(Table::new(&head).rows(report.tiers.iter().map(|tier| {
        let mut row = row![tier.tier.name()];
        row.extend(tier.metrics.iter().map(|metric| Text::from(rate(metric))));
        row
    })));
}

fn why(failure: &CaseFailure) -> String {
    if let Some(error) = &failure.error {
        return error.clone();
    }
    let each = failure
        .misses
        .iter()
        .map(|miss| format!("{} is {}, expected {}", miss.field, miss.answered, miss.expected));
    each.collect::<Vec<_>>().join("; ")
}

fn rate(metric: &ComponentMetric) -> String {
    metric.result.map_or_else(
        || "-".to_owned(),
        |rate| format!("{}/{} {}", rate.successes, rate.n, per_cent(rate.rate)),
    )
}

fn interval(metric: &ComponentMetric) -> String {
    metric.result.map_or_else(String::new, |rate| between(&rate.interval))
}

/// Whether a rate meets its target; none if undecided.
fn is_met(metric: &ComponentMetric) -> Option<bool> {
    match metric.outcome? {
        TargetOutcome::Met => Some(true),
        TargetOutcome::Missed => Some(false),
        TargetOutcome::TooFewToTell | TargetOutcome::NotMeasured => None,
    }
}

fn outcome(metric: &ComponentMetric) -> String {
    metric.outcome.map_or_else(String::new, |outcome| outcome.words().to_owned())
}

/// The result of checking component cases: all are well formed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ComponentCheck {
    /// The components.
    pub components: Vec<CheckedComponent>,
}

/// The number of cases of a component.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckedComponent {
    /// Its name.
    pub component: &'static str,
    /// Its cases.
    pub cases: usize,
    /// Unknown fields in the cases, compared as text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub own_fields: Vec<String>,
}

impl Report for ComponentCheck {
    const NAME: &'static str = "component_check";
    const ITEMS: Option<&'static str> = Some("components");

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new("Cases of components");
        for one in &self.components {
            doc.sum(format!("{}: {}, nothing wrong", one.component, count(one.cases, "case")));
            if !one.own_fields.is_empty() {
                doc.sum(format!("  unknown fields, compared as text: {}", one.own_fields.join(", ")));
            }
        }
        doc
    }
}
