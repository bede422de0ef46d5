//! The points that are read from the cells of a treemap: the largest ones, one of them, or another figure
//! of its product.

use rust_decimal::Decimal;

use crate::manifest::spec::{Of, One, Point, Ranked};
use crate::truth::{Agreement, Channel};
use crate::value::{Absence, Context, ContextPart, Quantity, Rule, Scope, Unit, format, format_decimals};

use super::super::observation::{Backing, FailureKind, Observation, Reading};
use super::super::stat::Miss;
use super::super::{Wanted, cells as shared};
use super::Scene;
use super::books::Item;
use super::trade::{self, Cell, Cells};

impl Scene<'_> {
    /// The cells, once no label over the drawing contradicts them and it is known which field they draw.
    pub(super) fn confirmed_cells(&self) -> Result<&Cells, Miss> {
        let missing = Miss { kind: FailureKind::ResponseMissing, nearest: None };
        let cells = self.cells.as_ref().ok_or(missing)?;
        if let Some(readings) = cells.open() {
            let nearest = Some("neither labels nor total tell which field is drawn".to_owned());
            return Err(Miss { kind: FailureKind::Ambiguous(readings.to_vec()), nearest });
        }
        if self.labels.disagreeing.is_empty() {
            return Ok(cells);
        }
        let what = self.labels.disagreeing.join("; ");
        Err(Miss { kind: FailureKind::LabelDisagrees(what), nearest: None })
    }

    /// The code of the one product that the page is about.
    pub(super) fn product_code(&self) -> Option<String> {
        let product = self.asked.explore.product.filter(|_| self.asked.explore.markets)?;
        self.books.product(&product.to_string()).map(|item| item.code.clone())
    }

    fn cells_of(&self, of: Of) -> Result<&Cells, Miss> {
        let cells = self.confirmed_cells()?;
        if cells.of == of {
            return Ok(cells);
        }
        let what = match cells.of {
            Of::Product => "the drawing is divided by product, not by partner",
            Of::Partner => "the drawing is divided by partner, not by product",
        };
        let kind = FailureKind::OtherContext(vec![(ContextPart::Partner, what.to_owned())]);
        Err(Miss { kind, nearest: None })
    }

    pub(super) fn ranked(&self, point: &Point, ranked: &Ranked) -> Result<Vec<Observation>, Miss> {
        let cells = self.cells_of(ranked.of)?;
        if cells.rows.is_empty() {
            let missing = Some("the response has no row of a value above zero".to_owned());
            return Err(Miss { kind: FailureKind::ResponseMissing, nearest: missing });
        }
        let first = cells.rows.iter().take(ranked.count).enumerate();
        Ok(first
            .map(|(at, cell)| {
                let mut observation = self.of_cell(point, cells, cell, ranked.rule, None);
                observation.keys.insert(0, ("rank".to_owned(), (at + 1).to_string()));
                let share = share(cell.value, cells.sum).and_then(|share| format(share, Rule::F6));
                observation.keys.extend(share.map(|share| ("share".to_owned(), share)));
                observation.context.scope = Some(cells.scope);
                observation
            })
            .collect())
    }

    pub(super) fn one(&self, point: &Point, one: &One, wanted: &Wanted) -> Result<Vec<Observation>, Miss> {
        let cells = self.cells_of(one.of)?;
        let (asked, part) = match one.of {
            Of::Product => (wanted.product.as_deref(), "product"),
            Of::Partner => (wanted.partner.as_deref(), "partner"),
        };
        let Some(asked) = asked else {
            let nearest = Some(format!("the question names no {part} (context.{part})"));
            return Err(Miss { kind: FailureKind::LabelMissing, nearest });
        };
        let found = cells.find(asked);
        if let Some(field) = &one.field {
            let id = found
                .map(|(_, cell)| (&cell.id, &cell.item))
                .or_else(|| cells.without_cell(asked).map(|empty| (&empty.id, &empty.item)));
            let (id, item) = id.ok_or_else(|| unknown(part, asked))?;
            return self.other_figure(point, cells, one, field, id, item).map(|one| vec![one]);
        }
        let Some((_, cell)) = found else {
            let empty = cells.without_cell(asked).ok_or_else(|| unknown(part, asked))?;
            let given = empty.value.map_or_else(|| "null".to_owned(), |value| value.normalize().to_string());
            let reading = Reading::Absent(Absence::NotShownHere);
            let mut observation =
                self.observe(point, cells, &empty.item, reading, "N/A".to_owned(), one.rule);
            observation.reason =
                format!("{} gives {given} for {}: it has no cell", cells.source, empty.item.name);
            observation.agreement = Agreement::Single;
            return Ok(vec![observation]);
        };
        let share = share(cell.value, cells.sum).filter(|_| one.share);
        let mut observation = self.of_cell(point, cells, cell, one.rule, share);
        if one.share || one.of == Of::Partner {
            observation.context.scope = Some(cells.scope);
        }
        Ok(vec![observation])
    }

    /// The value of a cell, or its share.
    fn of_cell(
        &self,
        point: &Point,
        cells: &Cells,
        cell: &Cell,
        rule: Rule,
        share: Option<Decimal>,
    ) -> Observation {
        let number = share.unwrap_or(cell.value);
        let value = format(number, rule).unwrap_or_else(|| number.normalize().to_string());
        let unit = point.unit.unwrap_or_else(|| shared::unit_of(rule));
        let reading = Reading::Quantity(Quantity::exact(number, unit));
        let mut observation = self.observe(point, cells, &cell.item, reading, value, rule);
        let label = self.labels.agreeing.get(&cell.id);
        let mut source = format!("{} of {}", cells.source, cell.item.name);
        if share.is_some() {
            source = format!("{source}, over the sum of the {} cells", cells.rows.len());
        } else {
            observation.displayed = label.cloned().unwrap_or_default();
        }
        observation.backing = Some(Backing { source, precise: number.normalize().to_string() });
        (observation.agreement, observation.reason) = match (label, self.labels.agreeing.len()) {
            (Some(label), _) => {
                (Agreement::Agrees, format!("the visible label {label} agrees with the response"))
            }
            (None, 0) => (Agreement::Unverified, "no visible label confirmed the response".to_owned()),
            (None, count) => (
                Agreement::Agrees,
                format!(
                    "{count} visible labels of the same response agree with it, the cell itself has none"
                ),
            ),
        };
        observation
    }

    /// Another field of a product's row, or of its row in another response.
    fn other_figure(
        &self,
        point: &Point,
        cells: &Cells,
        one: &One,
        field: &str,
        id: &str,
        item: &Item,
    ) -> Result<Observation, Miss> {
        let from: Vec<&str> =
            one.from.as_deref().map_or_else(|| self.asked.fields.to_vec(), |from| vec![from]);
        let found = trade::other_field(&self.exchanges, &from, field, id, self.asked.year);
        let (value, source) = found.ok_or_else(|| {
            let nearest = Some(format!("no query of the page asked {} for {field}", from.join(" or ")));
            Miss { kind: FailureKind::ResponseMissing, nearest }
        })?;
        let source = format!("{source} of {}", item.name);
        let value = value.map(|value| one.scale.map_or(value, |scale| value.saturating_mul(scale)));
        let Some(value) = value else {
            let reading = Reading::Absent(Absence::NotShownHere);
            let mut observation = self.observe(point, cells, item, reading, "N/A".to_owned(), one.rule);
            observation.reason = format!("{source} is null");
            observation.agreement = Agreement::Single;
            return Ok(observation);
        };
        let text = match one.decimals {
            Some(decimals) => Some(format_decimals(value, decimals)),
            None => format(value, one.rule),
        };
        let text = text.unwrap_or_else(|| value.normalize().to_string());
        let unit = point.unit.unwrap_or(Unit::Index);
        let reading = Reading::Quantity(Quantity::exact(value, unit));
        let mut observation = self.observe(point, cells, item, reading, text, one.rule);
        observation.backing = Some(Backing { source, precise: value.normalize().to_string() });
        let same_response = from.iter().any(|from| self.asked.fields.contains(from));
        let labels = self.labels.agreeing.len();
        (observation.agreement, observation.reason) = if same_response && labels > 0 {
            (Agreement::Agrees, format!("{labels} visible labels of the same response agree with it"))
        } else {
            (Agreement::Unverified, "nothing visible confirmed this response".to_owned())
        };
        self.hold_against_tooltip(one, item, value, &mut observation)?;
        Ok(observation)
    }

    fn observe(
        &self,
        point: &Point,
        cells: &Cells,
        item: &Item,
        reading: Reading,
        value: String,
        rule: Rule,
    ) -> Observation {
        let mut context = self.context(point);
        let mut keys = Vec::new();
        match cells.of {
            Of::Product => {
                context.product = Some(item.code.clone());
                context.partner = self.asked.partner.as_ref().map(super::asked::plain);
                keys.push(("product".to_owned(), item.name.clone()));
                keys.push(("code".to_owned(), item.code.clone()));
            }
            Of::Partner if self.asked.subject.is_none() => {
                context.country = Some(item.code.clone());
                context.product = self.product_code();
                keys.push(("name".to_owned(), item.name.clone()));
            }
            Of::Partner => {
                context.partner = Some(item.code.clone());
                context.product = self.product_code();
                keys.push(("partner".to_owned(), item.name.clone()));
            }
        }
        if item.service && cells.of == Of::Partner {
            context.scope = Some(Scope::Services);
        }
        Observation {
            data_point: point.id.clone(),
            metric: point.metric.clone(),
            keys,
            displayed: String::new(),
            reading,
            value,
            rule: Some(rule),
            context: Context { ..context },
            channel: Channel::PageResponse,
            locator: format!("treemap cell \"{}\"", item.name),
            backing: None,
            agreement: Agreement::Unverified,
            reason: String::new(),
            known: None,
        }
    }
}

/// Per cent of a sum.
fn share(value: Decimal, sum: Decimal) -> Option<Decimal> {
    value.checked_mul(Decimal::ONE_HUNDRED)?.checked_div(sum)
}

fn unknown(part: &str, asked: &str) -> Miss {
    let nearest = Some(format!("the page's response has no {part} `{asked}`"));
    Miss { kind: FailureKind::ResponseMissing, nearest }
}
