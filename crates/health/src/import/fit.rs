//! Whether an imported value may belong to a data point. Their contexts and measures decide, never
//! their position.

use std::collections::BTreeSet;

use rust_decimal::Decimal;
use serde::Serialize;

use super::subject::{Background, country, named_in_metric, partner, product};
use super::target::Target;
use super::words::{slug, words};
use crate::external::{Figure, FigureContent, keys};
use crate::extract::Reading;
use crate::scoring::language::{Stated, other_measure, stated};
use crate::value::derive::{DIRECTIONS, Operation};
use crate::value::{AnswerField, Classification, Period, Quantity, Unit, Value, find_all, vocabulary};
use crate::words;

/// An imported value, with the statements of its key and metric.
#[derive(Debug, Clone)]
pub(super) struct Claim<'a> {
    pub figure: &'a Figure,
    /// What the key states, or the metric if the key is generic.
    said: Stated,
    /// What both state together.
    all: Stated,
    key: BTreeSet<String>,
    metric: BTreeSet<String>,
}

impl<'a> Claim<'a> {
    pub fn of(figure: &'a Figure) -> Self {
        let key = own_key(figure);
        let plain = key.replace('_', " ");
        let metric = figure.about.metric.as_deref().unwrap_or_default();
        let is_plain = is_plain(figure);
        let said = if is_plain && !metric.is_empty() { stated(metric) } else { stated(&plain) };
        let mut key_words = if is_plain { BTreeSet::new() } else { words(&plain) };
        key_words.extend(figure.about.of.as_deref().map(words).unwrap_or_default());
        let all = stated(&format!("{plain}, {metric}"));
        Self { figure, said, all, key: key_words, metric: words(metric) }
    }

    /// Whether the value names the row's subject, rather than measuring something.
    fn is_name(&self) -> bool {
        self.figure.name == "name" || self.figure.name == "period"
    }
}

/// The last key of a value's path, without list index: `members`.
fn own_key(figure: &Figure) -> &str {
    let last = figure.key.rsplit('.').next().unwrap_or(&figure.key);
    last.split('[').next().unwrap_or(last)
}

/// Whether the key is generic, such as `value`. The metric then tells the measure.
fn is_plain(figure: &Figure) -> bool {
    figure.name == "value" || figure.name == "name" || figure.name == "period"
}

/// Why a value cannot belong to a data point with one value; none if it may.
pub(super) fn contradiction(claim: &Claim<'_>, target: &Target, background: &Background) -> Option<String> {
    let about = &claim.figure.about;
    let of_whom = country(about, target)
        .or_else(|| partner(about, target))
        .or_else(|| product(claim.figure, target, background))
        .or_else(|| group(claim, target))
        .or_else(|| named_in_metric(about.metric.as_deref()?, target));
    of_whom.or_else(|| other_meaning(claim, target, background))
}

/// Why a value measures something else than a data point, regardless of subject.
pub(super) fn other_meaning(claim: &Claim<'_>, target: &Target, background: &Background) -> Option<String> {
    let (figure, context) = (claim.figure, &target.context);
    let classification = figure
        .about
        .classification
        .or(claim.all.classification)
        .or(background.classification.filter(|_| context.product.is_some()));
    if let Some((own, asked)) = classification.zip(context.classification)
        && own != asked
    {
        let [own, asked] = [own, asked].map(Classification::name);
        return Some(format!("its classification is {own}, the point's {asked}"));
    }
    // a year that is the answer is not a period
    let period = figure.about.period.filter(|_| figure.name != "period");
    if let Some(why) = period.and_then(|period| other_period(period, target)) {
        return Some(why);
    }
    if claim.is_name() || target.vocabulary.is_some() {
        return None;
    }
    let measured = figure.measure;
    let flow = measured.and_then(|measure| measure.flow).or(claim.said.flow);
    if matches!(target.operation, Some(Operation::Balance | Operation::Difference)) {
        if measured.is_some_and(|measure| measure.flow.is_some() || measure.name == "operand") {
            return Some("it is one operand, not the difference".to_owned());
        }
    } else if differ(flow, context.flow) {
        return Some("it has the other direction of trade".to_owned());
    }
    if differ(claim.said.scope, context.scope) {
        return Some("it has another scope: goods, services or both".to_owned());
    }
    if differ(claim.all.basis, context.basis) {
        return Some("it has other prices: current or constant".to_owned());
    }
    let statistic = measured.and_then(|measure| measure.statistic).or(claim.said.statistic);
    if let Some((own, asked)) = statistic.zip(context.statistic)
        && own != asked
    {
        return Some(format!("it is a {}, the point a {}", named(own), named(asked)));
    }
    other_measure(&target.data_point, &claim.said).filter(|_| target.operation.is_none())
}

