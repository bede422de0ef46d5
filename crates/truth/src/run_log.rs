//! The run logs `.run.jsonl` (collection) and `.refresh.jsonl` (refresh): one line per step. A killed run leaves its
//! log behind, and the next one resumes from it. A complete run removes it, so that a check changes only
//! `checks.jsonl`.
//!
//! Before a page's questions are filed, a line records which of them lack a record, how many checks there are, and
//! which evidence follows. It shows whether a question was filed just before a kill, even if the log does not say so.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::checks::{self, Check, CheckOutcome};
use super::files::{line, whole_seconds};
use super::log;
use super::quarantine::Quarantined;
use super::store::Store;
use crate::atomic_file;
use crate::error::{Error, Result};
use atlas_gt_core::evidence::Hash;
use atlas_gt_core::input::{json_fault, json_place};
use atlas_gt_core::question_id::QuestionId;

/// A step of a run, as a line of its log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case", tag = "step")]
pub enum RunStep {
    /// The run's questions.
    Begun {
        /// When it started, in whole seconds.
        #[serde(serialize_with = "whole_seconds")]
        at: Timestamp,
        /// The questions.
        questions: Vec<QuestionId>,
        /// The manifest, if not the built-in one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        manifest: Option<PathBuf>,
    },
    /// A page was read. Its questions are filed next.
    Filing {
        /// The questions.
        questions: Vec<QuestionId>,
        /// Those without a record.
        new: Vec<QuestionId>,
        /// Number of lines in `checks.jsonl`.
        checks: usize,
        /// The evidence that is stored with them.
        evidence: Vec<Hash>,
    },
    /// A question is finished.
    Finished {
        /// The question.
        question: QuestionId,
        /// Whether it was answered.
        answered: bool,
    },
}

/// A run that did not answer everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unfinished {
    /// When it started.
    pub begun: Option<Timestamp>,
    /// The manifest it read, if not the built-in one.
    pub manifest: Option<PathBuf>,
    /// Its questions.
    pub questions: BTreeSet<QuestionId>,
    /// The answered questions.
    pub answered: BTreeSet<QuestionId>,
    /// The failed questions.
    pub failed: BTreeSet<QuestionId>,
    /// Evidence that it stored or was about to store.
    evidence: BTreeSet<Hash>,
}

impl Unfinished {
    /// Whether every question was answered.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.failed.is_empty() && self.missing().is_empty()
    }

    /// Questions it did not reach, in order.
    #[must_use]
    pub fn missing(&self) -> BTreeSet<QuestionId> {
        self.questions
            .iter()
            .filter(|id| !self.answered.contains(id) && !self.failed.contains(id))
            .cloned()
            .collect()
    }
}

/// The log of a command's run that is in progress or incomplete.
#[derive(Debug, Clone, Copy)]
pub struct RunLog<'a> {
    store: &'a Store,
    name: &'static str,
}

