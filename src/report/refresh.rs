//! The reports of a refresh: failures, then changes by kind with both readings side by side. Also
//! the reports of a commit, a discard and an undo.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::words::{Cause, by_cause, count, idle_errors, plural, seconds};
use super::{Body, Card, CaseVerdict, Doc, Invocation, Report, ReportCase, Table, Text, Tone, quoted};
use crate::error::Exit;
use crate::row;
use crate::truth::ChangeKind;
use crate::workflow::Picture;
use crate::workflow::refresh::{
    Broken, Change, ChangePictures, ChangeSide, Committed, Discarded, Expiry, Refreshed, Undone,
};
use atlas_gt_core::question_id::question_label;

/// A refresh, and its questions under review.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RefreshReport<'a> {
    /// The result.
    #[serde(flatten)]
    pub report: &'a Refreshed,
    /// A sentence on the questions under review.
    #[serde(skip)]
    pub review: Option<String>,
    /// The command that continues the run if it was interrupted: `refresh --resume`.
    #[serde(skip)]
    pub resume: String,
}

impl Report for RefreshReport<'_> {
    const NAME: &'static str = "refresh";
    const ITEMS: Option<&'static str> = Some("changes");

    fn exit(&self) -> Exit {
        self.report.exit()
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let report = self.report;
        let mut doc = Doc::new("Ground truth refresh");
        summary(&mut doc, report);
        doc.body.section("Failed questions (not changes)", |body| unread(body, report, invocation));
        for &kind in ChangeKind::ALL {
            let of_kind: Vec<&Change> = report.changes.iter().filter(|change| change.kind == kind).collect();
            let questions: BTreeSet<&str> =
                of_kind.iter().map(|change| change.question_id.as_str()).collect();
            let changes = count(of_kind.len(), "change");
            let title = format!("{kind}: {changes} in {}", count(questions.len(), "question"));
            doc.body.section(title, |body| of_changes(body, &of_kind, &report.pictures, invocation));
        }
        doc.body.section("Dropped changes", |body| body.list(report.expired.iter().map(expired)));
        doc.body.section("Not checked", |body| left_out(body, report));
        doc.body.list(idle_errors(&report.idle_errors));
        if !report.changes.is_empty() {
            doc.next("accept all", invocation.with_manifest("refresh --commit"));
            doc.next("accept one by one", invocation.with_manifest("refresh --review"));
        }
        if let Some(review) = &self.review {
            doc.next(review, invocation.command("review"));
        }
        if report.interrupted {
            doc.next("resume it", invocation.with_manifest(&self.resume));
        }
        doc
    }

    fn cases(&self) -> Vec<ReportCase> {
        let report = self.report;
        let changed = report.changes.iter().map(|one| {
            let name = format!("{} {}", question_label(&one.question_id), one.field);
            ReportCase::new(name, CaseVerdict::Fail, &one.line)
        });
        let error = |id: &str, why: &str| ReportCase::of_question(id, CaseVerdict::Error, why);
        let broken = report.broken.iter().map(|one| error(&one.question_id, &one.notes.join("\n")));
        let failed = report.failed.iter().map(|one| error(&one.question_id, &one.cause));
        changed.chain(broken).chain(failed).collect()
    }
}

fn summary(doc: &mut Doc, report: &Refreshed) {
    doc.verdict(Tone::of_exit(report.exit_code), verdict(report));
    let loads: u32 = report.visits.iter().map(|visit| visit.loads).sum();
    doc.sum(format!(
        "{} of {}: {} unchanged, {}, {} broken, {} not read; {}, {}, {:.1} s{}",
        count(report.questions, "question"),
        report.site,
        report.unchanged,
        count(report.changes.len(), "change"),
        report.broken.len(),
        report.failed.len(),
        count(loads, "load"),
        count(report.requests, "request"),
        seconds(report.took_ms),
        report.site_vintage.as_ref().map_or_else(String::new, |vintage| format!("; data of {vintage}")),
    ));
    if let Some((before, now)) = &report.moved_on {
        doc.sum(format!(
            "the site published its {now} data (before: {before}) during the run; everything was checked again"
        ));
    }
}

