//! The context of a value: what two numbers must share to be comparable.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// Exports or imports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Flow {
    /// Sold abroad.
    Export,
    /// Bought abroad.
    Import,
}

/// Which trade is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Goods only.
    Goods,
    /// Services only.
    Services,
    /// Goods and services.
    GoodsAndServices,
}

/// Current or constant prices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// Prices of the year itself.
    Current,
    /// Prices of one base year.
    Constant,
}

/// The kind of figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Statistic {
    /// The amount itself.
    Level,
    /// A part of a whole.
    Share,
    /// A position in a ranking.
    Rank,
    /// Positions gained or lost.
    RankChange,
    /// The difference between two years, in the unit of the value.
    Change,
    /// Growth over the whole period.
    TotalGrowth,
    /// Compound annual growth rate.
    Cagr,
    /// A projection of future annual growth.
    Projection,
}

/// The whole that a share is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Base {
    /// The country's own trade.
    OwnTrade,
    /// World trade.
    WorldTrade,
    /// Gross domestic product.
    Gdp,
}

/// The divisor of an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Per {
    /// Per inhabitant.
    Person,
    /// Per year of a period.
    Year,
}

/// Whether a figure is observed or projected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tense {
    /// For a year in the data.
    Observed,
    /// For future years.
    Projected,
}

/// Product classification.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "UPPERCASE")]
pub enum Classification {
    /// Harmonized System 1992.
    Hs92,
    /// Harmonized System 2012.
    Hs12,
    /// Harmonized System 2022.
    Hs22,
    /// Standard International Trade Classification.
    Sitc,
}

crate::words!(Classification);

/// A year, or the first and last year of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Period {
    /// First year.
    pub start: i16,
    /// Last year; equal to `start` for a single year.
    pub end: i16,
}

/// The context of a number. Two numbers are comparable only if their contexts agree. `None` means "not stated".
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Context {
    /// M49 code of the country, without padding: `404`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// M49 code or group id of the trade partner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partner: Option<String>,
    /// Product code as printed: `0902`, `ict`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product: Option<String>,
    /// Product classification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classification: Option<Classification>,
    /// Year or period.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<Period>,
    /// Exports or imports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flow: Option<Flow>,
    /// Goods, services or both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// Current or constant prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basis: Option<Basis>,
    /// Level, share, rank, growth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistic: Option<Statistic>,
    /// What a share is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<Base>,
    /// What an amount is divided by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per: Option<Per>,
    /// Observed or expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tense: Option<Tense>,
    /// The group of countries that the figure is of, or ranked in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The position in a list, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<u32>,
}

/// A part of a [`Context`], to name differences.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum ContextPart {
    /// The country.
    Country,
    /// The trade partner.
    Partner,
    /// The product.
    Product,
    /// The classification.
    Classification,
    /// The year or period.
    Period,
    /// Export or import.
    Flow,
    /// Goods, services or both.
    Scope,
    /// Current or constant prices.
    Basis,
    /// Level, share, rank, growth.
    Statistic,
    /// What a share is of.
    Base,
    /// What an amount is divided by.
    Per,
    /// Observed or expected.
    Tense,
    /// The group of countries.
    Group,
    /// The position in a list.
    Position,
}

impl ContextPart {
    /// All parts, in the order of comparison.
    pub const ALL: &'static [Self] = <Self as VariantArray>::VARIANTS;
}

impl Period {
    /// The first year of a period without one: `until 2024`.
    pub const OPEN_START: i16 = i16::MIN;
    /// The last year of a period without one: `since 2009`.
    pub const OPEN_END: i16 = i16::MAX;

    /// A single year.
    #[must_use]
    pub const fn year(year: i16) -> Self {
        Self { start: year, end: year }
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.start, self.end) {
            (start, end) if start == end => write!(f, "{start}"),
            (Self::OPEN_START, end) => write!(f, "until {end}"),
            (start, Self::OPEN_END) => write!(f, "since {start}"),
            (start, end) => write!(f, "{start}-{end}"),
        }
    }
}

