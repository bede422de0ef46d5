//! What to collect: the manifest of questions with their pages and data points. It is checked, with all
//! problems reported at once, and grouped into page visits.

mod asked;
mod check;
mod check_context;
mod check_derive;
mod check_question;
mod check_reading;
mod details;
mod entry;
mod held;
mod left_over;
mod list;
mod list_text;
mod load;
mod method;
mod propose;
mod question;
pub mod spec;
mod visits;

pub use asked::{Asked, plain_words, same_question, same_words};
pub use atlas_gt_core::diagnostic::{Diagnostic, Place, Severity};
pub use atlas_gt_core::pipeline::ExpectedTool;
pub use atlas_gt_core::question_id::{QuestionId, QuestionIdError};
pub use atlas_gt_core::value::derive::Step;
pub use details::{AcceptedAnswer, Details, Quote, Reference, ReferenceValue, within};
pub use entry::{Behavior, Derive, Difficulty, Entry, QuestionInfo, schema};
pub use list::{ListedQuestion, QuestionList, UnreadEntry, declines};
pub use list_text::ListFault;
pub use load::{Manifest, load, parse};
pub use method::{Method, PointCatalog};
pub use propose::{Proposed, propose, proposed_page};
pub use question::ManifestQuestion;
pub use visits::{Visit, visits};
