//! The program itself: exit codes, messages that say what to do, and JSON that agrees with the exit code.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use atlas_gt::truth::{Site, Store};
use atlas_gt_twin::{Skin, Twin};
use serde_json::Value;
use tempfile::TempDir;

use crate::bench::{records, replica, run, tree};
use crate::whole::whole;

/// The program in a folder of its own, without settings from outside.
pub fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_atlas-gt"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("ATLAS_GT_")) {
        if !matches!(name.as_str(), "ATLAS_GT_CHROMIUM" | "ATLAS_GT_CHROMEDRIVER") {
            command.env_remove(name);
        }
    }
    command.env("ATLAS_GT_NOW", "2026-11-20T10:30:00Z").env("SOURCE_DATE_EPOCH", "0").env_remove("RUST_LOG");
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    command
}

pub struct AnswerVerdict {
    pub code: i32,
    pub out: String,
    pub err: String,
}

pub fn said(output: &Output) -> AnswerVerdict {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    AnswerVerdict {
        code: output.status.code().unwrap(),
        out: text(&output.stdout),
        err: text(&output.stderr),
    }
}

/// Runs it without holding up the replica in this process.
pub async fn call(folder: &Path, arguments: &[&str]) -> AnswerVerdict {
    let mut command = program(folder, arguments);
    tokio::task::spawn_blocking(move || said(&command.output().unwrap())).await.unwrap()
}

pub fn assert_refuses(said: &AnswerVerdict, code: i32, words: &[&str]) {
    assert_eq!(said.code, code, "{}", said.err);
    for word in words {
        assert!(said.err.contains(word), "\"{word}\" is not in: {}", said.err);
    }
    assert_eq!(said.out, "", "a refusal prints no result");
}

#[test]
fn wrong_usage_is_told_before_any_page_is_visited() {
    run(async {
        let folder = TempDir::new().unwrap();
        let call = async |arguments: &[&str]| call(folder.path(), arguments).await;
        let unknown = call(&["collect", "--site", "twin", "--questions", "61,999"]).await;
        assert_refuses(&unknown, 2, &["--questions 999", "no such question"]);
        let backwards = call(&["collect", "--questions", "67-61"]).await;
        assert_refuses(&backwards, 2, &["--questions 67-61", "a range starts with the smaller id: 61-67"]);
        let extractor =
            call(&["collect", "--site", "twin", "--extractor", "country_profile,contry_profile"]).await;
        let words =
            ["--extractor contry_profile", "did you mean `country_profile`?", "treemap_verify", "atlas.json"];
        assert_refuses(&extractor, 2, &words);
        let level = call(&["collect", "--site", "twin", "--log", "banana"]).await;
        assert_refuses(&level, 2, &["banana", "--log", "debug"]);
        std::fs::write(folder.path().join("none.json"), "[]").unwrap();
        let empty = call(&["collect", "--site", "twin", "--manifest", "none.json"]).await;
        assert_refuses(&empty, 2, &["none.json:1:1", "no question is given", "--manifest"]);
        std::fs::remove_file(folder.path().join("none.json")).unwrap();
        let fast = call(&["collect", "--site", "live", "--rate", "500"]).await;
        assert_refuses(&fast, 2, &["rate 500", "1 to 120 requests a minute"]);
        let address = call(&["collect", "--site", "gopher://atlas"]).await;
        assert_refuses(&address, 2, &["gopher://atlas"]);
        let flag = call(&["collect", "--site", "twin", "--fault", "label-renamed=nothing"]).await;
        assert_refuses(&flag, 2, &["label-renamed", "total-exports"]);
        let manifest = call(&["collect", "--site", "twin", "--manifest", "nothere.json"]).await;
        assert_refuses(&manifest, 2, &["nothere.json does not exist", "--manifest"]);
        let grid = call(&["collect", "--site", "twin", "--webdriver", "hub:4444"]).await;
        assert_refuses(&grid, 2, &["webdriver hub:4444", "http://hub.example.org:4444"]);
        std::fs::write(folder.path().join("odd.toml"), "rate = 60\nsesions = 1\n").unwrap();
        let config = call(&["collect", "--config", "odd.toml", "--site", "twin"]).await;
        assert_refuses(&config, 2, &["odd.toml:2:1", "sesions"]);
        let names: Vec<_> = tree(folder.path()).into_keys().collect();
        assert_eq!(names, [Path::new("odd.toml")], "nothing was written");
        let wrong = [
            ["--config", "nope.toml"],
            ["--config", "."],
            ["--extractors", "nope"],
            ["--events", "nope/x"],
            ["--report", "."],
        ];
        for flag in wrong {
            let told = call(&[&["collect", "--site", "twin"], &flag[..]].concat()).await;
            assert_refuses(&told, 2, &[flag[1], "correct it there"]);
        }
    });
}

