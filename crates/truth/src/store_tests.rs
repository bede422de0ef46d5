//! Tests of the store with real files: locks, crashes, damage, foreign sites, read-only folders.

use std::fs;

use super::super::samples::*;
use super::super::{Channel, file_reading, seal};
use super::*;
use crate::error::Hint;

#[test]
fn a_record_reads_back_with_its_provenance() {
    let (dir, store) = store();
    let record = record("61", vec![row("gdp_per_capita", "$2,274", 2274)]);
    store.save(&record, &provenance(&record, Channel::Dom, None)).unwrap();
    let stored = store.load(&id("61")).unwrap().unwrap();
    assert_eq!(stored.record, record);
    assert_eq!(stored.provenance.unwrap().points.len(), 1);
    assert_eq!(fs::read_to_string(dir.path().join("61/results.json")).unwrap(), record.to_text().unwrap());
    assert_eq!(store.load(&id("62")).unwrap(), None);
    assert_eq!(store.question_ids().unwrap(), [id("61")]);
}

#[test]
fn a_second_writer_is_refused_and_told_who_writes() {
    let (dir, store) = store();
    let error = Store::open(dir.path(), Site::Live).unwrap_err().to_string();
    assert!(error.contains(&format!("process {}", std::process::id())), "{error}");
    assert!(error.contains("wait"), "{error}");
    Store::read(dir.path()).unwrap();
    drop(store);
    Store::open(dir.path(), Site::Live).unwrap();
}

#[test]
fn a_lock_that_another_handle_holds_without_a_pid_is_respected() {
    let dir = tempfile::tempdir().unwrap();
    let handle = fs::File::create(dir.path().join(".lock")).unwrap();
    handle.lock().unwrap();
    let error = Store::open(dir.path(), Site::Live).unwrap_err().to_string();
    assert!(error.contains("another process"), "{error}");
}

#[test]
fn a_stale_lock_file_of_a_killed_run_does_not_block() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(".lock"), "999999999").unwrap();
    let lock = dir.path().join(".lock");
    let store = Store::open(dir.path(), Site::Live).unwrap();
    assert_eq!(fs::read_to_string(&lock).unwrap(), std::process::id().to_string());
    drop(store);
    assert_eq!(fs::read_to_string(&lock).unwrap(), "", "looking again changes no byte");
}

#[test]
fn decision_18_a_store_holds_one_site() {
    let (dir, store) = store();
    let mut twin = record("61", vec![row("gdp_per_capita", "$2,274", 2274)]);
    twin.site = Site::Twin;
    let error = store.save(&twin, &provenance(&twin, Channel::Dom, None)).unwrap_err().to_string();
    assert!(error.contains("twin"), "{error}");
    assert!(store.load(&id("61")).unwrap().is_none());
    drop(store);
    let error = Store::open(dir.path(), Site::Twin).unwrap_err().to_string();
    assert!(error.contains("live") && error.contains("use another store"), "{error}");
}

#[test]
fn a_store_of_another_address_is_of_that_address_alone() {
    let dir = tempfile::tempdir().unwrap();
    let mirror = || Some("https://mirror.example.org".to_owned());
    drop(Store::open_at(dir.path(), Site::Mirror, mirror()).unwrap());
    drop(Store::open_at(dir.path(), Site::Mirror, mirror()).unwrap());
    drop(Store::open_as_found(dir.path()).unwrap());
    assert_eq!(Store::read(dir.path()).unwrap().site(), Site::Mirror);
    let error = Store::open(dir.path(), Site::Live).unwrap_err().to_string();
    let words = "holds the site at https://mirror.example.org, but the live site was requested";
    assert!(error.contains(words), "{error}");
    assert!(Store::open_at(dir.path(), Site::Mirror, Some("https://other.example.org".into())).is_err());
    // what was kept as the Atlas's own truth, before records said where they come from, is distinguished from it
    fs::write(dir.path().join("site.json"), r#"{"site":"live","address":"https://mirror.example.org"}"#)
        .unwrap();
    let error = Store::open_at(dir.path(), Site::Mirror, mirror()).unwrap_err().to_string();
    assert!(error.contains("recorded as the live site, but the site at https://mirror"), "{error}");
    // the truth of the Atlas itself takes in no other
    let (live, store) = store();
    drop(store);
    let error = Store::open_at(live.path(), Site::Mirror, mirror()).unwrap_err().to_string();
    assert!(error.contains("holds the live site, but the site at https://mirror"), "{error}");
    let text = fs::read_to_string(live.path().join("site.json")).unwrap();
    assert!(text.starts_with("{\n  \"site\": \"live\",\n  \"seal\": \""), "{text}");
}

/// A README, photographs, records of another tool: nothing of ours.
#[test]
fn decision_37_a_folder_with_other_things_and_no_site_json_is_no_store() {
    for name in ["README.md", "61/results.json", "checks.jsonl"] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "{}").unwrap();
        let before = files(dir.path());
        for error in [
            Store::read(dir.path()).unwrap_err(),
            Store::find(dir.path()).unwrap_err(),
            Store::open(dir.path(), Site::Live).unwrap_err(),
            Store::open_as_found(dir.path()).unwrap_err(),
            Store::open_existing(dir.path(), Site::Live, None).unwrap_err(),
        ] {
            let first = name.split('/').next().unwrap();
            let words = format!("is not a store: it contains {first} but no site.json");
            assert!(error.to_string().contains(&words), "{error}");
            assert_eq!(error.exit() as u8, 2);
        }
        assert_eq!(files(dir.path()), before);
        assert!(!dir.path().join(".lock").exists(), "nothing is written, not even a lock");
    }
}

