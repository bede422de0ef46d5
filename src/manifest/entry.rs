//! The manifest as it stands in the file (the seed's format and what was added to it), with its JSON
//! Schema, and an entry as the program uses it once it is known to be right.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::catalog::Method;
use super::question_id::QuestionId;
use super::tree::Place;
use crate::atlas::AtlasUrl;
use crate::value::Context;

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
    pub(super) classification: Option<ClassificationWord>,
    /// A year, or first and last year.
    pub(super) period: Option<PeriodFile>,
    /// Exports or imports.
    pub(super) flow: Option<FlowWord>,
    /// Goods, services or both.
    pub(super) scope: Option<ScopeWord>,
    /// Current or constant prices.
    pub(super) basis: Option<BasisWord>,
    /// Level, share, rank, growth.
    pub(super) statistic: Option<StatisticWord>,
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

/// The words of an enumeration of the `value` room, for the schema; a test holds them to it.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident: $($variant:ident = $word:literal),+;)+) => {$(
        $(#[$doc])*
        #[derive(JsonSchema)]
        #[expect(dead_code, reason = "the words are documented where they are defined, and only named here")]
        pub(super) enum $name { $(#[serde(rename = $word)] $variant),+ }
        impl $name {
            /// All words.
            pub(super) const WORDS: &'static [&'static str] = &[$($word),+];
        }
    )+};
}

words! {
    /// Words of [`crate::value::Classification`].
    ClassificationWord: Hs92 = "HS92", Hs12 = "HS12", Hs22 = "HS22", Sitc = "SITC";
    /// Words of [`crate::value::Flow`].
    FlowWord: Export = "export", Import = "import";
    /// Words of [`crate::value::Scope`].
    ScopeWord: Goods = "goods", Services = "services", Both = "goods_and_services";
    /// Words of [`crate::value::Basis`].
    BasisWord: Current = "current", Constant = "constant";
    /// Words of [`crate::value::Statistic`].
    StatisticWord: Level = "level", Share = "share", Rank = "rank", RankChange = "rank_change",
        TotalGrowth = "total_growth", Cagr = "cagr", Projection = "projection";
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
    if let Some(serde_json::Value::Array(words)) = schema.get_mut("oneOf") {
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
