//! The overview of a run: notices, targets, verdicts, dimensions, groups.

use super::super::chart::{Chart, Gauge};
use super::super::suite::mean_score;
use super::super::words::{badge, count, exit_line, first_ids, per_cent, plural, verdict_counts};
use super::super::{Body, Doc, Table, Text, Tone};
use super::facts::anchor_line;
use super::shown::{filter, outcome, rate, score, shown, words};
use super::{EvalReport, question};
use crate::manifest::QuestionId;
use crate::row;
use crate::scoring::cost::WEEKLY_ALERT;
use crate::scoring::stats::Proportion;
use crate::words::spaced;
use crate::workflow::evaluate::{
    CaseKind, CaseVerdict, Decider, QuestionGroup, RunSummary, RunTarget, Score5, TargetUnit,
};
use atlas_gt_core::question_id::question_label;

/// The result of the run, with its agent and judge.
pub(super) fn summary(doc: &mut Doc, summary: &RunSummary) {
    let tone = Tone::of_exit(summary.exit_code);
    doc.sum(Text::toned(tone, exit_line(summary.exit_code, &summary.exit_reason)));
    let ended: u64 = summary.counts.values().sum();
    let planned = count(summary.planned, "question");
    doc.sum(format!("{ended} of {planned}: {}", verdict_counts(&summary.counts)));
    if let Some(gate) = &summary.gate {
        let word = if gate.passed { "passed" } else { "FAILED" };
        doc.sum(format!("gate of {} {word}: {}", per_cent(gate.min_pass_rate), gate.note));
    }
    doc.sum(format!("pass rate {}", rate(summary.pass_rate)));
    match summary.suite.as_ref() {
        Some(suite) => mean_score(suite).into_iter().for_each(|mean| doc.sum(mean)),
        None => doc.sum(format!("weighted score {}", score(summary.weighted_score))),
    }
    let site = match summary.source {
        CaseKind::Manifest | CaseKind::SpotCheck => format!(" about the {} site", summary.site),
        CaseKind::Components | CaseKind::Suite => String::new(),
    };
    doc.sum(format!("run {}: agent {}{site}; {}", summary.run, summary.agent, summary.selection));
    doc.sum(match &summary.judge {
        Some(judge) => format!(
            "judge {} (prompts {}), {}, asked {} each",
            judge.model,
            judge.prompts_hash,
            words(&judge.rubric),
            plural(judge.repeat, "time", "times")
        ),
        None => "no judge".to_owned(),
    });
    doc.sum(format!(
        "{} to {}, {:.1} s; scoring version {}, atlas-gt {}",
        summary.started, summary.ended, summary.duration_s, summary.scoring_version, summary.tool_version
    ));
}

/// Links to the first of some questions, and to the filter for all of them.
fn links(ids: &[String], remark: &str) -> Vec<Text> {
    const FIRST: usize = 8;
    let mut parts = Vec::new();
    for id in ids.iter().take(FIRST) {
        parts.push(Text::from(" "));
        parts.push(Text::from(question_label(id)).to(&format!("#q{id}")));
    }
    if ids.len() > FIRST {
        parts.push(Text::from(format!(" and {} more", ids.len() - FIRST)));
    }
    if ids.len() > 1 {
        parts.push(Text::from(" "));
        parts.push(Text::from("(all)").to(&filter("remark", remark)));
    }
    parts
}