#[test]
fn decision_37_an_empty_folder_is_no_store_until_something_is_written_to_it() {
    let dir = tempfile::tempdir().unwrap();
    assert!(Store::find(dir.path()).unwrap().is_none());
    let error = Store::read(dir.path()).unwrap_err();
    assert!(error.to_string().contains("is empty and not a store") && error.exit() as u8 == 2, "{error}");
    let store = Store::open(dir.path(), Site::Live).unwrap();
    let made: Vec<_> =
        files(dir.path()).into_keys().map(|path| path.file_name().unwrap().to_owned()).collect();
    assert_eq!(made, ["checks.jsonl", "site.json"]);
    drop(store);
    assert_eq!(Store::read(dir.path()).unwrap().quarantined(), []);
}

#[test]
fn a_record_of_the_wrong_site_or_folder_is_not_read() {
    let (dir, store) = store();
    let mut foreign = record("61", vec![row("gdp_per_capita", "$2,274", 2274)]);
    foreign.site = Site::Twin;
    fs::create_dir(dir.path().join("61")).unwrap();
    fs::write(dir.path().join("61/results.json"), foreign.to_text().unwrap()).unwrap();
    assert!(store.load(&id("61")).unwrap_err().to_string().contains("twin"));
    let other = record("63", foreign.results.data);
    fs::write(dir.path().join("61/results.json"), other.to_text().unwrap()).unwrap();
    assert!(store.load(&id("61")).unwrap_err().to_string().contains("question 63"));
}

#[test]
fn a_damaged_record_is_an_error_with_its_place() {
    let (dir, store) = store();
    fs::create_dir(dir.path().join("61")).unwrap();
    fs::write(dir.path().join("61/results.json"), "{\n  \"question_id\": \"61\",\n").unwrap();
    let error = store.load(&id("61")).unwrap_err();
    assert!(matches!(&error, Error::Record { place: Place { line: 3, .. }, .. }), "{error:?}");
    assert!(error.to_string().contains("restore"), "{error}");
    fs::write(dir.path().join("61/results.json"), b"{\n  \"a\": \"\xff\"}").unwrap();
    let error = store.load(&id("61")).unwrap_err();
    assert!(matches!(&error, Error::Record { place: Place { line: 2, column: 9 }, .. }), "{error:?}");
    assert!(error.to_string().contains("restore") && error.exit() as u8 == 2, "{error}");
}

#[test]
fn temporary_files_of_a_killed_run_are_ignored_and_swept() {
    let (dir, store) = store();
    let record = record("61", vec![row("gdp_per_capita", "$2,274", 2274)]);
    store.save(&record, &provenance(&record, Channel::Dom, None)).unwrap();
    let hash = store.put_evidence(b"{}").unwrap();
    let left = [
        dir.path().join(".agt-tmp-a"),
        dir.path().join("61/.agt-tmp-b"),
        dir.path().join("evidence").join(&hash.as_str()[..2]).join(".agt-tmp-c"),
    ];
    for path in &left {
        fs::write(path, "{ half").unwrap();
    }
    assert_eq!(store.load(&id("61")).unwrap().unwrap().record, record);
    assert_eq!(store.question_ids().unwrap(), [id("61")]);
    drop(store);
    let store = Store::open(dir.path(), Site::Live).unwrap();
    assert!(left.iter().all(|path| !path.exists()));
    assert_eq!(store.evidence(&hash).unwrap(), b"{}");
}

