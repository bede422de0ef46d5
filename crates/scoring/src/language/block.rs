//! An answer as a reader sees it: sentences with the headings, row and column heads that they stand under. HTML and
//! script are text here and nothing else; what is struck out is not said.

use std::collections::HashSet;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::split::{head, items, pieces, sentences};
use super::structured::{Json, with_unit_lines, without_csv, without_html, without_latex};

/// A sentence and what it stands under.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Passage {
    pub text: String,
    /// Headings, the caption before a list or table, row head and column head, from the outside in.
    pub under: Vec<String>,
    /// It is a cell of a table.
    pub cell: bool,
    /// Its table and its column.
    pub column: Option<(usize, usize)>,
    /// It is a field of a JSON object, whose key says what it is.
    pub keyed: bool,
    /// Its block, so that a pronoun looks back within it only.
    pub block: usize,
    /// Place in an ordered list, from 1.
    pub place: Option<u64>,
    /// An item of a list, ordered or not.
    pub item: bool,
    /// The text of a picture, which shows and asserts nothing.
    pub picture: bool,
    /// How many of `under` are row and column heads or a caption of its own, from the end; the rest is headings.
    pub close: usize,
}

#[derive(Default)]
struct Reader {
    out: Vec<Passage>,
    text: String,
    outline: Vec<(u8, String)>,
    block: usize,
    /// The last paragraph, which introduces a list or table that follows it.
    caption: String,
    in_list: usize,
    places: Vec<Option<u64>>,
    head: Vec<String>,
    row: Vec<String>,
    /// Where the row begins that the next cell is of.
    side: usize,
    in_table: bool,
    table: usize,
    in_head: bool,
    rows: usize,
    picture: bool,
    /// The item is one of several that are not ticked.
    is_unchosen: bool,
    /// A line that ends in a colon, until the block behind it is read.
    announced: Option<String>,
}

/// The sentences of an answer, in order.
pub(crate) fn passages(answer: &str) -> Vec<Passage> {
    let mut reader = Reader::default();
    if Json::read(answer, &[], &mut reader.out, &mut reader.block) {
        return reader.out;
    }
    let source = as_text(answer);
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_FOOTNOTES;
    for event in Parser::new_ext(&source, options) {
        reader.event(event);
    }
    reader.flush();
    if reader.out.is_empty() && !source.trim().is_empty() {
        // `169.` is an empty item of a list to the markup, and an answer to a reader
        let text = |text: &str| Passage { text: text.to_owned(), ..Passage::default() };
        return sentences(source.trim()).into_iter().map(text).collect();
    }
    reader.out
}

/// Markup that a browser would act on becomes text, `~` before a number becomes a word, struck out text goes.
fn as_text(answer: &str) -> String {
    let answer = unlisted(&without_html(&without_latex(&without_csv(&with_unit_lines(answer)))));
    let mut out = String::with_capacity(answer.len() + 16);
    let mut rest = answer.as_str();
    while let Some(at) = rest.find(['<', '~', '≈']) {
        out.push_str(&rest[..at]);
        let tail = &rest[at..];
        if let Some(struck) = tail.strip_prefix("~~") {
            // struck out: only when it ends in the same paragraph
            let end = struck.find("~~").filter(|end| !struck[..*end].contains("\n\n"));
            rest = end.map_or(struck, |end| &struck[end + 2..]);
            continue;
        }
        let c = tail.chars().next().unwrap_or(' ');
        let after = &tail[c.len_utf8()..];
        let next = after.trim_start().chars().next().unwrap_or(' ');
        match c {
            '<' if next.is_ascii_digit() => out.push_str("less than "),
            '<' => out.push_str("\\<"),
            _ if next.is_ascii_digit() || matches!(next, '$' | 'U') => out.push_str("about "),
            _ => out.push(c),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// `339. That is the number …`: a number at the beginning of a line that no other one precedes or follows counts no items.
fn unlisted(answer: &str) -> String {
    let number = |line: &str| -> Option<(usize, u64)> {
        let text = line.trim_start();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let behind = text.get(digits..)?;
        let marked = behind.starts_with(['.', ')']) && !behind[1..].starts_with(|c: char| c.is_ascii_digit());
        let number = text.get(..digits)?.parse().ok().filter(|_| marked && digits <= 9)?;
        Some((line.len() - text.len() + digits, number))
    };
    let all: HashSet<u64> = answer.lines().filter_map(number).map(|(_, number)| number).collect();
    let counts = |number: u64| {
        number == 1
            || all.contains(&(number + 1))
            || number.checked_sub(1).is_some_and(|one| all.contains(&one))
    };
    let mut out = String::with_capacity(answer.len() + 16);
    for line in answer.split_inclusive('\n') {
        match number(line).filter(|(_, number)| !counts(*number)) {
            Some((at, _)) => {
                let (digits, rest) = line.split_at(at);
                out.push_str(digits);
                out.push('\\');
                out.push_str(rest);
            }
            None => out.push_str(line),
        }
    }
    out
}

impl Reader {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                self.text.push_str(&text);
            }
            Event::TaskListMarker(chosen) => self.is_unchosen = !chosen,
            // a line of its own is a statement of its own
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
                // `- [ ] $888 million` is not chosen
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
                // a table of a head alone
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
        // `Year | Exports | Year | Exports`: two rows stand side by side
        if self.head.first() == Some(&column) && !column.is_empty() {
            self.side = self.row.len();
        }
        let mut under: Vec<String> = self.outline.iter().map(|(_, text)| text.clone()).collect();
        if !self.caption.is_empty() {
            under.push(self.caption.clone());
        }
        // every cell of a row says what the row is about: in most tables the first, in some the second
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
        // `From | To`: the column says which side of the trade the row is of
        let column = self.head.get(self.row.len()).map(String::as_str).unwrap_or_default();
        let side = ["from", "to"].into_iter().find(|side| column.trim().eq_ignore_ascii_case(side));
        let own = head(&text);
        self.row.push(side.map_or_else(|| own.to_owned(), |side| format!("{side} {own}")));
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
                    // the last labels of a block stand over what follows them
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
            // only what announces something stands over what follows
            let last = text.rsplit('\n').next().unwrap_or_default().trim();
            let announces = last.ends_with(':') || text.chars().count() <= 60;
            self.caption =
                if announces { self::head(last.trim_end_matches(':')).to_owned() } else { String::new() };
        }
    }
}

/// Labels and captions over a line of a block at most.
const MAX_LABELS: usize = 4;

#[cfg(test)]
mod tests {
    use super::super::split::LONGEST;
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
        assert!(parts.len() > 4 && parts.iter().all(|part| part.len() <= LONGEST));
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
