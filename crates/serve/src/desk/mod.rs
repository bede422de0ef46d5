//! The pages of the desk. Each request reads its data from the store, the runs and the database.

pub(crate) mod acting;
pub(crate) mod actions;
pub(crate) mod changes;
pub(crate) mod frame;
pub(crate) mod inbox;
pub(crate) mod jobs;
pub(crate) mod last_action;
pub(crate) mod page;
pub(crate) mod place;
pub(crate) mod production;
pub(crate) mod progress;
pub(crate) mod promotion;
pub(crate) mod records;
pub(crate) mod review;
pub(crate) mod routes;
pub(crate) mod runs;
pub(crate) mod sources;
pub(crate) mod spot_checks;
pub(crate) mod strategies;
