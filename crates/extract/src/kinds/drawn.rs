//! The kind for a drawn figure: the response gives the value, and a visible text confirms or
//! refutes it if there is one.

use serde::Deserialize;

use super::kind::{Built, Description, FEASIBILITY, Found, Kind, Needs, Slot, answered, printed};
use super::rows::no_response;
use crate::atlas::{Api, PageKind};
use crate::cue::Cue;
use crate::evidence::{Agreement, Channel};
use crate::form::{Form, Read, number};
use crate::manifest::spec::{Point, Spec};
use crate::manifest::{Diagnostic, Method};
use crate::observation::{FailureKind, Observation, PreciseValue, Reading, Wanted};
use crate::response::{self, ResponseValue};
use crate::treemap::{Drawing, of_year};
use crate::value::{Quantity, Rule, Unit};
use crate::view::View;

/// The parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    /// Texts before the figure, if some rendering shows it as text.
    labels: Vec<String>,
    /// The rule of the figure.
    rule: Rule,
    /// The page query whose row for the year holds the figure.
    query: Option<String>,
    /// The field in that row.
    field: Option<String>,
}

#[derive(Debug)]
struct Drawn {
    labels: Vec<Cue>,
    rule: Rule,
    row: Option<(String, String)>,
}

pub fn build(point: &Point, spec: &Spec) -> Built {
    let Params { labels, rule, query, field } = point.find.params()?;
    let row = query.zip(field);
    if let Some((query, field)) = &row {
        let at = |key: &'static str| move |what: String| Diagnostic::of(key, what);
        Api::of(spec.page).query(query).map_err(at("query"))?.value(field).map_err(at("field"))?;
    } else if point.response.as_ref().is_none_or(|response| response.path.is_none()) {
        return Err("a drawn figure is read from `response.path`, or from `query` and `field`"
            .to_owned()
            .into());
    }
    let labels = labels.iter().map(|label| Cue::new(&format!("{label} {{value}}"), Some(rule)));
    Ok(Box::new(Drawn { labels: labels.collect::<Result<_, _>>()?, rule, row }))
}

impl Drawn {
    fn behind(&self, view: &View<'_>, point: &Point) -> Option<ResponseValue> {
        let Some((query, field)) = &self.row else { return view.behind(point) };
        let (year, subject) = (view.requested.year, view.requested.subject);
        view.exchanges.named(query).find_map(|root| {
            let value = of_year(root, field, year, subject)?;
            Some(ResponseValue {
                value: Some(PreciseValue::Number(value)),
                source: response::source(root, field),
                total: None,
                year,
            })
        })
    }
}

impl Kind for Drawn {
    fn method(&self) -> Method {
        Method::ApiPreferred
    }

    fn needs(&self) -> Needs {
        let also = self.row.iter().map(|(query, _)| query.clone()).collect();
        Needs {
            pages: &[PageKind::Country, FEASIBILITY],
            picture: self.row.is_some(),
            also,
            ..Needs::default()
        }
    }

    fn describe(&self) -> Description {
        Description::of(
            "a figure that is only drawn: the response, checked against a visible text if there is one",
            self.labels.first().map_or("", |cue| cue.source.trim_end_matches(" {value}")),
            format!("{:?}", self.rule),
        )
    }

    fn rule(&self) -> Option<Rule> {
        Some(self.rule)
    }

    fn for_person(&self, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Vec<Slot> {
        vec![Slot::of(Form::Rule { rule: self.rule, unit: point.unit }, view.context(point, None))]
    }

    fn answer(&self, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let behind = self.behind(view, point).ok_or(FailureKind::ResponseMissing)?;
        Ok(vec![answered(view, point, Some(self.rule), &behind)])
    }

    fn read(&self, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let (page, lines) = view.region(point)?;
        if self.row.is_some() {
            Drawing::of(view).corner(view)?;
        }
        let missing = || no_response(view, point);
        let behind = self.behind(view, point).ok_or_else(missing)?;
        let Some(PreciseValue::Number(precise)) = behind.value else {
            return Err(missing());
        };
        let visible = page.lines[lines].iter().find_map(|line| {
            let hit = self.labels.iter().find_map(|cue| cue.hits(&line.text).next())?;
            match number(&hit.value, self.rule, point.unit) {
                Some(Read::Quantity(quantity)) => Some((line.text.clone(), quantity)),
                _ => None,
            }
        });
        if let Some((text, shown)) = &visible
            && !shown.interval.contains(precise)
        {
            let what = format!("\"{text}\" against {precise} in the response");
            return Err(FailureKind::LabelDisagrees(what).into());
        }
        let (agreement, reason) = match visible {
            Some(_) => (Agreement::Agrees, "a visible text agrees with the response"),
            None => (Agreement::Unverified, "drawn on a canvas: no text of the page confirms the response"),
        };
        let reading = Reading::Quantity(Quantity::exact(precise, point.unit.unwrap_or(Unit::Index)));
        Ok(vec![Observation {
            displayed: visible.map(|(text, _)| text).unwrap_or_default(),
            rule: Some(self.rule),
            channel: Channel::PageResponse,
            locator: format!("section `{}`, drawn; {}", point.section, behind.source),
            backing: behind.backing(),
            agreement,
            reason: reason.to_owned(),
            ..Observation::of(
                point,
                view.context(point, behind.year),
                reading,
                printed(precise, Some(self.rule)),
            )
        }])
    }
}
