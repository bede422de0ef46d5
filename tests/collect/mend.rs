//! The site calls everything otherwise: a survey sees it, `mend` proposes what stands there now, and a collection with the
//! mended specs gives what the plain page gives, or nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use atlas_gt::acquire::browser::Pool;
use atlas_gt::event::Events;
use atlas_gt::extract::{Extractor, Extractors};
use atlas_gt::manifest::spec::{Specs, parse};
use atlas_gt::mend::Proposal;
use atlas_gt::workflow::mend::{self, Mended};
use atlas_gt::workflow::survey::{self, Bundle, SurveyedPoint};
use atlas_gt_twin::Skin;
use tempfile::TempDir;

use crate::bench::{
    Plan, SKINS, all, assert_nothing_wrong, every_point, healthy_kenya, replica, run, shared,
};
use crate::stage;

/// A survey of the country pages of a replica with faults.
async fn surveyed(pool: &Pool, skin: Skin, faults: &[&str], dir: &Path) -> Bundle {
    let twin = replica(skin, faults).await;
    let job = stage::job(&twin.base_url, &[], stage::extractors(), dir, "2026-11-20T10:30:00Z");
    let job = Arc::new(job);
    let pages = survey::pages(&["country".to_owned()]).unwrap();
    let stop = AtomicBool::new(false);
    survey::survey(pool, &job, None, &pages, &Events::silent(), &stop).await.unwrap();
    Bundle::read(dir).unwrap()
}

/// Accepts all that is proposed for a bundle, into a folder of specs.
fn mended(bundle: &Bundle, specs: &Specs, dir: &Path) -> Mended {
    let mut mended = mend::mend(bundle, specs, None).unwrap();
    let ids: BTreeSet<String> = mended.unique.iter().map(|one: &Proposal| one.id.clone()).collect();
    mend::accept(&mut mended, specs, dir, &ids, "2026-11-20").unwrap();
    mended
}

/// Surveys country pages, accepts all that is proposed, proposes again, and collects with what was accepted.
async fn there_and_back(pool: &Pool, healthy: &BTreeMap<String, String>, skin: Skin, faults: &[&str]) {
    let what = format!("{skin} with {}", faults.join(", "));
    let folder = TempDir::new().unwrap();
    let (dir, specs_dir) = (folder.path().join("survey"), folder.path().join("specs"));
    let bundle = surveyed(pool, skin, faults, &dir).await;
    let specs = Specs::built_in().unwrap();
    let built_in = specs.get("country_profile").unwrap().version;
    let first = mended(&bundle, &specs, &specs_dir);
    let specs = Specs::load(&specs_dir).unwrap();

    // nobody is asked twice, and what a person wrote into the file is still there
    let own = specs.get("country_profile").unwrap();
    assert_eq!((own.version, own.history.len()), (built_in + 1, 1));
    let (_, text) = own.file();
    assert!(text.contains("# the sign convention of the response is not known for diversity"));
    let again = mend::mend(&bundle, &specs, None).unwrap();
    assert_eq!(again.unique, Vec::new(), "{what}: a second time nothing is proposed");

    let twin = replica(skin, faults).await;
    let mut plan = Plan::new(&twin.base_url, every_point("404"));
    plan.extractors = Extractors::new(&specs).unwrap();
    let run = plan.run(pool).await;
    assert_nothing_wrong(&run, healthy, &format!("{what}, mended"));
    // every point with a value behind it but for a few, each of which is named with its reason
    let failures = run.failures();
    let named: BTreeSet<&str> = first.open.iter().map(|one| one.subject.as_str()).collect();
    for id in failures.keys() {
        assert!(named.contains(id), "{what}: {id} is missing and nothing says why: {named:?}");
    }
    let is_valued = |id: &&&str| {
        let open = first.open.iter().find(|one| one.subject == ***id);
        open.is_some_and(|one| !one.why.starts_with("no response of the page has"))
    };
    let lost: Vec<_> = failures.keys().filter(is_valued).collect();
    let valued = healthy.len() - (failures.len() - lost.len());
    assert!(lost.len() * 100 <= valued * 15, "{what}: {lost:?} of {valued}");
}

#[test]
#[ignore = "slow: make test-deep"]
fn after_everything_was_renamed_and_moved_the_mended_specs_read_what_the_plain_page_shows() {
    run(async {
        let browsers = shared();
        let pool = browsers.pool().await;
        let healthy = healthy_kenya(pool).await;
        let faults = ["wordings-renamed", "sections-reordered"];
        let skins = [Skin::Hashed, Skin::Mui, Skin::Tiles];
        all(skins.map(async |skin| there_and_back(pool, healthy, skin, &faults).await)).await;
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn after_the_fields_of_the_responses_were_renamed_the_mended_specs_read_them_again() {
    run(async {
        let browsers = shared();
        let pool = browsers.pool().await;
        let healthy = healthy_kenya(pool).await;
        // a response is the same in every rendering
        there_and_back(pool, healthy, SKINS[1], &["fields-renamed=2"]).await;
    });
}

/// A person who reads the new page puts the same into the spec as `mend` does, and the same is read with both.
#[test]
#[ignore = "slow: make test-deep"]
fn a_spec_that_was_mended_by_hand_reads_the_same() {
    run(async {
        let browsers = shared();
        let pool = browsers.pool().await;
        all(SKINS.map(async |skin| {
            let folder = TempDir::new().unwrap();
            let (dir, specs_dir) = (folder.path().join("survey"), folder.path().join("specs"));
            let bundle = surveyed(pool, skin, &["wording=income-per-head"], &dir).await;
            let built_in = Specs::built_in().unwrap();
            let proposed = mended(&bundle, &built_in, &specs_dir);
            assert!(!proposed.unique.is_empty());
            let own = built_in.get("country_profile").unwrap();
            let (path, text) = own.file();
            let text = text.replace(
                "labels = [\"GDP per capita\"]",
                "labels = [\"GDP per capita\", \"Income per head (GDP)\"]",
            );
            let by_hand = Extractor::new(parse(path, &text).unwrap()).unwrap();
            let specs = Specs::load(&specs_dir).unwrap();
            let by_mend = Extractor::new(specs.get("country_profile").unwrap().clone()).unwrap();
            for page in bundle.pages.iter().filter(|page| !page.page.absent) {
                let wanted: Vec<_> = page.page.points.iter().map(SurveyedPoint::wanted).collect();
                let read = |extractor: &Extractor| {
                    let extraction = extractor.extract(&page.capture, &page.url, &wanted);
                    assert!(
                        extraction.is_complete(),
                        "{skin}: {:?}",
                        extraction.failures().collect::<Vec<_>>()
                    );
                    extraction.observations().cloned().collect::<Vec<_>>()
                };
                assert_eq!(read(&by_hand), read(&by_mend), "{skin}: {}", page.page.name);
            }
        }))
        .await;
    });
}
