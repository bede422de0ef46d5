//! What people and machines see of a run. Reports and progress consume results and events; none of them
//! decides anything.

pub mod api;
pub mod collect;
pub mod doctor;
pub mod events;
pub mod plan;
pub mod progress;
