//! What is wrong in records, found without a network: one function a rule, over records that were read. Nothing here reads or
//! writes a file.

mod address;
mod arithmetic;
mod asked;
mod balance;
mod classification;
mod content;
mod decimals;
mod disagree;
mod entities;
mod finding;
mod growth;
mod recompute;
mod rounding;
mod rule;
mod rules;
mod silence;
mod store_wide;
mod subject;
mod time;
mod verification;

pub use asked::Asked;
pub use finding::{Finding, Severity};
pub use rule::{Example, Rule, Selection};
pub use rules::{RULES, UNREADABLE, rule};
pub use silence::{Silences, UNUSED};
pub use store_wide::Overview;
pub use subject::Subject;

#[cfg(test)]
mod tests;
