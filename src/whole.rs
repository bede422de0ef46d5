//! Files that are put in place whole and are no truth, as caches and reports: nothing waits for the disk as in a store.

use std::io::{self, Write};
use std::path::Path;

/// Writes a file whole or not at all, making its folder if need be.
///
/// # Errors
/// Folder or file cannot be written; what was there before stays.
pub(crate) fn put_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    new.write_all(bytes)?;
    new.persist(path)?;
    Ok(())
}
