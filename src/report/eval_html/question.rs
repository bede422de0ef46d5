//! One question of a run: its answer beside its truth, what is wrong, why, what the judge said, and how the agent went about it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::super::html::escape;
use super::facts::time;
use super::{Detail, clip, more, spaced, trace, words};
use crate::evaluate::AnswerDetails;
use crate::judge::JudgeMode;
use crate::manifest::QuestionId;
use crate::picture::size;
use crate::scoring::Score;
use crate::scoring::answer::AnswerVerdict;
use crate::truth::Row;
use crate::workflow::evaluate::{
    CaseVerdict, Decider, JudgeNote, PinnedTruth, QuestionRecord, Scored, StoreNow,
};

/// Remarks that are no findings, as the filter calls them.
pub(super) const UNSTABLE: &str = "unstable";
pub(super) const DISAGREEMENT: &str = "judge_disagrees";
pub(super) const JUDGE_FAILED: &str = "judge_failed";
pub(super) const TRUTH_CHANGED: &str = "truth_changed";

/// What is remarkable about a question: kinds of findings, and whether it is unstable, disputed, or by an old truth.
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

/// The question as an article that opens.
pub(super) fn article(out: &mut String, record: &QuestionRecord, store: &StoreNow, detail: Detail) {
    let question = &record.question;
    let Some(scored) = &record.scored else { return };
    let id = escape(question.question_id.as_str());
    let verdict = scored.verdict.name();
    let none = || "none".to_owned();
    let remarks = remarks(record, &store.changed);
    let _ = write!(
        out,
        "<article id=\"q{id}\" data-verdict=\"{verdict}\" data-category=\"{}\" data-difficulty=\"{}\" data-type=\"{}\"",
        escape(&question.category.clone().unwrap_or_else(none)),
        question.difficulty.as_ref().and_then(super::word).unwrap_or_else(none),
        escape(&question.query_type.clone().unwrap_or_else(none)),
    );
    if !remarks.is_empty() {
        let _ = write!(out, " data-remark=\"{}\"", escape(&remarks.join(" ")));
    }
    let _ = writeln!(
        out,
        "><details><summary><span class=\"badge {verdict}\">{verdict}</span><h3>Q{id} {}</h3><span class=\"why\">{}</span></summary>",
        clip(&question.text, detail.text),
        clip(&scored.reason, detail.text)
    );
    facts(out, record, scored);
    out.push_str("<div class=\"sides\"><section><h4>Answer</h4>");
    answer(out, record, detail);
    out.push_str("</section><section><h4>Truth</h4>");
    truth(out, record, store, detail);
    out.push_str("</section></div>");
    if let Some(disagreement) = &scored.disagreement {
        let _ = write!(
            out,
            "<p class=\"note\"><b>Judge and rules disagree.</b> {}; the rules stand.</p>",
            clip(disagreement, detail.text)
        );
    }
    if scored.unstable {
        out.push_str("<p class=\"note\"><b>Unstable.</b> The judge, asked again, decides otherwise.</p>");
    }
    findings(out, scored, detail);
    if let Some(score) = &scored.points {
        points(out, score, record.truth.as_ref(), detail);
    }
    scorers(out, scored, detail);
    if detail.of_passed || scored.verdict != CaseVerdict::Pass {
        for note in &scored.judgements {
            judgement(out, note, detail);
        }
        if let Some(trace) = record.answer.reply.as_ref().and_then(|reply| reply.trace.as_ref()) {
            trace::html(out, trace, detail);
        }
    }
    out.push_str("</details></article>\n");
}

fn facts(out: &mut String, record: &QuestionRecord, scored: &Scored) {
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
    let _ = writeln!(out, "<p class=\"soft\">{}</p>", escape(&facts.join(" · ")));
}

fn answer(out: &mut String, record: &QuestionRecord, detail: Detail) {
    if let Some(error) = &record.answer.error {
        let _ = write!(out, "<p class=\"none\">No answer: {}</p>", clip(error, detail.text));
    }
    let Some(reply) = &record.answer.reply else { return };
    let _ = write!(out, "<pre>{}</pre>", clip(&reply.answer, detail.text));
    // as text: an address that an agent made up is nothing to follow
    let links = reply.links.iter().map(|link| format!("link {link}"));
    let notes = reply.notes.iter().map(|note| format!("note: {note}"));
    for line in links.chain(notes).take(detail.rows) {
        let _ = write!(out, "<p class=\"soft\">{}</p>", clip(&line, detail.text));
    }
}

fn truth(out: &mut String, record: &QuestionRecord, store: &StoreNow, detail: Detail) {
    if let Some(behavior) = &record.question.expected_behavior {
        let _ = write!(out, "<p>Expected behaviour: {}</p>", clip(behavior, detail.text));
    }
    let Some(truth) = &record.truth else {
        if record.question.expected_behavior.is_none() {
            out.push_str("<p class=\"none\">nothing says what is right</p>");
        }
        return;
    };
    let _ = write!(out, "<pre>{}</pre>", clip(&truth.words(), detail.text));
    for hash in record.pictures().take(2) {
        if let Some((width, height)) = store.pictures.get(hash).and_then(|png| size(png)) {
            let _ = write!(
                out,
                "<svg class=\"shot\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"what the page showed\"><use href=\"#p{hash}\"/></svg>"
            );
        }
    }
    if !truth.earlier.is_empty() {
        let earlier: Vec<String> = truth.earlier.iter().take(detail.rows).map(Row::shown).collect();
        let _ = write!(out, "<p class=\"soft\">earlier: {}</p>", clip(&earlier.join(", "), detail.text));
    }
    let mut facts = vec![words(&truth.source_method())];
    if let Some(point) = truth.provenance.as_ref().and_then(|provenance| provenance.points.first()) {
        facts.push(format!("channel {}", words(&point.channel)));
        facts.extend(point.agreement.as_ref().map(|agreement| format!("agreement {}", words(agreement))));
        facts.push(format!("read {}", point.read_at.strftime("%Y-%m-%d")));
    }
    facts.push(format!("hash {}", truth.hash.as_str().get(..12).unwrap_or_default()));
    facts.push(truth.record.atlas_url.clone());
    let _ = write!(out, "<p class=\"soft\">{}</p>", clip(&facts.join(" · "), detail.text));
}

