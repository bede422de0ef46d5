//! Finds the numbers in a text, each with everything that belongs to it: sign, arrow, currency, scale,
//! percent sign, ordinal and total. A number is taken whole or not at all.

use std::ops::Range;

use super::super::fold::plain;

/// The currency in front of (or behind) a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Currency {
    #[default]
    None,
    Usd {
        code: bool,
        symbol: bool,
    },
    Other,
}

/// How thousands, millions and so on are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Scale {
    #[default]
    None,
    Letter,
    Word,
}

/// What follows the digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Per {
    #[default]
    None,
    Cent,
    Points,
}

/// One number as it stands in the text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Token {
    /// Bytes of the original text.
    pub range: Range<usize>,
    pub currency: Currency,
    pub negative: bool,
    pub plus: bool,
    /// `Some(true)` for an arrow that points up.
    pub arrow: Option<bool>,
    /// `<` stands in front: the number is an upper bound.
    pub below: bool,
    pub integer: String,
    pub grouped: bool,
    pub fraction: String,
    pub point: bool,
    pub exponent: Option<i32>,
    pub scale: Scale,
    /// A space stands before a scale letter: `$16.2 B`, which the site never prints.
    pub spaced: bool,
    /// Power of ten of the scale.
    pub power: i32,
    pub per: Per,
    pub ordinal: bool,
    pub hash: bool,
    pub total: Option<u32>,
    pub positions: bool,
    pub years: Option<u32>,
}

/// Text with plain typography, each character with its place in the original.
struct Chars {
    c: Vec<(usize, char)>,
    end: usize,
}

impl Chars {
    fn new(text: &str) -> Self {
        let c = text.char_indices().filter_map(|(at, c)| plain(c).map(|c| (at, c))).collect();
        Self { c, end: text.len() }
    }

    fn at(&self, i: usize) -> Option<char> {
        self.c.get(i).map(|&(_, c)| c)
    }

    fn before(&self, i: usize, floor: usize) -> Option<char> {
        if i > floor { self.at(i - 1) } else { None }
    }

    fn offset(&self, i: usize) -> usize {
        self.c.get(i).map_or(self.end, |&(at, _)| at)
    }

    /// End of the character before `i`, so that dropped characters behind it stay outside.
    fn offset_after(&self, text: &str, i: usize) -> usize {
        let Some(&(at, _)) = i.checked_sub(1).and_then(|last| self.c.get(last)) else { return 0 };
        at + text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
    }

    fn skip_spaces(&self, mut i: usize) -> usize {
        while self.at(i) == Some(' ') {
            i += 1;
        }
        i
    }

    fn skip_spaces_back(&self, mut i: usize, floor: usize) -> usize {
        while self.before(i, floor) == Some(' ') {
            i -= 1;
        }
        i
    }

    /// Index behind `word` (ASCII, lower case) when it stands at `i` and ends there.
    fn word(&self, i: usize, word: &str) -> Option<usize> {
        let mut at = i;
        for w in word.chars() {
            if self.at(at)?.to_ascii_lowercase() != w {
                return None;
            }
            at += 1;
        }
        (!self.at(at).is_some_and(char::is_alphanumeric)).then_some(at)
    }

    fn any_word(&self, i: usize, words: &[&str]) -> Option<usize> {
        words.iter().find_map(|word| self.word(i, word))
    }
}

/// All numbers of a text in order. Digits that are a part of a word, a code with hyphens or a malformed
/// number give nothing.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let chars = Chars::new(text);
    let mut out = Vec::new();
    let mut floor = 0;
    let mut i = 0;
    while let Some(c) = chars.at(i) {
        let leading_point = c == '.'
            && chars.at(i + 1).is_some_and(|n| n.is_ascii_digit())
            && !touches_word(&chars, i, floor);
        if !c.is_ascii_digit() && !leading_point {
            i += 1;
            continue;
        }
        let run_end = digits_end(&chars, i);
        if let Some((start, end, mut token)) = read(&chars, i, run_end, floor) {
            token.range = chars.offset(start)..chars.offset_after(text, end);
            out.push(token);
            floor = end;
            i = end.max(run_end);
        } else {
            i = run_end;
        }
    }
    out
}

