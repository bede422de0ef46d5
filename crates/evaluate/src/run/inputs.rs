//! The input files of a run: its cases and recorded answers. A resumed run must find them unchanged. Otherwise it would
//! mix two sets of cases or answers.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::components::json_files;
use super::settings::{AgentChoice, CaseSource, RunInput, RunInputKind, RunSettings};
use crate::agent::answer_files;
use crate::error::{Error, Result};
use crate::evidence::Hash;
use crate::input;

impl RunInputKind {
    /// Finds the relevant files of a folder.
    fn files(self) -> fn(&Path) -> Result<Vec<PathBuf>> {
        match self {
            Self::Cases => json_files,
            Self::Answers => answer_files,
        }
    }
}

impl RunSettings {
    /// The inputs in their current state, with standard input as it was read. A rescored run has none, because all it
    /// needs is stored.
    pub(super) fn read_inputs(&self) -> Result<Vec<RunInput>> {
        if self.rescore_of.is_some() {
            return Ok(Vec::new());
        }
        let cases = match &self.source {
            CaseSource::Components { folder, .. } => folder.as_ref(),
            CaseSource::Suite { file, .. } => Some(file),
            CaseSource::Manifest | CaseSource::SpotCheck { .. } => None,
        };
        let answers = match &self.agent {
            AgentChoice::Answers(path) => Some(path),
            AgentChoice::Url(_) | AgentChoice::Command(_) => None,
        };
        let cases = cases.map(|path| (path, RunInputKind::Cases));
        let answers = answers.map(|path| (path, RunInputKind::Answers));
        let mut inputs: Vec<RunInput> =
            self.inputs.iter().filter(|one| one.is_standard_input()).cloned().collect();
        for (path, kind) in cases.into_iter().chain(answers) {
            // a run may be resumed from another folder
            let path = std::path::absolute(path).map_err(Error::file(path))?;
            let hash = hash_of(&path, kind.files())?;
            inputs.extend(hash.map(|hash| RunInput { path, kind, hash }));
        }
        Ok(inputs)
    }

    /// Checks that no file has changed since the run started.
    ///
    /// # Errors
    /// A file has changed, is gone, or cannot be read.
    pub fn check_inputs(&self) -> Result<()> {
        for RunInput { path, kind, hash } in self.inputs.iter().filter(|one| !one.is_standard_input()) {
            let why = match hash_of(path, kind.files())? {
                Some(now) if now == *hash => continue,
                Some(_) => "has changed since run",
                None => "is gone since run",
            };
            return Err(self.differs(path, why));
        }
        Ok(())
    }

    /// Checks that standard input, if it is `read`, has the same content as when the run started.
    ///
    /// # Errors
    /// Its content differs.
    pub fn check_standard_input(&self, read: Option<&RunInput>) -> Result<()> {
        let then = self.inputs.iter().find(|one| one.is_standard_input());
        match (then, read) {
            (Some(then), Some(now)) if then != now => Err(self.differs(&now.path, "has changed since run")),
            _ => Ok(()),
        }
    }

    fn differs(&self, path: &Path, why: &str) -> Error {
        Error::Usage(format!(
            "{} {why} {} started, so its answers would be scored differently: restore it, or start a new run",
            input::shown(path).display(),
            self.run
        ))
    }
}

/// The hash of the files at a path, with their names if it is a folder. `None` if there is none, as for standard input.
fn hash_of(path: &Path, of_folder: fn(&Path) -> Result<Vec<PathBuf>>) -> Result<Option<Hash>> {
    let read = |file: &Path| fs::read(file).map_err(Error::file(file));
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => {
            let mut content = Vec::new();
            for file in of_folder(path)? {
                let name = file.strip_prefix(path).unwrap_or(&file);
                content.extend(name.as_os_str().as_encoded_bytes());
                content.extend(Hash::of(&read(&file)?).as_str().as_bytes());
            }
            Ok(Some(Hash::of(&content)))
        }
        Ok(found) if found.is_file() => Ok(Some(Hash::of(&read(path)?))),
        // a stream can be read only once
        Ok(_) => Ok(None),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::file(path)(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{RunFolder, samples};
    use super::*;

    #[test]
    fn cases_and_answers_must_be_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let (cases, answers) = (folder.path().join("cases"), folder.path().join("answers.jsonl"));
        fs::create_dir(&cases).unwrap();
        fs::write(cases.join("one.json"), "[]").unwrap();
        fs::write(&answers, "{}").unwrap();
        let source = CaseSource::Components { component: None, folder: Some(cases.clone()) };
        let asked = AgentChoice::Answers(answers.clone());
        let mut settings = RunSettings::new(source, asked, samples::settings().started);
        // a file without cases, and the runs themselves
        fs::write(cases.join("notes.md"), "").unwrap();
        let runs = cases.join("runs");
        drop(RunFolder::create(&runs, &mut settings).unwrap());
        let stored = RunFolder::open(&runs, "latest").unwrap().settings().unwrap();
        assert_eq!(stored.inputs.len(), 2);
        stored.check_inputs().unwrap();
        let refused = || stored.check_inputs().unwrap_err().to_string();
        fs::write(&answers, "{\"more\": 1}").unwrap();
        assert!(refused().contains("answers.jsonl has changed since run "), "{}", refused());
        fs::write(&answers, "{}").unwrap();
        fs::write(cases.join("two.json"), "[]").unwrap();
        assert!(refused().contains("cases has changed since run "), "{}", refused());
        fs::rename(&cases, folder.path().join("elsewhere")).unwrap();
        assert!(refused().contains("cases is gone since run "), "{}", refused());
        settings.rescore_of = Some(stored.run.clone());
        assert_eq!(settings.read_inputs().unwrap(), [], "a rescored run needs no file");
    }

    #[test]
    fn standard_input_must_hold_what_it_held() {
        let runs = tempfile::tempdir().unwrap();
        let asked = AgentChoice::Answers("-".into());
        let read = RunInput::standard_input(b"{}\n");
        let mut settings = RunSettings {
            inputs: vec![read.clone()],
            ..RunSettings::new(CaseSource::Manifest, asked, samples::settings().started)
        };
        drop(RunFolder::create(runs.path(), &mut settings).unwrap());
        let stored = RunFolder::open(runs.path(), "latest").unwrap().settings().unwrap();
        assert_eq!(stored.inputs, std::slice::from_ref(&read));
        stored.check_inputs().unwrap();
        stored.check_standard_input(Some(&read)).unwrap();
        let other = RunInput::standard_input(b"{\"more\": 1}\n");
        let refused = stored.check_standard_input(Some(&other)).unwrap_err().to_string();
        assert!(refused.starts_with("standard input has changed since run "), "{refused}");
    }
}
