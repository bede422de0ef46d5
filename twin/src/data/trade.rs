//! A country's trade by product: exports, imports and RCA in the newest year, and their course over time. Known values
//! are fixed; the rest is generated to fit totals, the number of products with RCA >= 1, and the number in the product
//! space.

use super::allocate::{allocate, below};
use super::catalogue::Catalogue;
use super::country::Country;
use super::noise::{self, Draws};
use std::collections::HashSet;

/// The products that lead every country's list of opportunities: few make them, and they have the largest gain.
pub(crate) const LEADERS: [&str; 5] = ["3705", "9010", "8456", "8113", "7506"];

/// Trade by four-digit product (index into [`Catalogue::products`]) in the newest year.
#[derive(Debug, Clone)]
pub(crate) struct Basket {
    pub export: Vec<f64>,
    pub import: Vec<f64>,
    /// Revealed comparative advantage among goods; 0 for services.
    pub rca: Vec<f64>,
    /// Products that are new in the last 15 years.
    pub new: Vec<usize>,
}

/// The basket of a country. `taken` has the products of which it sells a fixed value. Errors name contradictory known
/// figures.
pub(crate) fn basket(
    catalogue: &Catalogue,
    country: &Country,
    taken: &[(usize, f64)],
) -> Result<Basket, String> {
    let goods = catalogue.goods();
    let world: f64 = catalogue.products[..goods].iter().map(|product| product.world).sum();
    let share = |at: usize| catalogue.products[at].world / world;
    let other = |at: usize| catalogue.products[at].sector == 9;
    let mut export = vec![0.0; catalogue.products.len()];
    let mut fixed = HashSet::new();
    for (code, value) in &country.known.export {
        let at = catalogue.find(code).ok_or_else(|| format!("{}: no product {code}", country.place.m49))?;
        export[at] = *value;
        fixed.insert(at);
    }
    for (at, value) in taken {
        export[*at] = *value;
        fixed.insert(*at);
    }
    services(catalogue, country, &mut export, &fixed);
    spread(&mut export, (0..goods).filter(|at| other(*at)), country.other, |at| {
        share(at) * draw(country, at)
    });
    let free: Vec<usize> = (0..goods).filter(|at| !fixed.contains(at) && !other(*at)).collect();
    let strong = strong(catalogue, country, &export, &free, |at| share(at) * country.goods)?;
    let new = new_products(catalogue, country, &strong);
    new_values(country, &mut export, &new, |at| share(at) * country.goods)?;
    let newly: HashSet<usize> = new.iter().copied().collect();
    let strong_set: HashSet<usize> = strong.iter().copied().collect();
    for at in &free {
        let full = share(*at) * country.goods;
        if newly.contains(at) {
            continue;
        }
        export[*at] = if strong_set.contains(at) {
            full * 1.03
        } else if noise::unit("zero", &[country.key(), *at as u64]) < 0.12 {
            0.0
        } else {
            (full * 0.8 * draw(country, *at).powi(2)).round()
        };
    }
    let mut rest = country.goods - export[..goods].iter().sum::<f64>();
    let weak: Vec<usize> =
        free.iter().copied().filter(|at| !newly.contains(at) && !strong_set.contains(at)).collect();
    let weak_sum: f64 = weak.iter().map(|at| export[*at]).sum();
    if rest < 0.0 && weak_sum + rest > 0.0 {
        // If a few known products take nearly everything, the weak ones shrink.
        let keep = (weak_sum + rest) / weak_sum * 0.9;
        weak.iter().for_each(|at| export[*at] = (export[*at] * keep).round());
        rest = country.goods - export[..goods].iter().sum::<f64>();
    }
    let open: Vec<usize> = strong.iter().copied().filter(|at| !newly.contains(at)).collect();
    fill_up(country, &mut export, &open, rest, share)?;
    let rca = (0..export.len())
        .map(|at| if at < goods { export[at] / country.goods / share(at) } else { 0.0 })
        .collect();
    Ok(Basket { import: imports(catalogue, country), export, rca, new })
}

