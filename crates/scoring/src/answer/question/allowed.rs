//! Decides which context phrases an answer may use for a data point although the question does not contain them.

use super::asked::Asked;
use crate::language::lexicon::{Tag, listed};
use crate::value::{Basis, Classification, Scope, Statistic, Unit};

impl Asked<'_> {
    /// Whether a context phrase fits the data point.
    pub(crate) fn allows(&self, tag: Tag) -> bool {
        let (kind, value) = tag;
        self.tags.contains(&tag)
            || match kind {
                "metric" => self.allows_measure(value),
                "modifier" => match value {
                    "per_person" => self.has("metric", "gdp_per_capita"),
                    "growth" => self.is_change(),
                    _ => false,
                },
                "flow" => self.allows_flow(value),
                "scope" => self.allows_scope(value),
                "basis" => self.allows_basis(value),
                "statistic" => self.allows_statistic(value),
                "classification" => self
                    .context
                    .classification
                    .is_some_and(|own| serde_json::to_value(own).is_ok_and(|own| own == value)),
                "group" if value == "world" => self.has("metric", "world_trade") && self.country.is_none(),
                "group" => {
                    value.ends_with("_income") && self.text().is_some_and(|text| text.contains("income"))
                }
                // `new products earn Kenya $260 million`
                "thing" => value == "income" && (self.number().is_none() || self.allows_measure("trade")),
                "part" => self.allows_part(value),
                // The Atlas shows no value of a six-digit product.
                "level" => !self.asks("level") && value != "six_digit",
                "direction" => true,
                _ => false,
            }
    }

    /// Whether the question states something of a kind.
    fn asks(&self, kind: &str) -> bool {
        self.tags.iter().any(|(own, _)| *own == kind)
    }

    fn allows_measure(&self, value: &str) -> bool {
        match value {
            "trade" | "trade_balance" if self.is_balance() => true,
            "trade" => self.tags.iter().any(|(kind, own)| *kind == "metric" && listed("of_trade", own)),
            "world_trade" => self.country.is_none() || self.has("metric", "market_share"),
            "market_share" => self.has("metric", "world_trade"),
            "gdp_per_capita" => self.has("modifier", "per_person") && self.has("metric", "total_gdp"),
            "population" => self.has("modifier", "per_person"),
            "projection" => self.context.statistic == Some(Statistic::Projection),
            "pci" => self.knows("complex"),
            _ => false,
        }
    }

    fn allows_flow(&self, value: &str) -> bool {
        match value {
            _ if self.is_balance() => true,
            "import" => !self.asks("flow") && (!self.asks("metric") || self.has("metric", "trade")),
            _ => !self.asks("flow"),
        }
    }

    fn allows_scope(&self, value: &str) -> bool {
        // An exported service is an export of services. A share of services has another base.
        if value == "services" && self.is_of_services() && self.context.statistic != Some(Statistic::Share) {
            return true;
        }
        match self.context.scope {
            Some(Scope::Goods) => value == "goods",
            Some(Scope::Services) => value == "services",
            Some(Scope::GoodsAndServices) => value == "goods_and_services",
            None if self.asks("scope") => false,
            None => value == "goods_and_services" || value == "goods" && !self.products.is_empty(),
        }
    }

    /// Whether all requested products are services.
    fn is_of_services(&self) -> bool {
        !self.products.is_empty() && self.products.iter().all(|code| listed("service_code", code))
    }

    fn allows_basis(&self, value: &str) -> bool {
        let is_constant = self.context.basis == Some(Basis::Constant);
        match value {
            "current" => !is_constant && !self.has("basis", "constant") && !self.has("modifier", "ppp"),
            _ => is_constant,
        }
    }

    fn allows_statistic(&self, value: &str) -> bool {
        let is_yearly = matches!(self.context.statistic, Some(Statistic::Cagr | Statistic::Projection));
        match value {
            "cagr" => self.number().is_none_or(|number| is_yearly && number.unit == Unit::Percent),
            "change" => self.is_change(),
            "total_growth" => !is_yearly && !self.has("statistic", "cagr"),
            "share" => {
                let is_part = |unit: Unit| matches!(unit, Unit::Percent | Unit::PercentagePoints);
                self.number().is_some_and(|number| is_part(number.unit))
                    && (self.has("statistic", "share") || self.knows("share"))
            }
            _ => false,
        }
    }

    fn allows_part(&self, value: &str) -> bool {
        match value {
            "negative" => {
                self.number().is_none_or(|number| number.number.is_sign_negative()) || self.is_change()
            }
            "hs" => self.context.classification != Some(Classification::Sitc),
            "whole" => self.products.is_empty() && !self.terms.iter().any(|term| term.0 == "sector"),
            "sum" => self.rows == 1,
            // `the cumulative change over the ten years`
            "cumulative" => self.is_change() && self.allows_statistic("total_growth"),
            "all_partners" => self.partner.is_none(),
            "single_year" => self.context.period.is_none_or(|own| own.start == own.end),
            // `the region's exports`, if the question is about a group of countries.
            "region_itself" => self.country.is_none() && self.asks("group"),
            "region_whole" => self.country.is_none() && self.asks("group") || self.has("part", "regional"),
            "combined" => {
                self.knows("together")
                    || self.knows("total")
                    || self.asks("group")
                    || self.context.scope == Some(Scope::GoodsAndServices) && self.products.is_empty()
            }
            _ => false,
        }
    }
}
