//! Rules about counts: what is counted, and of which whole it is a part.

use crate::answer::candidate::Place;
use crate::answer::figures::figure::Figure;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::language::token::{Class, Token};
use crate::value::Unit;

/// The sentence counts products by another bound than 1: `products in which its RCA stays under 1`, `with an RCA above 0.5`.
pub(crate) fn why_under_one(asked: &Asked<'_>, _: &Figure, line: &Line) -> Option<Place> {
    let is_one = |token: &Token| token.number().is_some_and(|number| number.number == 1.into());
    let under = |pair: &[Token]| matches!(pair, [bound, one] if bound.listed("upper_bound") && is_one(one));
    let above = |pair: &[Token]| {
        matches!(pair, [bound, other]
            if bound.listed("lower_bound") && !is_one(other) && (other.number().is_some() || other.is("part", "quarter")))
    };
    let is_other = |pair: &[Token]| under(pair) || above(pair);
    (asked.one.data_point == "rca_products" && line.sentence.tokens.windows(2).any(is_other))
        .then(|| Place::other("the end of the comparison"))
}

/// The figure is the whole of which the sentence tells a part: `Of the 169 products, only some clear the bar`.
pub(crate) fn why_whole(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let mut before = line.until(figure.token).iter().rev();
    let is_of_the = before.next().is_some_and(|the| the.folded == "the" || the.folded == "its")
        && before.next().is_some_and(|of| of.folded == "of" || of.folded == "out of")
        && before.next().is_none_or(Token::is_mark);
    // `169 products, of which some have an RCA above one`
    let behind = line.behind(figure.token);
    let is_asked = |token: &Token| {
        token.tags.iter().any(|tag| tag.0 == "metric" && tag.1 != "trade" && asked.tags.contains(tag))
    };
    let of_which = behind
        .iter()
        .position(|token| token.folded == "of which" || token.role("relative") && token.folded == "which");
    let is_of_which = of_which.is_some_and(|at| {
        let is_of = at.checked_sub(1).and_then(|of| behind.get(of)).is_some_and(|of| of.folded == "of");
        let (before, rest) = behind.split_at(at);
        let names = |tokens: &[Token]| tokens.iter().any(is_asked);
        is_of && names(rest) && !names(before) && !names(line.until(figure.token))
    });
    ((is_of_the || is_of_which) && figure.quantity.unit == Unit::Count)
        .then(|| Place::other("the whole of which it tells a part"))
}

/// The count is that of a part: `24 of them bring in dollars`.
pub(crate) fn why_of_them(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let is_part = matches!(line.behind(figure.token), [of, them, next, ..]
        if of.folded == "of" && matches!(them.folded.as_str(), "them" | "these" | "those") && !next.is_mark());
    (is_part && asked.number().is_some_and(|number| number.unit == Unit::Count))
        .then(|| Place::other("a part of all"))
}

/// A rank or a count that is not reached: `almost 25th of 145`, `nearly 24 new products`.
pub(crate) fn why_not_reached(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let is_whole = asked.number().is_some_and(|number| matches!(number.unit, Unit::Count | Unit::Rank));
    let short = line.until(figure.token).iter().rev().take(2).find(|token| token.listed("falls_short"))?;
    is_whole.then(|| Place::unclear(&short.folded))
}

/// The number is a label: `most of them in sector 24`.
pub(crate) fn why_label(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let is_count = asked.number().is_some_and(|number| number.unit == Unit::Count);
    let before = line
        .before(figure.token, 1)
        .filter(|before| before.listed("label_noun") && !asked.knows(&before.folded));
    before
        .filter(|_| is_count && figure.counted.is_none())
        .map(|noun| Place::other(format!("what \"{}\" labels", noun.folded)))
}

/// People who do something are a part of the population: `52.4 million people buy from Kenya`, `Kenya added 52.4 million people`.
pub(crate) fn why_people(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let acts = |token: &&Token| {
        (token.is_verb()
            || token.class == Some(Class::Verb)
            || token.tagged("flow")
            || token.tagged("direction"))
            && !token.role("be")
            && !token.holds("of_population")
            && !asked.knows(&token.folded)
    };
    asked.number().filter(|number| number.unit == Unit::Persons)?;
    let is_word = |token: &&Token| !token.is_mark();
    let before = line.until(figure.token).iter().rev().take_while(is_word);
    let verb = before.chain(line.behind(figure.token).iter().take_while(is_word)).find(acts)?;
    Some(Place::unclear(&verb.folded))
}
