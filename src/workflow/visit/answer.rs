//! Collects the answers to a run's questions from its page visits. Inputs are read on their own
//! pages; the question is derived once the last one is there. Quarantined questions fail without a
//! visit.

use std::fmt;
use std::sync::PoisonError;

use super::VisitRun;
use crate::error::Result;
use crate::manifest::{Entry, QuestionId, Visit, visits};
use crate::truth::Quarantined;
use crate::workflow::derive;
use crate::workflow::filing::Reading;
use crate::workflow::job::is_readable;

/// The answer to a question, or to one of its inputs, from its page visit.
#[derive(Debug)]
pub(in crate::workflow) enum Answer {
    /// The page was read: the reading, and the values that the page's own response contradicts.
    Read(Box<Reading>, Vec<String>),
    /// The page could not be read.
    Failed(Failure),
    /// The run stopped before.
    Skipped,
}

impl Answer {
    /// A reading without contradictions.
    pub fn of(reading: Reading) -> Self {
        Self::Read(Box::new(reading), Vec::new())
    }
}

/// Why a page could not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::workflow) struct Failure {
    pub causes: Vec<String>,
    /// Whether the site refused or could not be reached.
    pub of_the_site: bool,
}

impl Failure {
    pub fn of(cause: impl fmt::Display, of_the_site: bool) -> Self {
        Self { causes: vec![cause.to_string()], of_the_site }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.causes.join("; "))
    }
}

impl VisitRun {
    /// The pages to visit, and the questions with unreadable truth. They fail, and their files are left alone.
    pub fn pages(&self) -> (Vec<Visit>, Vec<(&Entry, Answer)>) {
        let store = &self.job.store;
        let is_bad = |entry: &&Entry| entry.is_collected() && !is_readable(store, entry);
        let (bad, good): (Vec<&Entry>, Vec<&Entry>) = self.job.entries.iter().partition(is_bad);
        let all = store.quarantined();
        let failure = |entry: &Entry| {
            let inputs = entry.readings().iter().map(|input| &input.question_id);
            let ids: Vec<_> = inputs.chain([&entry.question_id]).collect();
            let is_own = |one: &&Quarantined| one.question_id.as_ref().is_some_and(|id| ids.contains(&id));
            let causes = all.iter().filter(is_own).map(ToString::to_string).collect();
            Failure { causes, of_the_site: false }
        };
        (visits(good), bad.into_iter().map(|entry| (entry, Answer::Failed(failure(entry)))).collect())
    }

    /// Returns the question of an entry with its answer. For an input, returns the derived question
    /// once its last input is there.
    pub fn answer<'a>(&'a self, entry: &'a Entry, answer: Answer) -> Option<(&'a Entry, Answer)> {
        if entry.input_of.is_none() {
            return Some((entry, answer));
        }
        let question = self.job.entries.iter().find(|one| one.question_id == *entry.question())?;
        let mut all = self.inputs.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.entry(question.question_id.clone()).or_default();
        known.insert(entry.question_id.clone(), answer);
        if known.len() < question.readings().len() {
            return None;
        }
        let mut known = all.remove(&question.question_id)?;
        drop(all);
        let in_order = question.readings().iter().filter_map(|input| known.remove(&input.question_id));
        Some((question, self.join(question, in_order.collect())))
    }

    /// Derives the answer to a question from its inputs, in order.
    fn join(&self, question: &Entry, inputs: Vec<Answer>) -> Answer {
        let (mut readings, mut contradicted) = (Vec::new(), Vec::new());
        let mut failed: Option<Failure> = None;
        let mut is_skipped = false;
        for answer in inputs {
            match answer {
                Answer::Read(reading, more) => {
                    readings.push(*reading);
                    contradicted.extend(more);
                }
                Answer::Failed(failure) => {
                    let all = failed.get_or_insert_default();
                    all.of_the_site |= failure.of_the_site;
                    let new = failure.causes.into_iter().filter(|cause| !all.causes.contains(cause));
                    let new: Vec<String> = new.collect();
                    all.causes.extend(new);
                }
                Answer::Skipped => is_skipped = true,
            }
        }
        match failed {
            Some(failure) => Answer::Failed(failure),
            None if is_skipped => Answer::Skipped,
            None => {
                let (site, now) = (self.job.store.site(), self.job.clock.now());
                Answer::Read(Box::new(derive::reading(question, readings, site, now)), contradicted)
            }
        }
    }

    /// Logs that a question is finished.
    pub fn finished(&self, question: &QuestionId, is_answered: bool) -> Result<()> {
        self.log().map_or(Ok(()), |log| log.finished(question, is_answered))
    }
}
