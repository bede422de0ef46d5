//! The foundation of all other crates: values with intervals and contexts, the site's vocabulary and addresses,
//! captures, sources, errors with exit codes, settings and files.

pub mod atlas;
pub mod atomic_file;
pub mod breaker;
pub mod capture;
pub mod clock;
pub mod command_line;
pub mod compiled_in;
pub mod config;
pub mod csv_quotes;
pub mod csv_rows;
pub mod diagnostic;
pub mod document;
pub mod error;
pub mod event;
pub mod evidence;
mod excerpt;
#[cfg(feature = "http")]
pub mod http;
pub mod input;
pub mod json;
pub mod machine;
pub mod picture;
pub mod pipeline;
pub mod process;
pub mod question_id;
#[cfg(feature = "http")]
pub mod retry;
pub mod sample;
pub mod selection;
pub mod source;
pub mod tone;
pub mod value;
pub mod versioned;
pub mod words;
