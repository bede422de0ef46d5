//! The edge towards the site: the browser that reads it as a person would, and the one budget that
//! everything which reaches the site is charged to.

pub mod browser;
pub mod graphql;
mod http;
mod ledger;
mod page;
mod rate;
mod robots;

pub use page::{
    Area, Browser, Interaction, LookOptions, Navigation, PageSource, Tooltip, Traffic, VisitError,
    host_with_port, visit_and_look,
};
pub use rate::{LONGEST_PAUSE, LeftAlone, Permit, Rate};
pub use robots::Robots;
