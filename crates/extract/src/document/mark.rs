//! Marks without text that have a meaning: arrows and diamonds become visible glyphs.

use super::computed_style::{Mark, read, turn_of};
use super::diamond::{self, Diamond};
use super::drawing;
use super::markup::{Markup, NodeId};
use super::paint::{Colour, PAGE};

/// The meaning of a mark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Glyph {
    /// An arrow, `↑` or `↓`.
    Arrow(&'static str),
    /// A diamond.
    Diamond(Diamond),
}

/// The glyph of a mark; none if it has no known meaning. `looks` are the shared marks that are
/// referenced by number.
pub(super) fn glyph(markup: &Markup<'_>, looks: &[NodeId], element: NodeId) -> Option<Glyph> {
    if markup.name(element) == "svg" {
        return svg(markup, element);
    }
    let mark = markup.attribute(element, "data-agt-mark")?;
    if markup.text(element).any(|text| !text.trim().is_empty()) {
        return None;
    }
    let mark = read(mark)?;
    if let Some(arrow) = triangle(&mark).or_else(|| cut(&mark)) {
        return Some(Glyph::Arrow(arrow));
    }
    diamond::turned(&mark, &[])?;
    let mut inner = Vec::new();
    within(markup, looks, element, 0, &mut inner);
    diamond::turned(&mark, &inner).map(Glyph::Diamond)
}

/// The glyph of a pseudo-element that a style sheet adds.
pub(super) fn drawn(mark: &str) -> Option<Glyph> {
    let mark = read(mark)?;
    triangle(&mark)
        .or_else(|| cut(&mark))
        .map(Glyph::Arrow)
        .or_else(|| diamond::turned(&mark, &[]).map(Glyph::Diamond))
}

/// The contents of a mark, lowest first. For nested contents the covered fraction is unknown.
fn within(markup: &Markup<'_>, looks: &[NodeId], element: NodeId, depth: usize, inner: &mut Vec<Mark>) {
    let attribute = |name| markup.attribute(element, name);
    let add = |name, is_near: bool, inner: &mut Vec<Mark>| {
        if let Some(mut mark) = attribute(name).and_then(read) {
            mark.part = mark.part.filter(|_| is_near);
            inner.push(mark);
        }
    };
    if depth > 0 {
        add("data-agt-mark", depth == 1, inner);
    }
    add("data-agt-mark-before", depth == 0, inner);
    for child in markup.children(element) {
        let numbers = markup.attribute(child, "data-agt-marks").unwrap_or_default();
        let referred =
            numbers.split(' ').filter_map(|number| looks.get(number.parse::<usize>().ok()?).copied());
        for look in referred {
            within(markup, looks, look, depth + 1, inner);
        }
        within(markup, looks, child, depth + 1, inner);
    }
    add("data-agt-mark-after", depth == 0, inner);
}

/// Typed arrows as seen after rotation: upside down, or without direction.
pub(super) fn seen(text: &str, mark: &Mark) -> String {
    let upright = turn_of(&mark.tf).and_then(upright);
    let plain = |c| match crate::value::fold::plain(c) {
        Some('↑') => Some(true),
        Some('↓') => Some(false),
        _ => None,
    };
    text.chars()
        .map(|c| match (plain(c), upright) {
            (None, _) => c,
            (Some(up), Some(upright)) => {
                if up == upright {
                    '↑'
                } else {
                    '↓'
                }
            }
            (Some(_), None) => ' ',
        })
        .collect()
}

/// A triangle made of borders: two transparent sides and a colored one.
fn triangle(mark: &Mark) -> Option<&'static str> {
    let sides: Vec<(f32, bool)> = mark.borders().map(|(width, colour)| (width, is_ink(colour))).collect();
    let &[(top, top_ink), (right, right_ink), (bottom, bottom_ink), (left, left_ink)] = sides.as_slice()
    else {
        return None;
    };
    if left <= 1.0 || right <= 1.0 || left_ink || right_ink {
        return None;
    }
    let down = top > 1.0 && top_ink && !(bottom > 1.0 && bottom_ink);
    let up = bottom > 1.0 && bottom_ink && !(top > 1.0 && top_ink);
    if up == down {
        return None;
    }
    let upright = upright(turn_of(&mark.tf)?)?;
    Some(if up == upright { "↑" } else { "↓" })
}

/// An arrow or a diamond as SVG, with the rotation of its surroundings and its parts.
fn svg(markup: &Markup<'_>, element: NodeId) -> Option<Glyph> {
    let mark = markup.attribute(element, "data-agt-mark").and_then(read)?;
    if mark.w > 40.0 || mark.h > 40.0 {
        return None;
    }
    let shapes = drawing::shapes(markup, element, turn_of(&mark.tf)?)?;
    let edges: Vec<_> = shapes.iter().flat_map(|shape| shape.edges.iter().copied()).collect();
    if edges.is_empty() || edges.len() > 40 {
        return None;
    }
    let diamond = || diamond::of_shapes(&mark, &shapes).map(Glyph::Diamond);
    drawing::direction(&edges).map(Glyph::Arrow).or_else(diamond)
}

