//! What a text states about its numbers besides the numbers: which figure, over how many years, goods or services, at whose
//! prices, level or change, from where to where. Two texts that state different things are about different things, however
//! alike their numbers are.

use std::collections::BTreeSet;

use crate::language::{self, lexicon};
use crate::value::fold::key;
use crate::value::vocabulary::canonical;
use crate::value::{Basis, ContextPart, Scope};
use crate::{Cause, Comparison, Verdict};

/// What a text states; what it leaves out is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Stated {
    /// Which measures, in the lexicon's words: `gdp_per_capita`, `eci`.
    pub figures: BTreeSet<&'static str>,
    /// Lengths of the periods spoken of, in years.
    pub spans: BTreeSet<u32>,
    /// `goods`, `services` or `goods and services`.
    scope: Option<&'static str>,
    /// `constant` or `current` prices.
    basis: Option<&'static str>,
    /// `share`, `growth over the whole period`, `annual growth`, `projected growth`.
    statistic: Option<&'static str>,
    /// Countries by role: from, to.
    route: BTreeSet<(Role, &'static str)>,
}

/// On which end of a flow a country stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    From,
    To,
}

const NUMBERS: &[(&str, u32)] = &[
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("fifteen", 15),
    ("twenty", 20),
];

impl Stated {
    /// What a text states.
    pub fn of(text: &str) -> Self {
        let bare = text.replace(['(', ')', ',', ';', ':', '.', '|', '[', ']', '?', '!'], " ");
        let folded = key(&bare);
        let words: Vec<&str> = folded.split(' ').collect();
        let stated = language::stated(&bare);
        Self {
            figures: stated.measures,
            spans: spans(&words),
            scope: stated.scope.map(|scope| match scope {
                Scope::Goods => "goods",
                Scope::Services => "services",
                Scope::GoodsAndServices => "goods and services",
            }),
            basis: stated.basis.map(|basis| match basis {
                Basis::Constant => "constant prices",
                Basis::Current => "current prices",
            }),
            statistic: statistic(&words),
            route: route(&words),
        }
    }

    /// Whether all figures that it names have no unit.
    pub fn index_alone(&self) -> bool {
        !self.figures.is_empty() && self.figures.iter().all(|figure| lexicon::listed("index", figure))
    }

    /// The first thing that both state and that differs. `single` is whether each text is about one number: only
    /// then is what it says about scope, prices and kind of figure said of that number.
    pub fn apart(&self, other: &Self, single: bool) -> Option<Comparison> {
        let differ = |part, cause, what: &str, a: &str, b: &str| {
            let reason = format!("not the same {what}: {a} against {b}");
            Some(Comparison {
                cause,
                differing: vec![part],
                ..Comparison::new(Verdict::NotComparable, reason)
            })
        };
        let listed = |set: &BTreeSet<&str>| {
            set.iter().map(|name| name.replace('_', " ")).collect::<Vec<_>>().join(", ")
        };
        if disjoint(&self.figures, &other.figures) {
            let (a, b) = (listed(&self.figures), listed(&other.figures));
            return differ(ContextPart::Statistic, None, "figure", &a, &b);
        }
        if disjoint(&self.spans, &other.spans) {
            let years = |set: &BTreeSet<u32>| {
                set.iter().map(|years| format!("{years} years")).collect::<Vec<_>>().join(", ")
            };
            let (a, b) = (years(&self.spans), years(&other.spans));
            return differ(ContextPart::Period, Some(Cause::OtherYear), "period", &a, &b);
        }
        let turned = |role, turned| {
            self.route.iter().filter(|(of, _)| *of == role).any(|(_, country)| {
                other.route.contains(&(turned, *country)) && !other.route.contains(&(role, *country))
            })
        };
        if turned(Role::From, Role::To) || turned(Role::To, Role::From) {
            let swapped = Some(Cause::SwappedEntities);
            return differ(ContextPart::Country, swapped, "direction", "one way", "the other");
        }
        if !single {
            return None;
        }
        for (a, b, part, what) in [
            (self.scope, other.scope, ContextPart::Scope, "scope"),
            (self.basis, other.basis, ContextPart::Basis, "price basis"),
            (self.statistic, other.statistic, ContextPart::Statistic, "statistic"),
        ] {
            if let (Some(a), Some(b)) = (a, b)
                && a != b
            {
                // Growth of which no more is said may be either kind of growth.
                if part == ContextPart::Statistic && (a == GROWTH || b == GROWTH) && a != SHARE && b != SHARE
                {
                    continue;
                }
                let cause = match part {
                    ContextPart::Scope => Some(Cause::Scope),
                    ContextPart::Basis => Some(Cause::RealAgainstNominal),
                    _ if a == SHARE || b == SHARE => Some(Cause::LevelAgainstChange),
                    _ if a == PROJECTED || b == PROJECTED => None,
                    _ => Some(Cause::TotalAgainstCagr),
                };
                return differ(part, cause, what, a, b);
            }
        }
        None
    }
}

