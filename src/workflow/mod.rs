//! The stories: collect, verify, diagnose. Each reads top to bottom and emits events; none prints.

mod bundle;
mod clock;
mod collect;
mod filing;
mod job;
mod verify;
mod visit;

pub use clock::Clock;
pub use collect::{Report, Totals, VisitReport, collect};
pub use filing::{QuestionOutcome, QuestionReport, same};
pub use job::{Job, extractors};
pub use verify::{Doubt, Verification, verify};
