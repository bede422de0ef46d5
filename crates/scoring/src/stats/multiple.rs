//! Adjusts p-values for multiple tests.

/// Adjusts p-values for multiple testing (Holm 1979), in their given order. A test is significant at level α if its adjusted
/// value is at most α; the chance of any false alarm is then at most α.
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut so_far: f64 = 0.0;
    for (rank, place) in order.into_iter().enumerate() {
        so_far = so_far.max((p_values.len() - rank) as f64 * p_values[place]).min(1.0);
        adjusted[place] = so_far;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holms_correction() {
        // statsmodels 0.15.0: multipletests(p, method="holm")[1]
        for (p_values, golden) in [
            (&[0.01, 0.04, 0.03, 0.005, 0.2][..], &[0.04, 0.09, 0.09, 0.025, 0.2][..]),
            (&[0.9, 0.8, 0.02], &[1.0, 1.0, 0.06]),
            (&[], &[]),
        ] {
            let ours = holm(p_values);
            assert_eq!(ours.len(), golden.len());
            assert!(ours.iter().zip(golden).all(|(ours, golden)| (ours - golden).abs() < 1e-12), "{ours:?}");
        }
    }
}
