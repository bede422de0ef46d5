//! The labels over a drawing with their rows, and whether they agree with the response. Small cells
//! have no label, and long names may be truncated.

use std::collections::{BTreeMap, HashMap};

use crate::document::{Line, Lines, Page};
use crate::response::rows::RowIndex;
use crate::response::shares::{Divisor, Labelled, Sum};
use crate::value::{Quantity, Rule, Unit, parse_as};

/// The comparison of visible labels with the rows of a drawing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Labels {
    /// Rows with an agreeing label, by index, with its figure.
    pub agreeing: HashMap<usize, String>,
    /// Contradicting labels: their figure, and the response value.
    pub disagreeing: Vec<String>,
    /// The divisor of the shares on them, if they are shares.
    pub divisor: Option<Divisor>,
}

/// A label: the rows with its name, and its figure.
struct Label<'a> {
    rows: &'a [usize],
    text: String,
    shown: Quantity,
}

impl Labels {
    /// Compares every label with its row. Shares use the divisor that the labels imply.
    pub fn compare(page: &Page, region: Lines, index: &RowIndex<'_>, rule: Rule, sums: &[Sum]) -> Self {
        let found = read(page, region, index, rule);
        let mut labels = Self::default();
        if is_percent(rule) {
            let of_one = |label: &Label<'_>| match *label.rows {
                [row] => Some((row, index.rows[row].value, label.shown.interval)),
                _ => None,
            };
            let all: Vec<Labelled> = found.iter().filter_map(of_one).collect();
            labels.divisor = Divisor::solve(&all, sums);
            if labels.divisor.is_none() {
                return labels;
            }
        }
        let precise = |row: usize| match &labels.divisor {
            Some(divisor) => divisor.share(index.rows[row].value),
            None => index.rows[row].value,
        };
        for label in found {
            let given: Vec<_> = label.rows.iter().map(|row| precise(*row)).collect();
            let fits = given
                .iter()
                .position(|value| value.is_some_and(|value| label.shown.interval.contains(value)));
            if let Some(at) = fits {
                labels.agreeing.insert(label.rows[at], label.text);
                continue;
            }
            let plain = |value: &Option<_>| {
                value.map_or_else(
                    || "null".to_owned(),
                    |value: rust_decimal::Decimal| value.round_dp(4).normalize().to_string(),
                )
            };
            let given: Vec<String> = given.iter().map(plain).collect();
            let name = label.rows.first().map_or("", |row| &index.rows[*row].name);
            let what =
                format!("{name} is labelled {}, the response gives {}", label.text, given.join(" or "));
            if !labels.disagreeing.contains(&what) {
                labels.disagreeing.push(what);
            }
        }
        labels
    }

    /// How the value of a row is confirmed, in one sentence; none if no label is.
    pub fn reason(&self, row: usize) -> Option<String> {
        match (self.agreeing.get(&row), self.agreeing.len()) {
            (Some(label), _) => Some(format!("the visible label {label} agrees with the response")),
            (None, 0) => None,
            (None, count) => Some(format!(
                "{count} visible labels of the same response agree with it, the cell itself has none"
            )),
        }
    }
}

/// Whether a rule displays shares.
pub const fn is_percent(rule: Rule) -> bool {
    matches!(rule, Rule::F6 | Rule::F7 | Rule::F8 | Rule::F9)
}

/// The labels in some lines: a name and its figure, on one line or on two related ones.
fn read<'b>(page: &Page, region: Lines, index: &'b RowIndex<'_>, rule: Rule) -> Vec<Label<'b>> {
    let is_text = |line: &Line| !line.chart && !line.control && line.text.len() <= MAX_LABEL;
    let lines: Vec<usize> = region.clone().filter(|&at| is_text(&page.lines[at])).collect();
    let figure = |text: &str| {
        let digit = text.bytes().any(|byte| byte.is_ascii_digit());
        Some((text.to_owned(), parse_as(text, rule).ok().filter(|_| digit)?))
    };
    let figures: Figures = lines.iter().filter_map(|&at| Some((at, figure(&page.lines[at].text)?))).collect();
    // if the page wraps each cell, a name without a figure in its wrapper has none, whatever is
    // below
    let wrapped = lines.iter().any(|&at| {
        let own = wrapping(page, &region, at).is_some_and(|other| figures.contains_key(&other));
        own && !index.named(&page.lines[at].text).is_empty()
    });
    let label = |&at: &usize| {
        let text = page.lines[at].text.as_str();
        let inline = text.rsplit_once(' ').and_then(|(name, last)| {
            let bare = last.strip_prefix('(').and_then(|bare| bare.strip_suffix(')')).unwrap_or(last);
            // `Tea · $1.39B`, `Tea, $1.39B`
            let name = name.trim_end_matches([' ', ',', ':', ';', '·', '•', '|', '–', '—']);
            Some((name, figure(bare)?))
        });
        let (name, own) = inline.map_or((text, None), |(name, figure)| (name, Some(figure)));
        let rows = Some(index.named(name)).filter(|rows| !rows.is_empty())?;
        let (text, shown) = own.or_else(|| beside(page, &region, &figures, at, wrapped).cloned())?;
        Some(Label { rows, text, shown })
    };
    lines.iter().filter(|at| !figures.contains_key(at)).filter_map(label).collect()
}

/// The maximum characters of a label.
const MAX_LABEL: usize = 160;

/// Lines that are exactly a figure.
type Figures = BTreeMap<usize, (String, Quantity)>;

/// The other line of a block with exactly two lines.
fn wrapping(page: &Page, region: &Lines, at: usize) -> Option<usize> {
    page.around(at, region.clone()).find_map(|block| {
        let lines = &page.blocks[block].lines;
        (lines.len() == 2).then(|| if lines.start == at { at + 1 } else { lines.start })
    })
}

