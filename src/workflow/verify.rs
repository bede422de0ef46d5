//! Verify: extracts every stored value again from its stored evidence, offline and with the same
//! code, and checks that no file of the store has changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Serialize;

use super::review::{confirm, is_read_by_a_person};
use super::{derive, filing};
use crate::atlas::AtlasUrl;
use crate::capture::Capture;
use crate::error::{Exit, Result};
use crate::evidence::{Channel, Hash};
use crate::extract::{Extraction, Extractor, Extractors, Observation};
use crate::manifest::QuestionId;
use crate::truth::changelog::{self, ChangelogEntry};
use crate::truth::{
    Derivation, PointProvenance, Provenance, Quarantined, Row, Store, Stored, history, pending, review, same,
};
use crate::value::{Context, Interval, Scope, parse_as};

/// The result of a verification.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct StoreVerification {
    /// Records read.
    pub records: usize,
    /// Values confirmed by their evidence.
    pub confirmed: usize,
    /// Imported values. They have no evidence of their own, so they are neither confirmed nor
    /// doubted.
    pub imported: usize,
    /// Values that their evidence does not confirm.
    pub doubts: Vec<Doubt>,
    /// Confirmed records without a seal, from an older version.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsealed: Vec<QuestionId>,
    /// Files that are unreadable or have changed.
    pub quarantined: Vec<Quarantined>,
    /// The store.
    #[serde(skip)]
    pub store: PathBuf,
    /// The links to the pages of the doubted questions.
    #[serde(skip)]
    pub links: BTreeMap<String, String>,
}

/// A value that its evidence does not confirm.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct Doubt {
    /// The question.
    pub question_id: String,
    /// The field of the value in the record.
    pub field: String,
    /// The problem.
    pub message: String,
}

/// Verifies every file and every value of a store.
///
/// # Errors
/// The store cannot be read.
pub fn verify(store: &Store, extractors: &Extractors) -> Result<StoreVerification> {
    store.try_every_file()?;
    let mut result = derive_again(store, extractors)?;
    let mut waiting: Vec<(QuestionId, Vec<Hash>)> = Vec::new();
    for id in pending::ids(store)? {
        let held = pending::load(store, &id).ok().flatten();
        waiting.extend(held.map(|held| (id, held.provenance.evidence().cloned().collect())));
    }
    for id in review::ids(store)? {
        let held = review::load(store, &id).ok().flatten();
        waiting.extend(held.map(|held| (id, held.evidence().cloned().collect())));
    }
    for (id, hashes) in waiting {
        for hash in hashes.iter().filter(|hash| !store.holds_evidence(hash)) {
            let message = format!("a pending reading needs evidence {hash}, which is missing or damaged");
            result.doubts.push(Doubt { question_id: id.to_string(), field: "evidence".to_owned(), message });
        }
    }
    // a pending reading and a review may need the same file
    let mut seen = BTreeSet::new();
    result.doubts.retain(|doubt| seen.insert(doubt.clone()));
    let link = |doubt: &Doubt| {
        // a doubted record may be unreadable for every other purpose
        let stored = store.as_it_lies(&doubt.question_id.parse::<QuestionId>().ok()?)?;
        Some((doubt.question_id.clone(), stored.record.page().link?))
    };
    result.links = result.doubts.iter().filter_map(link).collect();
    result.quarantined = store.quarantined();
    Ok(result)
}

/// Derives every value of a store again.
///
/// # Errors
/// The store cannot be read.
pub(super) fn derive_again(store: &Store, extractors: &Extractors) -> Result<StoreVerification> {
    let mut result = StoreVerification { store: store.dir().to_owned(), ..StoreVerification::default() };
    let mut again = Reread { store, extractors, captures: BTreeMap::new(), extractions: BTreeMap::new() };
    let mut changes: BTreeMap<QuestionId, Vec<ChangelogEntry>> = BTreeMap::new();
    for entry in changelog::read(store)? {
        changes.entry(entry.line.question_id.clone()).or_default().push(entry);
    }
    let ids = store.question_ids()?;
    for id in &ids {
        let own = changes.get(id).map_or(&[][..], Vec::as_slice);
        if let Some(stored) = store.readable(id) {
            again.record(&stored, own, &mut result);
        } else if let Some(stored) = store.as_it_lies(id) {
            // the evidence tells which value was changed
            let mut alone = StoreVerification::default();
            again.record(&stored, own, &mut alone);
            if alone.doubts.is_empty() && store.unsealed(id).is_some() {
                result.unsealed.push(id.clone());
            }
            result.doubts.extend(alone.doubts);
        }
    }
    // Records that were deleted with all their files. A store of an older version knows them only by their changes.
    let mut gone = store.gone()?;
    let is_of_older = |id: &QuestionId, own: &[ChangelogEntry]| {
        ids.binary_search(id).is_err() && !history::disagreements(None, own).is_empty()
    };
    gone.extend(changes.iter().filter(|(id, own)| is_of_older(id, own)).map(|(id, _)| id.clone()));
    for id in &gone {
        let own = changes.get(id).map_or(0, Vec::len);
        result.doubts.push(doubt(id, "results.json", history::gone(id, own)));
    }
    result.quarantined = store.quarantined();
    Ok(result)
}

