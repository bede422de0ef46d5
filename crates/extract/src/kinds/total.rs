//! The total that stands beside a drawing, `Total Value $16B`, and what it rounds.

use serde::Deserialize;

use super::drawing::{OfDrawing, OnDrawing, needs};
use super::kind::{Built, FEASIBILITY, FEASIBILITY_TABLE, Found, GEOMAP, Needs, PRODUCTSPACE, TREEMAP};
use super::opportunities::Opportunities;
use crate::atlas::{PageKind, Viz};
use crate::evidence::Agreement;
use crate::form::canonical;
use crate::manifest::Method;
use crate::manifest::spec::{Point, Spec};
use crate::observation::{Backing, Observation, Reading, Wanted};
use crate::treemap::{Candidate, Drawing, product_code};
use crate::value::{Quantity, Rule, Scope};
use crate::view::View;

/// The parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    /// Its form.
    rule: Rule,
}

/// The pages that have one.
const PAGES: [PageKind; 6] =
    [TREEMAP, FEASIBILITY_TABLE, FEASIBILITY, GEOMAP, PRODUCTSPACE, PageKind::Explore(Viz::Overtime)];

#[derive(Debug)]
struct Total {
    rule: Rule,
    /// The table whose rows it adds up, on a page that shows one.
    table: Option<Opportunities>,
}

pub fn build(point: &Point, spec: &Spec) -> Built {
    let Params { rule } = point.find.params()?;
    let table = spec.points.iter().find(|point| point.find.kind == "table");
    let table = table.map(|table| Opportunities::of(spec, &table.id)).transpose()?;
    Ok(Box::new(OnDrawing(Total { rule, table })))
}

impl OfDrawing for Total {
    const SUMMARY: &'static str = "the figure in the corner of an Explore page";

    fn method(&self) -> Method {
        Method::Dom
    }

    fn needs(&self) -> Needs {
        // a total over all products is the country's own
        let also = vec!["countryYear".to_owned()];
        Needs { pages: &PAGES, also, ..needs() }
    }

    fn read(&self, drawing: &Drawing, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let candidates = self.candidates(view, drawing);
        let fits = |shown: &Quantity| candidates.iter().any(|one| shown.interval.contains(one.number));
        let (text, shown) = drawing.total.get(fits)?;
        let behind = candidates.iter().find(|one| shown.interval.contains(one.number)).or(candidates.first());
        let agrees = behind.map(|one| shown.interval.contains(one.number));
        let mut context = view.context(point, None);
        context.partner = view.requested.subject.map(|_| view.requested.partner_text());
        context.product = product_code(view);
        context.flow = context.flow.or_else(|| view.requested.shows_flow().then_some(view.requested.flow));
        context.scope = point.context.scope.or_else(|| match behind {
            Some(one) if one.of_country => Some(Scope::GoodsAndServices),
            _ if view.requested.is_of_goods() => Some(Scope::Goods),
            _ => drawing.cells.as_ref().map(|cells| cells.scope),
        });
        // a total over all products is the same in every classification, up to what each leaves out
        let value = canonical(shown, self.rule, text);
        let (agreement, reason) = match (agrees, behind) {
            (Some(true), Some(one)) => {
                (Agreement::Agrees, format!("{} is displayed as {value}", one.number.normalize()))
            }
            (Some(false), Some(one)) => (
                Agreement::PageDisagrees,
                format!("the page shows {value}, its response says {}", one.number.normalize()),
            ),
            _ => (Agreement::Single, "no response of the page holds this value".to_owned()),
        };
        Ok(vec![Observation {
            displayed: text.clone(),
            rule: Some(self.rule),
            locator: "the figure in the corner of the drawing".to_owned(),
            backing: behind.map(|one| Backing {
                source: one.source.clone(),
                precise: one.number.normalize().to_string(),
            }),
            agreement,
            reason,
            ..Observation::of(point, context, Reading::Quantity(shown.clone()), value)
        }])
    }
}

impl Total {
    /// What it may round, the likeliest first.
    fn candidates(&self, view: &View<'_>, drawing: &Drawing) -> Vec<Candidate> {
        let Some(table) = &self.table else { return drawing.totals(view) };
        let sum = table.sum(view).map(|(number, source)| Candidate {
            number,
            source,
            of_country: false,
            is_whole: true,
        });
        sum.into_iter().collect()
    }
}
