//! Finds Chromium and ChromeDriver (configuration, environment, `PATH`) and checks that their versions match.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::BrowserOptions;
use crate::error::{Error, Result};

const DRIVER_NAMES: [&str; 2] = ["chromedriver", "chromium.chromedriver"];
const BROWSER_NAMES: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
/// Timeout for a program to print its version.
const PRINT_TIME: Duration = Duration::from_secs(20);

/// An installed program and its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Path of the executable.
    pub path: PathBuf,
    /// The output of `--version`.
    pub printed: String,
}

impl Program {
    /// Finds Chromium and reads its version.
    ///
    /// # Errors
    /// It is missing, does not run, or does not answer.
    pub async fn chromium(options: &BrowserOptions) -> Result<Self> {
        Self::ask(find("chromium", options.chromium.as_deref(), "ATLAS_GT_CHROMIUM", &BROWSER_NAMES)?).await
    }

    /// Finds ChromeDriver and reads its version.
    ///
    /// # Errors
    /// It is missing, does not run, or does not answer.
    pub async fn chromedriver(options: &BrowserOptions) -> Result<Self> {
        let named = options.chromedriver.as_deref();
        Self::ask(find("chromedriver", named, "ATLAS_GT_CHROMEDRIVER", &DRIVER_NAMES)?).await
    }

    /// Runs `--version`, once per program.
    async fn ask(path: PathBuf) -> Result<Self> {
        static KNOWN: Mutex<BTreeMap<PathBuf, String>> = Mutex::new(BTreeMap::new());
        let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let before = known().get(&path).cloned();
        let printed = match before {
            Some(printed) => printed,
            None => print_version(&path).await?,
        };
        known().insert(path.clone(), printed.clone());
        Ok(Self { path, printed })
    }

    /// The dotted version in the output, with its major number.
    fn version(&self) -> Result<(u32, &str)> {
        major_version(&self.printed).ok_or_else(|| {
            Error::Browser(format!(
                "{} --version printed {:?}, which contains no version; configure another program",
                self.path.display(),
                self.printed
            ))
        })
    }
}

async fn print_version(program: &Path) -> Result<String> {
    let run = tokio::process::Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .output();
    let fail = |why: String| Error::Browser(format!("{} --version: {why}", program.display()));
    let output = tokio::time::timeout(PRINT_TIME, run)
        .await
        .map_err(|_| fail("no answer; configure another program".into()))?
        .map_err(|error| fail(error.to_string()))?;
    if !output.status.success() {
        return Err(fail(format!("ended with {}", output.status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Chromium and ChromeDriver with matching versions.
#[derive(Debug, Clone)]
pub(super) struct Programs {
    pub chromium: Program,
    pub chromedriver: Program,
}

impl Programs {
    /// Finds both programs.
    ///
    /// # Errors
    /// Either is missing, or their versions differ.
    pub async fn find(options: &BrowserOptions) -> Result<Self> {
        let (chromium, chromedriver) =
            tokio::try_join!(Program::chromium(options), Program::chromedriver(options))?;
        Versions::of(&chromium, &chromedriver)?;
        Ok(Self { chromium, chromedriver })
    }
}

/// The versions of both programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Versions {
    /// Version of Chromium, such as `156.0.8078.79`.
    pub chromium: String,
    /// Version of ChromeDriver.
    pub chromedriver: String,
}

impl Versions {
    /// The versions of two matching programs.
    ///
    /// # Errors
    /// A version cannot be read, or the major versions differ. The message says what to do.
    pub fn of(chromium: &Program, chromedriver: &Program) -> Result<Self> {
        let ((browser_major, browser), (driver_major, driver)) =
            (chromium.version()?, chromedriver.version()?);
        if browser_major == driver_major {
            return Ok(Self { chromium: browser.to_owned(), chromedriver: driver.to_owned() });
        }
        Err(Error::Browser(format!(
            "chromedriver {driver} ({}) does not match chromium {browser} ({}); install chromedriver \
            {browser_major}, or set ATLAS_GT_CHROMEDRIVER and ATLAS_GT_CHROMIUM to a matching pair",
            chromedriver.path.display(),
            chromium.path.display(),
        )))
    }
}

/// The dotted version in the output of `chromium --version` or `chromedriver --version`, with its major number.
fn major_version(printed: &str) -> Option<(u32, &str)> {
    printed.split_whitespace().find_map(|word| {
        let mut parts = word.split('.');
        let major = parts.next()?.parse().ok()?;
        let rest = parts.map(|part| part.parse::<u32>()).collect::<Result<Vec<_>, _>>().ok()?;
        (!rest.is_empty()).then_some((major, word))
    })
}

/// The program to use: from the configuration, the environment, or the first of `names` on `PATH`.
fn find(what: &str, configured: Option<&Path>, variable: &str, names: &[&str]) -> Result<PathBuf> {
    let named = configured
        .map(Path::to_path_buf)
        .or_else(|| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from));
    if let Some(path) = named {
        return if path.is_file() {
            Ok(path)
        } else {
            Err(Error::Usage(format!(
                "{what}: {} does not exist; correct --{what}, {variable} or the configuration",
                path.display()
            )))
        };
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    on_path(names, &std::env::split_paths(&path).collect::<Vec<_>>()).ok_or_else(|| {
        Error::Browser(format!(
            "{what} not found on PATH (as {}); install it (`make setup`, or `apt-get install chromium chromium-driver`), or set {variable}",
            names.join(", ")
        ))
    })
}

/// The first of `names` that exists, in the first directory that has it.
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

    #[test]
    fn versions_are_read_from_what_programs_print() {
        let cases = [
            ("Chromium 156.0.8078.79 built on Debian GNU/Linux 12 (bookworm)", Some((156, "156.0.8078.79"))),
            ("Google Chrome 140.0.7339.80 ", Some((140, "140.0.7339.80"))),
            ("ChromeDriver 156.0.8078.79 (a21ce95c24c-refs/branch-heads/8078@{#1704})", {
                Some((156, "156.0.8078.79"))
            }),
            ("no version 12 here", None),
            ("", None),
        ];
        for (printed, expected) in cases {
            assert_eq!(major_version(printed), expected, "{printed}");
        }
    }

    #[test]
    fn a_misfit_says_which_driver_to_install() {
        let program = |path: &str, printed: &str| Program { path: path.into(), printed: printed.into() };
        let check = |browser, driver| Versions::of(&program("/b", browser), &program("/d", driver));
        assert!(check("Chromium 156.0.1.1", "ChromeDriver 156.0.9.9 (x)").is_ok());
        let error = check("Chromium 156.0.1.1", "ChromeDriver 155.0.1.1 (x)").unwrap_err().to_string();
        assert!(error.contains("install chromedriver 156"), "{error}");
        assert!(check("what?", "ChromeDriver 155.0.1.1").unwrap_err().to_string().contains("/b"));
    }
}
