//! Reads what can follow a number: exponent, scale, per cent, ordinal, total, currency, positions.

use super::chars::Chars;
use super::token::{Currency, Per, Scale, Token};

/// Names of other currencies.
const OTHER_MONEY: &[&str] = &[
    "eur",
    "euro",
    "euros",
    "gbp",
    "jpy",
    "cny",
    "inr",
    "brl",
    "chf",
    "cad",
    "aud",
    "kes",
    "ugx",
    "tzs",
    "ngn",
    "zar",
    "krw",
    "rub",
    "mxn",
    "yen",
    "yuan",
    "rmb",
    "renminbi",
    "pounds",
    "pound sterling",
    "pounds sterling",
    "british pounds",
    "swiss francs",
    "francs",
    "rupees",
    "indian rupees",
    "shillings",
    "kenyan shillings",
    "ksh",
    "rand",
    "pesos",
    "mexican pesos",
    "reais",
    "roubles",
    "rubles",
    "lira",
    "turkish lira",
    "naira",
    "dirhams",
    "riyals",
    "kronor",
    "baht",
    "rupiah",
    "canadian dollars",
    "australian dollars",
    "new zealand dollars",
    "hong kong dollars",
    "singapore dollars",
    "taiwan dollars",
];

/// Reads forwards from the digits: scale, per cent, ordinal, total, positions. `None` if the digits continue as a word.
pub(super) fn suffix(chars: &Chars, run_end: usize, token: &mut Token) -> Option<usize> {
    let mut end = run_end;
    let next = chars.at(end);
    if matches!(next, Some('-')) && chars.at(end + 1).is_some_and(char::is_alphabetic) {
        return None; // `5-year`
    }
    if let Some(after) = chars.any_word(end, &["st", "nd", "rd", "th"])
        && !token.point
    {
        token.ordinal = true;
        return Some(total(chars, after, token));
    }
    if let Some(after) = exponent(chars, end, token) {
        end = after;
    }
    // The site never shows per mille, so such a number is not one of its values.
    if chars.at(chars.skip_spaces(end)) == Some('‰') {
        return None;
    }
    end = scale(chars, end, token)?;
    if end == run_end && token.currency == Currency::None && !token.point {
        let after = total(chars, end, token);
        if after != end {
            return Some(after);
        }
    }
    end = per_cent(chars, end, token);
    if token.currency == Currency::None && token.per == Per::None {
        let at = chars.skip_spaces(end);
        if let Some(after) = chars.any_word(at, &["usd", "us dollars", "us$", "dollars", "dollar"])
            && at > end
        {
            token.currency = Currency::Usd { code: true, symbol: false };
            end = after;
        } else if let Some(after) = chars.any_word(at, OTHER_MONEY)
            && at > end
        {
            token.currency = Currency::Other;
            end = after;
        } else if matches!(chars.at(at), Some('€' | '£' | '¥' | '₹' | '₩' | '₽' | '₺' | '₦' | '¢'))
        {
            token.currency = Currency::Other;
            end = at + 1;
        } else if let Some(after) = other_dollar(chars, at).filter(|_| at > end) {
            token.currency = Currency::Other;
            end = after;
        }
    }
    if token.arrow.is_some() && token.currency == Currency::None && token.per == Per::None {
        end = positions(chars, end, token);
    }
    if chars.at(end).is_some_and(|c| c.is_alphanumeric() || c == '_') && end == run_end {
        return None;
    }
    Some(end)
}

/// The sign of another dollar: `CA$`, `A$`.
fn other_dollar(chars: &Chars, at: usize) -> Option<usize> {
    let letters = (at..at + 3).take_while(|at| chars.at(*at).is_some_and(|c| c.is_ascii_uppercase())).count();
    (letters > 0 && chars.at(at + letters) == Some('$')).then_some(at + letters + 1)
}

fn exponent(chars: &Chars, end: usize, token: &mut Token) -> Option<usize> {
    if !matches!(chars.at(end), Some('e' | 'E')) {
        return None;
    }
    let negative = chars.at(end + 1) == Some('-');
    let from = end + 1 + usize::from(matches!(chars.at(end + 1), Some('-' | '+')));
    let mut at = from;
    let mut value = 0i32;
    while let Some(digit) = chars.at(at).and_then(|c| c.to_digit(10)) {
        value = value.checked_mul(10)?.checked_add(i32::try_from(digit).ok()?)?;
        at += 1;
    }
    if at == from || value > 28 || chars.at(at).is_some_and(char::is_alphanumeric) {
        return None;
    }
    token.exponent = Some(if negative { -value } else { value });
    Some(at)
}

