use apollo_compiler::Schema;

use super::*;
use crate::graphql::elements::of_schema;

fn live(api: Api, changes: &[(&str, &str)]) -> Vec<Difference> {
    let mut sdl = api.sdl().to_owned();
    for (from, to) in changes {
        assert!(sdl.contains(from), "{from}");
        sdl = sdl.replacen(from, to, 1);
    }
    let schema = Schema::parse_and_validate(sdl, "live.graphql").unwrap_or_else(|e| panic!("{e}"));
    diff(api, &of_schema(api.schema().unwrap()).unwrap(), &of_schema(&schema).unwrap())
}

fn only(differences: Vec<Difference>) -> Difference {
    assert_eq!(differences.len(), 1, "{differences:?}");
    differences.into_iter().next().unwrap()
}

#[test]
fn the_same_schema_differs_in_nothing() {
    for &api in Api::ALL {
        assert_eq!(live(api, &[]), []);
    }
}

#[test]
fn a_missing_field_breaks_the_queries_that_use_it_and_no_other() {
    let found = only(live(Api::Country, &[("  latestGdpRank: IntForYear\n", "")]));
    assert_eq!(
        (found.element.as_str(), &found.change, found.effect),
        ("CountryProfile.latestGdpRank", &SchemaChange::Missing, Effect::Query)
    );
    assert_eq!(found.operations, ["CountryProfile"]);
    assert_eq!(found.documents, ["graphql/queries/country/country_profile.graphql"]);
    let unused = only(live(Api::Country, &[("  exportValueNatResources: Int\n", "")]));
    assert_eq!((unused.effect, unused.operations.len()), (Effect::None, 0));
}

#[test]
fn what_is_new_breaks_nothing_unless_it_is_required() {
    let found = live(
        Api::Explore,
        &[
            ("enum ProductClass { HS92", "enum ProductClass { HS17 HS92"),
            ("type Year {", "type Year {\n  inflation: Float"),
            ("dataAvailability:", "dataAvailability(since: Int):"),
            ("scalar DateTime", "scalar DateTime\nscalar Money"),
        ],
    );
    let elements: Vec<_> = found.iter().map(|found| (found.element.as_str(), found.effect)).collect();
    assert_eq!(
        elements,
        [
            ("Money", Effect::None),
            ("ProductClass.HS17", Effect::None),
            ("Query.dataAvailability(since)", Effect::None),
            ("Year.inflation", Effect::None)
        ]
    );
    assert!(found.iter().all(|found| found.change == SchemaChange::New));
    let required = only(live(Api::Explore, &[("metadata:", "metadata(since: Int!):")]));
    assert_eq!((required.effect, required.operations.join(" ").as_str()), (Effect::Query, "Metadata"));
}

#[test]
fn types_that_can_still_be_read_break_nothing() {
    for (from, to, effect) in [
        ("  latestEci: Float\n", "  latestEci: Float!\n", Effect::None),
        ("  latestEci: Float\n", "  latestEci: Int\n", Effect::None),
        ("  latestEci: Float\n", "  latestEci: FloatForYear\n", Effect::Query),
        ("  latestEci: Float\n", "  latestEci: [Float]\n", Effect::Query),
        ("  latestEciRank: Int\n", "  latestEciRank: Float\n", Effect::Query),
    ] {
        let found = only(live(Api::Country, &[(from, to)]));
        assert_eq!(
            (found.effect, found.operations.len()),
            (effect, usize::from(effect != Effect::None).max(1)),
            "{to}"
        );
    }
}

#[test]
fn arguments_are_compared_too() {
    let gone = only(live(Api::Country, &[("globalDatum(yearRange:", "globalDatum(since: Int, yearRange:")]));
    assert_eq!((gone.element.as_str(), gone.effect), ("Query.globalDatum(since)", Effect::None));
    let renamed = live(Api::Country, &[("globalDatum(yearRange:", "globalDatum(range:")]);
    assert_eq!(renamed[1].element, "Query.globalDatum(yearRange)");
    assert_eq!((renamed[1].effect, renamed[1].operations.join(" ").as_str()), (Effect::Query, "GlobalDatum"));
    let from = "countryYear(countryId: Int, productClass: ProductClass,";
    let stricter = only(live(Api::Explore, &[(from, &from.replace("Class,", "Class!,"))]));
    assert_eq!(stricter.effect, Effect::Query);
    let from =
        "productYear(productLevel: Int!, productClass: ProductClass, servicesClass: ServicesClass, productId";
    let looser = only(live(Api::Explore, &[(from, &from.replace("Int!", "Int"))]));
    assert_eq!((looser.effect, looser.operations.join(" ").as_str()), (Effect::None, "ProductYear"));
}

#[test]
fn a_missing_word_breaks_what_sends_it() {
    let sent = only(live(Api::Explore, &[("HS92 HS12 HS22 SITC", "HS92 HS12 HS22")]));
    assert_eq!((sent.element.as_str(), sent.effect), ("ProductClass.SITC", Effect::Word));
    assert!(sent.operations.contains(&"CountryYear".to_owned()));
    let fixed = only(live(Api::Country, &[("CPY_C CPY_P CCY_C", "CPY_P CCY_C")]));
    assert_eq!((fixed.effect, fixed.operations.join(" ").as_str()), (Effect::Query, "TreeMapProducts"));
    let answered = only(live(
        Api::Country,
        &[("enum DiversificationGrade { APlus A B", "enum DiversificationGrade { A B")],
    ));
    assert_eq!(answered.effect, Effect::None);
}

#[test]
fn a_missing_type_breaks_all_that_meet_it() {
    let found = live(
        Api::Country,
        &[("union TreeMapDatum = TreeMapProduct | TreeMapLocation", "union TreeMapDatum = TreeMapProduct")],
    );
    let found = only(found);
    assert_eq!(
        (found.element.as_str(), found.operations.join(" ").as_str()),
        ("TreeMapDatum.TreeMapLocation", "TreeMapPartners")
    );
}
