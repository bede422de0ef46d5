//! Spot checks: agents of every manner against a fake Ask-Atlas, and a whole check with a real Chromium over the local
//! replica of the site after its next release.

#[path = "../fake_agent/mod.rs"]
mod fake_agent;

mod agents;
mod whole;
