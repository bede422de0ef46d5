//! What is said on stderr beside the result: progress, warnings, what to do next. A run goes on when nobody reads it:
//! a line that cannot be written is left out.

use std::fmt::Display;
use std::io::Write;

/// Writes a line to stderr, if it can be written.
pub fn tell(line: impl Display) {
    // whole, so that lines of two threads do not mix; `eprintln!` would panic where it cannot be written
    let _ = std::io::stderr().lock().write_all(format!("{line}\n").as_bytes());
}
