//! Candidates that are names: the items of a list, in and outside the record.

pub(crate) mod item;
mod items;
pub(crate) mod list;
pub(crate) mod rank;
