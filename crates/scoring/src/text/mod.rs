//! The six threshold metrics of a Markdown text (scoring thresholds). Each traces its decision: input, thresholds, bucket
//! and score.

mod citations;
mod contradictions;
mod coverage;
mod facts;
mod markdown;
mod markers;
mod metrics;
mod numbers;
#[cfg(test)]
mod tests;
mod total;
mod trace;

pub use citations::{Citation, CitationKind};
pub(crate) use citations::{citations, unique_sources, web_address};
pub use contradictions::{Contradiction, contradictions};
pub use coverage::{FactFinding, coverage};
pub use facts::{Fact, FactSpec, Facts, MrrBands, Query};
pub use markdown::{MarkdownBlock, MarkdownDocument, Structure};
pub use markers::{Marker, MarkerKind, markers};
pub use metrics::score_text;
pub use total::{Band, MetricScore, TextDetails, TextMetric};
pub use trace::Trace;
