//! Contrasts of an answer, such as `not minerals`: whether they name another thing, or deny what was asked for.

use std::ops::Range;

use super::context::differs;
use super::line::Line;
use super::question::asked::Asked;
use super::statement::said::{Role, Said};
use crate::atlas::{self, CountryId};
use crate::language::lexicon;
use crate::language::token::Token;
use crate::value::{ContextPart, Scope, Unit};

/// The tokens of a line without contrasts to something else: `It is measured, not forecast.`
pub(crate) fn meant(asked: &Asked<'_>, line: &Line) -> Vec<Token> {
    let off = set_off(asked, line);
    let stays = |at: &usize| !off.iter().any(|range| range.contains(at));
    let kept = line.sentence.tokens.iter().enumerate().filter(|(at, _)| stays(at));
    kept.map(|(_, token)| token.clone()).collect()
}

/// The contrasts of a line to something other than the question.
pub(crate) fn set_off<'l>(asked: &Asked<'_>, line: &'l Line) -> Vec<&'l Range<usize>> {
    let tokens = |range: &Range<usize>| line.sentence.tokens.get(range.clone()).unwrap_or_default();
    line.contrasts.iter().filter(|range| is_set_off(asked, &Said::of_tokens(tokens(range)))).collect()
}

/// A rule: whether a contrast is about something other than the question.
type Contrast = fn(&Asked<'_>, &Said) -> bool;

/// `not minerals`, `not Germany`, `not D-`, `not a placeholder`, `not a deficit`, `no comparative advantage`, `not the third sector`,
/// `not in total`
const CONTRASTS: [Contrast; 8] = [
    is_other_row,
    is_other_name,
    is_other_letter,
    is_estimate,
    is_opposite,
    is_no_advantage,
    is_other_term,
    is_other_context,
];

/// Whether a contrast is about something other than the question: `not in total`, `not percentage points`, `not minerals`.
pub(crate) fn is_set_off(asked: &Asked<'_>, contrast: &Said) -> bool {
    is_unit(asked, contrast)
        || !denies_value(asked, contrast)
            && !is_part_of_asked(asked, contrast)
            && CONTRASTS.iter().any(|rule| rule(asked, contrast))
}

/// The contrast denies what the value is: `not the real number`, `not an annual figure` of a level.
fn denies_value(asked: &Asked<'_>, contrast: &Said) -> bool {
    let says = |list: &str| contrast.words.iter().any(|word| lexicon::listed_stem(list, word));
    says("genuine") && says("value_noun")
        || !asked.is_change() && contrast.tags.contains(&("statistic", "cagr"))
}

/// The contrast is a part of the whole that was asked for: `without Mexico`, `not to Mexico` where the question names no partner.
fn is_part_of_asked(asked: &Asked<'_>, contrast: &Said) -> bool {
    let leaves_out = contrast.operators.iter().any(|(kind, _)| *kind == "exception");
    let leads = |word: &String| matches!(word.as_str(), "to" | "from" | "into");
    let is_of_partner = leaves_out || contrast.words.iter().any(leads);
    let is_other = |(id, _): &(CountryId, Role)| asked.country != Some(*id);
    asked.covers_countries() && is_of_partner && contrast.countries.iter().any(is_other)
}

/// The contrast is another unit: `not percentage points`.
fn is_unit(asked: &Asked<'_>, contrast: &Said) -> bool {
    let is_word =
        |word: &String| lexicon::listed_stem("unit_word", word) || lexicon::listed("set_off_frame", word);
    let own = match asked.number().map(|number| number.unit) {
        Some(Unit::Usd) => "dollar",
        Some(Unit::Rank | Unit::Positions) => "place",
        _ if asked.is_change() => "change",
        _ => "level",
    };
    contrast.unknown.is_empty()
        && contrast.words.iter().all(is_word)
        && !contrast.words.iter().any(|word| word == own)
        && !contrast.tags.iter().any(|tag| tag.0 == "statistic" && asked.allows(*tag))
}

fn is_other_row(asked: &Asked<'_>, contrast: &Said) -> bool {
    !contrast.rows.is_empty() && !contrast.rows.contains(&asked.row)
}

fn is_other_name(asked: &Asked<'_>, contrast: &Said) -> bool {
    let names = asked.one.names.iter().map(String::as_str).chain(asked.text());
    let own: Vec<CountryId> = names.filter_map(atlas::lookup).map(|entity| entity.id).collect();
    !own.is_empty()
        && !contrast.countries.is_empty()
        && contrast.countries.iter().all(|(id, _)| !own.contains(id))
}

/// The contrast is another grade: `B – not D-`.
fn is_other_letter(asked: &Asked<'_>, contrast: &Said) -> bool {
    let truth = asked.text().unwrap_or_default();
    let Some(own) = truth.chars().next().map(|c| c.to_ascii_lowercase().to_string()) else { return false };
    let is_letter = |word: &String| word.chars().count() == 1;
    truth.len() <= 2 && contrast.words.iter().any(is_letter) && !contrast.words.contains(&own)
}

/// The contrast is another kind of figure: `not a placeholder`, but not `not an average` of a yearly average.
fn is_estimate(asked: &Asked<'_>, contrast: &Said) -> bool {
    let is_own = contrast.tags.iter().any(|tag| asked.allows(*tag));
    let mut words = contrast.words.iter().filter(|word| !asked.knows(word));
    asked.number().is_some() && !is_own && words.any(|word| lexicon::listed_stem("reckoned", word))
}

/// The contrast is the other direction: `a surplus, not a deficit`.
fn is_opposite(asked: &Asked<'_>, contrast: &Said) -> bool {
    let down = asked.number().is_some_and(|number| number.number.is_sign_negative());
    let mut directions = contrast.tags.iter().filter(|(kind, _)| *kind == "direction").peekable();
    asked.number().is_some()
        && directions.peek().is_some()
        && directions.all(|(_, way)| (*way == "up") == down)
}

/// The contrast reads an RCA below 1: `no comparative advantage`.
fn is_no_advantage(asked: &Asked<'_>, contrast: &Said) -> bool {
    let rca = ("metric", "rca");
    contrast.tags.contains(&rca)
        && asked.tags.contains(&rca)
        && asked.number().is_some_and(|number| number.number < 1.into())
}

fn is_other_term(asked: &Asked<'_>, contrast: &Said) -> bool {
    let own = lexicon::terms_within(asked.text().unwrap_or_default());
    contrast.terms.iter().any(|(kind, _)| own.iter().any(|(own, _)| own == kind))
        && !contrast.terms.iter().any(|term| own.contains(term))
}

/// The contrast is another context. If the question covers both scopes, excluding one narrows the statement instead.
fn is_other_context(asked: &Asked<'_>, contrast: &Said) -> bool {
    let asks_both = !matches!(asked.context.scope, Some(Scope::Goods | Scope::Services));
    differs(asked, contrast).is_some_and(|part| !(asks_both && part.is_of(ContextPart::Scope)))
}
