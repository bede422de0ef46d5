//! Proposals of `mend` as one page without scripts: what is called otherwise, what is read with it, and the part of the page
//! that shows it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::html::{document, escape, picture};
use super::words::count;
use crate::mend::{Proposal, ReadAgain};
use crate::workflow::mend::Mended;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1d2733;\
background:#fff}h1{font-size:1.5rem}article{border:1px solid #d5dbe3;border-radius:6px;margin:1rem 0;overflow:hidden}\
header{background:#f3f5f8;padding:.4rem .8rem;overflow-wrap:anywhere}header .kind{color:#55606e}\
section{padding:.6rem .8rem}del{color:#b3453c;text-decoration:none;display:block}ins{color:#1f7a45;text-decoration:none;\
display:block;font-weight:600}table{border-collapse:collapse;width:100%;font-size:.88rem;margin-top:.4rem}td,th{text-align:left;\
padding:.15rem .6rem .15rem 0;vertical-align:top;overflow-wrap:anywhere;border-bottom:1px solid #eef1f5}\
img{max-width:100%;margin-top:.4rem;border:1px solid #d5dbe3}li{overflow-wrap:anywhere}";

/// The page; pictures by the ids of proposals.
#[must_use]
pub fn page(mended: &Mended, crops: &BTreeMap<String, Vec<u8>>) -> String {
    let mut body = format!(
        "<h1>Proposals</h1><p>{} by {}; {} left as they are. Accept: <code>atlas-gt mend {} --accept ID</code></p>",
        count(mended.unique.len(), "proposal"),
        escape(&mended.bundle.display().to_string()),
        mended.open.len(),
        escape(&mended.bundle.display().to_string()),
    );
    for one in &mended.unique {
        body.push_str(&article(one, crops.get(&one.id)));
    }
    if !mended.open.is_empty() {
        body.push_str("<h2>Left as they are</h2><ul>");
        for one in &mended.open {
            let either = if one.either.is_empty() {
                String::new()
            } else {
                format!(" (either {})", escape(&one.either.join(" · ")))
            };
            let _ = write!(
                body,
                "<li><b>{}/{}</b>: {}{either}</li>",
                escape(&one.extractor),
                escape(&one.subject),
                escape(&one.why)
            );
        }
        body.push_str("</ul>");
    }
    document("Proposals", STYLE, &body)
}

fn article(one: &Proposal, crop: Option<&Vec<u8>>) -> String {
    let mut text = format!(
        "<article><header><b>{}</b> <span class=\"kind\">{}; {}</span></header><section>",
        escape(&one.id),
        escape(&one.kind),
        one.proof.words()
    );
    for old in &one.old {
        let _ = write!(text, "<del>− {}</del>", escape(old));
    }
    let _ = write!(text, "<ins>+ {}</ins>", escape(&one.new));
    for edit in one.edits.iter().filter(|edit| edit.wording() != one.new) {
        let _ = write!(text, "<ins>+ {} = {}</ins>", escape(&edit.subject()), escape(edit.wording()));
    }
    let rows: String = one.reads.iter().filter(|read| !read.response.is_empty()).map(row).collect();
    if !rows.is_empty() {
        let _ =
            write!(text, "<table><tr><th>page<th>point<th>displayed<th>the response says</tr>{rows}</table>");
    }
    if let Some(png) = crop {
        text.push_str(&picture(&format!("where {} stands", one.id), png));
    }
    text + "</section></article>"
}

fn row(read: &ReadAgain) -> String {
    format!(
        "<tr><td>{}<td>{}<td>{}<td>{}</tr>",
        escape(&read.page),
        escape(&read.point),
        escape(&read.displayed),
        escape(&read.response)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_says_is_text_and_nothing_else() {
        let proposal = Proposal {
            id: "x/a".into(),
            extractor: "x".into(),
            kind: "label".into(),
            proof: crate::mend::Proof::Displayed,
            old: vec!["A".into()],
            new: "<script>alert(1)</script>".into(),
            edits: Vec::new(),
            points: vec!["a".into()],
            reads: vec![ReadAgain {
                page: "Kenya".into(),
                point: "a".into(),
                displayed: "$2 & more".into(),
                response: "2".into(),
            }],
        };
        let mended = Mended { unique: vec![proposal], ..Mended::default() };
        let page = page(&mended, &BTreeMap::from([("x/a".to_owned(), vec![1, 2, 3])]));
        assert!(
            !page.contains("<script>") && page.contains("$2 &amp; more") && page.contains("data:image/png")
        );
        assert!(page.contains("1 proposal by"));
    }
}
