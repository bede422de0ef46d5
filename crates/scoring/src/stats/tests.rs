//! Golden values, computed with SciPy 1.17.1 and statsmodels 0.15.0; the call stands beside each.

use proptest::prelude::*;

use super::distribution::{normal_quantile, student_t_quantile};
use super::percentile::percentile;
use super::*;

fn close(ours: f64, golden: f64) {
    let scale = golden.abs().max(1.0);
    assert!((ours - golden).abs() <= 1e-9 * scale, "{ours} is not {golden}");
}

const SCORES: [f64; 8] = [0.75, 0.9, 0.333, 1.0, 0.7375, 0.5, 0.82, 0.61];

#[test]
fn student_t_quantiles() {
    // scipy.stats.t.ppf(p, df)
    for (p, df, golden) in [
        (0.975, 1.0, 12.706204736174694),
        (0.975, 2.0, 4.302652729749462),
        (0.975, 7.0, 2.364624251592784),
        (0.975, 245.0, 1.9696939205435462),
        (0.6, 3.5, 0.27326545405577973),
        (0.9999, 10.0, 5.693820101457592),
        (0.01, 5.0, -3.364929998907218),
    ] {
        close(student_t_quantile(p, df), golden);
    }
    assert!(student_t_quantile(0.5, -1.0).is_nan());
}

#[test]
fn normal_quantiles() {
    // scipy.stats.norm.ppf(p)
    for (p, golden) in [
        (0.5, 0.0),
        (0.8, 0.8416212335729143),
        (0.975, 1.959963984540054),
        (0.999999, 4.753424308817087),
        (1e-12, -7.034483825301131),
        (0.08, -1.4050715603096329),
        (1e-300, -37.0470962993612),
    ] {
        close(normal_quantile(p), golden);
    }
    assert!(normal_quantile(1.0).is_infinite());
}

#[test]
fn mean_with_error_and_interval() {
    // numpy.mean, scipy.stats.sem, scipy.stats.t.interval(0.95, 7, loc, scale)
    let estimate = mean(&SCORES).unwrap();
    close(estimate.mean, 0.7063124999999999);
    close(estimate.standard_error.unwrap(), 0.07685520578496943);
    close(estimate.interval.unwrap().low, 0.5245788165397072);
    close(estimate.interval.unwrap().high, 0.8880461834602926);
    assert_eq!(mean(&[]), None);
    assert_eq!(mean(&[0.5]).unwrap().interval, None, "one value says nothing about its spread");
}

#[test]
fn clustered_mean_as_statsmodels() {
    // OLS(scores, ones).fit(cov_type="cluster", cov_kwds={"groups": [0,0,0,1,1,2,2,2]}, use_t=True)
    let groups = ["a", "a", "a", "b", "b", "c", "c", "c"];
    let estimate = clustered_mean(groups.into_iter().zip(SCORES)).unwrap();
    close(estimate.standard_error.unwrap(), 0.06118366594936841);
    assert!((estimate.interval.unwrap().low - 0.44306043).abs() < 1e-8);
    assert!((estimate.interval.unwrap().high - 0.96956457).abs() < 1e-8);
    assert_eq!((estimate.n, estimate.clusters), (8, Some(3)));
    assert_eq!(clustered_mean([("a", 1.0), ("a", 0.0)]).unwrap().standard_error, None);
    assert_eq!(clustered_mean([]), None);
}

#[test]
fn wilson_intervals() {
    // statsmodels.stats.proportion.proportion_confint(k, n, method="wilson")
    for (successes, n, low, high) in [
        (0, 10, 0.0, 0.27753279986288926),
        (3, 10, 0.10779126740630104, 0.6032218525388546),
        (10, 10, 0.7224672001371106, 1.0),
        (147, 246, 0.5352349403168213, 0.6568868965735428),
        (1, 1, 0.2065493143772374, 1.0),
    ] {
        let interval = wilson(successes, n).unwrap().interval;
        close(interval.low, low);
        close(interval.high, high);
    }
    assert_eq!((wilson(0, 0), wilson(3, 2)), (None, None));
}

#[test]
fn exact_mcnemar() {
    // statsmodels.stats.contingency_tables.mcnemar([[10, b], [c, 10]], exact=True).pvalue
    for (b, c, golden) in [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (5, 1, 0.21875),
        (12, 25, 0.04703102743951604),
        (300, 250, 0.036578745549102676),
        (3, 3, 1.0),
        (0, 12, 0.00048828125),
        (9, 10, 1.0),
    ] {
        close(mcnemar_exact(b, c).p_value, golden);
    }
}