fn findings(out: &mut String, scored: &Scored, detail: Detail) {
    if scored.findings.is_empty() {
        return;
    }
    out.push_str("<h4>What is wrong</h4><ul>");
    for finding in scored.findings.iter().take(detail.rows) {
        let field = finding
            .field
            .as_ref()
            .map_or_else(String::new, |field| format!(" <code>{}</code>", clip(field, detail.text)));
        let _ = write!(
            out,
            "<li><b>{}</b>{field} {}</li>",
            escape(&spaced(&finding.kind)),
            clip(&finding.detail, detail.text)
        );
    }
    out.push_str("</ul>");
}

fn points(out: &mut String, score: &Score<AnswerDetails>, truth: Option<&PinnedTruth>, detail: Detail) {
    let details = &score.metadata;
    out.push_str("<h4>Data points</h4>");
    if !details.points.is_empty() {
        out.push_str("<table class=\"points\"><tr><th>data point<th><th>answer<th>truth<th>why</tr>\n");
    }
    let rows = truth.map(|truth| truth.record.results.data.as_slice()).unwrap_or_default();
    for point in details.points.iter().take(detail.rows) {
        let truth = rows.iter().find(|row| row.field() == point.field).map(Row::shown);
        let said = words(&point.said);
        let _ = writeln!(
            out,
            "<tr><td><code>{}</code><td><span class=\"badge {said}\">{said}</span><td>{}<td>{}<td>{}",
            clip(&point.field, detail.text),
            clip(point.value.as_deref().unwrap_or("–"), detail.text),
            clip(truth.as_deref().unwrap_or("–"), detail.text),
            clip(&point.reason, detail.text)
        );
        if point.said == AnswerVerdict::Right {
            continue;
        }
        for one in point.candidates.iter().take(detail.rows) {
            let why = one.why.as_ref().map_or_else(String::new, |why| format!(": {why}"));
            let _ = writeln!(
                out,
                "<tr class=\"soft\"><td><td><td>{}<td><td>{}",
                clip(&one.value, detail.text),
                clip(&format!("{}{why}", one.place.words()), detail.text)
            );
        }
    }
    if !details.points.is_empty() {
        out.push_str("</table>");
    }
    more(out, details.points.len(), detail, "data points");
    for refused in details.refused.iter().take(detail.rows) {
        let _ = write!(
            out,
            "<p class=\"note\">Not scored: <code>{}</code> {}</p>",
            clip(&refused.field, detail.text),
            clip(&refused.reason, detail.text)
        );
    }
    if !details.extra.is_empty() {
        let values: Vec<&str> =
            details.extra.iter().take(detail.rows).map(|extra| extra.value.as_str()).collect();
        let _ = write!(out, "<p class=\"soft\">also stated: {}</p>", clip(&values.join(", "), detail.text));
    }
}

fn scorers(out: &mut String, scored: &Scored, detail: Detail) {
    if scored.scorers.is_empty() {
        return;
    }
    out.push_str("<h4>Tools and links</h4><ul>");
    for outcome in scored.scorers.iter().take(detail.rows) {
        let value = outcome.score.value.map_or_else(|| "unscored".to_owned(), |value| format!("{value:.2}"));
        let _ = write!(
            out,
            "<li><b>{}</b> {value}: {}</li>",
            escape(&spaced(&outcome.scorer)),
            clip(&outcome.score.reasons.join(" "), detail.text)
        );
    }
    out.push_str("</ul>");
}

fn judgement(out: &mut String, note: &JudgeNote, detail: Detail) {
    let verdict = note.verdict.as_ref().map_or_else(|| "unscored".to_owned(), words);
    let value = note.value.map_or_else(String::new, |value| format!(", {value:.2}"));
    let _ = write!(out, "<h4>Judge, {}: {verdict}{value}</h4>", words(&note.mode));
    if let Some(failure) = &note.failure {
        let why = note.why.as_deref().unwrap_or_default();
        let _ = write!(
            out,
            "<p class=\"note\"><b>It failed, {}.</b> {}</p>",
            words(failure),
            clip(why, detail.text)
        );
    }
    for finding in note.findings.iter().take(detail.rows) {
        let _ = write!(out, "<p class=\"note\">{}</p>", clip(finding, detail.text));
    }
    let only_reasons = note.reasons.keys().filter(|name| !note.dimensions.contains_key(*name));
    let names: Vec<&String> = note.dimensions.keys().chain(only_reasons).collect();
    if !names.is_empty() {
        out.push_str("<table class=\"dims\"><tr><th>dimension<th class=\"n\">points<th>reason</tr>\n");
        for name in names.iter().take(detail.rows) {
            let points = note.dimensions.get(*name).map_or_else(|| "–".to_owned(), f64::to_string);
            let reason = note.reasons.get(*name).map(String::as_str).unwrap_or_default();
            let _ = writeln!(
                out,
                "<tr><td>{}<td class=\"n\">{points}<td>{}",
                clip(&spaced(name), detail.text),
                clip(reason, detail.text)
            );
        }
        out.push_str("</table>");
    }
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
    let _ = write!(out, "<p class=\"soft\">{}</p>", clip(&facts.join(" · "), detail.text));
}
