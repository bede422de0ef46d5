//! What to collect: the manifest of questions with their pages and data points, checked with all its
//! problems reported at once, and folded into page visits.

mod asked;
mod check;
mod check_context;
mod check_derive;
mod check_question;
mod check_reading;
mod diagnostic;
mod entry;
mod fields;
mod load;
mod method;
mod question;
mod question_id;
mod source;
pub mod spec;
mod tree;
mod visits;

pub use asked::Asked;
pub use diagnostic::{Diagnostic, Severity};
pub use entry::{Behavior, Derive, Difficulty, Entry, ExpectedTool, Step, schema};
pub use load::{Manifest, load, parse};
pub use method::{Method, PointCatalog};
pub use question::Question;
pub use question_id::{QuestionId, QuestionIdError};
pub use tree::Place;
pub use visits::{Visit, visits};
