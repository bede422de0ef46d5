//! What is known of the site, asked of the twin over HTTP. Figures are those that its pages and APIs gave.

mod explore;
mod faults;
mod field_names;
mod golden;
mod groups;
mod quirks;
mod reference;
mod sitc;
mod six_digits;
mod vintage;
mod world_totals;

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

/// Data of a query to the Explore API that has no errors.
async fn explore(twin: &Twin, query: &str) -> Value {
    let request = client().post(format!("{}/api/graphql", twin.base_url)).json(&json!({ "query": query }));
    let mut body: Value = request.send().await.unwrap().json().await.unwrap();
    assert_eq!(body.get("errors"), None, "{query}");
    body["data"].take()
}

/// The rows of a field of an answer.
fn rows<'a>(data: &'a Value, field: &str) -> &'a [Value] {
    data[field].as_array().unwrap_or_else(|| panic!("no list {field}"))
}

/// Sum of a field over rows; null counts as nothing.
fn sum<'a>(rows: impl IntoIterator<Item = &'a Value>, field: &str) -> f64 {
    rows.into_iter().filter_map(|row| row[field].as_f64()).sum()
}

/// Whether two sums of dollars are the same but for rounding.
fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1.0 + a.abs().max(b.abs()) * 1e-9
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
