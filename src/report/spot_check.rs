//! The report of a spot check: mismatches first, with agent answer, page and record side by side.

use super::chart::Gauge;
use super::words::{between, count, per_cent, plural, seconds};
use super::{Body, Card, CaseVerdict, Doc, Invocation, Report, ReportCase, Table, Text, Tone, quoted};
use crate::error::Exit;
use crate::evaluate::checked::CheckedPoint;
use crate::row;
use crate::truth::Site;
use crate::workflow::SpotCheckCause;
use crate::workflow::spot_check::{CheckedQuestion, SpotReport};
use atlas_gt_core::question_id::question_label;

impl Report for SpotReport {
    const NAME: &'static str = "spot_check";
    const ITEMS: Option<&'static str> = Some("details");

    fn exit(&self) -> Exit {
        self.exit()
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let report = self;
        let mut doc = Doc::new(format!("Spot check {}", report.timestamp));
        summary(&mut doc, report);
        doc.body.figures([
            ("checked", Text::from(report.questions_checked)),
            ("match", Text::toned(Tone::Good, report.matches)),
            ("mismatch", Text::toned(Tone::Bad, report.mismatches)),
            ("agent failed", Text::toned(Tone::Warning, report.agent_failed)),
            ("page unreadable", Text::toned(Tone::Warning, report.page_unreadable)),
            ("unscored", Text::toned(Tone::Warning, report.unscored)),
        ]);
        if let Some(rate) = &report.match_rate {
            let interval = (rate.interval.low, rate.interval.high);
            let words =
                format!("match rate {}, 95 % interval {}", per_cent(rate.rate), between(&rate.interval));
            let gauge =
                Gauge { scale: (0.0, 1.0), value: rate.rate, interval: Some(interval), ..Gauge::default() };
            doc.body.line(Text::from(&words).with(gauge.chart(words)));
        }
        if !report.pending.is_empty() {
            let ids: Vec<String> = report.pending.iter().map(question_label).collect();
            let differs = plural(report.pending.len(), "page differs", "pages differ");
            doc.body.note(row![format!("{differs} from the record: {}", ids.join(", "))]);
            doc.next("see the pending changes", invocation.with_manifest("refresh"));
            doc.next("accept them", invocation.with_manifest("refresh --commit"));
        }
        if let Some(why) = &report.partial {
            doc.body.note(row![format!("PARTIAL CHECK: {why}.")]);
            let folder = quoted(&report.folder.display().to_string());
            doc.next("continue it", invocation.with_manifest(&format!("spot-check --resume {folder}")));
        }
        doc.body.list(report.expired.iter().map(super::refresh::expired));
        let mut order: Vec<&CheckedQuestion> = report.details.iter().collect();
        order.sort_by_key(|question| match question.verdict.cause.is_match() {
            Some(false) => 0,
            None => 1,
            Some(true) => 2,
        });
        let head = ["question", "asked", "cause", "agent", "page", "stored truth", "why"];
        let cards = order.iter().map(|question| card(question, report.site)).collect();
        let rows = order.iter().map(|question| cells(question, report.site));
        doc.body.cards(Table::new(&head).rows(rows), cards);
        doc.body.section("Causes", |body| {
            let causes = SpotCheckCause::ALL
                .iter()
                .copied()
                .filter_map(|cause| Some((cause, *report.causes.get(&cause)?)));
            let cells = |(cause, number): (SpotCheckCause, usize)| {
                row![Text::badge(tone(cause), cause.words()), number]
            };
            body.table(Table::new(&["cause", ">questions"]).rows(causes.map(cells)));
        });
        doc.body.section("Refused scores", |body| {
            let refused = report.refused.iter();
            body.items(refused.map(|one| {
                row![
                    format!("{} ", question_label(&one.question_id)),
                    Text::code(&one.score.field),
                    format!(": no score, {}", one.score.reason)
                ]
            }));
        });
        doc.body.section("Notes", |body| {
            let notes = report.details.iter().flat_map(|one| one.notes.iter().map(move |note| (one, note)));
            body.list(
                notes.map(|(one, note)| Text::brief(&format!("{}: {note}", question_label(id(one))), 200)),
            );
        });
        doc
    }

    fn cases(&self) -> Vec<ReportCase> {
        let case = |one: &CheckedQuestion| {
            let state = match one.verdict.cause.is_match() {
                Some(true) => CaseVerdict::Pass,
                Some(false) => CaseVerdict::Fail,
                None if one.agent_answer.is_none() => CaseVerdict::Error,
                None => CaseVerdict::Unscored,
            };
            let why = one.discrepancy.clone().unwrap_or_else(|| one.verdict.cause.words());
            ReportCase::new(question_label(id(one)), state, why)
        };
        self.details.iter().map(case).collect()
    }
}

