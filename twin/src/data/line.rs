//! A product of a class: its name, its place in the classification, and the goods of HS 1992 that it consists of.

use super::catalogue::Product;

/// A product's part of a four-digit product of the catalogue.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    /// Index into [`Catalogue::products`].
    pub at: usize,
    /// The share that belongs to the product, 0 to 1.
    pub share: f64,
    /// The ratio of the class's values to those in HS 1992.
    pub factor: f64,
}

/// A product of a class.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub id: u32,
    pub code: String,
    pub short: String,
    pub long: String,
    /// Index into [`Catalogue::sectors`].
    pub sector: usize,
    /// Index into the level above.
    pub parent: Option<usize>,
    pub service: bool,
    pub parts: Vec<Part>,
}

impl Line {
    /// The sum of values by four-digit product over its parts, converted to the class.
    pub(crate) fn sum(&self, values: &[f64]) -> f64 {
        self.parts.iter().map(|part| values[part.at] * part.share * part.factor).sum()
    }

    /// The sum in HS 1992 terms. Values between two countries are the same in all classes.
    pub(crate) fn plain_sum(&self, values: &[f64]) -> f64 {
        self.parts.iter().map(|part| values[part.at] * part.share).sum()
    }

    /// The weighted mean of the existing values.
    pub(crate) fn mean(&self, values: &[Option<f64>], weight: impl Fn(usize) -> f64) -> Option<f64> {
        let known =
            self.parts.iter().filter_map(|part| Some((values[part.at]?, part.share * weight(part.at))));
        let (sum, weights) =
            known.fold((0.0, 0.0), |(sum, all), (value, weight)| (sum + value * weight, all + weight));
        (weights > 0.0).then(|| sum / weights)
    }
}

/// A product of the catalogue as a line.
pub(super) fn line(product: &Product, id: u32, parts: Vec<Part>) -> Line {
    Line {
        id,
        code: product.code.clone(),
        short: product.short.clone(),
        long: product.long.clone(),
        sector: product.sector,
        parent: product.group,
        service: product.service,
        parts,
    }
}
