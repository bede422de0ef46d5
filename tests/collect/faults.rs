//! Pages that are wrong in one way or another, every point of Kenya's page asked for: nothing wrong is ever
//! stored, only what is affected fails, and the message says what to mend.

use std::collections::BTreeSet;
use std::time::Duration;

use atlas_gt::acquire::browser::{Lease, Pool};
use atlas_gt::acquire::{
    Browser, Navigation, PageSource, ScreenshotArea, SnapshotOptions, Traffic, VisitError,
};
use atlas_gt::capture::Capture;
use atlas_gt_twin::Skin;

use crate::bench::{
    Plan, Run, SKINS, all, assert_nothing_wrong, every_point, healthy_kenya, replica, run, shared,
};

/// Which points may be missing.
enum Missing {
    None,
    All,
    Exactly(Vec<&'static str>),
    /// These for sure, others too: what else it takes along is not ours to say.
    AtLeast(&'static [&'static str]),
}
use Missing::{All, AtLeast, Exactly, None as Nothing};

const INTRODUCTION_GDP: &[&str] = &["gdp_per_capita", "gdp_per_capita_ppp", "gdp_per_capita_rank"];
const MARKET_SHARE: &[&str] = &[
    "export_growth_mechanism",
    "global_trade_share",
    "market_share_growth_sector",
    "market_share_sector",
    "structural_transformation",
];
/// What is drawn there without a text: the page's response gives it, as long as the section is there.
const DRAWN_SHARES: &[&str] = &["sector_market_share"];
const SUMMARY: &[&str] = &[
    "summary_growth_projection",
    "summary_new_products",
    "summary_rank_change",
    "summary_strategic_approach",
];

