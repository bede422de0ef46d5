//! Rows that the country pages' API answers with. Money is in US dollars, growth and shares are fractions.

use rust_decimal::Decimal;

use super::queries::*;
use super::word::LocationLevel;
use crate::acquire::graphql::row::{Cell, Dated, Notes, as_it_is, dated, row};
use crate::atlas::{CountryId, ProductId};

pub use super::queries::all_country_product_year::DecileClassification;
pub use super::queries::all_product_year::ComplexityLevel;
pub use super::queries::country_lookback::{
    ExportValueGrowthClassification, GdppcConstantCagrRegionalDifference,
};
pub use super::queries::country_profile::{
    CoiClassification, DiversificationGrade, GrowthProjectionClassification,
    GrowthProjectionPercentileClassification, GrowthProjectionRelativeToIncome, IncomeClassification,
    MarketShareMainSectorDirection, NewProductsComments, NewProductsComplexityStatusGrowthPrediction,
    NewProductsIncomeGrowthComments, PolicyRecommendation, StructuralTransformationDirection,
    StructuralTransformationStep,
};

as_it_is!(
    LocationLevel,
    DecileClassification,
    ComplexityLevel,
    ExportValueGrowthClassification,
    GdppcConstantCagrRegionalDifference,
    CoiClassification,
    DiversificationGrade,
    GrowthProjectionClassification,
    GrowthProjectionPercentileClassification,
    GrowthProjectionRelativeToIncome,
    IncomeClassification,
    MarketShareMainSectorDirection,
    NewProductsComments,
    NewProductsComplexityStatusGrowthPrediction,
    NewProductsIncomeGrowthComments,
    PolicyRecommendation,
    StructuralTransformationDirection,
    StructuralTransformationStep,
);

dated! {
    country_profile::WholeOfYear => i64,
    country_profile::AmountOfYear => Decimal,
    country_profile::WholeOfSomeYear => i64,
    country_profile::AmountOfSomeYear => Decimal,
    country_year_range::WholeOfYear => i64,
    country_year_range::AmountOfYear => Decimal,
}

/// Goods or services.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProductKind {
    /// Goods.
    Goods,
    /// Services.
    Service,
    /// A word that the schema does not have.
    Other(String),
}

macro_rules! product_kind {
    ($($module:ident),+ $(,)?) => {
        $(impl Cell<ProductKind> for $module::ProductType {
            fn cell(self, _: &mut Notes) -> Option<ProductKind> {
                Some(match self {
                    Self::Goods => ProductKind::Goods,
                    Self::Service => ProductKind::Service,
                    Self::Other(word) => ProductKind::Other(word),
                })
            }
        })+
    };
}
product_kind!(
    country_profile,
    country_lookback,
    tree_map_products,
    all_country_product_year,
    country_product_lookback,
    all_product_year,
    new_products_country,
);

row! {
    /// A product. Sectors have codes that differ between the APIs.
    ProductRow from [
        country_profile::Item,
        country_lookback::Item,
        tree_map_products::Item,
        all_country_product_year::Item,
        country_product_lookback::Item,
        all_product_year::Item,
        new_products_country::Item,
    ] {
        id: ProductId,
        code: Option<String>,
        short_name: Option<String>,
        long_name: Option<String>,
        product_type: Option<ProductKind>,
    }
}

row! {
    /// A country or area.
    PlaceRow from [country_profile::Place, tree_map_partners::Place, new_products_comparison_countries::Place] {
        id: CountryId,
        code: String,
        short_name: String,
        long_name: String,
    }
}

