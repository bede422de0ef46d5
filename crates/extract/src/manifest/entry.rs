//! The manifest file (the seed's format with additions) and its JSON Schema, and a checked entry, as the program
//! uses it.

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
    /// Only the questions.
    List(Located<Vec<Located<EntryFile>>>),
    /// The questions with a description.
    Object(ManifestObject),
}

impl ManifestFile {
    /// The questions of a document. Problems go to the report.
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

/// The questions with a description.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ManifestObject {
    /// The address of the JSON Schema, for editors.
    #[serde(rename = "$schema")]
    #[expect(dead_code, reason = "for editors")]
    pub(super) schema: Option<Located<String>>,
    /// A description of the questions.
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
    /// The page that shows the answer: a full URL of the Atlas, or path and query. Omitted if there is an
    /// `expected_behavior`. For a question that no extractor reads, the page that the question is about.
    pub(super) atlas_url: Option<Located<String>>,
    /// How the data points are read. `dom` also allows narrative points.
    pub(super) extraction_method: Option<Located<Method>>,
    /// The extractor spec that reads them.
    #[schemars(length(min = 1))]
    pub(super) extractor: Option<Located<String>>,
    /// The data points that answer the question.
    #[schemars(length(min = 1))]
    pub(super) data_points: Option<Located<Vec<Located<String>>>>,
    /// How the answer is derived from several values, instead of `extractor` and `data_points`.
    pub(super) derive: Option<Located<DeriveFile>>,
    /// What a right answer does if no page shows one: declines, says what is missing, or answers otherwise.
    #[schemars(length(min = 1))]
    pub(super) expected_behavior: Option<Located<String>>,
    /// The GraphQL query that holds the data, for drawn values.
    pub(super) api_query: Option<Located<String>>,
    /// The question's text, as the agent gets it.
    pub(super) question_text: Option<Located<String>>,
    /// The category.
    pub(super) category: Option<Located<String>>,
    /// The category's name, if `category` is its id.
    pub(super) category_name: Option<Located<String>>,
    /// How hard it is.
    pub(super) difficulty: Option<Located<Difficulty>>,
    /// Tags for selecting questions.
    pub(super) tags: Option<Located<Vec<Located<String>>>>,
    /// The persona that asks.
    pub(super) persona: Option<Located<String>>,
    /// Remarks.
    pub(super) notes: Option<Located<String>>,
    /// The paper that the question comes from.
    pub(super) source_paper: Option<Located<String>>,
    /// The classification of products that the agent should use.
    pub(super) expected_classification: Option<Located<String>>,
    /// The API that the agent should ask.
    pub(super) expected_api_target: Option<Located<String>>,
    /// The right answer according to another source.
    pub(super) reference: Option<Located<Reference>>,
    /// The reason for page, extractor, data points and context, if this program proposed them.
    pub(super) proposed: Option<Located<String>>,
    /// What is missing before the answer can be read from a page.
    pub(super) lacks: Option<Located<String>>,
    /// Where the question comes from: `atlas_country_page`, `atlas_explore_page`, a data set's name.
    pub(super) source: Option<Located<String>>,
    /// The tool that the agent should use.
    pub(super) expected_tool: Option<Located<ExpectedTool>>,
    /// Why that tool.
    pub(super) expected_tool_reason: Option<Located<String>>,
    /// The kind of query that the agent should make.
    pub(super) expected_query_type: Option<Located<String>>,
    /// The value's context: what another value must share to be comparable.
    pub(super) context: Option<Located<ContextFile>>,
    /// Whether the page is visited: `false` keeps the question without collecting it.
    #[schemars(with = "bool", default = "yes")]
    pub(super) visit: Option<Located<bool>>,
    /// Why the answer must be checked on the live page before anyone relies on it.
    #[schemars(length(min = 1))]
    pub(super) suspect: Option<Located<String>>,
    /// Why it cannot be collected yet. It is counted but not visited.
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
    /// The places of the keys that say how its answer is read. A question without any of them is asked and judged,
    /// but never collected.
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

/// A question is read by an extractor, is derived from several values, expects a behavior, or is only asked.
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

/// How an answer is derived from several values.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeriveFile {
    /// The input values, by name.
    pub(super) inputs: BTreeMap<String, Located<InputFile>>,
    /// The steps, in order. A step may use an earlier one.
    #[schemars(length(min = 1))]
    pub(super) steps: Located<Vec<Located<StepFile>>>,
}

