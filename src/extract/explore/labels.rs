//! The labels that are laid over a treemap, each with the cell it names, and whether they agree with the
//! response. Small cells carry none, long names may be cut.

use std::collections::{BTreeMap, HashMap};

use rust_decimal::Decimal;

use crate::value::{Quantity, Rule, parse_as};

use super::super::page::{Line, Page, loosen};
use super::trade::Cell;

/// What the visible labels say of the cells.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Seen {
    /// Ids of the cells whose label agrees, with the figure on it.
    pub agreeing: HashMap<String, String>,
    /// Labels that say something else: what they say, and what the response says.
    pub disagreeing: Vec<String>,
}

/// A figure and where it stands.
struct Figure<'a> {
    text: &'a str,
    shown: Quantity,
}

/// Labels print money by this rule.
const RULE: Rule = Rule::F1;

/// Compares every label with its cell.
pub(super) fn compare(page: &Page, cells: &[Cell]) -> Seen {
    let lines: Vec<(usize, &Line)> = page
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| !line.chart && !line.control && line.text.len() <= 160)
        .collect();
    let figures: BTreeMap<usize, Figure<'_>> = lines
        .iter()
        .filter(|(_, line)| line.text.contains('$'))
        .filter_map(|&(at, line)| {
            parse_as(&line.text, RULE).ok().map(|shown| (at, Figure { text: &line.text, shown }))
        })
        .collect();
    let mut names: BTreeMap<String, Vec<&Cell>> = BTreeMap::new();
    for cell in cells {
        names.entry(loosen(&cell.item.name)).or_default().push(cell);
    }
    // on a page that wraps each cell, a name without a figure in its wrapping has none, whatever stands below it
    let wrapped = lines.iter().any(|&(at, line)| {
        let own = wrapping(page, at).is_some_and(|other| figures.contains_key(&other));
        own && meant(&names, &line.text).is_some()
    });
    let mut seen = Seen::default();
    for &(at, line) in lines.iter().filter(|(at, _)| !figures.contains_key(at)) {
        let inline = line.text.rsplit_once(' ').and_then(|(name, figure)| {
            let figure = figure.strip_prefix('(').and_then(|bare| bare.strip_suffix(')')).unwrap_or(figure);
            // `Tea · $1.39B`, `Tea, $1.39B`
            let name = name.trim_end_matches([' ', ',', ':', ';', '·', '•', '|', '–', '—']);
            Some((name, Figure { text: figure, shown: parse_as(figure, RULE).ok()? }))
        });
        let (name, figure) = match &inline {
            Some((name, figure)) => (*name, Some(figure)),
            None => (line.text.as_str(), None),
        };
        let Some(meant) = meant(&names, name) else { continue };
        let Some(figure) = figure.or_else(|| beside(page, &figures, at, wrapped)) else { continue };
        judge(&mut seen, meant, figure);
    }
    seen
}

/// The cells that a name means: all of exactly this name, or the only one that begins as a cut name does.
fn meant<'a>(names: &'a BTreeMap<String, Vec<&'a Cell>>, name: &str) -> Option<&'a [&'a Cell]> {
    let loose = loosen(name);
    if let Some(cells) = names.get(&loose) {
        return Some(cells);
    }
    // `0902 Tea`
    if let Some((code, rest)) = loose.split_once(' ')
        && let Some(cells) = names.get(rest)
        && cells.iter().all(|cell| cell.item.code.eq_ignore_ascii_case(code))
    {
        return Some(cells);
    }
    let cut = loose.strip_suffix('…').or_else(|| loose.strip_suffix("..."))?.trim_end();
    if cut.chars().count() < 4 {
        return None;
    }
    let mut begins = names.range(cut.to_owned()..).take_while(|(name, _)| name.starts_with(cut));
    match (begins.next(), begins.next()) {
        (Some((_, cells)), None) => Some(cells),
        // a name that several begin with says nothing about any one of them
        _ => None,
    }
}

/// The other one of the two lines that are all that a block holds.
fn wrapping(page: &Page, at: usize) -> Option<usize> {
    page.around(at, 0..page.lines.len()).find_map(|block| {
        let lines = &page.blocks[block].lines;
        (lines.len() == 2).then(|| if lines.start == at { at + 1 } else { lines.start })
    })
}

