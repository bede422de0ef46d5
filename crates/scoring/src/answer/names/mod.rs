//! Candidates that are names: the items of a list, in and outside the record.

pub(crate) mod item;
pub(crate) mod items;
pub(crate) mod list;
