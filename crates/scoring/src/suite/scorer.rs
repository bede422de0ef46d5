//! The scorer trait and the registry of scorers (scorers, "Custom Scorers").

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::answer::AgentOutput;
use super::case::SuiteCase;
use crate::score::Score;

/// A scorer failed. This is never a score of zero.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ScorerError(pub String);

/// Scores one answer to one case. Implement it for your own criteria and register it.
pub trait Scorer: Send + Sync {
    /// The scorer's name in suites.
    fn name(&self) -> &str;

    /// Whether it stays unscored without a judge's points.
    fn needs_judge(&self) -> bool {
        false
    }

    /// Whether it scores the answer's content. An empty answer then scores 0, whatever the case expects (decision 37).
    fn scores_words(&self) -> bool {
        false
    }

    /// The input that this scorer needs and the case does not set; the case is then unscored.
    fn lacks(&self, _case: &SuiteCase) -> Option<&'static str> {
        None
    }

    /// Checks the configuration before the run. By default a scorer takes no configuration.
    ///
    /// # Errors
    /// The configuration is invalid.
    fn check(&self, config: &Value) -> Result<(), String> {
        match config {
            Value::Null => Ok(()),
            Value::Object(keys) if keys.is_empty() => Ok(()),
            _ => Err("this scorer takes no configuration".to_owned()),
        }
    }

    /// Scores the answer. The configuration is the case's merged over the suite's; `null` for none.
    ///
    /// # Errors
    /// The scorer failed. The case is then an error, not a zero.
    fn score(&self, case: &SuiteCase, output: &AgentOutput, config: &Value) -> Result<Score, ScorerError>;
}

/// Reads a scorer's configuration; `null` gives the defaults.
///
/// # Errors
/// The configuration does not fit the type.
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
    /// The name is taken.
    pub fn register(&mut self, scorer: Box<dyn Scorer>) -> Result<(), ScorerError> {
        let name = scorer.name().to_owned();
        if self.scorers.contains_key(&name) {
            return Err(ScorerError(format!(
                "a scorer named {name:?} is already registered: choose another name"
            )));
        }
        self.scorers.insert(name, scorer);
        Ok(())
    }

    /// Finds a scorer by name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&dyn Scorer> {
        self.scorers.get(name).map(AsRef::as_ref)
    }

    /// All scorers, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Scorer> {
        self.scorers.values().map(AsRef::as_ref)
    }
}
