//! The data of the twin: known figures are exact, and all others are generated from a fixed seed to be consistent with
//! them. Nothing here depends on HTTP or GraphQL.

mod allocate;
pub(crate) mod bilateral;
pub(crate) mod catalogue;
pub(crate) mod class;
pub(crate) mod country;
pub(crate) mod facts;
pub(crate) mod flows;
pub(crate) mod group;
pub(crate) mod group_trade;
mod kept;
pub(crate) mod line;
pub(crate) mod listing;
pub(crate) mod noise;
pub(crate) mod partners;
pub(crate) mod place;
mod ranking;
mod remainder;
mod separated;
mod sitc;
mod six_digits;
pub(crate) mod space;
pub(crate) mod totals;
pub(crate) mod trade;
pub(crate) mod vintage;
mod world;
pub(crate) mod yearly;

pub(crate) use facts::Revision;
pub(crate) use world::World;
