//! Content-addressed evidence: each file is named after the BLAKE3 hash of its content. Equal captures are stored once,
//! and a damaged one is noticed when read.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::bufread::GzDecoder;
use flate2::{Compression, GzBuilder};

use super::files::if_there;
use crate::atomic_file;
use crate::error::{Error, Result};
use atlas_gt_core::evidence::Hash;

const SUFFIX: &str = ".json.gz";
/// Screenshots are stored as they are, because PNG is already compressed.
const PICTURE: &str = ".png";
/// The gzip header of stored files: deflate, no name, no time, no system.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// The evidence folder.
#[derive(Debug)]
pub(super) struct Evidence {
    pub(super) folder: PathBuf,
}

impl Evidence {
    pub(super) fn path(&self, hash: &Hash) -> PathBuf {
        self.path_of(hash, SUFFIX)
    }

    /// Path of a screenshot.
    pub(super) fn picture_path(&self, hash: &Hash) -> PathBuf {
        self.path_of(hash, PICTURE)
    }

    fn path_of(&self, hash: &Hash, suffix: &str) -> PathBuf {
        let name = hash.as_str();
        self.folder.join(name.get(..2).unwrap_or_default()).join(format!("{name}{suffix}"))
    }

    /// Stores a screenshot.
    pub(super) fn put_picture(&self, png: &[u8]) -> Result<Hash> {
        let hash = Hash::of(png);
        if self.picture(&hash).is_err() {
            atomic_file::write_atomic(&self.path_of(&hash, PICTURE), png)?;
        }
        Ok(hash)
    }

    /// Reads a screenshot and checks its hash.
    pub(super) fn picture(&self, hash: &Hash) -> Result<Vec<u8>> {
        let path = self.path_of(hash, PICTURE);
        let png = kept(&path, "the picture")?;
        let found = Hash::of(&png);
        if found == *hash {
            return Ok(png);
        }
        let message =
            format!("the picture is damaged (its content has the hash {found}): restore it or collect again");
        Err(Error::Store { path, message })
    }

    /// Stores bytes. Equal bytes are stored once and always give the same file.
    pub(super) fn put(&self, bytes: &[u8]) -> Result<Hash> {
        let hash = Hash::of(bytes);
        let path = self.path(&hash);
        if path.exists() && self.get(&hash).is_ok() {
            return Ok(hash);
        }
        let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::default());
        encoder.write_all(bytes).map_err(Error::file(&path))?;
        let packed = encoder.finish().map_err(Error::file(&path))?;
        atomic_file::write_atomic(&path, &packed)?;
        Ok(hash)
    }

    /// Reads bytes and checks their hash.
    pub(super) fn get(&self, hash: &Hash) -> Result<Vec<u8>> {
        let path = self.path(hash);
        let packed = kept(&path, "evidence")?;
        let mut bytes = Vec::new();
        let damaged = |reason: String| Error::Store {
            path: path.clone(),
            message: format!("evidence is damaged ({reason}): restore it from a backup or collect again"),
        };
        let mut decoder = GzDecoder::new(packed.as_slice());
        decoder.read_to_end(&mut bytes).map_err(|error| damaged(error.to_string()))?;
        if !packed.starts_with(&HEADER) || !decoder.into_inner().is_empty() {
            return Err(damaged("it has extra bytes before or after its content".to_owned()));
        }
        let found = Hash::of(&bytes);
        if found == *hash { Ok(bytes) } else { Err(damaged(format!("its content has the hash {found}"))) }
    }

    /// All stored hashes, sorted.
    pub(super) fn all(&self) -> Result<BTreeSet<Hash>> {
        Ok(self.files()?.into_iter().map(|(hash, _)| hash).collect())
    }

    /// All files with the hashes in their names, sorted.
    fn files(&self) -> Result<BTreeSet<(Hash, PathBuf)>> {
        let mut found = BTreeSet::new();
        for folder in folders(&self.folder)? {
            for file in fs::read_dir(&folder).map_err(Error::file(&folder))? {
                let path = file.map_err(Error::file(&folder))?.path();
                let name = path.file_name().and_then(|name| name.to_str());
                let hash = name.and_then(|name| name.strip_suffix(SUFFIX).or(name.strip_suffix(PICTURE)));
                let hash = hash.and_then(|text| text.parse::<Hash>().ok());
                found.extend(hash.map(|hash| (hash, path)));
            }
        }
        Ok(found)
    }

    /// All files whose content does not match their name, with the reason.
    pub(super) fn damaged(&self) -> Result<Vec<(PathBuf, String)>> {
        let mut found = Vec::new();
        for (hash, path) in self.files()? {
            let is_picture = path.extension().is_some_and(|extension| extension == "png");
            let read = if is_picture { self.picture(&hash) } else { self.get(&hash) };
            match read {
                Err(Error::Store { message, .. }) => found.push((path, message)),
                Err(other) => found.push((path, other.to_string())),
                Ok(_) => {}
            }
        }
        Ok(found)
    }

    /// Removes the file with this hash.
    pub(super) fn remove(&self, hash: &Hash) -> Result<()> {
        let picture = self.path_of(hash, PICTURE);
        if picture.exists() { atomic_file::remove(&picture) } else { atomic_file::remove(&self.path(hash)) }
    }

    /// Removes the temporary files of killed runs.
    pub(super) fn sweep(&self) -> Result<usize> {
        folders(&self.folder)?.iter().map(|folder| atomic_file::sweep(folder)).sum()
    }
}

