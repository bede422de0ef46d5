//! A paragraph in items and sentences.

use super::lexicon;

/// How a number stands before an item: `1.`, `(1)`, `1)`.
pub(super) const MARKERS: [(&str, &str); 3] = [("", ". "), ("(", ") "), ("", ") ")];

/// What stands before a list, and the items of one that is written in a line: `Largest exports: 1. Coffee 2. Tea`. In an
/// ordered list of the markup the first item's number is known.
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

/// Longest sentence that is read as one, in bytes. What is longer is no sentence; in pieces, its words cannot make the
/// time grow with the square of its length.
pub(super) const LONGEST: usize = 700;

/// Numbers of a sentence at most; what has more is no sentence either, and every number is held against all others of its
/// own.
pub(super) const MAX_NUMBERS: usize = 32;

/// As much of a text as can stand over others: no more than a sentence.
pub(super) fn head(text: &str) -> &str {
    let end = (0..=LONGEST.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(..end).unwrap_or(text)
}

/// A sentence, in pieces when it is far too long.
pub(super) fn pieces(sentence: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = sentence;
    loop {
        let (mut at, mut numbers, mut spaced) = (rest.len(), 0, true);
        for (place, c) in rest.char_indices().take_while(|(place, _)| *place <= LONGEST) {
            numbers += usize::from(spaced && c.is_ascii_digit());
            spaced = c.is_whitespace();
            if spaced && (numbers == MAX_NUMBERS || (rest.len() > LONGEST && place > 0)) {
                at = place;
                if numbers == MAX_NUMBERS {
                    break;
                }
            }
        }
        if at == rest.len() && rest.len() > LONGEST {
            // without a space it is cut where it is too long
            at = (0..=LONGEST).rev().find(|at| rest.is_char_boundary(*at)).unwrap_or(rest.len());
        }
        out.push(rest[..at].trim());
        if at == rest.len() {
            return out;
        }
        rest = &rest[at..];
    }
}

/// Whether a full stop behind a text ends a word of the list of abbreviations, or before a number a short word: `Rs. 2,274`. No more of
/// the text is looked at than such a word may have.
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

/// The sentences of a paragraph.
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
                // no more than a few blanks are looked at
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
