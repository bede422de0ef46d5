//! Input that is wrong, torn or far too large: an error that names file and line, and never a score.

use crate::{atlas_gt, documents, json, stderr, stdout, write};

#[test]
fn bad_input_names_file_and_line_and_never_crashes() {
    let folder = tempfile::tempdir().unwrap();
    let good = write(folder.path(), "good.json", "{}");
    let deep = "[".repeat(10_000) + &"]".repeat(10_000);
    for (name, text, part) in [
        ("text.json", b"hello" as &[u8], "text.json:1:1: expected value"),
        ("nan.json", b"{\n\"a\": NaN}", "nan.json:2:6: expected value"),
        ("twice.json", b"{\"a\": 1,\n\"a\": 2}", "twice.json:2:6: the key \"a\" occurs twice"),
        ("deep.json", deep.as_bytes(), "deep.json:1:129: nested deeper than 128"),
        ("utf8.json", b"{\"a\": \"\xff\"}", "utf8.json:1:8: invalid UTF-8"),
        ("list.json", b"[]", "list.json:1:1: expected an object"),
        ("empty.json", b"", "empty.json:1:1: EOF while parsing a value"),
    ] {
        let bad = write(folder.path(), name, text);
        let output = atlas_gt(&["score", "json", "--truth", &bad, "--answer", &good]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(stderr(&output).contains(part), "{part}: {}", stderr(&output));
    }
    let output = atlas_gt(&["score", "json", "--truth", "no/such.json", "--answer", &good]);
    assert!(stderr(&output).contains("no/such.json"));

    let bombs = write(
        folder.path(),
        "bomb.yaml",
        format!(
            "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n{}cases: *a9\n",
            (1..10)
                .map(|n| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 10].join(", ")))
                .collect::<String>()
        ),
    );
    let output = atlas_gt(&["suite", "check", &bombs]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).contains("bomb.yaml:"), "{}", stdout(&output));

    let facts = write(folder.path(), "facts.json", "{\"facts\": [\n  {\"anyof\": []}]}");
    let report = write(folder.path(), "r.md", "x");
    let output = atlas_gt(&["score", "text", "--facts", &facts, &report]);
    assert!(
        stderr(&output).contains("facts.json:") && output.status.code() == Some(2),
        "{}",
        stderr(&output)
    );
    let report = write(folder.path(), "r.md", b"# a\n\xff");
    let facts = write(folder.path(), "facts.json", "{}");
    let output = atlas_gt(&["score", "text", "--facts", &facts, &report]);
    assert!(stderr(&output).contains("r.md:2:1: invalid UTF-8"), "{}", stderr(&output));
}

