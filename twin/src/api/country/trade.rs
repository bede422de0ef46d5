//! The trade of countries: treemaps, product tables, the product space, and new products.

use super::super::arguments::{int, selects, text};
use super::super::value::Value;
use super::products::Level;
use super::{CountryRoot, only_hs, years};
use crate::data::World;
use crate::data::country::Country;
use crate::data::{partners, space};
use apollo_compiler::resolvers::ResolveInfo;

impl CountryRoot {
    pub(super) fn tree_map(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        if text(info, "productClass") == Some("SITC") {
            return Err("free variable 'model' referenced before assignment in enclosing scope".to_owned());
        }
        match text(info, "facet") {
            Some("CPY_C") => self.by_product(info),
            Some("CCY_C") => self.by_partner(info),
            _ => Ok(self.by_country_of_product()),
        }
    }

    fn by_product(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let country = self.country(info, "location")?;
        let level = Level::of(info);
        // Without a year, sectors include all their years, but products only the newest.
        let years = match (int(info, "year"), level) {
            (None, Level::Section) => World::FIRST_YEAR + 1..=self.world.year,
            (None, _) => self.world.year..=self.world.year,
            (Some(_), _) => match self.year(info) {
                Some(year) => year..=year,
                None => return Ok(Value::List(Vec::new())),
            },
        };
        // Shares of the world market need the baskets of all countries.
        let shares = selects(info, |field| field == "globalMarketShare");
        let mut rows = Vec::new();
        for year in years {
            rows.extend(self.products_in(country, level, year, shares)?);
        }
        Ok(Value::unordered(rows))
    }

    fn products_in(
        &self,
        country: &Country,
        level: Level,
        year: i32,
        shares: bool,
    ) -> Result<Vec<Value>, String> {
        let economy = self.world.economy(country)?;
        let export = self.sum(level, &self.world.exports_by_product(country, year)?);
        let imported = self.world.exports_in(country, year) / country.exports;
        let import = self.sum(level, &economy.basket.import);
        let world = if shares { Some(self.world_values(level, year)?) } else { None };
        let complexity = &economy.complexity;
        let fine =
            |values: &[Option<f64>], at: usize| if level == Level::Product { values[at] } else { None };
        let row = |at: usize| {
            let pci = match level {
                Level::Product => self.world.catalogue.products[at].shown_pci(),
                Level::Group => self.world.catalogue.group_pci(at),
                Level::Section => None,
            };
            let goods = level == Level::Product && !self.world.catalogue.products[at].service;
            Value::object(
                "TreeMapProduct",
                vec![
                    ("product", self.level(level)[at].clone()),
                    ("exportValue", export[at].into()),
                    ("importValue", (import[at] * imported).into()),
                    ("rca", goods.then(|| economy.basket.rca[at]).into()),
                    ("distance", fine(&complexity.distance, at).into()),
                    ("opportunityGain", fine(&complexity.gain, at).into()),
                    ("pci", pci.into()),
                    ("normalizedPci", fine(&complexity.normalized_pci, at).into()),
                    ("normalizedDistance", fine(&complexity.normalized_distance, at).into()),
                    ("normalizedOpportunityGain", fine(&complexity.normalized_gain, at).into()),
                    ("globalMarketShare", world.as_ref().map(|world| export[at] / world[at]).into()),
                    ("year", Value::int(year)),
                ],
            )
        };
        Ok((0..export.len()).map(row).collect())
    }

    fn by_partner(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let country = self.country(info, "location")?;
        let Some(year) = self.year(info) else { return Ok(Value::List(Vec::new())) };
        let scale = self.world.exports_in(country, year) / country.exports;
        let partners = partners::of(&self.world, country)?;
        let rows = partners
            .iter()
            .map(|partner| {
                Value::object(
                    "TreeMapLocation",
                    vec![
                        ("location", self.objects.place(partner.m49)),
                        ("exportValue", (partner.export * scale).into()),
                        ("importValue", (partner.import * scale).into()),
                        ("year", Value::int(year)),
                    ],
                )
            })
            .collect();
        Ok(Value::unordered(rows))
    }

    /// Broken on the real server: every row lacks the required location.
    fn by_country_of_product(&self) -> Value {
        let row = |_: &Country| {
            let location = Value::Error(
                "Cannot return null for non-nullable field TreeMapLocation.location.".to_owned(),
            );
            Value::object(
                "TreeMapLocation",
                vec![("location", location), ("year", Value::int(self.world.year))],
            )
        };
        Value::List(self.world.countries.iter().map(row).collect())
    }

