//! Two values in each other's place: each is what the other's response rounds to.

use std::collections::BTreeMap;

use super::compiled::Finder;
use super::form::Read;
use super::reading::{Scene, agreement};
use super::response::Behind;

/// Stats by index of their point that stand in another's place, with what is in place of what.
pub(super) fn find(scene: &Scene<'_>) -> BTreeMap<usize, String> {
    let points = &scene.extractor.spec.points;
    let odd: Vec<(usize, Read, Behind)> = (0..points.len())
        .filter(|&index| matches!(scene.extractor.finders[index], Finder::Stat { .. }))
        .filter_map(|index| {
            let point = &points[index];
            let honest = point.response.as_ref()?.honest.is_some();
            let behind = scene.behind(point)?;
            let first = scene.candidates(index).ok()?.first()?;
            let disagrees = agreement(point, &first.read, Some(&behind)) == Some(false);
            (disagrees && !honest).then(|| (index, first.read.clone(), behind))
        })
        .collect();
    let mut swaps = BTreeMap::new();
    for (a, read_a, behind_a) in &odd {
        for (b, read_b, behind_b) in odd.iter().filter(|(b, ..)| b != a) {
            let crossed = agreement(&points[*a], read_a, Some(behind_b)) == Some(true)
                && agreement(&points[*b], read_b, Some(behind_a)) == Some(true);
            if crossed {
                swaps.insert(*a, format!("{} shows the value of {}", points[*a].metric, points[*b].metric));
            }
        }
    }
    swaps
}
