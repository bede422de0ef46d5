//! The kind `rows`: values from rows of a response, for one named row, the largest ones, or all
//! together. The spec selects the rows, the field and the confirmation; the source of the rows
//! follows from the page.

mod check;
mod drawing;
mod fields;
mod labelled;
mod over_time;
mod slots;
mod total;
mod whole;

pub(super) use labelled::{no_response, other_totals, rows_behind, source_of};

use rust_decimal::Decimal;

use super::kind::{Built, Description, Found, Kind, Needs, OF_PARTNERS, OF_PRODUCTS, Slot, printed};
use super::opportunities::Opportunities;
use crate::atlas::{Api, PageKind};
use crate::capture::PointerTarget;
use crate::evidence::{Agreement, Channel};
use crate::form::Form;
use crate::manifest::Method;
use crate::manifest::spec::{Over, Point, RowOf, RowsSpec, Spec, Take};
use crate::observation::{Backing, FailureKind, Miss, Observation, Reading, Tooltip, Wanted};
use crate::response::Root;
use crate::tooltip::{self, HOVERS};
use crate::treemap::{Drawing, Of};
use crate::value::{AnswerField, Context, Quantity, Rule, Unit, format_decimals};
use crate::view::View;
use check::Source;

/// The rows in a spec.
#[derive(Debug)]
struct Rows {
    spec: RowsSpec,
    source: Source,
    pages: &'static [PageKind],
    /// The table whose rows a total sums up, on a page with such a table.
    table: Option<Opportunities>,
    /// Whether the query has no country, so that its figures are the product's on every page.
    of_world: bool,
}

/// The rows of a page for a wanted point.
#[derive(Clone, Copy)]
struct Query<'q, 'a> {
    rows: &'q Rows,
    spec: &'q RowsSpec,
    view: &'q View<'a>,
    point: &'q Point,
    wanted: &'q Wanted,
}

pub fn build(point: &Point, spec: &Spec) -> Built {
    let rows: RowsSpec = point.find.params()?;
    let source = Source::of(spec, &rows);
    let pages = check::check(point, spec, &rows, source)?;
    let table = spec.points.iter().find(|point| point.find.kind == "table" && rows.over == Some(Over::Total));
    let table = table.map(|table| Opportunities::of(spec, &table.id)).transpose()?;
    let is_asked_of_none = |query: &String| {
        Api::of(spec.page).query(query).is_ok_and(|query| query.takes("countryId", None).is_err())
    };
    let of_world = match source {
        Source::Drawing => rows.field.is_some() && rows.query.as_ref().is_some_and(is_asked_of_none),
        _ => rows.of_world,
    };
    Ok(Box::new(Rows { spec: rows, source, pages, table, of_world }))
}

impl Kind for Rows {
    fn method(&self) -> Method {
        if self.spec.over == Some(Over::Total) { Method::Dom } else { Method::ApiPreferred }
    }

    fn needs(&self) -> Needs {
        let RowsSpec { of, query, take, over, year, into, .. } = &self.spec;
        let asked = *take == Take::Asked && *over != Some(Over::Total);
        let is_drawn = matches!(self.source, Source::Drawing | Source::OverTime);
        let own = self.source == Source::Own;
        let selects = self.spec.select.iter().filter_map(|one| one.query.as_ref());
        let order = self.spec.order.iter().filter_map(|order| order.query.as_ref());
        let mut also: Vec<String> = query.iter().chain(selects).chain(order).cloned().collect();
        let beside = [
            ("productYear", matches!(over, Some(Over::WorldShare))),
            ("countryYear", self.needs_country()),
            ("locationCountry", own && (*over == Some(Over::List) || matches!(take, Take::Largest(_)))),
            ("locationGroup", own && self.spec.group().is_some()),
        ];
        also.extend(beside.into_iter().filter(|(_, is)| *is).map(|(name, _)| name.to_owned()));
        Needs {
            pages: self.pages,
            product: own || asked && matches!(of, Some(RowOf::Product | RowOf::Sector)),
            partner: asked && matches!(of, Some(RowOf::Partner | RowOf::Country)),
            year: match self.source {
                Source::Own => true,
                Source::OverTime => *over != Some(Over::Change),
                _ => year.is_some(),
            },
            picture: is_drawn,
            rows: is_drawn,
            own,
            target: into.clone(),
            also,
            ..Needs::default()
        }
    }

