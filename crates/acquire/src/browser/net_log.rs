//! Counts by host what a browser really sent, from the log of its network stack. The log contains every request that
//! left the browser.
//!
//! A page knows only its own requests. It misses those of workers, of frames of other origins, redirect hops and its
//! icon, and everything if it did not load.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use nix::fcntl::{FallocateFlags, fallocate};
use serde_json::Value as Json;

/// File name of the log. It lies in the browser's profile and is removed with it.
const NAME: &str = "net-log.json";

/// The log events that each stand for one request on the wire, including those the browser retries itself.
const EVENTS: [&str; 3] = [
    "HTTP_TRANSACTION_SEND_REQUEST_HEADERS",
    "HTTP_TRANSACTION_HTTP2_SEND_REQUEST_HEADERS",
    "HTTP_TRANSACTION_QUIC_SEND_REQUEST_HEADERS",
];

/// The log file of the browser with this profile.
pub(super) fn net_log(profile: &Path) -> PathBuf {
    profile.join(NAME)
}

/// The requests of one visit, read from a log that is still being written (JSON, one event a line).
#[derive(Debug, Default)]
pub(super) struct NetLog {
    /// `None` for a browser on another machine.
    path: Option<PathBuf>,
    /// Bytes read so far.
    read: u64,
    /// The start of an incomplete line.
    rest: Vec<u8>,
    /// The line endings that mark requests. `None` until the first line has been read.
    ends: Option<Vec<String>>,
    hosts: BTreeMap<String, u32>,
}

impl NetLog {
    /// The log of the browser with this profile. Without a profile it counts nothing.
    pub fn of(profile: Option<&Path>) -> Self {
        Self { path: profile.map(net_log), ..Self::default() }
    }

    /// Starts a visit. Requests that the previous page sends after its own count are charged to this visit.
    pub fn begin(&mut self) {
        self.hosts.clear();
    }

    /// Counts the requests since the last update. If the log cannot be read, only the page's own count remains.
    pub fn update(&mut self) {
        match self.read() {
            Ok(hosts) => hosts.into_iter().for_each(|host| *self.hosts.entry(host).or_default() += 1),
            Err(error) => tracing::debug!("{:?}: {error}; using the page's own request count", self.path),
        }
    }

    /// Raises each reported count to at least the number in the log.
    pub fn raise(&self, reported: &mut BTreeMap<String, u32>) {
        for (host, sent) in &self.hosts {
            let reported = reported.entry(host.clone()).or_default();
            *reported = (*reported).max(*sent);
        }
    }

    /// The host of each request since the last read.
    fn read(&mut self) -> io::Result<Vec<String>> {
        let Some(path) = &self.path else { return Ok(Vec::new()) };
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        file.seek(SeekFrom::Start(self.read))?;
        self.read += file.read_to_end(&mut self.rest)? as u64;
        self.free(&file);
        let whole = self.rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let lines: Vec<u8> = self.rest.drain(..whole).collect();
        Ok(String::from_utf8_lossy(&lines).lines().filter_map(|line| self.host(line)).collect())
    }

    /// Frees the disk space of what has been read: the browser writes about 300 kB a page, for hours. A file system
    /// without holes keeps it until the browser exits.
    fn free(&self, file: &File) {
        let hole = FallocateFlags::FALLOC_FL_PUNCH_HOLE | FallocateFlags::FALLOC_FL_KEEP_SIZE;
        if let Ok(read) = i64::try_from(self.read) {
            fallocate(file, hole, 0, read).ok();
        }
    }

    /// The host of the request in a line, if the line is one.
    fn host(&mut self, line: &str) -> Option<String> {
        let line = line.trim_end().trim_end_matches(',');
        let Some(ends) = &self.ends else {
            self.ends = Some(ends_of_requests(line));
            return None;
        };
        ends.iter().find(|end| line.ends_with(end.as_str()))?;
        let event: Json = serde_json::from_str(line).ok()?;
        let mut headers = event["params"]["headers"].as_array()?.iter().filter_map(Json::as_str);
        // HTTP/2 and later name the host `:authority`.
        let host =
            headers.find_map(|it| it.strip_prefix("Host: ").or_else(|| it.strip_prefix(":authority: ")));
        host.map(str::to_owned)
    }
}

