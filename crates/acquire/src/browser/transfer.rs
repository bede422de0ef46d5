//! The requests and responses of a page, transferred in parts: what we already have is not sent again.

use std::collections::BTreeMap;
use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::read::GzDecoder;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::page::VisitError;

/// What the page has sent and complained about so far.
#[derive(Debug, Deserialize)]
pub(super) struct Recorded {
    /// How many that are held already come before these.
    from: usize,
    /// When the document began.
    document: f64,
    /// Those that come next: each some of them, as gzip of their JSON in base64.
    packed: Vec<String>,
    /// The rest.
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

/// What was brought over of the open document.
#[derive(Debug, Default)]
pub(super) struct TransferState {
    document: f64,
    /// What it has sent and received.
    pub recordings: Vec<Recording>,
    /// The snapshot that brought `html`.
    pub snapshot: String,
    pub html: String,
}

impl TransferState {
    /// What the page need not send again. Responses are large and stay as they are; what was still running is asked
    /// for again.
    pub fn held(&self) -> Json {
        let whole = self.recordings.iter().take_while(|one| one.complete).count();
        json!({ "document": self.document, "exchanges": whole, "shown": self.snapshot })
    }

    /// Takes in what was not held.
    pub fn add(&mut self, recorded: &mut Recorded) -> Result<(), VisitError> {
        self.document = recorded.document;
        self.recordings.truncate(recorded.from);
        for packed in &recorded.packed {
            self.recordings.extend(unpacked(packed).map_err(|error| {
                VisitError::Protocol(format!("packed responses are not understood: {error}"))
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
