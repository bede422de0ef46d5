//! The figures of an answer, each with its context.

mod equation;
pub(crate) mod figure;
pub(crate) mod read;
mod scale;
