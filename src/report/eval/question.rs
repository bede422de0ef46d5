//! One question of a run as a card: its answer beside its truth, findings, the judge's reasons, and
//! the agent's trace. Long texts are cut to fit the page.

use std::collections::{BTreeMap, BTreeSet};

use super::super::doc::clip;
use super::super::words::{badge, verdict_tone};
use super::super::{Body, Card, Table, Text, Tone};
use super::shown::{time, words};
use super::trace::{self, DETAILS, Detail};
use super::{EvalReport, worst_first};
use crate::evaluate::AnswerDetails;
use crate::evidence::Hash;
use crate::judge::JudgeMode;
use crate::manifest::QuestionId;
use crate::row;
use crate::scoring::Score;
use crate::scoring::answer::{AnswerVerdict, PointScore};
use crate::truth::{PointProvenance, Row};
use crate::words::spaced;
use crate::workflow::evaluate::{CaseVerdict, Decider, JudgeNote, PinnedTruth, QuestionRecord, Scored};
use atlas_gt_core::question_id::question_label;

/// Filter values for remarks that are not findings.
pub(super) const UNSTABLE: &str = "unstable";
pub(super) const DISAGREEMENT: &str = "judge_disagrees";
pub(super) const JUDGE_FAILED: &str = "judge_failed";
pub(super) const TRUTH_CHANGED: &str = "truth_changed";

/// Maximum bytes of all questions on a page. Only runs of ten thousands of questions may exceed it.
pub(super) const MAX_BYTES: usize = 17_000_000;

/// The questions of a run.
pub(super) struct Questions<'a, 'b> {
    pub report: &'a EvalReport<'b>,
}

