//! Rules that tell levels from changes, and whether a word restates a growth.

use rust_decimal::Decimal;

use super::balance::exceeds;
use super::levels::follow_ends;
use crate::answer::candidate::Place;
use crate::answer::figures::figure::Figure;
use crate::answer::line::Line;
use crate::answer::point::Follows;
use crate::answer::question::asked::Asked;
use crate::language::lexicon;
use crate::language::token::{Kind, Token};
use crate::value::{ContextPart, Period, Statistic, Unit};

/// Whether a figure is a level instead of the requested change: `from 20.2 %`, `at $54 billion in 2024`.
pub(crate) fn is_level(asked: &Asked<'_>, figure: &Figure, line: &Line) -> bool {
    if !asked.is_change() {
        return false;
    }
    let rate = asked.number().is_some_and(|number| number.unit == Unit::Percent);
    // `exported $221B in 2021, up on 2016`
    let verb = line.until(figure.token).iter().rev().find(|token| !token.operator("about"));
    let is_traded = verb.is_some_and(|verb| verb.tagged("flow") && !verb.role("noun"));
    // `The share is -0.82 percentage points.`
    let mut subject = line.until(figure.token).iter().filter(|token| !token.role("article"));
    let is_share = subject.next().is_some_and(|noun| noun.folded == "share" || noun.listed("level_word"))
        && subject.next().is_some_and(|be| be.role("be"))
        && subject.next().is_none()
        && line.token(figure.token + 1).is_none_or(|next| next.comparative().is_none());
    // `was 0.12 in 2015 and higher in 2024`
    let start = asked.context.period.map(|own| Period::year(own.start));
    let mut behind = line.behind(figure.token).iter();
    let is_first = line.before(figure.token, 1).is_some_and(|be| be.role("be") || be.folded == "at")
        && behind.next().is_some_and(|at| at.folded == "in")
        && behind.next().is_some_and(|year| matches!(year.kind, Kind::Period(year) if Some(year) == start));
    let of_year = !rate && figure.said.periods.iter().any(|said| said.start == said.end);
    // `0.06 points lower in 2024 than in 2010`
    let next = line.behind(figure.token).iter().find(|next| next.folded != "points");
    let is_change = figure.counted.as_deref().is_some_and(|noun| lexicon::listed("places", noun))
        || figure.joint == Some("by")
        || next.is_some_and(|next| next.comparative().is_some())
        || is_difference(figure, line)
        || names_both_ends(asked, figure, line)
        || figure.direction.is_some() && follow_ends(asked, figure, line);
    matches!(figure.joint, Some("to" | "from"))
        || is_share
        || is_first
        || is_traded
            && figure.quantity.unit == Unit::Usd
            && !next.is_some_and(|next| next.comparative().is_some() || next.listed("extra"))
        || of_year && !is_change && asked.context.period.is_some_and(|own| own.start != own.end)
}

/// Whether a figure with a sign or in points names both ends of the requested change: `2024 minus 2014 gives +0.43 points`.
fn names_both_ends(asked: &Asked<'_>, figure: &Figure, line: &Line) -> bool {
    let ends = asked.context.period.filter(|own| own.start != own.end);
    let written = line.token(figure.token).map(|token| line.sentence.shown(&token.range));
    let signed = figure.direction.is_some()
        || written.is_some_and(|written| written.starts_with('+'))
        || figure.quantity.number.is_sign_negative()
        || matches!(figure.quantity.unit, Unit::PercentagePoints | Unit::Positions);
    let says = |year: i16| figure.said.periods.contains(&Period::year(year));
    // `reached -0.06 in 2024, from a lower level in 2010`
    let tokens = &line.sentence.tokens;
    let is_level = |at: usize| {
        tokens.iter().skip(at + 1).take(3).any(|token| token.listed("level_word") && token.folded != "what")
    };
    let from_level =
        tokens.iter().enumerate().any(|(at, from)| from.folded.ends_with("from") && is_level(at));
    signed && !from_level && ends.is_some_and(|own| says(own.start) && says(own.end))
}

