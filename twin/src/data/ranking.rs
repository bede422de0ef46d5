//! Completes rankings with some known places, and interpolates values along ranks.

use std::collections::BTreeMap;

/// Ranks 1..=n for n items. Known items keep their rank; the others fill the free ranks by descending `score`.
pub(crate) fn fill(known: &[Option<usize>], score: &[f64]) -> Vec<usize> {
    let taken: std::collections::HashSet<usize> = known.iter().flatten().copied().collect();
    let mut free = (1..=known.len()).filter(|rank| !taken.contains(rank));
    let mut order: Vec<usize> = (0..known.len()).filter(|at| known[*at].is_none()).collect();
    order.sort_by(|a, b| score[*b].total_cmp(&score[*a]).then(a.cmp(b)));
    let mut ranks: Vec<usize> = known.iter().map(|rank| rank.unwrap_or(0)).collect();
    for (at, rank) in order.into_iter().zip(&mut free) {
        ranks[at] = rank;
    }
    ranks
}

/// The value at a rank (or year), interpolated linearly between anchors; beyond the ends, the nearest anchor's.
pub(crate) fn along(anchors: &BTreeMap<usize, f64>, at: usize) -> f64 {
    let below = anchors.range(..=at).next_back();
    let above = anchors.range(at..).next();
    match (below, above) {
        (Some((x0, y0)), Some((x1, _))) if x0 == x1 => *y0,
        (Some((x0, y0)), Some((x1, y1))) => {
            let part = (at - x0) as f64 / (x1 - x0) as f64;
            y0 + (y1 - y0) * part
        }
        (Some((_, y)), None) | (None, Some((_, y))) => *y,
        (None, None) => 0.0,
    }
}

/// Interpolates exponentially. Anchors must be positive.
pub(crate) fn along_log(anchors: &BTreeMap<usize, f64>, at: usize) -> f64 {
    along(&anchors.iter().map(|(x, y)| (*x, y.ln())).collect(), at).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_places_stay_and_the_rest_follows_the_score() {
        assert_eq!(fill(&[None, Some(1), None, None], &[5.0, 0.0, 9.0, 7.0]), [4, 1, 2, 3]);
    }

    #[test]
    fn values_lie_on_lines_between_anchors() {
        let anchors = BTreeMap::from([(1, 10.0), (5, 2.0)]);
        assert_eq!(along(&anchors, 1).to_string(), "10");
        assert_eq!(along(&anchors, 3).to_string(), "6");
        assert_eq!(along(&anchors, 9).to_string(), "2");
    }
}
