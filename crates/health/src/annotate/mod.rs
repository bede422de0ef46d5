//! Annotate: assigns each question its expected tool and query type by rules, with reasons.
//! Undecided cases are listed for a person, and a person's decisions are kept (evaluation strategy,
//! phase 0). It uses no language model.

mod classification;
mod rules;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use self::rules::EDGE_CASES;
use crate::atlas::query_type;
use crate::error::{Error, Result};
use crate::extract::Extractors;
use crate::input::{self, json_fault, json_place};
use crate::manifest::{ExpectedTool, Manifest, ManifestQuestion, QuestionId};
use atlas_gt_core::json::pretty;
use atlas_gt_core::sample::{Draw, SampleCandidate, sample};

pub use classification::{ClassificationCase, ClassificationSet, TypeShortage, classification_set};

/// The share of undisputed annotations that a person checks anyway.
pub(crate) const SAMPLED: f64 = 0.1;

/// The expected tool and query type of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Annotation {
    /// The question.
    pub question_id: QuestionId,
    /// The tool by the rules; `None` if no rule fits.
    pub expected_tool: Option<ExpectedTool>,
    /// The query type by the rules.
    pub expected_query_type: Option<String>,
    /// The rule that gave the tool: `source atlas_country_page`.
    pub rule: String,
    /// Why this tool and this query type.
    pub reason: String,
    /// Whether a person should check it.
    pub review: bool,
    /// The reason for the check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_because: Option<Because>,
    /// The manifest's own annotation, if it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest: Option<Differing>,
    /// A person sets this to `true` to freeze the entry.
    pub reviewed: bool,
    /// Whether a rule gave the query type.
    #[serde(skip)]
    is_typed: bool,
}

/// Why a person should check an annotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// No rule matches.
    NoRule,
    /// It is an edge case.
    EdgeCase,
    /// The manifest says something else.
    ManifestDiffers,
    /// It was drawn for the sample.
    Sample,
}

/// The parts of a manifest's annotation that differ from the rules.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Differing {
    /// The manifest's tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_tool: Option<ExpectedTool>,
    /// The manifest's reason for the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_tool_reason: Option<String>,
    /// The manifest's query type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_query_type: Option<String>,
}

/// An annotation decided by a person.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    /// The chosen tool.
    pub expected_tool: Option<ExpectedTool>,
    /// The chosen query type.
    pub expected_query_type: Option<String>,
    entry: Json,
}

/// The annotations of a manifest.
#[derive(Debug, Clone, PartialEq)]
pub struct Annotations {
    /// Annotations by the rules, for every question without a decision.
    pub ruled: BTreeMap<QuestionId, Annotation>,
    /// Decisions by a person, including those on questions no longer in the manifest.
    pub decided: BTreeMap<QuestionId, Decided>,
}

