//! What the question asks of each data point.

pub(crate) mod allowed;
pub(crate) mod asked;
pub(crate) mod record;
