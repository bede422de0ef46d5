//! The page script: one function body with a task a call, real clicks between them, and the wait for their effect.

use std::time::Duration;

use fantoccini::elements::{Element, ElementRef};
use fantoccini::error::{CmdError, ErrorStatus};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use super::session::{Session, alert_was_open, read};
use crate::page::VisitError;

/// All page functions, as one function body; the last part runs the task that is asked for.
const SCRIPT: &str = concat!(
    include_str!("settle.js"),
    include_str!("pseudo_elements.js"),
    include_str!("marks.js"),
    include_str!("masks.js"),
    include_str!("inline_fragments.js"),
    include_str!("serialise.js"),
    include_str!("scroll_positions.js"),
    include_str!("virtualised.js"),
    include_str!("controls.js"),
    include_str!("tooltips.js"),
    include_str!("snapshot.js"),
);

/// Brings an element to the middle of the window.
const CENTRE: &str =
    "arguments[0].scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' }); return true;";
/// Key of an element in WebDriver's JSON.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// How long a click may take to show an effect before it counts as without one.
const CHANGE_TIME: Duration = Duration::from_millis(800);

/// The answer of a task with the elements that came along.
#[derive(Debug)]
pub(super) struct Found<T> {
    pub value: T,
    pub element: Option<Json>,
    pub previous: Option<Json>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Settled {
    /// The document, where it was asked for.
    pub html: String,
    /// The page's text, at the page's top alone: it takes long to put together.
    pub text: String,
    pub notes: Vec<String>,
}

impl Session {
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
        let bytes = answer[1].as_str().map(str::len);
        tracing::debug!(task, took_ms = asked.elapsed().as_millis(), bytes, "page script");
        if let Some(failed) = answer[0].as_str() {
            return Err(VisitError::Protocol(format!("the page script failed at {task}: {failed}")));
        }
        if answer[1].is_null() {
            return Ok(None);
        }
        let value = read(&answer[1])?;
        let mut part = |index: usize| Some(answer[index].take()).filter(|part| !part.is_null());
        Ok(Some(Found { value, element: part(2), previous: part(3) }))
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

    /// Waits for an effect since `version`, if given, and until the page is quiet again.
    pub(super) async fn settle(
        &mut self,
        version: Option<u64>,
        max_wait: Duration,
        html: bool,
    ) -> Result<Settled, VisitError> {
        self.state(version, max_wait, html, false).await
    }

    /// The page at its top, quiet.
    pub(super) async fn at_top(&mut self, max_wait: Duration) -> Result<Settled, VisitError> {
        self.state(None, max_wait, false, true).await
    }

    async fn state(
        &mut self,
        version: Option<u64>,
        max_wait: Duration,
        html: bool,
        top: bool,
    ) -> Result<Settled, VisitError> {
        let given = json!({
            "version": version,
            "change_wait": millis(if top { Duration::ZERO } else { CHANGE_TIME }),
            "max_wait": millis(max_wait),
            "html": html,
            "top": top,
        });
        self.task("state", &given).await
    }

    /// Three waits of this length end before the script's own limit does.
    pub(super) fn clamp(&self, wait: Duration) -> Duration {
        wait.min(self.script / 4)
    }
}

pub(super) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