/// The figure of a name: the only other line of their cell. Without wrapped cells it is the line
/// right below in the same column, or the next line if positions are unknown.
fn beside<'b>(
    page: &Page,
    region: &Lines,
    figures: &'b Figures,
    at: usize,
    wrapped: bool,
) -> Option<&'b (String, Quantity)> {
    let known = page.lines[at].area;
    if let Some(figure) = wrapping(page, region, at).and_then(|other| figures.get(&other)) {
        return Some(figure);
    }
    if let Some(figure) = figures.get(&(at + 1)).filter(|_| known.is_none()) {
        return Some(figure);
    }
    let [left, top, width, height] = known.filter(|_| !wrapped)?;
    let below = |other: usize| {
        page.lines[other].area.is_some_and(|[x, y, w, _]| {
            // the boxes of a cell overlap by two pixels, and all their sides are rounded
            (x - left).abs() < 3.0 && (w - width).abs() < 3.0 && (y - (top + height)).abs() < 3.5
        })
    };
    figures.iter().find(|(other, _)| below(**other)).map(|(_, figure)| figure)
}

/// The reason for a value that no label confirmed.
pub(crate) const UNCONFIRMED: &str = "no visible label confirmed the response";

/// The unit of a rule.
pub(crate) const fn unit_of(rule: Rule) -> Unit {
    if is_percent(rule) { Unit::Percent } else { Unit::Usd }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::response::Unread;
    use crate::response::rows::ResponseRow;

    fn row(code: &'static str, name: &'static str, value: i64) -> ResponseRow<'static> {
        ResponseRow {
            id: Cow::Borrowed(code),
            code: Cow::Borrowed(code),
            name: Cow::Borrowed(name),
            long: Cow::Borrowed(""),
            value: Some(value.into()),
            service: false,
            dropped: false,
            sector: Cow::Borrowed(""),
        }
    }

    fn compare(html: &str, rows: &[ResponseRow<'static>]) -> (BTreeMap<String, String>, Vec<String>) {
        let page = Page::parse(html);
        let index = RowIndex::in_order(String::new(), Unread::default(), rows.to_vec());
        let labels = Labels::compare(&page, 0..page.lines.len(), &index, Rule::F1, &[]);
        let named = |(row, text): (usize, String)| (index.rows[row].name.to_string(), text);
        (labels.agreeing.into_iter().map(named).collect(), labels.disagreeing)
    }

    fn label(text: &str, area: &str) -> String {
        format!("<span data-agt-d=b data-agt-box=\"{area}\">{text}</span>")
    }

    #[test]
    fn a_label_is_read_in_any_arrangement_of_name_figure_and_code() {
        let cells = [row("0902", "Tea", 1_390_000_000), row("Pumps", "Pumps", 105_000_000)];
        let (name, money) = (label("Tea", "0,0,80,30"), label("$1.39B", "0,30,80,10"));
        let (pumps, below) = (label("Pumps", "0,53,80,13"), label("$105M", "0,40,80,13"));
        let code = label("0902 Tea", "0,0,80,30");
        for html in [
            // the figure above the name, and right below the name the figure of the next cell
            format!("<div>{money}{name}</div><div>{below}{pumps}</div>"),
            format!("<div>{code}{money}</div><div>{pumps}{below}</div>"),
            "<div>Tea · $1.39B</div><div>Pumps · $105M</div>".to_owned(),
            "<div>Tea, $1.39B</div><div>Pumps, $105M</div>".to_owned(),
            "<div>Tea ($1.39B)</div><div>Pumps ($105M)</div>".to_owned(),
        ] {
            let (agreeing, disagreeing) = compare(&html, &cells);
            assert_eq!((agreeing.len(), disagreeing.as_slice()), (2, &[][..]), "{html}");
        }
        // another product's code is no part of the name
        let (agreeing, _) = compare("<div>0901 Tea $1.39B</div>", &cells);
        assert!(agreeing.is_empty());
    }

    #[test]
    fn a_name_without_a_figure_in_its_wrapping_has_none() {
        let cells = [
            row("1", "Tea", 1_390_000_000),
            row("2", "Coated iron", 145_105_229),
            row("3", "Pumps", 105_000_000),
        ];
        let (tea, money) = (label("Tea", "0,0,80,30"), label("$1.39B", "0,30,80,10"));
        // the name fills its cell, and the cell below has room for its figure only
        let (iron, below) = (label("Coated ir…", "90,0,40,37"), label("$105M", "90,37,40,10"));
        let wrapped = format!("<div>{tea}{money}</div><div>{iron}</div><div>{below}</div>");
        let (agreeing, disagreeing) = compare(&wrapped, &cells);
        assert_eq!((agreeing.len(), disagreeing.as_slice()), (1, &[][..]));
        assert_eq!(agreeing["Tea"], "$1.39B");
        // where cells are not wrapped, a figure in the same column right below a name is its own
        let flat = format!("<div>{tea}{iron}{below}{money}</div>");
        let (agreeing, disagreeing) = compare(&flat, &cells);
        assert_eq!((agreeing["Tea"].as_str(), disagreeing.len()), ("$1.39B", 1));
    }

    #[test]
    fn cells_of_one_name_are_told_apart_by_their_values() {
        let cells = [row("1", "Other", 9_000_000), row("2", "Other", 7_000_000)];
        let (agreeing, disagreeing) = compare("<p>Other $7.00M</p>", &cells);
        assert_eq!((agreeing.len(), disagreeing.len()), (1, 0));
        let (_, disagreeing) = compare("<p>Other $8.00M</p>", &cells);
        assert_eq!(disagreeing, ["Other is labelled $8.00M, the response gives 9000000 or 7000000"]);
    }
}
