//! Evaluation runs of the binary: killed and gone on with, gates and budgets, comparisons, an agent with planted mistakes; judges and
//! components of an agent.

#[path = "../chromium/mod.rs"]
mod chromium;
#[path = "../fake_agent/mod.rs"]
mod fake_agent;
#[path = "../provider/mod.rs"]
mod provider;

mod component;
mod gates;
mod judge;
mod killed;
mod planted;
mod report;
mod stage;
mod wire;
