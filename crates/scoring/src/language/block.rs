//! Splits an answer into sentences with the headings and the row and column heads above them. HTML and scripts count as plain
//! text; struck-out text is dropped.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::fields::{Json, with_unit_lines};
use super::markup::as_text;
use super::passage::{Passage, in_row};
use super::split::{head, items, pieces, sentences};

#[derive(Default)]
struct Reader {
    out: Vec<Passage>,
    text: String,
    outline: Vec<(u8, String)>,
    block: usize,
    /// The last paragraph, which introduces a following list or table.
    caption: String,
    in_list: usize,
    places: Vec<Option<u64>>,
    head: Vec<String>,
    row: Vec<String>,
    /// The column where the current row begins, if rows stand side by side.
    side: usize,
    in_table: bool,
    table: usize,
    in_head: bool,
    rows: usize,
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
                self.table = self.block + 1;
                self.head.clear();
                self.rows = 0;
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
                let level = level as u8;
                let text = std::mem::take(&mut self.text).trim().to_owned();
                self.outline.retain(|(above, _)| *above < level);
                let under = self.outline.iter().map(|(_, text)| text.clone()).collect();
                let under: Vec<String> = under;
                for piece in pieces(&text).into_iter().filter(|piece| !piece.is_empty()) {
                    let text = piece.to_owned();
                    self.out.push(Passage {
                        text,
                        under: under.clone(),
                        block: self.block,
                        ..Passage::default()
                    });
                }
                self.outline.push((level, head(&text).to_owned()));
                self.caption.clear();
                self.block += 1;
            }
            TagEnd::CodeBlock | TagEnd::Paragraph => {
                let under: Vec<String> = self.outline.iter().map(|(_, text)| text.clone()).collect();
                if Json::read(&self.text, &under, &mut self.out, &mut self.block) {
                    self.text.clear();
                }
                self.flush();
            }
            TagEnd::TableCell => self.cell(),
            TagEnd::TableHead => self.in_head = false,
            TagEnd::TableRow => {
                self.rows += 1;
                self.row.clear();
                self.side = 0;
            }
            TagEnd::Table => {
                self.in_table = false;
                // The table has only a head.
                if self.rows == 0 {
                    let text = |text: String| Passage { text, block: self.block, ..Passage::default() };
                    self.out.extend(std::mem::take(&mut self.head).into_iter().map(text));
                }
            }
            TagEnd::Image => {
                self.flush();
                self.picture = false;
            }
            _ => {}
        }
    }

    fn cell(&mut self) {
        let text = std::mem::take(&mut self.text).trim().to_owned();
        if self.in_head {
            self.head.push(head(&text).to_owned());
            return;
        }
        let column = self.head.get(self.row.len()).cloned().unwrap_or_default();
        // `Year | Exports | Year | Exports`: two rows side by side.
        if self.head.first() == Some(&column) && !column.is_empty() {
            self.side = self.row.len();
        }
        let mut under: Vec<String> = self.outline.iter().map(|(_, text)| text.clone()).collect();
        if !self.caption.is_empty() {
            under.push(self.caption.clone());
        }
        // The first cells of a row name its subject: in most tables the first, in some the second.
        under.push(column);
        under
            .push(self.row.iter().skip(self.side).take(3).map(String::as_str).collect::<Vec<_>>().join(", "));
        self.block += 1;
        let close = 2 + usize::from(!self.caption.is_empty());
        for piece in pieces(&text).into_iter().filter(|piece| !piece.is_empty()) {
            self.out.push(Passage {
                text: piece.to_owned(),
                under: under.clone(),
                cell: true,
                column: Some((self.table, self.row.len())),
                block: self.block,
                picture: self.picture,
                close,
                ..Passage::default()
            });
        }
        let column = self.head.get(self.row.len()).map(String::as_str).unwrap_or_default();
        self.row.push(in_row(column, head(&text)));
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        let text = text.trim();
        if text.is_empty() || self.in_table {
            return;
        }
        self.block += 1;
        let mut under: Vec<String> = self.outline.iter().map(|(_, text)| text.clone()).collect();
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
            self.announced = text
                .strip_suffix(':')
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
