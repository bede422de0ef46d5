//! Looking at a page again until two looks agree: what differs from the record is a change only when a second
//! look says the same, and what cannot be read is no change at all.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::file::of_release;
use crate::acquire::Browser;
use crate::error::Result;
use crate::event::Events;
use crate::manifest::{Entry, QuestionId, Visit};
use crate::truth::{Provenance, Record, Row, changes, is_kept, review};
use crate::workflow::derive;
use crate::workflow::filing::{Reading, Unread};
use crate::workflow::job::Job;
use crate::workflow::visit::{self, Answer, Failure, Loaded, VisitReport, read_questions};

/// Looks at a page at most: two that agree, and one more when they do not.
const LOOKS: usize = 3;

/// What the visits of a page came to.
pub(super) struct PageResult {
    pub answers: Vec<(Entry, Answer)>,
    pub visits: Vec<VisitReport>,
    /// The page as it was first seen, where something on it is not found any more.
    pub broken: Option<Box<(Visit, visit::PageResult)>>,
}

impl PageResult {
    /// A page that was not got to.
    pub fn skipped(page: &Visit) -> Self {
        let answers = page.entries.iter().map(|entry| (entry.clone(), Answer::Skipped)).collect();
        Self { answers, visits: Vec::new(), broken: None }
    }
}

/// One question as one visit read it.
struct Seen {
    reading: Reading,
    /// Whether the page came whole.
    whole: bool,
}

impl Seen {
    /// Whether another visit read the same.
    fn agrees(&self, other: &Self) -> bool {
        match (&self.reading, &other.reading) {
            (Ok(one), Ok(other)) => changes(&one.0.results.data, &other.0.results.data).is_empty(),
            (Err(one), Err(other)) => {
                let rows = |unread: &Unread| -> Option<Vec<Row>> {
                    unread.review.as_ref().map(|review| review.record.results.data.clone())
                };
                one.notes == other.notes && rows(one) == rows(other)
            }
            _ => false,
        }
    }

    /// The answer that a second look confirmed, and whether its evidence has to be kept.
    fn confirmed(self, job: &Job, entry: &Entry, vintage: Option<&str>) -> Result<(Answer, bool)> {
        let is_new = match &self.reading {
            Ok((record, provenance)) => {
                let provenance = of_release(provenance.clone(), vintage);
                // without the release it is not known whether what waits still counts
                vintage.is_none() || entry.input_of.is_some() || is_kept(&job.store, record, &provenance)?
            }
            Err(unread) if self.whole => match &unread.review {
                Some(review) => review::is_new(&job.store, review)?,
                None => false,
            },
            Err(unread) => return Ok((Answer::Failed(Failure::of(unread.notes.join("; "), false)), false)),
        };
        Ok((Answer::of(self.reading), is_new))
    }
}

/// Looks at a page until every question on it is settled. `vintage` is the release of the site's data, where it is
/// known.
pub(super) async fn look<B: Browser>(
    browser: &B,
    job: &Job,
    page: &Visit,
    vintage: Option<&str>,
    events: &Events,
    stop: &AtomicBool,
) -> Result<PageResult> {
    let mut settled: BTreeMap<QuestionId, Answer> = BTreeMap::new();
    let mut before: BTreeMap<QuestionId, Seen> = BTreeMap::new();
    let mut open: Vec<Entry> = page.entries.clone();
    let mut visits = Vec::new();
    let mut first: Option<Box<(Visit, visit::PageResult)>> = None;
    for number in 0..LOOKS {
        if open.is_empty() {
            break;
        }
        if stop.load(Ordering::Acquire) {
            settled.extend(open.drain(..).map(|entry| (entry.question_id.clone(), Answer::Skipped)));
            break;
        }
        let visit = Visit { url: page.url.clone(), entries: std::mem::take(&mut open) };
        let Loaded { report, page: loaded } = visit::load(browser, job, &visit, events, stop).await;
        let seen = match loaded {
            Ok(read) => read,
            Err(failure) => {
                visits.push(report);
                let failure = match number {
                    0 => failure,
                    _ => Failure::of(
                        format_args!("not confirmed, as the page could not be read again: {failure}"),
                        failure.of_the_site,
                    ),
                };
                let failed = |entry: &Entry| (entry.question_id.clone(), Answer::Failed(failure.clone()));
                settled.extend(visit.entries.iter().map(failed));
                break;
            }
        };
        let mut read = read_questions(job, &visit, &seen, job.clock.now())?;
        let whole = seen.is_whole();
        visits.push(report);
        let mut still = Vec::new();
        let mut to_keep = false;
        for (entry, mut reading) in std::mem::take(&mut read.questions) {
            let id = entry.question_id.clone();
            if let Err(unread) = &reading
                && let Some(judged) = unread.with_judged(&job.store)?
            {
                // a person has judged what is not found, and nothing says otherwise
                reading = Ok(judged);
            }
            if let Ok((record, provenance)) = &reading
                && let Some(known) = in_record(job, entry, record, provenance)?
            {
                to_keep |= entry.input_of.is_none() && is_kept(&job.store, record, provenance)?;
                settled.insert(id, Answer::of(Ok(known)));
                continue;
            }
            let found = Seen { reading, whole };
            if before.get(&id).is_some_and(|earlier| earlier.agrees(&found)) {
                let (answer, is_new) = found.confirmed(job, entry, vintage)?;
                to_keep |= is_new;
                settled.insert(id, answer);
            } else {
                before.insert(id, found);
                still.push(entry.clone());
            }
        }
        if to_keep {
            // evidence first, so that nothing ever refers to what is not there
            read.keep_evidence(&job.store)?;
        }
        open = still;
        if first.is_none() && !open.is_empty() {
            first = Some(Box::new((visit, seen)));
        }
    }
    for entry in open {
        let failure = Failure::of("the page says something else at every look", false);
        settled.insert(entry.question_id.clone(), Answer::Failed(failure));
    }
    let answer = |entry: &Entry| Some((entry.clone(), settled.remove(&entry.question_id)?));
    let answers = page.entries.iter().filter_map(answer).collect();
    let answers: Vec<(Entry, Answer)> = answers;
    let is_broken = |answer: &Answer| matches!(answer, Answer::Read(reading, _) if reading.is_err());
    let is_broken = answers.iter().any(|(_, answer)| is_broken(answer));
    Ok(PageResult { answers, visits, broken: first.filter(|_| is_broken) })
}

/// A reading that says what the record of its question does, or what the record follows from.
fn in_record(
    job: &Job,
    entry: &Entry,
    record: &Record,
    provenance: &Provenance,
) -> Result<Option<(Record, Provenance)>> {
    let rows = &record.results.data;
    if entry.input_of.is_some() {
        return derive::known(&job.store, entry, rows, &provenance.points);
    }
    let stored = job.store.load(&entry.question_id)?;
    let is_same = stored.is_some_and(|stored| changes(&stored.record.results.data, rows).is_empty());
    Ok(is_same.then(|| (record.clone(), provenance.clone())))
}
