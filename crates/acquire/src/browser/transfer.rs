//! Transfers a page's requests and responses in parts, so that nothing is sent twice.

use std::collections::BTreeMap;
use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::read::GzDecoder;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::page::VisitError;

/// What the page has sent and the errors it has reported.
#[derive(Debug, Deserialize)]
pub(super) struct Recorded {
    /// Number of recordings held already that precede these.
    from: usize,
    /// The document's time origin.
    document: f64,
    /// The next recordings, in groups: JSON, gzip, base64.
    packed: Vec<String>,
    /// The remaining recordings.
    exchanges: Vec<Recording>,
    pub errors: Vec<String>,
    pub requests: u32,
    pub files: u32,
    pub hosts: BTreeMap<String, u32>,
}

/// One request of the page.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Recording {
    pub url: String,
    pub request: String,
    pub status: u16,
    pub response: String,
    pub complete: bool,
    pub error: String,
    pub retry_after: String,
}

/// What has been transferred of the open document.
#[derive(Debug, Default)]
pub(super) struct TransferState {
    document: f64,
    /// The requests it sent, with their responses.
    pub recordings: Vec<Recording>,
    /// Name of the snapshot that contained `html`.
    pub snapshot: String,
    pub html: String,
}

impl TransferState {
    /// What the page need not send again. Complete responses do not change; incomplete ones are requested again.
    pub fn held(&self) -> Json {
        let whole = self.recordings.iter().take_while(|one| one.complete).count();
        json!({ "document": self.document, "exchanges": whole, "shown": self.snapshot })
    }

    /// Adds newly transferred recordings.
    pub fn add(&mut self, recorded: &mut Recorded) -> Result<(), VisitError> {
        self.document = recorded.document;
        self.recordings.truncate(recorded.from);
        for packed in &recorded.packed {
            self.recordings.extend(unpacked(packed).map_err(|error| {
                VisitError::Protocol(format!("packed responses cannot be read: {error}"))
            })?);
        }
        self.recordings.append(&mut recorded.exchanges);
        Ok(())
    }
}

fn unpacked(packed: &str) -> Result<Vec<Recording>, Box<dyn std::error::Error>> {
    let mut text = String::new();
    GzDecoder::new(BASE64.decode(packed)?.as_slice()).read_to_string(&mut text)?;
    Ok(serde_json::from_str(&text)?)
}
