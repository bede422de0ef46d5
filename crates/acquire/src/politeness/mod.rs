//! Politeness: one budget for all requests to the site, its `robots.txt`, and the pauses it asks for.

mod ledger;
mod rate;
mod robots;

pub use rate::{LeftAlone, MAX_PAUSE, Permit, Rate};
pub use robots::Robots;
