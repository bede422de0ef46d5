//! How many products of a drawing have at least so much of something: the coloured nodes of a product space.

use rust_decimal::Decimal;
use serde::Deserialize;

use super::drawing::{OfDrawing, OnDrawing, needs};
use super::kind::{Built, Found, Needs, PRODUCTSPACE, Slot, printed};
use crate::evidence::{Agreement, Channel};
use crate::form::Form;
use crate::manifest::spec::{Point, Spec};
use crate::observation::{Backing, FailureKind, Miss, Observation, Reading, Wanted};
use crate::response;
use crate::response::rows::by_product;
use crate::treemap::Drawing;
use crate::value::{Context, Quantity, Rule, Scope, Unit};
use crate::view::View;

/// The parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Count {
    /// The field of the rows.
    field: String,
    /// What it is at least.
    least: Decimal,
}

pub fn build(point: &Point, _spec: &Spec) -> Built {
    Ok(Box::new(OnDrawing(point.find.params::<Count>()?)))
}

impl OfDrawing for Count {
    const SUMMARY: &'static str =
        "how many products of a product space have at least so much of a field, checked against the corner";

    fn needs(&self) -> Needs {
        Needs { pages: &[PRODUCTSPACE], ..needs() }
    }

    fn for_person(&self, drawing: &Drawing, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Vec<Slot> {
        let form = Form::Rule { rule: Rule::Integer, unit: point.unit };
        let context = Context { scope: Some(Scope::Goods), ..view.context(point, None) };
        drawing.cells.is_none().then(|| Slot::of(form, context)).into_iter().collect()
    }

    fn read(&self, drawing: &Drawing, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let cells = drawing.confirmed()?;
        let roots = view.requested.fields.iter().flat_map(|field| view.exchanges.named(field));
        let root = roots.max_by_key(|root| root.rows().count()).ok_or(FailureKind::ResponseMissing)?;
        let values = by_product(root, &self.field, view.requested.year);
        let nearest = || format!("the page's query asked not for {}", self.field);
        let values = values.ok_or_else(|| Miss::near(FailureKind::ResponseMissing, nearest()))?;
        // services and what the catalogue gives no place have no node
        let nodes = values.filter(|(id, _)| view.catalogues().may_be_in_space(id));
        let nodes: Vec<(&str, Option<Decimal>)> = nodes.collect();
        for (id, _) in nodes.iter().filter(|(_, value)| value.is_none()) {
            root.lacks(&format!("*.{}", self.field), &format!("it is no number for {id}"));
        }
        if nodes.is_empty() {
            root.lacks("*.productId", "no catalogue gives any of the products a place in the product space");
        }
        let count = nodes.iter().filter(|(_, value)| value.is_some_and(|value| value >= self.least)).count();
        let number = Decimal::from(count);
        let source = format!("{} of at least {}, counted", response::source(root, &self.field), self.least);
        let mut context = view.context(point, None);
        context.scope = Some(Scope::Goods);
        let (agreement, reason) = match drawing.corner(view)? {
            Some(text) => (
                Agreement::Agrees,
                format!("the figure in the corner, {text}, agrees with the same response"),
            ),
            None => (Agreement::Unverified, "nothing visible confirmed this response".to_owned()),
        };
        Ok(vec![Observation {
            rule: Some(Rule::Integer),
            channel: Channel::PageResponse,
            locator: format!("the nodes of the drawing, of {} products", cells.index.rows.len()),
            backing: Some(Backing { source, precise: number.to_string() }),
            agreement,
            reason,
            ..Observation::of(
                point,
                context,
                Reading::Quantity(Quantity::exact(number, Unit::Count)),
                printed(number, Some(Rule::Integer)),
            )
        }])
    }
}
