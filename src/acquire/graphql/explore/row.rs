//! Rows that the Explore API answers with. Money is in US dollars, growth and shares are fractions.

use rust_decimal::Decimal;

use super::queries::*;
use super::word::{GroupType, ProductClass};
use crate::acquire::graphql::row::{Cell, Notes, as_it_is, row};
use crate::atlas::{CountryId, PlaceId, ProductId};

pub use super::queries::country_product_year::ProductStatus;
pub use super::queries::location_country::IncomeLevel;
pub use super::queries::product_year::ComplexityLevel;

as_it_is!(GroupType, ProductClass, ProductStatus, IncomeLevel, ComplexityLevel);

row! {
    /// A country's trade in a product in a year. `normalized_distance` has its sign flipped; complexity
    /// figures are none for services; `normalized_pci` is not the PCI that pages show.
    CountryProductYearRow from [country_product_year::Row] {
        country_id: Option<CountryId>,
        product_id: Option<ProductId>,
        year: Option<i16>,
        export_value: Option<Decimal>,
        import_value: Option<Decimal>,
        global_market_share: Option<Decimal>,
        export_rca: Option<Decimal>,
        is_new: Option<bool>,
        product_status: Option<ProductStatus>,
        cog: Option<Decimal>,
        distance: Option<Decimal>,
        normalized_pci: Option<Decimal>,
        normalized_cog: Option<Decimal>,
        normalized_distance: Option<Decimal>,
    }
}

row! {
    /// A country in a year. `export_value` holds goods and services whatever was asked for.
    CountryYearRow from [country_year::Row] {
        country_id: Option<CountryId>,
        year: Option<i16>,
        export_value: Option<Decimal>,
        import_value: Option<Decimal>,
        population: Option<i64>,
        gdp: Option<Decimal>,
        gdppc: Option<i64>,
        gdp_ppp: Option<Decimal>,
        gdppc_ppp: Option<i64>,
        eci: Option<Decimal>,
        coi: Option<Decimal>,
        current_account: Option<Decimal>,
        growth_proj: Option<Decimal>,
    }
}

row! {
    /// A product in the world's trade in a year, with the PCI that pages show.
    ProductYearRow from [product_year::Row] {
        product_id: Option<ProductId>,
        year: Option<i16>,
        export_value: Option<Decimal>,
        import_value: Option<Decimal>,
        export_value_const_growth5: Option<Decimal>,
        import_value_const_growth5: Option<Decimal>,
        export_value_const_cagr5: Option<Decimal>,
        import_value_const_cagr5: Option<Decimal>,
        pci: Option<Decimal>,
        complexity_enum: Option<ComplexityLevel>,
    }
}

row! {
    /// A country's trade with a partner in a year.
    CountryCountryYearRow from [country_country_year::Row] {
        country_id: Option<CountryId>,
        partner_country_id: Option<CountryId>,
        year: Option<i16>,
        export_value: Option<Decimal>,
        export_value_reported: Option<Decimal>,
        import_value: Option<Decimal>,
        import_value_reported: Option<Decimal>,
    }
}

row! {
    /// A country's trade in a product with a partner in a year.
    CountryCountryProductYearRow from [country_country_product_year::Row] {
        country_id: Option<CountryId>,
        partner_country_id: Option<CountryId>,
        product_id: Option<ProductId>,
        year: Option<i16>,
        export_value: Option<Decimal>,
        import_value: Option<Decimal>,
        export_value_reported: Option<Decimal>,
        import_value_reported: Option<Decimal>,
    }
}

row! {
    /// A group of countries in a year; goods alone.
    GroupYearRow from [group_year::Row] {
        group_id: Option<PlaceId>,
        group_type: Option<GroupType>,
        year: Option<i16>,
        population: Option<Decimal>,
        gdp: Option<Decimal>,
        gdp_ppp: Option<Decimal>,
        export_value: Option<Decimal>,
        import_value: Option<Decimal>,
    }
}

row! {
    /// A country's trade in a product with a group in a year.
    CountryGroupProductYearRow from [country_group_product_year::Row] {
        country_id: Option<CountryId>,
        partner_group_id: Option<PlaceId>,
        product_id: Option<ProductId>,
        year: Option<i16>,
        export_value: Option<Decimal>,
        import_value: Option<Decimal>,
    }
}