/// Whether a figure is the amount of a change: `…, an increase of $162 billion`.
fn is_difference(figure: &Figure, line: &Line) -> bool {
    let moves = |by: usize| line.before(figure.token, by).is_some_and(|token| token.tagged("direction"));
    line.before(figure.token, 1).is_some_and(|token| token.folded == "of") && (moves(2) || moves(3))
}

/// Whether a noun has the amount of a change behind it: `…, an increase of about 5 %`.
pub(crate) fn has_amount(line: &Line, at: usize) -> bool {
    let mut behind = line.behind(at).iter();
    line.token(at).is_some_and(|noun| noun.tagged("direction"))
        && behind.next().is_some_and(|of| of.folded == "of")
        && behind.find(|token| !token.operator("about")).is_some_and(|token| token.number().is_some())
}

/// Whether a comparative follows the figure: `$78.2 billion higher`.
fn is_more(figure: &Figure, line: &Line) -> bool {
    // `7.22% a year faster`
    let mut behind = line.behind(figure.token).iter().filter(|token| !token.is("statistic", "cagr"));
    behind
        .next()
        .is_some_and(|next| next.folded.ends_with("er") && next.tagged("comparative") && !next.role("noun"))
}

/// The direction is stated twice: `fell by 0.43 points lower`, but not `It fell: it is 0.43 points lower`.
pub(crate) fn why_said_twice(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    if !asked.is_change() || !is_more(figure, line) {
        return None;
    }
    let side = line.token(figure.token + 1).and_then(Token::comparative);
    let mut parts = line.until(figure.token).rsplit(|token| token.mark(':'));
    let moves = parts.next().unwrap_or_default().iter().any(|token| token.tagged("direction"));
    let mut announced = parts.flatten().filter_map(Token::direction);
    (moves || announced.any(|up| side != Some(up))).then(|| Place::unplaced("it states the direction twice"))
}

/// The figure is a difference: `$78.2 billion higher`.
pub(crate) fn why_differs(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let than = line.behind(figure.token).iter().any(|next| next.folded == "than");
    let of_balance = asked.is_balance() && than && exceeds(asked, figure, line).is_some();
    // `exported $1.13B more tea than coffee`
    let of_two = asked.one.follows == Some(Follows::ByAJudge) && than;
    // `needs another $164B`, `$164B more`
    let is_amount = figure.quantity.unit != Unit::Count;
    let is_extra = |token: Option<&Token>| token.is_some_and(|token| token.listed("extra"));
    let adds =
        is_amount && (is_extra(line.token(figure.token + 1)) || is_extra(line.before(figure.token, 1)));
    let of = (0..figure.token).rev().find(|at| !line.token(*at).is_some_and(|token| token.operator("about")));
    let is_amount_of = of.and_then(|of| of.checked_sub(1)).is_some_and(|noun| has_amount(line, noun));
    let moves = is_amount_of && !asked.is_balance() && asked.one.follows.is_none();
    ((is_more(figure, line) || adds || moves)
        && !asked.is_change()
        && !of_balance
        && !of_two
        && figure.quantity.unit != Unit::Rank)
        .then(|| Place::other("a difference, not the value"))
}

