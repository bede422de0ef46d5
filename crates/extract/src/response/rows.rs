//! The rows of a response, largest first, by code and by name.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;

use rust_decimal::Decimal;

use super::catalogues::CatalogueItem;
use super::datum::{Datum, number, plain};
use super::root::Root;
use super::unread::Unread;
use crate::document::normalize_label;
use crate::manifest::spec::Rows;
use crate::value::vocabulary;

/// A row in a response.
#[derive(Debug, Clone, PartialEq)]
pub struct ResponseRow<'a> {
    /// The id, as in the response.
    pub id: Cow<'a, str>,
    /// The code: the displayed code of a product, or the M49 code of a country.
    pub code: Cow<'a, str>,
    /// The displayed name.
    pub name: Cow<'a, str>,
    /// The full name, if known.
    pub long: Cow<'a, str>,
    /// The value; none for null.
    pub value: Option<Decimal>,
    /// Whether it is a service, or the placeholder for services.
    pub service: bool,
    /// Whether the page may exclude it from the divisor of shares.
    pub dropped: bool,
    /// The sector of a product; empty if unknown.
    pub sector: Cow<'a, str>,
}

impl ResponseRow<'static> {
    /// The row of an id with its catalogue item. Without one it has no name and may be a service.
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
    /// The value, if it has a cell: zero and negative values have none.
    pub fn drawn(&self) -> Option<Decimal> {
        self.value.filter(|value| *value > Decimal::ZERO)
    }

    /// Whether it belongs to a sector (by name) or a chapter (by two digits), or has this code or
    /// name.
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

    /// Whether it has this code or name.
    pub fn is(&self, wanted: &str) -> bool {
        [&self.code, &self.name, &self.long]
            .iter()
            .any(|own| !own.is_empty() && own.eq_ignore_ascii_case(wanted))
            || vocabulary::same_words_of(Some("service"), &self.code, wanted).is_some()
    }
}

/// The rows of a response, largest first.
#[derive(Debug, Clone, Default)]
pub struct RowIndex<'a> {
    /// All rows. Those without a cell come last.
    pub rows: Vec<ResponseRow<'a>>,
    /// The field of their values: `treeMap.exportValue`.
    column: String,
    unread: Unread,
    /// The rows by [normalized](normalize_label) name.
    names: OnceCell<BTreeMap<String, Vec<usize>>>,
}

impl<'a> RowIndex<'a> {
    /// Sorts the rows of a root field by one of its fields.
    pub fn new(root: &Root<'_>, value: &str, rows: Vec<ResponseRow<'a>>) -> Self {
        Self::in_order(format!("{}.{value}", root.field), root.unread().clone(), rows)
    }

    pub(crate) fn in_order(column: String, unread: Unread, mut rows: Vec<ResponseRow<'a>>) -> Self {
        rows.sort_by(|a, b| b.value.cmp(&a.value).then_with(|| a.code.cmp(&b.code)));
        Self { rows, column, unread, names: OnceCell::new() }
    }

    /// Reads rows with their names from a root field.
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
                root.lacks(&format!("*.{}", spec.key), "a row has no id");
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

    /// The rows with a cell.
    pub fn drawn(&self) -> &[ResponseRow<'a>] {
        &self.rows[..self.rows.partition_point(|row| row.drawn().is_some())]
    }

    /// The rows to compare. Each needs a number: without it neither the order nor the sum is known.
    fn compared(
        &self,
        keep: impl Fn(&ResponseRow<'a>) -> bool,
    ) -> impl Iterator<Item = (usize, &ResponseRow<'a>)> {
        let rows = self.rows.iter().enumerate().filter(move |(_, row)| keep(row));
        rows.inspect(|(_, row)| {
            if row.value.is_none() {
                self.unread.note(self.column.as_str(), format!("it is not a number for {}", row.name));
            }
        })
    }

    /// The kept rows with a cell, largest first, with their indices.
    pub fn ranked(&self, keep: impl Fn(&ResponseRow<'a>) -> bool) -> Vec<(usize, &ResponseRow<'a>)> {
        let mut ranked: Vec<_> = self.compared(keep).collect();
        ranked.retain(|(_, row)| row.drawn().is_some());
        ranked
    }

    /// The sum of the kept cells.
    pub fn sum(&self, keep: impl Fn(&ResponseRow<'a>) -> bool) -> Decimal {
        let values = self.compared(keep).filter_map(|(_, row)| row.drawn());
        values.fold(Decimal::ZERO, Decimal::saturating_add)
    }

    /// The value of a single row. A missing value counts as known only if other rows have one.
    pub fn value(&self, row: &ResponseRow<'_>) -> Option<Decimal> {
        if row.value.is_none() && self.rows.iter().all(|row| row.value.is_none()) {
            self.unread.note(self.column.as_str(), "no row has a number for it");
        }
        row.value
    }

    /// The row with a code or name, with its index.
    pub fn find(&self, wanted: &str) -> Option<(usize, &ResponseRow<'a>)> {
        self.rows.iter().enumerate().find(|(_, row)| row.is(wanted))
    }

    /// The rows named by a label, which may end with an ellipsis or start with the code. These are
    /// all rows with exactly this name, or the only one that starts with a truncated name.
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
        let Some(cut) = cut.filter(|cut| cut.chars().count() >= MIN_TRUNCATED) else { return &[] };
        let is_drawn = |at: &usize| self.rows[*at].value.is_some_and(|value| !value.is_zero());
        let begins = names.range(cut.to_owned()..).take_while(|(name, _)| name.starts_with(cut));
        let mut begins = begins.filter(|(_, rows)| rows.iter().any(is_drawn));
        match (begins.next(), begins.next()) {
            (Some((_, rows)), None) => rows,
            // a truncated name that matches several rows identifies none
            _ => &[],
        }
    }
}

/// The minimum length of a truncated name.
const MIN_TRUNCATED: usize = 4;

/// A scalar as plain text, borrowed if it is text.
fn text_of<'a>(value: &Datum<'a>) -> Option<Cow<'a, str>> {
    match value {
        Datum::Text(text) => Some(text.clone()),
        other => plain(other).map(Cow::Owned),
    }
}

/// The values of a field by row id, such as `productId`. If rows have several years, only those of
/// `year`.
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
            root.lacks(&format!("*.{id}"), "a row has no id");
        }
        Some((own?, root.at(row, &value)))
    };
    Some(of_year(root, year).filter_map(of_row))
}

/// The rows of one year; all rows if they have no year.
pub fn of_year<'s, 'a>(root: &'s Root<'a>, year: Option<i16>) -> impl Iterator<Item = &'s Datum<'a>> {
    let keys = root.keys("year").filter(|_| year.is_some());
    root.rows().filter(move |row| match &keys {
        Some(keys) => year_of(root, row, keys) == year,
        None => true,
    })
}

/// The year of a row; none if it has none.
pub fn year_of(root: &Root<'_>, row: &Datum<'_>, keys: &[String]) -> Option<i16> {
    let year = root.at(row, keys).and_then(Datum::as_i64).and_then(|year| i16::try_from(year).ok());
    if year.is_none() {
        root.lacks("*.year", "a row has no year");
    }
    year
}
