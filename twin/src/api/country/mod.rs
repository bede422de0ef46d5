//! The API behind the country pages: prefixed ids in and out, with the quirks of the real server.

mod objects;
mod places;
mod products;
mod profile;
mod trade;

use super::arguments::{id, int, text};
use super::root::Root;
use super::value::Value;
use crate::data::World;
use crate::data::country::Country;
use apollo_compiler::resolvers::ResolveInfo;
use objects::Objects;
use std::sync::Arc;

/// The error for a country without a page.
const NOT_SUPPORTED: &str = "Not a supported country.";

/// The query type of the country API.
pub(super) struct CountryRoot {
    world: Arc<World>,
    objects: Arc<Objects>,
    stand_in: Option<u32>,
}

impl CountryRoot {
    pub(super) fn new(world: Arc<World>) -> Self {
        Self { objects: Arc::new(Objects::new(&world)), world, stand_in: None }
    }

    /// The country named by the id argument.
    fn country(&self, info: &ResolveInfo<'_>, argument: &str) -> Result<&Country, String> {
        let given = text(info, argument).unwrap_or_default();
        id(given, "location")
            .and_then(|m49| self.world.country(self.stand_in.unwrap_or(m49)))
            .ok_or_else(|| NOT_SUPPORTED.to_owned())
    }

    /// The year argument, if the data cover it.
    fn year(&self, info: &ResolveInfo<'_>) -> Option<i32> {
        let year = int(info, "year").unwrap_or(self.world.year);
        (World::FIRST_YEAR..=self.world.year).contains(&year).then_some(year)
    }
}

/// Rejects a class other than HS in a query that supports only HS.
fn only_hs(info: &ResolveInfo<'_>) -> Result<(), String> {
    match text(info, "productClass") {
        Some("SITC") => Err("Product class must be one of HS.".to_owned()),
        _ => Ok(()),
    }
}

/// The years of a look-back argument. The field's own argument takes precedence over the common one.
fn years(info: &ResolveInfo<'_>, own: &str) -> Option<i32> {
    match text(info, own).or_else(|| text(info, "yearRange")) {
        Some("ThreeYears") => Some(3),
        Some("FiveYears") => Some(5),
        Some("TenYears") => Some(10),
        Some("FifteenYears") => Some(15),
        _ => None,
    }
}

impl Root for CountryRoot {
    fn standing_in(&self, m49: u32) -> Box<dyn Root> {
        Box::new(Self {
            world: Arc::clone(&self.world),
            objects: Arc::clone(&self.objects),
            stand_in: Some(m49),
        })
    }

    fn field(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        match info.field_name() {
            "countryProfile" => Ok(self.profile(self.country(info, "location")?)),
            "allCountryProfiles" => Ok(self.all_profiles()),
            "countryYear" => self.country_year(info),
            "allCountryYear" => self.all_country_year(info),
            "countryYearRange" => self.country_year_range(info),
            "allCountryYearRange" => Err("'hs_coi'".to_owned()),
            "countryLookback" => Ok(self.lookback(self.country(info, "id")?, info)),
            "globalDatum" => Ok(self.global_datum(info)),
            "treeMap" => self.tree_map(info),
            "allCountryProductYear" => self.all_country_product_year(info),
            "countryProductLookback" => self.country_product_lookback(info),
            "productSpace" => self.product_space(info),
            "newProductsCountry" => self.new_products_country(info),
            "newProductsComparisonCountries" => self.comparison(info),
            "product" => Ok(self.product(info)),
            "allProducts" => self.all_products(info),
            "productYear" => self.product_year(info),
            "allProductYear" => self.all_product_year(info),
            "productYearRange" => {
                Err("free variable 'model' referenced before assignment in enclosing scope".to_owned())
            }
            "allProductYearRange" => Err(
                "resolve_all_product_year_range() missing 1 required positional argument: 'product_level'"
                    .to_owned(),
            ),
            "location" => Ok(self.location(info)),
            "allLocations" => Ok(self.all_locations(info)),
            "group" => Err("'NoneType' object has no attribute 'group'".to_owned()),
            "allGroups" => {
                Err("module 'api.models.classification' has no attribute 'LocationGroup'".to_owned())
            }
            "manyCountryProductYear" => {
                Err("free variable 'model' referenced before assignment in enclosing scope".to_owned())
            }
            other => Err(format!("no resolver for {other}")),
        }
    }
}
