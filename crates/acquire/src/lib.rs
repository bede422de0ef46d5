//! The connection to the site: the browser, the APIs, and one request budget for both.

use atlas_gt_core::{atlas, atomic_file, capture, error, evidence, http, machine, process, value};

pub mod browser;
pub mod graphql;
pub mod ocr;
mod page;
mod politeness;

pub use page::{
    Browser, Navigation, PageInteraction, PageSource, PageTooltip, ScreenshotArea, SnapshotOptions, Traffic,
    VisitError, host_with_port,
};
pub use politeness::{LeftAlone, MAX_PAUSE, Permit, Rate, Robots};