/// Notices that a reader needs before the figures.
pub(super) fn notices(body: &mut Body, report: &EvalReport<'_>) {
    let (summary, store) = (report.summary, &report.store);
    let mut note = |text: String, more: Vec<Text>| {
        let mut parts = row![text];
        parts.extend(more);
        body.note(parts);
    };
    if let Some(why) = &summary.partial {
        let rates = match summary.suite {
            Some(_) => "Cases that were not asked count as not passed.",
            None => "The rates cover the finished questions only.",
        };
        note(format!("PARTIAL RUN: {why}. {rates}"), Vec::new());
    }
    match &summary.calibration {
        Some(known) if !known.is_calibrated => {
            let why = known.why.as_deref().unwrap_or("it was never compared with human labels");
            note(
                format!("the judge is UNCALIBRATED: {why}. A gate counts its decisions as undecided."),
                Vec::new(),
            );
        }
        _ => {}
    }
    if let Some(anchors) = summary.anchors.as_ref().filter(|anchors| anchors.drifted == Some(true)) {
        note(format!("{}: a change in scores may come from the judge", anchor_line(anchors)), Vec::new());
    }
    if !summary.unstable.is_empty() {
        let unstable = plural(summary.unstable.len(), "question is", "questions are");
        note(
            format!("{unstable} unstable: repeated judgements differ."),
            links(&summary.unstable, question::UNSTABLE),
        );
    }
    let changed: Vec<String> = store.changed.iter().map(QuestionId::to_string).collect();
    if !changed.is_empty() {
        let questions = count(changed.len(), "question");
        let text = format!(
            "The record of {questions} has changed or disappeared since the run. The verdicts use the record as it was."
        );
        note(text, links(&changed, question::TRUTH_CHANGED));
    }
    let has_truth = report.questions.iter().any(|one| one.truth.is_some());
    if let Some(why) = store.unread.as_ref().filter(|_| has_truth) {
        note(
            format!("It is unknown whether records have changed since, and pictures are missing: {why}"),
            Vec::new(),
        );
    }
    if let Some((id, why)) = summary.judge_failures.iter().next() {
        let ids: Vec<String> = summary.judge_failures.keys().cloned().collect();
        let mut more = links(&ids, question::JUDGE_FAILED);
        more.push(Text::from(format!(". {}: {why}", question_label(id))));
        note("the judge failed on questions that need it:".to_owned(), more);
    }
    for one in &summary.unreadable {
        note(
            format!(
                "{} was not asked because its record cannot be read: {}",
                question_label(&one.question_id),
                one.why
            ),
            Vec::new(),
        );
    }
    if !summary.unknown_answers.is_empty() {
        note(summary.unknown_answers.to_string(), Vec::new());
    }
    if let Some(run) = &summary.rescore_of {
        note(format!("The answers come from run {run}, scored again."), Vec::new());
    }
    if summary.cost.week_alert {
        note(format!("ALERT: more than ${WEEKLY_ALERT} spent in seven days"), Vec::new());
    }
}

/// Adds targets, verdicts, dimensions and groups.
pub(super) fn sections(body: &mut Body, summary: &RunSummary) {
    body.section("Targets", |body| targets(body, summary));
    body.section("Verdicts", |body| verdicts(body, summary));
    body.section("Dimensions of the judge", |body| dimensions(body, summary));
    for (title, key, groups) in [
        ("Categories", Some("category"), &summary.categories),
        ("Difficulty", Some("difficulty"), &summary.difficulties),
        ("Query types", Some("type"), &summary.query_types),
        ("Cohorts", None, &summary.cohorts),
        ("Links", None, &summary.links),
        ("Sources of the truth", None, &summary.source_methods),
    ] {
        // cases of suites and components have none of these
        if groups.iter().any(|group| group.name != "none") {
            body.section(title, |body| body.table(group_table(key, groups)));
        }
    }
}

fn targets(body: &mut Body, summary: &RunSummary) {
    let cells = |target: &RunTarget| {
        let shown = |value: f64| shown(target, value);
        let interval = target.low.zip(target.high);
        let scale = match target.unit {
            TargetUnit::Points => (1.0, 5.0),
            TargetUnit::Milliseconds => (0.0, target.value.unwrap_or_default().max(2.0 * target.limit)),
            TargetUnit::Share => (0.0, 1.0),
        };
        let found = target.value.map_or_else(
            || Text::muted("–"),
            |value| {
                let text = shown(value);
                let label = format!("{}: {text}, target {}", target.name, target.target);
                let gauge = Gauge { scale, value, interval, limit: Some(target.limit) };
                Text::from(text).with(gauge.chart(label))
            },
        );
        let ends = interval.map(|(low, high)| format!("{} to {}", shown(low), shown(high)));
        row![target.name, &target.target, found, ends.unwrap_or_default(), target.n, outcome(target)]
    };
    let head = ["target", "asked for", "found", "95 % interval", ">n", ""];
    body.table(Table::new(&head).rows(summary.targets.iter().map(cells)));
}