/// One read of one byte, whichever it is, tells an edit from what was written.
#[test]
fn a_record_that_was_changed_is_no_truth_whichever_byte_of_its_files_it_is() {
    let (dir, store) = store();
    let record = record("61", vec![row("gdp_per_capita", "$2,274", 2274)]);
    store.save(&record, &provenance(&record, Channel::Dom, None)).unwrap();
    drop(store);
    for name in ["results.json", "provenance.json"] {
        let path = dir.path().join("61").join(name);
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(&path, &changed).unwrap();
            let store = Store::read(dir.path()).unwrap();
            assert_eq!(store.readable(&id("61")), None, "{name}, byte {at}");
            let [bad] = &store.quarantined()[..] else { panic!("{name}, byte {at}") };
            assert!(bad.path.starts_with(dir.path().join("61")), "{bad}");
        }
        fs::remove_file(&path).unwrap();
        let error = Store::read(dir.path()).unwrap().load(&id("61")).unwrap_err();
        assert!(error.to_string().contains(&format!("61/{name}: is missing")), "{error}");
        assert_eq!(
            Store::read(dir.path()).unwrap().question_ids().unwrap(),
            [id("61")],
            "it is not forgotten"
        );
        // a folder in its place, and a link that leads nowhere
        fs::create_dir(&path).unwrap();
        assert!(Store::read(dir.path()).unwrap().load(&id("61")).is_err());
        fs::remove_dir(&path).unwrap();
        std::os::unix::fs::symlink("nowhere", &path).unwrap();
        let error = Store::read(dir.path()).unwrap().load(&id("61")).unwrap_err();
        assert!(error.to_string().contains(&format!("61/{name}: is missing")), "{error}");
        fs::remove_file(&path).unwrap();
        fs::write(&path, &whole).unwrap();
    }
    assert!(Store::read(dir.path()).unwrap().readable(&id("61")).is_some());
}

#[test]
fn what_waits_is_as_it_was_left_or_is_named() {
    let (dir, store) = store();
    for (value, number) in [("$2,274", 2274), ("$2,350", 2350)] {
        let record = record("61", vec![row("gdp_per_capita", value, number)]);
        file_reading(&store, &record, &provenance(&record, Channel::Dom, None), at(NOON)).unwrap();
    }
    let path = dir.path().join("pending/61.json");
    let whole = fs::read_to_string(&path).unwrap();
    let told = || {
        let store = Store::read(dir.path()).unwrap();
        store.try_all().unwrap();
        store.quarantined().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(told(), "");
    fs::write(&path, whole.replace("$2,350", "$9,999")).unwrap();
    assert!(told().contains("pending/61.json: was changed since it was written"), "{}", told());
    fs::remove_file(&path).unwrap();
    assert!(
        told().contains("pending/61.json: is missing: restore it from version control, or drop it"),
        "{}",
        told()
    );
    fs::write(&path, &whole).unwrap();
    fs::write(dir.path().join("pending/62.json"), whole.replace("\"61\"", "\"62\"")).unwrap();
    assert!(told().contains("pending/62.json: is not known to `site.json`"), "{}", told());
    // what cannot be read can be dropped
    crate::pending::drop(&store, &id("62")).unwrap();
    fs::remove_file(&path).unwrap();
    crate::pending::drop(&store, &id("61")).unwrap();
    assert_eq!(told(), "");
}

#[test]
fn a_site_json_that_was_changed_is_named_by_readers_and_stops_writers() {
    let (dir, store) = store();
    drop(store);
    let path = dir.path().join("site.json");
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, whole.replace("  \"site\"", " \"site\"")).unwrap();
    let reader = Store::read(dir.path()).unwrap();
    assert!(
        reader.quarantined()[0].to_string().contains("site.json: was changed"),
        "{:?}",
        reader.quarantined()
    );
    let error = Store::open(dir.path(), Site::Live).unwrap_err();
    assert!(error.to_string().contains("site.json: was changed") && error.exit() as u8 == 2, "{error}");
    // as an older version wrote it
    fs::write(&path, "{\n  \"site\": \"live\"\n}\n").unwrap();
    let error = Store::open(dir.path(), Site::Live).unwrap_err().to_string();
    let command = format!("`atlas-gt verify --seal --store {}`", dir.path().display());
    assert!(error.contains("has no seal") && error.contains(&command), "{error}");
}

