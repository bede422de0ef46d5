//! The report of a collection: failures and differences first.

use super::words::{by_cause, count, idle_errors, of_schemas, plural, seconds};
use super::{CaseVerdict, Doc, Invocation, ReportCase, Text, Tone};
use crate::error::Exit;
use crate::row;
use crate::workflow::{CollectReport, QuestionOutcome, QuestionReport, Totals};
use atlas_gt_core::question_id::question_label;

impl super::Report for CollectReport {
    const NAME: &'static str = "collect";
    const ITEMS: Option<&'static str> = Some("questions");

    fn exit(&self) -> Exit {
        self.exit()
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let mut doc = Doc::new("Collection");
        let tone = if self.exit_code == 0 { Tone::Good } else { Tone::Bad };
        doc.verdict(tone, verdict(self));
        let loads: u32 = self.visits.iter().map(|visit| visit.loads).sum();
        doc.sum(format!(
            "{}, {}, {} (planned {}, {} our own), {:.1} s (waited {:.1} s for the request budget); records in {}",
            count(self.visits.len(), "page"),
            count(loads, "load"),
            count(self.requests, "request"),
            self.planned_requests,
            self.own_requests,
            seconds(self.took_ms),
            seconds(self.waited_ms),
            self.store.display(),
        ));
        for line in troubles(self) {
            doc.sum(line);
        }
        problems(&mut doc, self, invocation);
        let head = ["extractor", ">collected", ">agreed", ">absent", ">differing", ">failed"];
        let all = (self.by_extractor.len() != 1).then(|| row("all", &self.totals));
        let rows = self.by_extractor.iter().map(|(name, totals)| row(name, totals));
        doc.body.rows(&head, rows.chain(all));
        doc.body.list(of_schemas(&self.schemas, &invocation.command("api introspect")));
        doc.body.list(idle_errors(&self.idle_errors));
        if !self.planned.is_empty() {
            let planned = plural(self.planned.len(), "question is", "questions are");
            doc.body.line(format!("{planned} waiting for a future extractor"));
        }
        if let Some(review) = &self.review {
            doc.next(review, invocation.command("review"));
        }
        if self.interrupted {
            doc.next("resume it", invocation.with_manifest("collect --resume"));
        } else if self.totals.failed > 0 {
            doc.next("retry failed questions", invocation.with_manifest("collect --retry-failed"));
        }
        if self.totals.differing > 0 {
            let differs = |one: &&QuestionReport| one.outcome == QuestionOutcome::Differs;
            let ids: Vec<&str> =
                self.questions.iter().filter(differs).map(|one| one.question_id.as_str()).collect();
            let again = format!("refresh --questions {}", ids.join(","));
            doc.next("visit their pages a second time", invocation.with_manifest(&again));
            doc.next("accept one by one", invocation.with_manifest("refresh --review"));
        }
        doc
    }

    fn cases(&self) -> Vec<ReportCase> {
        let case = |one: &QuestionReport| {
            let notes: Vec<String> = one.notes.iter().chain(&one.disagreements).cloned().collect();
            let state = match one.outcome {
                QuestionOutcome::Failed => CaseVerdict::Error,
                QuestionOutcome::Differs => CaseVerdict::Fail,
                QuestionOutcome::Skipped => CaseVerdict::Unscored,
                _ => CaseVerdict::Pass,
            };
            ReportCase::of_question(&one.question_id, state, notes.join("\n"))
        };
        self.questions.iter().map(case).collect()
    }
}