/// The figure is only an operand of another: `2 times what Ethiopia has`. A requested ratio or difference is fine.
pub(crate) fn why_operand(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let why = figure.operand.as_ref()?;
    let behind = |by: usize| line.token(figure.token + by);
    // `1.68 times that of Ethiopia` is the ratio; `1.68 times less` is another.
    let is_ratio = asked.knows("ratio")
        && behind(1).is_some_and(|next| next.folded == "times")
        && behind(2).is_some_and(|next| !next.tagged("comparative") && !next.tagged("direction"));
    // `0.43 points higher than in 2014`, `exported $5 billion more than it imported`
    let is_asked =
        asked.is_change() && names_both_ends(asked, figure, line) || exceeds(asked, figure, line).is_some();
    // `seven places lower than ten years ago`
    let is_ago = |token: &Token| {
        matches!(token.kind, Kind::Duration(_))
            || token.folded.ends_with("years ago")
            || token.folded == "ago"
    };
    let of_ago = asked.is_change()
        && figure.quantity.unit == Unit::Positions
        && line.behind(figure.token).iter().take(5).any(is_ago);
    // `$1.13 billion more`, `ahead of coffee by $1.13 billion`
    let of_two = asked.one.follows == Some(Follows::ByAJudge)
        && asked.products.len() > 1
        && (figure.joint == Some("by")
            || behind(1).is_some_and(|next| next.listed("extra") || next.tagged("comparative")));
    (!is_ratio && !is_asked && !of_ago && !of_two).then(|| Place::other(why.clone()))
}

/// The figure is a yearly rate: `by 0.04 percentage points every year`.
pub(crate) fn why_each_year(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let behind = line.behind(figure.token).iter();
    let behind = behind.take_while(|token| token.number().is_none() && !token.mark(';'));
    // `New products, added every year: 30`, `Every year of the five they grew by 13.1 %`
    let is_each = |token: &Token| matches!(token.folded.as_str(), "every" | "each" | "year" | "each year");
    let before = line.until(figure.token).iter();
    let around = behind.chain(before.filter(|token| figure.said.labelled || is_each(token)));
    let behind: String = around.flat_map(|token| [" ", token.folded.as_str()]).collect::<String>() + " ";
    let yearly = lexicon::list("yearly").iter().any(|word| behind.contains(&format!(" {word} ")));
    let is_amount = matches!(figure.quantity.unit, Unit::PercentagePoints | Unit::Positions | Unit::Count)
        || matches!(figure.quantity.unit, Unit::Percent | Unit::Index | Unit::Usd) && asked.is_change();
    let is_rate = asked.has("statistic", "cagr")
        || matches!(asked.context.statistic, Some(Statistic::Cagr | Statistic::Projection));
    (yearly && is_amount && !is_rate).then(|| Place::other("the rate per year"))
}

/// The figure is a rank: `number 3` is not a change of rank, and a number under `| Rank |` is not a count.
pub(crate) fn why_place(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let column = line.heads.iter().rev().nth(1).and_then(|head| head.tokens.first());
    let is_rank = column.is_some_and(|first| matches!(first.folded.as_str(), "rank" | "ranking" | "place"));
    if line.passage.cell && is_rank && asked.number().is_some_and(|number| number.unit == Unit::Count) {
        return Some(Place::other("a rank, not the value"));
    }
    // `sells to the 22nd`
    let mut before = line.until(figure.token).iter().rev().filter(|token| !token.role("article"));
    let is_to = before.next().is_some_and(|to| matches!(to.folded.as_str(), "to" | "from" | "with"));
    if figure.quantity.unit == Unit::Rank && is_to && before.next().is_some_and(|verb| verb.tagged("flow")) {
        return Some(Place::other("the rank of another"));
    }
    // `right after the 3rd`
    let beside = |token: &Token| matches!(token.folded.as_str(), "after" | "below" | "beneath" | "above");
    let mut near = line.until(figure.token).iter().rev().filter(|token| !token.role("article"));
    if figure.quantity.unit == Unit::Rank && near.next().is_some_and(beside) {
        return Some(Place::other("the rank of another"));
    }
    // `seven places (↓7)`
    let depth = line.token(figure.token).map(|token| token.depth);
    let before = line.before(figure.token, 1).filter(|before| Some(before.depth) == depth)?;
    let is_place = before.listed("rank") || before.mark('#');
    (is_place && asked.number().is_some_and(|number| number.unit == Unit::Positions))
        .then(|| Place::level_or_change("the level, not the change"))
}

