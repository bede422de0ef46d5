//! The options of a twin.

use super::fault::Fault;
use super::site::Skin;
use std::time::Duration;

/// The latency of API requests, drawn uniformly from the seed for each request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Latency {
    /// Minimum.
    pub min: Duration,
    /// Maximum (exclusive).
    pub max: Duration,
}

impl Latency {
    /// 5 to 40 ms: fast enough for tests, and varied enough that answers overtake each other.
    pub const SMALL: Self = Self { min: Duration::from_millis(5), max: Duration::from_millis(40) };
    /// 200 to 500 ms, as on the real site.
    pub const REAL: Self = Self { min: Duration::from_millis(200), max: Duration::from_millis(500) };
}

/// Options of [`start`](super::start).
#[derive(Debug, Clone)]
pub struct TwinOptions {
    /// Port on loopback; 0 picks a free port.
    pub port: u16,
    /// How the pages are built.
    pub skin: Skin,
    /// Seed of class names and latencies. `None` takes a new one at each start.
    pub seed: Option<u64>,
    /// Latency of API requests.
    pub latency: Latency,
    /// Maximum API requests per client in any 60 seconds, over both endpoints. `None` sets no limit.
    pub rate_limit: Option<u32>,
    /// Whether a 429 carries `Retry-After`.
    pub retry_after: bool,
    /// The initial faults.
    pub faults: Vec<Fault>,
    /// The data release: 2024, or 2027 with some changes.
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
