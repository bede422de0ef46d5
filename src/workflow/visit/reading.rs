//! The answers of a page to its questions, with their evidence.

use std::borrow::Cow;

use jiff::Timestamp;

use super::page::PageResult;
use crate::atlas::SitePage;
use crate::error::{Error, Result};
use crate::evidence::Hash;
use crate::manifest::{Entry, Visit};
use crate::truth::Store;
use crate::workflow::filing;
use crate::workflow::job::Job;

/// The answers of a page, with their evidence.
pub(in crate::workflow) struct PageAnswers<'a> {
    evidence: Vec<u8>,
    picture: Option<&'a [u8]>,
    pub questions: Vec<(&'a Entry, filing::Reading)>,
    /// Whether a value that was not found says anything about the extractor.
    pub whole: bool,
}

impl PageAnswers<'_> {
    /// The hashes of the evidence.
    pub fn hashes(&self) -> Vec<Hash> {
        std::iter::once(self.evidence.as_slice()).chain(self.picture).map(Hash::of).collect()
    }

    /// Stores the evidence.
    pub fn keep_evidence(&self, store: &Store) -> Result<()> {
        store.put_evidence(&self.evidence)?;
        if let Some(png) = self.picture {
            store.put_picture(png)?;
        }
        Ok(())
    }
}

/// Reads the answers to a page's questions, each from the extraction of its own extractor. What a
/// fully loaded page lacks is for a person to review.
pub(in crate::workflow) fn read_questions<'a>(
    job: &Job,
    page: &'a Visit,
    read: &'a PageResult,
    now: Timestamp,
) -> Result<PageAnswers<'a>> {
    let whole = read.is_whole();
    let shown = || read.screenshot.as_deref().map(Hash::of);
    let answers = read_each(job, page, read, now, |own, entry| {
        let notes = match own.of(entry) {
            Ok(reading) => return Ok(Ok(reading)),
            Err(notes) => notes,
        };
        let stored = job.store.load(&entry.question_id)?;
        let review = own.review(entry, stored.as_ref(), shown()).filter(|_| whole);
        Ok(Err(filing::Unread { notes, review }))
    })?;
    Ok(PageAnswers { whole, ..answers })
}

/// As [`read_questions`], each question by `reading`.
pub(in crate::workflow) fn read_each<'a>(
    job: &Job,
    page: &'a Visit,
    read: &'a PageResult,
    now: Timestamp,
    reading: impl Fn(&filing::PageReading<'_>, &Entry) -> Result<filing::Reading>,
) -> Result<PageAnswers<'a>> {
    // cloning costs megabytes, and only a replayed page has no time of its own
    let mut capture = Cow::Borrowed(&read.capture);
    if capture.taken_at.is_empty() {
        capture.to_mut().taken_at = now.to_string();
    }
    let evidence = serde_json::to_vec(capture.as_ref())
        .map_err(|error| Error::Store { path: job.store.dir().to_owned(), message: error.to_string() })?;
    let drawn = matches!(page.url.page, SitePage::Explore(_));
    let shown = read.screenshot.as_deref();
    let kept = filing::Kept { capture: Hash::of(&evidence), picture: shown.filter(|_| drawn).map(Hash::of) };
    let (capture, kept, site) = (capture.as_ref(), &kept, job.store.site());
    let mut questions = Vec::with_capacity(page.entries.len());
    for entry in &page.entries {
        let reading = match read.read_by(&entry.extractor) {
            Some((extractor, extraction)) => {
                reading(&filing::PageReading { extractor, extraction, capture, kept, site, now }, entry)?
            }
            None => {
                let notes = vec![format!("there is no extractor `{}`", entry.extractor)];
                Err(filing::Unread { notes, review: None })
            }
        };
        questions.push((entry, reading));
    }
    let is_reviewed =
        |(_, reading): &(_, filing::Reading)| reading.as_ref().is_err_and(|unread| unread.review.is_some());
    let picture = shown.filter(|_| drawn || questions.iter().any(is_reviewed));
    Ok(PageAnswers { evidence, picture, questions, whole: false })
}