/// The change is stated from the later to the earlier year: `0.36 percentage points lower in 2015 than in 2021`.
pub(crate) fn why_backwards(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let behind = line.behind(figure.token);
    let than = behind.iter().position(|token| token.folded == "than").filter(|_| asked.is_change())?;
    let period = |tokens: &[Token]| {
        tokens.iter().find_map(|token| match token.kind {
            Kind::Period(period) => Some(period),
            _ => None,
        })
    };
    let (own, other) = (period(behind.get(..than)?)?, period(behind.get(than..)?)?);
    (own.end < other.start).then(|| Place::other("the change, from the later year to the earlier one"))
}

/// The growth is that of one year or of the years before the period: `grew 7.2 % in 2020`, `growth to 2010`.
pub(crate) fn why_one_year(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let own = asked.context.period.filter(|own| own.start != own.end)?;
    let tokens = || line.heads.iter().flat_map(|head| &head.tokens).chain(&line.sentence.tokens);
    let times = tokens().filter(|token| matches!(token.kind, Kind::Period(_) | Kind::Duration(_))).count();
    let all: Vec<&Token> = tokens().filter(|token| !token.role("article")).collect();
    let is_of = |pair: &&[&Token]| match pair {
        [before, token] if token.kind == Kind::Period(Period::year(own.start)) => {
            matches!(before.folded.as_str(), "to" | "in" | "during" | "until")
        }
        [before, token] if token.kind == Kind::Period(Period::year(own.end)) => {
            times == 1 && matches!(before.folded.as_str(), "in" | "during" | "year")
        }
        _ => false,
    };
    let periods = tokens().filter(|token| matches!(token.kind, Kind::Period(_))).count();
    let of_growth = asked.tags.contains(&("modifier", "growth"))
        && !asked.is_projection()
        && figure.quantity.unit == Unit::Percent
        && periods == 1;
    let pair = all.windows(2).find(is_of).filter(|_| of_growth)?;
    Some(Place::differing(ContextPart::Period, format!("the period, {}", pair.last()?.folded)))
}

/// The figure is a lead over another: `is to outgrow the world by 3.38 %`, `3 places behind Portugal`.
pub(crate) fn why_outdoes(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    // `to outgrow the world`, `to beat the world`
    let outdoes = |token: &Token| {
        let is_lead = token.folded.starts_with("out") || token.listed("beats");
        token.is("comparative", "more")
            && is_lead
            && !asked.knows(&token.folded)
            && asked.one.follows.is_none()
    };
    let mut behind = line.behind(figure.token).iter().skip_while(|token| token.role("noun"));
    let is_compared = behind.next().is_some_and(|token| token.operator("comparison"));
    let beats = |token: &Token| {
        token.is("comparative", "more")
            && token.role("verb")
            && !asked.is_balance()
            && asked.one.follows.is_none()
    };
    let before = line.until(figure.token);
    (figure.joint == Some("by")
        && before
            .iter()
            .any(|token| outdoes(token) || beats(token) && (!asked.is_change() || asked.is_projection()))
        || is_compared && asked.is_change())
    .then(|| Place::other("a difference, not the value"))
}

/// The figure is a loss or a change, not a level: `a loss of $5`, `the fall in its exports was $5`.
pub(crate) fn why_loss(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    // `a growth rate of 0.77`
    let grows = |token: &Token| token.is("modifier", "growth") && token.role("noun");
    let rate = line.before(figure.token, 2).filter(|token| token.folded == "rate");
    let is_rate = rate.is_some() && line.before(figure.token, 3).is_some_and(grows);
    let falls = |token: &Token| token.is("direction", "down") && !token.role("verb") || grows(token);
    let of_it = line.before(figure.token, 1).is_some_and(|token| token.folded == "of")
        && (is_rate || line.before(figure.token, 2).is_some_and(falls));
    // `The fall in Kenya's GDP per capita was $2,274.`
    let moves = |token: &Token| {
        (token.tagged("direction") || token.listed("change") || token.listed("gain"))
            && !asked.knows(&token.folded)
    };
    let in_it = |three: &[Token]| matches!(three, [the, noun, of] if the.role("article") && moves(noun) && matches!(of.folded.as_str(), "in" | "of"));
    (!asked.is_change() && !asked.is_balance() && (of_it || line.until(figure.token).windows(3).any(in_it)))
        .then(|| Place::level_or_change("the change, not the level"))
}

