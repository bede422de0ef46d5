//! Turns the figures of an answer into candidates for a data point: decides their sign, and compares them with the truth.

use rust_decimal::Decimal;

use super::candidate::{Candidate, Place};
use super::context::differs;
use super::difference::Difference;
use super::figures::figure::Figure;
use super::line::Line;
use super::place::balance::{exceeds, turned};
use super::place::row::{fits, is_of_sibling, place_among};
use super::place::subject::{mirrored, supplied};
use super::question::asked::Asked;
use super::statement::said::Said;
use crate::compare::{Operand, compare};
use crate::language::token::{Kind, Token};
use crate::language::{lexicon, numerals};
use crate::value::{Context, ContextPart, Interval, Period, Quantity, Unit, Value, parse};
use crate::{Cause, Comparison, Verdict};

/// The candidates for a data point among an answer's figures.
pub(crate) fn candidates(
    asked: &Asked<'_>,
    all: &[Asked<'_>],
    figures: &[Figure],
    lines: &[Line],
) -> Vec<Candidate> {
    let siblings: Vec<&Asked<'_>> =
        all.iter().filter(|other| other.row != asked.row && other.number().is_some()).collect();
    let own = figures.iter().filter(|figure| fits(asked, figure) && !repeats(asked, figure, lines));
    let mut found: Vec<(&Figure, Candidate)> =
        own.filter_map(|figure| Some((figure, candidate(asked, &siblings, figure, lines)?))).collect();
    let is_given = |one: &Candidate| one.place == Place::Asked && one.agrees == Some(true);
    let given = found.iter().any(|(_, one)| is_given(one));
    found.retain(|(figure, one)| match one.agrees {
        Some(false) => !counts_mentioned(figure, lines),
        // `fell 7 places (↓7)`
        _ => !given || is_given(one) || !is_repeated(asked, figure, lines),
    });
    if found.iter().any(|(_, one)| one.agrees == Some(true)) {
        for at in operands(asked, &found) {
            if let Some((_, one)) = found.get_mut(at) {
                one.place = Place::other("an operand");
            }
        }
    }
    found.into_iter().map(|(_, one)| one).collect()
}

/// Whether a figure in brackets repeats the true number.
fn is_repeated(asked: &Asked<'_>, figure: &Figure, lines: &[Line]) -> bool {
    let beside = |(truth, line): (&Quantity, &Line)| {
        is_beside_truth(truth, figure, line) && figure.quantity.number.abs() == truth.number.abs()
    };
    asked.number().zip(lines.get(figure.line)).is_some_and(beside)
}

/// Whether a figure counts things that were named before: `The two differ.`, `the most complex of the three`.
fn counts_mentioned(figure: &Figure, lines: &[Line]) -> bool {
    let line = lines.get(figure.line);
    let before = line.and_then(|line| line.before(figure.token, 1));
    !figure.digits && before.is_some_and(|before| before.folded == "the" || before.is_demonstrative())
}

/// The candidates whose difference is the truth: `a deficit of $6.83B: it sold $20.4B and bought $27.2B`.
fn operands(asked: &Asked<'_>, found: &[(&Figure, Candidate)]) -> Vec<usize> {
    let is_difference = asked.is_balance() || asked.is_change() || asked.one.follows.is_some();
    let Some(truth) = asked.number().filter(|_| is_difference) else { return Vec::new() };
    let may_be = |one: &Candidate| one.agrees == Some(false) && !one.is_final && !one.corrected;
    let rivals = found.iter().enumerate().filter(|(_, (_, one))| may_be(one));
    let rivals: Vec<(usize, &Quantity)> = rivals.map(|(at, (figure, _))| (at, &figure.quantity)).collect();
    let differs_by_truth = |one: &Quantity, other: &Quantity| {
        let difference = one.interval.plus(&other.interval.negated());
        let is_truth = |interval: &Interval| difference.overlaps(interval);
        one.unit == other.unit && (is_truth(&truth.interval) || is_truth(&truth.interval.negated()))
    };
    let is_operand = |(at, one): &&(usize, &Quantity)| {
        rivals.iter().any(|(other, number)| other != at && differs_by_truth(one, number))
    };
    rivals.iter().filter(is_operand).map(|(at, _)| *at).collect()
}

/// Turns a figure into a candidate: from the asked side of trade, placed among the rows, and compared with its sign.
fn candidate(
    asked: &Asked<'_>,
    siblings: &[&Asked<'_>],
    written: &Figure,
    lines: &[Line],
) -> Option<Candidate> {
    let line = lines.get(written.line)?;
    let figure = supplied(asked, written, line);
    let turned = turned(asked, &figure, line);
    let mirrored = mirrored(asked, &figure, line);
    let figure = turned.as_ref().or(mirrored.as_ref()).unwrap_or(&figure);
    let mut at = place_among(asked, siblings, figure, written, line);
    let shown = figure.shown(lines).to_owned();
    let result = match signed(asked, figure, line, lines) {
        Ok(quantity) if turned.is_some() => compared(asked, figure, &quantity.negated(), line, &shown),
        Ok(quantity) => compared(asked, figure, &quantity, line, &shown),
        Err(why) => {
            if at == Place::Asked {
                at = Place::Unplaced(why);
            }
            Compared { agrees: Some(false), comparison: None, vague: false }
        }
    };
    if result.agrees == Some(true)
        && matches!(at, Place::OtherContext(_))
        && is_of_sibling(asked, siblings, written, line)
    {
        at = Place::OtherSlot;
    }
    if let Place::OtherContext(part) = &at
        && result.agrees == Some(false)
        && names_own_subject(asked, figure, line, part)
    {
        at = Place::unplaced(format!("the question's subject stands beside it, and not {part}"));
    }
    Some(Candidate {
        place: at,
        agrees: result.agrees,
        comparison: result.comparison,
        value: shown,
        line: figure.line,
        is_final: figure.said.is_final,
        corrected: figure.corrected,
        vague: result.vague || is_defined(figure, line),
        repeats: repeats_truth(asked, figure, line),
        bare: figure.said.alone || figure.said.labelled || figure.said.is_final,
    })
}

/// Whether a figure's own part of the sentence names the country or product that the question asks for, and the other one stands
/// elsewhere: `This one is Senegal and Kenya lies at 0.21.`
fn names_own_subject(asked: &Asked<'_>, figure: &Figure, line: &Line, part: &Difference) -> bool {
    let is_of_subject = part.is_of(ContextPart::Country) || part.is_of(ContextPart::Product);
    let breaks = |token: &Token| token.separates() || token.role("and");
    let before = line.until(figure.token).rsplit(breaks).next().unwrap_or_default();
    let behind = line.behind(figure.token).split(breaks).next().unwrap_or_default();
    let own = [before, behind].concat();
    let names = |token: &Token| match &token.kind {
        Kind::Country(id) => asked.country == Some(*id),
        Kind::Product(code) => asked.context.product.as_deref() == Some(code),
        _ => false,
    };
    // `China exported $69.9 billion to Brazil.`
    let is_other = |token: &Token| matches!(token.kind, Kind::Country(id) if asked.country != Some(id));
    // `Japan and Germany: 18.4% and 11.95% respectively`
    let is_paired = line.sentence.tokens.iter().any(|token| token.folded == "respectively");
    // a derived value has several subjects
    asked.rows == 1
        && asked.one.follows.is_none()
        && is_of_subject
        && figure.digits
        && !is_paired
        && own.iter().any(names)
        && !own.iter().any(is_other)
        && differs(asked, &Said::of_tokens(&own)).is_none()
}

/// A figure compared with the truth.
struct Compared {
    agrees: Option<bool>,
    comparison: Option<Comparison>,
    /// Whether it is compatible with the truth but too vague to count as the value.
    vague: bool,
}

fn compared(asked: &Asked<'_>, figure: &Figure, quantity: &Quantity, line: &Line, shown: &str) -> Compared {
    let quantity = if figure.about { &rounded(quantity) } else { quantity };
    let (agrees, comparison) = against(asked, quantity);
    // `2.274` means 2274 if full stops group digits.
    let otherwise = numerals::other_reading(shown).and_then(|text| match parse(&text) {
        Some(Value::Quantity(quantity)) => against(asked, &quantity).0,
        _ => None,
    });
    // `more than $2,000` does not contradict $2,274.
    let holds = figure.bound.as_deref().is_some_and(|bound| bound_holds(asked, bound, quantity));
    // `That's about a quarter of a billion` restates another figure.
    let first = line.sentence.tokens.first();
    let restates = first.is_some_and(|first| matches!(first.folded.as_str(), "that" | "this" | "which"));
    let vague = holds
        || agrees.is_none() && !figure.digits && quantity.unit == Unit::Percent
        || figure.about && restates && agrees == Some(true);
    // `(million USD): 2010 485; 2011 463`: its unit may stand elsewhere
    let is_scaled = comparison.cause == Some(Cause::FactorThousand)
        && shown.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && line.heads.iter().chain([&line.sentence]).flat_map(|head| &head.tokens).any(is_scale);
    let agrees = agrees.filter(|agrees| *agrees || otherwise != Some(true) && !holds && !is_scaled);
    Compared { agrees, comparison: Some(comparison), vague }
}

/// Whether a word is the scale of numbers elsewhere: `in millions`, `$M`.
fn is_scale(token: &Token) -> bool {
    token.kind == Kind::Words && token.folded.split(' ').any(|word| lexicon::listed("scale", word))
}

/// Whether the truth satisfies a bound.
fn bound_holds(asked: &Asked<'_>, word: &str, bound: &Quantity) -> bool {
    let is_bare = |unit| matches!(unit, Unit::Count | Unit::Index);
    let is_same = |unit| unit == bound.unit || is_bare(unit) && is_bare(bound.unit);
    let Some(truth) = asked.number().filter(|truth| is_same(truth.unit)) else { return false };
    lexicon::listed("lower_bound", word) && truth.interval.low > bound.number
        || lexicon::listed("upper_bound", word) && truth.interval.high < bound.number
}

/// Whether a figure only repeats a number from the question.
fn repeats(asked: &Asked<'_>, figure: &Figure, lines: &[Line]) -> bool {
    // `(HS 2012, 8703)`: the code of the product
    let is_code = figure.quantity.unit == Unit::Count && asked.products.contains(figure.shown(lines));
    let total = asked.number().and_then(|number| number.total).map(Decimal::from);
    total == Some(figure.quantity.number) && asked.number().map(|number| number.number) != total
        || is_code && asked.number().is_some_and(|number| number.unit != Unit::Count)
        || asked.numbers.contains(&figure.quantity.number)
            && asked.number().is_some_and(|number| number.number != figure.quantity.number)
}

/// Whether a figure repeats the truth that stands before it, in round words or in brackets: `about fifteen times`, `$2,850 (shown as
/// $2.85k)`.
fn repeats_truth(asked: &Asked<'_>, figure: &Figure, line: &Line) -> bool {
    let Some(truth) = asked.number() else { return false };
    let is_round = (figure.about || !figure.digits) && truth.number != figure.quantity.number;
    is_round || is_beside_truth(truth, figure, line)
}

/// Whether a figure stands in brackets and the true number before it does not.
fn is_beside_truth(truth: &Quantity, figure: &Figure, line: &Line) -> bool {
    let in_brackets = line.token(figure.token).is_some_and(|token| token.depth > 0);
    let same = |token: &Token| {
        let number = token.number().map(|number| number.number.abs());
        token.depth == 0 && number == Some(truth.number.abs())
    };
    in_brackets && line.until(figure.token).iter().any(same)
}

/// Whether the words behind a figure say what it would mean: `0 would mean that all of them are there`.
fn is_defined(figure: &Figure, line: &Line) -> bool {
    let mut behind = line.behind(figure.token).iter().skip_while(|token| token.folded == "would");
    let number = figure.quantity.number;
    // `(0 is close, 1 is far)`
    let ends_scale = (number.is_zero() || number == Decimal::ONE)
        && line.token(figure.token).is_some_and(|token| token.depth > 0);
    behind.next().is_some_and(|next| next.listed("defines") || ends_scale && next.role("be"))
}

/// How many lines away a word may give a number its sign. All lines for each figure would take quadratic time.
const NEAR: usize = 40;

/// Applies the sign that the words give the number.
fn signed(asked: &Asked<'_>, figure: &Figure, line: &Line, lines: &[Line]) -> Result<Quantity, String> {
    let quantity = &figure.quantity;
    if !asked.is_change() && !asked.is_balance() {
        return Ok(quantity.clone());
    }
    let mut direction = figure.direction;
    if asked.is_balance() {
        direction = side_of_balance(asked, figure, line, lines);
    }
    if asked.number().is_some_and(|number| number.unit == Unit::Positions)
        && let Some(up) = between_places(line)
    {
        let stated = if direction == Some(true) { "up" } else { "down" };
        if direction.is_some_and(|direction| direction != up) {
            return Err(format!("the ranks contradict \"{stated}\""));
        }
        direction = Some(up);
    }
    // `Direction: down`, `Places: 13`
    let written = line.token(figure.token).map_or("", |token| line.sentence.shown(&token.range));
    if asked.is_change() && !written.starts_with('+') {
        let until = lines.get(figure.line.saturating_sub(NEAR)..=figure.line).unwrap_or_default();
        direction = direction.or_else(|| only_direction(until));
        if quantity.number < Decimal::ZERO {
            direction = direction.or_else(|| compared_direction(asked, line));
        }
    }
    match direction {
        Some(true) if quantity.number < Decimal::ZERO => {
            Err("a minus contradicts a rise or surplus".to_owned())
        }
        Some(false) if quantity.number >= Decimal::ZERO => Ok(quantity.negated()),
        _ => Ok(quantity.clone()),
    }
}

/// Whether a balance is a surplus: `exports exceed imports by $5 billion`, `a gap of $5 billion, so it's a deficit`, `It is a
/// deficit. Size: $5 billion`.
fn side_of_balance(asked: &Asked<'_>, figure: &Figure, line: &Line, lines: &[Line]) -> Option<bool> {
    let tokens = &line.sentence.tokens;
    let mut direction = figure.direction;
    // `a surplus of $5 billion, unlike countries whose imports exceed their exports`
    let ends = |token: &Token| token.operator("comparison") || token.mark(';');
    let end = line.behind(figure.token).iter().position(ends).map(|at| figure.token + 1 + at);
    let own = tokens.get(..end.unwrap_or(tokens.len())).unwrap_or_default();
    if own.iter().any(|token| token.folded.starts_with("exceed")) {
        let mut flows = own.iter().filter(|token| token.is("flow", "import") || token.is("flow", "export"));
        direction = flows.next().map(|token| token.is("flow", "export"));
    }
    let named = |lines: &[&Line]| {
        let says = |word: &str| {
            let heads = lines.iter().flat_map(|line| line.heads.iter().flat_map(|head| &head.tokens));
            let mut tokens = lines.iter().flat_map(|line| &line.sentence.tokens).chain(heads);
            tokens.any(|token| token.folded.contains(word))
        };
        (says("deficit") != says("surplus")).then(|| says("surplus"))
    };
    exceeds(asked, figure, line).or(direction).or_else(|| named(&[line])).or_else(|| {
        let near = lines.iter().skip(figure.line.saturating_sub(NEAR)).take(2 * NEAR);
        named(&near.collect::<Vec<_>>())
    })
}

/// The direction that a comparison of the first and last year states: `a bigger part in 2021 than in 2015`.
fn compared_direction(asked: &Asked<'_>, line: &Line) -> Option<bool> {
    let tokens = &line.sentence.tokens;
    let period = asked.context.period.filter(|own| own.start != own.end)?;
    let place = |year: i16| tokens.iter().position(|token| token.kind == Kind::Period(Period::year(year)));
    let (first, last) = (place(period.start)?, place(period.end)?);
    let (early, late) = (first.min(last), first.max(last));
    let more = tokens.get(..early)?.iter().rev().find_map(Token::comparative)?;
    let compares = tokens.get(early..late)?.iter().any(|token| token.folded.ends_with("than"));
    compares.then_some(more == (last < first))
}

/// The only direction that these lines state, if they agree.
fn only_direction(lines: &[Line]) -> Option<bool> {
    let denies = |line: &Line| line.sentence.tokens.iter().any(|token| token.operator("negation"));
    let lines = lines.iter().filter(|line| !line.sentence.question && !denies(line));
    let mut directions = lines.flat_map(|line| &line.sentence.tokens).filter_map(Token::direction);
    let first = directions.next()?;
    directions.all(|direction| direction == first).then_some(first)
}

/// The direction between two ranks: `from 63rd to 50th` is up, whatever the verb.
fn between_places(line: &Line) -> Option<bool> {
    let numbers = line.sentence.tokens.iter().filter_map(Token::number);
    let ranks = numbers.filter(|number| number.unit == Unit::Rank).map(|number| number.number);
    match ranks.collect::<Vec<_>>().as_slice() {
        [from, to] => Some(to < from),
        _ => None,
    }
}

/// Widens `about $2,270` to all values that round to it at its last non-zero digit.
fn rounded(quantity: &Quantity) -> Quantity {
    let number = quantity.number.normalize();
    if !number.fract().is_zero() {
        return quantity.clone();
    }
    let Ok(mut whole) = i128::try_from(number) else { return quantity.clone() };
    let mut step = 1_i128;
    while whole != 0 && whole % 10 == 0 {
        whole /= 10;
        step *= 10;
    }
    let Ok(half) = Decimal::try_from_i128_with_scale(step * 5, 1) else { return quantity.clone() };
    let interval = Interval::around(number, half);
    if interval.encloses(&quantity.interval) {
        Quantity { interval, rule: None, ..quantity.clone() }
    } else {
        quantity.clone()
    }
}

/// A figure whose half-width exceeds this share of its value is too coarse.
const COARSE: (i64, u32) = (3, 2);

/// Compares a number with the truth, the precise value behind it and its other definition.
pub(crate) fn against(asked: &Asked<'_>, quantity: &Quantity) -> (Option<bool>, Comparison) {
    let Some(truth) = asked.number() else {
        return (None, Comparison::new(Verdict::Unscored, "there is no number to compare with"));
    };
    let said_unit = quantity.unit;
    let mut quantity = quantity.clone();
    let counts = matches!(quantity.unit, Unit::Count | Unit::Index | Unit::Rank);
    if counts || (quantity.unit == Unit::Percent && truth.unit == Unit::PercentagePoints) {
        quantity.unit = truth.unit;
    }
    let operand = |quantity: &Quantity| Operand::value(Value::Quantity(quantity.clone()), Context::default());
    let said = operand(&quantity);
    let first = compare(&operand(truth), &said);
    let precise =
        asked.one.precise.as_ref().map(|precise| Operand { context: Context::default(), ..precise.clone() });
    let comparison = match precise {
        Some(precise) if first.verdict == Verdict::Match => {
            let second = compare(&precise, &said);
            if quantity.number == truth.number {
                first
            } else if second.verdict == Verdict::Mismatch {
                second
            } else {
                first
            }
        }
        _ => first,
    };
    let other = asked
        .one
        .other_definition
        .as_ref()
        .map(|other| Operand { context: Context::default(), ..other.clone() });
    if comparison.verdict == Verdict::Mismatch
        && other.is_some_and(|other| compare(&other, &said).verdict == Verdict::Match)
    {
        let reason = "it is the figure of the source's response, which uses another definition than the page";
        let comparison = Comparison {
            cause: Some(Cause::OtherDefinition),
            ..Comparison::new(Verdict::NotComparable, reason)
        };
        return (None, comparison);
    }
    let width = quantity.interval.high.saturating_sub(quantity.interval.low);
    let coarse = width
        > quantity.number.abs().saturating_mul(Decimal::new(COARSE.0, COARSE.1)).saturating_mul(Decimal::TWO);
    let fine = matches!(truth.unit, Unit::Percent | Unit::PercentagePoints) && width <= Decimal::new(1, 2);
    let coarse = coarse && !fine;
    let finer = truth.interval.high.saturating_sub(truth.interval.low) < width;
    // `rose by 0.43 %` may mean points or per cent of the share.
    let relative = said_unit == Unit::Percent && truth.unit == Unit::PercentagePoints;
    match comparison.verdict {
        Verdict::Match if relative => (None, comparison),
        Verdict::Match if coarse && finer && quantity.number != truth.number && truth.unit != Unit::Index => {
            (None, comparison)
        }
        Verdict::Match => (Some(true), comparison),
        Verdict::Mismatch => (Some(false), comparison),
        _ => (None, comparison),
    }
}
