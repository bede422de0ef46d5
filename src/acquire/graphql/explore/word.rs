//! Words that questions to the Explore API use.

use crate::acquire::graphql::word::words;
use crate::value::Classification;

words! {
    /// A product classification.
    ProductClass {
        /// Harmonized System 1992.
        Hs92 = "HS92",
        /// Harmonized System 2012.
        Hs12 = "HS12",
        /// Harmonized System 2022.
        Hs22 = "HS22",
        /// Standard International Trade Classification.
        Sitc = "SITC",
    }
}

words! {
    /// Which services are counted.
    ServicesClass {
        /// A country's services with the world as a whole.
        Unilateral = "unilateral",
    }
}

words! {
    /// What a group of countries has in common.
    GroupType {
        /// A continent.
        Continent = "continent",
        /// A political union.
        Political = "political",
        /// A region.
        Region = "region",
        /// Regions as the site's makers draw them.
        RockSong = "rock_song",
        /// A part of a region.
        Subregion = "subregion",
        /// A trade bloc.
        Trade = "trade",
        /// An income level of the World Bank.
        WdiIncomeLevel = "wdi_income_level",
        /// A region of the World Bank.
        WdiRegion = "wdi_region",
        /// All countries.
        World = "world",
    }
}

impl From<Classification> for ProductClass {
    fn from(class: Classification) -> Self {
        match class {
            Classification::Hs92 => Self::Hs92,
            Classification::Hs12 => Self::Hs12,
            Classification::Hs22 => Self::Hs22,
            Classification::Sitc => Self::Sitc,
        }
    }
}

impl ProductClass {
    /// The classification; `None` for one that the schema does not have.
    #[must_use]
    pub const fn classification(&self) -> Option<Classification> {
        match self {
            Self::Hs92 => Some(Classification::Hs92),
            Self::Hs12 => Some(Classification::Hs12),
            Self::Hs22 => Some(Classification::Hs22),
            Self::Sitc => Some(Classification::Sitc),
            Self::Other(_) => None,
        }
    }
}
