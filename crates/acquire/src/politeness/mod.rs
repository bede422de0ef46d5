//! Politeness: one budget for everything that reaches the site, what its `robots.txt` asks to leave alone, and when to
//! ask again.

mod ledger;
mod rate;
mod robots;

pub use rate::{LeftAlone, MAX_PAUSE, Permit, Rate};
pub use robots::Robots;
