//! Marks that carry meaning without text: arrows and diamonds become the glyph a person sees.

use serde::Deserialize;

use super::markup::{Markup, NodeId};

/// What the snapshot says of a small element without text.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Mark {
    /// Computed background colour.
    bg: String,
    /// Computed background image.
    bgi: String,
    /// Computed rotation and transform: `45deg`, `matrix(a, b, c, d, e, f)`, both or none of them.
    tf: String,
    /// Borders as `width style colour` or `0`: one where all are alike, else top, right, bottom and left with
    /// ` / ` between.
    bd: String,
    /// Width in CSS pixels.
    w: f32,
    /// Height in CSS pixels.
    h: f32,
}

/// The glyph of a mark: `↑`, `↓`, `◆`, `⬖`, `◇`; none when it carries no meaning that is known.
pub(super) fn glyph(markup: &Markup<'_>, element: NodeId) -> Option<&'static str> {
    if markup.name(element) == "svg" {
        return svg(markup, element);
    }
    let mark = markup.attribute(element, "data-agt-mark")?;
    if markup.text(element).any(|text| !text.trim().is_empty()) {
        return None;
    }
    drawn(mark)
}

/// The glyph of a drawing without markup of its own: a small element, or one that a style sheet adds.
pub(super) fn drawn(mark: &str) -> Option<&'static str> {
    let mark: Mark = serde_json::from_str(mark).ok()?;
    triangle(&mark).or_else(|| diamond(&mark))
}

/// A square that is turned by 45 degrees: empty, half or full.
fn diamond(mark: &Mark) -> Option<&'static str> {
    let [a, b, c, d] = linear(&mark.tf)?;
    let turned = (a.abs() - b.abs()).abs() < 0.1 && a * d - b * c > 0.0 && b.abs() > 0.1;
    if !turned || mark.w > 40.0 || (mark.w - mark.h).abs() > 2.0 {
        return None;
    }
    Some(if mark.bgi.contains("gradient") {
        "⬖"
    } else if is_ink(&mark.bg) {
        "◆"
    } else {
        "◇"
    })
}

/// A triangle made of borders: two transparent sides and one coloured.
fn triangle(mark: &Mark) -> Option<&'static str> {
    let sides: Vec<(f32, bool)> = mark
        .bd
        .split(" / ")
        .filter_map(|side| {
            let (width, colour) = side.split_once(' ').unwrap_or((side, ""));
            Some((width.trim_end_matches("px").parse().ok()?, is_ink(colour)))
        })
        .collect();
    let &[(top, top_ink), (right, right_ink), (bottom, bottom_ink), (left, left_ink)] = sides.as_slice()
    else {
        return None;
    };
    if left <= 1.0 || right <= 1.0 || left_ink || right_ink {
        return None;
    }
    let down = top > 1.0 && top_ink && !(bottom > 1.0 && bottom_ink);
    let up = bottom > 1.0 && bottom_ink && !(top > 1.0 && top_ink);
    let turned = linear(&mark.tf).is_some_and(|[_, _, _, d]| d < 0.0);
    match (up, down) {
        (true, false) => Some(if turned { "↓" } else { "↑" }),
        (false, true) => Some(if turned { "↑" } else { "↓" }),
        _ => None,
    }
}

