//! Suites as cases of a run.

use std::collections::{BTreeMap, BTreeSet};

use super::question::Case;
use super::record::QuestionRecord;
use super::settings::RunSettings;
use crate::agent::RecordedSuite;
use crate::manifest::QuestionId;
use crate::scoring::suite::{AgentOutput, CaseResult, ScoreBand, Suite, SuiteScores, summarize};

/// The cases of a suite, in the form of a run. The id is the case's name, with only characters valid in file names.
#[must_use]
pub fn suite_cases(suite: &Suite) -> Vec<Case> {
    let mut taken: BTreeSet<QuestionId> = BTreeSet::new();
    let mut id = |at: usize, name: &str| {
        let plain: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || "_.-".contains(c) { c } else { '_' })
            .collect();
        let id = [name, &plain].iter().find_map(|text| text.parse().ok().filter(|id| !taken.contains(id)));
        let id = id.or_else(|| format!("case_{}", at + 1).parse().ok())?;
        taken.insert(id.clone());
        Some(id)
    };
    let cases = suite.cases.iter().enumerate();
    cases.filter_map(|(at, case)| Some(Case::of_checks(id(at, &case.name)?, None, case.clone()))).collect()
}

/// Recorded answers as the agent of these cases, with a name for reports.
#[must_use]
pub fn recorded_suite<'a>(
    name: String,
    cases: &[Case],
    answers: impl Iterator<Item = &'a AgentOutput>,
) -> RecordedSuite {
    let by_name: BTreeMap<&str, &AgentOutput> =
        answers.map(|answer| (answer.case.as_str(), answer)).collect();
    let answer = |case: &Case| {
        let answer = *by_name.get(case.checks.as_ref()?.name.as_str())?;
        Some((case.question.question_id.clone(), answer.clone()))
    };
    RecordedSuite::new(name, cases.iter().filter_map(answer).collect())
}

/// The scores of a suite; none for a run of other cases.
pub(super) fn scores(settings: &RunSettings, questions: &[QuestionRecord]) -> Option<SuiteScores> {
    let results: Vec<(Option<&str>, CaseResult)> = questions
        .iter()
        .filter_map(|one| Some((one.checks.as_ref()?.cluster.as_deref(), one.case_result()?)))
        .collect();
    let missing = settings.unasked + settings.planned.len().saturating_sub(results.len());
    Some(summarize(settings.source.suite()?, &results, missing as u64))
}

