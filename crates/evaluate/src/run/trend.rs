//! The last runs side by side (evaluation strategy, section 8, "Trend Reporting"): rates, scores,
//! categories, regressions, durations, spending. Runs with other scoring versions are only counted
//! (decision 16).

use std::collections::{BTreeMap, BTreeSet};

use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Serialize;

use super::history::{HistoryLine, week_spend};
use super::settings::{CaseKind, is_none};
use crate::scoring::{CaseVerdict, SCORING_VERSION};

/// The default number of runs shown.
pub const DEFAULT_RUNS: usize = 10;

/// The last runs.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Trend {
    /// The scoring version of all runs.
    pub scoring_version: u32,
    /// The runs, oldest first.
    pub runs: Vec<TrendRun>,
    /// The pass rates of each category, in the order of the runs.
    pub categories: BTreeMap<String, Vec<Option<f64>>>,
    /// The number of runs by other scoring version.
    pub other_versions: BTreeMap<u32, usize>,
    /// The suites of other runs of the same kind. They have no case in common with these.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub other_suites: BTreeSet<String>,
    /// The last runs of another tool, scored by its own judge. They are shown but never compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_judges: Vec<HistoryLine>,
    /// The cost of the seven days up to the last run, in US dollars.
    #[schemars(with = "String")]
    pub week_usd: Decimal,
    /// Whether this exceeds the alert threshold.
    pub week_alert: bool,
}

/// A run of a trend.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TrendRun {
    /// Its line in the history.
    pub run: HistoryLine,
    /// The previous run of the same agent, for comparison; none if there is none. Recorded answers are one agent,
    /// whatever their file is called.
    pub compared_with: Option<String>,
    /// Questions that passed in the previous run of the same agent and fail in this one.
    pub regressions: Vec<String>,
    /// The number of questions in both runs.
    pub compared: usize,
    /// Numbers that belonged to another question in the previous run. They are skipped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_questions: Vec<String>,
    /// The number of questions compared by number, because an older version stored one run without
    /// question texts.
    #[serde(skip_serializing_if = "is_none")]
    pub by_number: usize,
}

/// The trend of the last runs with the newest scoring version and one kind of cases. For suites, the named one or that
/// of the last run.
#[must_use]
pub fn trend(history: &[HistoryLine], kind: CaseKind, suite: Option<&str>, count: usize) -> Option<Trend> {
    let (foreign, own): (Vec<&HistoryLine>, Vec<&HistoryLine>) =
        history.iter().filter(|line| line.kind() == Some(kind)).partition(|line| line.is_foreign());
    // suites have no case in common
    let suite = suite.or_else(|| own.last()?.suite.as_deref());
    let of_source = || own.iter().copied().filter(|line| line.suite.as_deref() == suite);
    let others = own.iter().filter_map(|line| line.suite.clone()).filter(|name| Some(name.as_str()) != suite);
    let newest = of_source().map(|line| line.scoring_version).max();
    let scoring_version = newest.or((!foreign.is_empty()).then_some(SCORING_VERSION))?;
    let mut other_versions: BTreeMap<u32, usize> = BTreeMap::new();
    for line in of_source().filter(|line| line.scoring_version != scoring_version) {
        *other_versions.entry(line.scoring_version).or_default() += 1;
    }
    let of_version: Vec<&HistoryLine> =
        of_source().filter(|line| line.scoring_version == scoring_version).collect();
    let first = of_version.len().saturating_sub(count);
    let runs: Vec<TrendRun> = of_version
        .iter()
        .enumerate()
        .skip(first)
        .map(|(at, line)| {
            let before = of_version[..at].iter().rev().find(|other| other.agent() == line.agent());
            compare_with_previous(line, before.copied())
        })
        .collect();
    let names: BTreeSet<&String> = runs.iter().flat_map(|one| one.run.categories.keys()).collect();
    let categories = names
        .into_iter()
        .map(|name| (name.clone(), runs.iter().map(|one| one.run.categories.get(name).copied()).collect()))
        .collect();
    let week = of_version.last().map(|last| week_spend(history, last.timestamp));
    Some(Trend {
        scoring_version,
        runs,
        categories,
        other_versions,
        other_suites: others.collect(),
        other_judges: foreign.iter().skip(foreign.len().saturating_sub(count)).copied().cloned().collect(),
        week_usd: week.map(|week| week.dollars).unwrap_or_default(),
        week_alert: week.is_some_and(|week| week.alert),
    })
}

