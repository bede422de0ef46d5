//! Every typed question is answered, ids are one, partial answers keep what they have.

use atlas_gt::acquire::graphql::{
    ApiError, Ask, Client, Level, Origin, country as cp, documents, explore as ex,
};
use atlas_gt::atlas::{PlaceId, ProductId};
use atlas_gt::value::{Classification, Period};

use super::{client, country, rate, twin, with};

const KENYA: u16 = 404;
const Y2024: Option<Period> = Some(Period { start: 2024, end: 2024 });

/// The answer, which has to be whole.
async fn whole<A: Ask>(client: &Client, question: A) -> A::Answer {
    let answer = client.ask(&question).await.unwrap_or_else(|error| panic!("{}: {error}", A::NAME));
    assert_eq!(answer.problems, [], "{}", A::NAME);
    answer.value.unwrap_or_else(|| panic!("{}: null", A::NAME))
}

#[tokio::test]
async fn country_questions_are_answered() {
    let twin = twin(&[]).await;
    let client = client(&twin);
    let kenya = country(KENYA);
    let profile = whole(&client, cp::CountryProfile { country: kenya }).await;
    assert_eq!(profile.location.unwrap().id, kenya);
    let gdp = profile.latest_gdp_per_capita.unwrap();
    assert_eq!((gdp.quantity, gdp.year), (Some(2274), Some(2024)));
    assert_eq!(profile.export_value.unwrap().round().to_string(), "16218559749");
    assert!(profile.growth_projection.is_some() && profile.diversification_grade.is_some());

    let range = cp::LookBackYearRange::TenYears;
    let lookback = whole(&client, cp::CountryLookback { country: kenya, range, class: None }).await;
    assert!(lookback.eci_rank_change.is_some() && lookback.id == Some(kenya), "{lookback:?}");
    let sitc = Some(Classification::Sitc);
    let year =
        whole(&client, cp::CountryYear { country: kenya, year: 2024, eci_class: sitc, coi_class: None })
            .await;
    assert_eq!(year.eci.unwrap().round_dp(2).to_string(), "-0.13");
    let years = Period { start: 2012, end: 2024 };
    let series =
        whole(&client, cp::CountryYearRange { country: kenya, years, eci_class: None, coi_class: None })
            .await;
    assert_eq!(series.gdp_per_capita.unwrap().len(), 13);
    let world =
        whole(&client, cp::GlobalDatum { range: Some(cp::LookBackYearRange::FiveYears), class: None }).await;
    assert_eq!(world.latest_eci_rank_total, Some(145));

    let tree = cp::TreeMapProducts { country: kenya, class: None, level: Level::FourDigit, year: Some(2024) };
    let tree = whole(&client, tree).await;
    let tea = tree.iter().find(|row| row.product.as_ref().unwrap().code.as_deref() == Some("0902")).unwrap();
    assert_eq!(tea.product.as_ref().unwrap().id, "product-HS92-727".parse().unwrap());
    assert!(tea.export_value > tea.import_value && tea.pci.is_some());
    let partners = whole(&client, cp::TreeMapPartners { country: kenya, year: Some(2024) }).await;
    assert!(partners.iter().any(|row| row.location.id == country(276)), "{}", partners.len());

    let class = Classification::Hs92;
    let level = Level::FourDigit;
    let deciles = cp::AllCountryProductYear { country: kenya, year: 2024, class, level };
    assert!(
        whole(&client, deciles).await.iter().any(|row| row.normalized_pci_decile_classification.is_some())
    );
    let range = cp::LookBackYearRange::FiveYears;
    let growth = cp::CountryProductLookback { country: kenya, range, level: Level::TwoDigit };
    assert!(whole(&client, growth).await.iter().any(|row| row.export_value_const_cagr.is_some()));
    let products = whole(&client, cp::AllProductYear { class, level, year: 2024 }).await;
    assert!(products.iter().any(|row| row.complexity_level == Some(cp::ComplexityLevel::Low)));
    let new = whole(&client, cp::NewProductsCountry { country: kenya, year: 2024 }).await;
    assert_eq!(new.new_product_count, Some(24));
    let peers = cp::NewProductsComparisonCountries { country: kenya, year: 2024, quantity: 3 };
    assert_eq!(whole(&client, peers).await.len(), 3);
    assert!(whole(&client, cp::AllLocations {}).await.iter().any(|row| row.id == kenya));
}

