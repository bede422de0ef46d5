//! The total of an Explore page: its rows summed and compared with the figure in the corner, or
//! that figure compared with what it may round.

use super::drawing::by_labels;
use super::{Figure, Query, confirmed};
use crate::evidence::{Agreement, Channel};
use crate::form::canonical;
use crate::kinds::kind::Found;
use crate::manifest::spec::Confirm;
use crate::observation::{Backing, FailureKind, Observation, Reading};
use crate::treemap::labels::UNCONFIRMED as NO_LABEL;
use crate::treemap::{Drawing, TotalCandidate, product_code};
use crate::value::{Absence, Context, ContextPart, Quantity, Scope};
use crate::view::Source;
use crate::view::requested::{name, plain};

impl Query<'_, '_> {
    /// The total of the drawing, such as the trade with the page's partner.
    pub(super) fn all_cells(&self, drawing: &Drawing) -> Found {
        let Some(partner) = self.view.requested.partner else {
            let subject = self.view.requested.subject.as_ref().map_or_else(|| "nobody".to_owned(), name);
            let what = format!("the page shows the trade of {subject} with the whole world");
            return Err(FailureKind::OtherContext(vec![(ContextPart::Partner, what)]).into());
        };
        let mut context = Context { partner: Some(plain(&partner)), ..self.context() };
        let is_empty = drawing.cells.as_ref().is_none_or(|cells| cells.index.drawn().is_empty());
        if self.view.requested.is_with_itself() && is_empty && drawing.total.is_missing() {
            let locator = "the page as a whole".to_owned();
            let absent =
                Observation::absent(self.point, context, Absence::NotShownHere, String::new(), locator);
            let reason =
                "a country has no trade with itself: the page shows neither cells nor a total".to_owned();
            return Ok(vec![Observation { reason, ..absent }]);
        }
        let cells = drawing.confirmed()?;
        let sum = cells.sum();
        let corner = self
            .spec
            .confirm
            .contains(&Confirm::Corner)
            .then(|| drawing.total.get(|shown| shown.interval.contains(sum)));
        let shown = match corner {
            Some(Ok((text, shown))) if shown.interval.contains(sum) => Some(text),
            Some(Ok((text, _))) => {
                let what = format!("the corner shows {text}, the cells sum to {}", sum.normalize());
                return Err(FailureKind::LabelDisagrees(what).into());
            }
            // a page without rows shows no sum
            Some(Err(miss)) if self.view.source == Source::Page => return Err(miss),
            Some(Err(_)) | None => None,
        };
        context.scope = Some(cells.scope);
        let reason = match shown {
            Some(text) => {
                let labels = drawing.labels.agreeing.len();
                Some(format!("the figure in the corner, {text}, and {labels} labels agree with the response"))
            }
            None if self.spec.confirm.is_empty() => by_labels(drawing),
            None => Some("no figure stands in the corner".to_owned()),
        };
        let (reading, value) = self.number(sum);
        let figure = Figure {
            keys: Vec::new(),
            context,
            reading,
            value,
            locator: format!("all {} cells of the treemap", cells.index.drawn().len()),
            source: format!("{}, added up", cells.source),
        };
        let one = self.observed(figure, confirmed(reason, NO_LABEL));
        Ok(vec![Observation { displayed: shown.cloned().unwrap_or_default(), ..one }])
    }

    /// The figure in the corner, with what it rounds.
    pub(super) fn corner(&self, drawing: &Drawing) -> Found {
        let candidates = self.candidates(drawing);
        let fits = |shown: &Quantity| candidates.iter().any(|one| shown.interval.contains(one.number));
        let (text, shown) = drawing.total.get(fits)?;
        let behind = candidates.iter().find(|one| shown.interval.contains(one.number)).or(candidates.first());
        let mut context = self.context();
        context.partner = self.view.requested.subject.map(|_| self.view.requested.partner_text());
        context.product = product_code(self.view);
        context.flow =
            context.flow.or_else(|| self.view.requested.shows_flow().then_some(self.view.requested.flow));
        context.scope = self.point.context.scope.or_else(|| match behind {
            Some(one) if one.of_country => Some(Scope::GoodsAndServices),
            _ if self.view.requested.is_of_goods() => Some(Scope::Goods),
            _ => drawing.cells.as_ref().map(|cells| cells.scope),
        });
        // a total over all products is nearly the same in every classification
        let rule = self.rule_or_count();
        let value = canonical(shown, rule, text);
        let (agreement, reason) =
            match behind.map(|one| (one.number.normalize(), shown.interval.contains(one.number))) {
                Some((number, true)) => (Agreement::Agrees, format!("{number} is displayed as {value}")),
                Some((number, false)) => {
                    (Agreement::PageDisagrees, format!("the page shows {value}, its response says {number}"))
                }
                None => (Agreement::Single, "no response of the page holds this value".to_owned()),
            };
        Ok(vec![Observation {
            displayed: text.clone(),
            rule: Some(rule),
            channel: Channel::Dom,
            locator: "the figure in the corner of the drawing".to_owned(),
            backing: behind.map(|one| Backing {
                source: one.source.clone(),
                precise: one.number.normalize().to_string(),
            }),
            agreement,
            reason,
            ..Observation::of(self.point, context, Reading::Quantity(shown.clone()), value)
        }])
    }

    /// The values that the figure in the corner may round, likeliest first.
    fn candidates(&self, drawing: &Drawing) -> Vec<TotalCandidate> {
        let Some(table) = &self.rows.table else { return drawing.totals(self.view) };
        let whole = |(number, source)| TotalCandidate { number, source, of_country: false, is_whole: true };
        table.sum(self.view).map(whole).into_iter().collect()
    }
}
