//! One file per subcommand: arguments in, library call, printing, exit code.

pub mod score;
mod score_batch;
mod score_json;
mod score_output;
mod score_text;
mod score_tools;
mod score_values;
pub mod suite;
