use super::super::samples::*;
use super::super::{Channel, Imported, Row, SourceMethod, file_reading, history};
use super::*;
use crate::Site;
use crate::atomic_file::fault;
use crate::checks::CheckOutcome;

const READ: &str = "2026-02-01T00:00:00Z";

fn import(question: &str, value: i64) -> Import {
    let mut new = record(question, vec![row("gdp_per_capita", &format!("${value}"), value)]);
    new.source_method = SourceMethod::GraphqlApi;
    new.execution_timestamp = at(READ);
    let mut how = provenance(&new, Channel::Imported, None);
    let stood = Imported { file: format!("{question}/results.json"), row: 1, keys: vec!["value".to_owned()] };
    for point in &mut how.points {
        point.imported = Some(stood.clone());
        point.read_at = at(READ);
    }
    let archived = Archived {
        row: Row { value: Some("$1,000".into()), ..row("gdp_per_capita", "$1,000", 1000) },
        source: SourceMethod::GraphqlApi,
        read_at: at("2025-01-01T00:00:00Z"),
        context: crate::value::Context::default(),
        imported: stood,
    };
    let look = Check {
        timestamp: at("2026-02-10T00:00:00Z"),
        question_id: id(question),
        outcome: CheckOutcome::Unchanged,
        detail: None,
        site_vintage: None,
    };
    Import { record: new, provenance: how, look: Some(look), archived: vec![archived] }
}

/// Decides and writes, as an import does.
fn run_all(store: &Store, imports: &[Import]) -> Result<Vec<WriteOutcome>> {
    let checks = checks::read(store)?;
    let outcomes: Vec<WriteOutcome> =
        imports.iter().map(|import| decide_import(store, import, &checks)).collect::<Result<_>>()?;
    let pairs: Vec<_> = imports.iter().zip(&outcomes).collect();
    file_imports(store, &pairs, &checks, &CommitRun { id: "import".to_owned(), now: at(NOON), by: None })?;
    Ok(outcomes)
}

#[test]
fn decision_14_a_second_import_changes_no_byte() {
    let (dir, store) = store();
    let all = [import("61", 2274), import("62", 7159)];
    assert_eq!(run_all(&store, &all).unwrap(), [WriteOutcome::Written, WriteOutcome::Written]);
    let before = files(dir.path());
    assert!(before.keys().any(|path| path.ends_with("checks.jsonl")), "the look that it tells of");
    assert_eq!(run_all(&store, &all).unwrap(), [WriteOutcome::Unchanged, WriteOutcome::Unchanged]);
    assert_eq!(files(dir.path()), before);
    // what waits is left as it is too
    let other = [import("61", 2300)];
    assert!(matches!(run_all(&store, &other).unwrap()[0], WriteOutcome::Older(_)), "the look was later");
    let mut later = import("61", 2300);
    later.record.execution_timestamp = at("2026-06-01T00:00:00Z");
    later.archived.clear();
    assert!(matches!(
        run_all(&store, &[later.clone()]).unwrap()[0],
        WriteOutcome::Pending { suspect: false, .. }
    ));
    let before = files(dir.path());
    assert!(matches!(run_all(&store, &[later]).unwrap()[0], WriteOutcome::Pending { .. }));
    assert_eq!(files(dir.path()), before);
}

#[test]
fn decision_12_an_import_never_overwrites_a_stronger_or_newer_record() {
    let (dir, store) = store();
    let page = record("61", vec![row("gdp_per_capita", "$2,274", 2274)]);
    let how = provenance(&page, Channel::Dom, None);
    assert_eq!(file_reading(&store, &page, &how, at(NOON)).unwrap(), WriteOutcome::Written);
    let before = files(dir.path());
    let mut same = import("61", 2274);
    (same.look, same.archived) = (None, Vec::new());
    same.record.results = page.results.clone();
    assert_eq!(run_all(&store, &[same.clone()]).unwrap(), [WriteOutcome::Unchanged]);
    let mut older = import("61", 2000);
    (older.look, older.archived) = (None, Vec::new());
    assert!(matches!(run_all(&store, &[older.clone()]).unwrap()[0], WriteOutcome::Older(_)));
    assert_eq!(files(dir.path()), before);
    // newer, and weaker: the page is to be looked at, and the record stays
    older.record.execution_timestamp = at("2026-12-01T00:00:00Z");
    assert!(matches!(run_all(&store, &[older]).unwrap()[0], WriteOutcome::Pending { suspect: true, .. }));
    assert_eq!(store.load(&id("61")).unwrap().unwrap().record, page);
    assert!(pending::load(&store, &id("61")).unwrap().unwrap().suspect);
}

#[test]
fn decision_18_a_folder_of_another_site_is_refused() {
    let (_dir, store) = store();
    let mut twin = import("61", 2274);
    twin.record.site = Site::Twin;
    let error = decide_import(&store, &twin, &Checks::default()).unwrap_err().to_string();
    assert!(error.contains("the live site") && error.contains("the twin site"), "{error}");
}

#[test]
fn killed_at_any_write_every_record_is_whole_or_absent_and_a_second_import_completes_it() {
    let all = [import("61", 2274), import("62", 7159), import("63", 116)];
    let (whole, store_of_whole) = store();
    run_all(&store_of_whole, &all).unwrap();
    // by their places below the store
    let below = |dir: &std::path::Path| -> std::collections::BTreeMap<_, _> {
        let all = files(dir).into_iter();
        all.filter_map(|(path, bytes)| Some((path.strip_prefix(dir).ok()?.to_owned(), bytes))).collect()
    };
    let complete = below(whole.path());
    for place in 0.. {
        let (dir, store) = store();
        fault::die_at(Some(place));
        let died = run_all(&store, &all).is_err();
        fault::die_at(None);
        drop(store);
        let store = Store::open(dir.path(), Site::Live).unwrap();
        for import in &all {
            let question = &import.record.question_id;
            if let Some(stored) = store.load(question).unwrap() {
                assert_eq!(stored.record, import.record);
                history::of(&store, question, &|_| true).unwrap();
            }
        }
        run_all(&store, &all).unwrap();
        assert!(below(dir.path()) == complete, "place {place}");
        if !died {
            assert!(place > 10, "{place} places");
            return;
        }
    }
}

#[test]
fn a_removed_record_that_is_imported_again_has_a_history_without_a_gap() {
    let (dir, store) = store();
    run_all(&store, &[import("61", 2274)]).unwrap();
    std::fs::remove_dir_all(dir.path().join("61")).unwrap();
    assert_eq!(run_all(&store, &[import("61", 2300)]).unwrap(), [WriteOutcome::Written]);
    let told = history::of(&store, &id("61"), &|_| true).unwrap();
    assert_eq!(told.disagreements, []);
    assert_eq!(told.lives.last().unwrap().value.as_deref(), Some("$2300"));
}