#[test]
fn a_level_on_the_command_line_wins_over_the_environment() {
    let folder = TempDir::new().unwrap();
    // a warning of the manifest is logged as `info`
    let manifest = r#"[{"question_id": 1, "atlas_url": "/countries/404", "extraction_method": "dom",
        "extractor": "country_profile", "data_points": ["gdp_per_capita", "gdp_per_capita"]}]"#;
    std::fs::write(folder.path().join("m.json"), manifest).unwrap();
    let logged = |flags: &[&str], environment: Option<&str>| {
        let arguments = [&["collect", "--manifest", "m.json", "--questions", "2"], flags].concat();
        let mut command = program(folder.path(), &arguments);
        let told = said(&command.envs(environment.map(|level| ("RUST_LOG", level))).output().unwrap());
        assert_eq!(told.code, 2, "{}", told.err);
        told.err.contains("listed twice")
    };
    assert!(!logged(&[], None));
    assert!(logged(&[], Some("atlas_gt=info")));
    assert!(logged(&["--log", "INFO"], Some("off")));
    assert!(!logged(&["--log", "off"], Some("atlas_gt=trace")));
    assert!(logged(&["--log", "info"], None));
}

#[test]
fn a_wrong_manifest_is_quoted_with_line_column_and_a_suggestion() {
    run(async {
        let folder = TempDir::new().unwrap();
        let manifest = r#"{
  "questions": [
    {
      "question_id": 1,
      "atlas_url": "https://atlas.hks.harvard.edu/countries/404",
      "extraction_method": "dom",
      "extractor": "country_profile",
      "data_points": ["gdp_per_capta"]
    }
  ]
}"#;
        std::fs::write(folder.path().join("bad.json"), manifest).unwrap();
        let arguments = ["collect", "--site", "twin", "--manifest", "bad.json", "--store", "s"];
        let told = call(folder.path(), &arguments).await;
        assert_refuses(&told, 2, &["bad.json:8:23", "gdp_per_capta", "did you mean `gdp_per_capita`"]);
        assert!(!folder.path().join("s").exists());
    });
}

#[test]
fn an_extractor_in_the_words_of_an_older_version_is_read_and_told_what_to_write() {
    let folder = TempDir::new().unwrap();
    let spec = r#"name = "own_treemap"
version = 1
page = "explore/treemap"
titles = ["What did {country} export in {year}?"]
sections = [{ slug = "treemap", headings = [] }]

[[points]]
id = "three_largest"
metric = "Three largest exports"
answers = ["name"]
section = "treemap"
find = { ranked = { of = "product", count = 3, rule = "F1", sector = "Minerals" } }
unit = "USD"
"#;
    let manifest = r#"[{"question_id": 1, "atlas_url": "/explore/treemap?exporter=country-404&year=2024",
        "extraction_method": "api_preferred", "extractor": "own_treemap", "data_points": ["three_largest"]}]"#;
    std::fs::create_dir(folder.path().join("own")).unwrap();
    std::fs::write(folder.path().join("own/treemap.toml"), spec).unwrap();
    std::fs::write(folder.path().join("m.json"), manifest).unwrap();
    let arguments = ["manifest", "check", "--extractors", "own", "--manifest", "m.json"];
    let told = said(&program(folder.path(), &arguments).output().unwrap());
    assert_eq!(told.code, 0, "{}{}", told.out, told.err);
    let now = r#"{ of = "product", rule = "F1", select = [{ sector = "Minerals" }], take = 3 }"#;
    let hint = format!("own/treemap.toml:12:10: `ranked` is now `rows`; write `find = {{ rows = {now} }}`");
    assert!(told.err.contains(&hint), "{}", told.err);
    // what it says to write is read without a word
    let spec = spec.replace(
        r#"ranked = { of = "product", count = 3, rule = "F1", sector = "Minerals" }"#,
        &format!("rows = {now}"),
    );
    std::fs::write(folder.path().join("own/treemap.toml"), &spec).unwrap();
    let told = said(&program(folder.path(), &arguments).output().unwrap());
    assert_eq!((told.code, told.err.contains("own/treemap.toml")), (0, false), "{}", told.err);
    // every error of every file is reported
    let wrong = spec.replace("section = \"treemap\"", "section = \"nowhere\"").replace("{ rows", "{ rowz");
    std::fs::write(folder.path().join("own/treemap.toml"), wrong).unwrap();
    let other = spec.replace("\"own_treemap\"", "\"other\"").replace("rule = \"F1\", ", "");
    std::fs::write(folder.path().join("own/other.toml"), other).unwrap();
    let told = said(&program(folder.path(), &arguments).output().unwrap());
    let fields = ["points[0].section:", "points[0].find:", "points[0].find.rows:"];
    assert_refuses(&told, 2, &fields);
    assert!(told.err.contains("error: 3 errors, the first: own/other.toml:"), "{}", told.err);
}

