//! Imports older values into the history of their question.

use jiff::Timestamp;

use super::changelog::{self, ARCHIVED, ChangelogEntry, ChangelogLine, Side, written};
use super::commit::{CommitRun, side};
use super::provenance::{Imported, Stored};
use super::row::Row;
use super::store::Store;
use crate::error::Result;
use crate::value::Context;
use atlas_gt_core::evidence::Channel;
use atlas_gt_core::question_id::QuestionId;
use atlas_gt_core::source::SourceMethod;

/// A value that preceded the stored one.
#[derive(Debug, Clone, PartialEq)]
pub struct Archived {
    /// The row.
    pub row: Row,
    /// Where it came from.
    pub source: SourceMethod,
    /// When it was read.
    pub read_at: Timestamp,
    /// Its context.
    pub context: Context,
    /// The import it came from.
    pub imported: Imported,
}

impl Archived {
    fn side(&self) -> Side {
        Side {
            source: self.source,
            read_at: self.read_at,
            channel: Some(Channel::Imported),
            evidence: None,
            screenshot: None,
            imported: Some(self.imported.clone()),
            row: self.row.clone(),
        }
    }

    /// Whether a changelog entry already records this value.
    fn is_in(&self, entry: &ChangelogEntry) -> bool {
        entry.is_archived()
            && entry.before.as_ref().is_some_and(|before| {
                before.row == self.row && before.read_at.as_second() == self.read_at.as_second()
            })
    }
}

/// The successor of a value: as the changelog writes it, how it was read, and since when it held.
struct Next {
    value: serde_json::Value,
    side: Option<Side>,
    since: Timestamp,
}

/// Adds older values to the changelog, each with its known successor. Values already there are skipped. Either all
/// lines are written or none. Returns the number added.
///
/// Write the question's record first: its values succeed the newest of these. Without a record they have no successor,
/// as of the run's time.
///
/// # Errors
/// A file of the question is damaged, or the store cannot be written.
pub(crate) fn add_archived(
    store: &Store,
    id: &QuestionId,
    archived: &[Archived],
    run: &CommitRun,
) -> Result<usize> {
    store.writable()?;
    let stored = store.load(id)?;
    let known = changelog::of(store, id)?;
    // Newest first, because each needs its successor.
    let mut newest_first: Vec<&Archived> = archived.iter().collect();
    newest_first.sort_by_key(|one| std::cmp::Reverse(one.read_at));
    let mut added: Vec<ChangelogEntry> = Vec::new();
    for one in newest_first {
        if known.iter().chain(&added).any(|entry| one.is_in(entry)) {
            continue;
        }
        let field = one.row.field();
        let of_field = |entry: &&ChangelogEntry| entry.line.field == field;
        let oldest = added.iter().rev().find(of_field).or_else(|| known.iter().find(of_field));
        let next = match oldest {
            Some(entry) => Next {
                value: entry.line.old.clone(),
                side: entry.before.clone(),
                since: entry.before.as_ref().map_or(entry.line.timestamp, |before| before.read_at),
            },
            None => current(&field, stored.as_ref(), run.now),
        };
        added.push(ChangelogEntry {
            line: ChangelogLine {
                timestamp: next.since.max(one.read_at),
                question_id: id.clone(),
                field,
                old: written(Some(&one.row)),
                new: next.value,
                source: next.side.as_ref().map_or(one.source, |side| side.source),
                run: run.id.clone(),
                kind: None,
                reason: Some(ARCHIVED.to_owned()),
                by: None,
            },
            context: Some(one.context.clone()).filter(|context| *context != Context::default()),
            before: Some(one.side()),
            after: next.side,
        });
    }
    if added.is_empty() {
        return Ok(0);
    }
    let mut batch = store.batch()?;
    added.iter().rev().try_for_each(|entry| batch.entry(entry))?;
    batch.write()?;
    Ok(added.len())
}

/// The record's current value of a field.
fn current(field: &str, stored: Option<&Stored>, now: Timestamp) -> Next {
    let Some(stored) = stored else { return Next { value: written(None), side: None, since: now } };
    let row = stored.record.results.data.iter().find(|row| row.field() == field);
    let side = row.map(|row| side(row, &stored.record, stored.provenance.as_ref()));
    let since = side.as_ref().map_or(stored.record.execution_timestamp, |side| side.read_at);
    Next { value: written(row), side, since }
}

#[cfg(test)]
mod tests {
    use super::super::samples::*;
    use super::super::{Channel, file_reading, history};
    use super::*;
    use crate::atomic_file::fault;

