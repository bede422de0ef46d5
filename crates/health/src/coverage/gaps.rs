//! The gaps in the coverage, and how to close them.

use std::collections::BTreeSet;

use serde::Serialize;

use super::group::{CATEGORY_LEAST, CoverageGroup, Covered};
use crate::error::Result;
use crate::extract::Extractors;
use crate::manifest::{Manifest, QuestionId};
use crate::truth::{Store, review};
use atlas_gt_core::command_line::{command, quoted};

/// A gap.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Gap {
    /// What is missing.
    pub what: String,
    /// The affected questions, if the gap is about questions.
    pub questions: Vec<QuestionId>,
    /// What to do before the commands, or instead of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// The commands that close it, in order.
    pub commands: Vec<String>,
}

/// The flags that the report's commands need.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommandFlags {
    /// Flags of every command: ` --site twin --store out/twin`.
    pub shared: String,
    /// The manifest flag; empty for the built-in manifest.
    pub manifest: String,
}

/// The gaps found so far.
pub(super) struct Gaps<'a> {
    found: Vec<Gap>,
    flags: &'a CommandFlags,
    file: String,
}

impl<'a> Gaps<'a> {
    pub(super) fn new(flags: &'a CommandFlags, manifest: &Manifest) -> Self {
        Self { found: Vec::new(), flags, file: manifest.path.display().to_string() }
    }

    pub(super) fn found(self) -> Vec<Gap> {
        self.found
    }

