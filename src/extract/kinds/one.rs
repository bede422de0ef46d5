//! One cell of an Explore treemap, or another figure of its product.

use rust_decimal::Decimal;
use serde::Deserialize;

use super::drawing::{OfDrawing, OnDrawing, needs};
use super::kind::{Built, FEASIBILITY, Found, GEOMAP, Needs, OF_PRODUCTS, TREEMAP};
use crate::atlas::Api;
use crate::evidence::Agreement;
use crate::extract::observation::{Backing, FailureKind, Miss, Observation, Reading, Wanted};
use crate::extract::response::rows::Row;
use crate::extract::response::shares::share;
use crate::extract::treemap::{Cells, Drawing, Of, hold_against, observe, other_field};
use crate::extract::view::View;
use crate::manifest::spec::{Point, Problem, Spec, Step};
use crate::value::{Absence, AnswerField, Quantity, Rule, Unit, format, format_decimals};

/// The parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct One {
    /// What the cells stand for.
    of: Of,
    /// Form of the value in the record.
    rule: Rule,
    /// Its part of all cells that are shown, in per cent.
    #[serde(default)]
    share: bool,
    /// Its sector, in place of the value.
    #[serde(default)]
    sector: bool,
    /// Another field of the row than the traded value.
    field: Option<String>,
    /// Another query whose rows hold that field.
    from: Option<String>,
    /// Factor from the raw number to the displayed unit.
    scale: Option<Decimal>,
    /// Decimals that the page prints, where the rule leaves them open.
    decimals: Option<u32>,
    /// Labels of the figure in the tooltip of the product's cell, which confirms it.
    #[serde(default)]
    tooltip: Vec<String>,
}

pub fn build(point: &Point, spec: &Spec) -> Built {
    let one: One = point.find.params()?;
    let api = Api::of(spec.page);
    let at = |key| move |what| Problem::at(&[Step::Key(key)], what);
    match (&one.from, &one.field) {
        (Some(from), field) => {
            let from = api.query(from).map_err(at("from"))?;
            field.iter().try_for_each(|field| from.value(field).map(drop)).map_err(at("field"))?;
        }
        (None, Some(field)) => api.row_field(field).map_err(at("field"))?,
        (None, None) => {}
    }
    Ok(Box::new(OnDrawing(one)))
}

impl OfDrawing for One {
    const SUMMARY: &'static str = "one cell of an Explore treemap, or another figure of its product, confirmed by the tooltip of its cell";

    fn needs(&self) -> Needs {
        Needs {
            pages: &[TREEMAP, GEOMAP, FEASIBILITY],
            product: self.of == Of::Product,
            partner: self.of == Of::Partner,
            also: self.from.clone().into_iter().collect(),
            ..needs()
        }
    }

    fn answers(&self) -> &'static [AnswerField] {
        OF_PRODUCTS
    }

    fn read(&self, drawing: &Drawing, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found {
        let cells = drawing.divided_by(self.of)?;
        let (asked, part) = match self.of {
            Of::Product => (wanted.product.as_deref(), "product"),
            Of::Partner => (wanted.partner.as_deref(), "partner"),
        };
        let Some(asked) = asked else {
            let nearest = Some(format!("the question names no {part} (context.{part})"));
            return Err(Miss::near(FailureKind::LabelMissing, nearest));
        };
        let (at, row) = cells.index.find(asked).ok_or_else(|| unknown(part, asked))?;
        if self.sector {
            let reading = Reading::Text(row.sector.to_string());
            let mut one = observe(view, point, cells, row, reading, row.sector.to_string(), self.rule);
            one.rule = None;
            (one.agreement, one.reason) = match drawing.labels.reason(at) {
                Some(reason) => (Agreement::Agrees, reason),
                None => (Agreement::Unverified, "no visible label names the product".to_owned()),
            };
            return Ok(vec![one]);
        }
        if let Some(field) = &self.field {
            return self.other_figure(view, point, drawing, cells, field, row).map(|one| vec![one]);
        }
        if row.drawn().is_none() {
            let given = row.value.map_or_else(|| "null".to_owned(), |value| value.normalize().to_string());
            let reading = Reading::Absent(Absence::NotShownHere);
            let mut observation = observe(view, point, cells, row, reading, "N/A".to_owned(), self.rule);
            observation.reason = format!("{} gives {given} for {}: it has no cell", cells.source, row.name);
            observation.agreement = Agreement::Single;
            return Ok(vec![observation]);
        }
        let share = share(row.value, cells.sum).filter(|_| self.share);
        let mut observation = drawing.of_cell(view, point, cells, (at, row), self.rule, share);
        if self.share || self.of == Of::Partner {
            observation.context.scope = Some(cells.scope);
        }
        Ok(vec![observation])
    }

    fn tooltip(&self) -> &[String] {
        &self.tooltip
    }
}

impl One {
    /// Another field of a product's row, or of its row in another response.
    fn other_figure(
        &self,
        view: &View<'_>,
        point: &Point,
        drawing: &Drawing,
        cells: &Cells,
        field: &str,
        row: &Row<'_>,
    ) -> Result<Observation, Miss> {
        let from: Vec<&str> =
            self.from.as_deref().map_or_else(|| view.requested.fields.to_vec(), |from| vec![from]);
        let found = other_field(&view.exchanges, &from, field, &row.id, view.requested.year);
        let (value, source) = found.ok_or_else(|| {
            let nearest = Some(format!("no query of the page asked {} for {field}", from.join(" or ")));
            Miss::near(FailureKind::ResponseMissing, nearest)
        })?;
        let source = format!("{source} of {}", row.name);
        let value = value.map(|value| self.scale.map_or(value, |scale| value.saturating_mul(scale)));
        let Some(value) = value else {
            let reading = Reading::Absent(Absence::NotShownHere);
            let mut observation = observe(view, point, cells, row, reading, "N/A".to_owned(), self.rule);
            observation.reason = format!("{source} is null");
            observation.agreement = Agreement::Single;
            return Ok(observation);
        };
        let text = match self.decimals {
            Some(decimals) => Some(format_decimals(value, decimals)),
            None => format(value, self.rule),
        };
        let text = text.unwrap_or_else(|| value.normalize().to_string());
        let unit = point.unit.unwrap_or(Unit::Index);
        let reading = Reading::Quantity(Quantity::exact(value, unit));
        let mut observation = observe(view, point, cells, row, reading, text, self.rule);
        observation.backing = Some(Backing { source, precise: value.normalize().to_string() });
        let same_response = from.iter().any(|from| view.requested.fields.contains(from));
        let labels = drawing.labels.agreeing.len();
        // labels confirm a treemap; elsewhere the corner does
        let corner = if labels == 0 { drawing.corner(view)? } else { None };
        (observation.agreement, observation.reason) = if same_response && labels > 0 {
            (Agreement::Agrees, format!("{labels} visible labels of the same response agree with it"))
        } else if let Some(text) = corner.filter(|_| same_response) {
            (Agreement::Agrees, format!("the figure in the corner, {text}, agrees with the same response"))
        } else {
            (Agreement::Unverified, "nothing visible confirmed this response".to_owned())
        };
        hold_against(view, &self.tooltip, self.rule, row, value, &mut observation)?;
        Ok(observation)
    }
}

fn unknown(part: &str, asked: &str) -> Miss {
    let nearest = Some(format!("the page's response has no {part} `{asked}`"));
    Miss::near(FailureKind::ResponseMissing, nearest)
}