/// Why the period of a value is not the one asked for.
fn other_period(own: Period, target: &Target) -> Option<String> {
    let asked = target.context.period?;
    let is_said_of_its_end = target.looks_back && own.start == own.end && own.end == asked.end;
    (own != asked && !is_said_of_its_end).then(|| format!("its period is {own}, the point's {asked}"))
}

fn group(claim: &Claim<'_>, target: &Target) -> Option<String> {
    let own = claim.figure.about.group.as_deref()?;
    if claim.figure.name == "name" && claim.figure.text == own {
        return None;
    }
    let is_same = |other: &str| vocabulary::same_words(own, other).is_some();
    match &target.group {
        Some(asked) => (!is_same(asked)).then(|| format!("its group is `{own}`, the point's `{asked}`")),
        None => {
            let known = target.context.product.iter().chain(&target.label).any(|other| is_same(other));
            (!known).then(|| format!("its group is `{own}`, the point has none"))
        }
    }
}

/// How well the names match, higher is better; none if nothing suggests the same thing.
pub(super) fn closeness(claim: &Claim<'_>, target: &Target) -> Option<usize> {
    let is_exact = |text: &str| {
        let text = slug(text);
        text == target.data_point || text == slug(&target.metric)
    };
    let metric = claim.figure.about.metric.as_deref().filter(|_| is_plain(claim.figure));
    let exact = is_exact(own_key(claim.figure)) || metric.is_some_and(is_exact);
    let is_judged = matches!(
        target.operation,
        Some(Operation::Rank | Operation::Largest | Operation::Smallest | Operation::Direction)
    );
    if exact || is_judged {
        return exact.then_some(1000);
    }
    let is_asked_name = claim.is_name() && target.answers.contains(&AnswerField::Code);
    let by_words = match target.vocabulary.as_deref() {
        // the question asks for a code, given beside the subject's name
        None if is_asked_name && claim.figure.about.code.is_some() => 100,
        None | Some("truth_value") => 0,
        Some(_) => 100,
    };
    // what a row says of its metric does not hold for a number under a key of its own: `confidence`, `attempts`
    let of_metric = is_plain(claim.figure) || claim.figure.measure.is_some();
    let metric = claim.metric.intersection(&target.words).filter(|_| of_metric).count();
    let own = claim.key.intersection(&target.words).count() * 3 + metric * 2;
    let metric_words = claim.metric.iter().filter(|_| of_metric);
    let all: BTreeSet<&String> = claim.key.iter().chain(metric_words).collect();
    let asked = all.into_iter().filter(|word| target.asked.contains(*word)).count();
    // words of the question count only if several match
    let close = by_words + own + if own > 0 || asked > 1 { asked.min(1) } else { 0 };
    (close > 0).then_some(close)
}

/// Converts a value to the form of a data point.
///
/// # Errors
/// Why it does not have this form.
pub(super) fn reading(
    figure: &Figure,
    (unit, kind, answers): (Option<Unit>, Option<&str>, &[AnswerField]),
) -> Result<Reading, String> {
    if figure.text == "false"
        && let Some(absence) = keys::absence(&figure.key)
    {
        return Ok(Reading::Absent(absence));
    }
    let value = match &figure.content {
        FigureContent::Value(value) => value,
        FigureContent::Nothing => return Err("it is empty".to_owned()),
    };
    let shown = &figure.text;
    if let Some(kind) = kind {
        let known = vocabulary::canonical(kind, shown).is_some();
        let what = kind.replace('_', " ");
        return if known {
            Ok(Reading::Text(shown.clone()))
        } else {
            Err(format!("`{shown}` is not a {what}"))
        };
    }
    let is_name = figure.name == "name"
        && answers.iter().any(|one| matches!(one, AnswerField::Name | AnswerField::Code));
    match (value, unit) {
        (Value::Quantity(quantity), Some(unit)) => in_unit(figure, quantity, unit).map(Reading::Quantity),
        (Value::Text(text), Some(Unit::Positions)) => positions(text)
            .map(Reading::Quantity)
            .ok_or_else(|| format!("`{shown}` is not a number of positions")),
        (Value::Text(text), Some(_)) if is_name => Ok(Reading::Text(text.clone())),
        (Value::Text(_), Some(unit)) => Err(format!("`{shown}` is not a number of {}", named(unit))),
        (Value::Text(text), None) => Ok(Reading::Text(text.clone())),
        (Value::Quantity(_), None) if own_key(figure).contains("code") => Ok(Reading::Text(shown.clone())),
        (Value::Quantity(_), None) => Err(format!("`{shown}` is a number, but words are expected")),
    }
}