    /// Adds a gap for questions, if there are any. `{}` in a command becomes their ids.
    fn add(&mut self, what: &str, questions: &[&Covered<'_>], first: Option<String>, commands: &[&str]) {
        if questions.is_empty() {
            return;
        }
        let ids: Vec<&QuestionId> = questions.iter().map(|question| question.asked.id).collect();
        let CommandFlags { shared, manifest } = self.flags;
        let ids_and_flags = format!("{}{shared}{manifest}", ids_and_ranges(&ids));
        let complete = |what: &&str| match what.strip_suffix("{}") {
            Some(what) => command(what, &ids_and_flags),
            None => command(what, shared),
        };
        self.found.push(Gap {
            what: what.to_owned(),
            first,
            commands: commands.iter().map(complete).collect(),
            questions: ids.into_iter().cloned().collect(),
        });
    }

    /// Adds questions without truth, by obstacle. If browser truth is rare, also adds truth that a
    /// page may confirm.
    pub(super) fn of_truth(
        &mut self,
        questions: &[Covered<'_>],
        store: &Store,
        extractors: &Extractors,
        has_browser: bool,
    ) -> Result<()> {
        let under_review = under_review(store)?;
        let [mut absent, mut waiting, mut planned, mut unvisited, mut worthless, mut weak] =
            [const { Vec::new() }; 6];
        for question in questions {
            let Some(entry) = question.asked.entry else { continue };
            let is_shown = entry.is_collected() && !extractors.is_own(entry);
            match &question.truth {
                Some(truth) if truth.scores && (has_browser || truth.is_browser() || !is_shown) => {}
                Some(truth) if truth.scores => weak.push(question),
                _ if under_review.contains(question.asked.id) => waiting.push(question),
                _ if entry.planned.is_some() => planned.push(question),
                _ if !entry.visit => unvisited.push(question),
                Some(_) => worthless.push(question),
                None => absent.push(question),
            }
        }
        const AGAIN: [&str; 2] = ["refresh --questions {}", "refresh --commit --questions {}"];
        let asked_alone = questions.iter().filter(|question| {
            let has_reference = question.asked.details.reference.is_some();
            question.asked.entry.is_none() && !question.is_expected && !has_reference
        });
        let open: Vec<&Covered<'_>> = asked_alone
            .filter(|question| question.truth.as_ref().is_none_or(|truth| !truth.scores))
            .collect();
        let how =
            "give each a `reference`, or the missing page, extractor and data points (`lacks` names them)";
        self.add("no page, and no scoring truth", &open, Some(how.to_owned()), &[]);
        self.add("no record", &absent, None, &["collect --questions {}"]);
        self.add("under review, or rejected in review", &waiting, None, &["review list"]);
        self.add("a record that scores no answer", &worthless, None, &AGAIN);
        self.add("truth from our own query; the page may show it", &weak, None, &AGAIN);
        let reasons = "no extractor reads it: `atlas-gt plan` gives the reasons, docs/reference/spec.md says how to add a point";
        self.add("planned", &planned, Some(reasons.to_owned()), &[]);
        let visit = format!("remove \"visit\": false from {}", self.file);
        self.add("not visited", &unvisited, Some(visit), &["collect --questions {}"]);
        Ok(())
    }

    /// Adds categories and query types with too few questions.
    pub(super) fn of_groups(&mut self, categories: &[&CoverageGroup], types: &[&CoverageGroup]) {
        let few = categories.iter().filter(|group| group.questions < CATEGORY_LEAST);
        let few = few.map(|group| ("category", CATEGORY_LEAST, group));
        let none = types.iter().filter(|group| group.questions == 0);
        let none = none.map(|group| ("expected_query_type", 1, group));
        for (key, least, group) in few.chain(none) {
            let name = group.name.as_deref().unwrap_or_default();
            let (has, file) = (group.questions, &self.file);
            let more = least - has;
            self.found.push(Gap {
                what: format!("{key} {name}: {has} of {least} questions"),
                questions: Vec::new(),
                first: Some(format!("write {more} more with \"{key}\": \"{name}\" into {file}")),
                commands: vec![command(&format!("manifest check {}", quoted(file)), "")],
            });
        }
    }

    /// Adds questions without an annotation.
    pub(super) fn of_annotations(&mut self, questions: &[Covered<'_>]) {
        let is_bare = |question: &&Covered<'_>| {
            question.asked.info.expected_tool.is_none() || question.asked.info.expected_query_type.is_none()
        };
        let bare: Vec<&Covered<'_>> = questions.iter().filter(is_bare).collect();
        let annotate = format!("annotate{}", self.flags.manifest);
        self.add("no expected tool or query type", &bare, None, &[&annotate]);
    }
}

/// Questions under review, or rejected in review.
fn under_review(store: &Store) -> Result<BTreeSet<QuestionId>> {
    let question = |id: QuestionId| {
        let kept = review::load(store, &id).ok().flatten();
        kept.map_or(id, |review| review.question().clone())
    };
    Ok(review::ids(store)?.into_iter().map(question).collect())
}

/// Ids in the format of `--questions`: `1,5-9,eci_1`.
fn ids_and_ranges(ids: &[&QuestionId]) -> String {
    let mut sorted = ids.to_vec();
    sorted.sort_unstable();
    let mut parts: Vec<String> = Vec::new();
    let mut run: Option<(u64, u64)> = None;
    let close = |run: Option<(u64, u64)>, parts: &mut Vec<String>| match run {
        Some((first, last)) if first == last => parts.push(first.to_string()),
        Some((first, last)) => parts.push(format!("{first}-{last}")),
        None => {}
    };
    for id in sorted {
        match (id.to_json().as_u64(), run) {
            (Some(number), Some((first, last))) if number == last + 1 => run = Some((first, number)),
            (Some(number), _) => {
                close(run.replace((number, number)), &mut parts);
            }
            (None, _) => {
                close(run.take(), &mut parts);
                parts.push(id.to_string());
            }
        }
    }
    close(run, &mut parts);
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_written_as_questions_takes_them() {
        let ids: Vec<QuestionId> =
            ["9", "eci", "1", "7", "8", "061", "3"].iter().map(|id| id.parse().unwrap()).collect();
        assert_eq!(ids_and_ranges(&ids.iter().collect::<Vec<_>>()), "1,3,7-9,061,eci");
        assert_eq!(ids_and_ranges(&[]), "");
    }
}
