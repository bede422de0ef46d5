//! Compares the answer of a spot check with page and stored truth, data point by data point. Pure.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::RefusedScore;
use crate::agent::Reply;
use crate::atlas::{self, AtlasUrl};
use crate::earlier::earlier_value;
use crate::expected::{against, against_stored, expected};
use crate::scoring::answer::{Expected, PointScore};
use crate::three_way::{self, SideMatch, Sides, SpotCheckCause};
use crate::truth::{Pipeline, Provenance, Record, Row, Site, Stored, may_score, same};
use crate::value::{Context, ContextPart};

/// One data point of a checked question.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CheckedPoint {
    /// Its field in the record.
    pub field: String,
    /// Its display name.
    pub metric: String,
    /// The stored value; none if there is no such row.
    pub truth: Option<String>,
    /// The page's value; none if there is no such row or the page could not be read.
    pub page: Option<String>,
    /// The agent's value.
    pub agent: Option<String>,
    /// The cause.
    pub cause: SpotCheckCause,
    /// The context parts in which the answer differs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differing: Vec<ContextPart>,
    /// The reason.
    pub reason: String,
    /// The sentence of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentence: Option<String>,
}

/// The entities in question, answer, links and page, by M49 code.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Entities {
    /// The question's country and partner.
    pub question: Vec<String>,
    /// Countries that the answer names.
    pub answer: Vec<String>,
    /// Countries of its links.
    pub links: Vec<String>,
    /// The page's country.
    pub page: Vec<String>,
}

/// A checked question.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CheckedAnswer {
    /// The cause; the worst of the points.
    pub cause: SpotCheckCause,
    /// The discrepancy.
    #[serde(skip)]
    pub discrepancy: Option<String>,
    /// The page's values, in one line.
    #[serde(skip)]
    pub browser_data: Option<String>,
    /// The stored values, in one line.
    pub stored_truth: String,
    /// The pipeline of the answer.
    pub pipeline: Pipeline,
    /// The scored data points.
    pub points: Vec<CheckedPoint>,
    /// The data points without a score, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedScore>,
    /// The entities involved.
    pub entities: Entities,
}

/// The page's side of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum PageSide {
    /// Its values.
    Read(Box<Record>, Option<Box<Provenance>>),
    /// Why it could not be read.
    Unreadable(String),
}

/// All inputs for a question.
#[derive(Debug)]
pub struct AskedQuestion<'a> {
    /// The question's text.
    pub text: &'a str,
    /// The context stated by the question.
    pub context: &'a Context,
    /// The requested pipeline, for answers without a trace.
    pub pipeline: Option<Pipeline>,
    /// The truth as stored before the page visit.
    pub stored: &'a Stored,
    /// Rows that were true before, newest first.
    pub older: &'a [Row],
    /// The page.
    pub page: &'a PageSide,
    /// The agent's answer, or why there is none.
    pub reply: Result<&'a Reply, &'a str>,
}

/// Judges a question.
#[must_use]
pub fn judge(question: &AskedQuestion<'_>) -> CheckedAnswer {
    let stored = question.stored;
    let rows = &stored.record.results.data;
    let stored_truth = summary(rows);
    let page_rows = match question.page {
        PageSide::Read(record, _) => Some(&record.results.data),
        PageSide::Unreadable(_) => None,
    };
    let browser_data = page_rows.map(|rows| summary(rows));
    let mut verdict = CheckedAnswer {
        cause: SpotCheckCause::AgentFailed,
        discrepancy: None,
        browser_data,
        stored_truth,
        pipeline: question.pipeline.unwrap_or(Pipeline::Unknown),
        points: Vec::new(),
        refused: Vec::new(),
        entities: entities(question, None),
    };
    let reply = match question.reply {
        Ok(reply) => reply,
        Err(error) => {
            verdict.discrepancy = Some(error.to_owned());
            return verdict;
        }
    };
    verdict.pipeline = reply.pipeline(question.pipeline);
    let (truth, against_truth) =
        against_stored(stored, Some(question.context), Some(question.text), &reply.answer);
    verdict.entities = entities(question, Some((reply, &against_truth.countries)));
    let other_entity = is_of_another_entity(&verdict.entities);
    let (page, against_page) = match question.page {
        PageSide::Read(record, provenance) => {
            let page = expected(record, provenance.as_deref(), Some(question.context));
            let scored = against(&page, Some(question.text), &reply.answer);
            (page, Some(scored.points))
        }
        PageSide::Unreadable(_) => (Vec::new(), None),
    };
    let fields: Vec<&String> = {
        let mut seen = BTreeSet::new();
        truth.iter().chain(&page).map(|one| &one.field).filter(|field| seen.insert(*field)).collect()
    };
    for field in fields {
        let at = |all: &[Expected]| all.iter().position(|one| one.field == *field);
        let (t, p) = (at(&truth), at(&page));
        let row = t.and_then(|t| rows.get(t));
        let page_row = p.and_then(|p| page_rows?.get(p));
        if let Some(why) = refusal(question, row, page_row, verdict.pipeline) {
            verdict.refused.push(RefusedScore { field: field.clone(), reason: why });
            continue;
        }
        let said_truth = t.and_then(|t| against_truth.points.get(t));
        let said_page = p.and_then(|p| against_page.as_ref()?.get(p));
        let point = point(question, field, (row, page_row), (said_truth, said_page), other_entity);
        verdict.points.push(point);
    }
    let causes: Vec<SpotCheckCause> = verdict.points.iter().map(|point| point.cause).collect();
    verdict.cause = three_way::worst(&causes).unwrap_or(SpotCheckCause::Unscored);
    verdict.discrepancy = discrepancy(question, &verdict);
    verdict
}

