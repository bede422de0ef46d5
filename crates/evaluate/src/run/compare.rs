//! Compares two runs question by question (evaluation strategy, section 8, "Regression count"):
//! regressions and improvements, their significance, the detectable difference, the categories, and
//! questions whose record changed.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::question::Question;
use super::record::{QuestionRecord, Scored};
use super::run_folder::order;
use super::settings::{CaseKind, RunSettings};
use super::truth_change::truth_change;
use crate::error::Exit;
use crate::manifest::same_question;
use crate::scoring::CaseVerdict;
use crate::scoring::stats::{McNemar, holm, mcnemar_exact};
use crate::scoring::suite::{Resampling, RunCase, RunComparison, compare_runs};
use crate::truth::Pipeline;
use crate::words::count;

pub use super::truth_change::TruthChange;

/// The comparison of two runs, the first being the earlier one.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EvalComparison {
    /// The first run.
    pub first: String,
    /// The second run.
    pub second: String,
    /// The questions of both runs: regressions are broken, improvements fixed.
    pub questions: RunComparison,
    /// The comparison by category, with p-values adjusted for multiple tests (Holm).
    pub categories: Vec<CategoryComparison>,
    /// The comparison by tag and by persona. A question may have several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cohorts: Vec<CategoryComparison>,
    /// Numbers that belong to another question in the second run. They are skipped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_questions: Vec<String>,
    /// Questions whose record differs between the runs.
    pub truth_changed: Vec<TruthChange>,
    /// Warnings: the runs are one and the same, or the second is the earlier one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The exit code.
    pub exit_code: u8,
    /// The reason for the exit code.
    pub exit_reason: String,
    /// What a report shows of each case beside its name, for runs that kept their questions.
    #[serde(skip)]
    pub cases: BTreeMap<String, ComparedCase>,
}

/// What a report shows of a case beside its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedCase {
    /// What the first and the second run asked; empty for a run without the case.
    pub asked: [String; 2],
    /// The link to the page of its truth, if that was read from the live site.
    pub page_link: Option<String>,
}

/// A category in two runs.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CategoryComparison {
    /// The category.
    pub name: String,
    /// Questions with a verdict in both runs.
    pub paired: u64,
    /// Passes in the first run.
    pub first_passed: u64,
    /// Passes in the second run.
    pub second_passed: u64,
    /// McNemar's test: whether the change may be chance.
    pub mcnemar: McNemar,
    /// The adjusted p-value.
    pub adjusted_p: f64,
}

impl EvalComparison {
    /// The exit code (decision 22). The strategy asks for no regressions; the caller decides
    /// whether one fails.
    #[must_use]
    pub const fn exit(&self) -> Exit {
        if self.exit_code == Exit::Differences as u8 { Exit::Differences } else { Exit::Ok }
    }
}

/// A run to compare: its cases, and their stored records.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedRun {
    name: String,
    started: Option<Timestamp>,
    source: Option<CaseKind>,
    pipeline: Option<Pipeline>,
    cases: Vec<RunCase>,
    kept: BTreeMap<String, QuestionRecord>,
}

impl ComparedRun {
    /// A stored run.
    #[must_use]
    pub fn kept(settings: &RunSettings, questions: Vec<QuestionRecord>) -> Self {
        Self {
            name: settings.run.clone(),
            started: Some(settings.started),
            source: Some(settings.source.kind()),
            pipeline: settings.pipeline,
            cases: questions
                .iter()
                .filter_map(|one| Some(case(&one.case_name(), one.scored.as_ref()?)))
                .collect(),
            kept: questions.into_iter().map(|one| (one.case_name(), one)).collect(),
        }
    }