/// A label or head calls the figure a change: `Gain: $378B`, `| Increase in exports |`.
pub(crate) fn why_labelled_change(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let moves = |token: &Token| {
        (token.tagged("direction") && token.role("noun") || token.listed("change") || token.listed("gain"))
            && !asked.knows(&token.folded)
    };
    let colon = line.until(figure.token).iter().rposition(|token| token.mark(':'));
    let label = line.until(colon.unwrap_or(0)).iter().rev().take(3).take_while(|token| !token.is_mark());
    let heads = line.heads.iter().rev().take(2).flat_map(|head| &head.tokens);
    let is_level = !asked.is_change() && !asked.is_balance() && asked.one.follows.is_none();
    (is_level && label.chain(heads).any(moves)).then(|| Place::level_or_change("the change, not the level"))
}

/// `$147 billion is the gain compared with the previous year.`
pub(crate) fn why_is_change(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let mut behind = line.behind(figure.token).iter();
    let is_one = behind.next().is_some_and(|verb| verb.role("be"))
        && behind
            .find(|token| !token.role("article") && !token.role("adjective"))
            .is_some_and(|noun| noun.listed("change") || noun.listed("gain"));
    (is_one && !asked.is_change() && !asked.is_balance() && asked.one.follows.is_none())
        .then(|| Place::level_or_change("the change, not the level"))
}

/// The figure is the amount of a change: `rose by $5 billion`. A balance may use `by`: `is in deficit by $5 billion`, `exceeds
/// them by $5 billion`.
pub(crate) fn why_by(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    if asked.is_change() {
        return None;
    }
    // `Its balance was up $185 billion.`
    let is_up = |token: &Token| matches!(token.folded.as_str(), "up" | "down");
    if asked.is_balance() && line.before(figure.token, 1).is_some_and(is_up) {
        return Some(Place::unplaced("it may be a change, not the level"));
    }
    if figure.joint != Some("by") {
        return None;
    }
    let is_state = |token: &Token| token.listed("balance_state");
    let exceeds = || line.sentence.tokens.iter().any(|token| token.folded.starts_with("exceed"));
    let is_moved = |token: &Token| token.listed("moves") || token.folded == "one";
    let moves = if asked.is_balance() {
        let mut words = line.until(figure.token).iter().rev().filter(|token| !token.is_mark());
        !words.nth(1).is_some_and(is_state) && !exceeds()
    } else {
        figure.direction.is_some() || line.before(figure.token, 2).is_some_and(is_moved)
    };
    // `Vehicles lead by 12 %.`
    let differs = || {
        let is_share = asked.context.statistic == Some(Statistic::Share);
        is_share.then(|| Place::unplaced("it may be a difference, not the share"))
    };
    moves.then(|| Place::level_or_change("the change, not the level")).or_else(differs)
}

/// The sentence states both directions: `An increase of 0.43 points, i.e. its share shrank`.
pub(crate) fn why_both_ways(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let direction = figure.direction.filter(|_| asked.is_change())?;
    let behind = line.behind(figure.token);
    let names_other = behind.iter().any(|token| token.number().is_some() || token.operator("negation"));
    let turns = behind.iter().filter_map(Token::direction).any(|other| other != direction);
    (turns && !names_other).then(|| Place::unplaced("it states both directions"))
}

/// The figure is the change of a rate: `growth is to slow by 3.4 %`.
pub(crate) fn why_rate_moved(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let is_rate = matches!(asked.context.statistic, Some(Statistic::Cagr | Statistic::Projection))
        || asked.is_projection();
    let changes = line.before(figure.token, 2).is_some_and(|token| token.listed("changes_rate"));
    (is_rate && figure.joint == Some("by") && changes)
        .then(|| Place::level_or_change("the change of the rate"))
}

