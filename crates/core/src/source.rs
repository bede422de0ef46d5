//! Where a value comes from, and its strength: the page ranks above a response to the page's query, then our own query,
//! SQL, and a language model.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::evidence::Channel;

/// The source of a record: the seed's five methods (evaluation strategy, section 3).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum SourceMethod {
    /// Read from a country page.
    BrowserCountryPage,
    /// Read from an Explore page, in its text or in a response to its own query.
    BrowserExplorePage,
    /// Returned by a query of our own.
    GraphqlApi,
    /// Returned by the SQL pipeline.
    SqlCrossCheck,
    /// Written by a language model.
    LlmGenerated,
}

crate::words!(SourceMethod);

/// The strength of a source, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// Written by a language model.
    Llm,
    /// Returned by the SQL pipeline.
    Sql,
    /// Returned by a query of our own.
    OwnApi,
    /// Imported from a file that claims to be read from a page, without evidence.
    Imported,
    /// Returned by a query of the page itself.
    PageResponse,
    /// Displayed by the page, or read by a person from a screenshot.
    Browser,
}

impl SourceMethod {
    /// The highest strength a record of this method can have.
    #[must_use]
    pub const fn strength(self) -> Strength {
        match self {
            Self::BrowserCountryPage | Self::BrowserExplorePage => Strength::Browser,
            Self::GraphqlApi => Strength::OwnApi,
            Self::SqlCrossCheck => Strength::Sql,
            Self::LlmGenerated => Strength::Llm,
        }
    }
}

impl Channel {
    /// The strength of a value from this channel.
    #[must_use]
    pub const fn strength(self) -> Strength {
        match self {
            Self::Dom | Self::Narrative | Self::Table | Self::Label | Self::Tooltip | Self::Person => {
                Strength::Browser
            }
            Self::PageResponse => Strength::PageResponse,
            Self::Imported => Strength::Imported,
            Self::Api => Strength::OwnApi,
        }
    }
}