row! {
    /// The newest figures of a country. `latest_eci` is of HS 2012.
    CountryProfileRow from [country_profile::Row] {
        location: Option<PlaceRow>,
        latest_population: Option<Dated<i64>>,
        latest_gdp: Option<Dated<Decimal>>,
        latest_gdp_rank: Option<Dated<i64>>,
        latest_gdp_ppp: Option<Dated<Decimal>>,
        latest_gdp_ppp_rank: Option<Dated<i64>>,
        latest_gdp_per_capita: Option<Dated<i64>>,
        latest_gdp_per_capita_rank: Option<Dated<i64>>,
        latest_gdp_per_capita_ppp: Option<Dated<i64>>,
        latest_gdp_per_capita_ppp_rank: Option<Dated<i64>>,
        income_classification: Option<IncomeClassification>,
        export_value: Option<Decimal>,
        import_value: Option<Decimal>,
        export_value_rank: Option<i64>,
        new_product_export_value: Option<Decimal>,
        new_product_export_value_per_capita: Option<i64>,
        new_products_income_growth_comments: Option<NewProductsIncomeGrowthComments>,
        new_products_comments: Option<NewProductsComments>,
        new_products_complexity_status_growth_prediction: Option<NewProductsComplexityStatusGrowthPrediction>,
        current_account: Option<Dated<Decimal>>,
        latest_eci: Option<Decimal>,
        latest_eci_rank: Option<i64>,
        eci_nat_resources_gdp_controlled: Option<Decimal>,
        latest_coi: Option<Decimal>,
        latest_coi_rank: Option<i64>,
        coi_classification: Option<CoiClassification>,
        growth_projection: Option<Decimal>,
        growth_projection_rank: Option<i64>,
        growth_projection_classification: Option<GrowthProjectionClassification>,
        growth_projection_relative_to_income: Option<GrowthProjectionRelativeToIncome>,
        growth_projection_percentile_classification: Option<GrowthProjectionPercentileClassification>,
        comparison_locations: Option<Vec<PlaceRow>>,
        diversity: Option<i64>,
        diversity_rank: Option<i64>,
        diversification_grade: Option<DiversificationGrade>,
        market_share_main_sector: Option<ProductRow>,
        market_share_main_sector_direction: Option<MarketShareMainSectorDirection>,
        market_share_main_sector_positive_growth: Option<bool>,
        structural_transformation_step: Option<StructuralTransformationStep>,
        structural_transformation_sector: Option<ProductRow>,
        structural_transformation_direction: Option<StructuralTransformationDirection>,
        policy_recommendation: Option<PolicyRecommendation>,
    }
}

row! {
    /// A country's changes over a period. A negative change of rank is a move up.
    CountryLookbackRow from [country_lookback::Row] {
        id: Option<CountryId>,
        eci_rank_change: Option<i64>,
        export_value_const_growth_cagr: Option<Decimal>,
        export_value_growth_non_oil_const_cagr: Option<Decimal>,
        largest_contributing_export_product: Option<Vec<ProductRow>>,
        eci_change: Option<Decimal>,
        diversity_rank_change: Option<i64>,
        diversity_change: Option<i64>,
        gdp_pc_constant_cagr_regional_difference: Option<GdppcConstantCagrRegionalDifference>,
        export_value_growth_classification: Option<ExportValueGrowthClassification>,
        gdp_change_constant_cagr: Option<Decimal>,
        gdp_per_capita_change_constant_cagr: Option<Decimal>,
        gdp_growth_constant: Option<Decimal>,
    }
}

row! {
    /// A country in a year.
    CountryYearRow from [country_year::Row] {
        population: Option<i64>,
        export_value: Option<Decimal>,
        import_value: Option<Decimal>,
        export_value_rank: Option<i64>,
        gdp: Option<Decimal>,
        gdp_rank: Option<i64>,
        gdp_ppp: Option<Decimal>,
        gdp_per_capita: Option<i64>,
        gdp_per_capita_ppp: Option<i64>,
        eci: Option<Decimal>,
        eci_rank: Option<i64>,
        coi: Option<Decimal>,
        coi_rank: Option<i64>,
    }
}

row! {
    /// A country over years: one quantity a year in each field.
    CountryYearRangeRow from [country_year_range::Row] {
        population: Option<Vec<Dated<i64>>>,
        export_value: Option<Vec<Dated<Decimal>>>,
        import_value: Option<Vec<Dated<Decimal>>>,
        export_value_rank: Option<Vec<Dated<i64>>>,
        gdp: Option<Vec<Dated<Decimal>>>,
        gdp_per_capita: Option<Vec<Dated<i64>>>,
        gdp_per_capita_ppp: Option<Vec<Dated<i64>>>,
        eci: Option<Vec<Dated<Decimal>>>,
        eci_rank: Option<Vec<Dated<i64>>>,
        coi: Option<Vec<Dated<Decimal>>>,
        coi_rank: Option<Vec<Dated<i64>>>,
    }
}

