//! Scores agent answers against the stored records, and sums up why some have no score.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use schemars::JsonSchema;
use serde::Serialize;

use atlas_gt_evaluate::{StoredQuestions, of_reference, score_refusal};

use crate::agent::{KnownQuestions, known_questions};
use crate::error::{Error, Result};
use crate::evaluate::{AnswerDetails, PointCounts, score_answer};
use crate::manifest::{
    Behavior, Details, Entry, ExpectedTool, Manifest, ManifestQuestion, QuestionId, QuestionInfo,
};
use crate::scoring::answer::AnswerVerdict;
use crate::scoring::stats::{MeanEstimate, Running};
use crate::scoring::{CaseVerdict, Score, VerdictCounts};
use crate::truth::{Pipeline, Quarantined, Site, Store, Stored, may_score};
use atlas_gt_core::command_line::{command, flag};

/// The records of a store and the questions of a manifest. Each record is read once.
#[derive(Debug)]
pub struct AnswerScorer {
    store: Store,
    entries: BTreeMap<QuestionId, Entry>,
    behaviors: BTreeMap<QuestionId, Behavior>,
    read: Mutex<BTreeMap<QuestionId, Arc<Stored>>>,
    /// The flags of commands that use the same site, store and manifest.
    flags: String,
}

impl AnswerScorer {
    /// Creates a scorer from the records of a store and the questions of a manifest. `flags` are those of commands
    /// that use both, for messages.
    #[must_use]
    pub fn new(store: Store, manifest: Manifest, flags: String) -> Self {
        let entries = manifest.entries.into_iter().map(|entry| (entry.question_id.clone(), entry)).collect();
        let behaviors = manifest.behaviors.into_iter().map(|one| (one.question_id.clone(), one)).collect();
        Self { store, entries, behaviors, read: Mutex::default(), flags }
    }

    /// Scores an answer to a question. `pipeline` is the pipeline that produced the answer.
    ///
    /// # Errors
    /// The question has no record, or one that cannot be read.
    pub fn score(&self, id: &QuestionId, pipeline: Pipeline, answer: &str) -> Result<ScoredAnswer> {
        let info = self.behaviors.get(id).map(|one| &one.info);
        if let Some(QuestionInfo {
            expected_tool: Some(ExpectedTool::Refusal),
            question_text: Some(text),
            ..
        }) = info
        {
            let score = score_refusal(id, self.store.site(), pipeline, text, answer);
            return Ok(ScoredAnswer { score, needs_pipeline: false });
        }
        let stored = self.stored(id)?;
        let (entry, pageless) = (self.entries.get(id), self.behaviors.get(id));
        let asked = entry.map(|one| &one.context).or(pageless.map(|one| &one.context));
        let text = self.text(id);
        let score = score_answer(&stored, self.store.site(), asked, text, pipeline, answer);
        let needs_pipeline = score.metadata.refused.iter().any(|refused| {
            let row = stored.record.results.data.iter().find(|row| row.field() == refused.field);
            let point = row.and_then(|row| stored.provenance.as_ref().and_then(|all| all.of(row)));
            pipeline == Pipeline::Unknown && may_score(&stored.record, point, Pipeline::None).scores()
        });
        Ok(ScoredAnswer { score, needs_pipeline })
    }

