//! Trust in a store: what was changed, is missing or cannot be read is named by every command and scores nothing.

mod damaged;
mod edits;
mod files;
mod readers;
#[path = "../stage/tree.rs"]
mod tree;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;

use tempfile::TempDir;

/// When records are read and everything else happens, unless a test says otherwise.
const NOW: &str = "2026-11-20T10:30:00Z";

/// Exit code, standard output and standard error of the program.
fn call(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    call_at(NOW, folder, &[arguments, &["--store", "store"]].concat())
}

fn call_at(now: &str, folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_atlas-gt"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("ATLAS_GT_")) {
        if !matches!(name.as_str(), "ATLAS_GT_CHROMIUM" | "ATLAS_GT_CHROMEDRIVER") {
            command.env_remove(name);
        }
    }
    let cache = std::env::temp_dir().join(format!("atlas-gt-quarantine-{}", std::process::id()));
    command.env("ATLAS_GT_NOW", now).env("XDG_CACHE_HOME", cache).env_remove("RUST_LOG");
    let Output { status, stdout, stderr } = command.current_dir(folder).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).unwrap();
        }
    }
}

fn replace(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from} in {text}");
    fs::write(path, text.replace(from, to)).unwrap();
}

/// Eleven records and a reading that waits, in a folder of the test's own.
fn made() -> TempDir {
    static MADE: LazyLock<TempDir> = LazyLock::new(|| {
        let made = tempfile::tempdir().unwrap();
        let (code, out, err) =
            call(made.path(), &["collect", "--site", "twin", "--questions", "61-68,139-141"]);
        assert_eq!(code, 0, "{out}{err}");
        let vintage = ["refresh", "--site", "twin", "--vintage", "2027", "--questions", "61"];
        let (code, out, err) = call(made.path(), &vintage);
        assert_eq!(code, 3, "{out}{err}");
        made
    });
    let folder = tempfile::tempdir().unwrap();
    copy(MADE.path(), folder.path());
    folder
}
