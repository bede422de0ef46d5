//! Writes files so that they are complete or absent, even after a power failure. A temporary file in the same folder is
//! flushed to disk, renamed over the old one, and the folder is flushed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempPath};

use crate::error::{Error, Result};

/// Fault points for tests. This build has none.
#[cfg(not(any(test, feature = "faults")))]
pub mod fault {
    use std::io;

    use tempfile::NamedTempFile;

    #[inline]
    #[expect(clippy::unnecessary_wraps, reason = "the tests' version may fail")]
    pub(super) const fn point(_: &'static str) -> io::Result<()> {
        Ok(())
    }

    #[inline]
    #[expect(clippy::unnecessary_wraps, reason = "the tests' version may fail")]
    pub(super) const fn torn(_: &mut NamedTempFile) -> io::Result<()> {
        Ok(())
    }
}

/// Prefix of temporary files. A killed run may leave some behind.
pub const TEMPORARY: &str = ".agt-tmp-";

/// A complete temporary file, ready to be renamed into place.
pub struct Staged<'a> {
    file: NamedTempFile,
    path: &'a Path,
}

/// Writes and flushes a temporary file beside `path`. Creates the folder if needed.
pub fn stage<'a>(path: &'a Path, bytes: &[u8]) -> Result<Staged<'a>> {
    let step = || -> io::Result<NamedTempFile> {
        let file = temporary(path, bytes)?;
        file.as_file().sync_all()?;
        Ok(file)
    };
    Ok(Staged { file: step().map_err(unwritable(path))?, path })
}

/// Writes a temporary file beside `path`. Creates the folder if needed.
fn temporary(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let folder = folder(path);
    fs::create_dir_all(folder)?;
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o644));
    }
    fault::point("before a temporary file")?;
    let mut file = builder.tempfile_in(folder)?;
    let (first, second) = bytes.split_at(bytes.len() / 2);
    file.write_all(first)?;
    fault::torn(&mut file)?;
    file.write_all(second)?;
    Ok(file)
}

impl Staged<'_> {
    /// Renames the file into place and flushes the folder.
    pub fn put(self) -> Result<()> {
        fault::point("before the rename").map_err(unwritable(self.path))?;
        self.file.persist(self.path).map_err(|error| unwritable(self.path)(error.error))?;
        fault::point("after the rename").map_err(unwritable(self.path))?;
        sync_folder(folder(self.path)).map_err(unwritable(self.path))
    }
}

/// Writes one file atomically.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    stage(path, bytes)?.put()
}

/// Writes one file atomically without flushing it. A killed process leaves the old or the new file; a power failure may
/// leave neither. For files that are written often and can be recreated.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let step = || -> io::Result<()> {
        let mut file = Builder::new().prefix(TEMPORARY).tempfile_in(folder(path))?;
        file.write_all(bytes)?;
        file.persist(path).map(drop).map_err(|error| error.error)
    };
    step().map_err(unwritable(path))
}

/// Up to this many files are flushed one by one. Flushing them together also flushes everything else the machine has
/// not written yet.
const FEW: usize = 8;

/// Writes many files, each atomically, and renames them into place in this order. More than a few are flushed together,
/// before the first rename, which takes as long as one flush.
pub fn write_many(files: &[(PathBuf, String)]) -> Result<()> {
    if files.len() <= FEW {
        return files.iter().try_for_each(|(path, text)| write_atomic(path, text.as_bytes()));
    }
    let mut staged: Vec<(TempPath, &Path)> = Vec::with_capacity(files.len());
    for (path, text) in files {
        let file = temporary(path, text.as_bytes()).map_err(unwritable(path))?;
        // Closed, because a process can only hold so many open files.
        staged.push((file.into_temp_path(), path));
    }
    flush(staged.iter().map(|(file, path)| (file.as_ref(), *path)))?;
    for (file, path) in staged {
        fault::point("before the rename").map_err(unwritable(path))?;
        file.persist(path).map_err(|error| unwritable(path)(error.error))?;
        fault::point("after the rename").map_err(unwritable(path))?;
    }
    flush(files.iter().map(|(path, _)| (path.as_path(), path.as_path())))
}

/// Flushes files of one folder tree and their folders. The second path of each pair is for messages.
#[cfg(target_os = "linux")]
fn flush<'a>(files: impl Iterator<Item = (&'a Path, &'a Path)>) -> Result<()> {
    let mut files = files;
    let Some((_, path)) = files.next() else { return Ok(()) };
    let step = || -> io::Result<()> { Ok(nix::unistd::syncfs(File::open(folder(path))?)?) };
    step().map_err(unwritable(path))
}

