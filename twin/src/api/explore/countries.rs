//! Yearly figures of countries, and the site's flags about their data.

use super::super::value::Value;
use super::{ExploreRoot, class_of, country_id};
use crate::data::World;
use crate::data::class::Class;
use crate::data::country::Country;
use crate::data::yearly::EciOf;
use apollo_compiler::resolvers::ResolveInfo;

impl ExploreRoot {
    pub(super) fn country_year(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let (class, since) = match class_of(info) {
            Class::Hs92 => (EciOf::Hs92, World::FIRST_YEAR),
            Class::Sitc => (EciOf::Sitc, Class::Sitc.since()),
            Class::Hs12 | Class::Hs22 => (EciOf::Hs12, World::FIRST_YEAR),
        };
        let mut rows = Vec::new();
        for country in self.traders(info) {
            for year in self.years(info, since) {
                let of = self.world.in_year(country, year, class);
                let newest = year == self.world.year;
                let level = 1.0 / self.world.deflator(year);
                let account = country.current_account * of.exports / country.exports;
                rows.push(Value::object(
                    "CountryYear",
                    vec![
                        ("countryId", country_id(country.place.m49)),
                        ("year", Value::int(year)),
                        ("exportValue", of.exports.into()),
                        ("importValue", of.imports.into()),
                        ("population", Value::int(of.population)),
                        ("gdp", of.gdp.into()),
                        ("gdppc", Value::int(of.gdp_per_capita)),
                        ("gdpPpp", of.gdp_ppp.into()),
                        ("gdppcPpp", Value::int(of.gdp_per_capita_ppp)),
                        ("gdpConst", (of.gdp * level).into()),
                        ("gdpPppConst", (of.gdp_ppp * level).into()),
                        ("gdppcConst", (of.gdp_per_capita as f64 * level).into()),
                        ("gdppcPppConst", (of.gdp_per_capita_ppp as f64 * level).into()),
                        ("eci", of.eci.into()),
                        ("eciFixed", of.eci.map(|eci| eci * 0.98).into()),
                        ("coi", of.coi.into()),
                        ("currentAccount", if newest { country.current_account } else { account }.into()),
                        // There is one projection, from the newest year on.
                        ("growthProj", newest.then_some(country.projection).into()),
                    ],
                ));
            }
        }
        Ok(Value::List(rows))
    }

    /// The population of a country in a year.
    pub(super) fn population(&self, country: &Country, year: i32) -> f64 {
        self.world.in_year(country, year, EciOf::Hs92).population as f64
    }

    /// The total population in a year. All populations grow alike.
    pub(super) fn people(&self, year: i32) -> f64 {
        let newest: i64 = self.world.traders().map(|country| country.population).sum();
        newest as f64 * World::people_scale(self.world.year - year)
    }

    pub(super) fn data_flags(&self, info: &ResolveInfo<'_>) -> Value {
        const YEARS: i32 = 3;
        let row = |country: &Country| {
            let page = country.place.has_page();
            let newest = self.world.year;
            let exports = (newest - YEARS + 1..=newest).map(|year| self.world.exports_in(country, year));
            let average = exports.sum::<f64>() / f64::from(YEARS);
            Value::object(
                "DataFlags",
                vec![
                    ("countryId", country_id(country.place.m49)),
                    ("formerCountry", false.into()),
                    ("countryProject", false.into()),
                    ("rankingsOverride", false.into()),
                    ("cpOverride", false.into()),
                    ("year", true.into()),
                    ("minPopulation", (country.population > 1_000_000).into()),
                    ("population", Value::int(country.population)),
                    ("minAvgExport", (average > 1e9).into()),
                    ("avgExport3", average.into()),
                    ("complexityCurrentYearCoverage", page.into()),
                    ("complexityLookbackYearsCoverage", page.into()),
                    ("imfAnyCoverage", (country.gdp_per_capita > 0).into()),
                    ("imfCurrentYearsCoverage", page.into()),
                    ("imfLookbackYearsCoverage", page.into()),
                    ("rankingsEligible", page.into()),
                    ("countryProfilesEligible", page.into()),
                    ("inRankings", page.into()),
                    ("inCp", page.into()),
                    ("inMv", true.into()),
                ],
            )
        };
        Value::List(self.traders(info).into_iter().map(row).collect())
    }
}