/// Reads the decided annotations of a file; none if it does not exist.
///
/// # Errors
/// The file cannot be read, has an invalid entry, or has two for one question. No decision is ever
/// dropped.
pub fn decided(path: &Path) -> Result<BTreeMap<QuestionId, Decided>> {
    #[derive(Deserialize)]
    struct Form {
        question_id: QuestionId,
        #[serde(default)]
        expected_tool: Option<ExpectedTool>,
        #[serde(default)]
        expected_query_type: Option<String>,
        #[serde(default)]
        reviewed: bool,
    }
    let text = match input::text(path) {
        Err(Error::Named { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            return Ok(BTreeMap::new());
        }
        read => read?,
    };
    let syntax = |error: serde_json::Error| {
        let message = format!("{}; fix it, or name another file with --output", json_fault(&error));
        Error::syntax(path, json_place(&error), message)
    };
    let forms: Vec<Form> = serde_json::from_str(&text).map_err(syntax)?;
    let entries: Vec<Json> = serde_json::from_str(&text).map_err(syntax)?;
    let mut found = BTreeMap::new();
    for (form, entry) in forms.into_iter().zip(entries).filter(|(form, _)| form.reviewed) {
        let Form { question_id, expected_tool, expected_query_type, .. } = form;
        let wrong =
            |what: String| Err(Error::Usage(format!("{}: question {question_id}: {what}", path.display())));
        if let Some(name) = expected_query_type.as_deref().filter(|name| query_type(name).is_none()) {
            return wrong(format!("unknown query type `{name}`"));
        }
        if found.contains_key(&question_id) {
            return wrong("is reviewed twice; remove one of the two entries".to_owned());
        }
        found.insert(question_id, Decided { expected_tool, expected_query_type, entry });
    }
    Ok(found)
}

/// Annotates the questions of a manifest. Decisions are kept. The seed draws the sample for a
/// person; it is the same on every machine and independent of earlier decisions.
#[must_use]
pub fn annotate(
    manifest: &Manifest,
    extractors: &Extractors,
    decided: BTreeMap<QuestionId, Decided>,
    seed: u64,
) -> Annotations {
    let mut ruled: BTreeMap<QuestionId, Annotation> = BTreeMap::new();
    let mut candidates = Vec::new();
    for asked in manifest.questions() {
        let kind = match asked.entry {
            Some(entry) => rules::query_type(entry, extractors),
            None if asked.expects_behavior() => (None, "an expected behavior reads no data".to_owned()),
            None => (None, "it has no page and no data points, so no rule gives its type".to_owned()),
        };
        let annotation = annotated(&asked, kind);
        if annotation.review_because.is_none() {
            candidates.push(SampleCandidate {
                question_id: asked.id.clone(),
                page_kind: annotation.rule.clone(),
                country: asked.info.category.clone().unwrap_or_default(),
                last_looked: Timestamp::UNIX_EPOCH,
                changed: None,
            });
        }
        ruled.insert(asked.id.clone(), annotation);
    }
    let draw = Draw { fraction: SAMPLED, least: 1, seed, since: Timestamp::MAX };
    for (id, _) in sample(&candidates, &draw) {
        if let Some(annotation) = ruled.get_mut(&id) {
            annotation.review = true;
            annotation.review_because = Some(Because::Sample);
        }
    }
    ruled.retain(|id, _| !decided.contains_key(id));
    Annotations { ruled, decided }
}

/// Annotates a question by the rules, and compares with the manifest.
fn annotated(asked: &ManifestQuestion<'_>, (kind, why): (Option<&'static str>, String)) -> Annotation {
    let says = asked.info;
    let category = says.category.as_deref();
    let (tool, rule, reason) = rules::tool(category, asked.source);
    let (query, why) = match tool {
        Some(ExpectedTool::Refusal) => {
            (Some("reject"), "questions to decline have the type reject".to_owned())
        }
        _ => (kind, why),
    };
    let differs = Differing {
        expected_tool: says.expected_tool.filter(|says| tool.is_some_and(|tool| tool != *says)),
        expected_query_type: (says.expected_query_type.clone())
            .filter(|says| query.is_some_and(|query| query != says)),
        expected_tool_reason: None,
    };
    let differs = (differs != Differing::default()).then(|| Differing {
        expected_tool_reason: differs.expected_tool.and(says.expected_tool_reason.clone()),
        ..differs
    });
    let because = if category == Some(EDGE_CASES) {
        Some(Because::EdgeCase)
    } else if tool.is_none() || query.is_none() {
        Some(Because::NoRule)
    } else {
        differs.is_some().then_some(Because::ManifestDiffers)
    };
    Annotation {
        question_id: asked.id.clone(),
        is_typed: query.is_some(),
        // without a matching rule, start from the manifest's annotation
        expected_tool: tool.or(says.expected_tool),
        expected_query_type: query.map(str::to_owned).or(says.expected_query_type.clone()),
        rule,
        reason: format!("{reason}; {why}"),
        review: because.is_some(),
        review_because: because,
        manifest: differs,
        reviewed: false,
    }
}

impl Annotations {
    /// The file contents: all annotations ordered by question, decisions unchanged.
    ///
    /// # Errors
    /// An annotation cannot be written as JSON.
    pub fn to_text(&self) -> Result<String> {
        let wrong = |error: serde_json::Error| Error::Usage(error.to_string());
        let ids: BTreeSet<&QuestionId> = self.ruled.keys().chain(self.decided.keys()).collect();
        let entry = |id: &QuestionId| match self.decided.get(id) {
            Some(decided) => {
                let mut entry = decided.entry.clone();
                // an older file has an integer
                if let Some(fields) = entry.as_object_mut() {
                    fields.insert("question_id".to_owned(), id.as_str().into());
                }
                Ok(entry)
            }
            None => serde_json::to_value(self.ruled.get(id)).map_err(wrong),
        };
        let entries = ids.into_iter().map(entry).collect::<Result<Vec<Json>>>()?;
        pretty(&entries)
    }

    /// The annotations that a person should check.
    pub fn for_review(&self) -> impl Iterator<Item = (&Annotation, Because)> {
        self.ruled.values().filter_map(|annotation| Some((annotation, annotation.review_because?)))
    }

    /// The undisputed query type of a question: decided by a person, or by a rule that the manifest
    /// does not contradict.
    #[must_use]
    pub(crate) fn sure_query_type(&self, id: &QuestionId) -> Option<&str> {
        if let Some(decided) = self.decided.get(id) {
            return decided.expected_query_type.as_deref();
        }
        let annotation = self.ruled.get(id)?;
        let is_contradicted =
            annotation.manifest.as_ref().is_some_and(|says| says.expected_query_type.is_some());
        // a question that lacks only a tool has a type
        let is_open = !annotation.is_typed || annotation.review_because == Some(Because::EdgeCase);
        annotation.expected_query_type.as_deref().filter(|_| !is_contradicted && !is_open)
    }
}
