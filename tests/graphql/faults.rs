//! What is wrong for a while is asked again, within the budget; what stays wrong is told.

use std::io::Write;
use std::time::{Duration, Instant};

use atlas_gt::acquire::graphql::{ApiError, Client, Patience, country as cp};

use super::{QUICK, client, country, rate, twin, with};

const KENYA: cp::CountryProfile =
    cp::CountryProfile { country: atlas_gt::atlas::CountryId::new(404).unwrap() };

#[tokio::test]
async fn passing_faults_are_asked_again_and_every_request_is_charged() {
    for (fault, statuses) in [
        ("server-error=2", vec![500, 500, 200]),
        ("too-many=1", vec![429, 200]),
        ("half-json=1", vec![200, 200]),
        ("reset=2", vec![0, 0, 200]),
    ] {
        let twin = twin(&[fault]).await;
        let rate = rate();
        let answer =
            with(&twin, rate.clone()).ask(&KENYA).await.unwrap_or_else(|error| panic!("{fault}: {error}"));
        assert!(answer.value.is_some() && !answer.is_partial(), "{fault}");
        assert_eq!(twin.log().iter().map(|entry| entry.status).collect::<Vec<_>>(), statuses, "{fault}");
        assert_eq!(rate.requests(), statuses.len() as u64, "{fault}");
    }
}

#[tokio::test]
async fn retry_after_wins_over_the_backoff() {
    let twin = twin(&["too-many-retry-after=1"]).await;
    client(&twin).ask(&KENYA).await.unwrap();
    let log = twin.log();
    // the backoff alone would have asked after 5 to 10 ms
    assert!(log[1].at - log[0].at >= Duration::from_millis(990), "{log:?}");
}

#[tokio::test]
async fn retry_after_holds_everybody_who_shares_the_budget() {
    let twin = twin(&["too-many-retry-after=1"]).await;
    let rate = rate();
    let patience = Patience { attempts: 1, ..QUICK };
    let base = twin.base_url.parse().unwrap();
    let hasty = Client::with_patience(&base, None, rate.clone(), patience).unwrap();
    assert!(matches!(hasty.ask(&KENYA).await, Err(ApiError::Busy { status: 429, .. })));
    with(&twin, rate.clone()).ask(&KENYA).await.unwrap();
    let log = twin.log();
    assert!(log[1].at - log[0].at >= Duration::from_millis(990), "{log:?}");
    // how long depends on how late the second one came
    assert!(rate.waited() > Duration::ZERO);
}

#[tokio::test]
async fn a_retry_after_beyond_patience_ends_the_trying() {
    let twin = twin(&["too-many-retry-after"]).await;
    let patience = Patience { longest_wait: Duration::from_millis(500), ..QUICK };
    let base = twin.base_url.parse().unwrap();
    let error = Client::with_patience(&base, None, rate(), patience).unwrap().ask(&KENYA).await.unwrap_err();
    assert!(error.to_string().contains("HTTP 429, come back in 1 s"), "{error}");
    assert_eq!(twin.log().len(), 1);
}

#[tokio::test]
async fn what_stays_wrong_is_told_and_can_be_asked_again_later() {
    let twin = twin(&["server-error"]).await;
    let client = client(&twin);
    let error = client.ask(&KENYA).await.unwrap_err();
    assert!(matches!(error, ApiError::Busy { status: 500, .. }), "{error}");
    assert_eq!(atlas_gt::error::Error::from(error).exit() as u8, 5);
    assert_eq!(twin.log().len(), QUICK.attempts);
    twin.set_faults(vec![]);
    assert!(client.ask(&KENYA).await.unwrap().value.is_some());
}

#[tokio::test]
async fn a_page_that_blocks_is_no_answer() {
    let twin = twin(&["soft-block-page"]).await;
    let error = client(&twin).ask(&KENYA).await.unwrap_err();
    assert!(
        matches!(&error, ApiError::Unreadable { message, .. } if message.contains("<!doctype")),
        "{error}"
    );
}

