//! A spot check as one HTML page that needs no network and runs no script: everything that comes from agent or site is
//! escaped text, pictures are data in the page itself.

use std::fmt::Write as _;

use super::html::{document, escape, picture};
use super::spot_check::{id, plain};
use crate::workflow::Cause;
use crate::workflow::spot_check::{CheckedQuestion, SpotReport};

const STYLE: &str = include_str!("spot_check.css");

/// The report as one page.
#[must_use]
pub fn html(report: &SpotReport) -> String {
    let mut out = String::from("<main>\n");
    head(&mut out, report);
    out.push_str("<section class=\"questions\">\n");
    let mut order: Vec<&CheckedQuestion> = report.details.iter().collect();
    order.sort_by_key(|question| match question.verdict.cause.is_match() {
        Some(false) => 0,
        None => 1,
        Some(true) => 2,
    });
    for question in order {
        card(&mut out, question);
    }
    out.push_str("</section>\n");
    if !report.refused.is_empty() {
        out.push_str("<section><h2>Refused scores</h2><ul>\n");
        for (question, refused) in &report.refused {
            let _ = writeln!(
                out,
                "<li>Q{} <code>{}</code>: {}</li>",
                escape(question),
                escape(&refused.field),
                escape(&refused.reason)
            );
        }
        out.push_str("</ul></section>\n");
    }
    out.push_str("</main>\n");
    document(&format!("Spot check {}", report.timestamp), STYLE, &out)
}

fn head(out: &mut String, report: &SpotReport) {
    out.push_str("<header>\n<h1>Spot check</h1>\n");
    let seed = report.seed.map_or_else(|| "questions as named".to_owned(), |seed| format!("seed {seed}"));
    let _ = writeln!(
        out,
        "<p class=\"sub\">{} · {} · mode {} · site {} · {} of {} questions, {seed}</p>",
        escape(&report.timestamp),
        escape(&report.agent),
        report.mode.as_str(),
        report.site,
        report.questions_chosen,
        report.sample.of
    );
    out.push_str("<div class=\"figures\">\n");
    let figure = |out: &mut String, class: &str, number: usize, name: &str| {
        let _ = writeln!(out, "<div class=\"figure {class}\"><b>{number}</b><span>{name}</span></div>");
    };
    figure(out, "", report.questions_checked, "checked");
    figure(out, "good", report.matches, "match");
    figure(out, "bad", report.mismatches, "mismatch");
    figure(out, "beside", report.agent_failed, "agent failed");
    figure(out, "beside", report.page_unreadable, "page unreadable");
    figure(out, "beside", report.unscored, "unscored");
    out.push_str("</div>\n");
    if let Some(rate) = &report.match_rate {
        let per_cent = |share: f64| share * 100.0;
        let _ = writeln!(
            out,
            "<div class=\"rate\"><div class=\"bar\"><i style=\"left:{low:.2}%;width:{width:.2}%\"></i><u style=\"left:{at:.2}%\"></u></div><p>Match rate {at:.1} %, 95 % interval {low:.1} to {high:.1} %</p></div>",
            low = per_cent(rate.interval.low),
            high = per_cent(rate.interval.high),
            width = per_cent(rate.interval.high - rate.interval.low),
            at = per_cent(rate.rate),
        );
    }
    let _ = writeln!(out, "<p>{}</p>", escape(&report.sample.says));
    out.push_str("<ul class=\"causes\">\n");
    for cause in Cause::ALL {
        if let Some(count) = report.causes.get(&cause) {
            let _ = writeln!(
                out,
                "<li><span class=\"badge {}\">{}</span> {count}</li>",
                class(cause),
                cause.words()
            );
        }
    }
    out.push_str("</ul>\n");
    if !report.pending.is_empty() {
        let ids: Vec<String> = report.pending.iter().map(|id| format!("Q{}", escape(&plain(id)))).collect();
        let _ = writeln!(
            out,
            "<p class=\"pending\">Changes wait for <code>atlas-gt refresh --commit</code>: {}</p>",
            ids.join(", ")
        );
    }
    out.push_str("</header>\n");
}

