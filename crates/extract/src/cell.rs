//! Reads a table cell: a name with its code, a number, a percentage with an arrow, or diamonds.

use std::sync::LazyLock;

use regex::Regex;
use rust_decimal::Decimal;

use crate::atlas::lookup;
use crate::compiled_in;
use crate::value::fold::tidy;
use crate::value::{Absence, Interval, Quantity, Rule, Unit};

use super::form::{Read, canonical, number};
use super::observation::{FailureKind, Reading};
use crate::document::normalize_label;

/// The content type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// A country name.
    Country,
    /// A product name with its code.
    Product,
    /// A number.
    Number(Rule),
    /// A percentage with its sign in an arrow.
    Arrowed(Rule),
    /// Five diamonds.
    Rating,
}

impl CellKind {
    /// The rule of its numbers.
    pub(super) const fn rule(self) -> Option<Rule> {
        match self {
            Self::Number(rule) | Self::Arrowed(rule) => Some(rule),
            Self::Country | Self::Product | Self::Rating => None,
        }
    }
}

/// A cell that was read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cell {
    /// The displayed text.
    pub shown: String,
    /// The reading.
    pub reading: Reading,
    /// The canonical text.
    pub value: String,
    /// The code beside a product name.
    pub code: Option<String>,
}

/// Reads a cell; none if the text does not have this type.
///
/// # Errors
/// The text has this type, but its sign is unknown.
pub(super) fn read(text: &str, kind: CellKind, unit: Option<Unit>) -> Result<Option<Cell>, FailureKind> {
    let plain = |reading: Reading, value: String| Cell { shown: text.to_owned(), reading, value, code: None };
    let named = matches!(kind, CellKind::Country | CellKind::Product);
    if !named && is_blank(text) {
        return Ok(Some(plain(Reading::Absent(Absence::NotShownHere), "N/A".to_owned())));
    }
    Ok(match kind {
        CellKind::Country => lookup(text).map(|_| {
            let name = unadorned(text);
            plain(Reading::Text(name.clone()), name)
        }),
        CellKind::Product => product(&unadorned(text)).map(|(name, code)| Cell {
            shown: text.to_owned(),
            reading: Reading::Text(name.clone()),
            value: name,
            code,
        }),
        CellKind::Number(rule) => match number(text, rule, unit) {
            Some(Read::Quantity(quantity)) => {
                let value = canonical(&quantity, rule, text);
                Some(plain(Reading::Quantity(quantity), value))
            }
            _ => None,
        },
        CellKind::Arrowed(rule) => {
            let down = text.contains('↓');
            let up = text.contains('↑');
            let bare = text.replace(['↑', '↓'], " ");
            let Some(Read::Quantity(quantity)) = number(bare.trim(), rule, unit) else {
                return Ok(None);
            };
            if up == down && !quantity.number.is_zero() {
                return Err(FailureKind::SignMissing);
            }
            let signed = if down { quantity.negated() } else { quantity };
            let minus = if down && !signed.number.is_zero() { "-" } else { "" };
            let value = format!("{minus}{}", bare.trim().replace(' ', ""));
            Some(plain(Reading::Quantity(signed), value))
        }
        CellKind::Rating => rating(text).map(|(number, value)| {
            let quantity = Quantity {
                number,
                interval: Interval::point(number),
                unit: Unit::Index,
                rule: None,
                total: None,
            };
            plain(Reading::Quantity(quantity), value)
        }),
    })
}

/// A name without flags and icons.
pub(super) fn unadorned(name: &str) -> String {
    let is_picture = |c: char| matches!(u32::from(c), 0x1F000..=0x1FAFF | 0x2600..=0x27BF | 0xFE0F | 0x200D | 0xE0020..=0xE007F);
    if name.is_ascii() || !name.contains(is_picture) {
        return name.to_owned();
    }
    tidy(&name.replace(is_picture, " "))
}

