//! Selects the questions of a run: all with a reference, named ones, the smoke test, a draw
//! balanced over categories, those whose record changed, or those that failed in another run.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::question::{Case, PinnedTruth, Question};
use super::record::QuestionRecord;
use super::settings::{Coverage, Unreadable};
use crate::StoredQuestions;
use crate::atlas::query_types;
use crate::error::{Error, Result};
use crate::manifest::{Manifest, QuestionId};
use crate::scoring::CaseVerdict;
use crate::selection::at_least_one;
use crate::truth::{Site, SourceMethod, Store, changelog};
use atlas_gt_core::command_line::flag;
use atlas_gt_core::sample::key;
use atlas_gt_core::words::count;

/// The smoke test: five questions of several categories and difficulties (evaluation strategy,
/// section 2, tier 4).
pub(crate) const SMOKE: [&str; 5] = ["1", "6", "25", "97", "195"];

/// Which questions to ask.
#[derive(Debug, Clone, PartialEq)]
pub enum Choice {
    /// All with a truth or an expected behavior.
    All,
    /// Named questions, with or without a reference.
    Named(Vec<QuestionId>),
    /// The smoke test.
    Smoke,
    /// A number of questions, drawn from the categories in turn.
    Balanced {
        /// How many.
        questions: usize,
        /// The seed of the draw.
        seed: u64,
    },
    /// Questions whose record changed since a time.
    ChangedSince(Timestamp),
    /// Questions that did not pass in another run.
    FailedIn {
        /// The run.
        run: String,
        /// The questions.
        questions: Vec<QuestionId>,
    },
}

/// A question with its truth.
type QuestionWithTruth = (Question, Option<PinnedTruth>);

/// The selected questions.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSelection {
    /// The questions by id, each with its current truth.
    pub questions: Vec<Case>,
    /// Questions whose record cannot be read.
    pub unreadable: Vec<Unreadable>,
    /// The number of questions skipped for lack of a reference, if all were chosen. With recorded answers, only
    /// answered ones count.
    pub without_truth: usize,
    /// Skipped questions without a reference that have a recorded answer.
    pub answered_without_truth: Vec<QuestionId>,
    /// The coverage of the manifest.
    pub coverage: Coverage,
    /// The choice as text.
    pub words: String,
    /// The seed of the draw.
    pub seed: Option<u64>,
}

/// Selects questions. `answered` are those with a recorded answer; others are skipped unless they
/// are named.
///
/// # Errors
/// The store cannot be read, it belongs to another site than the agent answers about (decision 18),
/// or no question is left.
pub fn select(
    manifest: &Manifest,
    store: &Store,
    choice: &Choice,
    answered: Option<&[QuestionId]>,
    agent_site: Site,
) -> Result<RunSelection> {
    if store.site() != agent_site {
        return Err(Error::Usage(format!(
            "the store belongs to the {} site and never scores answers about the {agent_site} site; pass \
             --agent-site {} if the agent answers about that site",
            store.site(),
            store.site()
        )));
    }
    let (known, unreadable) = known(manifest, store)?;
    let coverage = coverage(&known);
    let is_scored =
        |(question, truth): &QuestionWithTruth| truth.is_some() || question.expected_behavior.is_some();
    let without_truth: Vec<&QuestionId> =
        known.iter().filter(|(_, one)| !is_scored(one)).map(|(id, _)| id).collect();
    let is_of_answers = |id: &QuestionId| answered.is_none_or(|answered| answered.contains(id));
    let chosen = chosen(&known, store, choice, &|id, one| is_scored(one) && is_of_answers(id))?;
    // the smoke test asks its questions even without a reference
    let is_named = matches!(choice, Choice::Named(_) | Choice::Smoke);
    let has_answer = |id: &&QuestionId| answered.is_some_and(|answered| answered.contains(*id));
    let answered_without_truth =
        without_truth.iter().copied().filter(has_answer).filter(|_| !is_named).cloned().collect();
    let without_truth = match choice {
        Choice::All => without_truth.into_iter().filter(|id| is_of_answers(id)).count(),
        _ => 0,
    };
    let is_answered = |id: &QuestionId| matches!(choice, Choice::Named(_)) || is_of_answers(id);
    let questions: Vec<Case> = known
        .into_iter()
        .filter(|(id, _)| chosen.contains(id) && is_answered(id))
        .map(|(_, (question, truth))| Case::of_question(question, truth))
        .collect();
    let questions = at_least_one(questions, || {
        format!(
            "no question to ask ({}): {} has the truth of {} of the manifest; `{}` adds more, and \
             --questions selects questions without truth",
            choice.words(),
            store.dir().display(),
            count(coverage.with_truth, "question"),
            store.command("collect") + &flag("manifest", manifest.path.display())
        )
    })?;
    let mut unreadable = unreadable;
    unreadable.retain(|one| match choice {
        Choice::Named(ids) => ids.iter().any(|id| id.as_str() == one.question_id),
        _ => true,
    });
    Ok(RunSelection {
        questions,
        unreadable,
        without_truth,
        answered_without_truth,
        coverage,
        words: choice.words(),
        seed: match choice {
            Choice::Balanced { seed, .. } => Some(*seed),
            _ => None,
        },
    })
}

