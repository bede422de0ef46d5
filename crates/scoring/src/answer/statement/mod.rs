//! The context that an answer gives a figure or name: clauses, segments, and words around them.

pub(crate) mod clause;
mod closed;
mod free;
pub(crate) mod over;
pub(crate) mod said;
mod segment;
