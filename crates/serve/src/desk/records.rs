//! The records pages: a searchable list, and one record with its values, their sources and their history.

use crate::templates::values;
use atlas_gt_core::error::{Error, Result};
use atlas_gt_core::words::name;
use atlas_gt_truth::history::{self, History};
use atlas_gt_truth::{PointProvenance, Row, Stored};
use serde::Serialize;

use super::page::{Page, about, question_id, shown};
use super::place::{Place, Places};
use super::sources::Sources;

#[derive(Debug, Serialize)]
struct Summary {
    id: String,
    question: Option<String>,
    values: usize,
    first: String,
    method: String,
    read: String,
}

pub(crate) fn page(sources: &Sources, search: &str) -> Result<Page> {
    let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
    let mut records = Vec::new();
    if let Some(store) = sources.store()? {
        for stored in store.records()? {
            let text = searched(&stored);
            if words.iter().all(|word| text.contains(word)) {
                records.push(summary(&stored));
            }
        }
    }
    Ok(Page { template: "records.html", values: values! { records, search } })
}

/// The text that a search covers.
fn searched(stored: &Stored) -> String {
    let record = &stored.record;
    let mut text = format!("{} {} {}", record.question_id, record.atlas_url, record.source);
    text.extend(stored.question().into_iter().flat_map(|question| [" ", question]));
    for row in &record.results.data {
        text.extend([" ", &row.data_point, " ", &row.metric, " ", &row.country, " ", &row.shown()]);
    }
    text.to_lowercase()
}

fn summary(stored: &Stored) -> Summary {
    let record = &stored.record;
    let first = record.results.data.first();
    Summary {
        id: record.question_id.to_string(),
        question: stored.question().map(str::to_owned),
        values: record.results.data.len(),
        first: first.map_or_else(String::new, |row| format!("{}: {}", about(row), row.shown())),
        method: record.source_method.to_string(),
        read: shown(record.execution_timestamp),
    }
}

/// A value with its provenance, as templates show it.
#[derive(Debug, Serialize)]
struct ShownValue {
    field: String,
    about: String,
    year: Option<String>,
    value: String,
    facts: Vec<(&'static str, String)>,
    place: Option<Place>,
    /// The area of a screenshot on which a person read it.
    crop: Option<String>,
}

fn shown_value(row: &Row, point: Option<&PointProvenance>, places: &mut Places<'_>) -> ShownValue {
    let mut facts = Vec::new();
    if let Some(point) = point {
        let mut fact = |name, text: Option<String>| {
            facts.extend(text.filter(|text| !text.is_empty()).map(|text| (name, text)))
        };
        fact("displayed", point.displayed.clone());
        fact(
            "stands for",
            point.interval.as_ref().map(|interval| format!("{} to {}", interval.low, interval.high)),
        );
        fact(
            "precise",
            point.precise.as_ref().map(|precise| format!("{} ({})", precise.number, precise.from)),
        );
        fact("channel", Some(name(&point.channel).to_owned()));
        fact("agreement", point.agreement.as_ref().map(|one| name(one).to_owned()));
        fact("why", point.agreement_reason.clone());
        fact("found by", point.locator.clone());
        fact("extractor", point.extractor.clone());
        fact("release", point.site_vintage.clone());
        fact("read", Some(shown(point.read_at)));
        fact("judged by", point.person.as_ref().map(|person| format!("{}: {}", person.by, person.why)));
        fact("evidence", point.evidence.as_ref().map(ToString::to_string));
    }
    ShownValue {
        field: row.field(),
        about: about(row),
        year: row.year.clone(),
        value: row.shown(),
        facts,
        crop: point.and_then(|point| point.person.as_ref()?.crop.as_ref()).map(ToString::to_string),
        place: point.and_then(|point| places.find(point)),
    }
}

/// The history of changed fields and rejected changes: field, value, since, until, how.
fn past(history: &History) -> Vec<[String; 5]> {
    let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "no such row".to_owned());
    let of_field = history.lives.chunk_by(|one, next| one.field == next.field);
    let lives = of_field.filter(|lives| lives.len() > 1).flatten().map(|life| {
        let since = life.since.map_or_else(|| "?".to_owned(), shown);
        let until = life.until.map_or_else(|| "now".to_owned(), shown);
        let how = life.change.as_ref().map_or_else(|| "first reading".to_owned(), ToString::to_string);
        [life.field.clone(), value(&life.value), since, until, how]
    });
    let rejected = history
        .rejected
        .iter()
        .map(|one| [one.field.clone(), value(&one.value), shown(one.at), "–".to_owned(), one.to_string()]);
    lives.chain(rejected).collect()
}

pub(crate) fn one(sources: &Sources, id: &str) -> Result<Page> {
    let id = question_id(id)?;
    let none = || Error::Nothing(format!("there is no record of question {id}"));
    let store = sources.store()?.ok_or_else(none)?;
    let stored = store.readable(&id).ok_or_else(none)?;
    let record = &stored.record;
    let point = |row: &Row| stored.provenance.as_ref().and_then(|provenance| provenance.of(row));
    let mut places = Places::of(&store);
    let values: Vec<ShownValue> =
        record.results.data.iter().map(|row| shown_value(row, point(row), &mut places)).collect();
    let history = history::of(&store, &id, &|_| true)?;
    let past = past(&history);
    let page = record.page();
    let command = sources.command(&format!("history {id}"));
    let values = values! {
        id => id.to_string(), question => stored.question(), values, past, link => page.link, url => page.text, command, method => record.source_method,
        site => record.site.to_string(), read => shown(record.execution_timestamp),
    };
    Ok(Page { template: "record.html", values })
}