/// An input value of a derived answer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct InputFile {
    /// The page that shows it; the question's page if omitted.
    pub(super) atlas_url: Option<Located<String>>,
    /// How it is read; the question's method if omitted.
    pub(super) extraction_method: Option<Located<Method>>,
    /// The extractor spec that reads it.
    #[schemars(length(min = 1))]
    pub(super) extractor: Located<String>,
    /// The data point.
    #[schemars(length(min = 1))]
    pub(super) data_point: Located<String>,
    /// Its display name: `Netherlands`.
    pub(super) label: Option<Located<String>>,
    /// Its context.
    pub(super) context: Option<Located<ContextFile>>,
}

/// A step of a derivation.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StepFile {
    /// Its name: the data point of the result, also used by later steps.
    #[schemars(length(min = 1))]
    pub(super) name: Located<String>,
    /// The operation.
    pub(super) operation: Located<Operation>,
    /// Its operands, inputs or earlier steps, in this order: first and last year, exports and imports, part and whole.
    pub(super) of: Located<Vec<Located<String>>>,
    /// The result's display name. A step without one is intermediate.
    pub(super) metric: Option<Located<String>>,
    /// What distinguishes the result from other results of the question: `Business`.
    pub(super) label: Option<Located<String>>,
    /// The form of the result.
    pub(super) rule: Option<Located<Rule>>,
}

/// An id as written in a file.
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

/// A context as written in a file. The country may be an integer, the period one year.
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

/// What a question asks, and what is expected of the agent, wherever the answer comes from.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct QuestionInfo {
    /// The question's text, as the agent gets it.
    pub question_text: Option<String>,
    /// The category.
    pub category: Option<String>,
    /// How hard it is.
    pub difficulty: Option<Difficulty>,
    /// The tool that the agent should use.
    pub expected_tool: Option<ExpectedTool>,
    /// Why that tool.
    pub expected_tool_reason: Option<String>,
    /// The kind of query that the agent should make.
    pub expected_query_type: Option<String>,
}

/// A checked question: what to read, and where.
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
    /// The queries that hold the data, by their real names, the main one first.
    pub api_queries: Vec<String>,
    /// What it asks, and what is expected of the agent.
    pub info: QuestionInfo,
    /// Where the question comes from.
    pub source: Option<String>,
    /// The question's context. If the file states no country, it is the URL's.
    pub context: Context,
    /// Whether the page is visited.
    pub visit: bool,
    /// Why the answer must be checked on the live page before anyone relies on it.
    pub suspect: Option<String>,
    /// Why it cannot be collected yet.
    pub planned: Option<String>,
    /// How its answer is derived from several values; none if the data points are the answer.
    pub derive: Option<Derive>,
    /// The question that it is an input of, and its label there; none for a question of the manifest.
    pub input_of: Option<(QuestionId, String)>,
    /// Further details from the team.
    pub details: Details,
    /// Where the entry begins in the file.
    pub place: Place,
}

/// How an answer is derived from several values.
#[derive(Debug, Clone, PartialEq)]
pub struct Derive {
    /// The input values, each an entry that is [an input of](Entry::input_of) the question.
    pub inputs: Vec<Entry>,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// A question that is not read from a page. Its expected answer is stated here, imported, or still unknown.
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
    /// The page that it is about, as written.
    pub atlas_url: Option<String>,
    /// The question's context, as stated.
    #[serde(skip_serializing_if = "is_empty")]
    pub context: Context,
    /// Further details from the team.
    #[serde(flatten)]
    pub details: Details,
}

fn is_empty(context: &Context) -> bool {
    *context == Context::default()
}

impl Behavior {
    /// What a right answer does, according to the question or its reference.
    #[must_use]
    pub fn expected(&self) -> Option<String> {
        self.expected_behavior.clone().or_else(|| self.details.reference.as_ref()?.behavior())
    }
}

impl Entry {
    /// Whether it is collected now.
    #[must_use]
    pub const fn is_collected(&self) -> bool {
        self.visit && self.planned.is_none()
    }

    /// The question of the manifest that it answers, in whole or as an input.
    #[must_use]
    pub fn question(&self) -> &QuestionId {
        self.input_of.as_ref().map_or(&self.question_id, |(question, _)| question)
    }

    /// The readings that it needs: itself, or the inputs of its answer.
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
