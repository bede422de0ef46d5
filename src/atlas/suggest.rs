//! "Did you mean": the nearest of the known words to one that is not known.

/// The known word nearest to `word`, when it is near enough to be a slip of the keyboard.
///
/// Similarity is Jaro-Winkler over lower-cased words with underscores and hyphens folded; at least
/// 0.8 is asked for. Ties go to the first in the given order.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace(['-', ' '], "_");
    let word = plain(word);
    let mut best: Option<(f64, &str)> = None;
    for candidate in known {
        let score = strsim::jaro_winkler(&word, &plain(candidate));
        if score >= 0.8 && best.is_none_or(|(top, _)| score > top) {
            best = Some((score, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn names_the_nearest_word_or_none() {
        let known = ["gdp_per_capita", "gdp_per_capita_ppp", "population"];
        assert_eq!(nearest("gdp_percapita", known), Some("gdp_per_capita"));
        assert_eq!(nearest("GDP-per-capita", known), Some("gdp_per_capita"));
        assert_eq!(nearest("zebra", known), None);
    }
}