    /// Restricts the run to a cohort: questions with one of these tags, and with one of these
    /// personas.
    ///
    /// # Errors
    /// No question of the run is in the cohort.
    pub fn of_cohort(mut self, tags: &[String], personas: &[String]) -> Result<Self, String> {
        let is_of = |one: &QuestionRecord| {
            let (own, persona) = (&one.question.tags, one.question.persona.as_ref());
            (tags.is_empty() || own.iter().any(|tag| tags.contains(tag)))
                && (personas.is_empty() || persona.is_some_and(|persona| personas.contains(persona)))
        };
        self.kept.retain(|_, one| is_of(one));
        self.cases.retain(|case| self.kept.contains_key(&case.case));
        match self.cases.len() {
            0 => Err(format!(
                "no question of {} is in the cohort {}",
                self.name,
                [tags, personas].concat().join(", ")
            )),
            _ => Ok(self),
        }
    }

    /// Cases without stored records, as printed by `suite run`.
    #[must_use]
    pub const fn of_cases(name: String, cases: Vec<RunCase>) -> Self {
        Self { name, started: None, source: None, pipeline: None, cases, kept: BTreeMap::new() }
    }

    /// Its position in time: the start, and the name for runs of the same second. None for a file of cases.
    fn place(&self) -> Option<(Timestamp, (&str, u32))> {
        Some((self.started?, order(&self.name)))
    }
}

/// Compares two runs. With `fails_on_regressions`, a broken question fails the comparison.
///
/// # Errors
/// The runs have different scoring versions (decision 16) or sources, or no question in common.
pub fn compare(
    first: &ComparedRun,
    second: &ComparedRun,
    resampling: Resampling,
    fails_on_regressions: bool,
) -> Result<EvalComparison, String> {
    if let (Some(one), Some(other)) = (first.source, second.source)
        && one != other
    {
        return Err(format!(
            "their cases come from different sources, {} and {}, which are scored by different means",
            one.words(),
            other.words()
        ));
    }
    let mut cases = (first.cases.clone(), second.cases.clone());
    let other_questions: Vec<String> = first
        .kept
        .iter()
        .filter(|(id, one)| {
            let other = second.kept.get(*id);
            other.is_some_and(|other| !same_question(&one.question.text, &other.question.text))
        })
        .map(|(id, _)| id.clone())
        .collect();
    cases.0.retain(|case| !other_questions.contains(&case.case));
    cases.1.retain(|case| !other_questions.contains(&case.case));
    if cases.0.is_empty() && !other_questions.is_empty() {
        return Err("they have no question in common: their numbers belong to different questions".to_owned());
    }
    let mut truth_changed = Vec::new();
    for case in &mut cases.0 {
        let sides = first.kept.get(&case.case).zip(second.kept.get(&case.case));
        let Some(change) = sides.and_then(|(one, other)| truth_change(first.pipeline, one, other)) else {
            continue;
        };
        if let Some(verdict) = change.verdict_now {
            (case.verdict, case.score) = (verdict, None);
        }
        truth_changed.push(change);
    }
    let left_out = |case: &RunCase| {
        truth_changed.iter().any(|one| one.verdict_now.is_none() && one.question_id == case.case)
    };
    cases.0.retain(|case| !left_out(case));
    cases.1.retain(|case| !left_out(case));
    let questions = compare_runs(&cases.0, &cases.1, resampling)?;
    let (exit, exit_reason) = match (questions.regressions.len(), fails_on_regressions) {
        (0, _) => (Exit::Ok, "no question broken".to_owned()),
        (broken, true) => (Exit::Differences, format!("{} broken", count(broken, "question"))),
        (broken, false) => {
            (Exit::Ok, format!("{broken} broken, which fails only with --fail-on regressions"))
        }
    };
    Ok(EvalComparison {
        first: first.name.clone(),
        second: second.name.clone(),
        questions,
        categories: by_group(&first.kept, &cases, &|question| {
            vec![question.category.clone().unwrap_or_else(|| "none".to_owned())]
        }),
        cohorts: by_group(&first.kept, &cases, &Question::cohorts),
        other_questions,
        truth_changed,
        notes: notes(first, second),
        exit_code: exit as u8,
        exit_reason,
        cases: shown_cases(&first.kept, &second.kept),
    })
}

