//! Single edits over all files of a store, each of which `verify` names.

use std::fs;
use std::path::{Path, PathBuf};

use atlas_gt::extract::Extractors;
use atlas_gt::truth::{Provenance, Record, Site, Store, file_reading};
use atlas_gt::workflow;
use serde_json::{Value, json};

use crate::{NOW, call, call_at, made};

/// A generator with a fixed sequence (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// Every file of a store, but for its lock and what a failed page left for a person to look at.
fn files(store: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![store.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() && name != "failures" {
                folders.push(path);
            } else if path.is_file() && name != ".lock" {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A store with files of every kind: records, one of them imported, changes, checks, a reading that waits, a
/// value under review, what right answers do where there is no value, a run that was not done, captures and pictures.
fn store(folder: &Path) -> PathBuf {
    let told = |expected: i32, arguments: &[&str]| {
        let (code, out, err) = call(folder, arguments);
        assert_eq!(code, expected, "{arguments:?}: {out}{err}");
    };
    told(0, &["refresh", "--commit", "--question", "61"]);
    told(3, &["refresh", "--site", "twin", "--vintage", "2027", "--questions", "62"]);
    let import = folder.join("import");
    fs::create_dir_all(import.join("75/ground_truth")).unwrap();
    let record = json!({
        "execution_timestamp": "2026-02-28T10:00:00Z", "source_method": "browser_country_page",
        "atlas_url": "https://atlas.hks.harvard.edu/countries/76",
        "results": { "data": [{ "metric": "Total exports", "value": "$377.65 billion", "year": "2024" }] },
    });
    fs::write(import.join("75/ground_truth/results.json"), record.to_string()).unwrap();
    let questions = json!([
        { "id": 75, "text": "What is the total value of the goods and services that Brazil exports?" },
        { "id": 53, "text": "Who won the football world cup of 2018?", "expected_behavior": "Declines." },
    ]);
    fs::write(folder.join("questions.json"), questions.to_string()).unwrap();
    told(0, &["import", "import", "--questions", "questions.json", "--site", "twin"]);
    let fault = ["collect", "--site", "twin", "--questions", "219", "--fault", "label-renamed=gdp"];
    told(4, &fault);
    told(0, &["gc"]);
    let store = folder.join("store");
    for name in [
        "61/results.json",
        "75/provenance.json",
        "changelog.jsonl",
        "checks.jsonl",
        "pending/62.json",
        "review/219.json",
        "expected_behavior.json",
        "site.json",
        ".run.jsonl",
    ] {
        assert!(store.join(name).is_file(), "{name}: {:?}", files(&store));
    }
    store
}

/// A key that is taken out, somewhere in a value.
fn without_a_key(value: &mut Value, random: &mut Random) -> bool {
    match value {
        Value::Object(map) if !map.is_empty() => {
            let at = random.below(map.len());
            let key = map.keys().nth(at).unwrap().clone();
            let deeper = map[&key].is_object() || map[&key].is_array() && random.below(3) > 0;
            if deeper && without_a_key(&mut map[&key], random) {
                return true;
            }
            map.shift_remove(&key).is_some()
        }
        Value::Array(items) if !items.is_empty() => {
            let at = random.below(items.len());
            without_a_key(&mut items[at], random)
        }
        _ => false,
    }
}

/// What one edit did to a file, and its new content; none where it is removed.
fn edit(path: &Path, whole: &[u8], random: &mut Random) -> (String, Option<Vec<u8>>) {
    let name = path.file_name().unwrap().to_str().unwrap();
    let text = std::str::from_utf8(whole).ok();
    loop {
        match random.below(4) {
            0 => {
                let mut bytes = whole.to_vec();
                let at = random.below(bytes.len());
                bytes[at] ^= 1 + random.below(255) as u8;
                return (format!("byte {at}"), Some(bytes));
            }
            1 if name.ends_with(".json") => {
                let mut value: Value = serde_json::from_slice(whole).unwrap();
                if without_a_key(&mut value, random) {
                    let text = serde_json::to_string_pretty(&value).unwrap() + "\n";
                    return ("a key".to_owned(), Some(text.into_bytes()));
                }
            }
            // the log of a run is removed by hand where nobody wants to go on with it
            2 if name != ".run.jsonl" => return ("the file".to_owned(), None),
            3 if text.is_some() => {
                let mut lines: Vec<&str> = text.unwrap().split_inclusive('\n').collect();
                let at = random.below(lines.len());
                lines.remove(at);
                return (format!("line {}", at + 1), Some(lines.concat().into_bytes()));
            }
            _ => {}
        }
    }
}

/// Whether a verification names a file: itself, or its question's record.
fn is_named(store: &Path, path: &Path, extractors: &Extractors) -> (bool, String) {
    let opened = match Store::read(store) {
        Ok(opened) => opened,
        Err(error) => {
            return (
                error.to_string().contains(path.file_name().unwrap().to_str().unwrap()),
                error.to_string(),
            );
        }
    };
    let verified = workflow::verify(&opened, extractors).unwrap();
    let said = format!("{:?} {:?}", verified.doubts, verified.quarantined);
    let place = path.strip_prefix(store).unwrap();
    let question =
        place.parent().filter(|_| path.ends_with("results.json") || path.ends_with("provenance.json"));
    let own = verified.quarantined.iter().any(|one| match question {
        Some(question) => one.path.starts_with(store.join(question)),
        None => one.path == path,
    });
    // evidence that is gone is named by what rests on it
    let hash = place.starts_with("evidence").then(|| path.file_name().unwrap().to_str().unwrap());
    let doubted = hash.is_some_and(|hash| {
        let hash = hash.split('.').next().unwrap();
        verified.doubts.iter().any(|doubt| doubt.message.contains(hash))
    });
    (own || doubted, said)
}

/// How many edits are made, one at a time.
const EDITS: usize = 200;

/// Every file has its turn, where there are not more of them than edits.
#[test]
#[ignore = "slow: make test-deep"]
fn two_hundred_single_edits_of_a_store_are_named_by_verify() {
    let folder = made();
    let store = store(folder.path());
    let extractors = Extractors::built_in().unwrap();
    let verified = workflow::verify(&Store::read(&store).unwrap(), &extractors).unwrap();
    assert_eq!((&verified.doubts, &verified.quarantined), (&Vec::new(), &Vec::new()));
    assert!(verified.records > 10 && verified.imported == 1, "{verified:?}");
    let files = files(&store);
    let seed: u64 = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(33);
    let mut random = Random(seed);
    let mut unnamed = Vec::new();
    let mut kinds = std::collections::BTreeMap::<String, usize>::new();
    let every = EDITS >= files.len();
    for number in 0..EDITS {
        let path = &files[if every && number < files.len() { number } else { random.below(files.len()) }];
        let whole = fs::read(path).unwrap();
        let (what, changed) = edit(path, &whole, &mut random);
        *kinds.entry(what.split(' ').next().unwrap().to_owned()).or_default() += 1;
        match &changed {
            Some(bytes) => fs::write(path, bytes).unwrap(),
            None => fs::remove_file(path).unwrap(),
        }
        let (named, said) = is_named(&store, path, &extractors);
        fs::write(path, &whole).unwrap();
        if !named {
            unnamed.push(format!("edit {number}: {what} of {}: {said}", path.display()));
        }
    }
    println!("seed {seed}: {} files, {EDITS} edits {kinds:?}, {} unnamed", files.len(), unnamed.len());
    assert!(unnamed.is_empty(), "seed {seed}: {unnamed:#?}");
    assert_eq!(kinds.len(), 4, "{kinds:?}");
    let again = workflow::verify(&Store::read(&store).unwrap(), &extractors).unwrap();
    assert_eq!(again, verified, "every edit was taken back");
}

/// The ways in which an edit of a provenance could give a record another meaning. Whoever seals the file again is found where
/// the evidence says otherwise.
#[test]
fn what_can_be_derived_is_doubted_even_where_the_seal_is_made_again() {
    let folder = made();
    let path = folder.path().join("store/61/provenance.json");
    let whole = fs::read_to_string(&path).unwrap();
    let extractors = Extractors::built_in().unwrap();
    let verified = |text: &str| {
        fs::write(&path, text).unwrap();
        let store = Store::read(folder.path().join("store")).unwrap();
        workflow::verify(&store, &extractors).unwrap()
    };
    let edits = [
        ("\"country\": \"404\"", "\"country\": \"800\"", true),
        ("\"end\": 2024", "\"end\": 2023", true),
        ("\"low\": \"2273.50\"", "\"low\": \"2173.50\"", true),
        ("\"number\": \"2274\"", "\"number\": \"2374\"", true),
        ("\"channel\": \"dom\"", "\"channel\": \"narrative\"", true),
        ("\"agreement\": \"agrees\"", "\"agreement\": \"single\"", true),
        ("\"displayed\": \"$2,274\"", "\"displayed\": \"$2,374\"", true),
        ("\"rule\": \"F5\"", "\"rule\": \"F6\"", true),
        ("\"statistic\": \"level\"", "\"statistic\": \"share\"", true),
        ("label \\\"GDP per", "label \\\"GNI per", true),
        ("in the response is displayed", "in the response is shown", true),
        // what nothing but the seal covers
        ("\"read_at\": \"2026-11-20T10:30:00Z\"", "\"read_at\": \"2026-11-19T10:30:00Z\"", false),
        ("\"tool_version\": \"", "\"tool_version\": \"9", false),
    ];
    for (from, to, is_derived) in edits {
        assert!(whole.contains(from), "{from} in {whole}");
        let changed = whole.replacen(from, to, 1);
        let found = verified(&changed);
        assert_eq!(found.quarantined.len(), 1, "{to}: {found:?}");
        assert_eq!(!found.doubts.is_empty(), is_derived, "{to}: {found:?}");
        let seal = changed.rfind(",\n  \"seal\"").unwrap();
        let again = format!(
            "{},\n  \"seal\": \"{}\"\n}}\n",
            &changed[..seal],
            atlas_gt::truth::Hash::of(&changed.as_bytes()[..seal])
        );
        let found = verified(&again);
        assert_eq!(found.quarantined, [], "{to}");
        assert_eq!(!found.doubts.is_empty(), is_derived, "sealed again, {to}: {found:?}");
    }
}

/// The same of a value that follows from others: its inputs are read again, and what follows from them.
#[test]
fn what_follows_from_other_values_is_derived_again_with_all_that_is_said_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, err) = call(folder.path(), &["collect", "--site", "twin", "--questions", "9"]);
    assert_eq!(code, 0, "{out}{err}");
    let path = folder.path().join("store/9/provenance.json");
    let whole = fs::read_to_string(&path).unwrap();
    let extractors = Extractors::built_in().unwrap();
    let doubts = |text: &str| {
        fs::write(&path, text).unwrap();
        let store = Store::read(folder.path().join("store")).unwrap();
        workflow::verify(&store, &extractors).unwrap().doubts
    };
    assert_eq!(doubts(&whole), []);
    let read: Value = serde_json::from_str(&whole).unwrap();
    let mut edited = 0;
    for (place, key) in [
        ("/points/0", "context"),
        ("/points/0", "locator"),
        ("/derivation/inputs/0/point", "interval"),
        ("/derivation/inputs/1/point", "context"),
        ("/derivation/inputs/1/point", "channel"),
    ] {
        let mut changed = read.clone();
        let Some(part) = changed.pointer_mut(place).and_then(|point| point.get_mut(key)) else { continue };
        match key {
            "interval" => part["low"] = "1".into(),
            "context" => part["country"] = "404".into(),
            "channel" => *part = "narrative".into(),
            _ => *part = "another".into(),
        }
        assert!(changed != read && !doubts(&changed.to_string()).is_empty(), "{place} {key}");
        edited += 1;
    }
    assert!(edited >= 4, "{edited} of {read:#}");
}

/// Two values of one reading need the same evidence.
#[test]
fn a_doubt_is_listed_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path().join("store"), Site::Twin).unwrap();
    let hash = store.put_evidence(b"{}").unwrap();
    for (gdp, people) in [("2274", "50"), ("2350", "60")] {
        let row = |point: &str, value: &str| {
            json!({ "data_point": point, "metric": point, "country": "Kenya", "value": value, "number": value,
                    "unit": "count", "year": "2024" })
        };
        let record: Record = serde_json::from_value(json!({
            "question_id": "61", "execution_timestamp": NOW, "source": "atlas_country_page",
            "source_method": "browser_country_page", "atlas_url": "https://atlas.hks.harvard.edu/countries/404",
            "site": "twin", "results": { "data": [row("gdp", gdp), row("population", people)] },
        }))
        .unwrap();
        let point = |point: &str| json!({ "data_point": point, "channel": "dom", "agreement": "agrees", "read_at": NOW, "evidence": hash });
        let points = json!({ "question_id": "61", "points": [point("gdp"), point("population")] });
        let provenance: Provenance = serde_json::from_value(points).unwrap();
        file_reading(&store, &record, &provenance, NOW.parse().unwrap()).unwrap();
    }
    fs::remove_file(store.capture_path(&hash)).unwrap();
    drop(store);
    let (_, out, err) = call(folder.path(), &["verify"]);
    assert_eq!(out.matches("a pending reading needs evidence").count(), 1, "{out}{err}");
}

