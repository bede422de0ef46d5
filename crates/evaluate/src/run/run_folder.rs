//! The folder of a run, `runs/{run}/`: `run.json` at the start, `questions/{id}.json` per finished
//! question, `anchors.json` of the judge, and `summary.json` at the end. `runs/history.jsonl` is
//! beside all runs. Only one process writes to a run.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::record::QuestionRecord;
use super::settings::{CaseKind, RunSettings};
use super::summary::{Ending, RunSummary};
use crate::atomic_file::{replace, sweep, unwritable, write_atomic};
use crate::error::{Error, Result};
use crate::judge::AnchorRun;
use crate::manifest::QuestionId;
use crate::selection::at_least_one;
use crate::truth::files::{optional, parse, text};
use atlas_gt_core::command_line::runs_command;
use atlas_gt_core::versioned::Versioned;

/// The folder of a run.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    name: String,
    /// Held while this process writes to the run.
    lock: Option<File>,
}

/// The stored anchors of a run, `anchors.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeptAnchors {
    /// The judge's results.
    pub anchors: AnchorRun,
    /// Their cost in US dollars; none if unknown.
    pub cost_usd: Option<Decimal>,
}

impl RunFolder {
    /// Creates the folder of a new run, named by its start time, and writes its settings. Sets
    /// `settings.run` to the name, and `settings.inputs` to the inputs as they are.
    ///
    /// # Errors
    /// It cannot be written, or an input cannot be read.
    pub fn create(runs: &Path, settings: &mut RunSettings) -> Result<Self> {
        settings.inputs = settings.read_inputs()?;
        let moment = settings.started.strftime("%Y%m%dT%H%M%SZ").to_string();
        fs::create_dir_all(runs).map_err(unwritable(runs))?;
        let mut name = moment.clone();
        for number in 2.. {
            match fs::create_dir(runs.join(&name)) {
                Ok(()) => break,
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                    name = format!("{moment}-{number}");
                }
                Err(error) => return Err(unwritable(&runs.join(&name))(error)),
            }
        }
        let path = runs.join(&name);
        settings.run.clone_from(&name);
        let questions = path.join("questions");
        fs::create_dir_all(&questions).map_err(unwritable(&questions))?;
        let folder = Self { lock: Some(lock(&path)?), path, name };
        let file = folder.path.join("run.json");
        write_atomic(&file, text(&file, &Versioned::of(&*settings))?.as_bytes())?;
        Ok(folder)
    }

    /// Opens a run by name below `runs`, by folder, or the last one as `latest`.
    ///
    /// # Errors
    /// There is no such run.
    pub fn open(runs: &Path, run: &str) -> Result<Self> {
        let name = match run {
            "latest" => list_some(runs, CaseKind::Manifest)?.pop().unwrap_or_default(),
            name => name.to_owned(),
        };
        let below = runs.join(&name);
        let path = if below.join("run.json").is_file() { below } else { PathBuf::from(&name) };
        if !path.join("run.json").is_file() {
            let known = list(runs)?;
            let last: Vec<&str> = known.iter().rev().take(3).map(String::as_str).collect();
            let message = match last.as_slice() {
                [] => format!("{run} is not a run, and {} has none", runs.display()),
                last => {
                    let more = if known.len() > last.len() { ", …" } else { "" };
                    format!("{run} is not a run: {} has {}{more}", runs.display(), last.join(", "))
                }
            };
            return Err(Error::Usage(message));
        }
        let name = path.file_name().map_or_else(|| name.clone(), |name| name.to_string_lossy().into_owned());
        Ok(Self { path, name, lock: None })
    }

    /// Opens the run for writing, and locks it for this process. Removes partial files of a killed
    /// run.
    ///
    /// # Errors
    /// Another process is writing to it.
    pub fn for_writing(mut self) -> Result<Self> {
        self.lock = Some(lock(&self.path)?);
        sweep(&self.path.join("questions"))?;
        sweep(&self.path)?;
        Ok(self)
    }

    /// Whether a process is writing to it.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        let file = File::open(self.path.join(".lock"));
        file.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of all runs.
    #[must_use]
    pub fn runs(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    /// The history file of all runs.
    #[must_use]
    pub fn history(&self) -> PathBuf {
        self.runs().join("history.jsonl")
    }

    /// Another run in the same folder, if it exists.
    pub(super) fn sibling(&self, run: &str) -> Option<Self> {
        let path = self.runs().join(run);
        let is_run = !run.is_empty() && path.join("run.json").is_file();
        is_run.then(|| Self { path, name: run.to_owned(), lock: None })
    }

    /// The settings of the run.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn settings(&self) -> Result<RunSettings> {
        let path = self.path.join("run.json");
        let found = optional(&path)?.unwrap_or_default();
        parse(&path, &found)
    }

    /// The stored questions, in the planned order. A file damaged by a power failure counts as
    /// missing, so that the question is asked again.
    ///
    /// # Errors
    /// A file exists but cannot be read.
    pub fn questions(&self, planned: &[QuestionId]) -> Result<Vec<QuestionRecord>> {
        let mut found = Vec::new();
        for id in planned {
            let path = self.question(id);
            let Some(kept) = optional(&path)? else { continue };
            match parse(&path, &kept) {
                Ok(record) => found.push(record),
                Err(error) => tracing::warn!("{error}: question {id} counts as not asked"),
            }
        }
        Ok(found)
    }

    fn question(&self, id: &QuestionId) -> PathBuf {
        self.path.join("questions").join(format!("{id}.json"))
    }

    /// Stores a question atomically, so that a killed process leaves no partial file. The disk is
    /// flushed once, with the summary.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn save(&self, record: &QuestionRecord) -> Result<()> {
        let path = self.question(&record.question.question_id);
        replace(&path, text(&path, &Versioned::of(record))?.as_bytes())
    }

    /// The stored anchors, if they were judged.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn anchors(&self) -> Result<Option<KeptAnchors>> {
        let path = self.path.join("anchors.json");
        optional(&path)?.map(|found| parse(&path, &found)).transpose()
    }

    pub(super) fn save_anchors(&self, kept: &KeptAnchors) -> Result<()> {
        let path = self.path.join("anchors.json");
        write_atomic(&path, text(&path, &Versioned::of(kept))?.as_bytes())
    }

    /// How the run ended, according to its last summary.
    ///
    /// # Errors
    /// The summary cannot be read.
    pub(super) fn ending(&self) -> Result<Option<Ending>> {
        let path = self.path.join("summary.json");
        optional(&path)?.map(|found| parse(&path, &found)).transpose()
    }

    /// Stores the summary.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn save_summary(&self, summary: &RunSummary) -> Result<()> {
        let path = self.path.join("summary.json");
        write_atomic(&path, text(&path, &Versioned::of(summary))?.as_bytes())
    }
}

