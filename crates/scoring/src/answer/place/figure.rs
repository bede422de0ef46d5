//! Decides the place of a figure. If its context fits, the first rule that applies tells why it is still not the value.

use super::asserted::{Place, place};
use super::{behind, change, of, several, time};
use crate::answer::figures::read::Figure;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::answer::statement::said::Said;
use crate::language::sentence::Token;
use crate::value::Unit;

/// A rule: why a figure is not the requested value, if it applies.
type Rule = fn(&Asked<'_>, &Figure, &Line) -> Option<Place>;

/// The rules in order: the number itself, its subject, the words after it, and the kind of change.
const RULES: [Rule; 44] = [
    change::why_said_twice,
    change::why_differs,
    change::why_operand,
    why_trouble,
    why_bound,
    why_example,
    why_give_or_take,
    change::why_each_year,
    why_under_one,
    change::why_place,
    change::why_outdoes,
    of::why_rest,
    time::why_once,
    change::why_loss,
    change::why_is_change,
    behind::why_predicate,
    of::why_other_base,
    of::why_currency,
    of::why_partner,
    of::why_reporter,
    of::why_country,
    of::why_one_side,
    change::why_by,
    change::why_rate_moved,
    change::why_both_ways,
    change::why_from,
    of::why_counted,
    of::why_base,
    of::why_base_scope,
    time::why_to_be,
    of::why_some,
    behind::why_reckoned,
    behind::why_trailing,
    time::why_before,
    why_from_the_end,
    time::why_past,
    time::why_turned,
    why_least,
    change::why_moved,
    change::why_no_rate,
    several::why_one_of_two,
    several::why_order,
    several::why_not_compared,
    change::why_no_change,
];

/// The place of a figure.
pub(crate) fn figure(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Place {
    if let Some(word) = &figure.withdrawn {
        return Place::under(format!("\"{word}\" withdraws it"));
    }
    if let Some(why) = figure.operand.as_ref().filter(|why| *why == "a threshold") {
        return Place::other(why);
    }
    let said = as_meant(asked, figure, line);
    let mut at = place(asked, &said, line);
    let may_be_change = asked.is_change() && matches!(at, Place::OtherContext(_));
    if (at == Place::Asked || may_be_change) && change::is_level(asked, figure, line) {
        at = Place::other("the level, not the change");
    }
    // Context carried over from another sentence may not apply.
    if let (Place::OtherContext(part), Some(own)) = (&at, &figure.by_itself)
        && *own != said
        && !matches!(place(asked, own, line), Place::OtherContext(_))
    {
        return Place::unplaced(format!("it may belong to the previous sentence's context: {part}"));
    }
    if at != Place::Asked {
        return at;
    }

    RULES.iter().find_map(|rule| rule(asked, figure, line)).unwrap_or(Place::Asked)
}

/// The figure's context, without tags that only repeat its value or movement.
fn as_meant(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Said {
    let change = asked.is_change();
    let mut said = figure.said.clone();
    // `grew from A to B` gives two levels.
    if !change && matches!(figure.joint, Some("to" | "from")) && figure.direction.is_some() {
        said.tags.retain(|tag| *tag != ("modifier", "growth"));
    }
    // `its trade with Spain left a surplus of $5 billion`
    if asked.is_balance() && figure.direction.is_some() {
        said.tags.retain(|tag| *tag != ("part", "two_way"));
    }
    // `lists no pairs: the count is 0` repeats the zero.
    if figure.quantity.number.is_zero() {
        said.operators.retain(|(kind, word)| {
            *kind != "negation" || !matches!(word.rsplit(' ').next(), Some("no" | "none" | "nothing"))
        });
    }
    let denied = still(figure, line).filter(|_| !change);
    for word in denied.into_iter().chain(opposite_direction(figure, line)) {
        said.operators.retain(|(kind, own)| *kind != "negation" || own != word);
    }
    said
}

/// The word that denies a movement before the figure: `the share barely moved: 20.6 %`.
fn still<'a>(figure: &Figure, line: &'a Line) -> Option<&'a str> {
    let tokens = line.until(figure.token);
    let at = tokens.iter().position(|token| token.operator("negation"))?;
    let moves = (at + 1..tokens.len().min(at + 4))
        .find(|at| tokens.get(*at).is_some_and(|token| token.listed("moves")))?;
    let ends = tokens.get(moves + 1).is_some_and(Token::is_mark);
    ends.then(|| tokens.get(at).map(|token| token.folded.as_str())).flatten()
}

/// The word that denies one direction before the opposite one follows: `It didn't grow, it shrank: −0.69 %`.
fn opposite_direction<'a>(figure: &Figure, line: &'a Line) -> Option<&'a str> {
    let before = line.until(figure.token);
    let at = before.iter().position(|token| token.operator("negation"))?;
    let denied = before.get(at + 1).and_then(Token::direction)?;
    let follows =
        before.get(at + 2..)?.iter().filter_map(Token::direction).any(|direction| direction != denied);
    before.get(at).filter(|_| follows).map(|token| token.folded.as_str())
}

fn why_trouble(_: &Asked<'_>, figure: &Figure, _: &Line) -> Option<Place> {
    figure.trouble.clone().map(Place::Unplaced)
}

fn why_bound(_: &Asked<'_>, figure: &Figure, _: &Line) -> Option<Place> {
    let bound = figure.bound.as_ref()?;
    Some(Place::under(format!("\"{bound}\" is a bound")))
}

/// The sentence counts products without comparative advantage: `products in which its RCA stays under 1`.
fn why_under_one(asked: &Asked<'_>, _: &Figure, line: &Line) -> Option<Place> {
    let is_one = |token: &Token| token.number().is_some_and(|number| number.number == 1.into());
    let under = |pair: &[Token]| matches!(pair, [bound, one] if bound.listed("upper_bound") && is_one(one));
    (asked.one.data_point == "rca_products" && line.sentence.tokens.windows(2).any(under))
        .then(|| Place::other("the end of the comparison"))
}

/// The rank counts from another end than the top: `3rd from the lowest`.
fn why_from_the_end(_: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let is_end = |token: &Token| token.folded.ends_with("est") || token.is("comparative", "less");
    let counts_from = line.sentence.tokens.iter().enumerate().any(|(at, token)| {
        token.folded.split(' ').next() == Some("from") && line.behind(at).iter().take(2).any(is_end)
    });
    (figure.quantity.unit == Unit::Rank && counts_from)
        .then(|| Place::unplaced("it counts ranks from another end"))
}

/// The rank counts from the bottom: `the 3rd lowest`.
fn why_least(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let behind = line.token(figure.token + 1)?;
    (figure.quantity.unit == Unit::Rank && !asked.ends.1 && behind.is("comparative", "less"))
        .then(|| Place::other("the end from which ranks are counted"))
}

/// `e.g. $2,274`
fn why_example(_: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let leads = line.until(figure.token).iter().filter(|token| !token.is_mark());
    let is_example =
        |token: &Token| matches!(token.folded.as_str(), "e g" | "eg" | "for example" | "for instance");
    (leads.clone().next().is_some_and(is_example) && leads.count() == 1)
        .then(|| Place::under("an example asserts nothing"))
}

/// `0.68 ± 40 %`
fn why_give_or_take(_: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let mut behind = line.behind(figure.token).iter();
    (behind.next().is_some_and(|next| next.mark('±'))
        && behind.next().is_some_and(|next| next.number().is_some()))
    .then(|| Place::unplaced("it is a range"))
}
