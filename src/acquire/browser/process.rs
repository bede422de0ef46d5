//! Finding and ending the processes that belong to a browser, also those that lost their parent.

use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

/// Longest time to wait for killed processes to be gone.
const GONE_TIME: Duration = Duration::from_secs(3);

/// Environment variable by which descendants of a driver are known again, whoever adopted them.
pub(super) const MARK: &str = "ATLAS_GT_BROWSER_HOME";

fn pid(raw: u32) -> Option<Pid> {
    i32::try_from(raw).ok().filter(|raw| *raw > 1).map(Pid::from_raw)
}

/// Kills a process group. The caller knows that its leader has not been reaped yet.
pub(super) fn kill_group(leader: u32) {
    if let Some(leader) = pid(leader) {
        // It may have ended by itself.
        let _ = killpg(leader, Signal::SIGKILL);
    }
}

/// One process as `/proc` tells it.
struct Entry {
    pid: u32,
    parent: u32,
}

/// All processes that are alive (zombies are not).
fn alive() -> Vec<Entry> {
    let Ok(dir) = std::fs::read_dir("/proc") else { return Vec::new() };
    dir.flatten()
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            // The command may hold spaces and parentheses; the fields follow the last one.
            let mut fields = stat.get(stat.rfind(')')? + 1..)?.split_whitespace();
            let state = fields.next()?;
            let parent = fields.next()?.parse().ok()?;
            (state != "Z" && state != "X").then_some(Entry { pid, parent })
        })
        .collect()
}

/// Whether a process's command line or environment names `home`.
fn names(pid: u32, home: &Path) -> bool {
    let needle = home.as_os_str().as_encoded_bytes();
    ["cmdline", "environ"].iter().any(|file| {
        std::fs::read(format!("/proc/{pid}/{file}"))
            .is_ok_and(|text| text.windows(needle.len()).any(|window| window == needle))
    })
}

/// Processes that work in `home` (a driver's or a profile's directory), and all their descendants.
pub(super) fn working_in(home: &Path) -> Vec<u32> {
    let own = std::process::id();
    let entries = alive();
    let mut found: HashSet<u32> =
        entries.iter().map(|entry| entry.pid).filter(|pid| *pid != own && names(*pid, home)).collect();
    loop {
        let before = found.len();
        for entry in &entries {
            if entry.pid != own && found.contains(&entry.parent) {
                found.insert(entry.pid);
            }
        }
        if found.len() == before {
            break;
        }
    }
    let mut found: Vec<u32> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// Kills everything that works in `home` and waits until it is gone, then removes the directory.
pub(super) fn clear_out(home: &Path) {
    let started = Instant::now();
    loop {
        let left = working_in(home);
        for process in left.iter().filter_map(|raw| pid(*raw)) {
            let _ = kill(process, Signal::SIGKILL);
        }
        // A dying process may still write, so that the removal fails half way; then once more.
        let removed = std::fs::remove_dir_all(home).is_ok() || !home.exists();
        if (left.is_empty() && removed) || started.elapsed() > GONE_TIME {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn descendants_are_found_by_the_mark_and_ended() {
        let home = tempfile::tempdir().unwrap();
        let mut child =
            Command::new("sh").args(["-c", "sleep 60; true"]).env(MARK, home.path()).spawn().unwrap();
        let started = Instant::now();
        while working_in(home.path()).len() < 2 && started.elapsed() < GONE_TIME {
            std::thread::yield_now();
        }
        assert!(working_in(home.path()).contains(&child.id()));
        clear_out(home.path());
        assert_eq!(working_in(home.path()), Vec::<u32>::new());
        assert!(!home.path().exists());
        assert!(!child.wait().unwrap().success());
    }

    #[test]
    fn nobody_works_in_a_strange_directory() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(working_in(home.path()), Vec::<u32>::new());
    }
}