#[test]
fn a_store_without_seals_is_named_and_sealed_when_its_values_follow_from_their_evidence() {
    let folder = made();
    let store = folder.path().join("store");
    let unseal = |path: &Path| {
        let text = fs::read_to_string(path).unwrap();
        let seal = text.rfind(",\n  \"seal\"").unwrap();
        fs::write(path, format!("{}\n}}\n", &text[..seal])).unwrap();
    };
    for path in files(&store).iter().filter(|path| path.ends_with("provenance.json")) {
        unseal(path);
    }
    fs::write(store.join("site.json"), "{\n  \"site\": \"twin\"\n}\n").unwrap();
    fs::remove_file(store.join("checks.jsonl")).unwrap();
    // this one does not follow from its evidence
    let path = store.join("62/provenance.json");
    fs::write(&path, fs::read_to_string(&path).unwrap().replace("\"404\"", "\"800\"")).unwrap();
    let score =
        ["score", "answer", "--site", "twin", "--question", "61", "Kenya's GDP per capita is $2,274."];
    let (code, _, err) = call(folder.path(), &score);
    assert!(code == 2 && err.contains("61/provenance.json") && err.contains("verify --seal"), "{err}");
    let (code, _, err) = call(folder.path(), &["verify"]);
    assert!(
        code == 2 && err.contains("site.json: has no seal") && err.contains("checks.jsonl: is missing"),
        "{err}"
    );
    let (code, out, err) = call(folder.path(), &["verify", "--seal"]);
    assert!(code == 2 && err.contains("sealed: 10 records and the logs"), "{out}{err}");
    assert!(
        out.contains("Q62") && out.contains("gdp_per_capita_ppp") && out.contains("its provenance says 800"),
        "{out}"
    );
    let named: Vec<&str> = err.lines().filter(|line| line.starts_with("quarantined: ")).collect();
    assert!(named.len() == 1 && named[0].contains("62/provenance.json"), "{named:?}");
    fs::write(&path, fs::read_to_string(&path).unwrap().replace("\"800\"", "\"404\"")).unwrap();
    let (code, out, err) = call(folder.path(), &["verify", "--seal"]);
    assert!(code == 0 && err.contains("sealed: 1 record\n"), "{out}{err}");
    let (code, out, err) = call_at(crate::NOW, folder.path(), &[&score[..], &["--store", "store"]].concat());
    assert_eq!(code, 0, "{out}{err}");
}
