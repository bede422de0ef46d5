//! Arithmetic on values as displayed: an operation over several of them, with the interval that follows from theirs, and
//! the context that they have to share.

use rust_decimal::Decimal;
use rust_decimal::prelude::{FromPrimitive, ToPrimitive};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::context::{Context, ContextPart, Period, Scope, Statistic};
use super::quantity::Interval;
use super::rule::Rule;
use super::unit::Unit;
use crate::words::{name, plural};

/// What follows from several values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// The value itself, beside others.
    Value,
    /// All of them together: the cells of a region.
    Sum,
    /// The first less the second, which differ in one part of their context.
    Difference,
    /// Exports less imports.
    Balance,
    /// The later less the earlier of two years, given as first and last.
    Change,
    /// Growth from the first to the last year over the whole period, in per cent.
    Growth,
    /// Compound growth a year from the first to the last year, in per cent.
    Cagr,
    /// The first over the second.
    Ratio,
    /// The first as a part of the second, in per cent.
    Share,
    /// The place of the first among all of them; places themselves are ranked from the smallest.
    Rank,
    /// Which of them is the largest.
    #[serde(alias = "comparison")]
    Largest,
    /// Which of them is the smallest.
    Smallest,
    /// Whether the value rose or fell from the first to the last year.
    Direction,
}

/// What follows from several values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Step {
    /// The data point of the result, and what later steps call it by.
    pub name: String,
    /// What is made.
    pub operation: Operation,
    /// Of which inputs or earlier steps, in this order.
    pub of: Vec<String>,
    /// The result's name for a person; none for a step on the way to another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// What the result is about, beside other results of the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The form of the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
}

/// One value that a result follows from.
#[derive(Debug, Clone, PartialEq)]
pub struct DerivedOperand {
    /// Its name for a person:
    pub label: String,
    /// The number as displayed.
    pub number: Decimal,
    /// Every number that is displayed so.
    pub interval: Interval,
    /// The number behind the display, where it is known.
    pub precise: Option<Decimal>,
    /// What it counts.
    pub unit: Unit,
    /// What it is about.
    pub context: Context,
}

impl DerivedOperand {
    /// Every number that it may be: the one behind the display alone, where that is known.
    fn narrowest(&self) -> Interval {
        self.precise.map_or(self.interval, Interval::point)
    }
}

/// A result.
#[derive(Debug, Clone, PartialEq)]
pub struct Derived {
    /// The result itself.
    pub result: DerivedValue,
    /// What it is about.
    pub context: Context,
    /// Whether the values as displayed leave it open, so that the precise ones decided.
    pub undecided_at_displayed_precision: bool,
}

/// What an operation gives: a value, not a verdict.
#[derive(Debug, Clone, PartialEq)]
pub enum DerivedValue {
    /// A number.
    Number(DerivedOperand),
    /// A place among so many.
    Place(u32, u32),
    /// Which of the operands, by its label.
    Which(String),
    /// A word of the vocabulary [`DIRECTIONS`].
    Word(&'static str),
}

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeriveRefusal {
    /// The values are not of one context.
    #[error("{1}")]
    Context(ContextPart, String),
    /// The displayed values leave it open, and nothing more precise is known.
    #[error("undecided_at_displayed_precision: {0}")]
    Undecided(String),
    /// The operation has no result for these numbers.
    #[error("{0}")]
    Unfit(String),
}

type DeriveResult<T> = std::result::Result<T, DeriveRefusal>;

impl Operation {
    /// How many values it takes, at least and at most.
    #[must_use]
    pub const fn takes(self) -> (usize, usize) {
        match self {
            Self::Value => (1, 1),
            Self::Sum => (1, usize::MAX),
            Self::Rank | Self::Largest | Self::Smallest => (2, usize::MAX),
            _ => (2, 2),
        }
    }

    /// What a result counts, of values that count this; none for words and names.
    #[must_use]
    pub const fn unit(self, of: Option<Unit>) -> Option<Unit> {
        match (self, of) {
            (Self::Growth | Self::Cagr | Self::Share, _) => Some(Unit::Percent),
            (Self::Ratio, _) => Some(Unit::Index),
            (Self::Change | Self::Difference, Some(Unit::Percent)) => Some(Unit::PercentagePoints),
            (Self::Change | Self::Difference, Some(Unit::Rank)) => Some(Unit::Positions),
            (Self::Rank, _) => Some(Unit::Rank),
            (Self::Largest | Self::Smallest | Self::Direction, _) => None,
            _ => of,
        }
    }

