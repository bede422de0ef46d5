//! The place of a figure or statement: the requested value, another row or context, not asserted, or unclear.

pub(crate) mod asserted;
pub(crate) mod base;
pub(crate) mod behind;
pub(crate) mod change;
pub(crate) mod figure;
pub(crate) mod of;
pub(crate) mod several;
pub(crate) mod side;
pub(crate) mod time;
