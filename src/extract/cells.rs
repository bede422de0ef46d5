//! Treemaps and other drawings: the value comes from the response to the page's own query, and every
//! text that is laid over the drawing must agree with it.

use std::collections::BTreeMap;
use std::ops::Bound;

use rust_decimal::Decimal;

use crate::manifest::spec::Rows;
use crate::value::{Rule, Unit, parse_as, vocabulary};

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
pub(super) struct Row {
    /// Name as displayed.
    pub name: String,
    /// Code or id.
    pub key: String,
    /// The value; none where the response says null.
    pub value: Option<Decimal>,
    /// Whether the page may leave it out of the sum that shares divide by.
    pub dropped: bool,
}

impl Row {
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
pub(super) fn totals(rows: &[Row], others: impl IntoIterator<Item = Decimal>) -> Vec<Decimal> {
    let sum = |keep: &dyn Fn(&Row) -> bool| {
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

/// The rows of a response, largest first; zero and negative values are not shown and not summed.
pub(super) fn rows(root: &Root<'_>, spec: &Rows) -> Vec<Row> {
    let (Some(name), Some(key), Some(value)) =
        (root.keys(&spec.name), root.keys(&spec.key), root.keys(&spec.value))
    else {
        return Vec::new();
    };
    let alias = spec.alias.as_ref().and_then(|path| root.keys(path));
    let group = spec.group.as_ref().and_then(|path| root.keys(path));
    let mut rows: Vec<Row> = root
        .rows()
        .filter_map(|row| {
            let text = |keys: &[String]| Root::at(row, keys).and_then(plain);
            let name = text(&name).or_else(|| text(alias.as_deref()?))?;
            let key = text(&key)?;
            let group = group.as_deref().and_then(text);
            let dropped = spec.may_leave_out.iter().any(|left| *left == key || Some(left) == group.as_ref());
            Some(Row { name, key, value: Root::at(row, &value).and_then(number), dropped })
        })
        .collect();
    rows.sort_by(|a, b| b.value.cmp(&a.value).then_with(|| a.name.cmp(&b.name)));
    rows
}

/// Whether two codes or names mean the same product.
pub(super) fn is_product(row: &Row, wanted: &str) -> bool {
    row.key.eq_ignore_ascii_case(wanted)
        || row.name.eq_ignore_ascii_case(wanted)
        || vocabulary::same_words_of(Some("service"), &row.key, wanted).is_some()
}

/// Compares the labels over a drawing with the rows behind it. A label is a cell's name, possibly cut
/// with an ellipsis, and the text behind it of the label's form.
///
/// For shares, the sum under which most labels agree is taken; if any label disagrees under it, it is said.
pub(super) fn labels(page: &Page, region: Lines, rows: &[Row], rule: Rule, totals: &[Decimal]) -> Labels {
    let seen = seen(page, region, rows, rule);
    if !is_percent(rule) {
        return judge(&seen, rule, None);
    }
    let judged = totals.iter().map(|total| judge(&seen, rule, Some(*total)));
    judged.min_by_key(|labels| labels.disagreeing.len()).unwrap_or_default()
}

fn judge(seen: &[(&Row, String)], rule: Rule, total: Option<Decimal>) -> Labels {
    let mut labels = Labels { total, ..Labels::default() };
    for (row, figure) in seen {
        let precise = match total {
            Some(total) => row.share(total),
            None => row.value,
        };
        let Ok(shown) = parse_as(figure, rule) else { continue };
        match precise {
            Some(precise) if shown.interval.contains(precise) => {
                labels.agreeing.push((row.key.clone(), figure.clone()));
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
fn seen<'a>(page: &Page, region: Lines, rows: &'a [Row], rule: Rule) -> Vec<(&'a Row, String)> {
    let mut names: BTreeMap<String, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        names.entry(loosen(&row.name)).or_default().push(row);
    }
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
        let loose = loosen(name);
        let cut = loose.strip_suffix('…').or_else(|| loose.strip_suffix("...")).map(str::trim_end);
        let mut matching: Box<dyn Iterator<Item = &&Row>> = match cut {
            Some(cut) if cut.chars().count() >= 4 => Box::new(
                names
                    .range::<str, _>((Bound::Included(cut), Bound::Unbounded))
                    .take_while(move |(name, _)| name.starts_with(cut))
                    .flat_map(|(_, rows)| rows),
            ),
            _ => Box::new(names.get(&loose).into_iter().flatten()),
        };
        // a name that several rows begin with says nothing about any one of them
        let (Some(row), None) = (matching.next(), matching.next()) else { continue };
        if parse_as(&figure, rule).is_ok() {
            seen.push((*row, figure));
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
