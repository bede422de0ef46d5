//! The place of a figure or statement: the requested value, another row or context, not asserted, or unclear.

pub(crate) mod asserted;
pub(crate) mod balance;
mod base;
pub(crate) mod change;
mod count;
pub(crate) mod derived;
mod entity;
mod figure;
pub(crate) mod levels;
pub(crate) mod row;
pub(crate) mod slots;
pub(crate) mod subject;
