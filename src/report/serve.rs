//! The reports on production traffic: imported traces, failures, and the written site.

use std::path::PathBuf;

use atlas_gt_serve::SiteWritten;
use atlas_gt_serve::failures::{FailureClass, FailureGroup, FailureReport};
use atlas_gt_serve::import::{TraceImport, WrongTrace};

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::doc::clip;
use super::words::count;
use super::{CaseVerdict, Doc, Invocation, Report, ReportCase, Table, Tone};
use crate::error::Exit;
use crate::row;
use atlas_gt_core::command_line::{Placeholder, flag};

impl Report for TraceImport {
    const NAME: &'static str = "traces_import";
    const ITEMS: Option<&'static str> = Some("wrong");

    fn exit(&self) -> Exit {
        if self.wrong.is_empty() { Exit::Ok } else { Exit::Usage }
    }

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new("Traces");
        doc.sum(format!(
            "{} new, {} already known, {} skipped, {} invalid",
            count(self.accepted, "trace"),
            self.known,
            count(self.skipped, "other line"),
            self.wrong.len()
        ));
        let cells = |one: &WrongTrace| row![one.line, &one.reason];
        doc.body.rows(&[">line", "problem"], self.wrong.iter().map(cells));
        doc
    }
}

impl Report for FailureReport {
    const NAME: &'static str = "failures";
    const ITEMS: Option<&'static str> = Some("failures");

    fn exit(&self) -> Exit {
        if self.waiting().next().is_some() { Exit::Differences } else { Exit::Ok }
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let day = |at: Timestamp| at.strftime("%Y-%m-%d").to_string();
        let mut doc = Doc::new(format!("Failures in production, {} to {}", day(self.since), day(self.until)));
        let waiting = self.waiting().count();
        let tone = if waiting == 0 { Tone::Good } else { Tone::Warning };
        doc.verdict(tone, format!("{}, {waiting} not reviewed", count(self.failures.len(), "failure")));
        let slow =
            self.slow_ms.map_or_else(|| "not measured".to_owned(), |ms| format!("{:.1} s", ms / 1000.0));
        doc.sum(format!(
            "{} failed or took longer than the 95th percentile of seven days ({slow})",
            count(self.requests, "request")
        ));
        let cells = |one: &&FailureGroup| {
            let last = one.last.strftime("%Y-%m-%d %H:%M").to_string();
            let (question, problem) = (clip(&one.question, MAX_CELL), clip(&failure_text(one), MAX_CELL));
            row![&one.failure, one.count, last, question, problem, review_text(one)]
        };
        for class in [None].into_iter().chain(FailureClass::ALL.iter().copied().map(Some)) {
            let of_class = |one: &&FailureGroup| one.review.as_ref().map(|review| review.class) == class;
            let all: Vec<&FailureGroup> = self.failures.iter().filter(of_class).collect();
            let title = class.map_or("not reviewed", FailureClass::name);
            let head = Table::new(&["failure", ">times", "last", "question", "problem", "review"]);
            doc.body.section(format!("{title} ({})", all.len()), |part| {
                part.table(head.rows(all.iter().map(cells)));
            });
        }
        if let Some(first) = self.waiting().next() {
            let (class, reason) = (first.suggested.name(), Placeholder::Reason);
            let review = format!("failures review {} --class {class} --reason {reason}", first.failure);
            doc.next("classify a failure", invocation.command(&review));
        }
        doc
    }

    /// One test case per failure. An unreviewed failure fails.
    fn cases(&self) -> Vec<ReportCase> {
        let case = |one: &FailureGroup| {
            let state = if one.review.is_some() { CaseVerdict::Pass } else { CaseVerdict::Fail };
            ReportCase::new(&one.failure, state, format!("{}: {}", one.question, failure_text(one)))
        };
        self.failures.iter().map(case).collect()
    }
}

/// Bytes of a question or an error in a table.
const MAX_CELL: usize = 300;

