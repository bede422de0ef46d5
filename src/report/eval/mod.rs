//! The report of an evaluation run: important notices, failures, targets, groups, and every
//! question with its details. On a page, one script filters the questions.

mod facts;
mod overview;
mod question;
mod runs;
mod trace;

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::doc::clip;
use super::words::per_cent;
use super::{Body, CaseVerdict, Doc, Filter, Invocation, Report, ReportCase, Table, Text, Tone};
use crate::error::Exit;
use crate::row;
use crate::scoring::stats::Proportion;
use crate::words::spaced;
use crate::workflow::evaluate::{QuestionRecord, RunSummary, RunTarget, Score5, StoreNow, TargetUnit};
use question::Questions;

pub use runs::{Costs, Runs};

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

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new(format!("Evaluation run {}", self.summary.run));
        overview::summary(&mut doc, self.summary);
        overview::notices(&mut doc.body, self);
        doc.body.cards(self.not_passed(), Vec::new());
        overview::sections(&mut doc.body, self.summary);
        facts::sections(&mut doc.body, self.summary);
        let cards = Questions { report: self }.cards();
        doc.filters = filters(self);
        doc.body.section("Questions", |body| body.cards(Table::default(), cards));
        if self.summary.partial.is_some() {
            let runs = super::quoted(&self.runs.display().to_string());
            doc.next("resume it", format!("atlas-gt eval resume {} --runs {runs}", self.summary.run));
        }
        doc
    }
}

impl EvalReport<'_> {
    /// The questions that did not pass, worst first, for formats without cards.
    fn not_passed(&self) -> Table {
        let ended = self.questions.iter().filter_map(|one| Some((one, one.scored.as_ref()?)));
        let mut found: Vec<_> = ended.filter(|(_, scored)| scored.verdict != CaseVerdict::Pass).collect();
        found.sort_by_key(|(_, scored)| match scored.verdict {
            CaseVerdict::Fail => 0,
            CaseVerdict::Error => 1,
            CaseVerdict::Partial => 2,
            CaseVerdict::Unscored | CaseVerdict::Pass => 3,
        });
        Table::new(&["question", "verdict", "asked", "why"]).rows(found.into_iter().map(
            |(record, scored)| {
                row![
                    &record.question.question_id,
                    badge(scored.verdict),
                    Text::brief(&record.question.text, 90),
                    &scored.reason
                ]
            },
        ))
    }
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

pub(super) const fn tone(verdict: CaseVerdict) -> Tone {
    match verdict {
        CaseVerdict::Pass => Tone::Good,
        CaseVerdict::Fail | CaseVerdict::Error => Tone::Bad,
        CaseVerdict::Partial => Tone::Warning,
        CaseVerdict::Unscored => Tone::Muted,
    }
}

fn badge(verdict: CaseVerdict) -> Text {
    Text::badge(tone(verdict), verdict.name())
}

/// A rate with its interval, as text.
fn rate(rate: Option<Proportion>) -> String {
    rate.map_or_else(|| "not measured".to_owned(), |rate| super::words::rate(&rate))
}

fn score(score: Option<Score5>) -> String {
    match score {
        None => "none: no judge scored any answer".to_owned(),
        Some(Score5 { n, mean, low: Some(low), high: Some(high) }) => {
            format!("{mean:.2} of 5 over {n} (95 % interval {low:.2} to {high:.2})")
        }
        Some(Score5 { n, mean, .. }) => format!("{mean:.2} of 5 over {n}"),
    }
}

/// Formats the value of a target in its unit.
fn shown(target: &RunTarget, value: f64) -> String {
    match target.unit {
        TargetUnit::Points => format!("{value:.2}"),
        TargetUnit::Milliseconds => format!("{:.1} s", value / 1000.0),
        TargetUnit::Share => per_cent(value),
    }
}

/// The result of a target. "Not measured" differs from "too few to tell".
fn outcome(target: &RunTarget) -> Text {
    use crate::scoring::stats::TargetOutcome;
    let tone = match target.state {
        TargetOutcome::Met => Tone::Good,
        TargetOutcome::Missed => Tone::Bad,
        TargetOutcome::TooFewToTell | TargetOutcome::NotMeasured => Tone::Muted,
    };
    Text::badge(tone, target.state.words())
}

/// An exit code with its reason, as printed at the end of every run.
#[must_use]
pub fn exit_line(code: u8, reason: &str) -> String {
    format!("exit code {code}: {reason}")
}

/// The name of an enum value, as words.
fn words<T: Serialize>(value: &T) -> String {
    spaced(crate::words::name(value))
}

/// The link that applies a filter of the page.
fn filter(key: &str, value: &str) -> String {
    format!("#{}", url::form_urlencoded::Serializer::new(String::new()).append_pair(key, value).finish())
}

/// Adds a line with the number of omitted rows.
fn more(body: &mut Body, all: usize, most: usize, what: &str) {
    if all > most {
        body.line(Text::muted(format!("… {} more {what}", all - most)));
    }
}

#[cfg(test)]
mod tests;
