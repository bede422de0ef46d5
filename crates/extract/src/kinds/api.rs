//! What no page shows: a figure of the answer to a query of our own.

use std::collections::BTreeSet;

use rust_decimal::Decimal;
use serde::Deserialize;

use super::kind::{Built, Description, Found, Kind, Needs, printed};
use crate::atlas::{self, PlaceId};
use crate::evidence::{Agreement, Channel};
use crate::manifest::Method;
use crate::manifest::spec::{Point, Problem, Spec, Step};
use crate::observation::{Backing, FailureKind, Miss, Observation, Reading, Wanted};
use crate::response::{self, Datum, Root, number, plain};
use crate::value::{Absence, AnswerField, Classification, Quantity, Rule, Unit, format_decimals, vocabulary};
use crate::view::View;
use crate::view::requested::plain as plain_place;

/// The parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answered {
    /// The query.
    query: String,
    /// The field of its row.
    field: Option<String>,
    /// Form of a number in the record.
    rule: Option<Rule>,
    /// Factor from the raw number to the unit.
    scale: Option<Decimal>,
    /// Decimals of the number, where no rule gives them.
    decimals: Option<u32>,
    /// What is made of the rows that the question is about.
    #[serde(default)]
    give: Give,
    /// Whether the question names the partner.
    #[serde(default)]
    partner: bool,
    /// How many of the largest rows.
    count: Option<usize>,
    /// The field that ends a span of years.
    until: Option<String>,
    /// The classification that a code is converted into: `HS2012`.
    into: Option<String>,
    /// It is of all countries together, not of the country of the page.
    #[serde(default)]
    of_world: bool,
    /// Of a table of percentiles: the variable.
    variable: Option<String>,
    /// The group of countries, by its name: its number is the site's own.
    group: Option<String>,
}

/// What is made of the rows that the question is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Give {
    /// The field of the one row.
    #[default]
    Value,
    /// The places that the field of the one row lists, by name.
    Places,
    /// The partners of the rows with the largest numbers.
    LargestPartners,
    /// How many rows there are.
    Rows,
    /// The field of all rows added up.
    Sum,
    /// The code that a product has in another classification.
    Code,
}

pub fn build(point: &Point, spec: &Spec) -> Built {
    let answered: Answered = point.find.params()?;
    let api = atlas::Api::of(spec.page);
    let at = |key| move |what| Problem::at(&[Step::Key(key)], what);
    let query = api.query(&answered.query).map_err(at("query"))?;
    for (key, field) in [("field", &answered.field), ("until", &answered.until)] {
        field.iter().try_for_each(|field| query.value(field).map(drop)).map_err(at(key))?;
    }
    Ok(Box::new(answered))
}

impl Kind for Answered {
    fn method(&self) -> Method {
        Method::ApiPreferred
    }

    fn needs(&self) -> Needs {
        let mut also = vec![self.query.clone()];
        if matches!(self.give, Give::Places | Give::LargestPartners) {
            also.push("locationCountry".to_owned());
        }
        if self.group.is_some() && self.query != "locationGroup" {
            also.push("locationGroup".to_owned());
        }
        Needs {
            own: true,
            product: true,
            partner: self.partner,
            year: true,
            target: self.into.clone(),
            also,
            ..Needs::default()
        }
    }

    fn describe(&self) -> Description {
        let form = self.rule.map_or_else(|| "as the API gives it".to_owned(), |rule| format!("{rule:?}"));
        Description::of("what no page shows: the answer to a query of our own", self.query.clone(), form)
    }

    fn rule(&self) -> Option<Rule> {
        self.rule
    }

