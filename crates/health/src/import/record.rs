//! One record of another tool, prepared for import: its values with their data points and origins, its page check and
//! its report.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde_json::{Map, Value as Json};

use super::answering::mark_support;
use super::behaviors::{behavior, word};
use super::person;
use super::place::{Placing, place};
use super::report::{LeafReport, LeafUse, RecordOutcome, RecordReport};
use super::rows::{Built, Fate, Origin, build, own_rows};
use super::subject::{Background, other_question};
use super::target::{Target, targets};
use crate::external::{
    Figure, FigureContent, FigureRows, ForeignRecord, Leaf, ListedQuestion, MatchWord, Moment, Use,
    Verification, figures, keys,
};
use crate::extract::Extractors;
use crate::manifest::{
    Behavior, Entry, ManifestQuestion, PointCatalog, QuestionId, plain_words, same_question,
};
use crate::scoring::language::lexicon::list;
use crate::truth::checks::{Check, CheckOutcome};
use crate::truth::{Archived, Import, PointProvenance, Provenance, Record, Results, Row, Site, SourceMethod};
use crate::value::{Context, Value};

/// Shared inputs for the records of a folder.
pub(super) struct Known<'a> {
    pub questions: &'a BTreeMap<QuestionId, ListedQuestion>,
    /// The questions of the manifest.
    pub asked: BTreeMap<&'a QuestionId, ManifestQuestion<'a>>,
    /// Their ids by text, without texts that the list repeats.
    pub by_words: BTreeMap<String, &'a QuestionId>,
    pub extractors: &'a Extractors,
    /// The names of all data points. A value without one gets another name.
    pub points: BTreeSet<&'a str>,
    pub site: Site,
    /// The source method of records that state none.
    pub assumed: SourceMethod,
    pub folder: &'a std::path::Path,
}

/// A record, prepared for import.
pub(super) struct Prepared {
    pub import: Import,
    pub behavior: Option<Behavior>,
    pub report: RecordReport,
}

