//! Candidates that are words: terms, directions, grades, options, phrases, yes or no, and absences.

pub(crate) mod absence;
pub(crate) mod direction;
pub(crate) mod grade;
pub(crate) mod option;
pub(crate) mod phrase;
pub(crate) mod polarity;
pub(crate) mod terms;
