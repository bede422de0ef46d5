//! The whole world, read once. A country's economy is computed on first use.

use super::catalogue::Catalogue;
use super::country::{self, Country};
use super::facts::{self, Facts, Revision};
use super::flows::{Flows, Partner, Totals};
use super::group::{self, Group};
use super::kept::{Cache, cached};
use super::noise;
use super::place::{self, Place};
use super::ranking::along_log;
use super::space::{self, Complexity};
use super::trade::{self, Basket};
use super::vintage;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock};

/// Figures of the whole world.
#[derive(Debug, Deserialize)]
pub(crate) struct Globals {
    pub export_value: f64,
    pub eci_ranked: usize,
    pub ppp_ranked: usize,
    pub gdp_growth: f64,
    pub export_growth: f64,
    pub non_oil_export_growth: f64,
    growth_5: HashMap<String, f64>,
    /// Known world exports by product in HS 2012.
    pub hs12: HashMap<String, f64>,
    frontier: HashMap<String, usize>,
    pub remainder: Remainder,
}

/// Products with known world exports, and the places that sell the remainder.
#[derive(Debug, Deserialize)]
pub(crate) struct Remainder {
    pub products: Vec<String>,
    pub places: Vec<u32>,
}

/// The computed data of a country.
#[derive(Debug)]
pub(crate) struct Economy {
    pub basket: Basket,
    pub complexity: Complexity,
}

/// The world.
pub(crate) struct World {
    /// The newest year of the data.
    pub year: i32,
    /// Date of the data's ingestion.
    pub ingested: String,
    pub globals: Globals,
    pub places: Vec<Place>,
    pub groups: Vec<Group>,
    pub catalogue: Catalogue,
    pub countries: Vec<Country>,
    /// Places without a page. They trade, but are in no ranking.
    pub others: Vec<Country>,
    pub edges: Vec<Vec<(usize, f64)>>,
    economies: Vec<OnceLock<Economy>>,
    exports: Cache<(u32, i32), Vec<f64>>,
    pub(super) totals: Cache<i32, Totals>,
    pub(super) taken: OnceLock<HashMap<u32, Vec<(usize, f64)>>>,
    pub(super) partners: Cache<u32, Vec<Partner>>,
    pub(super) group_trade: Cache<(u32, u32), Flows>,
}

impl World {
    /// The first year of the data.
    pub(crate) const FIRST_YEAR: i32 = 1995;

    /// Reads the data files. Errors name the file.
    pub(crate) fn read(revision: Revision) -> Result<Self, String> {
        let globals: Globals =
            toml::from_str(include_str!("world.toml")).map_err(|error| format!("world.toml: {error}"))?;
        let places = place::read(include_str!("places.psv"))?;
        let mut catalogue = Catalogue::read(globals.export_value, &globals.growth_5)?;
        let mut ingested = "2026-02-01".to_owned();
        if revision == Revision::Next {
            let vintage = vintage::next()?;
            catalogue.amend(vintage);
            ingested.clone_from(&vintage.ingested);
        }
        let frontier = globals
            .frontier
            .iter()
            .map(|(m49, rank)| Ok((m49.parse().map_err(|_| format!("world.toml: {m49}"))?, *rank)))
            .collect::<Result<HashMap<u32, usize>, String>>()?;
        let (ranked, unranked): (Vec<Facts>, Vec<Facts>) = facts::read(revision)?
            .into_iter()
            .partition(|facts| places.iter().any(|place| place.m49 == facts.m49 && place.has_page()));
        let countries = country::complete(&places, ranked, &frontier);
        let others = country::complete_unranked(&places, unranked);
        Ok(Self {
            year: 2024,
            ingested,
            groups: group::read(&places)?,
            economies: countries.iter().chain(&others).map(|_| OnceLock::new()).collect(),
            edges: space::edges(&catalogue),
            exports: Mutex::default(),
            totals: Mutex::default(),
            taken: OnceLock::new(),
            partners: Mutex::default(),
            group_trade: Mutex::default(),
            globals,
            places,
            catalogue,
            countries,
            others,
        })
    }

    /// The country with this M49 code, if it has a page.
    pub(crate) fn country(&self, m49: u32) -> Option<&Country> {
        self.countries.iter().find(|country| country.place.m49 == m49)
    }

    /// All trading places, those with a page first.
    pub(crate) fn traders(&self) -> impl Iterator<Item = &Country> {
        self.countries.iter().chain(&self.others)
    }

    /// The trading place with this M49 code.
    pub(crate) fn trader(&self, m49: u32) -> Option<&Country> {
        self.traders().find(|country| country.place.m49 == m49)
    }

    /// Trade and complexity of a country. Errors name contradictory known figures.
    pub(crate) fn economy(&self, country: &Country) -> Result<&Economy, String> {
        let at = self
            .traders()
            .position(|other| other.place.m49 == country.place.m49)
            .ok_or_else(|| format!("no country {}", country.place.m49))?;
        if let Some(economy) = self.economies[at].get() {
            return Ok(economy);
        }
        let basket = trade::basket(&self.catalogue, country, self.taken_by(country)?)?;
        let complexity = space::complexity(&self.catalogue, country, &basket);
        Ok(self.economies[at].get_or_init(|| Economy { basket, complexity }))
    }

