//! Operates page controls with real clicks: open, choose, record the result, and restore the previous choice.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::session::Session;
use super::tasks::{Found, Settled};
use crate::capture::CapturedState;
use crate::page::{PageInteraction, VisitError};

/// Maximum number of words of a control's text that may name its previous choice.
const WORDS: usize = 6;

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

/// The control to find.
#[derive(Debug, Default, Serialize)]
struct Sought<'a> {
    text: &'a str,
    within: Option<&'a str>,
    /// Record what is visible now, so that a later search can be limited to what is new.
    remember: bool,
    /// Match only what was not visible when `remember` was set.
    fresh: bool,
    /// A label may stand for the control that follows it.
    label: bool,
}

/// Why an interaction failed. The page is unchanged, or a note reports the difference.
type Missed = String;

impl Session {
    /// Operates each control in turn. A failure becomes a note, not an error.
    pub(super) async fn interact(
        &mut self,
        interactions: &[PageInteraction],
        max_wait: Duration,
        notes: &mut Vec<String>,
    ) -> Result<Vec<CapturedState>, VisitError> {
        let mut states = Vec::new();
        for interaction in interactions {
            let before = self.at_top(max_wait).await?;
            match self.operate(interaction, max_wait).await? {
                Ok(shown) => {
                    notes.extend(shown.notes.iter().map(|note| format!("{}: {note}", interaction.name)));
                    states.push(CapturedState { name: interaction.name.clone(), html: shown.html });
                }
                Err(missed) => notes.push(format!("{}: {missed}", interaction.name)),
            }
            let after = self.at_top(max_wait).await?;
            if let Some((was, is)) = difference(&before.text, &after.text) {
                let name = &interaction.name;
                notes.push(format!(
                    "{name}: the page did not return to what it showed before: \"{was}\" is now \"{is}\""
                ));
            }
        }
        Ok(states)
    }

    /// Performs one interaction and restores the previous choice.
    async fn operate(
        &mut self,
        interaction: &PageInteraction,
        max_wait: Duration,
    ) -> Result<Result<Settled, Missed>, VisitError> {
        let PageInteraction { open, choose, within, .. } = interaction;
        let sought =
            Sought { text: open, within: within.as_deref(), remember: true, label: true, fresh: false };
        let Some(opener) = self.control(&sought).await? else {
            let place = within.as_ref().map(|heading| format!(" after \"{heading}\"")).unwrap_or_default();
            return Ok(Err(format!("no visible control reads \"{open}\"{place}")));
        };
        let Some(element) = opener.element else {
            return Ok(Err(format!("the control \"{open}\" cannot be reached")));
        };
        if opener.value.kind == "select" {
            return self.operate_select(element, choose, max_wait).await;
        }
        let was = opener.value.text;
        if let Err(reason) = self.click(element.clone()).await? {
            return Ok(Err(format!("\"{open}\" could not be clicked: {reason}")));
        }
        self.settle(Some(opener.value.version), max_wait, false).await?;
        // A dropdown shows its choices only now. The other half of a toggle was already visible.
        let Some(Found { value, element: Some(choice), .. }) =
            self.control(&Sought { text: choose, within: within.as_deref(), ..Sought::default() }).await?
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

    /// Opens the control again, which the page may have redrawn, and selects its previous choice.
    async fn choose_back(
        &mut self,
        opener: Json,
        was: &str,
        interaction: &PageInteraction,
        max_wait: Duration,
    ) -> Result<(), VisitError> {
        let remembering = Sought {
            text: &interaction.choose,
            within: interaction.within.as_deref(),
            remember: true,
            ..Sought::default()
        };
        // Record what is visible now, to tell the choices that appear from the rest.
        let again = self.control(&remembering).await?;
        if self.click(opener).await?.is_err() {
            let Some(Found { element: Some(element), .. }) = again else { return Ok(()) };
            if self.click(element).await?.is_err() {
                return Ok(());
            }
        }
        self.settle(None, max_wait, false).await?;
        // A toggle is already restored and shows nothing new. A dropdown that reads "Flow: Gross ▾" offers "Gross".
        let words: Vec<&str> = was.split_whitespace().take(WORDS).collect();
        for length in (1..=words.len()).rev() {
            for part in words.windows(length) {
                let wanted = part.join(" ");
                let sought = Sought { text: &wanted, fresh: true, ..Sought::default() };
                if let Some(Found { value, element: Some(choice), .. }) = self.control(&sought).await? {
                    if self.click(choice).await?.is_ok() {
                        self.settle(Some(value.version), max_wait, false).await?;
                    }
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    async fn operate_select(
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

    async fn control(&mut self, sought: &Sought<'_>) -> Result<Option<Found<Control>>, VisitError> {
        self.find("control", &json!(sought), None).await
    }
}

/// A few words of each text from the first difference on.
fn difference(before: &str, after: &str) -> Option<(String, String)> {
    let (before, after): (Vec<&str>, Vec<&str>) = (before.split(' ').collect(), after.split(' ').collect());
    let same = before.iter().zip(&after).take_while(|(one, other)| one == other).count();
    if same == before.len() && same == after.len() {
        return None;
    }
    let words = |all: &[&str]| all.iter().skip(same).take(8).copied().collect::<Vec<_>>().join(" ");
    Some((words(&before), words(&after)))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn a_difference_is_shown_from_where_it_begins() {
        assert_eq!(difference("a b c", "a b c"), None);
        assert_eq!(difference("a b c", "a x"), Some(("b c".into(), "x".into())));
        assert_eq!(difference("a", "a b"), Some((String::new(), "b".into())));
    }
}
