//! Values that are drawn and that nothing else gives: they wait for a person with a picture of their place, and what the
//! person says is the truth until the page itself says otherwise.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use atlas_gt::acquire::browser::Pool;
use atlas_gt::event::Events;
use atlas_gt::extract::Extractors;
use atlas_gt::manifest::Entry;
use atlas_gt::truth::{
    Agreement, Channel, Pipeline, SourceMethod, Store, changelog, may_score, pending, review,
};
use atlas_gt::workflow::{self, CollectReport, QuestionOutcome};
use serde_json::{Value, json};

use crate::bench::{COLLECTED, Plan, browsers, edited, records, replica, run};
use crate::cli::call;

const POINTS: &str = r#"
[[points]]
id = "eci_seen"
metric = "ECI that the chart marks"
answers = ["value"]
section = "growth-dynamics"
find = { screenshot = { labels = ["ECI (year): beside the line in the chart"], rule = "F13" } }
unit = "index"
context = { statistic = "level", classification = "SITC" }

[[points]]
id = "pattern_seen"
metric = "Pattern of the chart"
answers = ["value"]
section = "growth-dynamics"
find = { screenshot = { labels = ["where the large circles are"], vocabulary = "growth_pattern", around = "pattern of export growth" } }
vocabulary = "growth_pattern"
"#;

/// Two points that only a person can read, and one whose response the page does not ask for.
fn drawn() -> Extractors {
    edited(&|text| {
        let more = if text.contains("name = \"country_profile\"") { POINTS } else { "" };
        let text = text.replace(
            "args = { eciProductClass = \"SITC\" }, path = \"eci\"",
            "args = { eciProductClass = \"HS\" }, path = \"eci\"",
        );
        text + more
    })
}

fn questions(extractors: &Extractors) -> Vec<Entry> {
    let question = |id: u32, method: &str, points: &[&str]| {
        json!({
            "question_id": id,
            "question_text": "What does the chart of Spain show?",
            "category": "growth_dynamics",
            "difficulty": "hard",
            "source": "atlas_country_page",
            "atlas_url": "https://atlas.hks.harvard.edu/countries/724/growth-dynamics",
            "extraction_method": method,
            "extractor": "country_profile",
            "data_points": points,
            "context": { "country": "724" }
        })
    };
    let manifest = json!({ "questions": [
        question(901, "screenshot", &["eci_seen"]),
        question(902, "screenshot", &["eci_seen", "pattern_seen"]),
        question(903, "api_preferred", &["chart_eci"]),
    ] });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("manifest.json");
    std::fs::write(&path, manifest.to_string()).unwrap();
    atlas_gt::manifest::load(&path, extractors).unwrap().entries
}

async fn collect(plan: &Plan, pool: &Pool, store: &Path) -> CollectReport {
    let job = Arc::new(plan.job(store));
    workflow::collect(pool, &job, &Events::silent(), &AtomicBool::new(false)).await.unwrap()
}

fn size(png: &[u8]) -> (u32, u32) {
    let edge = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (edge(16), edge(20))
}