/// The cases of either run, as shown.
fn shown_cases(
    first: &BTreeMap<String, QuestionRecord>,
    second: &BTreeMap<String, QuestionRecord>,
) -> BTreeMap<String, ComparedCase> {
    let case = |id: &String| {
        let both = [first.get(id), second.get(id)];
        let asked = both.map(|one| one.map(|one| one.question.text.clone()).unwrap_or_default());
        let page_link = both.into_iter().flatten().find_map(QuestionRecord::page_link);
        (id.clone(), ComparedCase { asked, page_link })
    };
    first.keys().chain(second.keys()).map(case).collect()
}

/// Warnings about a pair of runs.
fn notes(first: &ComparedRun, second: &ComparedRun) -> Vec<String> {
    let mut notes = Vec::new();
    if first == second {
        notes.push(format!("{} is compared with itself, so nothing can differ", first.name));
    }
    if second.place().zip(first.place()).is_some_and(|(second, first)| second < first) {
        let (first, second) = (&first.name, &second.name);
        notes.push(format!(
            "{second} is older than {first}, so broken and fixed are swapped: name the older run first"
        ));
    }
    notes
}

fn case(id: &str, scored: &Scored) -> RunCase {
    RunCase {
        scoring_version: scored.scoring_version,
        case: id.to_owned(),
        verdict: scored.verdict,
        score: scored.score,
    }
}

