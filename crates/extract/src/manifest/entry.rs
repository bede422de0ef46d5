//! The manifest as it stands in the file (the seed's format and what was added to it), with its JSON
//! Schema, and an entry as the program uses it once it is known to be right.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use super::details::{Details, Reference};
use super::method::Method;
use crate::atlas::AtlasUrl;
pub use crate::value::derive::{Operation, Step};
use crate::value::{Basis, Classification, Context, Flow, Rule, Scope, Statistic};
use atlas_gt_core::diagnostic::{At, Diagnostics, Place};
use atlas_gt_core::document::{Document, Located, OptionalField as _};
pub use atlas_gt_core::pipeline::ExpectedTool;
use atlas_gt_core::question_id::QuestionId;

/// A manifest: a list of questions, or an object with `questions`.
#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(title = "atlas-gt manifest")]
pub(super) enum ManifestFile {
    /// The questions alone.
    List(Located<Vec<Located<EntryFile>>>),
    /// The questions with a word about them.
    Object(ManifestObject),
}

impl ManifestFile {
    /// The questions that a document states; what is wrong with them is in the report.
    pub(super) fn questions(
        document: &Document<'_>,
        report: &mut Diagnostics,
    ) -> Option<Located<Vec<Located<EntryFile>>>> {
        if let Some(found) = document.scalar() {
            let message =
                format!("a manifest is a list of questions or an object with `questions`, not {found}");
            report.error(&At::default(), message);
            return None;
        }
        let file = match document.is_list() {
            true => Self::List(document.read(report)),
            false => Self::Object(document.read(report).value?),
        };
        let (Self::List(questions) | Self::Object(ManifestObject { questions, .. })) = file;
        Some(questions)
    }
}

/// The questions with a word about them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ManifestObject {
    /// Where the JSON Schema is, for editors.
    #[serde(rename = "$schema")]
    #[expect(dead_code, reason = "for editors")]
    pub(super) schema: Option<Located<String>>,
    /// What these questions are.
    #[expect(dead_code, reason = "for people")]
    pub(super) description: Option<Located<String>>,
    /// The questions.
    pub(super) questions: Located<Vec<Located<EntryFile>>>,
}

/// One question and where its answer is read.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = needs_one_form)]
pub(super) struct EntryFile {
    /// The question's id, as string or integer: letters, digits, `_`, `.` and `-`.
    #[schemars(with = "IdFile")]
    pub(super) question_id: Option<Located<IdFile>>,
    /// The page that shows the answer: a full URL of the Atlas, or path and query. Left out where `expected_behavior` is
    /// given; beside a question that no extractor reads it says what the question is about.
    pub(super) atlas_url: Option<Located<String>>,
    /// How the data points are read. `dom` admits narrative points.
    pub(super) extraction_method: Option<Located<Method>>,
    /// The extractor spec that reads them.
    #[schemars(length(min = 1))]
    pub(super) extractor: Option<Located<String>>,
    /// The data points that answer the question.
    #[schemars(length(min = 1))]
    pub(super) data_points: Option<Located<Vec<Located<String>>>>,
    /// How the answer follows from several values, in place of `extractor` and `data_points`.
    pub(super) derive: Option<Located<DeriveFile>>,
    /// What a right answer does, where no page has one: declines, says what is missing, answers otherwise.
    #[schemars(length(min = 1))]
    pub(super) expected_behavior: Option<Located<String>>,
    /// The GraphQL query that holds the data, for drawn values.
    pub(super) api_query: Option<Located<String>>,
    /// The question as the agent is asked it.
    pub(super) question_text: Option<Located<String>>,
    /// What the question is about.
    pub(super) category: Option<Located<String>>,
    /// The category's name, where `category` is its id.
    pub(super) category_name: Option<Located<String>>,
    /// How hard it is.
    pub(super) difficulty: Option<Located<Difficulty>>,
    /// Words to choose questions by.
    pub(super) tags: Option<Located<Vec<Located<String>>>>,
    /// Who asks.
    pub(super) persona: Option<Located<String>>,
    /// Remarks.
    pub(super) notes: Option<Located<String>>,
    /// The paper that the question comes from.
    pub(super) source_paper: Option<Located<String>>,
    /// The classification of products that the agent should use.
    pub(super) expected_classification: Option<Located<String>>,
    /// The API that the agent should ask.
    pub(super) expected_api_target: Option<Located<String>>,
    /// What a right answer gives, by somebody other than this program.
    pub(super) reference: Option<Located<Reference>>,
    /// Why page, extractor, data points and context are as they are, where this program chose them.
    pub(super) proposed: Option<Located<String>>,
    /// What is missing for its answer to be read on a page.
    pub(super) lacks: Option<Located<String>>,
    /// Where the question comes from: `atlas_country_page`, `atlas_explore_page`, a data set's name.
    pub(super) source: Option<Located<String>>,
    /// Which tool the agent should answer with.
    pub(super) expected_tool: Option<Located<ExpectedTool>>,
    /// Why that tool.
    pub(super) expected_tool_reason: Option<Located<String>>,
    /// Which kind of query the agent should make.
    pub(super) expected_query_type: Option<Located<String>>,
    /// What the value must share with another to be compared with it.
    pub(super) context: Option<Located<ContextFile>>,
    /// Whether the page is visited: `false` keeps the question without collecting it.
    #[schemars(with = "bool", default = "yes")]
    pub(super) visit: Option<Located<bool>>,
    /// Why its answer is to be looked at on the live page before anybody relies on it.
    #[schemars(length(min = 1))]
    pub(super) suspect: Option<Located<String>>,
    /// Why it cannot be collected yet; it is counted and not visited.
    #[schemars(length(min = 1))]
    pub(super) planned: Option<Located<String>>,
}

