//! The context that an answer gives a figure or name: clauses, segments, and words around them.

pub(crate) mod clause;
pub(crate) mod closed;
pub(crate) mod free;
pub(crate) mod over;
pub(crate) mod said;
pub(crate) mod segment;