/// Collects every point of Kenya's page from a replica with faults and checks what must always hold.
async fn collect(skin: Skin, faults: &[&str], missing: Missing, patience: u64) -> Run {
    let about = format!("{skin} with {faults:?}");
    let browsers = shared();
    let pool = browsers.pool().await;
    let healthy = healthy_kenya(pool).await;
    let twin = replica(skin, faults).await;
    let page_timeout = Duration::from_secs(patience);
    let run = Plan { page_timeout, ..Plan::new(&twin.base_url, every_point("404")) }.run(pool).await;
    assert_nothing_wrong(&run, healthy, &about);
    let failures = run.failures();
    let failed: BTreeSet<&str> = failures.keys().copied().collect();
    let named = |points: &[&'static str]| points.iter().copied().collect::<BTreeSet<&str>>();
    match missing {
        Nothing => assert!(failures.is_empty(), "{about}: {failures:#?}"),
        All => assert_eq!(failed.len(), healthy.len(), "{about}: {:?}", run.records().keys()),
        Exactly(points) => assert_eq!(failed, named(&points), "{about}: {failures:#?}"),
        AtLeast(points) => assert!(failed.is_superset(&named(points)), "{about}: {failed:?}"),
    }
    let loads = twin.log().iter().filter(|entry| entry.path == "/countries/404").count();
    // a browser that is lost before it asks for the page costs a load that the site never sees
    assert!(loads <= run.report.visits[0].loads as usize, "{about}: loads that the report does not tell");
    run
}

/// Every word is in the notes of a question.
fn assert_says(run: &Run, question: &str, words: &[&str]) {
    let failures = run.failures();
    let notes = &failures[question];
    for word in words {
        assert!(notes.contains(word), "\"{word}\" is not in: {notes}");
    }
}

/// The bundle holds all that is needed to mend an extractor.
fn assert_bundle(run: &Run, question: &str) {
    let folder = run.report.visits[0].bundle.as_ref().expect("a failure keeps a bundle");
    assert!(folder.starts_with(run.folder.path()));
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap_or_else(|_| panic!("{name} is missing"));
    for name in ["page.html", "responses.json", "capture.json"] {
        assert!(!read(name).is_empty(), "{name}");
    }
    assert!(read("screenshot.png").starts_with(b"\x89PNG"));
    let told: serde_json::Value = serde_json::from_slice(&read("failure.json")).unwrap();
    let ids: Vec<_> = told["questions"].as_array().unwrap().iter().map(|one| &one["question_id"]).collect();
    assert!(ids.contains(&&serde_json::json!(question)), "{told:#}");
}

/// The points of several faults at a time.
fn all_of(points: &[&[&'static str]]) -> Missing {
    Exactly(points.concat())
}

#[test]
#[ignore = "slow: make test-deep"]
fn what_is_renamed_or_malformed_fails_alone_and_says_what_to_mend() {
    run(async {
        let faults = [
            "label-renamed=gdp",
            "label-renamed=total-exports:Exports in Total",
            "wrong-form=eci-rank",
            "spinner-forever=market-share",
        ];
        let affected = all_of(&[INTRODUCTION_GDP, &["total_exports", "eci_rank"], MARKET_SHARE]);
        let run = collect(Skin::Hashed, &faults, affected, 12).await;
        assert_eq!((run.report.exit_code, run.report.visits[0].loads), (4, 1));
        assert_says(
            &run,
            "gdp_per_capita",
            &[
                "the label or cue is not in the section",
                "country_profile v4",
                "section `introduction`",
                "label \"gdp per capita\"",
                "form F5",
                "nearest found: \"",
            ],
        );
        assert_says(&run, "total_exports", &["nearest found: \"Exports in Total\""]);
        assert_says(&run, "eci_rank", &["there is no value of this form", "F10", "nearest found: \""]);
        assert_bundle(&run, "gdp_per_capita");
        assert_bundle(&run, "global_trade_share");

        let faults =
            ["label-renamed=gdp", "wrong-form=growth-projection:---", "section-missing=market-share"];
        let affected = all_of(&[INTRODUCTION_GDP, &["growth_projection"], MARKET_SHARE, DRAWN_SHARES]);
        let run = collect(Skin::Mui, &faults, affected, 12).await;
        assert_eq!((run.report.exit_code, run.report.visits[0].loads), (4, 1));
        let label = ["the label or cue is not in the section", "nearest found: \""];
        assert_says(&run, "gdp_per_capita", &label);
        let form = ["there is no value of this form", "F6", "nearest found: \""];
        assert_says(&run, "growth_projection", &form);
        let section = ["section's heading is not on the page", "`market-share`"];
        assert_says(&run, "global_trade_share", &section);
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn swapped_values_and_renamed_headings_are_noticed() {
    run(async {
        let faults = [
            "values-swapped=gdp,gdp-ppp",
            "values-swapped=total-exports,current-account",
            "heading-renamed=market-share:Growth of Global Market Share",
            "section-missing=summary",
        ];
        let swapped = ["gdp_per_capita", "gdp_per_capita_ppp", "current_account", "total_exports"];
        let run =
            collect(Skin::Hashed, &faults, all_of(&[&swapped, MARKET_SHARE, DRAWN_SHARES, SUMMARY]), 12)
                .await;
        assert_eq!(run.report.exit_code, 4);
        for point in swapped {
            assert_says(&run, point, &["swapped"]);
        }
        assert_says(&run, "summary_new_products", &["section's heading is not on the page", "`summary`"]);
        assert_says(&run, "market_share_sector", &["nearest found: \"Growth of Global Market Share\""]);

        let faults = ["values-swapped=eci-rank,growth-projection-rank", "spinner-forever=market-share"];
        let swapped = ["eci_rank", "growth_projection_rank"];
        let run = collect(Skin::Mui, &faults, all_of(&[&swapped, MARKET_SHARE]), 12).await;
        assert_eq!(run.report.exit_code, 4);
        assert_says(&run, "eci_rank", &["swapped"]);
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn another_countrys_page_is_refused_as_a_whole() {
    run(async {
        let others = [
            (Skin::Hashed, "other-country=231"),
            (Skin::Mui, "other-country=231"),
            (Skin::Hashed, "wrong-country=231"),
        ];
        all(others.map(async |(skin, fault)| {
            let run = collect(skin, &[fault], All, 12).await;
            assert_eq!(run.report.exit_code, 4, "{fault}");
            assert_says(&run, "gdp_per_capita", &["the page has another context", "Ethiopia", "Kenya"]);
            assert_bundle(&run, "gdp_per_capita");
        }))
        .await;
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn numbers_in_another_convention_are_not_guessed_at() {
    run(async {
        all(SKINS.map(async |skin| {
            let run = collect(skin, &["format-changed=all"], AtLeast(&["gdp_per_capita"]), 12).await;
            assert_eq!(run.report.exit_code, 4);
        }))
        .await;
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn layers_lazy_sections_and_other_places_for_bars_cost_nothing() {
    run(async {
        // a banner lies over the control that has to be worked: it is scrolled clear of it, and nothing consented to
        let cases: [(Skin, &[&str]); 4] = [
            (Skin::Hashed, &["cookie-overlay", "lazy"]),
            (Skin::Mui, &["cookie-overlay", "eager", "bar-in-section"]),
            (Skin::Mui, &["consent-banner", "lazy", "bar-in-section"]),
            (Skin::Hashed, &["consent-banner", "bar-in-section", "lazy-rest"]),
        ];
        all(cases.map(async |(skin, faults)| {
            let run = collect(skin, faults, Nothing, 20).await;
            assert_eq!((run.report.exit_code, run.report.visits[0].loads), (0, 1), "{faults:?}");
        }))
        .await;
    });
}

/// A browser on a machine so quick that nothing mounts on the first walk: none is made.
struct Quick<'a>(&'a Pool);

struct QuickPage(Lease);

impl Browser for Quick<'_> {
    type Page = QuickPage;

    async fn page(&self) -> Result<QuickPage, VisitError> {
        self.0.page().await.map(QuickPage)
    }
}

impl PageSource for QuickPage {
    async fn open(&mut self, url: &str) -> Result<Navigation, VisitError> {
        self.0.open(url).await
    }

    async fn snapshot(&mut self, options: &SnapshotOptions) -> Result<Capture, VisitError> {
        let rests = options.dwell > SnapshotOptions::default().dwell;
        self.0.snapshot(&SnapshotOptions { scroll: options.scroll && rests, ..options.clone() }).await
    }

    async fn screenshot(&mut self, area: ScreenshotArea) -> Result<Vec<u8>, VisitError> {
        self.0.screenshot(area).await
    }

    fn traffic(&mut self) -> Traffic {
        self.0.traffic()
    }
}

#[test]
#[ignore = "slow: make test-deep"]
fn what_mounts_only_where_a_reader_rests_is_found_by_the_second_walk() {
    run(async {
        let browsers = shared();
        let pool = browsers.pool().await;
        let healthy = healthy_kenya(pool).await;
        let twin = replica(Skin::Hashed, &["lazy-rest"]).await;
        let mut entries = every_point("404");
        entries.retain(|entry| entry.question_id.as_str() == "summary_growth_projection");
        let run = Plan::new(&twin.base_url, entries).run(&Quick(pool)).await;
        assert_nothing_wrong(&run, healthy, "lazy-rest");
        assert_eq!((run.report.exit_code, run.report.totals.collected), (0, 1), "{:#?}", run.failures());
        assert!(run.report.visits[0].looks > 2, "the first look found nothing of it");
    });
}

/// What was complete only at the second look is confirmed by a third, however long before the limit passed.
#[test]
fn a_page_that_was_complete_after_the_limit_is_looked_at_again() {
    run(async {
        let browsers = shared();
        let pool = browsers.pool().await;
        let twin = replica(Skin::Hashed, &["lazy-rest"]).await;
        let mut entries = every_point("404");
        entries.retain(|entry| entry.question_id.as_str() == "summary_growth_projection");
        let page_timeout = Duration::from_millis(1);
        let run = Plan { page_timeout, ..Plan::new(&twin.base_url, entries) }.run(&Quick(pool)).await;
        assert_eq!((run.report.exit_code, run.report.totals.collected), (0, 1), "{:#?}", run.failures());
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn late_flickering_and_stray_values_are_never_taken() {
    run(async {
        let faults = ["value-late=gdp", "value-flickers=gdp-rank", "value-flickers=total-exports"];
        collect(Skin::Hashed, &faults, Nothing, 20).await;
        // another number of the same form beside the right one: right or refused
        for skin in SKINS {
            collect(
                skin,
                &["stray-value=gdp", "stray-value=total-exports", "stray-value=coi-rank"],
                AtLeast(&[]),
                12,
            )
            .await;
        }
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn a_page_that_breaks_half_way_gives_what_it_showed() {
    run(async {
        let run = collect(Skin::Hashed, &["script-error"], AtLeast(&["total_exports"]), 12).await;
        assert_eq!(run.report.exit_code, 4);
    });
}
