//! Points that are drawn: the response gives the value, visible texts confirm or refute it.

use std::rc::Rc;

use crate::atlas::CountryId;
use crate::manifest::spec::{OtherTotal, Point, Rows};
use crate::truth::{Agreement, Channel};
use rust_decimal::Decimal;

use crate::value::{Absence, Quantity, Rule, Unit, format};

use super::cells::{self, Book, Labels, Row};
use super::cue::Cue;
use super::exchange::{self, Root};
use super::form::{Read, number};
use super::observation::{Backing, FailureKind, Observation, Precise, Reading, absent};
use super::page::{Lines, Page};
use super::reading::Scene;
use super::response;
use super::stat::Miss;

impl<'a> Scene<'a> {
    /// The rows below a root field, read once: several points may be about them.
    pub(super) fn book(&self, root: &Root<'a>, spec: &Rows) -> Rc<Book<'a>> {
        let of_root = |at: &Root<'a>| std::ptr::eq(at, root);
        let Some(at) = self.exchanges.iter().position(of_root) else {
            return Rc::new(Book::read(root, spec));
        };
        let mut books = self.books.borrow_mut();
        if let Some((.., book)) = books.iter().find(|(of, how, _)| *of == at && how == spec) {
            return Rc::clone(book);
        }
        let book = Rc::new(Book::read(root, spec));
        books.push((at, spec.clone(), Rc::clone(&book)));
        book
    }

    /// The largest cells of a treemap, or the one that is asked for.
    pub(super) fn cells(
        &self,
        point: &Point,
        page: &Page,
        lines: Lines,
        wanted: &cells::Wanted<'_>,
    ) -> Result<Vec<Observation>, Miss> {
        let missing = || Miss { kind: FailureKind::ResponseMissing, nearest: None };
        let spec = point.response.as_ref().ok_or_else(missing)?;
        let rows_spec = spec.rows.as_ref().ok_or_else(missing)?;
        let (root, book) = response::roots(&self.exchanges, spec, self.subject.country)
            .map(|root| (root, self.book(root, rows_spec)))
            .filter(|(_, book)| !book.rows.is_empty())
            .max_by_key(|(_, book)| book.rows.iter().filter(|row| row.value.is_some()).count())
            .ok_or_else(missing)?;
        let rows = &book.rows;
        let totals = cells::totals(rows, self.other_totals(rows_spec));
        let labels = cells::labels(page, lines, &book, wanted.label, &totals);
        if !labels.disagreeing.is_empty() {
            return Err(Miss {
                kind: FailureKind::LabelDisagrees(labels.disagreeing.join("; ")),
                nearest: None,
            });
        }
        let source = response::source(root, &rows_spec.value);
        let chosen: Vec<(usize, &Row<'_>)> = match (wanted.count, wanted.product) {
            (Some(count), _) => rows.iter().enumerate().take(count).collect(),
            (None, Some(product)) => {
                rows.iter().enumerate().filter(|(_, row)| cells::is_product(row, product)).take(1).collect()
            }
            (None, None) => {
                return Err(Miss {
                    kind: FailureKind::LabelMissing,
                    nearest: Some("the question names no product (context.product)".to_owned()),
                });
            }
        };
        if chosen.is_empty() {
            let mut context = self.context(point, None, None);
            context.product = wanted.product.map(str::to_owned);
            return Ok(vec![absent(point, context, Absence::NotShownHere, String::new(), source)]);
        }
        Ok(chosen
            .into_iter()
            .map(|(index, row)| self.cell_of(point, index, row, &labels, &source, wanted))
            .collect())
    }

    fn cell_of(
        &self,
        point: &Point,
        index: usize,
        row: &Row<'_>,
        labels: &Labels,
        source: &str,
        wanted: &cells::Wanted<'_>,
    ) -> Observation {
        let mut context = self.context(point, None, None);
        context.product = Some(row.key.to_string());
        let mut keys = Vec::new();
        if wanted.count.is_some() {
            keys.push(("rank".to_owned(), (index + 1).to_string()));
        }
        keys.push(("product".to_owned(), row.name.to_string()));
        keys.push(("code".to_owned(), row.key.to_string()));
        let label = labels.agreeing.iter().find(|(key, _)| *key == row.key).map(|(_, label)| label.clone());
        let locator = format!("section `{}`, treemap cell \"{}\"", point.section, row.name);
        let Some(value) = row.value else {
            let mut observation = absent(point, context, Absence::NotShownHere, String::new(), locator);
            observation.keys = keys;
            observation.channel = Channel::PageResponse;
            observation.reason = format!("{source} is null for {}, and no label shows a value", row.name);
            return observation;
        };
        let verified = !labels.agreeing.is_empty();
        // which sum shares divide by is told by the labels alone
        let total = labels.total.filter(|_| verified);
        let share = total.and_then(|total| format(row.share(total)?, Rule::F6));
        if let Some(share) = share.filter(|_| wanted.label == Rule::F6) {
            keys.push(("share".to_owned(), share));
        }
        let unit = point.unit.unwrap_or_else(|| cells::unit_of(wanted.rule));
        let reason = match (&label, labels.agreeing.len()) {
            (Some(label), _) => format!("the visible label {label} agrees with the response"),
            (None, 0) => "no visible label confirmed the response".to_owned(),
            (None, count) => {
                format!("{count} visible labels of the same response agree with it, the cell itself has none")
            }
        };
        let text = format(value, wanted.rule).unwrap_or_else(|| value.normalize().to_string());
        Observation {
            data_point: point.id.clone(),
            metric: point.metric.clone(),
            keys,
            displayed: label.unwrap_or_default(),
            reading: Reading::Quantity(Quantity::exact(value, unit)),
            value: text,
            rule: Some(wanted.rule),
            context,
            channel: Channel::PageResponse,
            locator,
            backing: Some(Backing { source: source.to_owned(), precise: value.normalize().to_string() }),
            agreement: if verified { Agreement::Agrees } else { Agreement::Unverified },
            reason,
            known: None,
        }
    }

    /// The totals that the spec names as possible divisors of shares.
    pub(super) fn other_totals(&self, rows: &Rows) -> Vec<Decimal> {
        let country = self.subject.country;
        let about = |root: &&Root| {
            let asked = root.args.get("location").or_else(|| root.args.get("id"));
            asked.is_none_or(|id| id.parse::<CountryId>().is_ok_and(|id| id == country))
        };
        let total = |total: &OtherTotal| {
            self.exchanges
                .named(&total.field)
                .filter(about)
                .find_map(|root| exchange::number(root.get(&total.path)?))
        };
        rows.or_totals.iter().filter_map(total).collect()
    }

    /// A figure that is drawn only.
    pub(super) fn drawn(
        &self,
        point: &Point,
        page: &Page,
        lines: Lines,
        labels: &[Cue],
        rule: Rule,
    ) -> Result<Vec<Observation>, Miss> {
        let behind = self.behind(point);
        let precise = behind.as_ref().and_then(|behind| match &behind.value {
            Some(Precise::Number(number)) => Some(*number),
            _ => None,
        });
        let Some((behind, precise)) = behind.as_ref().zip(precise) else {
            return Err(Miss { kind: FailureKind::ResponseMissing, nearest: None });
        };
        let visible = page.lines[lines].iter().find_map(|line| {
            let hit = labels.iter().find_map(|cue| cue.hits(&line.text).next())?;
            match number(&hit.value, rule, point.unit) {
                Some(Read::Quantity(quantity)) => Some((line.text.clone(), quantity)),
                _ => None,
            }
        });
        if let Some((text, shown)) = &visible
            && !shown.interval.contains(precise)
        {
            let what = format!("\"{text}\" against {precise} in the response");
            return Err(Miss { kind: FailureKind::LabelDisagrees(what), nearest: None });
        }
        let confirmed = visible.is_some();
        Ok(vec![Observation {
            data_point: point.id.clone(),
            metric: point.metric.clone(),
            keys: Vec::new(),
            displayed: visible.map(|(text, _)| text).unwrap_or_default(),
            reading: Reading::Quantity(Quantity::exact(precise, point.unit.unwrap_or(Unit::Index))),
            value: format(precise, rule).unwrap_or_else(|| precise.normalize().to_string()),
            rule: Some(rule),
            context: self.context(point, Some(behind), None),
            channel: Channel::PageResponse,
            locator: format!("section `{}`, drawn; {}", point.section, behind.source),
            backing: behind.backing(),
            agreement: if confirmed { Agreement::Agrees } else { Agreement::Unverified },
            reason: if confirmed {
                "a visible text agrees with the response".to_owned()
            } else {
                "drawn on a canvas: no text of the page confirms the response".to_owned()
            },
            known: None,
        }])
    }
}