fn verdict(report: &Refreshed) -> String {
    let looks = report.changes.iter().filter(|change| change.needs_page_look).count();
    let waits = plural(report.changes.len(), "change waits", "changes wait");
    match report.exit_code {
        0 if report.questions == 0 => format!(
            "ok: none of the {} is stale; no page was visited",
            plural(report.fresh, "chosen record", "chosen records")
        ),
        0 if report.api_only => {
            format!("ok: {} with the APIs", plural(report.unchanged, "record agrees", "records agree"))
        }
        0 if report.unchanged == 1 => "ok: the record agrees with its page".to_owned(),
        0 => format!("ok: all {} records agree with their pages", report.unchanged),
        3 if looks > 0 => format!("{waits}, {looks} of them for a page visit that --commit makes"),
        3 => format!("{waits} for refresh --commit; no record was changed"),
        4 => format!(
            "incomplete: {}; a failure is not a change, and no record was changed",
            count(report.failed.len() + report.broken.len(), "question")
        ),
        5 => "the site was unreachable or refused; no record was changed".to_owned(),
        130 => {
            format!("interrupted: {} not reached", plural(report.skipped, "question was", "questions were"))
        }
        _ => format!(
            "incomplete: {} of the store cannot be read; no record was changed",
            count(report.quarantined.len(), "file")
        ),
    }
}

/// Lists failed questions, one row per cause, with a remedy.
pub fn unread(body: &mut Body, report: &Refreshed, invocation: &Invocation) {
    let head = ["questions", "asked", "page", "why"];
    let of_broken = |broken: &Broken| {
        let why = format!("extractor broken: {}", broken.notes.join("; "));
        Cause { why, ids: vec![&broken.question_id], page: &broken.page }.cells(invocation)
    };
    let failed = report.failed.iter();
    let causes =
        by_cause(failed.map(|one| (one.question_id.as_str(), one.page.as_str(), one.cause.as_str())));
    let causes = causes.iter().map(|cause| cause.cells(invocation));
    body.rows(&head, report.broken.iter().map(of_broken).chain(causes));
    match &report.mendable {
        Some(one) => {
            let of = count(one.of, "missing point");
            body.line(format!("`mend` could propose changes for {} of {of}:", one.points));
            let bundle = quoted(&one.bundle.display().to_string());
            body.code(invocation.command(&format!("mend {bundle}")));
        }
        None if report.broken.is_empty() => {}
        None => {
            let ids: Vec<&str> = report.broken.iter().map(|broken| broken.question_id.as_str()).collect();
            let command = invocation.with_manifest(&format!("collect --questions {}", ids.join(",")));
            body.line("to keep the files needed to fix the extractor:");
            body.code(command);
        }
    }
}

/// The data point of a field. Rows of a ranking share it, so they count as one change.
fn data_point(field: &str) -> &str {
    field.split('[').next().unwrap_or(field)
}

/// Lists changes, each with both readings, and with pictures if there are any.
pub fn of_changes(
    body: &mut Body,
    changes: &[&Change],
    pictures: &BTreeMap<String, ChangePictures>,
    invocation: &Invocation,
) {
    let alike = |one: &&Change, next: &&Change| {
        one.question_id == next.question_id && data_point(&one.field) == data_point(&next.field)
    };
    let groups: Vec<&[&Change]> = changes.chunk_by(alike).collect();
    let head = ["question", "asked", "value", "old", "new", "note"];
    let rows = groups.iter().map(|group| cells(group, invocation));
    let card = |group: &&[&Change]| {
        let pictures = group.first().and_then(|change| pictures.get(&change.question_id));
        card(group, pictures, invocation)
    };
    body.cards(Table::new(&head).rows(rows), groups.iter().map(card).collect());
}

/// A change as a row. The changes of a ranking share one row.
fn cells(group: &[&Change], invocation: &Invocation) -> Vec<Text> {
    let lines =
        |of: &dyn Fn(&Change) -> String| group.iter().map(|change| of(change)).collect::<Vec<_>>().join("\n");
    let shown = |shown: &Option<ChangeSide>| {
        shown.as_ref().map_or_else(|| "–".to_owned(), |shown| shown.text.clone())
    };
    let id = group.first().map(|change| change.question_id.as_str()).unwrap_or_default();
    row![
        question_label(id),
        invocation.question(id),
        lines(&|change| change.name.clone()),
        lines(&|change| shown(&change.old)),
        lines(&|change| shown(&change.new)),
        lines(&note)
    ]
}

