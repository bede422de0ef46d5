//! Every query document is answered, answers are read, partial ones say what is missing, and nothing is asked twice.

use atlas_gt::acquire::graphql::{Api, ApiError, ApiQuestion, Client, documents};
use atlas_gt::atlas::PlaceId;
use atlas_gt::value::{Classification, Period};
use serde_json::Value;

use super::{about, client, rate, twin, with};

const KENYA: u16 = 404;

/// A question that holds a part for every variable of every document.
fn everything() -> ApiQuestion {
    ApiQuestion {
        class: Some(Classification::Hs92),
        level: Some(4),
        years: Some(Period::year(2024)),
        window: Some("TenYears".to_owned()),
        code: Some("0901".to_owned()),
        target: Some("HS2012".to_owned()),
        ..about(KENYA)
    }
}

/// The answered field, which has to be whole.
async fn whole(client: &Client, api: Api, name: &str, question: &ApiQuestion) -> Value {
    let exchange = client.query(api, name, question).await.unwrap_or_else(|error| panic!("{name}: {error}"));
    let answer: Value = serde_json::from_str(&exchange.response).unwrap();
    assert_eq!((exchange.status, answer.get("errors")), (200, None), "{name}");
    assert!(exchange.url.ends_with(api.path()) && exchange.request.contains(name), "{name}");
    answer["data"]["data"].clone()
}

#[tokio::test]
async fn every_document_is_answered_with_what_it_asks_for() {
    let twin = twin(&[]).await;
    let client = client(&twin);
    for document in documents() {
        let group = Some(PlaceId::Group(1));
        let mut question = everything();
        if document.name.starts_with("Group") {
            (question.subject, question.partner) = (group, question.subject);
        } else if document.name.contains("Group") {
            question.partner = group;
        } else {
            question.partner = about(840).subject;
        }
        let data = whole(&client, document.api, document.name, &question).await;
        let rows = data.as_array().map_or(1, Vec::len);
        // the site answers an empty list
        let filled = rows > 0 || document.name == "ProductProduct";
        assert!(!data.is_null() && filled, "{}: {data}", document.name);
    }
    let mut asked = twin.log().into_iter().filter_map(|entry| entry.operation).collect::<Vec<_>>();
    // on a busy machine one may be sent again
    asked.dedup();
    assert_eq!(asked, documents().iter().map(|document| document.name).collect::<Vec<_>>());
}

#[tokio::test]
async fn questions_narrow_what_is_answered() {
    let twin = twin(&[]).await;
    let client = client(&twin);
    let profile = whole(&client, Api::Country, "CountryProfile", &about(KENYA)).await;
    assert_eq!(profile["latestGdpPerCapita"], serde_json::json!({"quantity": 2274, "year": 2024}));
    let coffee = ApiQuestion { product: Some("product-HS92-726".parse().unwrap()), ..everything() };
    let one = whole(&client, Api::Explore, "CountryProductYear", &coffee).await;
    assert_eq!((one.as_array().unwrap().len(), &one[0]["productId"]), (1, &"product-HS92-726".into()));
    let all = whole(&client, Api::Explore, "CountryProductYear", &everything()).await;
    let services = ApiQuestion { services: true, ..everything() };
    let with_services = whole(&client, Api::Explore, "CountryProductYear", &services).await;
    assert!(with_services.as_array().unwrap().len() > all.as_array().unwrap().len());
    let rows = all.as_array().unwrap();
    assert!(
        rows.iter().all(|row| row["countryId"] == "country-404" && row["year"] == 2024),
        "{}",
        rows.len()
    );
}

