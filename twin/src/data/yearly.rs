//! Yearly figures of countries. The newest year is exact; earlier ones follow growth and rank changes back.

use super::World;
use super::country::Country;
use super::noise;
use super::ranking::along;
use std::collections::BTreeMap;

/// The classification that an ECI is based on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EciOf {
    Hs92,
    Hs12,
    Sitc,
}

/// Figures of a country in a year.
#[derive(Debug, Clone)]
pub(crate) struct Year {
    pub population: i64,
    pub exports: f64,
    pub imports: f64,
    pub gdp: f64,
    pub gdp_ppp: f64,
    pub gdp_per_capita: i64,
    pub gdp_per_capita_ppp: i64,
    /// `None` before the classification starts.
    pub eci: Option<f64>,
    pub eci_rank: i64,
    pub coi: f64,
    pub coi_rank: i64,
}

impl World {
    /// A country's figures in a year.
    pub(crate) fn in_year(&self, country: &Country, year: i32, class: EciOf) -> Year {
        let back = self.year - year;
        let newest = back == 0;
        let wobble = |what: &str, size: f64| {
            if newest {
                0.0
            } else {
                size * noise::bell(what, &[country.key(), u64::from(year.unsigned_abs())])
            }
        };
        let growth = country.growth_per_capita_5 + 0.02;
        let income = if newest { 1.0 } else { (-growth * f64::from(back) + wobble("income", 0.04)).exp() };
        let people = (country.population as f64 * Self::people_scale(back)).round();
        let total = self.globals.eci_ranked as i64;
        let rank_back = |now: usize, change_10: i64| {
            let then = now as i64 - change_10 * i64::from(back) / 10;
            let wobble = if back % 5 == 0 { 0 } else { wobble("rank", 1.2).round() as i64 };
            (then + wobble).clamp(1, total)
        };
        let gdp = (country.gdp_per_capita as f64 * income).round();
        let ppp = (country.gdp_per_capita_ppp as f64 * income).round();
        let exports = self.exports_in(country, year);
        Year {
            population: people as i64,
            exports,
            imports: country.imports * exports / country.exports,
            gdp: gdp * people,
            gdp_ppp: ppp * people,
            gdp_per_capita: gdp as i64,
            gdp_per_capita_ppp: ppp as i64,
            eci: self.eci_in(country, year, class),
            eci_rank: rank_back(country.eci_rank, country.eci_rank_change_10),
            coi: country.coi + wobble("coi year", 0.03),
            coi_rank: rank_back(country.coi_rank, 0),
        }
    }

    /// The population of an earlier year, relative to the newest.
    pub(crate) fn people_scale(back: i32) -> f64 {
        1.012_f64.powi(-back)
    }

    fn eci_in(&self, country: &Country, year: i32, class: EciOf) -> Option<f64> {
        let index = |year: i32| usize::try_from(year).unwrap_or(0);
        let decade = 0.02 * country.eci_rank_change_10 as f64;
        let shift = 0.07 * noise::bell("hs92", &[country.key()]);
        let newest = match class {
            EciOf::Hs92 => country.known.eci_hs92.unwrap_or(country.eci + shift),
            EciOf::Hs12 => country.eci,
            EciOf::Sitc => country.eci_sitc,
        };
        if class == EciOf::Hs12 && year < 2012 {
            return None;
        }
        let mut anchors = BTreeMap::from([(index(self.year), newest)]);
        if class == EciOf::Hs92 {
            let known = country.known.eci_hs92_by_year.iter();
            anchors.extend(known.filter_map(|(year, eci)| Some((year.parse::<usize>().ok()?, *eci))));
        }
        let exact = anchors.contains_key(&index(year));
        anchors.entry(index(Self::FIRST_YEAR)).or_insert(newest + decade * 2.9);
        let wobble = 0.02 * noise::bell("eci", &[country.key(), u64::from(year.unsigned_abs())]);
        Some(along(&anchors, index(year)) + if exact { 0.0 } else { wobble })
    }
}