    /// The statistic of a result, where it is not that of its values.
    #[must_use]
    pub const fn statistic(self) -> Option<Statistic> {
        match self {
            Self::Growth => Some(Statistic::TotalGrowth),
            Self::Cagr => Some(Statistic::Cagr),
            Self::Share => Some(Statistic::Share),
            Self::Rank => Some(Statistic::Rank),
            Self::Change => Some(Statistic::Change),
            _ => None,
        }
    }

    /// Applies it.
    ///
    /// # Errors
    /// The values are not of one context, their precision leaves the result open, or there is none for such numbers.
    pub fn apply(self, of: &[DerivedOperand]) -> DeriveResult<Derived> {
        let (least, most) = self.takes();
        if !(least..=most).contains(&of.len()) {
            let given = plural(of.len(), "value is", "values are");
            return Err(DeriveRefusal::Unfit(format!("{given} given, it takes {least}")));
        }
        let context = self.context(of)?;
        let units_differ = of.iter().any(|one| one.unit != of[0].unit);
        if units_differ {
            return Err(DeriveRefusal::Unfit("the values are not of one unit".to_owned()));
        }
        let (result, undecided) = match self {
            Self::Rank | Self::Largest | Self::Smallest | Self::Direction => self.ordered(of)?,
            _ => (DerivedValue::Number(self.number(of, &context)?), false),
        };
        Ok(Derived { result, context, undecided_at_displayed_precision: undecided })
    }

    /// The result of numbers; none where there is none.
    fn value(self, of: &[Decimal], period: Option<Period>, unit: Unit) -> Option<Decimal> {
        let first = *of.first()?;
        let last = *of.get(1).unwrap_or(&first);
        match self {
            Self::Value => Some(first),
            Self::Sum => of.iter().try_fold(Decimal::ZERO, |sum, one| sum.checked_add(*one)),
            Self::Difference | Self::Balance => first.checked_sub(last),
            // a rank that falls is a place gained
            Self::Change if unit == Unit::Rank => first.checked_sub(last),
            Self::Change => last.checked_sub(first),
            Self::Ratio => first.checked_div(last),
            Self::Share => first.checked_div(last)?.checked_mul(Decimal::ONE_HUNDRED),
            Self::Growth => {
                last.checked_div(first)?.checked_sub(Decimal::ONE)?.checked_mul(Decimal::ONE_HUNDRED)
            }
            Self::Cagr => {
                let years = i32::from(period?.end - period?.start);
                let yearly = last.checked_div(first)?.to_f64()?.powf(f64::from(years).recip());
                let rate = Decimal::from_f64(yearly)?.checked_sub(Decimal::ONE)?;
                Some(rate.checked_mul(Decimal::ONE_HUNDRED)?.round_dp(RATE_DIGITS))
            }
            Self::Rank | Self::Largest | Self::Smallest | Self::Direction => None,
        }
    }

    /// Whether the result grows with the operand at this place.
    const fn grows_with(self, place: usize, unit: Unit) -> bool {
        match self {
            Self::Change if matches!(unit, Unit::Rank) => place == 0,
            Self::Change | Self::Growth | Self::Cagr => place == 1,
            Self::Sum => true,
            _ => place == 0,
        }
    }

    fn number(self, of: &[DerivedOperand], context: &Context) -> DeriveResult<DerivedOperand> {
        let unit = of[0].unit;
        let intervals: Vec<Interval> = of.iter().map(DerivedOperand::narrowest).collect();
        let divisor = match self {
            Self::Ratio | Self::Share => Some(1),
            Self::Growth | Self::Cagr => Some(0),
            _ => None,
        };
        if divisor.is_some() && intervals.iter().any(|one| one.low < Decimal::ZERO) {
            return Err(DeriveRefusal::Unfit(
                "there is no such part or rate of a number below zero".to_owned(),
            ));
        }
        if let Some(zero) = divisor.filter(|at| intervals[*at].low.is_zero()).map(|at| &of[at]) {
            return Err(DeriveRefusal::Unfit(format!("{} may be zero", zero.label)));
        }
        let made = |numbers: &[Decimal]| {
            let value = self.value(numbers, context.period, unit);
            value
                .map(|value| value.normalize())
                .ok_or_else(|| DeriveRefusal::Unfit("the result is out of range".to_owned()))
        };
        let end = |high: bool| -> Vec<Decimal> {
            let at = |(place, one): (usize, &Interval)| {
                if self.grows_with(place, unit) == high { one.high } else { one.low }
            };
            intervals.iter().enumerate().map(at).collect()
        };
        let known: Vec<Decimal> = of.iter().map(|one| one.precise.unwrap_or(one.number)).collect();
        let result = made(&known)?;
        let number = result.round_dp(RATE_DIGITS).normalize();
        let precise = of.iter().all(|one| one.precise.is_some()).then_some(result);
        let interval = match precise {
            Some(_) => Interval::point(number),
            None => Interval::closed(made(&end(false))?, made(&end(true))?),
        };
        Ok(DerivedOperand {
            label: String::new(),
            number,
            interval,
            precise,
            unit: self.unit(Some(unit)).unwrap_or(unit),
            context: context.clone(),
        })
    }

