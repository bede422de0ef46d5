//! Spot checks: agents of every manner against a fake Ask-Atlas, and a whole check with a real Chromium over the local
//! replica of the site after its next release.

mod agents;
mod fake;
mod whole;
