//! "Did you mean": the known word nearest to an unknown one.

/// The known word most similar to `word`, if it is close enough to be a typo.
///
/// Words are compared in lower case, with hyphens and spaces as underscores. The Jaro-Winkler similarity must be at
/// least 0.8. A single typo (an extra, missing, wrong or swapped letter) always counts, because Jaro-Winkler misses it
/// in short words. The first of equal candidates wins.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace(['-', ' '], "_");
    let word = plain(word);
    let mut best: Option<(f64, &str)> = None;
    for candidate in known {
        let candidate_word = plain(candidate);
        let similarity = strsim::jaro_winkler(&word, &candidate_word);
        let one_slip = word.len() >= 3 && strsim::osa_distance(&word, &candidate_word) <= 1;
        let score = if one_slip { similarity.max(0.95) } else { similarity };
        if score >= 0.8 && best.is_none_or(|(top, _)| score > top) {
            best = Some((score, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// ` (did you mean `x`?)`, or the list of known words, or nothing if none is known.
pub fn did_you_mean(word: &str, known: &[&str]) -> String {
    let known = || known.iter().copied().filter(|word| !word.is_empty());
    match nearest(word, known()) {
        Some(near) => format!(" (did you mean `{near}`?)"),
        None if known().next().is_none() => String::new(),
        None => format!(" (known: {})", known().collect::<Vec<_>>().join(", ")),
    }
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
        assert_eq!(nearest("dmo", ["narrative", "dom"]), Some("dom"));
    }
}
