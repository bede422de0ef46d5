//! The report of a survey: the result of each point by page, with picture crops where missing
//! points should be.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::words::{count, of_schemas, seconds};
use super::{Body, Card, CaseVerdict, Doc, Invocation, Report, ReportCase, Table, Text, Tone};
use crate::error::Exit;
use crate::picture::{cut, scaled, size};
use crate::row;
use crate::workflow::survey::{Bundle, BundlePage, PointStatus, Survey, SurveyedPage, SurveyedPoint};

/// The status columns of the table.
const COLUMNS: [(&str, &[PointStatus]); 5] = [
    (">found", &[PointStatus::Found, PointStatus::Absent, PointStatus::OwnQuery]),
    (">missing", &[PointStatus::Missing]),
    (">other form", &[PointStatus::OtherForm]),
    (">disagrees", &[PointStatus::PageDisagrees]),
    (">no response", &[PointStatus::Unconfirmed, PointStatus::ResponseMissing, PointStatus::ResponseUnread]),
];

/// The maximum number of crops per page. Points of a section share one.
const MAX_CROPS: usize = 6;

/// Scale factors for pictures: crops stay legible, and the whole page shows where things are. The
/// bundle has the original pictures.
const CROP_SCALE: u32 = 2;
const PAGE_SCALE: u32 = 4;

/// The maximum number of point names in a line.
const MAX_NAMES: usize = 6;

/// A survey, with its pictures if it is written as a page.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Surveyed<'a> {
    /// The result.
    #[serde(flatten)]
    pub survey: &'a Survey,
    /// The bundle, with its pictures.
    #[serde(skip)]
    pub bundle: Option<Bundle>,
}

impl Report for Surveyed<'_> {
    const NAME: &'static str = "survey";
    const ITEMS: Option<&'static str> = Some("pages");

    fn exit(&self) -> Exit {
        self.survey.exit()
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let survey = self.survey;
        let mut doc = Doc::new("Survey");
        let share = survey.points;
        let tone = if share.found == share.all { Tone::Good } else { Tone::Bad };
        doc.verdict(
            tone,
            format!(
                "{} of {} would be collected from {}",
                share.found,
                count(share.all, "point"),
                survey.site
            ),
        );
        doc.sum(format!(
            "{}, {} (planned {}), {:.1} s; captures in {}",
            count(survey.pages.len(), "page"),
            count(survey.requests, "request"),
            survey.planned_requests,
            seconds(survey.took_ms),
            survey.bundle.display()
        ));
        doc.body.list(of_schemas(&survey.schemas, &invocation.command("api introspect")));
        let head: Vec<&str> = ["page"]
            .into_iter()
            .chain(COLUMNS.map(|(name, _)| name))
            .chain([">requests", ">seconds"])
            .collect();
        doc.body.rows(&head, survey.pages.iter().map(counts));
        for page in &survey.pages {
            let mut lines = remarks(page);
            lines.extend(causes(survey, page));
            if self.bundle.is_none() {
                doc.body.list(lines.into_iter().map(|line| format!("{}: {line}", page.name)));
            }
        }
        if let Some(bundle) = &self.bundle {
            let kept = |page: &SurveyedPage| bundle.pages.iter().find(|kept| kept.page.path == page.path);
            let cards = survey.pages.iter().map(|page| card(survey, page, kept(page), invocation)).collect();
            let lines = survey.pages.iter().flat_map(|page| {
                remarks(page).into_iter().chain(causes(survey, page)).map(|line| row![&page.name, line])
            });
            doc.body.cards(Table::new(&["page", "remark"]).rows(lines), cards);
        }
        if share.found < share.all {
            let bundle = super::quoted(&survey.bundle.display().to_string());
            doc.next("propose spec changes", invocation.command(&format!("mend {bundle}")));
        }
        doc
    }

    fn cases(&self) -> Vec<ReportCase> {
        let case = |page: &SurveyedPage| {
            let causes = causes(self.survey, page);
            let state = match &page.failure {
                Some(_) => CaseVerdict::Error,
                None => CaseVerdict::from_pass(Some(causes.is_empty())),
            };
            ReportCase::new(&page.name, state, [remarks(page), causes].concat().join("\n"))
        };
        self.survey.pages.iter().map(case).collect()
    }
}

fn counts(page: &SurveyedPage) -> Vec<Text> {
    let of = |statuses: &[PointStatus]| {
        page.points.iter().filter(|point| statuses.contains(&point.status)).count().to_string()
    };
    let counts = COLUMNS.map(|(_, statuses)| if page.absent { "–".to_owned() } else { of(statuses) });
    let mut cells = row![&page.name];
    cells.extend(counts.map(Text::from));
    cells.extend(row![page.requests, format!("{:.1}", seconds(page.took_ms))]);
    cells
}