#[test]
fn a_store_that_cannot_be_used_is_named() {
    run(async {
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("afile"), "mine").unwrap();
        let arguments = ["collect", "--site", "twin", "--questions", "61", "--store", "afile"];
        let told = call(folder.path(), &arguments).await;
        assert_refuses(&told, 1, &["afile", "a file is in the way of a folder"]);
        assert_eq!(std::fs::read_to_string(folder.path().join("afile")).unwrap(), "mine");
        // decision 18: records of the replica and of the site itself never meet
        let store = whole(Skin::Hashed).await.store.to_str().unwrap().to_owned();
        let before = tree(Path::new(&store));
        let told = call(folder.path(), &["collect", "--site", "live", "--store", &store]).await;
        assert_refuses(&told, 1, &["holds the twin site", "use another store"]);
        assert_eq!(tree(Path::new(&store)), before);
        // nor those of the site itself and of what another address serves
        drop(Store::open(folder.path().join("s"), Site::Live).unwrap());
        let mirror = ["collect", "--site", "https://mirror.invalid", "--store", "s"];
        let told = call(folder.path(), &mirror).await;
        assert_refuses(
            &told,
            1,
            &["holds the live site", "the site at https://mirror.invalid was requested"],
        );
    });
}

#[test]
fn an_address_that_does_not_answer_is_exit_code_5() {
    run(async {
        let folder = TempDir::new().unwrap();
        // nothing listens on a port that was just given back
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let site = format!("http://{free}");
        let arguments = ["collect", "--site", &site, "--questions", "61,64", "--store", "s"];
        let told = call(folder.path(), &arguments).await;
        assert_eq!(told.code, 5, "{}{}", told.out, told.err);
        assert!(told.out.contains("Q61, Q64") && told.out.contains("could not be reached"), "{}", told.out);
        assert!(told.out.starts_with("the site was unreachable"), "{}", told.out);
        assert!(records(&folder.path().join("s")).is_empty());
    });
}

/// Whatever is on the page is waited for, however busy the machine is.
async fn collected(folder: &Path, twin: &Twin, questions: &str) -> (i32, Value) {
    collected_within("60", folder, twin, questions).await
}

async fn collected_within(page_timeout: &str, folder: &Path, twin: &Twin, questions: &str) -> (i32, Value) {
    let site = twin.base_url.as_str();
    let arguments = [
        "collect",
        "--site",
        site,
        "--questions",
        questions,
        "--sessions",
        "1",
        "--store",
        "s",
        "--format",
        "json",
        "--page-timeout",
        page_timeout,
    ];
    let told = call(folder, &arguments).await;
    let report: Value =
        serde_json::from_str(&told.out).unwrap_or_else(|_| panic!("{}{}", told.out, told.err));
    assert_eq!(report["exit_code"], told.code, "{report:#}");
    (told.code, report)
}

