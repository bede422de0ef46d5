//! What a twin is started with.

use super::fault::Fault;
use super::site::Skin;
use std::time::Duration;

/// How long an API request takes: drawn evenly between the two, per request, from the seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Latency {
    /// At least this long.
    pub min: Duration,
    /// Less than this long.
    pub max: Duration,
}

impl Latency {
    /// Fast enough for tests, uneven enough that answers overtake each other: 5 to 40 ms.
    pub const SMALL: Self = Self { min: Duration::from_millis(5), max: Duration::from_millis(40) };
    /// As the real site answers: 200 to 500 ms.
    pub const REAL: Self = Self { min: Duration::from_millis(200), max: Duration::from_millis(500) };
}

/// Options of [`start`](super::start).
#[derive(Debug, Clone)]
pub struct TwinOptions {
    /// Port on loopback; 0 picks a free port.
    pub port: u16,
    /// How the pages are built.
    pub skin: Skin,
    /// Seeds class names and latencies; `None` takes a new one at each start.
    pub seed: Option<u64>,
    /// How long API requests take.
    pub latency: Latency,
    /// API requests per client in any 60 seconds, over both endpoints; `None` is without limit.
    pub rate_limit: Option<u32>,
    /// Whether a 429 carries `Retry-After`.
    pub retry_after: bool,
    /// What is wrong from the start.
    pub faults: Vec<Fault>,
    /// The release of the data: 2024, or 2027, which says some things otherwise.
    pub vintage: i32,
}

impl Default for TwinOptions {
    fn default() -> Self {
        Self {
            port: 0,
            skin: Skin::Hashed,
            seed: None,
            latency: Latency::SMALL,
            rate_limit: Some(120),
            retry_after: false,
            faults: Vec::new(),
            vintage: 2024,
        }
    }
}