#[test]
#[ignore = "slow: make test-deep"]
fn the_queue_is_worked_through_without_a_terminal() {
    run(async {
        let browsers = browsers().await;
        let folder = tempfile::tempdir().unwrap();
        let twin = replica(2024, &[]).await;
        let extractors = drawn();
        let entries = questions(&extractors);
        let plan = Plan { extractors, now: COLLECTED, ..Plan::new(&twin.base_url, entries) };
        let report = collect(&plan, &browsers.pool, folder.path()).await;
        assert_eq!((report.exit_code, report.totals.failed), (4, 3), "{:#?}", report.questions);
        let notes = report.questions[0].notes.join("\n");
        assert!(notes.contains("a person must read it on the picture"), "{notes}");
        assert!(notes.contains("no response holds it; see `atlas-gt review show 901 --store /"), "{notes}");
        let first = std::fs::read(folder.path().join("review/902.json")).unwrap();
        {
            let store = Store::read(folder.path()).unwrap();
            let held = review::load(&store, &"902".parse().unwrap()).unwrap().unwrap();
            let whole = size(&store.picture(held.picture.as_ref().unwrap()).unwrap());
            let crops: Vec<(u32, u32)> = held
                .missing
                .iter()
                .map(|missing| size(&store.picture(missing.crop.as_ref().unwrap()).unwrap()))
                .collect();
            assert!(whole.1 > 4000, "the whole page: {whole:?}");
            // the section with its chart, and what is around one text of it
            assert!(crops[0].0 == whole.0 && (600..2000).contains(&crops[0].1), "{crops:?} of {whole:?}");
            assert!(crops[1].1 < crops[0].1, "{crops:?}");
            for point in &held.provenance.points {
                assert!(!may_score(&held.record, Some(point), Pipeline::None).scores(), "nobody judged it");
            }
            let response = review::load(&store, &"903".parse().unwrap()).unwrap().unwrap();
            assert_eq!(response.missing[0].response_value, None);
            assert!(
                response.missing[0].looked_for.contains("no query of the page holds it"),
                "{response:#?}"
            );
            let found = atlas_gt::workflow::review::hint(&store, ["901", "902"].into_iter()).unwrap();
            assert!(
                found.unwrap().starts_with("all 2 questions that could not be read are in the review queue")
            );
        }
        // again: not a byte of it moves
        collect(&plan, &browsers.pool, folder.path()).await;
        assert_eq!(std::fs::read(folder.path().join("review/902.json")).unwrap(), first);

        let dir = folder.path().to_str().unwrap();
        let say = async |arguments: &[&str]| {
            let all: Vec<&str> =
                ["review"].iter().chain(arguments).chain(&["--store", dir]).copied().collect();
            call(folder.path(), &all).await
        };
        let said = say(&[]).await;
        assert_eq!(said.code, 0, "{}", said.err);
        assert!(said.out.starts_with("3 questions under review, 4 values\n"), "{}", said.out);
        let words = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(" Q901 ") && words.contains("eci_seen: no response holds it"), "{words}");
        assert!(said.out.contains("next: atlas-gt review show 901 --store "), "{}", said.out);
        let said = say(&["show", "901"]).await;
        for word in [
            "wanted: ECI that the chart marks, Spain, 2024, index",
            "form: an index with 2 decimals, like `0.77` (F13)",
            "look for: ECI (year): beside the line in the chart",
            "the response holds: no value",
            "the record says: nothing",
            "crop: ",
            "picture: ",
            "atlas-gt review accept 901 VALUE --store ",
            "atlas-gt review reject 901 --reason REASON --store ",
        ] {
            assert!(said.out.contains(word), "{word}: {}", said.out);
        }
        let all: Value = serde_json::from_str(&say(&["list", "--format", "json"]).await.out).unwrap();
        assert_eq!(all["waiting"][1]["missing"][1]["vocabulary"], "growth_pattern", "{all:#}");

        let said = say(&["list", "--format", "html"]).await;
        assert_eq!(said.code, 0, "{}", said.err);
        let page = said.out;
        assert!(
            page.matches("src=\"data:image/png;base64,").count() >= 5
                && !page.contains("http-equiv=\"refresh")
        );
        assert!(page.contains("atlas-gt review accept 902 VALUE --point pattern_seen --store "));
        if let Ok(keep) = std::env::var("ATLAS_GT_KEEP_REVIEW_PAGE") {
            std::fs::write(keep, &page).unwrap();
        }

        // what makes no sense changes nothing
        for (arguments, word) in [
            (&["accept", "901", "lots"][..], "`lots` is not an index with 2 decimals, like `0.77` (F13)"),
            (&["accept", "901"], "no response holds a value"),
            (&["accept", "901", "0.77", "--reason", " "], "--reason is empty"),
            // a printed command does nothing before its placeholder is replaced
            (&["accept", "901", "VALUE"], "write the value that the picture shows in place of VALUE"),
            (&["accept", "901", "0.77", "--point", "eci"], "`eci` is not under review; eci_seen is"),
            (
                &["accept", "902", "0.77"],
                "several values are under review; choose one with --point: eci_seen, pattern_seen",
            ),
            (
                &["accept", "902", "0.77", "--point", "pattern_seen"],
                "`0.77` is not one of the growth pattern words",
            ),
            (&["accept", "999", "0.77"], "question 999: it is not under review"),
            (&["show", "999"], "it is not under review"),
            (&["reject", "901", "--reason", ""], "--reason is empty"),
            (&["reject", "901", "--reason", "REASON"], "write the reason in place of REASON"),
            (&["reject", "901"], "--reason"),
        ] {
            let said = say(arguments).await;
            assert_eq!(said.code, 2, "{arguments:?}: {}{}", said.out, said.err);
            assert!(said.err.contains(word), "{arguments:?}: {}", said.err);
        }
        assert!(records(folder.path()).is_empty());

        let said = say(&["accept", "901", "0.77", "--by", "Ada", "--reason", "read beside the line"]).await;
        assert_eq!(said.out, "1 value accepted\nQ901: eci_seen is new (0.77)\n", "{}", said.err);
        let said = say(&["accept", "902", "-0.48", "--point", "eci_seen", "--by", "Ada"]).await;
        assert_eq!(said.out, "Q902: accepted; still under review: pattern_seen\n", "{}", said.err);
        assert!(!folder.path().join("902").exists(), "half a question is no truth");
        let half = std::fs::read(folder.path().join("review/902.json")).unwrap();
        collect(&plan, &browsers.pool, folder.path()).await;
        assert_eq!(
            std::fs::read(folder.path().join("review/902.json")).unwrap(),
            half,
            "what was said stays"
        );
        let said = say(&["accept", "902", "Promising", "--point", "pattern_seen", "--by", "Ada"]).await;
        assert_eq!(said.code, 0, "{}", said.err);
        let said = say(&["reject", "903", "--reason", "the chart is cut off", "--by", "Ada"]).await;
        assert_eq!(said.out, "Q903: rejected; the record is unchanged\n", "{}", said.err);
        assert_eq!(say(&["list"]).await.out, "nothing to review; 0 questions under review\n");

        let store = Store::read(folder.path()).unwrap();
        let stored = store.load(&"901".parse().unwrap()).unwrap().unwrap();
        let row = &stored.record.results.data[0];
        assert_eq!(
            (row.shown().as_str(), row.year.as_deref(), stored.record.source_method),
            ("0.77", Some("2024"), SourceMethod::BrowserCountryPage)
        );
        let point = stored.provenance.as_ref().unwrap().of(row).unwrap();
        let person = point.person.as_ref().unwrap();
        assert_eq!((point.channel, point.agreement), (Channel::Person, Some(Agreement::Single)));
        assert_eq!((person.by.as_str(), person.why.as_str()), ("Ada", "read beside the line"));
        assert_eq!(person.at.to_string(), "2027-02-21T01:20:00Z");
        assert!(may_score(&stored.record, Some(point), Pipeline::Graphql).scores());
        let log = changelog::read(&store).unwrap();
        assert_eq!(
            (log[0].line.by.as_deref(), log[0].line.reason.as_deref()),
            (Some("Ada"), Some("read beside the line"))
        );
        assert_eq!(log.iter().filter(|entry| entry.line.question_id.as_str() == "902").count(), 2);

        let told = call(folder.path(), &["history", "901", "--store", dir]).await.out;
        // a cell of a table breaks between words
        let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("by Ada: read beside the"), "{told}");

        // it survives verify and gc
        let verified = workflow::verify(&store, &plan.extractors).unwrap();
        assert_eq!((verified.confirmed, verified.doubts.as_slice()), (3, &[][..]));
        assert_eq!(store.unreferenced().unwrap(), []);
        let crop = person.crop.clone().unwrap();
        drop(store);
        assert_eq!(call(folder.path(), &["gc", "--store", dir]).await.code, 0);
        let store = Store::read(folder.path()).unwrap();
        assert!(store.picture(&crop).is_ok());

        // and another look at the page, which shows no text of it still
        let before = records(folder.path());
        let own: Vec<Entry> =
            plan.entries.iter().filter(|one| one.question_id.as_str() != "903").cloned().collect();
        let again = Plan { extractors: plan.extractors.clone(), ..Plan::new(&twin.base_url, own) };
        let report = again.refresh(&browsers.pool, folder.path()).await;
        assert_eq!((report.exit_code, report.unchanged), (0, 2), "{:#?} {:#?}", report.broken, report.failed);
        assert_eq!(report.visits[0].looks, 2, "looking longer shows no more");
        let report = collect(&plan, &browsers.pool, folder.path()).await;
        let outcomes: Vec<QuestionOutcome> = report.questions.iter().map(|one| one.outcome).collect();
        assert_eq!(outcomes, [QuestionOutcome::Agreed, QuestionOutcome::Agreed, QuestionOutcome::Failed]);
        let notes = report.questions[2].notes.join("\n");
        assert!(notes.contains("a person rejected this reading"), "{notes}");
        assert_eq!(
            say(&["list"]).await.out,
            "nothing to review; 0 questions under review\n",
            "what was rejected does not come back"
        );
        assert_eq!(records(folder.path()), before);

        // only what the page itself says otherwise is a difference
        let texts = edited(&|text| {
            let more = POINTS.replace(
                "find = { screenshot = { labels = [\"where the large circles are\"], vocabulary = \"growth_pattern\", around = \"pattern of export growth\" } }",
                "find = { narrative = { cues = [\"a {value:troubling|mixed|static|promising} pattern of export growth\"] } }",
            );
            if text.contains("name = \"country_profile\"") {
                text.to_owned() + &more
            } else {
                text.to_owned()
            }
        });
        let own = again.entries.iter().filter(|one| one.question_id.as_str() == "902").cloned().collect();
        let otherwise = Plan { extractors: texts, ..Plan::new(&twin.base_url, own) };
        let report = otherwise.refresh(&browsers.pool, folder.path()).await;
        let changed: Vec<&str> = report.changes.iter().map(|change| change.field.as_str()).collect();
        assert_eq!((report.exit_code, changed), (3, vec!["pattern_seen"]), "{:#?}", report.broken);
        assert!(!report.changes[0].needs_page_look, "a text of the page is no weaker than a person");
        assert_eq!(pending::ids(&store).unwrap(), ["902".parse().unwrap()]);
        assert_eq!(records(folder.path()), before);

        // a picture that is not the one that was judged any more
        std::fs::write(store.picture_path(&crop), b"another").unwrap();
        let verified = workflow::verify(&store, &plan.extractors).unwrap();
        assert!(
            verified.doubts.iter().any(|doubt| {
                doubt.question_id == "901" && doubt.message.contains("the picture of the review")
            }),
            "{:#?}",
            verified.doubts
        );
    });
}