/// The figure is a change: `up 12 %` is not a share or level, and `down $93 billion` is not an amount.
pub(crate) fn why_moved(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let is_direction = |token: &Token| matches!(token.folded.as_str(), "up" | "down");
    let is_amount_moved = figure.quantity.unit == Unit::Usd
        && asked.one.follows.is_none()
        && line.before(figure.token, 1).is_some_and(is_direction);
    (!asked.is_change()
        && figure.direction.is_some()
        && figure.joint != Some("to")
        && (figure.quantity.unit == Unit::Percent || is_amount_moved)
        && !figure.said.has("statistic", "share")
        && !asked.is_balance())
    .then(|| Place::level_or_change("the change, not the level"))
}

/// The figure is growth over a period, not a yearly rate: `grew by 30 % from 2019 to 2024`.
pub(crate) fn why_no_rate(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let said = &figure.said;
    let yearly =
        said.has("statistic", "cagr") || said.words.iter().any(|word| lexicon::listed("yearly_stem", word));
    let bare = said.alone || said.labelled || said.is_final;
    let is_rate = matches!(asked.context.statistic, Some(Statistic::Cagr | Statistic::Projection));
    let spans = || {
        said.periods.iter().any(|period| period.start != period.end)
            || said.periods.len() > 1
            || !said.durations.is_empty()
            || line.sentence.tokens.iter().any(|token| token.operator("comparison"))
    };
    (is_rate && figure.quantity.unit == Unit::Percent && !yearly && !bare && spans())
        .then(|| Place::unplaced("it does not say that it is a yearly rate"))
}

/// The sentence states no change although the question asks for one: `Its exports were $162 billion`.
pub(crate) fn why_no_change(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let says_change = figure.direction.is_some()
        || figure.said.has("modifier", "growth")
        || line.sentence.tokens.iter().any(|token| token.holds("says_change"));
    // `South Korea gave up 0.43 percentage points`
    let tokens = &line.sentence.tokens;
    let acts = tokens.iter().any(|token| matches!(token.kind, Kind::Country(_)))
        && tokens.iter().any(|token| token.is_verb() && !token.role("be"));
    let is_signed = line.token(figure.token).is_some_and(|token| token.folded.starts_with(['+', '-', '−']));
    let measured = figure.said.tagged("metric") || acts && !is_signed;
    let spans = figure.said.periods.iter().any(|period| period.start != period.end);
    let is_amount = asked.number().is_some_and(|number| match number.unit {
        Unit::Usd => true,
        Unit::Index | Unit::PercentagePoints => !spans,
        _ => false,
    });
    (asked.is_change() && !says_change && measured && !figure.said.alone && is_amount)
        .then(|| Place::unplaced("it does not say that something changed"))
}

/// The multiple that a growth in percent leads to at the end of its period. A yearly one is compounded.
fn grown_to(asked: &Asked<'_>, percent: Decimal) -> Option<Decimal> {
    let factor = percent / Decimal::ONE_HUNDRED + Decimal::ONE;
    if asked.context.statistic != Some(Statistic::Cagr) {
        return Some(factor);
    }
    let period = asked.context.period?;
    (period.start..period.end).try_fold(Decimal::ONE, |product, _| product.checked_mul(factor))
}

/// Whether a word that says in round terms how much a value grew fits the growth asked for: `tripled`, for 232 %. `None` for any other
/// word.
pub(crate) fn restates_growth(asked: &Asked<'_>, token: &Token) -> Option<bool> {
    let multiple = lexicon::position("multiplied", &token.folded)?;
    let growth = asked.number().filter(|number| asked.is_change() && number.unit == Unit::Percent)?;
    let over = grown_to(asked, growth.number)? - Decimal::from(multiple + 2);
    Some((Decimal::new(-15, 2)..Decimal::new(5, 1)).contains(&over))
}
