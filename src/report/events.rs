//! Writes the events of a run to a file as JSON lines, each with its time, as they happen.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::Timestamp;
use serde::Serialize;

use crate::error::{Error, Result};
use crate::event::Event;
use atlas_gt_core::versioned::Versioned;

/// The event file of a run.
#[derive(Debug)]
pub struct EventFile {
    file: Mutex<File>,
    failed: AtomicBool,
}

/// A line in the event file.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct EventLine<'a> {
    /// The time of the event.
    at: Timestamp,
    /// The event.
    #[serde(flatten)]
    event: &'a Event,
}

impl EventFile {
    /// Creates the file, replacing an existing one.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create(path: &Path) -> Result<Self> {
        let file = File::create(path).map_err(Error::named(path))?;
        Ok(Self { file: Mutex::new(file), failed: AtomicBool::new(false) })
    }

    /// Writes an event. A write error is logged once and ignored.
    pub fn write(&self, event: &Event, at: Timestamp) {
        let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let written = serde_json::to_string(&Versioned::of(EventLine { at, event }))
            .map_err(std::io::Error::other)
            .and_then(|line| file.write_all(format!("{line}\n").as_bytes()));
        if let Err(error) = written
            && !self.failed.swap(true, Ordering::AcqRel)
        {
            tracing::warn!("the event file can no longer be written: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_is_one_line_with_its_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events.jsonl");
        let events = EventFile::create(&path).unwrap();
        let at: Timestamp = "2026-11-20T10:30:00Z".parse().unwrap();
        events.write(&Event::RunStarted { site: "a\nb".into(), visits: 1, questions: 2 }, at);
        events.write(&Event::RunFinished { took_ms: 5, requests: 7, interrupted: false }, at);
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(
            (lines[0]["event"].as_str(), lines[0]["site"].as_str()),
            (Some("run_started"), Some("a\nb"))
        );
        assert_eq!(lines[1]["at"], "2026-11-20T10:30:00Z");
        let error = EventFile::create(&folder.path().join("no/such.jsonl")).unwrap_err().to_string();
        assert!(error.contains("no/such.jsonl"), "{error}");
    }
}
