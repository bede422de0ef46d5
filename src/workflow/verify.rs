//! Verify: read every stored value again from its stored evidence, offline, by the same code; and see that the
//! changelog says of every record what the record says.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::review::{confirm, is_read_by_a_person};
use super::{derive, filing};
use crate::atlas::AtlasUrl;
use crate::capture::Capture;
use crate::error::{Error, Exit, Result};
use crate::evidence::{Channel, Hash};
use crate::extract::{Extraction, Extractors};
use crate::manifest::QuestionId;
use crate::truth::changelog::{self, Entry};
use crate::truth::{Derivation, PointProvenance, Quarantined, Row, Store, history, same};
use crate::value::{Context, Scope, parse_as};

/// What a verification came to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verification {
    /// Records read.
    pub records: usize,
    /// Values that follow from their evidence.
    pub confirmed: usize,
    /// Values that were imported: they have no evidence of their own, and are neither confirmed nor doubted.
    pub imported: usize,
    /// What does not.
    pub doubts: Vec<Doubt>,
    /// What cannot be read.
    pub quarantined: Vec<Quarantined>,
}

/// Something that does not follow from its evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Doubt {
    /// The question.
    pub question_id: String,
    /// The value's name in the record.
    pub field: String,
    /// What is wrong.
    pub message: String,
}

/// Verifies every record of a store.
///
/// # Errors
/// The store cannot be read.
pub fn verify(store: &Store, extractors: &Extractors) -> Result<Verification> {
    let mut result = Verification::default();
    let mut again = Reread::default();
    let mut changes: BTreeMap<QuestionId, Vec<Entry>> = BTreeMap::new();
    for entry in changelog::read(store)? {
        changes.entry(entry.question_id.clone()).or_default().push(entry);
    }
    store.try_all()?;
    for stored in store.records()? {
        let id = &stored.record.question_id;
        let doubt = |field: &str, message: String| Doubt {
            question_id: id.to_string(),
            field: field.to_owned(),
            message,
        };
        result.records += 1;
        for found in history::disagreements(Some(&stored), changes.get(id).map_or(&[], Vec::as_slice)) {
            result.doubts.push(doubt(&found.field, found.message));
        }
        if !stored.provenance_fits() {
            let message = "results.json was changed after its provenance was written; collect the question again, or restore the file from git";
            result.doubts.push(doubt("results.json", message.to_owned()));
        }
        let Some(provenance) = &stored.provenance else {
            result.doubts.push(doubt("provenance.json", "is missing; collect the question again".to_owned()));
            continue;
        };
        let mut readings: Vec<(&Row, &PointProvenance, String)> = Vec::new();
        if let Some(derivation) = &provenance.derivation {
            readings.extend(derivation.inputs.iter().map(|one| (&one.row, &one.point, one.name.to_string())));
            follows(&stored.record.results.data, derivation, &mut result, &doubt);
        }
        for row in &stored.record.results.data {
            match provenance.of(row) {
                None => {
                    result.doubts.push(doubt(&row.field(), "no provenance says where it was read".to_owned()))
                }
                Some(point) if point.imported.is_some() => result.imported += 1,
                Some(_) if provenance.derivation.is_some() => {}
                Some(point) => readings.push((row, point, row.field())),
            }
        }
        for (row, point, field) in readings {
            match again.value(store, row, point, extractors) {
                Ok(()) => result.confirmed += 1,
                Err(message) => result.doubts.push(doubt(&field, message)),
            }
        }
    }
    result.quarantined = store.quarantined();
    let known: BTreeSet<&str> = extractors.names().collect();
    tracing::debug!(?known, records = result.records, "verified");
    Ok(result)
}

