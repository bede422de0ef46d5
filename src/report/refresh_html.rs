//! A refresh as one page without scripts and without anything from outside: both readings side by side.

use std::fmt::Write as _;

use super::html::{document, escape, picture};
use super::refresh::causes_of_failures;
use super::words::{count, first_ids};
use crate::truth::ChangeKind;
use crate::workflow::refresh::{Change, Pictures, Refreshed, Shown};

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#1d2733;\
background:#fff}h1{font-size:1.5rem}h2{font-size:1.1rem;margin:2rem 0 .5rem}\
article{border:1px solid #d5dbe3;border-radius:6px;margin:.6rem 0;overflow:hidden}\
header{background:#f3f5f8;padding:.4rem .8rem;display:flex;gap:.8rem;flex-wrap:wrap;align-items:baseline}\
header b{white-space:nowrap}.by{margin-left:auto;color:#55606e}.sides{display:grid;grid-template-columns:1fr 1fr}\
.side{padding:.6rem .8rem;min-width:0;overflow-wrap:anywhere}.side+.side{border-left:1px solid #d5dbe3}\
.value{font-size:1.25rem}.none{color:#8a94a1;font-style:italic}dl{margin:.3rem 0 0;font-size:.82rem;color:#55606e;\
display:grid;grid-template-columns:max-content 1fr;gap:0 .6rem}dd{margin:0}.revision{border-left:4px solid #c98a1b}\
.rounding{border-left:4px solid #4a90a4}.scope,.schema{border-left:4px solid #7a6cc3}\
.disappearance{border-left:4px solid #b3453c}.appearance{border-left:4px solid #4f8a4c}.look{color:#b3453c}\
img{max-width:100%;margin-top:.4rem;border:1px solid #d5dbe3}li{overflow-wrap:anywhere}@media(max-width:40rem){.sides{grid-template-columns:1fr}.side+.side{border-left:0;\
border-top:1px solid #d5dbe3}}";

/// The page.
#[must_use]
pub fn page(report: &Refreshed) -> String {
    let mut body = String::new();
    let vintage = report.site_vintage.as_deref().map_or_else(String::new, |v| format!(", data of {v}"));
    let _ = write!(
        body,
        "<h1>Ground truth refresh</h1><p>{} of {} looked at{}: {} unchanged, {}, {} whose value cannot \
         be found, {} not read. Run {}.</p>",
        count(report.questions, "question"),
        escape(&report.site),
        escape(&vintage),
        report.unchanged,
        count(report.changes.len(), "change"),
        report.broken.len(),
        report.failed.len(),
        escape(&report.run),
    );
    if let Some((before, now)) = &report.moved_on {
        let _ = write!(
            body,
            "<p>The site brought out the data of {} in mid-run (before: {}); everything was looked at again.</p>",
            escape(now),
            escape(before)
        );
    }
    for kind in ChangeKind::ALL {
        let of_kind: Vec<&Change> = report.changes.iter().filter(|change| change.kind == kind).collect();
        if !of_kind.is_empty() {
            let _ = write!(body, "<h2>{} ({})</h2>", escape(&kind.to_string()), of_kind.len());
            of_kind
                .into_iter()
                .for_each(|change| body.push_str(&article(change, report.pictures.get(&change.question_id))));
        }
    }
    if !report.broken.is_empty() || !report.failed.is_empty() {
        body.push_str("<h2>Not read, so no change</h2><ul>");
        for broken in &report.broken {
            let _ = write!(
                body,
                "<li><b>Q{}</b> extractor broken: {}</li>",
                escape(&broken.question_id),
                escape(&broken.notes.join("; "))
            );
        }
        for (cause, ids, _) in causes_of_failures(report) {
            let _ = write!(body, "<li><b>{}</b> {}</li>", escape(&first_ids(&ids)), escape(&cause));
        }
        body.push_str("</ul>");
    }
    document("Ground truth refresh", STYLE, &body)
}

fn article(change: &Change, pictures: Option<&Pictures>) -> String {
    let before = pictures.and_then(|both| both.before.as_deref());
    let now = pictures.and_then(|both| both.now.as_deref());
    let look = if change.needs_page_look { "<span class=\"look\">needs a page look</span>" } else { "" };
    let note: Vec<&str> = change
        .by
        .as_deref()
        .into_iter()
        .chain([change.reason.as_str()])
        .filter(|note| !note.is_empty())
        .collect();
    format!(
        "<article class=\"{}\"><header><b>Q{}</b><span>{}</span>{look}<span class=\"by\">{}</span></header>\
         <div class=\"sides\">{}{}</div></article>",
        change.kind.name(),
        escape(&change.question_id),
        escape(&change.name),
        escape(&note.join(", ")),
        side("record", change.old.as_ref(), None, before),
        side(
            if change.needs_page_look { "API" } else { "page" },
            change.new.as_ref(),
            Some(&change.page),
            now
        ),
    )
}

fn side(title: &str, shown: Option<&Shown>, page: Option<&str>, png: Option<&[u8]>) -> String {
    let Some(shown) = shown else {
        return format!("<div class=\"side\">{title}<div class=\"value none\">no such row</div></div>");
    };
    let none = if shown.is_there { "" } else { " none" };
    let hash = shown.evidence.as_ref().map(ToString::to_string);
    let facts = [
        ("number", shown.number.as_deref()),
        ("year", shown.year.as_deref()),
        ("rank", shown.rank.as_deref()),
        ("displayed", shown.displayed.as_deref().filter(|text| *text != shown.text)),
        ("read", shown.read_at.as_deref()),
        ("found", shown.locator.as_deref()),
        ("page", page),
        // the picture says it better
        ("evidence", hash.as_deref().filter(|_| png.is_none())),
    ];
    let mut list = String::new();
    for (name, value) in facts.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        let _ = write!(list, "<dt>{name}</dt><dd>{}</dd>", escape(value));
    }
    format!(
        "<div class=\"side\">{title}<div class=\"value{none}\">{}</div>{}<dl>{list}</dl></div>",
        escape(&shown.text),
        png.map(|png| picture("what the page showed", png)).unwrap_or_default()
    )
}
