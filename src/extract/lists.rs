//! Points of several values: partners with their shares, tables, and the own country's cell of a table.

use std::cmp::Ordering;

use rust_decimal::Decimal;

use super::cell::{Cell, CellKind};
use super::cells;
use super::compiled::Finder;
use super::form::Read;
use super::observation::{FailureKind, Observation, Reading, absent};
use super::page::{Lines, Page};
use super::partners;
use super::reading::Scene;
use super::response::{self, Behind};
use super::stat::Miss;
use super::table;
use crate::atlas::{CountryId, lookup};
use crate::manifest::spec::Point;
use crate::truth::{Agreement, Channel};

impl Scene<'_> {
    pub(super) fn partners(
        &self,
        point: &Point,
        page: &Page,
        lines: Lines,
        captions: &[String],
        rule: crate::value::Rule,
        count: usize,
    ) -> Result<Vec<Observation>, Miss> {
        let mut readings = partners::find(page, lines, captions, rule, count)?;
        let spec = point.response.as_ref();
        let told = spec.and_then(|spec| {
            let root = response::roots(&self.exchanges, spec, self.subject.country).next()?;
            let rows_spec = spec.rows.as_ref()?;
            let book = self.book(root, rows_spec);
            let totals = cells::totals(&book.rows, self.other_totals(rows_spec));
            Some((book, totals, response::source(root, &rows_spec.value)))
        });
        let row_of = |rows: &'_ [cells::Row<'_>], id: CountryId| {
            rows.iter().position(|row| row.key.parse::<CountryId>().is_ok_and(|row| row == id))
        };
        // how many of the displayed shares are right, and the divisor under which most of them are
        let judge = |found: &[partners::Partner]| {
            let (book, totals, _) = told.as_ref()?;
            let rows = &book.rows;
            let right = |total: &Decimal| {
                let is_right = |partner: &&partners::Partner| {
                    let share = row_of(rows, partner.id).and_then(|at| rows[at].share(*total));
                    share.is_some_and(|share| partner.share.interval.contains(share))
                };
                found.iter().filter(is_right).count()
            };
            // of several that are as good the first
            totals.iter().map(|total| (right(total), *total)).rev().max_by_key(|(right, _)| *right)
        };
        if let [first, second] = &readings[..] {
            let right = |found: &[partners::Partner]| judge(found).map_or(0, |(right, _)| right);
            match right(first).cmp(&right(second)) {
                Ordering::Greater => {}
                Ordering::Less => readings.swap(0, 1),
                Ordering::Equal => {
                    let shown = |found: &Vec<partners::Partner>| {
                        let pairs = found.iter().map(|partner| format!("{} {}", partner.name, partner.shown));
                        pairs.collect::<Vec<_>>().join(", ")
                    };
                    let kind = FailureKind::Ambiguous(readings.iter().map(shown).collect());
                    return Err(Miss { kind, nearest: None });
                }
            }
        }
        let found = readings.swap_remove(0);
        let total = judge(&found).map(|(_, total)| total);
        let observations = found.into_iter().enumerate().map(|(index, partner)| {
            let behind = told.as_ref().zip(total).and_then(|((book, _, source), total)| {
                let row = &book.rows[row_of(&book.rows, partner.id)?];
                let value = row.share(total).map(super::observation::Precise::Number);
                Some(Behind { value, source: format!("{source} of {}", row.name), total: None, year: None })
            });
            let read = Read::Quantity(partner.share);
            let mut observation =
                self.observe(point, &read, Some(rule), partner.shown, Channel::Dom, behind.as_ref());
            observation.keys =
                vec![("rank".into(), (index + 1).to_string()), ("partner".into(), partner.name)];
            observation.context.partner = Some(partner.id.to_string());
            observation.locator = format!(
                "section `{}`, under \"{}\"",
                point.section,
                captions.first().map_or("", String::as_str)
            );
            observation
        });
        Ok(observations.collect())
    }

    pub(super) fn table(
        &self,
        point: &Point,
        table: &table::Table,
        form: &table::TableForm,
    ) -> Result<Vec<Observation>, Miss> {
        let mut observations = Vec::new();
        for (number, row) in table.rows.iter().enumerate() {
            let head = &row[0];
            for (column, cell) in form.columns.iter().zip(row).skip(1) {
                let mut context = self.context(point, None, table.years);
                let key = match form.columns[0].kind {
                    CellKind::Country => {
                        context.country = lookup(&head.value).map(|entity| entity.id.to_string());
                        "row"
                    }
                    _ => {
                        context.product = head.code.clone().or_else(|| Some(head.value.clone()));
                        "product"
                    }
                };
                let mut keys =
                    vec![("rank".to_owned(), (number + 1).to_string()), (key.to_owned(), head.value.clone())];
                keys.extend(head.code.iter().map(|code| ("code".to_owned(), code.clone())));
                keys.push(("column".to_owned(), column.id.clone()));
                observations.push(Observation {
                    data_point: point.id.clone(),
                    metric: point.metric.clone(),
                    keys,
                    displayed: cell.shown.clone(),
                    reading: cell.reading.clone(),
                    value: cell.value.clone(),
                    rule: match column.kind {
                        CellKind::Number(rule) | CellKind::Arrowed(rule) => Some(rule),
                        _ => None,
                    },
                    context,
                    channel: Channel::Table,
                    locator: format!("table \"{}\", row {}, column `{}`", table.title, number + 1, column.id),
                    backing: None,
                    agreement: Agreement::Single,
                    reason: "read from the table".to_owned(),
                    known: None,
                });
            }
        }
        Ok(observations)
    }

    pub(super) fn cell(
        &self,
        point: &Point,
        page: &Page,
        lines: Lines,
        table: usize,
        column: usize,
    ) -> Result<Vec<Observation>, Miss> {
        let Finder::Table(form) = &self.extractor.finders[table] else {
            return Err(Miss { kind: FailureKind::LabelMissing, nearest: None });
        };
        let table = table::read(page, lines, form)?;
        let own =
            |row: &&Vec<Cell>| lookup(&row[0].value).is_some_and(|entity| entity.id == self.subject.country);
        let Some(row) = table.rows.iter().find(own) else {
            let seen = table.rows.iter().map(|row| row[0].value.clone()).collect::<Vec<_>>().join(" · ");
            return Err(Miss { kind: FailureKind::LabelMissing, nearest: Some(seen) });
        };
        let (cell, kind) = (&row[column], form.columns[column].kind);
        let rule = match kind {
            CellKind::Number(rule) | CellKind::Arrowed(rule) => Some(rule),
            _ => None,
        };
        let locator = format!(
            "table \"{}\", row \"{}\", column `{}`",
            table.title, row[0].value, form.columns[column].id
        );
        let read = match &cell.reading {
            Reading::Quantity(quantity) => Read::Quantity(quantity.clone()),
            Reading::Text(text) => Read::Word(text.clone()),
            Reading::Absent(absence) => {
                let context = self.context(point, None, table.years);
                return Ok(vec![absent(point, context, *absence, cell.shown.clone(), locator)]);
            }
        };
        let behind = self.behind(point);
        let mut observation =
            self.observe(point, &read, rule, cell.shown.clone(), Channel::Table, behind.as_ref());
        observation.context = self.context(point, behind.as_ref(), table.years);
        observation.locator = locator;
        Ok(vec![observation])
    }
}
