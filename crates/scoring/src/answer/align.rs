//! Aligns the numbers of an answer with the value of a data point and has the comparator judge them.

use rust_decimal::Decimal;

use super::assign::Attachment;
use super::context::{contexts, is_change};
use super::reading::Reading;
use super::sentence::{last_digit, within};
use super::settle::{Judged, blank, missing, settle};
use super::statement::{Bound, Mention, ProductRef, StatementContext};
use super::term_points;
use super::{AnswerVerdict, Expected, PointScore};
use crate::atlas;
use crate::compare::{Content, Operand, compare};
use crate::language::lexicon::{self, Measure};
use crate::value::{Context, ContextPart, Quantity, Unit, Value};
use crate::{Cause, Comparison, Verdict};

/// An answer taken apart, with what was asked. A number that is `used` speaks of an expected point.
pub(super) struct Answer<'a> {
    pub question: Option<&'a str>,
    pub reading: &'a Reading,
    pub mentions: &'a [Mention],
    pub used: &'a mut [bool],
}

/// Judges the value of one data point.
pub(super) fn value(expected: &[Expected], at: usize, answer: &mut Answer<'_>) -> PointScore {
    let Answer { question, reading, mentions, used } = answer;
    let Some(one) = expected.get(at) else { return blank() };
    let Content::Value(Value::Quantity(truth)) = &one.truth.content else {
        return term_points::judge(expected, at, reading, mentions);
    };
    let judged = numbers(expected, at, truth, reading, mentions, used);
    settle(one, reading, judged)
        .or_else(|| named_alone(expected, at, *question, reading))
        .unwrap_or_else(|| missing(one, "the answer does not give it"))
}

impl Judged {
    /// A right value counts only for what is asked about: the product that is asked for, and the world where no country
    /// is.
    fn needs_subject(&mut self, reading: &Reading, mention: &Mention, expected: &[Expected], one: &Expected) {
        if self.said != AnswerVerdict::Right {
            return;
        }
        let context = &one.truth.context;
        let zero = mention.number.quantity.number.is_zero() && mention.upper.is_none();
        let nonzero = |truth: &Operand| matches!(&truth.content, Content::Value(Value::Quantity(truth)) if !truth.number.is_zero());
        let objection = if zero && nonzero(&one.truth) {
            Some("zero says too little of it".to_owned())
        } else if context.country.is_none() && context.partner.is_none() && mention.about.country.is_some() {
            Some("it is said of one country, and no country is asked about".to_owned())
        } else if context.product.is_some() && !reading.is_of_product(self.passage, one) {
            Some("it may be said of another product".to_owned())
        } else if !one.names.is_empty() && !one.answers.is_empty() && mention.about.scope.is_some() {
            Some("it is said of goods or services".to_owned())
        } else {
            term_points::other_place(expected, one, reading, self.passage)
        };
        if let Some(objection) = objection {
            self.leave_open(objection);
        }
    }
}

/// What the numbers of the answer come to for one data point.
fn numbers(
    expected: &[Expected],
    at: usize,
    truth: &Quantity,
    reading: &Reading,
    mentions: &[Mention],
    used: &mut [bool],
) -> Vec<Judged> {
    let Some(one) = expected.get(at) else { return Vec::new() };
    let mut judged = Vec::new();
    for (mention, used) in mentions.iter().zip(used) {
        if !same_kind(truth, mention, one.column.is_some()) || is_other_row(expected, at, mention) {
            continue;
        }
        let Some(strong) = fits(one, mention, reading) else { continue };
        if let Some(mut found) = judge(expected, at, truth, mention) {
            found.strong = strong && !is_a_part(reading, mention);
            found.needs_assertion(reading, &mention.place(), one);
            found.needs_subject(reading, mention, expected, one);
            *used |= !found.other;
            judged.push(found);
        }
    }
    judged
}

