//! Pages that ask and show something of other countries too, to compare with or in advance: what they display of the
//! country they are about is read, and nothing of another is taken for it.

use atlas_gt::extract::FailureKind;
use atlas_gt::truth::Agreement;
use atlas_gt::value::ContextPart;

use crate::page::Hand;

const CARD: &str = "<div><p>GDP per capita</p><p>$2,274</p></div>";
const COMPARE: &str = "<aside><p>Compare with</p><h4>Türkiye</h4><p>GDP per capita</p><p>$15,893</p></aside>";

fn page(cards: &str, basket: &str) -> Hand {
    Hand::new(&format!("{cards}<section><h2>Export Basket in 2024</h2>{basket}</section>"))
}

#[track_caller]
fn is_of_another(kind: &FailureKind, word: &str) {
    let named = matches!(kind, FailureKind::OtherContext(parts) if parts[0].0 == ContextPart::Country);
    assert!(named && kind.to_string().contains(word), "{kind}");
}

#[test]
fn a_box_that_compares_with_another_country_blocks_nothing() {
    for cards in [format!("{CARD}{COMPARE}"), format!("{COMPARE}{CARD}")] {
        let labels = "<p>Tea 60.00%</p><p>Coffee 40.00%</p>";
        let page = page(&cards, labels)
            .profile(792, 15_893)
            .treemap(792, &[("Cars", 9_000_000_000), ("Tea", 1_000_000_000), ("Steel", 1), ("Coffee", 1)])
            .profile(404, 2_274)
            .treemap(404, &[("Tea", 600), ("Coffee", 400)]);
        let found = page.read("gdp_per_capita").unwrap_or_else(|kind| panic!("{kind}"));
        assert_eq!((found[0].value.as_str(), found[0].agreement), ("$2,274", Agreement::Agrees));
        let found = page.read("top_products").unwrap_or_else(|kind| panic!("{kind}"));
        let values: Vec<_> = found.iter().map(|one| (one.keys[1].1.as_str(), one.value.as_str())).collect();
        assert_eq!(values, [("Tea", "$600"), ("Coffee", "$400")]);
        assert!(found.iter().all(|one| one.agreement == Agreement::Agrees));
    }
}

#[test]
fn profiles_of_neighbours_asked_for_in_advance_are_no_objection() {
    let page = page(CARD, "").profile(834, 1_200).profile(800, 1_100).profile(404, 2_274).profile(231, 1_000);
    let found = page.read("gdp_per_capita").unwrap_or_else(|kind| panic!("{kind}"));
    assert_eq!((found[0].value.as_str(), found[0].agreement), ("$2,274", Agreement::Agrees));
}

#[test]
fn a_drawing_whose_response_is_of_another_country_is_refused() {
    let labels = "<p>Tea 60.00%</p><p>Coffee 40.00%</p>";
    let page = page(CARD, labels).treemap(792, &[("Tea", 600), ("Coffee", 400)]);
    let refused = page.refuses("top_products");
    is_of_another(&refused, "the page queried treeMap for Turkiye, not for Kenya");
}

#[test]
fn the_figure_of_another_country_under_our_label_is_never_taken() {
    let shown = "<div><p>GDP per capita</p><p>$15,893</p></div>";
    let refused = page(shown, "").profile(792, 15_893).refuses("gdp_per_capita");
    is_of_another(&refused, "$15,893 is the value of Turkiye");
    page(shown, "").profile(404, 2_274).profile(792, 15_893).refuses("gdp_per_capita");
    page(shown, "").profile(792, 15_893).profile(404, 2_274).refuses("gdp_per_capita");
}

#[test]
fn an_answer_about_another_country_than_was_asked_for_refuses_the_page() {
    let page = page(CARD, "").asked(
        "{ countryProfile(location: \"location-404\") { location { id } } }",
        r#"{"countryProfile":{"location":{"id":"location-231"}}}"#,
    );
    is_of_another(&page.refuses("gdp_per_capita"), "the response to countryProfile is about Ethiopia");
}
