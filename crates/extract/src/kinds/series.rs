//! A value a year of what an Explore page draws over time: the response, checked against the total in the corner, the labels
//! at the ends of lines and the tooltips over the drawing.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::Deserialize;

use super::group::is_member;
use super::kind::{Built, Description, Found, Kind, Needs, Slot, printed};
use super::years::are_whole;
use crate::atlas::{PageKind, Viz};
use crate::capture::PointerTarget;
use crate::evidence::{Agreement, Channel};
use crate::form::Form;
use crate::manifest::Method;
use crate::manifest::spec::{Point, Spec};
use crate::observation::{Backing, FailureKind, Miss, Observation, Reading, Tooltip, Wanted};
use crate::response::rows::year_of;
use crate::response::{self, Root, Unread, number, plain};
use crate::tooltip::{self, HOVERS};
use crate::treemap::{Of, TotalLabel};
use crate::value::{AnswerField, Basis, Context, ContextPart, Flow, Period, Quantity, Rule, Scope, Unit};
use crate::view::requested::plain as plain_place;
use crate::view::{Source, View};

/// The parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Series {
    /// What the rows stand for.
    of: Of,
    /// Form of a value in the record and in the tooltips.
    rule: Rule,
    /// All rows together, not those of one sector, product or partner.
    #[serde(default)]
    total: bool,
    /// Over the same of the whole world, in per cent.
    #[serde(default)]
    of_world: bool,
    /// Over the country's population.
    #[serde(default)]
    per_capita: bool,
    /// In place of values: the so many rows that changed most from the first to the last year, by how much they grew.
    changes: Option<usize>,
}

pub fn build(point: &Point, _spec: &Spec) -> Built {
    let series: Series = point.find.params()?;
    Ok(Box::new(series))
}

const UNCONFIRMED: &str = "nothing visible confirmed this response";
const OVERTIME: PageKind = PageKind::Explore(Viz::Overtime);
const MARKETSHARE: PageKind = PageKind::Explore(Viz::Marketshare);

impl Kind for Series {
    fn method(&self) -> Method {
        Method::ApiPreferred
    }

    fn needs(&self) -> Needs {
        let beside = [("productYear", self.of_world), ("countryYear", self.total || self.per_capita)];
        Needs {
            pages: &[OVERTIME, MARKETSHARE],
            product: self.of == Of::Product && !self.total && self.changes.is_none(),
            partner: self.of == Of::Partner && !self.total && self.changes.is_none(),
            year: self.changes.is_none(),
            picture: true,
            rows: true,
            also: beside.into_iter().filter(|(_, is)| *is).map(|(name, _)| name.to_owned()).collect(),
            ..Needs::default()
        }
    }

    fn describe(&self) -> Description {
        Description::of(
            "a value a year of a drawing over time, checked against the corner, the labels at the ends of lines and the tooltips",
            "drawing",
            format!("{:?}", self.rule),
        )
    }

    fn rule(&self) -> Option<Rule> {
        Some(self.rule)
    }

