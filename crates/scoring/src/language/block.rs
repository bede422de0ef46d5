//! Splits an answer into sentences with the headings and the row and column heads above them. HTML and scripts count as plain
//! text; struck-out text is dropped.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::fields::{Json, with_unit_lines};
use super::lexicon;
use super::markup::as_text;
use super::passage::{Passage, in_row};
use super::split::{head, items, pieces, sentences};
use crate::outline::Outline;

#[derive(Default)]
struct Reader {
    out: Vec<Passage>,
    text: String,
    outline: Outline,
    block: usize,
    /// The last paragraph, which introduces a following list or table.
    caption: String,
    in_list: usize,
    places: Vec<Option<u64>>,
    head: Vec<String>,
    /// The cells of the current row, and the rows before it.
    row: Vec<String>,
    rows: Vec<Vec<String>>,
    in_table: bool,
    in_head: bool,
    picture: bool,
    /// Whether the current item is an unticked task item.
    is_unchosen: bool,
    /// A line that ends in a colon, kept for the next block.
    announced: Option<String>,
}

/// Splits an answer into sentences, in order.
pub(crate) fn passages(answer: &str) -> Vec<Passage> {
    let mut reader = Reader::default();
    if Json::read(answer, &[], &mut reader.out, &mut reader.block) {
        return reader.out;
    }
    let source = as_text(&with_unit_lines(answer));
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_FOOTNOTES;
    for event in Parser::new_ext(&source, options) {
        reader.event(event);
    }
    reader.flush();
    if reader.out.is_empty() && !source.trim().is_empty() {
        // Markdown parses `169.` as an empty list item, but it is an answer.
        let text = |text: &str| Passage { text: text.to_owned(), ..Passage::default() };
        return sentences(source.trim()).into_iter().map(text).collect();
    }
    reader.out
}

