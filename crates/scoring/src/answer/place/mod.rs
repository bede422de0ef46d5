//! The place of a figure or statement: the requested value, another row or context, not asserted, or unclear.

pub(crate) mod asserted;
mod change;
pub(crate) mod figure;
pub(crate) mod subject;
