//! The workflows: collect, verify, refresh and so on. Each reads top to bottom and emits events;
//! none prints.

mod answers;
mod api_fallback;
mod bundle;
mod collect;
mod derive;
mod doctor;
mod filing;
mod for_review;
mod job;
pub mod mend;
mod plan;
mod recorder;
pub mod refresh;
mod request_estimates;
mod resume;
pub mod review;
pub mod spot_check;
pub mod survey;
mod verify;
mod visit;

pub use crate::clock::Clock;
pub use crate::extract::Extractors;
pub use crate::sample::{Draw, Drawn, SampleCandidate, sample, size};
pub use answers::{
    AnswerScorer, AnswerTally, AnswersSummary, InvalidLine, OpenReason, Remedy, ScoredAnswer, agent_site,
};
pub use api_fallback::{OwnApi, SchemaCheck};
pub use atlas_gt_evaluate::run as evaluate;
pub use atlas_gt_evaluate::three_way::{SideMatch, Sides, SpotCheckCause, decide, differing, worst};
pub use atlas_gt_health::lint::{Asking, LintReport, lint};
pub use atlas_gt_health::{annotate, coverage, import, stale};
pub use collect::{CollectReport, SlowPage, Totals, Waits, collect};
pub use doctor::{DoctorContext, DoctorFinding, DoctorReport, Health, examine};
pub use filing::{QuestionOutcome, QuestionReport};
pub use job::{Job, RunOptions, extractors, specs};
pub use plan::{Means, Plan, PlannedVisit, QuestionBehavior, QuestionReason, plan};
pub use recorder::Picture;
pub use request_estimates::{Needed, RequestEstimates};
pub use resume::{ResumeMode, ResumePlan, plan_resume};
pub use verify::{Doubt, StoreVerification, verify};
pub use visit::VisitReport;