impl Reader {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                self.text.push_str(&text);
            }
            Event::TaskListMarker(chosen) => self.is_unchosen = !chosen,
            // Each line is a statement of its own.
            Event::SoftBreak | Event::HardBreak => self.text.push('\n'),
            Event::Start(tag) => self.open(&tag),
            Event::End(tag) => self.close(tag),
            _ => {}
        }
    }

    fn open(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::List(first) => {
                self.flush();
                self.in_list += 1;
                self.places.push(*first);
            }
            Tag::Item | Tag::Paragraph | Tag::Heading { .. } | Tag::CodeBlock(_) => self.flush(),
            Tag::Table(_) => {
                self.flush();
                self.in_table = true;
                self.head.clear();
                self.rows.clear();
            }
            Tag::TableHead => self.in_head = true,
            Tag::Image { .. } => {
                self.flush();
                self.picture = true;
            }
            _ => {}
        }
    }

    fn close(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::List(_) => {
                self.flush();
                self.in_list = self.in_list.saturating_sub(1);
                self.places.pop();
            }
            TagEnd::Item => {
                // `- [ ] $888 million` is not ticked.
                if std::mem::take(&mut self.is_unchosen) {
                    self.text.clear();
                }
                self.flush();
                if let Some(Some(place)) = self.places.last_mut() {
                    *place += 1;
                }
            }
            TagEnd::Heading(level) => {
                let text = std::mem::take(&mut self.text).trim().to_owned();
                let under = self.outline.enter(level, head(&text).to_owned());
                for piece in pieces(&text).into_iter().filter(|piece| !piece.is_empty()) {
                    let text = piece.to_owned();
                    self.out.push(Passage {
                        text,
                        under: under.clone(),
                        block: self.block,
                        ..Passage::default()
                    });
                }
                self.caption.clear();
                self.block += 1;
            }
            TagEnd::CodeBlock | TagEnd::Paragraph => {
                if Json::read(&self.text, &self.outline.under(), &mut self.out, &mut self.block) {
                    self.text.clear();
                }
                self.flush();
            }
            TagEnd::TableCell => {
                let text = std::mem::take(&mut self.text).trim().to_owned();
                match self.in_head {
                    true => self.head.push(head(&text).to_owned()),
                    false => self.row.push(text),
                }
            }
            TagEnd::TableHead => self.in_head = false,
            TagEnd::TableRow => self.rows.push(std::mem::take(&mut self.row)),
            TagEnd::Table => {
                self.in_table = false;
                self.table();
            }
            TagEnd::Image => {
                self.flush();
                self.picture = false;
            }
            _ => {}
        }
    }

    /// Reads the cells of a table under the heads of their columns and rows.
    fn table(&mut self) {
        let (mut head, rows) = upright(std::mem::take(&mut self.head), std::mem::take(&mut self.rows));
        // The table has only a head.
        if rows.is_empty() {
            let text = |text: String| Passage { text, block: self.block, ..Passage::default() };
            self.out.extend(head.into_iter().map(text));
            return;
        }
        let table = self.block + 1;
        if let Some(first) = head.first_mut().filter(|first| first.is_empty() && counts(&rows)) {
            "#".clone_into(first);
        }
        for row in &rows {
            let mut side = 0;
            for (at, text) in row.iter().enumerate() {
                let column = head.get(at).map(String::as_str).unwrap_or_default();
                // `Year | Exports | Year | Exports`: two rows side by side.
                if head.first().is_some_and(|first| first == column) && !column.is_empty() {
                    side = at;
                }
                self.cell(text, column, &subject(&head, row, side, at), (table, at));
            }
        }
    }

    fn cell(&mut self, text: &str, column: &str, subject: &str, at: (usize, usize)) {
        let mut under = self.outline.under();
        if !self.caption.is_empty() {
            under.push(self.caption.clone());
        }
        under.push(column.to_owned());
        under.push(subject.to_owned());
        self.block += 1;
        let close = 2 + usize::from(!self.caption.is_empty());
        for piece in pieces(text).into_iter().filter(|piece| !piece.is_empty()) {
            self.out.push(Passage {
                text: piece.to_owned(),
                under: under.clone(),
                cell: true,
                column: Some(at),
                block: self.block,
                picture: self.picture,
                close,
                ..Passage::default()
            });
        }
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        let text = text.trim();
        if text.is_empty() || self.in_table {
            return;
        }
        self.block += 1;
        let mut under = self.outline.under();
        let headings = under.len();
        if self.in_list > 0 && !self.caption.is_empty() {
            under.push(self.caption.clone());
        } else if let Some(announced) = self.announced.take() {
            under.push(announced);
        }
        let place = self.places.last().copied().flatten();
        let (head, items) = items(text, place);
        let head = head.trim();
        let announced = !head.is_empty();
        if announced {
            under.push(self::head(head.trim_end_matches(':')).to_owned());
        }
        let item = self.in_list > 0;
        for (place, text) in announced.then_some((None, head)).into_iter().chain(items) {
            for sentence in sentences(text) {
                self.out.push(Passage {
                    text: sentence.to_owned(),
                    close: under.len() - headings,
                    under: under.clone(),
                    cell: false,
                    column: None,
                    keyed: false,
                    block: self.block,
                    place,
                    item,
                    picture: self.picture,
                });
                if let Some(line) = sentence.strip_suffix(':')
                    && !announced
                {
                    // Keep the last labels of the block as heads of the sentences after them.
                    if under.len() >= headings + MAX_LABELS {
                        under.remove(headings);
                    }
                    under.push(line.to_owned());
                }
            }
        }
        if self.in_list == 0 {
            let announcing = text.strip_suffix(':').or_else(|| Some(text).filter(|text| states_unit(text)));
            self.announced = announcing
                .map(|text| self::head(text.rsplit(['\n', '.']).next().unwrap_or(text).trim()).to_owned());
        }
        if self.in_list == 0 {
            // Only an announcing line becomes the caption of the next block.
            let last = text.rsplit('\n').next().unwrap_or_default().trim();
            let announces = last.ends_with(':') || text.chars().count() <= 60;
            self.caption =
                if announces { self::head(last.trim_end_matches(':')).to_owned() } else { String::new() };
        }
    }
}

/// Whether a line without a number gives those behind it their unit: `Kenya to Uganda, million USD`.
fn states_unit(text: &str) -> bool {
    let words = lexicon::words(text);
    let has = |list: &str| words.iter().any(|word| lexicon::listed(list, &word.folded));
    !text.contains(['\n', '.'])
        && !text.contains(|c: char| c.is_ascii_digit())
        && has("in_dollars")
        && ["in_thousands", "in_millions", "in_billions", "in_trillions"].into_iter().any(has)
}

