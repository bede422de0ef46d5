//! A real PostgreSQL in a folder of its own, on loopback, gone with its test.

use std::io::Read;
use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sqlx::{AssertSqlSafe, Connection, PgConnection};

/// The user that runs the server where the tests are root's: PostgreSQL refuses root.
const NOBODY: u32 = 65534;

pub struct Postgres {
    _folder: tempfile::TempDir,
    server: Child,
    port: u16,
}

/// A program of PostgreSQL: on the path, or where Debian puts it.
fn program(name: &str) -> PathBuf {
    let on_path = std::env::var_os("PATH")
        .and_then(|paths| std::env::split_paths(&paths).map(|path| path.join(name)).find(|p| p.is_file()));
    let debian = || {
        let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
        versions
            .flatten()
            .map(|version| version.path().join("bin").join(name))
            .find(|program| program.is_file())
    };
    on_path
        .or_else(debian)
        .unwrap_or_else(|| panic!("{name} is missing: install postgresql (scripts/setup.sh postgres)"))
}

fn is_root(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(folder).unwrap().uid() == 0
}

impl Postgres {
    pub async fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("atlas-gt-postgres-").tempdir_in("/tmp").unwrap();
        let root = is_root(folder.path());
        if root {
            chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let command = |name: &str| {
            let mut command = Command::new(program(name));
            command.current_dir(folder.path()).env_clear().env("LC_ALL", "C").stdin(Stdio::null());
            if root {
                command.uid(NOBODY).gid(NOBODY);
            }
            command
        };
        let data = folder.path().join("data");
        let made = command("initdb")
            .args(["-D", data.to_str().unwrap(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"])
            .output();
        let made = made.unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let port_text = port.to_string();
        let mut server = command("postgres")
            .args([
                "-D",
                data.to_str().unwrap(),
                "-h",
                "127.0.0.1",
                "-p",
                &port_text,
                "-k",
                folder.path().to_str().unwrap(),
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let patience = Instant::now() + Duration::from_secs(60);
        while PgConnection::connect(&address(port, "postgres")).await.is_err() {
            if let Some(status) = server.try_wait().unwrap() {
                let mut said = String::new();
                server.stderr.take().unwrap().read_to_string(&mut said).unwrap();
                panic!("PostgreSQL ended: {status}: {said}");
            }
            assert!(Instant::now() < patience, "PostgreSQL does not answer");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Self { _folder: folder, server, port }
    }

    /// A new, empty database.
    pub async fn database(&self, name: &str) -> String {
        self.execute("postgres", &format!("CREATE DATABASE {name}")).await;
        address(self.port, name)
    }

    /// Runs statements in a database.
    pub async fn execute(&self, database: &str, statements: &str) {
        let mut connection = PgConnection::connect(&address(self.port, database)).await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(statements.to_owned())).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    }
}

fn address(port: u16, database: &str) -> String {
    format!("postgres://postgres@127.0.0.1:{port}/{database}")
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
