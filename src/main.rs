//! The `atlas-gt` command.

fn main() -> std::process::ExitCode {
    atlas_gt::cli::main()
}