    pub(super) fn all_country_product_year(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        only_hs(info)?;
        let country = self.country(info, "location")?;
        let Some(year) = self.year(info) else { return Ok(Value::List(Vec::new())) };
        let level = Level::of(info);
        let economy = self.world.economy(country)?;
        let export = self.sum(level, &self.world.exports_by_product(country, year)?);
        let import = self.sum(level, &economy.basket.import);
        let goods = self.world.catalogue.goods();
        let open = |at: usize| at < goods && economy.basket.rca[at] < 1.0;
        let deciles = |values: &[Option<f64>]| {
            if level == Level::Product { space::deciles(values, open) } else { vec![None; export.len()] }
        };
        let gain = deciles(&economy.complexity.normalized_gain);
        let distance = deciles(&economy.complexity.normalized_distance);
        let pci = deciles(&economy.complexity.normalized_pci);
        let row = |at: usize| {
            Value::object(
                "CountryProductYear",
                vec![
                    ("id", format!("{}-{}-{year}", country.place.m49, at).into()),
                    ("product", self.level(level)[at].clone()),
                    ("exportValue", export[at].into()),
                    ("importValue", import[at].into()),
                    ("normalizedOpportunityGainDecileClassification", gain[at].into()),
                    ("normalizedDistanceDecileClassification", distance[at].into()),
                    ("normalizedPciDecileClassification", pci[at].into()),
                ],
            )
        };
        Ok(Value::unordered((0..export.len()).map(row).collect()))
    }

    pub(super) fn country_product_lookback(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let country = self.country(info, "location")?;
        let level = Level::of(info);
        let back = years(info, "yearRange").unwrap_or(5);
        let year = self.world.year;
        let now = self.sum(level, &self.world.exports_by_product(country, year)?);
        let then = self.sum(level, &self.world.exports_by_product(country, year - back)?);
        let row = |at: usize| {
            let growth = now[at] / (then[at] / self.world.deflator(year - back));
            let known = (then[at] > 0.0 && growth > 0.0).then_some(growth);
            Value::object(
                "CountryProductLookback",
                vec![
                    ("product", self.level(level)[at].clone()),
                    ("exportValueConstGrowth", known.map(|growth| growth - 1.0).into()),
                    (
                        "exportValueConstCagr",
                        known.map(|growth| growth.powf(1.0 / f64::from(back)) - 1.0).into(),
                    ),
                ],
            )
        };
        Ok(Value::unordered((0..now.len()).map(row).collect()))
    }

    pub(super) fn product_space(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        only_hs(info)?;
        let country = self.country(info, "location")?;
        let Some(year) = self.year(info) else { return Ok(Value::List(Vec::new())) };
        let economy = self.world.economy(country)?;
        let export = self.world.exports_by_product(country, year)?;
        let products = &self.world.catalogue.products;
        let id = |at: usize| format!("product-HS-{}", products[at].id);
        let rows = products.iter().enumerate().filter_map(|(at, product)| {
            let (x, y) = product.at?;
            let connections = self.world.edges[at].iter().map(|(other, strength)| {
                Value::object(
                    "ProductSpaceConnection",
                    vec![("productId", id(*other).into()), ("strength", (*strength).into())],
                )
            });
            Some(Value::object(
                "ProductSpaceDatum",
                vec![
                    ("product", self.objects.products[at].clone()),
                    ("exportValue", export[at].into()),
                    ("importValue", economy.basket.import[at].into()),
                    ("rca", economy.basket.rca[at].into()),
                    ("x", x.into()),
                    ("y", y.into()),
                    ("connections", Value::List(connections.collect())),
                ],
            ))
        });
        Ok(Value::unordered(rows.collect()))
    }

    pub(super) fn new_products_country(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let country = self.country(info, "location")?;
        let economy = self.world.economy(country)?;
        let new = economy.basket.new.iter().map(|at| self.objects.products[*at].clone()).collect();
        Ok(Value::object(
            "NewProductsCountry",
            vec![
                ("location", Value::NULL),
                ("newProducts", Value::List(new)),
                ("newProductExportValue", country.new_value.into()),
                ("newProductExportValuePerCapita", Value::int(country.new_per_capita)),
                ("newProductCount", Value::int(country.new_count as i64)),
            ],
        ))
    }

    pub(super) fn comparison(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let country = self.country(info, "location")?;
        let quantity = int(info, "quantity").and_then(|quantity| usize::try_from(quantity).ok()).unwrap_or(3);
        let rows = self.world.peers(country).into_iter().take(quantity).map(|peer| {
            Value::object(
                "NewProductsComparisonCountries",
                vec![
                    ("location", self.objects.place(peer.place.m49)),
                    ("newProductExportValue", peer.new_value.into()),
                    ("newProductExportValuePerCapita", Value::int(peer.new_per_capita)),
                    ("newProductCount", Value::int(peer.new_count as i64)),
                ],
            )
        });
        Ok(Value::List(rows.collect()))
    }
}