fn touches_word(chars: &Chars, i: usize, floor: usize) -> bool {
    chars.before(i, floor).is_some_and(|p| p.is_alphanumeric() || p == '_')
}

/// End of the run of digits, points and commas at `i`, without punctuation behind it.
fn digits_end(chars: &Chars, i: usize) -> usize {
    let mut end = i + 1;
    while chars
        .at(end)
        .is_some_and(|c| c.is_ascii_digit() || ((c == '.' || c == ',') && digit_at(chars, end + 1)))
    {
        end += 1;
    }
    end
}

fn digit_at(chars: &Chars, i: usize) -> bool {
    chars.at(i).is_some_and(|c| c.is_ascii_digit())
}

fn read(chars: &Chars, i: usize, run_end: usize, floor: usize) -> Option<(usize, usize, Token)> {
    let mut token = Token::default();
    let digits: String = chars.c.get(i..run_end)?.iter().map(|&(_, c)| c).collect();
    split_digits(&digits, &mut token)?;
    let start = prefix(chars, i, floor, &mut token)?;
    let end = suffix(chars, run_end, &mut token)?;
    Some((start, end, token))
}

/// Splits `1,234.50` into its parts; `None` for what is no number: `1,2`, `1.2.3`.
fn split_digits(digits: &str, token: &mut Token) -> Option<()> {
    let (whole, fraction) = match digits.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (digits, None),
    };
    if fraction.is_some_and(|f| f.contains(['.', ','])) {
        return None;
    }
    if whole.contains(',') {
        let mut groups = whole.split(',');
        let first = groups.next()?;
        if first.is_empty() || first.len() > 3 || first.starts_with('0') || groups.any(|g| g.len() != 3) {
            return None;
        }
        token.grouped = true;
    }
    token.integer = whole.replace(',', "");
    token.point = fraction.is_some();
    token.fraction = fraction.unwrap_or_default().to_owned();
    (token.integer.len() + token.fraction.len() <= 26).then_some(())
}

const OTHER_CURRENCIES: &[&str] = &[
    "EUR", "GBP", "JPY", "CNY", "RMB", "INR", "BRL", "CHF", "CAD", "AUD", "KES", "TRY", "KRW", "ZAR", "MXN",
    "RUB",
];

