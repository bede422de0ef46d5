//! Live schemas are compared once a day, and only what depends on a difference is held back.

use std::collections::BTreeMap;

use atlas_gt::acquire::graphql::{
    Api, ApiError, ApiQuestion, Client, Effect, QueryDocument, SchemaCache, documents,
};
use atlas_gt::atlas::PlaceId;
use atlas_gt::extract::{Exchanges, number};
use jiff::{SignedDuration, Timestamp};

use super::{QUICK, about, client, rate, twin};

fn at() -> Timestamp {
    "2026-03-01T12:00:00Z".parse().unwrap()
}

#[tokio::test]
async fn the_twins_schemas_are_those_that_the_queries_were_written_for() {
    let twin = twin(&[]).await;
    let client = client(&twin);
    for &api in Api::ALL {
        let report = client.check_schema(api, &SchemaCache::none(), at()).await.unwrap();
        assert_eq!((report.differences.as_slice(), report.exit() as u8), (&[][..], 0));
        let all = documents().iter().filter(|document: &&QueryDocument| document.api == api).count();
        assert_eq!((report.usable, report.documents), (all, all));
    }
}

#[tokio::test]
async fn a_schema_is_asked_for_once_a_day() {
    let folder = tempfile::tempdir().unwrap();
    let cache = SchemaCache::at(folder.path());
    let twin = twin(&[]).await;
    for (hours, cached, requests) in [(0, false, 1), (23, true, 1), (24, false, 2), (25, true, 2)] {
        // a client a run: nothing is remembered but what the folder holds
        let now = at() + SignedDuration::from_hours(hours);
        let report = client(&twin).check_schema(Api::Country, &cache, now).await.unwrap();
        assert_eq!((report.cached, twin.log().len()), (cached, requests), "after {hours} h");
    }
    client(&twin).check_schema(Api::Country, &cache.clone().renewed(), at()).await.unwrap();
    assert_eq!(twin.log().len(), 3);
}

#[tokio::test]
async fn decision_13_a_schema_with_errors_beside_it_is_none_and_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let cache = SchemaCache::at(folder.path());
    let twin = twin(&["errors-with-data=enumValues"]).await;
    let client = client(&twin);
    let error = client.check_schema(Api::Country, &cache, at()).await.unwrap_err();
    assert!(
        matches!(&error, ApiError::Unreadable { message, .. } if message.contains("enumValues")),
        "{error}"
    );
    assert!(!cache.has(client.base(), Api::Country, at()));
    twin.set_faults(Vec::new());
    let report = client.check_schema(Api::Country, &cache, at()).await.unwrap();
    assert_eq!((report.cached, report.exit() as u8), (false, 0));
    assert!(cache.has(client.base(), Api::Country, at()));
}

/// A cache that says the live schema is the country pages' with some text replaced, and a client that reads it.
async fn differing(
    base: &str,
    replaced: &[(&str, &str)],
) -> (Client, atlas_gt::acquire::graphql::SchemaReport) {
    let folder = tempfile::tempdir().unwrap();
    let cache = SchemaCache::at(folder.path());
    let client = Client::with_patience(&base.parse().unwrap(), None, rate(), QUICK).unwrap();
    client.check_schema(Api::Country, &cache, at()).await.unwrap();
    let file = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let mut kept: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let mut body = kept["body"].as_str().unwrap().to_owned();
    for (from, to) in replaced {
        assert!(body.contains(from), "{from}");
        body = body.replace(from, to);
    }
    kept["hash"] = blake3::hash(body.as_bytes()).to_hex().as_str().into();
    kept["body"] = body.into();
    std::fs::write(&file, kept.to_string()).unwrap();
    let report = client.check_schema(Api::Country, &cache, at()).await.unwrap();
    assert!(report.cached);
    (client, report)
}

#[tokio::test]
async fn only_what_depends_on_a_difference_is_held_back() {
    let twin = twin(&[]).await;
    let (client, report) =
        differing(&twin.base_url, &[("\"latestEciRank\"", "\"eciRankNow\""), ("\"TenYears\"", "\"Decade\"")])
            .await;
    assert_eq!((report.exit() as u8, report.disabled.join(" ").as_str()), (3, "CountryProfile"));
    let elements: Vec<_> = report.differences.iter().map(|d| (d.element.as_str(), d.effect)).collect();
    assert_eq!(
        elements,
        [
            ("CountryProfile.eciRankNow", Effect::None),
            ("CountryProfile.latestEciRank", Effect::Query),
            ("LookBackYearRange.Decade", Effect::None),
            ("LookBackYearRange.TenYears", Effect::Word),
        ]
    );
    let before = twin.log().len();
    let error = client.query(Api::Country, "CountryProfile", &about(404)).await.unwrap_err();
    assert!(
        matches!(&error, ApiError::Disabled { because, .. } if because == "CountryProfile.latestEciRank"),
        "{error}"
    );
    let lookback = async |window: &str| {
        let question = ApiQuestion { window: Some(window.to_owned()), ..about(404) };
        client.query(Api::Country, "CountryLookback", &question).await
    };
    let error = lookback("TenYears").await.unwrap_err();
    assert!(error.to_string().contains("LookBackYearRange.TenYears"), "{error}");
    assert_eq!(twin.log().len(), before, "nothing was sent");
    assert!(lookback("FiveYears").await.is_ok());
}

