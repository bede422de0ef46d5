//! Evidence, kept by its content: the BLAKE3 hash of the bytes names the file, so that the same capture
//! is kept once and a changed one is noticed when it is read back.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use flate2::read::GzDecoder;
use flate2::{Compression, GzBuilder};
use serde::{Deserialize, Serialize};

use super::atomic;
use crate::error::{Error, Result};

/// A BLAKE3 hash of uncompressed bytes, 64 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hash(String);

/// A text that is no hash.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a hash: 64 lower-case hexadecimal digits are expected")]
pub struct HashError(String);

impl Hash {
    /// The hash of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(blake3::hash(bytes).to_hex().to_string())
    }

    /// The hash as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Hash {
    type Err = HashError;

    fn from_str(text: &str) -> std::result::Result<Self, HashError> {
        let digit = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
        if text.len() == 64 && text.bytes().all(digit) {
            Ok(Self(text.to_owned()))
        } else {
            Err(HashError(text.to_owned()))
        }
    }
}

impl TryFrom<String> for Hash {
    type Error = HashError;

    fn try_from(text: String) -> std::result::Result<Self, HashError> {
        text.parse()
    }
}

impl From<Hash> for String {
    fn from(hash: Hash) -> Self {
        hash.0
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

const SUFFIX: &str = ".json.gz";
/// Pictures are packed already.
const PICTURE: &str = ".png";

/// A folder of evidence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Evidence<'a> {
    pub(super) folder: &'a Path,
}

impl Evidence<'_> {
    fn path(self, hash: &Hash) -> PathBuf {
        self.path_of(hash, SUFFIX)
    }

    fn path_of(self, hash: &Hash, suffix: &str) -> PathBuf {
        let name = hash.as_str();
        self.folder.join(name.get(..2).unwrap_or_default()).join(format!("{name}{suffix}"))
    }

    /// Keeps a picture as it is.
    pub(super) fn put_picture(self, png: &[u8]) -> Result<Hash> {
        let hash = Hash::of(png);
        if self.picture(&hash).is_err() {
            atomic::write(&self.path_of(&hash, PICTURE), png)?;
        }
        Ok(hash)
    }

    /// The picture of that hash, checked against it.
    pub(super) fn picture(self, hash: &Hash) -> Result<Vec<u8>> {
        let path = self.path_of(hash, PICTURE);
        let png = fs::read(&path).map_err(Error::file(&path))?;
        let found = Hash::of(&png);
        if found == *hash {
            return Ok(png);
        }
        let message =
            format!("the picture is damaged (its content has the hash {found}): restore it or collect again");
        Err(Error::Store { path, message })
    }

    /// Keeps the bytes; the same bytes are kept once and make the same file.
    pub(super) fn put(self, bytes: &[u8]) -> Result<Hash> {
        let hash = Hash::of(bytes);
        let path = self.path(&hash);
        if path.exists() && self.get(&hash).is_ok() {
            return Ok(hash);
        }
        let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::default());
        encoder.write_all(bytes).map_err(Error::file(&path))?;
        let packed = encoder.finish().map_err(Error::file(&path))?;
        atomic::write(&path, &packed)?;
        Ok(hash)
    }

    /// The bytes of that hash, checked against it.
    pub(super) fn get(self, hash: &Hash) -> Result<Vec<u8>> {
        let path = self.path(hash);
        let packed = fs::read(&path).map_err(Error::file(&path))?;
        let mut bytes = Vec::new();
        let damaged = |what: String| Error::Store {
            path: path.clone(),
            message: format!("evidence is damaged ({what}): restore it from a backup or collect again"),
        };
        GzDecoder::new(packed.as_slice())
            .read_to_end(&mut bytes)
            .map_err(|error| damaged(error.to_string()))?;
        let found = Hash::of(&bytes);
        if found == *hash { Ok(bytes) } else { Err(damaged(format!("its content has the hash {found}"))) }
    }

    /// The hashes of all that is kept, sorted.
    pub(super) fn all(self) -> Result<BTreeSet<Hash>> {
        let mut hashes = BTreeSet::new();
        for folder in folders(self.folder)? {
            for file in fs::read_dir(&folder).map_err(Error::file(&folder))? {
                let name = file.map_err(Error::file(&folder))?.file_name();
                let name = name.to_str();
                let hash = name.and_then(|name| name.strip_suffix(SUFFIX).or(name.strip_suffix(PICTURE)));
                hashes.extend(hash.and_then(|text| text.parse::<Hash>().ok()));
            }
        }
        Ok(hashes)
    }

    /// Drops what is kept under that hash.
    pub(super) fn remove(self, hash: &Hash) -> Result<()> {
        let picture = self.path_of(hash, PICTURE);
        if picture.exists() { atomic::remove(&picture) } else { atomic::remove(&self.path(hash)) }
    }

    /// Removes what killed runs left behind.
    pub(super) fn sweep(self) -> Result<usize> {
        folders(self.folder)?.iter().map(|folder| atomic::sweep(folder)).sum()
    }
}

/// The folders in a folder; none when it is not there.
fn folders(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::file(folder)(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
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
        let evidence = Evidence { folder: &folder };
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
        let evidence = Evidence { folder: dir.path() };
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
        let evidence = Evidence { folder: folder.path() };
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

    #[test]
    fn only_hashes_are_hashes() {
        for text in ["", "abc", &"g".repeat(64), &"A".repeat(64), "../../etc/passwd"] {
            assert!(text.parse::<Hash>().is_err(), "{text}");
        }
        assert!("0".repeat(64).parse::<Hash>().is_ok());
    }
}
