//! All cells of an Explore treemap together: the response, checked against the total beside the drawing.

use serde::Deserialize;

use super::drawing::{OfDrawing, OnDrawing};
use super::kind::{Built, Found, Slot, printed};
use crate::evidence::{Agreement, Channel};
use crate::form::Form;
use crate::manifest::spec::{Point, Spec};
use crate::observation::{Backing, FailureKind, Observation, Reading, Wanted};
use crate::treemap::Drawing;
use crate::value::{Absence, Context, ContextPart, Quantity, Rule, Unit};
use crate::view::requested::{name, plain};
use crate::view::{Source, View};

/// The parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sum {
    /// Form of the value in the record.
    rule: Rule,
}

pub fn build(point: &Point, _spec: &Spec) -> Built {
    Ok(Box::new(OnDrawing(point.find.params::<Sum>()?)))
}

impl OfDrawing for Sum {
    const SUMMARY: &'static str =
        "all cells of an Explore treemap together: the response, checked against the figure in the corner";

    fn for_person(&self, drawing: &Drawing, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Vec<Slot> {
        let partner = view.requested.partner.filter(|_| drawing.cells.is_none());
        let of = |partner| {
            let context = Context { partner: Some(plain(&partner)), ..view.context(point, None) };
            Slot::of(Form::Rule { rule: self.rule, unit: point.unit }, context)
        };
        partner.map(of).into_iter().collect()
    }

    fn read(&self, drawing: &Drawing, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let Some(partner) = view.requested.partner else {
            let subject = view.requested.subject.as_ref().map_or_else(|| "nobody".to_owned(), name);
            let what = format!("the page shows the trade of {subject} with the whole world");
            return Err(FailureKind::OtherContext(vec![(ContextPart::Partner, what)]).into());
        };
        let is_empty = drawing.cells.as_ref().is_none_or(|cells| cells.index.drawn().is_empty());
        if view.requested.is_with_itself() && is_empty && drawing.total.is_missing() {
            let mut context = view.context(point, None);
            context.partner = Some(plain(&partner));
            let locator = "the page as a whole".to_owned();
            let absent = Observation::absent(point, context, Absence::NotShownHere, String::new(), locator);
            let reason =
                "a country has no trade with itself: the page shows neither cells nor a total".to_owned();
            return Ok(vec![Observation { reason, ..absent }]);
        }
        let cells = drawing.confirmed()?;
        let sum = cells.sum();
        let text = match drawing.total.get(|shown| shown.interval.contains(sum)) {
            Ok((text, shown)) if shown.interval.contains(sum) => text.clone(),
            Ok((text, _)) => {
                let what = format!("the corner shows {text}, the cells add up to {}", sum.normalize());
                return Err(FailureKind::LabelDisagrees(what).into());
            }
            // a page that has no rows to add up has no sum to show
            Err(_) if view.source != Source::Page => String::new(),
            Err(miss) => return Err(miss),
        };
        let mut context = view.context(point, None);
        context.partner = Some(plain(&partner));
        context.scope = Some(cells.scope);
        let labels = drawing.labels.agreeing.len();
        let reading = Reading::Quantity(Quantity::exact(sum, Unit::Usd));
        Ok(vec![Observation {
            rule: Some(self.rule),
            channel: Channel::PageResponse,
            locator: format!("all {} cells of the treemap", cells.index.drawn().len()),
            backing: Some(Backing {
                source: format!("{}, added up", cells.source),
                precise: sum.normalize().to_string(),
            }),
            agreement: Agreement::Agrees,
            reason: match text.as_str() {
                "" => "no figure stands in the corner".to_owned(),
                text => {
                    format!("the figure in the corner, {text}, and {labels} labels agree with the response")
                }
            },
            displayed: text,
            ..Observation::of(point, context, reading, printed(sum, Some(self.rule)))
        }])
    }
}
