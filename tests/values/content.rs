//! A record that does not say its question is known by what it holds (decision 34): over all records of the replica.

use std::path::Path;

use atlas_gt::extract::Extractors;
use atlas_gt::manifest::{self, ManifestQuestion};

use crate::records;

#[test]
fn decision_34_records_without_their_question_are_known_by_content_and_those_of_others_are_not() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/atlas.json");
    let manifest = manifest::load(&path, &Extractors::built_in().unwrap()).unwrap();
    let asked: Vec<ManifestQuestion<'_>> = manifest.entries.iter().map(ManifestQuestion::from).collect();
    let is_of =
        |one: &ManifestQuestion<'_>, id: &str| one.is_of(None, || records::find(id).unwrap().stored.about());
    let lost = asked.iter().filter(|one| !is_of(one, one.id.as_str()));
    assert_eq!(lost.map(|one| one.text()).collect::<Vec<_>>(), []);
    // where numbers were shifted by one
    let taken = |one: &ManifestQuestion<'_>, before: &ManifestQuestion<'_>| is_of(one, before.id.as_str());
    let pairs = || asked.iter().zip(&asked[1..]);
    let shifted = pairs().filter(|(before, one)| taken(one, before));
    assert_eq!(shifted.map(|(_, one)| one.text()).collect::<Vec<_>>(), []);
    // a list without data points has words alone: what they leave open is no record of it
    let bare_taken: Vec<_> = pairs()
        .filter(|(before, one)| taken(&bare(one), before))
        .map(|(before, one)| (before.text(), one.text()))
        .collect();
    assert!(bare_taken.len() <= 12, "{}: {bare_taken:#?}", bare_taken.len());
    let bare_known = asked.iter().filter(|one| is_of(&bare(one), one.id.as_str())).count();
    assert!(bare_known >= 140, "{bare_known}");
}

fn bare<'a>(one: &ManifestQuestion<'a>) -> ManifestQuestion<'a> {
    ManifestQuestion { entry: None, ..*one }
}
