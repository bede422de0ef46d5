//! Splits a paragraph into items and sentences.

use super::lexicon;

/// The formats of a list number: `1.`, `(1)`, `1)`.
pub(super) const MARKERS: [(&str, &str); 3] = [("", ". "), ("(", ") "), ("", ") ")];

/// Splits an inline list into its introduction and items: `Largest exports: 1. Coffee 2. Tea`. `first` is the number of the
/// first item, if Markdown gives it.
pub(super) fn items(text: &str, first: Option<u64>) -> (&str, Vec<(Option<u64>, &str)>) {
    let next = |rest: &str, (open, close): (&str, &str), place: u64| {
        let marker = format!("{open}{place}{close}");
        let mut found = rest.match_indices(&marker).map(|(at, _)| at);
        let at = found.find(|at| *at == 0 || rest[..*at].ends_with(char::is_whitespace))?;
        Some((at, at + marker.len()))
    };
    let inline = || {
        MARKERS.iter().find_map(|marker| {
            let (at, end) = next(text, *marker, 1)?;
            next(&text[end..], *marker, 2).map(|_| (&text[..at], 1, &text[end..], *marker))
        })
    };
    let (head, mut place, mut rest, marker) = match first {
        Some(place) => {
            let follows = MARKERS.into_iter().find(|marker| next(text, *marker, place + 1).is_some());
            ("", place, text, follows.unwrap_or(MARKERS[0]))
        }
        None => match inline() {
            Some(found) => found,
            None => return ("", vec![(None, text)]),
        },
    };
    let mut out = Vec::new();
    while let Some((at, end)) = next(rest, marker, place + 1) {
        out.push((Some(place), rest[..at].trim_end_matches([',', ';', ' '])));
        place += 1;
        rest = &rest[end..];
    }
    out.push((Some(place), rest));
    (head, out)
}

/// The maximum length of a sentence in bytes. Longer ones are cut into pieces, so that the time stays linear.
pub(super) const MAX_SENTENCE: usize = 700;

/// The maximum number of numbers in a sentence, because each number is compared with all others. Longer ones are cut.
pub(super) const MAX_NUMBERS: usize = 32;

/// Cuts a head to the maximum length of a sentence.
pub(super) fn head(text: &str) -> &str {
    let end = (0..=MAX_SENTENCE.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(..end).unwrap_or(text)
}

/// Cuts a sentence into pieces if it is too long.
pub(super) fn pieces(sentence: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = sentence;
    loop {
        let (mut at, mut numbers, mut spaced) = (rest.len(), 0, true);
        for (place, c) in rest.char_indices().take_while(|(place, _)| *place <= MAX_SENTENCE) {
            numbers += usize::from(spaced && c.is_ascii_digit());
            spaced = c.is_whitespace();
            if spaced && (numbers == MAX_NUMBERS || (rest.len() > MAX_SENTENCE && place > 0)) {
                at = place;
                if numbers == MAX_NUMBERS {
                    break;
                }
            }
        }
        if at == rest.len() && rest.len() > MAX_SENTENCE {
            // Without a space, cut at the limit.
            at = (0..=MAX_SENTENCE).rev().find(|at| rest.is_char_boundary(*at)).unwrap_or(rest.len());
        }
        out.push(rest[..at].trim());
        if at == rest.len() {
            return out;
        }
        rest = &rest[at..];
    }
}

/// Whether a full stop after the text belongs to an abbreviation: a listed one, or a short unknown word before a number, such
/// as `Rs. 2,274`. Only looks at the last few characters.
pub(super) fn is_abbreviated(text: &str, before_number: bool) -> bool {
    const LONGEST_WORD: usize = 16;
    let begin = text.char_indices().rev().take(LONGEST_WORD).last().map_or(0, |(at, _)| at);
    let word = text[begin..].rsplit(char::is_whitespace).next().unwrap_or_default();
    let word = word.trim_start_matches(['(', '"']).to_lowercase();
    let is_short = word.chars().count() <= 5 && !word.contains(|c: char| c.is_ascii_digit() || c == ')');
    let is_known = || {
        let tags = lexicon::tags(&lexicon::words(&word));
        word.len() >= 2
            && word.chars().all(char::is_alphabetic)
            && tags.is_some_and(|(_, tags)| tags.iter().any(|(kind, _)| *kind == "role"))
    };
    lexicon::listed("abbreviation", word.as_str()) || (before_number && is_short && !is_known())
}

/// Splits a paragraph into sentences.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let mut end = at + c.len_utf8();
        // `"It is 7.22 %." Nope.`
        let quote = text[end..].chars().next().filter(|next| c == '.' && matches!(next, '"' | '”'));
        end += quote.map_or(0, char::len_utf8);
        let rest = &text[end..];
        let ends = match c {
            '\n' => true,
            '!' | '?' | '。' => rest.is_empty() || rest.starts_with(char::is_whitespace),
            '.' => {
                let mut after = rest.chars();
                let spaced = after.next().is_none_or(char::is_whitespace);
                // Skip at most a few blanks.
                let next = after.take(16).find(|c| !c.is_whitespace());
                let lower = next.is_some_and(char::is_lowercase);
                let number = next.is_some_and(|c| c.is_ascii_digit());
                spaced && !lower && !is_abbreviated(&text[start..at], number)
            }
            _ => false,
        };
        if ends {
            out.push(text[start..if c == '\n' { at } else { end }].trim());
            start = end;
        }
    }
    out.push(text[start..].trim());
    out.into_iter().flat_map(pieces).filter(|sentence| !sentence.is_empty()).collect()
}
