//! The ChromeDriver process: found, started on a free port, and ended with everything it started.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tempfile::TempDir;

use super::version::{self, Versions};
use super::{BrowserOptions, process};
use crate::error::{Error, Result};

/// Longest time for ChromeDriver to name its port.
const START_TIME: Duration = Duration::from_secs(20);
/// Names of the directories that drivers work in, below the system's temporary directory.
const HOME_PREFIX: &str = "atlas-gt-browser-";
/// Locked as long as the driver's owner lives.
const OWNER_LOCK: &str = "owner.lock";

const DRIVER_NAMES: [&str; 2] = ["chromedriver", "chromium.chromedriver"];
const BROWSER_NAMES: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// A running ChromeDriver with a directory of its own for browser profiles.
///
/// Dropping it kills its process group, every browser it started, and removes the directory.
#[derive(Debug)]
pub struct DriverProcess {
    child: Child,
    port: u16,
    home: Option<TempDir>,
    /// Held open for its lock.
    _owner: File,
    chromium: PathBuf,
    versions: Versions,
    as_root: bool,
    profiles: AtomicU32,
}

impl DriverProcess {
    /// Finds ChromeDriver and Chromium, checks that they fit, and starts ChromeDriver on a free port.
    ///
    /// # Errors
    /// When one is not found, their versions differ, or ChromeDriver does not start.
    pub async fn start(options: &BrowserOptions) -> Result<Self> {
        let chromedriver =
            find("chromedriver", options.chromedriver.as_deref(), "ATLAS_GT_CHROMEDRIVER", &DRIVER_NAMES)?;
        let chromium = find("chromium", options.chromium.as_deref(), "ATLAS_GT_CHROMIUM", &BROWSER_NAMES)?;
        let (browser, driver) = tokio::try_join!(version::ask(&chromium), version::ask(&chromedriver))?;
        let versions = version::check((&chromium, &browser), (&chromedriver, &driver))?;
        tokio::task::spawn_blocking(move || {
            sweep_abandoned();
            Self::launch(&chromedriver, chromium, versions)
        })
        .await
        .map_err(|error| Error::Browser(format!("chromedriver's start was broken off: {error}")))?
    }