    /// What follows from the order of the values: by what is displayed, or else by what is behind it.
    fn ordered(self, of: &[DerivedOperand]) -> DeriveResult<(DerivedValue, bool)> {
        if let Some(outcome) = self.by_intervals(of) {
            return Ok((outcome, false));
        }
        let labels: Vec<&str> = of.iter().map(|one| one.label.as_str()).collect();
        let labels = labels.join(", ");
        let known: Vec<DerivedOperand> =
            of.iter().map(|one| DerivedOperand { interval: one.narrowest(), ..one.clone() }).collect();
        match self.by_intervals(&known) {
            Some(outcome) => Ok((outcome, true)),
            None if known.iter().all(|one| one.precise.is_some()) => {
                Err(DeriveRefusal::Unfit(format!("{labels} are equal")))
            }
            None => Err(DeriveRefusal::Undecided(labels)),
        }
    }

    fn by_intervals(self, of: &[DerivedOperand]) -> Option<DerivedValue> {
        let above = |one: &DerivedOperand, other: &DerivedOperand| one.interval.low > other.interval.high;
        let beats_all = |wins: &dyn Fn(&DerivedOperand, &DerivedOperand) -> bool| {
            let best =
                of.iter().find(|one| of.iter().all(|other| std::ptr::eq(*one, other) || wins(one, other)));
            best.map(|one| DerivedValue::Which(one.label.clone()))
        };
        match self {
            Self::Largest => beats_all(&above),
            Self::Smallest => beats_all(&|one, other| above(other, one)),
            Self::Rank => {
                let (own, others) = of.split_first()?;
                let is_better = |other: &&DerivedOperand| {
                    if own.unit == Unit::Rank { above(own, other) } else { above(other, own) }
                };
                let is_open = others.iter().any(|other| !above(own, other) && !above(other, own));
                let before = others.iter().filter(is_better).count();
                let place = |count: usize| u32::try_from(count).ok();
                (!is_open).then_some(DerivedValue::Place(place(before + 1)?, place(of.len())?))
            }
            Self::Direction => {
                let (first, last) = (of.first()?, of.get(1)?);
                let rose = above(last, first);
                (rose || above(first, last)).then_some(DerivedValue::Word(if rose {
                    "grown"
                } else {
                    "declined"
                }))
            }
            _ => None,
        }
    }

    /// What the result is about, where nothing differs between the values but what the operation is about.
    fn context(self, of: &[DerivedOperand]) -> DeriveResult<Context> {
        let mut differing: Vec<ContextPart> = Vec::new();
        for other in &of[1..] {
            let parts = of[0].context.differing(&other.context);
            differing.extend(parts.into_iter().filter(|part| !differing.contains(part)).collect::<Vec<_>>());
        }
        let is_swapped =
            self == Self::Balance && differing == [ContextPart::Country, ContextPart::Partner] && swapped(of);
        self.check_parts(of, &differing, is_swapped)?;
        let mut context = of[0].context.clone();
        for part in &differing {
            match part {
                ContextPart::Country if !is_swapped => context.country = None,
                ContextPart::Partner if !is_swapped => context.partner = None,
                ContextPart::Product => context.product = None,
                ContextPart::Flow => context.flow = None,
                ContextPart::Scope => context.scope = Some(Scope::GoodsAndServices),
                ContextPart::Period => context.period = self.span(of)?,
                _ => {}
            }
        }
        // a part keeps whose and what it is, a place whose; a share is of the trade that it is a part of
        if matches!(self, Self::Share | Self::Ratio | Self::Rank) {
            let own = &of[0].context;
            (context.country, context.partner) = (own.country.clone(), own.partner.clone());
            let whole = if self == Self::Share { of[1].context.scope } else { None };
            (context.product, context.scope) = (own.product.clone(), whole.or(own.scope));
        }
        if is_swapped {
            context.flow = None;
        }
        if self == Self::Direction {
            context.statistic = None;
        }
        context.statistic = self.statistic().or(context.statistic);
        Ok(context)
    }

