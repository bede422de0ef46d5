//! The distribution of a country's figures over its products: deciles and the like.

use super::super::value::Value;
use super::{ExploreRoot, class_of, country_id};
use apollo_compiler::resolvers::ResolveInfo;

impl ExploreRoot {
    pub(super) fn thresholds(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let listing = self.listing(class_of(info))?;
        let mut rows = Vec::new();
        for country in self.traders(info) {
            for year in self.years(info, listing.class.since()) {
                let figures = self.figures(country, year, listing)?;
                for (variable, values) in [
                    ("normalized_cog", &figures.normalized.gain),
                    ("normalized_distance", &figures.normalized.distance),
                    ("normalized_pci", &figures.normalized.pci),
                    ("distance", &figures.distance),
                ] {
                    let mut sorted: Vec<f64> = values.iter().flatten().copied().collect();
                    sorted.sort_by(f64::total_cmp);
                    let mut own = vec![
                        ("countryId", country_id(country.place.m49)),
                        ("year", Value::int(year)),
                        ("variable", variable.into()),
                    ];
                    own.extend(summary(&sorted));
                    rows.push(Value::object("CountryYearThresholds", own));
                }
            }
        }
        Ok(Value::List(rows))
    }
}

fn summary(sorted: &[f64]) -> Vec<(&'static str, Value)> {
    const PARTS: [(&str, f64); 14] = [
        ("min", 0.0),
        ("percentile10", 0.1),
        ("percentile20", 0.2),
        ("percentile25", 0.25),
        ("percentile30", 0.3),
        ("percentile40", 0.4),
        ("percentile50", 0.5),
        ("median", 0.5),
        ("percentile60", 0.6),
        ("percentile70", 0.7),
        ("percentile75", 0.75),
        ("percentile80", 0.8),
        ("percentile90", 0.9),
        ("max", 1.0),
    ];
    let count = sorted.len().max(1) as f64;
    let mean = sorted.iter().sum::<f64>() / count;
    let deviation = (sorted.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt();
    let at = |part: f64| sorted.get(((sorted.len().max(1) - 1) as f64 * part).round() as usize).copied();
    let mut own: Vec<(&'static str, Value)> =
        PARTS.iter().map(|(name, part)| (*name, at(*part).into())).collect();
    own.push(("mean", mean.into()));
    own.push(("std", deviation.into()));
    own
}