impl<'a> Known<'a> {
    pub fn points(extractors: &'a Extractors, entries: &'a [Entry]) -> BTreeSet<&'a str> {
        let of_pages = extractors.names().flat_map(|name| extractors.points(name));
        let of_steps =
            entries.iter().filter_map(|entry| entry.derive.as_ref()).flat_map(|derive| &derive.steps);
        of_pages.chain(of_steps.map(|step| step.name.as_str())).collect()
    }

    /// The questions of a manifest by text, without texts that the list repeats.
    pub fn words(
        asked: &BTreeMap<&'a QuestionId, ManifestQuestion<'a>>,
        list: &BTreeMap<QuestionId, ListedQuestion>,
    ) -> BTreeMap<String, &'a QuestionId> {
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        for question in list.values() {
            *times.entry(plain_words(&question.text)).or_default() += 1;
        }
        let of = asked.values().filter_map(|question| Some((plain_words(question.text()?), question.id)));
        of.filter(|(words, _)| times.get(words).is_none_or(|times| *times == 1)).collect()
    }

    /// The manifest question that a record answers, found by text and never by number alone (decision 34).
    ///
    /// # Errors
    /// The manifest asks something else under this number.
    fn home(
        &self,
        id: &QuestionId,
        question: Option<&ListedQuestion>,
    ) -> Result<Option<ManifestQuestion<'a>>, String> {
        let of_id = self.asked.get(id);
        let Some(question) = question else {
            return match of_id {
                Some(_) => {
                    Err("no question text says what it answers, and numbers are not matched".to_owned())
                }
                None => Ok(None),
            };
        };
        let is_same = |other: &&ManifestQuestion<'_>| {
            other.text().is_some_and(|text| same_question(text, &question.text))
        };
        if let Some(home) = of_id.filter(is_same) {
            return Ok(Some(*home));
        }
        if let Some(home) = self.by_words.get(&plain_words(&question.text)).and_then(|id| self.asked.get(id))
        {
            return Ok(Some(*home));
        }
        match of_id.and_then(|other| other.text()) {
            Some(text) => Err(format!(
                "question {id} is “{}” in the list and “{text}” in the manifest: import it into a separate store, with the list as \
                 manifest",
                question.text
            )),
            None => Ok(None),
        }
    }

    /// Prepares one record.
    ///
    /// # Errors
    /// Why the record belongs to no question of the manifest.
    pub fn prepare(&self, foreign: &ForeignRecord) -> Result<Prepared, String> {
        let question = self.questions.get(&foreign.id);
        let home = self.home(&foreign.id, question)?;
        let id = home.map_or(&foreign.id, |home| home.id);
        let entry = home.and_then(|home| home.entry);
        let file = foreign.path.strip_prefix(self.folder).unwrap_or(&foreign.path);
        let file = file.to_string_lossy().replace('\\', "/");
        let mut notes = Vec::new();
        let method = self.method(foreign, &mut notes);
        let read_at = read_at(foreign, &mut notes);
        let address = foreign.address.as_deref().or_else(|| question?.address.as_deref());
        let other = entry.and_then(|entry| other_question(entry, question, address));
        let placed_by = entry.filter(|_| other.is_none());
        let context = home.and_then(|home| home.behavior).map(|behavior| &behavior.context);
        let source = Source { question, entry: placed_by, context, address, file: &file, read_at };
        notes.extend(other.map(|why| format!("{why}: none of its values is placed")));
        if *id != foreign.id {
            notes.push(format!("it answers question {id} of the manifest, by its text"));
        }
        let mut reading = self.rows(&foreign.rows, &source);
        notes.extend(of_values(foreign, &reading, placed_by.is_some() && !foreign.is_own()));
        if !foreign.is_own() {
            let text = question.map(|question| question.text.as_str());
            mark_support(&mut reading.built, &reading.figures, text, entry.is_some());
        }
        let is_seen = foreign
            .verification
            .as_ref()
            .is_some_and(|seen| person::read(seen, &mut reading.built.rows, read_at));
        let Built { rows, fates } = reading.built;
        let (data, points): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        let mut record = self.record(foreign, id, entry, &source, data);
        let seen = person::method(&record.atlas_url).filter(|_| is_seen);
        let method = match seen {
            Some(seen) if method.is_none_or(|own| own.strength() < seen.strength()) => Some(seen),
            _ => method,
        };
        record.source_method = method.unwrap_or(self.assumed);
        let provenance = Provenance {
            // a record with an unknown question answers none
            question: Some(question.map(|question| question.text.clone()).unwrap_or_default()),
            ..Provenance::of_points(&record, points)
        };
        let old = (!foreign.archived.is_empty()).then(|| self.rows(&foreign.archived, &source));
        let archived_leaves = old.as_ref().map(|old| leaves(&old.rows, &old.figures, &old.built.fates));
        let archived = old.map(|old| archived(old.built.rows, record.source_method, read_at));
        let look = reported_check(foreign, read_at).filter(|_| !record.results.data.is_empty());
        let look = look.map(|look| Check { question_id: id.clone(), ..look });
        let behavior = behavior(id, Some(foreign), question);
        let report = RecordReport {
            question_id: foreign.id.to_string(),
            file,
            outcome: RecordOutcome::Empty,
            source_method: record.source_method,
            method_assumed: method.is_none(),
            has_question: question.is_some(),
            in_manifest: home.is_some(),
            changes: Vec::new(),
            leaves: leaves(&reading.rows, &reading.figures, &fates),
            archived: archived_leaves.unwrap_or_default(),
            beside: beside(foreign),
            notes,
        };
        let archived = archived.unwrap_or_default();
        Ok(Prepared { import: Import { record, provenance, look, archived }, behavior, report })
    }

    /// The record of these rows, with the assumed source method.
    fn record(
        &self,
        foreign: &ForeignRecord,
        id: &QuestionId,
        entry: Option<&Entry>,
        source: &Source<'_>,
        data: Vec<Row>,
    ) -> Record {
        let Source { question, address, read_at, .. } = *source;
        let of_page = || Some(entry?.url.to_string());
        let tool = foreign.expected_tool.as_deref().or_else(|| question?.expected_tool.as_deref());
        let query = foreign.expected_query_type.clone().or_else(|| question?.expected_query_type.clone());
        let from = foreign.source.clone().or_else(|| question?.source.clone());
        Record {
            question_id: id.clone(),
            execution_timestamp: read_at,
            source: from.or_else(|| entry?.source.clone()).unwrap_or_else(|| "imported".to_owned()),
            source_method: self.assumed,
            atlas_url: address.map(str::to_owned).or_else(of_page).unwrap_or_default(),
            site: self.site,
            expected_tool: tool.and_then(word).or_else(|| entry?.info.expected_tool),
            expected_query_type: query
                .filter(|name| crate::atlas::query_type(name).is_some())
                .or_else(|| entry?.info.expected_query_type.clone()),
            results: Results { data },
        }
    }

    fn method(&self, foreign: &ForeignRecord, notes: &mut Vec<String>) -> Option<SourceMethod> {
        let known = foreign.source_method();
        if let (Some(word), None) = (&foreign.method, known) {
            notes.push(format!("`{word}` is not a known source method: it counts as missing"));
        }
        known
    }

    /// The values of rows with their data points and outcomes.
    fn rows(&self, foreign_rows: &[Map<String, Json>], source: &Source<'_>) -> Reading {
        let Source { question, entry, context, address, file, read_at } = *source;
        let wanted: Vec<Target> = entry.map(|entry| targets(entry, self.extractors)).unwrap_or_default();
        let background = Background::of(question, address, &wanted);
        let rows = figures(foreign_rows);
        let mut all: Vec<Figure> = rows.figures.iter().map(|figure| without_error(figure.clone())).collect();
        let own = all.len();
        if background.asks_for_sector {
            all.extend(sectors(&rows));
        }
        let placing = if wanted.is_empty() { Placing::default() } else { place(&all, &wanted, &background) };
        let nothing = Context::default();
        let is_known = |name: &str| self.points.contains(name);
        let context = entry.map(|entry| &entry.context).or(context).unwrap_or(&nothing);
        let origin = Origin { file, read_at, context, is_known: &is_known };
        let built = match own_rows(foreign_rows, &all, &origin) {
            Some(built) => built,
            None => build((&all, own), &rows.leaves, &wanted, &placing, &origin),
        };
        Reading { rows, figures: all, placing, built }
    }
}

