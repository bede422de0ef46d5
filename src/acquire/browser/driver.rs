//! The ChromeDriver process: found, started on a free port, and ended with everything it started.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind};
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::programs::Program;
use super::version::Versions;
use super::{BrowserOptions, process};
use crate::error::{Error, Result};

/// Longest time for ChromeDriver to name its port.
const START_TIME: Duration = Duration::from_secs(20);
/// How often it is started when it ends before it listens, each time on another port.
const STARTS: u32 = 5;
/// Names of the directories that drivers work in, below the system's temporary directory.
const HOME_PREFIX: &str = "atlas-gt-browser-";
/// Locked as long as the driver's owner lives.
const OWNER_LOCK: &str = "owner.lock";

/// How long a directory may have no owner's lock: that comes in its first moment.
const UNOWNED: Duration = Duration::from_secs(120);

/// What the janitor does once its input ends, which is when nobody holds it any more: it ends the driver's
/// process group and all that works in its directory, and removes that. Some of Chromium's processes write over
/// their environment, others do not name the directory on their command line: either is enough. One that is dying may
/// write after the directory is gone, so it must stay away for a second.
const JANITOR: &str = r#"trap '' INT TERM HUP
while read -r line; do :; done
kill -9 -- "-$1" 2>/dev/null
attempt=0
away=0
while [ "$attempt" -lt 100 ]; do
  for file in $(grep -lsF -f - /proc/[0-9]*/environ /proc/[0-9]*/cmdline <<END
$2
END
  ); do
    pid=${file#/proc/}; pid=${pid%/*}
    [ "$pid" = "$$" ] || kill -9 "$pid" 2>/dev/null
  done
  rm -rf -- "$2" 2>/dev/null
  if [ -e "$2" ]; then away=0; else away=$((away + 1)); fi
  [ "$away" -ge 5 ] && exit 0
  attempt=$((attempt + 1))
  sleep 0.2
done"#;

/// A process that outlives us when we are killed, and then ends what we could not end.
#[derive(Debug)]
struct Janitor {
    process: Child,
    /// Open for as long as we live.
    _input: Option<ChildStdin>,
}

impl Janitor {
    /// Watches over a driver. Without one the next start sweeps up, so that its failure is none.
    fn watch(leader: u32, home: &Path) -> Option<Self> {
        let started = Command::new("sh")
            .args(["-c", JANITOR, "atlas-gt-janitor", &leader.to_string()])
            .arg(home)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
        match started {
            Ok(mut process) => Some(Self { _input: process.stdin.take(), process }),
            Err(error) => {
                tracing::debug!("no janitor: {error}");
                None
            }
        }
    }

    /// Sends it home with nothing to do.
    fn dismiss(mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

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
    janitor: Option<Janitor>,
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
        let (chromium, chromedriver) =
            tokio::try_join!(Program::chromium(options), Program::chromedriver(options))?;
        let versions = Versions::of(&chromium, &chromedriver)?;
        let (chromium, chromedriver) = (chromium.path, chromedriver.path);
        tokio::task::spawn_blocking(move || {
            sweep_abandoned();
            Self::launch(&chromedriver, &chromium, &versions)
        })
        .await
        .map_err(|error| Error::Browser(format!("chromedriver's start was broken off: {error}")))?
    }

    /// Starts it until it listens. Another process may take its port in the moment before it does, upon
    /// which ChromeDriver ends itself.
    fn launch(chromedriver: &Path, chromium: &Path, versions: &Versions) -> Result<Self> {
        let fail = |what: &str| Error::Browser(format!("failed to start {}: {what}", chromedriver.display()));
        let mut last_words = String::new();
        for _ in 0..STARTS {
            let (mut this, lines) = Self::spawn(chromedriver, chromium, versions.clone())?;
            match port_told(&lines) {
                Ok(port) => {
                    this.port = port;
                    return Ok(this);
                }
                Err(Silence::Ended(said)) => {
                    tracing::debug!("chromedriver ended before it listened: {said}");
                    last_words = said;
                }
                Err(Silence::Runs) => {
                    let time = START_TIME.as_secs();
                    return Err(fail(&format!(
                        "it did not name its port within {time} s; run it by hand to see why"
                    )));
                }
            }
        }
        let said =
            if last_words.is_empty() { "without a word".into() } else { format!("saying {last_words:?}") };
        Err(fail(&format!("it ended {STARTS} times before it listened, {said}; run it by hand to see why")))
    }

    /// Starts it, and its janitor. Gives it and the lines that it prints.
    fn spawn(chromedriver: &Path, chromium: &Path, versions: Versions) -> Result<(Self, Receiver<String>)> {
        let fail = |what: &str, error: &dyn std::fmt::Display| {
            Error::Browser(format!("{what} {}: {error}", chromedriver.display()))
        };
        let home = tempfile::Builder::new()
            .prefix(HOME_PREFIX)
            .tempdir()
            .map_err(|error| fail("no temporary directory for", &error))?;
        let owner = take_ownership(home.path()).map_err(|error| fail("no lock for", &error))?;
        let as_root = std::fs::metadata(home.path()).is_ok_and(|data| data.uid() == 0);
        let port = free_port().map_err(|error| fail("no free port for", &error))?;
        let mut child = Command::new(chromedriver)
            .arg(format!("--port={port}"))
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
            port,
            home: Some(home),
            _owner: owner,
            janitor: None,
            chromium: chromium.to_owned(),
            versions,
            as_root,
            profiles: AtomicU32::new(0),
        };
        this.janitor = this.home.as_ref().and_then(|home| Janitor::watch(this.child.id(), home.path()));
        let (tell, told) = channel();
        if let Some(stdout) = stdout {
            // Browsers inherit the pipe: it is read to its end so that nobody blocks on it.
            std::thread::spawn(move || {
                for line in BufReader::new(stdout).lines().map_while(std::io::Result::ok) {
                    let _ = tell.send(line);
                }
            });
        }
        Ok((this, told))
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
        if let Some(janitor) = self.janitor.take() {
            janitor.dismiss();
        }
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

/// Why no port was named.
#[derive(Debug, PartialEq, Eq)]
enum Silence {
    /// It ended; its last line.
    Ended(String),
    /// It still runs.
    Runs,
}

/// The port that it names among its first lines.
fn port_told(lines: &Receiver<String>) -> Result<u16, Silence> {
    let until = Instant::now() + START_TIME;
    let mut last = String::new();
    loop {
        match lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(line) => match port_in(&line) {
                Some(port) => return Ok(port),
                None => last = line,
            },
            Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended(last)),
            Err(RecvTimeoutError::Timeout) => return Err(Silence::Runs),
        }
    }
}