/// Every question of the manifest that can be asked, by id, and those whose record cannot be read
/// (decision 28).
fn known(
    manifest: &Manifest,
    store: &Store,
) -> Result<(BTreeMap<QuestionId, QuestionWithTruth>, Vec<Unreadable>)> {
    let mut known = BTreeMap::new();
    let mut unreadable = Vec::new();
    let of_store = StoredQuestions::new(store);
    for asked in manifest.questions() {
        let Some(mut question) = Question::of(&asked) else { continue };
        let id = question.question_id.clone();
        let truth = || {
            if question.expected_behavior.is_some() {
                return Ok(None);
            }
            let known = of_store.record_of(&asked)?;
            let known = known.map(|known| PinnedTruth::of(store, known)).transpose()?;
            Ok(known.or_else(|| PinnedTruth::of_reference(&question, asked.details, store.site())))
        };
        let truth: Result<Option<PinnedTruth>> = truth();
        if truth.as_ref().is_ok_and(Option::is_none) && question.expected_behavior.is_none() {
            let expected = of_store.expectation(&question.text);
            question = question.expecting(expected);
        }
        match truth {
            Ok(truth) => {
                known.insert(id, (question, truth));
            }
            Err(error) => {
                unreadable.push(Unreadable { question_id: id.to_string(), why: error.to_string() });
            }
        }
    }
    Ok((known, unreadable))
}

/// The ids of a choice. `is_candidate` holds for questions that a run can score.
fn chosen(
    known: &BTreeMap<QuestionId, QuestionWithTruth>,
    store: &Store,
    choice: &Choice,
    is_candidate: &dyn Fn(&QuestionId, &QuestionWithTruth) -> bool,
) -> Result<BTreeSet<QuestionId>> {
    let candidates = || known.iter().filter(|(id, one)| is_candidate(id, one));
    let ids = || candidates().map(|(id, _)| id);
    Ok(match choice {
        Choice::All => ids().cloned().collect(),
        Choice::Named(ids) => ids.iter().cloned().collect(),
        Choice::Smoke => known.keys().filter(|id| SMOKE.contains(&id.as_str())).cloned().collect(),
        Choice::FailedIn { questions, .. } => questions.iter().cloned().collect(),
        Choice::ChangedSince(since) => {
            let changed: BTreeSet<QuestionId> =
                changelog::lines(store, Some(*since))?.into_iter().map(|line| line.question_id).collect();
            ids().filter(|id| changed.contains(id)).cloned().collect()
        }
        Choice::Balanced { questions, seed } => {
            balanced(candidates().map(|(id, (question, _))| (id, question)), *questions, *seed)
        }
    })
}

