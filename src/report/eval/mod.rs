//! The report of an evaluation run: important notices, failures, targets, groups, and every
//! question with its details. On a page, one script filters the questions.

mod facts;
mod overview;
mod question;
mod runs;
mod shown;
mod trace;

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::suite;
use super::words::{add_questions, badge, count, exit_line};
use super::{Body, CaseVerdict, Doc, Filter, Invocation, Report, ReportCase, Table, Text};
use crate::error::Exit;
use crate::row;
use crate::workflow::evaluate::{QuestionRecord, RunSummary, RunTarget, Scored, StoreNow};
use question::Questions;
use shown::{outcome, shown};

pub use runs::{Costs, Runs};
pub use shown::resume_command;

/// A run with its questions, and the current store.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EvalReport<'a> {
    /// The run's summary.
    #[serde(flatten)]
    pub summary: &'a RunSummary,
    /// Its questions.
    #[serde(skip)]
    pub questions: &'a [QuestionRecord],
    /// The store's current records and pictures for these questions. Only a page needs them.
    #[serde(skip)]
    pub store: StoreNow,
    /// The folder of the runs.
    #[serde(skip)]
    pub runs: &'a Path,
}

impl Report for EvalReport<'_> {
    const NAME: &'static str = "eval_summary";
    const CASES_ARE_ITEMS: bool = true;

    fn exit(&self) -> Exit {
        self.summary.exit()
    }

    fn suite(&self) -> String {
        self.summary.run.clone()
    }

    fn properties(&self) -> Vec<(&'static str, String)> {
        let summary = self.summary;
        let exit = exit_line(summary.exit_code, &summary.exit_reason);
        let of_target = |target: &RunTarget| {
            let value = target.value.map_or_else(|| "–".to_owned(), |value| shown(target, value));
            (target.name, format!("{value} of {} over {}: {}", target.target, target.n, outcome(target).text))
        };
        std::iter::once(("verdict", exit)).chain(summary.targets.iter().map(of_target)).collect()
    }

    fn cases(&self) -> Vec<ReportCase> {
        let case = |record: &QuestionRecord| {
            let (state, message) = match &record.scored {
                None => (CaseVerdict::Unscored, "it has not ended"),
                Some(scored) => (scored.verdict, scored.reason.as_str()),
            };
            ReportCase::new(&record.question.question_id, state, message)
        };
        self.questions.iter().map(case).collect()
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let mut doc = Doc::new(format!("Evaluation run {}", self.summary.run));
        overview::summary(&mut doc, self.summary);
        overview::notices(&mut doc.body, self);
        doc.body.cards(self.not_passed(), Vec::new());
        self.add_failures(&mut doc.body);
        for (skipped, why) in [
            (&self.summary.answered_without_truth, "the question has no truth"),
            (&self.summary.answered_not_in_manifest, "the manifest lacks the question"),
        ] {
            let title = format!("{} not scored, because {why}", count(skipped.len(), "answer"));
            add_questions(&mut doc.body, title, skipped, invocation);
        }
        suite::add_components(&mut doc.body, &self.summary.components);
        overview::sections(&mut doc.body, self.summary);
        facts::sections(&mut doc.body, self.summary);
        let cards = Questions { report: self }.cards();
        doc.filters = filters(self);
        doc.body.section("Questions", |body| body.cards(Table::default(), cards));
        if let Some(command) = resume_command(self.summary, self.runs) {
            doc.next("resume it", command);
        }
        doc
    }
}

/// The maximum number of failures listed above the figures of a page.
const MAX_FAILURES: usize = 100;

/// The columns of a list of failures.
const FAILURE_HEAD: [&str; 4] = ["question", "verdict", "asked", "why"];

impl EvalReport<'_> {
    /// The questions that did not pass, worst first.
    fn failures(&self) -> impl Iterator<Item = (&QuestionRecord, &Scored)> {
        let ended =
            worst_first(self.questions).into_iter().filter_map(|one| Some((one, one.scored.as_ref()?)));
        ended.filter(|(_, scored)| scored.verdict != CaseVerdict::Pass)
    }

    /// The questions that did not pass, for formats without cards.
    fn not_passed(&self) -> Table {
        Table::new(&FAILURE_HEAD).rows(self.failures().map(|(record, scored)| {
            row![
                Text::from(&record.question.question_id).linked(record.page_link().as_deref()),
                badge(scored.verdict),
                Text::brief(&record.question.text, 90),
                &scored.reason
            ]
        }))
    }

    /// Adds links to the first cards that did not pass, on a page only.
    fn add_failures(&self, body: &mut Body) {
        let all = self.failures().count();
        let title = match all {
            0 => return,
            1..=MAX_FAILURES => "Not passed".to_owned(),
            _ => format!("Not passed: the first {MAX_FAILURES} of {all}"),
        };
        let rows = self.failures().take(MAX_FAILURES).map(|(record, scored)| {
            let id = &record.question.question_id;
            row![
                Text::from(id).to(&format!("#q{id}")),
                badge(scored.verdict),
                Text::brief(&record.question.text, 90),
                Text::brief(&scored.reason, 300)
            ]
        });
        body.section(title, |body| body.sides(|body| body.rows(&FAILURE_HEAD, rows)));
    }
}

/// The questions of a run, worst first.
fn worst_first(questions: &[QuestionRecord]) -> Vec<&QuestionRecord> {
    let mut sorted: Vec<&QuestionRecord> = questions.iter().collect();
    sorted.sort_by_key(|one| one.scored.as_ref().map_or(u8::MAX, |scored| scored.verdict.place()));
    sorted
}

/// The filters for the questions of a page.
fn filters(report: &EvalReport<'_>) -> Vec<Filter> {
    let summary = report.summary;
    let verdicts = CaseVerdict::ALL.iter().map(|verdict| verdict.name().to_owned()).collect();
    let names = |groups: &[crate::workflow::evaluate::QuestionGroup]| -> Vec<String> {
        groups.iter().map(|group| group.name.clone()).collect()
    };
    let mut remarks: Vec<String> =
        report.questions.iter().flat_map(|record| question::remarks(record, &report.store.changed)).collect();
    remarks.sort_unstable();
    remarks.dedup();
    [
        ("verdict", "Verdict", verdicts),
        ("category", "Category", names(&summary.categories)),
        ("difficulty", "Difficulty", names(&summary.difficulties)),
        ("type", "Query type", names(&summary.query_types)),
        ("remark", "Remark", remarks),
    ]
    .map(|(name, title, options)| Filter::new(name, title, options))
    .into()
}

#[cfg(test)]
mod tests;
