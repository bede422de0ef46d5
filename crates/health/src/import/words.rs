//! The words of a name, to match different names for the same thing: `ECI ranking`, `eci_rank`.

use std::collections::BTreeSet;

use crate::value::fold::fold;

/// Words without meaning for the measure.
const EMPTY: [&str; 29] = [
    "a", "an", "and", "as", "at", "average", "by", "does", "for", "from", "how", "in", "is", "its", "much",
    "of", "on", "over", "shown", "than", "the", "to", "total", "value", "was", "what", "which", "with",
    "year",
];

/// Abbreviations, spelled out.
const ABBREVIATIONS: [(&str, &[&str]); 8] = [
    ("cog", &["opportunity", "gain"]),
    ("coi", &["complexity", "outlook", "index"]),
    ("eci", &["economic", "complexity", "index"]),
    ("gdppc", &["gdp", "per", "capita"]),
    ("pci", &["product", "complexity", "index"]),
    ("ppp", &["purchasing", "power", "parity"]),
    ("rca", &["revealed", "comparative", "advantage"]),
    ("usd", &["dollar"]),
];

/// Synonyms, with the word that replaces them.
const SAME: [(&str, &str); 12] = [
    ("5y", "5yr"),
    ("buyer", "importer"),
    ("destination", "partner"),
    ("exporter", "export"),
    ("exported", "export"),
    ("global", "world"),
    ("imported", "import"),
    ("largest", "top"),
    ("origin", "partner"),
    ("ranking", "rank"),
    ("source", "partner"),
    ("years", "year"),
];

/// The distinct words of a name, without fillers and with abbreviations spelled out.
pub(super) fn words(text: &str) -> BTreeSet<String> {
    let folded = fold(text).to_lowercase();
    let mut found = BTreeSet::new();
    for word in folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        match ABBREVIATIONS.iter().find(|(short, _)| *short == word) {
            Some((_, long)) => found.extend(long.iter().map(|word| (*word).to_owned())),
            None => drop(found.insert(plain(word).to_owned())),
        }
    }
    found.retain(|word| !EMPTY.contains(&word.as_str()));
    found
}

/// A word in singular form, with synonyms replaced.
fn plain(word: &str) -> &str {
    let one = match word.strip_suffix('s') {
        Some(one) if word.len() > 3 && !one.ends_with('s') => one,
        _ => word,
    };
    SAME.iter().find(|(other, _)| *other == one).map_or(one, |(_, same)| same)
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