/// Remarks on a page beside the counts, one per line.
fn remarks(page: &SurveyedPage) -> Vec<String> {
    if let Some(failure) = &page.failure {
        return vec![format!("not read: {failure}")];
    }
    if page.absent {
        return vec!["the site has no such page, as expected".to_owned()];
    }
    let mut lines = Vec::new();
    for (extractor, shape) in &page.shapes {
        let missing = shape.sections.iter().filter(|one| one.heading.is_none());
        let missing: Vec<&str> = missing.map(|one| one.slug.as_str()).collect();
        if !missing.is_empty() {
            lines.push(format!("sections not found ({extractor}): {}", missing.join(", ")));
        }
    }
    if page.shapes.is_empty() {
        lines.push("it is not recognised as the requested page".to_owned());
    }
    lines.extend(page.notes.iter().map(|note| format!("note: {note}")));
    lines
}

/// The missing points of a page, one line per cause.
fn causes(survey: &Survey, page: &SurveyedPage) -> Vec<String> {
    let mut causes: BTreeMap<(PointStatus, &str), Vec<&str>> = BTreeMap::new();
    for point in page.points.iter().filter(|point| survey.is_remarkable(point)) {
        causes.entry((point.status, point.text.as_str())).or_default().push(&point.point);
    }
    let line = |((status, text), mut names): ((PointStatus, &str), Vec<&str>)| {
        let more = names.len().saturating_sub(MAX_NAMES);
        names.truncate(MAX_NAMES);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        format!("{}: {}{more}: {text}", status.words(), names.join(", "))
    };
    causes.into_iter().map(line).collect()
}

fn card(survey: &Survey, page: &SurveyedPage, kept: Option<&BundlePage>, invocation: &Invocation) -> Card {
    let (bad, good): (Vec<_>, Vec<_>) = page.points.iter().partition(|point| survey.is_remarkable(point));
    let tone = if page.failure.is_some() || !bad.is_empty() { Tone::Bad } else { Tone::Good };
    let facts =
        format!(" {}, {:.1} s, {}", count(page.requests, "request"), seconds(page.took_ms), page.settled);
    let head = row![format!("{} ", page.name), invocation.page(&page.path), Text::muted(facts)];
    let blocks = Body::of(|body| {
        body.list(remarks(page));
        for shape in page.shapes.values().filter(|shape| !shape.other_headings.is_empty()) {
            body.line(format!("unknown headings: {}", shape.other_headings.join(" · ")));
        }
        body.list(
            page.third_parties
                .iter()
                .map(|(host, requests)| format!("{} to {host}", count(*requests, "request"))),
        );
        if !page.states.is_empty() {
            body.line(format!("controls and tooltips that worked: {}", page.states.join(", ")));
        }
        if page.absent {
            return;
        }
        body.table(points(&bad, Tone::Bad));
        crops(body, &bad, kept);
        body.folded(format!("{} found", count(good.len(), "point")), |body| {
            body.table(points(&good, Tone::Good));
        });
        if let Some(png) = kept.and_then(|kept| smaller(kept.picture.as_deref()?, PAGE_SCALE)) {
            body.folded("the whole page", |body| body.picture("the whole page", &png));
        }
    });
    Card { tone, head, blocks, ..Card::default() }
}

/// Points as a table. Points with the same cause share a row.
fn points(points: &[&SurveyedPoint], tone: Tone) -> Table {
    let cause = |point: &SurveyedPoint| (point.extractor.clone(), point.status, point.text.clone());
    let rows = points.chunk_by(|one, next| cause(one) == cause(next)).map(|alike| {
        let names: Vec<&str> = alike.iter().map(|point| point.point.as_str()).collect();
        let dot = if names.len() == 1 { "." } else { ": " };
        let names = format!("{}{dot}{}", alike[0].extractor, names.join(", "));
        row![names, Text::badge(tone, alike[0].status.words()), &alike[0].text]
    });
    Table::new(&["points", "", "what the page says"]).rows(rows)
}

/// The picture crops where these points should be.
fn crops(body: &mut Body, points: &[&SurveyedPoint], kept: Option<&BundlePage>) {
    let Some(png) = kept.and_then(|kept| kept.picture.as_deref()) else { return };
    let mut seen = Vec::new();
    for point in points {
        let Some(area) = point.area.filter(|area| !seen.contains(area)) else { continue };
        if seen.len() == MAX_CROPS {
            break;
        }
        seen.push(area);
        let part = cut(png, area).ok().flatten().and_then(|part| smaller(&part, CROP_SCALE));
        if let Some(part) = part {
            body.picture(format!("where {} should be", point.point), &part);
        }
    }
}

/// A picture scaled down by a factor; none if it cannot be decoded.
fn smaller(png: &[u8], by: u32) -> Option<Vec<u8>> {
    let (width, height) = size(png)?;
    scaled(png, width.div_ceil(by), height.div_ceil(by)).ok()?
}
