//! The figure in the corner of an Explore page, `Total Value $16B`, and what it rounds.

use rust_decimal::Decimal;

use crate::manifest::spec::Point;
use crate::truth::{Agreement, Channel};
use crate::value::{Flow, Quantity, Rule, Scope, format, parse_as};

use super::super::exchange::{Root, number, plain};
use super::super::form::canonical;
use super::super::observation::{Backing, FailureKind, Observation, Reading};
use super::super::response;
use super::super::stat::Miss;
use super::Scene;
use super::asked::name;
use super::corner::{Corner, RULE};
use super::trade::Cells;
use crate::atlas::PlaceId;
use crate::value::ContextPart;

/// What a figure may round: the number, where it comes from, and whether it is the total of the country.
struct Candidate {
    number: Decimal,
    source: String,
    of_country: bool,
}

impl Scene<'_> {
    /// The figure that a page would show in its corner by what the answers say.
    pub(super) fn corner_by_answers(&self) -> Corner {
        let text = self.totals().first().and_then(|one| format(one.number, RULE));
        // what may be one of two fields is no figure
        let text = text.filter(|_| self.cells.as_ref().is_none_or(|cells| cells.open().is_none()));
        Corner::of(text.and_then(|text| parse_as(&text, RULE).ok().map(|quantity| (text, quantity))))
    }

    /// What the page displays, with what it rounds.
    pub(super) fn total(&self, point: &Point, rule: Rule) -> Result<Vec<Observation>, Miss> {
        let candidates = self.totals();
        let fits = |shown: &Quantity| candidates.iter().any(|one| shown.interval.contains(one.number));
        let (text, shown) = self.corner.get(fits)?;
        let behind = candidates.iter().find(|one| shown.interval.contains(one.number)).or(candidates.first());
        let agrees = behind.map(|one| shown.interval.contains(one.number));
        let mut context = self.context(point);
        context.partner = self.asked.subject.map(|_| self.asked.partner_text());
        context.product = self.product_code();
        context.scope = point.context.scope.or_else(|| match behind {
            Some(one) if one.of_country => Some(Scope::GoodsAndServices),
            _ => self.cells.as_ref().map(|cells| cells.scope),
        });
        // a total over all products is the same in every classification, up to what each leaves out
        let value = canonical(shown, rule, text);
        let (agreement, reason) = match (agrees, behind) {
            (Some(true), Some(one)) => {
                (Agreement::Agrees, format!("{} is displayed as {value}", one.number.normalize()))
            }
            (Some(false), Some(one)) => (
                Agreement::PageDisagrees,
                format!("the page shows {value}, its response says {}", one.number.normalize()),
            ),
            _ => (Agreement::Single, "no response of the page holds this value".to_owned()),
        };
        Ok(vec![Observation {
            data_point: point.id.clone(),
            metric: point.metric.clone(),
            keys: Vec::new(),
            displayed: text.clone(),
            reading: Reading::Quantity(shown.clone()),
            value,
            rule: Some(rule),
            context,
            channel: Channel::Dom,
            locator: "the figure in the corner of the drawing".to_owned(),
            backing: behind.map(|one| Backing {
                source: one.source.clone(),
                precise: one.number.normalize().to_string(),
            }),
            agreement,
            reason,
            known: None,
        }])
    }

    /// All cells together, by the response, as the figure in the corner rounds it.
    pub(super) fn sum(&self, point: &Point, rule: Rule) -> Result<Vec<Observation>, Miss> {
        let Some(partner) = self.asked.partner else {
            let subject = self.asked.subject.as_ref().map_or_else(|| "nobody".to_owned(), name);
            let what = format!("the page shows the trade of {subject} with the whole world");
            let kind = FailureKind::OtherContext(vec![(ContextPart::Partner, what)]);
            return Err(Miss { kind, nearest: None });
        };
        let cells = self.confirmed_cells()?;
        let text = match self.corner.get(|shown| shown.interval.contains(cells.sum)) {
            Ok((text, shown)) if shown.interval.contains(cells.sum) => text.clone(),
            Ok((text, _)) => {
                let what = format!("the corner shows {text}, the cells add up to {}", cells.sum.normalize());
                return Err(Miss { kind: FailureKind::LabelDisagrees(what), nearest: None });
            }
            // a page that has no rows to add up has no sum to show
            Err(_) if self.own => String::new(),
            Err(miss) => return Err(miss),
        };
        let mut context = self.context(point);
        context.partner = Some(super::asked::plain(&partner));
        context.scope = Some(cells.scope);
        let value = format(cells.sum, rule).unwrap_or_else(|| cells.sum.normalize().to_string());
        let labels = self.labels.agreeing.len();
        Ok(vec![Observation {
            data_point: point.id.clone(),
            metric: point.metric.clone(),
            keys: Vec::new(),
            displayed: text.clone(),
            reading: Reading::Quantity(Quantity::exact(cells.sum, crate::value::Unit::Usd)),
            value,
            rule: Some(rule),
            context,
            channel: Channel::PageResponse,
            locator: format!("all {} cells of the treemap", cells.rows.len()),
            backing: Some(Backing {
                source: format!("{}, added up", cells.source),
                precise: cells.sum.normalize().to_string(),
            }),
            agreement: Agreement::Agrees,
            reason: match text.as_str() {
                "" => "no figure stands in the corner".to_owned(),
                text => {
                    format!("the figure in the corner, {text}, and {labels} labels agree with the response")
                }
            },
            known: None,
        }])
    }

    /// What the figure in the corner may round, the likeliest first.
    fn totals(&self) -> Vec<Candidate> {
        let mut found = Vec::new();
        let asked = &self.asked;
        if !asked.is_treemap() {
            found.extend(self.sum_of_table().map(|(number, source)| Candidate {
                number,
                source,
                of_country: false,
            }));
            return found;
        }
        if !asked.explore.markets && asked.partner.is_none() {
            let field = if asked.flow == Flow::Import { "importValue" } else { "exportValue" };
            found.extend(self.exchanges.named("countryYear").find_map(|root| {
                Some(Candidate {
                    number: of_year(root, field, asked.year, asked.subject)?,
                    source: response::source(root, field),
                    of_country: true,
                })
            }));
        }
        let added_up = |cells: &Cells| Candidate {
            number: cells.sum,
            source: format!("{}, added up", cells.source),
            of_country: false,
        };
        found.extend(self.cells.as_ref().map(added_up));
        // while it is open which field is drawn, the figure may be of either
        found.extend(self.cells.as_ref().and_then(|cells| cells.other.as_deref()).map(added_up));
        found
    }
}

/// A field of the row of a year.
fn of_year(root: &Root<'_>, field: &str, year: Option<i16>, subject: Option<PlaceId>) -> Option<Decimal> {
    let value = root.keys(field)?;
    let (years, countries) = (root.keys("year"), root.keys("countryId"));
    let text = |row, keys: &Option<Vec<String>>| Root::at(row, keys.as_deref()?).and_then(plain);
    let row = root.rows().find(|row| {
        let year_fits = text(row, &years).zip(year).is_none_or(|(text, year)| text == year.to_string());
        let place_fits = text(row, &countries)
            .and_then(|text| text.parse().ok())
            .zip(subject)
            .is_none_or(|(place, subject): (PlaceId, _)| place == subject);
        year_fits && place_fits
    })?;
    Root::at(row, &value).and_then(number)
}
