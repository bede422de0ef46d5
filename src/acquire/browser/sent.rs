//! What a browser has really sent, by host: from the log of its network stack, which knows of every request that left
//! it, whoever asked for it. A page tells of its own requests only: not of those of workers and of frames of another
//! origin, not of the hops of redirects, not of its icon, and of nothing where it did not load.

use std::collections::{BTreeMap, HashMap};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use nix::fcntl::{FallocateFlags, fallocate};
use serde::Deserialize;

/// The log's name in the browser's profile, with which it goes.
const NAME: &str = "net-log.json";

/// The events that stand for one request on the wire each, those that the browser itself sends again included.
const EVENTS: [&str; 3] = [
    "HTTP_TRANSACTION_SEND_REQUEST_HEADERS",
    "HTTP_TRANSACTION_HTTP2_SEND_REQUEST_HEADERS",
    "HTTP_TRANSACTION_QUIC_SEND_REQUEST_HEADERS",
];

/// The log of the browser with this profile.
pub(super) fn net_log(profile: &Path) -> PathBuf {
    profile.join(NAME)
}

/// What was sent for a visit.
#[derive(Debug, Default)]
pub(super) struct Sent {
    /// None of a browser on another machine, whose log is not at hand.
    log: Option<Log>,
    hosts: BTreeMap<String, u32>,
}

impl Sent {
    /// Of a browser with this profile, if it is one of our own.
    pub fn of(profile: Option<&Path>) -> Self {
        Self { log: profile.map(|profile| Log::at(net_log(profile))), hosts: BTreeMap::new() }
    }

    /// A visit begins. What the page before still sent after its own visit counts for this one: it came after that had
    /// been counted.
    pub fn begin(&mut self) {
        self.hosts.clear();
    }

    /// Takes note of what was sent since it was last asked. A log that cannot be read tells nothing: what the pages tell
    /// is then all that is known.
    pub fn note(&mut self) {
        let Some(log) = &mut self.log else { return };
        match log.read() {
            Ok(hosts) => hosts.into_iter().for_each(|host| *self.hosts.entry(host).or_default() += 1),
            Err(error) => tracing::debug!("{}: {error}; what pages tell is counted", log.path.display()),
        }
    }

    /// So many requests to each host at least.
    pub fn raise(&self, told: &mut BTreeMap<String, u32>) {
        for (host, sent) in &self.hosts {
            let told = told.entry(host.clone()).or_default();
            *told = (*told).max(*sent);
        }
    }
}

/// A log that is still being written: JSON, an event a line.
#[derive(Debug)]
struct Log {
    path: PathBuf,
    /// How far it has been read.
    read: u64,
    /// The beginning of a line whose end has not been written yet.
    rest: Vec<u8>,
    /// How the lines end that are wanted; none as long as the first line has not told.
    ends: Option<Vec<String>>,
}

/// The first line, which names the events' numbers.
#[derive(Deserialize)]
struct Head {
    constants: Constants,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Constants {
    log_event_types: HashMap<String, u32>,
}

#[derive(Deserialize)]
struct Event {
    params: Params,
}

#[derive(Deserialize)]
struct Params {
    headers: Vec<String>,
}

impl Log {
    const fn at(path: PathBuf) -> Self {
        Self { path, read: 0, rest: Vec::new(), ends: None }
    }

    /// The hosts of what was sent since it was last read.
    fn read(&mut self) -> io::Result<Vec<String>> {
        let mut file = OpenOptions::new().read(true).write(true).open(&self.path)?;
        file.seek(SeekFrom::Start(self.read))?;
        self.read += file.read_to_end(&mut self.rest)? as u64;
        self.free(&file);
        let whole = self.rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let lines: Vec<u8> = self.rest.drain(..whole).collect();
        Ok(String::from_utf8_lossy(&lines).lines().filter_map(|line| self.host(line)).collect())
    }

    /// Gives the room of what has been read back to the disk: the browser writes some 300 kB for a page, for hours. A
    /// file system that knows no holes keeps it until the browser goes.
    fn free(&self, file: &File) {
        let hole = FallocateFlags::FALLOC_FL_PUNCH_HOLE | FallocateFlags::FALLOC_FL_KEEP_SIZE;
        if let Ok(read) = i64::try_from(self.read) {
            fallocate(file, hole, 0, read).ok();
        }
    }

    /// The host of a line's request, if it is one.
    fn host(&mut self, line: &str) -> Option<String> {
        let line = line.trim_end().trim_end_matches(',');
        let Some(ends) = &self.ends else {
            self.ends = Some(wanted(line));
            return None;
        };
        ends.iter().find(|end| line.ends_with(end.as_str()))?;
        let event: Event = serde_json::from_str(line).ok()?;
        let named = |header: &String| {
            // the second is its name from HTTP/2 on
            let value = ["Host: ", ":authority: "].into_iter().find_map(|name| header.strip_prefix(name));
            value.map(str::to_owned)
        };
        event.params.headers.iter().find_map(named)
    }
}

/// How the lines end that tell of a request.
fn wanted(head: &str) -> Vec<String> {
    let head: Option<Head> = serde_json::from_str(&format!("{head}}}")).ok();
    let types = head.map(|head| head.constants.log_event_types).unwrap_or_default();
    EVENTS.iter().filter_map(|name| Some(format!("\"type\":{}}}", types.get(*name)?))).collect()
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
        let mut sent = Sent::of(Some(folder.path()));
        let event = |kind: u32, headers: &str| {
            format!(
                r#"{{"params":{{"headers":[{headers}],"line":"GET /"}},"source":{{"id":7}},"type":{kind}}},"#
            )
        };
        let old = event(18, r#""Connection: keep-alive","Host: 127.0.0.1:81","Accept: */*""#);
        let new = event(181, r#"":method: GET",":authority: site.example",":path: /é""#);
        writeln!(file, "{HEAD}{old}\n{}\n{new}", event(3, r#""Host: 127.0.0.1:81""#)).unwrap();
        write!(file, "{}", &old[..40]).unwrap();
        sent.note();
        let mut hosts = [("site.example".to_owned(), 4), ("blocked.example".to_owned(), 2)].into();
        sent.raise(&mut hosts);
        let counted = |one, other: u32| {
            let all = [("127.0.0.1:81", one), ("blocked.example", 2), ("site.example", other)];
            all.map(|(host, count)| (host.to_owned(), count)).into()
        };
        assert_eq!(hosts, counted(1, 4), "what pages tell stands where it is more");
        write!(file, "{}\n{old}\n", &old[40..]).unwrap();
        sent.note();
        sent.raise(&mut hosts);
        assert_eq!(hosts, counted(3, 4), "a line that was half written is read when it is whole");
        sent.begin();
        sent.note();
        let mut hosts = BTreeMap::new();
        sent.raise(&mut hosts);
        assert_eq!(hosts, BTreeMap::new(), "nothing counts twice");
    }

    #[test]
    fn what_has_been_read_takes_no_room() {
        use std::os::unix::fs::MetadataExt;

        let folder = tempfile::tempdir().unwrap();
        let mut file = File::create(net_log(folder.path())).unwrap();
        let mut log = Log::at(net_log(folder.path()));
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
            let mut sent = Sent::of(Some(folder.path()));
            sent.note();
            assert_eq!(sent.hosts, BTreeMap::new());
        }
        let mut elsewhere = Sent::of(None);
        elsewhere.note();
        assert_eq!(elsewhere.hosts, BTreeMap::new());
    }
}