/// The archived values of a record.
fn archived(rows: Vec<(Row, PointProvenance)>, source: SourceMethod, read_at: Timestamp) -> Vec<Archived> {
    let one = |(row, point): (Row, PointProvenance)| {
        let imported = point.imported?;
        Some(Archived { row, source, read_at, context: point.context, imported })
    };
    rows.into_iter().filter_map(one).collect()
}

/// Notes on the values of a record as a whole.
fn of_values(foreign: &ForeignRecord, reading: &Reading, is_placed: bool) -> Vec<String> {
    let has_values = reading.figures.iter().any(|figure| figure.content != FigureContent::Nothing);
    let mut notes = Vec::new();
    match (&foreign.error, has_values) {
        (Some(error), _) => notes.push(format!("the record reports an error: {error}")),
        (None, false) if foreign.behavior.is_none() => notes.push("the record holds no value".to_owned()),
        (None, _) => {}
    }
    if is_placed && has_values && reading.placing.placed.is_empty() {
        notes.push("none of its values is placed".to_owned());
    }
    notes
}

/// The origin of a record's rows.
struct Source<'a> {
    question: Option<&'a ListedQuestion>,
    /// The manifest's question, if it is the same.
    entry: Option<&'a Entry>,
    /// The context stated by the manifest, if no page is read.
    context: Option<&'a Context>,
    address: Option<&'a str>,
    /// The file, relative to the folder.
    file: &'a str,
    read_at: Timestamp,
}

/// The rows of a record as they were read and placed.
struct Reading {
    rows: FigureRows,
    figures: Vec<Figure>,
    placing: Placing,
    built: Built,
}

/// When the values were read. A record without a time counts as never checked.
fn read_at(foreign: &ForeignRecord, notes: &mut Vec<String>) -> Timestamp {
    let of = |moment: &Option<Moment>| moment.as_ref().and_then(|moment| moment.at);
    let at = of(&foreign.time).or_else(|| of(&foreign.verification.as_ref()?.time));
    at.unwrap_or_else(|| {
        if !foreign.rows.is_empty() {
            notes.push("it does not say when its values were read: it counts as never checked".to_owned());
        }
        Timestamp::UNIX_EPOCH
    })
}