/// What a spec knows by a new name is asked by it, of every type that has it so, and the answer has the name that we know.
#[tokio::test]
async fn a_field_that_is_known_by_a_new_name_is_asked_by_it() {
    let twin = twin(&["fields-renamed=2"]).await;
    let client = client(&twin);
    let of_world = ApiQuestion { subject: Some(PlaceId::Group(1)), ..ApiQuestion::default() };
    let world = async || client.query(Api::Explore, "GroupYear", &of_world).await;
    let names = |known: &[(&str, &str)]| -> BTreeMap<String, String> {
        known.iter().map(|(old, now)| ((*old).to_owned(), (*now).to_owned())).collect()
    };
    let trade = [("exportValue", "valueOfExports"), ("importValue", "goodsBought")];
    let all = [trade[0], trade[1], ("population", "people")];
    // a name that the type has not, and one that is not known
    let wrong = [trade[0], trade[1], ("population", "inhabitants")];
    for known in [&wrong[..], &trade] {
        client.check_schema_with(Api::Explore, &names(known), &SchemaCache::none(), at()).await.unwrap();
        let error = world().await.unwrap_err();
        assert!(
            matches!(&error, ApiError::Disabled { because, .. } if because == "GroupYear.population"),
            "{error}"
        );
    }
    let report =
        client.check_schema_with(Api::Explore, &names(&all), &SchemaCache::none(), at()).await.unwrap();
    assert!(!report.disabled.contains(&"GroupYear".to_owned()), "{:?}", report.disabled);
    assert!(report.disabled.contains(&"CountryProductYear".to_owned()), "distance has no known name");
    let answer = world().await.unwrap();
    assert!(answer.request.contains("exportValue: valueOfExports"), "{}", answer.request);
    let answers = [answer];
    let read = Exchanges::read_ours(&answers, &[]);
    let root = read.named("groupYear").next().unwrap();
    for field in ["exportValue", "importValue", "population"] {
        let keys = root.keys(field).unwrap();
        assert!(root.rows().all(|row| root.at(row, &keys).and_then(number).is_some()), "{field}");
    }
    // what a page asks for under another name of its own is no field of ours
    assert_eq!(Exchanges::read(&answers, &[]).named("groupYear").next().unwrap().keys("exportValue"), None);
}

#[tokio::test]
async fn what_is_held_back_is_let_go_when_the_schema_is_as_before() {
    let twin = twin(&[]).await;
    let (client, _) = differing(&twin.base_url, &[("\"latestEciRank\"", "\"eciRankNow\"")]).await;
    let asked = async || client.query(Api::Country, "CountryProfile", &about(404)).await;
    assert!(asked().await.is_err());
    client.check_schema(Api::Country, &SchemaCache::none(), at()).await.unwrap();
    assert!(asked().await.is_ok());
}

#[tokio::test]
async fn a_site_without_introspection_is_told() {
    let twin = twin(&["server-error"]).await;
    let error = client(&twin).check_schema(Api::Explore, &SchemaCache::none(), at()).await.unwrap_err();
    assert!(matches!(error, ApiError::Busy { .. }), "{error}");
}

/// The command itself.
fn introspect(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_atlas-gt"))
        .args(["api", "introspect"])
        .args(arguments)
        .env_remove("ATLAS_GT_SITE")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_command_says_what_differs() {
    let (code, table, _) = introspect(&["--site", "twin"]);
    assert_eq!(code, Some(0), "{table}");
    assert!(
        table.contains("country API") && table.contains("0 differences, 8 of 8 queries usable"),
        "{table}"
    );
    let (code, text, _) = introspect(&["--site", "twin", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (code, json["apis"][0]["api"].as_str(), json["apis"][1]["documents"].as_u64()),
        (Some(0), Some("explore"), Some(8))
    );
    let (code, text, error) = introspect(&["--site", "http://127.0.0.1:9", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(code, Some(5), "{error}");
    assert!(json["apis"][0]["error"].as_str().unwrap().contains("refused"), "{text}");
}