/// Compares a run with the previous one. An undecided question is not a regression.
fn compare_with_previous(run: &HistoryLine, before: Option<&HistoryLine>) -> TrendRun {
    use CaseVerdict::{Pass, Unscored};
    let mut found = TrendRun {
        // a trend does not need the texts
        run: HistoryLine { asked: BTreeMap::new(), ..run.clone() },
        compared_with: before.map(|before| before.run.clone()),
        regressions: Vec::new(),
        compared: 0,
        other_questions: Vec::new(),
        by_number: 0,
    };
    let Some(before) = before else { return found };
    for (id, verdict) in &run.verdicts {
        let Some(earlier) = before.verdicts.get(id) else { continue };
        match run.asked.get(id).and_then(|text| before.asks(id, text)) {
            Some(false) => {
                found.other_questions.push(id.clone());
                continue;
            }
            Some(true) => {}
            None => found.by_number += 1,
        }
        found.compared += 1;
        if *earlier == Pass && !matches!(verdict, Pass | Unscored) {
            found.regressions.push(id.clone());
        }
    }
    for ids in [&mut found.regressions, &mut found.other_questions] {
        ids.sort_by_key(|id| (id.parse::<u64>().unwrap_or(u64::MAX), id.clone()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::samples::history;
    use CaseVerdict::{Error, Fail, Pass, Unscored};

    const MANIFEST: CaseKind = CaseKind::Manifest;

    #[test]
    fn numbers_that_stand_for_another_question_are_not_compared() {
        const KENYA: &str = "What is the GDP per capita of Kenya?";
        let asking = |run: &str, at: &str, verdict, texts: [&str; 2]| HistoryLine {
            asked: [("1", texts[0]), ("2", texts[1])].map(|(id, text)| (id.into(), text.into())).into(),
            ..history(run, at, 3, &[("1", verdict), ("2", verdict)])
        };
        let runs = [
            asking("a", "2026-11-01T10:00:00Z", Pass, [KENYA, "What is the population of Kenya?"]),
            asking(
                "b",
                "2026-11-08T10:00:00Z",
                Fail,
                ["What is Kenya's GDP per capita?", "Who leads Spain?"],
            ),
            // as an older version wrote it
            history("c", "2026-11-15T10:00:00Z", 3, &[("1", Pass), ("2", Pass)]),
            asking("d", "2026-11-22T10:00:00Z", Fail, [KENYA, KENYA]),
        ];
        let trend = trend(&runs, MANIFEST, None, DEFAULT_RUNS).unwrap();
        let found: Vec<_> = trend
            .runs
            .iter()
            .map(|one| {
                (one.regressions.join(","), one.other_questions.join(","), one.compared, one.by_number)
            })
            .collect();
        let line =
            |lost: &str, other: &str, compared, by_number| (lost.into(), other.into(), compared, by_number);
        assert_eq!(
            found,
            [line("", "", 0, 0), line("1", "2", 1, 0), line("", "", 2, 2), line("1,2", "", 2, 2)]
        );
    }

    #[test]
    fn evaluation_strategy_8_trend_of_the_last_runs() {
        let runs = [
            history("a", "2026-11-01T10:00:00Z", 3, &[("1", Pass), ("2", Pass), ("10", Pass)]),
            history("b", "2026-11-08T10:00:00Z", 3, &[("1", Pass), ("2", Unscored), ("10", Error)]),
            history("c", "2026-11-15T10:00:00Z", 3, &[("1", Fail), ("10", Pass), ("11", Fail)]),
        ];
        let trend = trend(&runs, MANIFEST, None, DEFAULT_RUNS).unwrap();
        let lost: Vec<_> = trend.runs.iter().map(|one| (one.regressions.clone(), one.compared)).collect();
        assert_eq!(lost, [(vec![], 0), (vec!["10".to_owned()], 3), (vec!["1".to_owned()], 2)]);
        assert_eq!(DEFAULT_RUNS, 10);
        assert_eq!(super::trend(&runs, MANIFEST, None, 2).unwrap().runs[0].regressions, ["10"]);
        assert_eq!(super::trend(&[], MANIFEST, None, 2), None);
        // components have their own trend
        let mut components = runs.clone();
        components[1].source = "components".to_owned();
        let trend = super::trend(&components, MANIFEST, None, DEFAULT_RUNS).unwrap();
        assert_eq!((trend.runs.len(), trend.runs[1].regressions.clone()), (2, vec!["1".to_owned()]));
    }

    #[test]
    fn recorded_answers_are_one_agent_whatever_their_file_is_called() {
        let of = |agent: &str, run: &str, at: &str, verdict| HistoryLine {
            agent_model: agent.to_owned(),
            ..history(run, at, 3, &[("1", verdict)])
        };
        let runs = [
            of("answers of a.jsonl", "a", "2026-11-01T10:00:00Z", Pass),
            of("ask-v1", "b", "2026-11-08T10:00:00Z", Pass),
            of("answers of b.jsonl", "c", "2026-11-15T10:00:00Z", Fail),
            of("ask-v2", "d", "2026-11-22T10:00:00Z", Fail),
        ];
        let trend = trend(&runs, MANIFEST, None, DEFAULT_RUNS).unwrap();
        let found: Vec<_> =
            trend.runs.iter().map(|one| (one.compared_with.as_deref(), one.regressions.len())).collect();
        assert_eq!(found, [(None, 0), (None, 0), (Some("a"), 1), (None, 0)]);
    }

    #[test]
    fn decision_16_versions_are_never_mixed_in_one_trend() {
        let runs = [
            history("a", "2026-11-01T10:00:00Z", 0, &[("1", Pass)]),
            history("b", "2026-11-08T10:00:00Z", 2, &[("1", Pass)]),
            history("c", "2026-11-15T10:00:00Z", 3, &[("1", Fail)]),
        ];
        let trend = trend(&runs, MANIFEST, None, DEFAULT_RUNS).unwrap();
        assert_eq!((trend.runs.len(), trend.scoring_version), (1, 3));
        assert_eq!(trend.other_versions, BTreeMap::from([(2, 1)]));
        // a line without a version comes from another judge
        assert_eq!(trend.other_judges.iter().map(|line| line.run.as_str()).collect::<Vec<_>>(), ["a"]);
        let alone = super::trend(&runs[..1], MANIFEST, None, DEFAULT_RUNS).unwrap();
        assert_eq!((alone.runs.len(), alone.other_judges.len()), (0, 1));
        assert!(trend.runs[0].regressions.is_empty());
    }
}
