//! Allocates a total by weight under a cap. What exceeds the cap at one place goes to the others.

/// Adds to `values` at the places of `open` (place, weight) until `total` is used up or all are at `cap`. Returns the
/// rest.
pub(crate) fn allocate(values: &mut [f64], open: Vec<(usize, f64)>, total: f64, cap: f64) -> f64 {
    let mut open: Vec<(usize, f64)> = open.into_iter().filter(|(_, weight)| *weight > 0.0).collect();
    let mut left = total;
    while left > 0.5 && !open.is_empty() {
        let weights: f64 = open.iter().map(|(_, weight)| weight).sum();
        let round = left;
        for (at, weight) in &open {
            let value = (round * weight / weights).min((cap - values[*at]).max(0.0));
            values[*at] += value;
            left -= value;
        }
        open.retain(|(at, _)| values[*at] < cap * 0.999_999);
    }
    left
}

/// Slightly less than the known value in place `before` (from 0), as a ceiling for generated values.
pub(crate) fn below<'a>(known: impl Iterator<Item = &'a f64>, before: usize) -> Option<f64> {
    let mut known: Vec<f64> = known.copied().collect();
    known.sort_by(|a, b| b.total_cmp(a));
    known.get(before).map(|value| value * 0.93)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_full_place_cannot_take_goes_to_the_others() {
        let mut values = [0.0, 0.0, 50.0];
        assert_eq!(allocate(&mut values, vec![(0, 3.0), (1, 1.0)], 100.0, 60.0).round().to_string(), "0");
        assert_eq!(values.map(f64::round), [60.0, 40.0, 50.0]);
        assert_eq!(allocate(&mut [0.0], vec![(0, 1.0)], 100.0, 60.0).to_string(), "40");
    }
}