#[tokio::test]
async fn answers_are_read() {
    let twin = twin(&[]).await;
    let client = client(&twin);
    let world = ApiQuestion { window: Some("FiveYears".to_owned()), ..ApiQuestion::default() };
    let answer = client.answer(Api::Country, "GlobalDatum", &world).await.unwrap();
    assert_eq!((answer.errors.len(), &answer.data["latestEciRankTotal"]), (0, &145.into()));
    let answer = client.answer(Api::Explore, "Metadata", &ApiQuestion::default()).await.unwrap();
    assert!(answer.data["ingestionDate"].is_string());
}

/// A document that nobody sends is no part of the program: each is named, or asked by the field that values are read from.
#[test]
fn every_document_has_somebody_who_sends_it() {
    fn read(folder: &std::path::Path, text: &mut String) {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let aside = ["graphql", "atlas", "twin"].iter().any(|name| entry.ends_with(name));
            if entry.is_dir() && !aside {
                read(&entry, text);
            } else if entry.extension().is_some_and(|extension| extension == "rs" || extension == "toml") {
                text.push_str(&std::fs::read_to_string(entry).unwrap());
            }
        }
    }
    let mut text = String::new();
    for folder in ["src", "crates", "manifests/extractors"] {
        read(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut text);
    }
    for document in documents() {
        let name = document.name;
        let field = name[..1].to_lowercase() + &name[1..];
        let ways = [format!("\"{name}\""), format!("\"{field}\"")];
        assert!(ways.iter().any(|way| text.contains(way)), "{} is sent by nobody", document.file);
    }
}

#[tokio::test]
async fn errors_of_a_country_without_a_page_are_told_with_what_was_answered() {
    let twin = twin(&[]).await;
    let exchange = client(&twin).query(Api::Country, "CountryProfile", &about(438)).await.unwrap();
    assert!(exchange.response.contains("Not a supported country."), "{}", exchange.response);
    assert_eq!(exchange.status, 200);
}

#[tokio::test]
async fn broken_queries_fail_in_their_field_with_the_servers_words() {
    let twin = twin(&[]).await;
    let client = client(&twin);
    let sitc = ApiQuestion { class: Some(Classification::Sitc), ..everything() };
    let exchange = client.query(Api::Country, "TreeMapProducts", &sitc).await.unwrap();
    assert!(exchange.response.contains("free variable 'model'"), "{}", exchange.response);
    let future = ApiQuestion { years: Some(Period::year(2030)), ..everything() };
    let exchange = client.query(Api::Country, "CountryYear", &future).await.unwrap();
    assert!(exchange.response.contains("\"errors\""), "{}", exchange.response);
}

#[tokio::test]
async fn questions_that_make_no_sense_are_not_sent() {
    let twin = twin(&[]).await;
    let client = client(&twin);
    let product = Some("product-HS92-726".parse().unwrap());
    let hs12 = ApiQuestion { class: Some(Classification::Hs12), product, ..everything() };
    let error = client.query(Api::Explore, "CountryProductYear", &hs12).await.unwrap_err();
    assert!(matches!(&error, ApiError::Question(message) if message.contains("product-HS92-726")), "{error}");
    for name in ["AllProductYear", "NoSuchDocument"] {
        let asked = client.query(Api::Country, name, &hs12).await;
        assert!(matches!(asked, Err(ApiError::Question(_))), "{name}");
    }
    assert_eq!(twin.log().len(), 0);
}

#[tokio::test]
async fn a_query_that_does_not_validate_is_refused_for_good_with_the_servers_words() {
    let twin = twin(&[]).await;
    let client = client(&twin);
    let error =
        client.send(Api::Country, "Q", "query Q { nothing }", serde_json::json!({})).await.unwrap_err();
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
    let (question, other) = (about(KENYA), about(76));
    let ask = |question| client.query(Api::Country, "CountryProfile", question);
    let answers = futures::future::join_all((0..20).map(|_| ask(&question))).await;
    let again = client.clone().query(Api::Country, "CountryProfile", &question).await.unwrap();
    ask(&other).await.unwrap();
    assert!(answers.iter().all(|answer| answer.as_ref().unwrap() == &again));
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
