//! What every scoring command prints fits its schema in `manifests/`.

use std::path::Path;

use serde_json::Value;

use crate::{atlas_gt, documents, stdout, walkthrough, write};

fn check(schema: &str, printed: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("manifests/{schema}.schema.json"));
    let text: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("schema.json", text).unwrap();
    let compiled = compiler.compile("schema.json", &mut schemas).unwrap();
    if let Err(error) = schemas.validate(printed, compiled) {
        panic!("{schema}: {error}\n{printed:#}");
    }
    // A schema that lets anything pass says nothing.
    assert!(schemas.validate(&Value::from("x"), compiled).is_err(), "{schema}");
}

#[test]
fn every_output_fits_its_schema() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let example = |name: &str| root.join("examples/scoring").join(name).to_str().unwrap().to_owned();
    let pairs = "{\"truth\": \"$5\", \"displayed\": \"$6\"}\n{\"id\": 1, \"truth\": \"$5\", \"displayed\": \"maybe\"}\n";
    let values = write(folder.path(), "values.jsonl", pairs);
    let component =
        write(folder.path(), "component.jsonl", "{\"id\": \"idr_001\", \"answer\": {\"country_id\": 1}}\n");
    let broken = write(folder.path(), "suite.yaml", "name: s\ncases: []\n");
    let (batch, store) = (example("pairs.jsonl"), example("store"));
    let (suite, answers) = (example("suite.yaml"), example("answers.jsonl"));
    let (first, second) = (example("run_first.jsonl"), example("run_second.jsonl"));
    let (facts, report) = (example("facts.json"), example("report.md"));
    let (case, calls) = (example("case.yaml"), example("calls.json"));
    let manifest = root.join("manifests/atlas.json").to_str().unwrap().to_owned();
    let answer =
        ["score", "answer", "--site", "twin", "--store", &store, "--manifest", &manifest, "--question", "61"];
    let many = ["score", "answers", "--site", "twin", "--store", &store, "--manifest", &manifest];
    let lines_of_answers = write(
        folder.path(),
        "answers.jsonl",
        "{\"question_id\": 61, \"answer\": \"$2,274\"}\n{\"question_id\": 61, \"answer\": \"It is $3.\", \"pipeline\": \"sql\", \"id\": 7}\n",
    );
    let lost = documents().join("scorers/suite.yaml").to_str().unwrap().to_owned();
    for (schema, arguments) in [
        ("score_values", vec!["score", "values", "--truth", "$5", "--displayed", "$5.2"]),
        ("score_values", vec!["score", "values", "--jsonl", &values]),
        ("score_json", walkthrough(&[])),
        ("score_json", walkthrough(&[])[..8].to_vec()),
        ("score_json", vec!["score", "json", "--batch", &batch]),
        ("score_json_summary", vec!["score", "json", "--batch", &batch]),
        ("score_text", vec!["score", "text", "--facts", &facts, &report]),
        ("score_answer", [&answer[..], &["Kenya's GDP per capita is $2,274."]].concat()),
        ("score_answer", [&answer[..], &["It may be $3,000. Exports were $5 billion."]].concat()),
        ("score_answer", [&answer[..], &["--pipeline", "graphql", "$2,274"]].concat()),
        ("score_answers", [&many[..], &[&lines_of_answers]].concat()),
        ("score_answers_line", [&many[..], &[&lines_of_answers]].concat()),
        ("suite_case", vec!["score", "tools", "--case", &case, "--trajectory", &calls]),
        ("suite_case", vec!["suite", "run", &suite, "--answers", &answers]),
        ("suite_run", vec!["suite", "run", &suite, "--answers", &answers]),
        ("suite_run", vec!["suite", "run", &lost, "--answers", &answers]),
        ("suite_check", vec!["suite", "check", &broken]),
        ("eval_compare", vec!["suite", "compare", &first, &second]),
        ("component_run", vec!["component", "run", "--answers", &component]),
    ] {
        let lines = matches!(schema, "score_json" | "suite_case" | "score_answers_line")
            || arguments.contains(&"--jsonl");
        let format = if lines { "jsonl" } else { "json" };
        let printed = stdout(&atlas_gt(&[&arguments[..], &["--format", format]].concat()));
        let documents: Vec<Value> = if lines {
            printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        } else {
            vec![
                serde_json::from_str(&printed)
                    .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {printed}")),
            ]
        };
        assert!(!documents.is_empty(), "{arguments:?}");
        for document in documents {
            match document.get("summary") {
                // the last of the lines
                Some(summary) if schema == "score_json_summary" || schema == "score_json" => {
                    check("score_json_summary", summary);
                }
                Some(_) if schema == "score_answers_line" => {}
                _ => check(schema, &document),
            }
        }
    }
}
