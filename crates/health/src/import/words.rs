//! The words of a name, to match different names for the same thing: `ECI ranking`, `eci_rank`.

use std::collections::BTreeSet;

use crate::scoring::language::lexicon::{list, listed};
use crate::value::fold::fold;

/// The distinct words of a name, without fillers and with abbreviations spelled out.
pub(super) fn words(text: &str) -> BTreeSet<String> {
    let folded = fold(text).to_lowercase();
    let mut found = BTreeSet::new();
    for word in folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        match stands_for("spelled_out", word) {
            Some(long) => found.extend(long.split(' ').map(str::to_owned)),
            None => drop(found.insert(plain(word).to_owned())),
        }
    }
    found.retain(|word| !listed("measure_filler", word));
    found
}

/// A word in singular form, with synonyms replaced.
fn plain(word: &str) -> &str {
    let one = match word.strip_suffix('s') {
        Some(one) if word.len() > 3 && !one.ends_with('s') => one,
        _ => word,
    };
    stands_for("same_word", one).unwrap_or(one)
}

/// What a list of the lexicon has behind a word.
fn stands_for(name: &str, word: &str) -> Option<&'static str> {
    list(name)
        .iter()
        .filter_map(|line| line.split_once(' '))
        .find(|(own, _)| *own == word)
        .map(|(_, other)| other)
}

/// A name in the form of a data point id: `GDP per capita (PPP)` becomes `gdp_per_capita_ppp`.
pub(super) fn slug(text: &str) -> String {
    let folded = fold(text).to_lowercase();
    let words: Vec<&str> =
        folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_thing_have_the_same_words() {
        assert_eq!(words("ECI ranking"), words("eci_rank"));
        assert_eq!(words("COG"), words("Opportunity gain"));
        assert_eq!(words("Global export value"), words("world exports"));
        assert_ne!(words("GDP per capita (PPP)"), words("gdp_per_capita"));
        assert_eq!(slug("GDP per capita (PPP)"), "gdp_per_capita_ppp");
        assert_eq!(slug("Turkiye’s  share, 5-year"), slug("Turkiye's share 5 year"));
    }
}