    fn launch(chromedriver: &Path, chromium: PathBuf, versions: Versions) -> Result<Self> {
        let fail = |what: &str, error: &dyn std::fmt::Display| {
            Error::Browser(format!("{what} {}: {error}", chromedriver.display()))
        };
        let home = tempfile::Builder::new()
            .prefix(HOME_PREFIX)
            .tempdir()
            .map_err(|error| fail("no temporary directory for", &error))?;
        let owner = take_ownership(home.path()).map_err(|error| fail("no lock for", &error))?;
        let as_root = std::fs::metadata(home.path()).is_ok_and(|data| data.uid() == 0);
        let mut child = Command::new(chromedriver)
            .arg("--port=0")
            .env("TMPDIR", home.path())
            .env(process::MARK, home.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .map_err(|error| fail("failed to start", &error))?;
        let stdout = child.stdout.take();
        // From here on dropping `this` cleans up.
        let mut this = Self {
            child,
            port: 0,
            home: Some(home),
            _owner: owner,
            chromium,
            versions,
            as_root,
            profiles: AtomicU32::new(0),
        };
        let (tell, told) = std::sync::mpsc::channel();
        if let Some(stdout) = stdout {
            // Browsers inherit the pipe: it is read to its end so that nobody blocks on it.
            std::thread::spawn(move || {
                for line in BufReader::new(stdout).lines().map_while(std::io::Result::ok) {
                    if let Some(port) = port_in(&line) {
                        let _ = tell.send(port);
                    }
                }
            });
        }
        this.port = told
            .recv_timeout(START_TIME)
            .map_err(|_| fail("failed to start", &"it did not name its port; run it by hand to see why"))?;
        Ok(this)
    }

    /// Where it listens.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// The versions in use.
    #[must_use]
    pub const fn versions(&self) -> &Versions {
        &self.versions
    }

    /// Its process id, which is also its process group.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The directory that it and its browsers work in; gone after [`DriverProcess::kill`].
    #[must_use]
    pub fn home(&self) -> Option<&Path> {
        self.home.as_ref().map(TempDir::path)
    }

    /// Whether it still runs.
    pub fn is_alive(&mut self) -> bool {
        self.home.is_some() && matches!(self.child.try_wait(), Ok(None))
    }

    /// Kills ChromeDriver, all browsers that it started, and removes their profiles. Blocks for
    /// some ten milliseconds; doing it twice does nothing.
    pub fn kill(&mut self) {
        let Some(home) = self.home.take() else { return };
        process::kill_group(self.child.id());
        let _ = self.child.wait();
        process::clear_out(home.path());
        // What could not be removed is tried again here and by the next start's sweep.
        let _ = home.close();
    }

    pub(super) fn chromium(&self) -> &Path {
        &self.chromium
    }

    pub(super) const fn as_root(&self) -> bool {
        self.as_root
    }

    /// A directory for a new browser's profile.
    pub(super) fn new_profile(&self) -> Result<PathBuf> {
        let number = self.profiles.fetch_add(1, Ordering::Relaxed);
        let home =
            self.home().ok_or_else(|| Error::Browser("chromedriver was ended; start another".into()))?;
        // The closing name keeps `profile-1-` from being found in `profile-10-`.
        let profile = home.join(format!("profile-{number}-"));
        std::fs::create_dir(&profile).map_err(Error::file(&profile))?;
        Ok(profile)
    }
}

impl Drop for DriverProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The port in ChromeDriver's start line.
fn port_in(line: &str) -> Option<u16> {
    let (_, rest) = line.split_once("started successfully on port ")?;
    rest.trim_end_matches(['.', ' ']).parse().ok()
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
            Err(Error::Browser(format!(
                "{what}: {} does not exist; mend the configuration or {variable}",
                path.display()
            )))
        };
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    on_path(names, &std::env::split_paths(&path).collect::<Vec<_>>()).ok_or_else(|| {
        Error::Browser(format!(
            "{what} not found on PATH (as {}); install it, or name it in {variable}",
            names.join(", ")
        ))
    })
}

/// The first name that exists in the first directory that has it, names first.
fn on_path(names: &[&str], dirs: &[PathBuf]) -> Option<PathBuf> {
    names.iter().find_map(|name| dirs.iter().map(|dir| dir.join(name)).find(|path| path.is_file()))
}

/// Locks the directory for as long as the returned file is open. It gets its name only when it is locked.
fn take_ownership(home: &Path) -> std::io::Result<File> {
    let fresh = home.join("owner.new");
    let file = File::create(&fresh)?;
    file.lock()?;
    std::fs::rename(fresh, home.join(OWNER_LOCK))?;
    Ok(file)
}

/// Ends what earlier runs left behind that were killed too hard to clean up: directories whose owner no
/// longer holds the lock, and the processes that work in them.
fn sweep_abandoned() {
    let Ok(entries) = std::fs::read_dir(std::env::temp_dir()) else { return };
    for entry in entries.flatten() {
        let is_home = entry.file_name().to_str().is_some_and(|name| name.starts_with(HOME_PREFIX));
        if !is_home {
            continue;
        }
        let Ok(lock) = File::open(entry.path().join(OWNER_LOCK)) else { continue };
        if lock.try_lock().is_ok() {
            process::clear_out(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_read_from_the_start_line_only() {
        assert_eq!(port_in("ChromeDriver was started successfully on port 37009."), Some(37009));
        assert_eq!(port_in("Starting ChromeDriver 156.0.8078.79 (a21ce) on port 0"), None);
        assert_eq!(port_in("ChromeDriver was started successfully on port many."), None);
    }

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
        assert!(error.contains("/nonexistent/chromedriver") && error.contains("X_UNSET"), "{error}");
    }

    #[test]
    fn a_home_is_owned_until_the_file_is_closed() {
        let home = tempfile::tempdir().unwrap();
        let owner = take_ownership(home.path()).unwrap();
        let other = File::open(home.path().join(OWNER_LOCK)).unwrap();
        assert!(other.try_lock().is_err());
        drop(owner);
        assert!(other.try_lock().is_ok());
    }
}