/// Converts a number to the unit of a data point, unless its text or key states another.
fn in_unit(figure: &Figure, quantity: &Quantity, unit: Unit) -> Result<Quantity, String> {
    let measure = figure.measure.map(|measure| measure.name.as_str());
    let is_said = !matches!(quantity.unit, Unit::Count | Unit::Index);
    let fits = match (quantity.unit, unit) {
        (own, asked) if own == asked => true,
        (Unit::Count | Unit::Index, Unit::Count | Unit::Index | Unit::Persons | Unit::Positions) => true,
        (Unit::Count, Unit::Rank) => {
            figure.about.metric.as_deref().is_some_and(|metric| words(metric).contains("rank"))
        }
        (Unit::Count | Unit::Index, Unit::Usd) => {
            measure == Some("value") && keys::displayed_key(&figure.key).is_none()
        }
        _ => false,
    };
    if !fits {
        return Err(match is_said {
            true => format!("its unit is {}, the point's {}", named(quantity.unit), named(unit)),
            false => format!("it does not state the unit {}", named(unit)),
        });
    }
    if let Some(why) = without_scale(figure, quantity, unit) {
        return Err(why);
    }
    let is_fraction =
        unit == Unit::Percent && !figure.text.contains('%') && quantity.number.abs() <= Decimal::ONE;
    if is_fraction {
        return Err(format!("`{}` may be a fraction or a percentage", figure.text));
    }
    Ok(quantity.with_unit(unit))
}

/// Why a bare number cannot be taken in full units: it has a fraction of a person, or is less than $1,000 and not per person.
fn without_scale(figure: &Figure, quantity: &Quantity, unit: Unit) -> Option<String> {
    let is_bare = figure.text.trim().parse::<Decimal>().is_ok();
    let about = [figure.about.metric.as_deref().unwrap_or_default(), own_key(figure)];
    let is_per_head = about.iter().flat_map(|text| words(text)).any(|word| HEADS.contains(&word.as_str()));
    let is_scaled_down = match unit {
        Unit::Persons => !quantity.number.fract().is_zero(),
        Unit::Usd => !is_per_head && quantity.number.abs() < MIN_AMOUNT && !quantity.number.is_zero(),
        _ => false,
    };
    let text = &figure.text;
    (is_bare && is_scaled_down)
        .then(|| format!("`{text}` does not state its scale: thousands, millions or billions"))
}

/// Words of an amount per person.
const HEADS: [&str; 4] = ["capita", "head", "person", "inhabitant"];

/// A smaller bare amount is probably in thousands, millions or billions.
const MIN_AMOUNT: Decimal = Decimal::ONE_THOUSAND;

/// A change of rank in words: `worsened 13 positions`.
fn positions(text: &str) -> Option<Quantity> {
    let found = find_all(text);
    let [(_, quantity)] = &found[..] else { return None };
    let terms = vocabulary::terms_in(text).into_iter().flatten();
    let word = terms
        .filter(|term| term.kind == "rank_direction" || term.kind == DIRECTIONS)
        .map(|term| term.canonical)
        .next();
    let quantity = quantity.with_unit(Unit::Positions);
    match word? {
        "worsening" | "declined" => Some(quantity.negated()),
        _ => Some(quantity),
    }
}

/// Whether both are stated and differ.
fn differ<T: PartialEq>(own: Option<T>, asked: Option<T>) -> bool {
    own.zip(asked).is_some_and(|(own, asked)| own != asked)
}

/// A unit or statistic as words.
fn named(value: impl Serialize) -> String {
    words::spaced(words::name(&value))
}
