//! Cuts a section into labels and texts. A line with several labels or figures becomes several
//! lines in its own block, so that "in the same line" means the smallest shared block.

use std::cmp::Reverse;
use std::ops::Range;

use super::line::is_year;
use crate::document::{Block, BlockId, Line, Lines, Page, normalize_label};

/// The maximum characters of a line to cut. Longer lines are prose.
const MAX_LINE: usize = 400;

const SEPARATORS: [char; 9] = ['·', '•', '|', ';', '∙', '⋅', '‧', '│', '¦'];

/// Words that may accompany a figure and are not a label of another one.
const OF_A_FIGURE: &str = " st nd rd th k m b t thousand million billion trillion of usd us ppp in rank ranked position \
                           positions percent per cent rca world over year years ";

/// A known label.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known<'a> {
    /// Its normalized text.
    pub label: &'a str,
    /// Whether its value is a word.
    pub worded: bool,
}

/// A label in its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark<'a> {
    /// Its line after cutting.
    pub at: usize,
    /// The known label; none for an unknown one, which keeps its figures to itself.
    pub label: Option<&'a str>,
}

/// A section after cutting.
pub(super) struct Cut<'a> {
    /// The labels and texts as a page.
    pub page: Page,
    /// The document line of each line.
    pub origin: Vec<usize>,
    /// The labels, in order.
    pub marks: Vec<Mark<'a>>,
    /// Whether the whole section is one block of the document.
    pub is_block: bool,
}

impl<'a> Cut<'a> {
    /// Cuts a region. `remarks` are words that accompany a figure: `PPP`, `10 years`.
    pub fn new(document: &Page, region: &Lines, known: &[Known<'a>], remarks: &[&str]) -> Self {
        let mut cut = Self { page: Page::default(), origin: Vec::new(), marks: Vec::new(), is_block: false };
        let (mut lines, mut ranges, mut firsts) = (Vec::new(), Vec::new(), Vec::new());
        for at in region.clone() {
            let line = &document.lines[at];
            let first = lines.len();
            firsts.push(first);
            let mut segment = (0, first);
            for token in tokens(line, known, remarks) {
                if token.segment != segment.0 {
                    ranges.push(segment.1..lines.len());
                    segment = (token.segment, lines.len());
                }
                match token.kind {
                    Kind::Label(label) => cut.marks.push(Mark { at: lines.len(), label: Some(label) }),
                    Kind::Other => cut.marks.push(Mark { at: lines.len(), label: None }),
                    Kind::Text => {}
                }
                let text = line.text[token.range].to_owned();
                cut.origin.push(at);
                lines.push(Line { normalized: normalize_label(&text), text, bare: None, ..line.clone() });
            }
            ranges.extend([segment.1..lines.len(), first..lines.len()]);
        }
        firsts.push(lines.len());
        let place = |lines: &Lines| firsts[lines.start - region.start]..firsts[lines.end - region.start];
        ranges.extend(document.inside(region).map(|block| place(&block.lines)));
        cut.is_block = ranges.contains(&(0..lines.len()));
        cut.page = assemble(lines, ranges);
        cut
    }
}

/// A page from lines and the blocks around them.
pub(super) fn assemble(mut lines: Vec<Line>, mut ranges: Vec<Lines>) -> Page {
    ranges.retain(|range| !range.is_empty());
    ranges.push(0..lines.len());
    ranges.sort_by_key(|range| (range.start, Reverse(range.end)));
    ranges.dedup();
    let mut blocks: Vec<Block> = Vec::with_capacity(ranges.len());
    let mut open: Vec<BlockId> = Vec::new();
    for range in ranges {
        while open.last().is_some_and(|&outer| blocks[outer].lines.end < range.end) {
            open.pop();
        }
        let id = blocks.len();
        lines[range.clone()].iter_mut().for_each(|line| line.block = id);
        blocks.push(Block { parent: open.last().copied().unwrap_or(0), lines: range });
        open.push(id);
    }
    Page { lines, blocks, parts: Vec::new() }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind<'a> {
    Label(&'a str),
    /// An unknown label.
    Other,
    Text,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Token<'a> {
    kind: Kind<'a>,
    range: Range<usize>,
    /// The index of its part between separators.
    segment: usize,
}

/// The class of a word in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// A known label, by index of its hit.
    Label(usize),
    Figure,
    /// Belongs to its neighbour: a unit, a year, a remark.
    Neutral,
    Word,
}

/// The labels and texts in a line. A line without labels is one text.
fn tokens<'a>(line: &Line, known: &[Known<'a>], remarks: &[&str]) -> Vec<Token<'a>> {
    let text = &line.text;
    let whole = |kind| vec![Token { kind, range: 0..text.len(), segment: 0 }];
    if line.control || line.chart || text.len() > MAX_LINE {
        return whole(Kind::Text);
    }
    let alone = known.iter().filter(|known| after(&line.normalized, known.label) == Some(""));
    if let Some(known) = alone.max_by_key(|known| known.label.len()) {
        return whole(Kind::Label(known.label));
    }
    if !known.iter().any(|known| line.normalized.contains(known.label)) {
        return whole(if is_unknown_label(text, remarks) { Kind::Other } else { Kind::Text });
    }
    in_line(line, known, remarks).unwrap_or_else(|| whole(Kind::Text))
}

