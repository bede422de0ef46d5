//! The rows of a response, the largest first, by code and by name.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;

use rust_decimal::Decimal;

use super::catalogues::CatalogueItem;
use super::datum::{Datum, number};
use super::exchange::{Root, plain};
use super::unread::Unread;
use crate::document::normalize_label;
use crate::manifest::spec::Rows;
use crate::value::vocabulary;

/// A row of a response.
#[derive(Debug, Clone, PartialEq)]
pub struct ResponseRow<'a> {
    /// Id as the response writes it.
    pub id: Cow<'a, str>,
    /// Code as printed: of a product its own, of a country its M49 code.
    pub code: Cow<'a, str>,
    /// Name as displayed.
    pub name: Cow<'a, str>,
    /// Its full name, where that is known.
    pub long: Cow<'a, str>,
    /// The value; none where the response says null.
    pub value: Option<Decimal>,
    /// Whether it is a service or what stands for services.
    pub service: bool,
    /// Whether the page may leave it out of the sum that shares divide by.
    pub dropped: bool,
    /// The sector of a product; empty where the response does not say.
    pub sector: Cow<'a, str>,
}

impl ResponseRow<'static> {
    /// That of an id, by what a catalogue says of it; what no catalogue knows has no name, and may be a service.
    pub(crate) fn of_item(id: String, item: Option<CatalogueItem>, value: Option<Decimal>) -> Self {
        let unknown = |code| CatalogueItem { code, service: true, ..CatalogueItem::default() };
        let CatalogueItem { code, name, long, service, sector, in_space: _ } =
            item.unwrap_or_else(|| unknown(id.clone()));
        Self {
            id: id.into(),
            code: code.into(),
            name: name.into(),
            long: long.into(),
            value,
            service,
            dropped: false,
            sector: sector.into(),
        }
    }
}

impl ResponseRow<'_> {
    /// Its value, where there is a cell for it: zero and negative values have none.
    pub fn drawn(&self) -> Option<Decimal> {
        self.value.filter(|value| *value > Decimal::ZERO)
    }

    /// Whether it is of a sector, by its name, of a chapter, by its two digits, or is the one of this code or name.
    pub fn is_of(&self, asked: &str) -> bool {
        let chapter = asked.len() == 2 && asked.bytes().all(|byte| byte.is_ascii_digit());
        if chapter {
            return !self.service && self.code.starts_with(asked);
        }
        self.sector.eq_ignore_ascii_case(asked)
            || vocabulary::same_words_of(Some("sector"), &self.sector, asked).is_some()
            || self.code.eq_ignore_ascii_case(asked)
            || self.name.eq_ignore_ascii_case(asked)
    }

    /// Whether a code or name means it.
    pub fn is(&self, wanted: &str) -> bool {
        [&self.code, &self.name, &self.long]
            .iter()
            .any(|own| !own.is_empty() && own.eq_ignore_ascii_case(wanted))
            || vocabulary::same_words_of(Some("service"), &self.code, wanted).is_some()
    }
}

/// The rows of a response, the largest first.
#[derive(Debug, Clone, Default)]
pub struct RowIndex<'a> {
    /// All rows; those without a cell come last.
    pub rows: Vec<ResponseRow<'a>>,
    /// The field that their values are of: `treeMap.exportValue`.
    column: String,
    unread: Unread,
    /// Rows by their [normalized](normalize_label) names.
    names: OnceCell<BTreeMap<String, Vec<usize>>>,
}

impl<'a> RowIndex<'a> {
    /// Puts the rows below a root field in order, by the values of one of its fields.
    pub fn new(root: &Root<'_>, value: &str, rows: Vec<ResponseRow<'a>>) -> Self {
        Self::in_order(format!("{}.{value}", root.field), root.unread().clone(), rows)
    }

    pub(crate) fn in_order(column: String, unread: Unread, mut rows: Vec<ResponseRow<'a>>) -> Self {
        rows.sort_by(|a, b| b.value.cmp(&a.value).then_with(|| a.code.cmp(&b.code)));
        Self { rows, column, unread, names: OnceCell::new() }
    }

    /// Reads the rows below a root field that carry their names with them.
    pub fn read(root: &Root<'a>, spec: &Rows) -> Self {
        let (Some(name), Some(key), Some(value)) =
            (root.keys(&spec.name), root.keys(&spec.key), root.keys(&spec.value))
        else {
            return Self::default();
        };
        let alias = spec.alias.as_ref().and_then(|path| root.keys(path));
        let group = spec.group.as_ref().and_then(|path| root.keys(path));
        let is_left_out = |text: &str| spec.may_leave_out.iter().any(|left| left == text);
        let read = |row| {
            let text = |keys: &[String]| root.at(row, keys).and_then(text_of);
            let name = text(&name).or_else(|| text(alias.as_deref()?));
            let (Some(name), Some(code)) = (name, text(&key)) else {
                root.lacks(&format!("*.{}", spec.key), "a row does not say what it is");
                return None;
            };
            let sector = group.as_deref().and_then(text).unwrap_or_default();
            let dropped = !spec.may_leave_out.is_empty() && (is_left_out(&code) || is_left_out(&sector));
            Some(ResponseRow {
                id: code.clone(),
                service: vocabulary::canonical("service", &code).is_some(),
                code,
                name,
                long: Cow::Borrowed(""),
                value: root.at(row, &value).and_then(number),
                dropped,
                sector,
            })
        };
        Self::new(root, &spec.value, root.rows().filter_map(read).collect())
    }

