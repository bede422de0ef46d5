//! What is asked in a run and what is expected of the answer: the truth as it is when the question is asked, or a behaviour.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::earlier::older;
use crate::error::Result;
use crate::evidence::Hash;
use crate::manifest::{Behavior, Details, Difficulty, ExpectedTool, ManifestQuestion, QuestionId, declines};
use crate::reference::of_reference;
use crate::scoring::suite;
use crate::truth::checks::integer_or_text;
use crate::truth::{Provenance, Record, Row, Site, SourceMethod, Store, Stored};
use crate::value::Context;

/// A question as it is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// Its id: an integer when it is one.
    #[serde(serialize_with = "integer_or_text")]
    #[schemars(with = "serde_json::Value")]
    pub question_id: QuestionId,
    /// The text that the agent is asked.
    pub text: String,
    /// What it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// How hard it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<Difficulty>,
    /// Which kind of query the agent should make.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_type: Option<String>,
    /// Which tool the agent should answer with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_tool: Option<ExpectedTool>,
    /// The page that shows the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub atlas_url: Option<String>,
    /// Whether the answer has to link to that page.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub needs_link: bool,
    /// The context that the question itself states.
    #[serde(default)]
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub context: Context,
    /// What a right answer does, where no page has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_behavior: Option<String>,
    /// Words that a team chooses questions by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Who asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
}

/// The category whose answers have to link to the page (evaluation strategy, section 6, phase 3).
const LINK_CATEGORY: &str = "gql_link_verification";

impl Question {
    /// A question as an agent is asked it; nothing more is known of it.
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

    /// A question of a manifest; nothing for one without a text.
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

    /// The cohorts that it belongs to: `tag smoke`, `persona student`.
    #[must_use]
    pub fn cohorts(&self) -> Vec<String> {
        let tags = self.tags.iter().map(|tag| format!("tag {tag}"));
        tags.chain(self.persona.iter().map(|persona| format!("persona {persona}"))).collect()
    }

    /// The same with what a right answer does. One that declines calls no tool, where nobody says otherwise.
    #[must_use]
    pub(crate) fn expecting(self, behavior: Option<String>) -> Self {
        let refusal = behavior.as_deref().is_some_and(declines).then_some(ExpectedTool::Refusal);
        Self { expected_tool: self.expected_tool.or(refusal), expected_behavior: behavior, ..self }
    }
}

/// A case of a run: what is asked, and what the answer is held against.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// What is asked.
    pub question: Question,
    /// What is true, where a store knows it.
    pub truth: Option<PinnedTruth>,
    /// What the scorers that the case names expect: a case of a suite or a component.
    pub checks: Option<Box<suite::SuiteCase>>,
}

impl Case {
    /// A question with its truth.
    #[must_use]
    pub const fn of_question(question: Question, truth: Option<PinnedTruth>) -> Self {
        Self { question, truth, checks: None }
    }

    /// A case with scorers of its own, by the id that it is kept under.
    #[must_use]
    pub(crate) fn of_checks(
        question_id: QuestionId,
        category: Option<String>,
        checks: suite::SuiteCase,
    ) -> Self {
        let question = Question { category, ..Question::new(question_id, checks.input.query.clone()) };
        Self { question, truth: None, checks: Some(Box::new(checks)) }
    }
}

/// The truth of a question as a run uses it. All that scoring needs is in it, so that an answer can be scored again when the store
/// has moved on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PinnedTruth {
    /// Hash of `results.json`.
    #[schemars(with = "String")]
    pub hash: Hash,
    /// What `results.json` holds.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub record: Record,
    /// How it was read, where that is known of this very record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub provenance: Option<Provenance>,
    /// Rows that were true before, the newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>")]
    pub earlier: Vec<Row>,
}

impl PinnedTruth {
    /// The truth of a question as a store has it now.
    ///
    /// # Errors
    /// The changelog cannot be read.
    pub fn of(store: &Store, stored: Stored) -> Result<Self> {
        let earlier = older(store, &stored.record.question_id, &stored)?;
        let provenance = stored.provenance.clone();
        Ok(Self { hash: stored.hash, record: stored.record, provenance, earlier })
    }

    /// The truth that the question itself carries; nothing where it carries none.
    pub(crate) fn of_reference(question: &Question, details: &Details, site: Site) -> Option<Self> {
        let reference = details.reference.as_ref()?;
        let Stored { record, provenance, hash } =
            of_reference(&question.question_id, &question.context, reference, site)?;
        Some(Self { hash, record, provenance, earlier: Vec::new() })
    }

    /// As the store gave it.
    #[must_use]
    pub fn stored(&self) -> Stored {
        Stored { record: self.record.clone(), provenance: self.provenance.clone(), hash: self.hash.clone() }
    }

    /// Whose truth it is.
    #[must_use]
    pub const fn site(&self) -> Site {
        self.record.site
    }

    /// Where it comes from.
    #[must_use]
    pub const fn source_method(&self) -> SourceMethod {
        self.record.source_method
    }

    /// The truth in words, a line a value: what a judge and a reader of a report see.
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