/// The rest of a text after a label; none if it does not start with the label or continues it with
/// words.
fn after<'t>(normalized: &'t str, label: &str) -> Option<&'t str> {
    behind(normalized.strip_prefix(label)?)
}

fn behind(rest: &str) -> Option<&str> {
    let rest = without_year(rest.trim_start_matches([' ', ':', ',', '-', '(', ')']));
    (rest.is_empty() || rest.starts_with(|c: char| !c.is_alphabetic()) || rest.starts_with("usd"))
        .then_some(rest)
}

fn without_year(rest: &str) -> &str {
    let rest = rest.strip_prefix("in ").unwrap_or(rest);
    match rest.get(..4) {
        Some(year)
            if is_year(year)
                && !rest[4..].starts_with(|c: char| c.is_ascii_digit() || c == ',' || c == '.') =>
        {
            rest[4..].trim_start_matches([' ', ')', ':', ','])
        }
        _ => rest,
    }
}

/// Whether a text consists of figures with units: `87th of 145`.
pub(super) fn is_of_figures(text: &str) -> bool {
    let words = classes(text, &(0..text.len()), &[], &[]);
    let has = |wanted: Class| words.iter().any(|(class, _)| *class == wanted);
    has(Class::Figure) && !has(Class::Word)
}

/// Whether a line of words looks like a label, `Distance:`, and names no country and nothing known.
fn is_unknown_label(text: &str, remarks: &[&str]) -> bool {
    let words = || classes(text, &(0..text.len()), &[], remarks);
    // the name of a measure that also looks like a figure
    let is_name = |(class, range): (Class, Range<usize>)| class == Class::Word || &text[range] == "RCA";
    text.len() <= 40
        && text.ends_with(':')
        && !text.contains(|c: char| c.is_ascii_digit())
        && words().into_iter().any(is_name)
        && crate::atlas::find_names(text).is_empty()
}

/// The labels and texts in a line with a known label; none if it is not a label there, as in prose.
fn in_line<'a>(line: &Line, known: &[Known<'a>], remarks: &[&str]) -> Option<Vec<Token<'a>>> {
    let text = &line.text;
    let hits = hits(text, known);
    let first = hits.first()?;
    let begins = text[..first.0.start].trim_matches([' ', '(']).is_empty()
        || line.normalized.starts_with(first.1.label);
    let mut bounds = Vec::new();
    let mut start = if begins { first.0.start } else { 0 };
    let ends = text[start..].match_indices(SEPARATORS).map(|(at, found)| (start + at, found.len()));
    for (end, width) in ends.chain([(text.len(), 0)]).collect::<Vec<_>>() {
        bounds.push(start..end);
        start = end + width;
    }
    let listed = hits.len() > 1 || bounds.len() > 1;
    let segments: Vec<Vec<(Class, Range<usize>)>> = bounds
        .iter()
        .map(|bounds| true_labels(text, &classes(text, bounds, &hits, remarks), &hits, remarks, listed))
        .collect();
    let all: Vec<Class> = segments.iter().flatten().map(|(class, _)| *class).collect();
    let is_label = |class: &Class| matches!(class, Class::Label(_));
    let (first, last) = (all.iter().position(is_label)?, all.iter().rposition(is_label)?);
    if !begins && !listed && all.contains(&Class::Word) {
        return None;
    }
    let has_figure = |classes: &[Class]| classes.contains(&Class::Figure);
    let (before, behind) = (has_figure(&all[..first]), has_figure(&all[last..]));
    let label_first = (before != behind).then_some(behind);
    let mut tokens: Vec<Token> = Vec::new();
    for (segment, items) in segments.iter().enumerate() {
        for (at, (class, range)) in items.iter().enumerate() {
            let kind = match class {
                Class::Label(hit) => Kind::Label(hits[*hit].1.label),
                Class::Word if is_other(items, at, label_first, &hits) => Kind::Other,
                _ => Kind::Text,
            };
            match tokens.last_mut() {
                Some(last)
                    if last.segment == segment && last.kind == kind && !matches!(kind, Kind::Label(_)) =>
                {
                    last.range.end = range.end;
                }
                _ => tokens.push(Token { kind, range: range.clone(), segment }),
            }
        }
    }
    // signs around words belong to a text: `$`, `(`, `%`
    for at in 0..tokens.len() {
        let segment = tokens[at].segment;
        if tokens[at].kind != Kind::Text {
            continue;
        }
        let near = |other: Option<&Token>| {
            other.filter(|other| other.segment == segment).map(|other| other.range.clone())
        };
        let start = near(at.checked_sub(1).and_then(|at| tokens.get(at)))
            .map_or(bounds[segment].start, |other| other.end);
        let end = near(tokens.get(at + 1)).map_or(bounds[segment].end, |other| other.start);
        let sides = |c: char| c.is_whitespace() || matches!(c, ':' | ',');
        let trimmed = text[start..end].trim_end_matches(sides);
        let end = start + trimmed.len();
        tokens[at].range = end - trimmed.trim_start_matches(sides).len()..end;
    }
    Some(tokens)
}