    /// Goods and services exports of a country in a year, dollars.
    pub(crate) fn exports_in(&self, country: &Country, year: i32) -> f64 {
        if year == self.year {
            return country.exports;
        }
        let growth = noise::between("export path", &[country.key()], 0.12, 0.45);
        let index = |year: i32| usize::try_from(year).unwrap_or(0);
        let mut anchors: BTreeMap<usize, f64> = country
            .known
            .exports_by_year
            .iter()
            .filter_map(|(year, value)| Some((year.parse().ok()?, *value)))
            .collect();
        anchors.insert(index(self.year), country.exports);
        anchors.entry(index(Self::FIRST_YEAR)).or_insert(country.exports * growth * 0.5);
        let known = anchors.contains_key(&index(year));
        // Of years that only SITC covers, it is only known that trade grew.
        let before = 0.93_f64.powi((Self::FIRST_YEAR - year).max(0));
        let value = along_log(&anchors, index(year)) * before;
        let wobble = noise::bell("export year", &[country.key(), u64::from(year.unsigned_abs())]);
        if known { value } else { (value * (0.04 * wobble).exp()).round() }
    }

    /// Exports by four-digit product in a year; they sum to [`World::exports_in`].
    pub(crate) fn exports_by_product(&self, country: &Country, year: i32) -> Result<Arc<Vec<f64>>, String> {
        cached(&self.exports, (country.place.m49, year), || self.make_exports(country, year))
    }

    /// Like [`World::exports_by_product`], without the cache.
    pub(super) fn make_exports(&self, country: &Country, year: i32) -> Result<Vec<f64>, String> {
        let newest = &self.economy(country)?.basket.export;
        if year == self.year {
            return Ok(newest.clone());
        }
        let raw = trade::earlier(newest, country, self.year.abs_diff(year));
        let scale = self.exports_in(country, year) / raw.iter().sum::<f64>();
        Ok(raw.into_iter().map(|value| (value * scale).round()).collect())
    }

    /// The ratio of a country's trade in a year to the newest year's.
    pub(crate) fn scale(&self, country: &Country, year: i32) -> f64 {
        self.exports_in(country, year) / country.exports
    }

    /// Price level of a year, relative to the newest.
    pub(crate) fn deflator(&self, year: i32) -> f64 {
        1.022_f64.powi(year - self.year)
    }

    /// The tenth largest count of new products, the minimum for grade A+.
    pub(crate) fn tenth_best_count(&self) -> usize {
        let mut counts: Vec<usize> = self.countries.iter().map(|country| country.new_count).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        counts.get(9).copied().unwrap_or(usize::MAX)
    }

    /// The countries that a country is compared with: the known ones, otherwise those nearest in income on its
    /// continent.
    pub(crate) fn peers<'a>(&'a self, country: &Country) -> Vec<&'a Country> {
        if !country.known.peers.is_empty() {
            return country.known.peers.iter().filter_map(|m49| self.country(*m49)).collect();
        }
        let far = |other: &Country| other.gdp_per_capita_rank.abs_diff(country.gdp_per_capita_rank);
        let mut near: Vec<&Country> = self
            .countries
            .iter()
            .filter(|other| other.place.continent == country.place.continent && far(other) > 0)
            .collect();
        near.sort_by_key(|other| far(other));
        near
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[ignore = "slow: make test-deep"]
    fn every_country_has_a_basket_that_agrees_with_its_figures() {
        for revision in [Revision::Published, Revision::Revised, Revision::Next] {
            let world = World::read(revision).unwrap();
            assert_eq!(world.countries.len(), world.globals.eci_ranked);
            for country in world.traders() {
                let id = country.place.m49;
                let basket = &world.economy(country).unwrap().basket;
                let total: f64 = basket.export.iter().sum();
                assert!((total / country.exports - 1.0).abs() < 1e-9, "{id}: {total} {}", country.exports);
                assert!(basket.export.iter().all(|value| *value >= 0.0), "{id}");
                let strong = |at: &usize| basket.rca[*at] >= 1.0;
                let all: Vec<usize> = (0..basket.rca.len()).filter(strong).collect();
                let placed = all.iter().filter(|at| world.catalogue.products[**at].at.is_some()).count();
                assert_eq!((all.len(), placed), (country.diversity, country.in_space), "{id}");
                assert_eq!(basket.new.len(), country.new_count, "{id}");
                let earlier: f64 = world.exports_by_product(country, 2010).unwrap().iter().sum();
                // Every product is rounded to dollars.
                assert!((earlier - world.exports_in(country, 2010)).abs() < 1000.0, "{id}");
            }
        }
    }

    #[test]
    fn known_years_are_exact() {
        let world = World::read(Revision::Published).unwrap();
        let of = |m49: u32, year: i32| world.exports_in(world.country(m49).unwrap(), year);
        let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-12;
        assert!(close(of(404, 2010), 8_732_314_157.0) && close(of(404, 2020), 9_769_246_843.0));
        assert!(close(of(792, 2015), 208_584_125_885.0) && close(of(76, 2020), 232_668_727_288.0));
    }
}