    /// The questions that an answer may belong to, with their texts.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn known_questions(&self) -> Result<KnownQuestions> {
        let of_pages = self.entries.values().map(ManifestQuestion::from);
        let others = self.behaviors.values().map(ManifestQuestion::from);
        known_questions(of_pages.chain(others), &self.store)
    }

    /// The text of a question.
    fn text(&self, id: &QuestionId) -> Option<&str> {
        let of_entry = self.entries.get(id).and_then(|one| one.info.question_text.as_deref());
        of_entry.or_else(|| self.behaviors.get(id)?.info.question_text.as_deref())
    }

    /// The command that has a judge score the answers in `file`. It lacks the judge.
    #[must_use]
    pub fn judging(&self, file: &Path) -> String {
        let (answers, about) = (flag("answers", file.display()), agent_site(self.store.site()));
        command("eval run", &format!("{answers}{about}{}", self.flags))
    }

    /// Files of the store that cannot be read.
    #[must_use]
    pub fn quarantined(&self) -> Vec<Quarantined> {
        self.store.quarantined()
    }

    fn stored(&self, id: &QuestionId) -> Result<Arc<Stored>> {
        if let Some(stored) = self.read.lock().unwrap_or_else(PoisonError::into_inner).get(id) {
            return Ok(Arc::clone(stored));
        }
        let reference = || {
            let of = |details: &Details, context| {
                of_reference(id, context, details.reference.as_ref()?, self.store.site())
            };
            let entry = self.entries.get(id).map(|one| (&one.details, &one.context));
            let (details, context) =
                entry.or_else(|| self.behaviors.get(id).map(|one| (&one.details, &one.context)))?;
            of(details, context)
        };
        let entry = self.entries.get(id).map(ManifestQuestion::from);
        let asked = entry.or_else(|| self.behaviors.get(id).map(ManifestQuestion::from));
        let known = match asked {
            Some(asked) => StoredQuestions::new(&self.store).record_of(&asked)?,
            None => self.store.load(id)?,
        };
        let Some(stored) = known.or_else(reference) else {
            let store = self.store.dir().display();
            let behavior = self.behaviors.get(id);
            return Err(Error::Usage(match behavior.and_then(Behavior::expected) {
                Some(expected) => format!(
                    "question {id}: it has no value to compare; expected: {expected}; `eval run` can have a judge \
                     score it: name the answers with --answers, and the judge with --judge"
                ),
                None if self.entries.contains_key(id) => format!(
                    "question {id}: {store} has no record of it; create one with `{}`",
                    command(&format!("collect --questions {id}"), &self.flags)
                ),
                None if behavior.is_some() => {
                    format!("question {id}: it has neither a page nor an expected behavior to compare with")
                }
                None => format!(
                    "question {id}: neither the manifest nor {store} has it; name a list with --manifest"
                ),
            }));
        };
        let stored = Arc::new(stored);
        self.read.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), Arc::clone(&stored));
        Ok(stored)
    }
}

/// The flag of a command that asks an agent about this site, with a space before it. The live site needs none.
#[must_use]
pub fn agent_site(site: Site) -> String {
    match site {
        Site::Live => String::new(),
        site => flag("agent-site", site),
    }
}

/// A scored answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredAnswer {
    /// The score with its details.
    pub score: Score<AnswerDetails>,
    /// Whether a value was refused only because the answer's pipeline is unknown.
    pub needs_pipeline: bool,
}

impl ScoredAnswer {
    /// The verdict on the answer.
    #[must_use]
    pub fn verdict(&self) -> CaseVerdict {
        self.score.verdict.into()
    }

    /// The first reason why the answer is not right. Wrong points come before missing and unscored
    /// ones.
    #[must_use]
    pub fn objection(&self) -> Option<&str> {
        let details = &self.score.metadata;
        if details.points.is_empty() && details.refused.is_empty() && self.score.reaches(1.0) != Some(true) {
            return self.score.reasons.first().map(String::as_str);
        }
        let of = |said| details.points.iter().find(move |point| point.said == said);
        let point =
            [AnswerVerdict::Wrong, AnswerVerdict::Missing, AnswerVerdict::Unscored].into_iter().find_map(of);
        point
            .map(|point| &point.reason)
            .or(details.refused.first().map(|refused| &refused.reason))
            .map(String::as_str)
    }
}

/// The totals of many scored answers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct AnswersSummary {
    /// Answers read.
    pub answers: usize,
    /// The answers by verdict. A line that could not be scored is an error.
    pub counts: VerdictCounts,
    /// The mean of the scores.
    pub mean: Option<MeanEstimate>,
    /// Totals over their data points.
    pub points: PointCounts,
    /// Why answers are unscored, most frequent reason first.
    pub open: Vec<OpenReason>,
    /// The lines that could not be scored.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub invalid: Vec<InvalidLine>,
}

/// A line that could not be scored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InvalidLine {
    /// Its number in the file.
    pub line: usize,
    /// What is wrong, with the place.
    pub error: String,
}

/// One reason why answers are unscored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OpenReason {
    /// The reason. `…` replaces the parts that differ between answers.
    pub reason: String,
    /// How many answers have it.
    pub answers: usize,
    /// The question of the first such answer.
    pub first: String,
    /// How to get these answers scored.
    pub remedy: Remedy,
}

/// How to get an answer scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Remedy {
    /// Say which pipeline the answer came from.
    Pipeline,
    /// Have a judge or a person score the answer.
    Judge,
    /// Review the record or use another one: this one may not score the answer.
    Truth,
}