/// The names of all runs, oldest first.
///
/// # Errors
/// The folder exists but cannot be read.
pub fn list(runs: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    if !runs.is_dir() {
        return Ok(names);
    }
    for entry in fs::read_dir(runs).map_err(Error::file(runs))? {
        let entry = entry.map_err(Error::file(runs))?;
        if entry.path().join("run.json").is_file() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort_by(|one, other| order(one).cmp(&order(other)));
    Ok(names)
}

/// Like [`list`], but requires at least one run (decision 37). The error names the command that starts one of this kind.
///
/// # Errors
/// There is no run, or the folder cannot be read.
pub fn list_some(runs: &Path, kind: CaseKind) -> Result<Vec<String>> {
    at_least_one(list(runs)?, || {
        let run = runs_command(kind.command(), runs);
        format!(
            "{} has no run: start one with `{run}`, and name the agent or recorded answers",
            runs.display()
        )
    })
}

/// The position of a run by its name: the tenth run of a second comes after the ninth.
pub(super) fn order(name: &str) -> (&str, u32) {
    let numbered = name.rsplit_once('-').and_then(|(moment, number)| Some((moment, number.parse().ok()?)));
    numbered.unwrap_or((name, 1))
}

/// Locks the run.
fn lock(path: &Path) -> Result<File> {
    let place = path.join(".lock");
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&place)
        .map_err(unwritable(&place))?;
    let locked = file.try_lock().or_else(|error| match error {
        // `is_under_way` holds it for a moment
        TryLockError::WouldBlock => {
            std::thread::sleep(std::time::Duration::from_millis(20));
            file.try_lock()
        }
        error => Err(error),
    });
    match locked {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::Usage(format!(
            "{} is locked by another process: wait until it has ended, then run again",
            path.display()
        ))),
        Err(TryLockError::Error(error)) => Err(unwritable(&place)(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::samples;

    #[test]
    fn a_run_is_found_by_name_folder_and_as_the_latest() {
        let runs = tempfile::tempdir().unwrap();
        let mut settings = samples::settings();
        let first = RunFolder::create(runs.path(), &mut settings).unwrap();
        let second = RunFolder::create(runs.path(), &mut settings).unwrap();
        assert_eq!(second.name(), format!("{}-2", first.name()));
        let open = |run: &str| RunFolder::open(runs.path(), run).map(|found| found.name().to_owned());
        assert_eq!(open("latest").unwrap(), second.name());
        let tenth = (3..=10).map(|_| RunFolder::create(runs.path(), &mut settings).unwrap()).last().unwrap();
        assert_eq!(open("latest").unwrap(), tenth.name());
        std::fs::remove_dir_all(runs.path()).unwrap();
        let first = RunFolder::create(runs.path(), &mut settings).unwrap();
        let second = RunFolder::create(runs.path(), &mut settings).unwrap();
        assert_eq!(open(first.name()).unwrap(), first.name());
        assert_eq!(open(first.path().to_str().unwrap()).unwrap(), first.name());
        assert!(open("other").unwrap_err().to_string().contains(second.name()));
        // one process at a time
        let again = RunFolder::open(runs.path(), first.name()).unwrap();
        assert!(again.for_writing().unwrap_err().to_string().contains("another process"));
        drop(first);
        RunFolder::open(runs.path(), "latest").unwrap().settings().unwrap();
    }

    #[test]
    fn what_a_crash_tore_counts_as_not_asked() {
        let runs = tempfile::tempdir().unwrap();
        let mut settings = samples::settings();
        let folder = RunFolder::create(runs.path(), &mut settings).unwrap();
        let (whole, torn) = (samples::record("61"), samples::record("62"));
        let mut older = serde_json::to_value(&whole).unwrap();
        older["question"]["question_id"] = 61.into();
        assert_eq!(serde_json::from_value::<QuestionRecord>(older).unwrap(), whole);
        folder.save(&whole).unwrap();
        folder.save(&torn).unwrap();
        let file = folder.path().join("questions/62.json");
        let half = fs::read(&file).unwrap();
        fs::write(&file, &half[..half.len() / 2]).unwrap();
        fs::write(folder.path().join("questions/.agt-tmp-1"), "{").unwrap();
        let planned = ["61", "62", "63"].map(|id| id.parse().unwrap());
        assert_eq!(folder.questions(&planned).unwrap(), [whole]);
        drop(folder);
        let again = RunFolder::open(runs.path(), "latest").unwrap().for_writing().unwrap();
        assert!(!again.path().join("questions/.agt-tmp-1").exists());
    }
}