#[test]
fn json_agrees_with_the_exit_code_and_verify_with_the_store() {
    run(async {
        let folder = TempDir::new().unwrap();
        let twin = replica(Skin::Hashed, &[]).await;
        let (code, report) = collected(folder.path(), &twin, "129").await;
        assert_eq!((code, &report["totals"]["absent"]), (0, &1.into()), "{report:#}");
        let (code, report) = collected(folder.path(), &twin, "61,64").await;
        assert_eq!((code, &report["totals"]["collected"]), (0, &2.into()), "{report:#}");
        let whole = records(&folder.path().join("s"));

        twin.set_faults(vec!["label-renamed=gdp".parse().unwrap()]);
        let (code, report) = collected_within("10", folder.path(), &twin, "61,64").await;
        assert_eq!(
            (code, &report["totals"]["agreed"], &report["totals"]["failed"]),
            (4, &1.into(), &1.into())
        );
        twin.set_faults(vec!["wrong-form=gdp:$2,299".parse().unwrap()]);
        let (code, report) = collected(folder.path(), &twin, "61,64").await;
        assert_eq!((code, &report["totals"]["differing"]), (3, &1.into()), "{report:#}");
        assert_eq!(records(&folder.path().join("s")), whole, "records are left alone");

        let verified = call(folder.path(), &["verify", "--store", "s"]).await;
        assert_eq!(verified.code, 0, "{}", verified.out);
        assert!(verified.out.starts_with("verified: 3 records, 3 values confirmed"), "{}", verified.out);
        // a value that was changed by hand does not follow from its evidence
        let path = folder.path().join("s/61/results.json");
        let text = std::fs::read_to_string(&path).unwrap().replace("2,274", "2,275").replace("2274", "2275");
        std::fs::write(&path, text).unwrap();
        let doubted = call(folder.path(), &["verify", "--store", "s"]).await;
        assert_eq!(doubted.code, 2, "{}", doubted.out);
        assert!(
            doubted.err.contains("s/61/results.json: was changed since it was written"),
            "{}",
            doubted.err
        );
        assert!(doubted.out.contains("the record says $2,275"), "{}", doubted.out);
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn what_failed_alone_is_tried_again_and_what_is_fresh_is_left_out() {
    run(async {
        let folder = TempDir::new().unwrap();
        let twin = replica(Skin::Hashed, &["label-renamed=gdp"]).await;
        let (code, report) = collected_within("10", folder.path(), &twin, "61,64").await;
        assert_eq!((code, &report["totals"]["failed"]), (4, &1.into()));
        twin.set_faults(Vec::new());
        let site = twin.base_url.clone();
        let retry = ["collect", "--site", &site, "--store", "s", "--retry-failed", "--format", "json"];
        let told = call(folder.path(), &retry).await;
        let report: Value = serde_json::from_str(&told.out).unwrap();
        assert_eq!(
            (told.code, &report["totals"]["collected"], &report["answered_before"]),
            (0, &1.into(), &1.into())
        );
        let unknown =
            call(folder.path(), &["collect", "--site", "twin", "--store", "new", "--retry-failed"]).await;
        assert_refuses(&unknown, 2, &["--retry-failed", "no earlier run with failed questions"]);
        let fresh = ["collect", "--site", &site, "--store", "s", "--questions", "61,64", "--max-age", "30d"];
        let told = call(folder.path(), &fresh).await;
        assert_eq!(told.code, 0, "{}", told.err);
        assert!(told.out.contains("2 questions were skipped, checked recently"), "{}", told.out);
        let wrong = call(folder.path(), &["collect", "--max-age", "soon"]).await;
        assert_refuses(&wrong, 2, &["--max-age", "30d, 12h or 2w"]);
        let wrong = call(folder.path(), &["collect", "--site", "twin", "--events", "no/such/file"]).await;
        assert_refuses(&wrong, 2, &["no/such/file", "correct it there"]);

        twin.set_faults(vec!["robots-disallow=/countries/404".parse().unwrap()]);
        let closed = ["collect", "--site", &site, "--store", "s", "--questions", "61"];
        let told = call(folder.path(), &closed).await;
        assert_eq!(told.code, 5, "{}", told.err);
        assert!(told.out.contains("robots.txt") && told.out.contains("--ignore-robots"), "{}", told.out);
        let told = call(folder.path(), &[closed.as_slice(), &["--ignore-robots"]].concat()).await;
        assert_eq!(told.code, 0, "{}{}", told.out, told.err);
        // what a refusal advises is a flag of the command that was refused
        let closed = ["refresh", "--site", &site, "--store", "s", "--questions", "61"];
        let told = call(folder.path(), &closed).await;
        assert!(told.code == 5 && told.out.contains("--ignore-robots"), "{}{}", told.out, told.err);
        let told = call(folder.path(), &[closed.as_slice(), &["--ignore-robots"]].concat()).await;
        assert_eq!(told.code, 0, "{}{}", told.out, told.err);
    });
}
