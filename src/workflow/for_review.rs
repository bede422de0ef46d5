//! Builds reviews: values that were not found displayed on a page, with what the responses hold of
//! them.

use super::filing::{self, PageReading, as_displayed, other_context, row, wanted};
use crate::evidence::{Agreement, Channel, Hash};
pub use crate::extract::{Failure, FailureKind, ForPerson, Form, Observation, Slot, Wanted};
use crate::manifest::Entry;
use crate::truth::review::{Missing, Review, ReviewState};
use crate::truth::{PointProvenance, Row, Stored};

/// A value, its provenance, and what is missing of it.
type Waiting = (Row, PointProvenance, Missing);

impl PageReading<'_> {
    /// The review of a question that lacks values on a fully loaded page. It holds values from
    /// responses (decision 23) and drawn values that only a person can read. Returns nothing if
    /// some value is neither.
    pub fn review(
        &self,
        entry: &Entry,
        stored: Option<&Stored>,
        picture: Option<Hash>,
    ) -> Option<Box<Review>> {
        let mut values = Vec::new();
        let mut not_found: Vec<(Wanted, &Failure)> = Vec::new();
        for wanted in wanted(entry, self.extractor) {
            match self.extraction.outcome(&wanted)? {
                Ok(found) => values.extend(found.iter().map(|one| self.value(one, row(one)))),
                Err(failure) => not_found.push((wanted, failure)),
            }
        }
        if not_found.is_empty() {
            return None;
        }
        let asked: Vec<Wanted> = not_found.iter().map(|(wanted, _)| wanted.clone()).collect();
        let people = self.extractor.for_person(self.capture, &entry.url, &asked);
        let mut missing = Vec::new();
        for ((wanted, failure), person) in not_found.into_iter().zip(people) {
            let waiting = match self.answered(entry, &wanted) {
                Some(found) => self.held(entry, stored, failure, &found)?,
                None => self.drawn(failure, person.as_ref()?)?,
            };
            for (row, point, one) in waiting {
                missing.push(with_place(one, person.as_ref()));
                values.push((row, point));
            }
        }
        let (record, provenance) = self.record(entry, values);
        Some(Box::new(Review {
            question_id: entry.question_id.clone(),
            input_of: entry.input_of.as_ref().map(|(question, _)| question.clone()),
            review: ReviewState::Needed,
            rejected: None,
            taken_back: Vec::new(),
            seen_at: self.now,
            missing,
            base: stored.map(|stored| stored.hash.clone()),
            capture: self.kept.capture.clone(),
            picture,
            record,
            provenance,
        }))
    }

    /// The point's values in the page's responses, and in our own if we queried.
    fn answered(&self, entry: &Entry, wanted: &Wanted) -> Option<Vec<Observation>> {
        if !self.extractor.is_in_responses(&wanted.data_point) {
            return None;
        }
        let exchanges: Vec<_> = self.capture.exchanges.iter().chain(&self.capture.own).cloned().collect();
        let answer = self.extractor.answer(&exchanges, &entry.url, std::slice::from_ref(wanted));
        answer.outcome(wanted)?.as_ref().ok().cloned()
    }

    /// Response values that the page does not display. Returns none if one of them has another
    /// context than the question.
    fn held(
        &self,
        entry: &Entry,
        stored: Option<&Stored>,
        failure: &Failure,
        found: &[Observation],
    ) -> Option<Vec<Waiting>> {
        let one = |one: &Observation| {
            if other_context(&entry.context, one).is_some() {
                return None;
            }
            let (row, point) = self.value(one, as_displayed(stored, one));
            let missing = Missing {
                response_value: Some(row.shown()),
                source: one.backing.as_ref().map(|backing| backing.source.clone()).unwrap_or_default(),
                ..missing(row.field(), failure)
            };
            let channel = if self.capture.own.is_empty() { Channel::PageResponse } else { Channel::Api };
            let point = PointProvenance {
                channel,
                displayed: None,
                agreement: Some(Agreement::NotDisplayed),
                agreement_reason: Some(failure.to_string()),
                ..point
            };
            Some((row, point, missing))
        };
        found.iter().map(one).collect()
    }

    /// Drawn values that no response holds. Returns none if they are not drawn or their label is
    /// missing.
    fn drawn(&self, failure: &Failure, person: &ForPerson) -> Option<Vec<Waiting>> {
        let is_of_the_drawing = matches!(
            failure.kind,
            FailureKind::ForAPerson | FailureKind::ResponseMissing | FailureKind::NotAnswered(_)
        );
        let slots = person.slots.iter().map(|slot| self.slot(failure, person, slot));
        Some(slots.collect::<Vec<_>>()).filter(|slots| is_of_the_drawing && !slots.is_empty())
    }

    /// A row without a value, for one drawn value.
    fn slot(&self, failure: &Failure, person: &ForPerson, slot: &Slot) -> Waiting {
        let (rule, unit, vocabulary) = match &slot.form {
            Form::Rule { rule, unit } | Form::Worded { rule, unit, .. } => (Some(*rule), *unit, None),
            Form::Vocabulary(kind) => (None, None, Some(kind.clone())),
        };
        let keys = slot.keys.iter().map(|(key, value)| (key.clone(), value.clone().into()));
        let row = Row {
            data_point: failure.data_point.clone(),
            metric: person.metric.clone(),
            country: filing::country(&slot.context),
            extra: keys.collect(),
            unit,
            year: slot.context.period.map(|period| period.to_string()),
            answers: person.answers.clone(),
            ..Row::default()
        };
        let point = PointProvenance {
            rule,
            locator: Some(format!("section `{}`, drawn; {}", person.section, person.label)),
            agreement: Some(Agreement::NotDisplayed),
            agreement_reason: Some(failure.to_string()),
            evidence: Some(self.kept.capture.clone()),
            screenshot: self.kept.picture.clone(),
            settled_url: Some(self.capture.settled_url.clone()),
            extractor: Some(self.extractor.label()),
            ..PointProvenance::of_row(&row, slot.context.clone(), Channel::Person, self.now)
        };
        let named = slot.named.map(str::to_owned);
        let missing = Missing { named, vocabulary, ..missing(row.field(), failure) };
        (row, point, missing)
    }
}

fn missing(field: String, failure: &Failure) -> Missing {
    Missing {
        field,
        response_value: None,
        source: String::new(),
        looked_for: failure.to_string(),
        label: failure.label.clone(),
        seen: String::new(),
        vocabulary: None,
        named: None,
        area: None,
        crop: None,
        suggestion: None,
        accepted: None,
    }
}

fn with_place(missing: Missing, person: Option<&ForPerson>) -> Missing {
    let Some(person) = person else { return missing };
    let vocabulary = missing.vocabulary.or_else(|| person.vocabulary.clone());
    Missing { seen: person.seen.clone(), vocabulary, area: person.area, ..missing }
}
