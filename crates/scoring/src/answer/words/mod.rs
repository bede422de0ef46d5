//! Candidates that are words: terms, directions, grades, options, phrases, yes or no, and absences.

mod absence;
mod direction;
pub(crate) mod grade;
mod mention;
mod option;
mod phrase;
mod polarity;
pub(crate) mod terms;
