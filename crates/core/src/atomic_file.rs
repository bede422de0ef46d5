//! Writes files so that they are whole or absent, even after a power failure: a temporary file in the same folder, both flushed
//! to disk, then renamed over the old one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempPath};

use crate::error::{Error, Result};

/// Fault points for tests; this build has none.
#[cfg(not(any(test, feature = "faults")))]
pub mod fault {
    use std::io;

    use tempfile::NamedTempFile;

    #[inline]
    #[expect(clippy::unnecessary_wraps, reason = "the tests' own may fail")]
    pub(super) const fn point(_: &'static str) -> io::Result<()> {
        Ok(())
    }

    #[inline]
    #[expect(clippy::unnecessary_wraps, reason = "the tests' own may fail")]
    pub(super) const fn torn(_: &mut NamedTempFile) -> io::Result<()> {
        Ok(())
    }
}

/// Prefix of temporary files. A killed run leaves them behind.
pub const TEMPORARY: &str = ".agt-tmp-";

/// A complete temporary file that is not yet in its place.
pub struct Staged<'a> {
    file: NamedTempFile,
    path: &'a Path,
}

/// Writes and flushes a temporary file beside `path`, making its folder if need be.
pub fn stage<'a>(path: &'a Path, bytes: &[u8]) -> Result<Staged<'a>> {
    let step = || -> io::Result<NamedTempFile> {
        let file = temporary(path, bytes)?;
        file.as_file().sync_all()?;
        Ok(file)
    };
    Ok(Staged { file: step().map_err(unwritable(path))?, path })
}

/// Writes a temporary file beside `path`, making its folder if need be.
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
    /// Puts the file in its place and flushes the folder.
    pub fn put(self) -> Result<()> {
        fault::point("before the rename").map_err(unwritable(self.path))?;
        self.file.persist(self.path).map_err(|error| unwritable(self.path)(error.error))?;
        fault::point("after the rename").map_err(unwritable(self.path))?;
        sync_folder(folder(self.path)).map_err(unwritable(self.path))
    }
}

/// Writes one file whole.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    stage(path, bytes)?.put()
}

/// Writes one file atomically without flushing it. After a kill the old or the new file is there; after a power failure perhaps
/// neither. For files that can be made again and are written often.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let step = || -> io::Result<()> {
        let mut file = Builder::new().prefix(TEMPORARY).tempfile_in(folder(path))?;
        file.write_all(bytes)?;
        file.persist(path).map(drop).map_err(|error| error.error)
    };
    step().map_err(unwritable(path))
}

/// Up to this many files are flushed one by one: flushing them together flushes everything that the machine has not written
/// yet.
const FEW: usize = 8;

/// Writes many files, each atomically, and puts them in place in this order. More than a few are flushed together, which takes
/// as long as one flush, before the first is put in place.
pub fn write_many(files: &[(PathBuf, String)]) -> Result<()> {
    if files.len() <= FEW {
        return files.iter().try_for_each(|(path, text)| write_atomic(path, text.as_bytes()));
    }
    let mut staged: Vec<(TempPath, &Path)> = Vec::with_capacity(files.len());
    for (path, text) in files {
        let file = temporary(path, text.as_bytes()).map_err(unwritable(path))?;
        // closed: a process can hold only so many open files
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

/// Flushes files of one folder tree and the folders that they are in; the second path is for messages.
#[cfg(target_os = "linux")]
fn flush<'a>(files: impl Iterator<Item = (&'a Path, &'a Path)>) -> Result<()> {
    let mut files = files;
    let Some((_, path)) = files.next() else { return Ok(()) };
    let step = || -> io::Result<()> { Ok(nix::unistd::syncfs(File::open(folder(path))?)?) };
    step().map_err(unwritable(path))
}

/// Flushes files and the folders that they are in; the second path is for messages.
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

/// Makes a file end with these bytes from that length on, whatever part of them it has already, and flushes it.
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

/// Removes a file and flushes its folder; one that is not there is fine.
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

/// Appends one line and flushes it. If a killed run left the last line unfinished, that line is ended first.
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

/// Removes the temporary files that killed runs left in a folder; returns how many there were.
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

/// A failed write, with what to do about it.
pub fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |error| {
        let advice = match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                ": make the store writable, or choose another one"
            }
            io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
                ": a file stands where a folder is needed, move it away or choose another store"
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                ": make room and run again, with --resume if this was a collection"
            }
            io::ErrorKind::FileTooLarge => ": make room (see `ulimit -f`) and run again, with --resume",
            _ => "",
        };
        let source = io::Error::new(error.kind(), format!("cannot be written ({error}){advice}"));
        Error::File { path, source }
    }
}

/// Fault points for tests: a write that fails at one leaves everything as a killed process would. The program itself has none.
#[cfg(any(test, feature = "faults"))]
pub mod fault {
    use std::cell::{Cell, RefCell};
    use std::io;

    use tempfile::NamedTempFile;

    thread_local! {
        static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
        static PASSED: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
    }

    /// Dies at the fault point of that number, from 0, once; `None` never dies.
    pub fn die_at(number: Option<usize>) {
        LEFT.set(number);
        PASSED.take();
    }

    /// The fault points passed since, the fatal one last.
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

    /// As [`point`], in the middle of a temporary file, which stays behind.
    pub(super) fn torn(file: &mut NamedTempFile) -> io::Result<()> {
        point("in the middle of a temporary file").inspect_err(|_| file.disable_cleanup(true))
    }
}