fn summary(doc: &mut Doc, report: &SpotReport) {
    let word = match report.exit_code {
        0 => "ok",
        3 => "MISMATCHES",
        6 => "AGENT FAILED",
        130 => "INTERRUPTED",
        _ => "INCOMPLETE",
    };
    doc.sum(Text::toned(
        Tone::of_exit(report.exit_code),
        format!(
            "{word}: {} checked, {} match, {} mismatch; {} agent failed, {} page unreadable, {} unscored",
            report.questions_checked,
            report.matches,
            report.mismatches,
            report.agent_failed,
            report.page_unreadable,
            report.unscored
        ),
    ));
    let seed = report.seed.map_or_else(|| "questions as named".to_owned(), |seed| format!("seed {seed}"));
    doc.sum(format!(
        "{} of {} ({seed}), {}, {}, {:.1} s; {}, mode {}; site {} ({})",
        count(report.questions_chosen, "question"),
        report.sample.of,
        count(report.pages, "page"),
        count(report.requests, "request"),
        seconds(report.took_ms),
        report.agent,
        report.mode.name(),
        report.site,
        report.address,
    ));
    doc.sum(&report.sample.says);
}

const fn tone(cause: SpotCheckCause) -> Tone {
    match cause.is_match() {
        Some(true) => Tone::Good,
        Some(false) => Tone::Bad,
        None => Tone::Warning,
    }
}

fn id(question: &CheckedQuestion) -> String {
    question.question_id.to_string()
}

fn cells(question: &CheckedQuestion, site: Site) -> Vec<Text> {
    let cause = question.verdict.cause;
    row![
        Text::from(id(question)).linked(site.page(&question.atlas_url).link.as_deref()),
        Text::brief(&question.question_text, 90),
        Text::badge(tone(cause), cause.words()),
        answer_text(question),
        question
            .browser_data
            .as_deref()
            .map_or_else(|| Text::muted("unreadable"), |text| Text::brief(text, 60)),
        Text::brief(&question.verdict.stored_truth, 60),
        Text::brief(question.discrepancy.as_deref().unwrap_or_default(), 300),
    ]
}

/// The agent's values for the data points, or else the start of its answer.
fn answer_text(question: &CheckedQuestion) -> Text {
    let Some(answer) = question.agent_answer.as_deref() else { return Text::muted("no answer") };
    let values: Vec<&str> =
        question.verdict.points.iter().filter_map(|point| point.agent.as_deref()).collect();
    Text::brief(if values.is_empty() { answer.to_owned() } else { values.join("; ") }.as_str(), 60)
}

fn card(question: &CheckedQuestion, site: Site) -> Card {
    let cause = question.verdict.cause;
    let head = row![
        Text::badge(tone(cause), cause.words()),
        Text::muted(format!("{} ", question_label(id(question)))),
        &question.question_text
    ];
    let blocks = Body::of(|body| {
        if let Some(why) = &question.discrepancy {
            body.line(why);
        }
        body.sides(|body| sides(body, question, site));
        body.folded("Data points and trace", |body| points(body, question));
    });
    Card { id: format!("q{}", id(question)).into(), tone: tone(cause), head, blocks, ..Card::default() }
}

fn sides(body: &mut Body, question: &CheckedQuestion, site: Site) {
    body.section("Agent", |body| {
        match &question.agent_answer {
            Some(answer) => body.code(answer),
            None => body.line(Text::muted("no answer")),
        }
        // as plain text, because the agent may have invented the address
        body.list(&question.links);
        body.line(Text::muted(format!("pipeline {}", question.verdict.pipeline)));
    });
    body.section("Page", |body| {
        match &question.browser_data {
            Some(data) => body.value(data),
            None => body.line(Text::muted("could not be read")),
        }
        if let Some(picture) = &question.picture {
            body.picture(picture.caption(), &picture.png);
        }
        body.line(Text { tone: Tone::Muted, ..Text::page(&site.page(&question.atlas_url)) });
    });
    body.section("Stored truth", |body| {
        body.value(&question.verdict.stored_truth);
        if question.pending_change {
            body.line(Text::muted("a change waits"));
        }
    });
}

fn points(body: &mut Body, question: &CheckedQuestion) {
    let cells = |point: &CheckedPoint| {
        row![
            Text::code(&point.field),
            point.agent.clone(),
            point.page.clone(),
            point.truth.clone(),
            Text::badge(tone(point.cause), point.cause.words()),
            &point.reason
        ]
    };
    let head = ["data point", "agent", "page", "stored", "cause", "why"];
    body.table(Table::new(&head).rows(question.verdict.points.iter().map(cells)));
    if let Some(trace) = &question.trace {
        body.line(Text::muted(format!(
            "tools: {} · nodes: {}",
            trace.tool_calls.join(", "),
            trace.node_sequence.join(" → ")
        )));
        if !trace.unknown_keys.is_empty() {
            body.line(Text::muted(format!("unread trace keys: {}", trace.unknown_keys.join(", "))));
        }
        if let Some(sql) = &trace.pipeline_sql {
            body.code(sql);
        }
    }
    body.list(question.notes.iter().map(|note| Text::muted(format!("note: {note}"))));
}