fn doubt(id: &QuestionId, field: &str, message: String) -> Doubt {
    Doubt { question_id: id.to_string(), field: field.to_owned(), message }
}

/// Checks that the values of a record follow from its inputs.
fn follows(
    stored: &Stored,
    provenance: &Provenance,
    derivation: &Derivation,
    result: &mut StoreVerification,
) {
    let id = &stored.record.question_id;
    let asked = Context { scope: rows_scope(derivation), ..Context::default() };
    let made = match derive::values(derivation, &asked, jiff::Timestamp::UNIX_EPOCH) {
        Ok(made) => made,
        Err(message) => {
            let message = format!("does not follow from its inputs: {message}");
            result.doubts.push(doubt(id, "results.json", message));
            return;
        }
    };
    for row in &stored.record.results.data {
        let made = made.iter().find(|(one, _)| one.field() == row.field());
        let wrong = match made {
            None => Some("does not follow from its inputs".to_owned()),
            Some((one, _)) if !same(one, row) || one.value != row.value => {
                Some(format!("the record says {}, its inputs give {}", row.shown(), one.shown()))
            }
            Some((one, point)) => differing_row(row, one)
                .or_else(|| provenance.of(row).and_then(|stored| differing(stored, point)))
                .map(|what| format!("{what} according to its inputs")),
        };
        match wrong {
            None => result.confirmed += 1,
            Some(message) => result.doubts.push(doubt(id, &row.field(), message)),
        }
    }
}

/// The trade that the inputs count. The question's scope was checked on collection.
fn rows_scope(derivation: &Derivation) -> Option<Scope> {
    derivation.inputs.iter().find_map(|input| input.point.context.scope)
}

/// Whether a row holds the number of an API response, rounded as a page displays it.
fn is_rounded(row: &Row, answered: &Row, point: &PointProvenance) -> bool {
    let shown = row.value.as_deref().zip(point.rule).and_then(|(text, rule)| parse_as(text, rule).ok());
    matches!(point.channel, Channel::Api | Channel::Person)
        && shown.zip(answered.number).is_some_and(|(shown, number)| shown.interval.contains(number))
}

/// The first difference of a row beside its value: `the record says rank 2, and 1`.
fn differing_row(stored: &Row, again: &Row) -> Option<String> {
    if stored.country != again.country {
        return Some(format!("the record says {}, and {}", stored.country, again.country));
    }
    let parts = ["rank", "share", "code"].into_iter();
    let mut both = parts.filter_map(|key| Some((key, stored.text(key)?, again.text(key)?)));
    both.find(|(_, was, is)| was != is).map(|(key, was, is)| format!("the record says {key} {was}, and {is}"))
}

/// Provenance fields that cannot be derived again: the time, the release and whatever else was
/// stored then.
const NOT_DERIVED: [&str; 8] = [
    "data_point",
    "subject",
    "evidence",
    "screenshot",
    "extractor",
    "tool_version",
    "site_vintage",
    "read_at",
];

/// Fields whose wording depends on the version of the extractor or of this program.
const VERSION_WORDED: [&str; 2] = ["locator", "agreement_reason"];

/// The first difference between the stored and the derived provenance, such as `its provenance says
/// 800 of context.country, and 404`.
fn differing(stored: &PointProvenance, again: &PointProvenance) -> Option<String> {
    let same_version = stored.extractor == again.extractor && stored.tool_version == again.tool_version;
    let [was, is] = [stored, again].map(|point| {
        let point = PointProvenance {
            // equal decimals may differ in trailing zeros
            interval: point.interval.map(|one| Interval {
                low: one.low.normalize(),
                high: one.high.normalize(),
                ..one
            }),
            ..point.clone()
        };
        let mut parts = BTreeMap::new();
        flat(&serde_json::to_value(point).unwrap_or_default(), "", &mut parts);
        parts.retain(|key, _| !NOT_DERIVED.contains(&key.as_str()));
        if !same_version {
            parts.retain(|key, _| !VERSION_WORDED.contains(&key.as_str()) && key != "precise.from");
        }
        parts
    });
    // a context part that an older version did not state is no contradiction
    let unstated = |key: &&String| !same_version && key.starts_with("context.") && !was.contains_key(*key);
    let stated = is.keys().filter(|key| !unstated(key));
    let key = was.keys().chain(stated).find(|key| was.get(*key) != is.get(*key))?;
    let word = |parts: &BTreeMap<String, String>| parts.get(key).map_or("nothing", String::as_str).to_owned();
    Some(format!("its provenance says {} of {key}, and {}", word(&was), word(&is)))
}

