//! How far two judges agree beyond chance: Cohen's kappa, with the base rates that it depends on.

use std::collections::BTreeMap;

use serde::Serialize;

use super::distribution::normal_quantile;
use super::mean::{Bounds, CONFIDENCE};

/// How often a category was given.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CategoryRate {
    /// The category.
    pub category: String,
    /// Share of the first judge's verdicts.
    pub first: f64,
    /// Share of the second judge's verdicts.
    pub second: f64,
}

/// The agreement of two judges.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    /// Items that both judged.
    pub n: u64,
    /// Share on which they agree.
    pub observed: f64,
    /// Share on which judges with these base rates agree by chance.
    pub expected: f64,
    /// (observed − expected) / (1 − expected); nothing when chance alone explains everything.
    pub kappa: Option<f64>,
    /// Its standard error.
    pub standard_error: Option<f64>,
    /// Its 95 % interval.
    pub interval: Option<Bounds>,
    /// Base rates, by category: a kappa means little where one category is rare.
    pub base_rates: Vec<CategoryRate>,
}

/// Cohen's kappa (Cohen 1960) with the large-sample standard error of Fleiss, Cohen and Everitt (1969,
/// equation 13). `None` without items.
#[must_use]
pub fn cohens_kappa<'a>(verdicts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Option<Agreement> {
    let mut cells: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    let mut rates: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    let mut n = 0_u64;
    for (first, second) in verdicts {
        *cells.entry((first, second)).or_default() += 1;
        rates.entry(first).or_default().0 += 1.0;
        rates.entry(second).or_default().1 += 1.0;
        n += 1;
    }
    if n == 0 {
        return None;
    }
    let all = n as f64;
    for (first, second) in rates.values_mut() {
        *first /= all;
        *second /= all;
    }
    let cell =
        |first: &str, second: &str| cells.get(&(first, second)).map_or(0.0, |count| *count as f64 / all);
    let observed: f64 = rates.keys().map(|category| cell(category, category)).sum();
    let expected: f64 = rates.values().map(|(first, second)| first * second).sum();
    let chance_left = 1.0 - expected;
    let kappa = (chance_left > 1e-12).then(|| (observed - expected) / chance_left);
    let standard_error = kappa.map(|kappa| {
        let on: f64 = rates
            .iter()
            .map(|(category, (first, second))| {
                cell(category, category) * (1.0 - (first + second) * (1.0 - kappa)).powi(2)
            })
            .sum();
        let off: f64 = cells
            .iter()
            .filter(|((first, second), _)| first != second)
            .map(|((first, second), count)| {
                let of_second = rates.get(first).map_or(0.0, |rate| rate.1);
                let of_first = rates.get(second).map_or(0.0, |rate| rate.0);
                *count as f64 / all * (of_second + of_first).powi(2)
            })
            .sum();
        let rest = (kappa - expected * (1.0 - kappa)).powi(2);
        ((on + (1.0 - kappa).powi(2) * off - rest).max(0.0) / (all * chance_left * chance_left)).sqrt()
    });
    let z = normal_quantile(0.5 + CONFIDENCE / 2.0);
    Some(Agreement {
        n,
        observed,
        expected,
        kappa,
        standard_error,
        interval: kappa
            .zip(standard_error)
            .map(|(kappa, error)| Bounds { low: kappa - z * error, high: kappa + z * error }),
        base_rates: rates
            .into_iter()
            .map(|(category, (first, second))| CategoryRate { category: category.to_owned(), first, second })
            .collect(),
    })
}
