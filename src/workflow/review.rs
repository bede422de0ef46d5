//! The review queue: keeps pending reviews with the picture crop that shows each value, lists them,
//! and accepts or rejects them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::acquire::ocr;
use crate::error::{Error, Result};
use crate::evidence::{Channel, Hash};
pub use crate::extract::{Form, Read};
use crate::manifest::QuestionId;
use crate::picture::cut;
use crate::truth::review::{self, Accepted, Missing, ReadValue, Review, ReviewState, Suggestion};
use crate::truth::take_back::take_back;
use crate::truth::{CommitRun, Person, PointProvenance, Row, RowChange, Store, accept_reviewed};
use crate::value::expected;
use atlas_gt_core::command_line::{self, Placeholder, store_command};

/// A question under review, with the context to decide it.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Waiting {
    /// The review.
    #[serde(flatten)]
    pub review: Review,
    /// The recorded text of each value, in order; none if the record has no such value.
    pub known: Vec<Option<String>>,
}

/// The pictures of a review, as PNG by hash.
pub type Pictures = BTreeMap<Hash, Vec<u8>>;

/// A person's decision on a value.
#[derive(Debug, Clone)]
pub struct PersonVerdict<'a> {
    /// The value read from the picture; none to accept the response's value.
    pub value: Option<&'a str>,
    /// The value's field, if the question has several.
    pub field: Option<&'a str>,
    /// Who decided, when and why.
    pub person: Person,
}

/// The result of an acceptance.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct JudgedValue {
    /// Values of the question still under review. Its record is written when none is left.
    pub left: Vec<String>,
    /// The question that can now be derived, if this was its last input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_of: Option<QuestionId>,
    /// The changes in the record.
    #[serde(skip)]
    pub changes: Vec<RowChange>,
}

/// Adds a reading to the review queue, unless its outcome is known, and returns a note. The picture
/// must already be stored.
///
/// # Errors
/// The store cannot be read or written.
pub(super) fn keep(store: &Store, found: &Review) -> Result<String> {
    if review::is_new(store, found)? {
        review::save(store, &with_crops(store, found)?)?;
    }
    let id = &found.question_id;
    Ok(if found.is_known(store.load(id)?.as_ref()) {
        "its response agrees with the record".to_owned()
    } else if review::load(store, id)?.is_some_and(|known| known.is_needed()) {
        let show = store_command(&format!("review show {id}"), store.dir());
        format!("{}; see `{show}`", found.summary())
    } else {
        format!("{}; a person rejected this reading", found.summary())
    })
}

/// Adds the picture crop of each value and the text that the recognition program reads in it.
fn with_crops(store: &Store, found: &Review) -> Result<Review> {
    let mut kept = found.clone();
    let picture = found.picture.as_ref().and_then(|hash| Some((hash, store.picture(hash).ok()?)));
    if let Some((hash, picture)) = &picture {
        for (missing, before) in kept.missing.iter_mut().zip(&found.missing) {
            let Some(area) = missing.area else { continue };
            let part = cut(picture, area).unwrap_or_else(|why| {
                tracing::warn!("question {}: {}: {why}", found.question_id, missing.field);
                None
            });
            missing.crop = Some(match &part {
                Some(part) => store.put_picture(part)?,
                None => (*hash).clone(),
            });
            let form = found.row(before).and_then(|(row, point)| form(row, point, before));
            let form = form.filter(|_| missing.named.is_none());
            missing.suggestion = form.and_then(|form| suggestion(&form, part.as_ref().unwrap_or(picture)));
        }
    }
    Ok(kept)
}

/// The most confident recognized text that has the form of the value.
fn suggestion(form: &Form, picture: &[u8]) -> Option<Suggestion> {
    let read = ocr::read(picture)?;
    let fits = |line: &ocr::OcrLine| {
        let (_, text) = form.typed(&line.text)?;
        Some(Suggestion { text, confidence: line.confidence })
    };
    read.iter().filter_map(fits).max_by(|one, other| one.confidence.total_cmp(&other.confidence))
}

