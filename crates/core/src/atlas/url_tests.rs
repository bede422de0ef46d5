//! Tests of the URL grammar.

use proptest::prelude::*;

use super::*;

fn read(text: &str) -> AtlasUrl {
    AtlasUrl::parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).url
}

fn error(text: &str) -> String {
    AtlasUrl::parse(text).map_or_else(|error| error.to_string(), |parsed| panic!("{text}: {parsed:?}"))
}

#[test]
fn country_pages_in_every_spelling_have_one_form() {
    for text in [
        "https://atlas.hks.harvard.edu/countries/76/export-basket",
        "http://ATLAS.hks.harvard.edu/countries/076/export-basket/",
        "/countries/76/export-basket#top",
    ] {
        assert_eq!(read(text).to_string(), "https://atlas.hks.harvard.edu/countries/76/export-basket");
        assert_eq!(read(text).document().path(), "/countries/76");
    }
}

#[test]
fn explore_parameters_are_read_and_ordered() {
    let url = read(
        "/explore/overtime?tradeDirection=imports&importer=country-404&endYear=2018&startYear=2018&layout=share",
    );
    assert_eq!(
        url.path(),
        "/explore/overtime?startYear=2018&endYear=2018&importer=country-404&tradeDirection=imports&layout=share"
    );
    assert_eq!(url.country().map(CountryId::code), Some(404));
    let table = read("/explore/feasibility/table?exporter=country-404&year=2024&productLevel=4");
    assert!(matches!(table.page, SitePage::Explore(Explore { viz: Viz::FeasibilityTable, .. })));
    let world = read("/explore/treemap?product=product-HS92-726&view=markets");
    assert_eq!(world.country(), None);
}

#[test]
fn the_world_as_exporter_leaves_the_importer() {
    assert_eq!(
        read("/explore/treemap?exporter=group-1&importer=country-76").country().map(CountryId::code),
        Some(76)
    );
}

#[test]
fn errors_say_what_is_wrong_and_suggest() {
    for (text, parts) in [
        ("https://example.com/countries/404", &["example.com", HOST][..]),
        ("https://atlas.cid.harvard.edu/countries/114", &["old"]),
        ("ftp://atlas.hks.harvard.edu/countries/404", &["ftp"]),
        ("countries/404", &["not a URL"]),
        ("//evil.example/countries/404", &["not a URL"]),
        ("/countries", &["/countries/404"]),
        ("/countries/KEN", &["KEN", "M49"]),
        ("/countries/404/export-baskets", &["did you mean `export-basket`"]),
        ("/countries/404/summary/more", &["no page"]),
        ("/country/404", &["did you mean `countries`"]),
        ("/explore/tremap", &["did you mean `treemap`"]),
        ("/explore", &["/explore/treemap"]),
        ("/explore/treemap?exporter=404", &["exporter", "country-404"]),
        ("/explore/treemap?exportr=country-404", &["did you mean `exporter`"]),
        ("/explore/treemap?year=24", &["year", "24"]),
        ("/explore/treemap?year=2024&year=2023", &["twice"]),
        ("/explore/treemap?productLevel=5", &["2, 4 or 6"]),
        ("/explore/treemap?productClass=HS96", &["HS92"]),
        ("/explore/treemap?view=table", &["markets"]),
        ("/explore/treemap?tradeDirection=import", &["imports"]),
    ] {
        let message = error(text);
        for part in parts {
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}

#[test]
fn country_pages_take_no_parameters() {
    let message = error("/countries/404?year=2024");
    assert!(message.contains("`year`") && message.contains("take no parameters"), "{message}");
}

#[test]
fn an_elided_query_is_read_and_marked() {
    let parsed = AtlasUrl::parse("https://atlas.hks.harvard.edu/explore/treemap?...").unwrap();
    assert!(parsed.elided);
    assert_eq!(parsed.url.path(), "/explore/treemap");
}

#[test]
fn settled_urls_come_from_any_host_with_any_parameter() {
    let parsed = AtlasUrl::parse_settled("http://127.0.0.1:8080/explore/treemap?year=2024&novel=1").unwrap();
    assert_eq!(parsed.unknown, ["novel"]);
    assert_eq!(parsed.url.path(), "/explore/treemap?year=2024");
    assert!(AtlasUrl::parse_settled("http://127.0.0.1:8080/countries/438/nowhere").is_err());
}

fn explore() -> impl Strategy<Value = Explore> {
    let place = prop_oneof![
        (1u16..=999).prop_map(|code| PlaceId::Country(CountryId::new(code).unwrap())),
        (1u32..2000).prop_map(PlaceId::Group)
    ];
    let year = || proptest::option::of(1962i16..2025);
    let class = prop_oneof![Just(Classification::Hs92), Just(Classification::Sitc)];
    (
        (0usize..7, year(), year(), year()),
        (proptest::option::of(place.clone()), proptest::option::of(place)),
        (proptest::option::of((class, 0u32..5000)), proptest::bool::ANY, "[a-z&=% ü]{0,6}"),
    )
        .prop_map(|((viz, year, start, end), (exporter, importer), (product, markets, text))| Explore {
            year,
            start_year: start,
            end_year: end,
            exporter,
            importer,
            product: product.map(|(classification, number)| ProductId { classification, number }),
            product_class: product.map(|(classification, _)| classification),
            product_level: product.map(|_| 4),
            markets,
            flow: markets.then_some(Flow::Import),
            display: vec![("layout".to_owned(), text)],
            ..Explore::new(Viz::ALL[viz])
        })
}

proptest! {
    #[test]
    fn explore_urls_read_back(explore in explore()) {
        let url = AtlasUrl { page: SitePage::Explore(explore) };
        prop_assert_eq!(&read(&url.path()), &url);
        prop_assert_eq!(&read(&url.to_string()), &url);
    }

    #[test]
    fn country_urls_read_back(code in 1u16..=999, section in 0usize..12) {
        let url = AtlasUrl::of_country(CountryId::new(code).unwrap(), Section::ALL[section]);
        prop_assert_eq!(&read(&url.to_string()), &url);
    }

    #[test]
    fn any_text_is_refused_or_reads_back(text in "/?(countries|explore)?/?\\PC{0,30}") {
        if let Ok(parsed) = AtlasUrl::parse(&text) {
            prop_assert_eq!(read(&parsed.url.to_string()), parsed.url);
        }
    }
}