/// The cells that name what a row is about, as one text: the first ones before a cell (in most tables the first names the subject, in
/// some the second), and behind a number that begins the row the next one: `| 2 | Egypt |`.
fn subject(head: &[String], row: &[String], side: usize, at: usize) -> String {
    let named = |cell: usize| {
        let column = head.get(cell).map(String::as_str).unwrap_or_default();
        row.get(cell).map(|text| in_row(column, self::head(text)))
    };
    let is_number =
        |cell: usize| row.get(cell).is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()));
    let names = match at == side && is_number(at) && !is_number(at + 1) {
        true => at + 1..at + 2,
        false => side..at.min(side + 3),
    };
    names.filter_map(named).collect::<Vec<_>>().join(", ")
}

/// Whether the first cells count the rows: `1`, `2.`, …
fn counts(rows: &[Vec<String>]) -> bool {
    let is_place = |(at, row): (usize, &Vec<String>)| {
        row.first().is_some_and(|text| text.trim_end_matches('.') == (at + 1).to_string())
    };
    rows.iter().enumerate().all(is_place)
}

/// A table whose first row holds numbers instead of names stands on its side: `| Rank | 38 | 39 |` over `| Country | Ghana | Kenya |`.
fn upright(head: Vec<String>, rows: Vec<Vec<String>>) -> (Vec<String>, Vec<Vec<String>>) {
    let is_place = |text: &String| {
        text.trim_end_matches(|c: char| c.is_ascii_alphabetic())
            .parse::<u16>()
            .is_ok_and(|number| number < 1000)
    };
    let is_rotated = head.len() > 2 && !rows.is_empty() && head.iter().skip(1).all(is_place);
    if !is_rotated {
        return (head, rows);
    }
    let lines: Vec<&Vec<String>> = std::iter::once(&head).chain(&rows).collect();
    let column =
        |at: usize| lines.iter().map(|line| line.get(at).cloned().unwrap_or_default()).collect::<Vec<_>>();
    (column(0), (1..head.len()).map(column).collect())
}

/// The maximum number of labels and captions above a line of a block.
const MAX_LABELS: usize = 4;

#[cfg(test)]
mod tests {
    use super::super::split::MAX_SENTENCE;
    use super::*;

    #[test]
    fn tables_lists_and_headings_stand_over_what_they_hold() {
        let all = passages("## Kenya\n\nValues:\n\n1. one\n2. two\n\n| a | b |\n|---|---|\n| x | 5 |\n");
        let read: Vec<(&str, Vec<&str>, Option<u64>)> = all
            .iter()
            .map(|p| (p.text.as_str(), p.under.iter().map(String::as_str).collect(), p.place))
            .collect();
        assert_eq!(
            read,
            [
                ("Kenya", vec![], None),
                ("Values:", vec!["Kenya"], None),
                ("one", vec!["Kenya", "Values"], Some(1)),
                ("two", vec!["Kenya", "Values"], Some(2)),
                ("x", vec!["Kenya", "Values", "a", ""], None),
                ("5", vec!["Kenya", "Values", "b", "x"], None),
            ]
        );
    }

    #[test]
    fn markup_is_text_and_what_is_struck_out_is_gone() {
        let all = passages("</script>\n<b>~$2,300</b> ~~$9~~ <5%");
        let text: Vec<&str> = all.iter().map(|p| p.text.as_str()).collect();
        assert_eq!(text, ["about $2,300   less than 5%"]);
    }

    #[test]
    fn what_is_too_long_for_a_sentence_is_read_in_pieces() {
        let long = "Kénya 5, ".repeat(1000);
        let parts = sentences(&long);
        assert!(parts.len() > 4 && parts.iter().all(|part| part.len() <= MAX_SENTENCE));
        assert_eq!(parts.iter().map(|part| part.matches("Kénya").count()).sum::<usize>(), 1000);
    }

    #[test]
    fn full_stops_in_numbers_and_abbreviations_end_nothing() {
        assert_eq!(
            sentences("It is approx. 3.5 in the U.S. today. It grew."),
            ["It is approx. 3.5 in the U.S. today.", "It grew."]
        );
    }
}
