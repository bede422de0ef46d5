//! A spot check for people: in the terminal and as Markdown.

use std::fmt::Write as _;

use comfy_table::{ContentArrangement, Table, presets};
use serde_json::Value;

use super::words::{count, painted, plural, seconds};
use crate::workflow::Cause;
use crate::workflow::spot_check::{CheckedQuestion, SpotReport};

/// The report in the terminal.
#[must_use]
pub fn text(report: &SpotReport, colours: bool) -> String {
    let mut text = String::new();
    let mut table = Table::new();
    table
        .load_preset(presets::UTF8_HORIZONTAL_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(120);
    table.set_header(["question", "cause", "agent", "page", "stored truth"]);
    for question in &report.details {
        table.add_row([
            id(question),
            question.verdict.cause.words().to_owned(),
            said(question).unwrap_or_else(|| "no answer".to_owned()),
            question.browser_data.as_deref().map_or_else(|| "unreadable".to_owned(), |text| brief(text, 60)),
            brief(&question.verdict.stored_truth, 60),
        ]);
    }
    let _ = writeln!(text, "{table}");
    for question in report.details.iter().filter(|question| question.is_match != Some(true)) {
        if let Some(why) = &question.discrepancy {
            let _ =
                writeln!(text, "Q{} {}: {}", id(question), question.verdict.cause.words(), brief(why, 300));
        }
    }
    for (question, refused) in &report.refused {
        let _ = writeln!(text, "Q{question} {}: no score, {}", refused.field, refused.reason);
    }
    for question in &report.details {
        for note in &question.notes {
            let _ = writeln!(text, "Q{} note: {}", id(question), brief(note, 200));
        }
    }
    if !report.pending.is_empty() {
        let _ = writeln!(
            text,
            "{} from the stored truth ({}): `atlas-gt refresh` shows the changes that wait, `--commit` takes them",
            plural(report.pending.len(), "page differs", "pages differ"),
            report.pending.iter().map(|id| format!("Q{}", plain(id))).collect::<Vec<_>>().join(", ")
        );
    }
    let seed = report.seed.map_or_else(|| "questions as named".to_owned(), |seed| format!("seed {seed}"));
    let _ = writeln!(
        text,
        "{} of {} ({seed}), {}, {}, {:.1} s; {}",
        count(report.questions_chosen, "question"),
        report.sample.of,
        count(report.pages, "page"),
        count(report.requests, "request"),
        seconds(report.took_ms),
        report.agent
    );
    let _ = writeln!(text, "{}", report.sample.says);
    let verdict = verdict(report);
    let _ = writeln!(text, "{}", if colours { coloured(&verdict, report.exit_code) } else { verdict });
    text
}

fn verdict(report: &SpotReport) -> String {
    let word = match report.exit_code {
        0 => "ok",
        3 => "MISMATCHES",
        6 => "AGENT FAILED",
        130 => "INTERRUPTED",
        _ => "INCOMPLETE",
    };
    format!(
        "{word}: {} checked, {} match, {} mismatch; {} agent failed, {} page unreadable, {} unscored",
        report.questions_checked,
        report.matches,
        report.mismatches,
        report.agent_failed,
        report.page_unreadable,
        report.unscored
    )
}

fn coloured(text: &str, code: u8) -> String {
    let colour = match code {
        0 => 32,
        3 => 33,
        _ => 31,
    };
    painted(text, colour)
}

pub(super) fn id(question: &CheckedQuestion) -> String {
    plain(&question.question_id)
}

pub(super) fn plain(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

/// What the agent said about the data points, else the beginning of its answer.
fn said(question: &CheckedQuestion) -> Option<String> {
    let answer = question.agent_answer.as_deref()?;
    let values: Vec<&str> =
        question.verdict.points.iter().filter_map(|point| point.agent.as_deref()).collect();
    Some(if values.is_empty() { brief(answer, 60) } else { brief(&values.join("; "), 60) })
}

/// One line of at most so many characters.
pub(super) fn brief(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // what a terminal would act on is shown, not obeyed
    let line: String = line.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if line.chars().count() <= most {
        return line;
    }
    let cut: String = line.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", cut.trim_end())
}

/// The report as Markdown.
#[must_use]
pub fn markdown(report: &SpotReport) -> String {
    let mut text = String::from("# Spot check\n\n");
    let _ = writeln!(text, "- Time: {}", report.timestamp);
    let _ = writeln!(text, "- Agent: {} (mode {})", escape(&report.agent), report.mode.as_str());
    let _ = writeln!(text, "- Site: {} ({})", report.site, escape(&report.address));
    match report.seed {
        Some(seed) => {
            _ = writeln!(
                text,
                "- Sample: {} of {} questions, seed {seed}",
                report.questions_chosen, report.sample.of
            )
        }
        None => _ = writeln!(text, "- Questions: {}, as named", report.questions_chosen),
    }
    let _ = writeln!(
        text,
        "- Checked: **{}**, of which **{} match** and **{} mismatch**",
        report.questions_checked, report.matches, report.mismatches
    );
    if let Some(rate) = &report.match_rate {
        let _ = writeln!(
            text,
            "- Match rate: {:.1} % (95 %: {:.1} to {:.1} %)",
            rate.rate * 100.0,
            rate.interval.low * 100.0,
            rate.interval.high * 100.0
        );
    }
    let _ = writeln!(text, "\n{}\n", escape(&report.sample.says));
    let _ = writeln!(text, "| cause | questions |\n|---|---|");
    for cause in Cause::ALL {
        if let Some(count) = report.causes.get(&cause) {
            let _ = writeln!(text, "| {} | {count} |", cause.words());
        }
    }
    if !report.pending.is_empty() {
        let ids: Vec<String> = report.pending.iter().map(plain).collect();
        let _ = writeln!(text, "\nChanges that wait for `atlas-gt refresh --commit`: {}", ids.join(", "));
    }
    let _ = writeln!(
        text,
        "\n| question | asked | agent | page | stored truth | cause | why |\n|---|---|---|---|---|---|---|"
    );
    for question in &report.details {
        let cell = |text: &str| escape(&brief(text, 160));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            id(question),
            cell(&question.question_text),
            cell(question.agent_answer.as_deref().unwrap_or("no answer")),
            cell(question.browser_data.as_deref().unwrap_or("unreadable")),
            cell(&question.verdict.stored_truth),
            question.verdict.cause.words(),
            cell(question.discrepancy.as_deref().unwrap_or_default()),
        );
    }
    if !report.refused.is_empty() {
        let _ = writeln!(text, "\n## Refused scores\n");
        for (question, refused) in &report.refused {
            let _ = writeln!(text, "- {question} {}: {}", escape(&refused.field), escape(&refused.reason));
        }
    }
    text
}

/// Text that Markdown takes as it is: no markup, no link, no cell border.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\n' | '\r' => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_others_cannot_mark_up_or_steer_a_terminal() {
        assert_eq!(escape("a|b <script> [x](y)"), "a\\|b &lt;script&gt; \\[x\\](y)");
        assert_eq!(brief("a\u{1b}[31m\nb", 20), "a\u{fffd}[31m b");
        assert_eq!(brief("abcdef", 4), "abc…");
    }
}