row! {
    /// A group's trade in a product with a country in a year.
    GroupCountryProductYearRow from [group_country_product_year::Row] {
        group_id: Option<PlaceId>,
        partner_country_id: Option<CountryId>,
        product_id: Option<ProductId>,
        year: Option<i16>,
        export_value: Option<Decimal>,
        import_value: Option<Decimal>,
    }
}

row! {
    /// A country or area.
    LocationCountryRow from [location_country::Row] {
        country_id: CountryId,
        iso3_code: String,
        iso2_code: Option<String>,
        name_en: String,
        name_short_en: String,
        name_abbr_en: Option<String>,
        the_prefix: Option<bool>,
        former_country: Option<bool>,
        incomelevel_enum: Option<IncomeLevel>,
        reported_serv: Option<bool>,
        reported_serv_recent: Option<bool>,
        in_rankings: Option<bool>,
        in_cp: Option<bool>,
    }
}

row! {
    /// A group of countries.
    LocationGroupRow from [location_group::Row] {
        group_id: PlaceId,
        group_name: String,
        group_type: GroupType,
        members: Option<Vec<PlaceId>>,
        parent_id: Option<PlaceId>,
        parent_name: Option<String>,
    }
}

row! {
    /// The product that another belongs to.
    ParentRow from [product_hs92::Parent, product_hs12::Parent, product_hs22::Parent, product_sitc::Parent] {
        product_id: ProductId,
    }
}

row! {
    /// The sector that a product belongs to.
    SectorRow from [product_hs92::Sector, product_hs12::Sector, product_hs22::Sector, product_sitc::Sector] {
        product_id: ProductId,
        name_short_en: String,
    }
}

/// Goods or services.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProductKind {
    /// Goods.
    Good,
    /// Services.
    Service,
    /// A word that the schema does not have.
    Other(String),
}

macro_rules! product_kind {
    ($($module:ident),+) => {
        $(impl Cell<ProductKind> for $module::ProductType {
            fn cell(self, _: &mut Notes) -> Option<ProductKind> {
                Some(match self {
                    Self::Good => ProductKind::Good,
                    Self::Service => ProductKind::Service,
                    Self::Other(word) => ProductKind::Other(word),
                })
            }
        })+
    };
}
product_kind!(product_hs92, product_hs12, product_hs22, product_sitc);

row! {
    /// A product of a classification.
    ProductRow from [product_hs92::Row, product_hs12::Row, product_hs22::Row, product_sitc::Row] {
        product_id: ProductId,
        product_level: i64,
        parent: Option<ParentRow>,
        top_parent: Option<SectorRow>,
        code: String,
        product_type: Option<ProductKind>,
        name_en: String,
        name_short_en: String,
        is_shown: Option<bool>,
        show_feasibility: Option<bool>,
        natural_resource: Option<bool>,
        green_product: Option<bool>,
    }
}

row! {
    /// A year with its deflator to constant dollars.
    YearRow from [year::Row] {
        year: Option<i16>,
        deflator: Option<Decimal>,
    }
}

row! {
    /// The years that a classification has.
    DataAvailabilityRow from [data_availability::Row] {
        product_classification: Option<ProductClass>,
        year_min: Option<i16>,
        year_max: Option<i16>,
    }
}

row! {
    /// How a variable spreads over the products of a country in a year.
    CountryYearThresholdsRow from [country_year_thresholds::Row] {
        country_id: Option<CountryId>,
        year: Option<i16>,
        variable: Option<String>,
        mean: Option<Decimal>,
        median: Option<Decimal>,
        min: Option<Decimal>,
        max: Option<Decimal>,
        std: Option<Decimal>,
        percentile10: Option<Decimal>,
        percentile20: Option<Decimal>,
        percentile25: Option<Decimal>,
        percentile30: Option<Decimal>,
        percentile40: Option<Decimal>,
        percentile50: Option<Decimal>,
        percentile60: Option<Decimal>,
        percentile70: Option<Decimal>,
        percentile75: Option<Decimal>,
        percentile80: Option<Decimal>,
        percentile90: Option<Decimal>,
    }
}

row! {
    /// Which data the server holds.
    MetadataRow from [metadata::Row] {
        server_name: Option<String>,
        ingestion_commit: Option<String>,
        ingestion_date: Option<String>,
        api_commit: Option<String>,
    }
}
