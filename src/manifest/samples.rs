//! A catalog of data points for the tests of this room.

use super::{Method, PointCatalog};

/// The data points of the country pages as the list of data points classifies them.
pub(super) struct Points;

const DRAWN: [&str; 4] = ["chart_eci", "product_export", "product_pci", "top_products"];
const PROSE: [&str; 21] = [
    "income_classification",
    "population",
    "gdp_per_capita_growth_5y",
    "gdp_growth_vs_region",
    "eci_rank_change_decade",
    "complexity_trend_driver",
    "complexity_vs_income",
    "growth_projection_speed",
    "growth_projection_percentile",
    "export_growth_5y",
    "non_oil_export_growth_5y",
    "total_imports",
    "trade_balance",
    "sectors_by_complexity",
    "export_growth_pattern",
    "growth_driving_products",
    "structural_transformation",
    "market_share_growth_sector",
    "export_growth_mechanism",
    "strategic_approach_description",
    "high_potential_sectors",
];
const CARDS: [&str; 32] = [
    "gdp_per_capita",
    "gdp_per_capita_ppp",
    "gdp_per_capita_rank",
    "eci_rank",
    "growth_projection",
    "growth_projection_rank",
    "total_exports",
    "exporter_rank",
    "current_account",
    "top_export_destinations",
    "top_import_origins",
    "eci_rank_complexity",
    "eci_rank_change_10y",
    "market_share_sector",
    "global_trade_share",
    "diversification_grade",
    "diversity_rank",
    "diversity_rank_change_15y",
    "new_products_count",
    "new_products_per_capita",
    "new_products_value",
    "new_export_proportion",
    "new_products_peers",
    "rca_products",
    "coi_rank",
    "strategic_approach",
    "growth_opportunities_strategy",
    "product_table",
    "summary_rank_change",
    "summary_new_products",
    "summary_growth_projection",
    "summary_strategic_approach",
];

impl PointCatalog for Points {
    fn extractors(&self) -> Vec<&str> {
        vec!["country_profile", "treemap_verify"]
    }

    fn points(&self, extractor: &str) -> Vec<&str> {
        match extractor {
            "country_profile" => [&DRAWN[..], &PROSE, &CARDS].concat(),
            "treemap_verify" => vec!["top_products", "export_values"],
            _ => Vec::new(),
        }
    }

    fn method(&self, extractor: &str, point: &str) -> Option<Method> {
        if !self.points(extractor).contains(&point) {
            None
        } else if extractor == "treemap_verify" || DRAWN.contains(&point) {
            Some(Method::ApiPreferred)
        } else if PROSE.contains(&point) {
            Some(Method::Narrative)
        } else {
            Some(Method::Dom)
        }
    }
}
