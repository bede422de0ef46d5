//! The largest cells of an Explore treemap: the response, checked against the visible labels.

use std::collections::HashMap;

use rust_decimal::Decimal;
use serde::Deserialize;

use super::drawing::{OfDrawing, OnDrawing, needs};
use super::kind::{Built, Found, Needs, OF_PRODUCTS, Slot};
use crate::form::Form;
use crate::manifest::spec::{Point, Spec};
use crate::observation::{FailureKind, Miss, Wanted};
use crate::response::rows::Row;
use crate::response::shares::share;
use crate::treemap::{Drawing, Of, name_key, of_goods};
use crate::value::{AnswerField, Rule, format};
use crate::view::View;

/// The parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ranked {
    /// What the cells stand for.
    of: Of,
    /// How many of them.
    count: usize,
    /// Form of the value in the record and of the labels.
    rule: Rule,
    /// Among the products of this sector only.
    sector: Option<String>,
    /// Among the products in which the country has comparative advantage, the most complex first.
    #[serde(default)]
    most_complex: bool,
}

pub fn build(point: &Point, _spec: &Spec) -> Built {
    Ok(Box::new(OnDrawing(point.find.params::<Ranked>()?)))
}

impl OfDrawing for Ranked {
    const SUMMARY: &'static str =
        "the largest cells of an Explore treemap, checked against the visible labels";

    fn needs(&self) -> Needs {
        Needs { also: self.most_complex.then(|| "productYear".to_owned()).into_iter().collect(), ..needs() }
    }

    fn answers(&self) -> &'static [AnswerField] {
        OF_PRODUCTS
    }

    fn for_person(&self, drawing: &Drawing, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Vec<Slot> {
        if drawing.cells.is_some() {
            return Vec::new();
        }
        let form = Form::Rule { rule: self.rule, unit: point.unit };
        Slot::ranked(self.count, name_key(view, self.of), &form, &view.context(point, None))
    }

    fn read(&self, drawing: &Drawing, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let cells = drawing.divided_by(self.of)?;
        let is_of =
            |row: &Row<'_>| self.sector.as_ref().is_none_or(|sector| row.sector.eq_ignore_ascii_case(sector));
        let mut first = cells.index.ranked(is_of);
        if self.most_complex {
            first = most_complex(view, first)?;
        }
        first.truncate(self.count);
        if first.is_empty() {
            let of = self.sector.as_ref().map_or_else(String::new, |sector| format!(" of {sector}"));
            let nearest = format!("the response has no row{of} of a value above zero");
            return Err(Miss::near(FailureKind::ResponseMissing, nearest));
        }
        let sum = cells.sum();
        Ok(first
            .into_iter()
            .enumerate()
            .map(|(rank, (at, row))| {
                let mut observation = drawing.of_cell(view, point, cells, (at, row), self.rule, None);
                observation.keys.insert(0, ("rank".to_owned(), (rank + 1).to_string()));
                let share = share(row.value, sum).and_then(|share| format(share, Rule::F6));
                observation.keys.extend(share.map(|share| ("share".to_owned(), share)));
                observation.context.scope = Some(cells.scope);
                observation
            })
            .collect())
    }
}

/// The rows with comparative advantage by the complexity of their products; those without an index are left out.
fn most_complex<'r, 'a>(
    view: &View<'_>,
    rows: Vec<(usize, &'r Row<'a>)>,
) -> Result<Vec<(usize, &'r Row<'a>)>, Miss> {
    let field = |from: &[&str], field: &str| -> Result<HashMap<String, Decimal>, Miss> {
        let values = of_goods(view, from, field);
        let nearest = || Some(format!("no query of the page asked {} for {field}", from.join(" or ")));
        if values.is_empty() { Err(Miss::near(FailureKind::ResponseMissing, nearest())) } else { Ok(values) }
    };
    let (rca, pci) = (field(view.requested.fields, "exportRca")?, field(&["productYear"], "pci")?);
    let ranked =
        rows.into_iter().filter(|(_, row)| rca.get(row.id.as_ref()).is_some_and(|rca| *rca >= Decimal::ONE));
    let mut ranked: Vec<_> = ranked.filter_map(|one| Some((*pci.get(one.1.id.as_ref())?, one))).collect();
    ranked.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.1.code.cmp(&other.1.1.code)));
    Ok(ranked.into_iter().map(|(_, one)| one).collect())
}
