//! The `atlas-gt` command.

/// Scoring allocates many small texts on every core; the system's allocator takes a third of its time for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    atlas_gt::cli::main()
}
