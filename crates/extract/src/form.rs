//! The form of a value: a display rule, a vocabulary, or a rule inside fixed words.

use rust_decimal::Decimal;

use crate::value::vocabulary;
use crate::value::{Quantity, Rule, Unit, find_as, format, format_rank, parse_as};

use super::cue::Cue;
use crate::document::normalize_label;
use crate::value::fold::tidy;

/// A parsed value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Read {
    /// A number.
    Quantity(Quantity),
    /// A word in its canonical wording.
    Word(String),
}

/// The form of a value.
#[derive(Debug, Clone)]
pub enum Form {
    /// A number displayed by a rule.
    Rule {
        /// The rule.
        rule: Rule,
        /// The unit of the number.
        unit: Option<Unit>,
    },
    /// A number inside fixed words: `169 (RCA>1)`.
    Worded {
        /// The pattern around it.
        cue: Box<Cue>,
        /// The rule of the number.
        rule: Rule,
        /// The unit of the number.
        unit: Option<Unit>,
    },
    /// A word.
    Vocabulary(String),
}

impl Form {
    /// Parses a text that is exactly the value.
    pub fn whole(&self, text: &str) -> Option<Read> {
        match self {
            Self::Rule { rule: Rule::Integer, .. } if text.contains(['↑', '↓', '$', '%']) => None,
            Self::Rule { rule, unit } => number(text, *rule, *unit).filter(|read| is_whole(*rule, read)),
            Self::Worded { cue, rule, unit } => number(&cue.whole(&tidy(text))?.value, *rule, *unit),
            Self::Vocabulary(kind) => {
                let word = tidy(text.trim_matches([' ', ':', '.', '"']));
                vocabulary::canonical(kind, &word).is_some().then_some(Read::Word(word))
            }
        }
    }

    /// Finds the only value in a short text; none if there are several.
    pub fn within(&self, text: &str) -> Option<(String, Read)> {
        match self {
            Self::Rule { rule: Rule::Integer, .. } if text.contains(['↑', '↓', '$', '%']) => None,
            Self::Rule { rule, unit } => {
                let text = &tight(text);
                let mut found = find_as(text, *rule).into_iter();
                let (range, quantity) = found.next()?;
                if found.next().is_some() || is_cut(text.get(..range.start)?, text.get(range.end..)?) {
                    return None;
                }
                let shown = text.get(range)?.to_owned();
                let read = Read::Quantity(with_unit(quantity, *unit));
                is_whole(*rule, &read).then_some((shown, read))
            }
            Self::Worded { cue, rule, unit } => {
                let hit = cue.hits(text).next()?;
                let read = number(&hit.value, *rule, *unit)?;
                Some((text.get(hit.start..hit.end)?.to_owned(), read))
            }
            Self::Vocabulary(kind) => {
                let (_, rest) = text.split_once(':')?;
                let word = tidy(rest);
                vocabulary::canonical(kind, &word)?;
                Some((rest.trim().to_owned(), Read::Word(word)))
            }
        }
    }

    /// Whether it is the kind of figure that a card shows as its headline.
    pub(crate) const fn is_headline(&self) -> bool {
        matches!(
            self,
            Self::Rule { rule: Rule::F1 | Rule::F2 | Rule::F5 | Rule::F6 | Rule::F7 | Rule::F8, .. }
        )
    }

    /// Whether a text is a secondary figure beside the headline: a rank, a year.
    pub(crate) fn is_sibling(&self, text: &str) -> bool {
        let year = text.len() == 4 && (text.starts_with("19") || text.starts_with("20"));
        year || [Rule::F10, Rule::F11].iter().any(|rule| !find_as(text, *rule).is_empty())
            || normalize_label(text).contains("rank")
    }

