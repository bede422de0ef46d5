//! Every command that comes upon what was changed says so, and nothing is filed by a clock that went back.

use std::fs;

use serde_json::Value;

use crate::{call, call_at, made, replace};

fn accepted() -> tempfile::TempDir {
    let folder = made();
    let (code, out, err) = call(folder.path(), &["refresh", "--commit"]);
    assert_eq!(code, 0, "{out}{err}");
    fs::write(folder.path().join("answers.jsonl"), "{\"question_id\": 62, \"answer\": \"$7,159\"}\n")
        .unwrap();
    folder
}

/// Reads changes, and names nothing else.
const READERS: [&[&str]; 6] = [
    &["verify"],
    &["history", "61"],
    &["changelog"],
    &["export", "--sqlite", "truth.db"],
    &["eval", "run", "--answers", "answers.jsonl", "--agent-site", "twin"],
    &["refresh", "--commit"],
];

#[test]
fn a_changelog_that_was_changed_torn_or_cut_is_named_by_every_reader() {
    let folder = accepted();
    let path = folder.path().join("store/changelog.jsonl");
    let whole = fs::read_to_string(&path).unwrap();
    for arguments in READERS {
        let (code, out, err) = call(folder.path(), arguments);
        assert!(code != 2 && !err.contains("changelog.jsonl"), "{arguments:?}: {out}{err}");
    }
    let torn = &whole[..whole.len() - 20];
    let changed = whole.replace("\"old\":2274", "\"old\":2275");
    let no_break = whole.trim_end();
    for (what, text) in
        [("torn", torn), ("changed", &changed), ("without its last line break", no_break), ("cut", "")]
    {
        assert_ne!(text, whole, "{what}");
        fs::write(&path, text).unwrap();
        for arguments in READERS.iter().filter(|arguments| **arguments != ["refresh", "--commit"]) {
            let (code, out, err) = call(folder.path(), arguments);
            assert_eq!(code, 2, "{what}, {arguments:?}: {out}{err}");
            assert!(err.contains("quarantined: store/changelog.jsonl"), "{what}, {arguments:?}: {err}");
        }
    }
    fs::remove_file(&path).unwrap();
    let (code, out, err) = call(folder.path(), &["verify"]);
    assert!(code == 2 && err.contains("store/changelog.jsonl: has 0 lines instead of "), "{out}{err}");
}

