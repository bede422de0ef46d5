//! "Did you mean": the known word nearest to an unknown one.

/// The known word nearest to `word`, when it is near enough to be a slip of the keyboard.
///
/// Words are compared in lower case with underscores, hyphens and spaces folded, by Jaro-Winkler
/// similarity; at least 0.8 is asked for. One slip (a letter too many, too few, wrong or swapped) is
/// always near: in a short word Jaro-Winkler does not see it. Ties go to the first given.
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

/// ` (did you mean `x`?)`, or all that is known; nothing where nothing is.
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