/// The form of a value under review; none if any text is valid.
fn form(row: &Row, point: &PointProvenance, missing: &Missing) -> Option<Form> {
    match (point.rule, &missing.vocabulary) {
        (Some(rule), _) => Some(Form::Rule { rule, unit: row.unit }),
        (None, Some(kind)) => Some(Form::Vocabulary(kind.clone())),
        (None, None) => None,
    }
}

/// The reviews, ordered by question. Unreadable reviews are quarantined.
///
/// # Errors
/// The store cannot be read.
pub fn waiting(store: &Store) -> Result<Vec<Waiting>> {
    let mut all = Vec::new();
    for id in review::ids(store)? {
        if !store.is_readable(&id) {
            continue;
        }
        let found = review::load(store, &id)?.filter(Review::is_needed);
        all.extend(found.map(|found| with_record(store, found)).transpose()?);
    }
    Ok(all)
}

/// The review of a question.
///
/// # Errors
/// The question has no review, or the store cannot be read.
pub fn of_question(store: &Store, id: &str) -> Result<Waiting> {
    let id: QuestionId = id.parse()?;
    let found = review::load(store, &id)?.filter(Review::is_needed).ok_or_else(|| {
        Error::Usage(format!(
            "question {id}: it is not under review; `{}` shows the questions that are",
            store_command("review list", store.dir())
        ))
    })?;
    with_record(store, found)
}

fn with_record(store: &Store, review: Review) -> Result<Waiting> {
    let stored = store.load(&review.question_id)?;
    let rows = stored.iter().flat_map(|stored| &stored.record.results.data);
    let rows: Vec<&Row> = rows.collect();
    let known =
        |missing: &Missing| rows.iter().find(|row| row.field() == missing.field).map(|row| row.shown());
    let known = review.missing.iter().map(known).collect();
    Ok(Waiting { review, known })
}

/// The stored pictures that reviews refer to. Missing ones are skipped.
#[must_use]
pub fn pictures(store: &Store, all: &[Waiting]) -> Pictures {
    let crops = all.iter().flat_map(|one| &one.review.missing).filter_map(|missing| missing.crop.as_ref());
    let hashes = all.iter().filter_map(|one| one.review.picture.as_ref()).chain(crops);
    hashes.filter_map(|hash| Some((hash.clone(), store.picture(hash).ok()?))).collect()
}

/// States how many of the failed questions wait for review. Returns nothing if none does.
///
/// # Errors
/// The store cannot be read.
pub fn hint<'a>(store: &Store, failed: impl Iterator<Item = &'a str>) -> Result<Option<String>> {
    let waiting = waiting(store)?;
    let (waits, fails): (Vec<&str>, Vec<&str>) =
        failed.partition(|id| waiting.iter().any(|one| one.review.question().as_str() == *id));
    let what = match (waits.len(), fails.len()) {
        (0, _) => return Ok(None),
        (1, 0) => "the question that could not be read is in the review queue".to_owned(),
        (all, 0) => format!("all {all} questions that could not be read are in the review queue"),
        (some, rest) => {
            format!("{some} of {} questions that could not be read are in the review queue", some + rest)
        }
    };
    Ok(Some(what))
}

