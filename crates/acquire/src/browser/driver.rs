//! A ChromeDriver process for one browser, and its end, with everything that it started.
//!
//! The browser talks to its driver through a pipe (`--remote-debugging-pipe`) and ends with it, however that ended. All of
//! their processes hold the driver's standard output, so that its end says that they are gone.

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

/// Longest time for ChromeDriver to listen.
const START_TIME: Duration = Duration::from_secs(20);
/// How often it is started if it exits before it listens, each time on another port.
const STARTS: u32 = 5;
/// Longest time for killed processes to be gone.
const GONE_TIME: Duration = Duration::from_secs(5);
/// Names of the directories that drivers work in, below the system's temporary directory.
const HOME_PREFIX: &str = "atlas-gt-browser-";
/// Locked as long as the driver's owner lives; holds the driver's process id.
const OWNER_LOCK: &str = "owner.lock";
/// How long a directory may have no owner's lock, which comes in its first moment.
const UNOWNED: Duration = Duration::from_secs(120);

/// What the janitor does once its input ends, which is when nobody holds it any more: it ends the driver's process group
/// and removes the directory. A dying browser may write once more, so the directory must stay away for a second.
const JANITOR: &str = r#"trap '' INT TERM HUP
while read -r line; do :; done
kill -9 "-$1" 2>/dev/null
for attempt in 1 2 3 4 5 6 7 8 9; do
  rm -rf -- "$2" 2>/dev/null
  sleep 1
  [ -e "$2" ] || exit 0
done"#;

/// A running ChromeDriver with a directory of its own for one browser's profile. Dropping it kills both.
#[derive(Debug)]
pub(super) struct DriverProcess {
    port: u16,
    pid: u32,
    home: PathBuf,
    /// None once it was killed.
    running: Mutex<Option<Running>>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    /// The lines that it prints; ends with the last process that it started.
    output: Receiver<String>,
    home: TempDir,
    /// Held open for its lock.
    _owner: File,
    /// Outlives us if we are killed. Without it the next start cleans up.
    janitor: Option<Child>,
}

impl DriverProcess {
    /// Finds ChromeDriver and starts it on a free port.
    ///
    /// # Errors
    /// When it or Chromium is not found, their versions differ, or it does not start.
    pub async fn start(options: &BrowserOptions) -> Result<Self> {
        let chromedriver = Programs::find(options).await?.chromedriver.path;
        tokio::task::spawn_blocking(move || {
            sweep_abandoned();
            Self::launch(&chromedriver)
        })
        .await
        .map_err(|error| Error::Browser(format!("starting chromedriver was interrupted: {error}")))?
    }

    /// Starts it until it listens. Another process may take its port in the moment before it does, upon which
    /// ChromeDriver ends itself.
    fn launch(chromedriver: &Path) -> Result<Self> {
        let fail = |what: String| {
            Error::Browser(format!(
                "failed to start {}: {what}; run it by hand to see why",
                chromedriver.display()
            ))
        };
        let mut last_line = String::new();
        for _ in 0..STARTS {
            let this = Self::spawn(chromedriver).map_err(|error| fail(error.to_string()))?;
            let started = this.lock().as_ref().map(|running| until_it_listens(&running.output));
            match started {
                Some(Ok(())) => return Ok(this),
                Some(Err(Silence::Ended(said))) => last_line = said,
                Some(Err(Silence::Runs)) | None => {
                    return Err(fail(format!("it did not listen within {} s", START_TIME.as_secs())));
                }
            }
        }
        Err(fail(format!("it ended {STARTS} times before it listened, its last line was {last_line:?}")))
    }

    /// Starts it, and its janitor.
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
        // from here on dropping `this` cleans up
        write!(owner, "{pid}")?;
        std::thread::spawn(move || {
            for line in stdout.map(BufReader::new).into_iter().flat_map(BufRead::lines).map_while(Result::ok)
            {
                // what is printed later is read as well, so that nobody blocks on the pipe
                let _ = send.send(line);
            }
        });
        Ok(this)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Its process id, which is also its process group.
    pub const fn pid(&self) -> u32 {
        self.pid
    }

    /// The directory that it and its browser work in; gone after [`DriverProcess::kill`].
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The directory of its browser's profile.
    pub fn profile(&self) -> PathBuf {
        self.home.join("profile")
    }

    /// Whether it runs as root, where Chromium has no sandbox.
    pub(crate) fn as_root(&self) -> bool {
        std::fs::metadata(&self.home).is_ok_and(|data| data.uid() == 0)
    }

    /// Whether nobody has killed it.
    pub(crate) fn is_running(&self) -> bool {
        self.lock().is_some()
    }

    /// Kills ChromeDriver and its browser, waits until they are gone, and removes the directory. Blocks for some hundred
    /// milliseconds; doing it twice does nothing.
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
                        "processes of chromedriver {} do not end; their directory is {:?}",
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

/// Starts a janitor, which waits for the end of its input.
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
        // it may have ended by itself
        let _ = killpg(Pid::from_raw(leader), Signal::SIGKILL);
    }
}

/// Why it does not listen.
#[derive(Debug, PartialEq, Eq)]
enum Silence {
    /// It ended; its last line.
    Ended(String),
    /// It still runs.
    Runs,
}

/// Reads what it prints until it says that it listens.
fn until_it_listens(lines: &Receiver<String>) -> Result<(), Silence> {
    let until = Instant::now() + START_TIME;
    let mut last = String::new();
    loop {
        match lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(line) if line.contains("started successfully on port ") => return Ok(()),
            Ok(line) => last = line,
            Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended(last)),
            Err(RecvTimeoutError::Timeout) => return Err(Silence::Runs),
        }
    }
}

/// A port that is free under both of this machine's addresses. Left to choose by itself, ChromeDriver takes one that is
/// free in IPv6 and ends when it is not so in IPv4.
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

/// Locks the directory for as long as the returned file is open. It gets its name only when it is locked.
fn take_ownership(home: &Path) -> std::io::Result<File> {
    let fresh = home.join("owner.new");
    let file = File::create(&fresh)?;
    file.lock()?;
    std::fs::rename(fresh, home.join(OWNER_LOCK))?;
    Ok(file)
}

/// Ends what earlier runs left behind whose janitor was killed too: directories whose owner no longer holds the lock,
/// and the drivers that work in them.
fn sweep_abandoned() {
    let Ok(entries) = std::fs::read_dir(std::env::temp_dir()) else { return };
    for entry in entries.flatten() {
        let home = entry.path();
        if !entry.file_name().to_str().is_some_and(|name| name.starts_with(HOME_PREFIX)) {
            continue;
        }
        let is_left = match File::open(home.join(OWNER_LOCK)) {
            Ok(lock) => lock.try_lock().is_ok(),
            // one that is just starting has no lock yet; an old one was written to by a browser that was dying
            Err(_) => entry
                .metadata()
                .and_then(|data| data.modified())
                .is_ok_and(|changed| changed.elapsed().is_ok_and(|since| since > UNOWNED)),
        };
        if is_left {
            let driver = std::fs::read_to_string(home.join(OWNER_LOCK)).unwrap_or_default().parse();
            // another process may have its number by now
            if let Some(pid) = driver.ok().filter(|pid| works_in(*pid, &home)) {
                kill_group(pid);
            }
            let _ = std::fs::remove_dir_all(&home);
        }
    }
}

/// Whether a process was started to work in a directory.
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
        assert_eq!(said([start, last]), Err(Silence::Ended(last.to_owned())));
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
