//! What the APIs say by themselves: values read from the answers to queries of our own, without any page. They
//! are not independent of the APIs, and the record says so.

use crate::atlas::{AtlasUrl, Page as Kind};
use crate::capture::Exchange;
use crate::manifest::spec::{Find, Point};
use crate::truth::{Agreement, Channel};
use crate::value::{Context, Period, Quantity, Rule, Unit, format, vocabulary};

use super::Wanted;
use super::cell::CellKind;
use super::cells;
use super::compiled::{Extractor, Finder};
use super::exchange::Exchanges;
use super::explore;
use super::form::Form;
use super::observation::{Extraction, FailureKind, Observation, PageState, Precise, Reading};
use super::response::{self, Behind};
use super::stat::Miss;
use crate::atlas::CountryId;
use crate::manifest::spec::Span;
use crate::value::Absence;

const REASON: &str = "answered to a query of our own; no page was looked at";

impl Extractor {
    /// Whether answers of the APIs can hold a point: what is known to differ from the page, or is in no response,
    /// only a page tells.
    #[must_use]
    pub fn is_in_responses(&self, data_point: &str) -> bool {
        self.spec.point(data_point).is_some_and(|point| {
            let drawn = matches!(point.find, Find::Total(_) | Find::Sum(_) | Find::Ranked(_) | Find::One(_));
            drawn || point.response.as_ref().is_some_and(|response| response.honest.is_none())
        })
    }

    /// Reads the wanted points from answers to queries of our own, about what `url` shows.
    #[must_use]
    pub fn answer(&self, exchanges: &[Exchange], url: &AtlasUrl, wanted: &[Wanted]) -> Extraction {
        let mut extraction = match &url.page {
            Kind::Country { country, .. } => {
                let exchanges = Exchanges::read(exchanges);
                let read = |wanted: &Wanted| {
                    let found = self.answer_of(&exchanges, *country, wanted);
                    (wanted.clone(), found.map_err(|miss| self.failure(wanted, miss.kind, miss.nearest)))
                };
                let points = wanted.iter().map(read).collect();
                Extraction {
                    state: PageState::Shown,
                    year: None,
                    unconfirmed: false,
                    tooltips: Vec::new(),
                    points,
                }
            }
            Kind::Explore(explore) => explore::answer(self, exchanges, explore, wanted),
        };
        for observation in
            extraction.points.iter_mut().filter_map(|(_, outcome)| outcome.as_mut().ok()).flatten()
        {
            observation.displayed = String::new();
            observation.channel = Channel::Api;
            observation.agreement = Agreement::Unverified;
            observation.reason = REASON.to_owned();
        }
        extraction
    }

