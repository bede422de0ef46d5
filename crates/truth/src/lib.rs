//! The truth and its storage: records with provenance and evidence, checks, pending and reviewed readings, and the
//! rules by which a reading becomes the truth.

use atlas_gt_core::{atlas, atomic_file, config, error, picture, value};
use atlas_gt_scoring as scoring;

mod archive;
mod batch;
pub mod changelog;
mod changes;
mod check;
pub mod checks;
mod commit;
mod compare;
mod evidence;
pub mod files;
mod garbage;
pub mod history;
mod import;
mod independence;
mod journal;
pub mod judged;
mod kind;
mod lock;
mod log;
mod marker;
pub mod pending;
mod precedence;
mod provenance;
mod quarantine;
mod queue;
mod readable;
mod record;
pub mod review;
mod row;
pub mod run_log;
#[cfg(test)]
mod samples;
mod seal;
mod sealing;
mod store;
pub mod take_back;
mod tally;
mod time_order;
mod write;

pub use crate::config::STALE_AFTER_MONTHS;
pub use archive::Archived;
pub use atlas_gt_core::evidence::{Agreement, Channel, Hash, HashError};
pub use atlas_gt_core::pipeline::Pipeline;
pub use atlas_gt_core::source::{SourceMethod, Strength};
pub use changelog::ARCHIVED;
pub use changes::{RowChange, changes};
pub use checks::{Age, age};
pub use commit::{CommitRun, DiscardedReading, Prepared, Reason, Taken, commit, discard, prepare};
pub use compare::{ranked_among, same};
pub use files::time_text;
pub use import::{Import, decide_import, file_imports};
pub use independence::{Independence, may_score};
pub use kind::{ChangeKind, judge, kinds};
pub use marker::StoreMarker;
pub use precedence::strength;
pub use provenance::{Derivation, Imported, Input, Person, PointProvenance, Precise, Provenance, Stored};
pub use quarantine::Quarantined;
pub use record::{Record, Results, Site};
pub use row::{Row, SUPPORT};
pub use sealing::{Sealed, seal};
pub use store::{EXPECTED_BEHAVIOR, Store};
pub use write::{WriteOutcome, accept_reviewed, file_reading, is_kept};