    fn archived(value: &str, number: i64, when: &str) -> Archived {
        Archived {
            row: row("gdp_per_capita", value, number),
            source: SourceMethod::GraphqlApi,
            read_at: at(when),
            context: Context::default(),
            imported: Imported {
                file: "61/ground_truth/results.json".to_owned(),
                row: 2,
                keys: vec!["value".to_owned()],
            },
        }
    }

    fn run() -> CommitRun {
        CommitRun { id: "import".to_owned(), now: at(NOON), by: None }
    }

    /// Read in March at $2,274, replaced in May by $2,350.
    fn lived() -> (tempfile::TempDir, Store) {
        let (dir, store) = store();
        for (value, number, when) in [("$2,274", 2274, "2026-03-01T08:00:00Z"), ("$2,350", 2350, NOON)] {
            let mut record = record("61", vec![row("gdp_per_capita", value, number)]);
            record.execution_timestamp = at(when);
            let provenance = provenance(&record, Channel::Dom, None);
            file_reading(&store, &record, &provenance, at(when)).unwrap();
        }
        accept(&store, &id("61"), &|_| true, None, at(NOON)).unwrap();
        (dir, store)
    }

    #[test]
    fn archived_values_come_before_what_is_known_and_a_second_import_adds_nothing() {
        let (dir, store) = lived();
        let id = id("61");
        let two = [
            archived("$2,100", 2100, "2025-01-01T00:00:00Z"),
            archived("$2,200", 2200, "2025-07-01T00:00:00Z"),
        ];
        assert_eq!(add_archived(&store, &id, &two[1..], &run()).unwrap(), 1);
        assert_eq!(add_archived(&store, &id, &two, &run()).unwrap(), 1, "the older one alone is new");
        let before = files(dir.path());
        assert_eq!(add_archived(&store, &id, &two, &CommitRun { now: at(NOON), ..run() }).unwrap(), 0);
        assert_eq!(files(dir.path()), before);

        let told = history::of(&store, &id, &|_| true).unwrap();
        assert_eq!(told.disagreements, []);
        let lives: Vec<_> = told.lives.iter().map(|life| life.value.clone().unwrap()).collect();
        assert_eq!(lives, ["$2,100", "$2,200", "$2,274", "$2,350"]);
        assert_eq!(told.lives[0].imported, Some(two[0].imported.clone()));
        assert_eq!(told.lives[0].until, Some(two[1].read_at));
        let then = history::record_at(&store, &id, at("2025-03-01T00:00:00Z")).unwrap().unwrap();
        assert_eq!(then.results.data[0].shown(), "$2,100");
        assert_eq!(then.source_method, SourceMethod::GraphqlApi);
    }

    #[test]
    fn archived_values_without_a_record_or_a_row_ended_and_are_shown() {
        let (_dir, store) = lived();
        let mut gone = archived("1.2", 1, "2025-01-01T00:00:00Z");
        gone.row.data_point = "eci".to_owned();
        assert_eq!(add_archived(&store, &id("61"), &[gone.clone()], &run()).unwrap(), 1);
        assert_eq!(add_archived(&store, &id("62"), &[gone], &run()).unwrap(), 1);
        for question in ["61", "62"] {
            let told = history::of(&store, &id(question), &|field| field == "eci").unwrap();
            assert_eq!(told.disagreements, [], "{question}");
            assert_eq!(told.lives[0].value.as_deref(), Some("1.2"));
            assert_eq!(told.lives.last().unwrap().value, None, "it is not the truth now");
        }
    }

    #[test]
    fn killed_at_any_write_the_changelog_has_all_of_them_or_none() {
        for place in 0.. {
            let (dir, store) = lived();
            let old = archived("$2,100", 2100, "2025-01-01T00:00:00Z");
            let length = || std::fs::read(dir.path().join("changelog.jsonl")).unwrap().len();
            let before = length();
            fault::die_at(Some(place));
            let died = add_archived(&store, &id("61"), std::slice::from_ref(&old), &run()).is_err();
            fault::die_at(None);
            drop(store);
            let store = Store::open(dir.path(), super::super::Site::Live).unwrap();
            let after = length();
            let left = add_archived(&store, &id("61"), &[old], &run()).unwrap();
            assert_eq!(left == 0, after > before, "place {place}");
            assert_eq!(history::of(&store, &id("61"), &|_| true).unwrap().lives.len(), 3);
            assert_eq!(store.quarantined(), []);
            if !died {
                return;
            }
        }
    }
}