row! {
    /// The world, and how many countries each ranking has.
    GlobalDatumRow from [global_datum::Row] {
        gdp_change_const_cagr: Option<Decimal>,
        export_value_const_change_cagr: Option<Decimal>,
        export_value_non_oil_const_change_cagr: Option<Decimal>,
        global_export_value: Option<Decimal>,
        latest_eci_rank_total: Option<i64>,
        latest_coi_rank_total: Option<i64>,
        latest_exporter_rank_total: Option<i64>,
        latest_gdp_rank_total: Option<i64>,
        latest_gdp_ppp_per_capita_rank_total: Option<i64>,
        latest_diversity_rank_total: Option<i64>,
    }
}

row! {
    /// A cell of a treemap of products. Services and natural resources have no PCI.
    TreeMapProductRow from [tree_map_products::Row] {
        product: Option<ProductRow>,
        export_value: Option<Decimal>,
        import_value: Option<Decimal>,
        rca: Option<Decimal>,
        distance: Option<Decimal>,
        opportunity_gain: Option<Decimal>,
        pci: Option<Decimal>,
        normalized_pci: Option<Decimal>,
        normalized_distance: Option<Decimal>,
        normalized_opportunity_gain: Option<Decimal>,
        global_market_share: Option<Decimal>,
        year: Option<i16>,
    }
}

row! {
    /// A partner of a country.
    TreeMapPartnerRow from [tree_map_partners::Row] {
        location: PlaceRow,
        export_value: Option<Decimal>,
        import_value: Option<Decimal>,
        year: Option<i16>,
    }
}

impl Cell<TreeMapProductRow> for tree_map_products::TreeMapProductsData {
    fn cell(self, notes: &mut Notes) -> Option<TreeMapProductRow> {
        match self {
            Self::TreeMapProduct(row) => row.cell(notes),
            Self::TreeMapLocation => {
                notes.problem("a location among products".to_owned());
                None
            }
        }
    }
}

impl Cell<TreeMapPartnerRow> for tree_map_partners::TreeMapPartnersData {
    fn cell(self, notes: &mut Notes) -> Option<TreeMapPartnerRow> {
        match self {
            Self::TreeMapLocation(row) => row.cell(notes),
            Self::TreeMapProduct => {
                notes.problem("a product among locations".to_owned());
                None
            }
        }
    }
}

row! {
    /// Deciles of a product among a country's.
    AllCountryProductYearRow from [all_country_product_year::Row] {
        id: Option<String>,
        product: Option<ProductRow>,
        export_value: Option<Decimal>,
        import_value: Option<Decimal>,
        normalized_opportunity_gain_decile_classification: Option<DecileClassification>,
        normalized_distance_decile_classification: Option<DecileClassification>,
        normalized_pci_decile_classification: Option<DecileClassification>,
    }
}

row! {
    /// Growth of a country's exports of a product.
    CountryProductLookbackRow from [country_product_lookback::Row] {
        product: Option<ProductRow>,
        export_value_const_growth: Option<Decimal>,
        export_value_const_cagr: Option<Decimal>,
    }
}

row! {
    /// A product in the world's trade.
    AllProductYearRow from [all_product_year::Row] {
        product: Option<ProductRow>,
        pci: Option<Decimal>,
        global_export_value: Option<Decimal>,
        global_export_value_change_five_years: Option<Decimal>,
        complexity_level: Option<ComplexityLevel>,
    }
}

row! {
    /// What a country has begun to export.
    NewProductsCountryRow from [new_products_country::Row] {
        new_products: Option<Vec<ProductRow>>,
        new_product_export_value: Option<Decimal>,
        new_product_export_value_per_capita: Option<i64>,
        new_product_count: Option<i64>,
    }
}

row! {
    /// What a peer has begun to export.
    NewProductsPeerRow from [new_products_comparison_countries::Row] {
        location: Option<PlaceRow>,
        new_product_export_value: Option<Decimal>,
        new_product_export_value_per_capita: Option<i64>,
        new_product_count: Option<i64>,
    }
}

row! {
    /// A country or area with what is known about its data.
    LocationRow from [all_locations::Row] {
        id: CountryId,
        code: String,
        level: Option<LocationLevel>,
        short_name: String,
        long_name: String,
        is_in_country_pages: Option<bool>,
        is_former_country: Option<bool>,
        is_in_complexity_rankings: Option<bool>,
        is_data_trustworthy: Option<bool>,
        has_reported_services_last_year: Option<bool>,
        has_reported_services_in_any_year: Option<bool>,
    }
}