/// Whether the values of a record follow from its inputs.
fn follows(
    rows: &[Row],
    derivation: &Derivation,
    result: &mut Verification,
    doubt: &dyn Fn(&str, String) -> Doubt,
) {
    let asked = Context { scope: rows_scope(derivation), ..Context::default() };
    let made = derive::values(derivation, &asked, jiff::Timestamp::UNIX_EPOCH);
    let made: Vec<Row> = match made {
        Ok(values) => values.into_iter().map(|(row, _)| row).collect(),
        Err(message) => {
            result.doubts.push(doubt("results.json", format!("does not follow from its inputs: {message}")));
            return;
        }
    };
    for row in rows {
        match made.iter().find(|one| one.field() == row.field()) {
            Some(one) if same(one, row) && one.value == row.value => result.confirmed += 1,
            Some(one) => {
                let message =
                    format!("the record says {}, from its inputs follows {}", row.shown(), one.shown());
                result.doubts.push(doubt(&row.field(), message));
            }
            None => result.doubts.push(doubt(&row.field(), "does not follow from its inputs".to_owned())),
        }
    }
}

/// The trade that the inputs count: what the question asked for was checked when it was collected.
fn rows_scope(derivation: &Derivation) -> Option<Scope> {
    derivation.inputs.iter().find_map(|input| input.point.context.scope)
}

/// Whether a row holds, as a page would display it, the number that an API answered.
fn is_rounded(row: &Row, answered: &Row, point: &PointProvenance) -> bool {
    let shown = row.value.as_deref().zip(point.rule).and_then(|(text, rule)| parse_as(text, rule).ok());
    matches!(point.channel, Channel::Api | Channel::Person)
        && shown.zip(answered.number).is_some_and(|(shown, number)| shown.interval.contains(number))
}

/// What was read again so far: captures, and what each extractor reads of one; a page is parsed once and not once a value.
#[derive(Default)]
struct Reread {
    captures: BTreeMap<Hash, std::result::Result<Capture, String>>,
    extractions: BTreeMap<(Hash, String), Extraction>,
}

impl Reread {
    /// Whether a value follows from its evidence.
    fn value(
        &mut self,
        store: &Store,
        row: &Row,
        point: &PointProvenance,
        extractors: &Extractors,
    ) -> std::result::Result<(), String> {
        let hash = point.evidence.as_ref().ok_or("no evidence was kept")?;
        if let Some(Err(error)) = point.screenshot.as_ref().map(|picture| store.picture(picture)) {
            return Err(error.to_string());
        }
        let capture = self.captures.entry(hash.clone()).or_insert_with(|| {
            let bytes = store.evidence(hash).map_err(|error| error.to_string())?;
            serde_json::from_slice(&bytes).map_err(|error| format!("evidence {hash} is no capture: {error}"))
        });
        let judged = point.person.as_ref().and_then(|person| person.crop.as_ref());
        if let Some(Err(error)) = judged.map(|crop| store.picture(crop)) {
            return Err(format!("the picture that a person judged: {error}"));
        }
        if is_read_by_a_person(point) {
            capture.as_ref().map_err(Clone::clone)?;
            return confirm(row, point);
        }
        let rows = rows(
            &mut self.extractions,
            (hash, capture.as_ref().map_err(Clone::clone)?),
            point,
            row,
            extractors,
        )?;
        let again = rows.iter().find(|again| again.field() == row.field());
        let again = again.ok_or("the evidence does not hold it")?;
        if (same(again, row) && again.value == row.value) || is_rounded(row, again, point) {
            return Ok(());
        }
        Err(format!("the record says {}, the evidence {}", row.shown(), again.shown()))
    }
}