fn draw(country: &Country, at: usize) -> f64 {
    noise::unit("draw", &[country.key(), at as u64])
}

fn spread(values: &mut [f64], over: impl Iterator<Item = usize>, total: f64, weight: impl Fn(usize) -> f64) {
    let over: Vec<usize> = over.collect();
    let weights: f64 = over.iter().map(|at| weight(*at)).sum();
    let mut left = total;
    for (nth, at) in over.iter().enumerate() {
        let value = if nth + 1 == over.len() { left } else { (total * weight(*at) / weights).round() };
        values[*at] = value;
        left -= value;
    }
}

/// Distributes the exports that remain after goods and known services over the other services.
fn services(catalogue: &Catalogue, country: &Country, export: &mut [f64], fixed: &HashSet<usize>) {
    let all = catalogue.goods()..catalogue.products.len();
    let taken: f64 = all.clone().map(|at| export[at]).sum();
    let open = all.filter(|at| !fixed.contains(at));
    let total = country.exports - country.goods - taken;
    spread(export, open, total, |at| catalogue.products[at].world * (0.4 + draw(country, at)));
}

/// The other products with RCA >= 1, as many inside and outside the product space as the country's figures require.
fn strong(
    catalogue: &Catalogue,
    country: &Country,
    export: &[f64],
    free: &[usize],
    full: impl Fn(usize) -> f64,
) -> Result<Vec<usize>, String> {
    let placed = |at: usize| catalogue.products[at].at.is_some();
    let known = (0..catalogue.goods()).filter(|at| export[*at] > 0.0 && export[*at] >= full(*at));
    let (inside, outside): (Vec<usize>, Vec<usize>) = known.partition(|at| placed(*at));
    let too_many = || format!("{}: more known products than diversity allows", country.place.m49);
    let want_in = country.in_space.checked_sub(inside.len()).ok_or_else(too_many)?;
    let want_out = (country.diversity - country.in_space).checked_sub(outside.len()).ok_or_else(too_many)?;
    let near: HashSet<usize> = country
        .known
        .near
        .iter()
        .filter_map(|code| catalogue.groups.iter().position(|group| group.code == *code))
        .collect();
    // Countries export what fits their complexity, preferably in small markets, and rarely what is nearest, because
    // that is their opportunity.
    let score = |at: usize| {
        let product = &catalogue.products[at];
        let fit = -(product.latent_pci - country.eci * 0.6).abs();
        let size = -(product.world / 4e9).ln() * 0.35;
        let waiting = if product.group.is_some_and(|group| near.contains(&group)) { -4.0 } else { 0.0 };
        let rare = if LEADERS.contains(&product.code.as_str()) { -20.0 } else { 0.0 };
        fit + size + waiting + rare + 0.9 * noise::bell("strong", &[country.key(), at as u64])
    };
    let mut order: Vec<(usize, f64)> = free.iter().map(|at| (*at, score(*at))).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let take = |inside: bool, count: usize| {
        order.iter().map(|(at, _)| *at).filter(move |at| placed(*at) == inside).take(count)
    };
    let strong: Vec<usize> = take(true, want_in).chain(take(false, want_out)).collect();
    if strong.len() < want_in + want_out {
        return Err(format!(
            "{}: not enough products for a diversity of {}",
            country.place.m49, country.diversity
        ));
    }
    Ok(strong)
}

/// New products: the strong products of the space with the smallest world markets.
fn new_products(catalogue: &Catalogue, country: &Country, strong: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> =
        strong.iter().copied().filter(|at| catalogue.products[*at].at.is_some()).collect();
    order
        .sort_by(|a, b| catalogue.products[*a].world.total_cmp(&catalogue.products[*b].world).then(a.cmp(b)));
    // Not just the smallest: every second one first, then the others.
    let (even, odd): (Vec<_>, Vec<_>) = order.into_iter().enumerate().partition(|(nth, _)| nth % 2 == 0);
    even.into_iter().chain(odd).map(|(_, at)| at).take(country.new_count).collect()
}

