//! A table with headers, by `<table>` or not: its columns in whatever order the headers name them, then cells in the same
//! order, each of its column's form. Columns that the spec does not know are passed over where each cell is a block of
//! its own. A row that does not fit fails the table; nothing is shifted, nothing left out.

use std::sync::LazyLock;

use crate::atlas::Api;
use crate::manifest::spec::{Problem, Spec, Step};
use crate::value::Rule;
use crate::value::Unit;
use crate::value::fold::tidy;
use regex::Regex;
use serde::Deserialize;

use super::cell::{self, Cell, CellKind};
use super::cue::Cue;
use super::label::loosened;
use super::observation::{FailureKind, Miss};
use crate::extract::document::{BlockId, Lines, Page, loosen};

/// The parameters of a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableSpec {
    /// Its title.
    titles: Vec<String>,
    /// Its columns from left to right.
    pub columns: Vec<Column>,
}

/// A column of a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// Name in the record.
    pub id: String,
    /// Header in every wording that was seen.
    headers: Vec<String>,
    /// Form of its numbers.
    rule: Option<Rule>,
    /// Unit of its numbers.
    unit: Option<Unit>,
    /// What its text names: `country` or `product`.
    text: Option<String>,
    /// Five diamonds, each empty, half or full.
    #[serde(default)]
    rating: bool,
    /// The sign stands in an arrow beside the number and must be there.
    #[serde(default)]
    signed: bool,
    /// The field of the page's own response by product that is displayed (Explore).
    pub field: Option<String>,
    /// Factor from the raw number of that field to the displayed unit.
    pub scale: Option<rust_decimal::Decimal>,
    /// Why that field may differ from the display.
    pub known_difference: Option<String>,
}

impl TableSpec {
    /// Whether the API has the fields that columns name.
    ///
    /// # Errors
    /// One that it has not, with the column.
    pub fn check(&self, api: Api) -> Result<(), Problem> {
        self.columns.iter().enumerate().try_for_each(|(index, column)| {
            let at = [Step::Key("columns"), Step::Index(index), Step::Key("field")];
            let field = column.field.as_deref().map_or(Ok(()), |field| api.row_field(field));
            field.map_err(|what| Problem::at(&at, what))
        })
    }

    /// The compiled form.
    pub fn form(&self) -> Result<TableForm, String> {
        Ok(TableForm {
            titles: self.titles.iter().map(|title| Cue::new(title, None)).collect::<Result<_, _>>()?,
            columns: self.columns.iter().map(Column::form).collect::<Result<_, _>>()?,
        })
    }

    /// The parameters of the table that a point of this id describes.
    pub fn of(spec: &Spec, id: &str) -> Result<Self, String> {
        let point = spec.point(id).filter(|point| point.find.kind == "table");
        point.ok_or_else(|| format!("no table `{id}`"))?.find.params()
    }

    /// Where a column of that table stands.
    pub fn column(&self, table: &str, id: &str) -> Result<usize, String> {
        let at = self.columns.iter().position(|column| column.id == id);
        at.ok_or_else(|| format!("no table `{table}` with a column `{id}`"))
    }
}

impl Column {
    fn form(&self) -> Result<ColumnForm, String> {
        let kind = match (self.rating, self.rule, self.text.as_deref()) {
            (true, _, _) => CellKind::Rating,
            (_, Some(rule), _) if self.signed => CellKind::Arrowed(rule),
            (_, Some(rule), _) => CellKind::Number(rule),
            (_, _, Some("country")) => CellKind::Country,
            (_, _, Some("product")) => CellKind::Product,
            _ => {
                let what = "no `rule`, no `rating`, and `text` is not country or product";
                return Err(format!("column `{}`: {what}", self.id));
            }
        };
        Ok(ColumnForm { id: self.id.clone(), headers: loosened(&self.headers), kind, unit: self.unit })
    }
}

/// The compiled spec of a table.
#[derive(Debug, Clone)]
pub struct TableForm {
    /// Its titles.
    pub titles: Vec<Cue>,
    /// Its columns.
    pub columns: Vec<ColumnForm>,
}

