//! Starts and stops one ChromeDriver process per browser.
//!
//! The browser talks to its driver through a pipe (`--remote-debugging-pipe`) and exits when the driver does. Every
//! process of the pair holds the driver's standard output, so end of file on it means that all of them are gone.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tempfile::TempDir;

use super::BrowserOptions;
use super::programs::Programs;
use crate::error::{Error, Result};

/// Timeout for ChromeDriver to start listening.
const START_TIME: Duration = Duration::from_secs(20);
/// Start attempts when ChromeDriver exits before it listens. Each attempt uses another port.
const STARTS: u32 = 5;
/// Timeout for killed processes to disappear.
const GONE_TIME: Duration = Duration::from_secs(5);
/// Name prefix of the drivers' working directories in the system's temporary directory.
const HOME_PREFIX: &str = "atlas-gt-browser-";
/// The lock file. The driver's owner holds the lock while it lives; the file contains the driver's process id.
const OWNER_LOCK: &str = "owner.lock";
/// Age from which a directory without an owner lock counts as abandoned. A new driver locks its directory at once.
const UNOWNED: Duration = Duration::from_secs(120);

/// The janitor script. Its input ends when the owner exits; it then kills the driver's process group and removes the
/// directory. A dying browser may write again, so the directory must stay away for one second.
const JANITOR: &str = r#"trap '' INT TERM HUP
while read -r line; do :; done
kill -9 "-$1" 2>/dev/null
for attempt in 1 2 3 4 5 6 7 8 9; do
  rm -rf -- "$2" 2>/dev/null
  sleep 1
  [ -e "$2" ] || exit 0
done"#;

/// A running ChromeDriver with a working directory for one browser profile. Dropping it kills the driver and the
/// browser.
#[derive(Debug)]
pub(super) struct DriverProcess {
    port: u16,
    pid: u32,
    home: PathBuf,
    /// `None` after `kill`.
    running: Mutex<Option<Running>>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    /// The lines the driver prints. The channel closes when the last process exits.
    output: Receiver<String>,
    home: TempDir,
    /// Holds the owner lock.
    _owner: File,
    /// Outlives us if we are killed. Without a janitor, the next start cleans up.
    janitor: Option<Child>,
}

impl DriverProcess {
    /// Finds ChromeDriver and starts it on a free port.
    ///
    /// # Errors
    /// Either program is missing, their versions differ, or ChromeDriver does not start.
    pub async fn start(options: &BrowserOptions) -> Result<Self> {
        let chromedriver = Programs::find(options).await?.chromedriver.path;
        tokio::task::spawn_blocking(move || {
            sweep_abandoned();
            Self::launch(&chromedriver)
        })
        .await
        .map_err(|error| Error::Browser(format!("starting chromedriver was interrupted: {error}")))?
    }

    /// Starts ChromeDriver and waits until it listens. It exits if another process takes its port first.
    fn launch(chromedriver: &Path) -> Result<Self> {
        let fail = |reason: String| {
            Error::Browser(format!(
                "failed to start {}: {reason}; run it by hand to see why",
                chromedriver.display()
            ))
        };
        let mut last_line = String::new();
        for _ in 0..STARTS {
            let this = Self::spawn(chromedriver).map_err(|error| fail(error.to_string()))?;
            let started = this.lock().as_ref().map(|running| until_it_listens(&running.output));
            match started {
                Some(Ok(())) => return Ok(this),
                Some(Err(StartFailure::Exited(line))) => last_line = line,
                Some(Err(StartFailure::TimedOut)) | None => {
                    return Err(fail(format!("it did not listen within {} s", START_TIME.as_secs())));
                }
            }
        }
        Err(fail(format!("it exited {STARTS} times before it listened; its last line was {last_line:?}")))
    }

