//! Where a value comes from, and how much that is worth: the page over a response to the page's query, over our own query, over
//! SQL, over a language model.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::evidence::Channel;

/// Where a record comes from: the seed's five (evaluation strategy, section 3).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum SourceMethod {
    /// Read on a country page.
    BrowserCountryPage,
    /// Read on an Explore page, from its text or a response to the page's own query.
    BrowserExplorePage,
    /// Answered to a query of our own.
    GraphqlApi,
    /// Answered by the SQL pipeline.
    SqlCrossCheck,
    /// Written by a language model.
    LlmGenerated,
}

crate::words!(SourceMethod);

/// How much a source is worth, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// Written by a language model.
    Llm,
    /// Answered by the SQL pipeline.
    Sql,
    /// Answered to a query of our own.
    OwnApi,
    /// Imported from a file that says it was read on a page, without evidence.
    Imported,
    /// Answered to a query of the page itself.
    PageResponse,
    /// Displayed by the page, or seen by a person on a picture of it.
    Browser,
}

impl SourceMethod {
    /// The most that a record of this method can be worth.
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
    /// What a value of this channel is worth.
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
