//! The made-up folder of foreign records, read as `import` and `lint` read it.

use atlas_gt::external::{Folder, ListedQuestions};

use crate::external;
use crate::tree::tree;

#[test]
fn every_record_loads_or_is_quarantined_by_name_and_nothing_is_lost() {
    let temporary = tempfile::tempdir().unwrap();
    let made = external::write(temporary.path(), 250, 7);
    assert_eq!((made.records, made.planted.len()), (250, 75));
    let folder = Folder::open(temporary.path()).unwrap();
    assert_eq!(folder.files().len(), made.records);
    let mut quarantined = Vec::new();
    let mut leaves = std::collections::BTreeMap::new();
    for (id, path) in folder.files() {
        match folder.read(id, path) {
            Err(found) => quarantined.push((id.to_string(), found.key)),
            Ok(record) => {
                let rows = [&record.rows, &record.archived].map(|rows| atlas_gt::external::figures(rows));
                let held = rows.iter().flat_map(|rows| &rows.leaves).filter(|leaf| !leaf.text.is_empty());
                leaves.insert(id.to_string(), held.count());
            }
        }
    }
    let mut expected: Vec<(String, String)> =
        made.quarantined.iter().map(|(id, key)| (id.clone(), (*key).to_owned())).collect();
    expected.sort();
    quarantined.sort();
    assert_eq!(quarantined, expected);
    for (id, count) in made.leaves {
        assert!(
            leaves.get(&id).is_some_and(|held| *held >= count),
            "{id}: {count} values, {:?}",
            leaves.get(&id)
        );
    }
    let questions = ListedQuestions::read(&made.questions).unwrap();
    assert!(questions.quarantined.is_empty());
    assert_eq!(questions.by_id.len(), made.records - 1);
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let read = |seed| {
        let temporary = tempfile::tempdir().unwrap();
        let made = external::write(temporary.path(), 130, seed);
        let mut all = std::fs::read_to_string(&made.questions).unwrap();
        for (_, path) in Folder::open(temporary.path()).unwrap().files() {
            all += &std::fs::read_to_string(path).unwrap();
        }
        all
    };
    assert!(read(1) == read(1) && read(1) != read(2));
}

#[test]
fn import_takes_the_folder_as_it_is_accounts_for_every_value_and_changes_no_byte_the_second_time() {
    let temporary = tempfile::tempdir().unwrap();
    let made = external::write(temporary.path(), 250, 7);
    let store = temporary.path().join("taken");
    let import = || {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_atlas-gt"));
        command.arg("import").arg(temporary.path()).arg("--questions").arg(&made.questions);
        let output = command.arg("--store").arg(&store).args(["--format", "json"]).output().unwrap();
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code().unwrap(), report)
    };
    let (code, report) = import();
    assert_eq!(code, 2, "what is quarantined is said by the exit code");
    let text = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let records = report["records"].as_array().unwrap();
    for (id, count) in &made.leaves {
        let record = records.iter().find(|record| text(&record["question_id"]) == *id).unwrap();
        let listed = ["leaves", "archived"].map(|key| record[key].as_array().map_or(0, Vec::len));
        let leaves: usize = listed.iter().sum();
        assert!(leaves >= *count, "{id}: {leaves} of {count} values: {record}");
    }
    let quarantined = report["summary"]["quarantined"].to_string();
    for (id, _) in &made.quarantined {
        assert!(quarantined.contains(&format!("/{id}/")), "{id}: {quarantined}");
    }
    let before = tree(&store);
    assert!(before.len() > 300, "{} files", before.len());
    assert_eq!(import().0, code);
    assert!(tree(&store) == before, "a second import changes a byte");
}