/// The line endings of requests. The log's first line defines the event numbers.
fn ends_of_requests(head: &str) -> Vec<String> {
    let head: Json = serde_json::from_str(&format!("{head}}}")).unwrap_or_default();
    let number = |name: &&str| head["constants"]["logEventTypes"][name].as_u64();
    EVENTS.iter().filter_map(number).map(|number| format!("\"type\":{number}}}")).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const HEAD: &str = concat!(
        r#"{"constants":{"logEventTypes":{"CORS_REQUEST":3,"HTTP_TRANSACTION_SEND_REQUEST_HEADERS":18,"#,
        r#""HTTP_TRANSACTION_HTTP2_SEND_REQUEST_HEADERS":181},"other":[1]},"#,
        "\n\"events\": [\n"
    );

    #[test]
    fn every_request_on_the_wire_counts_once_for_its_host_as_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = File::create(net_log(folder.path())).unwrap();
        let mut sent = NetLog::of(Some(folder.path()));
        let event = |kind: u32, headers: &str| {
            format!(
                r#"{{"params":{{"headers":[{headers}],"line":"GET /"}},"source":{{"id":7}},"type":{kind}}},"#
            )
        };
        let old = event(18, r#""Connection: keep-alive","Host: 127.0.0.1:81","Accept: */*""#);
        let new = event(181, r#"":method: GET",":authority: site.example",":path: /é""#);
        writeln!(file, "{HEAD}{old}\n{}\n{new}", event(3, r#""Host: 127.0.0.1:81""#)).unwrap();
        write!(file, "{}", &old[..40]).unwrap();
        sent.update();
        let mut hosts = [("site.example".to_owned(), 4), ("blocked.example".to_owned(), 2)].into();
        sent.raise(&mut hosts);
        let counted = |one, other: u32| {
            let all = [("127.0.0.1:81", one), ("blocked.example", 2), ("site.example", other)];
            all.map(|(host, count)| (host.to_owned(), count)).into()
        };
        assert_eq!(hosts, counted(1, 4), "what pages report stands where it is more");
        write!(file, "{}\n{old}\n", &old[40..]).unwrap();
        sent.update();
        sent.raise(&mut hosts);
        assert_eq!(hosts, counted(3, 4), "a line that was half written is read when it is whole");
        sent.begin();
        sent.update();
        let mut hosts = BTreeMap::new();
        sent.raise(&mut hosts);
        assert_eq!(hosts, BTreeMap::new(), "nothing counts twice");
    }

    #[test]
    fn what_has_been_read_takes_no_room() {
        use std::os::unix::fs::MetadataExt;

        let folder = tempfile::tempdir().unwrap();
        let mut file = File::create(net_log(folder.path())).unwrap();
        let mut log = NetLog::of(Some(folder.path()));
        writeln!(file, "{HEAD}{}", " ".repeat(1 << 20)).unwrap();
        let before = file.metadata().unwrap();
        log.read().unwrap();
        let after = file.metadata().unwrap();
        assert_eq!(after.len(), before.len(), "the browser goes on writing where it was");
        assert!(after.blocks() <= before.blocks() / 8, "{} of {} blocks", after.blocks(), before.blocks());
        writeln!(file, r#"{{"params":{{"headers":["Host: a.example"]}},"type":18}},"#).unwrap();
        assert_eq!(log.read().unwrap(), ["a.example"]);
    }

    #[test]
    fn without_a_log_that_can_be_read_nothing_is_known() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["", "{\"constants\": 7},\nno JSON\n", "\u{1f}\n{\"type\":18},\n"] {
            std::fs::write(net_log(folder.path()), text).unwrap();
            let mut sent = NetLog::of(Some(folder.path()));
            sent.update();
            assert_eq!(sent.hosts, BTreeMap::new());
        }
        let mut elsewhere = NetLog::of(None);
        elsewhere.update();
        assert_eq!(elsewhere.hosts, BTreeMap::new());
    }
}
