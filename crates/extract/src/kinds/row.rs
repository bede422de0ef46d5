//! A field of one row of a response of a country's page, which is drawn as a mark without a text: a bubble, a node, a dot.

use rust_decimal::Decimal;
use serde::Deserialize;

use super::cells::no_response;
use super::kind::{Built, Description, Found, Kind, Needs, printed};
use super::years::are_whole;
use crate::atlas::{Api, PageKind, country_name};
use crate::evidence::{Agreement, Channel};
use crate::manifest::Method;
use crate::manifest::spec::{Point, Problem, Spec, Step};
use crate::observation::{Backing, FailureKind, Miss, Observation, Reading, Wanted};
use crate::response::rows::year_of;
use crate::response::{self, Datum, Root, number, plain};
use crate::value::{Absence, Context, Period, Quantity, Rule, Unit, vocabulary};
use crate::view::View;

/// The parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// What a row is about.
    of: Of,
    /// Path of what names it: a product's code, a sector's name, a country's id.
    key: String,
    /// Path of the value.
    value: String,
    /// Path of its year, where there are rows of several; a question names one, or all are read.
    year: Option<String>,
    /// Form of a number in the record.
    rule: Option<Rule>,
    /// Factor from the raw number to the unit.
    scale: Option<Decimal>,
    /// How many things a list holds, in place of the value.
    #[serde(default)]
    count: bool,
}

/// What a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Of {
    /// A product or group of products, by its code.
    Product,
    /// A sector, by its name.
    Sector,
    /// A country, whichever page draws it, by its M49 code: `context.partner` of a question; its own without one.
    Country,
}

pub fn build(point: &Point, spec: &Spec) -> Built {
    let row: Row = point.find.params()?;
    let Some(response) = &point.response else {
        return Err("a row is read from `response`".to_owned().into());
    };
    let at = |key| move |what| Problem::at(&[Step::Key(key)], what);
    let query = Api::of(spec.page).query(&response.field).map_err(at("value"))?;
    for (key, path) in [
        ("key", Some(&row.key)),
        ("value", Some(&row.value).filter(|_| !row.count)),
        ("year", row.year.as_ref()),
    ] {
        path.map_or(Ok(()), |path| query.value(path).map(drop)).map_err(at(key))?;
    }
    Ok(Box::new(row))
}

impl Kind for Row {
    fn method(&self) -> Method {
        Method::ApiPreferred
    }

    fn needs(&self) -> Needs {
        Needs {
            pages: &[PageKind::Country],
            product: self.of != Of::Country,
            partner: self.of == Of::Country,
            year: self.year.is_some(),
            ..Needs::default()
        }
    }

    fn describe(&self) -> Description {
        let form = self.rule.map_or_else(|| "a word".to_owned(), |rule| format!("{rule:?}"));
        Description::of("a drawn mark without a text: a row of the response", "drawing", form)
    }

    fn rule(&self) -> Option<Rule> {
        self.rule
    }

