//! The trace of a decision in the documented format (scoring thresholds, "Log Reading Guide").

use std::fmt;

use serde::Serialize;

/// A step of the decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct TraceStep {
    /// The step's title.
    pub title: String,
    /// The findings, one line each.
    pub lines: Vec<String>,
}

/// How a metric reached its score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Trace {
    /// The metric with its range: `Factual Accuracy (0-3)`.
    pub title: String,
    /// The metric's input.
    pub validation: String,
    /// The steps of the decision.
    pub steps: Vec<TraceStep>,
    /// The bucket of the result.
    pub result: String,
    /// The score with its label.
    pub score: String,
}

impl Trace {
    pub(super) fn new(title: &str, validation: String) -> Self {
        Self {
            title: title.to_owned(),
            validation,
            steps: Vec::new(),
            result: String::new(),
            score: String::new(),
        }
    }

    pub(super) fn step(&mut self, title: &str, lines: Vec<String>) {
        self.steps.push(TraceStep { title: title.to_owned(), lines });
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let double = "=".repeat(80);
        let single = "-".repeat(60);
        writeln!(f, "{double}\nCALCULATING: {}\n{double}", self.title)?;
        writeln!(f, "INPUT VALIDATION: {}", self.validation)?;
        for (step, number) in self.steps.iter().zip(1..) {
            writeln!(f, "STEP {number}: {}\n{single}", step.title)?;
            for line in &step.lines {
                writeln!(f, "  {line}")?;
            }
            writeln!(f)?;
        }
        writeln!(f, "THRESHOLD RESULT: {}", self.result)?;
        writeln!(f, "SCORE = {}\n{double}", self.score)
    }
}
