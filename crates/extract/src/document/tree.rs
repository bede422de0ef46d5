//! Converts annotated markup to lines and blocks.

use super::chip;
use super::computed_style::{self, Mark};
use super::diamond::{self, Diamond, PENDING};
use super::fold::normalize_label;
use super::mark::{self, Glyph};
use super::markup::{Kind, Markup, NodeId};
use super::page::{Block, BlockId, Line, Page, Part};
use crate::value::fold::tidy;

/// What a text inherits from its ancestors.
#[derive(Clone, Copy, Default)]
struct Inherited {
    font: f32,
    control: bool,
    chart: bool,
    heading: bool,
}

/// The maximum nesting depth. No real page exceeds it.
const MAX_DEPTH: usize = 400;

struct Reader<'a> {
    markup: &'a Markup<'a>,
    /// The shared marks that are referenced by number, with their glyphs.
    looks: Vec<NodeId>,
    glyphs: Vec<Option<Glyph>>,
    /// The diamonds so far. Each has a [`PENDING`] placeholder in its line.
    diamonds: Vec<Diamond>,
    page: Page,
    pending: String,
    /// What the pending line inherits: its largest font, and whether all of it can be clicked.
    seen: Option<Inherited>,
}

/// Parses annotated markup.
pub(super) fn read(html: &str) -> Page {
    let markup = Markup::read(html);
    let looks: Vec<NodeId> = markup
        .descendants(Markup::ROOT)
        .find(|&node| markup.attribute(node, "data-agt-looks").is_some())
        .into_iter()
        .flat_map(|looks| markup.children(looks))
        .collect();
    let glyphs = looks.iter().map(|&look| mark::glyph(&markup, &looks, look)).collect();
    let mut reader = Reader {
        markup: &markup,
        looks,
        glyphs,
        diamonds: Vec::new(),
        page: Page::default(),
        pending: String::new(),
        seen: None,
    };
    reader.page.blocks.push(Block { parent: 0, lines: 0..0 });
    for node in markup.children(Markup::ROOT) {
        match markup.kind(node) {
            Kind::Text(text) => reader.push(text, Inherited::default()),
            Kind::Element(..) => reader.element(node, 0, Inherited::default(), None, 0),
        }
    }
    reader.flush(0, None);
    reader.page.blocks[0].lines.end = reader.page.lines.len();
    diamond::write(&mut reader.page.lines, &reader.diamonds);
    reader.page
}