/// Collects the leaves of a value by path.
fn flat(value: &serde_json::Value, path: &str, into: &mut BTreeMap<String, String>) {
    match value {
        serde_json::Value::Object(parts) => {
            for (key, part) in parts {
                flat(part, &if path.is_empty() { key.clone() } else { format!("{path}.{key}") }, into);
            }
        }
        serde_json::Value::Null => {}
        serde_json::Value::String(text) => drop(into.insert(path.to_owned(), text.clone())),
        other => drop(into.insert(path.to_owned(), other.to_string())),
    }
}

/// Everything extracted again so far. Each capture is parsed once, not once per value.
struct Reread<'a> {
    store: &'a Store,
    extractors: &'a Extractors,
    captures: BTreeMap<Hash, std::result::Result<Capture, String>>,
    extractions: BTreeMap<(Hash, String), Extraction>,
}

impl Reread<'_> {
    /// Derives the values of a record again.
    fn record(&mut self, stored: &Stored, changes: &[ChangelogEntry], result: &mut StoreVerification) {
        let id = &stored.record.question_id;
        result.records += 1;
        let disagreements = history::disagreements(Some(stored), changes);
        result.doubts.extend(disagreements.into_iter().map(|found| doubt(id, &found.field, found.message)));
        let Some(provenance) = &stored.provenance else { return };
        let mut readings: Vec<(&Row, &PointProvenance, String)> = Vec::new();
        if let Some(derivation) = &provenance.derivation {
            readings.extend(derivation.inputs.iter().map(|one| (&one.row, &one.point, one.name.to_string())));
            follows(stored, provenance, derivation, result);
        }
        for row in &stored.record.results.data {
            match provenance.of(row) {
                None => {
                    let message = "it has no provenance".to_owned();
                    result.doubts.push(doubt(id, &row.field(), message));
                }
                Some(point) if point.imported.is_some() => result.imported += 1,
                Some(_) if provenance.derivation.is_some() => {}
                Some(point) => readings.push((row, point, row.field())),
            }
        }
        for (row, point, field) in readings {
            match self.value(row, point) {
                Ok(()) => result.confirmed += 1,
                Err(message) => result.doubts.push(doubt(id, &field, message)),
            }
        }
    }

    /// Checks that a value and its provenance follow from the evidence.
    fn value(&mut self, row: &Row, point: &PointProvenance) -> std::result::Result<(), String> {
        let hash = point.evidence.as_ref().ok_or("it has no evidence")?;
        if let Some(Err(error)) = point.screenshot.as_ref().map(|picture| self.store.picture(picture)) {
            return Err(error.to_string());
        }
        let capture = self.captures.entry(hash.clone()).or_insert_with(|| {
            let bytes = self.store.evidence(hash).map_err(|error| error.to_string())?;
            serde_json::from_slice(&bytes)
                .map_err(|error| format!("evidence {hash} is not a capture: {error}"))
        });
        let capture = capture.as_ref().map_err(Clone::clone)?;
        let judged = point.person.as_ref().and_then(|person| person.crop.as_ref());
        if let Some(Err(error)) = judged.map(|crop| self.store.picture(crop)) {
            return Err(format!("the picture of the review: {error}"));
        }
        if is_read_by_a_person(point) {
            return confirm(row, point);
        }
        let (extractor, found) =
            observed(&mut self.extractions, (hash, capture), point, row, self.extractors)?;
        let again =
            found.iter().map(|one| (one, filing::row(one))).find(|(_, again)| again.field() == row.field());
        let (observation, again) = again.ok_or("the evidence does not hold it")?;
        let is_same = same(&again, row) && again.value == row.value;
        if !is_same && !is_rounded(row, &again, point) {
            return Err(format!("the record says {}, its evidence {}", row.shown(), again.shown()));
        }
        let kept = filing::Kept { capture: hash.clone(), picture: point.screenshot.clone() };
        let derived = filing::provenance(observation, row, extractor, capture, &kept, point.read_at);
        let wrong = match point.channel {
            // the provenance of an accepted response value names the person, not the response
            Channel::Person => differing_value(point, &derived),
            Channel::Api => differing(point, &derived),
            _ => differing_row(row, &again).or_else(|| differing(point, &derived)),
        };
        wrong.map_or(Ok(()), |what| Err(format!("{what} according to its evidence")))
    }
}

/// Like [`differing`], but only for the value and its context.
fn differing_value(stored: &PointProvenance, again: &PointProvenance) -> Option<String> {
    let again = PointProvenance {
        rule: again.rule,
        interval: again.interval,
        precise: again.precise.clone(),
        context: again.context.clone(),
        ..stored.clone()
    };
    differing(stored, &again)
}