/// A store outside version control goes on from what is left.
#[test]
fn a_lost_site_json_and_a_lost_list_of_checks_can_be_made_anew() {
    let (dir, store) = store();
    let record = record("61", vec![row("gdp", "$2,274", 2274)]);
    store.save(&record, &provenance(&record, Channel::Dom, None)).unwrap();
    drop(store);
    let marker = dir.path().join("site.json");
    fs::remove_file(&marker).unwrap();
    fs::remove_file(dir.path().join("checks.jsonl")).unwrap();
    let error = Store::read(dir.path()).unwrap_err().to_string();
    let command = format!("`atlas-gt verify --seal --store {}`", dir.path().display());
    assert!(error.contains("contains 61 but no site.json") && error.contains(&command), "{error}");
    for unreadable in [&b"{\"site\": "[..], b"\xef\xbb\xbf{}", b"\xff"] {
        fs::write(&marker, unreadable).unwrap();
        let error = Store::read(dir.path()).unwrap_err();
        assert!(error.to_string().contains(&command) && error.exit() as u8 == 2, "{error}");
    }
    fs::write(&marker, "{\"site\": \"live\"}\n").unwrap();
    assert!(seal(dir.path(), &[]).unwrap().store);
    let reader = Store::read(dir.path()).unwrap();
    assert!(reader.load(&id("61")).unwrap().is_some());
    assert_eq!(reader.quarantined(), []);
    // checks alone
    fs::remove_file(dir.path().join("checks.jsonl")).unwrap();
    let told = Store::read(dir.path()).unwrap().quarantined();
    assert!(
        told.len() == 1 && told[0].reason.contains(&format!("start a new one with {command}")),
        "{told:?}"
    );
    let sealed = seal(dir.path(), &[]).unwrap();
    assert!(sealed.new_checks && !sealed.store);
    assert_eq!(Store::read(dir.path()).unwrap().quarantined(), []);
}

#[test]
fn a_command_on_a_store_names_its_site() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let command = |name: &str, site: Site, address: Option<&str>| {
        Store::open_at(path(name), site, address.map(str::to_owned)).unwrap().command("collect")
    };
    assert_eq!(command("live", Site::Live, None), format!("atlas-gt collect --store {}", path("live")));
    let twin = format!("atlas-gt collect --site twin --store {}", path("twin"));
    assert_eq!(command("twin", Site::Twin, None), twin);
    let mirror = format!("atlas-gt collect --site https://a.example.org --store {}", path("mirror"));
    assert_eq!(command("mirror", Site::Mirror, Some("https://a.example.org")), mirror);
}

#[test]
fn a_store_opened_for_reading_refuses_to_write() {
    let (dir, store) = store();
    drop(store);
    let store = Store::read(dir.path()).unwrap();
    let record = record("61", vec![row("gdp_per_capita", "$2,274", 2274)]);
    for error in [
        store.save(&record, &provenance(&record, Channel::Dom, None)).unwrap_err(),
        store.put_evidence(b"{}").unwrap_err(),
        store.collect_garbage().unwrap_err(),
    ] {
        assert!(error.to_string().contains("for reading only"), "{error}");
    }
    let error = Store::read(dir.path().join("nowhere")).unwrap_err();
    assert!(error.to_string().contains("does not exist; create one"), "{error}");
    assert_eq!(error.hint(), Some(Hint::Command("collect", "creates it")));
}

