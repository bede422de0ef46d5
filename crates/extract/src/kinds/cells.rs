//! Cells of a treemap on a country's page: the largest, or the one that is asked for. The response gives the value, the
//! visible labels confirm or refute it.

use std::rc::Rc;

use serde::Deserialize;

use super::kind::{Built, Description, Found, Kind, Needs, OF_PRODUCTS, Slot, answered, printed};
use crate::atlas::PageKind;
use crate::evidence::{Agreement, Channel};
use crate::form::Form;
use crate::manifest::Method;
use crate::manifest::spec::{OtherTotal, Point, Rows, Spec};
use crate::observation::{Backing, FailureKind, Miss, Observation, Precise, Reading, Wanted};
use crate::response::rows::{Row, RowIndex};
use crate::response::shares::{Sum, share, sums};
use crate::response::{self, ResponseValue, Root};
use crate::treemap::labels::{Labels, UNCONFIRMED, is_percent, unit_of};
use crate::value::{Absence, AnswerField, Context, ContextPart, Quantity, Rule, format};
use crate::view::View;
use crate::view::entity::name;

/// The parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cells {
    /// How many of the largest; absent: the one product that the question names.
    count: Option<usize>,
    /// Form of the visible label: a share (`F6`) or a value.
    label: Rule,
    /// Form of the value in the record.
    rule: Rule,
}

pub fn build(point: &Point, _spec: &Spec) -> Built {
    if point.response.as_ref().is_none_or(|response| response.rows.is_none()) {
        return Err("cells are read from `response.rows`".to_owned().into());
    }
    Ok(Box::new(point.find.params::<Cells>()?))
}

impl Kind for Cells {
    fn method(&self) -> Method {
        Method::ApiPreferred
    }

    fn needs(&self) -> Needs {
        let pages = &[PageKind::Country];
        Needs { pages, product: self.count.is_none(), ..Needs::default() }
    }

    fn answers(&self) -> &'static [AnswerField] {
        OF_PRODUCTS
    }

    fn describe(&self) -> Description {
        let form = format!("{:?}, labelled {:?}", self.rule, self.label);
        Description::of(
            "cells of a treemap: the response, checked against visible labels",
            "treemap cells",
            form,
        )
    }

    fn rule(&self) -> Option<Rule> {
        Some(self.rule)
    }

    /// A label shows a share alone, and a person reads what it shows.
    fn for_person(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Vec<Slot> {
        let form = Form::Rule { rule: self.label, unit: Some(unit_of(self.label)) };
        let context = view.context(point, None);
        match (self.count, &wanted.product) {
            (Some(count), _) => Slot::ranked(count, "product", &form, &context),
            (None, Some(product)) => {
                let keys = vec![("product".to_owned(), product.clone())];
                vec![Slot { keys, ..Slot::of(form, Context { product: Some(product.clone()), ..context }) }]
            }
            (None, None) => Vec::new(),
        }
    }

    fn read(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found {
        let (page, lines) = view.region(point)?;
        let spec = point.response.as_ref().and_then(|spec| spec.rows.as_ref());
        let (root, index) = rows_behind(view, point).ok_or_else(|| no_response(view, point))?;
        // labels that are no shares divide by nothing
        let sums = match spec.filter(|_| is_percent(self.label)) {
            Some(spec) => sums(&index, other_totals(view, spec)),
            None => Vec::new(),
        };
        let labels = Labels::compare(page, lines, &index, self.label, &sums);
        if !labels.disagreeing.is_empty() {
            return Err(FailureKind::LabelDisagrees(labels.disagreeing.join("; ")).into());
        }
        if self.count.is_none() && wanted.product.is_none() {
            let nearest = "the question names no product (context.product)".to_owned();
            return Err(Miss::near(FailureKind::LabelMissing, nearest));
        }
        let source = source_of(root, point);
        let chosen = self.chosen(&index, wanted);
        self.check(&index, &chosen)?;
        if chosen.is_empty() {
            let mut context = view.context(point, None);
            context.product.clone_from(&wanted.product);
            return Ok(vec![Observation::absent(
                point,
                context,
                Absence::NotShownHere,
                String::new(),
                source,
            )]);
        }
        let likeliest = sums.first().map(|sum| &sum.name);
        let cell = |(at, row)| {
            let mut one = self.cell(view, point, at, row, &labels, &source);
            let divisor = labels.divisor.as_ref().filter(|_| !labels.agreeing.is_empty());
            if let Some(other) = divisor.filter(|divisor| divisor.known.as_ref() != likeliest) {
                one.reason = format!("{}; shares divide by {other}", one.reason);
            }
            one
        };
        Ok(chosen.into_iter().map(cell).collect())
    }

    fn answer(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found {
        let (root, index) = rows_behind(view, point).ok_or(FailureKind::ResponseMissing)?;
        let chosen = self.chosen(&index, wanted);
        self.check(&index, &chosen)?;
        if chosen.is_empty() {
            return Err(Miss::near(FailureKind::ResponseMissing, wanted.product.clone()));
        }
        let total = self.count.filter(|_| is_percent(self.label)).map(|_| index.sum(|_| true));
        let source = source_of(root, point);
        let of_row = |(at, row): (usize, &Row<'_>)| {
            let (value, source) = (row.value.map(Precise::Number), format!("{source} of {}", row.name));
            let behind = ResponseValue { value, source, total: None, year: None };
            let mut one = answered(view, point, Some(self.rule), &behind);
            one.context.product = Some(row.code.to_string());
            let share = total.and_then(|total| share(row.value, total));
            one.keys = self.keys(at, row, share.and_then(|share| format(share, Rule::F6)));
            one
        };
        Ok(chosen.into_iter().map(of_row).collect())
    }
}

impl Cells {
    /// The rows that are wanted, with their places.
    fn chosen<'b, 'a>(&self, index: &'b RowIndex<'a>, wanted: &Wanted) -> Vec<(usize, &'b Row<'a>)> {
        match (self.count, wanted.product.as_deref()) {
            (Some(count), _) => index.ranked(|_| true).into_iter().take(count).collect(),
            (None, Some(product)) => index.find(product).into_iter().collect(),
            (None, None) => Vec::new(),
        }
    }

    /// Whether the rows say what they are asked for: a first one, or the value of one.
    fn check(&self, index: &RowIndex<'_>, chosen: &[(usize, &Row<'_>)]) -> Result<(), Miss> {
        for (_, row) in chosen {
            index.value(row);
        }
        if self.count.is_some() && chosen.is_empty() {
            let nearest = "the response has no row of a value above zero".to_owned();
            return Err(Miss::near(FailureKind::ResponseMissing, nearest));
        }
        Ok(())
    }

    /// Rank, name, code, and the share where labels print shares.
    fn keys(&self, at: usize, row: &Row<'_>, share: Option<String>) -> Vec<(String, String)> {
        let mut keys = Vec::new();
        keys.extend(self.count.map(|_| ("rank".to_owned(), (at + 1).to_string())));
        keys.push(("product".to_owned(), row.name.to_string()));
        keys.push(("code".to_owned(), row.code.to_string()));
        keys.extend(share.filter(|_| self.label == Rule::F6).map(|share| ("share".to_owned(), share)));
        keys
    }

    fn cell(
        &self,
        view: &View<'_>,
        point: &Point,
        at: usize,
        row: &Row<'_>,
        labels: &Labels,
        source: &str,
    ) -> Observation {
        let mut context = view.context(point, None);
        context.product = Some(row.code.to_string());
        let label = labels.agreeing.get(&at).cloned();
        let locator = format!("section `{}`, treemap cell \"{}\"", point.section, row.name);
        let Some(value) = row.value else {
            return Observation {
                keys: self.keys(at, row, None),
                channel: Channel::PageResponse,
                reason: format!("{source} is null for {}, and no label shows a value", row.name),
                ..Observation::absent(point, context, Absence::NotShownHere, String::new(), locator)
            };
        };
        // which sum shares divide by is known from the labels alone
        let reason = labels.reason(at);
        let share = labels.divisor.as_ref().and_then(|divisor| divisor.text(row.value, Rule::F6));
        let share = share.or_else(|| label.clone()).filter(|_| reason.is_some());
        let unit = point.unit.unwrap_or_else(|| unit_of(self.rule));
        let reading = Reading::Quantity(Quantity::exact(value, unit));
        Observation {
            keys: self.keys(at, row, share),
            displayed: label.unwrap_or_default(),
            rule: Some(self.rule),
            channel: Channel::PageResponse,
            locator,
            backing: Some(Backing { source: source.to_owned(), precise: value.normalize().to_string() }),
            agreement: if reason.is_some() { Agreement::Agrees } else { Agreement::Unverified },
            reason: reason.unwrap_or_else(|| UNCONFIRMED.to_owned()),
            ..Observation::of(point, context, reading, printed(value, Some(self.rule)))
        }
    }
}

