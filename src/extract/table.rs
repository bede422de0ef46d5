//! A table with headers, by `<table>` or not: headers in order, then cells in order, each of its
//! column's form. A row that does not fit fails the table; nothing is shifted, nothing left out.

use std::sync::LazyLock;

use crate::value::Unit;
use crate::value::fold::tidy;
use regex::Regex;

use super::cell::{self, Cell, CellKind};
use super::cue::Cue;
use super::observation::FailureKind;
use super::page::{Lines, Page, loosen};
use super::stat::Miss;

/// The compiled spec of a table.
#[derive(Debug, Clone)]
pub(super) struct TableForm {
    /// Its titles.
    pub titles: Vec<Cue>,
    /// Its columns.
    pub columns: Vec<ColumnForm>,
}

/// The compiled spec of a column.
#[derive(Debug, Clone)]
pub(super) struct ColumnForm {
    /// Name in the record.
    pub id: String,
    /// Loosened headers.
    pub headers: Vec<String>,
    /// What its cells hold.
    pub kind: CellKind,
    /// Unit of its numbers.
    pub unit: Option<Unit>,
}

/// A table as read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Table {
    /// The rows, each with a cell per column.
    pub rows: Vec<Vec<Cell>>,
    /// The title as displayed.
    pub title: String,
    /// First and last year of the title.
    pub years: Option<(i16, i16)>,
    /// How many rows the page says there are, and the text that says so.
    pub promised: Option<(usize, String)>,
    /// Why its rows are not all of them, where not all of them could be brought into view.
    pub part: Option<String>,
}

impl Table {
    /// The whole table: a list that shows one page of several, or the rows in view alone, is not the table.
    ///
    /// # Errors
    /// The page says that there are more rows, or not all of them could be brought into view.
    pub fn whole(self) -> Result<Self, Miss> {
        match self.lack() {
            Some(miss) => Err(miss),
            None => Ok(self),
        }
    }

    /// Why it is not whole, where it is not.
    pub fn lack(&self) -> Option<Miss> {
        let what = match (&self.part, &self.promised) {
            (Some(why), _) => why.clone(),
            (None, Some((count, text))) if self.rows.len() < *count => {
                format!("{} of {count} rows (\"{text}\")", self.rows.len())
            }
            _ => return None,
        };
        Some(Miss { kind: FailureKind::Partial(what), nearest: None })
    }
}

/// Reads a table.
///
/// # Errors
/// Title or headers are not there, or a row does not fit its columns.
pub(super) fn read(page: &Page, region: Lines, form: &TableForm) -> Result<Table, Miss> {
    let miss = |kind, nearest| Miss { kind, nearest };
    let title = region.clone().filter(|&at| !page.lines[at].control).find_map(|at| {
        // its years may stand in a line of their own
        let ends = at + 1..=region.end.min(at + 2);
        let cued = |text: &str| form.titles.iter().find_map(|cue| cue.whole(text.trim_end_matches(':')));
        ends.into_iter().find_map(|end| cued(&page.text(at..end)).map(|hit| (at..end, hit)))
    });
    let Some((title, hit)) = title else {
        let wanted = form.titles.first().map_or("", |cue| cue.source.as_str());
        return Err(miss(FailureKind::LabelMissing, super::section::nearest(page, region, wanted)));
    };
    let (first_header, last_header) = headers(page, title.end..region.end, form)?;
    let end = page
        .around(first_header, region.clone())
        .map(|block| page.blocks[block].lines.clone())
        .find(|lines| lines.end > last_header + 1)
        .map_or(region.end, |lines| lines.end);
    let mut rows = Vec::new();
    let mut at = last_header + 1;
    while at < end {
        match row(page, at..end, form) {
            Ok((cells, next)) => {
                rows.push(cells);
                at = next;
            }
            // what follows the last row in the same block is a note, unless it looks like figures
            Err(_) if !rows.is_empty() && !page.lines[at..end].iter().any(|line| is_figure(&line.text)) => {
                break;
            }
            Err(kind) => {
                return Err(miss(
                    kind,
                    Some(
                        page.lines[at..end.min(at + 6)]
                            .iter()
                            .map(|line| line.text.as_str())
                            .collect::<Vec<_>>()
                            .join(" | "),
                    ),
                ));
            }
        }
    }
    if rows.is_empty() {
        return Err(miss(FailureKind::WrongForm, Some(page.lines[last_header].text.clone())));
    }
    let promised = promised(page, title.start, region.end);
    let part = page.parts.iter().find(|part| part.lines.start < at && part.lines.end > first_header);
    let year = |name| hit.slots.get(name).and_then(|year| year.parse().ok());
    Ok(Table {
        rows,
        title: page.text(title),
        years: year("start").zip(year("end")),
        promised,
        part: part.map(|part| part.why.clone()),
    })
}

