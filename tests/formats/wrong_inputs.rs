//! What a person gets wrong, and what the program says: one line of a table a mistake, with the exit code of docs/reference/configuration.md. No message
//! shows the inside of a library.

use crate::{call, stage};

/// The command, its exit code, and what its message says. `STORE` stands for the flags of the example store.
const WRONG: &[(&str, i32, &str)] = &[
    ("history 99999 STORE", 2, "has no record of question 99999"),
    (
        "show 99999 STORE",
        2,
        "has no record of question 99999; `atlas-gt list --site twin --store store` shows",
    ),
    (
        "show 62 STORE",
        2,
        "no record of question 62; `atlas-gt collect --questions 62 --site twin --store store",
    ),
    ("review show 99999 STORE", 2, "question 99999: it is not under review; `atlas-gt review list --store "),
    ("score answer STORE --question 99999 x", 2, "question 99999"),
    ("history 61 nope STORE", 2, "question 61 has never had a value `nope`"),
    ("history 61 STORE --at yesterday", 2, "`yesterday` is not a date: write 2026-06-30"),
    ("changelog STORE --since 2026-13-01", 2, "`2026-13-01` is not a date"),
    ("changelog STORE --since 2026-11-22", 2, "is in the future (it is 2026-11-21T10:30:00Z now)"),
    ("changelog STORE --since 2026-11-21T10:30:01Z", 2, "is in the future"),
    ("history 61 STORE --at 2026-11-22", 2, "`2026-11-22` is in the future"),
    ("failures STORE --database traces.db --since 2026-11-22", 2, "--since: `2026-11-22` is in the future"),
    ("failures STORE --database traces.db --since yesterday", 2, "or a time back: 24h, 7d, at most 366d"),
    (
        "eval run STORE --agent-site twin --answers told.jsonl --changed-since 2026-11-22",
        2,
        "`2026-11-22` is in the future",
    ),
    ("collect STORE --max-age 1y", 2, "write it as 30d, 12h or 2w"),
    ("collect STORE --max-age 1x", 2, "write it as 30d, 12h or 2w"),
    ("collect STORE --max-age 99999999999d", 2, "write it as 30d, 12h or 2w"),
    ("collect STORE --extractor nope", 2, "--extractor nope"),
    ("collect STORE --questions 9-5", 2, "--questions"),
    ("refresh STORE --page nope", 2, "--page nope"),
    ("refresh STORE --commit --field nope", 2, "--field nope"),
    (
        "refresh STORE --kind revision",
        2,
        "--kind: only for pending changes, with --review, --commit or --discard",
    ),
    ("plan STORE --sessions 40", 2, "sessions 40: use 1 to 16"),
    ("plan STORE --sessions 40", 2, "  `atlas-gt plan --help` shows its flags"),
    ("list STORE --where nope", 2, "no record matches"),
    ("score answers STORE values.jsonl", 2, "values.jsonl:1:1"),
    ("score answers STORE suite.yaml", 2, "lacks the field `question_id`"),
    ("score json --truth values.jsonl --answer answer.json", 2, "values.jsonl:2:1"),
    ("score json", 2, "give --truth and --answer, or --batch"),
    ("score values", 2, "give --truth and --displayed, or --jsonl"),
    ("score answer STORE --question 61", 2, "give the answer, or --file"),
    ("score answers STORE nothing.jsonl", 2, "nothing.jsonl"),
    ("plan --manifest broken.yaml", 2, "the manifest has 3 errors"),
    ("verify --store nowhere", 2, "nowhere: does not exist"),
    ("verify --site twin --store nowhere", 2, "  `atlas-gt collect --site twin --store nowhere` creates it"),
    ("twin --vintage 2025 --changes", 2, "use 2024 or 2027"),
    ("export --sqlite nowhere/truth.db STORE", 2, "nowhere/truth.db"),
    ("eval run STORE --agent-site twin --agent-command ./nobody", 2, "there is no program ./nobody"),
    ("eval run STORE --agent-site twin --agent-command nobody-here", 2, "there is no program nobody-here"),
    ("spot-check STORE --agent-site twin --agent-command ./nobody", 2, "there is no program ./nobody"),
    ("component run --adapter-command ./nobody", 2, "there is no program ./nobody"),
    ("eval run STORE --agent-site twin", 2, "--agent"),
    (
        "eval run STORE --answers told.jsonl --min-pass-rate -1",
        2,
        "invalid value '-1' for '--min-pass-rate <SHARE>': use a share from 0 to 1",
    ),
    ("eval run STORE --answers told.jsonl", 2, "--agent-site twin"),
    ("eval report latest --runs nowhere", 2, "nowhere"),
    ("eval trend --runs nowhere", 2, "nowhere"),
    ("eval trend --runs runs --last 0", 2, "invalid value '0' for '--last <N>'"),
    ("eval trend --runs runs --history lacking.json", 2, "lacking.json: no line of it is a run"),
    ("site store/pages STORE", 2, "is the store itself, or inside it: name a place outside it"),
    ("export STORE --sqlite store/truth.db", 2, "is the store itself, or inside it: name a place outside it"),
    (
        "eval calibrate labels.jsonl --judge http://127.0.0.1:1/v1#m --judge-timeout 1 --runs runs",
        6,
        "could not be reached",
    ),
    ("eval calibrate values.jsonl --judge http://127.0.0.1:1/v1#m --runs runs", 2, "values.jsonl:1:"),
    (
        "eval calibrate labels.jsonl --prompts nowhere --runs runs",
        2,
        "--prompts: name the judge too, with --judge or `judge` in atlas-gt.toml",
    ),
    ("api introspect --site http://127.0.0.1:1", 5, "Connection refused"),
    ("mend nowhere STORE", 2, "nowhere"),
    ("mend --again --accept x STORE", 2, "--again"),
    ("survey --pages nope", 2, "--pages nope"),
    ("schema nope", 2, "`atlas-gt schema` lists them"),
    ("traces import nope", 2, "nope"),
    ("suite check broken.yaml", 2, "broken.yaml"),
    ("score answers STORE open.csv", 2, "open.csv:2:5: this quote is never closed"),
    ("manifest from open.csv", 2, "open.csv:2:5: this quote is never closed"),
    ("manifest check open.csv", 2, "open.csv:2:5  this quote is never closed"),
    ("lint STORE --questions open.csv", 2, "open.csv:2:5: this quote is never closed"),
    ("manifest from asked.csv", 2, "asked.csv:1:1: the header row lacks a column with the question"),
    ("manifest check asked.csv", 2, "asked.csv:1:1  the header row lacks a column with the question"),
    ("manifest from header.csv", 2, "header.csv holds no question: there is no row below the header"),
    ("manifest from lacking.json", 2, "lacking.json:2:10: is not JSON: expected value"),
    ("manifest check lacking.json", 2, "lacking.json:2:10  is not JSON: expected value"),
    ("status --store nowhere --config nowhere.toml", 2, "nowhere.toml"),
];

