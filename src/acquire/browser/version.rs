//! Versions of Chromium and ChromeDriver, which must agree.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::error::{Error, Result};

/// Longest time for a program to print its version.
const PRINT_TIME: Duration = Duration::from_secs(20);

/// The two versions, as printed by the programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Versions {
    /// Of Chromium, such as `156.0.8078.79`.
    pub chromium: String,
    /// Of ChromeDriver.
    pub chromedriver: String,
}

/// The dotted version in the output of `chromium --version` or `chromedriver --version`, with its major number.
#[must_use]
pub fn major_version(printed: &str) -> Option<(u32, &str)> {
    printed.split_whitespace().find_map(|word| {
        let mut parts = word.split('.');
        let major = parts.next()?.parse().ok()?;
        let rest = parts.map(|part| part.parse::<u32>()).collect::<Result<Vec<_>, _>>().ok()?;
        (!rest.is_empty()).then_some((major, word))
    })
}

/// Compares what the two programs printed.
///
/// # Errors
/// When one cannot be read, or the major versions differ; the message says what to do.
pub(super) fn check(chromium: (&Path, &str), chromedriver: (&Path, &str)) -> Result<Versions> {
    let read = |(path, printed): (&Path, &str)| {
        major_version(printed).map(|(major, version)| (major, version.to_owned())).ok_or_else(|| {
            Error::Browser(format!(
                "{} --version printed {printed:?}, which names no version; name another program",
                path.display()
            ))
        })
    };
    let (browser_major, browser) = read(chromium)?;
    let (driver_major, driver) = read(chromedriver)?;
    if browser_major == driver_major {
        return Ok(Versions { chromium: browser, chromedriver: driver });
    }
    Err(Error::Browser(format!(
        "chromedriver {driver} ({}) does not fit chromium {browser} ({}); install chromedriver \
         {browser_major}, or name a fitting pair in ATLAS_GT_CHROMEDRIVER and ATLAS_GT_CHROMIUM",
        chromedriver.0.display(),
        chromium.0.display(),
    )))
}

/// What a program prints as its version; each program is asked once.
pub(super) async fn ask(program: &Path) -> Result<String> {
    static KNOWN: Mutex<BTreeMap<PathBuf, String>> = Mutex::new(BTreeMap::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let before = known().get(program).cloned();
    if let Some(printed) = before {
        return Ok(printed);
    }
    let printed = run(program).await?;
    known().insert(program.to_owned(), printed.clone());
    Ok(printed)
}

async fn run(program: &Path) -> Result<String> {
    let run = tokio::process::Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .output();
    let fail = |why: String| Error::Browser(format!("{} --version: {why}", program.display()));
    let output = tokio::time::timeout(PRINT_TIME, run)
        .await
        .map_err(|_| fail("no answer; name another program".into()))?
        .map_err(|error| fail(error.to_string()))?;
    if !output.status.success() {
        return Err(fail(format!("ended with {}", output.status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let check = |browser, driver| check((Path::new("/b"), browser), (Path::new("/d"), driver));
        assert!(check("Chromium 156.0.1.1", "ChromeDriver 156.0.9.9 (x)").is_ok());
        let error = check("Chromium 156.0.1.1", "ChromeDriver 155.0.1.1 (x)").unwrap_err().to_string();
        assert!(error.contains("install chromedriver 156"), "{error}");
        assert!(check("what?", "ChromeDriver 155.0.1.1").unwrap_err().to_string().contains("/b"));
    }
}