impl From<&EntryFile> for Details {
    fn from(file: &EntryFile) -> Self {
        Self {
            category_name: file.category_name.value().cloned(),
            source_paper: file.source_paper.value().cloned(),
            persona: file.persona.value().cloned(),
            notes: file.notes.value().cloned(),
            tags: file.tags.value().into_iter().flatten().filter_map(|tag| tag.value.clone()).collect(),
            expected_classification: file.expected_classification.value().cloned(),
            expected_api_target: file.expected_api_target.value().cloned(),
            reference: file.reference.value().cloned(),
            proposed: file.proposed.value().cloned(),
            lacks: file.lacks.value().cloned(),
        }
    }
}

impl EntryFile {
    /// Where it says how its answer is read, by the keys that do: a question without any of them is asked and judged, and never
    /// collected.
    pub(super) fn read_by(&self) -> impl Iterator<Item = (&'static str, &At)> {
        let at = [
            self.extraction_method.at(),
            self.extractor.at(),
            self.data_points.at(),
            self.derive.at(),
            self.planned.at(),
        ];
        READ_BY.into_iter().zip(at).filter_map(|(name, at)| Some((name, at?)))
    }
}

/// A question is read by an extractor, follows from several values, expects a behavior, or is only asked.
fn needs_one_form(schema: &mut schemars::Schema) {
    let forms = serde_json::json!([
        { "required": ["atlas_url", "extraction_method", "extractor", "data_points"] },
        { "required": ["atlas_url", "extraction_method", "derive"] },
        { "required": ["expected_behavior"] },
        { "required": ["question_text"] },
    ]);
    schema.insert("anyOf".to_owned(), forms);
}

const fn yes() -> bool {
    true
}

/// How an answer follows from several values.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeriveFile {
    /// The values by their names.
    pub(super) inputs: BTreeMap<String, Located<InputFile>>,
    /// What is made of them, in order; a later step may name an earlier one.
    #[schemars(length(min = 1))]
    pub(super) steps: Located<Vec<Located<StepFile>>>,
}

/// One value that an answer follows from.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct InputFile {
    /// The page that shows it; the question's own where it is left out.
    pub(super) atlas_url: Option<Located<String>>,
    /// How it is read; as the question says where it is left out.
    pub(super) extraction_method: Option<Located<Method>>,
    /// The extractor spec that reads it.
    #[schemars(length(min = 1))]
    pub(super) extractor: Located<String>,
    /// The data point.
    #[schemars(length(min = 1))]
    pub(super) data_point: Located<String>,
    /// What it is called for a person: `Netherlands`.
    pub(super) label: Option<Located<String>>,
    /// What is known of its context.
    pub(super) context: Option<Located<ContextFile>>,
}

