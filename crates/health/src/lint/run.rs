//! Lint: reads every record of a folder, applies the rules, and removes silenced findings.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rayon::prelude::*;
use serde::Serialize;

use crate::error::Exit;
use crate::external::{Folder, ForeignRecord, ListedQuestions, QuarantinedFile};
use crate::input;
use crate::lint::{
    Finding, LintRule, LintSubject, Overview, RULES, RuleSelection, Severity, Silences, UNREADABLE, UNUSED,
    rule, stands_for,
};
use crate::manifest::{
    Asked, ListedQuestion, Manifest, PointCatalog, QuestionId, proposed_page, same_question,
};

/// The result of linting a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct LintReport {
    /// The number of records, including unreadable ones.
    pub records: usize,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// The number of notes.
    pub notes: usize,
    /// The number of silenced findings.
    pub silenced: usize,
    /// The number of unreadable files.
    pub quarantined: usize,
    /// The findings, ordered by question, then by rule.
    pub findings: Vec<Finding>,
    /// The questions of all records.
    #[serde(skip)]
    pub questions: Vec<QuestionId>,
    /// The links to the pages of the records that were read from the live site.
    #[serde(skip)]
    pub page_links: BTreeMap<QuestionId, String>,
    /// The lowest severity that fails the command; none if nothing does.
    #[serde(skip)]
    pub fail_on: Option<Severity>,
}

/// The questions of records; `None` if they are unknown.
#[derive(Debug, Clone, Default)]
pub struct Asking {
    by_id: Option<BTreeMap<QuestionId, Asked>>,
    /// Unreadable entries of the questions file.
    unreadable: Vec<QuarantinedFile>,
}

impl From<&Manifest> for Asking {
    fn from(manifest: &Manifest) -> Self {
        let by_id = manifest.questions().map(|question| (question.id.clone(), Asked::from(question)));
        Self { by_id: Some(by_id.collect()), unreadable: Vec::new() }
    }
}

impl Asking {
    /// The questions of a file, with the pages that the catalog allows to propose for them.
    #[must_use]
    pub fn of(questions: ListedQuestions, catalog: &dyn PointCatalog) -> Self {
        let asked = |question: &ListedQuestion| Asked {
            proposed: proposed_page(question, catalog),
            ..Asked::from(question)
        };
        let by_id = questions.by_id.iter().map(|(id, question)| (id.clone(), asked(question))).collect();
        Self { by_id: Some(by_id), unreadable: questions.quarantined }
    }

    /// Replaces questions by those that the store's records state, where they differ.
    #[must_use]
    pub fn or_as_stored(mut self, stored: &[(QuestionId, String)]) -> Self {
        let all = self.by_id.get_or_insert_default();
        for (id, own) in stored {
            if all.get(id).is_none_or(|asked| !same_question(&asked.text, own)) {
                all.insert(id.clone(), Asked::new(own, None, false));
            }
        }
        self
    }

    /// The neighbouring questions of a question.
    fn beside(&self, id: &QuestionId) -> [Option<(&QuestionId, &Asked)>; 2] {
        let Some(all) = &self.by_id else { return [None, None] };
        let after = all.range((std::ops::Bound::Excluded(id), std::ops::Bound::Unbounded)).next();
        [all.range(..id).next_back(), after]
    }
}

/// Records per chunk. Each thread has at most one chunk in memory.
const CHUNK: usize = 64;

/// Applies the selected rules to all records of a folder, at a time.
#[must_use]
pub fn lint(folder: &Folder, asking: &Asking, selection: &RuleSelection, now: Timestamp) -> LintReport {
    let rules: Vec<&'static LintRule> =
        RULES.iter().copied().filter(|rule| selection.has(rule.code)).collect();
    let parts: Vec<Part> = folder
        .files()
        .par_chunks(CHUNK)
        .map(|files| Part::read(folder, files, (asking, now), &rules))
        .collect();
    let mut whole = Part { overview: Overview::new(asking.by_id.is_some()), ..Part::default() };
    for part in parts {
        whole.findings.extend(part.findings);
        whole.silenced += part.silenced;
        whole.quarantined += part.quarantined;
        whole.overview.append(part.overview);
        whole.page_links.extend(part.page_links);
    }
    whole.across(&rules);
    let faults = folder.faults();
    whole.quarantined += faults.len();
    whole.findings.extend(asking.unreadable.iter().chain(&faults).map(|entry| unreadable(entry, None)));
    report(folder, whole, asking.unreadable.len())
}

/// The errors in one record that no `lint.json` silences: rule, key and message.
#[must_use]
pub fn errors_in(record: &ForeignRecord, folder: &Folder, asking: &Asking) -> Vec<String> {
    let asked = asking.by_id.as_ref().and_then(|by_id| by_id.get(&record.id));
    let subject = LintSubject::new(record, asked).between(asking.beside(&record.id));
    let silences = silences(folder, &record.id, &record.path);
    let rules = RULES.iter().filter(|rule| rule.severity == Severity::Error);
    let found = rules.flat_map(|rule| rule.findings(&subject));
    let found = found.filter(|finding| silences.of(finding.code).is_none());
    found.map(|finding| line(&finding)).collect()
}

