//! Opens tooltips on a drawing and records them. On a cell label, one click pins the tooltip and another control shows
//! the rest. On a chart, the pointer moves to a position.

use std::time::Duration;

use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use serde::Deserialize;
use serde_json::json;

use super::session::Session;
use super::tasks::Found;
use crate::capture::CapturedState;
use crate::capture::PointerTarget;
use crate::page::{PageTooltip, VisitError};

/// Drawings check the pointer about twenty times a second, and not while they animate.
const STEP: Duration = Duration::from_millis(90);

const MOUSE: &str = "mouse";

/// A position in the window.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Spot {
    x: f64,
    y: f64,
    version: u64,
}

/// The layer that appeared after the pointer moved.
#[derive(Debug, Deserialize)]
struct Layer {
    url: String,
    html: String,
    version: u64,
}

impl Session {
    /// Opens each tooltip in turn. A failure becomes a note, not an error.
    pub(super) async fn open_tooltips(
        &mut self,
        tooltips: &[PageTooltip],
        url: &str,
        max_wait: Duration,
        notes: &mut Vec<String>,
    ) -> Result<Vec<CapturedState>, VisitError> {
        let mut states = Vec::new();
        for tooltip in tooltips {
            match self.open_tooltip(tooltip, url, max_wait).await? {
                Ok(html) => states.push(CapturedState { name: tooltip.name.clone(), html }),
                Err(missed) => notes.push(format!("{}: {missed}", tooltip.name)),
            }
            self.leave_tooltip(max_wait).await?;
        }
        Ok(states)
    }

    async fn open_tooltip(
        &mut self,
        tooltip: &PageTooltip,
        url: &str,
        max_wait: Duration,
    ) -> Result<Result<String, String>, VisitError> {
        let (task, given, text, place) = match &tooltip.over {
            PointerTarget::Cell(text) => {
                ("cell", json!({ "text": text }), text.as_str(), format!("\"{text}\""))
            }
            PointerTarget::Place(across, down) => {
                let given = json!({ "across": across, "down": down });
                ("place", given, "", format!("the drawing at {across} % across and {down} % down"))
            }
        };
        let Some(Found { value: spot, .. }) = self.find::<Spot>(task, &given, None).await? else {
            return Ok(Err(format!("no drawing shows {place}")));
        };
        self.point_at(spot, false).await?;
        self.settle(Some(spot.version), max_wait, false).await?;
        if matches!(tooltip.over, PointerTarget::Cell(_)) {
            self.point_at(spot, true).await?;
            self.settle(None, max_wait, false).await?;
        }
        let given = json!({ "text": text, "more": tooltip.more });
        let Some(Found { value: layer, element, .. }) = self.find::<Layer>("layer", &given, None).await?
        else {
            return Ok(Err(format!("nothing opened over {place}")));
        };
        if layer.url != url {
            return Ok(Err(format!("a click on {place} left the page and opened {}", layer.url)));
        }
        let Some(control) = element else { return Ok(Ok(layer.html)) };
        if let Err(reason) = self.click(control).await? {
            return Ok(Err(format!("the rest of the tooltip could not be shown: {reason}")));
        }
        self.settle(Some(layer.version), max_wait, false).await?;
        let found = self.find::<Layer>("layer", &given, None).await?;
        Ok(found.map(|found| found.value.html).ok_or_else(|| "the tooltip closed".to_owned()))
    }

    /// Clicks an empty spot, so that a pinned tooltip closes.
    async fn leave_tooltip(&mut self, max_wait: Duration) -> Result<(), VisitError> {
        if let Some(Found { value, .. }) = self.find::<Spot>("blank", &json!({}), None).await? {
            // Nothing is read there, so the pointer can jump.
            let actions = MouseActions::new(MOUSE.to_owned()).then(PointerAction::MoveTo {
                duration: None,
                x: value.x,
                y: value.y,
            });
            self.perform(clicked(actions)).await?;
            self.settle(Some(value.version), max_wait, false).await?;
        }
        Ok(())
    }

    /// Moves the pointer to a position in small steps, and optionally clicks.
    async fn point_at(&mut self, spot: Spot, click: bool) -> Result<(), VisitError> {
        let step = |x: f64, y: f64| PointerAction::MoveTo { duration: Some(STEP), x, y };
        let pause = PointerAction::Pause { duration: STEP };
        let actions = MouseActions::new(MOUSE.to_owned())
            .then(step(spot.x - 4.0, spot.y - 3.0))
            .then(step(spot.x - 1.0, spot.y - 1.0))
            .then(step(spot.x, spot.y))
            .then(pause);
        self.perform(if click { clicked(actions) } else { actions }).await
    }

    async fn perform(&mut self, actions: MouseActions) -> Result<(), VisitError> {
        let limit = self.script;
        self.command("move the pointer", limit, |client| async move { client.perform_actions(actions).await })
            .await
    }
}

fn clicked(actions: MouseActions) -> MouseActions {
    let down = PointerAction::Down { button: MOUSE_BUTTON_LEFT };
    actions.then(down).then(PointerAction::Up { button: MOUSE_BUTTON_LEFT })
}
