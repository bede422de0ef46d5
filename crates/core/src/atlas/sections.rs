//! The twelve sections of a country page, in page order, with the slug that the URL takes and the
//! group of the left-hand navigation. A slug is an anchor: every one loads the same document.

use serde::{Deserialize, Serialize};
use strum::VariantArray;

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

/// A group of sections in the left-hand navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SectionGroup {
    /// Economic Structure.
    EconomicStructure,
    /// Market Dynamics.
    MarketDynamics,
    /// Strategy Space.
    StrategySpace,
    /// Growth Opportunities.
    GrowthOpportunities,
}

impl Section {
    /// All twelve, in page order.
    pub const ALL: &'static [Self] = <Self as VariantArray>::VARIANTS;

    /// The last part of the URL's path; empty for the introduction.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Introduction => "",
            Self::ExportBasket => "export-basket",
            Self::ExportComplexity => "export-complexity",
            Self::GrowthDynamics => "growth-dynamics",
            Self::MarketShare => "market-share",
            Self::NewProducts => "new-products",
            Self::ProductSpace => "product-space",
            Self::Paths => "paths",
            Self::StrategicApproach => "strategic-approach",
            Self::GrowthOpportunities => "growth-opportunities",
            Self::ProductTable => "product-table",
            Self::Summary => "summary",
        }
    }

    /// The section's name for a person.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Introduction => "Introduction",
            Self::ExportBasket => "Export Basket",
            Self::ExportComplexity => "Export Complexity",
            Self::GrowthDynamics => "Export Growth Dynamics",
            Self::MarketShare => "Growth in Global Market Share",
            Self::NewProducts => "Diversification into New Products",
            Self::ProductSpace => "What is the Product Space?",
            Self::Paths => "Country's Product Space",
            Self::StrategicApproach => "Recommended Strategic Approach",
            Self::GrowthOpportunities => "Potential Growth Opportunities",
            Self::ProductTable => "New Product Opportunities",
            Self::Summary => "Country Summary",
        }
    }

    /// The navigation group; introduction and summary stand outside.
    #[must_use]
    pub const fn group(self) -> Option<SectionGroup> {
        match self {
            Self::Introduction | Self::Summary => None,
            Self::ExportBasket | Self::ExportComplexity => Some(SectionGroup::EconomicStructure),
            Self::GrowthDynamics | Self::MarketShare | Self::NewProducts => {
                Some(SectionGroup::MarketDynamics)
            }
            Self::ProductSpace | Self::Paths | Self::StrategicApproach => Some(SectionGroup::StrategySpace),
            Self::GrowthOpportunities | Self::ProductTable => Some(SectionGroup::GrowthOpportunities),
        }
    }

    /// The section with that slug.
    #[must_use]
    pub(crate) fn from_slug(slug: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|section| section.slug() == slug)
    }
}

impl SectionGroup {
    /// The group's name in the navigation.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EconomicStructure => "Economic Structure",
            Self::MarketDynamics => "Market Dynamics",
            Self::StrategySpace => "Strategy Space",
            Self::GrowthOpportunities => "Growth Opportunities",
        }
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

    #[test]
    fn groups_have_two_three_three_and_two_sections() {
        let count = |group| Section::ALL.iter().filter(|section| section.group() == Some(group)).count();
        assert_eq!(
            [
                SectionGroup::EconomicStructure,
                SectionGroup::MarketDynamics,
                SectionGroup::StrategySpace,
                SectionGroup::GrowthOpportunities
            ]
            .map(count),
            [2, 3, 3, 2]
        );
    }
}