impl RunLog<'_> {
    /// The log of collections.
    #[must_use]
    pub const fn of_collect(store: &Store) -> RunLog<'_> {
        RunLog { store, name: ".run.jsonl" }
    }

    /// The log of refreshes.
    #[must_use]
    pub const fn of_refresh(store: &Store) -> RunLog<'_> {
        RunLog { store, name: ".refresh.jsonl" }
    }

    fn path(self) -> PathBuf {
        self.store.dir().join(self.name)
    }

    /// Starts a run of a manifest (`None`: the built-in one) and discards the log of the previous one.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn begin(self, questions: Vec<QuestionId>, manifest: Option<&Path>, at: Timestamp) -> Result<()> {
        self.store.writable()?;
        let path = self.path();
        let text =
            line(&path, &RunStep::Begun { at, questions, manifest: manifest.map(Path::to_owned) })? + "\n";
        atomic_file::write_atomic(&path, log::begun(&text).as_bytes())
    }

    /// Adds questions to the run that is resumed, or starts one. A resumed run keeps its manifest.
    ///
    /// # Errors
    /// The log cannot be read, or the store cannot be written.
    pub fn join(self, more: Vec<QuestionId>, manifest: Option<&Path>, at: Timestamp) -> Result<()> {
        let Some(run) = self.unfinished()? else { return self.begin(more, manifest, at) };
        if more.iter().all(|id| run.questions.contains(id)) {
            return Ok(());
        }
        let questions: BTreeSet<QuestionId> = run.questions.into_iter().chain(more).collect();
        self.add(&RunStep::Begun {
            at: run.begun.unwrap_or(at),
            questions: questions.into_iter().collect(),
            manifest: run.manifest,
        })
    }

    /// Logs that the questions of a page are filed next, with this evidence.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn filing(self, questions: &[&QuestionId], evidence: Vec<Hash>) -> Result<()> {
        let new = questions.iter().filter(|id| !has_record(self.store, id)).map(|id| (*id).clone()).collect();
        let checks = self.checks()?.last().map_or(0, |(number, _)| number);
        let questions = questions.iter().map(|id| (*id).clone()).collect();
        self.add(&RunStep::Filing { questions, new, checks, evidence })
    }

    fn add(self, entry: &RunStep) -> Result<()> {
        self.store.writable()?;
        let path = self.path();
        log::append(&path, &(line(&path, entry)? + "\n"))?.write(&path)
    }

    fn checks(self) -> Result<log::Entries> {
        Ok(log::read(&self.store.dir().join(checks::FILE))?.unwrap_or_default())
    }

    /// Logs that a question is finished.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn finished(self, question: &QuestionId, answered: bool) -> Result<()> {
        self.add(&RunStep::Finished { question: question.clone(), answered })
    }

    /// Quarantines the log if it was changed.
    pub(super) fn try_read(self) -> Result<()> {
        let path = self.path();
        if let Some(fault) = log::read(&path)?.and_then(|entries| entries.fault) {
            let reason =
                format!("{fault}; remove it and run again without --resume, which keeps all records");
            self.store.set_aside(Quarantined::of_store(&path, None, reason));
        }
        Ok(())
    }

    /// Removes the log if nothing is left to resume: a collection is done once every question is answered, a refresh
    /// once every question is finished and nothing interrupted it.
    ///
    /// # Errors
    /// The log cannot be read, or the store cannot be written.
    pub fn end_if_done(self, interrupted: bool) -> Result<()> {
        if interrupted && !self.is_of_collect() {
            return Ok(());
        }
        let Some(run) = self.unfinished()? else { return Ok(()) };
        if run.missing().is_empty() && (run.failed.is_empty() || !self.is_of_collect()) {
            self.store.writable()?;
            atomic_file::remove(&self.path())?;
        }
        Ok(())
    }

    fn is_of_collect(self) -> bool {
        self.name == Self::of_collect(self.store).name
    }

    /// The last run, if it is incomplete. Torn and damaged lines are skipped, and their steps count as not done. A
    /// question that a collection failed on counts as answered once a person has accepted a value of its record.
    ///
    /// # Errors
    /// The file exists but cannot be read, or its first line, which lists the run's questions and is never torn, is
    /// damaged.
    pub fn unfinished(self) -> Result<Option<Unfinished>> {
        let path = self.path();
        let Some(entries) = log::read(&path)? else { return Ok(None) };
        if let Some(fault) = &entries.fault {
            tracing::warn!("{}: {fault}; steps that are not recorded count as not done", path.display());
        }
        let checks = self.checks()?;
        let mut run = Unfinished::default();
        // Questions about to be filed when the log ends.
        let mut open: BTreeMap<QuestionId, (bool, usize)> = BTreeMap::new();
        for (number, line) in entries.lines() {
            match serde_json::from_slice(line) {
                Ok(RunStep::Begun { at, questions, manifest }) => {
                    run.begun = Some(at);
                    run.manifest = manifest;
                    run.questions = questions.into_iter().collect();
                }
                Ok(RunStep::Filing { questions, new, checks, evidence }) => {
                    run.evidence.extend(evidence);
                    for id in questions {
                        let is_new = new.contains(&id);
                        open.insert(id, (is_new, checks));
                    }
                }
                Ok(RunStep::Finished { question, answered }) => {
                    open.remove(&question);
                    run.note(question, answered);
                }
                Err(error) if number == 1 => {
                    let message = format!(
                        "{}; the interrupted run's questions are unknown: remove the file and collect \
                        again without --resume, which keeps all records",
                        json_fault(&error)
                    );
                    return Err(Error::Damaged {
                        path,
                        place: (1, json_place(&error).column).into(),
                        message,
                    });
                }
                Err(error) => tracing::debug!("{}: a line was torn: {error}", path.display()),
            }
        }
        for (id, (is_new, before)) in open {
            if is_new && has_record(self.store, &id) {
                run.note(id, true);
            } else if let Some(look) = check_since(&checks, before, &id) {
                run.note(id, look != CheckOutcome::Failed);
            }
        }
        // an accepted value does not make up for a page that a refresh could not read
        let begun = run.begun.filter(|_| self.is_of_collect());
        let settled = |id: &&QuestionId| begun.is_some_and(|begun| accepted_since(self.store, id, begun));
        let settled: Vec<QuestionId> = run.failed.iter().filter(settled).cloned().collect();
        settled.into_iter().for_each(|id| run.note(id, true));
        Ok(Some(run))
    }
}

