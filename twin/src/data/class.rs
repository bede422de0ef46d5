//! Product classes of the Explore API: their years, headings and ids, and how their values differ.

use super::catalogue::Catalogue;
use super::{noise, separated};
use std::collections::HashMap;

/// A class of goods.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumString, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum Class {
    Hs92,
    Hs12,
    Hs22,
    Sitc,
}

impl Class {
    pub(crate) const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    pub(crate) fn name(self) -> &'static str {
        self.into()
    }

    /// The first year with data.
    pub(crate) const fn since(self) -> i32 {
        match self {
            Self::Hs92 => 1995,
            Self::Hs12 => 2012,
            Self::Hs22 => 2022,
            Self::Sitc => 1962,
        }
    }
}

/// The ids of an HS class by four-digit product of the catalogue; `None` if it lacks the heading. SITC has its own
/// headings, see [`super::sitc`].
pub(crate) fn ids(catalogue: &Catalogue, class: Class) -> Result<Vec<Option<u32>>, String> {
    match class {
        Class::Hs92 => Ok(catalogue.products.iter().map(|product| Some(product.id)).collect()),
        // Services are the same in all classes.
        Class::Sitc => {
            Ok(catalogue.products.iter().map(|product| product.service.then_some(product.id)).collect())
        }
        Class::Hs12 | Class::Hs22 => later_ids(catalogue),
    }
}

/// Ids of HS 2012 (also used for 2022, whose changes are unknown): position of the heading plus 650.
fn later_ids(catalogue: &Catalogue) -> Result<Vec<Option<u32>>, String> {
    let changed: Vec<(String, String)> = separated::rows("hs12.psv", include_str!("hs12.psv"))?;
    let changed: HashMap<String, String> = changed.into_iter().collect();
    let mut by_code = HashMap::new();
    let mut next = 650;
    for group in catalogue.groups.iter().filter(|group| !group.service) {
        let codes: Vec<String> = match changed.get(&group.code) {
            Some(ranges) => {
                separated::codes(&group.code, ranges).ok_or_else(|| format!("hs12.psv: {}", group.code))?
            }
            None => catalogue
                .products
                .iter()
                .filter(|product| product.group.is_some_and(|at| catalogue.groups[at].code == group.code))
                .map(|product| product.code.clone())
                .collect(),
        };
        for code in codes {
            by_code.insert(code, next);
            next += 1;
        }
    }
    Ok(catalogue
        .products
        .iter()
        .map(|product| if product.service { Some(product.id) } else { by_code.get(&product.code).copied() })
        .collect())
}

/// The ratio of a product's values in a class to those in HS 1992, if known; otherwise a small random deviation.
pub(crate) fn factor(
    catalogue: &Catalogue,
    class: Class,
    product: usize,
    known: &HashMap<String, f64>,
) -> f64 {
    let product = &catalogue.products[product];
    if class == Class::Hs92 || product.service {
        return 1.0;
    }
    known.get(&product.code).map_or_else(
        || 1.0 + 0.012 * noise::bell("class", &[u64::from(product.id)]).clamp(-2.5, 2.5),
        |value| value / product.world,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_ids_follow_their_own_list() {
        let catalogue = Catalogue::read(29_349_810_077_963.0, &HashMap::new()).unwrap();
        let ids = ids(&catalogue, Class::Hs12).unwrap();
        for (code, id) in [("0901", 725), ("2601", 876), ("2710", 906)] {
            assert_eq!(ids[catalogue.find(code).unwrap()], Some(id), "{code}");
        }
        assert_eq!(ids[catalogue.find("0503").unwrap()], None);
    }
}
