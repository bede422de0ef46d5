//! Rules for a value derived from several: the words must say that the figure combines them.

use super::asserted::Place;
use super::base::of_all;
use crate::answer::Follows;
use crate::answer::figures::read::Figure;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::language::lexicon;
use crate::language::sentence::{Kind, Token};

fn is_by_a_judge(asked: &Asked<'_>) -> bool {
    asked.one.follows == Some(Follows::ByAJudge)
}

/// Whether a figure is stated as a combination: a difference, a ratio, a rank among several.
fn is_combination(asked: &Asked<'_>, figure: &Figure, line: &Line) -> bool {
    figure.said.words.iter().any(|word| lexicon::listed("compares_several", word))
        || figure.quantity.total.is_some()
        || of_all(asked, figure, line)
}

/// The figure is only one of the compared values.
pub(crate) fn why_one_of_two(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let is_one = asked.products.len() > 1 && figure.said.products.len() == 1;
    (is_by_a_judge(asked) && is_one && !is_combination(asked, figure, line))
        .then(|| Place::other("one of the compared values"))
}

/// The order is reversed: `coffee exceeds tea by so much`, if the question asks for tea less coffee.
pub(crate) fn why_order(asked: &Asked<'_>, _: &Figure, line: &Line) -> Option<Place> {
    if !is_by_a_judge(asked) {
        return None;
    }
    let products = |tokens: &[Token]| -> Vec<String> {
        let code = |token: &Token| match token.kind {
            Kind::Product(code) if asked.products.contains(code) => Some(code.to_owned()),
            _ => None,
        };
        tokens.iter().filter_map(code).collect()
    };
    let said = products(&line.sentence.tokens);
    let order = asked.question.as_ref().map(|question| products(&question.tokens)).unwrap_or_default();
    let is_less = |token: &Token| token.is("comparative", "less") || token.is("direction", "down");
    let less = line.sentence.tokens.iter().any(|token| is_less(token) && !asked.knows(&token.folded));
    (order.len() > 1 && said.len() > 1 && (said != order || less))
        .then(|| Place::unplaced("only a judge can decide which of the two is more"))
}

/// The figure is not stated as a comparison: `Tea comes to $5 billion`, if the question asks for tea less coffee.
pub(crate) fn why_not_compared(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let is_stated = !figure.said.alone && !figure.said.labelled && !figure.said.is_final;
    (is_by_a_judge(asked) && is_stated && !is_combination(asked, figure, line))
        .then(|| Place::unplaced("it does not say how several values compare"))
}
