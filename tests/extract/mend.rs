//! Which wordings are proposed for what is no longer found, and that a figure of another meaning never is.

use std::collections::BTreeMap;

use atlas_gt::atlas::{Api, AtlasUrl, ChangedField, Section};
use atlas_gt::capture::Capture;
use atlas_gt::extract::Wanted;
use atlas_gt::manifest::spec::{Specs, parse};
use atlas_gt::mend::{MendPage, Mending, Proof, Renames, propose};

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
    proposed_with(pages, Renames::default())
}

fn proposed_with(pages: &[(u32, Capture)], known: Renames) -> Mending {
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
    let spec = specs.get("country_profile").unwrap();
    propose(&[(spec, pages)], &mut BTreeMap::from([(Api::Country, known)])).unwrap().remove(0)
}

/// What a spec that calls a field otherwise says of the API.
fn known(schema: Option<Vec<ChangedField>>, field: &str, path: &str, now: &str) -> Renames {
    let specs = Specs::built_in().unwrap();
    let (path_of, text) = specs.get("country_profile").unwrap().file();
    let renamed = format!("{text}\n[[renamed]]\nfield = \"{field}\"\npath = \"{path}\"\nnow = \"{now}\"\n");
    let mut known = Renames::with_schema(schema);
    known.learn_spec(&parse(path_of, &renamed).unwrap());
    known
}