/// Reads backwards from the digits: sign, currency, arrow. Gives where the token starts, or `None` when the
/// digits belong to a word.
fn prefix(chars: &Chars, i: usize, floor: usize, token: &mut Token) -> Option<usize> {
    let mut p = i;
    let mut signed = false;
    let mut take_sign = |p: &mut usize, token: &mut Token| {
        let c = chars.before(*p, floor);
        if signed || !matches!(c, Some('-' | '+')) {
            return;
        }
        let outer = chars.before(*p - 1, 0);
        if outer.is_some_and(|o| o.is_alphanumeric() || o == ')' || o == '%') || range_dash(chars, *p - 1, i)
        {
            return;
        }
        signed = true;
        token.negative = c == Some('-');
        token.plus = c == Some('+');
        *p -= 1;
    };
    take_sign(&mut p, token);
    let q = chars.skip_spaces_back(p, floor);
    match chars.before(q, floor) {
        Some('$') => {
            p = q - 1;
            let mut letters = p;
            while chars.before(letters, floor).is_some_and(|c| c.is_ascii_uppercase()) {
                letters -= 1;
            }
            let name: String = chars.c.get(letters..p)?.iter().map(|&(_, c)| c).collect();
            match name.as_str() {
                "" => token.currency = Currency::Usd { code: false, symbol: true },
                "US" | "USD" => {
                    token.currency = Currency::Usd { code: name == "USD", symbol: true };
                    p = letters;
                }
                _ => {
                    token.currency = Currency::Other;
                    p = letters;
                }
            }
            take_sign(&mut p, token);
        }
        Some('€' | '£' | '¥' | '₹' | '₩' | '₽' | '₺') => {
            p = q - 1;
            token.currency = Currency::Other;
            take_sign(&mut p, token);
        }
        _ => {}
    }
    let q = chars.skip_spaces_back(p, floor);
    if q >= floor + 3 && !(q >= floor + 4 && chars.at(q - 4).is_some_and(char::is_alphanumeric)) {
        let code: String = chars.c.get(q - 3..q)?.iter().map(|&(_, c)| c).collect();
        if code == "USD" {
            if token.currency != Currency::Other {
                let symbol = matches!(token.currency, Currency::Usd { .. });
                token.currency = Currency::Usd { code: true, symbol };
                p = q - 3;
                take_sign(&mut p, token);
            }
        } else if token.currency == Currency::None && OTHER_CURRENCIES.contains(&code.as_str()) {
            token.currency = Currency::Other;
            p = q - 3;
            take_sign(&mut p, token);
        }
    }
    let q = chars.skip_spaces_back(p, floor);
    match chars.before(q, floor) {
        Some(arrow @ ('↑' | '↓')) => {
            token.arrow = Some(arrow == '↑');
            p = q - 1;
        }
        Some('<') if q == p => {
            token.below = true;
            p -= 1;
        }
        Some('#') if q == p => {
            token.hash = true;
            p -= 1;
        }
        _ => {}
    }
    let outer = chars.before(p, 0);
    let inner = p < i;
    if !inner && outer.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.') {
        return None;
    }
    // `product-HS92-726`, `COVID-19`: the hyphen binds the digits to the word.
    if !inner && outer == Some('-') && p > 1 && chars.at(p - 2).is_some_and(char::is_alphabetic) {
        return None;
    }
    if !inner && outer == Some('-') && hyphenated_code(chars, p - 1) {
        return None;
    }
    Some(p)
}

/// Whether the digits before the hyphen at `hyphen` are themselves a part of a word (`HS92-726`).
fn hyphenated_code(chars: &Chars, hyphen: usize) -> bool {
    let mut p = hyphen;
    while chars.before(p, 0).is_some_and(|c| c.is_ascii_digit()) {
        p -= 1;
    }
    chars.before(p, 0).is_some_and(char::is_alphabetic)
}

/// Whether the dash at `dash` stands between two years: `2009 -2024`.
fn range_dash(chars: &Chars, dash: usize, digits: usize) -> bool {
    let q = chars.skip_spaces_back(dash, 0);
    let year = |from: usize| (from..from + 4).all(|k| digit_at(chars, k));
    q >= 4 && q < dash && year(q - 4) && year(digits) && !digit_at(chars, digits + 4)
}

/// Reads forwards from the digits: scale, per cent, ordinal, total, positions. `None` when the digits run
/// into a word.
fn suffix(chars: &Chars, run_end: usize, token: &mut Token) -> Option<usize> {
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
        } else if let Some(after) = chars.any_word(at, &["eur", "euro", "euros", "gbp", "yen", "yuan", "rmb"])
            && at > end
        {
            token.currency = Currency::Other;
            end = after;
        } else if matches!(chars.at(at), Some('€' | '£')) {
            token.currency = Currency::Other;
            end = at + 1;
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
        Some('m') if token.currency != Currency::None => 6,
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

/// ` of 145` behind a rank.
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
        || (matches!(chars.at(at), Some('.' | ',')) && digit_at(chars, at + 1));
    if at == from || at - from > 6 || more {
        return end;
    }
    token.total = Some(value);
    at
}

/// ` positions over 10 years` behind a number with an arrow.
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