/// Lists failures, one line per cause, and differences.
fn problems(doc: &mut Doc, report: &CollectReport, invocation: &Invocation) {
    let failed = report.questions.iter().filter(|question| question.outcome == QuestionOutcome::Failed);
    let notes =
        failed.flat_map(|one| one.notes.iter().chain(&one.disagreements).map(move |note| (one, note)));
    let causes =
        by_cause(notes.map(|(one, note)| (one.question_id.as_str(), one.page.as_str(), note.as_str())));
    doc.body.section("Failed", |body| {
        let cells = |cause: super::words::Cause<'_>| cause.cells(invocation);
        body.rows(&["questions", "asked", "page", "cause"], causes.into_iter().map(cells));
        for bundle in report.visits.iter().filter_map(|visit| visit.bundle.as_ref()) {
            body.line(format!("page, picture and responses are in {}", bundle.display()));
        }
    });
    let mut rows = Vec::new();
    for question in &report.questions {
        let mark = match question.outcome {
            QuestionOutcome::Differs => "differs",
            // under "Failed" already
            QuestionOutcome::Failed => continue,
            _ if !question.disagreements.is_empty() => "page disagrees",
            QuestionOutcome::Agreed if !question.notes.is_empty() => "agrees again",
            _ => continue,
        };
        let id = question.question_id.as_str();
        for note in question.notes.iter().chain(&question.disagreements) {
            rows.push(row![
                question_label(id),
                invocation.question(id),
                invocation.page(&question.page),
                mark,
                note
            ]);
        }
    }
    doc.body.section("Differing", |body| {
        body.rows(&["question", "asked", "page", "", "what"], rows);
    });
}

/// Lists waits, retries and skipped questions. Empty if there were none.
fn troubles(report: &CollectReport) -> Vec<String> {
    let mut lines = Vec::new();
    let mut parts = Vec::new();
    if report.retries > 0 {
        parts.push(format!(
            "{} retried (waited {:.1} s between attempts)",
            plural(report.retries, "visit was", "visits were"),
            seconds(report.waits.backoff_ms)
        ));
    }
    if report.waits.held_back_ms > 0 {
        let held = seconds(report.waits.held_back_ms);
        parts.push(format!("paused {held:.1} s because the site was busy"));
    }
    if report.restarts > 0 {
        parts.push(format!("{} replaced", plural(report.restarts, "browser was", "browsers were")));
    }
    if !parts.is_empty() {
        lines.push(parts.join("; "));
        let slow = report.slowest.iter().take(3);
        let slow: Vec<String> =
            slow.map(|one| format!("{} {:.1} s", one.page, seconds(one.took_ms))).collect();
        lines.push(format!("slowest: {}", slow.join(", ")));
    }
    if report.answered_before > 0 {
        lines.push(format!(
            "{} answered before",
            plural(report.answered_before, "question was", "questions were")
        ));
    }
    if report.fresh > 0 {
        let fresh = plural(report.fresh, "question was", "questions were");
        lines.push(format!("{fresh} skipped, checked recently"));
    }
    lines
}

fn row(name: &str, totals: &Totals) -> Vec<Text> {
    let Totals { collected, agreed, absent, differing, failed, .. } = *totals;
    row![name, collected, agreed, absent, differing, failed]
}

fn verdict(report: &CollectReport) -> String {
    let totals = &report.totals;
    match report.exit_code {
        0 if report.questions.is_empty() => "ok: nothing left to collect; no page was visited".to_owned(),
        0 => format!("ok: {} collected, {} agreed", totals.collected, totals.agreed),
        3 if totals.differing > 0 => format!(
            "differences: {} from the page; the new readings are pending in {}",
            plural(totals.differing, "record differs", "records differ"),
            report.store.join("pending").display()
        ),
        3 => format!(
            "differences: {} their own response",
            plural(totals.disagreeing, "question contradicts", "questions contradict")
        ),
        4 => format!(
            "incomplete: {} failed; nothing was stored for failed questions",
            count(totals.failed, "question")
        ),
        5 => "the site was unreachable or refused; answers read before that are stored".to_owned(),
        130 => {
            format!("interrupted: {} not reached", plural(totals.skipped, "question was", "questions were"))
        }
        _ => format!("incomplete: {} of the store cannot be read", count(report.quarantined.len(), "file")),
    }
}
