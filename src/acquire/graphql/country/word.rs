//! Words that questions to the country pages' API use.

use crate::acquire::graphql::ask::Level;
use crate::acquire::graphql::error::ApiError;
use crate::acquire::graphql::word::words;
use crate::atlas::classification_name;
use crate::value::Classification;

words! {
    /// A product classification.
    ProductClass {
        /// Harmonized System 1992.
        Hs = "HS",
        /// Standard International Trade Classification.
        Sitc = "SITC",
    }
}

words! {
    /// How finely products are told apart.
    ProductLevel {
        /// Eleven sectors.
        Section = "section",
        /// Two digits.
        TwoDigit = "twoDigit",
        /// Four digits.
        FourDigit = "fourDigit",
    }
}

words! {
    /// A period of changes.
    LookBackYearRange {
        /// Three years.
        ThreeYears = "ThreeYears",
        /// Five years.
        FiveYears = "FiveYears",
        /// Ten years.
        TenYears = "TenYears",
        /// Fifteen years.
        FifteenYears = "FifteenYears",
    }
}

words! {
    /// What a location is.
    LocationLevel {
        /// A country or area.
        Country = "country",
        /// A region, which has no names.
        Region = "region",
    }
}

impl ProductClass {
    /// As this API names the classification.
    ///
    /// # Errors
    /// It has HS 1992 and SITC only.
    pub fn of(class: Classification) -> Result<Self, ApiError> {
        match class {
            Classification::Hs92 => Ok(Self::Hs),
            Classification::Sitc => Ok(Self::Sitc),
            other => Err(ApiError::Question(format!(
                "the country pages' API has HS92 and SITC, not {}",
                classification_name(other)
            ))),
        }
    }
}

impl ProductLevel {
    /// As this API names the level.
    ///
    /// # Errors
    /// It has no six digits.
    pub fn of(level: Level) -> Result<Self, ApiError> {
        match level {
            Level::Section => Ok(Self::Section),
            Level::TwoDigit => Ok(Self::TwoDigit),
            Level::FourDigit => Ok(Self::FourDigit),
            Level::SixDigit => {
                Err(ApiError::Question("the country pages' API has no products of six digits".to_owned()))
            }
        }
    }
}
