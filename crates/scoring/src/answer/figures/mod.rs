//! The figures of an answer, each with its context.

pub(crate) mod figure;
mod number;
pub(crate) mod read;
mod series;
