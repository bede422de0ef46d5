//! Bringing a settled page over: one script call, its answer turned into a [`Capture`].

use std::collections::BTreeMap;
use std::io::Read;
use std::time::Duration;

use base64::Engine;
use fantoccini::elements::{Element, ElementRef};
use fantoccini::error::{CmdError, ErrorStatus};
use flate2::read::GzDecoder;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use super::session::{Session, alert_was_open, read};
use crate::acquire::graphql::retry_after;
use crate::acquire::page::{LookOptions, Traffic, VisitError};
use crate::capture::{Capture, Exchange, Pinned};

/// All page functions, as one function body; the last part runs the task that is asked for.
const SCRIPT: &str = concat!(
    include_str!("quiet.js"),
    include_str!("generated.js"),
    include_str!("look.js"),
    include_str!("masks.js"),
    include_str!("pieces.js"),
    include_str!("serialise.js"),
    include_str!("stops.js"),
    include_str!("window.js"),
    include_str!("controls.js"),
    include_str!("tooltips.js"),
    include_str!("snapshot.js"),
);

/// Brings an element to the middle of the window.
const CENTRE: &str =
    "arguments[0].scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' }); return true;";

/// Key of an element in WebDriver's JSON.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Overlays in a row that are dismissed before giving up.
const OVERLAYS: usize = 3;

/// What a look came to: a layer that has to be left first, or the page.
#[derive(Debug, Deserialize)]
struct Looked {
    overlay: Option<Overlay>,
    shown: Option<Shown>,
    recorded: Option<Recorded>,
}

#[derive(Debug, Deserialize)]
struct Shown {
    name: String,
    /// None where it is that of the last look, letter by letter.
    html: Option<String>,
    url: String,
    title: String,
    pinned: Vec<Pinned>,
    notes: Vec<String>,
    requests: u32,
    /// Milliseconds until the page had settled, for walking through it, and for writing it down.
    took: [u64; 3],
}

/// What the page has sent and complained about so far.
#[derive(Debug, Deserialize)]
struct Recorded {
    /// How many that are held already come before these.
    from: usize,
    /// When the document began.
    document: f64,
    /// Those that come next: each some of them, as gzip of their JSON in base64.
    packed: Vec<String>,
    /// The rest.
    exchanges: Vec<Recording>,
    errors: Vec<String>,
    requests: u32,
    files: u32,
    hosts: BTreeMap<String, u32>,
}

#[derive(Debug, Clone, Deserialize)]
struct Recording {
    url: String,
    request: String,
    status: u16,
    response: String,
    complete: bool,
    error: String,
    retry_after: String,
}

/// What was brought over of the open document.
#[derive(Debug, Default)]
pub(super) struct Held {
    document: f64,
    /// What it has sent and received.
    recordings: Vec<Recording>,
    /// The look that brought `html`.
    shown: String,
    html: String,
}

impl Held {
    /// What the page need not send again. Responses are large and stay as they are; what was still running is asked
    /// for again.
    fn told(&self) -> Json {
        let whole = self.recordings.iter().take_while(|one| one.complete).count();
        json!({ "document": self.document, "exchanges": whole, "shown": self.shown })
    }