/// A box clipped to a triangle.
fn cut(mark: &Mark) -> Option<&'static str> {
    let corners = mark.clip.strip_prefix("polygon(")?.strip_suffix(')')?;
    if !is_ink(&mark.bg)
        || !matches!(mark.bgi.as_str(), "" | "none")
        || !matches!(mark.mask.as_str(), "" | "none")
    {
        return None;
    }
    let place = |text: Option<&str>, length: f32| match text?.strip_suffix('%') {
        Some(percent) => Some(percent.parse::<f32>().ok()? / 100.0 * length),
        None => text?.strip_suffix("px")?.parse().ok(),
    };
    let [width, height] = mark.size.unwrap_or([mark.w, mark.h]);
    let mut points: Vec<drawing::Point> = Vec::new();
    for corner in corners.split(',') {
        let mut words = corner.split_whitespace();
        let point = (place(words.next(), width)?, place(words.next(), height)?);
        points.push(point);
    }
    points.push(*points.first()?);
    let edges: Vec<_> = points.windows(2).map(|pair| (pair[0], pair[1])).collect();
    drawing::direction(&drawing::turned(edges, turn_of(&mark.tf)?))
}

/// Whether something that points up still does after rotation, or points down; none if it points
/// sideways.
fn upright([_, _, c, d]: [f32; 4]) -> Option<bool> {
    (d.abs() > c.abs() * 2.0).then_some(d > 0.0)
}

/// Whether a color is visible on a light page.
fn is_ink(colour: &str) -> bool {
    Colour::read(colour).is_some_and(|colour| colour.alpha > 0.4 && colour.contrast(PAGE) > 0.08)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen_in(html: &str) -> Option<Glyph> {
        let markup = Markup::read(html);
        let element = markup
            .descendants(Markup::ROOT)
            .find(|&node| !matches!(markup.name(node), "" | "html" | "head" | "body"));
        glyph(&markup, &[], element.unwrap())
    }

    fn read(html: &str) -> Option<&'static str> {
        Some(match seen_in(html)? {
            Glyph::Arrow(arrow) => arrow,
            Glyph::Diamond(diamond) => diamond::alone(diamond),
        })
    }

    fn arrow(d: &str, tf: &str) -> Option<&'static str> {
        read(&format!(
            r#"<svg data-agt-mark='{{"w":16,"h":16,"tf":"{tf}"}}'><path data-agt-mark='{{"w":9,"h":8,"tf":"none","fill":"rgb(1, 1, 1)"}}' d="{d}"/></svg>"#
        ))
    }

    #[test]
    fn arrows_of_many_drawings_point_where_they_point() {
        let filled = "M4 12l1.41 1.41L11 7.83V20h2V7.83l5.58 5.59L20 12l-8-8-8 8z";
        let stroked = "M12 19V5M5 12l7-7 7 7";
        let triangle = "M7 14l5-5 5 5z";
        let chevron = "M5 15 L12 8 L19 15";
        for drawing in [filled, stroked, triangle, chevron] {
            assert_eq!(arrow(drawing, "none"), Some("↑"), "{drawing}");
            assert_eq!(arrow(drawing, "matrix(-1, 0, 0, -1, 0, 0)"), Some("↓"), "{drawing} turned");
            assert_eq!(arrow(drawing, "matrix(1, 0, 0, -1, 0, 0)"), Some("↓"), "{drawing} flipped");
        }
        assert_eq!(arrow("M7 10l5 5 5-5z", "none"), Some("↓"));
    }

    #[test]
    fn what_points_sideways_or_nowhere_is_no_sign() {
        assert_eq!(arrow("M7 14l5-5 5 5z", "matrix(0, 1, -1, 0, 0, 0)"), None);
        assert_eq!(arrow("M0 0h10v10h-10z", "none"), None);
    }

    #[test]
    fn diamonds_are_empty_half_or_full() {
        let turned = "matrix(0.707107, 0.707107, -0.707107, 0.707107, 0, 0)";
        let diamond = |bg: &str, bgi: &str| {
            read(&format!(
                r#"<span data-agt-mark='{{"w":14,"h":14,"tf":"{turned}","bg":"{bg}","bgi":"{bgi}"}}'></span>"#
            ))
        };
        assert_eq!(diamond("rgb(128, 128, 128)", "none"), Some("◆"));
        let framed = format!(
            r#"<span data-agt-mark='{{"w":14.1,"h":14.1,"tf":"{turned}","bg":"rgba(0, 0, 0, 0)","bd":"1px solid rgb(128, 128, 128)"}}'></span>"#
        );
        assert_eq!(read(&framed), Some("◇"));
        assert_eq!(diamond("rgba(0, 0, 0, 0)", "none"), Some("◇"));
        assert_eq!(
            read(r#"<span data-agt-mark='{"w":14,"h":14,"tf":"45deg","bg":"rgb(128, 128, 128)"}'></span>"#),
            Some("◆"),
            "turned by a property of its own"
        );
        assert_eq!(
            diamond(
                "rgba(0, 0, 0, 0)",
                "linear-gradient(to right, rgb(128,128,128) 50%, rgba(0, 0, 0, 0) 50%)"
            ),
            Some("⬖")
        );
    }

    #[test]
    fn border_triangles_point() {
        let (clear, ink) = ("5px solid rgba(0, 0, 0, 0)", "8px solid rgb(200, 90, 20)");
        let triangle = |bd: String| read(&format!(r#"<i data-agt-mark='{{"w":10,"h":8,"bd":"{bd}"}}'></i>"#));
        assert_eq!(triangle(format!("0 / {clear} / {ink} / {clear}")), Some("↑"));
        assert_eq!(triangle(format!("{ink} / {clear} / 0 / {clear}")), Some("↓"));
        assert_eq!(triangle(format!("{clear} / {ink} / {clear} / 0")), None, "it points to the side");
        assert_eq!(triangle(ink.to_owned()), None, "four alike are a box");
    }
}
