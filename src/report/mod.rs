//! Reports for people and machines. A [`Report`] is data, a [`Doc`], test cases and an exit code,
//! and one writer per format prints every report. Reports and progress only display results and
//! events; they decide nothing.

mod action;
mod annotate;
mod api;
mod chart;
mod check;
mod collect;
mod coverage;
mod doc;
mod doctor;
mod error;
pub mod eval;
pub mod eval_compare;
pub mod events;
pub mod export;
mod history;
pub mod import;
mod inert;
mod invocation;
pub mod layout;
pub mod lint;
pub mod mend;
pub mod output;
mod plan;
pub mod progress;
pub mod refresh;
pub mod review;
mod sarif;
pub mod score;
pub mod serve;
pub mod show;
mod spot_check;
pub mod sqlite;
mod sqlite_rows;
mod sqlite_runs;
mod stale;
pub mod store;
pub mod suite;
pub mod survey;
mod twin_changes;
mod words;
mod write;

pub use crate::scoring::CaseVerdict;
pub use crate::words::{count, per_cent, plural};
pub use action::ActionReport;
pub use annotate::AnnotateReport;
pub use api::{ApiReport, Compared};
pub use check::CheckReport;
pub use doc::{Body, Card, Doc, DocBlock, Filter, Next, Table, Text, Tone};
pub use error::ErrorReport;
pub use history::ChangelogReport;
pub use invocation::{Invocation, QuestionTexts, quoted};
pub use twin_changes::{TwinChange, TwinChanges};
pub use words::{badge, print_diagnostic, print_status};
pub use write::{
    Format, Items, JunitSuite, NO_FINDINGS, Report, ReportCase, SCHEMA_VERSION, Terminal, Versioned, line,
    pretty, text, write, write_error,
};
