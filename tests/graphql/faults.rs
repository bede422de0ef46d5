//! What is wrong for a while is asked again, within the budget; what stays wrong is told.

use std::io::Write;
use std::time::{Duration, Instant};

use atlas_gt::acquire::graphql::{Api, ApiError, ApiQuestion, Client, Patience};
use atlas_gt::capture::Exchange;

use super::{QUICK, about, client, rate, twin, with};

async fn ask(client: &Client) -> Result<Exchange, ApiError> {
    client.query(Api::Country, "CountryProfile", &about(404)).await
}

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
        let answer = ask(&with(&twin, rate.clone())).await.unwrap_or_else(|error| panic!("{fault}: {error}"));
        assert!(!answer.response.contains("errors"), "{fault}");
        assert_eq!(twin.log().iter().map(|entry| entry.status).collect::<Vec<_>>(), statuses, "{fault}");
        assert_eq!(rate.requests(), statuses.len() as u64, "{fault}");
    }
}

#[tokio::test]
async fn retry_after_wins_over_the_backoff() {
    let twin = twin(&["too-many-retry-after=1"]).await;
    ask(&client(&twin)).await.unwrap();
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
    assert!(matches!(ask(&hasty).await, Err(ApiError::Busy { status: 429, .. })));
    ask(&with(&twin, rate.clone())).await.unwrap();
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
    let error = ask(&Client::with_patience(&base, None, rate(), patience).unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("HTTP 429, retry in 1 s"), "{error}");
    assert_eq!(twin.log().len(), 1);
}

#[tokio::test]
async fn what_stays_wrong_is_told_and_can_be_asked_again_later() {
    let twin = twin(&["server-error"]).await;
    let client = client(&twin);
    let error = ask(&client).await.unwrap_err();
    assert!(matches!(error, ApiError::Busy { status: 500, .. }), "{error}");
    assert_eq!(atlas_gt::error::Error::from(error).exit() as u8, 5);
    assert_eq!(twin.log().len(), QUICK.attempts);
    twin.set_faults(vec![]);
    assert!(ask(&client).await.is_ok());
}

#[tokio::test]
async fn decision_13_a_partial_answer_is_not_kept_for_the_run() {
    let twin = twin(&["errors-with-data=latestGdpPerCapita"]).await;
    let client = client(&twin);
    let partial = ask(&client).await.unwrap();
    assert!(partial.response.contains("\"errors\""), "{partial:?}");
    twin.set_faults(vec![]);
    let whole = ask(&client).await.unwrap();
    assert!(!whole.response.contains("\"errors\""), "{whole:?}");
    assert_eq!(ask(&client).await.unwrap(), whole);
    assert_eq!(twin.log().len(), 2, "what is whole is kept");
}

#[tokio::test]
async fn an_answer_that_stays_partial_is_asked_for_as_often_as_patience_admits() {
    let twin = twin(&["errors-with-data=latestGdpPerCapita"]).await;
    let client = client(&twin);
    for _ in 0..3 * QUICK.attempts {
        assert!(ask(&client).await.unwrap().response.contains("\"errors\""));
    }
    assert_eq!(twin.log().len(), QUICK.attempts);
}

#[tokio::test]
async fn a_page_that_blocks_is_no_answer() {
    let twin = twin(&["soft-block-page"]).await;
    let error = ask(&client(&twin)).await.unwrap_err();
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
    let error = ask(&Client::with_patience(&base, None, rate(), patience).unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("no answer within 0.1 s"), "{error}");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let twin = twin(&[]).await;
    let client = client(&twin);
    twin.shutdown().await;
    let error = ask(&client).await.unwrap_err();
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
    ask(&Client::with_patience(&base, None, rate(), QUICK).unwrap()).await.unwrap();
    // the date has no fraction of a second
    assert!(started.elapsed() >= Duration::from_millis(900), "{:?}", started.elapsed());
}

#[tokio::test]
async fn an_odd_answer_is_kept_byte_for_byte_and_read_as_far_as_it_goes() {
    let body = r#"{"data": {"data": {"latestEciRankTotal": 145, "newField": 1}},
        "errors": [{"message": "'NoneType'", "path": ["data", "globalExportValue"]}]}"#;
    let base = odd(vec![json("200 OK", "", body)]);
    let client = Client::with_patience(&base, None, rate(), QUICK).unwrap();
    let world = ApiQuestion { window: Some("FiveYears".to_owned()), ..ApiQuestion::default() };
    let answer = client.answer(Api::Country, "GlobalDatum", &world).await.unwrap();
    assert_eq!(answer.errors, ["data.globalExportValue: 'NoneType'"]);
    assert_eq!(answer.data["latestEciRankTotal"], 145);
    let base = odd(vec![json("200 OK", "", body)]);
    let exchange = ask(&Client::with_patience(&base, None, rate(), QUICK).unwrap()).await.unwrap();
    assert_eq!(exchange.response, body);
}

#[tokio::test]
async fn no_data_at_all_is_a_failure_in_the_servers_words() {
    let base = odd(vec![json(
        "200 OK",
        "",
        r#"{"data": null, "errors": [{"message": "boom"}, {"message": "bang"}]}"#,
    )]);
    let error = ask(&Client::with_patience(&base, None, rate(), QUICK).unwrap()).await.unwrap_err();
    assert!(matches!(&error, ApiError::Failed { message, .. } if message == "boom; bang"), "{error}");
}