/// How many rows a title or what stands below it promises: `Top 50 Products`, `1–10 of 50`, `10 of 50 rows`.
static PROMISE: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let patterns = [
        r"^top (?P<n>\d{1,4}) [a-z]",
        r"(?:^| )\d{1,4} ?(?:-|to) ?\d{1,4} (?:of|/) (?P<n>\d{1,5})(?:$|[^\d,])",
        r"(?:^| )\d{1,4} (?:of|/) (?P<n>\d{1,5}) (?:rows|products|entries|items|results|records)",
    ];
    patterns.iter().filter_map(|pattern| Regex::new(pattern).ok()).collect()
});

fn promised(page: &Page, title: usize, end: usize) -> Option<(usize, String)> {
    (title..end)
        .map(|at| &page.lines[at])
        .filter(|line| line.loose.len() < 60 && line.loose.bytes().any(|byte| byte.is_ascii_digit()))
        .filter_map(|line| {
            let found = PROMISE.iter().find_map(|promise| promise.captures(&line.loose))?;
            Some((found.name("n")?.as_str().parse().ok()?, line.text.clone()))
        })
        .max_by_key(|(count, _)| *count)
}

fn headers(page: &Page, lines: Lines, form: &TableForm) -> Result<(usize, usize), Miss> {
    let mut at = lines.start;
    let mut first = None;
    for column in &form.columns {
        let end = lines.end.min(at + 12);
        let found = (at..end).find_map(|at| Some((at, header_from(page, at..end, column)?)));
        let Some((found, behind)) = found else {
            let wanted = column.headers.first().map_or("", String::as_str);
            return Err(Miss {
                kind: FailureKind::LabelMissing,
                nearest: super::section::nearest(page, at..end, wanted),
            });
        };
        first = first.or(Some(found));
        at = behind;
    }
    Ok((first.unwrap_or(lines.start), at - 1))
}

/// Lines of a header at most: `Global<br>Growth<br>5 YR`.
const HEADER: usize = 3;

/// Where a column's header ends that begins at the first of the lines; none when another stands there. The longest
/// counts, for a column may be called `Global Growth` and `Global Growth 5 YR`.
fn header_from(page: &Page, lines: Lines, column: &ColumnForm) -> Option<usize> {
    let most = lines.end.min(lines.start + HEADER);
    (lines.start + 1..=most)
        .rev()
        .find(|&end| column.headers.contains(&header(&without_chips(page, lines.start..end))))
}

fn header(text: &str) -> String {
    let loose = loosen(&text.replace(['↑', '↓', '⇅', '↕'], " "));
    // the unit of the cells is not another column: `Global Growth 5 YR (%)`
    let bare = ["(usd)", "(us$)", "($)", "(%)"].iter().find_map(|unit| loose.strip_suffix(unit));
    bare.map_or_else(|| loose.clone(), |bare| bare.trim_end().to_owned())
}

fn is_figure(text: &str) -> bool {
    text.len() < 40
        && (text.contains(['$', '%', '◆', '◇'])
            || text.bytes().filter(u8::is_ascii_digit).count() * 2 > text.len())
}

/// Reads one row: every cell in order, each of one or a few lines.
fn row(page: &Page, lines: Lines, form: &TableForm) -> Result<(Vec<Cell>, usize), FailureKind> {
    let mut cells = Vec::with_capacity(form.columns.len());
    let behind_chips = |at: usize| {
        let chips = page.lines[at..lines.end].iter().take_while(|line| line.bare.as_deref() == Some(""));
        at + chips.count()
    };
    let mut at = behind_chips(lines.start);
    for (index, column) in form.columns.iter().enumerate() {
        let next = form.columns.get(index + 1);
        let (cell, end) = cell(page, at..lines.end, column, next)?;
        cells.push(cell);
        at = behind_chips(end);
    }
    Ok((cells, at))
}

fn cell(
    page: &Page,
    lines: Lines,
    column: &ColumnForm,
    next: Option<&ColumnForm>,
) -> Result<(Cell, usize), FailureKind> {
    let most = lines.len().min(if column.kind == CellKind::Rating { 6 } else { 3 });
    let mut wrong = FailureKind::WrongForm;
    for count in 1..=most {
        let end = lines.start + count;
        let text = page.text(lines.start..end);
        let joined =
            || page.lines[lines.start..end].iter().map(|line| line.text.as_str()).collect::<String>();
        // one line alone is the same either way, and what a chip beside it says is no part of it
        let chips = page.lines[lines.start..end].iter().any(|line| line.bare.is_some());
        let joined = (count > 1 && !chips).then(joined);
        let text = if chips { without_chips(page, lines.start..end) } else { text };
        for text in std::iter::once(text).chain(joined) {
            match cell::read(&text, column.kind, column.unit) {
                Ok(Some(cell)) => {
                    // a name may run over several lines: take all up to where the next column begins
                    let more = matches!(column.kind, CellKind::Product)
                        && next.is_some_and(|next| !begins(page, end..lines.end, next));
                    if !more {
                        return Ok((cell, end));
                    }
                }
                Ok(None) => {}
                Err(kind) => wrong = kind,
            }
        }
    }
    Err(wrong)
}

