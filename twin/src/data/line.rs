//! A product of a class: what it is called, where it belongs, and which goods of HS 1992 it is made of.

use super::catalogue::Product;

/// What a product takes of a four-digit product of the catalogue.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    /// Index into [`Catalogue::products`].
    pub at: usize,
    /// The part of it, 0 to 1.
    pub share: f64,
    /// By how much its values differ in this class.
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
    /// Sum of its parts of values by four-digit product, brought to the class.
    pub(crate) fn sum(&self, values: &[f64]) -> f64 {
        self.parts.iter().map(|part| values[part.at] * part.share * part.factor).sum()
    }

    /// The same as HS 1992 has it: values between two countries are alike in all classes.
    pub(crate) fn plain_sum(&self, values: &[f64]) -> f64 {
        self.parts.iter().map(|part| values[part.at] * part.share).sum()
    }

    /// Mean of the values that are there, weighted.
    pub(crate) fn mean(&self, values: &[Option<f64>], weight: impl Fn(usize) -> f64) -> Option<f64> {
        let known =
            self.parts.iter().filter_map(|part| Some((values[part.at]?, part.share * weight(part.at))));
        let (sum, weights) =
            known.fold((0.0, 0.0), |(sum, all), (value, weight)| (sum + value * weight, all + weight));
        (weights > 0.0).then(|| sum / weights)
    }
}

/// A product as the catalogue has it.
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
