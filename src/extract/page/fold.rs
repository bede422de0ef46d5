//! Folding: texts that look the same to a person become the same text.

/// Folds spaces and typographic characters; keeps case.
///
/// No-break, thin and zero-width spaces, U+2212 and its kin, curly quotes and the many arrows become
/// the plain character; runs of spaces become one.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut space = true;
    for c in text.chars() {
        let c = match c {
            '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}' | '\u{fe0e}' | '\u{fe0f}' => {
                continue;
            }
            c if c.is_whitespace() || c == '\u{2800}' => {
                if !space {
                    folded.push(' ');
                    space = true;
                }
                continue;
            }
            '\u{2010}'..='\u{2012}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}' => '-',
            '\u{2018}' | '\u{2019}' | '\u{2032}' => '\'',
            '\u{201c}' | '\u{201d}' | '\u{2033}' => '"',
            '▲' | '▴' | '⬆' | '⏶' | '🡅' | '🠉' | '⇧' | '⇑' | '△' => '↑',
            '▼' | '▾' | '⬇' | '⏷' | '🡇' | '🠋' | '⇩' | '⇓' | '▽' => '↓',
            c => c,
        };
        folded.push(c);
        space = false;
    }
    if folded.ends_with(' ') {
        folded.pop();
    }
    folded
}

/// Folds, lower-cases, turns dashes into `-` and drops what a label may carry: a colon, note marks, an
/// info sign, a bracketed remark's spaces.
#[must_use]
pub fn loosen(text: &str) -> String {
    let mut loose: String = fold(text).to_lowercase().replace(['–', '—'], "-");
    loose.retain(|c| !matches!(c, '*' | '†' | '‡' | 'ⓘ' | 'ℹ' | '¹' | '²' | '³' | '⁴' | '⁵'));
    let trimmed = loose.trim_matches(|c: char| c.is_whitespace() || c == ':' || c == '?');
    trimmed.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_minus_quotes_and_arrows_fold() {
        assert_eq!(fold(" USD\u{a0}\u{2212}$13.1\u{202f}B \n"), "USD -$13.1 B");
        assert_eq!(fold("Kenya\u{2019}s"), "Kenya's");
        assert_eq!(fold("▲3"), "↑3");
    }

    #[test]
    fn labels_lose_marks_and_case() {
        assert_eq!(loosen("GDP per Capita* :"), "gdp per capita");
        assert_eq!(loosen("New Export Products, 2009 – 2024"), "new export products, 2009 - 2024");
    }
}
