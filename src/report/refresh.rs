//! The reports of a refresh: failures, then changes by kind with both readings side by side. A
//! ranking is one change. Also the reports of a commit, a discard and an undo.

use std::collections::{BTreeMap, BTreeSet};

use super::words::{Cause, add_questions, by_cause, count, idle_errors, plural, seconds};
use super::{Body, Card, CaseVerdict, Doc, Invocation, Report, ReportCase, Table, Text, Tone, quoted};
use crate::error::Exit;
use crate::row;
use crate::truth::ChangeKind;
use crate::workflow::Picture;
use crate::workflow::refresh::{
    Broken, Change, ChangePictures, ChangeSide, Committed, Discarded, Expiry, PicturesByPoint, Refreshed,
    ReleaseChange, Undone,
};
use atlas_gt_core::command_line::Placeholder;
use atlas_gt_core::question_id::question_label;

impl Report for Refreshed {
    const NAME: &'static str = "refresh";
    const ITEMS: Option<&'static str> = Some("changes");

    fn exit(&self) -> Exit {
        self.exit()
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let mut doc = Doc::new("Ground truth refresh");
        summary(&mut doc, self);
        doc.body.section("Failed questions (not changes)", |body| unread(body, self, invocation));
        let mut by_kinds: BTreeMap<BTreeSet<ChangeKind>, Vec<Vec<&Change>>> = BTreeMap::new();
        for group in grouped(&self.changes) {
            by_kinds.entry(kinds(&group)).or_default().push(group);
        }
        for (kinds, groups) in &by_kinds {
            let changes = || groups.iter().flatten();
            let questions: BTreeSet<&str> = changes().map(|change| change.question_id.as_str()).collect();
            let kinds = kinds.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            let (changes, questions) =
                (count(changes().count(), "change"), count(questions.len(), "question"));
            let title = format!("{kinds}: {changes} in {questions}");
            doc.body.section(title, |body| of_groups(body, groups, &self.pictures, invocation));
        }
        doc.body.section("Dropped changes", |body| body.list(self.expired.iter().map(expired)));
        doc.body.section("Not checked", |body| left_out(body, self, invocation));
        doc.body.list(idle_errors(&self.idle_errors));
        if !self.changes.is_empty() {
            doc.next("accept all", invocation.with_manifest("refresh --commit"));
            doc.next("accept one by one", invocation.with_manifest("refresh --review"));
        }
        if let Some(review) = &self.review {
            doc.next(review, invocation.command("review"));
        }
        if self.interrupted {
            let again = if self.api_only { "run it again" } else { "resume it" };
            doc.next(again, invocation.with_manifest(&self.resume));
        }
        doc
    }

