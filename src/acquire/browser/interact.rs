//! Working a page's controls with real clicks: open, choose, record what then shows, and choose back.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::session::Session;
use super::snapshot::{Found, millis};
use crate::acquire::page::{Interaction, VisitError};
use crate::capture::State;

/// How long a click may take to show an effect before it counts as without one.
const CHANGE_TIME: Duration = Duration::from_millis(800);

#[derive(Debug, Deserialize)]
struct Control {
    kind: String,
    text: String,
    version: u64,
}

#[derive(Debug, Deserialize)]
struct Choice {
    version: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Settled {
    html: String,
    text: String,
    pub(super) notes: Vec<String>,
}

/// Why an interaction could not be done; the page is as before or says so.
type Missed = String;

impl Session {
    /// Works each control in turn. What cannot be done becomes a note, not an error.
    pub(super) async fn interact(
        &mut self,
        interactions: &[Interaction],
        max_wait: Duration,
        notes: &mut Vec<String>,
    ) -> Result<Vec<State>, VisitError> {
        let mut states = Vec::new();
        for interaction in interactions {
            let before = self.settle(None, max_wait, false).await?;
            match self.work(interaction, max_wait).await? {
                Ok(shown) => {
                    notes.extend(shown.notes.iter().map(|note| format!("{}: {note}", interaction.name)));
                    states.push(State { name: interaction.name.clone(), html: shown.html });
                }
                Err(missed) => notes.push(format!("{}: {missed}", interaction.name)),
            }
            let after = self.settle(None, max_wait, false).await?;
            if after.text != before.text {
                notes.push(format!("{}: the page did not return to what it showed before", interaction.name));
            }
        }
        Ok(states)
    }

    /// One interaction, there and back.
    async fn work(
        &mut self,
        interaction: &Interaction,
        max_wait: Duration,
    ) -> Result<Result<Settled, Missed>, VisitError> {
        let Interaction { open, choose, .. } = interaction;
        let Some(opener) = self.control(open, true, false).await? else {
            return Ok(Err(format!("no visible control reads \"{open}\"")));
        };
        let Some(element) = opener.element else {
            return Ok(Err(format!("the control \"{open}\" cannot be reached")));
        };
        if opener.value.kind == "select" {
            return self.work_select(element, choose, max_wait).await;
        }
        let was = opener.value.text;
        if let Err(reason) = self.click(element.clone()).await? {
            return Ok(Err(format!("\"{open}\" could not be clicked: {reason}")));
        }
        self.settle(Some(opener.value.version), max_wait, false).await?;
        // A dropdown shows its choices only now; the other half of a toggle was there before.
        let Some(Found { value, element: Some(choice), .. }) = self.control(choose, false, false).await?
        else {
            self.click(element).await?.ok();
            return Ok(Err(format!("no visible choice reads \"{choose}\" after opening \"{open}\"")));
        };
        if let Err(reason) = self.click(choice).await? {
            return Ok(Err(format!("\"{choose}\" could not be clicked: {reason}")));
        }
        let shown = self.settle(Some(value.version), max_wait, true).await?;
        self.choose_back(element, &was, interaction, max_wait).await?;
        Ok(Ok(shown))
    }

    /// Opens the control again, which may have been drawn anew, and takes the choice that it had before.
    async fn choose_back(
        &mut self,
        opener: Json,
        was: &str,
        interaction: &Interaction,
        max_wait: Duration,
    ) -> Result<(), VisitError> {
        // Remembers what is visible now, so that the choices which appear can be told from the rest.
        let again = self.control(&interaction.choose, true, false).await?;
        if self.click(opener).await?.is_err() {
            let Some(Found { element: Some(element), .. }) = again else { return Ok(()) };
            if self.click(element).await?.is_err() {
                return Ok(());
            }
        }
        self.settle(None, max_wait, false).await?;
        // A toggle is back already and shows nothing new. A dropdown that reads "Flow: Gross" offers "Gross".
        let words: Vec<&str> = was.split_whitespace().collect();
        for start in 0..words.len() {
            let wanted = words[start..].join(" ");
            if let Some(Found { value, element: Some(choice), .. }) =
                self.control(&wanted, false, true).await?
            {
                if self.click(choice).await?.is_ok() {
                    self.settle(Some(value.version), max_wait, false).await?;
                }
                return Ok(());
            }
        }
        Ok(())
    }

    async fn work_select(
        &mut self,
        select: Json,
        choose: &str,
        max_wait: Duration,
    ) -> Result<Result<Settled, Missed>, VisitError> {
        let given = json!({ "text": choose });
        let Some(found) = self.find::<Choice>("option", &given, Some(select)).await? else {
            return Ok(Err(format!("the list has no choice \"{choose}\"")));
        };
        let Some(option) = found.element else {
            return Ok(Err(format!("the choice \"{choose}\" cannot be reached")));
        };
        if let Err(reason) = self.click(option).await? {
            return Ok(Err(format!("\"{choose}\" could not be chosen: {reason}")));
        }
        let shown = self.settle(Some(found.value.version), max_wait, true).await?;
        if let Some(previous) = found.previous {
            self.click(previous).await?.ok();
            self.settle(None, max_wait, false).await?;
        }
        Ok(Ok(shown))
    }

    /// Finds a control by its text. `remember` first notes what is visible; `fresh` takes only what was not.
    async fn control(
        &mut self,
        text: &str,
        remember: bool,
        fresh: bool,
    ) -> Result<Option<Found<Control>>, VisitError> {
        let given = json!({ "text": text, "remember": remember, "fresh": fresh });
        self.find("control", &given, None).await
    }

    /// Waits for an effect since `version`, if given, and until the page is quiet again.
    pub(super) async fn settle(
        &mut self,
        version: Option<u64>,
        max_wait: Duration,
        html: bool,
    ) -> Result<Settled, VisitError> {
        // Without a version there is nothing to wait for: -1 is never the page's count of changes.
        let version = version.map_or(json!(-1), |version| json!(version));
        let given = json!({
            "version": version,
            "change_wait": millis(CHANGE_TIME),
            "max_wait": millis(max_wait),
            "html": html,
        });
        self.task("state", &given).await
    }
}