#[tokio::test]
async fn explore_questions_are_answered() {
    let twin = twin(&[]).await;
    let client = client(&twin);
    let kenya = country(KENYA);
    let (class, level, years) = (Classification::Hs92, Level::FourDigit, Y2024);
    let coffee: ProductId = "product-HS92-726".parse().unwrap();

    let rows =
        ex::CountryProductYear { level, class, services: true, country: Some(kenya), product: None, years };
    let rows = whole(&client, rows).await;
    assert!(rows.len() > 1000, "{}", rows.len());
    assert!(rows.iter().all(|row| row.country_id == Some(kenya) && row.year == Some(2024)));
    let one = ex::CountryProductYear {
        level,
        class,
        services: true,
        country: Some(kenya),
        product: Some(coffee),
        years,
    };
    let one = whole(&client, one).await;
    assert_eq!((one.len(), one[0].product_id), (1, Some(coffee)));

    let year = whole(&client, ex::CountryYear { country: Some(kenya), class, services: true, years }).await;
    assert_eq!(year[0].export_value.unwrap().round().to_string(), "16218559749");
    let world = ex::ProductYear { level, class, services: true, product: Some(coffee), years };
    assert_eq!(whole(&client, world).await[0].pci.unwrap().to_string(), "-2.2002");
    let pairs = ex::CountryCountryYear { class, services: false, country: Some(kenya), partner: None, years };
    assert!(whole(&client, pairs).await.iter().any(|row| row.partner_country_id == Some(country(840))));
    let pair = ex::CountryCountryProductYear {
        country: Some(kenya),
        partner: Some(country(840)),
        level,
        class,
        services: false,
        product: None,
        years,
    };
    assert!(!whole(&client, pair).await.is_empty());
    let groups = whole(&client, ex::LocationGroup { group_type: None }).await;
    let union = groups.iter().find(|group| group.group_name == "European Union").unwrap();
    assert_eq!(union.members.as_ref().unwrap().len(), 27);
    let PlaceId::Group(eu) = union.group_id else { panic!("{:?}", union.group_id) };
    let group = ex::GroupYear { class, group: Some(eu), group_type: None, years };
    assert_eq!(whole(&client, group).await[0].group_id, Some(union.group_id));
    let sold = ex::CountryGroupProductYear {
        partner_group: eu,
        level,
        class,
        services: false,
        product: None,
        country: Some(kenya),
        years,
    };
    assert!(!whole(&client, sold).await.is_empty());
    let exporters = ex::GroupCountryProductYear {
        group: 1,
        level,
        class,
        services: false,
        product: Some(coffee),
        partner: Some(kenya),
        years,
    };
    assert!(!whole(&client, exporters).await.is_empty());

    assert!(whole(&client, ex::LocationCountry {}).await.iter().any(|row| row.iso3_code == "KEN"));
    let products = whole(&client, ex::ProductHs92 { level: Some(level), services: true }).await;
    let tea = products.iter().find(|row| row.code == "0902").unwrap();
    assert_eq!((tea.product_id.number, tea.product_type.clone()), (727, Some(ex::ProductKind::Good)));
    let products = whole(&client, ex::ProductHs12 { level: Some(level), services: false }).await;
    assert_eq!(products.iter().find(|row| row.code == "0901").unwrap().product_id.number, 725);
    whole(&client, ex::ProductHs22 { level: Some(level), services: false }).await;
    whole(&client, ex::ProductSitc { level: Some(level), services: false }).await;
    assert!(whole(&client, ex::Year { years }).await[0].deflator.is_some());
    let available = whole(&client, ex::DataAvailability {}).await;
    let hs12 =
        available.iter().find(|row| row.product_classification == Some(ex::ProductClass::Hs12)).unwrap();
    assert_eq!((hs12.year_min, hs12.year_max), (Some(2012), Some(2024)));
    let thresholds = ex::CountryYearThresholds { class, country: Some(kenya), years };
    assert_eq!(whole(&client, thresholds).await.len(), 4);
    assert!(whole(&client, ex::Metadata {}).await.ingestion_date.is_some());

    let asked: std::collections::BTreeSet<_> =
        twin.log().into_iter().filter_map(|entry| entry.operation).collect();
    for document in documents().iter().filter(|document| document.file.contains("explore")) {
        assert!(asked.contains(document.name), "{} was not asked", document.name);
    }
}

