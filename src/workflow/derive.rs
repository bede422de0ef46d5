//! Derives answers that combine several values.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rust_decimal::Decimal;

use super::filing::{self, Reading, Unread};
use crate::atlas::SitePage;
use crate::error::Result;
use crate::evidence::{Agreement, Channel};
use crate::manifest::{Entry, Step};
use crate::truth::{
    Derivation, Input, PointProvenance, Provenance, Record, Results, Row, Site, Store, changes, pending,
};
use crate::value::derive::{DIRECTIONS, DeriveRefusal, Derived, DerivedOperand, DerivedValue, Operation};
use crate::value::{
    Absence, AnswerField, Classification, Context, ContextPart, Interval, Scope, Unit, format, format_rank,
    vocabulary,
};
use crate::words;

/// The stored reading of the same input, from the record or from a pending reading; its evidence is
/// already stored. A reading without a precise value never replaces one that has it, because
/// results are computed from precise values.
pub(super) fn known(
    store: &Store,
    input: &Entry,
    rows: &[Row],
    points: &[PointProvenance],
) -> Result<Option<(Record, Provenance)>> {
    let id = input.question();
    let stored = store.load(id)?.and_then(|stored| Some((stored.record, stored.provenance?)));
    let waits = pending::load(store, id)?.map(|waits| (waits.record, waits.provenance));
    let mut imprecise = None;
    for (record, provenance) in stored.into_iter().chain(waits) {
        let inputs = provenance.derivation.iter().flat_map(|derivation| &derivation.inputs);
        for one in inputs.filter(|one| one.name == input.question_id) {
            if !changes(std::slice::from_ref(&one.row), rows).is_empty() {
                continue;
            }
            let question_id = input.question_id.clone();
            let results = Results { data: vec![one.row.clone()] };
            let record = Record { question_id: question_id.clone(), results, ..record.clone() };
            let (points, is_precise) = (vec![one.point.clone()], precise_value(&one.point).is_some());
            let same = (record, Provenance { question_id, points, derivation: None, ..provenance.clone() });
            if is_precise {
                return Ok(Some(same));
            }
            imprecise = imprecise.or(Some(same));
        }
    }
    Ok(imprecise.filter(|_| points.iter().all(|new| precise_value(new).is_none())))
}

/// The reading of a question, derived from the readings of its inputs.
pub(super) fn reading(question: &Entry, inputs: Vec<Reading>, site: Site, now: Timestamp) -> Reading {
    let mut notes = Vec::new();
    let mut read = Vec::new();
    for (input, reading) in question.readings().iter().zip(inputs) {
        match reading.map(|(record, provenance)| (record.results.data, provenance.points)) {
            Ok((mut rows, mut points)) if rows.len() == 1 && points.len() == 1 => {
                let (Some(row), Some(point)) = (rows.pop(), points.pop()) else { continue };
                let (name, atlas_url) = (input.question_id.clone(), input.url.to_string());
                let label = input.input_of.as_ref().map(|(_, label)| label.clone()).unwrap_or_default();
                read.push(Input { name, label, atlas_url, row, point });
            }
            Ok((rows, _)) => {
                notes.push(format!("{}: {} values instead of one", input.question_id, rows.len()))
            }
            Err(unread) => {
                notes.extend(unread.notes.iter().map(|note| format!("{}: {note}", input.question_id)))
            }
        }
    }
    if !notes.is_empty() {
        return Err(Unread { notes, review: None });
    }
    let steps = question.derive.as_ref().map(|derive| derive.steps.clone()).unwrap_or_default();
    let derivation = Derivation { inputs: read, steps };
    let values = values(&derivation, &question.context, now);
    let values = values.map_err(|note| Unread { notes: vec![note], review: None })?;
    let (data, points): (Vec<Row>, Vec<PointProvenance>) = values.into_iter().unzip();
    let record = filing::record(question, data, &points, site, now);
    let (question, derivation) = (question.info.question_text.clone(), Some(derivation));
    let how = Provenance { question, derivation, ..Provenance::of_points(&record, points) };
    Ok((record, how))
}

