//! The relation of products to countries: distance, opportunity gain, their normalized forms and deciles, and the edges
//! of the product space.

use super::catalogue::Catalogue;
use super::country::Country;
use super::noise;
use super::trade::{Basket, LEADERS};

/// Complexity figures of a country by four-digit product; `None` if the site has none.
#[derive(Debug, Clone)]
pub(crate) struct Complexity {
    pub distance: Vec<Option<f64>>,
    pub gain: Vec<Option<f64>>,
    /// Z-scores within the country. The sign of the distance is flipped, so larger is nearer.
    pub normalized_distance: Vec<Option<f64>>,
    pub normalized_gain: Vec<Option<f64>>,
    pub normalized_pci: Vec<Option<f64>>,
}

/// Names of deciles, lowest first.
pub(crate) const DECILES: [&str; 10] =
    ["Last", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Top"];

/// Computes complexity: distance falls with what the country makes in the same group, gain rises with complexity.
pub(crate) fn complexity(catalogue: &Catalogue, country: &Country, basket: &Basket) -> Complexity {
    let goods = catalogue.goods();
    let mut made = vec![(0.0, 0.0); catalogue.groups.len()];
    for at in 0..goods {
        if let Some(group) = catalogue.products[at].group {
            made[group].1 += 1.0;
            if basket.rca[at] >= 1.0 {
                made[group].0 += 1.0;
            }
        }
    }
    let nearness = |at: usize| {
        let product = &catalogue.products[at];
        let key = [country.key(), at as u64];
        if LEADERS.contains(&product.code.as_str()) {
            return 0.1;
        }
        let group = product.group.map_or(0.0, |group| made[group].0 / made[group].1);
        let wanted = product.group.and_then(|group| {
            country.known.near.iter().position(|code| *code == catalogue.groups[group].code)
        });
        // In a large group, a smaller bonus suffices to lead the list of opportunities.
        let large = product.group.is_some_and(|group| made[group].1 > 40.0);
        let bonus = match (wanted, large) {
            (Some(0), false) => 0.27,
            (Some(_), false) => 0.23,
            (Some(0), true) => 0.05,
            (Some(_), true) => 0.075,
            (None, _) => 0.0,
        };
        0.12 * group + 0.03 * noise::bell("distance", &key) + bonus
            - 0.02 * (product.latent_pci - country.eci).abs()
    };
    let shown = |at: usize| at < goods && catalogue.products[at].pci().is_some();
    let base = 0.9 - (country.diversity as f64 / 486.0) * 0.09;
    let distance: Vec<Option<f64>> = (0..catalogue.products.len())
        .map(|at| (at < goods).then(|| (base - nearness(at) * 0.5).clamp(0.42, 0.985)))
        .collect();
    let gain: Vec<Option<f64>> = (0..catalogue.products.len())
        .map(|at| {
            let product = &catalogue.products[at];
            let lead = LEADERS
                .iter()
                .position(|code| *code == product.code)
                .map_or(0.0, |at| 4.4 - 0.25 * at as f64);
            shown(at).then(|| {
                lead + 0.22 * product.latent_pci
                    + 0.14 * noise::bell("gain", &[country.key(), at as u64])
                    + 0.2
            })
        })
        .collect();
    let pci: Vec<Option<f64>> = catalogue.products.iter().map(|product| product.pci()).collect();
    let flipped: Vec<Option<f64>> = distance.iter().map(|value| value.map(|value| -value)).collect();
    Complexity {
        normalized_distance: z_scores(&flipped),
        normalized_gain: z_scores(&gain),
        normalized_pci: z_scores(&pci),
        distance,
        gain,
    }
}

/// Z-scores of the existing values.
pub(crate) fn z_scores(values: &[Option<f64>]) -> Vec<Option<f64>> {
    let known: Vec<f64> = values.iter().flatten().copied().collect();
    let count = known.len().max(1) as f64;
    let mean = known.iter().sum::<f64>() / count;
    let deviation = (known.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt();
    values.iter().map(|value| value.map(|value| (value - mean) / deviation)).collect()
}

/// The deciles of the values that `counts` admits; `None` for the others.
pub(crate) fn deciles(values: &[Option<f64>], counts: impl Fn(usize) -> bool) -> Vec<Option<&'static str>> {
    let mut order: Vec<(usize, f64)> = values
        .iter()
        .enumerate()
        .filter(|(at, _)| counts(*at))
        .filter_map(|(at, value)| value.map(|value| (at, value)))
        .collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    let mut deciles = vec![None; values.len()];
    for (nth, (at, _)) in order.iter().enumerate() {
        deciles[*at] = Some(DECILES[nth * 10 / order.len()]);
    }
    deciles
}

/// The edges of the product space: each product's nearest neighbours, with a strength of 0.48 to 0.93.
pub(crate) fn edges(catalogue: &Catalogue) -> Vec<Vec<(usize, f64)>> {
    const NEIGHBOURS: usize = 5;
    let placed: Vec<(usize, (f64, f64))> =
        catalogue.products.iter().enumerate().filter_map(|(at, product)| Some((at, product.at?))).collect();
    let mut edges = vec![Vec::new(); catalogue.products.len()];
    for (at, (x, y)) in &placed {
        let mut near: Vec<(usize, f64)> = placed
            .iter()
            .filter(|(other, _)| other != at)
            .map(|(other, (u, v))| (*other, (x - u).hypot(y - v)))
            .collect();
        near.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        edges[*at] = near
            .into_iter()
            .take(NEIGHBOURS)
            .map(|(other, far)| (other, 0.48 + 0.45 * (-4.0 * far).exp()))
            .collect();
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deciles_split_what_counts_into_ten_parts() {
        let values: Vec<Option<f64>> = (0..21).map(|n| (n != 20).then_some(f64::from(n))).collect();
        let deciles = deciles(&values, |_| true);
        assert_eq!(
            (deciles[0], deciles[1], deciles[19], deciles[20]),
            (Some("Last"), Some("Last"), Some("Top"), None)
        );
    }
}
