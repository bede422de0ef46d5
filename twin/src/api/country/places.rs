//! Locations, and yearly figures of countries.

use super::super::arguments::{id, int, text};
use super::super::value::Value;
use super::CountryRoot;
use crate::data::World;
use crate::data::country::Country;
use crate::data::yearly::{EciOf, Year};
use apollo_compiler::resolvers::ResolveInfo;

/// The classification of the requested ECI. HS means HS 2012 here.
fn eci_of(info: &ResolveInfo<'_>) -> EciOf {
    if text(info, "eciProductClass") == Some("SITC") { EciOf::Sitc } else { EciOf::Hs12 }
}

impl CountryRoot {
    pub(super) fn location(&self, info: &ResolveInfo<'_>) -> Value {
        text(info, "id")
            .and_then(|given| id(given, "location"))
            .map_or(Value::NULL, |m49| self.objects.place(m49))
    }

    pub(super) fn all_locations(&self, info: &ResolveInfo<'_>) -> Value {
        if text(info, "level") == Some("region") {
            // Regions have no names, although the schema requires them.
            let unnamed = |field: &str| {
                Value::Error(format!("Cannot return null for non-nullable field Location.{field}."))
            };
            let regions = ["africa", "americas", "asia", "europe", "oceania"].map(|name| {
                Value::object(
                    "Location",
                    vec![
                        ("id", format!("location-{name}").into()),
                        ("code", name.into()),
                        ("level", "region".into()),
                        ("longName", unnamed("longName")),
                        ("shortName", unnamed("shortName")),
                    ],
                )
            });
            return Value::List(regions.into());
        }
        Value::List(self.world.places.iter().map(|place| self.objects.place(place.m49)).collect())
    }

    pub(super) fn country_year(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let country = self.country(info, "location")?;
        let year = self.year(info).ok_or("'NoneType' object has no attribute 'population'")?;
        Ok(self.year_object(country, year, info))
    }

    pub(super) fn all_country_year(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let Some(year) = self.year(info) else { return Ok(Value::List(Vec::new())) };
        Ok(Value::List(
            self.world.countries.iter().map(|country| self.year_object(country, year, info)).collect(),
        ))
    }

    fn year_object(&self, country: &Country, year: i32, info: &ResolveInfo<'_>) -> Value {
        let of = self.world.in_year(country, year, eci_of(info));
        Value::object(
            "CountryYear",
            vec![
                ("location", self.objects.place(country.place.m49)),
                ("population", Value::int(of.population)),
                ("exportValue", of.exports.into()),
                ("importValue", of.imports.into()),
                ("exportValueRank", Value::int(country.exports_rank as i64)),
                ("gdp", of.gdp.into()),
                ("gdpRank", Value::int(country.gdp_rank as i64)),
                ("gdpPpp", of.gdp_ppp.into()),
                ("gdpPerCapita", Value::int(of.gdp_per_capita)),
                ("gdpPerCapitaPpp", Value::int(of.gdp_per_capita_ppp)),
                // Before HS 2012 starts, the ECI is zero, not null, and there is no rank.
                ("eci", of.eci.unwrap_or(0.0).into()),
                ("eciRank", of.eci.map_or(Value::NULL, |_| Value::int(of.eci_rank))),
                ("coi", of.coi.into()),
                ("coiRank", Value::int(of.coi_rank)),
            ],
        )
    }

    pub(super) fn country_year_range(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let country = self.country(info, "location")?;
        let first = int(info, "minYear").unwrap_or(World::FIRST_YEAR).max(World::FIRST_YEAR);
        let last = int(info, "maxYear").unwrap_or(self.world.year).min(self.world.year);
        let class = eci_of(info);
        let years: Vec<(i32, Year)> =
            (first..=last).map(|year| (year, self.world.in_year(country, year, class))).collect();
        let (exports_rank, gdp_rank) = (country.exports_rank as i64, country.gdp_rank as i64);
        let ints = |pick: &dyn Fn(&Year) -> Value| {
            Value::List(
                years.iter().map(|(year, of)| Value::for_year("IntForYear", pick(of), *year)).collect(),
            )
        };
        let floats = |pick: fn(&Year) -> f64| {
            Value::List(
                years
                    .iter()
                    .map(|(year, of)| Value::for_year("FloatForYear", pick(of).into(), *year))
                    .collect(),
            )
        };
        Ok(Value::object(
            "CountryYearRange",
            vec![
                ("location", self.objects.place(country.place.m49)),
                ("population", ints(&|of| Value::int(of.population))),
                ("exportValue", floats(|of| of.exports)),
                ("importValue", floats(|of| of.imports)),
                ("exportValueRank", ints(&|_| Value::int(exports_rank))),
                ("gdp", floats(|of| of.gdp)),
                ("gdpRank", ints(&|_| Value::int(gdp_rank))),
                ("gdpPpp", floats(|of| of.gdp_ppp)),
                ("gdpPerCapita", ints(&|of| Value::int(of.gdp_per_capita))),
                ("gdpPerCapitaPpp", ints(&|of| Value::int(of.gdp_per_capita_ppp))),
                ("eci", floats(|of| of.eci.unwrap_or(0.0))),
                ("eciRank", ints(&|of| of.eci.map_or(Value::NULL, |_| Value::int(of.eci_rank)))),
                ("coi", floats(|of| of.coi)),
                ("coiRank", ints(&|of| Value::int(of.coi_rank))),
            ],
        ))
    }
}
