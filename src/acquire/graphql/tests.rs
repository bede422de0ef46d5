//! The query documents against their schemas, and the client against the twin and against servers that fail.

use apollo_compiler::{ExecutableDocument, Schema};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::*;
use crate::error::Exit;
use crate::twin::{self, Fault, TwinOptions};

const SCHEMAS: [(&str, &str); 2] = [
    ("country_", include_str!("../../../graphql/country.graphql")),
    ("explore_", include_str!("../../../graphql/explore.graphql")),
];

#[test]
fn every_query_document_is_valid_for_its_schema() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/graphql/queries");
    let mut checked = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let (prefix, sdl) = SCHEMAS
            .into_iter()
            .find(|(prefix, _)| name.starts_with(prefix))
            .unwrap_or_else(|| panic!("{name}: begin the name with country_ or explore_"));
        let schema = Schema::parse_and_validate(sdl, prefix).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        if let Err(error) = ExecutableDocument::parse_and_validate(&schema, &text, &name) {
            panic!("{name}: {}", error.errors);
        }
        checked += 1;
    }
    assert!(checked >= 2, "{checked} documents");
}

#[test]
fn a_document_that_does_not_fit_is_noticed() {
    let schema = Schema::parse_and_validate(SCHEMAS[0].1, "country").unwrap();
    assert!(ExecutableDocument::parse_and_validate(&schema, "{ globalDatum { noSuchField } }", "q").is_err());
}

async fn asked(options: TwinOptions) -> (twin::Twin, GraphQl, Rate) {
    let twin = twin::start(options).await.unwrap();
    let client = GraphQl::new(twin.base_url.parse().unwrap(), Some("team@example.org")).unwrap();
    (twin, client, Rate::new(6000))
}

fn datum() -> country_global_datum::Variables {
    country_global_datum::Variables { years: country_global_datum::LookBackYearRange::FiveYears }
}

#[tokio::test]
async fn both_apis_answer_typed_and_know_who_asks() {
    let (twin, client, rate) = asked(TwinOptions::default()).await;
    let country = client.ask::<CountryGlobalDatum>(&rate, Api::Country, datum()).await.unwrap();
    assert_eq!(country.global_datum.unwrap().latest_eci_rank_total, Some(145));
    let explore =
        client.ask::<ExploreMetadata>(&rate, Api::Explore, explore_metadata::Variables).await.unwrap();
    assert!(explore.metadata.unwrap().ingestion_date.is_some());
    assert_eq!(client.page(&rate, "/countries/404").await.unwrap(), 200);
    assert_eq!(rate.requests(), 3);
    let agents: Vec<_> = twin.log().into_iter().map(|entry| entry.user_agent.unwrap()).collect();
    let expected = format!("atlas-gt/{} (+team@example.org)", env!("CARGO_PKG_VERSION"));
    assert_eq!(agents, [expected.clone(), expected.clone(), expected]);
    twin.shutdown().await;
}

#[tokio::test]
async fn refusals_and_half_answers_are_the_site_s_failures() {
    for (fault, expected) in [
        ("too-many", "429"),
        ("server-error", "500"),
        ("half-json", "does not fit the schema"),
        ("soft-block-page", "does not fit the schema"),
        ("reset", "POST http://127.0.0.1"),
    ] {
        let faults = vec![fault.parse::<Fault>().unwrap()];
        let (twin, client, rate) = asked(TwinOptions { faults, ..TwinOptions::default() }).await;
        let error = client.ask::<CountryGlobalDatum>(&rate, Api::Country, datum()).await.unwrap_err();
        assert_eq!(error.exit(), Exit::Site, "{fault}");
        assert!(error.to_string().contains(expected), "{fault}: {error}");
        twin.shutdown().await;
    }
}

/// A server that answers one request with the given bytes.
async fn once(answer: &'static str) -> Url {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = [0; 4096];
        let _ = stream.read(&mut request).await.unwrap();
        stream.write_all(answer.as_bytes()).await.unwrap();
        stream.shutdown().await.unwrap();
    });
    format!("http://{address}").parse().unwrap()
}

#[tokio::test]
async fn errors_of_the_api_are_told_in_its_words() {
    let base = once(
        "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n\
         {\"errors\":[{\"message\":\"Cannot query field x\"}]}",
    )
    .await;
    let client = GraphQl::new(base, None).unwrap();
    let error = client.ask::<CountryGlobalDatum>(&Rate::new(60), Api::Country, datum()).await.unwrap_err();
    assert!(error.to_string().contains("Cannot query field x"), "{error}");
}

#[tokio::test]
async fn nobody_there_is_said_with_the_cause() {
    // bound and closed again: nobody listens there
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let client = GraphQl::new(format!("http://127.0.0.1:{port}").parse().unwrap(), None).unwrap();
    let error = client.page(&Rate::new(60), "/").await.unwrap_err();
    assert_eq!(error.exit(), Exit::Site);
    assert!(error.to_string().to_lowercase().contains("refused"), "{error}");
}
