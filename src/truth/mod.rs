//! What is true and where it is kept: records with their provenance and evidence, the looks at them,
//! readings that wait, and the rules by which a reading becomes the truth.

mod atomic;
pub mod changelog;
mod changes;
pub mod checks;
mod commit;
mod evidence;
pub mod history;
mod independence;
mod journal;
mod kind;
mod marker;
pub mod pending;
mod precedence;
mod provenance;
mod record;
pub mod run_log;
#[cfg(test)]
mod samples;
mod staleness;
mod store;
mod write;

pub use changes::{RowChange, Same, changes};
pub use commit::{Prepared, Run, Taken, commit, prepare};
pub use evidence::{Hash, HashError};
pub use independence::{Independence, Pipeline, may_score};
pub use kind::{ChangeKind, Kinds};
pub use precedence::{Strength, strength, weakens};
pub use provenance::{Agreement, Channel, PointProvenance, Precise, Provenance};
pub use record::{Record, Results, Row, Site, SourceMethod};
pub use staleness::{Age, STALE_AFTER_MONTHS, age};
pub use store::{Store, Stored};
pub use write::{Outcome, Reason, accept, file_reading, is_kept};