/// Groups the pairs of cases by the groups of their questions.
fn by_group(
    older: &BTreeMap<String, QuestionRecord>,
    cases: &(Vec<RunCase>, Vec<RunCase>),
    groups: &dyn Fn(&Question) -> Vec<String>,
) -> Vec<CategoryComparison> {
    let second: BTreeMap<&str, CaseVerdict> =
        cases.1.iter().map(|case| (case.case.as_str(), case.verdict)).collect();
    let mut pairs: BTreeMap<String, Vec<(bool, bool)>> = BTreeMap::new();
    for case in &cases.0 {
        let Some(other) = second.get(case.case.as_str()) else { continue };
        if case.verdict != CaseVerdict::Unscored
            && *other != CaseVerdict::Unscored
            && let Some(one) = older.get(&case.case)
        {
            let passed = (case.verdict == CaseVerdict::Pass, *other == CaseVerdict::Pass);
            for name in groups(&one.question) {
                pairs.entry(name).or_default().push(passed);
            }
        }
    }
    let count = |pairs: &[(bool, bool)], wanted: (bool, bool)| {
        pairs.iter().filter(|pair| **pair == wanted).count() as u64
    };
    let mut found: Vec<CategoryComparison> = pairs
        .into_iter()
        .map(|(name, pairs)| CategoryComparison {
            name,
            paired: pairs.len() as u64,
            first_passed: pairs.iter().filter(|pair| pair.0).count() as u64,
            second_passed: pairs.iter().filter(|pair| pair.1).count() as u64,
            mcnemar: mcnemar_exact(count(&pairs, (true, false)), count(&pairs, (false, true))),
            adjusted_p: 1.0,
        })
        .collect();
    let adjusted = holm(&found.iter().map(|one| one.mcnemar.p_value).collect::<Vec<_>>());
    for (one, adjusted) in found.iter_mut().zip(adjusted) {
        one.adjusted_p = adjusted;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Decider, samples};
    use crate::scoring::stats::Seed;
    use crate::scoring::suite::SuiteCase;
    use CaseVerdict::{Error, Fail, Partial, Pass, Unscored};

    fn of(first: &[QuestionRecord], second: &[QuestionRecord]) -> Result<EvalComparison, String> {
        let settings = samples::settings();
        let resampling = Resampling { resamples: 1_000, seed: Seed(1) };
        let run = |questions: &[QuestionRecord]| ComparedRun::kept(&settings, questions.to_vec());
        compare(&run(first), &run(second), resampling, true)
    }

    #[test]
    fn evaluation_strategy_8_fixed_and_broken_questions_by_category() {
        let mut first = samples::questions(&[Pass, Pass, Fail, Partial, Pass, Pass, Unscored]);
        let mut second = samples::questions(&[Pass, Fail, Pass, Partial, Error, Unscored, Pass]);
        for questions in [&mut first, &mut second] {
            questions[1].question.category = Some("trade".to_owned());
        }
        first[1].truth.as_mut().unwrap().record.site = crate::truth::Site::Live;
        let compared = of(&first, &second).unwrap();
        let names = |of: &[crate::scoring::suite::ChangedCase]| {
            of.iter().map(|case| case.case.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(&compared.questions.regressions), ["2", "5"]);
        assert_eq!(names(&compared.questions.improvements), ["3"]);
        assert_eq!(
            (compared.exit(), compared.exit_reason.as_str()),
            (Exit::Differences, "2 questions broken")
        );
        let shown = &compared.cases["2"];
        assert_eq!(shown.asked, ["What is the GDP per capita of Kenya?"; 2]);
        assert_eq!(shown.page_link.as_deref(), Some("https://atlas.hks.harvard.edu/countries/404"));
        assert_eq!(compared.cases["1"].page_link, None, "its truth is of the twin");
        let back = of(&first, &first).unwrap();
        assert_eq!((back.exit(), back.exit_reason.as_str()), (Exit::Ok, "no question broken"));
        assert!(back.notes[0].contains("is compared with itself"), "{:?}", back.notes);
        assert_eq!((compared.questions.paired, compared.questions.unscored), (7, 2));
        let categories: Vec<_> = compared
            .categories
            .iter()
            .map(|one| (one.name.as_str(), one.paired, one.first_passed, one.second_passed))
            .collect();
        assert_eq!(categories, [("country_overview", 4, 2, 2), ("trade", 1, 1, 0)]);
    }

    #[test]
    fn a_pair_of_runs_in_the_wrong_order_is_noted() {
        let later = |run: &str, seconds: i64| RunSettings {
            run: run.to_owned(),
            started: samples::settings().started + jiff::SignedDuration::from_secs(seconds),
            ..samples::settings()
        };
        let run = |settings: &RunSettings| ComparedRun::kept(settings, samples::questions(&[Pass, Fail]));
        let notes = |first: &RunSettings, second: &RunSettings| {
            let resampling = Resampling { resamples: 10, seed: Seed(1) };
            compare(&run(first), &run(second), resampling, true).unwrap().notes
        };
        let first = later("20261120T103000Z-9", 0);
        for second in [later("20261120T103000Z-10", 0), later("20261120T103001Z", 1)] {
            assert_eq!(notes(&first, &second), [] as [String; 0]);
            let said = notes(&second, &first);
            assert!(said[0].starts_with("20261120T103000Z-9 is older than 20261120T1030"), "{said:?}");
        }
    }

    #[test]
    fn a_case_that_expects_something_else_is_skipped() {
        let mut first = samples::questions(&[Pass, Pass]);
        let expecting = |name: &str, value: &str| {
            let (name, expected_value) = (name.to_owned(), Some(value.to_owned()));
            Some(Box::new(SuiteCase { name, expected_value, ..SuiteCase::default() }))
        };
        for (one, name) in first.iter_mut().zip(["a", "b"]) {
            one.checks = expecting(name, "$1");
            one.truth = None;
        }
        let mut second = first.clone();
        for one in &mut second {
            one.scored = Some(samples::scored(Fail, Decider::Rules));
        }
        second[1].checks = expecting("b", "$2");
        let compared = of(&first, &second).unwrap();
        let broken: Vec<_> = compared.questions.regressions.iter().map(|case| case.case.as_str()).collect();
        assert_eq!((compared.questions.paired, broken), (1, vec!["a"]));
        assert_eq!(compared.truth_changed[0].second_truth, "expected_value: \"$2\"");
    }

    #[test]
    fn a_cohort_is_compared_alone_and_beside_others() {
        let mut first = samples::questions(&[Pass, Pass, Fail, Pass]);
        for (at, one) in first.iter_mut().enumerate() {
            one.question.tags = if at < 3 { vec!["smoke".to_owned()] } else { Vec::new() };
            one.question.persona = Some(if at % 2 == 0 { "student" } else { "analyst" }.to_owned());
        }
        let mut second = first.clone();
        second[1].scored = Some(samples::scored(Fail, Decider::Rules));
        let compared = of(&first, &second).unwrap();
        let cohorts: Vec<_> = compared
            .cohorts
            .iter()
            .map(|one| (one.name.as_str(), one.paired, one.first_passed, one.second_passed))
            .collect();
        assert_eq!(
            cohorts,
            [("persona analyst", 2, 2, 1), ("persona student", 2, 1, 1), ("tag smoke", 3, 2, 1)]
        );
        let settings = samples::settings();
        let alone = |tags: &[&str], personas: &[&str]| {
            let texts = |of: &[&str]| of.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
            ComparedRun::kept(&settings, first.clone()).of_cohort(&texts(tags), &texts(personas))
        };
        assert_eq!(alone(&["smoke"], &[]).unwrap().cases.len(), 3);
        assert_eq!(alone(&["smoke"], &["student"]).unwrap().cases.len(), 2);
        assert!(alone(&["slow"], &[]).unwrap_err().contains("cohort slow"));
    }

    #[test]
    fn six_broken_and_none_fixed_is_no_chance_and_holm_knows_of_the_other_categories() {
        let questions = |verdict| {
            let mut questions = samples::questions(&[verdict; 12]);
            for (at, one) in questions.iter_mut().enumerate() {
                one.question.category = Some(if at < 6 { "a" } else { "b" }.to_owned());
            }
            questions
        };
        let mut second = questions(Pass);
        for one in second.iter_mut().take(6) {
            one.scored = Some(samples::scored(Fail, Decider::Rules));
        }
        let compared = of(&questions(Pass), &second).unwrap();
        // 2 · ½⁶, and twice that over two categories
        assert!((compared.categories[0].mcnemar.p_value - 0.03125).abs() < 1e-12);
        assert!((compared.categories[0].adjusted_p - 0.0625).abs() < 1e-12);
        assert!((compared.categories[1].adjusted_p - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_truth_that_changed_is_listed_and_the_earlier_answer_scored_by_the_newer_one() {
        let mut first = samples::questions(&[Pass, Pass]);
        let mut second = samples::questions(&[Pass, Pass]);
        second[0].truth = Some(samples::truth("1", "$2,350", "2350"));
        let compared = of(&first, &second).unwrap();
        let change = &compared.truth_changed[0];
        assert_eq!((change.verdict_then, change.verdict_now), (Pass, Some(Fail)));
        assert!(change.first_truth.ends_with("$2,274") && change.second_truth.ends_with("$2,350"));
        // by the newer truth it was wrong before, so it is fixed, not unchanged
        assert_eq!((compared.questions.paired, compared.questions.improvements.len()), (2, 1));
        // questions that need a judge are skipped
        let hedged = "Kenya's GDP per capita may be about $2,274.";
        first[0].answer.reply.as_mut().unwrap().answer = hedged.to_owned();
        let compared = of(&first, &second).unwrap();
        assert_eq!((compared.truth_changed[0].verdict_now, compared.questions.paired), (None, 1));
    }

    #[test]
    fn decision_16_runs_of_other_scoring_versions_are_not_compared() {
        let first = samples::questions(&[Pass]);
        let mut second = first.clone();
        second[0].scored.as_mut().unwrap().scoring_version += 1;
        assert!(of(&first, &second).unwrap_err().contains("different versions"));
    }
}
