//! From a capture to observations. Pure: no I/O, no clock, no async, so that it can be replayed from
//! stored evidence at any time.

mod cells;
mod compiled;
mod cue;
mod drawing;
mod entity;
mod exchange;
mod form;
mod narrative;
mod observation;
mod page;
mod partners;
mod reading;
mod response;
mod section;
mod stat;
mod swap;
mod table;

pub use compiled::Extractor;
pub use exchange::{Exchanges, Root, number};
pub use observation::{Backing, Extraction, Failure, FailureKind, Observation, Outcome, PageState, Reading};
pub use page::{Page, fold};

/// One point that a question wants.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Wanted {
    /// The data point.
    pub data_point: String,
    /// The product, for points that are about one.
    pub product: Option<String>,
}