/// Reads one value again.
fn rows(
    extractions: &mut BTreeMap<(Hash, String), Extraction>,
    (hash, capture): (&Hash, &Capture),
    point: &PointProvenance,
    row: &Row,
    extractors: &Extractors,
) -> std::result::Result<Vec<Row>, String> {
    let label = point.extractor.as_deref().ok_or("no extractor is named")?;
    let name = label.rsplit_once(" v").map_or(label, |(name, _)| name);
    let extractor = extractors.get(name).ok_or_else(|| format!("there is no extractor `{name}`"))?;
    let url = AtlasUrl::parse_settled(&capture.requested_url)
        .map(|parsed| parsed.url)
        .map_err(|error| format!("the evidence names no page: {error}"))?;
    let mut wanted = extractor.wanted(&row.data_point, &point.context);
    // of a row a year all were asked for
    wanted.year = wanted.year.filter(|_| row.text("column").is_none());
    // answers that no page was looked at for; what completes a page's responses is read with that page
    // what a person accepted of a response stands on no page
    let unseen = capture.own.is_empty() || extractor.is_own(&row.data_point);
    if point.channel == Channel::Person || (point.channel == Channel::Api && unseen) {
        let exchanges: Vec<_> = capture.exchanges.iter().chain(&capture.own).cloned().collect();
        let answer = extractor.answer(&exchanges, &url, std::slice::from_ref(&wanted));
        return match answer.points.into_iter().next() {
            Some((_, Ok(observations))) => Ok(observations.iter().map(filing::row).collect()),
            Some((_, Err(failure))) => Err(format!("cannot be read from its evidence any more: {failure}")),
            None => Err("was not asked for".to_owned()),
        };
    }
    let known = extractions.entry((hash.clone(), name.to_owned())).or_insert_with(|| {
        // a point's outcome does not depend on what else is wanted, so all are read at once
        let nothing = crate::value::Context::default();
        let all = extractor.spec().points.iter().map(|point| extractor.wanted(&point.id, &nothing));
        extractor.extract(capture, &url, &all.collect::<Vec<_>>())
    });
    if known.outcome(&wanted).is_none() {
        known.points.extend(extractor.extract(capture, &url, std::slice::from_ref(&wanted)).points);
    }
    match known.outcome(&wanted) {
        Some(Ok(observations)) => Ok(observations.iter().map(filing::row).collect()),
        Some(Err(failure)) => Err(format!("cannot be read from its evidence any more: {failure}")),
        None => Err("was not looked for".to_owned()),
    }
}

impl Verification {
    /// The exit code that this leads to.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let doubted = if self.doubts.is_empty() { Exit::Ok } else { Exit::Differences };
        doubted.worst(Quarantined::exit(&self.quarantined))
    }
}

/// A store for reading, with a hint when there is none.
///
/// # Errors
/// The folder is no store.
pub fn open(dir: &std::path::Path) -> Result<Store> {
    if !dir.exists() {
        return Err(Error::Nothing(format!(
            "store {}: is not there; `atlas-gt collect` makes it, --store DIR names another",
            dir.display()
        )));
    }
    Store::read(dir)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::{Hash, Site};
    use serde_json::json;

    #[test]
    fn imported_values_are_counted_apart_without_doubt_and_unreadable_records_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path(), Site::Live).unwrap();
        let record = json!({
            "question_id": "61", "execution_timestamp": "2026-03-15T10:30:00Z", "source": "s",
            "source_method": "browser_country_page",
            "results": { "data": [{ "data_point": "gdp", "value": "$2,274" }, { "data_point": "eci" }] },
        });
        let record = record.to_string();
        let point = |name: &str| {
            json!({ "data_point": name, "channel": "imported", "read_at": "2026-03-15T10:30:00Z",
                "imported": { "file": "61/ground_truth/results.json", "row": 1, "keys": ["value"] } })
        };
        let provenance = json!({
            "question_id": "61", "record": Hash::of(record.as_bytes()), "points": [point("gdp"), point("eci")],
        });
        std::fs::create_dir_all(dir.path().join("61")).unwrap();
        std::fs::create_dir_all(dir.path().join("62")).unwrap();
        std::fs::write(dir.path().join("61/results.json"), &record).unwrap();
        std::fs::write(dir.path().join("61/provenance.json"), provenance.to_string()).unwrap();
        let extractors = Extractors::built_in().unwrap();
        let verified = verify(&store, &extractors).unwrap();
        let all = Verification { records: 1, imported: 2, ..Verification::default() };
        assert_eq!((&verified, verified.exit()), (&all, Exit::Ok));
        std::fs::write(dir.path().join("62/results.json"), "[]").unwrap();
        let verified = verify(&store, &extractors).unwrap();
        assert_eq!((verified.records, verified.doubts.len(), verified.quarantined.len()), (1, 0, 1));
        assert_eq!(verified.exit(), Exit::Usage);
    }
}
