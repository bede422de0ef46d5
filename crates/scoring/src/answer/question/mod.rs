//! What the question asks of each data point.

mod allowed;
pub(crate) mod asked;
pub(crate) mod record;
