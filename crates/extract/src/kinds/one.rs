//! One cell of an Explore treemap, or another figure of its product.

use rust_decimal::Decimal;
use serde::Deserialize;

use super::drawing::{OfDrawing, OnDrawing, needs};
use super::kind::{Built, FEASIBILITY, Found, GEOMAP, Needs, OF_PRODUCTS, Slot, TREEMAP};
use crate::atlas::Api;
use crate::evidence::Agreement;
use crate::form::Form;
use crate::manifest::spec::{Point, Problem, Spec, Step};
use crate::observation::{Backing, FailureKind, Miss, Observation, Reading, Wanted};
use crate::response::rows::Row;
use crate::response::shares::share;
use crate::treemap::{Cells, Drawing, Of, hold_against, name_cell, observe, other_field};
use crate::value::{Absence, AnswerField, Quantity, Rule, Unit, format, format_decimals};
use crate::view::View;

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
    /// Whether that other query is asked about no country: its figures are the product's, on whichever page.
    #[serde(skip)]
    of_world: bool,
}

pub fn build(point: &Point, spec: &Spec) -> Built {
    let mut one: One = point.find.params()?;
    let api = Api::of(spec.page);
    let at = |key| move |what| Problem::at(&[Step::Key(key)], what);
    match (&one.from, &one.field) {
        (Some(from), field) => {
            let from = api.query(from).map_err(at("from"))?;
            field.iter().try_for_each(|field| from.value(field).map(drop)).map_err(at("field"))?;
            one.of_world = from.takes("countryId", None).is_err();
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
        let part = match self.of {
            Of::Product => "product",
            Of::Partner => "partner",
        };
        let Some(asked) = self.asked(wanted) else {
            let nearest = Some(format!("the question names no {part} (context.{part})"));
            return Err(Miss::near(FailureKind::LabelMissing, nearest));
        };
        let (at, row) = cells.index.find(asked).ok_or_else(|| unknown(part, asked))?;
        if self.sector {
            if row.sector.is_empty() {
                let nearest = format!("no catalogue of the page says the sector of {}", row.name);
                return Err(Miss::near(FailureKind::ResponseMissing, nearest));
            }
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
            let mut figure = self.other_figure(view, point, drawing, cells, field, row)?;
            figure.context.country = figure.context.country.filter(|_| !self.of_world);
            return Ok(vec![figure]);
        }
        if row.drawn().is_none() {
            let given = cells
                .index
                .value(row)
                .map_or_else(|| "null".to_owned(), |value| value.normalize().to_string());
            let reading = Reading::Absent(Absence::NotShownHere);
            let mut observation = observe(view, point, cells, row, reading, "N/A".to_owned(), self.rule);
            observation.reason = format!("{} gives {given} for {}: it has no cell", cells.source, row.name);
            observation.agreement = Agreement::Single;
            return Ok(vec![observation]);
        }
        let share = if self.share { share(row.value, cells.sum()) } else { None };
        let mut observation = drawing.of_cell(view, point, cells, (at, row), self.rule, share);
        if self.share || self.of == Of::Partner {
            observation.context.scope = Some(cells.scope);
        }
        Ok(vec![observation])
    }

    fn for_person(&self, drawing: &Drawing, view: &View<'_>, point: &Point, wanted: &Wanted) -> Vec<Slot> {
        // what the rows say nothing of is not drawn
        let of_other_query = || self.from.is_some() && self.row_of(drawing, wanted).is_some();
        let asked = self.asked(wanted).filter(|_| drawing.cells.is_none() || of_other_query());
        let Some(asked) = asked else { return Vec::new() };
        let item = match self.of {
            Of::Product => view.catalogues().product_called(asked),
            Of::Partner => view.catalogues().place_called(asked),
        };
        let name = item.map_or_else(|| asked.to_owned(), |item| item.name.clone());
        let code = item.map(|item| item.code.clone());
        let mut context = view.context(point, None);
        let keys = name_cell(view, self.of, (name, code), &mut context);
        let form = match self.sector {
            true => Form::Vocabulary("sector".to_owned()),
            false => Form::Rule { rule: self.rule, unit: point.unit },
        };
        vec![Slot { keys, ..Slot::of(form, context) }]
    }

    fn tooltip(&self) -> &[String] {
        &self.tooltip
    }
}

impl One {
    /// The product or partner that the question is about.
    fn asked<'w>(&self, wanted: &'w Wanted) -> Option<&'w str> {
        match self.of {
            Of::Product => wanted.product.as_deref(),
            Of::Partner => wanted.partner.as_deref(),
        }
    }

    /// Its row among the cells.
    fn row_of<'d>(&self, drawing: &'d Drawing, wanted: &Wanted) -> Option<&'d Row<'static>> {
        Some(drawing.cells.as_ref()?.index.find(self.asked(wanted)?)?.1)
    }

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
