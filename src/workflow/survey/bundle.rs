//! The bundle of a survey: a folder with `survey.json`, and captures and pictures named by hash.

use std::path::{Path, PathBuf};

use super::{Survey, SurveyedPage};
use crate::atlas::AtlasUrl;
use crate::atomic_file;
use crate::capture::Capture;
use crate::error::{Error, Result};
use crate::input;
use crate::selection::at_least_one;
use crate::truth::Store;
use atlas_gt_core::json::pretty;
use atlas_gt_core::versioned::Versioned;

const REPORT: &str = "survey.json";

/// A survey with its captures.
#[derive(Debug)]
pub struct Bundle {
    /// Its folder.
    pub dir: PathBuf,
    /// The survey's report.
    pub survey: Survey,
    /// The pages that were read.
    pub pages: Vec<BundlePage>,
}

/// A page in a bundle.
#[derive(Debug)]
pub struct BundlePage {
    /// What the survey found on it.
    pub page: SurveyedPage,
    /// Its address.
    pub url: AtlasUrl,
    /// The capture.
    pub capture: Capture,
    /// Its picture.
    pub picture: Option<Vec<u8>>,
}

impl Bundle {
    /// Reads a bundle.
    ///
    /// # Errors
    /// The folder does not exist or is damaged.
    pub fn read(dir: &Path) -> Result<Self> {
        let path = dir.join(REPORT);
        let text = input::text(&path).map_err(|error| match error {
            Error::Named { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
                let folder = dir.display();
                Error::Nothing(format!(
                    "{folder}: there is no survey here; create one with `survey --out {folder}` and the same --site"
                ))
            }
            other => other,
        })?;
        let damaged = |message: String| Error::Store { path: path.clone(), message };
        let survey: Survey = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        let store = Store::read(dir)?;
        let mut pages = Vec::new();
        for page in &survey.pages {
            let Some(hash) = &page.capture else { continue };
            let capture = serde_json::from_slice(&store.evidence(hash)?)
                .map_err(|error| damaged(format!("capture {hash}: {error}")))?;
            let url = AtlasUrl::parse(&page.path).map_err(|error| damaged(error.to_string()))?.url;
            let picture = page.picture.as_ref().map(|hash| store.picture(hash)).transpose()?;
            pages.push(BundlePage { page: page.clone(), url, capture, picture });
        }
        Ok(Self { dir: dir.to_owned(), survey, pages })
    }

    /// The newest bundle in a folder of bundles.
    ///
    /// # Errors
    /// There is none.
    pub fn newest(parent: &Path) -> Result<Self> {
        let entries = std::fs::read_dir(parent).into_iter().flatten().filter_map(std::result::Result::ok);
        let mut all: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        all.retain(|dir| dir.join(REPORT).is_file());
        all.sort();
        let all = at_least_one(all, || {
            format!(
                "{}: there is no survey here; create one with `survey`, and the same --site",
                parent.display()
            )
        })?;
        Self::read(&all[all.len() - 1])
    }
}

/// Writes the survey's report so far.
pub(super) fn save(store: &Store, survey: &Survey) -> Result<()> {
    atomic_file::write_atomic(&store.dir().join(REPORT), pretty(&Versioned::of(survey))?.as_bytes())
}