fn note(change: &Change) -> String {
    let what = match (&change.old, &change.new) {
        (None, _) => Some("added".to_owned()),
        (_, None) => Some("gone".to_owned()),
        _ => None,
    };
    let look = change.needs_page_look.then(|| "needs a page visit".to_owned());
    let reason = Some(change.reason.clone()).filter(|reason| !reason.is_empty());
    let notes: Vec<String> = [what, change.by.clone(), reason, look].into_iter().flatten().collect();
    notes.join(", ")
}

/// A change with both readings side by side. A ranking is a table.
fn card(group: &[&Change], pictures: Option<&ChangePictures>, invocation: &Invocation) -> Card {
    let Some(change) = group.first() else { return Card::default() };
    let tone = match (&change.old, &change.new) {
        (None, _) => Tone::Good,
        (_, None) => Tone::Bad,
        _ => Tone::Warning,
    };
    let place = if change.needs_page_look { "API" } else { "page" };
    let is_list = group.len() > 1;
    let name = if is_list { data_point(&change.field) } else { &change.name };
    let mut head = row![
        Text::badge(tone, question_label(&change.question_id)),
        format!("{name} "),
        Text::muted(format!("{} ", invocation.question(&change.question_id).text)),
        invocation.page(&change.page),
    ];
    if !is_list {
        head.push(Text::muted(format!(" {}", note(change))));
    }
    let blocks = Body::of(|body| {
        if is_list {
            let rows = group.iter().map(|one| {
                let tone = if one.old.is_none() { Tone::Good } else { Tone::Plain };
                let text = |shown: &Option<ChangeSide>| shown.as_ref().map(|shown| Text::from(&shown.text));
                let new = text(&one.new).map(|new| Text { tone, ..new });
                row![&one.name, text(&one.old), new, note(one)]
            });
            body.rows(&["row", "record", place, "note"], rows);
        }
        body.sides(|body| {
            let before = pictures.and_then(|both| both.before.as_ref());
            let now = pictures.and_then(|both| both.now.as_ref());
            body.section("record", |body| side(body, change.old.as_ref(), before, is_list));
            body.section(place, |body| side(body, change.new.as_ref(), now, is_list));
        });
    });
    Card { tone, head, blocks, ..Card::default() }
}

/// One side of a change. For a ranking only the picture, because its rows are in a table.
fn side(body: &mut Body, shown: Option<&ChangeSide>, picture: Option<&Picture>, is_list: bool) {
    let Some(shown) = shown else {
        return body.line(Text::muted("no such row"));
    };
    if !is_list {
        body.value(Text::toned(if shown.is_there { Tone::Plain } else { Tone::Muted }, &shown.text));
    }
    if let Some(picture) = picture {
        body.picture(picture.caption(), &picture.png);
    }
    let hash = shown.evidence.as_ref().map(ToString::to_string);
    let of_row = |fact: Option<&String>| fact.filter(|_| !is_list).cloned();
    let displayed = shown.displayed.as_ref().filter(|text| **text != shown.text);
    let facts = [
        ("number", of_row(shown.number.as_ref())),
        ("year", of_row(shown.year.as_ref())),
        ("rank", of_row(shown.rank.as_ref())),
        ("displayed", of_row(displayed)),
        ("read", shown.read_at.clone()),
        ("found", of_row(shown.locator.as_ref())),
        // the picture replaces the hash
        ("evidence", hash.filter(|_| picture.is_none())),
    ];
    body.facts(facts.into_iter().filter_map(|(name, value)| Some((name, value?))));
}

/// A dropped reading as text.
pub(super) fn expired(expired: &Expiry) -> String {
    format!("{}: the pending reading was dropped: {}", question_label(&expired.question_id), expired.why)
}

fn left_out(body: &mut Body, report: &Refreshed) {
    let browser_only = if report.api_only { report.browser_only.as_slice() } else { &[] };
    for (ids, one, many, what) in [
        (report.without_entry.as_slice(), "record has", "records have", "no question in the manifest"),
        (&report.without_page, "record has", "records have", "no page"),
        (browser_only, "question holds a value", "questions hold a value", "that only a browser can refresh"),
    ] {
        if !ids.is_empty() {
            body.line(format!("{} {what}: {}", plural(ids.len(), one, many), ids.join(" ")));
        }
    }
}

/// The report of a commit.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CommitReport<'a> {
    /// The result of the commit.
    #[serde(flatten)]
    pub done: &'a Committed,
    /// The exit code of the page visits.
    #[serde(skip)]
    pub looked: Exit,
}