    /// The parts of the context of which the values may differ in one.
    const fn parts(self) -> &'static [ContextPart] {
        use ContextPart::{Country, Flow, Partner, Period, Product};
        match self {
            Self::Value => &[],
            Self::Sum => &[Country, Partner, Product],
            Self::Change | Self::Growth | Self::Cagr | Self::Direction => &[Period],
            Self::Balance => &[Flow],
            Self::Ratio | Self::Share | Self::Difference | Self::Rank | Self::Largest | Self::Smallest => {
                &[Country, Partner, Product, Period, Flow]
            }
        }
    }

    /// Refuses values that differ in what the operation is not about.
    fn check_parts(
        self,
        of: &[DerivedOperand],
        differing: &[ContextPart],
        is_swapped: bool,
    ) -> DeriveResult<()> {
        // a part of the trade in goods and services may be of either
        let of_any_scope = match self {
            Self::Ratio | Self::Share | Self::Largest | Self::Smallest | Self::Difference | Self::Rank => {
                true
            }
            Self::Sum => differing.contains(&ContextPart::Product),
            _ => false,
        };
        let counts = |part: &ContextPart| match part {
            ContextPart::Scope => !of_any_scope,
            ContextPart::Statistic => self != Self::Rank,
            _ => true,
        };
        let differing: Vec<ContextPart> = differing.iter().copied().filter(counts).collect();
        let fits = match differing.as_slice() {
            [] => !self.is_over_time(),
            [part] => self.parts().contains(part),
            _ => is_swapped,
        };
        if fits {
            return Ok(());
        }
        let part = differing.iter().find(|part| !self.parts().contains(part)).or(differing.first());
        let part = part.copied().unwrap_or(ContextPart::Period);
        let stated = |one: &DerivedOperand| match one.context.part(part) {
            text if text.is_empty() => format!("{} states none", one.label),
            text => format!("{} is of {text}", one.label),
        };
        let all: Vec<String> = of.iter().map(stated).collect();
        let differ = format!("the values differ in {}: {}", name(&part), all.join(", "));
        Err(DeriveRefusal::Context(part, differ))
    }

    /// Whether it takes a value of an earlier and one of a later year.
    const fn is_over_time(self) -> bool {
        matches!(self, Self::Change | Self::Growth | Self::Cagr | Self::Direction)
    }

    /// From the first to the last year; a value between two years has neither.
    fn span(self, of: &[DerivedOperand]) -> DeriveResult<Option<Period>> {
        let years: Option<Vec<Period>> = of.iter().map(|one| one.context.period).collect();
        let Some(years) = years else { return Ok(None) };
        if self.is_over_time() && years[0].start >= years[1].end {
            let (first, last) = (years[0], years[1]);
            let order = format!("the first value is of {first}, the last of {last}");
            return Err(DeriveRefusal::Context(ContextPart::Period, order));
        }
        let (start, end) = (years.iter().map(|one| one.start).min(), years.iter().map(|one| one.end).max());
        Ok(start.zip(end).map(|(start, end)| Period { start, end }))
    }
}

/// The vocabulary of [`Operation::Direction`].
pub const DIRECTIONS: &str = "export_direction";

/// Whether two values are the trade of two countries with each other, each as the other's partner.
fn swapped(of: &[DerivedOperand]) -> bool {
    let (one, other) = (&of[0].context, &of[1].context);
    one.country == other.partner && one.partner == other.country
}

/// Decimals of a result: what a double holds of a root in per cent for certain.
const RATE_DIGITS: u32 = 10;

impl Derived {
    /// The rule of its text where none is asked for.
    #[must_use]
    pub const fn rule(unit: Unit) -> Rule {
        match unit {
            Unit::Usd | Unit::OtherCurrency => Rule::F1,
            Unit::Rank => Rule::F10,
            Unit::Positions => Rule::F11,
            Unit::Persons => Rule::F14,
            Unit::Count => Rule::Integer,
            Unit::Percent | Unit::PercentagePoints => Rule::F6,
            Unit::Index => Rule::F13,
        }
    }
}

#[cfg(test)]
#[path = "derive_tests.rs"]
mod tests;
