//! The lock of a store: one process writes at a time, and readers wait for a commit that is under way.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::journal;
use crate::atomic_file;
use crate::error::{Error, Result};

/// How long a reader waits for a commit under way: about as long as its files take to write.
const COMMIT_TAKES: Duration = Duration::from_secs(20);

/// Waits until no commit is half done, and finishes one whose process is gone.
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

/// The lock of a store, held as long as this lives.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Drop for Lock {
    /// Leaves the lock's file as it was before: empty, so that looking again changes no byte.
    fn drop(&mut self) {
        let _ = self.0.set_len(0);
    }
}

/// Takes the store's lock, or says who holds it.
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
            let message = format!("is being written by {holder}: wait until it has ended, then run again");
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