/// The compiled spec of a column.
#[derive(Debug, Clone)]
pub struct ColumnForm {
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
        return Err(miss(
            FailureKind::LabelMissing,
            crate::extract::view::section::nearest(page, region, wanted),
        ));
    };
    let heads = headers(page, title.end..region.end, form)?;
    let grid = Grid::find(page, &region, &heads);
    let header = grid.as_ref().map_or_else(|| span(&heads), |grid| grid.header.clone());
    let end = page
        .around(header.start, region.clone())
        .map(|block| page.blocks[block].lines.clone())
        .find(|lines| lines.end > header.end)
        .map_or(region.end, |lines| lines.end);
    let shown: Vec<usize> = heads.iter().map(|(column, _)| *column).collect();
    let mut rows = Vec::new();
    let mut at = header.end;
    while at < end {
        let read = match &grid {
            Some(grid) => grid.row(page, at..end, rows.len(), form),
            None => row(page, at..end, form, &shown),
        };
        match read {
            Ok((cells, next)) => {
                rows.push(cells);
                at = next;
            }
            // what follows the last row in the same block is a note, unless it looks like figures
            Err(_) if !rows.is_empty() && !page.lines[at..end].iter().any(|line| is_figure(&line.text)) => {
                break;
            }
            Err(kind) => {
                let seen = page.lines[at..end.min(at + 6)].iter().map(|line| line.text.as_str());
                return Err(miss(kind, Some(seen.collect::<Vec<_>>().join(" | "))));
            }
        }
    }
    if rows.is_empty() {
        return Err(miss(FailureKind::WrongForm, Some(page.lines[header.end - 1].text.clone())));
    }
    let promised = promised(page, title.start, region.end);
    let part = page.parts.iter().find(|part| part.lines.start < at && part.lines.end > header.start);
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

/// A column of the spec, and the lines of its header.
type Head = (usize, Lines);

/// Lines from one header to the next at most.
const APART: usize = 12;

/// The headers in the order displayed: the nearest ones to each other that name every column.
fn headers(page: &Page, lines: Lines, form: &TableForm) -> Result<Vec<Head>, Miss> {
    let mut seen: Vec<Option<Lines>> = vec![None; form.columns.len()];
    let end = lines.end.min(lines.start + APART * (seen.len() + 1));
    let mut at = lines.start;
    while at < end {
        let Some((column, behind)) = header_from(page, at..lines.end, form) else {
            at += 1;
            continue;
        };
        seen[column] = Some(at..behind);
        at = behind;
        let all = seen.iter().enumerate().map(|(column, lines)| Some((column, lines.clone()?)));
        if let Some(mut heads) = all.collect::<Option<Vec<Head>>>() {
            heads.sort_by_key(|(_, lines)| lines.start);
            if heads.windows(2).all(|pair| pair[1].1.start <= pair[0].1.end + APART) {
                return Ok(heads);
            }
        }
    }
    let missing = seen.iter().position(Option::is_none).unwrap_or_default();
    let wanted = form.columns[missing].headers.first().map_or("", String::as_str);
    let nearest = crate::extract::view::section::nearest(page, lines.start..end, wanted);
    Err(Miss { kind: FailureKind::LabelMissing, nearest })
}

fn span(heads: &[Head]) -> Lines {
    let start = heads.first().map_or(0, |(_, lines)| lines.start);
    start..heads.last().map_or(start, |(_, lines)| lines.end)
}

/// Lines of a header at most: `Global<br>Growth<br>5 YR`.
const HEADER: usize = 3;

/// The column whose header begins at the first of the lines, and where it ends; none when no header stands there. The
/// longest counts, for a column may be called `Global Growth` and `Global Growth 5 YR`.
fn header_from(page: &Page, lines: Lines, form: &TableForm) -> Option<(usize, usize)> {
    let most = lines.end.min(lines.start + HEADER);
    (lines.start + 1..=most).rev().find_map(|end| {
        let text = header(&without_chips(page, lines.start..end));
        let column = form.columns.iter().position(|column| column.headers.contains(&text))?;
        Some((column, end))
    })
}

/// A table in which each cell is a block, or a line, of its own, and that has columns which the spec does not know.
struct Grid {
    header: Lines,
    /// The spec's column of each cell of a row, in the order displayed.
    columns: Vec<Option<usize>>,
    /// The cells of all rows, where rows are no blocks.
    cells: Option<Vec<Lines>>,
    /// Whether cells without any text count.
    empties: bool,
}

impl Grid {
    /// The grid of a table; none where all of its columns are known.
    fn find(page: &Page, region: &Lines, heads: &[Head]) -> Option<Self> {
        let all = span(heads);
        let around = |block: &BlockId| {
            let lines = &page.blocks[*block].lines;
            lines.start <= all.start && lines.end >= all.end
        };
        let block = page.around(all.start, region.clone()).find(around)?;
        [true, false].into_iter().find_map(|empties| {
            let parts = parts(page, block, empties);
            let of = |lines: &Lines| parts.iter().position(|part| part == lines);
            // each header fills a part of its own
            let places: Vec<usize> = heads.iter().map(|(_, lines)| of(lines)).collect::<Option<_>>()?;
            let (first, last) = (*places.first()?, *places.last()?);
            let column = |at: usize| places.iter().position(|place| *place == at).map(|at| heads[at].0);
            let behind = page.blocks[block].lines.end;
            let is_row =
                behind < region.end && row_at(page, behind..region.end, parts.len(), empties).is_some();
            let (shown, cells) = if is_row {
                (0..parts.len(), None)
            } else {
                (first..last + 1, Some(parts[last + 1..].to_vec()))
            };
            let header = if is_row { page.blocks[block].lines.clone() } else { all.clone() };
            let columns: Vec<Option<usize>> = shown.map(column).collect();
            columns.contains(&None).then_some(Self { header, columns, cells, empties })
        })
    }