    fn take(&mut self, recorded: &mut Recorded) -> Result<(), VisitError> {
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

#[derive(Debug, Deserialize)]
struct Overlay {
    text: String,
    version: u64,
    #[serde(default)]
    notes: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Outcome {
    found: Option<bool>,
    failed: Option<String>,
}

/// The answer of a task with the elements that came along.
#[derive(Debug)]
pub(super) struct Found<T> {
    pub value: T,
    pub element: Option<Json>,
    pub previous: Option<Json>,
}

impl Session {
    /// Waits until the open page has settled, walks through it, and brings it over.
    pub(super) async fn capture(&mut self, options: &LookOptions) -> Result<Capture, VisitError> {
        let Some(navigation) = self.page.clone() else { return Err(VisitError::NothingOpen) };
        let max_wait = self.clamp(options.max_wait);
        let mut notes = Vec::new();
        let (shown, recorded) = self.show(options, max_wait, &mut notes).await?;
        let taken_at = jiff::Timestamp::now().to_string();
        if !options.interactions.is_empty() {
            // A layer that came while scrolling would take the clicks.
            notes.extend(self.settle(None, max_wait, false).await?.notes);
            for _ in 0..OVERLAYS {
                let Some(found) = self.find("overlay", &json!({}), None).await? else { break };
                if !self.leave(found, max_wait, &mut notes).await? {
                    break;
                }
            }
        }
        let mut states = self.interact(&options.interactions, max_wait, &mut notes).await?;
        // before the tooltips, for a click on a drawing may leave the page
        let recorded = match recorded {
            Some(recorded) => recorded,
            None => self.refresh().await?,
        };
        let now = jiff::Timestamp::now();
        let asked = self.held.recordings.iter().filter_map(|one| retry_after::read(&one.retry_after, now));
        self.traffic = Traffic { hosts: recorded.hosts.clone(), retry_after: asked.max() };
        states.extend(self.open_tooltips(&options.tooltips, &shown.url, max_wait, &mut notes).await?);
        let mut exchanges = Vec::with_capacity(self.held.recordings.len());
        for one in self.held.recordings.clone() {
            if !one.complete {
                notes.push(format!("no complete response came from {}", one.url));
            } else if !one.error.is_empty() {
                notes.push(format!("a request to {} failed: {}", one.url, one.error));
            } else if one.status >= 400 {
                notes.push(format!("a request to {} was answered with HTTP status {}", one.url, one.status));
            }
            exchanges.push(Exchange {
                url: one.url,
                request: one.request,
                status: if one.complete { one.status } else { 0 },
                response: one.response,
            });
        }
        notes.dedup();
        Ok(Capture {
            requested_url: navigation.requested_url,
            settled_url: shown.url,
            status: navigation.status,
            title: shown.title,
            html: self.held.html.clone(),
            pinned: shown.pinned,
            states,
            exchanges,
            errors: recorded.errors,
            notes,
            requests: recorded.requests,
            files: recorded.files,
            own: Vec::new(),
            taken_at,
        })
    }

    /// Leaves what covers the page, and brings over what then shows. What the page has sent and received comes along,
    /// unless it is worked first.
    async fn show(
        &mut self,
        options: &LookOptions,
        max_wait: Duration,
        notes: &mut Vec<String>,
    ) -> Result<(Shown, Option<Recorded>), VisitError> {
        let mut overlays = OVERLAYS;
        loop {
            let given = json!({
                "scroll": options.scroll,
                "stops": options.stops,
                "expect": options.expect,
                "max_wait": millis(max_wait),
                "dwell": millis(options.dwell),
                "stop_wait": millis(options.stop_wait),
                "apart": millis(options.apart),
                "overlays": overlays,
                "recorded": options.interactions.is_empty(),
                "held": self.held.told(),
                "host": self.site_host(),
            });
            let Some(found) = self.find::<Looked>("look", &given, None).await? else {
                return Err(VisitError::Protocol("the page script answered nothing to a look".into()));
            };
            let Looked { overlay, shown, recorded } = found.value;
            if let Some(value) = overlay {
                let left = Found { value, element: found.element, previous: None };
                let is_left = self.leave(left, max_wait, notes).await?;
                overlays = if is_left { overlays.saturating_sub(1) } else { 0 };
                continue;
            }
            let Some(mut shown) = shown else {
                return Err(VisitError::Protocol("the page script brought no page over".into()));
            };
            let mut recorded = recorded;
            if let Some(recorded) = &mut recorded {
                self.held.take(recorded)?;
            }
            tracing::debug!(
                url = shown.url,
                bytes = shown.html.as_ref().map(String::len),
                took = ?shown.took,
                requests = shown.requests,
                "page brought over"
            );
            notes.append(&mut shown.notes);
            self.held.shown.clone_from(&shown.name);
            if let Some(html) = shown.html.take() {
                self.held.html = html;
            }
            return Ok((shown, recorded));
        }
    }

    /// Brings over what the page has sent and received since it was last asked; all of it is then held.
    async fn refresh(&mut self) -> Result<Recorded, VisitError> {
        let given = json!({ "host": self.site_host(), "held": self.held.told() });
        let mut recorded: Recorded = self.task("refresh", &given).await?;
        self.held.take(&mut recorded)?;
        Ok(recorded)
    }

    /// Leaves a layer that covers the page, by the least consenting way, and reports it. Answers whether it is gone,
    /// as far as a click tells.
    async fn leave(
        &mut self,
        found: Found<Overlay>,
        max_wait: Duration,
        notes: &mut Vec<String>,
    ) -> Result<bool, VisitError> {
        let Found { value: Overlay { text, version, notes: settling }, element, .. } = found;
        notes.extend(settling);
        let Some(element) = element else {
            notes.push(format!("a layer covers the page and offers no way out: {text}"));
            return Ok(false);
        };
        notes.push(format!("dismissed a layer over the page: {text}"));
        if let Err(reason) = self.click(element).await? {
            notes.push(format!("its button could not be clicked: {reason}"));
            return Ok(false);
        }
        self.settle(Some(version), max_wait, false).await?;
        Ok(true)
    }

    /// A real click. The inner error says why it could not be done while the browser is well.
    ///
    /// What lies under a bar at the window's edge, such as a banner that asks for consent, is first brought to
    /// the middle of the window, as a person would scroll: the bar itself is left alone.
    pub(super) async fn click(&mut self, element: Json) -> Result<Result<(), String>, VisitError> {
        let clicked = self.click_where_it_is(element.clone()).await?;
        if !clicked.as_ref().is_err_and(|why| why.contains("click intercepted")) {
            return Ok(clicked);
        }
        self.script(CENTRE, vec![element.clone()], false).await?;
        self.click_where_it_is(element).await
    }

    async fn click_where_it_is(&mut self, element: Json) -> Result<Result<(), String>, VisitError> {
        let Some(id) = element[ELEMENT].as_str().map(str::to_owned) else {
            return Ok(Err("it is no element".into()));
        };
        let limit = self.script;
        let outcome = self
            .command(limit, |client| async move {
                let element = Element::from_element_id(client, ElementRef::from(id));
                let clicked = element.click().await;
                match clicked {
                    _ if alert_was_open(&clicked) => Ok(Err("an alert was in the way".into())),
                    // Covered, gone or not drawn: something about the page, not about the browser.
                    Err(CmdError::Standard(said))
                        if matches!(
                            said.error,
                            ErrorStatus::ElementClickIntercepted
                                | ErrorStatus::ElementNotInteractable
                                | ErrorStatus::StaleElementReference
                                | ErrorStatus::NoSuchElement
                        ) =>
                    {
                        let words = said.message.lines().next().unwrap_or_default();
                        let intercepted = said.error == ErrorStatus::ElementClickIntercepted;
                        let prefix = if intercepted && !words.contains("click intercepted") {
                            "click intercepted: "
                        } else {
                            ""
                        };
                        Ok(Err(format!("{prefix}{words}")))
                    }
                    other => other.map(Ok),
                }
            })
            .await?;
        Ok(outcome)
    }

    /// Runs a task that always answers.
    pub(super) async fn task<T: DeserializeOwned>(
        &mut self,
        task: &'static str,
        given: &Json,
    ) -> Result<T, VisitError> {
        match self.find(task, given, None).await? {
            Some(found) => Ok(found.value),
            None => Err(VisitError::Protocol(format!("the page script answered nothing to {task}"))),
        }
    }

    /// Runs a task that may find nothing.
    pub(super) async fn find<T: DeserializeOwned>(
        &mut self,
        task: &'static str,
        given: &Json,
        element: Option<Json>,
    ) -> Result<Option<Found<T>>, VisitError> {
        let mut args = vec![json!(task), json!(given.to_string())];
        args.extend(element);
        let asked = std::time::Instant::now();
        let mut answer = self.script(SCRIPT, args, true).await?;
        tracing::debug!(
            task,
            took_ms = asked.elapsed().as_millis(),
            bytes = answer[0].as_str().map(str::len),
            "page script"
        );
        let outcome: Outcome = read(&answer[0])?;
        if let Some(failed) = outcome.failed {
            return Err(VisitError::Protocol(format!("the page script failed at {task}: {failed}")));
        }
        if outcome.found != Some(true) {
            return Ok(None);
        }
        let value = read(&answer[0])?;
        let mut part = |index: usize| Some(answer[index].take()).filter(|part| !part.is_null());
        Ok(Some(Found { value, element: part(1), previous: part(2) }))
    }

    /// Three waits of this length end before the script's own limit does.
    fn clamp(&self, wait: Duration) -> Duration {
        wait.min(self.script / 4)
    }
}

/// Reads what the page packed.
fn unpacked(packed: &str) -> Result<Vec<Recording>, Box<dyn std::error::Error>> {
    let bytes = base64::engine::general_purpose::STANDARD.decode(packed)?;
    let mut text = String::new();
    GzDecoder::new(bytes.as_slice()).read_to_string(&mut text)?;
    Ok(serde_json::from_str(&text)?)
}

pub(super) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