#[tokio::test]
async fn errors_of_a_country_without_a_page_are_told_with_what_was_answered() {
    let twin = twin(&[]).await;
    let answer = client(&twin).ask(&cp::CountryProfile { country: country(438) }).await.unwrap();
    assert_eq!(answer.value, None);
    assert_eq!(answer.problems.len(), 1);
    assert_eq!(
        (answer.problems[0].origin, answer.problems[0].message.as_str()),
        (Origin::Server, "Not a supported country.")
    );
    assert_eq!(answer.reply.status, 200);
}

#[tokio::test]
async fn broken_queries_fail_in_their_field_with_the_servers_words() {
    let twin = twin(&[]).await;
    let client = client(&twin);
    let class = Some(Classification::Sitc);
    let answer = client
        .ask(&cp::TreeMapProducts {
            country: country(KENYA),
            class,
            level: Level::FourDigit,
            year: Some(2024),
        })
        .await
        .unwrap();
    assert!(answer.value.is_none() && answer.is_partial(), "{:?}", answer.problems);
    assert!(answer.problems[0].message.contains("free variable 'model'"), "{:?}", answer.problems);
    let future = cp::CountryYear { country: country(KENYA), year: 2030, eci_class: None, coi_class: None };
    assert!(client.ask(&future).await.unwrap().is_partial());
}

#[tokio::test]
async fn questions_that_make_no_sense_are_not_sent() {
    let twin = twin(&[]).await;
    let client = client(&twin);
    let coffee = "product-HS92-726".parse().unwrap();
    let mixed = ex::CountryProductYear {
        level: Level::FourDigit,
        class: Classification::Hs12,
        services: true,
        country: None,
        product: Some(coffee),
        years: Y2024,
    };
    let error = client.ask(&mixed).await.unwrap_err();
    assert!(matches!(&error, ApiError::Question(message) if message.contains("product-HS92-726")), "{error}");
    let hs12 = cp::AllProductYear { class: Classification::Hs12, level: Level::FourDigit, year: 2024 };
    assert!(matches!(client.ask(&hs12).await, Err(ApiError::Question(_))));
    assert_eq!(twin.log().len(), 0);
}

#[tokio::test]
async fn a_query_that_does_not_validate_is_refused_for_good_with_the_servers_words() {
    let twin = twin(&[]).await;
    let client = client(&twin);
    let api = atlas_gt::acquire::graphql::Api::Country;
    let error = client.send(api, "Q", "query Q { nothing }", serde_json::json!({})).await.unwrap_err();
    let ApiError::Refused { status, message, .. } = &error else { panic!("{error}") };
    assert_eq!(*status, 400);
    assert!(message.contains("Cannot query field \"nothing\""), "{message}");
    assert_eq!(twin.log().len(), 1, "a refusal is not asked again");
}

#[tokio::test]
async fn the_same_question_is_sent_once_however_often_and_from_wherever_it_is_asked() {
    let twin = twin(&["slow=50"]).await;
    let rate = rate();
    let client = with(&twin, rate.clone());
    let question = cp::CountryProfile { country: country(KENYA) };
    let other = cp::CountryProfile { country: country(76) };
    let answers = futures::future::join_all((0..20).map(|_| client.ask(&question))).await;
    let again = client.clone().ask(&question).await.unwrap();
    client.ask(&other).await.unwrap();
    assert!(answers.iter().all(|answer| answer.as_ref().unwrap().reply.hash == again.reply.hash));
    let log = twin.log();
    assert_eq!(log.len(), 2);
    assert_eq!(rate.requests(), 2, "what was not sent is not charged");
    assert!(log.iter().all(|entry| {
        entry.user_agent.as_deref()
            == Some(concat!("atlas-gt/", env!("CARGO_PKG_VERSION"), " (+test@example.org)"))
            && !entry.by_page
            && entry.operation.as_deref() == Some("CountryProfile")
    }));
}
