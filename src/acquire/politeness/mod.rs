//! Politeness: one budget for everything that reaches the site, what its `robots.txt` asks to leave alone, and when to
//! ask again.

mod ledger;
mod rate;
mod retry;
mod robots;

pub use rate::{LeftAlone, MAX_PAUSE, Permit, Rate};
pub(super) use retry::parse_retry_after;
pub(crate) use retry::{backoff, retry_after};
pub use robots::Robots;