fn disjoint<T: Ord>(a: &BTreeSet<T>, b: &BTreeSet<T>) -> bool {
    !a.is_empty() && !b.is_empty() && a.is_disjoint(b)
}

/// Whether the words from `at` on begin with a phrase.
fn says(words: &[&str], at: usize, phrase: &str) -> usize {
    let length = phrase.split(' ').count();
    let same = words.get(at..at + length).is_some_and(|run| run.iter().copied().eq(phrase.split(' ')));
    if same { length } else { 0 }
}

fn anywhere(words: &[&str], phrases: &[&str]) -> bool {
    (0..words.len()).any(|at| phrases.iter().any(|phrase| says(words, at, phrase) > 0))
}

/// `five years`, `10 years`, `15-year`, `decade`.
fn spans(words: &[&str]) -> BTreeSet<u32> {
    let number = |word: &str| {
        word.parse()
            .ok()
            .or_else(|| NUMBERS.iter().find(|(name, _)| *name == word).map(|(_, number)| *number))
            .filter(|number| (1..=100).contains(number))
    };
    words
        .iter()
        .enumerate()
        .filter_map(|(at, word)| {
            let before = at.checked_sub(1).and_then(|before| number(words[before]));
            match *word {
                "year" | "years" | "yr" | "yrs" => before,
                "decade" => Some(10),
                "decades" => before.map(|number| number * 10),
                _ => None,
            }
        })
        .collect()
}

const SHARE: &str = "share";
const PROJECTED: &str = "projected growth";
const GROWTH: &str = "growth";

fn statistic(words: &[&str]) -> Option<&'static str> {
    let share =
        anywhere(words, &["share", "proportion", "accounts for", "accounted for", "makes up", "made up"]);
    let grows = words.iter().any(|word| lexicon::listed("grows", word));
    if share {
        // The growth of a share is neither.
        return (!grows).then_some(SHARE);
    }
    if !grows {
        return None;
    }
    if anywhere(words, &["projected", "projection", "forecast", "expected", "coming", "will"]) {
        return Some(PROJECTED);
    }
    let annual = anywhere(
        words,
        &["cagr", "annually", "annual", "yearly", "per year", "a year", "each year", "per annum", "compound"],
    );
    let whole = anywhere(
        words,
        &[
            "total growth",
            "cumulative",
            "cumulatively",
            "altogether",
            "overall growth",
            "in total",
            "whole period",
        ],
    );
    match (annual, whole) {
        (true, false) => Some("annual growth"),
        (false, true) => Some("growth over the whole period"),
        _ => Some(GROWTH),
    }
}

/// The countries behind `from` and `to`, and the one before `to`.
fn route(words: &[&str]) -> BTreeSet<(Role, &'static str)> {
    const LONGEST: usize = 6;
    let country = |run: &[&str]| canonical("country", &run.join(" "));
    let mut found = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        let role = match *word {
            "from" => Role::From,
            "to" => Role::To,
            _ => continue,
        };
        let rest = &words[at + 1..];
        let behind = (1..=LONGEST.min(rest.len())).rev().find_map(|length| country(&rest[..length]));
        let Some(behind) = behind else { continue };
        found.insert((role, behind));
        let before = (1..=LONGEST.min(at)).rev().find_map(|length| country(&words[at - length..at]));
        if let (Role::To, Some(before)) = (role, before) {
            found.insert((Role::From, before));
        }
    }
    found
}
