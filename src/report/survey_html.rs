//! A survey as one page without scripts and without anything from outside: every page with its points and its picture, and
//! the part of it that should show what was not found.

use std::fmt::Write as _;

use super::html::{document, escape, picture};
use super::survey::remarks;
use super::words::seconds;
use crate::picture::{cut, scaled, size};
use crate::workflow::survey::{Bundle, BundlePage, Survey, SurveyedPage, SurveyedPoint};

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#1d2733;\
background:#fff}h1{font-size:1.5rem}article{border:1px solid #d5dbe3;border-radius:6px;margin:1rem 0;overflow:hidden}\
header{background:#f3f5f8;padding:.4rem .8rem;display:flex;gap:.8rem;flex-wrap:wrap;align-items:baseline;\
overflow-wrap:anywhere}header .by{margin-left:auto;color:#55606e}section{padding:.6rem .8rem;border-top:1px solid #d5dbe3}\
table{border-collapse:collapse;width:100%;font-size:.88rem}td,th{text-align:left;padding:.15rem .6rem .15rem 0;\
vertical-align:top;overflow-wrap:anywhere;border-bottom:1px solid #eef1f5}td:first-child{width:36%}\
td:nth-child(2){white-space:nowrap}.bad td:nth-child(2){color:#b3453c;font-weight:600}ul{margin:.3rem 0;padding-left:1.2rem;font-size:.9rem}\
img{max-width:100%;margin-top:.4rem;border:1px solid #d5dbe3}summary{cursor:pointer;color:#55606e}";

/// Crops of one page at most: points of one section have one.
const MAX_CROPS: usize = 6;

/// How many pixels of a page are one here, along each side: crops stay legible, the whole page shows where things are. The
/// pictures themselves are in the bundle.
const CROP: u32 = 2;
const WHOLE: u32 = 4;

/// The page.
#[must_use]
pub fn page(bundle: &Bundle) -> String {
    let survey = &bundle.survey;
    let mut body = format!(
        "<h1>Survey</h1><p>{} of {} points would be collected from {}. {} requests, {:.1} s. {}</p>",
        survey.points.found,
        survey.points.all,
        escape(&survey.site),
        survey.requests,
        seconds(survey.took_ms),
        escape(&survey.at),
    );
    for page in &survey.pages {
        let kept = bundle.pages.iter().find(|kept| kept.page.path == page.path);
        body.push_str(&article(survey, page, kept));
    }
    document("Survey", STYLE, &body)
}

fn article(survey: &Survey, page: &SurveyedPage, kept: Option<&BundlePage>) -> String {
    let mut text = format!(
        "<article><header><b>{}</b><span>{}</span><span class=\"by\">{} requests, {:.1} s, {}</span></header><section><ul>",
        escape(&page.name),
        escape(&page.path),
        page.requests,
        seconds(page.took_ms),
        escape(&page.settled),
    );
    for line in remarks(page) {
        let _ = write!(text, "<li>{}</li>", escape(&line));
    }
    for shape in page.shapes.values().filter(|shape| !shape.other_headings.is_empty()) {
        let _ = write!(
            text,
            "<li>headings that open no section: {}</li>",
            escape(&shape.other_headings.join(" · "))
        );
    }
    for (host, requests) in &page.third_parties {
        let _ = write!(text, "<li>asked {} of {}</li>", requests, escape(host));
    }
    if !page.states.is_empty() {
        let _ =
            write!(text, "<li>controls and tooltips that worked: {}</li>", escape(&page.states.join(", ")));
    }
    text.push_str("</ul></section>");
    if page.absent {
        return text + "</article>";
    }
    let (bad, good): (Vec<_>, Vec<_>) = page.points.iter().partition(|point| survey.is_remarkable(point));
    if !bad.is_empty() {
        let _ = write!(text, "<section>{}{}</section>", rows(&bad, true), crops(&bad, kept));
    }
    let _ = write!(
        text,
        "<section><details><summary>{} points that were found</summary>{}</details></section>",
        good.len(),
        rows(&good, false)
    );
    let whole = kept.and_then(|kept| smaller(kept.picture.as_deref()?, WHOLE));
    if let Some(png) = whole {
        let _ = write!(
            text,
            "<section><details><summary>the whole page</summary>{}</details></section>",
            picture("the whole page", &png)
        );
    }
    text + "</article>"
}

fn rows(points: &[&SurveyedPoint], bad: bool) -> String {
    let mut text = format!("<table{}>", if bad { " class=\"bad\"" } else { "" });
    // points that share a cause are one row
    let cause = |point: &SurveyedPoint| (point.extractor.clone(), point.status, point.text.clone());
    for alike in points.chunk_by(|one, next| cause(one) == cause(next)) {
        let names: Vec<&str> = alike.iter().map(|point| point.point.as_str()).collect();
        let dot = if names.len() == 1 { "." } else { ": " };
        let names = format!("{}{dot}{}", alike[0].extractor, names.join(", "));
        let _ = write!(
            text,
            "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(&names),
            alike[0].status.words(),
            escape(&alike[0].text)
        );
    }
    text + "</table>"
}

/// The parts of the picture that should show these points.
fn crops(points: &[&SurveyedPoint], kept: Option<&BundlePage>) -> String {
    let Some(png) = kept.and_then(|kept| kept.picture.as_deref()) else { return String::new() };
    let mut seen = Vec::new();
    let mut text = String::new();
    for point in points {
        let Some(area) = point.area.filter(|area| !seen.contains(area)) else { continue };
        if seen.len() == MAX_CROPS {
            break;
        }
        seen.push(area);
        let part = cut(png, area).ok().flatten().and_then(|part| smaller(&part, CROP));
        if let Some(part) = part {
            text.push_str(&picture(&format!("where {} should be", point.point), &part));
        }
    }
    text
}

/// A picture with `by` of its pixels as one along each side; none where it cannot be read.
fn smaller(png: &[u8], by: u32) -> Option<Vec<u8>> {
    let (width, height) = size(png)?;
    scaled(png, width.div_ceil(by), height.div_ceil(by)).ok()?
}