impl Remedy {
    /// The advice to print.
    #[must_use]
    pub const fn advice(self) -> &'static str {
        match self {
            Self::Pipeline => {
                "pass --pipeline sql (or none) if it applies, or add a trace or a `pipeline` to each line"
            }
            Self::Judge => "have a judge or a person score them",
            Self::Truth => "score against a value that a page shows: see `review`, or collect again",
        }
    }
}

/// Sums up scored answers.
#[derive(Debug, Clone, Default)]
pub struct AnswerTally {
    summary: AnswersSummary,
    mean: Running,
    open: BTreeMap<(String, Remedy), (usize, String)>,
}

impl AnswerTally {
    /// Adds a scored answer.
    pub fn add(&mut self, scored: &ScoredAnswer) {
        self.count(scored.verdict());
        if let Some(value) = scored.score.value {
            self.mean.add(value);
        }
        let details = &scored.score.metadata;
        self.summary.points += details.counts();
        let undecided = details.points.iter().filter(|point| point.said == AnswerVerdict::Unscored);
        let refusal = if scored.needs_pipeline { Remedy::Pipeline } else { Remedy::Truth };
        let mut reasons: Vec<(String, Remedy)> = undecided
            .map(|point| (generalized(&point.reason, point.value.as_deref()), Remedy::Judge))
            .chain(details.refused.iter().map(|refused| (generalized(&refused.reason, None), refusal)))
            .collect();
        reasons.sort();
        reasons.dedup();
        for reason in reasons {
            let question = details.question_id.to_string();
            self.open.entry(reason).or_insert((0, question)).0 += 1;
        }
    }

    /// Counts a line that failed to score.
    pub fn fail(&mut self, line: usize, error: String) {
        self.summary.invalid.push(InvalidLine { line, error });
        self.count(CaseVerdict::Error);
    }

    fn count(&mut self, verdict: CaseVerdict) {
        self.summary.answers += 1;
        *self.summary.counts.entry(verdict).or_default() += 1;
    }

    /// The totals.
    #[must_use]
    pub fn finish(self) -> AnswersSummary {
        let open = self.open.into_iter().map(|((reason, remedy), (answers, first))| OpenReason {
            reason,
            answers,
            first,
            remedy,
        });
        let mut open: Vec<OpenReason> = open.collect();
        open.sort_by_key(|open| std::cmp::Reverse(open.answers));
        let mut counts = CaseVerdict::counts(std::iter::empty());
        counts.extend(self.summary.counts);
        AnswersSummary { counts, open, mean: self.mean.estimate(), ..self.summary }
    }
}

/// A reason without the parts that differ between answers, so that equal reasons group. `…` replaces quoted text
/// and words with digits. The value, a leading quote and the details of a context are left out.
fn generalized(reason: &str, value: Option<&str>) -> String {
    let reason = value.and_then(|value| reason.strip_prefix(value)).unwrap_or(reason);
    let mut out = String::new();
    for (at, part) in reason.split('"').enumerate() {
        if at % 2 == 1 {
            out.push_str("\"…\"");
            continue;
        }
        let words =
            part.split(' ').map(|word| if word.contains(|c: char| c.is_ascii_digit()) { "…" } else { word });
        out.push_str(&words.collect::<Vec<_>>().join(" "));
    }
    let out = out.strip_prefix("\"…\": ").unwrap_or(&out).trim_start_matches([':', ' ']);
    let context = out.find(": the ").map_or(out.len(), |at| at + 2);
    let end = out[context..].find(", ").map_or(out.len(), |at| context + at);
    out[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_reasons_group_whatever_they_are_about() {
        let said = [
            ("B: the effect of \"good\" is unclear", Some("B"), "the effect of \"…\" is unclear"),
            ("\"Dear all\": the effect of \"all\" is unclear", None, "the effect of \"…\" is unclear"),
            (
                "$3 belongs to another context: the period, 2012",
                Some("$3"),
                "belongs to another context: the period",
            ),
            (
                "\"x, y\" says that it belongs to something else: the country, Peru",
                None,
                "\"…\" says that it belongs to something else: the country",
            ),
            (
                "the answer gives both the truth and \"$3, 4\"",
                None,
                "the answer gives both the truth and \"…\"",
            ),
            ("169 and 170 differ, or not", None, "… and … differ, or not"),
        ];
        for (reason, value, general) in said {
            assert_eq!(generalized(reason, value), general);
        }
    }
}