impl Reader<'_> {
    /// Ends the pending line, if there is one.
    fn flush(&mut self, block: BlockId, area: Option<[f32; 4]>) {
        let (text, bare) = chip::split(&self.pending);
        let text = tidy(&text);
        let bare = bare.filter(|_| !text.contains(PENDING)).map(|bare| tidy(&bare));
        self.pending.clear();
        let around = self.seen.take().unwrap_or_default();
        if !text.is_empty() {
            let Inherited { font, control, chart, heading } = around;
            let normalized = normalize_label(&text);
            self.page.lines.push(Line { text, normalized, bare, block, font, control, chart, heading, area });
        }
    }

    fn push(&mut self, text: &str, around: Inherited) {
        if !text.trim().is_empty() {
            let seen = self.seen.get_or_insert(around);
            seen.font = seen.font.max(around.font);
            seen.control &= around.control;
            seen.chart &= around.chart;
            seen.heading |= around.heading;
        }
        for _ in text.matches(PENDING) {
            self.diamonds.push(Diamond(None));
        }
        self.pending.push_str(text);
    }

    fn glyph(&mut self, glyph: Glyph, around: Inherited) {
        match glyph {
            Glyph::Arrow(arrow) => self.push(arrow, around),
            Glyph::Diamond(diamond) => self.diamond(diamond, around),
        }
    }

    fn diamond(&mut self, diamond: Diamond, around: Inherited) {
        self.push(PENDING.encode_utf8(&mut [0; 4]), around);
        if let Some(last) = self.diamonds.last_mut() {
            *last = diamond;
        }
    }

    /// Adds a text with arrows or diamonds, using their style in the snapshot.
    fn typed(&mut self, text: &str, looks: Option<&Mark>, around: Inherited) {
        let Some(mark) = looks else { return self.push(text, around) };
        for part in mark::seen(text, mark).split_inclusive(['◆', '◇', '⬖']) {
            let diamond = part.chars().next_back().and_then(|last| {
                let diamond = diamond::typed(last, mark)?;
                Some((diamond, &part[..part.len() - last.len_utf8()]))
            });
            match diamond {
                Some((diamond, before)) if !mark.fg.is_empty() => {
                    self.push(before, around);
                    self.diamond(diamond, around);
                }
                _ => self.push(part, around),
            }
        }
    }

    /// Whether a superscript is a note mark. No figure on these pages has an exponent, so a raised
    /// number after a number is a note. An ordinal's ending and a size letter belong to the number.
    fn is_note(&self, element: NodeId) -> bool {
        let text: String = self.markup.text(element).collect();
        let text = text.trim();
        let bare = text.trim_matches(['[', ']', '(', ')']);
        if matches!(text.to_lowercase().as_str(), "st" | "nd" | "rd" | "th") {
            return false;
        }
        if self.pending.ends_with(|c: char| c.is_ascii_digit()) {
            let is_sign = |c: char| c.is_ascii_digit() || matches!(c, ',' | ' ' | '*' | '†' | '‡' | '§');
            let is_letter = |c: char| c.is_ascii_lowercase() && !matches!(c, 'k' | 'm' | 'b' | 't');
            return !bare.is_empty()
                && (bare.chars().all(is_sign) || (bare.len() == 1 && bare.chars().all(is_letter)));
        }
        let square = text.starts_with('[') && text.ends_with(']');
        (if square { bare } else { text }).chars().count() <= 2
    }

    /// Whether a control shows a symbol instead of words: the `i` of an info button, the `×` of a
    /// chip.
    fn is_sign(&self, element: NodeId) -> bool {
        let mut text = self.markup.text(element).flat_map(str::chars).filter(|c| !c.is_whitespace());
        let first = text.next();
        text.next().is_none() && first.is_some_and(|c| !c.is_ascii_digit())
    }

    /// Reads an element: its replacement, or its texts.
    fn element(
        &mut self,
        element: NodeId,
        block: BlockId,
        around: Inherited,
        area: Option<[f32; 4]>,
        depth: usize,
    ) {
        let markup = self.markup;
        let name = markup.name(element);
        let attribute = |name| markup.attribute(element, name);
        let display = attribute("data-agt-d");
        if display == Some("n") || depth > MAX_DEPTH || is_silent(name) {
            return;
        }
        if attribute("data-agt-gap").is_some() {
            return self.pending.push(' ');
        }
        if let Some(marks) = attribute("data-agt-marks") {
            return self.shared_marks(marks, (block, area), around, depth);
        }
        let chip = attribute("data-agt-chip");
        let is_pressed = matches!(name, "button" | "summary") || attribute("role") == Some("button");
        if chip == Some("note")
            || (name == "sup" && self.is_note(element))
            || (is_pressed && self.is_sign(element))
        {
            return;
        }
        let around = around.inside(name, attribute("role"), attribute("data-agt-font"), is_pressed);
        if let Some(glyph) = mark::glyph(markup, &self.looks, element) {
            // an arrow belongs to the text beside it, not to a chart
            return self.glyph(glyph, Inherited { chart: false, ..around });
        }
        let first = self.page.lines.len();
        let is_own = match display {
            Some("i") => false,
            Some("b") => true,
            _ => is_block(name),
        };
        let (inner, inner_area) = if is_own {
            self.flush(block, area);
            let start = self.page.lines.len();
            self.page.blocks.push(Block { parent: block, lines: start..start });
            (self.page.blocks.len() - 1, attribute("data-agt-box").and_then(parse_box))
        } else {
            (block, area)
        };
        let is_aside = chip == Some("chip") && chip::is_aside(&markup.text(element).collect::<String>());
        if is_aside {
            self.pending.push(chip::START);
        }
        self.content(element, (inner, inner_area), around, depth);
        if is_aside {
            self.pending.push(chip::END);
        }
        if is_own {
            self.flush(inner, inner_area);
            self.page.blocks[inner].lines.end = self.page.lines.len();
        }
        if let Some(why) = attribute("data-agt-part") {
            // the pending line counts too
            let end = self.page.lines.len() + usize::from(!self.pending.trim().is_empty());
            self.page.parts.push(Part { lines: first..end, why: why.to_owned() });
        }
    }

    /// Adds the glyphs of shared marks, referenced by number.
    fn shared_marks(
        &mut self,
        numbers: &str,
        (block, area): (BlockId, Option<[f32; 4]>),
        around: Inherited,
        depth: usize,
    ) {
        for look in numbers.split(' ').filter_map(|number| number.parse::<usize>().ok()) {
            match (self.glyphs.get(look).copied().flatten(), self.looks.get(look)) {
                // like a mark that stands alone
                (Some(glyph), _) => self.glyph(glyph, Inherited { chart: false, ..around }),
                (None, Some(&look)) => self.element(look, block, around, area, depth + 1),
                (None, None) => {}
            }
        }
    }

    /// Reads an element's contents, with its pseudo-elements.
    fn content(
        &mut self,
        element: NodeId,
        (block, area): (BlockId, Option<[f32; 4]>),
        around: Inherited,
        depth: usize,
    ) {
        let markup = self.markup;
        let attribute = |name| markup.attribute(element, name);
        let looks = |name| attribute(name).and_then(computed_style::read);
        if let Some(drawn) = attribute("data-agt-mark-before").and_then(mark::drawn) {
            self.glyph(drawn, around);
        }
        if let Some(text) = attribute("data-agt-before") {
            self.typed(text, looks("data-agt-glyph-before").as_ref(), around);
        }
        if let Some(text) = attribute("data-agt-value") {
            self.push(text, around);
        } else {
            let looks = looks("data-agt-glyph");
            for child in markup.children(element) {
                match markup.kind(child) {
                    Kind::Text(text) => self.typed(text, looks.as_ref(), around),
                    Kind::Element(name, _) if name == "br" => self.flush(block, area),
                    Kind::Element(..) => self.element(child, block, around, area, depth + 1),
                }
            }
        }
        if let Some(text) = attribute("data-agt-after") {
            self.typed(text, looks("data-agt-glyph-after").as_ref(), around);
        }
        if let Some(drawn) = attribute("data-agt-mark-after").and_then(mark::drawn) {
            self.glyph(drawn, around);
        }
    }
}