/// Whether a number stands in a bracket behind a headline of its unit: the headline beats its parts (decision 25).
fn is_a_part(reading: &Reading, mention: &Mention) -> bool {
    let Some(sentence) = reading.sentences.get(mention.passage) else { return false };
    let open = |at: usize| {
        let before = sentence.between(0, at);
        before.matches('(').count() > before.matches(')').count()
    };
    let unit = mention.number.quantity.unit;
    let earlier = sentence.numbers.iter().filter(|number| number.range.end <= mention.number.range.start);
    open(mention.number.range.start)
        && earlier.filter(|number| number.quantity.unit == unit).any(|number| !open(number.range.start))
}

/// What an answer gives a row beside what is asked, and that is not the row's: `support` is what the record says.
pub(super) fn other_support(
    expected: &[Expected],
    at: usize,
    support: &Quantity,
    mentions: &[Mention],
) -> Option<String> {
    let one = expected.get(at)?;
    let truth = Operand::value(Value::Quantity(support.clone()), Context::default());
    let given = mentions.iter().filter(|mention| {
        mention.number.quantity.unit == support.unit
            && mention.direction.is_none()
            && !mention.stance.denied
            && belongs(one, at, &mention.about)
    });
    let verdicts: Vec<Comparison> = given
        .map(|mention| Operand::value(Value::Quantity(mention.number.quantity.clone()), Context::default()))
        .map(|given| compare(&truth, &given))
        .collect();
    if verdicts.iter().any(|one| one.verdict == Verdict::Match) {
        return None;
    }
    let other = verdicts.iter().find(|one| one.verdict == Verdict::Mismatch)?;
    Some(format!("what stands beside it is another: {}", other.reason))
}

/// A row that is named, where the question asks for no more than names.
fn named_alone(
    expected: &[Expected],
    at: usize,
    question: Option<&str>,
    reading: &Reading,
) -> Option<PointScore> {
    // what has no place in a list is no name but a figure
    let is_of_a_list = expected.get(at).is_some_and(|one| one.rank.is_some());
    if !is_of_a_list || question.is_none_or(asks_amount) {
        None
    } else {
        term_points::named(expected, at, reading)
    }
}

/// Whether a question asks how much, and not only which.
fn asks_amount(question: &str) -> bool {
    let question = question.to_lowercase();
    [
        "how much",
        "how many",
        "how large",
        "what share",
        "which share",
        "value",
        "percentage",
        "amount",
        "at what",
        "how big",
    ]
    .iter()
    .any(|cue| question.contains(cue))
}

/// Whether a number can be a value of that unit at all.
fn same_kind(truth: &Quantity, mention: &Mention, in_column: bool) -> bool {
    let unit = mention.number.quantity.unit;
    let unit = mention.upper.as_ref().map_or(unit, |upper| upper.quantity.unit);
    let bare = matches!(unit, Unit::Count | Unit::Index) && !mention.ranked && !in_column;
    match truth.unit {
        Unit::Rank => unit == Unit::Rank || (unit == Unit::Count && mention.ranked && !mention.counts),
        Unit::Positions => {
            unit == Unit::Positions || (unit == Unit::Count && mention.direction.is_some() && mention.by)
        }
        Unit::Usd => matches!(unit, Unit::Usd | Unit::OtherCurrency) || (bare && !mention.counts),
        Unit::Percent | Unit::PercentagePoints => {
            matches!(unit, Unit::Percent | Unit::PercentagePoints) || (bare && !mention.counts)
        }
        Unit::Persons => {
            matches!(unit, Unit::Count | Unit::Persons | Unit::Index)
                && (!mention.counts || mention.metrics.contains(&"population"))
        }
        Unit::Count => matches!(unit, Unit::Count | Unit::Persons),
        Unit::Index => matches!(unit, Unit::Index | Unit::Count) && !mention.counts,
        _ => true,
    }
}

