//! Known world exports of products whose exporters are mostly generated: a few otherwise unknown places sell the
//! remainder.

use super::World;
use super::country::Country;
use std::collections::HashMap;

impl World {
    /// The products of which a country sells a fixed value, because it takes part of the remainder.
    pub(super) fn taken_by(&self, country: &Country) -> Result<&[(usize, f64)], String> {
        if !self.globals.remainder.places.contains(&country.place.m49) {
            return Ok(&[]);
        }
        let taken = match self.taken.get() {
            Some(taken) => taken,
            None => {
                let made = self.share_out_remainder()?;
                self.taken.get_or_init(|| made)
            }
        };
        Ok(taken.get(&country.place.m49).map_or(&[], Vec::as_slice))
    }

    /// Shares by goods exports. The last place takes the rounding difference, so that sums are exact.
    fn share_out_remainder(&self) -> Result<HashMap<u32, Vec<(usize, f64)>>, String> {
        let remainder = &self.globals.remainder;
        let (takers, others): (Vec<&Country>, Vec<&Country>) =
            self.traders().partition(|country| remainder.places.contains(&country.place.m49));
        let goods: f64 = takers.iter().map(|country| country.goods).sum();
        let mut taken: HashMap<u32, Vec<(usize, f64)>> = HashMap::new();
        for code in &remainder.products {
            let at = self.catalogue.find(code).ok_or_else(|| format!("world.toml: no product {code}"))?;
            let mut left = self.catalogue.products[at].world;
            for country in &others {
                left -= self.economy(country)?.basket.export[at];
            }
            if left < 0.0 {
                return Err(format!("world.toml: countries sell {} more of {code} than the world", -left));
            }
            let total = left;
            for (nth, country) in takers.iter().enumerate() {
                let last = nth + 1 == takers.len();
                let value = if last { left } else { (total * country.goods / goods).round() };
                left -= value;
                taken.entry(country.place.m49).or_default().push((at, value));
            }
        }
        Ok(taken)
    }
}
