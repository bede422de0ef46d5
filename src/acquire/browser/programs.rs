//! Finding Chromium and ChromeDriver: as configured, as the environment says, or on `PATH`.

use std::path::{Path, PathBuf};

use super::BrowserOptions;
use super::version::{self, Versions};
use crate::error::{Error, Result};

const DRIVER_NAMES: [&str; 2] = ["chromedriver", "chromium.chromedriver"];
const BROWSER_NAMES: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// A program that was found and printed its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Where it is.
    pub path: PathBuf,
    /// What it prints as its version.
    pub printed: String,
}

impl Program {
    /// Finds Chromium and asks for its version.
    ///
    /// # Errors
    /// It is not there, does not run, or does not answer.
    pub async fn chromium(options: &BrowserOptions) -> Result<Self> {
        Self::ask(find("chromium", options.chromium.as_deref(), "ATLAS_GT_CHROMIUM", &BROWSER_NAMES)?).await
    }

    /// Finds ChromeDriver and asks for its version.
    ///
    /// # Errors
    /// It is not there, does not run, or does not answer.
    pub async fn chromedriver(options: &BrowserOptions) -> Result<Self> {
        let named = options.chromedriver.as_deref();
        Self::ask(find("chromedriver", named, "ATLAS_GT_CHROMEDRIVER", &DRIVER_NAMES)?).await
    }

    async fn ask(path: PathBuf) -> Result<Self> {
        let printed = version::ask(&path).await?;
        Ok(Self { path, printed })
    }
}

impl Versions {
    /// The versions of two programs that fit each other.
    ///
    /// # Errors
    /// One cannot be read, or the major versions differ; the message says what to do.
    pub fn of(chromium: &Program, chromedriver: &Program) -> Result<Self> {
        version::check((&chromium.path, &chromium.printed), (&chromedriver.path, &chromedriver.printed))
    }
}

/// The program to use: as configured, as the environment says, or the first of `names` on `PATH`.
fn find(what: &str, configured: Option<&Path>, variable: &str, names: &[&str]) -> Result<PathBuf> {
    let named = configured
        .map(Path::to_path_buf)
        .or_else(|| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from));
    if let Some(path) = named {
        return if path.is_file() {
            Ok(path)
        } else {
            Err(Error::Usage(format!(
                "{what}: {} does not exist; mend --{what}, {variable} or the configuration",
                path.display()
            )))
        };
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    on_path(names, &std::env::split_paths(&path).collect::<Vec<_>>()).ok_or_else(|| {
        Error::Browser(format!(
            "{what} not found on PATH (as {}); install it (`make setup`, or `apt-get install chromium chromium-driver`), or name it in {variable}",
            names.join(", ")
        ))
    })
}

/// The first name that exists in the first directory that has it, names first.
fn on_path(names: &[&str], dirs: &[PathBuf]) -> Option<PathBuf> {
    names.iter().find_map(|name| dirs.iter().map(|dir| dir.join(name)).find(|path| path.is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_before_directories() {
        let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(first.path().join("b"), "").unwrap();
        std::fs::write(second.path().join("a"), "").unwrap();
        let dirs = [first.path().to_path_buf(), second.path().to_path_buf()];
        assert_eq!(on_path(&["a", "b"], &dirs), Some(second.path().join("a")));
        assert_eq!(on_path(&["c"], &dirs), None);
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let missing = Path::new("/nonexistent/chromedriver");
        let error = find("chromedriver", Some(missing), "X_UNSET", &[]).unwrap_err().to_string();
        assert!(
            error.contains("/nonexistent/chromedriver") && error.contains("--chromedriver, X_UNSET or"),
            "{error}"
        );
    }
}
