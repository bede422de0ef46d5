//! The words of answers: what they measure, narrow, ask, doubt, deny. `lexicon.toml` holds them; the comparator of texts
//! and the reader of answers stand on the same ones.

pub(crate) mod block;
pub(crate) mod lexicon;
pub(crate) mod numerals;
pub(crate) mod sentence;
mod structured;

use std::collections::BTreeSet;

use lexicon::Sense;

use crate::value::{Basis, Classification, Flow, Scope, Statistic};

/// What the name of a measure says: `5-year export CAGR (constant USD)`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stated {
    /// The measures that it names, in the lexicon's words.
    pub measures: BTreeSet<&'static str>,
    /// What narrows them: `ppp`, `non_oil`.
    pub modifiers: BTreeSet<&'static str>,
    /// Exports or imports, where it names one of them alone.
    pub flow: Option<Flow>,
    /// Goods, services or both.
    pub scope: Option<Scope>,
    /// Current or constant prices.
    pub basis: Option<Basis>,
    /// Share or growth.
    pub statistic: Option<Statistic>,
    /// The classification of products.
    pub classification: Option<Classification>,
}

/// What the name of a measure says. What it says in two ways at once it leaves open.
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
            Sense::Cue(_) | Sense::Product(_) | Sense::Term(..) => {}
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

/// Why what a name says is another measure than a data point asks for, where the lexicon knows what it asks for.
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

/// Words of a text that keep it from asserting the value that it holds: it asks, supposes, doubts or denies; with
/// `of_number`, it also names a bound (decision 27).
pub(crate) fn unasserting(text: &str, of_number: bool) -> BTreeSet<String> {
    let words = lexicon::words(text);
    let place = |range: &std::ops::Range<usize>| text.get(range.clone()).unwrap_or_default().to_lowercase();
    // words of a name are no words of the sentence: `Commodities not specified`
    let names = lexicon::terms(&words);
    let is_named = |range: &std::ops::Range<usize>| {
        names
            .iter()
            .any(|(name, _)| name.start <= range.start && range.end <= name.end && name.len() > range.len())
    };
    let kinds = ["condition", "hedge", "ask", "denial", "wrong"];
    let mut found: BTreeSet<String> = lexicon::assertion(&words)
        .into_iter()
        .filter(|(range, kind)| kinds.contains(kind) && !is_named(range))
        .map(|(range, _)| place(&range))
        .collect();
    if of_number {
        let bounds = lexicon::context(&words).into_iter();
        let bounds = bounds.filter(|(_, sense)| matches!(sense, Sense::Cue("more" | "less")));
        // "over $5 billion", and not "over the past five years"
        let bounds = bounds.filter(|(range, _)| {
            let rest = text.get(range.end..).unwrap_or_default().trim_start();
            let bare = rest.trim_start_matches(|c: char| c.is_alphabetic() || c == ' ');
            let span = bare.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches([' ', '-']);
            let of_time = ["year", "decade", "month"].iter().any(|word| span.starts_with(word));
            !of_time
                && rest.len() - bare.len() <= 4
                && bare.starts_with(|c: char| c.is_ascii_digit() || "$€£-−".contains(c))
        });
        found.extend(bounds.map(|(range, _)| place(&range)));
    }
    if text.trim_end().ends_with('?') {
        found.insert("?".to_owned());
    }
    found
}
