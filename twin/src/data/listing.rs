//! The products of a class by level (sectors, two, four and six digits), with the goods of HS 1992 they consist of. All
//! classes take their values from those goods, so they agree.

use super::catalogue::Catalogue;
use super::class::{self, Class};
use super::line::{Line, Part, line};
use super::{sitc, six_digits};
use std::collections::HashMap;

/// All products of a class.
#[derive(Debug)]
pub(crate) struct Listing {
    pub class: Class,
    pub sectors: Vec<Line>,
    pub groups: Vec<Line>,
    pub headings: Vec<Line>,
    /// Empty for SITC, which has only four digits here.
    pub six_digits: Vec<Line>,
}

impl Listing {
    /// Builds the lists. `known` has world exports in later classes. Errors name the data file.
    pub(crate) fn read(
        catalogue: &Catalogue,
        class: Class,
        known: &HashMap<String, f64>,
    ) -> Result<Self, String> {
        let (mut groups, headings) = match class {
            Class::Sitc => sitc::read(catalogue)?,
            _ => harmonized(catalogue, class, known)?,
        };
        for (at, group) in groups.iter_mut().enumerate() {
            group.parts = gather(headings.iter().filter(|line| line.parent == Some(at)));
        }
        let sectors = catalogue.sectors.iter().enumerate().map(|(at, sector)| {
            let service = sector.key == "services";
            Line {
                id: at as u32 + 1,
                code: if service { sector.key.clone() } else { (at + 1).to_string() },
                short: sector.name.clone(),
                long: sector.long.clone(),
                sector: at,
                parent: None,
                service,
                parts: gather(headings.iter().filter(|line| line.sector == at)),
            }
        });
        let sectors = sectors.collect();
        let six_digits = if class == Class::Sitc { Vec::new() } else { six_digits::split(&headings) };
        Ok(Self { class, sectors, groups, headings, six_digits })
    }

    /// The products of a level; empty if the class lacks it.
    pub(crate) fn level(&self, level: i32) -> &[Line] {
        match level {
            1 => &self.sectors,
            2 => &self.groups,
            4 => &self.headings,
            6 => &self.six_digits,
            _ => &[],
        }
    }
}

fn gather<'a>(lines: impl Iterator<Item = &'a Line>) -> Vec<Part> {
    lines.flat_map(|line| line.parts.iter().copied()).collect()
}

fn harmonized(
    catalogue: &Catalogue,
    class: Class,
    known: &HashMap<String, f64>,
) -> Result<(Vec<Line>, Vec<Line>), String> {
    let groups = catalogue.groups.iter().map(|group| {
        let parent = Some(group.sector);
        Line { parent, ..line(group, group.id, Vec::new()) }
    });
    let ids = class::ids(catalogue, class)?;
    let headings = ids.iter().enumerate().filter_map(|(at, id)| {
        let factor = class::factor(catalogue, class, at, known);
        Some(line(&catalogue.products[at], (*id)?, vec![Part { at, share: 1.0, factor }]))
    });
    Ok((groups.collect(), headings.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(class: Class) -> (Catalogue, Listing) {
        let catalogue = Catalogue::read(29_349_810_077_963.0, &HashMap::new()).unwrap();
        let listing = Listing::read(&catalogue, class, &HashMap::new()).unwrap();
        (catalogue, listing)
    }

    #[test]
    fn every_level_of_a_class_holds_the_same_trade() {
        for &class in Class::ALL {
            let (catalogue, listing) = listing(class);
            let values: Vec<f64> = catalogue.products.iter().map(|product| product.world).collect();
            let total = |lines: &[Line]| lines.iter().map(|line| line.sum(&values)).sum::<f64>();
            let four = total(&listing.headings);
            for level in [1, 2, 6] {
                if !listing.level(level).is_empty() {
                    let other = total(listing.level(level));
                    assert!((other / four - 1.0).abs() < 1e-12, "{class:?} {level}: {other} {four}");
                }
            }
        }
    }

    #[test]
    fn sitc_shares_out_all_goods_of_the_harmonized_system() {
        let (catalogue, listing) = listing(Class::Sitc);
        let mut shares = vec![0.0; catalogue.products.len()];
        for part in listing.headings.iter().flat_map(|line| &line.parts) {
            shares[part.at] += part.share;
        }
        for (product, share) in catalogue.products.iter().zip(&shares) {
            assert!((share - 1.0).abs() < 1e-9, "{}: {share}", product.code);
        }
        // Nothing in the Harmonized System stands for postal packages.
        let empty: Vec<&str> =
            listing.headings.iter().filter(|l| l.parts.is_empty()).map(|l| l.code.as_str()).collect();
        assert_eq!(empty, ["9110"]);
    }

    #[test]
    fn ids_follow_positions() {
        let (_, sitc) = listing(Class::Sitc);
        let id = |code: &str| sitc.headings.iter().find(|line| line.code == code).map(|line| line.id);
        assert_eq!((sitc.headings.len(), sitc.headings[0].code.as_str()), (793, "0011"));
        assert_eq!((id("0011"), id("ZZZZ"), id("ict")), (Some(650), Some(1437), Some(4003)));
        let (_, hs) = listing(Class::Hs92);
        assert_eq!(
            (hs.headings.len(), hs.six_digits[0].id, &hs.six_digits[0].code[..4]),
            (1248, 5000, "0101")
        );
    }
}