/// Whether a cell is blank: `---`, `n/a`.
fn is_blank(text: &str) -> bool {
    // fast path: most cells have a digit or a diamond, and are not blank
    !text.contains(|c: char| c.is_ascii_digit() || matches!(c, '◆' | '◇'))
        && matches!(normalize_label(text).as_str(), "-" | "--" | "---" | "n/a" | "na")
}

/// Five diamonds, `◆◆◆⬖◇`, as a number from 0.5 to 5.
fn rating(text: &str) -> Option<(Decimal, String)> {
    let mut halves = 0_i64;
    let mut marks = 0;
    for c in text.chars().filter(|c| *c != ' ') {
        marks += 1;
        halves += match c {
            '◆' => 2,
            '⬖' => 1,
            '◇' => 0,
            _ => return None,
        };
    }
    let number = Decimal::new(halves * 5, 1).normalize();
    (marks == 5).then(|| (number, number.to_string()))
}

/// A code with its classification, in parentheses.
static CODE: LazyLock<Regex> = LazyLock::new(|| compiled_in::pattern(r"\(\w{2,12} (?:HS|SITC)\d{0,4}\)"));

/// A code before a name, with or without its classification.
static CODE_FIRST: LazyLock<Regex> = LazyLock::new(|| {
    compiled_in::pattern(r"^\(?(?P<code>\d{4})(?: (?:HS|SITC)\d{0,4})?\)?:? (?P<name>\p{L}.*)$")
});

/// A product name with its code: `Tea (0902 HS92)`, `Tea 0902 HS92`, `Tea (0902)`, `0902 HS92 Tea`.
fn product(text: &str) -> Option<(String, Option<String>)> {
    let text = text.trim();
    if let Some(first) = CODE_FIRST.captures(text) {
        return product(&format!("{} ({})", &first["name"], &first["code"]));
    }
    if !text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '"' | '\'')) || text.len() < 2 {
        return None;
    }
    // text after the code belongs to another column: `Tea (0902 HS92) Agriculture`
    if CODE.find(text).is_some_and(|code| code.end() < text.len()) {
        return None;
    }
    let mut words: Vec<&str> = text.split(' ').collect();
    let bare = |word: &str| word.trim_matches(['(', ')', ',']).to_owned();
    if words.last().is_some_and(|word| bare(word).starts_with("HS") || bare(word) == "SITC")
        && words.len() > 2
    {
        words.pop();
    }
    let code = words.last().map(|word| bare(word)).filter(|word| {
        (word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit()))
            || matches!(word.as_str(), "travel" | "transport" | "ict" | "financial" | "unspecified")
    });
    if code.is_some() && words.len() > 1 {
        words.pop();
    }
    Some((words.join(" ").trim_end_matches([',', ' ']).to_owned(), code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn product_names_part_from_their_codes() {
        let name = |text| product(text).unwrap();
        assert_eq!(
            name("Photographic film, developed (3705 HS92)"),
            ("Photographic film, developed".into(), Some("3705".into()))
        );
        assert_eq!(name("Tea 0902"), ("Tea".into(), Some("0902".into())));
        assert_eq!(name("Tea"), ("Tea".into(), None));
        assert_eq!(name("0902 HS92 Tea"), ("Tea".into(), Some("0902".into())));
        assert_eq!(
            name("4815 Paper and paperboard, other (4815)"),
            ("Paper and paperboard, other (4815)".into(), Some("4815".into()))
        );
        // a column that nobody expects is not a part of the name
        assert_eq!(product("Photographic film, developed (3705 HS) Chemicals"), None);
    }

    #[test]
    fn diamonds_count_by_halves() {
        assert_eq!(rating("◆◆◆⬖◇").unwrap().1, "3.5");
        assert_eq!(rating("◆ ◆ ◆ ◆ ◆").unwrap().1, "5");
        assert_eq!(rating("◆◆◆◆"), None);
    }
}
