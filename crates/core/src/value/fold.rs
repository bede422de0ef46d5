//! Normalises typography: spaces, dashes, quotes, accents, case. The site prints no-break spaces and U+2212; people and
//! agents type ASCII.

/// Replaces a typographic character by its plain one. `None` for characters that print nothing (zero-width characters,
/// soft hyphens, variation selectors).
#[must_use]
pub fn plain(c: char) -> Option<char> {
    if c.is_ascii_graphic() && c != '`' {
        return Some(c);
    }
    Some(match c {
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}' => {
            return None;
        }
        c if c.is_whitespace() => ' ',
        '\u{2010}'..='\u{2014}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2032}' | '`' | '\u{b4}' => '\'',
        '\u{201c}'..='\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{2033}' => '"',
        '▲' | '⬆' | '▴' | '△' | '🔼' | '⇧' | '⏶' | '🡅' | '🠉' | '⇑' => '↑',
        '▼' | '⬇' | '▾' | '▽' | '🔽' | '⇩' | '⏷' | '🡇' | '🠋' | '⇓' => '↓',
        '\u{ff04}' => '$',
        '\u{ff05}' => '%',
        c => c,
    })
}

/// A character in lower case, plain and without its accent; empty if it prints nothing.
#[must_use]
pub fn fold_char(c: char) -> String {
    let mut out = String::new();
    for lower in plain(c).into_iter().flat_map(char::to_lowercase) {
        match base_letter(lower) {
            Some(letters) => out.push_str(letters),
            None if is_combining(lower) => {}
            None => out.push(lower),
        }
    }
    out
}

/// Lower-case text with plain typography, without accents, with single spaces and trimmed.
#[must_use]
pub fn fold(text: &str) -> String {
    collapse(text.chars().map(fold_char))
}

/// Text with plain typography and single spaces, trimmed. Case and accents stay.
#[must_use]
pub fn tidy(text: &str) -> String {
    if is_tidy(text) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars().filter_map(plain) {
        if c != ' ' || (!out.is_empty() && !out.ends_with(' ')) {
            out.push(c);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Whether a text is already tidy. A quick check that only accepts ASCII.
fn is_tidy(text: &str) -> bool {
    let mut last = b' ';
    for &byte in text.as_bytes() {
        let plain = byte.is_ascii_graphic() && byte != b'`';
        if !plain && (byte != b' ' || last == b' ') {
            return false;
        }
        last = byte;
    }
    last != b' ' || text.is_empty()
}

fn collapse(pieces: impl Iterator<Item = String>) -> String {
    let mut out = String::new();
    for piece in pieces {
        if piece != " " {
            out.push_str(&piece);
        } else if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// The key by which names and phrases are compared: folded, with `&` as `and`, hyphens between letters and slashes as
/// spaces, and without apostrophes, full stops, a leading article or trailing punctuation.
#[must_use]
pub fn key(text: &str) -> String {
    let folded = fold(text);
    let chars: Vec<char> = folded.chars().collect();
    let mut out = String::with_capacity(folded.len());
    for (i, &c) in chars.iter().enumerate() {
        let next = chars.get(i + 1).copied();
        match c {
            '\'' => {}
            '.' if !next.is_some_and(|n| n.is_ascii_digit()) => {}
            '&' => out.push_str(" and "),
            '-' if next.is_some_and(char::is_alphanumeric) && i > 0 => out.push(' '),
            '/' | '"' => out.push(' '),
            c => out.push(c),
        }
    }
    let mut words: Vec<&str> = out.split_whitespace().collect();
    if words.len() > 1 && matches!(words.first(), Some(&("the" | "a" | "an"))) {
        words.remove(0);
    }
    words.join(" ").trim_matches([',', ';', ':', ' ', '!', '?', '*']).to_owned()
}

const fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// The Latin letters of an accented lower-case letter without its accent.
const fn base_letter(c: char) -> Option<&'static str> {
    Some(match c {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'č' | 'ċ' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'ğ' | 'ģ' => "g",
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'į' | 'ı' => "i",
        'ķ' => "k",
        'ł' | 'ļ' | 'ľ' => "l",
        'ñ' | 'ń' | 'ň' | 'ņ' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ő' => "o",
        'œ' => "oe",
        'ř' | 'ŕ' => "r",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ß' => "ss",
        'ť' | 'ţ' | 'ț' => "t",
        'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ů' | 'ű' => "u",
        'ý' | 'ÿ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        _ => return None,
    })
}

/// The offset of `words` in a text, as whole words.
#[must_use]
pub fn words_at(text: &str, words: &str) -> Option<usize> {
    let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let is_whole =
        |at: usize| ends(text[..at].chars().next_back()) && ends(text[at + words.len()..].chars().next());
    text.match_indices(words).map(|(at, _)| at).find(|at| is_whole(*at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_spaces_dashes_quotes_accents_and_case() {
        assert_eq!(fold("\u{a0}C\u{f4}te\u{202f}d\u{2019}Ivoire "), "cote d'ivoire");
        assert_eq!(fold("\u{2212}0.13"), "-0.13");
        assert_eq!(fold("TÜRKİYE"), "turkiye");
        assert_eq!(fold("a\u{200b}b\u{ad}c"), "abc");
    }

    #[test]
    fn keys_keep_what_carries_meaning() {
        assert_eq!(key("Travel & tourism"), key("travel and Tourism"));
        assert_eq!(key("lower-middle-income"), "lower middle income");
        assert_ne!(key("D-"), key("D"));
        assert_ne!(key("A+"), key("A"));
        assert_eq!(key("The Gambia"), "gambia");
        assert_eq!(key("Côte d’Ivoire"), "cote divoire");
    }
}