fn verdicts(body: &mut Body, summary: &RunSummary) {
    let count_of = |verdict: CaseVerdict| summary.counts.get(&verdict).copied().unwrap_or(0);
    let cells =
        |verdict: CaseVerdict| row![badge(verdict).to(&filter("verdict", verdict.name())), count_of(verdict)];
    body.table(Table::new(&["verdict", ">questions"]).rows(CaseVerdict::ALL.iter().copied().map(cells)));
    let by = |decider: Decider| summary.decided_by.get(&decider).copied().unwrap_or(0);
    body.line(format!(
        "decided by rules {}, by the judge {}, undecided {}",
        by(Decider::Rules),
        by(Decider::Judge),
        by(Decider::Nobody)
    ));
    if summary.without_truth > 0 {
        body.line(format!("skipped for lack of a reference: {}", summary.without_truth));
    }
    if let Some(share) = summary.right_share {
        let (mean, answers) = (per_cent(share.mean), count(share.n, "answer"));
        body.line(format!("right data points per answer: {mean} on average, over {answers} scored by rules"));
    }
    if let Some(known) = summary.calibration.as_ref().filter(|known| known.is_calibrated) {
        body.line(format!(
            "the judge is calibrated on {}: agreement {}, kappa {:.2}",
            count(known.labels, "label"),
            per_cent(known.agreement.unwrap_or_default()),
            known.kappa.unwrap_or_default()
        ));
    }
    let findings = summary.findings.iter().map(|(kind, ids)| {
        let all: Vec<&str> = ids.iter().map(String::as_str).collect();
        row![
            Text::from(spaced(kind)).to(&filter("remark", kind)),
            format!(": {} ({})", ids.len(), first_ids(&all))
        ]
    });
    body.items(findings);
    if !summary.disagreements.is_empty() {
        let ids: Vec<String> = summary.disagreements.keys().cloned().collect();
        let answers = count(ids.len(), "answer");
        let mut parts = row![format!("judge and rules disagree on {answers}; the rules decide:")];
        parts.extend(links(&ids, question::DISAGREEMENT));
        body.parts(parts);
        const FIRST: usize = 5;
        body.list(
            summary
                .disagreements
                .iter()
                .take(FIRST)
                .map(|(id, why)| format!("{question}: {why}", question = question_label(id))),
        );
    }
    if !summary.unknown_trace_keys.is_empty() {
        body.line(format!("unknown trace keys: {}", summary.unknown_trace_keys.join(", ")));
    }
}

fn dimensions(body: &mut Body, summary: &RunSummary) {
    let cells = |(name, score): (&String, &Score5)| {
        let interval = score.low.zip(score.high);
        let ends = interval.map(|(low, high)| format!("{low:.2} to {high:.2}"));
        let label = format!("{}: {:.2} of 5", spaced(name), score.mean);
        let gauge = Gauge { scale: (1.0, 5.0), value: score.mean, interval, ..Gauge::default() };
        let mean = Text::from(format!("{:.2}", score.mean)).with(gauge.chart(label));
        row![spaced(name), mean, ends.unwrap_or_default(), score.n]
    };
    let head = ["dimension", "mean of 5", "95 % interval", ">n"];
    body.table(Table::new(&head).rows(summary.dimensions.iter().map(cells)));
}

/// Counts by verdict as a chart.
fn stack(group: &QuestionGroup) -> Chart {
    let of = |verdict: CaseVerdict| group.counts.get(&verdict).copied().unwrap_or(0);
    let parts: Vec<_> = CaseVerdict::ALL.iter().map(|verdict| (verdict.name(), of(*verdict))).collect();
    let label: Vec<String> = parts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    Chart::stack(&parts, label.join(", "))
}

fn rate_text(rate: Option<Proportion>, name: &str) -> Text {
    let Some(rate) = rate else { return Text::muted("–") };
    let interval = (rate.interval.low, rate.interval.high);
    let label = format!("{name}: {} of {}", rate.successes, rate.n);
    let gauge = Gauge { scale: (0.0, 1.0), value: rate.rate, interval: Some(interval), ..Gauge::default() };
    Text::from(per_cent(rate.rate)).with(gauge.chart(label))
}

fn group_table(key: Option<&str>, groups: &[QuestionGroup]) -> Table {
    let cells = |group: &QuestionGroup| {
        let name = Text::from(spaced(&group.name));
        let name = match key {
            Some(key) => name.to(&filter(key, &group.name)),
            None => name,
        };
        let counts = CaseVerdict::ALL
            .iter()
            .map(|verdict| Text::from(group.counts.get(verdict).copied().unwrap_or(0)));
        let all = Text::from(group.counts.values().sum::<u64>()).with(stack(group));
        let score = group.weighted_score.map_or_else(String::new, |score| format!("{:.2}", score.mean));
        let mut row = row![name, all];
        row.extend(counts);
        row.extend(row![rate_text(group.pass_rate, &group.name), score]);
        row
    };
    let head =
        ["", "questions", ">pass", ">partial", ">fail", ">unscored", ">error", "pass rate", ">score of 5"];
    Table::new(&head).rows(groups.iter().map(cells))
}