impl Unfinished {
    fn note(&mut self, id: QuestionId, answered: bool) {
        let (to, from) = if answered {
            (&mut self.answered, &mut self.failed)
        } else {
            (&mut self.failed, &mut self.answered)
        };
        from.remove(&id);
        to.insert(id);
    }
}

/// Drops the evidence of a killed run that no record refers to, and returns how much.
///
/// # Errors
/// A record cannot be read, or the store cannot be written.
pub fn drop_orphans(store: &Store, run: &Unfinished) -> Result<usize> {
    if run.evidence.is_empty() {
        return Ok(0);
    }
    let orphans: Vec<Hash> =
        store.unreferenced()?.into_iter().filter(|hash| run.evidence.contains(hash)).collect();
    store.drop_evidence(&orphans)?;
    Ok(orphans.len())
}

fn has_record(store: &Store, id: &QuestionId) -> bool {
    store.dir().join(id.as_str()).join("results.json").is_file()
}

/// Whether a person accepted a value of the record since then. A record is written only when all values of its question
/// are accepted.
fn accepted_since(store: &Store, id: &QuestionId, begun: Timestamp) -> bool {
    let provenance = store.readable(id).and_then(|stored| stored.provenance);
    let mut people = provenance.iter().flat_map(|one| &one.points).filter_map(|point| point.person.as_ref());
    people.any(|person| person.at.as_second() >= begun.as_second())
}