    /// Reads the row that begins at the first of the lines and has so many before it.
    fn row(
        &self,
        page: &Page,
        lines: Lines,
        before: usize,
        form: &TableForm,
    ) -> Result<(Vec<Cell>, usize), FailureKind> {
        let count = self.columns.len();
        let parts = match &self.cells {
            None => row_at(page, lines, count, self.empties),
            Some(cells) => cells.get(before * count..(before + 1) * count).map(<[Lines]>::to_vec),
        };
        let parts = parts.ok_or(FailureKind::WrongForm)?;
        let mut cells = vec![None; form.columns.len()];
        for (column, part) in self.columns.iter().zip(&parts) {
            let Some(column) = *column else { continue };
            cells[column] =
                Some(whole(page, part.clone(), &form.columns[column])?.ok_or(FailureKind::WrongForm)?);
        }
        let end = parts.last().map_or(0, |part| part.end);
        Ok((cells.into_iter().collect::<Option<_>>().ok_or(FailureKind::WrongForm)?, end))
    }
}

/// The parts of the block of so many that begins at the first of the lines.
fn row_at(page: &Page, lines: Lines, count: usize, empties: bool) -> Option<Vec<Lines>> {
    page.around(lines.start, lines)
        .map(|block| parts(page, block, empties))
        .find(|parts| parts.len() == count)
}