/// Draws from the categories in turn, and within a category from the difficulties in turn. The
/// order is that of BLAKE3 hashes of seed and name, so a seed draws the same questions on every
/// machine.
fn balanced<'a>(
    all: impl Iterator<Item = (&'a QuestionId, &'a Question)>,
    wanted: usize,
    seed: u64,
) -> BTreeSet<QuestionId> {
    let mut categories: BTreeMap<&str, BTreeMap<String, Vec<&QuestionId>>> = BTreeMap::new();
    for (id, question) in all {
        let difficulty = format!("{:?}", question.difficulty);
        let category = question.category.as_deref().unwrap_or_default();
        categories.entry(category).or_default().entry(difficulty).or_default().push(id);
    }
    let mut queues: Vec<(&str, Vec<&QuestionId>)> = Vec::new();
    for (category, difficulties) in categories {
        let mut placed: Vec<(usize, [u8; 32], &QuestionId)> = Vec::new();
        for mut ids in difficulties.into_values() {
            ids.sort_by_key(|id| key(seed, id.as_str()));
            placed.extend(ids.into_iter().enumerate().map(|(place, id)| (place, key(seed, id.as_str()), id)));
        }
        placed.sort();
        placed.reverse();
        queues.push((category, placed.into_iter().map(|(.., id)| id).collect()));
    }
    queues.sort_by_key(|(category, _)| key(seed, category));
    let mut drawn = BTreeSet::new();
    while drawn.len() < wanted {
        let before = drawn.len();
        for (_, queue) in &mut queues {
            if drawn.len() < wanted
                && let Some(id) = queue.pop()
            {
                drawn.insert(id.clone());
            }
        }
        if drawn.len() == before {
            break;
        }
    }
    drawn
}

fn coverage(known: &BTreeMap<QuestionId, QuestionWithTruth>) -> Coverage {
    let mut categories: BTreeMap<&str, u64> = BTreeMap::new();
    for (question, _) in known.values() {
        *categories.entry(question.category.as_deref().unwrap_or("none")).or_default() += 1;
    }
    let expected: BTreeSet<&str> =
        known.values().filter_map(|(question, _)| question.query_type.as_deref()).collect();
    let types = query_types();
    let count =
        |wanted: &dyn Fn(&QuestionWithTruth) -> bool| known.values().filter(|one| wanted(one)).count() as u64;
    Coverage {
        // a question with an expected behavior needs no truth
        questions: count(&|(question, _)| question.expected_behavior.is_none()),
        with_truth: count(&|(_, truth)| truth.is_some()),
        browser_verified: count(&|(_, truth)| {
            truth.as_ref().is_some_and(|truth| {
                let method = truth.source_method();
                matches!(method, SourceMethod::BrowserCountryPage | SourceMethod::BrowserExplorePage)
            })
        }),
        categories: categories.len() as u64,
        categories_with_three: categories.values().filter(|count| **count >= 3).count() as u64,
        query_types: types.len() as u64,
        query_types_covered: types.iter().filter(|one| expected.contains(one.name)).count() as u64,
    }
}

/// The questions of a run that did not pass.
#[must_use]
pub fn failed_in(questions: &[QuestionRecord]) -> Vec<QuestionId> {
    let failed = questions
        .iter()
        .filter(|one| one.scored.as_ref().is_some_and(|scored| scored.verdict != CaseVerdict::Pass));
    failed.map(|one| one.question.question_id.clone()).collect()
}

impl Choice {
    /// The choice as text.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::All => "all selected questions with a truth or an expected behavior".to_owned(),
            Self::Named(ids) => count(ids.len(), "named question"),
            Self::Smoke => "the smoke test".to_owned(),
            Self::Balanced { questions, seed } => {
                format!("{}, balanced over categories, seed {seed}", count(*questions, "question"))
            }
            Self::ChangedSince(since) => format!("questions whose record changed since {since}"),
            Self::FailedIn { run, .. } => format!("questions that did not pass in run {run}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::samples;

    #[test]
    fn evaluation_strategy_2_the_smoke_test_asks_five_questions() {
        assert_eq!(SMOKE, ["1", "6", "25", "97", "195"]);
    }

    #[test]
    fn a_balanced_draw_takes_from_every_category_and_is_the_same_for_a_seed() {
        let questions: Vec<Question> = (1..=60)
            .map(|id| {
                let mut question = samples::question(&id.to_string());
                // one category has half of all questions
                question.category = Some(format!("category {}", (id % 10).min(5)));
                question
            })
            .collect();
        let draw = |wanted, seed| {
            balanced(questions.iter().map(|question| (&question.question_id, question)), wanted, seed)
        };
        let drawn = draw(12, 7);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for question in questions.iter().filter(|question| drawn.contains(&question.question_id)) {
            *counts.entry(question.category.as_deref().unwrap()).or_default() += 1;
        }
        assert_eq!(counts.values().copied().collect::<Vec<_>>(), [2; 6]);
        assert_eq!((draw(12, 7), draw(500, 7).len()), (drawn.clone(), 60));
        assert_ne!(draw(12, 8), drawn);
    }
}
