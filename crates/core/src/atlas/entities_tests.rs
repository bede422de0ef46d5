//! Tests of the list of countries, its lookups and the search in running text.

use std::collections::{BTreeSet, HashMap};

use proptest::prelude::*;

use super::*;

fn found(text: &str) -> Vec<(&str, u16)> {
    find_names(text).into_iter().map(|(range, id)| (&text[range], id.code())).collect()
}

#[test]
fn every_line_of_the_list_is_read() {
    let lines = crate::value::COUNTRIES.lines().filter(|line| !line.starts_with('#')).count();
    assert_eq!(all().len(), lines);
    assert!(lines >= 249, "ISO 3166 has 249 entries, the list {lines}");
    assert!(all().is_sorted_by(|a, b| a.id < b.id), "codes are distinct");
    let iso: BTreeSet<_> = all().iter().map(|entity| entity.iso3).collect();
    assert_eq!(iso.len(), lines, "alpha-3 codes are distinct");
    assert!(iso.iter().all(|code| code.len() == 3 && code.bytes().all(|b| b.is_ascii_uppercase())));
}

#[test]
fn no_name_belongs_to_two_countries() {
    let mut owner: HashMap<String, CountryId> = HashMap::new();
    for entity in all() {
        for name in entity.names().chain([entity.iso3]) {
            let before = owner.insert(key(name), entity.id);
            assert!(before.is_none_or(|id| id == entity.id), "{name}: {before:?} and {}", entity.id);
        }
    }
}

#[test]
fn sixteen_countries_are_at_the_frontier() {
    let ids: Vec<u16> = all().iter().filter(|e| e.is_frontier).map(|e| e.id.code()).collect();
    assert_eq!(ids, [40, 124, 156, 203, 246, 250, 276, 380, 392, 410, 528, 702, 752, 756, 826, 840]);
}

#[test]
fn pages_are_marked_where_known() {
    let page = |code| by_id(CountryId::new(code).unwrap()).unwrap().page;
    assert_eq!(page(404), PageKnown::Yes);
    assert_eq!(page(438), PageKnown::No);
    assert_eq!(page(10), PageKnown::Unknown);
}

#[test]
fn looks_up_any_name() {
    for (name, code) in [
        ("Turkiye", 792),
        ("TÜRKİYE", 792),
        ("Turkey", 792),
        ("usa", 840),
        ("U.S.", 840),
        ("the United States of America", 840),
        ("Kenya (KEN)", 404),
        ("ken", 404),
        ("Côte d’Ivoire", 384),
        ("Ivory Coast", 384),
        ("Viet Nam", 704),
        ("Korea, Rep.", 410),
        ("Guinea–Bissau", 624),
        ("St Lucia", 662),
        ("The Gambia", 270),
    ] {
        assert_eq!(lookup(name).map(|e| e.id.code()), Some(code), "{name}");
    }
    assert!(lookup("Atlantis").is_none());
    assert!(lookup("").is_none());
}

#[test]
fn finds_the_longest_name_as_whole_words() {
    assert_eq!(found("Guinea-Bissau, Guinea and Equatorial Guinea").len(), 3);
    assert_eq!(
        found("Guinea-Bissau, Guinea and Equatorial Guinea"),
        [("Guinea-Bissau", 624), ("Guinea", 324), ("Equatorial Guinea", 226)]
    );
    assert_eq!(found("Nigeria and Niger"), [("Nigeria", 566), ("Niger", 562)]);
    assert_eq!(found("Nigerian exports"), [("Nigerian", 566)]);
    assert_eq!(found("Nigerien exports, a polish for shoes, Latin American trade"), [("Nigerien", 562)]);
    assert_eq!(found("Dominica, the Dominican Republic"), [("Dominica", 212), ("Dominican Republic", 214)]);
    assert_eq!(
        found("the Democratic Republic of the Congo and the Republic of the Congo"),
        [("Democratic Republic of the Congo", 180), ("Republic of the Congo", 178)]
    );
    assert_eq!(found("Kenya's GDP"), [("Kenya", 404)]);
    assert_eq!(found("Kenya’s GDP"), [("Kenya", 404)]);
    assert_eq!(found("exports of Tu\u{308}rkiye."), [("Tu\u{308}rkiye", 792)]);
}

#[test]
fn sentence_ends_and_commas_part_names() {
    assert_eq!(found("It left Guinea. Bissau is a city."), [("Guinea", 324)]);
    assert_eq!(
        found("South Korea, China, Hong Kong"),
        [("South Korea", 410), ("China", 156), ("Hong Kong", 344)]
    );
    assert_eq!(found("Congo, Rep. and St. Lucia"), [("Congo, Rep", 178), ("St. Lucia", 662)]);
}

#[test]
fn common_words_need_capitals() {
    assert_eq!(found("frozen turkey on fine china"), []);
    assert_eq!(found("Turkey sells to China"), [("Turkey", 792), ("China", 156)]);
    assert_eq!(found("let us ask the US and the U.K."), [("US", 840), ("U.K", 826)]);
    assert_eq!(found("and can per mar"), [], "alpha-3 codes are words too");
    assert_eq!(found("what is kenya's gdp"), [("kenya", 404)]);
}

#[test]
fn phrases_that_name_no_country() {
    for text in ["US$ 5 billion", "U.S.$5", "5 billion US dollars", "New Jersey", "Northern Ireland"] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn every_name_is_found_in_running_text() {
    for entity in all() {
        for name in entity.names() {
            let text = format!("Exports of {name} rose.");
            let ids: Vec<CountryId> = find_names(&text).into_iter().map(|(_, id)| id).collect();
            assert_eq!(ids, [entity.id], "{text}");
        }
    }
}

proptest! {
    #[test]
    fn ranges_are_in_order_and_on_character_boundaries(text in "(\\PC{0,6}|Kenya|[ .,'-]|Guinea-Bissau|ü){0,12}") {
        let mut end = 0;
        for (range, _) in find_names(&text) {
            prop_assert!(range.start >= end && text.get(range.clone()).is_some());
            end = range.end;
        }
    }
}
