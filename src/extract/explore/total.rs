//! The figure in the corner of an Explore page, `Total Value $16B`, and what it rounds.

use rust_decimal::Decimal;

use crate::manifest::spec::Point;
use crate::truth::{Agreement, Channel};
use crate::value::{Flow, Quantity, Rule, Scope, find_as, format, parse_as};

use super::super::compiled::Extractor;
use super::super::exchange::{Root, number, plain};
use super::super::form::canonical;
use super::super::observation::{Backing, FailureKind, Observation, Reading};
use super::super::page::Page;
use super::super::response;
use super::super::section;
use super::super::stat::Miss;
use super::Scene;
use super::asked::name;
use crate::atlas::PlaceId;
use crate::value::ContextPart;

/// The figure in the corner, as displayed and as a number.
#[derive(Debug, Clone, Default)]
pub(super) struct Corner {
    shown: Option<(String, Quantity)>,
    nearest: Option<String>,
}

/// What a figure may round: the number, where it comes from, and whether it is the total of the country.
struct Candidate {
    number: Decimal,
    source: String,
    of_country: bool,
}

/// The corner of a page holds a label and a figure and hardly anything else.
const MOST_LINES: usize = 8;

const RULE: Rule = Rule::F3;

impl Corner {
    pub fn read(extractor: &Extractor, page: &Page) -> Self {
        let mut corner = Self::default();
        // a table has thousands of lines, and few begin a word as a label does
        let likely = |text: &str| {
            extractor.total_labels.iter().filter_map(|label| label.as_bytes().first()).any(|first| {
                let own = |byte: &u8| byte.eq_ignore_ascii_case(first);
                text.as_bytes().first().is_some_and(own)
                    || text
                        .as_bytes()
                        .windows(2)
                        .any(|pair| !pair[0].is_ascii_alphanumeric() && own(&pair[1]))
                    || !text.is_ascii()
            })
        };
        let lines = page.lines.iter().enumerate().filter(|(_, line)| !line.control && !line.chart);
        for (at, line) in lines.filter(|(_, line)| likely(&line.text)) {
            let loose = &line.loose;
            let Some(label) = extractor.total_labels.iter().find(|label| loose.contains(label.as_str()))
            else {
                continue;
            };
            let found = if loose == label {
                beside(page, at)
            } else {
                let mut hits = find_as(&line.text, RULE).into_iter();
                match (hits.next(), hits.next()) {
                    (Some((range, shown)), None) => line.text.get(range).map(|text| (text.to_owned(), shown)),
                    _ => None,
                }
            };
            if found.is_some() {
                corner.shown = found;
                return corner;
            }
            corner.nearest = Some(line.text.clone());
        }
        if corner.nearest.is_none() {
            let label = extractor.spec().total_labels.first().map_or("", String::as_str);
            corner.nearest = section::nearest(page, 0..page.lines.len(), label);
        }
        corner
    }

    fn get(&self) -> Result<&(String, Quantity), Miss> {
        let kind = FailureKind::LabelMissing;
        self.shown.as_ref().ok_or_else(|| Miss { kind, nearest: self.nearest.clone() })
    }
}

/// The one figure in the smallest block around a label that holds one.
fn beside(page: &Page, at: usize) -> Option<(String, Quantity)> {
    for block in page.around(at, 0..page.lines.len()) {
        let lines = page.blocks[block].lines.clone();
        if lines.len() > MOST_LINES {
            return None;
        }
        let mut figures =
            lines.filter(|&other| other != at && !page.lines[other].control).filter_map(|other| {
                Some((&page.lines[other].text, parse_as(&page.lines[other].text, RULE).ok()?))
            });
        match (figures.next(), figures.next()) {
            (Some((text, shown)), None) => return Some((text.clone(), shown)),
            (Some(_), Some(_)) => return None,
            _ => {}
        }
    }
    None
}

impl Scene<'_> {
    /// The figure that a page would show in its corner by what the answers say.
    pub(super) fn corner_by_answers(&self) -> Corner {
        let text = self.totals().first().and_then(|one| format(one.number, RULE));
        let shown = text.and_then(|text| parse_as(&text, RULE).ok().map(|quantity| (text, quantity)));
        Corner { shown, nearest: None }
    }

    /// What the page displays, with what it rounds.
    pub(super) fn total(&self, point: &Point, rule: Rule) -> Result<Vec<Observation>, Miss> {
        let (text, shown) = self.corner.get()?;
        let candidates = self.totals();
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
        let text = match self.corner.get() {
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
        found.extend(self.cells.as_ref().map(|cells| Candidate {
            number: cells.sum,
            source: format!("{}, added up", cells.source),
            of_country: false,
        }));
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
