//! The two levels that a sentence names beside a change: `rose from $8.73 billion to $16.22 billion`.

use rust_decimal::Decimal;

use crate::answer::candidate::Place;
use crate::answer::figures::figure::Figure;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::language::token::{Kind, Token};
use crate::value::{Basis, Interval, Quantity, Statistic, Unit};

/// The first and the last level of a change.
pub(crate) struct Levels<'a> {
    first: &'a Quantity,
    last: &'a Quantity,
}

impl<'a> Levels<'a> {
    /// The levels of a sentence, if it names two of one unit: `from A to B`.
    pub(crate) fn of(tokens: &'a [Token]) -> Option<Self> {
        let [first, last] = from_and_to(tokens)?.map(|at| tokens.get(at).and_then(Token::number));
        let (first, last) = first.zip(last)?;
        (first.unit == last.unit).then_some(Self { first, last })
    }

    /// The levels that lines give for the ends of the period: `In 2010 they were $16 billion and in 2024 $8.7 billion.`, `2015: $216
    /// billion`, a column of years. Without years, those of then and now: `It was 60th and is now 56th.`
    pub(crate) fn over(asked: &Asked<'_>, lines: &[&'a Line]) -> Option<Self> {
        let ends = asked.context.period.filter(|own| own.start != own.end);
        let figures = || {
            lines.iter().flat_map(|line| {
                let tokens = line.sentence.tokens.iter().enumerate();
                tokens.filter_map(|(at, token)| Some((*line, at, token.number()?)))
            })
        };
        let in_year =
            |year: i16| figures().find(|(line, at, _)| year_of(line, *at) == Some(year)).map(|(.., own)| own);
        let dated = || ends.and_then(|own| in_year(own.start).zip(in_year(own.end)));
        let behind = |words: &[&str]| {
            let is_one = |line: &Line, at: usize| {
                let mut before = line.until(at).iter().rev().filter(|token| !token.role("article"));
                before.next().is_some_and(|word| words.contains(&word.folded.as_str()))
            };
            figures().find(|(line, at, _)| is_one(line, *at)).map(|(.., own)| own)
        };
        let then_and_now =
            || behind(&["was", "were"]).zip(behind(&["now", "is", "are", "is now", "are now"]));
        let (first, last) = dated().or_else(then_and_now)?;
        (first.unit == last.unit).then_some(Self { first, last })
    }

    /// Whether the levels make a change: a difference, a growth over the whole period or one a year.
    pub(crate) fn makes(&self, asked: &Asked<'_>, change: &Quantity) -> bool {
        let years = match asked.context.statistic {
            Some(Statistic::TotalGrowth) => Some(1),
            Some(Statistic::Cagr) => asked.context.period.map(|own| own.end.abs_diff(own.start)),
            _ => None,
        };
        let is_rate = change.unit == Unit::Percent && asked.context.basis != Some(Basis::Constant);
        match years.filter(|_| is_rate) {
            Some(years) => self.grows(change, years).unwrap_or(true),
            None => self.adds_up(change),
        }
    }

    /// Whether the last level is the first one after some years of growth, give or take a fiftieth. `None` if that cannot be computed.
    fn grows(&self, rate: &Quantity, years: u16) -> Option<bool> {
        let hundred = Decimal::ONE_HUNDRED;
        let factor = |rate: Decimal| {
            let step = Decimal::ONE.checked_add(rate.checked_div(hundred)?)?;
            (0..years).try_fold(Decimal::ONE, |grown, _| grown.checked_mul(step))
        };
        let (first, last) = (self.first.interval, self.last.interval);
        let slack = Decimal::new(2, 2);
        let low = last.low.checked_div(first.high)?.checked_mul(Decimal::ONE - slack)?;
        let high = last.high.checked_div(first.low)?.checked_mul(Decimal::ONE + slack)?;
        let is_known = first.low > Decimal::ZERO && self.first.unit != Unit::Percent && years <= 60;
        Some(factor(rate.interval.low)? <= high && low <= factor(rate.interval.high)?).filter(|_| is_known)
    }

    /// How far the last level is from the first: the smallest and the largest difference that the levels can mean.
    fn difference(&self) -> Interval {
        self.last.interval.plus(&self.first.interval.negated())
    }

    /// Whether the last level is the better one; `None` if they may be equal.
    fn is_up(&self) -> Option<bool> {
        let difference = self.difference();
        let grows = difference.low > Decimal::ZERO;
        (grows || difference.high < Decimal::ZERO).then_some(grows != (self.first.unit == Unit::Rank))
    }

    /// Why the levels contradict a direction.
    pub(crate) fn against(&self, up: bool) -> Option<Place> {
        (self.is_up()? != up).then(|| Place::unplaced("the levels beside it move the other way"))
    }

    /// Whether a change of this size is the difference of the levels. Another unit says nothing of it.
    fn adds_up(&self, change: &Quantity) -> bool {
        let same = match change.unit {
            Unit::PercentagePoints => self.first.unit == Unit::Percent,
            // `dropped 13 places`
            Unit::Positions | Unit::Count if self.first.unit == Unit::Rank => true,
            unit => unit == self.first.unit && unit != Unit::Percent,
        };
        let difference = self.difference();
        !same || difference.overlaps(&change.interval) || difference.overlaps(&change.interval.negated())
    }
}