fn failure_text(failure: &FailureGroup) -> String {
    let slow = || format!("slow: {:.1} s", f64::from(failure.slowest_ms.unwrap_or_default()) / 1000.0);
    failure.error.clone().unwrap_or_else(slow)
}

fn review_text(failure: &FailureGroup) -> String {
    failure.review.as_ref().map_or_else(
        || format!("suggested: {}", failure.suggested.name()),
        |review| {
            let question =
                review.question_id.as_ref().map_or_else(String::new, |id| format!(" → question {id}"));
            format!("{} ({}, {}){question}", review.reason, review.by, review.at.strftime("%Y-%m-%d"))
        },
    )
}

/// A failure as a proposed question of the evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Promotion {
    /// The failure.
    pub failure: String,
    /// Its question.
    pub question: String,
    /// The manifest question that already asks it.
    pub asked_as: Option<String>,
    /// The entry that `manifest from` proposes: page, extractor, data points, context.
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub proposed: Option<Value>,
    /// What it lacks, if no page is proposed.
    pub lacks: Option<String>,
    /// The most similar questions.
    pub similar: Vec<SimilarQuestion>,
    /// The manifest that would get the question.
    #[serde(skip)]
    pub manifest: PathBuf,
}

/// A question whose page and data points may also answer the new one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct SimilarQuestion {
    /// Its id.
    pub question_id: String,
    /// Its text.
    pub question: String,
    /// Its page.
    pub page: Option<String>,
}

impl Report for Promotion {
    const NAME: &'static str = "failures_promote";
    const ITEMS: Option<&'static str> = Some("similar");

    fn doc(&self, invocation: &Invocation) -> Doc {
        let mut doc = Doc::new("Promotion");
        let text = |key: &str| self.proposed.as_ref().and_then(|entry| entry.get(key)?.as_str());
        let page = text("atlas_url").map(|page| format!("{page}: {}", text("proposed").unwrap_or_default()));
        let lacks = || format!("no page proposed, missing: {}", self.lacks.as_deref().unwrap_or("nothing"));
        let asked = self.asked_as.as_ref().map(|id| format!("question {id} asks this already"));
        doc.sum(asked.or(page).unwrap_or_else(lacks));
        let cells =
            |one: &SimilarQuestion| row![&one.question_id, &one.question, one.page.as_deref().unwrap_or("")];
        doc.body.rows(&["similar", "question", "page"], self.similar.iter().map(cells));
        let like = self.similar.first().filter(|_| self.proposed.is_none() && self.asked_as.is_none());
        let like = like.map_or_else(String::new, |one| flag("like", &one.question_id));
        let manifest = flag("manifest", self.manifest.display());
        let command = invocation.command(&format!("failures promote {}{manifest}{like}", self.failure));
        doc.next("make it a question (add -- and the flags of an agent to ask it at once)", command);
        doc
    }
}

impl Report for SiteWritten {
    const NAME: &'static str = "site";

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new("Site");
        doc.sum(format!("{}, {}", count(self.pages, "page"), count(self.pictures, "picture")));
        doc
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Terminal, text};

    #[test]
    fn the_command_that_classifies_a_failure_asks_for_a_reason() {
        let at = Timestamp::UNIX_EPOCH;
        let failure = FailureGroup {
            failure: "3f9a1c20b7de".to_owned(),
            question: "What does Kenya export?".to_owned(),
            error: Some("connection refused".to_owned()),
            count: 1,
            first: at,
            last: at,
            slowest_ms: None,
            pipelines: Vec::new(),
            traces: Vec::new(),
            suggested: FailureClass::Infrastructure,
            review: None,
            earlier: Vec::new(),
        };
        let (slow_ms, failures) = (None, vec![failure]);
        let report = FailureReport { since: at, until: at, requests: 1, slow_ms, complete: true, failures };
        let text = text(&report.doc(&Invocation::default()), Terminal::PLAIN);
        let command = "atlas-gt failures review 3f9a1c20b7de --class infrastructure --reason REASON";
        assert!(text.contains(command), "{text}");
    }
}
