//! The report of `annotate`: annotations by rule, and questions that a person must decide.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use super::words::{count, plural};
use super::{Doc, Invocation, Report, Text};
use crate::manifest::{ExpectedTool, QuestionId};
use crate::row;
use crate::workflow::annotate::{Annotation, Annotations, Because, ClassificationSet};

/// The result of `annotate`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AnnotateReport {
    /// The number of questions per rule and tool.
    pub rules: Vec<RuleCount>,
    /// Questions decided by a person.
    pub decided: Vec<QuestionId>,
    /// Questions that a person must check.
    pub for_review: Vec<Annotation>,
    /// The classification set, if requested.
    pub classification_set: Option<ClassificationSet>,
    /// The files written.
    pub written: Vec<PathBuf>,
    #[serde(skip)]
    by: BTreeMap<QuestionId, Because>,
    #[serde(skip)]
    all: usize,
}

/// The number of questions that a rule assigns to a tool.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RuleCount {
    /// The rule.
    pub rule: String,
    /// The tool, or `none`.
    pub tool: String,
    /// The number of questions.
    pub questions: usize,
}

impl AnnotateReport {
    /// The report of these annotations and written files.
    #[must_use]
    pub fn of(found: &Annotations, set: Option<ClassificationSet>, written: Vec<PathBuf>) -> Self {
        let mut rules: BTreeMap<(&str, String), usize> = BTreeMap::new();
        for annotation in found.ruled.values() {
            let tool = annotation.expected_tool.map_or_else(|| "none".to_owned(), |tool| tool.to_string());
            *rules.entry((annotation.rule.as_str(), tool)).or_default() += 1;
        }
        let count = |((rule, tool), questions): ((&str, String), usize)| RuleCount {
            rule: rule.to_owned(),
            tool,
            questions,
        };
        Self {
            rules: rules.into_iter().map(count).collect(),
            decided: found.decided.keys().cloned().collect(),
            for_review: found.for_review().map(|(annotation, _)| annotation.clone()).collect(),
            by: found.for_review().map(|(one, because)| (one.question_id.clone(), because)).collect(),
            classification_set: set,
            written,
            all: found.ruled.len() + found.decided.len(),
        }
    }
}

impl Report for AnnotateReport {
    const NAME: &'static str = "annotate";
    const ITEMS: Option<&'static str> = Some("for_review");

    fn doc(&self, invocation: &Invocation) -> Doc {
        let mut doc = Doc::new("Annotations");
        let of = |because: Because| self.by.values().filter(|one| **one == because).count();
        doc.sum(format!(
            "{}, {} by a person; {} to check: {} without a rule, {}, {} where the manifest differs, {} drawn of the rest",
            count(self.all, "annotation"),
            self.decided.len(),
            self.for_review.len(),
            of(Because::NoRule),
            plural(of(Because::EdgeCase), "edge case", "edge cases"),
            of(Because::ManifestDiffers),
            of(Because::Sample),
        ));
        if let Some(set) = &self.classification_set {
            doc.sum(describe_set(set));
        }
        doc.body.section("To check", |body| {
            let head = ["question", "asked", "reason", "by the rules", "in the manifest"];
            let cells = |one: &Annotation| self.cells(one, invocation);
            body.rows(&head, self.for_review.iter().map(cells));
        });
        doc.body.section("Rules", |body| {
            let cells = |one: &RuleCount| row![&one.rule, &one.tool, one.questions];
            body.rows(&["rule", "tool", ">questions"], self.rules.iter().map(cells));
        });
        doc.body.list(self.written.iter().map(|path| format!("written to {}", path.display())));
        doc
    }
}

impl AnnotateReport {
    fn cells(&self, one: &Annotation, invocation: &Invocation) -> Vec<Text> {
        let says = one.manifest.as_ref();
        let manifest: Vec<String> = [
            says.and_then(|says| says.expected_tool).map(|tool| tool.to_string()),
            says.and_then(|says| says.expected_query_type.clone()),
            says.and_then(|says| says.expected_tool_reason.as_ref()).map(|why| format!("({why})")),
        ]
        .into_iter()
        .flatten()
        .collect();
        let tool = one.expected_tool.map(ExpectedTool::name);
        let kind = one.expected_query_type.as_deref().unwrap_or("no query type");
        let because = self.by.get(&one.question_id).map_or("", |because| words(*because));
        row![
            &one.question_id,
            invocation.question(one.question_id.as_str()),
            because,
            format!("{}, {kind}", tool.unwrap_or("no tool")),
            manifest.join(" "),
        ]
    }
}

/// Describes a classification set and the query types that it has too few of.
fn describe_set(set: &ClassificationSet) -> String {
    let few: Vec<String> =
        set.missing.iter().map(|(name, few)| format!("{name} {} of {}", few.available, few.wanted)).collect();
    let few = if few.is_empty() {
        String::new()
    } else {
        format!("; too few questions with an undisputed type: {}", few.join(", "))
    };
    format!("classification set: {}{few}", count(set.cases.len(), "question"))
}

const fn words(because: Because) -> &'static str {
    match because {
        Because::NoRule => "no rule matches",
        Because::EdgeCase => "edge case",
        Because::ManifestDiffers => "the manifest differs",
        Because::Sample => "sample",
    }
}