/// `Some(true)` when the words beside a number say that it is this measure, `Some(false)` when they say nothing,
/// `None` when they say that it is another.
fn fits(one: &Expected, mention: &Mention, reading: &Reading) -> Option<bool> {
    let has = |name: &String| {
        mention.metrics.contains(&name.as_str()) || mention.modifiers.contains(&name.as_str())
    };
    let per_person = mention.modifiers.contains(&"per_person");
    if let Some(column) = &one.column
        && column.contains("per_capita") != per_person
        && mention.number.quantity.unit == Unit::Usd
    {
        return None;
    }
    let Some(Measure { family, also, needs, excludes }) = lexicon::measure(&one.data_point) else {
        return Some(named_in_words(one, mention, reading));
    };
    // what nobody in particular trades is the world's
    let of_world = one.truth.context.country.is_none();
    if excludes.iter().any(|name| has(name) && !(of_world && name == "world_trade")) {
        return None;
    }
    if !needs.is_empty() && !needs.iter().all(has) {
        return if mention.metrics.is_empty() && mention.modifiers.is_empty() { Some(false) } else { None };
    }
    if mention.metrics.is_empty() {
        return Some(!needs.is_empty());
    }
    let of_world = of_world && mention.metrics.contains(&"world_trade");
    (of_world || [family].into_iter().chain(also).any(has)).then_some(true)
}

/// For a data point that the lexicon does not know: whether words of its name stand in the sentence or its heads.
fn named_in_words(one: &Expected, mention: &Mention, reading: &Reading) -> bool {
    let own: Vec<String> = lexicon::words(&one.metric)
        .into_iter()
        .map(|word| word.folded)
        .filter(|word| word.len() > 3)
        .collect();
    let text = reading.sentences.get(mention.passage).map_or("", |sentence| sentence.text.as_str());
    let heads = reading.heads.get(mention.passage).map_or(&[][..], Vec::as_slice);
    let texts = [text].into_iter().chain(heads.iter().map(|head| head.text.as_str()));
    texts.flat_map(lexicon::words).any(|word| own.contains(&word.folded))
}

/// Whether the number is said of another row of the list that this data point is a row of.
fn is_other_row(expected: &[Expected], at: usize, mention: &Mention) -> bool {
    let Some(one) = expected.get(at) else { return false };
    let siblings: Vec<(usize, &Expected)> = expected
        .iter()
        .enumerate()
        .filter(|(_, other)| other.data_point == one.data_point && other.names != one.names)
        .collect();
    if siblings.is_empty() {
        return false;
    }
    let mine = |of: &Expected, row: usize| belongs(of, row, &mention.about);
    if mine(one, at) {
        return false;
    }
    // said of something: of another row, or of something that is no row
    mention.about.thing.is_some()
        || mention.about.country.is_some_and(|(id, tie)| {
            let id = id.code().to_string();
            tie == Attachment::Own && (one.truth.context.partner.as_ref() != Some(&id)) && {
                let whole = siblings
                    .iter()
                    .all(|(_, other)| other.truth.context.country == one.truth.context.country);
                !whole
                    || one.truth.context.country.as_ref() != Some(&id)
                    || siblings.iter().any(|(row, other)| mine(other, *row))
            }
        })
        || siblings.iter().any(|(row, other)| mine(other, *row))
        || one.truth.context.product.is_some()
}

/// Whether what is said of a number names that row.
fn belongs(one: &Expected, row: usize, about: &StatementContext) -> bool {
    let context = &one.truth.context;
    let places: Vec<String> = one
        .names
        .iter()
        .filter_map(|name| atlas::lookup(name))
        .map(|entity| entity.id.code().to_string())
        .collect();
    match about.thing {
        Some(ProductRef::Row(named)) if named == row => return true,
        // the sellers of one product share it
        Some(ProductRef::Code(code)) if places.is_empty() && context.product.as_deref() == Some(code) => {
            return true;
        }
        _ => {}
    }
    let key = context.partner.clone().filter(|_| context.product.is_none()).or_else(|| {
        context.country.clone().filter(|_| context.product.is_none() && context.partner.is_none())
    });
    let said = about.country.map(|(id, _)| id).into_iter().chain(about.partner);
    said.map(|id| id.code().to_string()).any(|id| key.as_ref() == Some(&id) || places.contains(&id))
}