    /// Starts the driver process and its janitor.
    fn spawn(chromedriver: &Path) -> std::io::Result<Self> {
        let home = tempfile::Builder::new().prefix(HOME_PREFIX).tempdir()?;
        let mut owner = take_ownership(home.path())?;
        std::fs::create_dir(home.path().join("profile"))?;
        let port = free_port()?;
        let mut child = Command::new(chromedriver)
            .arg(format!("--port={port}"))
            .env("TMPDIR", home.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let pid = child.id();
        let (send, output) = channel();
        let stdout = child.stdout.take();
        let janitor = watch(pid, home.path()).ok();
        let running = Running { child, output, _owner: owner.try_clone()?, janitor, home };
        let this =
            Self { port, pid, home: running.home.path().to_owned(), running: Mutex::new(Some(running)) };
        // From here on, dropping `this` cleans up.
        write!(owner, "{pid}")?;
        std::thread::spawn(move || {
            for line in stdout.map(BufReader::new).into_iter().flat_map(BufRead::lines).map_while(Result::ok)
            {
                // Keep reading after the receiver is gone, so that the driver never blocks on a full pipe.
                let _ = send.send(line);
            }
        });
        Ok(this)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The address ChromeDriver listens on.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// The driver's process id, which is also its process group.
    pub const fn pid(&self) -> u32 {
        self.pid
    }

    /// The working directory of the driver and its browser. [`DriverProcess::kill`] removes it.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The browser's profile directory.
    pub fn profile(&self) -> PathBuf {
        self.home.join("profile")
    }

    /// Whether the driver runs as root. Chromium has no sandbox then.
    pub(crate) fn as_root(&self) -> bool {
        std::fs::metadata(&self.home).is_ok_and(|data| data.uid() == 0)
    }

    /// Whether the driver has not been killed.
    pub(crate) fn is_running(&self) -> bool {
        self.lock().is_some()
    }

    /// Kills ChromeDriver and its browser, waits until they are gone, and removes the directory. Blocks for a few
    /// hundred milliseconds. A second call does nothing.
    pub fn kill(&self) {
        let running = self.lock().take();
        let Some(Running { mut child, output, home, janitor, _owner }) = running else { return };
        if let Some(mut janitor) = janitor {
            let _ = janitor.kill();
            let _ = janitor.wait();
        }
        kill_group(self.pid);
        let _ = child.wait();
        let until = Instant::now() + GONE_TIME;
        let left = || until.saturating_duration_since(Instant::now());
        loop {
            match output.recv_timeout(left()) {
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    tracing::warn!(
                        "processes of chromedriver {} do not exit; their directory is {:?}",
                        self.pid,
                        self.home
                    );
                    break;
                }
            }
        }
        let _ = home.close();
    }
}

impl Drop for DriverProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Starts a janitor, which acts when its input ends.
fn watch(leader: u32, home: &Path) -> std::io::Result<Child> {
    Command::new("sh")
        .args(["-c", JANITOR, "atlas-gt-janitor", &leader.to_string()])
        .arg(home)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
}

fn kill_group(leader: u32) {
    if let Some(leader) = i32::try_from(leader).ok().filter(|raw| *raw > 1) {
        // The group may already be gone.
        let _ = killpg(Pid::from_raw(leader), Signal::SIGKILL);
    }
}

/// Why ChromeDriver does not listen.
#[derive(Debug, PartialEq, Eq)]
enum StartFailure {
    /// It exited; the last line it printed.
    Exited(String),
    /// It still runs but did not listen in time.
    TimedOut,
}

/// Reads the driver's output until it reports that it listens.
fn until_it_listens(lines: &Receiver<String>) -> Result<(), StartFailure> {
    let until = Instant::now() + START_TIME;
    let mut last = String::new();
    loop {
        match lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(line) if line.contains("started successfully on port ") => return Ok(()),
            Ok(line) => last = line,
            Err(RecvTimeoutError::Disconnected) => return Err(StartFailure::Exited(last)),
            Err(RecvTimeoutError::Timeout) => return Err(StartFailure::TimedOut),
        }
    }
}

/// A port that is free in both IPv4 and IPv6. When ChromeDriver chooses a port itself, it checks only IPv6, and exits
/// if IPv4 is taken.
fn free_port() -> std::io::Result<u16> {
    loop {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let port = listener.local_addr()?.port();
        match TcpListener::bind(("::1", port)) {
            Err(error) if error.kind() == ErrorKind::AddrInUse => {}
            // Free, or this machine has no IPv6.
            _ => return Ok(port),
        }
    }
}

/// Locks the directory while the returned file is open. The lock file gets its final name only once it is locked.
fn take_ownership(home: &Path) -> std::io::Result<File> {
    let fresh = home.join("owner.new");
    let file = File::create(&fresh)?;
    file.lock()?;
    std::fs::rename(fresh, home.join(OWNER_LOCK))?;
    Ok(file)
}