fn scale(chars: &Chars, end: usize, token: &mut Token) -> Option<usize> {
    let spaced = chars.skip_spaces(end);
    for (words, power) in [
        (["thousand", "thousands"], 3),
        (["million", "millions"], 6),
        (["billion", "billions"], 9),
        (["trillion", "trillions"], 12),
    ] {
        if let Some(after) = chars.any_word(spaced, &words) {
            token.scale = Scale::Word;
            token.power = power;
            return Some(after);
        }
    }
    for (word, power) in [("bn", 9), ("mn", 6), ("tn", 12), ("mln", 6), ("bln", 9)] {
        if let Some(after) = chars.word(spaced, word) {
            token.scale = Scale::Letter;
            token.power = power;
            return Some(after);
        }
    }
    let letter_at = if spaced == end || token.currency != Currency::None { spaced } else { end };
    let power = match chars.at(letter_at) {
        Some('k' | 'K') => 3,
        Some('M') => 6,
        Some('m') if token.currency != Currency::None || letter_at == end => 6,
        Some('B') => 9,
        Some('b') if token.currency != Currency::None => 9,
        Some('T') => 12,
        Some('t') if token.currency != Currency::None => 12,
        Some(c) if c.is_alphanumeric() && letter_at == end => return None,
        _ => return Some(end),
    };
    if chars.at(letter_at + 1).is_some_and(char::is_alphanumeric) {
        return if letter_at == end { None } else { Some(end) };
    }
    token.scale = Scale::Letter;
    token.spaced = letter_at > end;
    token.power = power;
    Some(letter_at + 1)
}

fn per_cent(chars: &Chars, end: usize, token: &mut Token) -> usize {
    let at = chars.skip_spaces(end);
    if chars.at(at) == Some('%') {
        let behind = chars.skip_spaces(at + 1);
        if let Some(after) = chars.any_word(behind, &["points", "point", "pts"]) {
            token.per = Per::Points;
            return after;
        }
        token.per = Per::Cent;
        return at + 1;
    }
    if at > end {
        if let Some(after) =
            chars.any_word(at, &["percentage points", "percentage point", "pp", "ppt", "p.p."])
        {
            token.per = Per::Points;
            return after;
        }
        if let Some(after) = chars.any_word(at, &["percent", "per cent"]) {
            token.per = Per::Cent;
            return after;
        }
    }
    end
}

/// Reads ` of 145` after a rank.
fn total(chars: &Chars, end: usize, token: &mut Token) -> usize {
    let at = chars.skip_spaces(end);
    let Some(mut at) = chars.word(at, "of").filter(|_| at > end) else { return end };
    at = chars.skip_spaces(at);
    let from = at;
    let mut value = 0u32;
    while let Some(digit) = chars.at(at).and_then(|c| c.to_digit(10)) {
        value = value.saturating_mul(10).saturating_add(digit);
        at += 1;
    }
    let more = chars.at(at).is_some_and(char::is_alphanumeric)
        || (matches!(chars.at(at), Some('.' | ',')) && chars.digit(at + 1));
    if at == from || at - from > 6 || more {
        return end;
    }
    token.total = Some(value);
    at
}

/// Reads ` positions over 10 years` after a number with an arrow.
fn positions(chars: &Chars, end: usize, token: &mut Token) -> usize {
    let mut end = end;
    let at = chars.skip_spaces(end);
    if let Some(after) = chars.any_word(at, &["positions", "position", "places", "place"]) {
        token.positions = true;
        end = after;
    }
    let at = chars.skip_spaces(end);
    let Some(at) = chars.word(at, "over") else { return end };
    let from = chars.skip_spaces(at);
    let mut at = from;
    let mut years = 0u32;
    while let Some(digit) = chars.at(at).and_then(|c| c.to_digit(10)) {
        years = years.saturating_mul(10).saturating_add(digit);
        at += 1;
    }
    let behind = chars.skip_spaces(at);
    match chars.any_word(behind, &["years", "year"]) {
        Some(after) if at > from => {
            token.years = Some(years);
            after
        }
        _ => end,
    }
}