    fn describe(&self) -> Description {
        let query = self.spec.query.as_ref().filter(|_| self.spec.own);
        let form = self.spec.rule.map_or_else(|| "as in the response".to_owned(), |rule| format!("{rule:?}"));
        Description::of(
            "rows of a response: the one named by the question, the largest, or all together; visible figures confirm them",
            query.map_or("drawing", String::as_str),
            form,
        )
    }

    fn rule(&self) -> Option<Rule> {
        self.spec.rule
    }

    fn answers(&self) -> &'static [AnswerField] {
        match (self.source, self.spec.take, self.spec.over) {
            (Source::Own, ..) => &[AnswerField::Value, AnswerField::Name],
            (Source::OverTime, ..) => &[AnswerField::Value, AnswerField::Name, AnswerField::Code],
            (Source::Field, ..) => &[AnswerField::Value, AnswerField::Direction],
            (Source::Drawing, Take::Ends, _) => OF_PARTNERS,
            (Source::Drawing, _, Some(_)) if !self.is_of_one() => &[AnswerField::Value],
            _ => OF_PRODUCTS,
        }
    }

    fn read(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found {
        if self.source == Source::Field {
            view.region(point)?;
        }
        let query = self.query(view, point, wanted);
        match self.source {
            Source::Drawing => query.of_drawing(),
            Source::OverTime => query.over_time(),
            Source::Labelled => query.labelled(),
            Source::Field => query.of_field(),
            Source::Own => query.of_own(),
        }
    }

    fn answer(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found {
        match self.source {
            Source::Labelled => self.query(view, point, wanted).labelled_by_answers(),
            Source::Field => self.query(view, point, wanted).of_field(),
            _ => self.read(view, point, wanted),
        }
    }

    fn for_person(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Vec<Slot> {
        self.query(view, point, wanted).slots()
    }

    fn is_backed(&self, point: &Point) -> bool {
        self.source == Source::Drawing || point.response.is_some()
    }

    fn is_unconfirmed(&self, view: &View<'_>) -> bool {
        self.source == Source::Drawing && Drawing::of(view).is_unconfirmed(view)
    }

    fn tooltips(&self, view: &View<'_>, wanted: &Wanted) -> Vec<Tooltip> {
        match self.source {
            Source::Drawing if !self.spec.tooltip().is_empty() => {
                Drawing::of(view).tooltip(view, wanted).into_iter().collect()
            }
            Source::OverTime => {
                let places = HOVERS.into_iter().zip(tooltip::places(view.requested.seed()));
                let hover = |(name, (across, down)): (&str, (u8, u8))| Tooltip {
                    name: name.to_owned(),
                    over: PointerTarget::Place(across, down),
                };
                places.map(hover).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The value of one or more rows.
struct Figure {
    keys: Vec<(String, String)>,
    context: Context,
    reading: Reading,
    value: String,
    /// Where it was found, as text for people.
    locator: String,
    /// Its source in the responses.
    source: String,
}

/// The reason for an unconfirmed response.
const UNCONFIRMED: &str = "nothing visible confirmed this response";

/// The agreement with its reason: how the response is confirmed, or otherwise `otherwise`.
fn confirmed(by: Option<String>, otherwise: &str) -> (Agreement, String) {
    by.map_or_else(|| (Agreement::Unverified, otherwise.to_owned()), |reason| (Agreement::Agrees, reason))
}

impl Rows {
    fn query<'q, 'a>(&'q self, view: &'q View<'a>, point: &'q Point, wanted: &'q Wanted) -> Query<'q, 'a> {
        Query { rows: self, spec: &self.spec, view, point, wanted }
    }

    /// Whether the question names the row.
    fn is_of_one(&self) -> bool {
        self.spec.take == Take::Asked && matches!(self.spec.of, Some(RowOf::Product | RowOf::Partner))
    }

    /// Whether the country's own rows are needed beside the drawing.
    fn needs_country(&self) -> bool {
        let is_all_over_time = self.source == Source::OverTime && self.spec.take == Take::All;
        is_all_over_time || matches!(self.spec.over, Some(Over::Total | Over::PerCapita))
    }
}

impl<'q, 'a> Query<'q, 'a> {
    /// What the rows of a drawing are divided by.
    const fn division(&self) -> Of {
        if matches!(self.spec.of, Some(RowOf::Partner)) { Of::Partner } else { Of::Product }
    }

    /// The product, sector, partner or country that the question names.
    fn asked(&self) -> Result<&'q str, Miss> {
        let of = self.spec.of.unwrap_or(RowOf::Product);
        let (asked, part) = match of {
            RowOf::Product | RowOf::Sector => (&self.wanted.product, "product"),
            RowOf::Partner | RowOf::Country => (&self.wanted.partner, "partner"),
        };
        let nearest = || format!("the question names no {} (context.{part})", of.name());
        asked.as_deref().ok_or_else(|| Miss::near(FailureKind::LabelMissing, nearest()))
    }

    fn context(&self) -> Context {
        self.view.context(self.point, None)
    }

    /// The root field of the drawing, the one with the most rows.
    fn drawn(&self) -> Result<&'q Root<'a>, Miss> {
        let roots = self.view.requested.fields.iter().flat_map(|field| self.view.exchanges.named(field));
        Ok(roots.max_by_key(|root| root.rows().count()).ok_or(FailureKind::ResponseMissing)?)
    }

    /// The display rule of the value. A value without one is a count.
    fn rule_or_count(&self) -> Rule {
        self.spec.rule.unwrap_or(Rule::Integer)
    }

    fn form(&self) -> Form {
        Form::Rule { rule: self.rule_or_count(), unit: self.point.unit }
    }

    fn scaled(&self, raw: Decimal) -> Decimal {
        self.spec.scale.map_or(raw, |scale| raw.saturating_mul(scale))
    }

    /// A number, and its displayed text.
    fn number(&self, number: Decimal) -> (Reading, String) {
        let RowsSpec { rule, decimals, .. } = self.spec;
        let text =
            decimals.map_or_else(|| printed(number, *rule), |decimals| format_decimals(number, decimals));
        let unit = self.point.unit.or(rule.map(Rule::unit)).unwrap_or(Unit::Index);
        let rule = rule.filter(|_| self.spec.own);
        (Reading::Quantity(Quantity { rule, ..Quantity::exact(number, unit) }), text)
    }

    /// A response value with its confirmation.
    fn observed(&self, figure: Figure, (agreement, reason): (Agreement, String)) -> Observation {
        let Figure { keys, context, reading, value, locator, source } = figure;
        let precise = match &reading {
            Reading::Quantity(quantity) => Some(quantity.number.normalize().to_string()),
            Reading::Text(_) => Some(value.clone()),
            Reading::Absent(_) => None,
        };
        Observation {
            keys,
            rule: self.spec.rule,
            channel: Channel::PageResponse,
            locator,
            backing: precise.map(|precise| Backing { source, precise }),
            agreement,
            reason,
            ..Observation::of(self.point, context, reading, value)
        }
    }
}

/// A row key.
fn key(name: &str, text: &str) -> (String, String) {
    (name.to_owned(), text.to_owned())
}

/// The miss for a row that does not exist.
fn no_row(what: &str) -> Miss {
    Miss::near(FailureKind::ResponseMissing, format!("the page's response has no row for `{what}`"))
}
