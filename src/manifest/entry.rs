//! The manifest as it stands in the file (the seed's format and what was added to it), with its JSON
//! Schema, and an entry as the program uses it once it is known to be right.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::method::Method;
use super::question_id::QuestionId;
use super::tree::Place;
use crate::atlas::AtlasUrl;
use crate::value::{Basis, Classification, Context, Flow, Scope, Statistic};

/// A manifest: a list of questions, or an object with `questions`.
#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(title = "atlas-gt manifest")]
#[expect(dead_code, reason = "the form of the file, for its schema; it is read field by field, with places")]
pub(super) enum ManifestFile {
    /// The questions alone.
    List(Vec<EntryFile>),
    /// The questions with a word about them.
    Object(ManifestObject),
}

/// The questions with a word about them.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the form of the file, for its schema; it is read field by field, with places")]
pub(super) struct ManifestObject {
    /// Where the JSON Schema is, for editors.
    #[serde(rename = "$schema")]
    pub(super) schema: Option<String>,
    /// What these questions are.
    pub(super) description: Option<String>,
    /// The questions.
    pub(super) questions: Vec<EntryFile>,
}

/// One question and where its answer is read.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the form of the file, for its schema; it is read field by field, with places")]
pub(super) struct EntryFile {
    /// The question's id, as string or integer: letters, digits, `_`, `.` and `-`.
    pub(super) question_id: IdFile,
    /// The page that shows the answer: a full URL of the Atlas, or path and query.
    pub(super) atlas_url: String,
    /// How the data points are read. `dom` admits narrative points.
    pub(super) extraction_method: Method,
    /// The extractor spec that reads them.
    #[schemars(length(min = 1))]
    pub(super) extractor: String,
    /// The data points that answer the question.
    #[schemars(length(min = 1))]
    pub(super) data_points: Vec<String>,
    /// The GraphQL query that holds the data, for drawn values.
    pub(super) api_query: Option<String>,
    /// The question as the agent is asked it.
    pub(super) question_text: Option<String>,
    /// What the question is about.
    pub(super) category: Option<String>,
    /// How hard it is.
    pub(super) difficulty: Option<Difficulty>,
    /// Where the question comes from: `atlas_country_page`, `atlas_explore_page`, a data set's name.
    pub(super) source: Option<String>,
    /// Which tool the agent should answer with.
    pub(super) expected_tool: Option<ExpectedTool>,
    /// Which kind of query the agent should make.
    pub(super) expected_query_type: Option<String>,
    /// What the value must share with another to be compared with it.
    pub(super) context: Option<ContextFile>,
    /// Whether the page is visited: `false` keeps the question without collecting it.
    #[schemars(default = "yes")]
    pub(super) visit: bool,
    /// Why it cannot be collected yet; it is counted and not visited.
    #[schemars(length(min = 1))]
    pub(super) planned: Option<String>,
}

const fn yes() -> bool {
    true
}

/// An id as it may stand in a file.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "the form of the file, for its schema; it is read field by field, with places")]
pub(super) enum IdFile {
    /// `61`
    Integer(u64),
    /// `"61"`
    Text(#[schemars(regex(pattern = "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$"))] String),
}

/// A context as it may stand in a file: the country also as integer, the period also as one year.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the form of the file, for its schema; it is read field by field, with places")]
pub(super) struct ContextFile {
    /// M49 code of the country: `404`.
    pub(super) country: Option<IdFile>,
    /// M49 code or group of the trade partner.
    pub(super) partner: Option<IdFile>,
    /// Product code as printed: `0902`, `ict`.
    pub(super) product: Option<String>,
    /// Product classification.
    pub(super) classification: Option<Classification>,
    /// A year, or first and last year.
    pub(super) period: Option<PeriodFile>,
    /// Exports or imports.
    pub(super) flow: Option<Flow>,
    /// Goods, services or both.
    pub(super) scope: Option<Scope>,
    /// Current or constant prices.
    pub(super) basis: Option<Basis>,
    /// Level, share, rank, growth.
    pub(super) statistic: Option<Statistic>,
}

/// A year, or first and last year.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "the form of the file, for its schema; it is read field by field, with places")]
pub(super) enum PeriodFile {
    /// `2024`
    Year(i16),
    /// `{"start": 2019, "end": 2024}`
    #[serde(rename_all = "lowercase")]
    Span {
        /// First year.
        start: i16,
        /// Last year.
        end: i16,
    },
}

/// How hard a question is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Difficulty {
    /// One figure that a page prints.
    Easy,
    /// A figure that needs a choice of section, product or period, or a list.
    Medium,
    /// A statement to interpret, or several parts.
    Hard,
}

/// Which tool the agent should answer with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = any_is_either)]
pub enum ExpectedTool {
    /// The GraphQL tool and not SQL.
    GraphqlOnly,
    /// The SQL tool and not GraphQL.
    SqlOnly,
    /// GraphQL; SQL is acceptable.
    GraphqlPreferred,
    /// Any data tool.
    #[serde(alias = "any")]
    Either,
    /// Both tools.
    Both,
    /// None: the agent should say that it cannot answer.
    Refusal,
}

/// Tells the schema of `any`, the other word for `either`.
fn any_is_either(schema: &mut schemars::Schema) {
    if let Some(Json::Array(words)) = schema.get_mut("oneOf") {
        words.push(serde_json::json!({
            "description": "The same as `either`.", "type": "string", "const": "any"
        }));
    }
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
    /// The question as the agent is asked it.
    pub question_text: Option<String>,
    /// What the question is about.
    pub category: Option<String>,
    /// How hard it is.
    pub difficulty: Option<Difficulty>,
    /// Where the question comes from.
    pub source: Option<String>,
    /// Which tool the agent should answer with.
    pub expected_tool: Option<ExpectedTool>,
    /// Which kind of query the agent should make.
    pub expected_query_type: Option<String>,
    /// The question's context; the country is the URL's where the file states none.
    pub context: Context,
    /// Whether the page is visited.
    pub visit: bool,
    /// Why it cannot be collected yet.
    pub planned: Option<String>,
    /// Where the entry begins in the file.
    pub place: Place,
}

impl Entry {
    /// Whether its page is visited to collect it now.
    #[must_use]
    pub const fn is_collected(&self) -> bool {
        self.visit && self.planned.is_none()
    }
}

/// The JSON Schema of a manifest (draft 2020-12), ending in a line break.
#[must_use]
pub fn schema() -> String {
    let schema = schemars::schema_for!(ManifestFile);
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

/// The keys that an object of the file may have, by its schema.
pub(super) fn keys<T: JsonSchema>() -> Vec<String> {
    let schema = schemars::schema_for!(T);
    let properties = schema.get("properties").and_then(Json::as_object);
    properties.into_iter().flatten().map(|(key, _)| key.clone()).collect()
}

/// The words that an enumeration of the file has, by its schema.
pub(super) fn words<T: JsonSchema>() -> Vec<String> {
    let schema = schemars::schema_for!(T);
    let list = |key: &str| schema.get(key).and_then(Json::as_array).into_iter().flatten();
    let described =
        list("oneOf").flat_map(|one| [one.get("const"), one.get("enum").and_then(|all| all.get(0))]);
    list("enum").map(Some).chain(described).flatten().filter_map(Json::as_str).map(str::to_owned).collect()
}