    fn answers(&self) -> &'static [AnswerField] {
        &[AnswerField::Value, AnswerField::Name]
    }

    fn read(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found {
        let root = view.exchanges.named(&self.query).max_by_key(|root| root.rows().count());
        let root = root.ok_or(FailureKind::ResponseMissing)?;
        if self.give == Give::Code {
            return self.converted(view, point, wanted, root).map(|one| vec![one]);
        }
        // an answer that is no list is its own only row
        let alone = std::iter::once(root.data()).filter(|data| matches!(data, Datum::Object(_)));
        let rows = root.rows().chain(alone);
        let rows: Vec<&Datum<'_>> = rows.filter(|row| self.is_about(view, wanted, root, row)).collect();
        match self.give {
            Give::Rows if !matches!(root.data(), Datum::List(_)) => Err(FailureKind::ResponseMissing.into()),
            Give::Rows => {
                let number = Decimal::from(rows.len());
                Ok(vec![self.number(view, point, wanted, number, response::source(root, "rows"))])
            }
            Give::Sum => {
                let field = self.field.as_deref().unwrap_or_default();
                let source = format!("{}, added up", response::source(root, field));
                let keys = root.keys(field).filter(|_| !rows.is_empty());
                let keys = keys.ok_or_else(|| Miss::near(FailureKind::ResponseMissing, source.clone()))?;
                let values = rows.iter().filter_map(|row| compared(root, field, root.at(row, &keys)));
                let sum = values.fold(Decimal::ZERO, Decimal::saturating_add);
                Ok(vec![self.number(view, point, wanted, sum, source)])
            }
            Give::Places => self.places(view, point, wanted, root, self.one(&rows)?),
            Give::LargestPartners => self.largest(view, point, root, rows),
            Give::Value | Give::Code => {
                let row = self.one(&rows)?;
                self.value(view, point, wanted, root, row).map(|one| vec![one])
            }
        }
    }

    fn answer(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found {
        self.read(view, point, wanted)
    }
}

impl Answered {
    /// Whether a row is about what the question names, as far as the row says what it is about.
    fn is_about(&self, view: &View<'_>, wanted: &Wanted, root: &Root<'_>, row: &Datum<'_>) -> bool {
        let text = |key: &str| root.at(row, &root.keys(key)?).and_then(plain);
        let is = |key: &str, asked: Option<String>| {
            text(key).zip(asked).is_none_or(|(given, asked)| given == asked)
        };
        let asked = &view.requested;
        let country = asked.country().map(|id| PlaceId::Country(id).to_string());
        let group = match &self.group {
            Some(name) => Some(view.catalogues().group(name).unwrap_or_default().to_owned()),
            None => asked.subject.filter(|place| place.country().is_none()).map(|place| place.to_string()),
        };
        let partner = wanted.partner.as_deref().map(|code| format!("country-{code}"));
        let partner = partner.filter(|partner| Some(partner) != country.as_ref());
        let year = wanted.year.or(asked.year).map(|year| year.to_string());
        // what an address leaves open is of HS 1992
        let class = asked.class.or(Some(Classification::Hs92)).map(|class| class.name().to_owned());
        let product = || {
            let Some(code) = wanted.product.as_deref() else { return true };
            let of_row = text("productId").and_then(|id| view.catalogues().product(&id));
            let given = of_row.map(|item| item.code.clone()).or_else(|| text("code"));
            given.is_none_or(|given| given.eq_ignore_ascii_case(code))
        };
        is("year", year)
            && is("countryId", country)
            && is("groupId", group)
            && is("partnerCountryId", partner)
            && is("productClassification", class)
            && is("variable", self.variable.clone())
            && product()
    }

    fn one<'r, 'a>(&self, rows: &[&'r Datum<'a>]) -> Result<&'r Datum<'a>, Miss> {
        match rows {
            [row] => Ok(row),
            [] => {
                let nearest = format!("{} has no row of what the question names", self.query);
                Err(Miss::near(FailureKind::OtherContext(Vec::new()), nearest))
            }
            several => {
                let what = format!("{} rows of {}", several.len(), self.query);
                Err(FailureKind::Ambiguous(vec![what]).into())
            }
        }
    }

    fn value(
        &self,
        view: &View<'_>,
        point: &Point,
        wanted: &Wanted,
        root: &Root<'_>,
        row: &Datum<'_>,
    ) -> Result<Observation, Miss> {
        let field = self.field.as_deref().unwrap_or_default();
        let at = |field: &str| root.at(row, &root.keys(field)?);
        let (given, source) = (at(field), response::source(root, field));
        if let Some(until) = &self.until {
            let end = at(until).and_then(plain);
            let text = given.and_then(plain).zip(end).map(|(start, end)| format!("{start}-{end}"));
            let text = text.ok_or_else(|| Miss::near(FailureKind::ResponseMissing, source.clone()))?;
            return Ok(self.text(view, point, wanted, text, source));
        }
        Ok(match given {
            Some(Datum::Flag(flag)) => {
                let word = if *flag { "yes" } else { "no" };
                let word = vocabulary::canonical("truth_value", word).unwrap_or(word);
                self.text(view, point, wanted, word.to_owned(), source)
            }
            Some(given) if self.rule.is_some() || self.decimals.is_some() => match number(given) {
                Some(raw) => {
                    let number = self.scale.map_or(raw, |scale| raw.saturating_mul(scale));
                    self.number(view, point, wanted, number, source)
                }
                None => {
                    // that there is none is known where the same response has numbers otherwise
                    let holds = |row: &Datum<'_>| {
                        root.keys(field).and_then(|keys| root.at(row, &keys)).and_then(number).is_some()
                    };
                    let is_list = root.rows().nth(1).is_some();
                    let is_known =
                        view.beside(|| if is_list { root.rows().any(holds) } else { root.has_numbers() });
                    if !given.is_null() || !is_known {
                        root.lacks(&format!("*.{field}"), "it is no number");
                    }
                    self.absent(view, point, wanted, source)
                }
            },
            Some(given) => match plain(given) {
                Some(text) => self.text(view, point, wanted, text, source),
                None => self.absent(view, point, wanted, source),
            },
            None => return Err(Miss::near(FailureKind::ResponseMissing, source)),
        })
    }

    fn observation(
        &self,
        view: &View<'_>,
        point: &Point,
        wanted: &Wanted,
        (reading, value, source): (Reading, String, String),
    ) -> Observation {
        let mut context = view.context(point, wanted.year);
        context.product = wanted.product.clone();
        context.partner = wanted.partner.clone().filter(|partner| Some(partner) != context.country.as_ref());
        if let Some(group @ PlaceId::Group(_)) = view.requested.subject {
            context.country = Some(plain_place(&group));
        }
        if self.of_world {
            context.country = None;
        }
        Observation {
            keys: self.group.iter().map(|group| ("name".to_owned(), group.clone())).collect(),
            rule: self.rule,
            channel: Channel::Api,
            locator: source.clone(),
            backing: Some(Backing { source, precise: precise(&reading, &value) }),
            agreement: Agreement::Unverified,
            ..Observation::of(point, context, reading, value)
        }
    }

    fn number(
        &self,
        view: &View<'_>,
        point: &Point,
        wanted: &Wanted,
        number: Decimal,
        source: String,
    ) -> Observation {
        let rule = self.rule;
        let text =
            self.decimals.map_or_else(|| printed(number, rule), |decimals| format_decimals(number, decimals));
        let unit = point.unit.or(rule.map(Rule::unit)).unwrap_or(Unit::Index);
        let reading = Reading::Quantity(Quantity { rule, ..Quantity::exact(number, unit) });
        self.observation(view, point, wanted, (reading, text, source))
    }

    fn text(
        &self,
        view: &View<'_>,
        point: &Point,
        wanted: &Wanted,
        text: String,
        source: String,
    ) -> Observation {
        self.observation(view, point, wanted, (Reading::Text(text.clone()), text, source))
    }

    /// The API says null: of a figure a year, that its series begins later.
    fn absent(&self, view: &View<'_>, point: &Point, wanted: &Wanted, source: String) -> Observation {
        let absence = if wanted.year.or(view.requested.year).is_some() && point.unit.is_some() {
            Absence::NullBeforeFirstYear
        } else {
            Absence::NotShownHere
        };
        let mut one =
            self.observation(view, point, wanted, (Reading::Absent(absence), "N/A".to_owned(), source));
        one.backing = None;
        one.reason = format!("{} is null", one.locator);
        one
    }

    /// The places that a field lists, in the order of their names.
    fn places(
        &self,
        view: &View<'_>,
        point: &Point,
        wanted: &Wanted,
        root: &Root<'_>,
        row: &Datum<'_>,
    ) -> Found {
        let field = self.field.as_deref().unwrap_or_default();
        let source = response::source(root, field);
        let listed =
            root.keys(field).and_then(|keys| root.at(row, &keys)).map(Datum::items).unwrap_or_default();
        let mut places: Vec<(String, String)> = Vec::new();
        for id in listed.iter().filter_map(plain) {
            let place = view.catalogues().place(&id);
            let place = place.ok_or_else(|| {
                Miss::near(FailureKind::ResponseMissing, format!("no catalogue names {id}"))
            })?;
            places.push((place.name.clone(), place.code.clone()));
        }
        if places.is_empty() {
            return Err(Miss::near(FailureKind::ResponseMissing, source));
        }
        places.sort();
        let one = |(name, code): (String, String)| Observation {
            keys: vec![("name".to_owned(), name.clone()), ("code".to_owned(), code)],
            ..self.text(view, point, wanted, name, source.clone())
        };
        Ok(places.into_iter().map(one).collect())
    }

    /// The partners with the largest numbers.
    fn largest(&self, view: &View<'_>, point: &Point, root: &Root<'_>, rows: Vec<&Datum<'_>>) -> Found {
        let field = self.field.as_deref().unwrap_or_default();
        let source = response::source(root, field);
        let keys = root.keys("partnerCountryId").zip(root.keys(field));
        let (partner, value) =
            keys.ok_or_else(|| Miss::near(FailureKind::ResponseMissing, source.clone()))?;
        let read = |row: &&Datum<'_>| {
            let id = root.at(row, &partner).and_then(plain);
            let place = id.and_then(|id| view.catalogues().place(&id));
            let number =
                compared(root, field, root.at(row, &value)).filter(|number| *number > Decimal::ZERO)?;
            if place.is_none() {
                root.lacks("*.partnerCountryId", "no catalogue says what a partner is");
            }
            Some((number, place?.name.clone(), place?.code.clone()))
        };
        let mut partners: Vec<(Decimal, String, String)> = rows.iter().filter_map(read).collect();
        partners.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
        partners.truncate(self.count.unwrap_or(1));
        if partners.is_empty() {
            return Err(Miss::near(FailureKind::ResponseMissing, source));
        }
        let product = view.requested.product().and_then(|id| view.catalogues().product(&id.to_string()));
        let one = |(rank, (number, name, code)): (usize, (Decimal, String, String))| {
            let wanted = Wanted {
                partner: Some(code),
                product: product.map(|item| item.code.clone()),
                ..Wanted::default()
            };
            let keys = vec![("rank".to_owned(), (rank + 1).to_string()), ("partner".to_owned(), name)];
            Observation { keys, ..self.number(view, point, &wanted, number, source.clone()) }
        };
        Ok(partners.into_iter().enumerate().map(one).collect())
    }

    /// The codes that a product's code becomes on the way into another classification. A step without codes changes none.
    fn converted(
        &self,
        view: &View<'_>,
        point: &Point,
        wanted: &Wanted,
        root: &Root<'_>,
    ) -> Result<Observation, Miss> {
        let Some(code) = wanted.product.clone() else {
            let nearest = "the question names no product (context.product)".to_owned();
            return Err(Miss::near(FailureKind::LabelMissing, nearest));
        };
        let source = response::source(root, "codes");
        let (codes, own, targets) =
            (root.keys("codes"), root.keys("codes.sourceCode"), root.keys("codes.targetCodes"));
        let mut known = BTreeSet::from([code]);
        let last = |keys: Option<Vec<String>>| keys.and_then(|keys| keys.last().cloned());
        let (own, targets) = (last(own), last(targets));
        let (Some(codes), Some(own), Some(targets)) = (codes, own, targets) else {
            return Err(Miss::near(FailureKind::ResponseMissing, source));
        };
        for step in root.rows() {
            let changed = root.at(step, &codes).map(Datum::items).unwrap_or_default();
            if changed.is_empty() {
                continue;
            }
            let of_known = changed
                .iter()
                .filter(|one| one.get(&own).and_then(plain).is_some_and(|code| known.contains(&code)));
            known = of_known
                .flat_map(|one| one.get(&targets).map(Datum::items).unwrap_or_default())
                .filter_map(plain)
                .collect();
        }
        if known.is_empty() {
            return Err(Miss::near(FailureKind::ResponseMissing, source));
        }
        let text = known.into_iter().collect::<Vec<_>>().join(", ");
        Ok(self.text(view, point, wanted, text, source))
    }
}

/// A value of a row that is ranked or added up, and so has to be a number.
fn compared(root: &Root<'_>, field: &str, given: Option<&Datum<'_>>) -> Option<Decimal> {
    let number = given.and_then(number);
    if number.is_none() {
        root.lacks(&format!("*.{field}"), "it is no number in a row");
    }
    number
}

fn precise(reading: &Reading, value: &str) -> String {
    match reading {
        Reading::Quantity(quantity) => quantity.number.normalize().to_string(),
        Reading::Text(_) | Reading::Absent(_) => value.to_owned(),
    }
}
