//! The Explore API: plain numbers in, prefixed ids out, one class of products per query.

mod catalogues;
mod groups;
mod trade;

use super::arguments::{int, text};
use super::root::Root;
use super::value::Value;
use crate::data::World;
use crate::data::class::{self, Class};
use crate::data::country::Country;
use apollo_compiler::resolvers::ResolveInfo;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Ids and factors of a class by four-digit product.
#[derive(Debug)]
struct Table {
    ids: Vec<Option<u32>>,
    factors: Vec<f64>,
}

/// The query type of the Explore API.
pub(super) struct ExploreRoot {
    world: Arc<World>,
    tables: Arc<HashMap<Class, Table>>,
    stand_in: Option<u32>,
}

impl ExploreRoot {
    pub(super) fn new(world: Arc<World>) -> Result<Self, String> {
        let mut tables = HashMap::new();
        for class in Class::ALL {
            let ids = class::ids(&world.catalogue, class)?;
            let known = &world.globals.hs12;
            let factors =
                (0..ids.len()).map(|at| class::factor(&world.catalogue, class, at, known)).collect();
            tables.insert(class, Table { ids, factors });
        }
        Ok(Self { world, tables: Arc::new(tables), stand_in: None })
    }

    fn table(&self, class: Class) -> Result<&Table, String> {
        self.tables.get(&class).ok_or_else(|| format!("no class {}", class.name()))
    }

    /// The country of an argument; `None` when it is not given or unknown.
    fn trader(&self, info: &ResolveInfo<'_>, name: &str) -> Option<&Country> {
        let given = u32::try_from(int(info, name)?).ok()?;
        self.world.trader(self.stand_in.unwrap_or(given))
    }

    /// The countries of the argument `countryId`: one, or all when it is not given.
    fn traders(&self, info: &ResolveInfo<'_>) -> Vec<&Country> {
        match int(info, "countryId") {
            Some(_) => self.trader(info, "countryId").into_iter().collect(),
            None => self.world.traders().collect(),
        }
    }

    /// The years of the arguments that the class covers; without any, the newest.
    fn years(&self, info: &ResolveInfo<'_>, since: i32) -> RangeInclusive<i32> {
        let newest = self.world.year;
        let (first, last) = match (int(info, "yearMin"), int(info, "yearMax")) {
            (None, None) => (newest, newest),
            (first, last) => (first.unwrap_or(since), last.unwrap_or(newest)),
        };
        first.max(since)..=last.min(newest)
    }
}

/// The class of the arguments: HS 1992 when none is given.
fn class_of(info: &ResolveInfo<'_>) -> Class {
    Class::ALL
        .into_iter()
        .find(|class| text(info, "productClass") == Some(class.name()))
        .unwrap_or(Class::Hs92)
}

/// Data by country and product begin in 1995 whatever the class says.
fn since(class: Class) -> i32 {
    class.since().max(World::FIRST_YEAR)
}

fn country_id(m49: u32) -> Value {
    format!("country-{m49}").into()
}

impl Root for ExploreRoot {
    fn standing_in(&self, m49: u32) -> Box<dyn Root> {
        Box::new(Self {
            world: Arc::clone(&self.world),
            tables: Arc::clone(&self.tables),
            stand_in: Some(m49),
        })
    }

    fn field(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        match info.field_name() {
            "countryProductYear" => self.country_product_year(info),
            "countryYear" => Ok(self.country_year(info)),
            "productYear" => self.product_year(info),
            "countryCountryYear" => Ok(self.country_country_year(info)),
            "countryCountryProductYear" => self.country_country_product_year(info),
            "locationCountry" => Ok(self.location_country()),
            "locationGroup" => Ok(self.location_group(info)),
            "productHs92" => self.products(info, Class::Hs92),
            "productHs12" => self.products(info, Class::Hs12),
            "productHs22" => self.products(info, Class::Hs22),
            "productSitc" => self.products(info, Class::Sitc),
            "year" => Ok(self.year(info)),
            "dataAvailability" => Ok(self.data_availability()),
            "metadata" => Ok(self.metadata()),
            "countryYearThresholds" => self.thresholds(info),
            "groupYear" => self.group_year(info),
            "countryGroupProductYear" => self.country_group_product_year(info),
            "groupCountryProductYear" => self.group_country_product_year(info),
            "conversionPath" | "conversionSources" => Ok(self.conversion(info)),
            "dataFlags" => Ok(self.data_flags(info)),
            // Known to be empty, or not known at all.
            _ => Ok(Value::List(Vec::new())),
        }
    }
}