impl<'a> Questions<'a, '_> {
    /// The cards of all questions, worst first, with as much detail as fits the page.
    pub fn cards(&self) -> Vec<Card> {
        let mut cards = Vec::new();
        let questions = worst_first(self.report.questions);
        for detail in DETAILS {
            let mut shown = BTreeMap::new();
            let mut room = MAX_BYTES;
            cards.clear();
            for record in &questions {
                let card = self.card(record, detail, &mut shown);
                room = room.saturating_sub(card.as_ref().map_or(0, size));
                cards.extend(card);
                if room == 0 && detail.rows > DETAILS[DETAILS.len() - 1].rows {
                    break;
                }
            }
            if room > 0 {
                break;
            }
        }
        cards
    }

    /// The card of a question. `shown` lists the pictures already on the page, with their question.
    fn card(
        &self,
        record: &'a QuestionRecord,
        detail: Detail,
        shown: &mut BTreeMap<&'a Hash, &'a QuestionId>,
    ) -> Option<Card> {
        let (question, scored) = (&record.question, record.scored.as_ref()?);
        let none = || "none".to_owned();
        let remarks = remarks(record, &self.report.store.changed).join(" ");
        let data = [
            ("verdict", scored.verdict.name().to_owned()),
            ("category", question.category.clone().unwrap_or_else(none)),
            ("difficulty", question.difficulty.map_or_else(none, |difficulty| difficulty.to_string())),
            ("type", question.query_type.clone().unwrap_or_else(none)),
            ("remark", remarks),
        ];
        let head = row![
            badge(scored.verdict),
            format!("{} ", question_label(&question.question_id)),
            clip(&question.text, detail.text),
            Text { tone: Tone::Muted, ..clip(&format!(" {}", scored.reason), detail.text) }
        ];
        let blocks = Body::of(|body| {
            facts(body, record, scored);
            body.sides(|body| {
                body.section("Answer", |body| answer(body, record, detail));
                body.section("Truth", |body| self.truth(body, record, detail, shown));
            });
            if let Some(disagreement) = &scored.disagreement {
                let text = format!("Judge and rules disagree. {disagreement}; the rules decide.");
                body.note(vec![clip(&text, detail.text)]);
            }
            if scored.unstable {
                body.note(row!["Unstable. Repeated judgements differ."]);
            }
            body.section("Findings", |body| findings(body, scored, detail));
            if let Some(score) = &scored.points {
                body.section("Data points", |body| points(body, score, record.truth.as_ref(), detail));
            }
            let title = if record.checks.is_some() { "Scorers" } else { "Tools and links" };
            body.section(title, |body| scorers(body, scored, detail));
            if detail.of_passed || scored.verdict != CaseVerdict::Pass {
                scored.judgements.iter().for_each(|note| judgement(body, note, detail));
                if let Some(trace) = record.answer.reply.as_ref().and_then(|reply| reply.trace.as_ref()) {
                    body.section("Trace", |body| trace::section(body, trace, detail));
                }
            }
        });
        Some(Card {
            id: format!("q{}", question.question_id).into(),
            tone: verdict_tone(scored.verdict),
            head,
            blocks,
            folded: true,
            data: data.map(|(name, value)| (name, Text::from(value))).into(),
        })
    }

    fn truth(
        &self,
        body: &mut Body,
        record: &'a QuestionRecord,
        detail: Detail,
        shown: &mut BTreeMap<&'a Hash, &'a QuestionId>,
    ) {
        if let Some(behavior) = &record.question.expected_behavior {
            body.line(clip(&format!("Expected behavior: {behavior}"), detail.text));
        }
        for (key, expected) in record.checks.iter().flat_map(|checks| checks.expectations()) {
            body.line(clip(&format!("{}: {expected}", spaced(&key)), detail.text));
        }
        let Some(truth) = &record.truth else {
            if record.question.expected_behavior.is_none() && record.checks.is_none() {
                body.line(Text::muted("there is no reference to score against"));
            }
            return;
        };
        body.code(clip(&truth.words(), detail.text));
        for hash in record.pictures().take(2) {
            let Some(png) = self.report.store.pictures.get(hash) else { continue };
            match shown.get(hash) {
                Some(id) => body.line(
                    Text::from(format!("the picture is at {question}", question = question_label(id)))
                        .to(&format!("#q{id}")),
                ),
                None => body.picture("what the page showed", png),
            }
            shown.entry(hash).or_insert(&record.question.question_id);
        }
        if !truth.earlier.is_empty() {
            let earlier: Vec<String> = truth.earlier.iter().take(detail.rows).map(Row::shown).collect();
            body.line(clip(&format!("earlier: {}", earlier.join(", ")), detail.text));
        }
        let mut facts = vec![words(&truth.source_method())];
        let point: Option<&PointProvenance> =
            truth.provenance.as_ref().and_then(|provenance| provenance.points.first());
        if let Some(point) = point {
            facts.push(format!("channel {}", words(&point.channel)));
            facts.extend(point.agreement.as_ref().map(|agreement| format!("agreement {}", words(agreement))));
            facts.push(format!("read {}", point.read_at.strftime("%Y-%m-%d")));
        }
        facts.push(format!("hash {}", truth.hash.as_str().get(..12).unwrap_or_default()));
        body.line(Text { tone: Tone::Muted, ..clip(&facts.join(" · "), detail.text) });
        body.line(Text { tone: Tone::Muted, ..Text::page(&truth.record.page()) });
    }
}