/// The rows behind a point: of several responses those with the most values.
pub(super) fn rows_behind<'v, 'a>(
    view: &'v View<'a>,
    point: &'v Point,
) -> Option<(&'v Root<'a>, Rc<RowIndex<'a>>)> {
    let spec = point.response.as_ref()?;
    let rows = spec.rows.as_ref()?;
    response::roots(&view.exchanges, spec, view.country()?)
        .map(|root| (root, view.rows_of(root, rows)))
        .filter(|(_, index)| !index.rows.is_empty())
        .max_by_key(|(_, index)| index.rows.iter().filter(|row| row.value.is_some()).count())
}

/// Why there is nothing behind a drawing: the page asked nothing that holds it, or asked it of another country alone.
pub(super) fn no_response(view: &View<'_>, point: &Point) -> Miss {
    let another = view.country().zip(point.response.as_ref()).and_then(|(country, spec)| {
        let id = response::asked_of_another(&view.exchanges, spec, country)?;
        Some(format!("the page asked {} for {}, not for {}", spec.field, name(id), name(country)))
    });
    let other = |what| FailureKind::OtherContext(vec![(ContextPart::Country, what)]);
    another.map_or(FailureKind::ResponseMissing, other).into()
}

/// Where the values of rows stand, for a person.
pub(super) fn source_of(root: &Root<'_>, point: &Point) -> String {
    let rows = point.response.as_ref().and_then(|response| response.rows.as_ref());
    response::source(root, rows.map_or("", |rows| rows.value.as_str()))
}

/// The totals that the spec names as possible divisors of shares.
pub(super) fn other_totals(view: &View<'_>, rows: &Rows) -> Vec<Sum> {
    let about = |root: &&Root<'_>| response::country_of(root).is_none_or(|id| Some(id) == view.country());
    let total = |total: &OtherTotal| {
        let mut roots = view.exchanges.named(&total.field).filter(about);
        let name = format!("{}.{}", total.field, total.path).into();
        Some(Sum { name, total: roots.find_map(|root| response::number(root.get(&total.path)?))? })
    };
    rows.or_totals.iter().filter_map(total).collect()
}
