//! What is known of the site, asked of the twin over HTTP. Figures are those that its pages and APIs gave.

mod explore;
mod faults;
mod golden;
mod quirks;
mod vintage;

use super::{Fault, Latency, Twin, TwinOptions, start};
use serde_json::{Value, json};
use std::time::Duration;

/// As fast as can be, without limit: for tests that are about something else.
fn quick() -> TwinOptions {
    let latency = Latency { min: Duration::ZERO, max: Duration::ZERO };
    TwinOptions { latency, rate_limit: None, seed: Some(7), ..TwinOptions::default() }
}

async fn twin() -> Twin {
    start(quick()).await.unwrap()
}

async fn faulty(faults: &[&str]) -> Twin {
    let faults = faults.iter().map(|text| text.parse::<Fault>().unwrap()).collect();
    start(TwinOptions { faults, ..quick() }).await.unwrap()
}

fn client() -> reqwest::Client {
    // A second installation fails, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy().build().unwrap()
}

async fn post(twin: &Twin, body: &Value) -> reqwest::Response {
    client().post(format!("{}/api/countries/graphql", twin.base_url)).json(body).send().await.unwrap()
}

/// Status and body of a query.
async fn ask(twin: &Twin, query: &str) -> (u16, Value) {
    let response = post(twin, &json!({ "query": query })).await;
    (response.status().as_u16(), response.json().await.unwrap())
}

/// Data of a query that has no errors.
async fn data(twin: &Twin, query: &str) -> Value {
    let (status, mut body) = ask(twin, query).await;
    assert_eq!((status, body.get("errors")), (200, None), "{query}");
    body["data"].take()
}