/// The difference between two countries of a value that no response holds.
fn derived(extractors: &Extractors) -> Vec<Entry> {
    let input = |country: &str| {
        json!({
            "extractor": "country_profile", "data_point": "chart_eci", "context": { "country": country },
            "atlas_url": format!("https://atlas.hks.harvard.edu/countries/{country}/growth-dynamics"),
        })
    };
    let manifest = json!({ "questions": [{
        "question_id": 904,
        "question_text": "By how much is the ECI in the chart of Spain above that in the chart of India?",
        "category": "growth_dynamics",
        "difficulty": "hard",
        "source": "atlas_country_page",
        "atlas_url": "https://atlas.hks.harvard.edu/countries/724/growth-dynamics",
        "extraction_method": "api_preferred",
        "derive": {
            "inputs": { "spain": input("724"), "india": input("356") },
            "steps": [{ "name": "eci_gap", "operation": "difference", "of": ["spain", "india"], "metric": "ECI gap" }],
        },
        "context": {},
    }] });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("manifest.json");
    std::fs::write(&path, manifest.to_string()).unwrap();
    atlas_gt::manifest::load(&path, extractors).unwrap().entries
}

#[test]
#[ignore = "slow: make test-deep"]
fn the_inputs_of_an_answer_are_judged_one_by_one_and_then_put_together() {
    run(async {
        let browsers = browsers().await;
        let folder = tempfile::tempdir().unwrap();
        let twin = replica(2024, &[]).await;
        let extractors = drawn();
        let entries = derived(&extractors);
        let plan =
            Plan { extractors: extractors.clone(), now: COLLECTED, ..Plan::new(&twin.base_url, entries) };
        let report = collect(&plan, &browsers.pool, folder.path()).await;
        assert_eq!((report.exit_code, report.totals.failed), (4, 1), "{:#?}", report.questions);
        let notes = report.questions[0].notes.join("\n");
        for id in ["904.spain", "904.india"] {
            assert!(notes.contains(&format!("see `atlas-gt review show {id} --store /")), "{notes}");
        }
        {
            let store = Store::read(folder.path()).unwrap();
            let hint = atlas_gt::workflow::review::hint(&store, ["904"].into_iter()).unwrap().unwrap();
            assert!(hint.starts_with("the question that could not be read is in the review queue"), "{hint}");
        }
        let dir = folder.path().to_str().unwrap();
        let accept = async |id: &str, value: &str| {
            let said =
                call(folder.path(), &["review", "accept", id, value, "--by", "Ada", "--store", dir]).await;
            assert_eq!(said.code, 0, "{}", said.err);
            said.out
        };
        let said = accept("904.spain", "0.77").await;
        assert!(
            said.contains("derive the answer to Q904: atlas-gt collect --questions 904 --store "),
            "{said}"
        );
        // half of it is no answer yet, and what was accepted stays so
        let report = collect(&plan, &browsers.pool, folder.path()).await;
        assert_eq!(report.totals.failed, 1);
        let notes = report.questions[0].notes.join("\n");
        assert!(notes.contains("904.india") && !notes.contains("904.spain"), "{notes}");
        accept("904.india", "0.63").await;
        let report = collect(&plan, &browsers.pool, folder.path()).await;
        assert_eq!((report.exit_code, report.totals.collected), (0, 1), "{:#?}", report.questions);
        let store = Store::read(folder.path()).unwrap();
        let stored = store.load(&"904".parse().unwrap()).unwrap().unwrap();
        assert_eq!(stored.record.results.data[0].shown(), "0.14");
        let inputs = stored.provenance.unwrap().derivation.unwrap().inputs;
        assert!(
            inputs.iter().all(|input| input.point.channel == Channel::Person && input.point.person.is_some())
        );
        assert!(!folder.path().join("904.spain").exists(), "an input is no record");
        let verified = workflow::verify(&store, &plan.extractors).unwrap();
        assert_eq!((verified.confirmed, verified.doubts.as_slice()), (3, &[][..]));
        drop(store);
        assert_eq!(call(folder.path(), &["gc", "--store", dir]).await.code, 0);
        let again = Plan { extractors, ..Plan::new(&twin.base_url, plan.entries.clone()) };
        let report = again.refresh(&browsers.pool, folder.path()).await;
        assert_eq!((report.exit_code, report.unchanged), (0, 1), "{:#?} {:#?}", report.broken, report.failed);
        let store = Store::read(folder.path()).unwrap();
        assert_eq!(workflow::verify(&store, &plan.extractors).unwrap().doubts, []);
        drop(store);

        // once the pages' responses hold the inputs again, nobody has to judge them
        let readable = Extractors::built_in().unwrap();
        let entries = derived(&readable);
        let plan = Plan { extractors: readable, now: COLLECTED, ..Plan::new(&twin.base_url, entries) };
        let report = collect(&plan, &browsers.pool, folder.path()).await;
        assert_eq!(report.totals.failed, 0, "{:#?}", report.questions);
        let store = Store::read(folder.path()).unwrap();
        assert_eq!(review::ids(&store).unwrap(), []);
    });
}
