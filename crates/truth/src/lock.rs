//! The lock of a store: one process writes at a time, and readers wait for a commit in progress.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::journal;
use crate::atomic_file;
use crate::error::{Error, Result};

/// How long a reader waits for a commit in progress. Writing its files takes about as long.
const COMMIT_TAKES: Duration = Duration::from_secs(20);

/// Waits until no commit is in progress, and completes one whose process is gone.
pub(super) fn settle(dir: &Path) -> Result<()> {
    let started = Instant::now();
    while journal::exists(dir) {
        match lock(dir) {
            Ok(lock) => {
                journal::recover(dir)?;
                drop(lock);
            }
            Err(error) if started.elapsed() > COMMIT_TAKES => return Err(error),
            Err(_) => std::thread::sleep(Duration::from_millis(10)),
        }
    }
    Ok(())
}

/// The lock of a store, released when dropped.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Drop for Lock {
    /// Empties the lock file, so that a check changes no byte of the store.
    fn drop(&mut self) {
        let _ = self.0.set_len(0);
    }
}

/// Takes the store's lock. The error names the holder.
pub(super) fn lock(dir: &Path) -> Result<Lock> {
    let path = dir.join(".lock");
    let mut file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .open(&path)
        .map_err(atomic_file::unwritable(&path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            let known = file.read_to_string(&mut holder).is_ok() && !holder.trim().is_empty();
            let holder =
                if known { format!("process {}", holder.trim()) } else { "another process".to_owned() };
            let message = format!("is locked by {holder}: wait until it ends, then run again");
            return Err(Error::Store { path: dir.to_owned(), message });
        }
        Err(TryLockError::Error(error)) => return Err(atomic_file::unwritable(&path)(error)),
    }
    let mut write = || -> std::io::Result<()> {
        file.set_len(0)?;
        file.rewind()?;
        write!(file, "{}", std::process::id())
    };
    write().map_err(atomic_file::unwritable(&path))?;
    Ok(Lock(file))
}