impl Context {
    /// One part as text; empty if not stated.
    #[must_use]
    pub fn part(&self, part: ContextPart) -> String {
        fn word<T: Serialize>(value: Option<&T>) -> String {
            match value.and_then(|value| serde_json::to_value(value).ok()) {
                Some(serde_json::Value::String(word)) => word.replace('_', " "),
                _ => String::new(),
            }
        }
        match part {
            ContextPart::Country => self.country.clone().unwrap_or_default(),
            ContextPart::Partner => self.partner.clone().unwrap_or_default(),
            ContextPart::Product => self.product.clone().unwrap_or_default(),
            ContextPart::Classification => word(self.classification.as_ref()),
            ContextPart::Period => self.period.map_or_else(String::new, |period| period.to_string()),
            ContextPart::Flow => word(self.flow.as_ref()),
            ContextPart::Scope => word(self.scope.as_ref()),
            ContextPart::Basis => word(self.basis.as_ref()),
            ContextPart::Statistic => word(self.statistic.as_ref()),
            ContextPart::Base => word(self.base.as_ref()),
            ContextPart::Per => word(self.per.as_ref()),
            ContextPart::Tense => word(self.tense.as_ref()),
            ContextPart::Group => self.group.clone().unwrap_or_default(),
            ContextPart::Position => self.position.map_or_else(String::new, |position| position.to_string()),
        }
    }

    /// The parts that both contexts state differently, in a fixed order.
    #[must_use]
    pub fn differing(&self, other: &Self) -> Vec<ContextPart> {
        fn differ<T: PartialEq>(a: &Option<T>, b: &Option<T>) -> bool {
            a.is_some() && b.is_some() && a != b
        }
        let parts = [
            (ContextPart::Country, differ(&self.country, &other.country)),
            (ContextPart::Partner, differ(&self.partner, &other.partner)),
            (ContextPart::Product, differ(&self.product, &other.product)),
            (ContextPart::Classification, differ(&self.classification, &other.classification)),
            (ContextPart::Period, differ(&self.period, &other.period)),
            (ContextPart::Flow, differ(&self.flow, &other.flow)),
            (ContextPart::Scope, differ(&self.scope, &other.scope)),
            (ContextPart::Basis, differ(&self.basis, &other.basis)),
            (ContextPart::Statistic, differ(&self.statistic, &other.statistic)),
            (ContextPart::Base, differ(&self.base, &other.base)),
            (ContextPart::Per, differ(&self.per, &other.per)),
            (ContextPart::Tense, differ(&self.tense, &other.tense)),
            (ContextPart::Group, differ(&self.group, &other.group)),
            (ContextPart::Position, differ(&self.position, &other.position)),
        ];
        parts.into_iter().filter_map(|(part, differs)| differs.then_some(part)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_that_both_state_and_that_differs_is_named() {
        let context = |text: &str| serde_json::from_str::<Context>(text).unwrap();
        let a = context(
            r#"{"country":"404","partner":"840","product":"0902","classification":"HS92","period":{"start":2024,"end":2024},"flow":"export",
            "scope":"goods","basis":"current","statistic":"share","base":"own_trade","per":"person","tense":"observed","group":"asean","position":1}"#,
        );
        let b = context(
            r#"{"country":"800","partner":"156","product":"0901","classification":"HS12","period":{"start":2023,"end":2023},"flow":"import",
            "scope":"services","basis":"constant","statistic":"level","base":"world_trade","per":"year","tense":"projected","group":"eu","position":2}"#,
        );
        let parts = a.differing(&b);
        assert_eq!(parts.len(), 14, "{parts:?}");
        for part in parts {
            assert!(!a.part(part).is_empty() && a.part(part) != b.part(part), "{part:?}");
        }
        assert_eq!(a.differing(&Context::default()), [], "what one side does not state does not differ");
    }
}