fn without_chips(page: &Page, lines: Lines) -> String {
    let bare = page.lines[lines].iter().map(|line| line.bare.as_ref().unwrap_or(&line.text).as_str());
    tidy(&bare.collect::<Vec<_>>().join(" "))
}

fn begins(page: &Page, lines: Lines, column: &ColumnForm) -> bool {
    cell(page, lines, column, None).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Rule;

    fn form() -> TableForm {
        let column = |id: &str, header: &str, kind, unit| ColumnForm {
            id: id.into(),
            headers: vec![loosen(header)],
            kind,
            unit,
        };
        TableForm {
            titles: vec![Cue::new("New Export Products, {start} - {end}", None).unwrap()],
            columns: vec![
                column("country", "Country", CellKind::Country, None),
                column("new_products", "New Products", CellKind::Number(Rule::Integer), Some(Unit::Count)),
                column("growth", "Growth", CellKind::Arrowed(Rule::Growth), Some(Unit::Percent)),
            ],
        }
    }

    fn values(html: &str) -> Result<Vec<Vec<String>>, Miss> {
        let page = Page::parse(html);
        let lines = 0..page.lines.len();
        let table = read(&page, lines, &form())?;
        Ok(table.rows.into_iter().map(|row| row.into_iter().map(|cell| cell.value).collect()).collect())
    }

    const TITLE: &str = "<h3>New Export Products, 2009 – 2024</h3>";

    #[test]
    fn a_table_and_a_grid_of_divs_read_the_same() {
        let table = format!(
            "{TITLE}<table><thead><tr><th>Country<th>New Products<th>Growth ▲</thead><tbody>\
             <tr><td>Uganda<td>28<td>↑ 3.4%<tr><td>Kenya<td>24<td>↓13.1%</tbody></table><p>a note</p>"
        );
        let grid = format!(
            "{TITLE}<div><div>Country</div><div>New Products</div><div>Growth</div><div><i></i><b>Uganda</b></div><div>28</div>\
             <div><span data-agt-d=b>↑</span><span data-agt-d=b>3.4%</span></div><div>Kenya</div><div>24</div><div>↓ 13.1 %</div></div>"
        );
        let expected = vec![vec!["Uganda", "28", "3.4%"], vec!["Kenya", "24", "-13.1%"]];
        assert_eq!(values(&table).unwrap(), expected);
        assert_eq!(values(&grid).unwrap(), expected);
    }

    #[test]
    fn headers_and_titles_may_run_over_several_lines() {
        let html = format!(
            "{TITLE}<table><tr><th>Country<th>New<br>Products<th><div>Growth</div><div>(%)</div>\
             <tr><td>Uganda<td>28<td>↑ 3.4%</table>"
        );
        assert_eq!(values(&html).unwrap(), vec![vec!["Uganda", "28", "3.4%"]]);
        // so may the title
        let parted = html.replace("Products, 2009", "Products,</h3><h3>2009");
        assert_eq!(values(&parted).unwrap(), vec![vec!["Uganda", "28", "3.4%"]]);
        // the words of one column's header are not those of two
        let html = html.replace("Growth</div><div>(%)", "Growth</div><div>Rank");
        assert_eq!(values(&html).unwrap_err().kind, FailureKind::WrongForm);
    }

    #[test]
    fn one_bad_cell_fails_the_table_and_shifts_nothing() {
        let html = |cell: &str| {
            format!(
                "{TITLE}<table><tr><th>Country<th>New Products<th>Growth<tr><td>Uganda<td>28<td>↑1%\
                 <tr><td>Kenya<td>24<td>{cell}<tr><td>Sudan<td>7<td>↑2%</table>"
            )
        };
        assert_eq!(values(&html("5%")).unwrap_err().kind, FailureKind::SignMissing);
        assert_eq!(values(&html("")).unwrap_err().kind, FailureKind::WrongForm);
        assert_eq!(values(&html("---")).unwrap()[1][2], "N/A");
    }

    #[test]
    fn a_table_of_which_not_all_could_be_seen_is_refused() {
        let html = |part: &str, beside: &str| {
            format!(
                "{TITLE}<table><tr><th>Country<th>New Products<th>Growth<tbody {part}><tr><td>Uganda<td>28<td>↑1%\
                 </table><div {beside}><p>below</p></div>"
            )
        };
        let read = |html: &str| {
            let page = Page::parse(html);
            let lines = 0..page.lines.len();
            read(&page, lines, &form()).unwrap().whole().map(|table| table.rows.len())
        };
        let part = "data-agt-part='15 of 50 rows'";
        assert_eq!(read(&html("", part)).unwrap(), 1);
        assert_eq!(read(&html(part, "")).unwrap_err().kind, FailureKind::Partial("15 of 50 rows".into()));
    }

    #[test]
    fn a_unit_in_a_header_names_no_other_column() {
        assert_eq!(header("Global Growth 5 YR (%) ↓"), "global growth 5 yr");
        assert_eq!(header("GLOBAL SIZE (USD)"), "global size");
        assert_ne!(header("GLOBAL SIZE (EUR)"), "global size");
    }
}
