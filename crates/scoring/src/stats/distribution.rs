//! The distributions that the intervals need: Student's t through the incomplete beta function, and
//! quantiles of the normal distribution.

/// Natural logarithm of the gamma function for positive arguments, by the Lanczos approximation with
/// g = 7 and nine terms (Press et al., Numerical Recipes, 3rd edition, section 6.1; coefficients after Godfrey).
pub(super) fn ln_gamma(x: f64) -> f64 {
    const TERMS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x < 0.5 {
        // Reflection.
        let sine = (std::f64::consts::PI * x).sin();
        return (std::f64::consts::PI / sine).ln() - ln_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let mut sum = 0.999_999_999_999_809_9;
    for (term, position) in TERMS.iter().zip(1_u8..) {
        sum += term / (x + f64::from(position));
    }
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

/// Regularised incomplete beta function I_x(a, b), by Lentz's continued fraction (Press et al., Numerical
/// Recipes, 3rd edition, section 6.4).
pub(super) fn beta_inc(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_inc(b, a, 1.0 - x);
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p()).exp() / a;
    const TINY: f64 = 1e-300;
    let away = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    // Converges in about √max(a, b) steps.
    for step in 1..100_000_u32 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away(1.0 + even * d);
        c = away(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away(1.0 + odd * d);
        c = away(1.0 + odd / c);
        fraction *= d * c;
        if (d * c - 1.0).abs() < 1e-16 {
            break;
        }
    }
    (front * fraction).clamp(0.0, 1.0)
}

/// P(T ≤ t) for Student's t with `df` degrees of freedom (Abramowitz and Stegun, 26.7.1).
pub(super) fn student_t_cdf(t: f64, df: f64) -> f64 {
    let tail = 0.5 * beta_inc(df / 2.0, 0.5, df / (df + t * t));
    if t > 0.0 { 1.0 - tail } else { tail }
}

/// The t with P(T ≤ t) = p, by bisection of the distribution function; exact to the last digits.
/// Infinite at p = 0 and p = 1, NaN outside.
pub(super) fn student_t_quantile(p: f64, df: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) || df.is_nan() || df <= 0.0 {
        return f64::NAN;
    }
    if p == 0.0 || p >= 1.0 {
        return if p < 0.5 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    if p < 0.5 {
        return -student_t_quantile(1.0 - p, df);
    }
    let mut high = 1.0;
    while student_t_cdf(high, df) < p && high < 1e300 {
        high *= 2.0;
    }
    let mut low = 0.0;
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if student_t_cdf(middle, df) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// Coefficients of a ratio of two polynomials, lowest power first.
type Ratio = ([f64; 8], [f64; 8]);

const CENTRE: Ratio = (
    [
        3.387_132_872_796_366_5,
        133.141_667_891_784_38,
        1_971.590_950_306_551_3,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ],
    [
        1.0,
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_545,
    ],
);
const MIDDLE: Ratio = (
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        0.022_723_844_989_269_184,
        7.745_450_142_783_414e-4,
    ],
    [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        0.015_198_666_563_616_457,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ],
);
const TAIL: Ratio = (
    [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        0.296_560_571_828_504_87,
        0.026_532_189_526_576_124,
        0.001_242_660_947_388_078_4,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    [
        1.0,
        0.599_832_206_555_888,
        0.136_929_880_922_735_8,
        0.014_875_361_290_850_615,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_8e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ],
);

/// The z with P(Z ≤ z) = p, by Wichura's algorithm AS 241, PPND16 (Applied Statistics 37, 1988), accurate to
/// about one part in 10^16. Infinite at 0 and 1, NaN outside.
pub(super) fn normal_quantile(p: f64) -> f64 {
    let ratio = |(above, below): &Ratio, x: f64| {
        let at = |terms: &[f64; 8]| terms.iter().rev().fold(0.0, |sum, term| sum * x + term);
        at(above) / at(below)
    };
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        return q * ratio(&CENTRE, 0.180_625 - q * q);
    }
    let r = (-p.min(1.0 - p).ln()).sqrt();
    if r.is_infinite() {
        return q.signum() * f64::INFINITY;
    }
    let z = if r <= 5.0 { ratio(&MIDDLE, r - 1.6) } else { ratio(&TAIL, r - 5.0) };
    q.signum() * z
}
