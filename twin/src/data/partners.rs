//! Goods trade of a country with its partners: known values are fixed, the rest follows the partners' size.

use super::World;
use super::allocate::{allocate, below};
use super::country::Country;
use super::flows::{GOODS_OF_IMPORTS, Partner};
use super::kept::cached;
use super::noise;
use std::collections::BTreeMap;
use std::sync::Arc;

/// All partners. Exports sum to the country's goods exports. Cached.
pub(crate) fn of(world: &World, country: &Country) -> Result<Arc<Vec<Partner>>, String> {
    cached(&world.partners, country.place.m49, || Ok(make(world, country)))
}

fn make(world: &World, country: &Country) -> Vec<Partner> {
    let others: Vec<u32> =
        world.places.iter().map(|place| place.m49).filter(|m49| *m49 != country.place.m49).collect();
    let goods_imports = country.imports * GOODS_OF_IMPORTS;
    let export = share(world, country, &others, &country.known.destination, country.goods, "destination");
    let import = share(world, country, &others, &country.known.origin, goods_imports, "origin");
    others
        .iter()
        .zip(export)
        .zip(import)
        .map(|((m49, export), import)| Partner { m49: *m49, export, import })
        .collect()
}

fn share(
    world: &World,
    country: &Country,
    others: &[u32],
    known: &BTreeMap<String, f64>,
    total: f64,
    what: &str,
) -> Vec<f64> {
    let fixed = |m49: u32| known.get(&m49.to_string()).copied();
    let weight = |m49: u32| {
        let place = world.places.iter().find(|place| place.m49 == m49);
        let size = place.map_or(0.0, |place| place.exports.sqrt());
        let same = place.is_some_and(|place| place.continent == country.place.continent);
        // Some pairs do not trade.
        if noise::unit("pair", &[country.key(), m49.into()]) < 0.06 {
            return 0.0;
        }
        size * if same { 2.2 } else { 1.0 } * (0.7 * noise::bell(what, &[country.key(), m49.into()])).exp()
    };
    // No generated value exceeds the third largest known one.
    let cap = below(known.values(), 2).unwrap_or(total * 0.3);
    let mut values: Vec<f64> = others.iter().map(|m49| fixed(*m49).unwrap_or(0.0)).collect();
    let rest = total - values.iter().sum::<f64>();
    let open = (0..others.len()).filter(|at| fixed(others[*at]).is_none());
    let open = open.map(|at| (at, weight(others[at]))).collect();
    allocate(&mut values, open, rest, cap);
    values.into_iter().map(f64::round).collect()
}
