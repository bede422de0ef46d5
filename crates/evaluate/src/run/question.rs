//! A question of a run with the expected answer: the current truth, or a behavior.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::earlier::older;
use crate::error::Result;
use crate::evidence::Hash;
use crate::manifest::{Behavior, Details, Difficulty, ExpectedTool, ManifestQuestion, QuestionId, declines};
use crate::reference::of_reference;
use crate::scoring::suite;
use crate::truth::{Provenance, Record, Row, Site, SourceMethod, Store, Stored};
use crate::value::Context;

/// A question to ask.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// The id. Older runs may have it as an integer.
    pub question_id: QuestionId,
    /// The text.
    pub text: String,
    /// The category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// The difficulty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<Difficulty>,
    /// The expected query type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_type: Option<String>,
    /// The expected tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_tool: Option<ExpectedTool>,
    /// The page that shows the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub atlas_url: Option<String>,
    /// Whether the answer must link to that page.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub needs_link: bool,
    /// The context stated by the question.
    #[serde(default)]
    pub context: Context,
    /// The expected behavior, if no page has the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_behavior: Option<String>,
    /// Tags for selecting questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The persona that asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
}

/// The category whose answers must link to the page (evaluation strategy, section 6, phase 3).
const LINK_CATEGORY: &str = "gql_link_verification";

impl Question {
    /// A question with only an id and a text.
    #[must_use]
    pub fn new(question_id: QuestionId, text: String) -> Self {
        Self {
            question_id,
            text,
            category: None,
            difficulty: None,
            query_type: None,
            expected_tool: None,
            atlas_url: None,
            needs_link: false,
            context: Context::default(),
            expected_behavior: None,
            tags: Vec::new(),
            persona: None,
        }
    }

    /// A question of a manifest; none if it has no text.
    #[must_use]
    pub fn of(one: &ManifestQuestion<'_>) -> Option<Self> {
        let context =
            one.entry.map(|entry| &entry.context).or(one.behavior.map(|behavior| &behavior.context));
        let question = Self {
            category: one.info.category.clone(),
            difficulty: one.info.difficulty,
            query_type: one.info.expected_query_type.clone(),
            expected_tool: one.info.expected_tool,
            atlas_url: one.address(),
            needs_link: one.entry.is_some() && one.info.category.as_deref() == Some(LINK_CATEGORY),
            context: context.cloned().unwrap_or_default(),
            tags: one.details.tags.clone(),
            persona: one.details.persona.clone(),
            ..Self::new(one.id.clone(), one.text()?.to_owned())
        };
        Some(question.expecting(one.behavior.and_then(Behavior::expected)))
    }

    /// The cohorts of the question: `tag smoke`, `persona student`.
    #[must_use]
    pub fn cohorts(&self) -> Vec<String> {
        let tags = self.tags.iter().map(|tag| format!("tag {tag}"));
        tags.chain(self.persona.iter().map(|persona| format!("persona {persona}"))).collect()
    }

    /// Sets the expected behavior. A question to decline expects no tool, unless stated otherwise.
    #[must_use]
    pub(crate) fn expecting(self, behavior: Option<String>) -> Self {
        let refusal = behavior.as_deref().is_some_and(declines).then_some(ExpectedTool::Refusal);
        Self { expected_tool: self.expected_tool.or(refusal), expected_behavior: behavior, ..self }
    }
}

/// A case of a run: a question with its expected answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The question.
    pub question: Question,
    /// The truth, if a store has it.
    pub truth: Option<PinnedTruth>,
    /// The expectations of the case's own scorers, for a case of a suite or component.
    pub checks: Option<Box<suite::SuiteCase>>,
}

impl Case {
    /// A question with its truth.
    #[must_use]
    pub const fn of_question(question: Question, truth: Option<PinnedTruth>) -> Self {
        Self { question, truth, checks: None }
    }

    /// Whether it comes with context for the agent.
    #[must_use]
    pub fn has_context(&self) -> bool {
        self.checks.as_ref().is_some_and(|checks| !checks.input.context.is_empty())
    }

    /// A case with its own scorers, under an id.
    #[must_use]
    pub(crate) fn of_checks(
        question_id: QuestionId,
        category: Option<String>,
        checks: suite::SuiteCase,
    ) -> Self {
        let is_routed = checks.scorers.iter().any(|scorer| scorer.name == "trajectory");
        let expected_tool = checks.expected_tool.filter(|_| is_routed);
        let question =
            Question { category, expected_tool, ..Question::new(question_id, checks.input.query.clone()) };
        Self { question, truth: None, checks: Some(Box::new(checks)) }
    }
}

/// The truth used by a run. It contains everything that scoring needs, so that an answer can be
/// scored again after the store has changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PinnedTruth {
    /// The hash of `results.json`.
    pub hash: Hash,
    /// The contents of `results.json`.
    pub record: Record,
    /// The provenance, if it belongs to this record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
    /// Earlier rows, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<Row>,
}

impl PinnedTruth {
    /// The current truth of a question in a store.
    ///
    /// # Errors
    /// The changelog cannot be read.
    pub fn of(store: &Store, stored: Stored) -> Result<Self> {
        let earlier = older(store, &stored.record.question_id, &stored)?;
        let provenance = stored.provenance.clone();
        Ok(Self { hash: stored.hash, record: stored.record, provenance, earlier })
    }

    /// The truth that the question itself carries, if any.
    pub(crate) fn of_reference(question: &Question, details: &Details, site: Site) -> Option<Self> {
        let reference = details.reference.as_ref()?;
        let Stored { record, provenance, hash } =
            of_reference(&question.question_id, &question.context, reference, site)?;
        Some(Self { hash, record, provenance, earlier: Vec::new() })
    }

    /// The truth as a stored record.
    #[must_use]
    pub fn stored(&self) -> Stored {
        Stored { record: self.record.clone(), provenance: self.provenance.clone(), hash: self.hash.clone() }
    }

    /// The site of the truth.
    #[must_use]
    pub const fn site(&self) -> Site {
        self.record.site
    }

    /// The source method of the truth.
    #[must_use]
    pub const fn source_method(&self) -> SourceMethod {
        self.record.source_method
    }

    /// The truth as text, one line per value, for a judge or a reader.
    #[must_use]
    pub fn words(&self) -> String {
        let line = |row: &Row| {
            let mut words = format!("{}, {}", row.metric, row.country);
            if let Some(year) = &row.year {
                words.push_str(&format!(", {year}"));
            }
            for key in ["rank", "product", "partner", "sector", "name", "code", "column", "share"] {
                if let Some(text) = row.text(key) {
                    words.push_str(&format!(", {key} {text}"));
                }
            }
            format!("{words}: {}", row.shown())
        };
        self.record.results.data.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}