impl Inherited {
    /// What a text inside an element inherits.
    fn inside(self, name: &str, role: Option<&str>, font: Option<&str>, is_pressed: bool) -> Self {
        Self {
            font: font.and_then(|font| font.parse().ok()).unwrap_or(self.font),
            control: self.control
                || is_pressed
                || matches!(name, "a" | "option")
                || matches!(role, Some("link" | "menuitem" | "tab" | "option")),
            chart: self.chart || name == "svg" || name == "canvas",
            heading: self.heading
                || matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
                || role == Some("heading"),
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
    fn the_sign_on_a_button_is_no_part_of_the_label_beside_it() {
        assert_eq!(
            lines("<dt><span>GDP per capita</span> <small>2024</small><button>i</button></dt>"),
            ["GDP per capita 2024"]
        );
        assert_eq!(lines("<li>Kenya<span role=button>×</span></li>"), ["Kenya"]);
        assert_eq!(lines("<p>rank <button>7</button></p>"), ["rank 7"]);
        assert_eq!(lines("<p>by <button>HS</button></p>"), ["by HS"]);
    }

    #[test]
    fn a_raised_number_behind_a_number_is_a_note() {
        for (html, text) in [
            ("<td>28<sup>1</sup>", "28"),
            ("<td>38<sup>th</sup> of 145<sup>[12]</sup>", "38th of 145"),
            ("<td>$16.2<sup>B</sup>", "$16.2B"),
            ("<td>3<sup>.38</sup>%<sup>a</sup>", "3.38%"),
            ("<td>24<sup>1,2</sup>", "24"),
            ("<p>It grew.<sup>[3]</sup> Then", "It grew. Then"),
        ] {
            let html =
                if html.starts_with("<td>") { format!("<table><tr>{html}</table>") } else { html.into() };
            assert_eq!(lines(&html), [text], "{html}");
        }
    }

    #[test]
    fn a_gap_that_was_seen_parts_what_stands_at_its_sides() {
        assert_eq!(lines("<p>28<span><i data-agt-gap=''></i>3</span></p>"), ["28 3"]);
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
    fn marks_that_are_written_once_stand_wherever_they_are_referred_to() {
        let turned = "matrix(0.707107, 0.707107, -0.707107, 0.707107, 0, 0)";
        let diamond = |bg: &str| {
            format!(
                "<span data-agt-mark=\"{{&quot;w&quot;:14,&quot;h&quot;:14,&quot;tf&quot;:&quot;{turned}&quot;,&quot;bg&quot;:&quot;{bg}&quot;}}\"></span>"
            )
        };
        let (full, empty) = (diamond("rgb(1, 1, 1)"), diamond("rgba(0, 0, 0, 0)"));
        let arrow = "<svg data-agt-mark=\"{&quot;w&quot;:16,&quot;h&quot;:16}\"><path d=\"M7 14l5-5 5 5z\"></path></svg>";
        let swatch = "<div data-agt-mark=\"{&quot;bg&quot;:&quot;rgb(1, 1, 1)&quot;}\"></div>";
        let looks = format!("<template data-agt-looks>{full}{empty}{arrow}{swatch}</template>");
        let strict = looks.replace("looks>", "looks=\"\">");
        for looks in [looks, strict] {
            let page = "<td>a<i data-agt-marks=\"3\"></i>Tea</td><td><i data-agt-marks=\"0 0 1\"></i></td>\
                        <td><i data-agt-marks=\"2\"></i>13.1%</td>"
                .replace("td>", "p>");
            assert_eq!(lines(&format!("{looks}{page}")), ["a", "Tea", "◆◆◇", "↑13.1%"]);
        }
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
