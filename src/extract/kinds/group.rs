//! The cells of one sector or chapter of an Explore treemap together, or their share of all.

use serde::Deserialize;

use super::drawing::{OfDrawing, OnDrawing, needs};
use super::kind::{Built, Found, Needs, printed};
use crate::evidence::{Agreement, Channel};
use crate::extract::observation::{Backing, FailureKind, Miss, Observation, Reading, Wanted};
use crate::extract::response::rows::Row;
use crate::extract::response::shares::share;
use crate::extract::treemap::{Drawing, Of};
use crate::extract::view::View;
use crate::manifest::spec::{Point, Spec};
use crate::value::{AnswerField, Quantity, Rule, Scope, Unit, vocabulary};

/// The parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    /// Form of the value in the record.
    rule: Rule,
    /// Their part of all cells that are shown, in per cent.
    #[serde(default)]
    share: bool,
}

pub fn build(point: &Point, _spec: &Spec) -> Built {
    Ok(Box::new(OnDrawing(point.find.params::<Group>()?)))
}

impl OfDrawing for Group {
    const SUMMARY: &'static str = "the cells of one sector or chapter of an Explore treemap together, checked against the visible labels";

    fn needs(&self) -> Needs {
        Needs { product: true, ..needs() }
    }

    fn answers(&self) -> &'static [AnswerField] {
        &[AnswerField::Value]
    }

    fn read(&self, drawing: &Drawing, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found {
        let cells = drawing.divided_by(Of::Product)?;
        let Some(asked) = wanted.product.as_deref() else {
            let nearest = "the question names no sector or chapter (context.product)".to_owned();
            return Err(Miss::near(FailureKind::LabelMissing, nearest));
        };
        let is_of = |row: &Row<'_>| is_member(&row.code, &row.name, &row.sector, row.service, asked);
        let count = cells.index.drawn().iter().filter(|row| is_of(row)).count();
        if count == 0 {
            let nearest = format!("the page's response has no product of `{asked}`");
            return Err(Miss::near(FailureKind::ResponseMissing, nearest));
        }
        let sum = cells.index.sum(is_of);
        let number = if self.share { share(Some(sum), cells.sum) } else { Some(sum) }.unwrap_or_default();
        let services = cells.index.drawn().iter().filter(|row| is_of(row)).all(|row| row.service);
        let labels = drawing.labels.agreeing.len();
        let (agreement, reason) = match labels {
            0 => (Agreement::Unverified, crate::extract::treemap::labels::UNCONFIRMED.to_owned()),
            _ => (Agreement::Agrees, format!("{labels} visible labels of the same response agree with it")),
        };
        let mut context = view.context(point, None);
        context.product = Some(asked.to_owned());
        context.partner = view.requested.partner.as_ref().map(crate::extract::view::requested::plain);
        context.scope = Some(if services { Scope::Services } else { Scope::Goods });
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
