//! Visits a page until two visits agree. A difference from the record counts as a change only if a second visit
//! reads the same. An unreadable page is never a change.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::Timestamp;

use super::file::of_release;
use crate::error::Result;
use crate::manifest::{Entry, QuestionId, Visit};
use crate::truth::{Provenance, Record, Row, changes, is_kept, review};
use crate::workflow::derive;
use crate::workflow::filing::{Reading, Unread};
use crate::workflow::job::Job;
use crate::workflow::visit::{self, Answer, Failure, Loaded, PageResult, VisitReport};

/// The maximum number of visits: two, and one more if they disagree.
const MAX_VISITS: usize = 3;

/// The result of a page's visits.
pub(super) struct PageAnswers {
    pub answers: Vec<(Entry, Answer)>,
    pub visits: Vec<VisitReport>,
    /// The page as first seen, if a value is no longer found on it.
    pub broken: Option<Box<(Visit, PageResult)>>,
}

impl PageAnswers {
    /// A page that was not reached.
    pub fn skipped(page: &Visit) -> Self {
        let answers = page.entries.iter().map(|entry| (entry.clone(), Answer::Skipped)).collect();
        Self { answers, visits: Vec::new(), broken: None }
    }
}

/// One question as one visit read it.
struct VisitReading {
    reading: Reading,
    /// Whether the page was fully loaded.
    whole: bool,
}

impl VisitReading {
    /// Whether both visits read the same.
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

    /// The confirmed answer, and whether its evidence must be stored.
    fn confirmed(self, job: &Job, entry: &Entry, vintage: Option<&str>) -> Result<(Answer, bool)> {
        let is_new = match &self.reading {
            Ok((record, provenance)) => {
                let provenance = of_release(provenance.clone(), vintage);
                // without the release, a pending change may or may not have expired
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

/// Reads what a visit found.
pub(super) type Read =
    for<'a> fn(&Job, &'a Visit, &'a PageResult, Timestamp) -> Result<visit::PageAnswers<'a>>;

/// Visits a page until two visits agree on the answer to every question. `vintage` is the release of the site's
/// data, if known. `load` gets the number of earlier visits.
pub(super) async fn read_confirmed(
    job: &Job,
    page: &Visit,
    vintage: Option<&str>,
    stop: &AtomicBool,
    load: impl AsyncFn(&Visit, usize) -> Loaded,
    read: Read,
) -> Result<PageAnswers> {
    let mut questions = Confirmation::of(job, page, vintage, read);
    let mut visits = Vec::new();
    let mut first: Option<Box<(Visit, PageResult)>> = None;
    while visits.len() < MAX_VISITS && !questions.open.is_empty() {
        if stop.load(Ordering::Acquire) {
            questions.skip_open();
            break;
        }
        let visit = Visit { url: page.url.clone(), entries: std::mem::take(&mut questions.open) };
        let Loaded { report, page: loaded } = load(&visit, visits.len()).await;
        match loaded {
            Ok(read) => {
                questions.compare(&visit, &read)?;
                if first.is_none() && !questions.open.is_empty() {
                    first = Some(Box::new((visit, read)));
                }
            }
            Err(failure) => questions.fail(&visit, failure, visits.is_empty()),
        }
        visits.push(report);
    }
    let answers = questions.answers();
    let is_broken = |answer: &Answer| matches!(answer, Answer::Read(reading, _) if reading.is_err());
    let is_broken = answers.iter().any(|(_, answer)| is_broken(answer));
    Ok(PageAnswers { answers, visits, broken: first.filter(|_| is_broken) })
}

/// The questions of a page, until two visits agree on their answers.
struct Confirmation<'a> {
    job: &'a Job,
    page: &'a Visit,
    vintage: Option<&'a str>,
    read: Read,
    /// Questions that need another visit.
    open: Vec<Entry>,
    /// What the previous visit read for them.
    before: BTreeMap<QuestionId, VisitReading>,
    settled: BTreeMap<QuestionId, Answer>,
}

impl<'a> Confirmation<'a> {
    fn of(job: &'a Job, page: &'a Visit, vintage: Option<&'a str>, read: Read) -> Self {
        let (before, settled) = (BTreeMap::new(), BTreeMap::new());
        Self { job, page, vintage, read, open: page.entries.clone(), before, settled }
    }

    fn skip_open(&mut self) {
        self.settled.extend(self.open.drain(..).map(|entry| (entry.question_id, Answer::Skipped)));
    }

    /// Fails all questions of an unreadable visit.
    fn fail(&mut self, visit: &Visit, failure: Failure, is_first: bool) {
        let failure = if is_first {
            failure
        } else {
            let why = format_args!("not confirmed, because another visit failed: {failure}");
            Failure::of(why, failure.of_the_site)
        };
        let failed = |entry: &Entry| (entry.question_id.clone(), Answer::Failed(failure.clone()));
        self.settled.extend(visit.entries.iter().map(failed));
    }

    /// Compares a visit with the records and with the previous visit. Questions that neither confirms stay open.
    fn compare(&mut self, visit: &Visit, read: &PageResult) -> Result<()> {
        let store = &self.job.store;
        let mut questions = (self.read)(self.job, visit, read, self.job.clock.now())?;
        let mut keeps_evidence = false;
        for (entry, mut reading) in std::mem::take(&mut questions.questions) {
            let id = entry.question_id.clone();
            if let Err(unread) = &reading
                && let Some(judged) = unread.with_judged(store)?
            {
                // a person has judged the missing value, and nothing contradicts the judgement
                reading = Ok(judged);
            }
            if let Ok((record, provenance)) = &reading
                && let Some(known) = in_record(self.job, entry, record, provenance)?
            {
                keeps_evidence |= entry.input_of.is_none() && is_kept(store, record, provenance)?;
                self.settled.insert(id, Answer::of(Ok(known)));
                continue;
            }
            let found = VisitReading { reading, whole: questions.whole };
            if self.before.get(&id).is_some_and(|earlier| earlier.agrees(&found)) {
                let (answer, is_new) = found.confirmed(self.job, entry, self.vintage)?;
                keeps_evidence |= is_new;
                self.settled.insert(id, answer);
            } else {
                self.before.insert(id, found);
                self.open.push(entry.clone());
            }
        }
        if keeps_evidence {
            // evidence first, so that no reference points to a missing file
            questions.keep_evidence(store)?;
        }
        Ok(())
    }

    /// The answers in the order of the page's questions. Questions that are still open fail.
    fn answers(mut self) -> Vec<(Entry, Answer)> {
        for entry in self.open {
            let failure = Failure::of("no two visits in a row read the same value", false);
            self.settled.insert(entry.question_id, Answer::Failed(failure));
        }
        let answer = |entry: &Entry| Some((entry.clone(), self.settled.remove(&entry.question_id)?));
        self.page.entries.iter().filter_map(answer).collect()
    }
}

/// The reading, if it equals the record of its question or an input that the record was derived from.
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
