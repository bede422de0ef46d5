//! The language of answers: words that measure, narrow, ask, doubt or deny. The comparator and the reader of answers share the
//! words in `lexicon.toml`.

pub mod answer_words;
pub(crate) mod block;
mod class;
mod fields;
pub mod lexicon;
mod markup;
pub(crate) mod numerals;
pub(crate) mod passage;
mod retag;
pub(crate) mod sentence;
mod split;
pub(crate) mod token;
mod tokenize;

use std::collections::BTreeSet;

use lexicon::Sense;
use sentence::Sentence;
use token::{Kind, Names};

use crate::value::{Basis, Classification, Flow, Scope, Statistic, Unit};

/// The context in the name of a measure: `5-year export CAGR (constant USD)`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stated {
    /// The named measures, by their lexicon names.
    pub measures: BTreeSet<&'static str>,
    /// The modifiers: `ppp`, `non_oil`.
    pub modifiers: BTreeSet<&'static str>,
    /// Exports or imports, if it names only one of them.
    pub flow: Option<Flow>,
    /// Goods, services or both.
    pub scope: Option<Scope>,
    /// Current or constant prices.
    pub basis: Option<Basis>,
    /// Share or growth.
    pub statistic: Option<Statistic>,
    /// The product classification.
    pub classification: Option<Classification>,
}

/// Reads the context in the name of a measure. Conflicting parts stay empty.
pub fn stated(text: &str) -> Stated {
    fn only<T: PartialEq + Copy>(found: &[T]) -> Option<T> {
        let first = *found.first()?;
        found.iter().all(|one| *one == first).then_some(first)
    }
    let mut stated = Stated::default();
    let (mut flows, mut scopes, mut bases) = (Vec::new(), Vec::new(), Vec::new());
    let (mut statistics, mut classifications) = (Vec::new(), Vec::new());
    for (_, sense) in lexicon::context(&lexicon::words(text)) {
        match sense {
            Sense::Metric(measure) => drop(stated.measures.insert(measure)),
            Sense::Modifier(modifier) => drop(stated.modifiers.insert(modifier)),
            Sense::Flow(flow) => flows.push(flow),
            Sense::Scope(scope) => scopes.push(scope),
            Sense::Basis(basis) => bases.push(basis),
            Sense::Statistic(statistic) => statistics.push(statistic),
            Sense::Classification(classification) => classifications.push(classification),
            Sense::Product(_) | Sense::Term(..) => {}
        }
    }
    Stated {
        flow: only(&flows),
        scope: only(&scopes),
        basis: only(&bases),
        statistic: only(&statistics),
        classification: only(&classifications),
        ..stated
    }
}

/// The value of a number word below a hundred: `five`, `fifteen`, `twenty`.
#[must_use]
pub fn number_in_words(word: &str) -> Option<u8> {
    let place = |list: &str| lexicon::position(list, word).and_then(|at| u8::try_from(at).ok());
    let ones = place("ones").map(|at| at + 1);
    ones.or(place("teens").map(|at| at + 10)).or(place("tens").map(|at| 10 * (at + 2)))
}

/// Whether a text mentions a yearly rate: `per year`, `annually`.
#[must_use]
pub fn says_yearly(text: &str) -> bool {
    lexicon::says("annually", text)
}

/// The distinct classifications that a text names, sorted.
pub(crate) fn classifications(text: &str) -> Vec<&'static str> {
    let found = lexicon::context(&lexicon::words(text)).into_iter();
    let found = found.filter_map(|(_, sense)| match sense {
        Sense::Classification(Classification::Hs92) => Some("HS92"),
        Sense::Classification(Classification::Hs12) => Some("HS12"),
        Sense::Classification(Classification::Hs22) => Some("HS22"),
        Sense::Classification(Classification::Sitc) => Some("SITC"),
        _ => None,
    });
    found.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Why a name states a different measure than the data point's; `None` if it fits or the lexicon does not define the measure.
pub fn other_measure(data_point: &str, said: &Stated) -> Option<String> {
    let asked = lexicon::measure(data_point)?;
    let has = |name: &String| said.measures.contains(name.as_str()) || said.modifiers.contains(name.as_str());
    let plain = |name: &str| name.replace('_', " ");
    if let Some(excluded) = asked.excludes.iter().find(|name| has(name)) {
        return Some(format!("it says {}", plain(excluded)));
    }
    if let Some(needed) = asked.needs.iter().find(|name| !has(name)) {
        return Some(format!("it does not say {}", plain(needed)));
    }
    let mut family = std::iter::once(&asked.family).chain(&asked.also);
    if said.measures.is_empty() || family.any(has) {
        return None;
    }
    let named: Vec<String> = said.measures.iter().map(|name| plain(name)).collect();
    Some(format!("it says {}", named.join(", ")))
}

/// The words and signs that change or weaken the value a text states (decision 27): questions, conditions, doubts, negations,
/// bounds, ranges, and other scales, currencies or price levels.
pub(crate) fn reservations(text: &str) -> BTreeSet<String> {
    let sentence = Sentence::of(&numerals::normalized(text), &Names::default());
    let tokens = &sentence.tokens;
    let mut found = BTreeSet::new();
    if sentence.question {
        found.insert("?".to_owned());
    }
    let trimmed = sentence.text.trim();
    let amount = trimmed.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    if amount.is_some() && tokens.len() == 1 && tokens.iter().any(|token| token.number().is_some()) {
        found.insert("(-)".to_owned());
    }
    let number_at = |at: usize| tokens.get(at).is_some_and(|token| token.number().is_some());
    let bare = |at: usize| at + usize::from(tokens.get(at).is_some_and(|token| token.role("article")));
    for (at, token) in tokens.iter().enumerate() {
        let shown = sentence.shown(&token.range);
        let before = sentence.text.get(..token.range.start).unwrap_or_default();
        let beside = at.checked_sub(1).is_some_and(number_at);
        let reserves = match &token.kind {
            Kind::Mark(mark) => SIGNS.contains(*mark),
            Kind::Number(_) => {
                let decimal =
                    before.strip_suffix(',').is_some_and(|rest| !rest.ends_with(char::is_alphanumeric));
                token.marked.is_some() || decimal || shown.trim_start_matches('$') == "000"
            }
            _ => {
                let other_money = matches!(token.folded.as_str(), "dollars" | "dollar")
                    && at.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|before| {
                        matches!(before.kind, Kind::Country(_)) && before.folded != "us"
                    });
                other_money
                    || token.terms.is_empty() && RESERVES.iter().any(|kind| token.operator(kind))
                    || token.operator("bound") && number_at(bare(at + 1))
                    || token.operator("bound_behind") && beside
                    || token.is("part", "in_scale")
                    || token.is("part", "money")
                    || token.is("modifier", "ppp")
                    || matches!(token.folded.as_str(), "to" | "or") && beside && number_at(at + 1)
            }
        };
        if token.number().is_some_and(|number| number.unit == Unit::OtherCurrency) {
            found.insert("another currency".to_owned());
        }
        if reserves {
            found.insert(match token.marked {
                Some(mark) => mark.to_string(),
                None => shown.to_lowercase(),
            });
        }
    }
    found
}

/// Operators that keep a clause from asserting.
const RESERVES: [&str; 6] = ["negation", "hedge", "condition", "question", "wrong", "exception"];

/// Signs that deny or bound the value beside them.
const SIGNS: &str = "±≠¬≤≥✗✘⛔🚫👎❌";