#[test]
fn bad_input_of_every_command_is_an_error_and_never_a_score() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &[u8]| write(folder.path(), name, text);
    let suite = documents().join("scorers/suite.yaml").to_str().unwrap().to_owned();
    let case = documents().join("evaluation_strategy/case.yaml").to_str().unwrap().to_owned();
    let good = path("good.json", b"{}");
    let deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
    let deep_yaml = format!("name: s\ncases: {}{}\n", "[".repeat(10_000), "]".repeat(10_000));
    for (name, text, part) in [
        ("nan.jsonl", &b"{\"truth\": {\"a\": NaN}, \"answer\": {}}"[..], "nan.jsonl:1:17: expected value"),
        (
            "twice.jsonl",
            b"\n{\"truth\": {\"a\": 1, \"a\": 2}, \"answer\": {}}",
            "twice.jsonl:2:25: the key \"a\" occurs twice",
        ),
        ("utf8.jsonl", b"{\"truth\": {\"a\": \"\xff\"}, \"answer\": {}}", "utf8.jsonl:1:18: invalid UTF-8"),
        ("text.jsonl", b"hello", "text.jsonl:1:1: expected value"),
    ] {
        let bad = path(name, text);
        for format in ["json", "jsonl", "junit", "table"] {
            let output = atlas_gt(&["score", "json", "--batch", &bad, "--format", format]);
            assert_eq!(output.status.code(), Some(2), "{name}");
            assert!(stderr(&output).contains(part), "{part}: {}", stderr(&output));
        }
    }
    let nested = path("deep.jsonl", format!("{{\"truth\": {{\"a\": {deep}}}, \"answer\": {{}}}}").as_bytes());
    let output = atlas_gt(&["score", "json", "--batch", &nested]);
    assert!(
        output.status.code() == Some(2) && stderr(&output).contains("nested deeper than 128"),
        "{}",
        stderr(&output)
    );

    for (arguments, part) in [
        (
            vec!["score", "values", "--jsonl", &path("v.jsonl", b"{\"truth\": NaN}")],
            "v.jsonl:1:11: expected value",
        ),
        (
            vec!["score", "values", "--jsonl", &path("w.jsonl", b"{\"truth\": \"1\", \"truth\": \"2\"}")],
            "occurs twice",
        ),
        (
            vec![
                "score",
                "json",
                "--truth",
                &good,
                "--answer",
                &good,
                "--strategies",
                &path("s.json", b"{\"a\": \"GUESS\"}"),
            ],
            "\"GUESS\" is not a strategy",
        ),
        (
            vec![
                "score",
                "json",
                "--truth",
                &good,
                "--answer",
                &good,
                "--similarities",
                &path("i.json", b"{\"a\": 7}"),
            ],
            "expected 0 to 1",
        ),
        (
            vec!["score", "json", "--truth", &good, "--answer", &good, "--weights", "1,2,3"],
            "expected four numbers",
        ),
        (
            vec!["score", "json", "--truth", &good, "--answer", &good, "--weights", "0,0,0,0"],
            "the weights of accuracy, completeness and safety must not all be zero",
        ),
        (
            vec!["score", "json", "--truth", &good, "--answer", &good, "--weights", "NaN,0,0,0"],
            "the weight of accuracy is NaN",
        ),
        (vec!["score", "tools", "--case", &case, "--trajectory", &path("t.json", b"[1]")], "tool call 1"),
        (
            vec![
                "score",
                "tools",
                "--case",
                &path("c.yaml", b"expected_tool: maybe"),
                "--trajectory",
                &path("u.json", b"[]"),
            ],
            "c.yaml:1:",
        ),
        (
            vec!["score", "tools", "--case", &case, "--trajectory", &path("deep.json", deep.as_bytes())],
            "nested deeper than 128",
        ),
        (
            vec![
                "suite",
                "run",
                &suite,
                "--answers",
                &path("a.jsonl", b"{\"case\": \"x\", \"case\": \"y\"}"),
            ],
            "occurs twice",
        ),
        (
            vec![
                "suite",
                "run",
                &suite,
                "--answers",
                &path("b.jsonl", b"{\"case\": \"x\", \"output\": \"y\", \"cost_usd\": -1}"),
            ],
            "is not a price",
        ),
        (vec!["eval", "compare", &path("r.jsonl", b"{}"), &path("q.jsonl", b"{}")], "r.jsonl:1:"),
    ] {
        let output = atlas_gt(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(part), "{part}: {}", stderr(&output));
    }
    for (name, text, part) in [
        ("deep.yaml", deep_yaml.as_bytes(), "deep.yaml:"),
        ("nan.yaml", b"name: s\ndefault_min_score: .nan\ncases: []\n", "nan.yaml:2:"),
        ("twice.yaml", b"name: s\nname: t\ncases: []\n", "twice.yaml:2:"),
    ] {
        let output = atlas_gt(&["suite", "check", &path(name, text)]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(stdout(&output).contains(part), "{part}: {}", stdout(&output));
    }
    let output = atlas_gt(&["suite", "check", &path("utf8.yaml", b"name: \xff")]);
    assert!(
        output.status.code() == Some(2) && stderr(&output).contains("utf8.yaml:1:7: invalid UTF-8"),
        "{}",
        stderr(&output)
    );
}

#[test]
#[ignore = "slow: make test-deep"]
fn strings_of_100_mb_are_scored_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let long = "a".repeat(100 << 20);
    let line = format!("{{\"truth\": {{\"e\": \"{long}\"}}, \"answer\": {{\"e\": \"{long}\"}}}}\n");
    let pairs = write(folder.path(), "pairs.jsonl", line);
    let (code, summary) = json(&["score", "json", "--batch", &pairs, "--format", "json"]);
    assert_eq!((code, summary["counts"]["matched"].as_u64()), (0, Some(1)));
    let output = atlas_gt(&["score", "json", "--batch", &pairs, "--format", "jsonl"]);
    assert!(
        output.status.success() && output.stdout.len() < 10_000,
        "a reason quotes no more than the beginning"
    );
    std::fs::remove_file(pairs).unwrap();
    let values =
        write(folder.path(), "values.jsonl", format!("{{\"truth\": \"5\", \"displayed\": \"{long}\"}}\n"));
    let output = atlas_gt(&["score", "values", "--jsonl", &values, "--format", "junit"]);
    assert_eq!(output.status.code(), Some(4), "not read is no mismatch");
    std::fs::remove_file(values).unwrap();
    let facts = write(folder.path(), "facts.json", "{}");
    let report = write(folder.path(), "report.md", long);
    let output = atlas_gt(&["score", "text", "--facts", &facts, &report]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("report.md has 100 MB"), "{}", stderr(&output));
}