impl QuestionRecord {
    /// The result of a suite case; none if it names no scorers or is unscored.
    #[must_use]
    pub fn case_result(&self) -> Option<CaseResult> {
        let (case, scored) = (self.checks.as_deref()?, self.scored.as_ref()?);
        Some(CaseResult {
            scoring_version: scored.scoring_version,
            case: case.name.clone(),
            verdict: scored.verdict,
            score: scored.score,
            band: scored.score.map(ScoreBand::of),
            min_score: case.min_score,
            scorers: scored.scorers.clone(),
            error: self.answer.error.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::AtomicBool;

    use serde_json::{Value, json};

    use super::super::checks::NamedScorers;
    use super::super::settings::CaseSource;
    use super::super::{
        AgentChoice, Ending, Run, RunContext, RunFolder, RunLimits, RunSummary, samples, summarize,
    };
    use super::*;
    use crate::event::Events;
    use crate::scoring::scorers::builtin;
    use crate::scoring::suite::{parse_answer, read_suite};
    use atlas_gt_core::clock::Clock;

    /// The summary of a suite with recorded answers.
    async fn run(text: &str, answers: &[Value]) -> RunSummary {
        let registry = builtin();
        let (suite, _) = read_suite(Path::new("suite.yaml"), text, &registry).unwrap();
        let answers: Vec<AgentOutput> = answers.iter().map(|one| parse_answer(one).unwrap()).collect();
        let cases = suite_cases(&suite);
        let source = CaseSource::Suite { name: suite.name, file: "suite.yaml".into() };
        let mut settings = RunSettings {
            planned: cases.iter().map(|case| case.question.question_id.clone()).collect(),
            ..RunSettings::new(source, AgentChoice::Answers("a.jsonl".into()), samples::settings().started)
        };
        let runs = tempfile::tempdir().unwrap();
        let run = Run {
            folder: &RunFolder::create(runs.path(), &mut settings).unwrap(),
            agent: &recorded_suite("answers".to_owned(), &cases, answers.iter()),
            scorer: &NamedScorers { registry: &registry },
            limits: RunLimits::of(&settings),
            clock: Clock::System,
            events: &Events::silent(),
            stop: &AtomicBool::new(false),
        };
        let (questions, ending): (_, Ending) = run.ask(cases, Vec::new()).await.unwrap();
        let context =
            RunContext { settings: &settings, ending, anchors: None, calibration: None, history: &[] };
        summarize(&questions, context)
    }

    #[tokio::test]
    async fn decision_8_match_rate_and_the_strict_one_beside_it() {
        let text = r"
name: s
default_scorers: [trajectory]
cases:
  - {name: a, cluster: kenya, input: {query: q}, expected_tool: graphql_preferred}
  - {name: b, cluster: kenya, input: {query: q}, expected_tool: graphql_preferred}
  - {name: c, cluster: spain, input: {query: q}, expected_tool: refusal}
  - {name: d, cluster: spain, input: {query: q}, expected_tool: either}
";
        let summary = run(
            text,
            &[
                json!({"case": "a", "output": "", "tool_calls": ["atlas_graphql"]}),
                json!({"case": "b", "output": "", "tool_calls": ["query_tool"]}),
                json!({"case": "c", "output": "", "tool_calls": ["query_tool"]}),
            ],
        )
        .await;
        let rate = &summary.trajectories;
        assert_eq!((rate.n, rate.rate, rate.strict_rate), (4, Some(0.5), Some(0.25)));
        let scores = summary.suite.as_ref().unwrap();
        assert_eq!(scores.score.unwrap().clusters, Some(2), "the error is clustered by country");
        assert_eq!((summary.exit_code, scores.errors), (6, 1));
        assert_eq!(summary.exit_reason, "the agent or a scorer failed in 1 case; 2 of 4 cases did not pass");
    }

    #[tokio::test]
    async fn names_that_no_file_can_have_keep_their_letters() {
        let text = r"
name: s
default_scorers: [contains]
cases:
  - {name: plain, input: {query: q}, expected_output_contains: [x]}
  - {name: a b, input: {query: q}, expected_output_contains: [x]}
  - {name: a_b, input: {query: q}, expected_output_contains: [x]}
  - {name: pending, input: {query: q}, expected_output_contains: [x]}
";
        let (suite, _) = read_suite(Path::new("suite.yaml"), text, &builtin()).unwrap();
        let ids: Vec<String> =
            suite_cases(&suite).iter().map(|case| case.question.question_id.to_string()).collect();
        assert_eq!(ids, ["plain", "a_b", "case_3", "case_4"]);
    }

    #[tokio::test]
    async fn points_of_a_judge_and_prices_come_with_recorded_answers() {
        let text = r"
name: s
default_scorers: [reasoning]
cases:
  - {name: a case with spaces, input: {query: q}}
";
        let points = json!({"reasoning": {"logical_coherence": 3, "information_usage": 2, "problem_decomposition": 2, "completeness": 1}});
        let mut answer = json!({"case": "a case with spaces", "output": "x", "cost_usd": "0.30"});
        let without = run(text, std::slice::from_ref(&answer)).await;
        assert_eq!(without.suite.unwrap().unscored, 1);
        assert_eq!(
            (without.exit_code, without.exit_reason.as_str()),
            (3, "1 scorer run unscored; 1 of 1 case did not pass")
        );
        answer["judge"] = points;
        let judged = run(text, &[answer]).await;
        assert!((judged.suite.unwrap().score.unwrap().mean - 0.8).abs() < 1e-12);
        assert_eq!((judged.exit_code, judged.exit_reason.as_str()), (0, "every case passed"));
        assert_eq!(judged.cost.agent_usd, Some("0.30".parse().unwrap()));
    }
}
