//! Evaluation runs of the binary: killed and gone on with, gates and budgets, comparisons, an agent with planted mistakes.

#[path = "../provider/mod.rs"]
#[expect(dead_code, reason = "only a part of the provider is needed here")]
mod provider;

mod gates;
mod killed;
mod planted;
mod report;
mod stage;