fn point(
    question: &AskedQuestion<'_>,
    field: &str,
    (row, page_row): (Option<&Row>, Option<&Row>),
    (said_truth, said_page): (Option<&PointScore>, Option<&PointScore>),
    other_entity: bool,
) -> CheckedPoint {
    let readable = matches!(question.page, PageSide::Read(..));
    let truth_side = said_truth.map_or(SideMatch::Nothing, SideMatch::of);
    // the agent cannot be right about a value that the page no longer has
    let gone = if matches!(truth_side, SideMatch::Same | SideMatch::Rounded) {
        SideMatch::Other
    } else {
        truth_side
    };
    let page_side = readable.then(|| said_page.map_or(gone, SideMatch::of));
    let page_truth = readable.then(|| row.zip(page_row).is_some_and(|(a, b)| same(a, b)));
    let unsettled = page_side.is_some_and(|side| matches!(side, SideMatch::Other | SideMatch::OtherContext));
    let older = unsettled.then(|| agrees_with_older(question, field)).flatten();
    let sides = Sides {
        agent_truth: Some(truth_side),
        agent_page: page_side,
        page_truth,
        agent_older: older.is_some(),
        other_entity,
    };
    let cause = three_way::decide(&sides);
    let said = match cause {
        SpotCheckCause::AgentStale => said_truth.filter(|_| older.is_none()).or(said_page),
        _ => said_page.or(said_truth),
    };
    let any = row.or(page_row);
    let (old, new) = (row.map(Row::shown), page_row.map(Row::shown));
    let reason = stale_reason(cause, old.as_deref(), new.as_deref(), older.as_deref())
        .or_else(|| match (cause, question.page) {
            (SpotCheckCause::PageUnreadable, PageSide::Unreadable(why)) => {
                Some(format!("the page could not be read: {why}"))
            }
            (SpotCheckCause::ContextsDiffer, _) if other_entity => Some(OTHER_ENTITY.to_owned()),
            _ => None,
        })
        .or_else(|| said.map(|point| point.reason.clone()));
    let differing =
        if cause == SpotCheckCause::ContextsDiffer { three_way::differing(said) } else { Vec::new() };
    CheckedPoint {
        field: field.to_owned(),
        metric: any.map(|row| row.metric.clone()).unwrap_or_default(),
        truth: old,
        page: new,
        agent: said_page.or(said_truth).and_then(|point| point.value.clone()),
        cause,
        differing,
        reason: reason.unwrap_or_default(),
        sentence: said.and_then(|point| point.sentence.clone()),
    }
}

const OTHER_ENTITY: &str = "the answer names no country, and its link leads to another than the question's";

/// Why a formerly true value differs; none if it was never true.
fn stale_reason(
    cause: SpotCheckCause,
    stored: Option<&str>,
    page: Option<&str>,
    older: Option<&str>,
) -> Option<String> {
    let page = page.unwrap_or("nothing");
    match cause {
        SpotCheckCause::TruthStale => {
            let stored = stored.unwrap_or("nothing");
            Some(format!("the page shows {page}, and the agent agrees; the stored truth is {stored}"))
        }
        SpotCheckCause::AgentStale => {
            let was = older.or(stored).unwrap_or_default();
            Some(format!("the agent says what was true before ({was}); the page shows {page}"))
        }
        _ => None,
    }
}

/// The older value that the answer gives, if it gives one.
fn agrees_with_older(question: &AskedQuestion<'_>, field: &str) -> Option<String> {
    let Ok(reply) = question.reply else { return None };
    earlier_value(question.older, field, question.context, question.text, &reply.answer)
}