    fn read(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found {
        view.region(point)?;
        self.answer(view, point, wanted)
    }

    fn answer(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found {
        let (asked, part) = match self.of {
            Of::Country => (wanted.partner.as_ref(), "partner"),
            Of::Product | Of::Sector => (wanted.product.as_ref(), "product"),
        };
        let nearest = || format!("the question names none (context.{part})");
        let asked = asked.ok_or_else(|| Miss::near(FailureKind::LabelMissing, nearest()))?;
        let country = view.country();
        let response = point.response.as_ref().zip(country);
        let (response, country) = response.ok_or_else(|| no_response(view, point))?;
        let holds =
            |root: &&response::Root<'_>| root.keys(&self.key).is_some() && root.keys(&self.value).is_some();
        let root = response::roots(&view.exchanges, response, country)
            .filter(holds)
            .max_by_key(|root| root.rows().count());
        let root = root.ok_or_else(|| no_response(view, point))?;
        let source = response::source(root, &self.value);
        let years = self.year.as_deref().and_then(|path| root.keys(path));
        let year_of = |row: &Datum<'_>| year_of(root, row, years.as_deref()?);
        let is_wanted = |row: &&Datum<'_>| {
            let named = at(root, row, &self.key).and_then(plain).is_some_and(|key| self.names(&key, asked));
            named && wanted.year.is_none_or(|year| year_of(row).is_none_or(|of| of == year))
        };
        let mut rows: Vec<&Datum<'_>> = root.rows().filter(is_wanted).collect();
        rows.sort_by_key(|row| year_of(row));
        if rows.is_empty() {
            let nearest = format!("the page's response has no row of `{asked}`");
            return Err(Miss::near(FailureKind::ResponseMissing, nearest));
        }
        if years.is_some() && wanted.year.is_none() {
            let is_asked = |year: i16| wanted.years.is_none_or(|all| (all.start..=all.end).contains(&year));
            rows.retain(|row| year_of(row).is_some_and(is_asked));
            let holds = |row: &&&Datum<'_>| at(root, row, &self.value).is_some_and(|value| !value.is_null());
            let found = rows.iter().filter(holds).filter_map(|row| year_of(row)).collect();
            are_whole(wanted.years, root.rows().filter_map(year_of), &found)?;
        }
        let alone = rows.len() == 1;
        let one = |row: &Datum<'_>| {
            let year = year_of(row);
            let mut context = self.context(view, point, asked);
            context.period = year.map(Period::year).or(context.period);
            let (reading, value) = self.value(view, point, root, row);
            let mut keys = Vec::new();
            keys.extend(match self.of {
                Of::Product => Some(("code".to_owned(), asked.clone())),
                Of::Sector => Some(("sector".to_owned(), asked.clone())),
                // as in a table of peers: the page's own country needs no head
                Of::Country if context.country == view.context(point, None).country => None,
                Of::Country => Some(("row".to_owned(), country_name(asked).unwrap_or(asked).to_owned())),
            });
            keys.extend(year.filter(|_| !alone).map(|year| ("column".to_owned(), year.to_string())));
            let precise = match &reading {
                Reading::Quantity(quantity) => Some(quantity.number.normalize().to_string()),
                Reading::Text(word) => Some(word.clone()),
                Reading::Absent(_) => None,
            };
            Observation {
                keys,
                rule: self.rule,
                channel: Channel::PageResponse,
                locator: format!("section `{}`, drawn; {source} of {asked}", point.section),
                backing: precise.map(|precise| Backing { source: source.clone(), precise }),
                agreement: Agreement::Unverified,
                reason: "a mark without a text: nothing visible confirms the response".to_owned(),
                ..Observation::of(point, context, reading, value)
            }
        };
        Ok(rows.into_iter().map(one).collect())
    }
}

/// What stands at a path below a row.
fn at<'r, 'a>(root: &Root<'_>, row: &'r Datum<'a>, path: &str) -> Option<&'r Datum<'a>> {
    root.at(row, &root.keys(path)?)
}

impl Row {
    fn names(&self, key: &str, asked: &str) -> bool {
        match self.of {
            Of::Product => key.eq_ignore_ascii_case(asked),
            Of::Sector => {
                key.eq_ignore_ascii_case(asked)
                    || vocabulary::same_words_of(Some("sector"), key, asked).is_some()
            }
            Of::Country => key.strip_prefix("location-") == Some(asked),
        }
    }

    fn context(&self, view: &View<'_>, point: &Point, asked: &str) -> Context {
        let mut context = view.context(point, None);
        match self.of {
            Of::Country => context.country = Some(asked.to_owned()),
            Of::Product | Of::Sector => context.product = Some(asked.to_owned()),
        }
        context
    }

    /// The value of a row. That it has none is known where another row has one.
    fn value(&self, view: &View<'_>, point: &Point, root: &Root<'_>, row: &Datum<'_>) -> (Reading, String) {
        let given = at(root, row, &self.value);
        let raw = |given: Option<&Datum<'_>>| match given? {
            Datum::List(items) if self.count => Some(Decimal::from(items.len())),
            given => number(given),
        };
        let raw_of = |row: &Datum<'_>| raw(at(root, row, &self.value));
        let is_other = given.is_some_and(|given| !given.is_null());
        let raw = raw(given);
        if raw.is_none() && self.rule.is_some() {
            let is_nowhere = || view.beside(|| root.rows().all(|row| raw_of(row).is_none()));
            if is_other || is_nowhere() {
                root.lacks(&format!("*.{}", self.value), "it is no number");
            }
        }
        if let Some(raw) = raw.filter(|_| self.rule.is_some()) {
            let number = self.scale.map_or(raw, |scale| raw.saturating_mul(scale));
            let unit = point.unit.or(self.rule.map(Rule::unit)).unwrap_or(Unit::Index);
            return (Reading::Quantity(Quantity::exact(number, unit)), printed(number, self.rule));
        }
        match given.and_then(plain).filter(|_| self.rule.is_none()) {
            Some(word) => {
                let kind = point.vocabulary.as_deref();
                let word = kind
                    .and_then(|kind| vocabulary::canonical(kind, &word))
                    .map_or(word.clone(), str::to_owned);
                (Reading::Text(word.clone()), word)
            }
            None => (Reading::Absent(Absence::NotShownHere), "N/A".to_owned()),
        }
    }
}
