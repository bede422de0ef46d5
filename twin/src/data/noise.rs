//! Reproducible noise: a number depends only on a seed and its purpose, never on the order of calls. The mixing
//! function is SplitMix64 (Steele, Lea, Flood 2014).

/// The seed of all generated figures.
const SEED: u64 = 0x41_74_6c_61_73_32_30_32;

const fn mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// 64 bits for a purpose and its keys.
pub(crate) fn bits(purpose: &str, keys: &[u64]) -> u64 {
    let named = purpose.bytes().fold(SEED, |state, byte| mix(state ^ u64::from(byte)));
    keys.iter().fold(named, |state, key| mix(state ^ mix(*key)))
}

/// A number in [0, 1), uniformly distributed.
#[expect(clippy::cast_precision_loss, reason = "53 bits fit a double exactly")]
pub(crate) fn unit(purpose: &str, keys: &[u64]) -> f64 {
    (bits(purpose, keys) >> 11) as f64 / (1_u64 << 53) as f64
}

/// A number in [low, high), uniformly distributed.
pub(crate) fn between(purpose: &str, keys: &[u64], low: f64, high: f64) -> f64 {
    low + (high - low) * unit(purpose, keys)
}

/// A nearly normal number with mean 0 and standard deviation 1, within ±3.5 (sum of four uniform ones).
pub(crate) fn bell(purpose: &str, keys: &[u64]) -> f64 {
    bell_of(bits(purpose, keys))
}

fn bell_of(bits: u64) -> f64 {
    let parts = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48);
    // The sum of four 16-bit numbers fits and is exact in a double.
    (f64::from(parts as u32) / 65536.0 - 2.0) * 3.0_f64.sqrt()
}

/// Draws with a common purpose and common first keys, mixed only once. They equal [`unit`] and [`bell`] for all keys
/// together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draws(u64);

impl Draws {
    /// The draws for a purpose and its first keys.
    pub(crate) fn of(purpose: &str, keys: &[u64]) -> Self {
        Self(bits(purpose, keys))
    }

    /// Adds a key.
    pub(crate) const fn with(self, key: u64) -> Self {
        Self(mix(self.0 ^ mix(key)))
    }

    /// See [`unit`].
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit a double exactly")]
    pub(crate) fn unit(self) -> f64 {
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// See [`bell`].
    pub(crate) fn bell(self) -> f64 {
        bell_of(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_depends_on_purpose_and_keys_alone() {
        assert_eq!(bits("a", &[1, 2]), bits("a", &[1, 2]));
        assert_ne!(bits("a", &[1, 2]), bits("a", &[2, 1]));
        assert_ne!(bits("a", &[1]), bits("b", &[1]));
    }

    #[test]
    fn draws_are_the_same_numbers() {
        let draws = Draws::of("a", &[1]).with(2).with(3);
        assert_eq!(draws.unit().to_bits(), unit("a", &[1, 2, 3]).to_bits());
        assert_eq!(draws.bell().to_bits(), bell("a", &[1, 2, 3]).to_bits());
    }

    #[test]
    fn bell_is_centred_with_unit_deviation() {
        let draws: Vec<f64> = (0..4000).map(|key| bell("test", &[key])).collect();
        let mean = draws.iter().sum::<f64>() / 4000.0;
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 4000.0;
        assert!(mean.abs() < 0.06, "{mean}");
        assert!((variance - 1.0).abs() < 0.1, "{variance}");
    }
}