/// Cleans up after earlier runs whose janitor was killed too: removes directories whose owner lock is free, and kills
/// the drivers in them.
fn sweep_abandoned() {
    let Ok(entries) = std::fs::read_dir(std::env::temp_dir()) else { return };
    for entry in entries.flatten() {
        let home = entry.path();
        if !entry.file_name().to_str().is_some_and(|name| name.starts_with(HOME_PREFIX)) {
            continue;
        }
        let is_left = match File::open(home.join(OWNER_LOCK)) {
            Ok(lock) => lock.try_lock().is_ok(),
            // A starting driver has no lock file yet. In an old directory, a dying browser may have written after the
            // removal.
            Err(_) => entry
                .metadata()
                .and_then(|data| data.modified())
                .is_ok_and(|changed| changed.elapsed().is_ok_and(|since| since > UNOWNED)),
        };
        if is_left {
            let driver = std::fs::read_to_string(home.join(OWNER_LOCK)).unwrap_or_default().parse();
            // The process id may have been reused.
            if let Some(pid) = driver.ok().filter(|pid| works_in(*pid, &home)) {
                kill_group(pid);
            }
            let _ = std::fs::remove_dir_all(&home);
        }
    }
}

/// Whether a process was started with this working directory.
fn works_in(pid: u32, home: &Path) -> bool {
    let wanted = [b"TMPDIR=", home.as_os_str().as_encoded_bytes()].concat();
    std::fs::read(format!("/proc/{pid}/environ"))
        .is_ok_and(|environment| environment.split(|byte| *byte == 0).any(|entry| entry == wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_listens_once_it_says_so_and_one_that_ended_leaves_its_last_line() {
        let said = |printed: [&str; 2]| {
            let (send, lines) = channel();
            printed.into_iter().for_each(|line| send.send(line.to_owned()).unwrap());
            drop(send);
            until_it_listens(&lines)
        };
        let start = "Starting ChromeDriver 156.0.8078.79 (a21ce) on port 37009";
        assert_eq!(said([start, "ChromeDriver was started successfully on port 37009."]), Ok(()));
        let last = "IPv4 port not available. Exiting...";
        assert_eq!(said([start, last]), Err(StartFailure::Exited(last.to_owned())));
    }

    fn home() -> TempDir {
        tempfile::Builder::new().prefix(HOME_PREFIX).tempdir().unwrap()
    }

    #[test]
    fn a_janitor_whose_input_ends_kills_the_group_and_removes_the_directory() {
        let home = tempfile::tempdir().unwrap();
        let mut driver = Command::new("sleep").arg("60").process_group(0).spawn().unwrap();
        let mut janitor = watch(driver.id(), home.path()).unwrap();
        drop(janitor.stdin.take());
        assert!(!driver.wait().unwrap().success(), "it was killed");
        assert!(janitor.wait().unwrap().success());
        assert!(!home.path().exists());
    }

    #[test]
    fn what_nobody_owns_any_more_is_swept_away() {
        let (abandoned, owned, unknown, old) = (home(), home(), home(), home());
        let long_ago = std::time::SystemTime::now() - UNOWNED * 2;
        File::open(old.path()).unwrap().set_modified(long_ago).unwrap();
        let mut left =
            Command::new("sleep").arg("60").env("TMPDIR", abandoned.path()).process_group(0).spawn().unwrap();
        write!(take_ownership(abandoned.path()).unwrap(), "{}", left.id()).unwrap();
        let owner = take_ownership(owned.path()).unwrap();
        // the environment is that of this process until the new program runs
        while !works_in(left.id(), abandoned.path()) {
            std::thread::yield_now();
        }
        sweep_abandoned();
        assert!(!abandoned.path().exists());
        assert!(!left.wait().unwrap().success(), "its driver was killed");
        assert!(owned.path().exists(), "its owner lives");
        assert!(unknown.path().exists(), "it has no lock: it may just be starting");
        assert!(!old.path().exists(), "nobody starts for so long");
        let other = File::open(owned.path().join(OWNER_LOCK)).unwrap();
        assert!(other.try_lock().is_err());
        drop(owner);
        assert!(other.try_lock().is_ok());
    }

    #[test]
    fn a_process_with_a_number_used_again_is_not_taken_for_a_driver() {
        assert!(!works_in(std::process::id(), home().path()));
    }
}