    fn answer_of(
        &self,
        exchanges: &Exchanges,
        country: CountryId,
        wanted: &Wanted,
    ) -> Result<Vec<Observation>, Miss> {
        let missing = |nearest: Option<String>| Miss { kind: FailureKind::ResponseMissing, nearest };
        let at = self.spec.points.iter().position(|point| point.id == wanted.data_point);
        let at = at.ok_or_else(|| missing(None))?;
        let point = &self.spec.points[at];
        let spec =
            point.response.as_ref().filter(|spec| spec.honest.is_none()).ok_or_else(|| missing(None))?;
        let rule = self.rule_of(&self.finders[at]);
        let (count, is_partner) = match &self.finders[at] {
            Finder::Partners { count, .. } => (Some(*count), true),
            Finder::Cells { count, .. } => (*count, false),
            _ => {
                let behind = response::behind(exchanges, spec, country).ok_or_else(|| missing(None))?;
                return Ok(vec![told(point, rule, country, &behind)]);
            }
        };
        let rows_spec = spec.rows.as_ref().ok_or_else(|| missing(None))?;
        let (root, rows) = response::roots(exchanges, spec, country)
            .map(|root| (root, cells::Book::read(root, rows_spec).rows))
            .filter(|(_, rows)| !rows.is_empty())
            .max_by_key(|(_, rows)| rows.iter().filter(|row| row.value.is_some()).count())
            .ok_or_else(|| missing(None))?;
        let total = cells::totals(&rows, []).first().copied();
        let source = response::source(root, &rows_spec.value);
        let chosen: Vec<(usize, &cells::Row<'_>)> = match (count, wanted.product.as_deref()) {
            (Some(count), _) => rows.iter().enumerate().take(count).collect(),
            (None, Some(product)) => {
                rows.iter().enumerate().filter(|(_, row)| cells::is_product(row, product)).take(1).collect()
            }
            (None, None) => Vec::new(),
        };
        if chosen.is_empty() {
            return Err(missing(wanted.product.clone()));
        }
        let of_row = |(at, row): (usize, &cells::Row<'_>)| {
            let share = total.and_then(|total| row.share(total));
            let number = if is_partner { share } else { row.value };
            let value = number.map(Precise::Number);
            let behind =
                Behind { value, source: format!("{source} of {}", row.name), total: None, year: None };
            let mut one = told(point, rule, country, &behind);
            if count.is_some() {
                one.keys.push(("rank".to_owned(), (at + 1).to_string()));
            }
            if is_partner {
                let id = row.key.parse::<CountryId>().ok();
                let name = id.and_then(crate::atlas::by_id).map(|entity| entity.short_name.to_owned());
                one.context.partner = id.map(|id| id.to_string());
                one.keys.push(("partner".to_owned(), name.unwrap_or_else(|| row.name.to_string())));
            } else {
                one.context.product = Some(row.key.to_string());
                one.keys.push(("product".to_owned(), row.name.to_string()));
                one.keys.push(("code".to_owned(), row.key.to_string()));
                let label = match &self.finders[at_of(self, point)] {
                    Finder::Cells { label, .. } => *label,
                    _ => Rule::F1,
                };
                let share = share.filter(|_| count.is_some() && label == Rule::F6);
                one.keys.extend(
                    share.and_then(|share| format(share, Rule::F6)).map(|share| ("share".to_owned(), share)),
                );
            }
            one
        };
        Ok(chosen.into_iter().map(of_row).collect())
    }

    /// The rule that a page prints a point's number by.
    fn rule_of(&self, finder: &Finder) -> Option<Rule> {
        match finder {
            Finder::Stat { form: Form::Rule { rule, .. } | Form::Worded { rule, .. }, .. }
            | Finder::Partners { rule, .. }
            | Finder::Cells { rule, .. }
            | Finder::Drawn { rule, .. } => Some(*rule),
            Finder::Narrative { rule, .. } => *rule,
            Finder::Cell { table, column } => match &self.finders[*table] {
                Finder::Table(form) => match form.columns[*column].kind {
                    CellKind::Number(rule) | CellKind::Arrowed(rule) => Some(rule),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }
}

fn at_of(extractor: &Extractor, point: &Point) -> usize {
    extractor.spec.points.iter().position(|one| one.id == point.id).unwrap_or_default()
}

fn told(point: &Point, rule: Option<Rule>, country: CountryId, behind: &Behind) -> Observation {
    let (reading, value) = match &behind.value {
        Some(Precise::Number(number)) => {
            let text = rule.and_then(|rule| format(*number, rule));
            let quantity = Quantity { rule, ..Quantity::exact(*number, point.unit.unwrap_or(Unit::Index)) };
            (Reading::Quantity(quantity), text.unwrap_or_else(|| number.normalize().to_string()))
        }
        Some(Precise::Word(word)) => {
            let kind = point.vocabulary.as_deref();
            let word = kind.and_then(|kind| vocabulary::canonical(kind, word)).unwrap_or(word);
            (Reading::Text(word.to_owned()), word.to_owned())
        }
        None => (Reading::Absent(Absence::NotShownHere), "N/A".to_owned()),
    };
    let period = behind.year.map(|year| match point.period {
        Span::Year => Period::year(year),
        Span::Lookback(years) => Period { start: year - years, end: year },
        Span::Projection(years) => Period { start: year, end: year + years },
    });
    Observation {
        data_point: point.id.clone(),
        metric: point.metric.clone(),
        keys: Vec::new(),
        displayed: String::new(),
        reading,
        value,
        rule,
        context: Context { country: Some(country.to_string()), period, ..point.context.clone() },
        channel: Channel::Api,
        locator: behind.source.clone(),
        backing: behind.backing(),
        agreement: Agreement::Unverified,
        reason: REASON.to_owned(),
        known: None,
    }
}
