//! Trade between two countries.

use super::super::arguments::int;
use super::super::value::Value;
use super::{ExploreRoot, class_of, country_id};
use crate::data::{bilateral, partners};
use apollo_compiler::resolvers::ResolveInfo;

/// The ratio of reported to real values. Buyers count imports with freight.
const REPORTED: (f64, f64) = (0.97, 1.02);

fn reported(export: f64, import: f64) -> [(&'static str, Value); 2] {
    [
        ("exportValueReported", (export * REPORTED.0).round().into()),
        ("importValueReported", (import * REPORTED.1).round().into()),
    ]
}

impl ExploreRoot {
    pub(super) fn country_country_year(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let mut rows = Vec::new();
        let partner = int(info, "partnerCountryId");
        for country in self.traders(info) {
            let pairs = partners::of(&self.world, country)?;
            for year in self.years(info, class_of(info).since()) {
                let scale = self.world.scale(country, year);
                for pair in
                    pairs.iter().filter(|pair| partner.is_none_or(|m49| u32::try_from(m49) == Ok(pair.m49)))
                {
                    let (export, import) = (pair.export * scale, pair.import * scale);
                    let mut own = vec![
                        ("countryId", country_id(country.place.m49)),
                        ("partnerCountryId", country_id(pair.m49)),
                        ("year", Value::int(year)),
                        ("exportValue", export.into()),
                        ("importValue", import.into()),
                    ];
                    own.extend(reported(export, import));
                    rows.push(Value::object("CountryCountryYear", own));
                }
            }
        }
        Ok(Value::unordered(rows))
    }

    pub(super) fn country_country_product_year(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let wanted = self.wanted(info)?;
        let Some(country) = self.trader(info, "countryId") else { return Ok(Value::List(Vec::new())) };
        let partners: Vec<u32> = match int(info, "partnerCountryId").map(u32::try_from) {
            Some(Ok(partner)) => vec![partner],
            Some(Err(_)) => Vec::new(),
            None => self.world.places.iter().map(|place| place.m49).collect(),
        };
        let lines = wanted.goods();
        let mut rows = Vec::new();
        for partner in partners.into_iter().filter(|partner| *partner != country.place.m49) {
            let export = bilateral::exports(&self.world, country, partner)?;
            let import = bilateral::imports(&self.world, country, partner)?;
            for year in self.years(info, wanted.listing.class.since()) {
                let scale = self.world.scale(country, year);
                for line in &lines {
                    let (export, import) = (line.plain_sum(&export) * scale, line.plain_sum(&import) * scale);
                    let mut own = vec![
                        ("countryId", country_id(country.place.m49)),
                        ("locationLevel", "country".into()),
                        ("partnerCountryId", country_id(partner)),
                        ("partnerLevel", "country".into()),
                    ];
                    own.extend(wanted.trade(line, year, export, import));
                    own.extend(reported(export, import));
                    rows.push(Value::object("CountryCountryProductYear", own));
                }
            }
        }
        Ok(Value::unordered(rows))
    }
}