/// Whether a number follows a preposition: `from about $8.73 billion`, `to the 13th`.
fn is_after(tokens: &[Token], at: usize, word: &str) -> bool {
    let mut before = tokens.get(..at).unwrap_or_default().iter().rev();
    before
        .find(|token| !token.operator("about") && !token.role("article"))
        .is_some_and(|own| own.folded == word)
}

/// The year of a figure: behind it, before it, or at its head.
fn year_of(line: &Line, at: usize) -> Option<i16> {
    let single = |token: &Token| match token.kind {
        Kind::Period(own) if own.start == own.end => Some(own.start),
        _ => None,
    };
    let mut behind = line.behind(at).iter().filter(|token| token.folded != "in" && !token.mark('('));
    let before = line.until(at).iter().rev().take_while(|token| token.number().is_none());
    let heads = line.heads.iter().rev().flat_map(|head| &head.tokens);
    behind.next().and_then(single).or_else(|| before.chain(heads).find_map(single))
}

/// The numbers of a sentence that follow `from` and `to`.
fn from_and_to(tokens: &[Token]) -> Option<[usize; 2]> {
    let figures = || tokens.iter().enumerate().filter(|(_, token)| token.number().is_some());
    let after = |word: &str| figures().map(|(at, _)| at).find(|at| is_after(tokens, *at, word));
    Some([after("from")?, after("to")?])
}

/// Whether a figure follows the levels of the two years that the question compares: `from A in 2010 to B in 2024, an increase of C`.
pub(crate) fn follow_ends(asked: &Asked<'_>, figure: &Figure, line: &Line) -> bool {
    let ends = asked.context.period.filter(|own| own.start != own.end);
    let places = from_and_to(line.until(figure.token));
    let years = places.map(|[from, to]| [year_of(line, from), year_of(line, to)]);
    ends.is_some_and(|own| years == Some([Some(own.start), Some(own.end)]))
}

/// The sentence names levels that make another change: `rose by 0.12, from 0.70 to 0.58`.
pub(crate) fn why_levels(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let moves = asked.is_change() || figure.quantity.unit == Unit::Positions;
    let levels = Levels::of(&line.sentence.tokens)
        .filter(|_| moves && !matches!(figure.joint, Some("from" | "to")))?;
    // `+0.12`, or the bare number, is a rise; places go by their verb alone
    let negative = figure.quantity.number.is_sign_negative();
    let signed = (negative || levels.first.unit != Unit::Rank).then_some(!negative);
    if let Some(place) = figure.direction.or(signed).and_then(|up| levels.against(up)) {
        return Some(place);
    }
    (!levels.makes(asked, &figure.quantity))
        .then(|| Place::unplaced("the levels beside it make another change"))
}