/// Extracts one value again: returns the extractor and the point's observations.
fn observed<'a>(
    extractions: &mut BTreeMap<(Hash, String), Extraction>,
    (hash, capture): (&Hash, &Capture),
    point: &PointProvenance,
    row: &Row,
    extractors: &'a Extractors,
) -> std::result::Result<(&'a Extractor, Vec<Observation>), String> {
    let label = point.extractor.as_deref().ok_or("it names no extractor")?;
    let name = label.rsplit_once(" v").map_or(label, |(name, _)| name);
    let extractor = extractors.get(name).ok_or_else(|| format!("there is no extractor `{name}`"))?;
    let url = AtlasUrl::parse_settled(&capture.requested_url)
        .map(|parsed| parsed.url)
        .map_err(|error| format!("the evidence has no page address: {error}"))?;
    let mut wanted = extractor.wanted(&row.data_point, &point.context);
    // a row of a yearly series was read without a year
    wanted.year = wanted.year.filter(|_| row.text("column").is_none());
    // Values of our own queries and accepted response values were read without a page.
    // Values that complete a page's responses are extracted with that page.
    let unseen = capture.own.is_empty() || capture.html.is_empty() || extractor.is_own(&row.data_point);
    if point.channel == Channel::Person || (point.channel == Channel::Api && unseen) {
        // the page's requests are not part of our own query's response
        let of_page = if extractor.is_own(&row.data_point) && !capture.own.is_empty() {
            &[]
        } else {
            capture.exchanges.as_slice()
        };
        let exchanges = [of_page, capture.own.as_slice()].concat();
        let answer = extractor.answer(&exchanges, &url, std::slice::from_ref(&wanted));
        return match answer.points.into_iter().next() {
            Some((_, Ok(observations))) => Ok((extractor, observations)),
            Some((_, Err(failure))) => Err(format!("can no longer be read from its evidence: {failure}")),
            None => Err("was not queried".to_owned()),
        };
    }
    let known = extractions.entry((hash.clone(), name.to_owned())).or_insert_with(|| {
        // a point's result does not depend on other points, so all are extracted at once
        let nothing = Context::default();
        let all = extractor.spec().points.iter().map(|point| extractor.wanted(&point.id, &nothing));
        extractor.extract(capture, &url, &all.collect::<Vec<_>>())
    });
    if known.outcome(&wanted).is_none() {
        known.points.extend(extractor.extract(capture, &url, std::slice::from_ref(&wanted)).points);
    }
    match known.outcome(&wanted) {
        Some(Ok(observations)) => Ok((extractor, observations.clone())),
        Some(Err(failure)) => Err(format!("can no longer be read from its evidence: {failure}")),
        None => Err("was not extracted".to_owned()),
    }
}

impl StoreVerification {
    /// The exit code.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let doubted = if self.doubts.is_empty() { Exit::Ok } else { Exit::Differences };
        doubted.worst(Quarantined::exit(&self.quarantined))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::{Record, Site, file_reading};
    use serde_json::json;

    #[test]
    fn imported_values_are_counted_apart_without_doubt_and_unreadable_records_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path(), Site::Live).unwrap();
        let record: Record = serde_json::from_value(json!({
            "question_id": "61", "execution_timestamp": "2026-03-15T10:30:00Z", "source": "s",
            "source_method": "browser_country_page",
            "results": { "data": [{ "data_point": "gdp", "value": "$2,274" }, { "data_point": "eci", "value": "1" }] },
        }))
        .unwrap();
        let point = |name: &str| {
            json!({ "data_point": name, "channel": "imported", "read_at": "2026-03-15T10:30:00Z",
                "imported": { "file": "61/ground_truth/results.json", "row": 1, "keys": ["value"] } })
        };
        let provenance: Provenance =
            serde_json::from_value(json!({ "question_id": "61", "points": [point("gdp"), point("eci")] }))
                .unwrap();
        let at = record.execution_timestamp;
        file_reading(&store, &record, &provenance, at).unwrap();
        let extractors = Extractors::built_in().unwrap();
        let verified = verify(&store, &extractors).unwrap();
        let of_store = StoreVerification { store: dir.path().to_owned(), ..StoreVerification::default() };
        let all = StoreVerification { records: 1, imported: 2, ..of_store };
        assert_eq!((&verified, verified.exit()), (&all, Exit::Ok));
        std::fs::create_dir(dir.path().join("62")).unwrap();
        std::fs::write(dir.path().join("62/results.json"), "[]").unwrap();
        let verified = verify(&store, &extractors).unwrap();
        assert_eq!((verified.records, verified.doubts.len(), verified.quarantined.len()), (1, 0, 1));
        assert_eq!(verified.exit(), Exit::Usage);
    }
}
