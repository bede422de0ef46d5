//! The partners with which a country has its largest surplus and its largest deficit: exports less imports of the rows
//! behind a treemap of partners.

use std::collections::{HashMap, HashSet};

use rust_decimal::Decimal;
use serde::Deserialize;

use super::drawing::{OfDrawing, OnDrawing};
use super::kind::{Built, Found, OF_PARTNERS, Slot, printed};
use crate::evidence::{Agreement, Channel};
use crate::form::Form;
use crate::manifest::spec::{Point, Spec};
use crate::observation::{Backing, FailureKind, Miss, Observation, Reading, Wanted};
use crate::response::rows::{Row, of_year};
use crate::response::{self, Root, number, plain};
use crate::treemap::{Drawing, Of};
use crate::value::{AnswerField, Quantity, Rule, Scope, Unit};
use crate::view::View;

/// The parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Balances {
    /// Form of the value in the record.
    rule: Rule,
}

pub fn build(point: &Point, _spec: &Spec) -> Built {
    Ok(Box::new(OnDrawing(point.find.params::<Balances>()?)))
}

impl OfDrawing for Balances {
    const SUMMARY: &'static str = "the partners of the largest surplus and the largest deficit of a treemap of partners, whose labels confirm the response";

    fn answers(&self) -> &'static [AnswerField] {
        OF_PARTNERS
    }

    fn for_person(&self, drawing: &Drawing, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Vec<Slot> {
        let one = |column: &str| Slot {
            keys: vec![("column".to_owned(), column.to_owned())],
            named: Some("partner"),
            ..Slot::of(Form::Rule { rule: self.rule, unit: point.unit }, view.context(point, None))
        };
        if drawing.cells.is_some() { Vec::new() } else { ["surplus", "deficit"].map(one).into() }
    }

    fn read(&self, drawing: &Drawing, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let cells = drawing.divided_by(Of::Partner)?;
        let roots = view.requested.fields.iter().flat_map(|field| view.exchanges.named(field));
        let root = roots.max_by_key(|root| root.rows().count()).ok_or(FailureKind::ResponseMissing)?;
        // what stands for services has no imports among the partners
        let places = || cells.index.rows.iter().filter(|row| !row.service);
        let ids = places().map(|row| row.id.as_ref()).collect();
        let balances = balances(root, view.requested.year, &ids).ok_or_else(|| {
            let nearest = "the page's query did not ask for both exports and imports".to_owned();
            Miss::near(FailureKind::ResponseMissing, nearest)
        })?;
        let mut rows: Vec<(Decimal, &Row<'_>)> =
            places().filter_map(|row| Some((*balances.get(row.id.as_ref())?, row))).collect();
        rows.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.code.cmp(&other.1.code)));
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
            return Err(FailureKind::ResponseMissing.into());
        };
        let labels = drawing.labels.agreeing.len();
        let (agreement, reason) = match labels {
            0 => (Agreement::Unverified, "no visible label confirmed the response".to_owned()),
            _ => (Agreement::Agrees, format!("{labels} visible labels of the same response agree with it")),
        };
        let source = format!("{} less its importValue", response::source(root, "exportValue"));
        let one = |name: &str, (balance, row): &(Decimal, &Row<'_>)| {
            let mut context = view.context(point, None);
            context.partner = Some(row.code.to_string());
            context.scope = Some(Scope::Goods);
            Observation {
                keys: vec![
                    ("column".to_owned(), name.to_owned()),
                    ("partner".to_owned(), row.name.to_string()),
                ],
                rule: Some(self.rule),
                channel: Channel::PageResponse,
                locator: format!("the partners of the treemap, largest {name}"),
                backing: Some(Backing { source: source.clone(), precise: balance.normalize().to_string() }),
                agreement,
                reason: reason.clone(),
                ..Observation::of(
                    point,
                    context,
                    Reading::Quantity(Quantity::exact(*balance, Unit::Usd)),
                    printed(*balance, Some(self.rule)),
                )
            }
        };
        let surplus = (first.0 > Decimal::ZERO).then(|| one("surplus", first));
        let deficit = (last.0 < Decimal::ZERO).then(|| one("deficit", last));
        Ok(surplus.into_iter().chain(deficit).collect())
    }
}

/// Exports less imports by partner, of these partners.
fn balances(root: &Root<'_>, year: Option<i16>, ids: &HashSet<&str>) -> Option<HashMap<String, Decimal>> {
    let (export, import) = (root.keys("exportValue")?, root.keys("importValue")?);
    let partner = root.keys("partnerCountryId")?;
    let one = |row| {
        let partner = root.at(row, &partner).and_then(plain).filter(|id| ids.contains(id.as_str()))?;
        let of = |keys: &[String], field: &str| {
            let value = root.at(row, keys).and_then(number);
            if value.is_none() {
                root.lacks(&format!("*.{field}"), &format!("it is no number for {partner}"));
            }
            value
        };
        let (export, import) = (of(&export, "exportValue"), of(&import, "importValue"));
        let balance = export?.saturating_sub(import?);
        Some((partner, balance))
    };
    Some(of_year(root, year).filter_map(one).collect())
}