    /// The rows that have a cell.
    pub fn drawn(&self) -> &[ResponseRow<'a>] {
        &self.rows[..self.rows.partition_point(|row| row.drawn().is_some())]
    }

    /// The rows that are compared with each other: each has to have a number, or it is not known which is the first, nor what
    /// they add up to.
    fn compared(
        &self,
        keep: impl Fn(&ResponseRow<'a>) -> bool,
    ) -> impl Iterator<Item = (usize, &ResponseRow<'a>)> {
        let rows = self.rows.iter().enumerate().filter(move |(_, row)| keep(row));
        rows.inspect(|(_, row)| {
            if row.value.is_none() {
                self.unread.note(self.column.as_str(), format!("it is no number for {}", row.name));
            }
        })
    }

    /// The rows that have a cell among those that are kept, the largest first, with their places.
    pub fn ranked(&self, keep: impl Fn(&ResponseRow<'a>) -> bool) -> Vec<(usize, &ResponseRow<'a>)> {
        let mut ranked: Vec<_> = self.compared(keep).collect();
        ranked.retain(|(_, row)| row.drawn().is_some());
        ranked
    }

    /// The sum of the cells that are kept.
    pub fn sum(&self, keep: impl Fn(&ResponseRow<'a>) -> bool) -> Decimal {
        let values = self.compared(keep).filter_map(|(_, row)| row.drawn());
        values.fold(Decimal::ZERO, Decimal::saturating_add)
    }

    /// The value of one row by itself. That it has none is known where others have one.
    pub fn value(&self, row: &ResponseRow<'_>) -> Option<Decimal> {
        if row.value.is_none() && self.rows.iter().all(|row| row.value.is_none()) {
            self.unread.note(self.column.as_str(), "it is a number in no row");
        }
        row.value
    }

    /// The row of a code or name, with its place.
    pub fn find(&self, wanted: &str) -> Option<(usize, &ResponseRow<'a>)> {
        self.rows.iter().enumerate().find(|(_, row)| row.is(wanted))
    }

    /// The rows that a label names, which may be cut with an ellipsis or begin with the code: all of exactly this name,
    /// or the only one that begins as a cut name does.
    pub fn named(&self, label: &str) -> &[usize] {
        let names = self.names.get_or_init(|| {
            let mut names: BTreeMap<String, Vec<usize>> = BTreeMap::new();
            for (at, row) in self.rows.iter().enumerate() {
                names.entry(normalize_label(&row.name)).or_default().push(at);
            }
            names
        });
        let normalized = normalize_label(label);
        if let Some(rows) = names.get(&normalized) {
            return rows;
        }
        // `0902 Tea`
        if let Some((code, rest)) = normalized.split_once(' ')
            && let Some(rows) = names.get(rest)
            && rows.iter().all(|at| self.rows[*at].code.eq_ignore_ascii_case(code))
        {
            return rows;
        }
        let cut = normalized.strip_suffix('…').or_else(|| normalized.strip_suffix("...")).map(str::trim_end);
        let Some(cut) = cut.filter(|cut| cut.chars().count() >= LEAST_CUT) else { return &[] };
        let is_drawn = |at: &usize| self.rows[*at].value.is_some_and(|value| !value.is_zero());
        let begins = names.range(cut.to_owned()..).take_while(|(name, _)| name.starts_with(cut));
        let mut begins = begins.filter(|(_, rows)| rows.iter().any(is_drawn));
        match (begins.next(), begins.next()) {
            (Some((_, rows)), None) => rows,
            // a name that several begin with says nothing about any one of them
            _ => &[],
        }
    }
}

/// Characters that a cut name has at least.
const LEAST_CUT: usize = 4;

/// A scalar as plain text, borrowed where it is one.
fn text_of<'a>(value: &Datum<'a>) -> Option<Cow<'a, str>> {
    match value {
        Datum::Text(text) => Some(text.clone()),
        other => plain(other).map(Cow::Owned),
    }
}

/// What a field says by the id of its row, `productId`; of one year where the rows are of several.
pub fn by_id<'s, 'a>(
    root: &'s Root<'a>,
    id: &'s str,
    field: &str,
    year: Option<i16>,
) -> Option<impl Iterator<Item = (&'s str, Option<&'s Datum<'a>>)>> {
    let (value, keys) = (root.keys(field)?, root.keys(id)?);
    let of_row = move |row| {
        let own = root.at(row, &keys).and_then(Datum::as_str);
        if own.is_none() {
            root.lacks(&format!("*.{id}"), "a row does not say what it is");
        }
        Some((own?, root.at(row, &value)))
    };
    Some(of_year(root, year).filter_map(of_row))
}

/// The rows of a root field that are of one year: all of them where the rows say no year.
pub fn of_year<'s, 'a>(root: &'s Root<'a>, year: Option<i16>) -> impl Iterator<Item = &'s Datum<'a>> {
    let keys = root.keys("year").filter(|_| year.is_some());
    root.rows().filter(move |row| match &keys {
        Some(keys) => year_of(root, row, keys) == year,
        None => true,
    })
}

/// The year that a row is of; one that does not say it is of no year that is known.
pub fn year_of(root: &Root<'_>, row: &Datum<'_>, keys: &[String]) -> Option<i16> {
    let year = root.at(row, keys).and_then(Datum::as_i64).and_then(|year| i16::try_from(year).ok());
    if year.is_none() {
        root.lacks("*.year", "a row does not say its year");
    }
    year
}