/// The figure that belongs to a name: the only other line of the cell they share, or, where cells are not wrapped, the
/// one right below it in the same column, or, where it is not known what stands where, the line behind it.
fn beside<'a, 'b>(
    page: &'a Page,
    figures: &'b BTreeMap<usize, Figure<'a>>,
    at: usize,
    wrapped: bool,
) -> Option<&'b Figure<'a>> {
    let known = page.lines[at].area;
    if let Some(figure) = wrapping(page, at).and_then(|other| figures.get(&other)) {
        return Some(figure);
    }
    if let Some(figure) = figures.get(&(at + 1)).filter(|_| known.is_none()) {
        return Some(figure);
    }
    if wrapped {
        return None;
    }
    let [left, top, width, height] = known?;
    figures
        .iter()
        .find(|&(&other, _)| {
            page.lines[other].area.is_some_and(|[x, y, w, _]| {
                (x - left).abs() < 3.0 && (w - width).abs() < 3.0 && (y - (top + height)).abs() < 3.0
            })
        })
        .map(|(_, figure)| figure)
}

fn judge(seen: &mut Seen, meant: &[&Cell], figure: &Figure<'_>) {
    match meant.iter().find(|cell| figure.shown.interval.contains(cell.value)) {
        Some(cell) => _ = seen.agreeing.insert(cell.id.clone(), figure.text.to_owned()),
        None => {
            let given: Vec<String> = meant.iter().map(|cell| plain(cell.value)).collect();
            let name = meant.first().map_or("", |cell| cell.item.name.as_str());
            let what =
                format!("{name} is labelled {}, the response gives {}", figure.text, given.join(" or "));
            if !seen.disagreeing.contains(&what) {
                seen.disagreeing.push(what);
            }
        }
    }
}

fn plain(value: Decimal) -> String {
    value.round_dp(2).normalize().to_string()
}

#[cfg(test)]
mod tests {
    use super::super::books::Item;
    use super::*;

    fn cell(name: &str, value: i64) -> Cell {
        let item = Item { code: name.into(), name: name.into(), long: String::new(), service: false };
        Cell { id: name.into(), item, value: value.into() }
    }

    fn label(text: &str, area: &str) -> String {
        format!("<span data-agt-d=b data-agt-box=\"{area}\">{text}</span>")
    }

    #[test]
    fn a_label_is_read_in_any_arrangement_of_name_figure_and_code() {
        let mut tea = cell("Tea", 1_390_000_000);
        tea.item.code = "0902".into();
        let cells = [tea, cell("Pumps", 105_000_000)];
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
            let seen = compare(&Page::parse(&html), &cells);
            assert_eq!((seen.agreeing.len(), seen.disagreeing.as_slice()), (2, &[][..]), "{html}");
        }
        // another product's code is no part of the name
        let other = compare(&Page::parse("<div>0901 Tea $1.39B</div>"), &cells);
        assert!(other.agreeing.is_empty());
    }

    #[test]
    fn a_name_without_a_figure_in_its_wrapping_has_none() {
        let cells =
            [cell("Tea", 1_390_000_000), cell("Coated iron", 145_105_229), cell("Pumps", 105_000_000)];
        let (tea, money) = (label("Tea", "0,0,80,30"), label("$1.39B", "0,30,80,10"));
        // the name fills its cell, and the cell below has room for its figure only
        let (iron, below) = (label("Coated ir…", "90,0,40,37"), label("$105M", "90,37,40,10"));
        let wrapped = format!("<div>{tea}{money}</div><div>{iron}</div><div>{below}</div>");
        let seen = compare(&Page::parse(&wrapped), &cells);
        assert_eq!((seen.agreeing.len(), seen.disagreeing.as_slice()), (1, &[][..]));
        assert_eq!(seen.agreeing["Tea"], "$1.39B");
        // where cells are not wrapped, a figure in the same column right below a name is its own
        let flat = format!("<div>{tea}{iron}{below}{money}</div>");
        let seen = compare(&Page::parse(&flat), &cells);
        assert_eq!((seen.agreeing["Tea"].as_str(), seen.disagreeing.len()), ("$1.39B", 1));
    }
}
