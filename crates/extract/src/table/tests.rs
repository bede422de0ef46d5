//! Tables in the markups that pages use.

use super::headers::header;
use super::spec::ColumnForm;
use super::*;
use crate::cell::CellKind;
use crate::cue::Cue;
use crate::document::normalize_label;
use crate::value::{Rule, Unit};

fn form() -> TableForm {
    let column = |id: &str, header: &str, kind, unit| ColumnForm {
        id: id.into(),
        headers: vec![normalize_label(header)],
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
    // before the first and behind the last they are known where rows are blocks
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
