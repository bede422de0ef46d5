//! Which source may replace which: the page over a response to the page's query, that over our own
//! query, that over SQL, and all over a language model. The weaker never overwrites the stronger.

use super::provenance::{Channel, Provenance};
use super::record::{Record, SourceMethod};

/// How much a source is worth, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Strength {
    /// Written by a language model.
    Llm,
    /// Answered by the SQL pipeline.
    Sql,
    /// Answered to a query of our own.
    OwnApi,
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
            Self::Api => Strength::OwnApi,
        }
    }
}

/// What a record is worth: as much as its weakest value. Without provenance its method alone counts.
#[must_use]
pub fn strength(record: &Record, provenance: Option<&Provenance>) -> Strength {
    let points = provenance.into_iter().flat_map(|provenance| &provenance.points);
    points.map(|point| point.channel.strength()).fold(record.source_method.strength(), Strength::min)
}