/// The schema of a site whose profiles have lost `exportValue` and gained others.
fn schema(gained: &[(&str, &str)]) -> Vec<ChangedField> {
    let field = |field: &str, of: &str, is_new| ChangedField {
        owner: "CountryProfile".into(),
        field: field.into(),
        of: of.into(),
        is_new,
    };
    let gained = gained.iter().map(|(name, of)| field(name, of, true));
    std::iter::once(field("exportValue", "Float", false)).chain(gained).collect()
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

/// The total exports of a country under their own label, with a response that has other names than the schema.
fn renamed(country: u32, name: &str, shown: &str, fields: &[(&str, u64)]) -> (u32, Capture) {
    let body = format!("<div><div><div>Total Exports</div><div>{shown}</div></div></div>");
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let asked = names.join(" ");
    let query =
        format!("{{ countryProfile(location: \"location-{country}\") {{ location {{ id }} {asked} }} }}");
    let values: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    let data =
        format!(r#"{{"countryProfile":{{"location":{{"id":"location-{country}"}},{}}}}}"#, values.join(","));
    (country, Hand::basket(&body).of(country, name).asked(&query, &data).capture())
}

#[test]
fn a_field_is_known_again_by_the_value_that_the_page_displays() {
    let pages = [
        renamed(404, "Kenya", "USD $16.2B", &[("worth", 16_218_559_749), ("bought", 24_611_840_377)]),
        renamed(724, "Spain", "USD $643B", &[("worth", 643_118_204_771), ("bought", 571_904_337_215)]),
    ];
    let mending = proposed(&pages);
    let found: Vec<_> = mending.unique.iter().map(|one| (one.id.as_str(), one.new.as_str())).collect();
    assert_eq!(found, [("country_profile/countryProfile.exportValue", "worth")], "{:?}", mending.open);
}

/// Exports as two fields show them alike.
fn alike() -> [(u32, Capture); 2] {
    [
        renamed(404, "Kenya", "USD $16.2B", &[("worth", 16_218_559_749), ("decoy", 16_190_000_000)]),
        renamed(724, "Spain", "USD $643B", &[("worth", 643_118_204_771), ("decoy", 643_400_000_000)]),
    ]
}

/// What is proposed without more asking, each with its proof.
fn unique(mending: &Mending) -> Vec<(&str, Proof)> {
    mending.unique.iter().map(|one| (one.new.as_str(), one.proof)).collect()
}

#[test]
fn of_two_fields_with_the_displayed_value_none_is_chosen_unless_another_page_tells_them_apart() {
    let same = proposed(&alike());
    assert_eq!(same.unique, Vec::new());
    let ids = ["decoy", "worth"].map(|now| format!("country_profile/countryProfile.exportValue={now}"));
    assert_eq!(same.open[0].either, ids, "{:?}", same.open);
    // each waits for a person under its own id
    let waiting: Vec<_> = same.unproven.iter().map(|one| (one.id.as_str(), one.proof)).collect();
    assert_eq!(waiting, ids.each_ref().map(|id| (id.as_str(), Proof::None)));
    let apart = proposed(&[
        renamed(404, "Kenya", "USD $16.2B", &[("worth", 16_218_559_749), ("decoy", 16_190_000_000)]),
        renamed(724, "Spain", "USD $643B", &[("worth", 643_118_204_771), ("decoy", 571_904_337_215)]),
    ]);
    assert_eq!(unique(&apart), [("worth", Proof::Displayed)]);
}

#[test]
fn a_field_that_is_proven_for_a_type_is_the_same_wherever_the_type_is_returned() {
    let proven = |field: &str, schema| proposed_with(&alike(), known(schema, field, "exportValue", "worth"));
    let by_query = proven("countryProfile", None);
    assert_eq!(unique(&by_query), [("worth", Proof::SameType)]);
    // a year of a country is of another type: where two names fit what is displayed, a name alone decides nothing
    let both = schema(&[("worth", "Float"), ("decoy", "Float")]);
    let mending = proven("countryYear", Some(both));
    assert_eq!((unique(&mending), mending.unproven.len()), (vec![], 2));
}

#[test]
fn a_name_that_another_type_has_is_not_taken_where_the_page_shows_something_else() {
    let pages = [
        renamed(404, "Kenya", "USD $16.2B", &[("worth", 19_218_559_749), ("decoy", 7)]),
        renamed(724, "Spain", "USD $643B", &[("worth", 643_118_204_771), ("decoy", 8)]),
    ];
    let both = schema(&[("worth", "Float"), ("decoy", "Float")]);
    let known = known(Some(both), "countryYear", "exportValue", "worth");
    assert_eq!(unique(&proposed_with(&pages, known)), []);
}

#[test]
fn a_field_that_is_no_value_of_the_same_type_is_none_that_was_lost() {
    let decoy_is_text = Renames::with_schema(Some(schema(&[("worth", "Float!"), ("decoy", "String")])));
    assert_eq!(unique(&proposed_with(&alike(), decoy_is_text)), [("worth", Proof::Displayed)]);
    let none_is_new = Renames::with_schema(Some(Vec::new()));
    let mending = proposed_with(&alike(), none_is_new);
    assert_eq!((unique(&mending), mending.unproven.len()), (vec![], 0));
}

#[test]
fn a_field_that_holds_what_was_stored_is_the_one_that_was_stored() {
    let pages = alike();
    let captures: Vec<&Capture> = pages.iter().map(|(_, capture)| capture).collect();
    let stored = |kenya: u64, spain: u64| {
        let of = |country: u32, name: &str, value: u64| {
            renamed(country, name, "USD $16.2B", &[("exportValue", value)]).1.exchanges
        };
        let mut known = Renames::default();
        known.compare(Api::Country, &captures, [of(404, "Kenya", kenya), of(724, "Spain", spain)]);
        known
    };
    let same = proposed_with(&pages, stored(16_218_559_749, 643_118_204_771));
    assert_eq!(unique(&same), [("worth", Proof::StoredValues)]);
    // what is the same on one page alone is no proof
    assert_eq!(unique(&proposed_with(&pages, stored(16_218_559_749, 643_118_204_772))), []);
}

#[test]
fn a_field_that_the_schema_knows_is_never_taken_for_another() {
    // by chance the imports are what the exports are displayed as
    let pages = [
        renamed(404, "Kenya", "USD $16.2B", &[("importValue", 16_218_559_749)]),
        renamed(724, "Spain", "USD $643B", &[("importValue", 643_118_204_771)]),
    ];
    assert_eq!(proposed(&pages).unique, Vec::new());
}

#[test]
fn what_is_known_of_a_field_elsewhere_is_not_contradicted_here() {
    let pages = [
        renamed(404, "Kenya", "USD $16.2B", &[("worth", 16_218_559_749)]),
        renamed(724, "Spain", "USD $643B", &[("worth", 643_118_204_771)]),
    ];
    // another query has proven that this name means something else
    let known = known(None, "countryYear", "importValue", "worth");
    assert_eq!(proposed_with(&pages, known).unique, Vec::new());
}
