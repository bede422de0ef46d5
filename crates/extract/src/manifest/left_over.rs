//! The words of a question that its data point does not account for: `tea` in a question about the exports of tea,
//! if the total exports are read.

use std::collections::BTreeSet;

use super::asked::Asked;
use super::spec::{Point, Span};
use crate::atlas::{self, AtlasUrl, SitePage};
use crate::value::Unit;
use atlas_gt_scoring::language::lexicon::{listed, stem};
use atlas_gt_scoring::language::{Stated, number_in_words, stated};

/// The words of a question that neither the data point, its unit nor the page accounts for, in order.
pub(super) fn left_over<'q>(
    asked: &'q Asked,
    (extractor, point): (&str, &Point),
    url: &AtlasUrl,
) -> Vec<&'q str> {
    let text = asked.text.as_str();
    let all: Vec<(usize, &str)> = words(text).collect();
    let lower: Vec<String> = all.iter().map(|(_, word)| word.to_lowercase()).collect();
    let (known, countries) = (known_words(extractor, point), atlas::find_names(text));
    let spelled = spelled_out(&lower, &known);
    let whole = held(text, point, url);
    // try with the whole text and with its neighbours only, because a repeated word can be dropped from the text
    let changes = |at: usize| {
        [1, 2, all.len()].into_iter().any(|around| {
            let run = &all[at.saturating_sub(around)..all.len().min(at + around + 1)];
            let [with, without] = [None, Some(all[at])].map(|out| {
                let kept = run.iter().map(|word| if out == Some(*word) { NO_WORD } else { word.1 });
                held(&kept.collect::<Vec<_>>().join(" "), point, url)
            });
            with != without && with.0.measures.is_subset(&whole.0.measures)
        })
    };
    let is_read = |at: usize| {
        let word = lower[at].as_str();
        listed("asks_nothing", word)
            || listed("site_noun", word)
            || known.iter().any(|own| stem(word) == stem(own))
            || number_in_words(word).is_some_and(|number| known.contains(&number.to_string()))
            || countries.iter().any(|(range, _)| range.contains(&all[at].0))
            || spelled.contains(&at)
            || changes(at)
    };
    (0..all.len()).filter(|at| !is_read(*at)).map(|at| all[at].1).collect()
}

/// The words of a data point: from its names, its place on the page, its unit and its years.
fn known_words(extractor: &str, point: &Point) -> Vec<String> {
    let unit = match point.unit {
        Some(Unit::Usd) => "US dollar USD",
        Some(Unit::Percent) => "percent percentage per cent",
        Some(Unit::PercentagePoints) => "percentage point",
        Some(Unit::Rank | Unit::Positions) => "rank position place",
        Some(Unit::Persons) => "people person inhabitant resident",
        Some(Unit::Count | Unit::Index | Unit::OtherCurrency) | None => "",
    };
    let years = match point.period {
        Span::Year => String::new(),
        Span::Lookback(years) => format!("last past previous {years} years"),
        Span::Projection(years) => format!("next coming {years} years"),
    };
    let measures = stated(&point.metric).measures;
    let is_balance = ["trade_balance", "current_account"].iter().any(|one| measures.contains(one));
    let rows = point.find.count().map(|rows| rows.to_string()).unwrap_or_default();
    let of_balance = if is_balance { "balance surplus deficit" } else { "" };
    let all = [&point.metric, &point.id, &point.section, extractor, unit, &years, &rows, of_balance];
    all.into_iter().flat_map(words).map(|(_, word)| word.to_lowercase()).collect()
}

/// The positions of words whose initials are a known abbreviation: `purchasing power parity` for `PPP`.
fn spelled_out(lower: &[String], known: &[String]) -> BTreeSet<usize> {
    let mut spelled = BTreeSet::new();
    for short in known.iter().filter(|word| word.len() > 2) {
        for (at, run) in lower.windows(short.len()).enumerate() {
            if run.iter().filter_map(|word| word.chars().next()).eq(short.chars()) {
                spelled.extend(at..at + short.len());
            }
        }
    }
    spelled
}

/// Replaces an omitted word, so that its neighbours do not form a phrase.
const NO_WORD: &str = "qqq";

/// The statements of a text. A word is accounted for if its omission changes them.
fn held(text: &str, point: &Point, url: &AtlasUrl) -> (Stated, Asked) {
    let (own, mut said, mut asked) = (stated(&point.metric), stated(text), Asked::new(text, None, false));
    let is_explore = matches!(url.page, SitePage::Explore(_));
    said.flow = said.flow.filter(|_| is_explore || own.flow.is_some());
    said.basis = said.basis.filter(|basis| point.context.basis.or(own.basis) == Some(*basis));
    said.classification = said.classification.filter(|_| is_explore);
    asked.classes.retain(|_| is_explore);
    (asked.text, asked.lower) = Default::default();
    (said, asked)
}

/// The words of a text with their positions.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}