/// Flushes files and their folders. The second path of each pair is for messages.
#[cfg(not(target_os = "linux"))]
fn flush<'a>(files: impl Iterator<Item = (&'a Path, &'a Path)>) -> Result<()> {
    let mut files = files;
    files.try_for_each(|(file, path)| {
        let step = || -> io::Result<()> {
            File::open(file)?.sync_all()?;
            sync_folder(folder(path))
        };
        step().map_err(unwritable(path))
    })
}

/// Makes a file contain `bytes` from offset `from` to its end, whatever follows that offset now, and flushes it.
pub fn append_at(path: &Path, from: u64, bytes: &[u8]) -> Result<()> {
    let step = || -> io::Result<()> {
        let fresh = !path.exists();
        let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
        file.seek(SeekFrom::Start(from))?;
        let (first, second) = bytes.split_at(bytes.len() / 2);
        fault::point("before the changelog")?;
        file.write_all(first)?;
        fault::point("in the middle of the changelog")?;
        file.write_all(second)?;
        file.set_len(from + bytes.len() as u64)?;
        file.sync_all()?;
        fault::point("after the changelog")?;
        if fresh { sync_folder(folder(path)) } else { Ok(()) }
    };
    step().map_err(unwritable(path))
}

/// Removes a file, if it exists, and flushes its folder.
pub fn remove(path: &Path) -> Result<()> {
    fault::point("before a removal").map_err(unwritable(path))?;
    match fs::remove_file(path) {
        Ok(()) => {
            fault::point("after a removal").and_then(|()| sync_folder(folder(path))).map_err(unwritable(path))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(unwritable(path)(error)),
    }
}

/// Appends one line and flushes it. An unfinished last line of a killed run is ended first.
pub fn append_line(path: &Path, line: &str) -> Result<()> {
    let step = || -> io::Result<()> {
        fs::create_dir_all(folder(path))?;
        let fresh = !path.exists();
        let mut file = OpenOptions::new().create(true).append(true).read(true).open(path)?;
        let torn = match file.seek(SeekFrom::End(-1)) {
            Ok(_) => {
                let mut last = [0];
                file.read_exact(&mut last)?;
                last != *b"\n"
            }
            Err(_) => false,
        };
        let start = if torn { "\n" } else { "" };
        file.write_all(format!("{start}{line}\n").as_bytes())?;
        file.sync_all()?;
        if fresh { sync_folder(folder(path)) } else { Ok(()) }
    };
    step().map_err(unwritable(path))
}

/// Removes the temporary files of killed runs from a folder and returns their number.
pub fn sweep(folder: &Path) -> Result<usize> {
    let mut swept = 0;
    for entry in fs::read_dir(folder).map_err(Error::file(folder))? {
        let entry = entry.map_err(Error::file(folder))?;
        if entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
            remove(&entry.path())?;
            swept += 1;
        }
    }
    Ok(swept)
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Converts a failed write to an error with advice.
pub fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |error| {
        let advice = match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                ": make the folder writable, or use another one"
            }
            io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
                ": a file is in the way of a folder; move it, or use another folder"
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                ": free some space and run again (a collection with --resume)"
            }
            io::ErrorKind::FileTooLarge => {
                ": raise the file size limit (see `ulimit -f`) and run again with --resume"
            }
            _ => "",
        };
        let source = io::Error::new(error.kind(), format!("cannot be written ({error}){advice}"));
        Error::File { path, source }
    }
}

/// Fault points for tests: a write that fails at one leaves the same state as a killed process. Release builds have
/// none.
#[cfg(any(test, feature = "faults"))]
pub mod fault {
    use std::cell::{Cell, RefCell};
    use std::io;

    use tempfile::NamedTempFile;

    thread_local! {
        static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
        static PASSED: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
    }

    /// Fails once, at the fault point with this number (from 0). `None` never fails.
    pub fn die_at(number: Option<usize>) {
        LEFT.set(number);
        PASSED.take();
    }

    /// The fault points passed since then. The one that failed comes last.
    pub fn passed() -> Vec<&'static str> {
        PASSED.with_borrow(Clone::clone)
    }

    pub(super) fn point(name: &'static str) -> io::Result<()> {
        PASSED.with_borrow_mut(|passed| passed.push(name));
        match LEFT.get() {
            Some(0) => Err(io::Error::other(format!("died {name}"))),
            left => {
                LEFT.set(left.map(|left| left - 1));
                Ok(())
            }
        }
    }

    /// Like [`point`], in the middle of a temporary file, which is left behind.
    pub(super) fn torn(file: &mut NamedTempFile) -> io::Result<()> {
        point("in the middle of a temporary file").inspect_err(|_| file.disable_cleanup(true))
    }
}
