//! Every text and every field of Explore pages is called otherwise: with what `mend` proposes the pages read as before. Fields
//! that no text displays are known by the values that a store kept of them, and by nothing without one.

use atlas_gt::mend::{Proof, Proposal};
use atlas_gt::workflow::mend;
use atlas_gt::workflow::survey::{self, Bundle};
use std::sync::Arc;

use super::*;

const FAULTS: [&str; 2] = ["wordings-renamed", "fields-renamed=2"];

/// A map with its total and a row, and a product space, whose diamonds are drawn without a number.
fn asked() -> Vec<Entry> {
    let mut asked = questions(&["281", "282"]);
    let space = "/explore/productspace?year=2024&exporter=country-404";
    let of = |id: &str, points: &[&str]| {
        let method = if points == ["total_goods"] { "dom" } else { "api_preferred" };
        entry(id, space, (method, "productspace"), points, json!({ "country": "404", "period": 2024 }))
    };
    asked.extend([of("901", &["total_goods"]), of("902", &["rca_products"])]);
    asked
}

#[test]
#[ignore = "slow: make test-deep"]
fn explore_pages_that_call_everything_otherwise_read_as_before_with_what_is_proposed() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let plain = replica(Skin::Mui, &[]).await;
        let report = collect(&plain, asked(), &at("plain")).await;
        assert_eq!(notes(&report), BTreeMap::new());

        let twin = replica(Skin::Mui, &FAULTS).await;
        let job =
            job(&twin, Vec::new(), &at("survey"), Some(&twin.base_url), Extractors::built_in().unwrap());
        let job = Arc::new(job);
        let pool = browsers(&twin).await;
        let pages = survey::pages(&["geomap".to_owned(), "productspace".to_owned()]).unwrap();
        let stop = AtomicBool::new(false);
        survey::survey(&pool, &job, job.api.as_ref(), &pages, &Events::silent(), &stop).await.unwrap();
        drop(job);
        let bundle = Bundle::read(&at("survey")).unwrap();
        let specs = Specs::built_in().unwrap();
        let rca = |one: &&Proposal| one.id.starts_with("productspace/countryProductYear.exportRca");

        let alone = mend::mend(&bundle, &specs, None).unwrap();
        assert_eq!(alone.unique.iter().find(rca), None, "nothing displays it");
        assert!(alone.unproven.len() > 1 && alone.unproven.iter().all(|one| one.proof == Proof::None));
        let unmended: Vec<_> = alone.open.iter().map(|one| one.subject.as_str()).collect();
        assert!(unmended.contains(&"rca_products"), "{unmended:?}");

        let store = Store::read(at("plain")).unwrap();
        let mut mended = mend::mend(&bundle, &specs, Some(&store)).unwrap();
        let by_store = mended.unique.iter().find(rca).map(|one| (one.new.as_str(), one.proof));
        assert_eq!(by_store, Some(("advantage", Proof::StoredValues)));
        let ids: BTreeSet<String> = mended.unique.iter().map(|one| one.id.clone()).collect();
        mend::accept(&mut mended, &specs, &at("specs"), &ids, "2026-11-20").unwrap();
        let specs = Specs::load(&at("specs")).unwrap();
        assert_eq!(mend::mend(&bundle, &specs, Some(&store)).unwrap().unique, [], "nobody is asked twice");

        let job = Arc::new(self::job(&twin, asked(), &at("mended"), None, Extractors::new(&specs).unwrap()));
        let report = workflow::collect(&pool, &job, &Events::silent(), &stop).await.unwrap();
        pool.close().await;
        assert_eq!(notes(&report), BTreeMap::new());
        assert_eq!(records(&at("mended")), records(&at("plain")));
    });
}