/// What is another figure than the page shows, and the one that the source's response gives by its own definition.
fn by_other_definition(one: &Expected, said: &Operand) -> Option<Comparison> {
    let other = one.other_definition.as_ref()?;
    let other = Operand { context: said.context.clone(), ..other.clone() };
    (compare(&other, said).verdict == Verdict::Match).then(|| Comparison {
        cause: Some(Cause::OtherDefinition),
        ..Comparison::new(
            Verdict::NotComparable,
            "it is the figure of the source's own response, which counts otherwise than the page",
        )
    })
}

/// Judges one number.
fn judge(expected: &[Expected], at: usize, truth: &Quantity, mention: &Mention) -> Option<Judged> {
    let one = expected.get(at)?;
    // what another country is compared with is its own value all the same
    let is_own = mention.about.country.map(|(id, _)| id.code().to_string()) == one.truth.context.country;
    if mention.stance.beside || (mention.stance.compared && !is_own) {
        return None;
    }
    let (own, other_side) = contexts(one, expected, mention);
    let truth_side = Operand { context: own, ..one.truth.clone() };
    let quantity = quantity(one, truth, mention);
    let against = |quantity: &Quantity| {
        let operand = Operand::value(Value::Quantity(quantity.clone()), other_side.clone());
        let first = compare(&truth_side, &operand);
        match &one.precise {
            // more precise than the page, and not what stands behind it
            Some(precise) if first.verdict == Verdict::Match => {
                let precise = Operand { context: truth_side.context.clone(), ..precise.clone() };
                let second = compare(&precise, &operand);
                if second.verdict == Verdict::Mismatch { second } else { first }
            }
            _ if first.verdict == Verdict::Mismatch => by_other_definition(one, &operand).unwrap_or(first),
            _ => first,
        }
    };
    let comparison = against(&quantity);
    let mut judged = Judged {
        said: AnswerVerdict::Unscored,
        other: false,
        strong: false,
        unasserted: false,
        value: shown(mention),
        passage: mention.passage,
        reason: comparison.reason.clone(),
        comparison: Some(comparison.clone()),
    };
    if !comparison.differing.is_empty() {
        if mention.stance.denied || mention.stance.hedged {
            return None;
        }
        judged.other = true;
        judged.said = if is_carried(&comparison.differing, &mention.about) {
            AnswerVerdict::Unscored
        } else {
            AnswerVerdict::Wrong
        };
        if judged.said == AnswerVerdict::Unscored {
            judged.reason = format!("it is not sure what it is said of: {}", judged.reason);
        }
        return Some(judged);
    }
    if mention.stance.denied {
        if comparison.verdict != Verdict::Match {
            return None;
        }
        judged.said = AnswerVerdict::Wrong;
        judged.reason = format!("the answer denies the true value: {}", judged.reason);
        return Some(judged);
    }
    let mut undecided = |why: String| {
        judged.reason = why;
        judged.comparison = None;
    };
    let value = shown(mention);
    if mention.number.foreign_scale {
        undecided(format!("{value} is followed by a word for its size in another language"));
    } else if mention.stance.hedged {
        undecided(format!("the answer is not sure of {value}"));
    } else if let Some(bound) = mention.bound {
        let outside = match bound {
            Bound::More => truth.interval.high <= quantity.number,
            Bound::Less => truth.interval.low >= quantity.number,
        };
        if outside {
            judged.said = AnswerVerdict::Wrong;
        } else {
            undecided(format!("{value} is a bound, which the true value keeps"));
        }
    } else if comparison.cause == Some(Cause::OtherDefinition) {
        judged.said = AnswerVerdict::Wrong;
    } else if comparison.verdict == Verdict::NotComparable {
        judged.reason = comparison.reason;
    } else if comparison.verdict == Verdict::Match {
        if let Some(upper) = &mention.upper
            && is_wide(mention, &upper.quantity)
        {
            undecided(format!("{value} is too wide a range to state the value"));
        } else {
            judged.said = AnswerVerdict::Right;
        }
    } else if mention.number.other.as_ref().is_some_and(|other| {
        let unit = mention.number.quantity.unit;
        let other = if matches!(other.unit, Unit::Count | Unit::Index) {
            other.with_unit(unit)
        } else {
            other.clone()
        };
        against(&signed(one, truth, mention, other)).verdict == Verdict::Match
    }) {
        undecided(format!("{value} is the true value where full stop and comma change their parts"));
    } else {
        judged.said = AnswerVerdict::Wrong;
    }
    Some(judged)
}