    /// Parses a value typed by a person: its reading, and its canonical text.
    pub fn typed(&self, text: &str) -> Option<(Read, String)> {
        let read = self.whole(text)?;
        let shown = match (&read, self) {
            (Read::Quantity(quantity), Self::Rule { rule, .. } | Self::Worded { rule, .. }) => {
                canonical(quantity, *rule, text)
            }
            (Read::Word(word), _) => word.clone(),
            (Read::Quantity(_), Self::Vocabulary(_)) => return None,
        };
        Some((read, shown))
    }

    /// The form for messages.
    pub fn describe(&self) -> String {
        match self {
            Self::Rule { rule, .. } => format!("{rule:?}"),
            Self::Worded { cue, rule, .. } => format!("{rule:?} in `{}`", cue.source),
            Self::Vocabulary(kind) => format!("one of the {} words", kind.replace('_', " ")),
        }
    }
}

/// A number by its rule, in the point's unit.
pub fn number(text: &str, rule: Rule, unit: Option<Unit>) -> Option<Read> {
    parse_as(&tight(text), rule).ok().map(|quantity| Read::Quantity(with_unit(quantity, unit)))
}

/// Whether a value is complete: a rank needs its total (F10), and cannot exceed it.
fn is_whole(rule: Rule, read: &Read) -> bool {
    match read {
        Read::Quantity(quantity) if rule == Rule::F10 => {
            quantity.total.is_some_and(|total| Decimal::from(total) >= quantity.number)
        }
        _ => true,
    }
}

/// The text with size letters joined to their number (`$16.2 B` becomes `$16.2B`), and with a
/// trailing arrow moved to the front (`3 positions ↑` becomes `↑3 positions`).
pub(super) fn tight(text: &str) -> String {
    let mut tight = String::with_capacity(text.len());
    let mut text = text;
    if let Some((at, arrow @ ('↑' | '↓'))) = text.trim_end().char_indices().next_back()
        && text.starts_with(|c: char| c.is_ascii_digit())
        && !text[..at].contains(['↑', '↓'])
    {
        tight.push(arrow);
        text = text[..at].trim_end();
    }
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c.is_whitespace() && tight.ends_with(|c: char| c.is_ascii_digit()) {
            let mut ahead = rest.clone();
            let letter = ahead.find(|c| !c.is_whitespace());
            if letter.is_some_and(|c| matches!(c, 'k' | 'M' | 'B' | 'T'))
                && !ahead.peek().is_some_and(|c| c.is_alphanumeric())
            {
                continue;
            }
        }
        tight.push(c);
    }
    tight
}

/// Whether a match cuts a number short: `$2` in `$2 274,5`. A year beside it is a separate number.
fn is_cut(before: &str, after: &str) -> bool {
    let year = |digits: &str| digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
    let ahead = after.trim_start();
    let digits = ahead.len() - ahead.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let goes_on = digits > 0 && !year(&ahead[..digits]);
    let parted = after
        .strip_prefix([',', '.', '\''])
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let behind = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let opened = &before[behind.len()..];
    goes_on || parted || (!opened.is_empty() && !year(opened))
}

fn with_unit(mut quantity: Quantity, unit: Option<Unit>) -> Quantity {
    if let Some(unit) = unit {
        quantity.unit = unit;
    }
    quantity
}

/// The canonical text of a number, as its rule displays it, independent of the markup.
pub(super) fn canonical(quantity: &Quantity, rule: Rule, shown: &str) -> String {
    let printed = match (rule, quantity.total) {
        (Rule::F10, Some(total)) => rank(quantity.number).map(|position| format_rank(position, total)),
        (Rule::F10, None) => None,
        // the page chooses the number of digits, so it cannot be derived from the number
        (Rule::F12 | Rule::F15 | Rule::Growth | Rule::F9, _) => None,
        _ => format(quantity.number, rule),
    };
    let same = |text: &String| {
        parse_as(text, rule)
            .is_ok_and(|again| again.interval == quantity.interval && again.number == quantity.number)
    };
    printed.filter(same).unwrap_or_else(|| tidy(shown))
}

fn rank(number: Decimal) -> Option<u32> {
    u32::try_from(number).ok()
}
