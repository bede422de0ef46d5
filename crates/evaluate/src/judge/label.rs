//! Human labels: answers with a person's verdict, for the anchor set and for calibration.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::grader::lacking;
use super::{JudgeMode, JudgeRequest};
use crate::error::{Error, Result};
use crate::input;
use crate::scoring::CaseVerdict;
use crate::scoring::rubric::Rubric;

/// An answer with a person's verdict: a line in a label file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HumanLabel {
    /// Its id.
    pub id: String,
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// The truth, or for a refusal the expected behavior.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truth: Option<String>,
    /// A summary of the trace, if the data source is labelled too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// The judge mode.
    #[serde(default = "ground_truth")]
    pub mode: JudgeMode,
    /// The person's verdict: pass, partial or fail.
    #[serde(deserialize_with = "said")]
    pub label: CaseVerdict,
    /// The person's points by dimension, 1 to 5.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dimensions: BTreeMap<String, f64>,
    /// The purpose of the label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

const fn ground_truth() -> JudgeMode {
    JudgeMode::GroundTruth
}

/// Reads a verdict of a person, who leaves nothing unscored.
fn said<'de, D: Deserializer<'de>>(text: D) -> std::result::Result<CaseVerdict, D::Error> {
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Said {
        Pass,
        Partial,
        Fail,
    }
    Ok(match Said::deserialize(text)? {
        Said::Pass => CaseVerdict::Pass,
        Said::Partial => CaseVerdict::Partial,
        Said::Fail => CaseVerdict::Fail,
    })
}

impl HumanLabel {
    /// Parses a label file: JSON, one label per line.
    ///
    /// # Errors
    /// A line is not a label, an id is repeated, or the file has no label. The error names file and
    /// line.
    pub fn read(path: &Path, text: &str) -> Result<Vec<Self>> {
        let (mut labels, mut ids) = (Vec::new(), BTreeSet::new());
        for line in input::lines(text) {
            let wrong = |message: &str| Error::syntax(path, (line.0, 1), message);
            let label: Self = input::json_line(path, line, "a label")?;
            if !ids.insert(label.id.clone()) {
                return Err(wrong(&format!("the id {:?} is repeated", label.id)));
            }
            if let Some(why) = lacking(&label.request(Rubric::default())) {
                return Err(wrong(&format!("{why}: add it, or name another `mode`")));
            }
            labels.push(label);
        }
        if labels.is_empty() {
            return Err(Error::syntax(path, (1, 1), "there is no label: write one JSON object per line"));
        }
        Ok(labels)
    }

    /// The request to the judge.
    #[must_use]
    pub fn request(&self, rubric: Rubric) -> JudgeRequest {
        let request = JudgeRequest::new(self.mode, &self.question, &self.answer);
        JudgeRequest { truth: self.truth.clone(), trace: self.trace.clone(), ..request }.by(rubric)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_no_label_is_named() {
        let case = r#"{"id": "a", "question": "q", "answer": "a", "truth": "t", "label": "pass"}"#;
        for (text, at, part) in [
            (format!("{case}\n{case}\n"), 2, "is repeated"),
            (format!("{case}\n{{\"id\": 1}}\n"), 2, "expected a string"),
            (case.replace("\"pass\"", "\"good\""), 1, "expected one of `pass`, `partial`, `fail`"),
            (case.replace("\"pass\"", "\"unscored\""), 1, "expected one of `pass`, `partial`, `fail`"),
            (case.replace("\"truth\": \"t\", ", ""), 1, "ground_truth needs a truth"),
            (case.replace("\"t\"", "\" \""), 1, "ground_truth needs a truth"),
            (case.replace("\"id\"", "\"mode\": \"grounding\", \"id\""), 1, "needs evidence or a trace"),
            (String::new(), 1, "no label"),
        ] {
            let error = HumanLabel::read(Path::new("labels.jsonl"), &text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("labels.jsonl:{at}:")) && error.contains(part), "{error}");
            assert!(!error.contains("`unscored`, `"), "{error}");
        }
    }
}
