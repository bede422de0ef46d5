//! Both renderings say what the records say: pages are read from captures, no browser is needed.

use std::collections::{BTreeMap, BTreeSet};

use atlas_gt::atlas::AtlasUrl;
use atlas_gt::capture::Capture;
use atlas_gt::extract::{Extractor, Observation, Outcome, Reading, Wanted};
use atlas_gt::manifest::Entry;
use atlas_gt_twin::Skin;
use rayon::prelude::*;

use crate::captures::{self, Captures, SKINS};
use crate::pages::{manifest, page_of, said};
use crate::records;
use crate::stage::extractors;

/// What is wanted of a page by a question's reading.
fn asked(reading: &Entry) -> Vec<Wanted> {
    let extractor = extractors().get(&reading.extractor).unwrap();
    reading.data_points.iter().map(|point| extractor.wanted(point, &reading.context)).collect()
}

/// What a page says of all that is wanted of it.
fn outcomes(capture: &Capture, extractor: &Extractor, wanted: &[Wanted]) -> Vec<(Wanted, Outcome)> {
    let url = AtlasUrl::parse_settled(&capture.requested_url).unwrap().url;
    let (own, shown): (Vec<_>, Vec<_>) =
        wanted.iter().cloned().partition(|one| extractor.is_own(&one.data_point));
    let mut points = extractor.answer(&capture.own, &url, &own).points;
    if !shown.is_empty() {
        points.extend(extractor.extract(capture, &url, &shown).points);
    }
    points
}

fn readings(entry: &Entry) -> impl Iterator<Item = &Entry> {
    entry.readings().iter().filter(|one| one.extractor != "derive")
}

/// What each question's pages say, by question; derived ones by what they are derived of.
fn all(entries: &[Entry], captures: &Captures) -> BTreeMap<String, Vec<Outcome>> {
    let mut groups: BTreeMap<(String, &str), Vec<Wanted>> = BTreeMap::new();
    for reading in entries.iter().flat_map(readings) {
        groups.entry((page_of(reading), &reading.extractor)).or_default().extend(asked(reading));
    }
    let read = |((page, extractor), wanted): (&(String, &str), &Vec<Wanted>)| {
        let found = outcomes(&captures[page], extractors().get(extractor).unwrap(), wanted);
        found
            .into_iter()
            .map(|(wanted, outcome)| ((page.clone(), (*extractor).to_owned(), wanted), outcome))
            .collect::<Vec<_>>()
    };
    let found: BTreeMap<(String, String, Wanted), Outcome> = groups.par_iter().flat_map_iter(read).collect();
    let of_reading = |reading: &Entry| {
        let of = |wanted| found[&(page_of(reading), reading.extractor.clone(), wanted)].clone();
        asked(reading).into_iter().map(of).collect::<Vec<_>>()
    };
    let of = |entry: &Entry| (entry.question_id.to_string(), readings(entry).flat_map(of_reading).collect());
    entries.iter().map(of).collect()
}

#[test]
fn both_renderings_say_what_the_records_say() {
    let entries = manifest();
    let [one, other] = SKINS.map(|skin| all(&entries, captures::of(skin)));
    let (mut values, mut wrong) = (0, Vec::new());
    for (id, found) in &one {
        for (one, other) in found.iter().zip(&other[id]) {
            if said(one) != said(other) {
                wrong.push(format!("{id}: {:?}, and in the other rendering {:?}", said(one), said(other)));
            }
        }
        assert_eq!(found.len(), other[id].len(), "{id}");
        let question = records::find(id).unwrap();
        let provenance = question.stored.provenance.as_ref().unwrap();
        let derived =
            provenance.derivation.as_ref().map(|derivation| derivation.inputs.iter().map(|one| &one.row));
        let rows: Vec<_> = match derived {
            Some(inputs) => inputs.collect(),
            None => question.stored.record.results.data.iter().collect(),
        };
        let said: Vec<_> = found.iter().flatten().flatten().collect();
        for row in rows {
            values += 1;
            let is_it = |one: &&Observation| {
                one.data_point == row.data_point
                    && if row.absence.is_some() {
                        matches!(one.reading, Reading::Absent(_))
                    } else {
                        Some(&one.value) == row.value.as_ref()
                    }
            };
            if !said.iter().any(is_it) {
                wrong.push(format!(
                    "{id}: the record says {} {}, the page {said:?}",
                    row.field(),
                    row.shown()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {values} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(10)]);
    assert!(values > 680, "{values}");
}

/// The questions of a few pages, one for each extractor.
fn one_page_an_extractor() -> Vec<Entry> {
    let mut entries = manifest();
    let mut seen = BTreeSet::new();
    let is_first = |entry: &&Entry| entry.extractor != "derive" && seen.insert(entry.extractor.clone());
    let pages: BTreeSet<String> = entries.iter().filter(is_first).map(page_of).collect();
    entries.retain(|entry| entry.readings().iter().all(|reading| pages.contains(&page_of(reading))));
    entries
}

#[test]
#[ignore = "slow: make test-deep"]
fn what_is_packed_is_what_the_replica_shows_today() {
    let entries = one_page_an_extractor();
    for skin in SKINS {
        let packed = captures::of(skin);
        // what is asked of the APIs alone opens no page
        let opened =
            captures::visit(skin, &entries).into_iter().filter(|(_, capture)| !capture.html.is_empty());
        for (page, capture) in opened {
            let (text, answers) = shows(&capture);
            let (packed_text, packed_answers) = shows(&packed[&page]);
            assert_eq!(text, packed_text, "{skin} {page}: make captures");
            assert!(
                answers == packed_answers,
                "{skin} {page}: {} and {}: make captures",
                answers.len(),
                packed_answers.len()
            );
        }
    }
}

/// What a capture holds that is the same each time: the text of the page, and its responses.
fn shows(capture: &Capture) -> (String, Vec<(&str, &str)>) {
    let text = scraper::Html::parse_document(&capture.html).root_element().text().collect();
    let mut answers: Vec<_> =
        capture.exchanges.iter().map(|one| (one.request.as_str(), one.response.as_str())).collect();
    // they are sent at the same moment
    answers.sort_unstable();
    (text, answers)
}

/// Visits the replica in both renderings and packs what it shows.
#[test]
#[ignore = "make captures"]
fn captures_are_packed() {
    if std::env::var_os("UPDATE_CAPTURES").is_some() {
        let of = |skin: Skin| (skin.to_string(), captures::visit(skin, &manifest()));
        captures::pack(SKINS.map(of).into());
    }
}
