//! What can precede a number: sign, currency, arrow, `<`, `#`.

use super::chars::Chars;
use super::token::{Currency, Token};

const OTHER_CURRENCIES: &[&str] = &[
    "EUR", "GBP", "JPY", "CNY", "RMB", "INR", "BRL", "CHF", "CAD", "AUD", "KES", "TRY", "KRW", "ZAR", "MXN",
    "RUB", "UGX", "TZS", "RWF", "ETB", "NGN", "GHS", "EGP", "MAD", "XOF", "XAF", "IDR", "PHP", "THB", "VND",
    "SGD", "HKD", "TWD", "MYR", "PKR", "BDT", "LKR", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "ILS", "SAR",
    "AED", "ARS", "CLP", "COP", "PEN", "NZD", "UAH", "KSH", "KSh", "Ksh",
];

/// Reads backwards from the digits: sign, currency, arrow. Gives where the token starts, or `None` when the
/// digits belong to a word.
pub(super) fn prefix(chars: &Chars, i: usize, floor: usize, token: &mut Token) -> Option<usize> {
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
        Some('€' | '£' | '¥' | '₹' | '₩' | '₽' | '₺' | '₦' | '₫' | '₱' | '₪' | '฿' | '₴' | '₵') =>
        {
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
    let year = |from: usize| (from..from + 4).all(|k| chars.digit(k));
    q >= 4 && q < dash && year(q - 4) && year(digits) && !chars.digit(digits + 4)
}