    fn cases(&self) -> Vec<ReportCase> {
        let changed = self.changes.iter().map(|one| {
            let name = format!("{} {}", question_label(&one.question_id), one.field);
            ReportCase::new(name, CaseVerdict::Fail, &one.line)
        });
        let error = |id: &str, why: &str| ReportCase::of_question(id, CaseVerdict::Error, why);
        let broken = self.broken.iter().map(|one| error(&one.question_id, &one.notes.join("\n")));
        let failed = self.failed.iter().map(|one| error(&one.question_id, &one.cause));
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
    if let Some(ReleaseChange { before, after }) = &report.moved_on {
        doc.sum(format!(
            "the site published its {after} data (before: {before}) during the run; everything was checked again"
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

/// Lists changes, each with both readings.
pub fn of_changes(body: &mut Body, changes: &[Change], invocation: &Invocation) {
    of_groups(body, &grouped(changes), &PicturesByPoint::new(), invocation);
}

/// Groups changes by question and data point, in the order of their first change: a ranking is one
/// group, whatever happened to its rows.
fn grouped(changes: &[Change]) -> Vec<Vec<&Change>> {
    let mut places = BTreeMap::new();
    let mut groups: Vec<Vec<&Change>> = Vec::new();
    for change in changes {
        let place = *places.entry(change.point()).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(change),
            None => groups.push(vec![change]),
        }
    }
    groups
}

/// The kinds of a group.
fn kinds(group: &[&Change]) -> BTreeSet<ChangeKind> {
    group.iter().map(|change| change.kind).collect()
}

/// Lists groups of changes, each with both readings, and with pictures if there are any.
fn of_groups(body: &mut Body, groups: &[Vec<&Change>], pictures: &PicturesByPoint, invocation: &Invocation) {
    let head = ["question", "asked", "value", "old", "new", "note"];
    let rows = groups.iter().flat_map(|group| cells(group, invocation));
    let card = |group: &Vec<&Change>| {
        let pictures = group.first().and_then(|change| pictures.get(&change.point()));
        card(group, pictures, invocation)
    };
    body.cards(Table::new(&head).rows(rows), groups.iter().map(card).collect());
}

/// Changes as rows. Those of a ranking follow each other under one question.
fn cells(group: &[&Change], invocation: &Invocation) -> Vec<Vec<Text>> {
    let shown = |shown: &Option<ChangeSide>| {
        shown.as_ref().map_or_else(|| "–".to_owned(), |shown| shown.text.clone())
    };
    let is_mixed = kinds(group).len() > 1;
    let row = |(at, change): (usize, &&Change)| {
        let id = change.question_id.as_str();
        let of_first = |text: Text| if at == 0 { text } else { Text::default() };
        row![
            of_first(question_label(id).into()),
            of_first(invocation.question(id)),
            &change.name,
            shown(&change.old),
            shown(&change.new),
            note(change, is_mixed)
        ]
    };
    group.iter().enumerate().map(row).collect()
}

/// The remarks on a change. Among changes of other kinds, its kind is one.
fn note(change: &Change, is_mixed: bool) -> String {
    let what = match (&change.old, &change.new) {
        _ if is_mixed => Some(change.kind.to_string()),
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
    let kinds = kinds(group);
    let tone = ChangeKind::tone(&kinds);
    let is_mixed = kinds.len() > 1;
    let place = if change.needs_page_look { "API" } else { "page" };
    let is_list = group.len() > 1;
    let name = if is_list { change.data_point() } else { &change.name };
    let mut head = row![
        Text::badge(tone, question_label(&change.question_id)),
        format!("{name} "),
        Text::muted(format!("{} ", invocation.question(&change.question_id).text)),
        invocation.page(&change.page),
    ];
    if !is_list {
        head.push(Text::muted(format!(" {}", note(change, is_mixed))));
    }
    let blocks = Body::of(|body| {
        if is_list {
            let rows = group.iter().map(|one| {
                let tone = if one.old.is_none() { Tone::Good } else { Tone::Plain };
                let text = |shown: &Option<ChangeSide>| shown.as_ref().map(|shown| Text::from(&shown.text));
                let new = text(&one.new).map(|new| Text { tone, ..new });
                row![&one.name, text(&one.old), new, note(one, is_mixed)]
            });
            body.rows(&["row", "record", place, "note"], rows);
        }
        body.sides(|body| {
            let before = pictures.and_then(|both| both.before.as_ref());
            let now = pictures.and_then(|both| both.now.as_ref());
            let old = group.iter().find_map(|change| change.old.as_ref());
            let new = group.iter().find_map(|change| change.new.as_ref());
            body.section("record", |body| side(body, old, before, is_list));
            body.section(place, |body| side(body, new, now, is_list));
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

fn left_out(body: &mut Body, report: &Refreshed, invocation: &Invocation) {
    let browser_only = if report.api_only { report.browser_only.as_slice() } else { &[] };
    for (ids, one, many, what) in [
        (report.without_entry.as_slice(), "record has", "records have", "no question in the manifest"),
        (&report.without_page, "record has", "records have", "no page"),
        (browser_only, "question holds a value", "questions hold a value", "that only a browser can refresh"),
    ] {
        add_questions(body, format!("{} {what}", plural(ids.len(), one, many)), ids, invocation);
    }
}

/// What a commit or a discard says if there is no pending change.
const NOTHING_WAITS: &str = "no change is pending";

impl Report for Committed {
    const NAME: &'static str = "refresh_commit";
    const ITEMS: Option<&'static str> = Some("taken");

    fn exit(&self) -> Exit {
        let waits = if self.needs_page_look.is_empty() { Exit::Ok } else { Exit::Differences };
        self.looked.worst(waits)
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let values: usize = self.taken.iter().map(|accepted| accepted.changes.len()).sum();
        let left = plural(self.left, "change stays", "changes stay");
        let is_idle = self.left == 0 && self.expired.is_empty() && self.quarantined.is_empty();
        let (title, verdict) = match values {
            0 if is_idle => ("Nothing to accept".to_owned(), NOTHING_WAITS.to_owned()),
            0 => ("Nothing accepted".to_owned(), format!("nothing accepted, {left} pending")),
            _ => {
                let records = count(self.taken.len(), "record");
                let accepted = format!("{} of {records} accepted", count(values, "value"));
                (
                    format!("Accepted in run {}", self.run),
                    format!("{accepted} in run {}, {left} pending", self.run),
                )
            }
        };
        let mut doc = Doc::new(title);
        doc.verdict(Tone::Good, verdict);
        doc.body.list(self.needs_page_look.iter().map(|id| {
            let why = "its reading comes from a weaker source, so its page must be visited";
            format!("{} stays pending: {why}", question_label(id))
        }));
        for one in &self.expired {
            let question = question_label(&one.question_id);
            doc.body.line(format!("{question} dropped: {}", one.why));
        }
        for accepted in &self.taken {
            doc.body.list(accepted.changes.iter().map(|change| change.line.clone()));
            if !accepted.along.is_empty() {
                let along = accepted.along.join(", ");
                doc.body.line(format!("also accepted, because a ranking is accepted as a whole: {along}"));
            }
        }
        if let Some(first) = self.needs_page_look.first() {
            let reason = Placeholder::Reason;
            let force = format!("refresh --commit --question {first} --force --reason {reason}");
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::{Row, RowChange};
    use crate::workflow::refresh::judged;

    #[test]
    fn a_ranking_is_one_change_whatever_happened_to_its_rows() {
        let row = |point: &str, name: &str| Row {
            data_point: point.to_owned(),
            value: Some("$1".to_owned()),
            extra: [("product".to_owned(), name.into())].into_iter().collect(),
            ..Row::default()
        };
        let change = |old: Option<Row>, new: Option<Row>| {
            let field = old.as_ref().or(new.as_ref()).map(Row::field).unwrap_or_default();
            RowChange { field, old, new }
        };
        let gone = change(Some(row("top_products", "tea")), None);
        let other = change(None, Some(row("top_partners", "Uganda")));
        let new = change(None, Some(row("top_products", "coffee")));
        let changes = judged("61", "/countries/404", &[gone, other, new], None, None, false);
        let groups = grouped(&changes);
        assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
        let both = BTreeSet::from([ChangeKind::Disappearance, ChangeKind::Appearance]);
        assert_eq!(kinds(&groups[0]), both);
        let invocation = Invocation::default();
        let tones = groups.iter().map(|group| card(group, None, &invocation).tone);
        assert_eq!(tones.collect::<Vec<_>>(), [Tone::Warning, Tone::Good]);
        let rows = cells(&groups[0], &invocation);
        let notes: Vec<&str> = rows.iter().map(|row| row[5].text.as_str()).collect();
        assert_eq!(notes, ["disappearance, no longer there", "appearance, not there before"]);
        assert_eq!((rows[0][0].text.as_str(), rows[1][0].text.as_str()), ("Q61", ""));
    }
}