#[tokio::test]
async fn silence_is_cut_short() {
    let twin = twin(&["slow=60000"]).await;
    let patience = Patience { timeout: Duration::from_millis(100), attempts: 2, ..QUICK };
    let base = twin.base_url.parse().unwrap();
    let error = Client::with_patience(&base, None, rate(), patience).unwrap().ask(&KENYA).await.unwrap_err();
    assert!(error.to_string().contains("no answer within 0.1 s"), "{error}");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let twin = twin(&[]).await;
    let client = client(&twin);
    twin.shutdown().await;
    let error = client.ask(&KENYA).await.unwrap_err();
    assert!(matches!(&error, ApiError::Connection { message, .. } if message.contains("refused")), "{error}");
}

/// A server with odd answers, one a request.
fn odd(answers: Vec<String>) -> url::Url {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for answer in answers {
            let (mut stream, _) = listener.accept().unwrap();
            read_request(&mut stream);
            let head = format!("HTTP/1.1 {answer}");
            stream.write_all(head.as_bytes()).unwrap();
        }
    });
    format!("http://{address}").parse().unwrap()
}

/// Reads a request whole: closing with unread bytes would reset the connection.
fn read_request(stream: &mut std::net::TcpStream) {
    use std::io::Read;
    let (mut text, mut chunk) = (String::new(), [0; 4096]);
    loop {
        let got = stream.read(&mut chunk).unwrap();
        text.push_str(&String::from_utf8_lossy(&chunk[..got]));
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length =
            head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if got == 0 || body.len() >= length.unwrap_or(0) {
            return;
        }
    }
}

fn json(status: &str, headers: &str, body: &str) -> String {
    format!("{status}\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n{body}", body.len())
}

#[tokio::test]
async fn retry_after_as_a_date_is_heeded() {
    let at = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(3);
    let date = at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
    let base = odd(vec![
        json("503 Busy", &format!("retry-after: {date}\r\n"), ""),
        json("200 OK", "", r#"{"data": {"data": null}}"#),
    ]);
    let started = Instant::now();
    Client::with_patience(&base, None, rate(), QUICK).unwrap().ask(&KENYA).await.unwrap();
    // the date has no fraction of a second
    assert!(started.elapsed() >= Duration::from_millis(900), "{:?}", started.elapsed());
}

#[tokio::test]
async fn odd_data_costs_itself_and_unknown_words_cost_nothing() {
    let body = r#"{"data": {"data": {"location": {"id": "location-404", "code": null, "shortName": "Kenya", "longName": "Kenya"},
        "exportValue": {"quantity": 5, "year": 2024}, "latestEciRank": 101.0, "diversificationGrade": "EPlus", "latestEci": "high",
        "marketShareMainSector": {"id": "product-new-1", "code": "1"}}},
        "errors": [{"message": "'NoneType'", "path": ["data", "latestGdp"]}]}"#;
    let base = odd(vec![json("200 OK", "", body)]);
    let answer = Client::with_patience(&base, None, rate(), QUICK).unwrap().ask(&KENYA).await.unwrap();
    let row = answer.value.unwrap();
    assert_eq!((row.location, row.export_value, row.latest_eci), (None, None, None));
    assert_eq!(row.latest_eci_rank, Some(101));
    assert_eq!(row.diversification_grade, Some(cp::DiversificationGrade::Other("EPlus".into())));
    assert_eq!(row.market_share_main_sector, None);
    let problems: Vec<String> = answer.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems.len(), 5, "{problems:#?}");
    assert_eq!(problems[0], "data.latestGdp: 'NoneType'");
    assert_eq!(problems[1], "data.location.code: null where there always was a value");
    assert_eq!(answer.reply.body, body.as_bytes());
    assert_eq!(answer.reply.hash.as_str(), blake3::hash(body.as_bytes()).to_hex().as_str());
}

#[tokio::test]
async fn no_data_at_all_is_a_failure_in_the_servers_words() {
    let base = odd(vec![json(
        "200 OK",
        "",
        r#"{"data": null, "errors": [{"message": "boom"}, {"message": "bang"}]}"#,
    )]);
    let error = Client::with_patience(&base, None, rate(), QUICK).unwrap().ask(&KENYA).await.unwrap_err();
    assert!(matches!(&error, ApiError::Failed { message, .. } if message == "boom; bang"), "{error}");
    assert_eq!(country(404), KENYA.country);
}
