//! Trade by country, partner and product.

use super::super::arguments::{int, text};
use super::super::value::Value;
use super::{ExploreRoot, Table, class_of, country_id, since};
use crate::data::class::Class;
use crate::data::country::Country;
use crate::data::space::z_scores;
use crate::data::yearly::EciOf;
use crate::data::{bilateral, partners};
use apollo_compiler::resolvers::ResolveInfo;
use std::collections::HashMap;

/// What a query asks of products: class, level, one product or all, services or not.
pub(super) struct Wanted<'a> {
    pub class: Class,
    pub table: &'a Table,
    pub level: i32,
    product: Option<i32>,
    services: bool,
}

/// A product of a level: its id and the four-digit products in it.
pub(super) struct Bin {
    pub id: u32,
    pub members: Vec<usize>,
}

impl Bin {
    /// Sum over the members, each brought to the class.
    pub(super) fn sum(&self, table: &Table, values: &[f64]) -> f64 {
        self.members.iter().map(|at| values[*at] * table.factors[*at]).sum()
    }
}

impl ExploreRoot {
    pub(super) fn wanted(&self, info: &ResolveInfo<'_>) -> Result<Wanted<'_>, String> {
        let class = class_of(info);
        Ok(Wanted {
            class,
            table: self.table(class)?,
            level: int(info, "productLevel").unwrap_or(4),
            product: int(info, "productId"),
            services: text(info, "servicesClass") == Some("unilateral"),
        })
    }

    /// The products that a query asks for. Services are left out unless their class is given.
    pub(super) fn bins(&self, wanted: &Wanted<'_>) -> Vec<Bin> {
        let catalogue = &self.world.catalogue;
        let mut bins: Vec<Bin> = Vec::new();
        let mut by_id: HashMap<u32, usize> = HashMap::new();
        for (at, product) in catalogue.products.iter().enumerate() {
            let Some(own) = wanted.table.ids[at] else { continue };
            if product.service && !wanted.services && wanted.product.is_none() {
                continue;
            }
            let id = match wanted.level {
                1 => product.sector as u32 + 1,
                2 => product.group.map_or(own, |group| catalogue.groups[group].id),
                4 => own,
                _ => continue,
            };
            if wanted.product.is_some_and(|product| u32::try_from(product) != Ok(id)) {
                continue;
            }
            let bin = *by_id.entry(id).or_insert_with(|| {
                bins.push(Bin { id, members: Vec::new() });
                bins.len() - 1
            });
            bins[bin].members.push(at);
        }
        bins
    }

    pub(super) fn product_id(&self, wanted: &Wanted<'_>, id: u32) -> Value {
        format!("product-{}-{id}", wanted.class.name()).into()
    }

    pub(super) fn country_product_year(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let wanted = self.wanted(info)?;
        let bins = self.bins(&wanted);
        let mut rows = Vec::new();
        for country in self.traders(info) {
            for year in self.years(info, since(wanted.class)) {
                self.products_of(country, year, &wanted, &bins, &mut rows)?;
            }
        }
        Ok(Value::unordered(rows))
    }

    fn products_of(
        &self,
        country: &Country,
        year: i32,
        wanted: &Wanted<'_>,
        bins: &[Bin],
        rows: &mut Vec<Value>,
    ) -> Result<(), String> {
        let economy = self.world.economy(country)?;
        let export = self.world.exports_by_product(country, year)?;
        let imported = self.world.exports_in(country, year) / country.exports;
        let products = &self.world.catalogue.products;
        let complexity = &economy.complexity;
        let weak = |values: &[Option<f64>]| -> Vec<Option<f64>> {
            let open = |at: &usize| economy.basket.rca[*at] < 1.0;
            z_scores(&(0..values.len()).map(|at| values[at].filter(|_| open(&at))).collect::<Vec<_>>())
        };
        let below = [
            weak(&complexity.normalized_pci),
            weak(&complexity.normalized_gain),
            weak(&complexity.normalized_distance),
        ];
        for bin in bins {
            let one = (wanted.level == 4).then(|| bin.members[0]);
            let fine = |values: &[Option<f64>]| one.and_then(|at| values[at]);
            let goods = one.filter(|at| !products[*at].service);
            let value = bin.sum(wanted.table, &export);
            let world: f64 = bin
                .members
                .iter()
                .map(|at| self.world.world_exports(*at, year) * wanted.table.factors[*at])
                .sum();
            rows.push(Value::object(
                "CountryProductYear",
                vec![
                    ("countryId", country_id(country.place.m49)),
                    ("locationLevel", "country".into()),
                    ("productId", self.product_id(wanted, bin.id)),
                    ("productLevel", Value::int(wanted.level)),
                    ("year", Value::int(year)),
                    ("exportValue", value.into()),
                    ("importValue", (bin.sum(wanted.table, &economy.basket.import) * imported).into()),
                    ("globalMarketShare", (value / world).into()),
                    ("exportRca", goods.map(|at| economy.basket.rca[at]).into()),
                    ("exportRpop", goods.map(|at| economy.basket.rca[at] * 0.8).into()),
                    ("cog", fine(&complexity.gain).into()),
                    ("distance", fine(&complexity.distance).into()),
                    ("normalizedPci", fine(&complexity.normalized_pci).into()),
                    ("normalizedCog", fine(&complexity.normalized_gain).into()),
                    ("normalizedDistance", fine(&complexity.normalized_distance).into()),
                    ("normalizedPciRcalt1", fine(&below[0]).into()),
                    ("normalizedCogRcalt1", fine(&below[1]).into()),
                    ("normalizedDistanceRcalt1", fine(&below[2]).into()),
                ],
            ));
        }
        Ok(())
    }

    pub(super) fn product_year(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let wanted = self.wanted(info)?;
        let catalogue = &self.world.catalogue;
        let mut rows = Vec::new();
        for year in self.years(info, since(wanted.class)) {
            let worth = |at: usize, year: i32| self.world.world_exports(at, year) * wanted.table.factors[at];
            for bin in self.bins(&wanted) {
                let sum = |year: i32| bin.members.iter().map(|at| worth(*at, year)).sum::<f64>();
                let real = match bin.members.as_slice() {
                    [one] => catalogue.products[*one].growth_5,
                    _ => {
                        sum(year)
                            / self.world.deflator(year)
                            / (sum(year - 5) / self.world.deflator(year - 5))
                            - 1.0
                    }
                };
                let one = (wanted.level == 4).then(|| &catalogue.products[bin.members[0]]);
                // Unlike country pages this API has a PCI for natural resources too.
                let pci = one.filter(|product| !product.service && product.sector != 9).map(|p| p.latent_pci);
                rows.push(Value::object(
                    "ProductYear",
                    vec![
                        ("productId", self.product_id(&wanted, bin.id)),
                        ("productLevel", Value::int(wanted.level)),
                        ("year", Value::int(year)),
                        ("exportValue", sum(year).into()),
                        ("importValue", sum(year).into()),
                        ("exportValueConstGrowth5", real.into()),
                        ("importValueConstGrowth5", real.into()),
                        ("exportValueConstCagr5", ((1.0 + real).powf(0.2) - 1.0).into()),
                        ("importValueConstCagr5", ((1.0 + real).powf(0.2) - 1.0).into()),
                        ("pci", pci.into()),
                        ("complexityEnum", pci.map(|pci| catalogue.level(pci)).into()),
                    ],
                ));
            }
        }
        Ok(Value::unordered(rows))
    }

    pub(super) fn country_year(&self, info: &ResolveInfo<'_>) -> Value {
        let class = match class_of(info) {
            Class::Hs92 => EciOf::Hs92,
            Class::Sitc => EciOf::Sitc,
            Class::Hs12 | Class::Hs22 => EciOf::Hs12,
        };
        let mut rows = Vec::new();
        for country in self.traders(info) {
            for year in self.years(info, crate::data::World::FIRST_YEAR) {
                let of = self.world.in_year(country, year, class);
                let newest = year == self.world.year;
                let level = 1.0 / self.world.deflator(year);
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
                        ("currentAccount", newest.then_some(country.current_account).into()),
                        ("growthProj", newest.then_some(country.projection).into()),
                    ],
                ));
            }
        }
        Value::List(rows)
    }

    pub(super) fn country_country_year(&self, info: &ResolveInfo<'_>) -> Value {
        let mut rows = Vec::new();
        let partner = int(info, "partnerCountryId");
        for country in self.traders(info) {
            let pairs = partners::of(&self.world, country);
            for year in self.years(info, since(class_of(info))) {
                let scale = self.world.exports_in(country, year) / country.exports;
                for pair in
                    pairs.iter().filter(|pair| partner.is_none_or(|m49| u32::try_from(m49) == Ok(pair.m49)))
                {
                    let (export, import) = (pair.export * scale, pair.import * scale);
                    rows.push(Value::object(
                        "CountryCountryYear",
                        vec![
                            ("countryId", country_id(country.place.m49)),
                            ("partnerCountryId", country_id(pair.m49)),
                            ("year", Value::int(year)),
                            ("exportValue", export.into()),
                            ("exportValueReported", (export * 0.97).round().into()),
                            ("importValue", import.into()),
                            ("importValueReported", (import * 1.02).round().into()),
                        ],
                    ));
                }
            }
        }
        Value::unordered(rows)
    }

    pub(super) fn country_country_product_year(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let wanted = self.wanted(info)?;
        let Some(country) = self.trader(info, "countryId") else { return Ok(Value::List(Vec::new())) };
        let partners: Vec<u32> = match int(info, "partnerCountryId").map(u32::try_from) {
            Some(Ok(partner)) => vec![partner],
            Some(Err(_)) => Vec::new(),
            None => self.world.places.iter().map(|place| place.m49).collect(),
        };
        let mut bins = self.bins(&wanted);
        bins.retain(|bin| bin.members.iter().any(|at| !self.world.catalogue.products[*at].service));
        let mut rows = Vec::new();
        for partner in partners.into_iter().filter(|partner| *partner != country.place.m49) {
            let export = bilateral::exports(&self.world, country, partner)?;
            let import = bilateral::imports(&self.world, country, partner)?;
            for year in self.years(info, since(wanted.class)) {
                let scale = self.world.exports_in(country, year) / country.exports;
                for bin in &bins {
                    // Known values between two countries are of HS 2012 and HS 1992 alike.
                    let sum = |values: &[f64]| bin.members.iter().map(|at| values[*at]).sum::<f64>() * scale;
                    rows.push(Value::object(
                        "CountryCountryProductYear",
                        vec![
                            ("countryId", country_id(country.place.m49)),
                            ("locationLevel", "country".into()),
                            ("partnerCountryId", country_id(partner)),
                            ("partnerLevel", "country".into()),
                            ("productId", self.product_id(&wanted, bin.id)),
                            ("productLevel", Value::int(wanted.level)),
                            ("year", Value::int(year)),
                            ("exportValue", sum(&export).into()),
                            ("importValue", sum(&import).into()),
                            ("exportValueReported", sum(&export).into()),
                            ("importValueReported", sum(&import).into()),
                        ],
                    ));
                }
            }
        }
        Ok(Value::unordered(rows))
    }
}
