//! The largest cells of an Explore treemap: the response, checked against the visible labels.

use serde::Deserialize;

use super::kind::{Built, Description, Found, Kind, Needs, TREEMAP};
use crate::extract::observation::{FailureKind, Miss, Wanted};
use crate::extract::response::shares::share;
use crate::extract::treemap::{Drawing, Of};
use crate::extract::view::View;
use crate::manifest::Method;
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
    Ok(Box::new(point.find.params::<Ranked>()?))
}

impl Kind for Ranked {
    fn method(&self) -> Method {
        Method::ApiPreferred
    }

    fn needs(&self) -> Needs {
        Needs { pages: &[TREEMAP], picture: true, rows: true, ..Needs::default() }
    }

    fn describe(&self) -> Description {
        let form = "a response that its labels confirm";
        Description::of(
            "the largest cells of an Explore treemap, checked against the visible labels",
            "drawing",
            form,
        )
    }

    fn read(&self, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let drawing = Drawing::of(view);
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

    fn answer(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found {
        self.read(view, point, wanted)
    }

    fn is_unconfirmed(&self, view: &View<'_>) -> bool {
        Drawing::of(view).is_unconfirmed(view)
    }
}
