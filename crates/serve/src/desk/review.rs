//! The review queue: the screenshot with the value's area marked, beside the form.

use crate::templates::values;
use atlas_gt_core::error::{Error, Result};
use atlas_gt_truth::judged::{self as last, DecidedOn};
use atlas_gt_truth::review::{self as queue, Missing, Review, ReviewState};
use atlas_gt_truth::{Person, Store};
use serde::Serialize;

use super::page::{Page, question_id, shown};
use super::place::Place;
use super::sources::Sources;

/// All readable reviews.
fn readable_reviews(store: &Store) -> Result<Vec<Review>> {
    let mut all = Vec::new();
    for id in queue::ids(store)? {
        if let Ok(Some(found)) = queue::load(store, &id) {
            all.push(found);
        }
    }
    Ok(all)
}

/// The questions that await review, in order.
pub(crate) fn waiting(store: &Store) -> Result<Vec<Review>> {
    Ok(readable_reviews(store)?.into_iter().filter(Review::is_needed).collect())
}

pub(crate) fn page(sources: &Sources) -> Result<Page> {
    let waiting = sources.store()?.map(|store| waiting(&store)).transpose()?.unwrap_or_default();
    let rows: Vec<(String, Option<String>, String, String)> = waiting
        .iter()
        .map(|one| {
            let question = one.provenance.question.clone();
            (one.question_id.to_string(), question, one.summary(), shown(one.seen_at))
        })
        .collect();
    let judged = sources.store()?.map(|store| judged(&store)).transpose()?.unwrap_or_default();
    Ok(Page { template: "reviews.html", values: values! { rows, judged } })
}

/// A verdict that can be undone.
#[derive(Debug, Serialize)]
struct ShownVerdict {
    id: String,
    tone: &'static str,
    said: String,
}

/// The verdicts whose record has not been written since.
fn judged(store: &Store) -> Result<Vec<ShownVerdict>> {
    let said = |person: &Person| format!("{} ({}, {})", person.why, person.by, shown(person.at));
    let mut all = Vec::new();
    for review in readable_reviews(store)? {
        let id = review.question_id.to_string();
        if let Some(person) = review.rejected.as_ref().filter(|_| review.review == ReviewState::Rejected) {
            all.push(ShownVerdict { id, tone: "bad", said: format!("rejected: {}", said(person)) });
        } else if let Some(accepted) = review.missing.iter().find_map(|missing| missing.accepted.as_ref()) {
            let said = format!("accepted in part: {}", said(&accepted.person));
            all.push(ShownVerdict { id, tone: "good", said });
        }
    }
    for id in last::ids(store)? {
        let Ok(Some(judged)) = last::load(store, &id) else { continue };
        let DecidedOn::Review(review) = &judged.decided else { continue };
        let is_last = judged.is_last(store.readable(&id).as_ref());
        let waits = matches!(queue::load(store, &id), Ok(Some(_)));
        let accepted = review.missing.iter().find_map(|missing| missing.accepted.as_ref());
        if let Some(accepted) = accepted.filter(|_| is_last && !waits) {
            let said = format!("accepted: {}", said(&accepted.person));
            all.push(ShownVerdict { id: id.to_string(), tone: "good", said });
        }
    }
    Ok(all)
}

/// A value under review, as templates show it.
#[derive(Debug, Serialize)]
struct ShownMissing {
    field: String,
    /// The command that accepts it.
    command: String,
    label: String,
    metric: String,
    response: Option<String>,
    source: String,
    looked_for: String,
    seen: String,
    suggestion: Option<String>,
    named: Option<String>,
    accepted: bool,
    known: Option<String>,
    crop: Option<String>,
}

pub(crate) fn one(sources: &Sources, id: &str) -> Result<Page> {
    let id = question_id(id)?;
    let none = || Error::Nothing(format!("question {id} has no value to review"));
    let store = sources.store()?.ok_or_else(none)?;
    let all = waiting(&store)?;
    let at = all.iter().position(|one| one.question_id == id).ok_or_else(none)?;
    let (review, next) = (&all[at], all.get(at + 1).or_else(|| all.first()));
    let next = next.filter(|next| next.question_id != id).map(|next| next.question_id.to_string());
    let stored = store.readable(review.question());
    let known = |missing: &Missing| {
        let rows = &stored.as_ref()?.record.results.data;
        rows.iter().find(|row| row.field() == missing.field).map(|row| row.shown())
    };
    let one = |missing: &Missing| ShownMissing {
        field: missing.field.clone(),
        command: sources.command(&review.accept_command(missing)),
        label: missing.label.clone(),
        metric: review
            .row(missing)
            .map_or_else(String::new, |(row, _)| format!("{}, {}", row.metric, row.country)),
        response: missing.response_value.clone(),
        source: missing.source.clone(),
        looked_for: missing.looked_for.clone(),
        seen: missing.seen.clone(),
        suggestion: missing
            .suggestion
            .as_ref()
            .map(|found| format!("{} ({:.0} % sure)", found.text, found.confidence)),
        named: missing.named.clone(),
        accepted: missing.accepted.is_some(),
        known: known(missing),
        crop: missing.crop.as_ref().map(ToString::to_string),
    };
    let missing: Vec<ShownMissing> = review.missing.iter().map(one).collect();
    let areas = review.missing.iter().filter_map(|missing| missing.area);
    let boxes = areas.map(|area| [area.x, area.y, area.width, area.height].map(|length| length as f32));
    let place = review.picture.as_ref().and_then(|hash| Place::on_picture(&store, hash, boxes));
    let link = review.record.page().link;
    let values = values! {
        id => id.to_string(), question => &review.provenance.question, missing, place, next, link, waiting => all.len(), reject => sources.command(&review.reject_command()), seen_at => shown(review.seen_at),
    };
    Ok(Page { template: "review.html", values })
}