/// What belongs to a library: a type, a path of code, a number of the system.
const INSIDE: [&str; 8] =
    ["jiff::", "SpanRelativeTo", "struct ", "enum ", "serde", "reqwest", "(os error", "1 errors"];

#[test]
fn a_mistake_is_named_with_its_exit_code_and_in_words_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    stage(folder.path());
    for (name, text) in [
        ("open.csv", "question_id,answer,text\n6,a,\"unclosed\n65,b,c\n"),
        ("asked.csv", "id,asked\nq1,How?\n"),
        ("header.csv", "id,text\n"),
        ("lacking.json", "[{\"id\": 1,\n \"text\": }]"),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let mut wrong = Vec::new();
    for (line, due, says) in WRONG {
        let line = line.replace("STORE", "--site twin --store store");
        let (code, out, err) = call(folder.path(), &line, &[]);
        let said = format!("{out}{err}");
        if code != *due || !said.contains(says) {
            wrong.push(format!("{line}: exit code {code} for {due}, without {says:?}:\n{said}"));
        }
        let inside = INSIDE.iter().filter(|word| said.contains(**word));
        wrong.extend(inside.map(|word| format!("{line}: {word:?} in\n{said}")));
        // a place once: `a.jsonl:3:1: … at line 1 column 3` names two
        if said.contains(" at line ") {
            wrong.push(format!("{line}: a place twice in\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n\n{}", wrong.len(), wrong.join("\n\n"));
}