/// A port that is free under both of this machine's addresses. Left to choose by itself, ChromeDriver takes one
/// that is free in IPv6 and ends when it is not so in IPv4.
fn free_port() -> std::io::Result<u16> {
    loop {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let port = listener.local_addr()?.port();
        match TcpListener::bind(("::1", port)) {
            Err(error) if error.kind() == ErrorKind::AddrInUse => {}
            // or there is no IPv6 here
            _ => return Ok(port),
        }
    }
}

/// The port in ChromeDriver's start line.
fn port_in(line: &str) -> Option<u16> {
    let (_, rest) = line.split_once("started successfully on port ")?;
    rest.trim_end_matches(['.', ' ']).parse().ok()
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
        let is_left = match File::open(entry.path().join(OWNER_LOCK)) {
            Ok(lock) => lock.try_lock().is_ok(),
            // one that is just starting has no lock yet; one that is old was written to by a browser that was dying
            Err(_) => entry
                .metadata()
                .and_then(|data| data.modified())
                .is_ok_and(|changed| changed.elapsed().is_ok_and(|since| since > UNOWNED)),
        };
        if is_left {
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
    fn an_ended_driver_leaves_its_last_words() {
        let (tell, told) = channel();
        for line in ["Starting ChromeDriver", "IPv4 port not available. Exiting..."] {
            tell.send(line.to_owned()).unwrap();
        }
        drop(tell);
        assert_eq!(port_told(&told), Err(Silence::Ended("IPv4 port not available. Exiting...".to_owned())));
    }

    #[test]
    fn what_nobody_owns_any_more_is_swept_away() {
        let home = || tempfile::Builder::new().prefix(HOME_PREFIX).tempdir().unwrap();
        let (abandoned, owned, unknown, old) = (home(), home(), home(), home());
        let long_ago = std::time::SystemTime::now() - UNOWNED * 2;
        File::open(old.path()).unwrap().set_modified(long_ago).unwrap();
        drop(take_ownership(abandoned.path()).unwrap());
        let _owner = take_ownership(owned.path()).unwrap();
        sweep_abandoned();
        assert!(!abandoned.path().exists());
        assert!(owned.path().exists(), "its owner lives");
        assert!(unknown.path().exists(), "it has no lock: it may just be starting");
        assert!(!old.path().exists(), "nobody starts for so long");
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