/// The bytes of a file that a record refers to.
fn kept(path: &Path, what: &str) -> Result<Vec<u8>> {
    if_there(path, fs::read(path))?.ok_or_else(|| {
        let message = format!("{what} is missing: restore it from a backup or collect again");
        Error::Store { path: path.to_owned(), message }
    })
}

/// The subfolders of a folder; none if it does not exist.
fn folders(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in if_there(folder, fs::read_dir(folder))?.into_iter().flatten() {
        let path = entry.map_err(Error::file(folder))?.path();
        if path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_kept_once_under_its_hash_and_reads_back() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("evidence");
        let evidence = Evidence { folder: folder.clone() };
        let hash = evidence.put(b"{\"a\":1}").unwrap();
        assert_eq!(hash.as_str(), blake3::hash(b"{\"a\":1}").to_hex().as_str());
        let path = folder.join(&hash.as_str()[..2]).join(format!("{hash}.json.gz"));
        let first = fs::read(&path).unwrap();
        assert_eq!(evidence.put(b"{\"a\":1}").unwrap(), hash);
        assert_eq!(fs::read(&path).unwrap(), first, "the same bytes make the same file");
        assert_eq!(evidence.get(&hash).unwrap(), b"{\"a\":1}");
        assert_eq!(evidence.all().unwrap().into_iter().collect::<Vec<_>>(), std::slice::from_ref(&hash));
        evidence.remove(&hash).unwrap();
        assert!(evidence.get(&hash).is_err());
    }

    #[test]
    fn changed_and_cut_evidence_is_noticed_and_mended_by_the_next_put() {
        let dir = tempfile::tempdir().unwrap();
        let evidence = Evidence { folder: dir.path().to_owned() };
        let hash = evidence.put(b"truth").unwrap();
        let path = evidence.path(&hash);
        let whole = fs::read(&path).unwrap();
        let mut other = GzBuilder::new().write(Vec::new(), Compression::fast());
        other.write_all(b"lie").unwrap();
        for bytes in [other.finish().unwrap(), whole[..whole.len() / 2].to_vec(), Vec::new()] {
            fs::write(&path, bytes).unwrap();
            let error = evidence.get(&hash).unwrap_err().to_string();
            assert!(error.contains("damaged") && error.contains("collect again"), "{error}");
        }
        evidence.put(b"truth").unwrap();
        assert_eq!(evidence.get(&hash).unwrap(), b"truth");
    }

    #[test]
    fn pictures_are_kept_as_they_are_and_checked() {
        let folder = tempfile::tempdir().unwrap();
        let evidence = Evidence { folder: folder.path().to_owned() };
        let hash = evidence.put_picture(b"a picture").unwrap();
        assert_eq!(evidence.put_picture(b"a picture").unwrap(), hash);
        assert_eq!(evidence.picture(&hash).unwrap(), b"a picture");
        assert!(evidence.all().unwrap().contains(&hash));
        let path = evidence.path_of(&hash, PICTURE);
        fs::write(&path, b"another").unwrap();
        assert!(evidence.picture(&hash).unwrap_err().to_string().contains("damaged"));
        evidence.remove(&hash).unwrap();
        assert!(!path.exists());
    }
}