#[test]
fn minimum_detectable_differences() {
    // (norm.ppf(.975) + norm.ppf(.8)) * sd / sqrt(n); statsmodels' NormalIndPower().solve_power, which adds the other tail, gives
    // 0.0700392.
    let paired = minimum_detectable_difference(0.25, 100, 0.05, 0.8).unwrap();
    close(paired, 0.07003963045282421);
    assert_eq!(minimum_detectable_difference(0.4, 0, 0.05, 0.8), None);
    assert_eq!(minimum_detectable_difference(f64::NAN, 5, 0.05, 0.8), None);
}

#[test]
fn bootstrap_is_seeded_and_agrees_with_the_t_interval() {
    let pairs: Vec<(f64, f64)> = (0..200)
        .map(|n| (f64::from(n % 7) / 7.0, f64::from(n % 7) / 7.0 + f64::from(n % 5) / 50.0))
        .collect();
    let first = bootstrap_difference(&pairs, 4000, Seed(7)).unwrap();
    assert_eq!(first, bootstrap_difference(&pairs, 4000, Seed(7)).unwrap());
    assert_ne!(first.interval, bootstrap_difference(&pairs, 4000, Seed(8)).unwrap().interval);
    let differences: Vec<f64> = pairs.iter().map(|(a, b)| b - a).collect();
    let exact = mean(&differences).unwrap();
    close(first.difference, exact.mean);
    let (ours, t) = (first.interval, exact.interval.unwrap());
    assert!((ours.low - t.low).abs() < 5e-4 && (ours.high - t.high).abs() < 5e-4, "{ours:?} {t:?}");
    close(first.second_better, 1.0);
    let equal = bootstrap_difference(&[(1.0, 1.0)], 10, Seed(1)).unwrap();
    close(equal.second_better, 0.5);
    assert_eq!(bootstrap_difference(&[], 10, Seed(1)), None);
}

proptest! {
    #[test]
    fn intervals_hold_their_estimate(successes in 0_u64..500, more in 0_u64..500) {
        if let Some(rate) = wilson(successes, successes + more) {
            prop_assert!(0.0 <= rate.interval.low && rate.interval.low <= rate.rate);
            prop_assert!(rate.rate <= rate.interval.high && rate.interval.high <= 1.0);
        }
        let test = mcnemar_exact(successes, more);
        prop_assert!((0.0..=1.0).contains(&test.p_value));
        prop_assert_eq!(test.p_value, mcnemar_exact(more, successes).p_value);
    }
}

#[test]
fn evaluation_strategy_2_latency_by_p50_p95_and_p99() {
    // numpy.percentile([15, 20, 35, 40, 50], [50, 95, 99]), method "linear"
    let mut values = [50.0, 15.0, 40.0, 20.0, 35.0];
    let all = percentiles(&values).unwrap();
    close(all.p50, 35.0);
    close(all.p95, 48.0);
    close(all.p99, 49.6);
    values.sort_by(f64::total_cmp);
    assert_eq!(percentile(&values, 0.0).zip(percentile(&values, 1.0)), Some((15.0, 50.0)));
    assert_eq!(percentiles(&[7.0]).map(|one| (one.n, one.p50, one.p99)), Some((1, 7.0, 7.0)));
    assert!(percentiles(&[]).is_none() && percentiles(&[f64::NAN]).is_none());
}

#[test]
fn evaluation_strategy_8_a_target_is_met_or_missed_by_the_whole_interval() {
    use TargetOutcome::{Met, Missed, NotMeasured, TooFewToTell};
    let outcome = |right, n| Limit::AtLeast(0.9).outcome(wilson(right, n).map(|rate| rate.interval));
    // all of 34 right is 89.8 to 100 %, all of 35 begins at 90.1 %
    assert_eq!([outcome(34, 34), outcome(35, 35)], [TooFewToTell, Met]);
    assert_eq!([outcome(54, 60), outcome(40, 60), outcome(0, 0)], [TooFewToTell, Missed, NotMeasured]);
    // edges are lower-inclusive
    let exact = |limit: Limit, at| limit.outcome_of_exact(Some(at));
    assert_eq!([exact(Limit::AtLeast(0.9), 0.9), exact(Limit::AtLeast(0.9), 0.899)], [Met, Missed]);
    assert_eq!([exact(Limit::Below(0.05), 0.05), exact(Limit::Below(0.05), 0.049)], [Missed, Met]);
}
