//! What is no store is left alone, what an option names takes the place of nothing that is not its own, and nothing is written
//! where nobody asked for it.

use std::fs;
use std::path::Path;

use crate::tree::tree;
use crate::{NOW, call, call_at, made};

#[test]
fn decision_37_a_folder_of_other_things_is_no_store_for_any_command() {
    let folder = tempfile::tempdir().unwrap();
    let photos = folder.path().join("store");
    fs::create_dir(&photos).unwrap();
    fs::write(photos.join("photo.jpg"), "a photograph").unwrap();
    fs::write(folder.path().join("answers.jsonl"), "{\"question_id\": 61, \"answer\": \"$2,274\"}\n")
        .unwrap();
    fs::create_dir_all(folder.path().join("import/61")).unwrap();
    let record = r#"{"results": {"data": [{"metric": "GDP", "value": "$1"}]}}"#;
    fs::write(folder.path().join("import/61/results.json"), record).unwrap();
    fs::write(folder.path().join("q.json"), r#"[{"id": 61, "text": "What is the GDP?"}]"#).unwrap();
    let before = tree(folder.path());
    for arguments in [
        "verify",
        "verify --seal",
        "stale",
        "coverage",
        "history 61",
        "changelog",
        "export --sqlite truth.db",
        "export --layout results results",
        "gc",
        "gc --dry-run",
        "review list",
        "review accept 61",
        "lint",
        "score answer --question 61 x",
        "eval run --answers answers.jsonl",
        "refresh --site twin",
        "refresh --commit",
        "refresh --discard",
        "spot-check --site twin --agent-site twin --answers answers.jsonl",
        "collect --site twin --questions 61",
        "import import --questions q.json",
        "import import --questions q.json --dry-run",
    ] {
        let mut all: Vec<&str> = arguments.split(' ').collect();
        all.extend(["--store", "store"]);
        let (code, out, err) = call_at(NOW, folder.path(), &all);
        assert_eq!(code, 2, "{arguments}: {out}{err}");
        assert!(err.contains("is not a store: it contains photo.jpg but no site.json"), "{arguments}: {err}");
        assert!(tree(folder.path()) == before, "{arguments}: something was written");
    }
}

/// A file of the user's at every place that an option names.
#[test]
fn no_file_of_the_users_is_replaced_unless_it_is_said() {
    let folder = made();
    let mine = "# My own notes\n";
    for name in [
        "truth.db",
        "events.jsonl",
        "report.json",
        "page.html",
        "notes.json",
        "out/coverage_report.md",
        "out/spot_check_report.html",
        "results/61/ground_truth/results.json",
        "tables/answers.csv",
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, mine).unwrap();
    }
    fs::write(folder.path().join("answers.jsonl"), "{\"question_id\": 62, \"answer\": \"$7,159\"}\n")
        .unwrap();
    let before = tree(folder.path());
    for arguments in [
        "export --sqlite truth.db",
        "export --csv tables",
        "export --layout results results",
        "collect --site twin --questions 61 --events events.jsonl",
        "collect --site twin --questions 61 --report report.json",
        "survey --site twin --pages country --html page.html --out surveyed",
        "mend --html page.html",
        "coverage --report out",
        "annotate --output notes.json",
        "annotate --classification-set notes.json",
        "spot-check --site twin --agent-site twin --answers answers.jsonl --report out",
        "eval run --answers answers.jsonl --agent-site twin --events events.jsonl",
    ] {
        let mut all: Vec<&str> = arguments.split(' ').collect();
        all.extend(["--store", "store"]);
        let (code, out, err) = call_at(NOW, folder.path(), &all);
        assert_eq!(code, 2, "{arguments}: {out}{err}");
        assert!(err.contains("exists and is not") && err.contains("--overwrite"), "{arguments}: {err}");
        let mut after = tree(folder.path());
        after.retain(|path, _| !path.starts_with("runs") && !path.ends_with(".lock"));
        assert!(after == before, "{arguments}: something was written");
    }
    for arguments in [
        "--csv store",
        "--sqlite store/truth.db",
        "--sqlite store/61/results.json",
        "--layout results store/out",
    ] {
        let line = format!("export {arguments} --overwrite --store store");
        let (code, out, err) = call_at(NOW, folder.path(), &line.split(' ').collect::<Vec<_>>());
        assert_eq!(code, 2, "{line}: {out}{err}");
        assert!(err.contains("is the store itself, or inside it"), "{line}: {err}");
    }
    for arguments in [
        "export --sqlite truth.db",
        "export --csv tables",
        "export --layout results results",
        "coverage --report out",
        "annotate --output notes.json",
    ] {
        for more in [" --overwrite", ""] {
            let line = format!("{arguments}{more} --store store");
            let (code, out, err) = call_at(NOW, folder.path(), &line.split(' ').collect::<Vec<_>>());
            // the second time it is a file of its own
            assert_eq!(code, 0, "{line}: {out}{err}");
        }
    }
    assert!(fs::read(folder.path().join("truth.db")).unwrap().starts_with(b"SQLite format 3"));
}

#[test]
fn no_command_writes_into_the_working_directory_unasked() {
    let folder = made();
    let names = |path: &Path| {
        let mut all: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        all.sort();
        all
    };
    fs::write(folder.path().join("answers.jsonl"), "{\"question_id\": 62, \"answer\": \"$7,159\"}\n")
        .unwrap();
    let before = names(folder.path());
    // a run is kept where the user keeps runs
    let runs = tempfile::tempdir().unwrap();
    let check = format!(
        "spot-check --site twin --agent-site twin --answers answers.jsonl --runs {}",
        runs.path().display()
    );
    for arguments in [
        "verify",
        "stale",
        "coverage",
        "annotate",
        "lint",
        "plan --site twin",
        "manifest check",
        "history 61",
        "changelog",
        "review list",
        "gc",
        &check,
        "collect --site twin --questions 62",
        "score answer --site twin --question 62 $7,159",
    ] {
        let mut all: Vec<&str> = arguments.split(' ').collect();
        all.extend(["--store", "store"]);
        let (_, out, err) = call_at(NOW, folder.path(), &all);
        assert_eq!(names(folder.path()), before, "{arguments}: {out}{err}");
    }
}

#[test]
fn what_a_record_has_is_written_before_what_it_lacks_is_named() {
    let folder = made();
    let show = ["show", "61", "--picture", "61.png", "--evidence", "61.json"];
    let (code, out, err) = call(folder.path(), &show);
    assert!(code == 2 && err.contains("question 61 has no picture"), "{out}{err}");
    let capture = fs::read_to_string(folder.path().join("61.json")).unwrap();
    assert!(capture.contains("settled_url") && !folder.path().join("61.png").exists(), "{capture}");
}