/// Remarks on a question: its findings, and whether it is unstable, disputed, or scored against an
/// old record.
pub(super) fn remarks(record: &QuestionRecord, changed: &BTreeSet<QuestionId>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    if let Some(scored) = &record.scored {
        let is_undecided = scored.decided_by == Decider::Nobody;
        let has_failed = |note: &JudgeNote| note.failure.is_some() && note.mode != JudgeMode::Plausibility;
        found.extend(scored.findings.iter().map(|finding| finding.kind.clone()));
        let others = [
            (scored.unstable, UNSTABLE),
            (scored.disagreement.is_some(), DISAGREEMENT),
            (is_undecided && scored.judgements.iter().any(has_failed), JUDGE_FAILED),
        ];
        found.extend(others.iter().filter(|(is, _)| *is).map(|(_, name)| (*name).to_owned()));
    }
    if changed.contains(&record.question.question_id) {
        found.push(TRUTH_CHANGED.to_owned());
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn facts(body: &mut Body, record: &QuestionRecord, scored: &Scored) {
    let mut facts = vec![format!("decided by {}", words(&scored.decided_by))];
    facts.extend(scored.score.map(|score| format!("score {score:.2}")));
    facts.extend(scored.weighted_score.map(|score| format!("judge's weighted score {score:.2} of 5")));
    facts.extend(scored.trajectory.map(|route| format!("route {}", words(&route))));
    facts.push(format!("pipeline {}", scored.pipeline));
    facts.extend(record.answer.latency_ms.map(|millis| time(millis as f64)));
    facts.extend(
        record.answer.cost_usd.filter(|cost| !cost.is_zero()).map(|cost| format!("${}", cost.normalize())),
    );
    let question = &record.question;
    let named = |name: &str, of: &Option<String>| of.as_ref().map(|of| format!("{name} {}", spaced(of)));
    facts.extend(named("category", &question.category));
    facts.extend(question.difficulty.as_ref().map(words));
    facts.extend(named("query type", &question.query_type));
    body.line(Text::muted(facts.join(" · ")));
}

fn answer(body: &mut Body, record: &QuestionRecord, detail: Detail) {
    if let Some(error) = &record.answer.error {
        body.line(clip(&format!("No answer: {error}"), detail.text));
    }
    let Some(reply) = &record.answer.reply else { return };
    body.code(clip(&reply.answer, detail.text));
    // as plain text, because the agent may have invented the address
    let links = reply.links.iter().map(|link| format!("link {link}"));
    let notes = reply.notes.iter().map(|note| format!("note: {note}"));
    body.list(links.chain(notes).take(detail.rows).map(|line| clip(&line, detail.text)));
}

fn findings(body: &mut Body, scored: &Scored, detail: Detail) {
    body.items(scored.findings.iter().take(detail.rows).map(|finding| {
        let field = finding.field.as_deref().unwrap_or_default();
        row![
            format!("{} ", spaced(&finding.kind)),
            Text { code: true, ..clip(field, detail.text) },
            clip(&format!(" {}", finding.detail), detail.text)
        ]
    }));
}

fn points(body: &mut Body, score: &Score<AnswerDetails>, truth: Option<&PinnedTruth>, detail: Detail) {
    let details = &score.metadata;
    let rows = truth.map(|truth| truth.record.results.data.as_slice()).unwrap_or_default();
    let cells = |point: &PointScore| {
        let truth = rows.iter().find(|row| row.field() == point.field).map(Row::shown);
        let tone = match point.said {
            AnswerVerdict::Right => Tone::Good,
            AnswerVerdict::Wrong => Tone::Bad,
            AnswerVerdict::Missing => Tone::Warning,
            AnswerVerdict::Unscored => Tone::Muted,
        };
        let mut found = vec![row![
            Text { code: true, ..clip(&point.field, detail.text) },
            Text::badge(tone, words(&point.said)),
            clip(point.value.as_deref().unwrap_or("–"), detail.text),
            clip(truth.as_deref().unwrap_or("–"), detail.text),
            clip(&point.reason, detail.text)
        ]];
        let candidates = point.candidates.iter().take(detail.rows);
        found.extend(candidates.filter(|_| point.said != AnswerVerdict::Right).map(|one| {
            let why = one.why.as_ref().map_or_else(String::new, |why| format!(": {why}"));
            let placed = format!("{}{why}", one.place.words());
            row!["", "", clip(&one.value, detail.text), "", clip(&placed, detail.text)]
        }));
        found
    };
    let head = ["data point", "", "answer", "truth", "why"];
    body.table(Table::new(&head).rows(details.points.iter().take(detail.rows).flat_map(cells)));
    body.more(details.points.len(), detail.rows, "data points");
    for refused in details.refused.iter().take(detail.rows) {
        body.note(vec![clip(&format!("Not scored: {} {}", refused.field, refused.reason), detail.text)]);
    }
    if !details.extra.is_empty() {
        let values: Vec<&str> =
            details.extra.iter().take(detail.rows).map(|extra| extra.value.as_str()).collect();
        body.line(clip(&format!("also stated: {}", values.join(", ")), detail.text));
    }
}

fn scorers(body: &mut Body, scored: &Scored, detail: Detail) {
    body.list(scored.scorers.iter().take(detail.rows).map(|outcome| {
        let value = outcome.score.value.map_or_else(|| "unscored".to_owned(), |value| format!("{value:.2}"));
        let why = outcome.score.reasons.join(" ");
        clip(&format!("{} {value}: {why}", spaced(&outcome.scorer)), detail.text)
    }));
}

fn judgement(body: &mut Body, note: &JudgeNote, detail: Detail) {
    let verdict = note.verdict.as_ref().map_or_else(|| "unscored".to_owned(), words);
    let value = note.value.map_or_else(String::new, |value| format!(", {value:.2}"));
    body.section(format!("Judge, {}: {verdict}{value}", words(&note.mode)), |body| {
        if let Some(failure) = &note.failure {
            let why = note.why.as_deref().unwrap_or_default();
            body.note(vec![clip(&format!("Failed, {}. {why}", words(failure)), detail.text)]);
        }
        for finding in note.findings.iter().take(detail.rows) {
            body.note(vec![clip(finding, detail.text)]);
        }
        let only_reasons = note.reasons.keys().filter(|name| !note.dimensions.contains_key(*name));
        let names = note.dimensions.keys().chain(only_reasons).take(detail.rows);
        body.table(Table::new(&["dimension", ">points", "reason"]).rows(names.map(|name| {
            let points = note.dimensions.get(name).map_or_else(|| "–".to_owned(), f64::to_string);
            let reason = note.reasons.get(name).map(String::as_str).unwrap_or_default();
            row![clip(&spaced(name), detail.text), points, clip(reason, detail.text)]
        })));
        let facts = judge_facts(note).join(" · ");
        body.line(Text { tone: Tone::Muted, ..clip(&facts, detail.text) });
    });
}

fn judge_facts(note: &JudgeNote) -> Vec<String> {
    let mut facts = vec![note.model.clone()];
    if note.repeats.len() > 1 {
        let one =
            |value: &Option<f64>| value.map_or_else(|| "unscored".to_owned(), |value| format!("{value:.2}"));
        let all: Vec<String> = note.repeats.iter().map(one).collect();
        let unstable = if note.unstable { ", unstable" } else { "" };
        facts.push(format!("asked {} times: {}{unstable}", note.repeats.len(), all.join(", ")));
    }
    if note.cached {
        facts.push("from the cache".to_owned());
    } else {
        facts.push(format!("{} + {} tokens", note.usage.input_tokens, note.usage.output_tokens));
        facts.push(
            note.cost_usd.map_or_else(|| "price unknown".to_owned(), |cost| format!("${}", cost.normalize())),
        );
    }
    facts.push(format!("prompt {}", note.prompt.get(..12).unwrap_or(&note.prompt)));
    facts
}

/// The approximate size of a card, in bytes of a page.
fn size(card: &Card) -> usize {
    use super::super::DocBlock;
    /// The size of the tags around a piece of text, and around a block.
    const PIECE: usize = 40;
    const BLOCK: usize = 60;
    fn text(text: &Text) -> usize {
        PIECE + text.text.len()
    }
    fn of(body: &Body) -> usize {
        let block = |block: &DocBlock| match block {
            DocBlock::Line { parts } | DocBlock::Note { parts } => parts.iter().map(text).sum(),
            DocBlock::List { items } => items.iter().flatten().map(text).sum(),
            DocBlock::Facts { facts } | DocBlock::Figures { figures: facts } => {
                facts.iter().map(|(name, value)| text(name) + text(value)).sum()
            }
            DocBlock::Table(table) => table.head.iter().chain(table.rows.iter().flatten()).map(text).sum(),
            DocBlock::Code { text: code } | DocBlock::Value { text: code } => text(code),
            DocBlock::Picture { data, .. } => data.len(),
            DocBlock::Section { blocks, .. }
            | DocBlock::Sides { blocks }
            | DocBlock::Folded { blocks, .. } => of(blocks),
            DocBlock::Cards { .. } => 0,
        };
        body.0.iter().map(|one| BLOCK + block(one)).sum()
    }
    let data: usize = card.data.iter().map(|(name, value)| name.len() + value.text.len() + 10).sum();
    BLOCK + data + card.head.iter().map(text).sum::<usize>() + of(&card.blocks)
}
