//! The execution trace of an agent (evaluation strategy 5.1), read from any recorded format. The
//! format is detected from its shape. `keys.rs` lists every known key; other keys are reported.

mod execution;
mod keys;
mod otlp;
mod plain;
mod read;
mod result;
mod state;
mod summary;
#[cfg(test)]
mod tests;
mod turn;

pub use crate::token_usage::TokenUsage;
pub(crate) use execution::latency_by_node;
pub use execution::{ExecutionTrace, NodeTrace};
pub(super) use result::{MARKS, is_result};
pub(super) use turn::{TurnReader, message_text};
