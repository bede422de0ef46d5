//! Production: traces that were taken in, failures, and the pages that were written.

use atlas_gt_serve::SiteWritten;
use atlas_gt_serve::failures::{FailureGroup, FailureReport};
use atlas_gt_serve::import::Imported;

use super::words::count;
use super::{Case, Doc, Invocation, Report, State, Table, Text, Tone};
use crate::error::Exit;
use crate::row;

impl Report for Imported {
    const NAME: &'static str = "traces_import";
    const ITEMS: Option<&'static str> = Some("wrong");

    fn exit(&self) -> Exit {
        if self.wrong.is_empty() { Exit::Ok } else { Exit::Usage }
    }

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new("Traces");
        doc.sum(format!(
            "{} new, {} known already, {} skipped, {} wrong",
            count(self.accepted, "trace"),
            self.known,
            count(self.skipped, "other line"),
            self.wrong.len()
        ));
        let cells = |(line, why): &(usize, String)| row![*line, why];
        doc.body.table(Table::new(&[">line", "why it is no trace"]).rows(self.wrong.iter().map(cells)));
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
        let mut doc = Doc::new("Failures");
        let waiting = self.waiting().count();
        let tone = if waiting == 0 { Tone::Good } else { Tone::Warning };
        doc.sum(Text::toned(
            tone,
            format!("{}, {waiting} not reviewed", count(self.failures.len(), "failure")),
        ));
        let cells = |one: &FailureGroup| {
            let last = one.last.strftime("%Y-%m-%d %H:%M").to_string();
            row![&one.failure, one.count, last, &one.question, what(one), said(one)]
        };
        let head = ["failure", ">times", "last", "question", "what", "what a person says"];
        doc.body.table(Table::new(&head).rows(self.failures.iter().map(cells)));
        if let Some(first) = self.waiting().next() {
            let class = first.suggested.name();
            let command = format!("failures review {} --class {class} --reason '…'", first.failure);
            doc.next("say what a failure is", invocation.command(&command));
        }
        doc
    }

    /// A test case a failure: what nobody has reviewed fails.
    fn cases(&self) -> Vec<Case> {
        let case = |one: &FailureGroup| {
            let state = if one.review.is_some() { State::Passed } else { State::Failed };
            Case::new(&one.failure, state, format!("{}: {}", one.question, what(one)))
        };
        self.failures.iter().map(case).collect()
    }
}

fn what(failure: &FailureGroup) -> String {
    let slow = || format!("slow: {:.1} s", f64::from(failure.slowest_ms.unwrap_or_default()) / 1000.0);
    failure.error.clone().unwrap_or_else(slow)
}

fn said(failure: &FailureGroup) -> String {
    failure.review.as_ref().map_or_else(
        || format!("not reviewed; suggested: {}", failure.suggested.name()),
        |review| format!("{}: {} ({})", review.class.name(), review.reason, review.by),
    )
}

impl Report for SiteWritten {
    const NAME: &'static str = "site";

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new("Pages of the desk");
        doc.sum(format!("{}, {}", count(self.pages, "page"), count(self.pictures, "picture")));
        doc
    }
}
