//! The largest cells of an Explore treemap: the response, checked against the visible labels.

use serde::Deserialize;

use super::drawing::{OfDrawing, OnDrawing};
use super::kind::{Built, Found, OF_PRODUCTS};
use crate::extract::observation::{FailureKind, Miss, Wanted};
use crate::extract::response::rows::Row;
use crate::extract::response::shares::share;
use crate::extract::treemap::{Drawing, Of};
use crate::extract::view::View;
use crate::manifest::spec::{Point, Spec};
use crate::value::{AnswerField, Rule, format};

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
}

pub fn build(point: &Point, _spec: &Spec) -> Built {
    Ok(Box::new(OnDrawing(point.find.params::<Ranked>()?)))
}

impl OfDrawing for Ranked {
    const SUMMARY: &'static str =
        "the largest cells of an Explore treemap, checked against the visible labels";

    fn answers(&self) -> &'static [AnswerField] {
        OF_PRODUCTS
    }

    fn read(&self, drawing: &Drawing, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let cells = drawing.divided_by(self.of)?;
        let is_of =
            |row: &Row<'_>| self.sector.as_ref().is_none_or(|sector| row.sector.eq_ignore_ascii_case(sector));
        let drawn = cells.index.drawn().iter().enumerate().filter(|(_, row)| is_of(row));
        let first: Vec<(usize, &Row<'_>)> = drawn.take(self.count).collect();
        if first.is_empty() {
            let of = self.sector.as_ref().map_or_else(String::new, |sector| format!(" of {sector}"));
            let nearest = format!("the response has no row{of} of a value above zero");
            return Err(Miss::near(FailureKind::ResponseMissing, nearest));
        }
        Ok(first
            .into_iter()
            .enumerate()
            .map(|(rank, (at, row))| {
                let mut observation = drawing.of_cell(view, point, cells, (at, row), self.rule, None);
                observation.keys.insert(0, ("rank".to_owned(), (rank + 1).to_string()));
                let share = share(row.value, cells.sum).and_then(|share| format(share, Rule::F6));
                observation.keys.extend(share.map(|share| ("share".to_owned(), share)));
                observation.context.scope = Some(cells.scope);
                observation
            })
            .collect())
    }
}
