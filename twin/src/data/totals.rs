//! World trade by year: sums over all trading places.

use super::World;
use super::flows::Totals;
use super::kept::cached;
use std::sync::Arc;

impl World {
    /// World trade in a year. Cached, because it needs the baskets of all places.
    pub(crate) fn totals(&self, year: i32) -> Result<Arc<Totals>, String> {
        cached(&self.totals, year, || {
            let count = self.catalogue.products.len();
            let goods = self.catalogue.goods();
            let oil: Vec<usize> =
                (0..goods).filter(|at| self.catalogue.products[*at].code.starts_with("27")).collect();
            let blank = || vec![0.0; count];
            let mut totals =
                Totals { export: blank(), import: blank(), goods: Vec::new(), non_oil: Vec::new() };
            for country in self.traders() {
                let export = self.make_exports(country, year)?;
                let scale = self.scale(country, year);
                let import = &self.economy(country)?.basket.import;
                for at in 0..count {
                    totals.export[at] += export[at];
                    totals.import[at] += import[at] * scale;
                }
                let sum: f64 = export[..goods].iter().sum();
                totals.goods.push(sum);
                totals.non_oil.push(sum - oil.iter().map(|at| export[*at]).sum::<f64>());
            }
            Ok(totals)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::data::{Revision, World};

    #[test]
    #[ignore = "slow: make test-deep"]
    fn known_world_exports_are_what_countries_sell() {
        for revision in [Revision::Published, Revision::Revised, Revision::Next] {
            let world = World::read(revision).unwrap();
            let totals = world.totals(world.year).unwrap();
            for code in &world.globals.remainder.products {
                let at = world.catalogue.find(code).unwrap();
                let known = world.catalogue.products[at].world;
                assert!((totals.export[at] - known).abs() < 1.0, "{code}: {} {known}", totals.export[at]);
            }
        }
    }
}