/// The derived values, each with its provenance.
///
/// # Errors
/// The reason why a value cannot be derived.
pub(super) fn values(
    derivation: &Derivation,
    asked: &Context,
    now: Timestamp,
) -> std::result::Result<Vec<(Row, PointProvenance)>, String> {
    let inputs = &derivation.inputs;
    let mut known: BTreeMap<&str, DerivedOperand> = BTreeMap::new();
    let mut absent: BTreeMap<&str, (Absence, Context)> = BTreeMap::new();
    let mut leaves: BTreeMap<&str, Vec<&Input>> = BTreeMap::new();
    for input in inputs {
        let name = input.name.as_str();
        let name = name.rsplit('.').next().unwrap_or(name);
        leaves.insert(name, vec![input]);
        match input.row.absence {
            Some(absence) => drop(absent.insert(name, (absence, input.point.context.clone()))),
            None => drop(known.insert(name, operand(input)?)),
        }
    }
    let mut values = Vec::new();
    for step in &derivation.steps {
        let follows: Vec<&Input> =
            step.of.iter().filter_map(|name| leaves.get(name.as_str())).flatten().copied().collect();
        leaves.insert(&step.name, follows.clone());
        // a product without trade adds nothing to the sum
        let adds =
            step.operation == Operation::Sum && step.of.iter().any(|name| known.contains_key(name.as_str()));
        let missing = step.of.iter().find_map(|name| absent.get(name.as_str())).map(|(absence, _)| *absence);
        if let Some(absence) = missing.filter(|absence| !adds || *absence != Absence::NotShownHere) {
            let first = step.of.first().map_or("", String::as_str);
            let of_known = || known.get(first).map(|operand| &operand.context);
            let context = absent.get(first).map(|(_, context)| context).or_else(of_known).cloned();
            let context = Context { period: None, ..context.unwrap_or_default() };
            values.extend(step.metric.is_some().then(|| absence_of(step, absence, &context, &follows, now)));
            absent.insert(&step.name, (absence, context));
            continue;
        }
        let of = step.of.iter().filter(|name| !absent.contains_key(name.as_str()));
        let of: Option<Vec<DerivedOperand>> = of.map(|name| known.get(name.as_str()).cloned()).collect();
        let of = of.ok_or_else(|| format!("{}: an input value is missing", step.name))?;
        let derived = step.operation.apply(&of).map_err(|refusal| refused(step, &refusal))?;
        if let Some(why) = unasked_scope(step.operation, &derived.context, asked) {
            return Err(refused(step, &why));
        }
        if let Some(why) = other_subject(&derived.context, asked).filter(|_| step.metric.is_some()) {
            return Err(refused(step, &why));
        }
        if step.metric.is_some() {
            let mut row = row(step, &derived);
            if step.operation == Operation::Value {
                // keep the text that the page displays
                row.value = follows.first().and_then(|input| input.row.value.clone()).or(row.value);
            }
            values.push((row, point(step, &derived, &follows, now)));
        }
        if let DerivedValue::Number(number) = derived.result {
            let label = step.label.clone().unwrap_or_else(|| step.name.replace('_', " "));
            known.insert(&step.name, DerivedOperand { label, ..number });
        }
    }
    Ok(values)
}

fn refused(step: &Step, refusal: &DeriveRefusal) -> String {
    format!("{}: {refusal}", step.name)
}

/// Refuses a balance of goods or services alone as a country's balance, unless the question asks
/// for it.
fn unasked_scope(operation: Operation, context: &Context, asked: &Context) -> Option<DeriveRefusal> {
    let is_part = context.scope.is_some_and(|scope| scope != Scope::GoodsAndServices);
    (operation == Operation::Balance && is_part && asked.scope.is_none()).then(|| {
        let part = ContextPart::Scope;
        let what = format!(
            "this is the balance of {} alone, which the question does not ask for",
            context.part(part)
        );
        DeriveRefusal::Context(part, what)
    })
}

/// Refuses a result about another country, partner or product than the question asks for.
fn other_subject(context: &Context, asked: &Context) -> Option<DeriveRefusal> {
    use ContextPart::{Country, Partner, Product};
    let mut differing = asked.differing(context).into_iter();
    let part = differing.find(|part| matches!(part, Country | Partner | Product))?;
    let (asked, made) = (asked.part(part), context.part(part));
    Some(DeriveRefusal::Context(part, format!("the question asks for {asked}, the result is for {made}")))
}

/// Converts an input to a number with its context.
fn operand(input: &Input) -> std::result::Result<DerivedOperand, String> {
    let (row, point) = (&input.row, &input.point);
    let unfit = || format!("{}: {} is not a number", input.name, row.shown());
    let number = row.number.ok_or_else(unfit)?;
    let interval = point.interval.unwrap_or_else(|| Interval::point(number));
    Ok(DerivedOperand {
        label: input.label.clone(),
        number,
        interval,
        precise: precise_value(point).or(interval.is_point().then_some(number)),
        unit: row.unit.unwrap_or(Unit::Index),
        context: Context {
            classification: point.context.classification.or_else(|| classification(&input.atlas_url)),
            ..point.context.clone()
        },
    })
}

