//! The largest cells of an Explore treemap: the response, checked against the visible labels.

use serde::Deserialize;

use super::drawing::{OfDrawing, OnDrawing};
use super::kind::{Built, Found};
use crate::extract::observation::{FailureKind, Miss, Wanted};
use crate::extract::response::shares::share;
use crate::extract::treemap::{Drawing, Of};
use crate::extract::view::View;
use crate::manifest::spec::{Point, Spec};
use crate::value::{Rule, format};

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
}

pub fn build(point: &Point, _spec: &Spec) -> Built {
    Ok(Box::new(OnDrawing(point.find.params::<Ranked>()?)))
}

impl OfDrawing for Ranked {
    const SUMMARY: &'static str =
        "the largest cells of an Explore treemap, checked against the visible labels";

    fn read(&self, drawing: &Drawing, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let cells = drawing.divided_by(self.of)?;
        if cells.index.drawn().is_empty() {
            let nearest = "the response has no row of a value above zero".to_owned();
            return Err(Miss::near(FailureKind::ResponseMissing, nearest));
        }
        let first = cells.index.drawn().iter().take(self.count).enumerate();
        Ok(first
            .map(|(at, row)| {
                let mut observation = drawing.of_cell(view, point, cells, (at, row), self.rule, None);
                observation.keys.insert(0, ("rank".to_owned(), (at + 1).to_string()));
                let share = share(row.value, cells.sum).and_then(|share| format(share, Rule::F6));
                observation.keys.extend(share.map(|share| ("share".to_owned(), share)));
                observation.context.scope = Some(cells.scope);
                observation
            })
            .collect())
    }
}
