//! Products, their catalogue, and their world figures.

use super::super::arguments::{id, text};
use super::super::value::Value;
use super::{CountryRoot, only_hs};
use crate::data::country::Country;
use apollo_compiler::resolvers::ResolveInfo;

/// A level of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Section,
    Group,
    Product,
}

impl Level {
    pub(super) fn of(info: &ResolveInfo<'_>) -> Self {
        match text(info, "productLevel") {
            Some("section") => Self::Section,
            Some("twoDigit") => Self::Group,
            _ => Self::Product,
        }
    }
}

impl CountryRoot {
    /// A product of any level, by sector key or code.
    pub(super) fn any_product(&self, code: &str) -> Value {
        let catalogue = &self.world.catalogue;
        let section = catalogue.sectors.iter().position(|sector| sector.key == code);
        let group = catalogue.groups.iter().position(|group| group.code == code);
        match (section, group, catalogue.find(code)) {
            (Some(at), _, _) => self.objects.sections[at].clone(),
            (_, Some(at), _) => self.objects.groups[at].clone(),
            (_, _, Some(at)) => self.objects.products[at].clone(),
            _ => Value::NULL,
        }
    }

    /// The product objects of a level, in catalogue order.
    pub(super) fn level(&self, level: Level) -> &[Value] {
        match level {
            Level::Section => &self.objects.sections,
            Level::Group => &self.objects.groups,
            Level::Product => &self.objects.products,
        }
    }

    /// Sums values of four-digit products up to a level.
    pub(super) fn sum(&self, level: Level, values: &[f64]) -> Vec<f64> {
        let catalogue = &self.world.catalogue;
        let mut sums = vec![0.0; self.level(level).len()];
        for (product, (value, at)) in catalogue.products.iter().zip(values.iter().zip(0..)) {
            let into = match level {
                Level::Section => product.sector,
                Level::Group => product.group.unwrap_or_default(),
                Level::Product => at,
            };
            sums[into] += value;
        }
        sums
    }

    pub(super) fn product(&self, info: &ResolveInfo<'_>) -> Value {
        self.product_at(text(info, "id").unwrap_or_default())
            .map_or(Value::NULL, |(level, at)| self.level(level)[at].clone())
    }

    fn product_at(&self, given: &str) -> Option<(Level, usize)> {
        let number = id(given, "product-HS")?;
        let catalogue = &self.world.catalogue;
        let among = |products: &[crate::data::catalogue::Product]| {
            products.iter().position(|product| product.id == number)
        };
        match number {
            1..=11 => Some((Level::Section, number as usize - 1)),
            _ => among(&catalogue.groups)
                .map(|at| (Level::Group, at))
                .or_else(|| among(&catalogue.products).map(|at| (Level::Product, at))),
        }
    }

    pub(super) fn all_products(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        only_hs(info)?;
        Ok(Value::unordered(self.level(Level::of(info)).to_vec()))
    }

    pub(super) fn product_year(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let found = self.product_at(text(info, "product").unwrap_or_default());
        Ok(match (found, self.year(info)) {
            (Some((level, at)), Some(year)) => {
                let (now, then) = self.now_and_then(level, year)?;
                self.year_of(level, at, &now, &then, year)
            }
            _ => Value::NULL,
        })
    }

    pub(super) fn all_product_year(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        only_hs(info)?;
        let level = Level::of(info);
        let Some(year) = self.year(info) else { return Ok(Value::List(Vec::new())) };
        let (now, then) = self.now_and_then(level, year)?;
        let rows = (0..now.len()).map(|at| self.year_of(level, at, &now, &then, year)).collect();
        Ok(Value::unordered(rows))
    }

    /// World exports of a year and of five years before. Products have known growth, so for them the latter is empty.
    fn now_and_then(&self, level: Level, year: i32) -> Result<(Vec<f64>, Vec<f64>), String> {
        let then = match level {
            Level::Product => Vec::new(),
            _ => self.world_values(level, year - 5)?,
        };
        Ok((self.world_values(level, year)?, then))
    }

    /// World exports by product of a level in a year, summed over all trading places.
    pub(super) fn world_values(&self, level: Level, year: i32) -> Result<Vec<f64>, String> {
        Ok(self.sum(level, &self.world.totals(year)?.export))
    }

    fn year_of(&self, level: Level, at: usize, now: &[f64], then: &[f64], year: i32) -> Value {
        let catalogue = &self.world.catalogue;
        let pci = match level {
            Level::Section => None,
            Level::Group => catalogue.group_pci(at),
            Level::Product => catalogue.products[at].pci(),
        };
        let shown = if level == Level::Product { catalogue.products[at].shown_pci() } else { pci };
        let real = match level {
            Level::Product => catalogue.products[at].growth_5,
            _ => now[at] / self.world.deflator(year) / (then[at] / self.world.deflator(year - 5)) - 1.0,
        };
        Value::object(
            "ProductYear",
            vec![
                ("product", self.level(level)[at].clone()),
                ("pci", shown.into()),
                ("globalExportValue", now[at].into()),
                ("globalExportValueChangeFiveYears", real.into()),
                ("complexityLevel", pci.map(|pci| catalogue.level(pci)).into()),
            ],
        )
    }

    /// The two groups with the largest share of a country's exports.
    pub(super) fn largest_groups(&self, country: &Country) -> Value {
        let Ok(economy) = self.world.economy(country) else { return Value::NULL };
        let sums = self.sum(Level::Group, &economy.basket.export);
        let mut order: Vec<usize> = (0..sums.len()).collect();
        order.sort_by(|a, b| sums[*b].total_cmp(&sums[*a]).then(a.cmp(b)));
        Value::List(order.into_iter().take(2).map(|at| self.objects.groups[at].clone()).collect())
    }
}