    fn answers(&self) -> &'static [AnswerField] {
        &[AnswerField::Value, AnswerField::Name, AnswerField::Code]
    }

    fn read(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found {
        let rows = Rows::read(view, self.of)?;
        // what else is drawn may confirm the response; that it is not whole says nothing of what is asked for
        let check = || if view.source == Source::Ours { Ok(None) } else { self.check(view, &rows, point) };
        let checked = view.beside(check)?;
        if let Some(count) = self.changes {
            return self.changed(view, point, &rows, count, checked);
        }
        let asked = self.asked(wanted)?;
        let values = self.values(view, &rows, asked, point)?;
        let years: Vec<i16> = match wanted.year {
            Some(year) if values.contains_key(&year) => vec![year],
            Some(year) => {
                let what = format!("the page's response has no value of {year}");
                return Err(Miss::near(FailureKind::OtherContext(vec![(ContextPart::Period, what)]), None));
            }
            None => {
                let shown = view.requested.first.zip(view.requested.year);
                let shown = shown.map(|(start, end)| Period { start, end });
                let asked = wanted.years.or(shown);
                let is_asked = |year: &i16| asked.is_none_or(|all| (all.start..=all.end).contains(year));
                let found = values.keys().copied().filter(is_asked).collect();
                are_whole(asked, rows.rows.iter().map(|row| row.year), &found)?;
                found.into_iter().collect()
            }
        };
        let alone = years.len() == 1;
        let observe = |year: i16| {
            let value = values[&year];
            let mut context = view.context(point, None);
            context.period = Some(Period::year(year));
            context.scope = Some(rows.scope(asked));
            context.partner = view.requested.partner.as_ref().map(plain_place);
            match (self.of, asked) {
                (Of::Product, Some(asked)) => context.product = Some(asked.to_owned()),
                (Of::Partner, Some(asked)) => context.partner = Some(rows.code(asked)),
                (_, None) => {}
            }
            let mut keys: Vec<(String, String)> = Vec::new();
            let key = if self.of == Of::Product { "sector" } else { "partner" };
            keys.extend(asked.map(|asked| (key.to_owned(), rows.name(asked))));
            keys.extend((!alone).then(|| ("column".to_owned(), year.to_string())));
            let unit = if self.of_world { Unit::Percent } else { Unit::Usd };
            Observation {
                keys,
                rule: Some(self.rule),
                channel: Channel::PageResponse,
                locator: format!("the drawing at {year}"),
                backing: Some(Backing {
                    source: rows.source.clone(),
                    precise: value.normalize().to_string(),
                }),
                agreement: if checked.is_some() { Agreement::Agrees } else { Agreement::Unverified },
                reason: checked.clone().unwrap_or_else(|| UNCONFIRMED.to_owned()),
                ..Observation::of(
                    point,
                    context,
                    Reading::Quantity(Quantity::exact(value, unit)),
                    printed(value, Some(self.rule)),
                )
            }
        };
        Ok(years.into_iter().map(observe).collect())
    }

    /// The value of one year: no picture shows how many years a drawing has values of.
    fn for_person(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Vec<Slot> {
        let asked = self.asked(wanted).ok().filter(|_| self.changes.is_none());
        let (Some(asked), Some(year)) = (asked, wanted.year) else { return Vec::new() };
        let mut context = Context { period: Some(Period::year(year)), ..view.context(point, None) };
        let mut keys = Vec::new();
        match (self.of, asked) {
            (Of::Product, Some(asked)) => {
                context.product = Some(asked.to_owned());
                keys.push(("sector".to_owned(), asked.to_owned()));
            }
            (Of::Partner, Some(asked)) => {
                let item = view.catalogues().place_called(asked);
                context.partner = Some(item.map_or_else(|| asked.to_owned(), |item| item.code.clone()));
                keys.push((
                    "partner".to_owned(),
                    item.map_or_else(|| asked.to_owned(), |item| item.name.clone()),
                ));
            }
            (_, None) => {}
        }
        vec![Slot { keys, ..Slot::of(Form::Rule { rule: self.rule, unit: point.unit }, context) }]
    }

    fn answer(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found {
        self.read(view, point, wanted)
    }

    fn tooltips(&self, view: &View<'_>, _wanted: &Wanted) -> Vec<Tooltip> {
        let places = tooltip::places(view.requested.seed());
        let hover = |(name, (across, down)): (&str, (u8, u8))| Tooltip {
            name: name.to_owned(),
            over: PointerTarget::Place(across, down),
        };
        HOVERS.into_iter().zip(places).map(hover).collect()
    }
}

/// The rows behind a drawing over time.
struct Rows {
    of: Of,
    rows: Vec<Traded>,
    /// Query and field, and where it is kept that a row has no number in it.
    column: String,
    unread: Unread,
    source: String,
    both: bool,
}

/// What was traded of a product or with a partner in a year.
struct Traded {
    year: i16,
    code: String,
    name: String,
    sector: String,
    service: bool,
    value: Option<Decimal>,
}

impl Rows {
    fn read(view: &View<'_>, of: Of) -> Result<Self, Miss> {
        let roots = view.requested.fields.iter().flat_map(|field| view.exchanges.named(field));
        let root = roots.max_by_key(|root| root.rows().count()).ok_or(FailureKind::ResponseMissing)?;
        let field = if view.requested.flow == Flow::Import { "importValue" } else { "exportValue" };
        let rows = Self::of_root(view, root, of, field).filter(|rows| !rows.rows.is_empty());
        rows.ok_or_else(|| FailureKind::ResponseMissing.into())
    }

    fn of_root(view: &View<'_>, root: &Root<'_>, of: Of, field: &str) -> Option<Self> {
        let id = root.keys(if of == Of::Partner { "partnerCountryId" } else { "productId" })?;
        let (year, value) = (root.keys("year")?, root.keys(field)?);
        let read = |row| {
            let (id, year) = (root.at(row, &id).and_then(plain), year_of(root, row, &year)?);
            let Some(id) = id.filter(|id| !view.catalogues().is_nameless(id)) else {
                root.lacks("*", "a row does not say what it is");
                return None;
            };
            let item =
                if of == Of::Partner { view.catalogues().place(&id) } else { view.catalogues().product(&id) };
            Some(Traded {
                year,
                value: root.at(row, &value).and_then(number),
                code: item.map_or_else(|| id.clone(), |item| item.code.clone()),
                name: item.map_or_else(String::new, |item| item.name.clone()),
                // a sector is the top of its own products
                sector: item.map_or_else(String::new, |item| match item.sector.as_str() {
                    "" => item.name.clone(),
                    sector => sector.to_owned(),
                }),
                service: item.is_none_or(|item| item.service),
            })
        };
        let rows: Vec<Traded> = root.rows().filter_map(read).collect();
        let both = root.args.get("servicesClass").is_some_and(|class| class == "unilateral");
        let column = format!("{}.*.{field}", root.field);
        let (source, unread) = (response::source(root, field), root.unread().clone());
        Some(Self { of, rows, column, unread, source, both })
    }

    fn is(&self, row: &Traded, asked: &str) -> bool {
        match self.of {
            Of::Product => is_member(&row.code, &row.name, &row.sector, row.service, asked),
            Of::Partner => row.code == asked || row.name.eq_ignore_ascii_case(asked),
        }
    }

    /// Sums by year; of one sector, product or partner, or of all.
    fn sums(&self, asked: Option<&str>) -> BTreeMap<i16, Decimal> {
        let mut sums = BTreeMap::new();
        for row in self.rows.iter().filter(|row| asked.is_none_or(|asked| self.is(row, asked))) {
            let sum = sums.entry(row.year).or_insert(Decimal::ZERO);
            *sum = sum.saturating_add(self.number(row));
        }
        sums
    }

    /// The value of a row that is added up or compared, and so has to be a number.
    fn number(&self, row: &Traded) -> Decimal {
        row.value.unwrap_or_else(|| {
            let (name, year) = (if row.name.is_empty() { &row.code } else { &row.name }, row.year);
            self.unread.note(self.column.as_str(), format!("it is no number for {name} in {year}"));
            Decimal::ZERO
        })
    }

    fn find(&self, asked: &str) -> Option<&Traded> {
        self.rows.iter().find(|row| self.is(row, asked))
    }

    fn name(&self, asked: &str) -> String {
        match self.find(asked) {
            Some(row) if self.of == Of::Partner => row.name.clone(),
            _ => asked.to_owned(),
        }
    }

    fn code(&self, asked: &str) -> String {
        self.find(asked).map_or_else(|| asked.to_owned(), |row| row.code.clone())
    }

    fn scope(&self, asked: Option<&str>) -> Scope {
        let mut rows = self.rows.iter().filter(|row| asked.is_some_and(|asked| self.is(row, asked)));
        match asked {
            Some(_) if self.of == Of::Product && rows.all(|row| row.service) => Scope::Services,
            None if self.both
                || self.rows.iter().any(|row| row.service && row.value > Some(Decimal::ZERO)) =>
            {
                Scope::GoodsAndServices
            }
            _ => Scope::Goods,
        }
    }

    /// Names that a tooltip may give a value of: sectors, products, partners.
    fn names(&self) -> Vec<&str> {
        let names = self.rows.iter().flat_map(|row| [row.sector.as_str(), row.name.as_str()]);
        let mut names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

impl Series {
    /// The sector, product or partner that is asked for.
    fn asked<'w>(&self, wanted: &'w Wanted) -> Result<Option<&'w str>, Miss> {
        if self.total {
            return Ok(None);
        }
        let (asked, part) = match self.of {
            Of::Product => (&wanted.product, "product"),
            Of::Partner => (&wanted.partner, "partner"),
        };
        let nearest = || format!("the question names no {part} (context.{part})");
        asked.as_deref().map(Some).ok_or_else(|| Miss::near(FailureKind::LabelMissing, nearest()))
    }

    /// The values by year, in the unit of the point.
    fn values(
        &self,
        view: &View<'_>,
        rows: &Rows,
        asked: Option<&str>,
        point: &Point,
    ) -> Result<BTreeMap<i16, Decimal>, Miss> {
        let mut values = rows.sums(asked);
        if values.is_empty() {
            let nearest = format!("the page's response has nothing of `{}`", asked.unwrap_or("all"));
            return Err(Miss::near(FailureKind::ResponseMissing, nearest));
        }
        let over =
            |values: &mut BTreeMap<i16, Decimal>, divisors: &BTreeMap<i16, Decimal>, times: Decimal| {
                values.retain(|year, value| {
                    let divisor = divisors.get(year).filter(|divisor| !divisor.is_zero());
                    let result = divisor.and_then(|divisor| value.checked_div(*divisor)?.checked_mul(times));
                    *value = result.unwrap_or_default();
                    result.is_some()
                });
            };
        if self.of_world {
            let world = view.exchanges.named("productYear").max_by_key(|root| root.rows().count());
            let world = world.and_then(|root| Rows::of_root(view, root, self.of, "exportValue"));
            let world = world.ok_or(FailureKind::ResponseMissing)?.sums(asked);
            over(&mut values, &world, Decimal::ONE_HUNDRED);
        }
        if point.context.basis == Some(Basis::Constant) {
            over(&mut values, &by_year(view, "year", "deflator")?, Decimal::ONE);
        }
        if self.per_capita {
            over(&mut values, &by_year(view, "countryYear", "population")?, Decimal::ONE);
        }
        Ok(values)
    }

    /// The rows that grew most from the first to the last year.
    fn changed(
        &self,
        view: &View<'_>,
        point: &Point,
        rows: &Rows,
        count: usize,
        checked: Option<String>,
    ) -> Found {
        let years = || rows.rows.iter().map(|row| row.year);
        let (Some(first), Some(last)) = (years().min(), years().max()) else {
            return Err(FailureKind::ResponseMissing.into());
        };
        let shown = view.requested.first.zip(view.requested.year).filter(|shown| *shown != (first, last));
        if let Some((start, end)) = shown {
            let (asked, held) = (Period { start, end }, Period { start: first, end: last });
            return Err(FailureKind::Partial(format!("the response is about {held}, not {asked}")).into());
        }
        let mut changes: BTreeMap<(&str, &str), Decimal> = BTreeMap::new();
        for row in rows.rows.iter().filter(|row| !row.name.is_empty()) {
            let change = changes.entry((&row.code, &row.name)).or_default();
            if row.year == last {
                *change += rows.number(row);
            } else if row.year == first {
                *change -= rows.number(row);
            }
        }
        let mut changes: Vec<_> = changes.into_iter().filter(|(_, change)| *change > Decimal::ZERO).collect();
        if changes.is_empty() {
            let nearest = format!("the response has nothing that grew from {first} to {last}");
            return Err(Miss::near(FailureKind::ResponseMissing, nearest));
        }
        changes.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        let one = |(rank, ((code, name), change)): (usize, ((&str, &str), Decimal))| {
            let mut context = view.context(point, None);
            context.period = Some(Period { start: first, end: last });
            context.scope = Some(rows.scope(None));
            context.product = Some(code.to_owned());
            let key = |key: &str, text: &str| (key.to_owned(), text.to_owned());
            Observation {
                keys: vec![key("rank", &(rank + 1).to_string()), key("product", name), key("code", code)],
                rule: Some(self.rule),
                channel: Channel::PageResponse,
                locator: format!("the drawing from {first} to {last}"),
                backing: Some(Backing {
                    source: format!("{} of {last} less that of {first}", rows.source),
                    precise: change.normalize().to_string(),
                }),
                agreement: if checked.is_some() { Agreement::Agrees } else { Agreement::Unverified },
                reason: checked.clone().unwrap_or_else(|| UNCONFIRMED.to_owned()),
                ..Observation::of(
                    point,
                    context,
                    Reading::Quantity(Quantity::exact(change, Unit::Usd)),
                    printed(change, Some(self.rule)),
                )
            }
        };
        Ok(changes.into_iter().take(count).enumerate().map(one).collect())
    }

    /// What visible confirms the response, in words; none where nothing does.
    fn check(&self, view: &View<'_>, rows: &Rows, point: &Point) -> Result<Option<String>, Miss> {
        let mut reasons = Vec::new();
        let sums = rows.sums(None);
        let last = view.requested.year.or_else(|| sums.keys().last().copied());
        if let Some(last) = last.filter(|_| !view.spec.total_labels.is_empty()) {
            let field = if view.requested.flow == Flow::Import { "importValue" } else { "exportValue" };
            let of_country = by_year(view, "countryYear", field).ok().and_then(|all| all.get(&last).copied());
            let candidates: Vec<Decimal> = of_country.into_iter().chain(sums.get(&last).copied()).collect();
            let label = TotalLabel::read(view);
            let fits = |shown: &Quantity| candidates.iter().any(|one| shown.interval.contains(*one));
            match label.get(fits) {
                Ok((text, shown)) if fits(shown) => reasons.push(format!("the corner shows {text}")),
                Ok((text, _)) => {
                    let all: Vec<String> = candidates.iter().map(|one| one.normalize().to_string()).collect();
                    let what =
                        format!("the corner shows {text}, the response of {last} {}", all.join(" or "));
                    return Err(FailureKind::LabelDisagrees(what).into());
                }
                Err(miss) if matches!(miss.kind, FailureKind::Ambiguous(_)) => return Err(miss),
                Err(_) => {}
            }
        }
        // tooltips show what the page draws first: current prices, or shares of the world
        let as_drawn = Self {
            of: self.of,
            rule: self.rule,
            total: false,
            of_world: self.of_world,
            per_capita: false,
            changes: None,
        };
        let is_drawn = point.context.basis != Some(Basis::Constant);
        let current = Point {
            context: crate::value::Context { basis: None, ..point.context.clone() },
            ..point.clone()
        };
        if let Some(last) = last {
            let value =
                |name: &str| as_drawn.values(view, rows, Some(name), &current).ok()?.get(&last).copied();
            let confirmed = tooltip::end_labels(&view.page, &rows.names(), self.rule, value)?;
            if confirmed > 0 && is_drawn {
                reasons.push(format!("{confirmed} labels at the ends of lines agree"));
            }
        }
        for (state, page) in view.states.iter().filter(|(name, _)| HOVERS.contains(&name.as_str())) {
            let value = |name: &str, year: i16| {
                as_drawn.values(view, rows, Some(name), &current).ok()?.get(&year).copied()
            };
            let confirmed = tooltip::series(page, &rows.names(), self.rule, value)?;
            if let Some(text) = confirmed.filter(|_| is_drawn || !reasons.is_empty()) {
                reasons.push(format!("the tooltip at {state} shows {text}"));
            }
        }
        Ok((!reasons.is_empty()).then(|| reasons.join("; ")))
    }
}

/// A field of the rows of a query by year.
fn by_year(view: &View<'_>, query: &str, field: &str) -> Result<BTreeMap<i16, Decimal>, Miss> {
    let read = |root: &Root<'_>| {
        let (year, value) = (root.keys("year")?, root.keys(field)?);
        let one = |row| {
            let (year, value) = (year_of(root, row, &year)?, root.at(row, &value).and_then(number));
            if value.is_none() {
                root.lacks(&format!("*.{field}"), &format!("it is no number for {year}"));
            }
            Some((year, value?))
        };
        Some(root.rows().filter_map(one).collect::<BTreeMap<i16, Decimal>>())
    };
    let found = view.exchanges.named(query).filter_map(read).max_by_key(BTreeMap::len);
    found.ok_or_else(|| {
        Miss::near(FailureKind::ResponseMissing, format!("no query of the page asked {query} for {field}"))
    })
}