/// Accepts a value of a question, as read by a person or as given by the response. Without a field
/// and a value, accepts every response value. The record is written once no value of the question
/// is under review.
///
/// # Errors
/// Nothing is under review, no reason is written, the text does not have the value's form, the field is ambiguous, or no
/// response holds the value. Or the store cannot be written, or the record has changed since.
pub fn accept(store: &Store, id: &str, verdict: &PersonVerdict<'_>, run: &CommitRun) -> Result<JudgedValue> {
    let mut review = of_question(store, id)?.review;
    command_line::reason(&verdict.person.why)?;
    let chosen = chosen(&review, verdict)?;
    for at in chosen {
        let missing = &review.missing[at];
        let usage = |what: String| Error::Usage(format!("question {id}: {}: {what}", missing.field));
        let read = match verdict.value {
            Some(text) => Some(parsed(&review, missing, text).map_err(usage)?),
            None if missing.response_value.is_some() => None,
            None => {
                let what = "no response holds a value; give the one in the picture";
                return Err(usage(what.to_owned()));
            }
        };
        let crop = missing.crop.clone().or_else(|| review.picture.clone());
        if read.is_some() && crop.is_none() {
            return Err(usage("it has no picture: collect the question again".to_owned()));
        }
        let person = Person { crop, ..verdict.person.clone() };
        review.missing[at].accepted = Some(Accepted { read, person });
    }
    let open = review.missing.iter().filter(|missing| missing.accepted.is_none());
    let left: Vec<String> = open.map(|missing| missing.field.clone()).collect();
    if left.is_empty() && review.input_of.is_none() {
        return Ok(JudgedValue { left, input_of: None, changes: accept_reviewed(store, &review, run)? });
    }
    if left.is_empty() {
        review.review = ReviewState::Accepted;
    }
    review::save(store, &review)?;
    Ok(JudgedValue { left, input_of: review.input_of, changes: Vec::new() })
}

/// The values that a decision covers.
fn chosen(review: &Review, verdict: &PersonVerdict<'_>) -> Result<Vec<usize>> {
    let fields: Vec<&str> = review.missing.iter().map(|missing| missing.field.as_str()).collect();
    let id = &review.question_id;
    match verdict.field {
        Some(field) => match fields.iter().position(|known| *known == field) {
            Some(at) => Ok(vec![at]),
            None => Err(Error::Usage(format!(
                "question {id}: `{field}` is not under review; {} is",
                fields.join(", ")
            ))),
        },
        None if verdict.value.is_some() && fields.len() > 1 => Err(Error::Usage(format!(
            "question {id}: several values are under review; choose one with --point: {}",
            fields.join(", ")
        ))),
        None => Ok((0..fields.len()).filter(|at| review.missing[*at].accepted.is_none()).collect()),
    }
}

/// Parses a value typed by a person, by the rule or vocabulary of its point.
fn parsed(review: &Review, missing: &Missing, text: &str) -> std::result::Result<ReadValue, String> {
    let (row, point) = review.row(missing).ok_or("the review is damaged: collect the question again")?;
    let text = Placeholder::Value.replaced(text)?;
    if let Some(key) = &missing.named {
        let form = form(row, point, missing).ok_or("the review is damaged: collect the question again")?;
        return named(&form, key, text);
    }
    let Some(form) = form(row, point, missing) else {
        let is_there = !text.is_empty();
        let value =
            is_there.then(|| ReadValue { name: None, value: text.to_owned(), number: None, interval: None });
        return value.ok_or_else(|| "the value is empty".to_owned());
    };
    match form.typed(text) {
        Some(typed) => Ok(read_value(None, typed)),
        None => Err(not_of_form(&form, text)),
    }
}

fn read_value(name: Option<String>, (read, value): (Read, String)) -> ReadValue {
    match read {
        Read::Quantity(quantity) => ReadValue {
            name,
            value,
            number: Some(quantity.number.normalize()),
            interval: Some(quantity.interval),
        },
        Read::Word(_) => ReadValue { name, value, number: None, interval: None },
    }
}

/// Parses a name followed by its value: `Tea $1.39B`. A partner must be a known place.
fn named(form: &Form, key: &str, text: &str) -> std::result::Result<ReadValue, String> {
    let parts = text.match_indices(char::is_whitespace).map(|(at, _)| text.split_at(at));
    let found = parts.filter_map(|(name, value)| Some((name, form.typed(value.trim())?))).next();
    let (name, typed) = found
        .filter(|(name, _)| !name.is_empty())
        .ok_or_else(|| format!("`{text}` is not the name of a {key} and its value: {}", form.describe()))?;
    let name = match crate::atlas::lookup(name) {
        Some(place) if key != "product" => place.short_name.to_owned(),
        None if key != "product" => return Err(format!("`{name}` is not a known country or place")),
        _ => name.trim_end_matches([':', ',']).to_owned(),
    };
    Ok(read_value(Some(name), typed))
}

