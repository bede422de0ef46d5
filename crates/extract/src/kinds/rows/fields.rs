//! Row fields without a displayed text. For a mark on a country page (a bubble, a node, a dot) they
//! come from the page's own response, and for values that no page shows, from our own query.

use std::collections::BTreeSet;

use rust_decimal::Decimal;

use super::check::Source;
use super::whole::are_whole;
use super::{Figure, Query, key, no_response};
use crate::atlas::{PlaceId, country_name};
use crate::evidence::{Agreement, Channel};
use crate::kinds::kind::Found;
use crate::manifest::spec::{Over, RowOf, Take};
use crate::observation::{FailureKind, Miss, Observation, Reading, Wanted};
use crate::response::rows::year_of;
use crate::response::{self, Datum, Root, number, plain};
use crate::value::{Absence, Classification, Context, Period, vocabulary};
use crate::view::View;
use crate::view::requested::plain as plain_place;

impl Query<'_, '_> {
    /// The mark named by the question, for every wanted year.
    pub(super) fn of_field(&self) -> Found {
        let asked = self.asked()?;
        let response = self.point.response.as_ref().zip(self.view.country());
        let (response, country) = response.ok_or_else(|| no_response(self.view, self.point))?;
        let (name, field) = (self.spec.key.as_deref().unwrap_or_default(), self.field());
        let root = response::roots(&self.view.exchanges, response, country)
            .filter(|root| root.keys(name).is_some() && root.keys(field).is_some())
            .max_by_key(|root| root.rows().count());
        let root = root.ok_or_else(|| no_response(self.view, self.point))?;
        let source = response::source(root, field);
        let years = self.spec.year.as_deref().and_then(|path| root.keys(path));
        let year_of = |row: &Datum<'_>| year_of(root, row, years.as_deref()?);
        let is_wanted = |row: &&Datum<'_>| {
            let named = at(root, row, name).and_then(plain).is_some_and(|own| self.names(&own, asked));
            named && self.wanted.year.is_none_or(|year| year_of(row).is_none_or(|of| of == year))
        };
        let mut rows: Vec<&Datum<'_>> = root.rows().filter(is_wanted).collect();
        rows.sort_by_key(|row| year_of(row));
        if rows.is_empty() {
            return Err(super::no_row(asked));
        }
        if years.is_some() && self.wanted.year.is_none() {
            let is_asked =
                |year: i16| self.wanted.years.is_none_or(|all| (all.start..=all.end).contains(&year));
            rows.retain(|row| year_of(row).is_some_and(is_asked));
            let holds = |row: &&&Datum<'_>| at(root, row, field).is_some_and(|value| !value.is_null());
            let found = rows.iter().filter(holds).filter_map(|row| year_of(row)).collect();
            are_whole(self.wanted.years, root.rows().filter_map(year_of), &found)?;
        }
        let alone = rows.len() == 1;
        let one = |row: &Datum<'_>| {
            let year = year_of(row);
            let own = self.context();
            let mut context = Context { period: year.map(Period::year).or(own.period), ..own.clone() };
            let mut keys = Vec::new();
            match self.spec.of {
                Some(RowOf::Country) => {
                    context.country = Some(asked.to_owned());
                    // as in a table of peers, the page's own country needs no row name
                    let is_own = context.country == own.country;
                    keys.extend((!is_own).then(|| key("row", country_name(asked).unwrap_or(asked))));
                }
                of => {
                    context.product = Some(asked.to_owned());
                    keys.push(key(if of == Some(RowOf::Sector) { "sector" } else { "code" }, asked));
                }
            }
            keys.extend(year.filter(|_| !alone).map(|year| key("column", &year.to_string())));
            let (reading, value) = self.value((root, row), Absence::NotShownHere);
            let locator = format!("section `{}`, drawn; {source} of {asked}", self.point.section);
            let why = "a mark without a text: nothing visible confirms the response".to_owned();
            let figure = Figure { keys, context, reading, value, locator, source: source.clone() };
            self.observed(figure, (Agreement::Unverified, why))
        };
        Ok(rows.into_iter().map(one).collect())
    }

    /// The value from our own query.
    pub(super) fn of_own(&self) -> Found {
        let query = self.spec.query.as_deref().unwrap_or_default();
        let root = self.view.exchanges.named(query).max_by_key(|root| root.rows().count());
        let root = root.ok_or(FailureKind::ResponseMissing)?;
        let own = |read, source| vec![self.own(read, source)];
        let text = |text: String| (Reading::Text(text.clone()), text);
        if self.spec.over == Some(Over::Code) {
            let source = response::source(root, "codes");
            let codes = converted(self.asked()?.to_owned(), root);
            let codes = codes.filter(|codes| !codes.is_empty()).ok_or_else(|| missing(&source))?;
            return Ok(own(text(codes.into_iter().collect::<Vec<_>>().join(", ")), source));
        }
        // a response that is not a list is its own only row
        let alone = std::iter::once(root.data()).filter(|data| matches!(data, Datum::Object(_)));
        let rows = root.rows().chain(alone);
        let rows: Vec<&Datum<'_>> = rows.filter(|row| self.is_about(root, row)).collect();
        let field = self.field();
        let source = response::source(root, field);
        match (self.spec.take, self.spec.over) {
            (Take::Largest(count), _) => self.largest_partners(root, &rows, count),
            (_, Some(Over::Count)) if !matches!(root.data(), Datum::List(_)) => {
                Err(FailureKind::ResponseMissing.into())
            }
            (_, Some(Over::Count)) => {
                Ok(own(self.number(Decimal::from(rows.len())), response::source(root, "rows")))
            }
            (_, Some(Over::Sum)) => {
                let source = format!("{source}, added up");
                let keys = root.keys(field).filter(|_| !rows.is_empty()).ok_or_else(|| missing(&source))?;
                let values = rows.iter().filter_map(|row| compared(root, field, root.at(row, &keys)));
                Ok(own(self.number(values.fold(Decimal::ZERO, Decimal::saturating_add)), source))
            }
            (_, Some(Over::List)) => {
                let places = places(self.view, at(root, only(query, &rows)?, field), &source)?;
                let one = |(name, code): (String, String)| Observation {
                    keys: vec![key("name", &name), key("code", &code)],
                    ..self.own(text(name), source.clone())
                };
                Ok(places.into_iter().map(one).collect())
            }
            _ => {
                let row = only(query, &rows)?;
                let given = at(root, row, field);
                if let Some(until) = &self.spec.until {
                    let (start, end) = (given.and_then(plain), at(root, row, until).and_then(plain));
                    let span = start.zip(end).map(|(start, end)| format!("{start}-{end}"));
                    return Ok(own(text(span.ok_or_else(|| missing(&source))?), source));
                }
                given.ok_or_else(|| missing(&source))?;
                // in a yearly series, null means that the series starts later
                let is_yearly =
                    self.wanted.year.or(self.view.requested.year).is_some() && self.point.unit.is_some();
                let absence = if is_yearly { Absence::NullBeforeFirstYear } else { Absence::NotShownHere };
                Ok(own(self.value((root, row), absence), source))
            }
        }
    }

    fn field(&self) -> &str {
        self.spec.field.as_deref().unwrap_or_default()
    }

    /// Whether a name in a row matches the requested one.
    fn names(&self, own: &str, asked: &str) -> bool {
        match self.spec.of {
            Some(RowOf::Country) => own.strip_prefix("location-") == Some(asked),
            Some(RowOf::Sector) if vocabulary::same_words_of(Some("sector"), own, asked).is_some() => true,
            _ => own.eq_ignore_ascii_case(asked),
        }
    }

    /// Whether a row matches everything that the question names, as far as the row has such fields.
    fn is_about(&self, root: &Root<'_>, row: &Datum<'_>) -> bool {
        let text = |key: &str| at(root, row, key).and_then(plain);
        let is = |key: &str, asked: Option<String>| {
            text(key).zip(asked).is_none_or(|(given, asked)| given == asked)
        };
        let asked = &self.view.requested;
        let country = asked.country().map(|id| PlaceId::Country(id).to_string());
        let group = match self.spec.group() {
            Some(name) => Some(self.view.catalogues().group(name).unwrap_or_default().to_owned()),
            None => asked.subject.filter(|place| place.country().is_none()).map(|place| place.to_string()),
        };
        let partner = self.wanted.partner.as_deref().map(|code| format!("country-{code}"));
        let partner = partner.filter(|partner| Some(partner) != country.as_ref());
        let year = self.wanted.year.or(asked.year).map(|year| year.to_string());
        // an address without a classification means HS 1992
        let class = asked.class.unwrap_or(Classification::Hs92).to_string();
        let product = || {
            let Some(code) = self.wanted.product.as_deref() else { return true };
            let of_row = text("productId").and_then(|id| self.view.catalogues().product(&id));
            let given = of_row.map(|item| item.code.clone()).or_else(|| text("code"));
            given.is_none_or(|given| given.eq_ignore_ascii_case(code))
        };
        is("year", year)
            && is("countryId", country)
            && is("groupId", group)
            && is("partnerCountryId", partner)
            && is("productClassification", Some(class))
            && self
                .spec
                .select
                .iter()
                .all(|one| one.field.as_ref().is_none_or(|field| is(field, one.is.clone())))
            && product()
    }

    /// The value of a row's field. A null counts as absence only if the same response has other
    /// numbers.
    fn value(&self, (root, row): (&Root<'_>, &Datum<'_>), absence: Absence) -> (Reading, String) {
        let field = self.field();
        let given = at(root, row, field);
        let raw = |given: Option<&Datum<'_>>| match given? {
            Datum::List(items) if self.spec.over == Some(Over::Count) => Some(Decimal::from(items.len())),
            given => number(given),
        };
        let word = match given {
            Some(Datum::Flag(flag)) => {
                let word = if *flag { "yes" } else { "no" };
                Some(vocabulary::canonical("truth_value", word).unwrap_or(word).to_owned())
            }
            given if self.spec.rule.is_some() || self.spec.decimals.is_some() => {
                if let Some(raw) = raw(given) {
                    return self.number(self.scaled(raw));
                }
                let is_list = self.rows.source == Source::Field || root.rows().nth(1).is_some();
                let holds = |row: &Datum<'_>| raw(at(root, row, field)).is_some();
                let is_known =
                    self.view.beside(|| if is_list { root.rows().any(holds) } else { root.has_numbers() });
                if given.is_some_and(|given| !given.is_null()) || !is_known {
                    root.lacks(&format!("*.{field}"), "it is not a number");
                }
                None
            }
            given => given.and_then(plain).map(|word| {
                let kind = self.point.vocabulary.as_deref();
                kind.and_then(|kind| vocabulary::canonical(kind, &word)).map_or(word.clone(), str::to_owned)
            }),
        };
        word.map_or_else(
            || (Reading::Absent(absence), "N/A".to_owned()),
            |word| (Reading::Text(word.clone()), word),
        )
    }

    /// An observation from our own query.
    fn own(&self, (reading, value): (Reading, String), source: String) -> Observation {
        let mut context = self.view.context(self.point, self.wanted.year);
        context.product = self.wanted.product.clone();
        context.partner =
            self.wanted.partner.clone().filter(|partner| Some(partner) != context.country.as_ref());
        if let Some(group @ PlaceId::Group(_)) = self.view.requested.subject {
            context.country = Some(plain_place(&group));
        }
        context.country = context.country.filter(|_| !self.rows.of_world);
        let reason =
            if matches!(reading, Reading::Absent(_)) { format!("{source} is null") } else { String::new() };
        let keys = self.spec.group().map(|group| key("name", group)).into_iter().collect();
        let figure = Figure { keys, context, reading, value, locator: source.clone(), source };
        Observation { channel: Channel::Api, ..self.observed(figure, (Agreement::Unverified, reason)) }
    }

    /// The partners with the largest numbers.
    fn largest_partners(&self, root: &Root<'_>, rows: &[&Datum<'_>], count: usize) -> Found {
        let field = self.field();
        let source = response::source(root, field);
        let keys = root.keys("partnerCountryId").zip(root.keys(field));
        let (partner, value) = keys.ok_or_else(|| missing(&source))?;
        let read = |row: &&Datum<'_>| {
            let id = root.at(row, &partner).and_then(plain);
            let place = id.and_then(|id| self.view.catalogues().place(&id));
            let number =
                compared(root, field, root.at(row, &value)).filter(|number| *number > Decimal::ZERO)?;
            if place.is_none() {
                root.lacks("*.partnerCountryId", "no catalogue has a partner");
            }
            Some((number, place?.name.clone(), place?.code.clone()))
        };
        let mut partners: Vec<(Decimal, String, String)> = rows.iter().filter_map(read).collect();
        partners.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
        partners.truncate(count);
        if partners.is_empty() {
            return Err(missing(&source));
        }
        let product =
            self.view.requested.product().and_then(|id| self.view.catalogues().product(&id.to_string()));
        let one = |(rank, (number, name, code)): (usize, (Decimal, String, String))| {
            let product = product.map(|item| item.code.clone());
            let wanted = Wanted { partner: Some(code), product, ..Wanted::default() };
            Observation {
                keys: vec![key("rank", &(rank + 1).to_string()), key("partner", &name)],
                ..Query { wanted: &wanted, ..*self }.own(self.number(number), source.clone())
            }
        };
        Ok(partners.into_iter().enumerate().map(one).collect())
    }
}

