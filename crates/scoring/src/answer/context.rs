//! The contexts that a number is judged in: what the question expects, and what the answer says around it.

use super::Expected;
use super::statement::{Mention, ProductRef, StatementContext};
use crate::value::{Context, Period, Statistic, Unit};

/// The contexts of both sides: the expected one, made explicit where the answer says more, and what the answer says.
pub(super) fn contexts(one: &Expected, expected: &[Expected], mention: &Mention) -> (Context, Context) {
    let mut own = one.truth.context.clone();
    let mut said = stated(one, expected, &mention.about, &mut own);
    let percent = matches!(mention.number.quantity.unit, Unit::Percent | Unit::PercentagePoints);
    if is_change(own.statistic) {
        if mention.to && mention.direction.is_some() {
            said.statistic = Some(Statistic::Level);
        } else if let Some(statistic) = mention.statistic.filter(|_| percent) {
            let yearly = matches!(own.statistic, Some(Statistic::Cagr));
            said.statistic = match statistic {
                Statistic::TotalGrowth if yearly => Some(Statistic::TotalGrowth),
                Statistic::Cagr if own.statistic == Some(Statistic::TotalGrowth) => Some(Statistic::Cagr),
                Statistic::Share => Some(Statistic::Share),
                _ => None,
            };
        }
    } else if own.statistic.is_some() && mention.by && mention.direction.is_some() {
        said.statistic = Some(Statistic::TotalGrowth);
    }
    (own, said)
}

/// What a statement says that it is about, as far as the expected data point has that part.
pub(super) fn stated(
    one: &Expected,
    expected: &[Expected],
    about: &StatementContext,
    own: &mut Context,
) -> Context {
    let mut said = Context::default();
    let truth = &one.truth.context;
    let id = |id: crate::atlas::CountryId| id.code().to_string();
    let listed = expected
        .iter()
        .any(|other| other.data_point == one.data_point && other.truth.context.partner != truth.partner);
    let partner = about.partner.map(id);
    let country = about.country.map(|(country, _)| id(country));
    match (&truth.partner, country) {
        (Some(expected), Some(country)) if *expected == country && partner != truth.country => {
            said.partner = Some(country);
        }
        (Some(_), Some(country)) if listed && truth.country.as_ref() != Some(&country) => {
            said.partner = Some(country);
        }
        (_, country) => said.country = country,
    }
    match partner {
        Some(partner) if truth.partner.is_none() && truth.country.as_ref() == Some(&partner) => {
            said.country = said.country.or(Some(partner));
        }
        // the total over all partners, where the answer speaks of one
        Some(partner) if truth.partner.is_none() && truth.flow.is_some() => {
            own.partner = Some(WORLD.to_owned());
            said.partner = Some(partner);
        }
        Some(partner) => said.partner = said.partner.or(Some(partner)),
        None => {}
    }
    if let (Some(asked), Some((period, _))) = (truth.period, about.year) {
        said.period = other_period(asked, period);
    }
    if truth.classification.is_some() && (truth.product.is_some() || one.data_point.contains("product")) {
        said.classification = about.classification.map(|(class, _)| class);
    }
    if truth.scope.is_some() {
        said.scope = about.scope;
    }
    if truth.flow.is_some() {
        said.flow = about.flow;
    }
    if truth.basis.is_some() {
        said.basis = about.basis;
    }
    if let Some(product) = &truth.product {
        said.product = match about.thing {
            Some(ProductRef::Row(row)) => {
                expected.get(row).and_then(|other| other.truth.context.product.clone())
            }
            Some(ProductRef::Code(code)) if expected.iter().all(|other| !is_same_name(other, code)) => {
                Some(code.to_owned())
            }
            Some(ProductRef::Code(_)) | None => None,
        };
        if said.product.as_ref() == Some(product) {
            said.product = None;
        }
    }
    said
}

fn is_same_name(one: &Expected, code: &str) -> bool {
    one.truth.context.product.as_deref() == Some(code)
}

/// The group that stands for all partners.
const WORLD: &str = "group-1";

/// The period that is said, where it is another than the one asked for. A single year at either end of a period, or
/// a period that ends in the year, says nothing else.
fn other_period(asked: Period, said: Period) -> Option<Period> {
    let is_year = |period: Period| period.start == period.end;
    let same = asked == said
        || (is_year(said) && !is_year(asked) && (said.end == asked.end || said.start == asked.start))
        || (is_year(asked) && !is_year(said) && said.end == asked.end);
    (!same).then_some(said)
}

/// Whether a statistic is a change, whose direction is its sign.
pub(super) const fn is_change(statistic: Option<Statistic>) -> bool {
    matches!(
        statistic,
        Some(
            Statistic::Change
                | Statistic::TotalGrowth
                | Statistic::Cagr
                | Statistic::Projection
                | Statistic::RankChange
        )
    )
}
