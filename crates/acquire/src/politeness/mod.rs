//! Politeness: one budget for everything that reaches the site, the rules of its `robots.txt`, and when to retry.

mod ledger;
mod rate;
mod robots;

pub use rate::{LeftAlone, MAX_PAUSE, Permit, Rate};
pub use robots::Robots;
