//! The values that a person can read in a drawing if no response holds its rows.

use super::check::Source;
use super::drawing::ENDS;
use super::{Query, key};
use crate::form::Form;
use crate::kinds::kind::Slot;
use crate::manifest::spec::{Over, RowOf, Take};
use crate::treemap::labels::unit_of;
use crate::treemap::{Drawing, Of, name_cell, name_key};
use crate::value::{Context, Period, Scope};
use crate::view::requested::plain as plain_place;

impl Query<'_, '_> {
    pub(super) fn slots(&self) -> Vec<Slot> {
        match self.rows.source {
            Source::Drawing => self.slots_of_drawing(),
            Source::OverTime => self.slots_over_time(),
            Source::Labelled => self.slots_of_labels(),
            Source::Field | Source::Own => Vec::new(),
        }
    }

    /// The slots of a drawing without a response for its cells.
    fn slots_of_drawing(&self) -> Vec<Slot> {
        let drawing = Drawing::of(self.view);
        let context = self.context();
        let slot = |keys, form, context| Slot { keys, ..Slot::of(form, context) };
        // a value missing from the rows is not drawn, but may be in another response
        let row = || drawing.cells.as_ref()?.index.find(self.asked().ok()?);
        let is_elsewhere = self.rows.is_of_one() && self.spec.query.is_some() && row().is_some();
        if drawing.cells.is_some() && !is_elsewhere {
            return Vec::new();
        }
        match (self.spec.take, self.spec.over) {
            (_, Some(Over::Total)) => Vec::new(),
            (Take::All, Some(Over::Sum)) => {
                let of = |partner| Context { partner: Some(plain_place(&partner)), ..context.clone() };
                self.view
                    .requested
                    .partner
                    .map(|partner| slot(Vec::new(), self.form(), of(partner)))
                    .into_iter()
                    .collect()
            }
            (Take::All, Some(Over::Count)) => {
                vec![slot(Vec::new(), self.form(), Context { scope: Some(Scope::Goods), ..context })]
            }
            (Take::Largest(count), _) => {
                Slot::ranked(count, name_key(self.view, self.division()), &self.form(), &context)
            }
            (Take::Ends, _) => {
                let one = |column: &str| Slot {
                    named: Some("partner"),
                    ..slot(vec![key("column", column)], self.form(), context.clone())
                };
                ENDS.map(one).into()
            }
            (Take::Asked, _) if self.rows.is_of_one() => {
                let Ok(asked) = self.asked() else { return Vec::new() };
                let item = match self.division() {
                    Of::Product => self.view.catalogues().product_called(asked),
                    Of::Partner => self.view.catalogues().place_called(asked),
                };
                let name = item.map_or_else(|| asked.to_owned(), |item| item.name.clone());
                let mut context = context;
                let code = item.map(|item| item.code.clone());
                let keys = name_cell(self.view, self.division(), (name, code), &mut context);
                let form = match self.spec.field.as_deref() {
                    Some("sector") => Form::Vocabulary("sector".to_owned()),
                    _ => self.form(),
                };
                vec![slot(keys, form, context)]
            }
            (Take::Asked | Take::All, _) => {
                let Ok((asked, called)) = self.name_together() else { return Vec::new() };
                let context = Context { product: Some(called.to_owned()), ..context };
                vec![slot(vec![key("sector", asked)], self.form(), context)]
            }
        }
    }

    /// The slot of one year. A picture does not tell the number of years in a drawing.
    fn slots_over_time(&self) -> Vec<Slot> {
        let (Some(year), false) = (self.wanted.year, self.spec.over == Some(Over::Change)) else {
            return Vec::new();
        };
        let mut context = Context { period: Some(Period::year(year)), ..self.context() };
        let mut keys = Vec::new();
        if self.spec.take == Take::Asked {
            let Ok(asked) = self.asked() else { return Vec::new() };
            if self.spec.of == Some(RowOf::Partner) {
                let item = self.view.catalogues().place_called(asked);
                context.partner = Some(item.map_or(asked, |item| &item.code).to_owned());
                keys.push(key("partner", item.map_or(asked, |item| &item.name)));
            } else {
                context.product = Some(asked.to_owned());
                keys.push(key("sector", asked));
            }
        }
        vec![Slot { keys, ..Slot::of(self.form(), context) }]
    }

    /// The slots of labels. A label shows only a share, so the person reads that.
    fn slots_of_labels(&self) -> Vec<Slot> {
        let label = self.label();
        let form = Form::Rule { rule: label, unit: Some(unit_of(label)) };
        let context = self.context();
        match (self.spec.take, &self.wanted.product) {
            (Take::Largest(count), _) => Slot::ranked(count, "product", &form, &context),
            (_, Some(product)) => {
                let context = Context { product: Some(product.clone()), ..context };
                vec![Slot { keys: vec![key("product", product)], ..Slot::of(form, context) }]
            }
            (_, None) => Vec::new(),
        }
    }
}
