//! Compares two contexts: reports the parts that differ with both values, and the cause.

use atlas_gt_core::words::{name, spaced};

use crate::value::{Classification, Context, ContextPart, Statistic};
use crate::{Cause, Comparison, Verdict};

use super::operand::{Content, Operand};
use super::reading::{self, Reading};

/// Compares the contexts; `None` if they agree.
pub(super) fn compare(truth: &Operand, other: &Operand) -> Option<Comparison> {
    let (a, b) = (&truth.context, &other.context);
    let differing = a.differing(b);
    if differing.is_empty() {
        return None;
    }
    let parts: Vec<String> = differing
        .iter()
        .map(|&part| format!("{} {} against {}", word(part), shown(a, part), shown(b, part)))
        .collect();
    let mut reason = format!("different contexts: {}", parts.join(", "));
    if let (Content::Value(x), Content::Value(y)) = (&truth.content, &other.content) {
        reason = format!("{reason} ({} and {} are not comparable)", reading::show(x), reading::show(y));
    }
    let cause = differing.iter().find_map(|&part| cause(part, a, b));
    Some(Comparison { cause, differing, ..Comparison::new(Verdict::NotComparable, reason) })
}

/// Compares a context with the year, flow and classification that the other side's text states; `None` if they agree.
pub(super) fn beside(context: &Context, reading: &Reading) -> Option<Comparison> {
    if reading.items.is_empty() {
        return None;
    }
    let differ = |part, a: &str, b: &str| {
        let cause = Cause::of_part(part);
        let reason = format!("different contexts: {} {a} against {b}", word(part));
        Some(Comparison { cause, differing: vec![part], ..Comparison::new(Verdict::NotComparable, reason) })
    };
    if let Some(period) = context.period
        && reading::years_apart(&reading::years_of(period), &reading.years)
    {
        return differ(ContextPart::Period, &period.to_string(), &reading.years.join(", "));
    }
    if let (Some(flow), Some(said)) = (context.flow, reading.flow)
        && reading::flow_name(flow) != said
    {
        return differ(ContextPart::Flow, reading::flow_name(flow), said);
    }
    if let Some(class) = context.classification.map(Classification::name)
        && !reading.classes.is_empty()
        && !reading.classes.contains(&class)
    {
        return differ(ContextPart::Classification, class, &reading.classes.join(", "));
    }
    None
}

/// The length in years of the stated period, for growth rates.
pub(super) fn years(a: &Context, b: &Context) -> Option<u32> {
    let period = a.period.or(b.period)?;
    u32::try_from(i32::from(period.end) - i32::from(period.start)).ok().filter(|&n| n > 1)
}

fn word(part: ContextPart) -> &'static str {
    match part {
        ContextPart::Basis => "price basis",
        ContextPart::Per => "divisor",
        ContextPart::Position => "position in the list",
        other => name(&other),
    }
}

fn shown(context: &Context, part: ContextPart) -> String {
    match (part, context.classification) {
        (ContextPart::Classification, Some(class)) => class.to_string(),
        _ => spaced(&context.part(part)),
    }
}

/// The cause that a differing part shows. Of two statistics both are needed.
fn cause(part: ContextPart, a: &Context, b: &Context) -> Option<Cause> {
    let (ContextPart::Statistic, Some(x), Some(y)) = (part, a.statistic, b.statistic) else {
        return Cause::of_part(part);
    };
    let growth = |s| matches!(s, Statistic::TotalGrowth | Statistic::Cagr | Statistic::Projection);
    let change = |s| growth(s) || matches!(s, Statistic::RankChange | Statistic::Change);
    if growth(x) && growth(y) && x != Statistic::Projection && y != Statistic::Projection {
        Some(Cause::TotalAgainstCagr)
    } else {
        (change(x) != change(y)).then_some(Cause::LevelAgainstChange)
    }
}