/// A finding in one line: rule, key and message.
fn line(Finding { code, key, message, .. }: &Finding) -> String {
    format!("{code} {key}: {message}")
}

fn report(folder: &Folder, part: Part, bad_questions: usize) -> LintReport {
    let mut findings = part.findings;
    // findings about the whole folder come last
    let order = |finding: &Finding| (finding.questions.len() != 1, finding.questions.first().cloned());
    let place = |finding: &Finding| (finding.file.clone(), finding.code, finding.key.clone());
    findings.sort_by_cached_key(|finding| (order(finding), place(finding)));
    let of = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    LintReport {
        records: folder.files().len(),
        errors: of(Severity::Error),
        warnings: of(Severity::Warning),
        notes: of(Severity::Note),
        silenced: part.silenced,
        quarantined: part.quarantined + bad_questions,
        questions: folder.files().iter().map(|(id, _)| id.clone()).collect(),
        page_links: part.page_links,
        fail_on: None,
        findings,
    }
}

impl LintReport {
    /// Every question, with the errors in its record.
    pub fn errors_by_question(&self) -> impl Iterator<Item = (&QuestionId, Vec<String>)> {
        let mut by_question: BTreeMap<&QuestionId, Vec<String>> = BTreeMap::new();
        for finding in self.findings.iter().filter(|finding| finding.severity == Severity::Error) {
            for id in &finding.questions {
                by_question.entry(id).or_default().push(line(finding));
            }
        }
        self.questions.iter().map(move |id| (id, by_question.remove(id).unwrap_or_default()))
    }

    /// 2 if files are unreadable, 3 if a finding is at least as severe as [`LintReport::fail_on`].
    #[must_use]
    pub fn exit(&self) -> Exit {
        let is_bad = |finding: &Finding| {
            self.fail_on.is_some_and(|least| finding.severity >= least) && finding.code != UNREADABLE.code
        };
        let differs = if self.findings.iter().any(is_bad) { Exit::Differences } else { Exit::Ok };
        differs.worst(if self.quarantined > 0 { Exit::Usage } else { Exit::Ok })
    }
}

/// The result for a part of the records.
#[derive(Debug, Default)]
struct Part {
    findings: Vec<Finding>,
    overview: Overview,
    silenced: usize,
    quarantined: usize,
    page_links: BTreeMap<QuestionId, String>,
}

impl Part {
    fn read(
        folder: &Folder,
        files: &[(QuestionId, PathBuf)],
        (asking, now): (&Asking, Timestamp),
        rules: &[&'static LintRule],
    ) -> Self {
        let mut part = Self::default();
        for (id, path) in files {
            match folder.read(id, path) {
                Err(quarantined) => {
                    part.quarantined += 1;
                    part.findings.push(unreadable(&quarantined, Some(id)));
                }
                Ok(record) => {
                    let asked = asking.by_id.as_ref().and_then(|by_id| by_id.get(id));
                    let subject = LintSubject::new(&record, asked).between(asking.beside(id)).at(now);
                    part.take(&subject, rules, silences(folder, id, path));
                    part.page_links.extend(record.page().link.map(|link| (id.clone(), link)));
                }
            }
        }
        part
    }

    fn take(&mut self, subject: &LintSubject<'_>, rules: &[&'static LintRule], mut silences: Silences) {
        for finding in rules.iter().flat_map(|rule| rule.findings(subject)) {
            if silences.take(finding.code) {
                self.silenced += 1;
            } else {
                self.findings.push(finding);
            }
        }
        self.overview.add(subject, silences);
    }

    /// Applies the rules that need all records.
    fn across(&mut self, rules: &[&'static LintRule]) {
        let Self { overview, findings, silenced, .. } = self;
        for rule in rules {
            let (found, hidden) = rule.across(overview);
            findings.extend(found);
            for at in hidden {
                overview.records[at].silences.take(rule.code);
                *silenced += 1;
            }
        }
        let ran = |code: &str| rules.iter().any(|rule| rule.runs(overview) && stands_for(code, rule.code));
        if rules.iter().any(|rule| rule.code == UNUSED.code) {
            for record in &overview.records {
                let finding = |(key, message)| Finding {
                    questions: vec![record.id.clone()],
                    file: record.silences.file.clone(),
                    key,
                    message,
                    ..UNUSED.finding()
                };
                findings.extend(record.silences.problems(ran).into_iter().map(finding));
            }
        }
    }
}

fn unreadable(quarantined: &QuarantinedFile, id: Option<&QuestionId>) -> Finding {
    Finding {
        questions: id.into_iter().cloned().collect(),
        file: quarantined.path.clone(),
        key: quarantined.key.clone(),
        message: quarantined.reason.clone(),
        ..UNREADABLE.finding()
    }
}

/// Reads the silences of a record: `lint.json` beside it, or in its question's folder.
fn silences(folder: &Folder, id: &QuestionId, record: &Path) -> Silences {
    const FILE: &str = "lint.json";
    let places = [record.with_file_name(FILE), folder.dir().join(id.as_str()).join(FILE)];
    let found = places.iter().find_map(|path| Some((path, input::bytes(path).ok()?)));
    found.map_or_else(Default::default, |(path, text)| {
        Silences::read(path, &String::from_utf8_lossy(&text), |code| rule(code).is_some())
    })
}
