//! Finds the numbers in a text with everything that belongs to them: sign, arrow, currency, scale, per cent sign,
//! ordinal and total. A number is read completely or not at all.

use super::chars::Chars;
use super::prefix::prefix;
use super::suffix::suffix;
use super::token::Token;

/// All numbers of a text, in order. Digits in words, in hyphenated codes and in malformed numbers are skipped.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    // Most lines of a page contain no number.
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
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

/// End of the run of digits, points and commas at `i`, without trailing punctuation.
fn digits_end(chars: &Chars, i: usize) -> usize {
    let mut end = i + 1;
    while chars
        .at(end)
        .is_some_and(|c| c.is_ascii_digit() || ((c == '.' || c == ',') && chars.digit(end + 1)))
    {
        end += 1;
    }
    end
}

fn read(chars: &Chars, i: usize, run_end: usize, floor: usize) -> Option<(usize, usize, Token)> {
    let mut token = Token::default();
    let digits: String = chars.c.get(i..run_end)?.iter().map(|&(_, c)| c).collect();
    split_digits(&digits, &mut token)?;
    let start = prefix(chars, i, floor, &mut token)?;
    let end = suffix(chars, run_end, &mut token)?;
    Some((start, end, token))
}

/// Splits `1,234.50` into its parts; `None` for malformed numbers such as `1,2` and `1.2.3`.
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
