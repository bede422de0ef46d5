//! From annotated markup to lines and blocks.

use scraper::{ElementRef, Html, Node};

use super::{Block, BlockId, Line, Page, mark};
use crate::value::fold::tidy;

/// What a text inherits from the elements around it.
#[derive(Clone, Copy, Default)]
struct Around {
    font: f32,
    control: bool,
    chart: bool,
    heading: bool,
}

/// Elements that are nested deeper than this are not read; no page for people is.
const DEEPEST: usize = 400;

struct Reader {
    page: Page,
    pending: String,
    /// What the pending line inherits: the largest font seen in it, and whether all of it can be clicked.
    seen: Option<Around>,
}

/// Reads annotated markup.
pub(super) fn read(html: &str) -> Page {
    let document = Html::parse_document(html);
    let mut reader = Reader { page: Page::default(), pending: String::new(), seen: None };
    reader.page.blocks.push(Block { parent: 0, lines: 0..0 });
    reader.element(document.root_element(), 0, Around::default(), None, 0);
    reader.flush(0, None);
    reader.page.blocks[0].lines.end = reader.page.lines.len();
    reader.page
}

impl Reader {
    /// Ends the line that was being read, if there is one.
    fn flush(&mut self, block: BlockId, area: Option<[f32; 4]>) {
        let text = tidy(&self.pending);
        self.pending.clear();
        let around = self.seen.take().unwrap_or_default();
        if !text.is_empty() {
            let Around { font, control, chart, heading } = around;
            self.page.lines.push(Line { text, block, font, control, chart, heading, area });
        }
    }

    fn push(&mut self, text: &str, around: Around) {
        if !text.trim().is_empty() {
            let seen = self.seen.get_or_insert(around);
            seen.font = seen.font.max(around.font);
            seen.control &= around.control;
            seen.chart &= around.chart;
            seen.heading |= around.heading;
        }
        self.pending.push_str(text);
    }

    fn element(
        &mut self,
        element: ElementRef<'_>,
        block: BlockId,
        mut around: Around,
        area: Option<[f32; 4]>,
        depth: usize,
    ) {
        let value = element.value();
        let name = value.name();
        let display = value.attr("data-agt-d");
        if display == Some("n") || depth > DEEPEST || is_silent(name) {
            return;
        }
        if let Some(font) = value.attr("data-agt-font").and_then(|font| font.parse().ok()) {
            around.font = font;
        }
        around.control |= matches!(name, "a" | "button" | "option" | "summary")
            || matches!(value.attr("role"), Some("button" | "link" | "menuitem" | "tab" | "option"));
        around.chart |= name == "svg" || name == "canvas";
        around.heading |=
            matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6") || value.attr("role") == Some("heading");

        if let Some(glyph) = mark::glyph(element) {
            // an arrow is part of the text beside it, not of a chart
            self.push(glyph, Around { chart: false, ..around });
            return;
        }
        let own = match display {
            Some("i") => false,
            Some("b") => true,
            _ => is_block(name),
        };
        let (inner, inner_area) = if own {
            self.flush(block, area);
            let start = self.page.lines.len();
            self.page.blocks.push(Block { parent: block, lines: start..start });
            (self.page.blocks.len() - 1, value.attr("data-agt-box").and_then(parse_box))
        } else {
            (block, area)
        };
        if let Some(text) = value.attr("data-agt-before") {
            self.push(text, around);
        }
        if let Some(glyph) = value.attr("data-agt-mark-before").and_then(mark::of_style) {
            self.push(glyph, around);
        }
        if let Some(text) = value.attr("data-agt-value") {
            self.push(text, around);
        } else {
            for child in element.children() {
                match child.value() {
                    Node::Text(text) => self.push(text, around),
                    Node::Element(_) => {
                        if let Some(child) = ElementRef::wrap(child) {
                            if child.value().name() == "br" {
                                self.flush(inner, inner_area);
                            } else {
                                self.element(child, inner, around, inner_area, depth + 1);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        if let Some(glyph) = value.attr("data-agt-mark-after").and_then(mark::of_style) {
            self.push(glyph, around);
        }
        if let Some(text) = value.attr("data-agt-after") {
            self.push(text, around);
        }
        if own {
            self.flush(inner, inner_area);
            self.page.blocks[inner].lines.end = self.page.lines.len();
        }
    }
}

fn is_silent(name: &str) -> bool {
    matches!(name, "head" | "script" | "style" | "noscript" | "template" | "title" | "meta" | "link")
}

fn is_block(name: &str) -> bool {
    !matches!(
        name,
        "a" | "abbr"
            | "b"
            | "bdi"
            | "bdo"
            | "button"
            | "cite"
            | "code"
            | "data"
            | "del"
            | "em"
            | "font"
            | "i"
            | "img"
            | "input"
            | "ins"
            | "kbd"
            | "label"
            | "mark"
            | "path"
            | "q"
            | "s"
            | "samp"
            | "select"
            | "small"
            | "span"
            | "strong"
            | "sub"
            | "sup"
            | "svg"
            | "time"
            | "tspan"
            | "u"
            | "var"
            | "wbr"
    )
}

fn parse_box(text: &str) -> Option<[f32; 4]> {
    let mut parts = text.split(',').map(|part| part.trim().parse::<f32>().ok());
    let area = [parts.next()??, parts.next()??, parts.next()??, parts.next()??];
    Some(area)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(html: &str) -> Vec<String> {
        read(html).lines.into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn inline_text_is_one_line_and_blocks_break_it() {
        assert_eq!(
            lines("<div>USD <span>-$</span><b>13.1B</b><p>Exporter Rank</p>tail</div>"),
            ["USD -$13.1B", "Exporter Rank", "tail"]
        );
    }

    #[test]
    fn the_annotated_display_wins_over_the_tag() {
        assert_eq!(
            lines("<div><span data-agt-d=b>Rank Change</span><span data-agt-d=b>↓7</span></div>"),
            ["Rank Change", "↓7"]
        );
        assert_eq!(lines("<div data-agt-d=i>52.4</div><div data-agt-d=i> million</div>"), ["52.4 million"]);
    }

    #[test]
    fn what_is_not_visible_is_not_read() {
        assert_eq!(lines("<p>seen<span data-agt-d=n>hidden</span></p><script>x</script>"), ["seen"]);
    }

    #[test]
    fn style_sheet_text_and_chosen_options_are_read() {
        assert_eq!(
            lines("<p data-agt-before='▲'>3</p><select data-agt-value='Gross'><option>Net</option></select>"),
            ["↑3", "Gross"]
        );
    }

    #[test]
    fn a_block_covers_its_lines() {
        let page = read("<main><section><h2>A</h2><p>1</p></section><section><p>2</p></section></main>");
        let section = page.lines[0].block;
        let around: Vec<_> = page.around(0, 0..3).map(|block| page.blocks[block].lines.clone()).collect();
        assert_eq!(page.blocks[section].lines, 0..1);
        assert!(around.contains(&(0..2)) && around.contains(&(0..3)), "{around:?}");
        assert!(page.lines[0].heading && !page.lines[1].heading);
    }
}
