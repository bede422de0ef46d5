//! Treemap cells on a country page: the largest, or the requested one. The response gives the
//! value, and visible labels confirm or refute it.

use std::rc::Rc;

use super::{Figure, Query, confirmed, key};
use crate::evidence::Channel;
use crate::kinds::kind::{Found, answered};
use crate::manifest::spec::{OtherTotal, Point, Rows as RowPaths, Take};
use crate::observation::{FailureKind, Miss, Observation, PreciseValue};
use crate::response::rows::{ResponseRow, RowIndex};
use crate::response::shares::{Sum, share, sums};
use crate::response::{self, ResponseValue, Root};
use crate::treemap::labels::{Labels, UNCONFIRMED, is_percent};
use crate::value::{Absence, Context, ContextPart, Rule, format};
use crate::view::View;
use crate::view::entity::name;

impl Query<'_, '_> {
    /// The display rule of the labels.
    pub(super) fn label(&self) -> Rule {
        self.spec.label().or(self.spec.rule).unwrap_or(Rule::F6)
    }

    pub(super) fn labelled(&self) -> Found {
        let (page, lines) = self.view.region(self.point)?;
        let spec = self.point.response.as_ref().and_then(|spec| spec.rows.as_ref());
        let (root, index) =
            rows_behind(self.view, self.point).ok_or_else(|| no_response(self.view, self.point))?;
        // labels that are not shares have no divisor
        let sums = match spec.filter(|_| is_percent(self.label())) {
            Some(spec) => sums(&index, other_totals(self.view, spec)),
            None => Vec::new(),
        };
        let labels = Labels::compare(page, lines, &index, self.label(), &sums);
        if !labels.disagreeing.is_empty() {
            return Err(FailureKind::LabelDisagrees(labels.disagreeing.join("; ")).into());
        }
        if self.spec.take == Take::Asked {
            self.asked()?;
        }
        let source = source_of(root, self.point);
        let chosen = self.chosen(&index)?;
        if chosen.is_empty() {
            let context = Context { product: self.wanted.product.clone(), ..self.context() };
            return Ok(vec![Observation::absent(
                self.point,
                context,
                Absence::NotShownHere,
                String::new(),
                source,
            )]);
        }
        let likeliest = sums.first().map(|sum| &sum.name);
        let cell = |(at, row)| {
            let mut one = self.labelled_cell((at, row), &labels, &source);
            let divisor = labels.divisor.as_ref().filter(|_| !labels.agreeing.is_empty());
            if let Some(other) = divisor.filter(|divisor| divisor.known.as_ref() != likeliest) {
                one.reason = format!("{}; shares divide by {other}", one.reason);
            }
            one
        };
        Ok(chosen.into_iter().map(cell).collect())
    }

    pub(super) fn labelled_by_answers(&self) -> Found {
        let (root, index) = rows_behind(self.view, self.point).ok_or(FailureKind::ResponseMissing)?;
        let chosen = self.chosen(&index)?;
        if chosen.is_empty() {
            return Err(Miss::near(FailureKind::ResponseMissing, self.wanted.product.clone()));
        }
        let is_ranked = matches!(self.spec.take, Take::Largest(_)) && is_percent(self.label());
        let total = is_ranked.then(|| index.sum(|_| true));
        let source = source_of(root, self.point);
        let of_row = |(at, row): (usize, &ResponseRow<'_>)| {
            let (value, source) = (row.value.map(PreciseValue::Number), format!("{source} of {}", row.name));
            let behind = ResponseValue { value, source, total: None, year: None };
            let mut one = answered(self.view, self.point, self.spec.rule, &behind);
            one.context.product = Some(row.code.to_string());
            let share = total.and_then(|total| share(row.value, total));
            one.keys = self.keys(at, row, share.and_then(|share| format(share, Rule::F6)));
            one
        };
        Ok(chosen.into_iter().map(of_row).collect())
    }

