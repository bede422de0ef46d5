//! One record of another tool, as it would be kept: its values with their data points, where they stood, what the store is
//! told besides, and the report of it all.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde_json::{Map, Value as Json};

use super::behaviors::{behavior, word};
use super::place::{Placing, place};
use super::report::{LeafReport, LeafUse, RecordOutcome, RecordReport};
use super::rows::{Built, Fate, Origin, build};
use super::subject::{Background, other_question};
use super::target::{Target, targets};
use crate::external::{
    Content, Figure, ForeignRecord, Leaf, ListedQuestion, MatchWord, Moment, Rows, Use, Verification,
    figures, keys,
};
use crate::extract::Extractors;
use crate::manifest::{Behavior, Entry, PointCatalog, QuestionId};
use crate::truth::checks::{Check, CheckOutcome};
use crate::truth::{Archived, Import, PointProvenance, Provenance, Record, Results, Row, Site, SourceMethod};
use crate::value::{Context, Value};

/// What is known when the records of a folder are read.
pub(super) struct Known<'a> {
    pub questions: &'a BTreeMap<QuestionId, ListedQuestion>,
    pub entries: BTreeMap<&'a QuestionId, &'a Entry>,
    pub extractors: &'a Extractors,
    /// The names of all data points: a value without one has another name.
    pub points: BTreeSet<&'a str>,
    pub site: Site,
    /// How values were found where a record does not say.
    pub assumed: SourceMethod,
    pub folder: &'a std::path::Path,
}

/// A record as it would be kept.
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

    /// Prepares one record.
    pub fn prepare(&self, foreign: &ForeignRecord) -> Prepared {
        let question = self.questions.get(&foreign.id);
        let entry = self.entries.get(&foreign.id).copied();
        let file = foreign.path.strip_prefix(self.folder).unwrap_or(&foreign.path);
        let file = file.to_string_lossy().replace('\\', "/");
        let mut notes = Vec::new();
        let method = self.method(foreign, &mut notes);
        let read_at = read_at(foreign, &mut notes);
        let address = foreign.address.as_deref().or_else(|| question?.address.as_deref());
        let other = entry.and_then(|entry| other_question(entry, question, address));
        let placed_by = entry.filter(|_| other.is_none());
        let source = Source { question, entry: placed_by, address, file: &file, read_at };
        notes.extend(other.map(|why| format!("{why}: no value of it is placed")));
        let reading = self.rows(&foreign.rows, &source);
        notes.extend(of_values(foreign, &reading, placed_by.is_some()));
        let Built { rows, fates } = reading.built;
        let of_page = || Some(entry?.url.to_string());
        let atlas_url = address.map(str::to_owned).or_else(of_page).unwrap_or_default();
        let tool = foreign.expected_tool.as_deref().or_else(|| question?.expected_tool.as_deref());
        let query = foreign.expected_query_type.clone().or_else(|| question?.expected_query_type.clone());
        let (data, points): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        let from = foreign.source.clone().or_else(|| question?.source.clone());
        let record = Record {
            question_id: foreign.id.clone(),
            execution_timestamp: read_at,
            source: from.or_else(|| entry?.source.clone()).unwrap_or_else(|| "imported".to_owned()),
            source_method: method.unwrap_or(self.assumed),
            atlas_url,
            site: self.site,
            expected_tool: tool.and_then(word).or_else(|| entry?.expected_tool),
            expected_query_type: query
                .filter(|name| crate::atlas::query_type(name).is_some())
                .or_else(|| entry?.expected_query_type.clone()),
            results: Results { data },
        };
        let provenance = Provenance {
            question_id: foreign.id.clone(),
            site: self.site,
            record: None,
            points,
            derivation: None,
        };
        let old = (!foreign.archived.is_empty()).then(|| self.rows(&foreign.archived, &source));
        let archived_leaves = old.as_ref().map(|old| leaves(&old.rows, &old.figures, &old.built.fates));
        let archived = old.map(|old| archived(old.built.rows, record.source_method, read_at));
        let look = look(foreign, read_at).filter(|_| !record.results.data.is_empty());
        let behavior = behavior(&foreign.id, Some(foreign), question);
        let report = RecordReport {
            question_id: foreign.id.to_string(),
            file,
            outcome: RecordOutcome::Empty,
            source_method: record.source_method,
            method_assumed: method.is_none(),
            has_question: question.is_some(),
            in_manifest: entry.is_some(),
            changes: Vec::new(),
            leaves: leaves(&reading.rows, &reading.figures, &fates),
            archived: archived_leaves.unwrap_or_default(),
            beside: beside(foreign),
            notes,
        };
        let archived = archived.unwrap_or_default();
        Prepared { import: Import { record, provenance, look, archived }, behavior, report }
    }

    fn method(&self, foreign: &ForeignRecord, notes: &mut Vec<String>) -> Option<SourceMethod> {
        let known = foreign.source_method();
        if let (Some(word), None) = (&foreign.method, known) {
            notes.push(format!(
                "`{word}` is no known way to find values: it is taken as one that is not named"
            ));
        }
        known
    }

    /// The values of rows with their data points, and what became of each.
    fn rows(&self, rows: &[Map<String, Json>], source: &Source<'_>) -> Reading {
        let Source { question, entry, address, file, read_at } = *source;
        let wanted: Vec<Target> = entry.map(|entry| targets(entry, self.extractors)).unwrap_or_default();
        let background = Background::of(question, address, &wanted);
        let rows = figures(rows);
        let mut all: Vec<Figure> = rows.figures.iter().map(|figure| without_error(figure.clone())).collect();
        let own = all.len();
        if background.asks_for_sector {
            all.extend(sectors(&rows));
        }
        let placing = if wanted.is_empty() { Placing::default() } else { place(&all, &wanted, &background) };
        let nothing = Context::default();
        let is_known = |name: &str| self.points.contains(name);
        let context = entry.map_or(&nothing, |entry| &entry.context);
        let origin = Origin { file, read_at, context, is_known: &is_known };
        let built = build((&all, own), &rows.leaves, &wanted, &placing, &origin);
        Reading { rows, figures: all, placing, built }
    }
}

