//! The twelve sections of a country page, in page order, with their URL slugs. A slug is only an anchor: each loads the
//! same document.

use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::words;

/// A section of a country page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "kebab-case")]
pub enum Section {
    /// The first section; its URL has no slug.
    Introduction,
    /// Export Basket.
    ExportBasket,
    /// Export Complexity.
    ExportComplexity,
    /// Export Growth Dynamics.
    GrowthDynamics,
    /// Growth in Global Market Share.
    MarketShare,
    /// Diversification into New Products.
    NewProducts,
    /// What is the Product Space?
    ProductSpace,
    /// Country's Product Space.
    Paths,
    /// Recommended Strategic Approach.
    StrategicApproach,
    /// Potential Growth Opportunities.
    GrowthOpportunities,
    /// New Product Opportunities.
    ProductTable,
    /// Country Summary.
    Summary,
}

impl Section {
    /// All twelve, in page order.
    pub const ALL: &'static [Self] = <Self as VariantArray>::VARIANTS;

    /// The last part of the URL's path; empty for the introduction.
    #[must_use]
    pub fn slug(self) -> &'static str {
        match self {
            Self::Introduction => "",
            other => words::name(&other),
        }
    }

    /// The section with that slug.
    #[must_use]
    pub(crate) fn from_slug(slug: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|section| section.slug() == slug)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_lead_back_to_their_section() {
        for &section in Section::ALL {
            assert_eq!(Section::from_slug(section.slug()), Some(section));
        }
        assert_eq!(Section::from_slug("Summary"), None);
    }

    #[test]
    fn page_order_is_the_order_of_the_variants() {
        assert!(Section::ALL.is_sorted());
    }
}
