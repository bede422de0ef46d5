//! Decides the place of a figure. If its context fits, the first rule that applies tells why it is still not the value.

use super::asserted::{is_past, place};
use super::levels::follow_ends;
use super::subject::of_all;
use super::{balance, base, change, count, entity, levels, slots, subject};
use crate::answer::candidate::Place;
use crate::answer::contrast::set_off;
use crate::answer::figures::figure::Figure;
use crate::answer::line::Line;
use crate::answer::point::Follows;
use crate::answer::question::asked::Asked;
use crate::answer::statement::said::Said;
use crate::language::lexicon;
use crate::language::token::{Kind, Token};
use crate::value::{ContextPart, Unit};

/// A rule: why a figure is not the requested value, if it applies.
type Rule = fn(&Asked<'_>, &Figure, &Line) -> Option<Place>;

/// The rules in order: the number itself, its subject, the words after it, and the kind of change.
const RULES: [Rule; 66] = [
    change::why_said_twice,
    change::why_differs,
    change::why_operand,
    why_trouble,
    why_bound,
    why_example,
    why_give_or_take,
    change::why_each_year,
    count::why_under_one,
    count::why_whole,
    count::why_of_them,
    count::why_label,
    count::why_not_reached,
    change::why_place,
    change::why_outdoes,
    change::why_one_year,
    change::why_backwards,
    subject::why_rest,
    balance::why_balance,
    slots::why_governed,
    slots::why_modified,
    slots::why_moved_unclearly,
    slots::why_beside,
    slots::why_cleft,
    balance::why_not_balanced,
    why_once,
    change::why_loss,
    change::why_is_change,
    change::why_labelled_change,
    subject::why_between,
    subject::why_named_beside,
    count::why_people,
    base::why_other_base,
    subject::why_currency,
    subject::why_partner,
    subject::why_served,
    subject::why_is_another,
    subject::why_brought_in,
    subject::why_other_subject,
    subject::why_reporter,
    subject::why_country,
    subject::why_group,
    balance::why_one_side,
    change::why_by,
    change::why_rate_moved,
    change::why_both_ways,
    levels::why_levels,
    subject::why_counted,
    entity::why_unnamed,
    base::why_base,
    base::why_base_scope,
    why_to_be,
    subject::why_some,
    subject::why_code,
    why_trailing,
    why_before,
    why_from_the_end,
    why_ranked_by,
    why_past,
    why_turned,
    change::why_moved,
    change::why_no_rate,
    why_one_of_two,
    why_order,
    why_not_compared,
    change::why_no_change,
];

/// The place of a figure.
pub(crate) fn place_of(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Place {
    if let Some(word) = &figure.withdrawn {
        return Place::withdrawn(word);
    }
    if let Some(why) = figure.operand.as_ref().filter(|why| *why == "a threshold") {
        return Place::other(why.clone());
    }
    let said = as_meant(asked, figure, line);
    let mut at = place(asked, &said, line);
    let may_be_change = asked.is_change() && matches!(at, Place::OtherContext(_));
    if (at == Place::Asked || may_be_change) && change::is_level(asked, figure, line) {
        at = Place::level_or_change("the level, not the change");
    }
    // Context carried over from another sentence may not apply.
    if let (Place::OtherContext(part), Some(own)) = (&at, &figure.by_itself)
        && *own != said
        && !matches!(place(asked, own, line), Place::OtherContext(_))
    {
        return Place::unplaced(format!("it may belong to the previous sentence's context: {part}"));
    }
    if at != Place::Asked {
        return if denied_beside(figure, line) { at } else { at.denied_elsewhere() };
    }

    RULES.iter().find_map(|rule| rule(asked, figure, line)).unwrap_or(Place::Asked)
}

/// Whether a negation stands in the figure's own part of the sentence, not only in `…, tourists not counted`.
fn denied_beside(figure: &Figure, line: &Line) -> bool {
    let ends = |token: &&Token| !token.is_mark();
    let before = line.until(figure.token).iter().rev().take_while(ends);
    before.chain(line.behind(figure.token).iter().take_while(ends)).any(|token| token.operator("negation"))
}

/// The figure's context, without tags that only repeat its value or movement.
fn as_meant(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Said {
    let change = asked.is_change();
    let mut said = figure.said.clone();
    // `grew from A to B` gives two levels.
    if !change && matches!(figure.joint, Some("to" | "from")) && figure.direction.is_some() {
        said.tags.retain(|tag| *tag != ("modifier", "growth"));
    }
    // `from A in 2010 to B in 2024, an increase of C`
    if change && follow_ends(asked, figure, line) {
        said.periods = asked.context.period.into_iter().collect();
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
    if let Some(word) = opposite_direction(figure, line) {
        said.operators.retain(|(kind, own)| *kind != "negation" || own != word);
    }
    said
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

fn why_bound(_: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    // `grew slower than 2.6 %`
    let mut before = line.until(figure.token).iter().rev().filter(|token| !token.operator("about"));
    let is_than = before.next().is_some_and(|than| than.folded == "than");
    let compared = before.next().filter(|word| is_than && word.tagged("comparative"));
    let bound = figure.bound.as_deref().or(compared.map(|word| word.folded.as_str()))?;
    Some(Place::under(format!("\"{bound}\" is a bound")))
}

/// The rank may count from another end than the top: `3rd from the lowest`, `two countries export less, hence 3rd`.
fn why_from_the_end(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let counts_from = |at: usize| {
        let behind = line.behind(at).iter().take(2);
        line.token(at).is_some_and(|token| token.folded.split(' ').next() == Some("from"))
            && behind.into_iter().any(|token| token.folded.ends_with("est"))
    };
    let is_less = |token: &Token| {
        (token.listed("from_below") || token.is("part", "bottom")) && !asked.knows(&token.folded)
    };
    let tokens = &line.sentence.tokens;
    (figure.quantity.unit == Unit::Rank
        && ((0..tokens.len()).any(counts_from) || !asked.ends.1 && tokens.iter().any(is_less)))
    .then(|| Place::unplaced("it may count ranks from another end"))
}

/// The rank is by something that the question does not name: `38th by the number of countries that it sells to`.
fn why_ranked_by(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let tokens = &line.sentence.tokens;
    let is_by = |at: &usize| line.token(*at).is_some_and(|token| token.listed("ranked_by"));
    let in_clause = line.clause(figure.token).iter().copied().find(is_by);
    // `…, far ahead of its place by income`
    let compares = |at: &usize| line.token(*at).is_some_and(|token| token.operator("comparison"));
    let later = || (figure.token..tokens.len()).take_while(|at| !compares(at)).find(is_by);
    let by = in_clause.or_else(later)?;
    let between = tokens.get(figure.token + 1..by).unwrap_or_default();
    if between.iter().any(|token| token.is_verb() || token.role("and")) {
        return None;
    }
    let phrase = || line.behind(by).iter().take_while(|token| !token.is_mark() && !token.role("be"));
    let is_own = |token: &Token| {
        let is_frame = token.listed("ranked_frame");
        token.folded.len() > 2 && token.kind == Kind::Words && asked.knows(&token.folded) && !is_frame
            || token.tags.iter().any(|tag| tag.0 == "metric" && asked.tags.contains(tag))
    };
    let head = phrase().find(|token| !token.role("article") && !token.role("adjective"))?;
    let is_thing = head.kind == Kind::Words
        && !head.ends_in("site_noun")
        && !head.is_manner()
        && !head.is_demonstrative();
    let is_other = head.listed("counts_noun") && !asked.knows(&head.folded);
    (figure.quantity.unit == Unit::Rank && is_thing && (is_other || !phrase().any(is_own)))
        .then(|| Place::unclear(&head.folded))
}

/// `e.g. $2,274`
fn why_example(_: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let leads = line.until(figure.token).iter().filter(|token| !token.is_mark());
    let is_example =
        |token: &Token| matches!(token.folded.as_str(), "e g" | "eg" | "for example" | "for instance");
    (leads.clone().next().is_some_and(is_example) && leads.count() == 1)
        .then(|| Place::under("an example asserts nothing"))
}

/// It is reckoned with another number: `24 ± 2`, `$2,274, minus a tenth`, `$93 billion divided by two`.
fn why_give_or_take(_: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let mut behind = line.behind(figure.token).iter();
    if behind.next().is_some_and(|next| next.mark('±'))
        && behind.next().is_some_and(|next| next.number().is_some())
    {
        return Some(Place::unplaced("it is a range"));
    }
    let behind = line.behind(figure.token);
    let number = behind.iter().position(|token| token.number().is_some())?;
    let mut before = behind.get(..number)?.iter().rev().filter(|token| !token.role("article"));
    let word = before.next().filter(|token| token.folded != "by").or_else(|| before.next())?;
    let is_other = line.token(figure.token).is_some_and(|own| own.depth == word.depth);
    (is_other && word.listed("reckons_with"))
        .then(|| Place::unplaced(format!("\"{}\" makes it another value", word.folded)))
}

/// A following clause without a verb weakens the figure: `…, give or take 10 %`, `…, but not in 2024`.
fn why_trailing(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let at = line.clause_of(figure.token)?;
    let (own, clause) = (line.clauses.get(at)?, line.clauses.get(at + 1)?);
    let off = set_off(asked, line);
    let stays = |at: &&usize| !off.iter().any(|range| range.contains(*at));
    let tokens = || clause.tokens.iter().filter(stays).filter_map(|at| line.token(*at));
    let is_verb = |token: &Token| {
        token.role("be") || token.role("verb") && !token.role("noun") || token.tagged("direction")
    };
    if clause.parent != own.parent || tokens().any(is_verb) || tokens().any(Token::unknown) {
        return None;
    }
    let has_number = tokens().any(|token| token.number().is_some());
    let of_asked = tokens().any(|token| match token.kind {
        Kind::Period(period) => asked.context.period == Some(period) || asked.periods.contains(&period),
        Kind::Country(id) => asked.country == Some(id),
        _ => false,
    });
    let takes_back =
        |token: &&Token| token.operator("hedge") || token.operator("negation") && of_asked && !has_number;
    let word = &tokens().find(takes_back)?.folded;
    Some(Place::under(format!("\"{word}\" after it retracts it")))
}

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
fn why_one_of_two(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    // `Tea is ahead of coffee by $1.13 billion: tea exports are worth $1.39 billion`
    let said = figure.by_itself.as_ref().unwrap_or(&figure.said);
    let is_one = asked.products.len() > 1 && said.products.len() == 1;
    (is_by_a_judge(asked) && is_one && !is_combination(asked, figure, line))
        .then(|| Place::other("one of the compared values"))
}

/// The order is reversed: `coffee exceeds tea by so much`, if the question asks for tea less coffee.
fn why_order(asked: &Asked<'_>, _: &Figure, line: &Line) -> Option<Place> {
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
    // `tea exceeds coffee by so much: $1.39 billion of tea against $0.25 billion of coffee`
    let is_turned = |order: &[String]| said.chunks(order.len()).any(|named| !order.starts_with(named));
    (order.len() > 1 && said.len() > 1 && (is_turned(&order) || less))
        .then(|| Place::unplaced("only a judge can decide which of the two is more"))
}

/// The figure is not stated as a comparison: `Tea comes to $5 billion`, if the question asks for tea less coffee.
fn why_not_compared(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let is_stated = !figure.said.alone && !figure.said.labelled && !figure.said.is_final;
    (is_by_a_judge(asked) && is_stated && !is_combination(asked, figure, line))
        .then(|| Place::unplaced("it does not say how several values compare"))
}

/// The figure is a former value: `the once $2,274`.
fn why_once(_: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    line.before(figure.token, 1)
        .is_some_and(|token| token.folded == "once")
        .then(|| Place::differing(ContextPart::Tense, "the time, \"once\""))
}

/// The figure is a future value: `$2,274 is what it is to be`.
fn why_to_be(_: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let to_be = |three: &[&Token]| {
        matches!(three, [before, a, b]
            if a.folded == "to" && b.folded == "be" && !before.operator("negation"))
    };
    let own = line.token(figure.token).into_iter();
    let phrase: Vec<&Token> = own.chain(phrase_behind(figure, line)).collect();
    phrase.windows(3).any(to_be).then(|| Place::differing(ContextPart::Tense, "the time, \"to be\""))
}

/// The figure dates from an earlier time: `$2,274 before the recession`, `$2,274, before revision`.
fn why_before(_: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let rest = line.clause(figure.token).iter().filter(|at| **at > figure.token);
    let rest: Vec<&Token> = rest.filter_map(|at| line.token(*at)).collect();
    let hangs = |three: &[&Token]| {
        matches!(three, [comma, before, then]
            if comma.mark(',') && is_past(before, then) && !then.role("article"))
    };
    let stands = |pair: &[&Token]| matches!(pair, [before, then] if is_past(before, then));
    (rest.windows(3).any(hangs) || phrase_behind(figure, line).windows(2).any(stands))
        .then(|| Place::differing(ContextPart::Tense, "the time before"))
}

/// The figure is the state before a reversal: `A surplus of $264 billion turned into a deficit`.
fn why_turned(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let turns = |pair: &[Token]| matches!(pair, [turns, into] if turns.listed("changes_state") && matches!(into.folded.as_str(), "into" | "to"));
    let behind = line.behind(figure.token);
    let at = behind.windows(2).position(turns).filter(|_| asked.is_balance())?;
    let state = behind.iter().skip(at + 2).take(3).any(|token| token.direction().is_some());
    state.then(|| Place::differing(ContextPart::Tense, "the time before"))
}

/// The figure is past growth, but the question asks for a projection: `grew by 4.23 % in the past decade`.
fn why_past(asked: &Asked<'_>, figure: &Figure, _: &Line) -> Option<Place> {
    let is_past = |word: &String| lexicon::listed("of_the_past", word);
    (asked.is_projection() && figure.said.words.iter().any(is_past))
        .then(|| Place::differing(ContextPart::Tense, "the time, which is past"))
}

/// The tokens after a figure up to the next mark.
fn phrase_behind<'a>(figure: &Figure, line: &'a Line) -> Vec<&'a Token> {
    line.behind(figure.token).iter().take_while(|token| !token.is_mark()).collect()
}
