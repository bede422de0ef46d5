//! Treemaps and other drawings: the value comes from the response to the page's own query, and every
//! text that is laid over the drawing must agree with it.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Bound;

use rust_decimal::Decimal;

use crate::manifest::spec::Rows;
use crate::value::{Rule, Unit, parse_as, vocabulary};

use super::datum::Datum;
use super::exchange::{Root, number, plain};
use super::page::{Lines, Page, loosen};

/// Which cells are wanted.
pub(super) struct Wanted<'a> {
    /// How many of the largest.
    pub count: Option<usize>,
    /// Form of the visible labels.
    pub label: Rule,
    /// Form of the value in the record.
    pub rule: Rule,
    /// Code or name of the one product that is asked for.
    pub product: Option<&'a str>,
}

/// A row of a response with the share it has among the cells that are shown.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row<'a> {
    /// Name as displayed.
    pub name: Cow<'a, str>,
    /// Code or id.
    pub key: Cow<'a, str>,
    /// The value; none where the response says null.
    pub value: Option<Decimal>,
    /// Whether the page may leave it out of the sum that shares divide by.
    pub dropped: bool,
}

impl Row<'_> {
    /// Its value, where there is a cell for it: zero and negative values have none.
    pub fn shown(&self) -> Option<Decimal> {
        self.value.filter(|value| *value > Decimal::ZERO)
    }

    /// Per cent of a sum.
    pub fn share(&self, total: Decimal) -> Option<Decimal> {
        self.shown()?.checked_mul(Decimal::ONE_HUNDRED)?.checked_div(total)
    }
}

/// The sums that shares may divide by, the likeliest first: all cells that are shown, those without what the
/// page may leave out, and the totals that the spec names. Which one a page uses is not documented; its
/// labels tell.
pub(super) fn totals(rows: &[Row<'_>], others: impl IntoIterator<Item = Decimal>) -> Vec<Decimal> {
    let sum = |keep: &dyn Fn(&Row<'_>) -> bool| {
        rows.iter()
            .filter(|row| keep(row))
            .filter_map(Row::shown)
            .fold(Decimal::ZERO, |sum, value| sum.saturating_add(value))
    };
    let mut totals = vec![sum(&|_| true), sum(&|row| !row.dropped)];
    totals.extend(others);
    totals.retain(|total| *total > Decimal::ZERO);
    totals.dedup();
    totals
}

/// The rows of a response, largest first; zero and negative values are not shown and not summed.
#[derive(Debug, Default)]
pub(super) struct Book<'a> {
    pub rows: Vec<Row<'a>>,
    /// Rows by their names [loosened](loosen).
    names: OnceCell<BTreeMap<String, Vec<usize>>>,
}

impl<'a> Book<'a> {
    /// Reads the rows below a root field.
    pub fn read(root: &Root<'a>, spec: &Rows) -> Self {
        let (Some(name), Some(key), Some(value)) =
            (root.keys(&spec.name), root.keys(&spec.key), root.keys(&spec.value))
        else {
            return Self::default();
        };
        let alias = spec.alias.as_ref().and_then(|path| root.keys(path));
        let group = spec.group.as_ref().and_then(|path| root.keys(path));
        let mut rows: Vec<Row<'a>> = root
            .rows()
            .filter_map(|row| {
                let text = |keys: &[String]| Root::at(row, keys).and_then(text_of);
                let name = text(&name).or_else(|| text(alias.as_deref()?))?;
                let key = text(&key)?;
                let is_left_out = |text: &str| spec.may_leave_out.iter().any(|left| left == text);
                let dropped = !spec.may_leave_out.is_empty()
                    && (is_left_out(&key)
                        || group.as_deref().and_then(text).is_some_and(|group| is_left_out(&group)));
                Some(Row { name, key, value: Root::at(row, &value).and_then(number), dropped })
            })
            .collect();
        rows.sort_by(|a, b| b.value.cmp(&a.value).then_with(|| a.name.cmp(&b.name)));
        Self { rows, names: OnceCell::new() }
    }

    /// The one row that a label names, which may be cut with an ellipsis. A name that several rows begin with says
    /// nothing about any one of them.
    fn named(&self, label: &str) -> Option<&Row<'a>> {
        let names = self.names.get_or_init(|| {
            let mut names: BTreeMap<String, Vec<usize>> = BTreeMap::new();
            for (at, row) in self.rows.iter().enumerate() {
                names.entry(loosen(&row.name)).or_default().push(at);
            }
            names
        });
        let loose = loosen(label);
        let cut = loose.strip_suffix('…').or_else(|| loose.strip_suffix("...")).map(str::trim_end);
        let mut matching: Box<dyn Iterator<Item = &usize>> = match cut {
            Some(cut) if cut.chars().count() >= 4 => Box::new(
                names
                    .range::<str, _>((Bound::Included(cut), Bound::Unbounded))
                    .take_while(move |(name, _)| name.starts_with(cut))
                    .flat_map(|(_, rows)| rows),
            ),
            _ => Box::new(names.get(&loose).into_iter().flatten()),
        };
        match (matching.next(), matching.next()) {
            (Some(at), None) => Some(&self.rows[*at]),
            _ => None,
        }
    }
}

