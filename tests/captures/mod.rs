//! The pages of the replica as a browser captured them, in each rendering, for tests that read pages and need no browser.
//!
//! `make captures` visits the replica anew and packs what it finds. Each text (a page's markup, a response) is kept once, by
//! its hash, as both renderings show the same responses.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use atlas_gt::acquire::Rate;
use atlas_gt::acquire::browser::Pool;
use atlas_gt::acquire::graphql::{Client, SchemaCache};
use atlas_gt::atlas::AtlasUrl;
use atlas_gt::capture::{Capture, Exchange};
use atlas_gt::event::Events;
use atlas_gt::manifest::Entry;
use atlas_gt::truth::Store;
use atlas_gt::workflow::{self, Job, OwnApi};
use atlas_gt_twin::{Skin, TwinOptions};
use lzma_rust2::{XzOptions, XzReader, XzWriter};
use serde::{Deserialize, Serialize};

use crate::stage::{self, extractors, options, run};

/// The renderings of the replica.
pub const SKINS: [Skin; 2] = [Skin::Hashed, Skin::Mui];

/// The address that stands in packed captures for that of the replica, whose port is another each time.
const SITE: &str = "http://site";
/// The moment at which they are taken.
const NOW: &str = "2026-11-25T12:00:00Z";

/// Captures by the path of their page.
pub type Captures = BTreeMap<String, Capture>;

/// All that is packed: texts by their hash, and captures with hashes in place of texts.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Packed {
    texts: BTreeMap<String, String>,
    skins: BTreeMap<String, Captures>,
}

static PACKED: LazyLock<BTreeMap<String, Captures>> = LazyLock::new(read);

/// The packed captures of a rendering.
pub fn of(skin: Skin) -> &'static Captures {
    &PACKED[&skin.to_string()]
}

fn packed() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/captures/twin.json.xz")
}

fn exchanges(capture: &mut Capture) -> impl Iterator<Item = &mut Exchange> {
    capture.exchanges.iter_mut().chain(&mut capture.own)
}

/// Replaces the texts of a capture.
fn replace(capture: &mut Capture, by: &mut impl FnMut(&str) -> String) {
    capture.html = by(&capture.html);
    for exchange in exchanges(capture) {
        exchange.response = by(&exchange.response);
    }
}

fn read() -> BTreeMap<String, Captures> {
    let mut text = String::new();
    XzReader::new(std::fs::File::open(packed()).unwrap(), false).read_to_string(&mut text).unwrap();
    let Packed { texts, mut skins } = serde_json::from_str(&text).unwrap();
    for capture in skins.values_mut().flat_map(BTreeMap::values_mut) {
        replace(capture, &mut |hash| texts[hash].clone());
    }
    skins
}

/// Packs captures in place of those that are packed.
pub fn pack(skins: BTreeMap<String, Captures>) {
    let mut packed_now = Packed { skins, ..Packed::default() };
    for capture in packed_now.skins.values_mut().flat_map(BTreeMap::values_mut) {
        replace(capture, &mut |text| {
            let hash = blake3::hash(text.as_bytes()).to_hex()[..16].to_owned();
            packed_now.texts.insert(hash.clone(), text.to_owned());
            hash
        });
    }
    let file = std::fs::File::create(packed()).unwrap();
    let mut out = XzWriter::new(file, XzOptions::with_preset(9)).unwrap();
    out.write_all(&serde_json::to_vec(&packed_now).unwrap()).unwrap();
    out.finish().unwrap();
}

/// Visits the pages of these questions in a rendering of the replica.
pub fn visit(skin: Skin, entries: &[Entry]) -> Captures {
    let folder = tempfile::tempdir().unwrap();
    let base = run(async {
        let twin = stage::faulty(TwinOptions { skin, ..TwinOptions::default() }, &[]).await;
        let rate = Arc::new(Rate::new(1_000_000));
        let client = Client::new(&twin.base_url.parse().unwrap(), None, Arc::clone(&rate)).unwrap();
        let api = Some(OwnApi { client, schemas: SchemaCache::none() });
        let job = Job { rate, api, ..stage::job(&twin.base_url, entries, extractors(), folder.path(), NOW) };
        let browsers = Pool::start(2, options(&twin.base_url)).await.unwrap();
        let stop = AtomicBool::new(false);
        let report = workflow::collect(&browsers, &Arc::new(job), &Events::silent(), &stop).await.unwrap();
        browsers.close().await;
        let failed: Vec<_> = report.questions.iter().filter(|one| !one.notes.is_empty()).collect();
        assert_eq!(report.exit_code, 0, "{failed:#?}");
        twin.base_url.clone()
    });
    let store = Store::read(folder.path()).unwrap();
    let mut captures = Captures::new();
    for stored in store.records().unwrap() {
        for hash in stored.provenance.unwrap().evidence() {
            // pictures are no captures
            let Ok(bytes) = store.evidence(hash) else { continue };
            let Ok(capture) = serde_json::from_slice::<Capture>(&bytes) else { continue };
            captures.insert(page(&capture), as_packed(&capture, &base));
        }
    }
    captures
}

/// The path of the page that a capture is of.
pub fn page(capture: &Capture) -> String {
    AtlasUrl::parse_settled(&capture.requested_url).unwrap().url.path()
}

/// A capture without what is another each time.
fn as_packed(capture: &Capture, base: &str) -> Capture {
    let text = serde_json::to_string(capture).unwrap().replace(base.trim_end_matches('/'), SITE);
    Capture { taken_at: NOW.to_owned(), ..serde_json::from_str(&text).unwrap() }
}