/// The value at a path below a row.
fn at<'r, 'a>(root: &Root<'_>, row: &'r Datum<'a>, path: &str) -> Option<&'r Datum<'a>> {
    root.at(row, &root.keys(path)?)
}

fn missing(source: &str) -> Miss {
    Miss::near(FailureKind::ResponseMissing, source.to_owned())
}

/// The only row that matches the question.
fn only<'r, 'a>(query: &str, rows: &[&'r Datum<'a>]) -> Result<&'r Datum<'a>, Miss> {
    match rows {
        [row] => Ok(row),
        [] => {
            let nearest = format!("{query} has no row that matches the question");
            Err(Miss::near(FailureKind::OtherContext(Vec::new()), nearest))
        }
        several => Err(FailureKind::Ambiguous(vec![format!("{} rows of {query}", several.len())]).into()),
    }
}

/// A value for ranking or summing, which must be a number.
fn compared(root: &Root<'_>, field: &str, given: Option<&Datum<'_>>) -> Option<Decimal> {
    let number = given.and_then(number);
    if number.is_none() {
        root.lacks(&format!("*.{field}"), "it is not a number in some row");
    }
    number
}

/// The places listed in a field, with name and code, ordered by name.
fn places(view: &View<'_>, listed: Option<&Datum<'_>>, source: &str) -> Result<Vec<(String, String)>, Miss> {
    let ids = listed.map(Datum::items).unwrap_or_default().iter().filter_map(plain);
    let place = |id: String| {
        let place = view.catalogues().place(&id).map(|place| (place.name.clone(), place.code.clone()));
        place.ok_or_else(|| Miss::near(FailureKind::ResponseMissing, format!("no catalogue names {id}")))
    };
    let mut places: Vec<(String, String)> = ids.map(place).collect::<Result<_, _>>()?;
    places.sort();
    if places.is_empty() { Err(missing(source)) } else { Ok(places) }
}

/// The codes that a product code converts to in another classification. A step without codes keeps
/// it.
fn converted(code: String, root: &Root<'_>) -> Option<BTreeSet<String>> {
    let codes = root.keys("codes")?;
    let (own, targets) = (root.keys("codes.sourceCode")?.pop()?, root.keys("codes.targetCodes")?.pop()?);
    let mut known = BTreeSet::from([code]);
    for step in root.rows() {
        let changed = root.at(step, &codes).map(Datum::items).unwrap_or_default();
        if changed.is_empty() {
            continue;
        }
        let is_known =
            |one: &&Datum<'_>| one.get(&own).and_then(plain).is_some_and(|code| known.contains(&code));
        let of_known = changed.iter().filter(is_known);
        let next = of_known.flat_map(|one| one.get(&targets).map(Datum::items).unwrap_or_default());
        known = next.filter_map(plain).collect();
    }
    Some(known)
}
