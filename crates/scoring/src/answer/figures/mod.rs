//! The figures of an answer, each with its context.

pub(crate) mod figure;
pub(crate) mod read;