/// What a block consists of: the blocks right within it, and the lines that lie in none of them.
fn parts(page: &Page, block: BlockId, empties: bool) -> Vec<Lines> {
    let mut parts = Vec::new();
    let own = &page.blocks[block].lines;
    let mut at = own.start;
    let inner = page.blocks[block + 1..].iter().take_while(|inner| inner.parent >= block);
    for inner in inner.filter(|inner| inner.parent == block) {
        parts.extend((at..inner.lines.start).map(|line| line..line + 1));
        if empties || !inner.lines.is_empty() {
            parts.push(inner.lines.clone());
        }
        at = inner.lines.end;
    }
    parts.extend((at..own.end).map(|line| line..line + 1));
    parts
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

/// Reads one row: every cell in the order displayed, each of one or a few lines.
fn row(
    page: &Page,
    lines: Lines,
    form: &TableForm,
    shown: &[usize],
) -> Result<(Vec<Cell>, usize), FailureKind> {
    let mut cells = vec![None; form.columns.len()];
    let behind_chips = |at: usize| {
        let chips = page.lines[at..lines.end].iter().take_while(|line| line.bare.as_deref() == Some(""));
        at + chips.count()
    };
    let mut at = behind_chips(lines.start);
    for (index, &column) in shown.iter().enumerate() {
        let next = shown.get(index + 1).map(|next| &form.columns[*next]);
        let (cell, end) = cell(page, at..lines.end, &form.columns[column], next)?;
        cells[column] = Some(cell);
        at = behind_chips(end);
    }
    Ok((cells.into_iter().collect::<Option<_>>().ok_or(FailureKind::WrongForm)?, at))
}

fn cell(
    page: &Page,
    lines: Lines,
    column: &ColumnForm,
    next: Option<&ColumnForm>,
) -> Result<(Cell, usize), FailureKind> {
    let most = lines.len().min(if column.kind == CellKind::Rating { 6 } else { 3 });
    let mut wrong = FailureKind::WrongForm;
    for end in lines.start + 1..=lines.start + most {
        let of_name = column.kind == CellKind::Product;
        if of_name && end > lines.start + 1 && !fills_a_block(page, lines.start..end) {
            continue;
        }
        match whole(page, lines.start..end, column) {
            Ok(Some(cell)) => {
                // a name may run over several lines: take all up to where the next column begins
                let more = of_name && next.is_some_and(|next| !begins(page, end..lines.end, next));
                if !more {
                    return Ok((cell, end));
                }
            }
            Ok(None) => {}
            Err(kind) => wrong = kind,
        }
    }
    Err(wrong)
}

/// Whether lines are all that a block holds: those of two cells are not.
fn fills_a_block(page: &Page, lines: Lines) -> bool {
    page.around(lines.start, lines.clone()).any(|block| page.blocks[block].lines == lines)
}

/// The cell that some lines are; none where they are no such cell.
fn whole(page: &Page, lines: Lines, column: &ColumnForm) -> Result<Option<Cell>, FailureKind> {
    let all = &page.lines[lines.clone()];
    // one line alone is the same either way, and what a chip beside it says is no part of it
    let chips = all.iter().any(|line| line.bare.is_some());
    let joined =
        || (all.len() > 1 && !chips).then(|| all.iter().map(|line| line.text.as_str()).collect::<String>());
    let text = if chips { without_chips(page, lines.clone()) } else { page.text(lines.clone()) };
    let mut wrong = None;
    for text in std::iter::once(text).chain(joined()) {
        match cell::read(&text, column.kind, column.unit) {
            Ok(Some(cell)) => return Ok(Some(cell)),
            Ok(None) => {}
            Err(kind) => wrong = Some(kind),
        }
    }
    wrong.map_or(Ok(None), Err)
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

    /// The same cells as a `<table>`, as rows of divs, and as one grid of divs.
    fn markups(header: &[&str], rows: &[&[&str]]) -> [String; 3] {
        let row = |tag: &str, cells: &[&str]| -> String {
            cells.iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect()
        };
        let all = |open: &str, close: &str, tag: &str| -> String {
            rows.iter().map(|cells| format!("{open}{}{close}", row(tag, cells))).collect()
        };
        [
            format!(
                "{TITLE}<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table><p>a note</p>",
                row("th", header),
                all("<tr>", "</tr>", "td")
            ),
            format!(
                "{TITLE}<div><div>{}</div><div>{}</div></div>",
                row("div", header),
                all("<div>", "</div>", "div")
            ),
            format!("{TITLE}<div>{}{}</div>", row("div", header), all("", "", "div")),
        ]
    }

    #[test]
    fn columns_in_another_order_are_read_by_their_headers() {
        let rows: &[&[&str]] = &[&["↑ 3.4%", "Uganda", "28"], &["↓13.1%", "Kenya", "24"]];
        for html in markups(&["Growth ▲", "Country", "New<br>Products"], rows) {
            let expected = [["Uganda", "28", "3.4%"], ["Kenya", "24", "-13.1%"]];
            assert_eq!(values(&html).unwrap_or_else(|miss| panic!("{html}: {miss:?}")), expected);
        }
    }

    #[test]
    fn columns_that_nobody_knows_are_passed_over_and_shift_nothing() {
        let expected = [["Uganda", "28", "3.4%"], ["Kenya", "24", "-13.1%"]];
        let read = |html: &str| values(html).unwrap_or_else(|miss| panic!("{html}: {miss:?}"));
        let header = ["Country", "Rank", "Growth", "Share of<br>all", "New Products"];
        let rows: &[&[&str]] =
            &[&["Uganda", "1", "↑3.4%", "9%<br>of all", "28"], &["Kenya", "2", "↓13.1%", "", "24"]];
        for html in markups(&header, rows) {
            assert_eq!(read(&html), expected);
        }
        // before the first and behind the last they are told where rows are blocks
        let header = ["", "#", "Country", "New Products", "Growth", "Share (%)"];
        let rows: &[&[&str]] =
            &[&["", "1", "Uganda", "28", "↑3.4%", "9"], &["", "2", "Kenya", "24", "↓13.1%", "7"]];
        let [table, divs, grid] = markups(&header, rows);
        assert_eq!(
            (read(&table), read(&divs)),
            (expected.map(|row| row.map(String::from).to_vec()).to_vec(), read(&table))
        );
        assert!(values(&grid).is_err());
        // a cell that is missing, or empty where a value should be, fails the table
        for row in [["Kenya", "2", "↓13.1%", "7%", ""], ["Kenya", "2", "", "7%", "24"]] {
            for html in markups(&["Country", "Rank", "Growth", "Share", "New Products"], &[&UGANDA, &row]) {
                assert!(values(&html).is_err(), "{html}");
            }
        }
        for html in markups(
            &["Country", "Rank", "Growth", "Share", "New Products"],
            &[&UGANDA, &["Kenya", "↓13.1%", "7%", "24"]],
        ) {
            assert!(values(&html).is_err(), "{html}");
        }
    }

    const UGANDA: [&str; 5] = ["Uganda", "1", "↑3.4%", "9%", "28"];

    #[test]
    fn a_header_that_nobody_knows_is_no_part_of_a_products_name() {
        let mut form = form();
        form.columns[0] = ColumnForm {
            id: "product".into(),
            headers: vec!["product".into()],
            kind: CellKind::Product,
            unit: None,
        };
        let html = format!(
            "{TITLE}<div><div>Product</div><div>New Products</div><div>Growth</div><div>Sector</div>\
             <div>Tea (0902 HS92)</div><div>28</div><div>↑1%</div><div>Agriculture</div></div>"
        );
        let page = Page::parse(&html);
        assert!(read(&page, 0..page.lines.len(), &form).is_err());
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
