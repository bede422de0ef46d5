//! Reads what can precede a number: sign, currency, arrow, `<`, `#`.

use super::chars::Chars;
use super::token::{Currency, Token};

const OTHER_CURRENCIES: &[&str] = &[
    "EUR", "GBP", "JPY", "CNY", "RMB", "INR", "BRL", "CHF", "CAD", "AUD", "KES", "TRY", "KRW", "ZAR", "MXN",
    "RUB", "UGX", "TZS", "RWF", "ETB", "NGN", "GHS", "EGP", "MAD", "XOF", "XAF", "IDR", "PHP", "THB", "VND",
    "SGD", "HKD", "TWD", "MYR", "PKR", "BDT", "LKR", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "ILS", "SAR",
    "AED", "ARS", "CLP", "COP", "PEN", "NZD", "UAH", "KSH", "KSh", "Ksh",
];

/// Reads backwards from the digits: sign, currency, arrow. Returns where the token starts, or `None` if the digits
/// belong to a word.
pub(super) fn prefix(chars: &Chars, digits: usize, floor: usize, token: &mut Token) -> Option<usize> {
    let mut before = Before { chars, digits, floor, at: digits, is_signed: false, token };
    before.sign();
    before.currency_symbol()?;
    before.currency_code()?;
    before.mark();
    let start = before.at;
    (start < digits || !is_of_word(chars, start)).then_some(start)
}

/// The state while reading backwards from the digits.
struct Before<'a> {
    chars: &'a Chars,
    digits: usize,
    floor: usize,
    /// Start of what has been read so far.
    at: usize,
    is_signed: bool,
    token: &'a mut Token,
}

impl Before<'_> {
    fn sign(&mut self) {
        let c = self.chars.before(self.at, self.floor);
        if self.is_signed || !matches!(c, Some('-' | '+')) {
            return;
        }
        let outer = self.chars.before(self.at - 1, 0);
        let is_of_word = outer.is_some_and(|o| o.is_alphanumeric() || o == ')' || o == '%');
        if is_of_word || range_dash(self.chars, self.at - 1, self.digits) {
            return;
        }
        self.is_signed = true;
        self.token.negative = c == Some('-');
        self.token.plus = c == Some('+');
        self.at -= 1;
    }

    /// Reads `$`, `US$` or `€`, with a sign before it.
    fn currency_symbol(&mut self) -> Option<()> {
        let end = self.chars.skip_spaces_back(self.at, self.floor);
        match self.chars.before(end, self.floor) {
            Some('$') => {
                self.at = end - 1;
                let mut letters = self.at;
                while self.chars.before(letters, self.floor).is_some_and(|c| c.is_ascii_uppercase()) {
                    letters -= 1;
                }
                let name = self.text(letters, self.at)?;
                self.at = letters;
                self.token.currency = match name.as_str() {
                    "" | "US" | "USD" => Currency::Usd { code: name == "USD", symbol: true },
                    _ => Currency::Other,
                };
            }
            Some('€' | '£' | '¥' | '₹' | '₩' | '₽' | '₺' | '₦' | '₫' | '₱' | '₪' | '฿' | '₴' | '₵') =>
            {
                self.at = end - 1;
                self.token.currency = Currency::Other;
            }
            _ => return Some(()),
        }
        self.sign();
        Some(())
    }

    /// Reads `USD` or `EUR`, with a sign before it.
    fn currency_code(&mut self) -> Option<()> {
        let end = self.chars.skip_spaces_back(self.at, self.floor);
        let is_of_word =
            || end >= self.floor + 4 && self.chars.at(end - 4).is_some_and(char::is_alphanumeric);
        if end < self.floor + 3 || is_of_word() {
            return Some(());
        }
        let code = self.text(end - 3, end)?;
        let known = self.token.currency;
        self.token.currency = if code == "USD" && known != Currency::Other {
            Currency::Usd { code: true, symbol: matches!(known, Currency::Usd { .. }) }
        } else if known == Currency::None && OTHER_CURRENCIES.contains(&code.as_str()) {
            Currency::Other
        } else {
            return Some(());
        };
        self.at = end - 3;
        self.sign();
        Some(())
    }

    /// Reads an arrow, `<` or `#`.
    fn mark(&mut self) {
        let end = self.chars.skip_spaces_back(self.at, self.floor);
        match self.chars.before(end, self.floor) {
            Some(arrow @ ('↑' | '↓')) => {
                self.token.arrow = Some(arrow == '↑');
                self.at = end - 1;
            }
            Some('<') if end == self.at => {
                self.token.below = true;
                self.at -= 1;
            }
            Some('#') if end == self.at => {
                self.token.hash = true;
                self.at -= 1;
            }
            _ => {}
        }
    }

    fn text(&self, from: usize, to: usize) -> Option<String> {
        Some(self.chars.c.get(from..to)?.iter().map(|&(_, c)| c).collect())
    }
}

/// Whether bare digits belong to the word before them: `HS92`, `COVID-19`, `product-HS92-726`.
fn is_of_word(chars: &Chars, digits: usize) -> bool {
    match chars.before(digits, 0) {
        // The hyphen attaches the digits to the word.
        Some('-') => {
            digits > 1 && chars.at(digits - 2).is_some_and(char::is_alphabetic)
                || hyphenated_code(chars, digits - 1)
        }
        Some(c) => c.is_alphanumeric() || c == '_' || c == '.',
        None => false,
    }
}

/// Whether the digits before the hyphen are part of a word themselves (`HS92-726`).
fn hyphenated_code(chars: &Chars, hyphen: usize) -> bool {
    let mut p = hyphen;
    while chars.before(p, 0).is_some_and(|c| c.is_ascii_digit()) {
        p -= 1;
    }
    chars.before(p, 0).is_some_and(char::is_alphabetic)
}

/// Whether the dash is between two years: `2009 -2024`.
fn range_dash(chars: &Chars, dash: usize, digits: usize) -> bool {
    let q = chars.skip_spaces_back(dash, 0);
    let year = |from: usize| (from..from + 4).all(|k| chars.digit(k));
    q >= 4 && q < dash && year(q - 4) && year(digits) && !chars.digit(digits + 4)
}
