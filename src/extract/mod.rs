//! From a capture to observations. Pure: no I/O, no clock, no async, so that it can be replayed from
//! stored evidence at any time.

mod answer;
mod bars;
mod cell;
mod cells;
mod columns;
mod compiled;
mod cue;
mod datum;
mod drawing;
mod entity;
mod exchange;
mod explore;
mod figure;
mod form;
mod lists;
mod narrative;
mod observation;
mod own;
mod page;
mod partners;
mod reading;
mod response;
mod section;
mod stat;
mod strip;
mod swap;
mod table;

pub use compiled::Extractor;
pub use datum::Datum;
pub use exchange::{Exchanges, Root, number};
pub use explore::Lacking;
pub use observation::{
    Backing, Extraction, Failure, FailureKind, Observation, Outcome, PageState, Reading, Tooltip,
};
pub use page::Page;

use crate::manifest::spec::Find;
use crate::value::Context;

/// One point that a question wants.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Wanted {
    /// The data point.
    pub data_point: String,
    /// The product, for points that are about one.
    pub product: Option<String>,
    /// The trade partner, for points that are about one.
    pub partner: Option<String>,
}

impl Wanted {
    /// A point as a context asks for it: with its product or partner where the point is about one.
    #[must_use]
    pub fn about(extractor: &Extractor, data_point: &str, context: &Context) -> Self {
        let find = extractor.spec().point(data_point).map(|point| &point.find);
        let product = find.is_some_and(Find::is_about_one_product);
        let partner = find.is_some_and(Find::is_about_one_partner);
        Self {
            data_point: data_point.to_owned(),
            product: context.product.clone().filter(|_| product),
            // among the sellers of one product the country itself is the one that is meant
            partner: context.partner.clone().or_else(|| context.country.clone()).filter(|_| partner),
        }
    }
}
