//! The `atlas-gt` command.

fn main() {}
