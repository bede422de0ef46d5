//! The GraphQL layer over HTTP, against the twin with all its quirks.

mod answers;
mod faults;
mod schema;

use std::sync::Arc;
use std::time::Duration;

use atlas_gt::acquire::Rate;
use atlas_gt::acquire::graphql::{ApiQuestion, Client, Patience};
use atlas_gt::atlas::CountryId;
use atlas_gt_twin::{Fault, Latency, Twin, TwinOptions, start};
use url::Url;

/// A twin without waits of its own.
async fn twin(faults: &[&str]) -> Twin {
    let faults = faults.iter().map(|text| text.parse::<Fault>().unwrap()).collect();
    let latency = Latency { min: Duration::ZERO, max: Duration::ZERO };
    let options = TwinOptions { latency, rate_limit: None, seed: Some(7), faults, ..TwinOptions::default() };
    start(options).await.unwrap()
}

/// Retries without long waits.
const QUICK: Patience = Patience {
    timeout: Duration::from_secs(20),
    attempts: 4,
    first_wait: Duration::from_millis(5),
    longest_wait: Duration::from_secs(3),
};

fn rate() -> Arc<Rate> {
    Arc::new(Rate::new(60_000))
}

fn client(twin: &Twin) -> Client {
    with(twin, rate())
}

fn with(twin: &Twin, rate: Arc<Rate>) -> Client {
    Client::with_patience(&Url::parse(&twin.base_url).unwrap(), Some("test@example.org"), rate, QUICK)
        .unwrap()
}

/// A question about a country.
fn about(code: u16) -> ApiQuestion {
    ApiQuestion::about(CountryId::new(code).unwrap())
}
