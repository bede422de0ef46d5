//! Goods trade between two countries by product: known values are fixed, the rest follows the seller's exports.

use super::World;
use super::allocate::{allocate, below};
use super::country::Country;
use super::noise::Draws;
use super::partners;

/// Exports of `seller` to `buyer` by four-digit product in the newest year; they sum to the pair's total.
pub(crate) fn exports(world: &World, seller: &Country, buyer: u32) -> Result<Vec<f64>, String> {
    let partners = partners::of(world, seller)?;
    let pair = partners.iter().find(|partner| partner.m49 == buyer);
    by_product(world, seller, buyer, pair.map_or(0.0, |pair| pair.export))
}

/// Imports of `buyer` from `seller`, as the buyer reports them.
pub(crate) fn imports(world: &World, buyer: &Country, seller: u32) -> Result<Vec<f64>, String> {
    let partners = partners::of(world, buyer)?;
    let pair = partners.iter().find(|partner| partner.m49 == seller);
    let total = pair.map_or(0.0, |pair| pair.import);
    match world.trader(seller) {
        Some(seller) => by_product(world, seller, buyer.place.m49, total),
        None => Ok(vec![0.0; world.catalogue.products.len()]),
    }
}

fn by_product(world: &World, seller: &Country, buyer: u32, total: f64) -> Result<Vec<f64>, String> {
    let basket = &world.economy(seller)?.basket;
    let mut values = vec![0.0; world.catalogue.products.len()];
    let known = seller.known.bilateral.get(&buyer.to_string());
    for (code, value) in known.into_iter().flatten() {
        if let Some(at) = world.catalogue.find(code) {
            values[at] = *value;
        }
    }
    let pair = [seller.key(), u64::from(buyer)];
    let (sold, size) = (Draws::of("sold", &pair), Draws::of("pair", &pair));
    let weight = |at: usize| {
        // Not everything is sold everywhere.
        if basket.export[at] <= 0.0 || sold.with(at as u64).unit() < 0.35 {
            return 0.0;
        }
        basket.export[at] * (0.8 * size.with(at as u64).bell()).exp()
    };
    let known: Vec<f64> = values.iter().copied().filter(|value| *value > 0.0).collect();
    let cap = below(known.iter(), known.len().saturating_sub(1)).unwrap_or(total);
    let free = (0..world.catalogue.goods()).filter(|at| values[*at] <= 0.0);
    let open = free.map(|at| (at, weight(at))).collect();
    let rest = total - known.iter().sum::<f64>();
    // Kenya sells little coffee to the USA and much else, so a single known product is no ceiling.
    allocate(&mut values, open, rest, if known.len() > 1 { cap } else { total });
    Ok(values.into_iter().map(f64::round).collect())
}