/// An arrow drawn as SVG, turned by its own transforms.
fn svg(markup: &Markup<'_>, element: NodeId) -> Option<&'static str> {
    let mut size = None;
    let mut turn = [1.0, 0.0, 0.0, 1.0];
    let mut segments = Vec::new();
    for node in markup.descendants(element) {
        let name = markup.name(node);
        let attribute = |name| markup.attribute(node, name);
        if name == "text" || name == "tspan" {
            return None;
        }
        if let Some(mark) =
            attribute("data-agt-mark").and_then(|mark| serde_json::from_str::<Mark>(mark).ok())
        {
            if node == element {
                size = Some((mark.w, mark.h));
            }
            if let Some(own) = linear(&mark.tf) {
                turn = times(turn, own);
            }
        }
        match name {
            "path" => segments.extend(path(attribute("d").unwrap_or_default())),
            "polygon" | "polyline" => {
                let mut points = points(attribute("points").unwrap_or_default());
                if name == "polygon"
                    && let Some(&first) = points.first()
                {
                    points.push(first);
                }
                segments.extend(points.windows(2).map(|pair| (pair[0], pair[1])));
            }
            "line" => {
                let number = |name| attribute(name).and_then(|text| text.parse::<f32>().ok());
                if let (Some(x1), Some(y1), Some(x2), Some(y2)) =
                    (number("x1"), number("y1"), number("x2"), number("y2"))
                {
                    segments.push(((x1, y1), (x2, y2)));
                }
            }
            _ => {}
        }
    }
    if size.is_none_or(|(w, h)| w > 40.0 || h > 40.0) || segments.is_empty() || segments.len() > 40 {
        return None;
    }
    direction(&segments, turn)
}

type Point = (f32, f32);

/// Which way a drawn arrow points: the end at which two edges meet and run off to both sides.
fn direction(segments: &[(Point, Point)], [a, b, c, d]: [f32; 4]) -> Option<&'static str> {
    let turned = |(x, y): Point| (a * x + c * y, b * x + d * y);
    let segments: Vec<(Point, Point)> = segments
        .iter()
        .map(|&(from, to)| (turned(from), turned(to)))
        .filter(|(from, to)| from != to)
        .collect();
    let points: Vec<Point> = segments.iter().flat_map(|&(from, to)| [from, to]).collect();
    let low = points.iter().map(|point| point.1).fold(f32::INFINITY, f32::min);
    let high = points.iter().map(|point| point.1).fold(f32::NEG_INFINITY, f32::max);
    let height = high - low;
    let apex = |edge: f32| {
        let near = |point: Point| (point.1 - edge).abs() <= height * 0.06;
        let slope = |&(from, to): &(Point, Point)| {
            let (tip, end) = match (near(from), near(to)) {
                (true, false) => (from, to),
                (false, true) => (to, from),
                _ => return 0.0,
            };
            let (dx, dy) = (end.0 - tip.0, end.1 - tip.1);
            if dx.abs() > dy.abs() * 0.3 && dy.abs() > dx.abs() * 0.3 { dx } else { 0.0 }
        };
        let tips: Vec<f32> = points.iter().filter(|&&point| near(point)).map(|point| point.0).collect();
        let spread = tips.iter().copied().fold(f32::NEG_INFINITY, f32::max)
            - tips.iter().copied().fold(f32::INFINITY, f32::min);
        spread <= height * 0.25
            && segments.iter().map(slope).any(|dx| dx > 0.0)
            && segments.iter().map(slope).any(|dx| dx < 0.0)
    };
    if height <= 0.0 {
        return None;
    }
    match (apex(low), apex(high)) {
        (true, false) => Some("↑"),
        (false, true) => Some("↓"),
        _ => None,
    }
}

/// The edges of an SVG path; curves are taken as the line between their ends.
fn path(d: &str) -> Vec<(Point, Point)> {
    let mut segments = Vec::new();
    let (mut at, mut start): (Point, Point) = ((0.0, 0.0), (0.0, 0.0));
    let mut rest = d;
    while let Some(position) = rest.find(|c: char| c.is_ascii_alphabetic() && c != 'e') {
        let command = rest[position..].chars().next().unwrap_or('z');
        rest = &rest[position + 1..];
        let end = rest.find(|c: char| c.is_ascii_alphabetic() && c != 'e').unwrap_or(rest.len());
        let numbers = numbers(&rest[..end]);
        rest = &rest[end..];
        let relative = command.is_ascii_lowercase();
        let mut go = |to: Point, draw: bool| {
            if draw {
                segments.push((at, to));
            }
            at = to;
        };
        let base = |at: Point| if relative { at } else { (0.0, 0.0) };
        match command.to_ascii_lowercase() {
            'z' => go(start, true),
            'h' => numbers.iter().for_each(|&x| {
                let to = (at.0 * f32::from(u8::from(relative)) + x, at.1);
                segments.push((at, to));
                at = to;
            }),
            'v' => numbers.iter().for_each(|&y| {
                let to = (at.0, at.1 * f32::from(u8::from(relative)) + y);
                segments.push((at, to));
                at = to;
            }),
            kind => {
                let size = match kind {
                    'm' | 'l' | 't' => 2,
                    's' | 'q' => 4,
                    'c' => 6,
                    'a' => 7,
                    _ => continue,
                };
                for (index, chunk) in numbers.chunks_exact(size).enumerate() {
                    let origin = base(at);
                    let to = (origin.0 + chunk[size - 2], origin.1 + chunk[size - 1]);
                    let first_move = kind == 'm' && index == 0;
                    if !first_move {
                        segments.push((at, to));
                    } else {
                        start = to;
                    }
                    at = to;
                }
            }
        }
    }
    segments
}