/// A scalar as plain text, borrowed where it is one.
fn text_of<'a>(value: &Datum<'a>) -> Option<Cow<'a, str>> {
    match value {
        Datum::Text(text) => Some(text.clone()),
        other => plain(other).map(Cow::Owned),
    }
}

/// What the visible labels say of the response.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Labels {
    /// Keys of the rows whose label agrees, with the label.
    pub agreeing: Vec<(String, String)>,
    /// The sum that shares divide by.
    pub total: Option<Decimal>,
    /// Labels that say something else: what they say, and what the response says.
    pub disagreeing: Vec<String>,
}

/// Whether two codes or names mean the same product.
pub(super) fn is_product(row: &Row<'_>, wanted: &str) -> bool {
    row.key.eq_ignore_ascii_case(wanted)
        || row.name.eq_ignore_ascii_case(wanted)
        || vocabulary::same_words_of(Some("service"), &row.key, wanted).is_some()
}

/// Compares the labels over a drawing with the rows behind it. A label is a cell's name, possibly cut
/// with an ellipsis, and the text behind it of the label's form.
///
/// For shares, the sum under which most labels agree is taken; if any label disagrees under it, it is said.
pub(super) fn labels(page: &Page, region: Lines, book: &Book<'_>, rule: Rule, totals: &[Decimal]) -> Labels {
    let seen = seen(page, region, book, rule);
    if !is_percent(rule) {
        return judge(&seen, rule, None);
    }
    let judged = totals.iter().map(|total| judge(&seen, rule, Some(*total)));
    judged.min_by_key(|labels| labels.disagreeing.len()).unwrap_or_default()
}

fn judge(seen: &[(&Row<'_>, String)], rule: Rule, total: Option<Decimal>) -> Labels {
    let mut labels = Labels { total, ..Labels::default() };
    for (row, figure) in seen {
        let precise = match total {
            Some(total) => row.share(total),
            None => row.value,
        };
        let Ok(shown) = parse_as(figure, rule) else { continue };
        match precise {
            Some(precise) if shown.interval.contains(precise) => {
                labels.agreeing.push((row.key.to_string(), figure.clone()));
            }
            Some(precise) => labels.disagreeing.push(format!(
                "{} is labelled {figure}, the response gives {}",
                row.name,
                precise.round_dp(4).normalize()
            )),
            None => {
                labels.disagreeing.push(format!("{} is labelled {figure}, the response gives null", row.name))
            }
        }
    }
    labels
}

/// The labels over a drawing, each with its row.
fn seen<'b, 'a>(page: &Page, region: Lines, book: &'b Book<'a>, rule: Rule) -> Vec<(&'b Row<'a>, String)> {
    let figures: Vec<bool> = region.clone().map(|at| parse_as(&page.lines[at].text, rule).is_ok()).collect();
    let mut seen = Vec::new();
    for at in region.clone() {
        let line = &page.lines[at];
        if line.chart || line.control || line.text.len() > 120 {
            continue;
        }
        let (name, figure) = match parse_tail(&line.text, rule) {
            Some((name, figure)) => (name, Some(figure)),
            None => (line.text.as_str(), figure_of(page, &region, at, &figures)),
        };
        let Some(figure) = figure else { continue };
        let Some(row) = book.named(name) else { continue };
        if parse_as(&figure, rule).is_ok() {
            seen.push((row, figure));
        }
    }
    seen
}

/// A name and a figure in one line.
fn parse_tail(text: &str, rule: Rule) -> Option<(&str, String)> {
    let (name, figure) = text.rsplit_once(' ')?;
    parse_as(figure, rule).is_ok().then(|| (name, figure.to_owned()))
}

/// The figure that belongs to a name: the only other line of the cell they share, or the one right below it in
/// the same column, or, where it is not known what stands where, the line behind it.
fn figure_of(page: &Page, region: &Lines, at: usize, figures: &[bool]) -> Option<String> {
    let is_figure = |at: usize| figures[at - region.start];
    let next = at + 1;
    let shares_cell = page.around(at, region.clone()).any(|block| page.blocks[block].lines == (at..at + 2));
    let known = page.lines[at].area;
    if next < region.end && is_figure(next) && (shares_cell || known.is_none()) {
        return Some(page.lines[next].text.clone());
    }
    let [left, top, width, height] = known?;
    let below = region.clone().filter(|&other| other != at && is_figure(other)).find(|&other| {
        page.lines[other].area.is_some_and(|[x, y, w, _]| {
            (x - left).abs() < 3.0 && (w - width).abs() < 3.0 && (y - (top + height)).abs() < 3.0
        })
    });
    below.map(|below| page.lines[below].text.clone())
}

const fn is_percent(rule: Rule) -> bool {
    matches!(rule, Rule::F6 | Rule::F7 | Rule::F8 | Rule::F9)
}

/// The unit that a rule prints.
pub(super) const fn unit_of(rule: Rule) -> Unit {
    if is_percent(rule) { Unit::Percent } else { Unit::Usd }
}
