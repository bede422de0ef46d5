//! The trade of countries and of the world, by product.

use super::super::arguments::selects;
use super::super::value::Value;
use super::figures::{Figures, Scores};
use super::{ExploreRoot, Wanted, country_id};
use crate::data::country::Country;
use crate::data::flows::Totals;
use crate::data::line::Line;
use apollo_compiler::resolvers::ResolveInfo;
use std::sync::Arc;

impl ExploreRoot {
    pub(super) fn country_product_year(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let wanted = self.wanted(info)?;
        let lines = wanted.lines();
        let shares = selects(info, |field| matches!(field, "globalMarketShare" | "exportRpop"));
        let mut rows = Vec::new();
        for country in self.traders(info) {
            for year in self.years(info, wanted.listing.class.since()) {
                let totals = if shares { Some(self.world.totals(year)?) } else { None };
                self.products_of(country, year, &wanted, &lines, totals.as_ref(), &mut rows)?;
            }
        }
        Ok(Value::unordered(rows))
    }

    fn products_of(
        &self,
        country: &Country,
        year: i32,
        wanted: &Wanted<'_>,
        lines: &[(usize, &Line)],
        totals: Option<&Arc<Totals>>,
        rows: &mut Vec<Value>,
    ) -> Result<(), String> {
        let import = &self.world.economy(country)?.basket.import;
        let export = self.world.exports_by_product(country, year)?;
        let imported = self.world.scale(country, year);
        // Complexity exists for four digits only.
        let figures = match wanted.level {
            4 => Some(self.figures(country, year, wanted.listing)?),
            _ => None,
        };
        let people = self.population(country, year);
        for (at, line) in lines {
            let value = line.sum(&export);
            let world = totals.map(|totals| line.sum(&totals.export)).filter(|world| *world > 0.0);
            let per_head = |world: f64| value / people / (world / self.people(year));
            let goods = (wanted.level == 4 && !line.service).then_some(());
            let mut own = vec![
                ("countryId", country_id(country.place.m49)),
                ("locationLevel", "country".into()),
                ("productId", wanted.id(line)),
                ("productLevel", Value::int(wanted.level)),
                ("year", Value::int(year)),
                ("exportValue", value.into()),
                ("importValue", (line.sum(import) * imported).into()),
                ("globalMarketShare", world.map(|world| value / world).into()),
                ("exportRpop", goods.and(world).map(per_head).into()),
            ];
            own.extend(figures.iter().flat_map(|figures| complexity(figures, *at)));
            rows.push(Value::object("CountryProductYear", own));
        }
        Ok(())
    }

    pub(super) fn product_year(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let wanted = self.wanted(info)?;
        let growth = selects(info, |field| field.contains("ConstGrowth5") || field.contains("ConstCagr5"));
        let mut rows = Vec::new();
        for year in self.years(info, wanted.listing.class.since()) {
            let totals = self.world.totals(year)?;
            let before = if growth { Some(self.world.totals(year - 5)?) } else { None };
            for (_, line) in wanted.lines() {
                let real = |now: &[f64], then: &[f64]| {
                    let level = self.world.deflator(year) / self.world.deflator(year - 5);
                    let then = line.sum(then) * level;
                    (then > 0.0).then(|| line.sum(now) / then - 1.0)
                };
                let growth = |known: bool| {
                    let before = before.as_ref()?;
                    match self.known_growth(line).filter(|_| known) {
                        Some(growth) => Some(growth),
                        None if known => real(&totals.export, &before.export),
                        None => real(&totals.import, &before.import),
                    }
                };
                let (export, import) = (growth(true), growth(false));
                let cagr = |growth: Option<f64>| Value::from(growth.map(|real| (1.0 + real).powf(0.2) - 1.0));
                let pci = if wanted.level == 4 { self.pci(line) } else { None };
                rows.push(Value::object(
                    "ProductYear",
                    vec![
                        ("productId", wanted.id(line)),
                        ("productLevel", Value::int(wanted.level)),
                        ("year", Value::int(year)),
                        ("exportValue", line.sum(&totals.export).into()),
                        ("importValue", line.sum(&totals.import).into()),
                        ("exportValueConstGrowth5", export.into()),
                        ("importValueConstGrowth5", import.into()),
                        ("exportValueConstCagr5", cagr(export)),
                        ("importValueConstCagr5", cagr(import)),
                        ("pci", pci.into()),
                        ("complexityEnum", pci.map(|pci| self.world.catalogue.level(pci)).into()),
                    ],
                ));
            }
        }
        Ok(Value::unordered(rows))
    }

    /// The known growth of world exports at constant prices, for products that are one good of HS 1992 or a part of
    /// one. For others it follows from the sums of both years.
    fn known_growth(&self, line: &Line) -> Option<f64> {
        match line.parts.as_slice() {
            [one] => Some(self.world.catalogue.products[one.at].growth_5),
            _ => None,
        }
    }

    /// The PCI. Unlike the country pages, this API also has one for natural resources.
    fn pci(&self, line: &Line) -> Option<f64> {
        let products = &self.world.catalogue.products;
        if line.service || self.world.catalogue.sectors[line.sector].key == "other" {
            return None;
        }
        match line.parts.as_slice() {
            [one] => Some(products[one.at].latent_pci),
            parts => {
                let weight = |part: &crate::data::line::Part| products[part.at].world * part.share;
                let all: f64 = parts.iter().map(weight).sum();
                let sum: f64 = parts.iter().map(|part| products[part.at].latent_pci * weight(part)).sum();
                (all > 0.0).then(|| sum / all)
            }
        }
    }
}

fn complexity(figures: &Figures, at: usize) -> Vec<(&'static str, Value)> {
    let Scores { pci, gain, distance, rca } = &figures.normalized;
    let below = &figures.below_one;
    vec![
        ("exportRca", figures.rca[at].into()),
        ("cog", figures.gain[at].into()),
        ("distance", figures.distance[at].into()),
        ("normalizedPci", pci[at].into()),
        ("normalizedCog", gain[at].into()),
        ("normalizedDistance", distance[at].into()),
        ("normalizedExportRca", rca[at].into()),
        ("normalizedPciRcalt1", below.pci[at].into()),
        ("normalizedCogRcalt1", below.gain[at].into()),
        ("normalizedDistanceRcalt1", below.distance[at].into()),
        ("normalizedExportRcaRcalt1", below.rca[at].into()),
    ]
}