/// The message for a text that does not have the form of its value.
fn not_of_form(form: &Form, text: &str) -> String {
    match form {
        Form::Rule { rule, .. } => format!("`{text}` is not {} ({rule:?})", expected(*rule)),
        _ => format!("`{text}` is not {}", form.describe()),
    }
}

/// Checks that the value read by a person is well-formed and equals the recorded value.
///
/// # Errors
/// The reason why it is not.
pub(super) fn confirm(row: &Row, point: &PointProvenance) -> std::result::Result<(), String> {
    let text = row.value.as_deref().ok_or("the record has no value")?;
    if point.displayed.as_deref() != Some(text) {
        let read = point.displayed.as_deref().unwrap_or_default();
        return Err(format!("the record says {text}, but the person read {read}"));
    }
    let Some(rule) = point.rule else { return Ok(()) };
    let form = Form::Rule { rule, unit: row.unit };
    match form.typed(text) {
        Some((Read::Quantity(quantity), _))
            if Some(quantity.number.normalize()) == row.number.map(|number| number.normalize())
                && Some(quantity.interval) == point.interval =>
        {
            Ok(())
        }
        Some(_) => Err(format!("{text} stands for another number than the record has")),
        None => Err(not_of_form(&form, text)),
    }
}

/// Whether a person read the value from a picture, rather than accepting a response.
pub(super) fn is_read_by_a_person(point: &PointProvenance) -> bool {
    point.channel == Channel::Person && point.displayed.is_some()
}

/// Rejects the review of a question. The record stays unchanged, and the same reading does not
/// return. An unreadable review is dropped.
///
/// # Errors
/// Nothing is under review, no reason is written, or the store cannot be written.
pub fn reject(store: &Store, id: &str, person: Person) -> Result<()> {
    command_line::reason(&person.why)?;
    if let Ok(id) = id.parse::<QuestionId>()
        && let Err(Error::Record { .. }) = review::load(store, &id)
    {
        return review::drop(store, &id);
    }
    let review = of_question(store, id)?.review;
    review::save(store, &Review { review: ReviewState::Rejected, rejected: Some(person), ..review })
}

/// Undoes the last decision on a question: it is under review again, and a record written from it
/// is restored.
///
/// # Errors
/// There was no decision, the record has been written since, or the store cannot be written.
pub fn undo(store: &Store, id: &str, person: &Person) -> Result<Vec<RowChange>> {
    let id: QuestionId = id.parse()?;
    let run = CommitRun { id: "review".to_owned(), now: person.at, by: Some(person.by.clone()) };
    take_back(store, &id, person, &run)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Rule, Unit};

    #[test]
    fn a_name_and_its_value_are_told_apart_and_a_partner_is_a_known_place() {
        let form = Form::Rule { rule: Rule::F1, unit: Some(Unit::Usd) };
        let of = |key: &str, text: &str| named(&form, key, text).map(|read| (read.name.unwrap(), read.value));
        let read = |name: &str, value: &str| Ok((name.to_owned(), value.to_owned()));
        assert_eq!(of("product", "Tea $1.39B"), read("Tea", "$1.39B"));
        assert_eq!(of("product", "Cars 4x4: $2.00M"), read("Cars 4x4", "$2.00M"));
        assert_eq!(of("partner", "united states of america $70.0M"), read("United States", "$70.0M"));
        for (key, text) in [("product", "$1.39B"), ("product", "Tea"), ("partner", "Atlantis $1.39B")] {
            assert!(of(key, text).is_err(), "{text}");
        }
    }
}
