//! The context that a text states for its numbers: figure, years covered, goods or services, price basis, level or change,
//! direction of trade. Texts that state different contexts are not comparable, even if their numbers agree.

use crate::language::token::{Kind, Token};
use std::collections::BTreeSet;

use crate::atlas::CountryId;
use crate::language::sentence::Sentence;
use crate::language::{self, lexicon};
use crate::value::{Basis, ContextPart, Scope};
use crate::{Cause, Comparison, Verdict};

/// The context that a text states. Unstated parts are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Stated {
    /// The measures, by their lexicon names: `gdp_per_capita`, `eci`.
    pub figures: BTreeSet<&'static str>,
    /// Lengths of the mentioned periods, in years.
    pub spans: BTreeSet<u32>,
    /// `goods`, `services` or `goods and services`.
    scope: Option<&'static str>,
    /// `constant` or `current` prices.
    basis: Option<&'static str>,
    /// `share`, `growth over the whole period`, `annual growth`, `projected growth`.
    statistic: Option<&'static str>,
    /// Countries by role.
    route: BTreeSet<(Role, CountryId)>,
}

/// A country's end of a trade flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    From,
    To,
}

impl Stated {
    /// Reads the context that a sentence states.
    pub fn of(sentence: &Sentence) -> Self {
        let stated = language::stated(&sentence.text);
        Self {
            figures: stated.measures,
            spans: spans(sentence),
            scope: stated.scope.map(|scope| match scope {
                Scope::Goods => "goods",
                Scope::Services => "services",
                Scope::GoodsAndServices => "goods and services",
            }),
            basis: stated.basis.map(|basis| match basis {
                Basis::Constant => "constant prices",
                Basis::Current => "current prices",
            }),
            statistic: statistic(&sentence.text),
            route: route(sentence),
        }
    }

    /// Whether it names figures and all of them are unitless indices.
    pub(crate) fn index_alone(&self) -> bool {
        !self.figures.is_empty() && self.figures.iter().all(|figure| lexicon::listed("index", figure))
    }

    /// The first part that both state differently. `single` means that each text has one number: only then do scope, prices and
    /// statistic apply to that number.
    pub fn apart(&self, other: &Self, single: bool) -> Option<Comparison> {
        let differ = |part, cause, what: &str, a: &str, b: &str| {
            let reason = format!("different {what}: {a} against {b}");
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
        let is_reversed = |role, opposite| {
            self.route.iter().filter(|(of, _)| *of == role).any(|(_, country)| {
                other.route.contains(&(opposite, *country)) && !other.route.contains(&(role, *country))
            })
        };
        if is_reversed(Role::From, Role::To) || is_reversed(Role::To, Role::From) {
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
                // Unspecified growth may be either kind.
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

/// The stated spans: `five years`, `10 years`, `15-year`, `three decades`, also inside a number: `↑3 positions over 5 years`.
fn spans(sentence: &Sentence) -> BTreeSet<u32> {
    let number = |token: &Token| token.number().and_then(|number| u32::try_from(number.number).ok());
    let within = |token: &Token| {
        let (before, _) = token.folded.split_once(" years")?;
        before.rsplit(' ').next()?.parse().ok()
    };
    let tokens = sentence.tokens.iter().enumerate();
    let span = |(at, token): (usize, &Token)| match token.kind {
        Kind::Duration(years) => Some(years),
        Kind::Number(_) => within(token),
        _ if token.folded == "decades" => {
            at.checked_sub(1).and_then(|at| number(&sentence.tokens[at])).map(|decades| decades * 10)
        }
        _ => None,
    };
    tokens.filter_map(span).collect()
}

const SHARE: &str = "share";
const PROJECTED: &str = "projected growth";
const GROWTH: &str = "growth";

fn statistic(text: &str) -> Option<&'static str> {
    let says = |list: &str| lexicon::says(list, text);
    if says("share_of") {
        // The growth of a share is neither a share nor plain growth.
        return (!says("grows")).then_some(SHARE);
    }
    match (says("grows"), says("foreseen"), says("annually"), says("whole_period")) {
        (false, ..) => None,
        (_, true, ..) => Some(PROJECTED),
        (_, _, true, false) => Some("annual growth"),
        (_, _, false, true) => Some("growth over the whole period"),
        _ => Some(GROWTH),
    }
}

/// The countries after `from` and `to`, and the one before `to`.
fn route(sentence: &Sentence) -> BTreeSet<(Role, CountryId)> {
    let country = |at: usize| match sentence.tokens.get(at)?.kind {
        Kind::Country(id) => Some(id),
        _ => None,
    };
    let mut found = BTreeSet::new();
    for (at, token) in sentence.tokens.iter().enumerate() {
        let role = match token.folded.as_str() {
            "from" => Role::From,
            "to" => Role::To,
            _ => continue,
        };
        let Some(behind) = country(at + 1) else { continue };
        found.insert((role, behind));
        if let (Role::To, Some(before)) = (role, at.checked_sub(1).and_then(country)) {
            found.insert((Role::From, before));
        }
    }
    found
}
