//! The program itself: exit codes, what it refuses, and what it prints.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use atlas_gt::truth::{Site, Store};
use serde_json::Value;
use sqlx::Connection as _;

use crate::bench::{browsers, collected, records, replica, run, tree};

pub struct AnswerVerdict {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// Runs the program without holding up the replica in this process.
pub async fn call(folder: &Path, arguments: &[&str]) -> AnswerVerdict {
    typing(folder, arguments, "").await
}

/// The same with what somebody types.
async fn typing(folder: &Path, arguments: &[&str], lines: &'static str) -> AnswerVerdict {
    let mut command = Command::new(env!("CARGO_BIN_EXE_atlas-gt"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("ATLAS_GT_")) {
        if !matches!(name.as_str(), "ATLAS_GT_CHROMIUM" | "ATLAS_GT_CHROMEDRIVER") {
            command.env_remove(name);
        }
    }
    command.env("ATLAS_GT_NOW", "2027-02-21T01:20:00Z").env_remove("RUST_LOG").env("NO_COLOR", "1");
    command.current_dir(folder).args(arguments).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    tokio::task::spawn_blocking(move || {
        let mut child = command.spawn().unwrap();
        let typed = child.stdin.take().unwrap().write_all(lines.as_bytes());
        let output = child.wait_with_output().unwrap();
        assert!(lines.is_empty() || typed.is_ok(), "{typed:?}");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        AnswerVerdict {
            code: output.status.code().unwrap(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    })
    .await
    .unwrap()
}

#[test]
#[ignore = "slow: make test-deep"]
fn a_refresh_without_a_terminal() {
    run(async {
        let folder = {
            let browsers = browsers().await;
            collected(&browsers.pool).await
        };
        // the table of opportunities takes its time to verify, and nothing of it is asked for here
        for id in ["225", "226"] {
            std::fs::remove_dir_all(folder.path().join(id)).unwrap();
        }
        // the program starts browsers of its own
        let twin = replica(2027, &[]).await;
        let (site, store) = (twin.base_url.clone(), folder.path().to_str().unwrap().to_owned());
        let call = async |arguments: &[&str]| {
            let all: Vec<&str> =
                arguments.iter().copied().chain(["--site", &site, "--store", &store]).collect();
            call(folder.path(), &all).await
        };
        let before = records(folder.path());

        // what makes no sense is refused before anything is visited
        for (arguments, word) in [
            (&["refresh", "--commit", "--force"][..], "--reason"),
            (&["refresh", "--force", "--reason", "x"], "--commit"),
            (&["refresh", "--commit", "--force", "--reason", "  "], "is empty"),
            (&["refresh", "--commit", "--force", "--reason", "REASON"], "in place of REASON"),
            (&["refresh", "--commit", "--dry-run"], "--dry-run"),
            (&["refresh", "--commit", "--discard"], "--discard"),
            (&["refresh", "--kind", "revision"], "--commit"),
            (&["refresh", "--by", "Ada"], "--commit"),
            (&["refresh", "--commit", "--kind", "revisions"], "revision"),
            (&["refresh", "--questions", "999"], "no such question"),
            (&["history", "61", "population"], "never had a value"),
            (&["history", "61", "--at", "yesterday"], "2026-06-30"),
            (&["history", "61", "--at", "2020-01-01"], "had no record on"),
        ] {
            let said = call(arguments).await;
            assert_eq!(said.code, 2, "{arguments:?}: {}{}", said.out, said.err);
            assert!(said.err.contains(word), "{arguments:?}: {}", said.err);
        }
        assert!(twin.log().is_empty(), "nothing was visited");

        let said = call(&["refresh", "--api-only", "--questions", "61,65,89", "--format", "json"]).await;
        let report: Value = serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}", said.err));
        assert_eq!((said.code, &report["exit_code"]), (3, &3.into()), "{report:#}");
        assert_eq!(report["changes"][0]["needs_page_look"], true);
        assert_eq!(records(folder.path()), before, "a dry run touches no record");

        // two at once
        {
            let _held = Store::open(folder.path(), Site::Twin).unwrap();
            let said = call(&["refresh", "--commit"]).await;
            assert!(said.code == 1 && said.err.contains("is locked by process"), "{}", said.err);
        }

        // the commit looks at just the page that is due
        let said = call(&["refresh", "--commit", "--question", "61", "--field", "gdp_per_capita"]).await;
        assert_eq!(said.code, 0, "{}{}", said.out, said.err);
        assert!(
            said.out.contains("Q61: GDP per capita changed from $2,274 to $2,350 (+3.3 %, revision)\n"),
            "{}",
            said.out
        );
        assert!(said.out.contains("see: atlas-gt changelog "), "{}", said.out);
        let pages: Vec<String> = twin
            .log()
            .iter()
            .filter(|one| one.path.starts_with("/countries"))
            .map(|one| one.path.clone())
            .collect();
        assert_eq!(pages, ["/countries/404", "/countries/404"], "two looks at one page");

        let said = call(&["changelog", "--since", "2020-01-01", "--format", "json"]).await;
        let log: Value = serde_json::from_str(&said.out).unwrap();
        let change = &log["changes"][0];
        assert_eq!(
            (&change["question_id"], &change["old"], &change["old_number"]),
            (&"61".into(), &"$2,274".into(), &"2274".into()),
            "{log:#}"
        );
        let said = call(&["changelog", "--since", "2090-01-01"]).await;
        assert!(said.code == 2 && said.err.contains("`2090-01-01` is in the future"), "{}", said.err);
        let markdown = call(&["changelog", "--format", "md"]).await.out;
        let cells = ["Q61", "gdp\\_per\\_capita", "$2,274", "$2,350", "revision"];
        let is_row = |line: &str| cells.iter().all(|cell| line.contains(&format!("| {cell} ")));
        assert!(markdown.lines().any(is_row), "{markdown}");
        let told = call(&["history", "61", "gdp_per_capita"]).await.out;
        let is_life =
            |line: &str| ["2026-11-20", "2027-02-21", "$2,274"].iter().all(|part| line.contains(part));
        assert!(told.lines().any(is_life), "{told}");
        let then = call(&["history", "61", "--at", "2026-12-31", "--format", "json"]).await.out;
        assert_eq!(then, before["61"]);

        // only the store's own commands write into it
        let said = call(&["export", "--sqlite", "truth.db"]).await;
        assert!(said.code == 2 && said.err.contains("name a place outside it"), "{}", said.err);
        let outside = tempfile::tempdir().unwrap();
        let file = outside.path().join("truth.db");
        let said = call(&["export", "--sqlite", file.to_str().unwrap(), "--format", "json"]).await;
        let written: Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!((&written["records"], &written["changes"]), (&before.len().into(), &1.into()));
        let mut sql = sqlx::SqliteConnection::connect(file.to_str().unwrap()).await.unwrap();
        let changed: (String, String, String) =
            sqlx::query_as("SELECT old, new, kind FROM changes WHERE question_id = '61'")
                .fetch_one(&mut sql)
                .await
                .unwrap();
        assert_eq!(changed, ("2274".to_owned(), "2350".to_owned(), "revision".to_owned()));
        let real: f64 = sqlx::query_scalar("SELECT number_real FROM data_points WHERE question_id = '61'")
            .fetch_one(&mut sql)
            .await
            .unwrap();
        assert!((real - 2350.0).abs() < 1e-9);
        sql.close().await.unwrap();

        // what was taken is taken back, by the name of a run or the last one, and waits again
        let said = call(&["refresh", "--undo=none"]).await;
        assert!(said.code == 2 && said.err.contains("nothing of run none can be undone"), "{}", said.err);
        let said = call(&["refresh", "--undo", "--by", "Ada"]).await;
        assert!(
            said.code == 0 && said.out.contains("changed from $2,350 to $2,274"),
            "{}{}",
            said.out,
            said.err
        );

        let said = call(&["history", "61", "--format", "json"]).await;
        assert!(
            said.out.contains("\"by\": \"Ada\"") && said.out.contains("taken back: undone"),
            "{}",
            said.out
        );

        // what nobody wants is dropped, until that is taken back, and the store is whole
        let before = tree(folder.path());
        let said = call(&["refresh", "--discard"]).await;
        assert_eq!(said.code, 0, "{}", said.err);
        let after = tree(folder.path());
        let gone: Vec<_> = before.keys().filter(|path| !after.contains_key(*path)).collect();
        assert!(!gone.is_empty() && gone.iter().all(|path| path.starts_with("pending")), "{gone:?}");
        let said = call(&["refresh", "--undo"]).await;
        assert!(said.code == 0 && said.out.contains("are pending again"), "{}{}", said.out, said.err);
        let back = tree(folder.path());
        assert!(gone.iter().all(|path| back[*path] == before[*path]), "{gone:?}");
        let said = call(&["refresh", "--discard"]).await;
        assert_eq!(said.code, 0, "{}", said.err);
        // the two records that were removed above are missed, and nothing else
        let said = call(&["verify"]).await;
        assert!(said.code == 3 && said.out.contains(" 2 doubts"), "{}", said.out);
    });
}

#[test]
fn what_waits_is_decided_question_by_question() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/scoring/store");
        std::fs::create_dir(folder.path().join("61")).unwrap();
        for file in ["site.json", "checks.jsonl", "61/results.json", "61/provenance.json"] {
            std::fs::copy(example.join(file), folder.path().join(file)).unwrap();
        }
        let twin = replica(2027, &[]).await;
        let (site, store) = (twin.base_url.clone(), folder.path().to_str().unwrap().to_owned());
        let call = async |arguments: &[&str], lines: &'static str| {
            let all: Vec<&str> =
                arguments.iter().copied().chain(["--site", &site, "--store", &store]).collect();
            typing(folder.path(), &all, lines).await
        };
        let waits = || folder.path().join("pending/61.json").is_file();
        assert_eq!(call(&["refresh", "--review"], "").await.out, "no change is pending\n");
        assert_eq!(call(&["refresh", "--api-only"], "").await.code, 3);

        // what makes no sense is asked again; nobody there is the same as `q`
        for lines in ["what\n\na $3\ns\n", "q\n", ""] {
            let said = call(&["refresh", "--review"], lines).await;
            assert_eq!(said.code, 0, "{}{}", said.out, said.err);
            assert!(said.out.contains("$2,274") && said.out.contains("$2,350"), "{}", said.out);
            assert!(waits(), "{}", said.out);
        }
        let said = call(&["refresh", "--review", "--questions", "61"], "r of another year\n").await;
        assert_eq!(said.code, 0, "{}{}", said.out, said.err);
        assert!(!waits() && said.out.contains("1 change discarded"), "{}", said.out);
        assert_eq!(call(&["refresh", "--review", "--questions", "61"], "").await.code, 2);
    });
}
