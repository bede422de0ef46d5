//! Runs the page script (one task a call), clicks between the calls, and waits for the effect.

use std::time::Duration;

use fantoccini::elements::{Element, ElementRef};
use fantoccini::error::{CmdError, ErrorStatus};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use super::session::{Session, alert_was_open, read};
use crate::page::VisitError;

/// All page functions as one function body. The last part runs the requested task.
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

/// Scrolls an element to the middle of the window.
const CENTRE: &str =
    "arguments[0].scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' }); return true;";
/// Key of an element in WebDriver's JSON.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// How long a click may take to show an effect.
const CHANGE_TIME: Duration = Duration::from_millis(800);

/// The result of a task, with the elements it returns.
#[derive(Debug)]
pub(super) struct Found<T> {
    pub value: T,
    pub element: Option<Json>,
    pub previous: Option<Json>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Settled {
    /// The document, if it was requested.
    pub html: String,
    /// The page's text. Only `at_top` requests it, because it is slow to collect.
    pub text: String,
    pub notes: Vec<String>,
}

impl Session {
    /// Runs a task that always returns a value.
    pub(super) async fn task<T: DeserializeOwned>(
        &mut self,
        task: &'static str,
        given: &Json,
    ) -> Result<T, VisitError> {
        match self.find(task, given, None).await? {
            Some(found) => Ok(found.value),
            None => Err(VisitError::Protocol(format!("the page script returned nothing for {task}"))),
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
            return Err(VisitError::Protocol(format!("the page script failed in {task}: {failed}")));
        }
        if answer[1].is_null() {
            return Ok(None);
        }
        let value = read(&answer[1])?;
        let mut part = |index: usize| Some(answer[index].take()).filter(|part| !part.is_null());
        Ok(Some(Found { value, element: part(2), previous: part(3) }))
    }

    /// Clicks an element. The inner error says why the click failed while the browser is fine.
    ///
    /// If a bar at the window's edge covers the element, such as a consent banner, it is first scrolled to the middle,
    /// as a person would. The bar itself is left alone.
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
            return Ok(Err("it is not an element".into()));
        };
        let limit = self.script;
        let outcome = self
            .command("click", limit, |client| async move {
                let element = Element::from_element_id(client, ElementRef::from(id));
                let clicked = element.click().await;
                match clicked {
                    _ if alert_was_open(&clicked) => Ok(Err("an alert was in the way".into())),
                    // Covered, gone or not drawn: a problem of the page, not of the browser.
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

    /// Waits for an effect since `version`, if given, and until the page has settled.
    pub(super) async fn settle(
        &mut self,
        version: Option<u64>,
        max_wait: Duration,
        html: bool,
    ) -> Result<Settled, VisitError> {
        self.state(version, max_wait, html, false).await
    }

    /// Scrolls to the top and waits until the page has settled.
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

    /// Limits a wait so that three of them end before the script timeout.
    pub(super) fn clamp(&self, wait: Duration) -> Duration {
        wait.min(self.script / 4)
    }
}

pub(super) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
