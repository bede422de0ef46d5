//! The edge towards the site: the browser that reads it as a person would, and the one budget that
//! everything which reaches the site is charged to.

pub mod browser;
pub mod graphql;
mod page;
mod rate;

pub use page::{
    Area, Browser, Interaction, LookOptions, Navigation, PageSource, Tooltip, VisitError, visit_and_look,
};
pub use rate::Rate;