/// What is made of several values.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StepFile {
    /// Its name: the data point of the result, and what later steps call it by.
    #[schemars(length(min = 1))]
    pub(super) name: Located<String>,
    /// What is made.
    pub(super) operation: Located<Operation>,
    /// Of which inputs or earlier steps, in this order: first and last year, exports and imports, part and whole.
    pub(super) of: Located<Vec<Located<String>>>,
    /// The result's name for a person. A step without one is on the way to another.
    pub(super) metric: Option<Located<String>>,
    /// What the result is about, beside other results of the question: `Business`.
    pub(super) label: Option<Located<String>>,
    /// The form of the result.
    pub(super) rule: Option<Located<Rule>>,
}

/// An id as it may stand in a file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a text or a whole number")]
pub(super) enum IdFile {
    /// `61`
    Integer(u64),
    /// `"61"`
    Text(#[schemars(regex(pattern = "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$"))] String),
}

impl fmt::Display for IdFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// A context as it may stand in a file: the country also as integer, the period also as one year.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ContextFile {
    /// M49 code of the country: `404`.
    pub(super) country: Option<Located<IdFile>>,
    /// M49 code or group of the trade partner.
    pub(super) partner: Option<Located<IdFile>>,
    /// Product code as printed: `0902`, `ict`.
    pub(super) product: Option<Located<String>>,
    /// Product classification.
    pub(super) classification: Option<Located<Classification>>,
    /// A year, or first and last year.
    pub(super) period: Option<Located<PeriodFile>>,
    /// Exports or imports.
    pub(super) flow: Option<Located<Flow>>,
    /// Goods, services or both.
    pub(super) scope: Option<Located<Scope>>,
    /// Current or constant prices.
    pub(super) basis: Option<Located<Basis>>,
    /// Level, share, rank, growth.
    pub(super) statistic: Option<Located<Statistic>>,
}

/// A year, or first and last year.
#[derive(Debug, JsonSchema)]
#[schemars(untagged)]
pub(super) enum PeriodFile {
    /// `2024`
    Year(i16),
    /// `{"start": 2019, "end": 2024}`
    Span(SpanFile),
}

/// First and last year.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(super) struct SpanFile {
    /// First year.
    pub(super) start: Located<i16>,
    /// Last year.
    pub(super) end: Located<i16>,
}

/// Not `untagged`, which would lose the places of both years and the names of unknown keys.
impl<'de> Deserialize<'de> for PeriodFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PeriodVisitor)
    }
}

struct PeriodVisitor;

impl<'de> Visitor<'de> for PeriodVisitor {
    type Value = PeriodFile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a year, as 2024, or {\"start\": 2019, \"end\": 2024}")
    }

    fn visit_u64<E: de::Error>(self, year: u64) -> Result<PeriodFile, E> {
        let out_of_range = |_| de::Error::invalid_value(Unexpected::Unsigned(year), &self);
        i16::try_from(year).map(PeriodFile::Year).map_err(out_of_range)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<PeriodFile, A::Error> {
        SpanFile::deserialize(MapAccessDeserializer::new(map)).map(PeriodFile::Span)
    }
}

/// How hard a question is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "lowercase")]
pub enum Difficulty {
    /// One figure that a page prints.
    Easy,
    /// A figure that needs a choice of section, product or period, or a list.
    Medium,
    /// A statement to interpret, or several parts.
    Hard,
}

atlas_gt_core::words!(Difficulty);

/// What a question asks, and what is expected of the agent, wherever its answer is read.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct QuestionInfo {
    /// The question as the agent is asked it.
    pub question_text: Option<String>,
    /// What the question is about.
    pub category: Option<String>,
    /// How hard it is.
    pub difficulty: Option<Difficulty>,
    /// Which tool the agent should answer with.
    pub expected_tool: Option<ExpectedTool>,
    /// Why that tool.
    pub expected_tool_reason: Option<String>,
    /// Which kind of query the agent should make.
    pub expected_query_type: Option<String>,
}

