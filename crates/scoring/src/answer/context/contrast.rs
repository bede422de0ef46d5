//! Handles contrasts in a sentence: `It is measured, not forecast.`

use crate::language::lexicon::{self, stem};
use crate::language::token::Token;
use std::ops::Range;

use super::differs::differs;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::answer::statement::said::Said;
use crate::atlas::{self, CountryId};
use crate::value::Scope;

/// The tokens of a line without contrasts to something else: `It is measured, not forecast.`
pub(crate) fn meant(asked: &Asked<'_>, line: &Line) -> Vec<Token> {
    let tokens = &line.sentence.tokens;
    let is_off = |range: &&Range<usize>| {
        is_set_off(asked, &Said::of_tokens(tokens.get((*range).clone()).unwrap_or_default()))
    };
    let off: Vec<_> = line.contrasts.iter().filter(is_off).collect();
    let stays = |at: &usize| !off.iter().any(|range| range.contains(at));
    let kept = tokens.iter().enumerate().filter(|(at, _)| stays(at));
    kept.map(|(_, token)| token.clone()).collect()
}

/// A rule: whether a contrast is about something other than the question.
type Rule = fn(&Asked<'_>, &Said) -> bool;

/// `not minerals`, `not Germany`, `not D-`, `not the third sector`, `not in total`
const RULES: [Rule; 5] = [is_other_row, is_other_name, is_other_letter, is_other_term, is_other_context];

/// Whether a contrast is about something other than the question: `not in total`, `not percentage points`, `not minerals`.
pub(crate) fn is_set_off(asked: &Asked<'_>, contrast: &Said) -> bool {
    is_unit(contrast) || !is_asked_base(asked, contrast) && RULES.iter().any(|rule| rule(asked, contrast))
}

/// The contrast is another unit: `not percentage points`.
fn is_unit(contrast: &Said) -> bool {
    let is_word = |word: &String| {
        lexicon::list("unit_word").iter().any(|unit| stem(unit) == *word)
            || lexicon::listed("set_off_frame", word)
    };
    contrast.unknown.is_empty() && contrast.words.iter().all(is_word)
}

/// The contrast is the requested base: `rather than a figure per person`.
fn is_asked_base(asked: &Asked<'_>, contrast: &Said) -> bool {
    asked.has("metric", "gdp_per_capita")
        && contrast.tags.iter().any(|(_, value)| matches!(*value, "per_person" | "gdp_per_capita"))
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
    let own = truth.chars().next().map(|c| c.to_ascii_lowercase().to_string()).unwrap_or_default();
    let is_letter = |word: &String| word.chars().count() == 1;
    truth.len() <= 2 && contrast.words.iter().any(is_letter) && !contrast.words.contains(&own)
}

fn is_other_term(asked: &Asked<'_>, contrast: &Said) -> bool {
    let own = lexicon::terms_within(asked.text().unwrap_or_default());
    contrast.terms.iter().any(|(kind, _)| own.iter().any(|(own, _)| own == kind))
        && !contrast.terms.iter().any(|term| own.contains(term))
}

/// The contrast is another context. If the question covers both scopes, excluding one narrows the statement instead.
fn is_other_context(asked: &Asked<'_>, contrast: &Said) -> bool {
    let asks_both = !matches!(asked.context.scope, Some(Scope::Goods | Scope::Services));
    differs(asked, contrast).is_some_and(|part| !(asks_both && part.starts_with("the scope")))
}