fn points(text: &str) -> Vec<Point> {
    numbers(text).chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
}

/// The numbers of an SVG list, which may run together: `l5.58 5.59L-8-8.5.5`.
fn numbers(text: &str) -> Vec<f32> {
    let mut numbers = Vec::new();
    let mut current = String::new();
    let mut push = |current: &mut String| {
        if let Ok(number) = current.parse() {
            numbers.push(number);
        }
        current.clear();
    };
    for c in text.chars() {
        match c {
            '-' | '+' if !current.is_empty() && !current.ends_with('e') => {
                push(&mut current);
                current.push(c);
            }
            '.' if current.contains('.') => {
                push(&mut current);
                current.push(c);
            }
            '0'..='9' | '.' | '-' | '+' | 'e' => current.push(c),
            _ => push(&mut current),
        }
    }
    push(&mut current);
    numbers
}

/// The linear part of a computed rotation and transform, the rotation first.
fn linear(transform: &str) -> Option<[f32; 4]> {
    let (rotation, rest) = match transform.split_once("deg") {
        Some((degrees, rest)) => (Some(degrees.trim().parse::<f32>().ok()?), rest.trim()),
        None => (None, transform),
    };
    let rotation = rotation.map(|degrees| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        [cos, sin, -sin, cos]
    });
    let matrix = rest.strip_prefix("matrix(").and_then(|rest| {
        let numbers: Vec<f32> =
            rest.strip_suffix(')')?.split(',').filter_map(|part| part.trim().parse().ok()).collect();
        <[f32; 4]>::try_from(numbers.get(..4)?).ok()
    });
    match (rotation, matrix) {
        (Some(rotation), Some(matrix)) => Some(times(rotation, matrix)),
        (Some(rotation), None) if rest.is_empty() || rest == "none" => Some(rotation),
        (_, matrix) => matrix,
    }
}

fn times([a, b, c, d]: [f32; 4], [e, f, g, h]: [f32; 4]) -> [f32; 4] {
    [a * e + c * f, b * e + d * f, a * g + c * h, b * g + d * h]
}

/// Whether a computed colour can be seen on a light page.
fn is_ink(colour: &str) -> bool {
    let Some(inner) = colour.find('(').map(|at| &colour[at + 1..]) else { return false };
    let parts: Vec<f32> = inner
        .trim_end_matches(')')
        .split([',', ' ', '/'])
        .filter_map(|part| part.trim().parse().ok())
        .collect();
    let opaque = parts.get(3).is_none_or(|&alpha| alpha > 0.4);
    let dark = parts.iter().take(3).any(|&channel| channel < 235.0);
    opaque && dark && parts.len() >= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str) -> Option<&'static str> {
        let markup = Markup::read(html);
        let element = markup
            .descendants(Markup::ROOT)
            .find(|&node| !matches!(markup.name(node), "" | "html" | "head" | "body"));
        glyph(&markup, element.unwrap())
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
        assert_eq!(diamond("rgba(0, 0, 0, 0)", "linear-gradient(to right, rgb(128,128,128) 50%)"), Some("⬖"));
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