/// A question that is known to be right: what to read, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The question's id.
    pub question_id: QuestionId,
    /// The page that shows the answer.
    pub url: AtlasUrl,
    /// How the data points are read.
    pub method: Method,
    /// The extractor spec that reads them.
    pub extractor: String,
    /// The data points that answer the question, each once, in the file's order.
    pub data_points: Vec<String>,
    /// The queries that hold the data, by names that exist; the main one first.
    pub api_queries: Vec<String>,
    /// What it asks, and what is expected of the agent.
    pub info: QuestionInfo,
    /// Where the question comes from.
    pub source: Option<String>,
    /// The question's context; the country is the URL's where the file states none.
    pub context: Context,
    /// Whether the page is visited.
    pub visit: bool,
    /// Why its answer is to be looked at on the live page before anybody relies on it.
    pub suspect: Option<String>,
    /// Why it cannot be collected yet.
    pub planned: Option<String>,
    /// How its answer follows from several values; none where the data points are the answer.
    pub derive: Option<Derive>,
    /// The question that it is an input of, and what it is called there; none for a question of the manifest.
    pub input_of: Option<(QuestionId, String)>,
    /// What a team says of it besides.
    pub details: Details,
    /// Where the entry begins in the file.
    pub place: Place,
}

/// How an answer follows from several values.
#[derive(Debug, Clone, PartialEq)]
pub struct Derive {
    /// The values, each an entry of its own that is [an input of](Entry::input_of) the question.
    pub inputs: Vec<Entry>,
    /// What is made of them, in order.
    pub steps: Vec<Step>,
}

/// A question that is read on no page: what a right answer does or gives is said here, is imported, or is not known yet.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Behavior {
    /// The question's id.
    pub question_id: QuestionId,
    /// What it asks, and what is expected of the agent.
    #[serde(flatten)]
    pub info: QuestionInfo,
    /// What a right answer does.
    pub expected_behavior: Option<String>,
    /// Where the question comes from.
    pub source: Option<String>,
    /// The page that it is about, as it is written.
    pub atlas_url: Option<String>,
    /// The question's context, as far as it is stated.
    #[serde(skip_serializing_if = "is_empty")]
    pub context: Context,
    /// What a team says of it besides.
    #[serde(flatten)]
    pub details: Details,
}

fn is_empty(context: &Context) -> bool {
    *context == Context::default()
}

impl Behavior {
    /// What a right answer does, by the question or by its reference.
    #[must_use]
    pub fn expected(&self) -> Option<String> {
        self.expected_behavior.clone().or_else(|| self.details.reference.as_ref()?.behavior())
    }
}

impl Entry {
    /// Whether its page is visited to collect it now.
    #[must_use]
    pub const fn is_collected(&self) -> bool {
        self.visit && self.planned.is_none()
    }

    /// The question of the manifest that it answers, as a whole or as one of its inputs.
    #[must_use]
    pub fn question(&self) -> &QuestionId {
        self.input_of.as_ref().map_or(&self.question_id, |(question, _)| question)
    }

    /// What is read of pages for it: itself, or the inputs of its answer.
    #[must_use]
    pub fn readings(&self) -> &[Self] {
        self.derive.as_ref().map_or(std::slice::from_ref(self), |derive| &derive.inputs)
    }
}

/// The JSON Schema of a manifest (draft 2020-12), as published in `manifests/manifest.schema.json`.
#[must_use]
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(ManifestFile)
}

/// Keys that say how an answer is read.
pub(super) const READ_BY: [&str; 5] = ["extraction_method", "extractor", "data_points", "derive", "planned"];

/// Whether a question of a manifest may have this key.
pub(super) fn is_key(name: &str) -> bool {
    keys().any(|key| key == name)
}

/// The keys that a question of a manifest may have.
pub(super) fn keys() -> impl Iterator<Item = &'static str> {
    static SCHEMA: LazyLock<schemars::Schema> = LazyLock::new(|| schemars::schema_for!(EntryFile));
    let keys = SCHEMA.get("properties").and_then(serde_json::Value::as_object);
    keys.into_iter().flat_map(|keys| keys.keys().map(String::as_str))
}
