//! The full store of the replica, packed into one file, for tests that need records and no browser.
//!
//! `make records` collects the replica anew and packs the store. The file holds the two files of every record byte for
//! byte, so that they are read as any other store is.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use flate2::read::GzDecoder;

/// The store in a folder of its own.
pub fn unpack() -> tempfile::TempDir {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/twin.json.gz");
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    // one JSON object: texts of files by their paths
    let files: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}