#[test]
fn checks_that_were_changed_are_named_by_every_reader() {
    let folder = accepted();
    let path = folder.path().join("store/checks.jsonl");
    let whole = fs::read_to_string(&path).unwrap();
    assert!(whole.lines().count() > 1, "{whole}");
    let without_the_last =
        whole.lines().rev().skip(1).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>();
    let edited = whole.replace("differs", "unchanged");
    for (what, text) in [
        ("edited", Some(edited)),
        ("cut", Some(without_the_last.join("\n") + "\n")),
        ("emptied", Some(String::new())),
        ("removed", None),
    ] {
        match text {
            Some(text) => fs::write(&path, text).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        for arguments in [
            &["verify"][..],
            &["stale"],
            &["export", "--sqlite", "truth.db"],
            &["list"],
            &["coverage"],
            &["show", "62"],
            &["changelog"],
            &["history", "62"],
            &["gc"],
            &["review", "list"],
            &["status"],
            &["site", "pages"],
        ] {
            let (code, out, err) = call(folder.path(), arguments);
            assert_eq!(code, 2, "{what}, {arguments:?}: {out}{err}");
            assert!(err.contains("quarantined: store/checks.jsonl"), "{what}, {arguments:?}: {err}");
        }
        let (code, out, err) = call(folder.path(), &["lint"]);
        assert!(code == 2 && out.contains("GT000") && out.contains("checks.jsonl"), "{what}: {out}{err}");
    }
}

#[test]
fn a_record_that_was_removed_with_its_folder_is_missed() {
    let folder = accepted();
    let store = folder.path().join("store");
    for question in ["61", "62"] {
        fs::remove_dir_all(store.join(question)).unwrap();
    }
    let (code, out, err) = call(folder.path(), &["verify", "--format", "md"]);
    assert!(code == 3 && out.contains("2 doubts"), "{out}{err}");
    assert!(out.contains("the record of question 61 is gone; the changelog has 1 change of it"), "{out}");
    assert!(out.contains("the record of question 62 is gone: restore it"), "{out}");
    let (code, _, err) = call(folder.path(), &["history", "62"]);
    assert!(code == 2 && err.contains("the record of question 62 is gone"), "{err}");
    let (code, out, err) = call(folder.path(), &["collect", "--site", "twin", "--questions", "61,62"]);
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn an_edited_record_scores_nowhere_and_lint_names_it_too() {
    let folder = made();
    let store = folder.path().join("store");
    // Kenya's figure would be Uganda's
    replace(&store.join("61/provenance.json"), "\"country\": \"404\"", "\"country\": \"800\"");
    // gone with its provenance left, in three ways
    fs::remove_file(store.join("62/results.json")).unwrap();
    fs::remove_file(store.join("63/results.json")).unwrap();
    std::os::unix::fs::symlink("nowhere", store.join("63/results.json")).unwrap();
    fs::remove_file(store.join("64/results.json")).unwrap();
    fs::create_dir(store.join("64/results.json")).unwrap();
    fs::remove_file(store.join("65/provenance.json")).unwrap();
    replace(&store.join("66/results.json"), "\"value\": \"", "\"value\": \"1");
    fs::write(store.join("67/results.json"), "{").unwrap();
    let bad = [
        "61/provenance.json",
        "62/results.json",
        "63/results.json",
        "64/results.json",
        "65/provenance.json",
        "66/results.json",
        "67/results.json",
    ];
    let answer =
        ["score", "answer", "--site", "twin", "--question", "61", "Uganda's GDP per capita is $2,274."];
    let (code, out, err) = call(folder.path(), &answer);
    assert!(code == 2 && out.is_empty() && err.contains("61/provenance.json: was changed"), "{out}{err}");
    fs::write(folder.path().join("answers.jsonl"), "{\"question_id\": 61, \"answer\": \"$2,274\"}\n")
        .unwrap();
    for arguments in [
        &["verify"][..],
        &["lint", "--format", "json"],
        &["coverage", "--format", "json"],
        &["stale"],
        &["export", "--sqlite", "truth.db"],
        &["gc"],
    ] {
        let (code, out, err) = call(folder.path(), arguments);
        assert_eq!(code, 2, "{arguments:?}: {out}{err}");
        for name in bad {
            assert!(out.contains(name) || err.contains(name), "{arguments:?} {name}: {out}{err}");
        }
    }
    let (code, out, _) = call(folder.path(), &["list", "--format", "junit"]);
    assert!(
        code == 2 && out.contains("errors=\"1\"") && out.contains("66/results.json: was changed"),
        "{out}"
    );
    let (code, _, err) = call(folder.path(), &["site", "pages"]);
    assert!(code == 2 && err.contains("66/results.json: was changed"), "{err}");
    let (_, out, _) = call(folder.path(), &["lint", "--format", "json"]);
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&found["records"], &found["quarantined"]), (&11.into(), &bad.len().into()));
    let unreadable = found["findings"].as_array().unwrap().iter().filter(|one| one["code"] == "GT000");
    assert_eq!(unreadable.count(), bad.len());
    let (_, out, _) = call(folder.path(), &["coverage", "--format", "json"]);
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["total"]["with_truth"], 4, "{out}");
    let (code, out, err) = call(
        folder.path(),
        &["eval", "run", "--answers", "answers.jsonl", "--agent-site", "twin", "--questions", "61,68"],
    );
    assert!(code != 0 && err.contains("Q61 is skipped because its record cannot be read"), "{out}{err}");
}

#[test]
fn a_clock_that_went_back_files_nothing_and_says_both_times() {
    let folder = made();
    let before = crate::tree::tree(&folder.path().join("store"));
    let earlier = "2020-01-01T00:00:00Z";
    let at = |now: &str, arguments: &[&str]| {
        call_at(now, folder.path(), &[arguments, &["--store", "store"]].concat())
    };
    let both = |text: &str| text.contains("2020-01-01T00:00:00Z") && text.contains("2026-11-20T10:30:00Z");
    let (code, out, err) = at(earlier, &["refresh", "--commit"]);
    assert!(code == 2 && both(&err), "{out}{err}");
    let (code, out, err) =
        at(earlier, &["collect", "--site", "twin", "--vintage", "2027", "--questions", "62"]);
    assert!(code == 4 && both(&out), "{out}{err}");
    let mut after = crate::tree::tree(&folder.path().join("store"));
    after.retain(|path, _| {
        !path.starts_with("failures") && !path.ends_with(".run.jsonl") && !path.ends_with(".refresh.jsonl")
    });
    let other = |path: &&std::path::PathBuf| before.get(*path) != after.get(*path);
    let others: Vec<_> = before.keys().chain(after.keys()).filter(other).collect();
    assert!(others.is_empty(), "{others:?}");
    // by the right clock it is taken, and its life goes forwards
    let (code, out, err) = at("2026-11-25T00:00:00Z", &["refresh", "--commit"]);
    assert_eq!(code, 0, "{out}{err}");
    let (code, out, _) = at("2026-11-25T00:00:00Z", &["history", "61"]);
    assert!(code == 0 && out.contains("2026-11-20  2026-11-25") && out.contains("2026-11-25  now"), "{out}");
}