/// The outcome of the last check of a question after the first `before` lines of `checks.jsonl`.
fn check_since(checks: &log::Entries, before: usize, id: &QuestionId) -> Option<CheckOutcome> {
    let later = checks.lines().filter(|(number, _)| *number > before);
    let later = later.filter_map(|(_, line)| serde_json::from_slice::<Check>(line).ok());
    later.filter(|check| check.question_id == *id).last().map(|check| check.outcome)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks;
    use crate::record::Site;

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Site::Twin).unwrap();
        (folder, store)
    }

    fn ids(list: &[&str]) -> Vec<QuestionId> {
        list.iter().map(|id| id.parse().unwrap()).collect()
    }

    fn set(list: &[&str]) -> BTreeSet<QuestionId> {
        ids(list).into_iter().collect()
    }

    fn now() -> Timestamp {
        "2026-11-20T10:30:00Z".parse().unwrap()
    }

    #[test]
    fn what_was_answered_failed_and_is_missing_is_told_apart() {
        let (_folder, store) = store();
        assert_eq!(RunLog::of_collect(&store).unfinished().unwrap(), None);
        RunLog::of_collect(&store).begin(ids(&["1", "2", "3", "4"]), None, now()).unwrap();
        RunLog::of_collect(&store).finished(&ids(&["1"])[0], true).unwrap();
        RunLog::of_collect(&store).finished(&ids(&["2"])[0], false).unwrap();
        let run = RunLog::of_collect(&store).unfinished().unwrap().unwrap();
        assert_eq!(run.begun, Some(now()));
        assert_eq!((run.answered.clone(), run.failed.clone()), (set(&["1"]), set(&["2"])));
        assert_eq!(run.missing(), set(&["3", "4"]));
        // answered on the second attempt
        RunLog::of_collect(&store).finished(&ids(&["2"])[0], true).unwrap();
        let run = RunLog::of_collect(&store).unfinished().unwrap().unwrap();
        assert_eq!((run.answered.len(), run.failed.len()), (2, 0));
    }

    #[test]
    fn a_collection_keeps_what_failed_and_a_refresh_what_was_interrupted() {
        let (_folder, store) = store();
        let (collect, refresh) = (RunLog::of_collect(&store), RunLog::of_refresh(&store));
        let is_ended = |log: RunLog<'_>, interrupted: bool| {
            log.end_if_done(interrupted).unwrap();
            log.unfinished().unwrap().is_none()
        };
        for log in [collect, refresh] {
            log.begin(ids(&["1"]), None, now()).unwrap();
            assert!(!is_ended(log, false), "1 is missing");
            log.finished(&ids(&["1"])[0], false).unwrap();
        }
        assert!(!is_ended(collect, false) && !is_ended(refresh, true) && is_ended(refresh, false));
        collect.finished(&ids(&["1"])[0], true).unwrap();
        assert!(is_ended(collect, true), "nothing is left");
    }

    #[test]
    fn a_run_keeps_its_manifest_when_questions_join() {
        let (_folder, store) = store();
        let of = || RunLog::of_collect(&store).unfinished().unwrap().unwrap().manifest;
        RunLog::of_collect(&store).begin(ids(&["1"]), None, now()).unwrap();
        assert_eq!(of(), None);
        RunLog::of_collect(&store).begin(ids(&["1"]), Some(Path::new("own.json")), now()).unwrap();
        RunLog::of_collect(&store).join(ids(&["1"]), None, now()).unwrap();
        assert_eq!(of(), Some("own.json".into()));
        RunLog::of_collect(&store).join(ids(&["2"]), Some(Path::new("more.json")), now()).unwrap();
        assert_eq!(of(), Some("own.json".into()), "of the questions that are left");
    }

    #[test]
    fn a_torn_line_is_not_done_and_swallows_nothing() {
        let (_folder, store) = store();
        RunLog::of_collect(&store).begin(ids(&["1", "2"]), None, now()).unwrap();
        RunLog::of_collect(&store).finished(&ids(&["1"])[0], true).unwrap();
        let whole = std::fs::read_to_string(RunLog::of_collect(&store).path()).unwrap();
        let tally = whole.lines().last().unwrap().len() + 1;
        for cut in 1..tally + 30 {
            std::fs::write(RunLog::of_collect(&store).path(), &whole[..whole.len() - cut]).unwrap();
            let run = RunLog::of_collect(&store).unfinished().unwrap().unwrap();
            // without its line break the line is still whole
            assert_eq!(run.answered.is_empty(), cut > tally + 1, "{cut}");
            RunLog::of_collect(&store).try_read().unwrap();
            assert!(!store.quarantined().is_empty(), "{cut}");
            RunLog::of_collect(&store).finished(&ids(&["2"])[0], true).unwrap();
            assert!(
                RunLog::of_collect(&store).unfinished().unwrap().unwrap().answered.contains(&ids(&["2"])[0]),
                "{cut}"
            );
        }
    }

    /// A kill may tear a line, or a disk damage it, in the middle of a letter.
    #[test]
    fn what_is_not_utf_8_is_passed_over_and_the_first_line_is_told() {
        let (_folder, store) = store();
        let append = |path: &PathBuf, bytes: &[u8]| {
            let before = std::fs::read(path).unwrap_or_default();
            std::fs::write(path, [&before, bytes].concat()).unwrap();
        };
        RunLog::of_collect(&store).begin(ids(&["1", "2"]), None, now()).unwrap();
        append(&RunLog::of_collect(&store).path(), b"{\"step\":\"finished\",\"question\":\"\xc3");
        RunLog::of_collect(&store).finished(&ids(&["2"])[0], true).unwrap();
        let looks = store.dir().join("checks.jsonl");
        append(&looks, b"{\"question_id\":\"\xff\"}\n");
        let run = RunLog::of_collect(&store).unfinished().unwrap().unwrap();
        assert_eq!((run.answered.clone(), run.missing()), (set(&["2"]), set(&["1"])));
        checks::read(&store).unwrap();
        let reported = store.quarantined()[0].to_string();
        assert!(reported.contains("checks.jsonl:2:") && reported.contains("restore the file"), "{reported}");
        std::fs::write(RunLog::of_collect(&store).path(), b"\xff\n").unwrap();
        let error = RunLog::of_collect(&store).unfinished().unwrap_err();
        let reported = error.to_string();
        assert!(reported.contains(".run.jsonl:1:") && reported.contains("remove the file"), "{reported}");
        assert_eq!(error.exit() as u8, 1);
    }

    #[test]
    fn what_was_filed_but_not_told_is_done() {
        let (_folder, store) = store();
        let look = |id: &str, outcome| Check {
            timestamp: now(),
            question_id: id.parse().unwrap(),
            outcome,
            detail: None,
            site_vintage: None,
        };
        let record = |id: &str| {
            std::fs::create_dir_all(store.dir().join(id)).unwrap();
            std::fs::write(store.dir().join(id).join("results.json"), "{}").unwrap();
        };
        record("3");
        record("4");
        checks::append(&store, &look("4", CheckOutcome::Unchanged)).unwrap();
        RunLog::of_collect(&store).begin(ids(&["1", "2", "3", "4", "5"]), None, now()).unwrap();
        let all = ids(&["1", "2", "3", "4", "5"]);
        RunLog::of_collect(&store).filing(&all.iter().collect::<Vec<_>>(), Vec::new()).unwrap();
        // killed: 1 was written, 3 was checked, 5 could not be read; 2 and 4 were not reached
        record("1");
        checks::append(&store, &look("3", CheckOutcome::Unchanged)).unwrap();
        checks::append(&store, &look("5", CheckOutcome::Failed)).unwrap();
        let run = RunLog::of_collect(&store).unfinished().unwrap().unwrap();
        assert_eq!(run.answered, set(&["1", "3"]));
        assert_eq!(run.failed, set(&["5"]));
        assert_eq!(run.missing(), set(&["2", "4"]));
    }

    #[test]
    fn evidence_that_came_to_nothing_is_dropped_and_no_other() {
        let (_folder, store) = store();
        let ours = store.put_evidence(b"{\"ours\": 1}").unwrap();
        let other = store.put_evidence(b"{\"other\": 1}").unwrap();
        RunLog::of_collect(&store).begin(ids(&["1"]), None, now()).unwrap();
        RunLog::of_collect(&store)
            .filing(&ids(&["1"]).iter().collect::<Vec<_>>(), vec![ours.clone()])
            .unwrap();
        let run = RunLog::of_collect(&store).unfinished().unwrap().unwrap();
        assert_eq!(drop_orphans(&store, &run).unwrap(), 1);
        assert_eq!(store.unreferenced().unwrap(), [other]);
    }
}
