//! Visits of a page until two of them agree: what differs from the record is a change only when a second visit reads the same,
//! and what cannot be read is no change at all.

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

/// Visits of a page at most: two that agree, and one more when they do not.
const MAX_VISITS: usize = 3;

/// What the visits of a page came to.
pub(super) struct PageAnswers {
    pub answers: Vec<(Entry, Answer)>,
    pub visits: Vec<VisitReport>,
    /// The page as it was first seen, where something on it is not found any more.
    pub broken: Option<Box<(Visit, PageResult)>>,
}

impl PageAnswers {
    /// A page that was not got to.
    pub fn skipped(page: &Visit) -> Self {
        let answers = page.entries.iter().map(|entry| (entry.clone(), Answer::Skipped)).collect();
        Self { answers, visits: Vec::new(), broken: None }
    }
}

/// One question as one visit read it.
struct VisitReading {
    reading: Reading,
    /// Whether the page came whole.
    whole: bool,
}

impl VisitReading {
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

    /// The answer that a second visit confirmed, and whether its evidence has to be kept.
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

/// Reads what a visit found.
pub(super) type Read =
    for<'a> fn(&Job, &'a Visit, &'a PageResult, Timestamp) -> Result<visit::PageAnswers<'a>>;

/// Visits a page until every question on it has an answer that two visits agree on. `vintage` is the release of the site's data,
/// where it is known. `load` is told how many visits were before.
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

/// The questions of a page on their way to an answer that two visits agree on.
struct Confirmation<'a> {
    job: &'a Job,
    page: &'a Visit,
    vintage: Option<&'a str>,
    read: Read,
    /// Questions that another visit has to read.
    open: Vec<Entry>,
    /// What the visit before read of them.
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

    /// A page that could not be read gives no more answers.
    fn fail(&mut self, visit: &Visit, failure: Failure, is_first: bool) {
        let failure = if is_first {
            failure
        } else {
            let why = format_args!("not confirmed, as it could not be read again: {failure}");
            Failure::of(why, failure.of_the_site)
        };
        let failed = |entry: &Entry| (entry.question_id.clone(), Answer::Failed(failure.clone()));
        self.settled.extend(visit.entries.iter().map(failed));
    }

    /// Holds what a visit read against the records and against the visit before. What neither confirms stays open.
    fn compare(&mut self, visit: &Visit, read: &PageResult) -> Result<()> {
        let store = &self.job.store;
        let mut questions = (self.read)(self.job, visit, read, self.job.clock.now())?;
        let mut keeps_evidence = false;
        for (entry, mut reading) in std::mem::take(&mut questions.questions) {
            let id = entry.question_id.clone();
            if let Err(unread) = &reading
                && let Some(judged) = unread.with_judged(store)?
            {
                // a person has judged what is not found, and nothing says otherwise
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
            // evidence first, so that nothing ever refers to what is not there
            questions.keep_evidence(store)?;
        }
        Ok(())
    }

    /// The answers in the order of the page's questions; what is still open has none.
    fn answers(mut self) -> Vec<(Entry, Answer)> {
        for entry in self.open {
            let failure = Failure::of("every look says something else", false);
            self.settled.insert(entry.question_id, Answer::Failed(failure));
        }
        let answer = |entry: &Entry| Some((entry.clone(), self.settled.remove(&entry.question_id)?));
        self.page.entries.iter().filter_map(answer).collect()
    }
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