/// The known labels in a text with their places, in order. Of overlapping labels the longer wins.
fn hits<'a>(text: &str, known: &[Known<'a>]) -> Vec<(Range<usize>, Known<'a>)> {
    let lower = text.to_ascii_lowercase();
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut hits = Vec::new();
    for known in known.iter().filter(|known| !known.label.is_empty()) {
        for (start, found) in lower.match_indices(known.label) {
            let end = start + found.len();
            if !is_word(lower[..start].chars().next_back()) && !is_word(lower[end..].chars().next()) {
                hits.push((start..end, *known));
            }
        }
    }
    hits.sort_by_key(|(range, _)| (range.start, Reverse(range.end)));
    let mut end = 0;
    hits.retain(|(range, _)| {
        let apart = range.start >= end;
        end = end.max(range.end);
        apart
    });
    hits
}

/// The class of each word in a part of a text, in order.
fn classes(
    text: &str,
    bounds: &Range<usize>,
    hits: &[(Range<usize>, Known<'_>)],
    remarks: &[&str],
) -> Vec<(Class, Range<usize>)> {
    let lower = text.to_ascii_lowercase();
    let remarked: Vec<Range<usize>> = remarks
        .iter()
        .flat_map(|remark| lower.match_indices(remark).map(|(at, found)| at..at + found.len()))
        .collect();
    let within =
        |word: &Range<usize>, range: &Range<usize>| word.start >= range.start && word.end <= range.end;
    let mut found = Vec::new();
    for (at, (range, _)) in hits.iter().enumerate().filter(|(_, (range, _))| within(range, bounds)) {
        found.push((Class::Label(at), range.clone()));
    }
    let mut rest = bounds.start;
    while let Some(start) = text[rest..bounds.end].find(char::is_alphanumeric).map(|at| rest + at) {
        let end =
            text[start..bounds.end].find(|c: char| !c.is_alphanumeric()).map_or(bounds.end, |at| start + at);
        rest = end;
        let word = &lower[start..end];
        let unit = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let class = if hits.iter().any(|(range, _)| within(&(start..end), range)) {
            continue;
        } else if remarked.iter().any(|range| within(&(start..end), range)) {
            Class::Neutral
        } else if !unit.is_empty() && OF_A_FIGURE.split(' ').all(|known| known != unit) {
            Class::Word
        } else if word.contains(|c: char| c.is_ascii_digit()) && !is_year(word) {
            Class::Figure
        } else {
            Class::Neutral
        };
        found.push((class, start..end));
    }
    found.sort_by_key(|(_, range)| range.start);
    found
}

/// The same classes, without labels that are part of a longer phrase: `Change in GDP per capita`.
fn true_labels(
    text: &str,
    items: &[(Class, Range<usize>)],
    hits: &[(Range<usize>, Known<'_>)],
    remarks: &[&str],
    listed: bool,
) -> Vec<(Class, Range<usize>)> {
    let mut found: Vec<(Class, Range<usize>)> = items.to_vec();
    for (at, (class, range)) in items.iter().enumerate() {
        let Class::Label(hit) = class else { continue };
        let known = hits[*hit].1;
        let rest = text[range.end..].to_lowercase();
        let goes_on = match items.get(at + 1) {
            Some((Class::Neutral | Class::Word, _)) => {
                let said = known.worded && (listed || rest.trim_start().starts_with(':'));
                let remark = rest.trim_start_matches(['(', ',', ' ']);
                !said && !remarks.iter().any(|known| remark.starts_with(known)) && behind(&rest).is_none()
            }
            _ => false,
        };
        let before = items[..at].iter().rev().find(|(class, _)| *class != Class::Neutral);
        if goes_on || matches!(before, Some((Class::Word, _))) {
            found[at].0 = Class::Word;
        }
    }
    found
}

/// Whether words are an unknown label: they have a figure on the side where labels have theirs.
fn is_other(
    items: &[(Class, Range<usize>)],
    at: usize,
    label_first: Option<bool>,
    hits: &[(Range<usize>, Known<'_>)],
) -> bool {
    // up to the next label: whether there is a figure, and whether the label's own value is words
    let side = |items: &mut dyn Iterator<Item = &(Class, Range<usize>)>| {
        for (class, _) in items {
            match class {
                Class::Figure => return (true, false),
                Class::Label(hit) => return (false, hits[*hit].1.worded),
                Class::Neutral | Class::Word => {}
            }
        }
        (false, false)
    };
    let (precedes, value_before) = side(&mut items[..at].iter().rev());
    let (follows, value_behind) = side(&mut items[at + 1..].iter());
    match label_first {
        Some(true) => follows && !value_before,
        Some(false) => precedes && !value_behind,
        None => (follows || precedes) && !value_before && !value_behind,
    }
}
