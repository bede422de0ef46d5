//! From a capture to observations. Pure: no I/O, no clock, no async, so that it can be replayed from
//! stored evidence at any time.

mod association;
mod cell;
mod cue;
mod document;
mod extractor;
mod extractors;
mod fallback;
mod for_person;
mod form;
mod kinds;
mod label;
mod mend;
mod observation;
mod response;
mod shape;
mod table;
mod tooltip;
mod treemap;
mod view;

pub use document::Page;
pub use extractor::Extractor;
pub use extractors::Extractors;
pub use fallback::FallbackQuery;
pub use for_person::ForPerson;
pub(crate) use form::{Form, Read};
pub(crate) use kinds::kind::Kind;
pub use kinds::kind::{Needs, Slot};
pub use mend::{MendPage, Mending, Proof, Proposal, ReadAgain, Renames, Unmended, propose, reads};
pub use observation::{
    Backing, Extraction, Failure, FailureKind, Observation, Outcome, Over, PageState, Reading, Tooltip,
    Wanted, idle_errors,
};
pub use response::{Datum, Exchanges, Root, number};
pub use shape::{Shape, headings};
pub use view::open::Parsed;
