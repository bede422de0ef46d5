//! Extracts observations from captures. Pure: no I/O, no clock, no async, so that stored evidence
//! can be read again at any time.

use atlas_gt_core::{atlas, capture, compiled_in, error, evidence, input, picture, value};

mod association;
mod cell;
mod cue;
pub mod document;
pub mod extractor;
mod extractors;
mod fallback;
mod for_person;
pub mod form;
pub mod kinds;
pub mod label;
pub mod manifest;
pub mod observation;
pub mod response;
mod shape;
mod table;
mod tooltip;
mod treemap;
pub mod view;

pub use document::Page;
pub use extractor::Extractor;
pub use extractors::Extractors;
pub use fallback::FallbackQuery;
pub use for_person::ForPerson;
pub use form::{Form, Read};
pub use kinds::kind::Kind;
pub use kinds::kind::{Needs, Slot};
pub use observation::{
    Backing, Extraction, Failure, FailureKind, Observation, Outcome, PageState, Reading, Tooltip, Wanted,
    idle_errors,
};
pub use response::{Datum, Exchanges, Root, number};
pub use shape::{Shape, ShapeSection, headings, is_title};
pub use view::open::Parsed;