/// The precise value from the response, unless the response contradicts the displayed text.
fn precise_value(point: &PointProvenance) -> Option<Decimal> {
    let agrees = matches!(
        point.agreement,
        Some(Agreement::Agrees | Agreement::Unverified | Agreement::NotIndependent)
    );
    point.precise.as_ref().filter(|_| agrees).map(|precise| precise.number)
}

/// The classification of an Explore page. HS 1992 if the address names none.
fn classification(url: &str) -> Option<Classification> {
    match crate::atlas::AtlasUrl::parse(url).ok()?.url.page {
        SitePage::Explore(explore) => Some(explore.classification()),
        SitePage::Country { .. } => None,
    }
}

fn row(step: &Step, derived: &Derived) -> Row {
    let context = &derived.context;
    let row = Row {
        data_point: step.name.clone(),
        metric: step.metric.clone().unwrap_or_default(),
        country: filing::country(context),
        extra: step.label.iter().map(|label| ("name".to_owned(), label.clone().into())).collect(),
        year: context.period.map(|period| period.to_string()),
        answers: vec![AnswerField::Value],
        ..Row::default()
    };
    match &derived.result {
        DerivedValue::Number(result) => {
            let value = Some(text(result.number, result.unit, step));
            Row { value, number: Some(result.number), unit: Some(result.unit), ..row }
        }
        DerivedValue::Place(place, total) => {
            let value = Some(format_rank(*place, *total));
            Row { value, number: Some(Decimal::from(*place)), unit: Some(Unit::Rank), ..row }
        }
        DerivedValue::Which(label) => Row { value: Some(label.clone()), ..row },
        DerivedValue::Word(word) => {
            let word = vocabulary::canonical(DIRECTIONS, word).unwrap_or(word);
            Row { value: Some(word.to_owned()), answers: vec![AnswerField::Value], ..row }
        }
    }
}

/// Formats a number as its rule displays it. The site has no rule for percentage points and ratios.
fn text(number: Decimal, unit: Unit, step: &Step) -> String {
    let rule = step.rule.unwrap_or(Derived::rule(unit));
    match (unit, format(number, rule)) {
        (Unit::PercentagePoints, Some(text)) => text.replace('%', " percentage points"),
        (_, Some(text)) => text,
        (_, None) => number.round_dp(4).normalize().to_string(),
    }
}

fn point(step: &Step, derived: &Derived, inputs: &[&Input], now: Timestamp) -> PointProvenance {
    let (interval, precise) = match &derived.result {
        DerivedValue::Number(number) => (Some(number.interval), number.precise),
        _ => (None, None),
    };
    let agreements = || inputs.iter().filter_map(|input| input.point.agreement);
    let agreement = agreements().find(|one| *one != Agreement::Agrees).or_else(|| agreements().next());
    let undecided = match derived.undecided_at_displayed_precision {
        true => "undecided_at_displayed_precision: the precise values of the pages' responses decide; ",
        false => "",
    };
    let operation = words::spaced(words::name(&step.operation));
    let channels = inputs.iter().map(|input| input.point.channel);
    let channel = channels.min_by_key(|one| one.strength()).unwrap_or(Channel::Api);
    PointProvenance {
        interval,
        precise: precise.map(|number| crate::truth::Precise {
            number,
            from: "the precise values of its inputs".to_owned(),
        }),
        locator: Some(format!("{operation} of {}", step.of.join(", "))),
        agreement,
        agreement_reason: Some(format!("{undecided}it follows from its inputs")),
        ..PointProvenance::of_row(&row(step, derived), derived.context.clone(), channel, now)
    }
}

/// The absence of a result that has an input without a value.
fn absence_of(
    step: &Step,
    absence: Absence,
    context: &Context,
    inputs: &[&Input],
    now: Timestamp,
) -> (Row, PointProvenance) {
    let result = DerivedValue::Which(String::new());
    let derived = Derived { result, context: context.clone(), undecided_at_displayed_precision: false };
    let row = Row { value: None, absence: Some(absence), ..row(step, &derived) };
    (row, point(step, &derived, inputs, now))
}

#[cfg(test)]
#[path = "derive_tests.rs"]
mod tests;
