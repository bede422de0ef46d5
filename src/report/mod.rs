//! What people and machines see of a run. Reports and progress consume results and events; none of them
//! decides anything.

pub mod annotate;
pub mod api;
mod chart;
pub mod collect;
pub mod coverage;
pub mod doctor;
pub mod eval;
pub mod eval_compare;
pub mod eval_html;
pub mod events;
pub mod history;
mod html;
pub mod import;
pub mod layout;
pub mod lint;
pub mod mend;
pub mod mend_html;
pub mod output;
pub mod plan;
pub mod progress;
pub mod refresh;
pub mod refresh_html;
pub mod review;
pub mod review_html;
pub mod sarif;
pub mod spot_check;
pub mod spot_check_html;
pub mod sqlite;
pub mod stale;
pub mod survey;
pub mod survey_html;
mod table;
mod words;

pub use table::table;
pub use words::{count, per_cent, plural, print_status};
