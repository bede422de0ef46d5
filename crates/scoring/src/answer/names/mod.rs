//! Candidates that are names: the items of a list, in and outside the record.

mod item;
mod items;
pub(crate) mod list;
pub(crate) mod strangers;