/// Why neither stored truth nor page may score this answer.
fn refusal(
    question: &AskedQuestion<'_>,
    row: Option<&Row>,
    page_row: Option<&Row>,
    pipeline: Pipeline,
) -> Option<String> {
    let stored = question.stored;
    let by_truth = row.map(|row| {
        let point = stored.provenance.as_ref().and_then(|p| p.of(row));
        may_score(&stored.record, point, pipeline)
    });
    // the page decides. If it may score the answer, the stored truth is only compared with it
    if let (PageSide::Read(record, provenance), Some(row)) = (question.page, page_row) {
        let verdict = may_score(record, provenance.as_ref().and_then(|p| p.of(row)), pipeline);
        return verdict.reason().map(str::to_owned);
    }
    by_truth.and_then(|verdict| verdict.reason().map(str::to_owned))
}

fn entities(question: &AskedQuestion<'_>, answered: Option<(&Reply, &Vec<String>)>) -> Entities {
    let known = |context: &Context| {
        let mut ids: Vec<String> =
            [&context.country, &context.partner].into_iter().flatten().cloned().collect();
        ids.retain(|id| id.bytes().all(|byte| byte.is_ascii_digit()));
        ids
    };
    let of_url = |url: &str| {
        AtlasUrl::parse(url).ok().and_then(|parsed| parsed.url.country()).map(|id| id.code().to_string())
    };
    let mut asked = known(question.context);
    for (_, id) in atlas::find_names(question.text) {
        let id = id.code().to_string();
        if !asked.contains(&id) {
            asked.push(id);
        }
    }
    let page = match question.page {
        PageSide::Read(record, _) => of_url(&record.atlas_url),
        PageSide::Unreadable(_) => of_url(&question.stored.record.atlas_url),
    };
    let mut links: Vec<String> = answered
        .into_iter()
        .flat_map(|(reply, _)| reply.links.iter())
        .filter_map(|link| of_url(link))
        .collect();
    links.dedup();
    Entities {
        question: asked,
        answer: answered.map(|(_, countries)| countries.clone()).unwrap_or_default(),
        links,
        page: page.into_iter().collect(),
    }
}

/// Whether the only evidence of the answer's subject is links to pages of other countries.
fn is_of_another_entity(entities: &Entities) -> bool {
    entities.answer.is_empty()
        && !entities.question.is_empty()
        && !entities.links.is_empty()
        && entities.links.iter().all(|id| !entities.question.contains(id))
}

fn discrepancy(question: &AskedQuestion<'_>, verdict: &CheckedAnswer) -> Option<String> {
    if verdict.points.is_empty() {
        let why = verdict.refused.first().map(|refused| refused.reason.clone());
        return Some(why.unwrap_or_else(|| "there is nothing to score".to_owned()));
    }
    if let (SpotCheckCause::PageUnreadable, PageSide::Unreadable(why)) = (verdict.cause, question.page) {
        return Some(format!("the page could not be read: {why}"));
    }
    let parts: Vec<String> = verdict
        .points
        .iter()
        .filter(|point| point.cause == verdict.cause && point.cause != SpotCheckCause::AllAgree)
        .take(5)
        .map(|point| {
            let reason = if point.reason.is_empty() { point.cause.words() } else { point.reason.clone() };
            if verdict.points.len() == 1 { reason } else { format!("{}: {reason}", point.field) }
        })
        .collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

impl CheckedAnswer {
    /// Decision 18: a record of one site cannot score an agent that was asked about another.
    pub fn refuse_site(&mut self, of: Site, asked: Site) {
        if self.cause == SpotCheckCause::AgentFailed {
            return;
        }
        let reason =
            format!("the truth belongs to the {of} site, but the agent was asked about the {asked} site");
        self.refused = std::mem::take(&mut self.points)
            .into_iter()
            .map(|point| RefusedScore { field: point.field, reason: reason.clone() })
            .collect();
        self.cause = SpotCheckCause::Unscored;
        self.discrepancy = Some(reason);
    }
}

/// Rows in one line: `$2,274`, or `Business 26.43%; Travel & tourism 12%`.
fn summary(rows: &[Row]) -> String {
    let one = |row: &Row| {
        let (name, answer) = (row.name().or_else(|| row.text("sector")), row.answer());
        match name.filter(|_| rows.len() > 1) {
            // the value distinguishes two lists with the same names
            Some(name) if answer == name && name != row.shown() => format!("{name} {}", row.shown()),
            Some(name) if !answer.starts_with(&name) => format!("{name} {answer}"),
            _ => answer,
        }
    };
    let mut parts: Vec<String> = rows.iter().take(12).map(one).collect();
    if rows.len() > 12 {
        parts.push(format!("and {} more", rows.len() - 12));
    }
    parts.join("; ")
}