fn is_carried(differing: &[ContextPart], about: &StatementContext) -> bool {
    differing.iter().all(|part| match part {
        ContextPart::Country => about.country.is_some_and(|(_, tie)| tie == Attachment::Carried),
        ContextPart::Period => about.year.is_some_and(|(_, tie)| tie == Attachment::Carried),
        ContextPart::Classification => {
            about.classification.is_some_and(|(_, tie)| tie == Attachment::Carried)
        }
        _ => false,
    })
}

/// A range is as good as a rounded number when it is no wider than one unit of its last digit, or 5 % of its size.
fn is_wide(mention: &Mention, upper: &Quantity) -> bool {
    let low = &mention.number;
    if low.quantity.number.is_zero() || upper.number.is_zero() {
        return true;
    }
    let width = upper.number.saturating_sub(low.quantity.number);
    let narrow = upper.number.abs().checked_div(Decimal::from(20)).unwrap_or_default();
    let step = mention.upper.as_ref().map_or(Decimal::ZERO, |upper| last_digit(upper, true));
    width > narrow.max(step)
}

/// The quantity as it is meant: with the sign of its verb, as wide as "about" and a range make it.
fn quantity(one: &Expected, truth: &Quantity, mention: &Mention) -> Quantity {
    let number = &mention.number;
    let quantity = match &mention.upper {
        Some(upper) => {
            within(number.quantity.number, upper.quantity.number, number.quantity.number, upper.quantity.unit)
        }
        None if mention.approximate => {
            let half = last_digit(number, true) / Decimal::TWO;
            let middle = number.quantity.number;
            let low = (middle - half).min(number.quantity.interval.low);
            let high = (middle + half).max(number.quantity.interval.high);
            Quantity { total: number.quantity.total, ..within(low, high, middle, number.quantity.unit) }
        }
        None => number.quantity.clone(),
    };
    signed(one, truth, mention, quantity)
}

/// "fell by 3 %" is -3 % where a change is asked for, "a deficit of $5" is -$5 where a balance is.
fn signed(one: &Expected, truth: &Quantity, mention: &Mention, quantity: Quantity) -> Quantity {
    let asked = one.truth.context.statistic;
    let change = is_change(asked) || truth.unit == Unit::Positions;
    let balance = one.data_point.contains("account") || one.data_point.contains("balance");
    // "13 positions worse" counts positions whatever the unit says
    let quantity = if truth.unit == Unit::Positions && quantity.unit == Unit::Count {
        quantity.with_unit(Unit::Positions)
    } else if truth.unit == Unit::Rank && quantity.unit == Unit::Count {
        Quantity { rule: None, ..quantity.with_unit(Unit::Rank) }
    } else {
        quantity
    };
    let plus = mention.number.shown.starts_with('+');
    // "fell to 3 %" is a level where a change is asked for; a deficit is one however it came about
    let down = mention.direction == Some(false) && !plus && (balance || !mention.to);
    if (change || balance) && down && quantity.number.is_sign_positive() {
        quantity.negated()
    } else {
        quantity
    }
}

pub(super) fn shown(mention: &Mention) -> String {
    match &mention.upper {
        Some(upper) => format!("{} to {}", mention.number.shown, upper.shown),
        None => mention.number.shown.clone(),
    }
}
