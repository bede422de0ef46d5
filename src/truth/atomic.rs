//! Files that are there whole or not at all, also when the machine stops in between: a temporary file
//! in the same folder, both flushed to the disk, then renamed over the old one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use crate::error::{Error, Result};

/// How temporary files begin; a killed run leaves them behind.
pub(super) const TEMPORARY: &str = ".agt-tmp-";

/// A file that is written and not yet in its place.
pub(super) struct Staged<'a> {
    file: NamedTempFile,
    path: &'a Path,
}

/// Writes and flushes a temporary file beside `path`, making its folder if need be.
pub(super) fn stage<'a>(path: &'a Path, bytes: &[u8]) -> Result<Staged<'a>> {
    let folder = folder(path);
    let step = || -> io::Result<NamedTempFile> {
        fs::create_dir_all(folder)?;
        let mut builder = Builder::new();
        builder.prefix(TEMPORARY);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o644));
        }
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        Ok(file)
    };
    Ok(Staged { file: step().map_err(unwritable(path))?, path })
}

impl Staged<'_> {
    /// Puts the file in its place and flushes the folder.
    pub(super) fn put(self) -> Result<()> {
        self.file.persist(self.path).map_err(|error| unwritable(self.path)(error.error))?;
        sync_folder(folder(self.path)).map_err(unwritable(self.path))
    }
}

/// Writes one file whole.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    stage(path, bytes)?.put()
}

/// Removes a file and flushes its folder; one that is not there is fine.
pub(super) fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Ok(()) => sync_folder(folder(path)).map_err(unwritable(path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(unwritable(path)(error)),
    }
}

/// Adds one line to a file and flushes it. A last line that a killed run left unfinished is ended
/// first, so that it does not swallow this one.
pub(super) fn append_line(path: &Path, line: &str) -> Result<()> {
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
pub(super) fn sweep(folder: &Path) -> Result<usize> {
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

/// A write that failed, with what to do about it.
pub(super) fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |error| {
        let advice = match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                ": make the store writable, or choose another one"
            }
            io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
                ": a file stands where a folder is needed, move it away or choose another store"
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ": make room and run again",
            _ => "",
        };
        Error::Store { path, message: format!("cannot be written ({error}){advice}") }
    }
}
