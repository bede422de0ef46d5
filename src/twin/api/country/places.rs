//! Locations, and the figures of countries by year.

use super::super::arguments::{id, int, text};
use super::super::value::Value;
use super::CountryRoot;
use crate::twin::data::World;
use crate::twin::data::country::Country;
use crate::twin::data::noise;
use apollo_compiler::resolvers::ResolveInfo;

/// Figures of one country in one year; `None` where the data begin later.
struct Year {
    population: Value,
    exports: f64,
    imports: f64,
    exports_rank: usize,
    gdp: f64,
    gdp_rank: usize,
    gdp_ppp: f64,
    gdp_per_capita: i64,
    gdp_per_capita_ppp: i64,
    eci: f64,
    eci_rank: Option<i64>,
    coi: f64,
    coi_rank: i64,
}

impl CountryRoot {
    pub(super) fn location(&self, info: &ResolveInfo<'_>) -> Value {
        text(info, "id").and_then(|given| id(given, "location")).map_or(Value::NULL, |m49| self.objects.place(m49))
    }

    pub(super) fn all_locations(&self, info: &ResolveInfo<'_>) -> Value {
        if text(info, "level") == Some("region") {
            // Regions have no names, which the schema does not allow.
            let unnamed = |field: &str| Value::Error(format!("Cannot return null for non-nullable field Location.{field}."));
            let regions = ["africa", "americas", "asia", "europe", "oceania"].map(|name| {
                Value::object("Location", vec![
                    ("id", format!("location-{name}").into()),
                    ("code", name.into()),
                    ("level", "region".into()),
                    ("longName", unnamed("longName")),
                    ("shortName", unnamed("shortName")),
                ])
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
        Ok(Value::List(self.world.countries.iter().map(|country| self.year_object(country, year, info)).collect()))
    }

    fn year_object(&self, country: &Country, year: i32, info: &ResolveInfo<'_>) -> Value {
        let of = self.in_year(country, year, text(info, "eciProductClass") == Some("SITC"));
        Value::object("CountryYear", vec![
            ("location", self.objects.place(country.place.m49)),
            ("population", of.population),
            ("exportValue", of.exports.into()),
            ("importValue", of.imports.into()),
            ("exportValueRank", Value::int(of.exports_rank as i64)),
            ("gdp", of.gdp.into()),
            ("gdpRank", Value::int(of.gdp_rank as i64)),
            ("gdpPpp", of.gdp_ppp.into()),
            ("gdpPerCapita", Value::int(of.gdp_per_capita)),
            ("gdpPerCapitaPpp", Value::int(of.gdp_per_capita_ppp)),
            ("eci", of.eci.into()),
            ("eciRank", of.eci_rank.map_or(Value::NULL, Value::int)),
            ("coi", of.coi.into()),
            ("coiRank", Value::int(of.coi_rank)),
        ])
    }

    pub(super) fn country_year_range(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let country = self.country(info, "location")?;
        let first = int(info, "minYear").unwrap_or(World::FIRST_YEAR).max(World::FIRST_YEAR);
        let last = int(info, "maxYear").unwrap_or(self.world.year).min(self.world.year);
        let sitc = text(info, "eciProductClass") == Some("SITC");
        let years: Vec<(i32, Year)> = (first..=last).map(|year| (year, self.in_year(country, year, sitc))).collect();
        let ints = |pick: fn(&Year) -> Value| {
            Value::List(years.iter().map(|(year, of)| Value::for_year("IntForYear", pick(of), *year)).collect())
        };
        let floats = |pick: fn(&Year) -> f64| {
            Value::List(years.iter().map(|(year, of)| Value::for_year("FloatForYear", pick(of).into(), *year)).collect())
        };
        Ok(Value::object("CountryYearRange", vec![
            ("location", self.objects.place(country.place.m49)),
            ("population", ints(|of| of.population.clone())),
            ("exportValue", floats(|of| of.exports)),
            ("importValue", floats(|of| of.imports)),
            ("exportValueRank", ints(|of| Value::int(of.exports_rank as i64))),
            ("gdp", floats(|of| of.gdp)),
            ("gdpRank", ints(|of| Value::int(of.gdp_rank as i64))),
            ("gdpPpp", floats(|of| of.gdp_ppp)),
            ("gdpPerCapita", ints(|of| Value::int(of.gdp_per_capita))),
            ("gdpPerCapitaPpp", ints(|of| Value::int(of.gdp_per_capita_ppp))),
            ("eci", floats(|of| of.eci)),
            ("eciRank", ints(|of| of.eci_rank.map_or(Value::NULL, Value::int))),
            ("coi", floats(|of| of.coi)),
            ("coiRank", ints(|of| Value::int(of.coi_rank))),
        ]))
    }

    /// The newest year is exact; earlier ones go back along the country's growth and rank changes.
    fn in_year(&self, country: &Country, year: i32, sitc: bool) -> Year {
        let world = &self.world;
        let back = world.year - year;
        let newest = back == 0;
        let wobble = |what: &str, size: f64| {
            if newest { 0.0 } else { size * noise::bell(what, &[country.key(), u64::from(year.unsigned_abs())]) }
        };
        let growth = country.growth_per_capita_5 + 0.02;
        let income = (-growth * f64::from(back) + wobble("income", 0.04)).exp();
        let people = (country.population as f64 * 1.012_f64.powi(-back)).round();
        let total = world.globals.eci_ranked as i64;
        let rank_back = |now: usize, change_10: i64| {
            let then = now as i64 - change_10 * i64::from(back) / 10;
            let wobble = if back % 5 == 0 { 0 } else { wobble("rank", 1.2).round() as i64 };
            (then + wobble).clamp(1, total)
        };
        let eci = if sitc { country.eci_sitc } else { country.eci };
        let eci = eci + 0.02 * (country.eci_rank_change_10 * i64::from(back)) as f64 / 10.0 + wobble("eci", 0.02);
        let gdp = if newest { country.gdp_per_capita as f64 } else { (country.gdp_per_capita as f64 * income).round() };
        let ppp = if newest { country.gdp_per_capita_ppp as f64 } else { (country.gdp_per_capita_ppp as f64 * income).round() };
        // HS 2012 data begin in 2012; before that the field is zero, not null, and there is no rank.
        let covered = sitc || year >= 2012;
        let exports = world.exports_in(country, year);
        Year {
            population: Value::int(people as i64),
            exports,
            imports: country.imports * exports / country.exports,
            exports_rank: country.exports_rank,
            gdp: gdp * people,
            gdp_rank: country.gdp_rank,
            gdp_ppp: ppp * people,
            gdp_per_capita: gdp as i64,
            gdp_per_capita_ppp: ppp as i64,
            eci: if covered { eci } else { 0.0 },
            eci_rank: covered.then(|| rank_back(country.eci_rank, country.eci_rank_change_10)),
            coi: country.coi + wobble("coi year", 0.03),
            coi_rank: rank_back(country.coi_rank, 0),
        }
    }
}
