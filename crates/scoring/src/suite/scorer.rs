//! What a scorer is, and the registry that names them (scorers, "Custom Scorers").

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::answer::AgentOutput;
use super::case::SuiteCase;
use crate::score::Score;

/// A scorer could not do its work. Never a score of zero.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ScorerError(pub String);

/// Scores one answer to one case. Implement it for criteria of your own and register it under its name.
pub trait Scorer: Send + Sync {
    /// The name that suites use.
    fn name(&self) -> &str;

    /// Whether it scores nothing without a judge's points.
    fn needs_judge(&self) -> bool {
        false
    }

    /// Whether it scores what the answer says: an answer that says nothing then scores 0, whatever is expected of it
    /// (decision 37).
    fn scores_words(&self) -> bool {
        false
    }

    /// What the case would have to expect for this scorer to have something to go by; without it the case is unscored.
    fn lacks(&self, _case: &SuiteCase) -> Option<&'static str> {
        None
    }

    /// Checks the configuration before anything runs. A scorer that does not say otherwise has none.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    fn check(&self, config: &Value) -> Result<(), String> {
        match config {
            Value::Null => Ok(()),
            Value::Object(keys) if keys.is_empty() => Ok(()),
            _ => Err("this scorer has no configuration".to_owned()),
        }
    }

    /// Scores the answer. The configuration is the suite's with the case's over it, `null` when there is none.
    ///
    /// # Errors
    /// When it could not do its work; the case is then an error and not a zero.
    fn score(&self, case: &SuiteCase, output: &AgentOutput, config: &Value) -> Result<Score, ScorerError>;
}

/// A scorer's configuration, or its defaults when there is none.
///
/// # Errors
/// What does not fit, in words.
pub fn configured<T: DeserializeOwned + Default>(config: &Value) -> Result<T, String> {
    if config.is_null() {
        return Ok(T::default());
    }
    serde_json::from_value(config.clone()).map_err(|error| error.to_string())
}

/// The scorers by name.
#[derive(Default)]
pub struct Registry {
    scorers: BTreeMap<String, Box<dyn Scorer>>,
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.scorers.keys()).finish()
    }
}

impl FromIterator<Box<dyn Scorer>> for Registry {
    fn from_iter<I: IntoIterator<Item = Box<dyn Scorer>>>(scorers: I) -> Self {
        Self { scorers: scorers.into_iter().map(|scorer| (scorer.name().to_owned(), scorer)).collect() }
    }
}

impl Registry {
    /// Adds a scorer under its name.
    ///
    /// # Errors
    /// When the name is taken.
    pub fn register(&mut self, scorer: Box<dyn Scorer>) -> Result<(), ScorerError> {
        let name = scorer.name().to_owned();
        if self.scorers.contains_key(&name) {
            return Err(ScorerError(format!(
                "a scorer named {name:?} is registered already: choose another name"
            )));
        }
        self.scorers.insert(name, scorer);
        Ok(())
    }

    /// The scorer of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&dyn Scorer> {
        self.scorers.get(name).map(AsRef::as_ref)
    }

    /// All scorers in order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Scorer> {
        self.scorers.values().map(AsRef::as_ref)
    }
}