/// The page check that a record reports.
fn reported_check(foreign: &ForeignRecord, read_at: Timestamp) -> Option<Check> {
    if !foreign.was_looked_at() {
        return None;
    }
    let (timestamp, outcome, detail) = match &foreign.verification {
        Some(seen) => {
            let outcome = match seen.matches? {
                MatchWord::Yes => CheckOutcome::Unchanged,
                MatchWord::No | MatchWord::Partial => CheckOutcome::Suspect,
            };
            let shown =
                seen.shown.as_ref().or(seen.value.as_ref()).filter(|_| outcome == CheckOutcome::Suspect);
            let detail = shown
                .map_or_else(|| "imported".to_owned(), |shown| format!("imported: the page showed {shown}"));
            (seen.time.as_ref().and_then(|time| time.at).unwrap_or(read_at), outcome, detail)
        }
        None => (read_at, CheckOutcome::Unchanged, "imported".to_owned()),
    };
    let (question_id, detail) = (foreign.id.clone(), Some(detail));
    Some(Check { timestamp, question_id, outcome, detail, site_vintage: None })
}

/// The sectors beside values, for questions that ask for one too.
fn sectors(rows: &FigureRows) -> Vec<Figure> {
    let is_sector =
        |leaf: &&Leaf| leaf.used == Use::About && keys::of_row(&leaf.key) == keys::Role::Subject("sector");
    let figure = |leaf: &Leaf| {
        let beside = rows.figures.iter().find(|figure| figure.row == leaf.row)?;
        let (key, text) = (leaf.key.clone(), leaf.text.clone());
        Some(Figure::of_words(leaf.row, key, "name", text, beside.about.clone()))
    };
    rows.leaves.iter().filter(is_sector).filter_map(figure).collect()
}

/// Removes a value that is an error text.
fn without_error(figure: Figure) -> Figure {
    let is_error = matches!(&figure.content, FigureContent::Value(Value::Text(text)) if {
        let text = text.trim_start().to_lowercase();
        list("error_start").iter().any(|word| text.starts_with(word))
    });
    if is_error { Figure { content: FigureContent::Nothing, ..figure } } else { figure }
}

/// The outcome of every leaf.
fn leaves(rows: &FigureRows, figures: &[Figure], fates: &[Fate]) -> Vec<LeafReport> {
    let promoted = |leaf: &Leaf| {
        let is_it = |figure: &&Figure| figure.row == leaf.row && figure.key == leaf.key;
        let at = rows.figures.len()
            + figures.get(rows.figures.len()..)?.iter().position(|figure| is_it(&figure))?;
        fates.get(at).filter(|fate| fate.used == LeafUse::Placed)
    };
    let one = |leaf: &Leaf| {
        let fate = match leaf.used {
            Use::Figure(at) | Use::Precise(at) => fates.get(at),
            Use::About | Use::Note => promoted(leaf),
        };
        let used = if leaf.used == Use::Note { LeafUse::Note } else { LeafUse::About };
        let Fate { mut used, field, mut why } =
            fate.cloned().unwrap_or(Fate { used, field: None, why: None });
        if let Use::Precise(at) = leaf.used {
            let fits = figures.get(at).is_some_and(|figure| figure.precise().is_some());
            used = if fits { LeafUse::Precise } else { LeafUse::Unfit };
            why = (!fits).then(|| "it does not round to the value displayed beside it".to_owned());
        }
        LeafReport { row: leaf.row + 1, key: leaf.key.clone(), text: leaf.text.clone(), used, field, why }
    };
    rows.leaves.iter().map(one).collect()
}

/// The contents of a record beside its rows.
fn beside(foreign: &ForeignRecord) -> BTreeMap<String, Json> {
    let mut all: BTreeMap<String, Json> = foreign.other.iter().cloned().collect();
    let seen = |part: fn(&Verification) -> &Option<String>| {
        foreign.verification.as_ref().and_then(|seen| part(seen).as_ref())
    };
    let texts = [
        ("note", foreign.note.as_ref()),
        ("error", foreign.error.as_ref()),
        ("source_method", foreign.method.as_ref()),
        ("verification.value", seen(|seen| &seen.value)),
        ("verification.stored", seen(|seen| &seen.stored)),
        ("verification.shown", seen(|seen| &seen.shown)),
        ("verification.notes", seen(|seen| &seen.notes)),
    ];
    all.extend(texts.into_iter().filter_map(|(key, text)| Some((key.to_owned(), text?.clone().into()))));
    all
}