/// The values that a record held before.
fn archived(rows: Vec<(Row, PointProvenance)>, source: SourceMethod, read_at: Timestamp) -> Vec<Archived> {
    let one = |(row, point): (Row, PointProvenance)| {
        let imported = point.imported?;
        Some(Archived { row, source, read_at, context: point.context, imported })
    };
    rows.into_iter().filter_map(one).collect()
}

/// What somebody has to know of the values of a record as a whole.
fn of_values(foreign: &ForeignRecord, reading: &Reading, is_placed: bool) -> Vec<String> {
    let has_values = reading.figures.iter().any(|figure| figure.content != Content::Nothing);
    let mut notes = Vec::new();
    match (&foreign.error, has_values) {
        (Some(error), _) => notes.push(format!("the record tells of an error: {error}")),
        (None, false) if foreign.behavior.is_none() => notes.push("the record holds no value".to_owned()),
        (None, _) => {}
    }
    if is_placed && has_values && reading.placing.placed.is_empty() {
        notes.push("no value of it is placed".to_owned());
    }
    notes
}

/// Where the rows of a record come from.
struct Source<'a> {
    question: Option<&'a ListedQuestion>,
    /// The manifest's question, where it is the same.
    entry: Option<&'a Entry>,
    address: Option<&'a str>,
    /// The file, below the folder.
    file: &'a str,
    read_at: Timestamp,
}

/// The rows of a record as they were read and placed.
struct Reading {
    rows: Rows,
    figures: Vec<Figure>,
    placing: Placing,
    built: Built,
}

/// When the values were found. Where nothing says so, nobody is known to have looked since the beginning of time.
fn read_at(foreign: &ForeignRecord, notes: &mut Vec<String>) -> Timestamp {
    let of = |moment: &Option<Moment>| moment.as_ref().and_then(|moment| moment.at);
    let at = of(&foreign.time).or_else(|| of(&foreign.verification.as_ref()?.time));
    at.unwrap_or_else(|| {
        if !foreign.rows.is_empty() {
            notes.push("nothing says when its values were found: it counts as never looked at".to_owned());
        }
        Timestamp::UNIX_EPOCH
    })
}

/// The look at the page that a record tells of.
fn look(foreign: &ForeignRecord, read_at: Timestamp) -> Option<Check> {
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

/// A sector beside a value, where the question asks for one too.
fn sectors(rows: &Rows) -> Vec<Figure> {
    let is_sector =
        |leaf: &&Leaf| leaf.used == Use::About && keys::of_row(&leaf.key) == keys::Role::Subject("sector");
    let figure = |leaf: &Leaf| {
        let beside = rows.figures.iter().find(|figure| figure.row == leaf.row)?;
        let (key, text) = (leaf.key.clone(), leaf.text.clone());
        Some(Figure::of_words(leaf.row, key, "name", text, beside.about.clone()))
    };
    rows.leaves.iter().filter(is_sector).filter_map(figure).collect()
}

/// Words by which a text tells that no value was found.
const ERRORS: [&str; 6] = ["error", "exception", "traceback", "timeout", "timed out", "failed to"];

/// A value that is the text of an error is none.
fn without_error(figure: Figure) -> Figure {
    let is_error = matches!(&figure.content, Content::Value(Value::Text(text)) if {
        let text = text.trim_start().to_lowercase();
        ERRORS.iter().any(|word| text.starts_with(word))
    });
    if is_error { Figure { content: Content::Nothing, ..figure } } else { figure }
}

/// What became of every leaf.
fn leaves(rows: &Rows, figures: &[Figure], fates: &[Fate]) -> Vec<LeafReport> {
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
            why = (!fits).then(|| "it is not what is displayed beside it, rounded".to_owned());
        }
        LeafReport { row: leaf.row + 1, key: leaf.key.clone(), text: leaf.text.clone(), used, field, why }
    };
    rows.leaves.iter().map(one).collect()
}

/// What a record says beside its rows.
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
