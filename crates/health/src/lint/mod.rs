//! Finds mistakes in records offline: one function per rule, over parsed records. Nothing here
//! reads or writes files.

mod address;
mod arithmetic;
mod asks;
mod balance;
mod classification;
mod computed;
mod content;
mod contradiction;
mod entities;
mod finding;
mod growth;
mod overview;
mod recompute;
mod rounding;
mod rule;
mod rules;
mod run;
mod silence;
mod store_wide;
mod subject;
mod time;
mod verification;

pub use atlas_gt_core::diagnostic::Severity;
pub(crate) use content::says_nothing;
pub use finding::Finding;
pub(crate) use finding::stands_for;
pub use overview::Overview;
pub use rule::LintRule;
pub use rules::{RULES, RuleSelection, rule};
pub(crate) use rules::{UNREADABLE, UNUSED};
pub use run::{Asking, LintReport, errors_in, lint};
pub use silence::Silences;
pub use subject::LintSubject;

#[cfg(test)]
mod tests;