fn new_values(
    country: &Country,
    export: &mut [f64],
    new: &[usize],
    full: impl Fn(usize) -> f64,
) -> Result<(), String> {
    let least: f64 = new.iter().map(|at| full(*at) * 1.1).sum();
    // A generated total gives way to the minimum; a known one does not.
    let total =
        if country.known.new_value.is_some() { country.new_value } else { country.new_value.max(least) };
    if total < least {
        return Err(format!("{}: new products need at least {least}", country.place.m49));
    }
    let weight = |at: usize| 0.2 + draw(country, at);
    let weights: f64 = new.iter().map(|at| weight(*at)).sum();
    for at in new {
        export[*at] = (full(*at) * 1.1 + (total - least) * weight(*at) / weights).round();
    }
    Ok(())
}

/// Distributes `rest` over the strong products. None may exceed the leading known ones.
fn fill_up(
    country: &Country,
    export: &mut [f64],
    open: &[usize],
    rest: f64,
    share: impl Fn(usize) -> f64,
) -> Result<(), String> {
    if rest < 0.0 {
        return Err(format!("{}: goods exceed their total by {}", country.place.m49, -rest));
    }
    let ceiling = country.goods * 0.2;
    let cap = below(country.known.export.values(), 4).map_or(ceiling, |known| known.min(ceiling));
    let weight = |at: usize| share(at).powf(0.6) * draw(country, at).powi(3);
    let left = allocate(export, open.iter().map(|at| (*at, weight(*at))).collect(), rest, cap);
    if left > 0.5 {
        return Err(format!("{}: {left} of the goods exports have no product", country.place.m49));
    }
    Ok(())
}

fn imports(catalogue: &Catalogue, country: &Country) -> Vec<f64> {
    let mut import = vec![0.0; catalogue.products.len()];
    let mut fixed = HashSet::new();
    for (code, value) in &country.known.import {
        if let Some(at) = catalogue.find(code) {
            import[at] = *value;
            fixed.insert(at);
        }
    }
    let taken: f64 = import.iter().sum();
    let weight = |at: usize| {
        catalogue.products[at].world * (0.7 * noise::bell("import", &[country.key(), at as u64])).exp()
    };
    let open = (0..import.len()).filter(|at| !fixed.contains(at)).map(|at| (at, weight(at))).collect();
    // No generated value exceeds the third largest known one.
    let known: Vec<f64> = import.iter().copied().filter(|value| *value > 0.0).collect();
    let cap = below(known.iter(), 2.min(known.len().saturating_sub(1))).unwrap_or(country.imports);
    allocate(&mut import, open, country.imports - taken, cap);
    import.iter_mut().for_each(|value| *value = value.round());
    import
}

/// A country's values by product in an earlier year, not yet scaled to that year's total. Each value of the newest year
/// drifts back along its own path.
pub(crate) fn earlier(newest: &[f64], country: &Country, back: u32) -> Vec<f64> {
    /// The number of years over which baskets drift. Nothing is known of earlier years.
    const FARTHEST: u32 = 29;
    let (drifts, wobbles) = (Draws::of("drift", &[country.key()]), Draws::of("wobble", &[country.key()]));
    let far = f64::from(back.min(FARTHEST));
    let path = |(at, value): (usize, &f64)| {
        if back == 0 || *value == 0.0 {
            return *value;
        }
        let drift = 0.035 * drifts.with(at as u64).bell();
        let wobble = 0.08 * wobbles.with(at as u64).with(u64::from(back)).bell();
        value * (-drift * far + wobble).exp()
    };
    newest.iter().enumerate().map(path).collect()
}
