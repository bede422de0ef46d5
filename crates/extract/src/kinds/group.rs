//! The cells of one sector or chapter of an Explore treemap together, or their share of all.

use std::collections::HashMap;

use serde::Deserialize;

use super::drawing::{OfDrawing, OnDrawing, needs};
use super::kind::{Built, Found, Needs, Slot, printed};
use crate::evidence::{Agreement, Channel};
use crate::form::Form;
use crate::manifest::spec::{Point, Spec};
use crate::observation::{Backing, FailureKind, Miss, Observation, Reading, Wanted};
use crate::response::rows::{Row, of_year};
use crate::response::shares::share;
use crate::response::{Root, plain};
use crate::treemap::{Drawing, Of};
use crate::value::{AnswerField, Context, Quantity, Rule, Scope, Unit, vocabulary};
use crate::view::View;

/// The parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    /// Form of the value in the record.
    rule: Rule,
    /// Their part of all cells that are shown, in per cent.
    #[serde(default)]
    share: bool,
    /// The cells of products of this complexity, in place of a sector: `high`.
    complexity: Option<String>,
}

pub fn build(point: &Point, _spec: &Spec) -> Built {
    Ok(Box::new(OnDrawing(point.find.params::<Group>()?)))
}

impl OfDrawing for Group {
    const SUMMARY: &'static str = "the cells of one sector or chapter of an Explore treemap together, checked against the visible labels";

    fn needs(&self) -> Needs {
        let also = self.complexity.iter().map(|_| "productYear".to_owned()).collect();
        Needs { product: self.complexity.is_none(), also, ..needs() }
    }

    fn answers(&self) -> &'static [AnswerField] {
        &[AnswerField::Value]
    }

    fn for_person(&self, drawing: &Drawing, view: &View<'_>, point: &Point, wanted: &Wanted) -> Vec<Slot> {
        let asked = self.complexity.as_ref().or(wanted.product.as_ref()).filter(|_| drawing.cells.is_none());
        let of = |asked: &String| {
            let context = Context { product: Some(self.called(asked)), ..view.context(point, None) };
            let form = Form::Rule { rule: self.rule, unit: point.unit };
            Slot { keys: vec![("sector".to_owned(), asked.clone())], ..Slot::of(form, context) }
        };
        asked.map(of).into_iter().collect()
    }

    fn read(&self, drawing: &Drawing, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found {
        let cells = drawing.divided_by(Of::Product)?;
        let levels = self.complexity.as_ref().map(|_| levels(view)).transpose()?;
        let asked = self.complexity.as_deref().or(wanted.product.as_deref());
        let Some(asked) = asked else {
            let nearest = "the question names no sector or chapter (context.product)".to_owned();
            return Err(Miss::near(FailureKind::LabelMissing, nearest));
        };
        let is_of = |row: &Row<'_>| match &levels {
            Some(levels) => levels.get(row.id.as_ref()).is_some_and(|level| level == asked),
            None => is_member(&row.code, &row.name, &row.sector, row.service, asked),
        };
        let count = cells.index.drawn().iter().filter(|row| is_of(row)).count();
        if count == 0 {
            let nearest = format!("the page's response has no product of `{asked}`");
            return Err(Miss::near(FailureKind::ResponseMissing, nearest));
        }
        let sum = cells.index.sum(is_of);
        let number = if self.share { share(Some(sum), cells.sum()) } else { Some(sum) }.unwrap_or_default();
        let services = cells.index.drawn().iter().filter(|row| is_of(row)).all(|row| row.service);
        let own = if services { Scope::Services } else { Scope::Goods };
        let labels = drawing.labels.agreeing.len();
        let (agreement, reason) = match labels {
            0 => (Agreement::Unverified, crate::treemap::labels::UNCONFIRMED.to_owned()),
            _ => (Agreement::Agrees, format!("{labels} visible labels of the same response agree with it")),
        };
        let mut context = view.context(point, None);
        context.product = Some(self.called(asked));
        context.partner = view.requested.partner.as_ref().map(crate::view::requested::plain);
        // a part is of what it is a part of
        context.scope = Some(if self.share { cells.scope } else { own });
        let unit = if self.share { Unit::Percent } else { Unit::Usd };
        let over = if self.share {
            format!(", over the sum of the {} cells", cells.index.drawn().len())
        } else {
            String::new()
        };
        Ok(vec![Observation {
            keys: vec![("sector".to_owned(), asked.to_owned())],
            rule: Some(self.rule),
            channel: Channel::PageResponse,
            locator: format!("{count} cells of the treemap, those of {asked}"),
            backing: Some(Backing {
                source: format!("{} of {asked}, added up{over}", cells.source),
                precise: number.normalize().to_string(),
            }),
            agreement,
            reason,
            ..Observation::of(
                point,
                context,
                Reading::Quantity(Quantity::exact(number, unit)),
                printed(number, Some(self.rule)),
            )
        }])
    }
}

impl Group {
    /// What its cells are together.
    fn called(&self, asked: &str) -> String {
        match &self.complexity {
            Some(level) => format!("{level} complexity"),
            None => asked.to_owned(),
        }
    }
}

/// The level of complexity of each product of the world, by its id.
fn levels(view: &View<'_>) -> Result<HashMap<String, String>, Miss> {
    let read = |root: &Root<'_>| {
        let (id, level) = (root.keys("productId")?, root.keys("complexityEnum")?);
        let one = |row| {
            let (id, level) = (root.at(row, &id).and_then(plain)?, root.at(row, &level).and_then(plain));
            if level.is_none() && view.catalogues().may_be_in_space(&id) {
                root.lacks("*.complexityEnum", &format!("it is null for {id}"));
            }
            Some((id, level?))
        };
        Some(of_year(root, view.requested.year).filter_map(one).collect::<HashMap<_, _>>())
    };
    let found = view.exchanges.named("productYear").filter_map(read).find(|levels| !levels.is_empty());
    let nearest = || "no query of the page asked productYear for complexityEnum".to_owned();
    found.ok_or_else(|| Miss::near(FailureKind::ResponseMissing, nearest()))
}

/// Whether a product is of a sector, by its name, of a chapter, by its two digits, or is the one of this code or name.
pub(super) fn is_member(code: &str, name: &str, sector: &str, service: bool, asked: &str) -> bool {
    let chapter = asked.len() == 2 && asked.bytes().all(|byte| byte.is_ascii_digit());
    if chapter {
        return !service && code.starts_with(asked);
    }
    sector.eq_ignore_ascii_case(asked)
        || vocabulary::same_words_of(Some("sector"), sector, asked).is_some()
        || code.eq_ignore_ascii_case(asked)
        || name.eq_ignore_ascii_case(asked)
}
