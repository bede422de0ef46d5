//! Refresh through the APIs alone: our own queries replace page visits. A response that
//! differs from a record, at its displayed precision, waits for a decision. For records read from a
//! page, it waits for a page visit.

use jiff::Timestamp;

use crate::atlas::SitePage;
use crate::error::Result;
use crate::manifest::{Entry, Method, Visit, visits};
use crate::selection::at_least_one;
use crate::truth::{Provenance, Record, Results, Store, Stored};
use crate::workflow::filing::{self, PageReading, Unread};
use crate::workflow::job::Job;
use crate::workflow::visit::{PageAnswers, PageResult, read_each};

/// Checks that the APIs can answer some question of a job. An empty job passes.
///
/// # Errors
/// The APIs hold no value of the chosen questions.
pub(super) fn at_least_one_answerable(job: &Job) -> Result<()> {
    let pages = visits(&job.entries);
    let answerable = pages.iter().filter(|page| !answerable(job, page).entries.is_empty()).count();
    at_least_one(job.options.fresh + answerable, || {
        format!(
            "--api-only: the APIs hold no value of the chosen questions ({}); omit it to read the pages in a browser",
            job.entries.iter().map(|entry| entry.question_id.as_str()).collect::<Vec<_>>().join(", ")
        )
    })?;
    Ok(())
}

/// The questions of a page that the APIs can answer at least in part.
pub(super) fn answerable(job: &Job, page: &Visit) -> Visit {
    let of = |entry: &&Entry| {
        let Some(extractor) = job.extractors.get(&entry.extractor) else { return false };
        let any = entry.data_points.iter().any(|point| extractor.is_in_responses(point));
        let explore = matches!(&page.url.page, SitePage::Explore(_));
        any && !(explore && job.extractors.is_browser_only(entry))
    };
    Visit { url: page.url.clone(), entries: page.entries.iter().filter(of).cloned().collect() }
}

/// Reads the responses to the queries for a page. What they lack says nothing about the page.
pub(super) fn read_responses<'a>(
    job: &Job,
    page: &'a Visit,
    read: &'a PageResult,
    now: Timestamp,
) -> Result<PageAnswers<'a>> {
    read_each(job, page, read, now, |own, entry| {
        let stored = stored_of(&job.store, entry)?;
        Ok(in_form_of(own, entry, stored).map_err(|notes| Unread { notes, review: None }))
    })
}

/// The answer to one question, in the form of its record. Stored rows that no response holds stay.
fn in_form_of(
    own: &PageReading<'_>,
    entry: &Entry,
    stored: Option<Stored>,
) -> std::result::Result<(Record, Provenance), Vec<String>> {
    let (can, cannot): (Vec<_>, Vec<_>) = filing::wanted(entry, own.extractor)
        .into_iter()
        .partition(|wanted| own.extractor.is_in_responses(&wanted.data_point));
    let row = |observation: &_| filing::as_displayed(stored.as_ref(), observation);
    // the method of an entry is for its page
    let values = own.values(entry, Method::ApiPreferred, &can, row)?;
    let (mut record, mut provenance) = own.record(entry, values);
    let Some(Stored { record: known, provenance: how, .. }) = stored else { return Ok((record, provenance)) };
    for row in known.results.data {
        if cannot.iter().any(|wanted| wanted.data_point == row.data_point) {
            provenance.points.extend(how.as_ref().and_then(|how| how.of(&row)).cloned());
            record.results.data.push(row);
        }
    }
    Ok((record, provenance))
}

/// The record of a question. For an input, the part of its question's record.
fn stored_of(store: &Store, entry: &Entry) -> Result<Option<Stored>> {
    let Some(stored) = store.load(entry.question())? else { return Ok(None) };
    if entry.input_of.is_none() {
        return Ok(Some(stored));
    }
    let derivation = stored.provenance.as_ref().and_then(|provenance| provenance.derivation.as_ref());
    let input = derivation.and_then(|all| all.inputs.iter().find(|one| one.name == entry.question_id));
    let Some(input) = input.cloned() else { return Ok(None) };
    let record = Record { results: Results { data: vec![input.row] }, ..stored.record };
    let provenance = Some(Provenance::of_points(&record, vec![input.point]));
    Ok(Some(Stored { record, provenance, hash: stored.hash }))
}
