//! An evaluation run as one page that needs nothing from outside: its figures, and every question with all that is known of it. Its one
//! script filters the questions. Whatever comes from agent, judge, site or store is escaped text.

mod facts;
mod overview;
mod question;
mod trace;

use std::fmt::Write as _;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::html::{document_with_script, escape};
use super::words::word;
use crate::picture::size;
use crate::workflow::evaluate::{CaseVerdict, QuestionRecord, RunSummary, StoreNow};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("filter.js");

/// Bytes that a page has at most; a run of ten thousands of questions may pass it.
pub const MAX_BYTES: usize = 20_000_000;

/// How much of a question is shown.
#[derive(Debug, Clone, Copy)]
struct Detail {
    /// Bytes of a text.
    text: usize,
    /// Rows of a table or a list.
    rows: usize,
    /// Whether traces and judgements of answers that passed are shown.
    of_passed: bool,
}

/// From all that a person reads to what a page of very many questions has room for.
const DETAILS: [Detail; 5] = [
    Detail { text: 20_000, rows: 200, of_passed: true },
    Detail { text: 4_000, rows: 50, of_passed: true },
    Detail { text: 1_000, rows: 20, of_passed: true },
    Detail { text: 600, rows: 12, of_passed: false },
    Detail { text: 200, rows: 5, of_passed: false },
];

/// The page of a run. Questions are in the order of the run; a text that is too long for the page is cut, and the page says so.
#[must_use]
pub fn page(summary: &RunSummary, questions: &[QuestionRecord], store: &StoreNow) -> String {
    let pictures = pictures(store);
    let head = overview::html(summary, questions, store);
    let room = MAX_BYTES.saturating_sub(pictures.len() + head.len() + STYLE.len() + SCRIPT.len() + 10_000);
    let mut articles = String::new();
    let mut cut = String::new();
    for (detail, step) in DETAILS.into_iter().zip(0..) {
        articles = articles_of(questions, store, detail, room);
        if step > 0 {
            cut = shortened(detail);
        }
        if articles.len() <= room {
            break;
        }
    }
    let body = format!(
        "<main>\n{head}<section id=\"questions\">\n<h2>Questions</h2>\n\
         {cut}{}{articles}<p id=\"nothing\" hidden>No question fits the filters.</p>\n</section>\n</main>\n{pictures}",
        filters(summary, questions, store)
    );
    document_with_script(&format!("Evaluation run {}", summary.run), STYLE, &body, SCRIPT)
}

/// The questions, until they are more than there is room for.
fn articles_of(questions: &[QuestionRecord], store: &StoreNow, detail: Detail, room: usize) -> String {
    let is_last = detail.rows == DETAILS[DETAILS.len() - 1].rows;
    let mut text = String::new();
    for record in questions {
        question::article(&mut text, record, store, detail);
        if text.len() > room && !is_last {
            break;
        }
    }
    text
}

fn shortened(detail: Detail) -> String {
    let mut text = format!(
        "<p class=\"soft\">So many questions leave room for {} bytes of a text and {} rows of a table",
        detail.text, detail.rows
    );
    if !detail.of_passed {
        text.push_str(", and for no trace and no judgement of answers that passed");
    }
    text + "; <code>questions/ID.json</code> in the folder of the run has all.</p>\n"
}

/// Each picture once; questions that share it refer to it.
fn pictures(store: &StoreNow) -> String {
    let mut text = String::from("<svg class=\"pictures\" width=\"0\" height=\"0\" aria-hidden=\"true\">\n");
    for (hash, png) in &store.pictures {
        let Some((width, height)) = size(png) else { continue };
        let _ = writeln!(
            text,
            "<symbol id=\"p{hash}\" viewBox=\"0 0 {width} {height}\"><image width=\"{width}\" height=\"{height}\" \
             href=\"data:image/png;base64,{}\"/></symbol>",
            STANDARD.encode(png)
        );
    }
    text + "</svg>\n"
}

/// The form that the script works. Without a script there is none.
fn filters(summary: &RunSummary, questions: &[QuestionRecord], store: &StoreNow) -> String {
    let mut text = String::from(
        "<form id=\"filters\" role=\"search\" aria-label=\"Filter the questions\" autocomplete=\"off\" hidden>\n\
         <fieldset><legend>Verdict</legend>",
    );
    for verdict in CaseVerdict::ALL {
        let count = summary.counts.get(&verdict).copied().unwrap_or(0);
        let _ = write!(
            text,
            "<label class=\"{0}\"><input type=\"checkbox\" name=\"verdict\" value=\"{0}\"> {0} <b>{count}</b></label>",
            verdict.name()
        );
    }
    text.push_str("</fieldset>\n");
    let names = |groups: &[crate::workflow::evaluate::Group]| -> Vec<String> {
        groups.iter().map(|group| group.name.clone()).collect()
    };
    let mut remarks: Vec<String> =
        questions.iter().flat_map(|record| question::remarks(record, &store.changed)).collect();
    remarks.sort_unstable();
    remarks.dedup();
    for (name, title, options) in [
        ("category", "Category", names(&summary.categories)),
        ("difficulty", "Difficulty", names(&summary.difficulties)),
        ("type", "Query type", names(&summary.query_types)),
        ("remark", "Remark", remarks),
    ] {
        let _ = write!(text, "<label>{title} <select name=\"{name}\"><option value=\"\">all</option>");
        for option in options {
            let (value, words) = (escape(&option), escape(&spaced(&option)));
            let _ = write!(text, "<option value=\"{value}\">{words}</option>");
        }
        text.push_str("</select></label>\n");
    }
    text.push_str(
        "<label>Text <input type=\"search\" name=\"text\" placeholder=\"press / to search\"></label>\n\
         <span class=\"buttons\"><button type=\"reset\">Reset</button><button type=\"button\" id=\"open\">Open all</button>\
         <button type=\"button\" id=\"close\">Close all</button></span>\n<output id=\"shown\"></output>\n</form>\n",
    );
    text
}

/// An identifier as words.
fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

/// The word of a value of an enumeration, as words.
fn words<T: serde::Serialize>(value: &T) -> String {
    word(value).map(|word| spaced(&word)).unwrap_or_default()
}

/// Text as far as there is room for it, escaped.
fn clip(text: &str, most: usize) -> String {
    if text.len() <= most {
        return escape(text);
    }
    let mut end = most;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}<i class=\"cut\">… {} more bytes</i>", escape(&text[..end]), text.len() - end)
}

/// Says how many rows are left out.
fn more(out: &mut String, all: usize, detail: Detail, what: &str) {
    if all > detail.rows {
        let _ = write!(out, "<p class=\"cut\">… {} more {what}</p>", all - detail.rows);
    }
}

#[cfg(test)]
mod tests;
