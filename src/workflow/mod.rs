//! The stories: collect, verify, diagnose. Each reads top to bottom and emits events; none prints.

mod bundle;
mod clock;
mod collect;
mod doctor;
mod filing;
mod job;
mod learned;
mod own;
mod plan;
mod questions;
pub mod refresh;
mod resume;
mod sample;
pub mod spot_check;
mod three_way;
mod verify;
mod visit;

pub use clock::Clock;
pub use collect::{Report, SlowPage, Totals, VisitReport, Waits, collect};
pub use doctor::{Examination, Finding, Health, Patient, examine};
pub use filing::{QuestionOutcome, QuestionReport, same};
pub use job::{Conduct, Extractors, Job, extractors, specs};
pub use learned::{Learned, Needed};
pub use own::{OwnApi, SchemaCheck};
pub use plan::{Means, Plan, PlannedVisit, plan};
pub use resume::{Again, TakenUp, take_up};
pub use sample::{Candidate, Draw, Drawn, sample, size};
pub use three_way::{Against, Cause, Counts, Sides, decide, differing, worst};
pub use verify::{Doubt, Verification, open as open_for_reading, verify};