#[test]
fn a_file_in_place_of_a_folder_is_an_error_that_says_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("store");
    fs::write(&file, "").unwrap();
    for path in [file.clone(), file.join("inner")] {
        let error = Store::open(&path, Site::Live).unwrap_err().to_string();
        assert!(error.contains("use another folder"), "{error}");
    }
    let (dir, store) = store();
    fs::write(dir.path().join("61"), "").unwrap();
    let record = record("61", vec![row("gdp_per_capita", "$2,274", 2274)]);
    let error = store.save(&record, &provenance(&record, Channel::Dom, None)).unwrap_err().to_string();
    assert!(error.contains("cannot be written") && error.contains("move it"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_an_error_that_says_what_to_do() {
    use std::os::unix::fs::PermissionsExt;
    let (dir, store) = store();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let writable_anyway = fs::write(dir.path().join("probe"), "").is_ok();
    let record = record("61", vec![row("gdp_per_capita", "$2,274", 2274)]);
    let saved = store.save(&record, &provenance(&record, Channel::Dom, None));
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    if writable_anyway {
        saved.unwrap();
    } else {
        let error = saved.unwrap_err().to_string();
        assert!(error.contains("make the folder writable"), "{error}");
    }
}

/// An id that names a file of the store would put a folder in the file's place.
#[test]
fn what_a_store_holds_beside_its_questions_is_no_question() {
    let (dir, store) = store();
    let old = record("61", vec![row("gdp_per_capita", "$2,274", 2274)]);
    let new = record("61", vec![row("gdp_per_capita", "$2,350", 2350)]);
    // a record, a look, a waiting reading, a commit with its changelog, and evidence
    for record in [&old, &old, &new] {
        let evidence = store.put_evidence(record.to_text().unwrap().as_bytes()).unwrap();
        let provenance = provenance(record, Channel::Dom, Some(evidence));
        file_reading(&store, record, &provenance, at(NOON)).unwrap();
    }
    accept(&store, &id("61"), &|_| true, None, at(NOON)).unwrap();
    let names =
        fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let ids: Vec<String> = names.filter(|name| name.parse::<QuestionId>().is_ok()).collect();
    assert_eq!(ids, ["61"]);
}

#[test]
fn only_evidence_that_nothing_refers_to_is_dropped() {
    let (_dir, store) = store();
    let [used, waiting, unused] =
        [&b"used"[..], b"waiting", b"unused"].map(|bytes| store.put_evidence(bytes).unwrap());
    let old = record("61", vec![row("gdp_per_capita", "$2,274", 2274)]);
    let new = record("61", vec![row("gdp_per_capita", "$2,350", 2350)]);
    for (record, evidence) in [(&old, &used), (&new, &waiting)] {
        let provenance = provenance(record, Channel::Dom, Some(evidence.clone()));
        file_reading(&store, record, &provenance, at(NOON)).unwrap();
    }
    assert_eq!(store.unreferenced().unwrap(), std::slice::from_ref(&unused));
    assert_eq!(store.collect_garbage().unwrap(), std::slice::from_ref(&unused));
    assert!(store.evidence(&unused).is_err());
    assert_eq!(store.evidence(&used).unwrap(), b"used");
    assert_eq!(store.evidence(&waiting).unwrap(), b"waiting");
}

#[test]
fn decision_28_no_garbage_is_collected_while_a_record_cannot_be_read() {
    let (dir, store) = store();
    let hash = store.put_evidence(b"perhaps used").unwrap();
    fs::create_dir(dir.path().join("61")).unwrap();
    fs::write(dir.path().join("61/results.json"), "{").unwrap();
    assert_eq!(store.collect_garbage().unwrap(), []);
    assert!(store.evidence(&hash).is_ok());
    assert_eq!(store.quarantined().len(), 1);
}

#[test]
fn decision_28_a_record_that_cannot_be_read_does_not_stop_a_store_from_opening() {
    let (dir, store) = store();
    let whole = record("61", vec![row("gdp_per_capita", "$2,274", 2274)]);
    store.save(&whole, &provenance(&whole, Channel::Dom, None)).unwrap();
    drop(store);
    fs::create_dir(dir.path().join("62")).unwrap();
    fs::write(dir.path().join("62/results.json"), "{").unwrap();
    let store = Store::open(dir.path(), Site::Live).unwrap();
    assert_eq!(store.records().unwrap().map(|stored| stored.record).collect::<Vec<_>>(), [whole]);
    let [bad] = &store.quarantined()[..] else { panic!("{:?}", store.quarantined()) };
    assert_eq!((bad.question_id.clone(), bad.line, bad.column), (Some(id("62")), Some(1), Some(1)));
    let words = "restore the file from version control, or remove the question's files and collect again";
    assert!(bad.to_string().ends_with(words), "{bad}");
}
