//! Which wordings are proposed for what is no longer found, and that a figure of another meaning never is.

use atlas_gt::atlas::{AtlasUrl, Section};
use atlas_gt::capture::Capture;
use atlas_gt::extract::{MendPage, Mending, Renames, Wanted, propose};
use atlas_gt::manifest::spec::Specs;

use crate::page::Hand;

/// The total exports of a country as its page says them, beside another figure.
fn basket(country: u32, name: &str, (raw, shown): (u64, &str), other: &str) -> (u32, Capture) {
    let card = |label: &str, figure: &str| format!("<div><div>{label}</div><div>{figure}</div></div>");
    let body = format!("<div>{}{}</div>", card("Sold abroad", shown), card("Bought abroad", other));
    let query =
        format!("{{ countryProfile(location: \"location-{country}\") {{ location {{ id }} exportValue }} }}");
    let data =
        format!(r#"{{"countryProfile":{{"location":{{"id":"location-{country}"}},"exportValue":{raw}}}}}"#);
    let page = Hand::basket(&body).of(country, name).asked(&query, &data);
    (country, page.capture())
}

fn proposed(pages: &[(u32, Capture)]) -> Mending {
    let specs = Specs::built_in().unwrap();
    let urls: Vec<AtlasUrl> = pages
        .iter()
        .map(|(id, _)| AtlasUrl::of_country(id.to_string().parse().unwrap(), Section::Introduction))
        .collect();
    let wanted = Wanted { data_point: "total_exports".into(), ..Wanted::default() };
    let pages: Vec<MendPage<'_>> = pages
        .iter()
        .zip(&urls)
        .map(|((_, capture), url)| MendPage { name: "a page", url, capture, wanted: vec![wanted.clone()] })
        .collect();
    propose(specs.get("country_profile").unwrap(), &pages, &mut Renames::new()).unwrap()
}

#[test]
fn the_label_that_the_figure_stands_with_is_proposed() {
    let pages = [
        basket(404, "Kenya", (16_218_559_749, "USD $16.2B"), "USD $24.6B"),
        basket(724, "Spain", (643_118_204_771, "USD $643B"), "USD $572B"),
    ];
    let mending = proposed(&pages);
    let found: Vec<_> = mending.unique.iter().map(|one| (one.id.as_str(), one.new.as_str())).collect();
    assert_eq!(found, [("country_profile/total_exports", "Sold abroad")], "{:?}", mending.open);
}

#[test]
fn what_shows_the_same_figure_on_one_page_is_told_apart_by_the_other() {
    let pages = [
        basket(404, "Kenya", (16_218_559_749, "USD $16.2B"), "USD $16.2B"),
        basket(724, "Spain", (643_118_204_771, "USD $643B"), "USD $572B"),
    ];
    let mending = proposed(&pages);
    assert!(mending.unique.iter().all(|one| one.new == "Sold abroad"), "{:?}", mending.unique);
}

#[test]
fn two_labels_with_the_same_figure_everywhere_are_listed_and_none_is_chosen() {
    let pages = [
        basket(404, "Kenya", (16_218_559_749, "USD $16.2B"), "USD $16.2B"),
        basket(724, "Spain", (643_118_204_771, "USD $643B"), "USD $643B"),
    ];
    let mending = proposed(&pages);
    assert_eq!(mending.unique, Vec::new());
    let open = mending.open.iter().find(|one| one.subject == "total_exports").unwrap();
    assert_eq!(open.either, ["Bought abroad", "Sold abroad"]);
}

#[test]
fn a_figure_that_only_another_label_shows_is_not_taken_for_the_one_that_is_missing() {
    // the right figure is not on either page; another country's page shows it by chance on one
    let pages = [
        basket(404, "Kenya", (16_218_559_749, "N/A"), "USD $16.2B"),
        basket(724, "Spain", (643_118_204_771, "N/A"), "USD $572B"),
    ];
    assert_eq!(proposed(&pages).unique, Vec::new());
}
