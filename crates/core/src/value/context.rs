//! The context of a value: what a number has to share with another before the two may be compared.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Exports or imports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Flow {
    /// Sold abroad.
    Export,
    /// Bought abroad.
    Import,
}

/// What trade is counted.
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

/// What kind of figure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Statistic {
    /// The amount itself.
    Level,
    /// A part of a whole.
    Share,
    /// A place in a ranking.
    Rank,
    /// Places gained or lost.
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

/// Product classification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
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

/// A year, or the first and the last year of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Period {
    /// First year.
    pub start: i16,
    /// Last year; equal to `start` for a single year.
    pub end: i16,
}

/// Everything that must agree before two numbers may be compared. `None` means "not stated".
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
}

/// One part of a [`Context`], to name what differs.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
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
}

impl Period {
    /// A single year.
    #[must_use]
    pub const fn year(year: i16) -> Self {
        Self { start: year, end: year }
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.start == self.end {
            write!(f, "{}", self.start)
        } else {
            write!(f, "{}-{}", self.start, self.end)
        }
    }
}

impl Context {
    /// One part in words; empty where it is not stated.
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
        }
    }

    /// The parts that both contexts state and that differ, in a fixed order.
    #[must_use]
    pub fn differing(&self, other: &Self) -> Vec<ContextPart> {
        fn differ<T: PartialEq>(a: Option<&T>, b: Option<&T>) -> bool {
            matches!((a, b), (Some(a), Some(b)) if a != b)
        }
        let parts = [
            (ContextPart::Country, differ(self.country.as_ref(), other.country.as_ref())),
            (ContextPart::Partner, differ(self.partner.as_ref(), other.partner.as_ref())),
            (ContextPart::Product, differ(self.product.as_ref(), other.product.as_ref())),
            (
                ContextPart::Classification,
                differ(self.classification.as_ref(), other.classification.as_ref()),
            ),
            (ContextPart::Period, differ(self.period.as_ref(), other.period.as_ref())),
            (ContextPart::Flow, differ(self.flow.as_ref(), other.flow.as_ref())),
            (ContextPart::Scope, differ(self.scope.as_ref(), other.scope.as_ref())),
            (ContextPart::Basis, differ(self.basis.as_ref(), other.basis.as_ref())),
            (ContextPart::Statistic, differ(self.statistic.as_ref(), other.statistic.as_ref())),
        ];
        parts.into_iter().filter_map(|(part, differs)| differs.then_some(part)).collect()
    }
}
