//! Cached trade data: of a country with each partner, of a group, and of the world.

/// The share of goods in imports.
pub(crate) const GOODS_OF_IMPORTS: f64 = 0.82;

/// Goods trade with one partner in the newest year, dollars.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Partner {
    pub m49: u32,
    pub export: f64,
    pub import: f64,
}

/// Exports and imports by four-digit product, dollars.
#[derive(Debug)]
pub(crate) struct Flows {
    pub export: Vec<f64>,
    pub import: Vec<f64>,
}

impl Flows {
    pub(super) fn none(products: usize) -> Self {
        let blank = vec![0.0; products];
        Self { export: blank.clone(), import: blank }
    }

    pub(super) fn add(&mut self, other: &Self, scale: f64) {
        for (sums, values) in [(&mut self.export, &other.export), (&mut self.import, &other.import)] {
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value * scale);
        }
    }
}

/// Sums over all places, and the goods in each place's exports.
#[derive(Debug)]
pub(crate) struct Totals {
    /// Exports by four-digit product.
    pub export: Vec<f64>,
    /// Imports by four-digit product.
    pub import: Vec<f64>,
    /// Goods exports by place, in the order of [`World::traders`].
    pub goods: Vec<f64>,
    /// Goods exports without mineral fuels and oils (chapter 27), by place.
    pub non_oil: Vec<f64>,
}