fn card(out: &mut String, question: &CheckedQuestion) {
    let cause = question.verdict.cause;
    let _ = writeln!(
        out,
        "<article class=\"{}\" id=\"q{}\">\n<h2><span class=\"number\">Q{}</span> {} <span class=\"badge {}\">{}</span></h2>",
        class(cause),
        escape(&id(question)),
        escape(&id(question)),
        escape(&question.question_text),
        class(cause),
        cause.words()
    );
    if let Some(why) = &question.discrepancy {
        let _ = writeln!(out, "<p class=\"why\">{}</p>", escape(why));
    }
    out.push_str("<div class=\"sides\">\n");
    out.push_str("<div class=\"side\"><h3>Agent</h3>");
    match &question.agent_answer {
        Some(answer) => _ = write!(out, "<pre class=\"answer\">{}</pre>", escape(answer)),
        None => out.push_str("<p class=\"none\">no answer</p>"),
    }
    if !question.links.is_empty() {
        out.push_str("<ul class=\"links\">");
        for link in &question.links {
            // as text: an address that an agent made up is nothing to follow
            let _ = write!(out, "<li>{}</li>", escape(link));
        }
        out.push_str("</ul>");
    }
    let _ = writeln!(out, "<p class=\"meta\">pipeline {}</p></div>", question.verdict.pipeline);
    out.push_str("<div class=\"side\"><h3>Page</h3>");
    match &question.browser_data {
        Some(data) => _ = write!(out, "<p class=\"value\">{}</p>", escape(data)),
        None => out.push_str("<p class=\"none\">could not be read</p>"),
    }
    if let Some(png) = &question.picture {
        out.push_str(&picture("what the page showed", &png.0));
    }
    let _ = writeln!(out, "<p class=\"meta\">{}</p></div>", escape(&question.atlas_url));
    let _ = write!(
        out,
        "<div class=\"side\"><h3>Stored truth</h3><p class=\"value\">{}</p>{}</div>\n</div>\n",
        escape(&question.verdict.stored_truth),
        if question.pending_change { "<p class=\"meta\">a change waits</p>" } else { "" }
    );
    points(out, question);
    out.push_str("</article>\n");
}

fn points(out: &mut String, question: &CheckedQuestion) {
    if question.verdict.points.is_empty() && question.trace.is_none() && question.notes.is_empty() {
        return;
    }
    out.push_str("<details><summary>Data points and trace</summary>\n");
    if !question.verdict.points.is_empty() {
        out.push_str("<table><tr><th>data point</th><th>agent</th><th>page</th><th>stored</th><th>cause</th><th>why</th></tr>\n");
        for point in &question.verdict.points {
            let or = |text: &Option<String>| escape(text.as_deref().unwrap_or("–"));
            let _ = writeln!(
                out,
                "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td><td><span class=\"badge {}\">{}</span></td><td>{}</td></tr>",
                escape(&point.field),
                or(&point.agent),
                or(&point.page),
                or(&point.truth),
                class(point.cause),
                point.cause.words(),
                escape(&point.reason)
            );
        }
        out.push_str("</table>\n");
    }
    if let Some(trace) = &question.trace {
        let _ = writeln!(
            out,
            "<p class=\"meta\">tools: {} · nodes: {}</p>",
            escape(&trace.tool_calls.join(", ")),
            escape(&trace.node_sequence.join(" → "))
        );
        if !trace.unknown_keys.is_empty() {
            let _ = writeln!(
                out,
                "<p class=\"meta\">keys of the trace that were not read: {}</p>",
                escape(&trace.unknown_keys.join(", "))
            );
        }
        if let Some(sql) = &trace.pipeline_sql {
            let _ = writeln!(out, "<pre class=\"sql\">{}</pre>", escape(sql));
        }
    }
    for note in &question.notes {
        let _ = writeln!(out, "<p class=\"meta\">note: {}</p>", escape(note));
    }
    out.push_str("</details>\n");
}

const fn class(cause: Cause) -> &'static str {
    match cause.is_match() {
        Some(true) => "good",
        Some(false) => "bad",
        None => "beside",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_an_answer_becomes_markup() {
        let hostile = "</pre><script>alert(1)</script><img src=x onerror='a()' \u{202e}x\u{0}";
        let shown = escape(hostile);
        assert!(!shown.contains('<') && !shown.contains('\'') && !shown.contains('"'), "{shown}");
        assert!(!shown.contains('\u{202e}') && !shown.contains('\u{0}'), "{shown}");
    }
}
