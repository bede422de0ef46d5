//! RCA and complexity of a country by four-digit product of a class. For the Harmonized System they come directly from
//! the catalogue, for SITC from the goods in each heading.

use super::ExploreRoot;
use crate::data::class::Class;
use crate::data::country::Country;
use crate::data::line::Line;
use crate::data::listing::Listing;
use crate::data::space::z_scores;

type Column = Vec<Option<f64>>;

/// Z-scores within one country and year.
pub(super) struct Scores {
    pub pci: Column,
    pub gain: Column,
    pub distance: Column,
    pub rca: Column,
}

/// Figures by heading; `None` for services.
pub(super) struct Figures {
    pub rca: Column,
    pub distance: Column,
    pub gain: Column,
    pub normalized: Scores,
    /// Over the products with RCA below 1.
    pub below_one: Scores,
}

impl ExploreRoot {
    pub(super) fn figures(&self, country: &Country, year: i32, listing: &Listing) -> Result<Figures, String> {
        let economy = self.world.economy(country)?;
        let complexity = &economy.complexity;
        let catalogue = &self.world.catalogue;
        let products = &catalogue.products;
        let rca: Column =
            economy.basket.rca.iter().zip(products).map(|(rca, p)| (!p.service).then_some(*rca)).collect();
        let normalized = Scores {
            pci: complexity.normalized_pci.clone(),
            gain: complexity.normalized_gain.clone(),
            distance: complexity.normalized_distance.clone(),
            rca: z_scores(&rca),
        };
        if listing.class != Class::Sitc {
            // Scores are computed over all goods of HS 1992. A class selects its own headings.
            let below_one = normalized.below_one(&rca);
            let pick = |column: &Column| -> Column {
                listing.headings.iter().map(|line| column[line.parts[0].at]).collect()
            };
            return Ok(Figures {
                distance: pick(&complexity.distance),
                gain: pick(&complexity.gain),
                normalized: normalized.map(pick),
                below_one: below_one.map(pick),
                rca: pick(&rca),
            });
        }
        let mean = |column: &Column| -> Column {
            let of = |line: &Line| line.mean(column, |at| products[at].world);
            listing.headings.iter().map(|line| if line.service { None } else { of(line) }).collect()
        };
        let pci: Column = mean(&products.iter().map(|product| product.pci()).collect());
        let (distance, gain) = (mean(&complexity.distance), mean(&complexity.gain));
        let rca = self.rca(country, year, listing)?;
        let flipped: Column = distance.iter().map(|value| value.map(|value| -value)).collect();
        let normalized = Scores {
            pci: z_scores(&pci),
            gain: z_scores(&gain),
            distance: z_scores(&flipped),
            rca: z_scores(&rca),
        };
        Ok(Figures { below_one: normalized.below_one(&rca), rca, distance, gain, normalized })
    }

    /// Revealed comparative advantage among goods: a product's share in the country's exports, divided by its share in
    /// world exports.
    fn rca(&self, country: &Country, year: i32, listing: &Listing) -> Result<Column, String> {
        let own = self.world.exports_by_product(country, year)?;
        let world = self.world.totals(year)?;
        let goods = || listing.headings.iter().filter(|line| !line.service);
        let own_all: f64 = goods().map(|line| line.sum(&own)).sum();
        let world_all: f64 = goods().map(|line| line.sum(&world.export)).sum();
        let rca = |line: &Line| {
            let share = line.sum(&world.export) / world_all;
            (!line.service && share > 0.0).then(|| line.sum(&own) / own_all / share)
        };
        Ok(listing.headings.iter().map(rca).collect())
    }
}

impl Scores {
    fn map(self, with: impl Fn(&Column) -> Column) -> Self {
        let Self { pci, gain, distance, rca } = self;
        Self { pci: with(&pci), gain: with(&gain), distance: with(&distance), rca: with(&rca) }
    }

    /// Scores over the products with RCA below 1. A product without RCA counts as not exported.
    fn below_one(&self, rca: &Column) -> Self {
        let weak = |column: &Column| {
            let open = |at: usize| rca[at].is_none_or(|rca| rca < 1.0);
            let kept = column.iter().enumerate().map(|(at, value)| value.filter(|_| open(at)));
            z_scores(&kept.collect::<Column>())
        };
        let Self { pci, gain, distance, rca } = self;
        Self { pci: weak(pci), gain: weak(gain), distance: weak(distance), rca: weak(rca) }
    }
}
