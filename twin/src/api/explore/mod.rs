//! The Explore API: plain numbers in, prefixed ids out, one product class per query.

mod catalogues;
mod conversions;
mod countries;
mod figures;
mod groups;
mod pairs;
mod products;
mod thresholds;
mod trade;

use super::arguments::{int, text};
use super::root::Root;
use super::value::Value;
use crate::data::World;
use crate::data::class::Class;
use crate::data::country::Country;
use crate::data::line::Line;
use crate::data::listing::Listing;
use apollo_compiler::resolvers::ResolveInfo;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The query type of the Explore API.
pub(super) struct ExploreRoot {
    world: Arc<World>,
    listings: Arc<HashMap<Class, Listing>>,
    stand_in: Option<u32>,
}

impl ExploreRoot {
    pub(super) fn new(world: Arc<World>) -> Result<Self, String> {
        let mut listings = HashMap::new();
        for &class in Class::ALL {
            listings.insert(class, Listing::read(&world.catalogue, class, &world.globals.hs12)?);
        }
        Ok(Self { world, listings: Arc::new(listings), stand_in: None })
    }

    fn listing(&self, class: Class) -> Result<&Listing, String> {
        self.listings.get(&class).ok_or_else(|| format!("no class {}", class.name()))
    }

    /// The requested products.
    fn wanted(&self, info: &ResolveInfo<'_>) -> Result<Wanted<'_>, String> {
        Ok(Wanted {
            listing: self.listing(class_of(info))?,
            level: int(info, "productLevel").unwrap_or(4),
            product: int(info, "productId"),
            services: text(info, "servicesClass") == Some("unilateral"),
        })
    }

    /// The country of an argument; `None` if missing or unknown.
    fn trader(&self, info: &ResolveInfo<'_>, name: &str) -> Option<&Country> {
        let given = u32::try_from(int(info, name)?).ok()?;
        self.world.trader(self.stand_in.unwrap_or(given))
    }

    /// The countries of the argument `countryId`: one, or all if it is missing.
    fn traders(&self, info: &ResolveInfo<'_>) -> Vec<&Country> {
        match int(info, "countryId") {
            Some(_) => self.trader(info, "countryId").into_iter().collect(),
            None => self.world.traders().collect(),
        }
    }

    /// The requested years that the class covers; the newest by default.
    fn years(&self, info: &ResolveInfo<'_>, since: i32) -> RangeInclusive<i32> {
        let newest = self.world.year;
        let (first, last) = match (int(info, "yearMin"), int(info, "yearMax")) {
            (None, None) => (newest, newest),
            (first, last) => (first.unwrap_or(since), last.unwrap_or(newest)),
        };
        first.max(since)..=last.min(newest)
    }
}

/// The requested class; HS 1992 by default.
fn class_of(info: &ResolveInfo<'_>) -> Class {
    text(info, "productClass").and_then(|name| name.parse().ok()).unwrap_or(Class::Hs92)
}

/// The requested products: class, level, one product or all, with or without services.
struct Wanted<'a> {
    listing: &'a Listing,
    level: i32,
    product: Option<i32>,
    services: bool,
}

impl<'a> Wanted<'a> {
    /// The products, with their index on the level. Services are included only if their class is requested.
    fn lines(&self) -> Vec<(usize, &'a Line)> {
        let asked = |line: &Line| match self.product {
            Some(product) => u32::try_from(product) == Ok(line.id),
            None => self.services || !line.service,
        };
        let lines = self.listing.level(self.level).iter().enumerate();
        lines.filter(|(_, line)| !line.parts.is_empty() && asked(line)).collect()
    }

    /// The products without services, which have no partners.
    fn goods(&self) -> Vec<&'a Line> {
        self.lines().into_iter().map(|(_, line)| line).filter(|line| !line.service).collect()
    }

    /// The fields of a trade row for a product and year.
    fn trade(&self, line: &Line, year: i32, export: f64, import: f64) -> [(&'static str, Value); 5] {
        [
            ("productId", self.id(line)),
            ("productLevel", Value::int(self.level)),
            ("year", Value::int(year)),
            ("exportValue", export.into()),
            ("importValue", import.into()),
        ]
    }

    fn id(&self, line: &Line) -> Value {
        product_id(self.listing.class, line)
    }
}

fn product_id(class: Class, line: &Line) -> Value {
    format!("product-{}-{}", class.name(), line.id).into()
}

fn country_id(m49: u32) -> Value {
    format!("country-{m49}").into()
}

impl Root for ExploreRoot {
    fn standing_in(&self, m49: u32) -> Box<dyn Root> {
        Box::new(Self {
            world: Arc::clone(&self.world),
            listings: Arc::clone(&self.listings),
            stand_in: Some(m49),
        })
    }

    fn field(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        match info.field_name() {
            "countryProductYear" => self.country_product_year(info),
            "countryYear" => self.country_year(info),
            "productYear" => self.product_year(info),
            "countryCountryYear" => self.country_country_year(info),
            "countryCountryProductYear" => self.country_country_product_year(info),
            "locationCountry" => Ok(self.location_country()),
            "locationGroup" => self.location_group(info),
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
            "conversionPath" => self.conversion_path(info),
            "conversionSources" => self.conversion_sources(info),
            "dataFlags" => Ok(self.data_flags(info)),
            // Known to be empty on the real site, or unknown.
            _ => Ok(Value::List(Vec::new())),
        }
    }
}
