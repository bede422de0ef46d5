//! Decision 28: a file that cannot be read is named, left as it is, and disables nothing else, in any command.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{call, copy, made, replace};

/// Four records that can be read, and one file damaged in each way; the files that cannot be read by their name.
fn damaged(store: &Path) -> BTreeMap<&'static str, Vec<u8>> {
    let file = |name: &str| store.join(name);
    let torn = |name: &str| {
        let whole = fs::read(file(name)).unwrap();
        fs::write(file(name), &whole[..whole.len() / 2]).unwrap();
    };
    torn("63/results.json");
    replace(&file("64/results.json"), "\"question_id\": \"64\"", "\"question_id\": \"99\"");
    replace(&file("65/results.json"), "\"site\": \"twin\"", "\"site\": \"live\"");
    replace(&file("66/results.json"), "browser_country_page", "browser_treemap");
    replace(&file("67/results.json"), "Kenya", "K@nya");
    let bytes = fs::read(file("67/results.json")).unwrap();
    fs::write(
        file("67/results.json"),
        bytes.iter().map(|byte| if *byte == b'@' { 0xff } else { *byte }).collect::<Vec<u8>>(),
    )
    .unwrap();
    torn("139/provenance.json");
    // with another country it would score answers about that one
    replace(&file("68/provenance.json"), "\"country\": \"724\"", "\"country\": \"404\"");
    fs::copy(file("pending/61.json"), file("pending/140.json")).unwrap();
    fs::create_dir_all(file("review")).unwrap();
    fs::write(file("review/141.json"), "{ \"question_id\": \"141\"").unwrap();
    // nothing that can be read refers to it
    fs::create_dir_all(file("evidence/aa")).unwrap();
    fs::write(file(&format!("evidence/aa/{}.json.gz", "a".repeat(64))), "kept").unwrap();
    let all = [
        "63/results.json",
        "64/results.json",
        "65/results.json",
        "66/results.json",
        "67/results.json",
        "68/provenance.json",
        "139/provenance.json",
        "pending/140.json",
        "review/141.json",
    ];
    all.map(|name| (name, fs::read(file(name)).unwrap())).into()
}

#[test]
#[ignore = "slow: make test-deep"]
fn decision_28_one_bad_file_never_disables_a_store() {
    let made = made();
    fs::write(
        made.path().join("answers.jsonl"),
        "{\"question_id\": 62, \"answer\": \"$7,159\"}\n{\"question_id\": 63, \"answer\": \"the 116th\"}\n",
    )
    .unwrap();
    let bad = damaged(&made.path().join("store"));
    let records = ["63", "64", "65", "66", "67", "68/provenance.json", "139/provenance.json"];
    let all = [&records[..], &["pending/140.json", "review/141.json"]].concat();
    let questions = "61-68,139-141";
    let evidence = format!("evidence/aa/{}.json.gz", "a".repeat(64));
    let every = [&all[..], &[evidence.as_str()]].concat();
    // what is asked, what its result says of the rest, and what is named
    let table: [(&[&str], &[&str], &[&str]); 14] = [
        (&["verify"], &["records", "4"], &every),
        (&["gc", "--dry-run"], &["dry_run", "true"], &all),
        (&["gc"], &["dry_run", "false"], &all),
        (&["export", "--sqlite", "truth.db"], &["records", "4"], &records),
        (&["export", "--layout", "results", "results"], &["written", "4"], &records),
        (&["refresh", "--commit"], &["taken.0.question_id", "\"61\""], &["pending/140.json"]),
        (&["refresh", "--discard"], &["dropped.0.question_id", "\"61\""], &["pending/140.json"]),
        (&["refresh", "--site", "twin", "--api-only"], &["questions", "2"], &all),
        (&["refresh", "--site", "twin", "--questions", questions], &["unchanged", "2"], &all),
        // 62 was read before the release that a look at 61 knows of
        (&["refresh", "--site", "twin", "--stale"], &["questions", "1"], &all),
        (&["collect", "--site", "twin", "--questions", questions], &["totals.agreed", "2"], &all),
        (
            &["spot-check", "--site", "twin", "--agent-site", "twin", "--answers", "answers.jsonl"],
            &["questions_chosen", "1"],
            &all,
        ),
        (&["doctor", "--site", "twin"], &["site", "\"twin\""], &all),
        (&["history", "63"], &[], &["63"]),
    ];
    for (arguments, result, named) in table {
        let folder = tempfile::tempdir().unwrap();
        copy(made.path(), folder.path());
        let (code, out, err) = call(folder.path(), &[arguments, &["--format", "json"]].concat());
        let about = format!("{arguments:?}: exit code {code}\n{out}\n{err}");
        assert_eq!(code, 2, "{about}");
        for name in &all {
            assert_eq!(err.contains(&format!("store/{name}")), named.contains(name), "{name}: {about}");
        }
        if let [key, value] = result {
            let json: Value = serde_json::from_str(&out).expect(&about);
            let found = json.pointer(&format!("/{}", key.replace('.', "/")));
            assert_eq!(found.map(ToString::to_string).as_deref(), Some(*value), "{about}");
            let quarantined = json.get("quarantined").or_else(|| {
                json["findings"].as_array()?.iter().find_map(|finding| finding.get("quarantined"))
            });
            assert_eq!(quarantined.and_then(Value::as_array).map(Vec::len), Some(named.len()), "{about}");
        }
        let store = folder.path().join("store");
        for (name, bytes) in &bad {
            assert_eq!(fs::read(store.join(name)).unwrap(), *bytes, "{name}: {about}");
        }
        assert!(store.join(&evidence).exists(), "{about}");
    }
    // commands about one question are as good as its own files
    let of_one: [(&[&str], i32); 7] = [
        (&["review", "list"], 2),
        (&["review", "show", "141"], 2),
        (&["score", "answer", "--site", "twin", "--question", "63", "the 116th"], 2),
        (&["score", "answer", "--site", "twin", "--question", "68", "Kenya's GDP per capita is $34,966"], 2),
        (&["score", "answer", "--site", "twin", "--question", "62", "$7,159 in current prices"], 0),
        (&["history", "62"], 0),
        (&["changelog"], 0),
    ];
    for (arguments, expected) in of_one {
        let (code, out, err) = call(made.path(), arguments);
        assert!(code == expected || (expected == 0 && code == 3), "{arguments:?}: {code} {out}{err}");
        assert_eq!(err.contains("store/"), expected == 2, "{arguments:?}: {err}");
    }
}