    /// The wanted rows with their indices. Checks the lookups needed for a ranking, or for a single
    /// value.
    fn chosen<'b, 'a>(&self, index: &'b RowIndex<'a>) -> Result<Vec<(usize, &'b ResponseRow<'a>)>, Miss> {
        let chosen: Vec<_> = match (self.spec.take, self.wanted.product.as_deref()) {
            (Take::Largest(count), _) => index.ranked(|_| true).into_iter().take(count).collect(),
            (_, Some(product)) => index.find(product).into_iter().collect(),
            (_, None) => Vec::new(),
        };
        for (_, row) in &chosen {
            index.value(row);
        }
        if chosen.is_empty() && self.spec.take != Take::Asked {
            let nearest = "the response has no row with a value above zero".to_owned();
            return Err(Miss::near(FailureKind::ResponseMissing, nearest));
        }
        Ok(chosen)
    }

    /// The keys of a row: rank, name, code and displayed share.
    fn keys(&self, at: usize, row: &ResponseRow<'_>, share: Option<String>) -> Vec<(String, String)> {
        let mut keys = Vec::new();
        keys.extend((self.spec.take != Take::Asked).then(|| key("rank", &(at + 1).to_string())));
        keys.extend([key("product", &row.name), key("code", &row.code)]);
        keys.extend(share.filter(|_| self.label() == Rule::F6).map(|share| key("share", &share)));
        keys
    }

    fn labelled_cell(
        &self,
        (at, row): (usize, &ResponseRow<'_>),
        labels: &Labels,
        source: &str,
    ) -> Observation {
        let context = Context { product: Some(row.code.to_string()), ..self.context() };
        let label = labels.agreeing.get(&at).cloned();
        let locator = format!("section `{}`, treemap cell \"{}\"", self.point.section, row.name);
        let Some(value) = row.value else {
            return Observation {
                keys: self.keys(at, row, None),
                channel: Channel::PageResponse,
                reason: format!("{source} is null for {}, and no label shows a value", row.name),
                ..Observation::absent(self.point, context, Absence::NotShownHere, String::new(), locator)
            };
        };
        // only the labels tell the divisor of the shares
        let reason = labels.reason(at);
        let share = labels.divisor.as_ref().and_then(|divisor| divisor.text(row.value, Rule::F6));
        let share = share.or_else(|| label.clone()).filter(|_| reason.is_some());
        let (keys, source) = (self.keys(at, row, share), source.to_owned());
        let (reading, value) = self.number(value);
        let figure = Figure { keys, context, reading, value, locator, source };
        let one = self.observed(figure, confirmed(reason, UNCONFIRMED));
        Observation { displayed: label.unwrap_or_default(), ..one }
    }
}

/// The rows behind a point. Of several responses, those with the most values.
pub(in crate::kinds) fn rows_behind<'v, 'a>(
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

/// Why a drawing has no response: no query holds it, or only a query about another country.
pub(in crate::kinds) fn no_response(view: &View<'_>, point: &Point) -> Miss {
    let another = view.country().zip(point.response.as_ref()).and_then(|(country, spec)| {
        let id = response::asked_of_another(&view.exchanges, spec, country)?;
        Some(format!("the page queried {} for {}, not for {}", spec.field, name(id), name(country)))
    });
    let other = |what| FailureKind::OtherContext(vec![(ContextPart::Country, what)]);
    another.map_or(FailureKind::ResponseMissing, other).into()
}

/// The source of row values, as text for people.
pub(in crate::kinds) fn source_of(root: &Root<'_>, point: &Point) -> String {
    let rows = point.response.as_ref().and_then(|response| response.rows.as_ref());
    response::source(root, rows.map_or("", |rows| rows.value.as_str()))
}

/// The totals that the spec lists as possible divisors of shares.
pub(in crate::kinds) fn other_totals(view: &View<'_>, rows: &RowPaths) -> Vec<Sum> {
    let about = |root: &&Root<'_>| response::country_of(root).is_none_or(|id| Some(id) == view.country());
    let total = |total: &OtherTotal| {
        let mut roots = view.exchanges.named(&total.field).filter(about);
        let name = format!("{}.{}", total.field, total.path).into();
        Some(Sum { name, total: roots.find_map(|root| response::number(root.get(&total.path)?))? })
    };
    rows.or_totals.iter().filter_map(total).collect()
}