/// What a commit or a discard says if there is no pending change.
const NOTHING_WAITS: &str = "nothing waits: no change is pending";

impl Report for CommitReport<'_> {
    const NAME: &'static str = "refresh_commit";
    const ITEMS: Option<&'static str> = Some("taken");

    fn exit(&self) -> Exit {
        let waits = if self.done.needs_page_look.is_empty() { Exit::Ok } else { Exit::Differences };
        self.looked.worst(waits)
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let done = self.done;
        let values: usize = done.taken.iter().map(|accepted| accepted.changes.len()).sum();
        let left = plural(done.left, "change stays", "changes stay");
        let is_idle = done.left == 0 && done.expired.is_empty() && done.quarantined.is_empty();
        let (title, verdict) = match values {
            0 if is_idle => ("Nothing to accept".to_owned(), NOTHING_WAITS.to_owned()),
            0 => ("Nothing accepted".to_owned(), format!("nothing accepted, {left} pending")),
            _ => {
                let records = count(done.taken.len(), "record");
                let accepted = format!("{} of {records} accepted", count(values, "value"));
                (
                    format!("Accepted in run {}", done.run),
                    format!("{accepted} in run {}, {left} pending", done.run),
                )
            }
        };
        let mut doc = Doc::new(title);
        doc.verdict(Tone::Good, verdict);
        doc.body.list(done.needs_page_look.iter().map(|id| {
            let why = "its reading comes from a weaker source, so its page must be visited";
            format!("{} stays pending: {why}", question_label(id))
        }));
        for one in &done.expired {
            let question = question_label(&one.question_id);
            doc.body.line(format!("{question} dropped: {}", one.why));
        }
        for accepted in &done.taken {
            doc.body.list(accepted.changes.iter().map(|change| change.line.clone()));
            if !accepted.along.is_empty() {
                let along = accepted.along.join(", ");
                doc.body.line(format!("also accepted, because a ranking is accepted as a whole: {along}"));
            }
        }
        if let Some(first) = done.needs_page_look.first() {
            let force = format!("refresh --commit --question {first} --force --reason TEXT");
            doc.next("accept it without a page visit", invocation.command(&force));
        }
        if values > 0 {
            doc.next("see", invocation.command("changelog"));
            doc.next("undo it", invocation.command("refresh --undo"));
        }
        doc
    }
}

impl Report for Discarded {
    const NAME: &'static str = "refresh_discard";
    const ITEMS: Option<&'static str> = Some("dropped");

    fn doc(&self, invocation: &Invocation) -> Doc {
        let left = plural(self.left, "change stays", "changes stay");
        let (title, verdict) = match self.dropped.len() + self.unreadable.len() {
            0 if self.left == 0 && self.quarantined.is_empty() => {
                ("Nothing to discard".to_owned(), NOTHING_WAITS.to_owned())
            }
            0 => ("Nothing discarded".to_owned(), format!("nothing discarded, {left} pending")),
            discarded => (
                format!("Discarded in run {}", self.run),
                format!(
                    "{} discarded in run {}, {left} pending; the next refresh finds differences that remain",
                    count(discarded, "change"),
                    self.run
                ),
            ),
        };
        let mut doc = Doc::new(title);
        doc.sum(verdict);
        doc.body.list(self.dropped.iter().map(|change| format!("discarded: {}", change.line)));
        let unreadable = |id: &String| format!("discarded: {}, which could not be read", question_label(id));
        doc.body.list(self.unreadable.iter().map(unreadable));
        if !self.dropped.is_empty() {
            doc.next("undo it", invocation.command("refresh --undo"));
        }
        doc
    }
}

impl Report for Undone {
    const NAME: &'static str = "refresh_undo";
    const ITEMS: Option<&'static str> = Some("questions");

    fn exit(&self) -> Exit {
        if self.left.is_empty() { Exit::Ok } else { Exit::Differences }
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let mut doc = Doc::new(format!("Run {} undone", self.run));
        doc.verdict(
            Tone::Good,
            format!(
                "run {} undone: changes of {} are pending again",
                self.run,
                count(self.questions.len(), "question")
            ),
        );
        for one in &self.questions {
            doc.body
                .list(one.changes.iter().map(|line| format!("{}: {line}", question_label(&one.question_id))));
        }
        doc.body.list(self.left.iter().map(|why| format!("not undone: {why}")));
        doc.next("see", invocation.command("changelog"));
        doc
    }
}
