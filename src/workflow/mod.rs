//! The stories: collect, verify, diagnose. Each reads top to bottom and emits events; none prints.

mod bundle;
mod clock;
mod collect;
mod doctor;
mod filing;
mod job;
mod learned;
mod plan;
pub mod refresh;
mod resume;
mod verify;
mod visit;

pub use clock::Clock;
pub use collect::{Report, SlowPage, Totals, VisitReport, Waits, collect};
pub use doctor::{Examination, Finding, Health, Patient, examine};
pub use filing::{QuestionOutcome, QuestionReport, same};
pub use job::{Conduct, Job, extractors, specs};
pub use learned::Learned;
pub use plan::{Plan, PlannedVisit, plan};
pub use resume::{Again, TakenUp, take_up};
pub use verify::{Doubt, Verification, open as open_for_reading, verify};
