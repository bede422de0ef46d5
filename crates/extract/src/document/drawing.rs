//! Small SVG drawings: their painted shapes, and the direction of an arrow.

use super::computed_style::{Mark, read, times, turn_of};
use super::markup::{Markup, NodeId};
use super::paint::Colour;

/// A point, to the right and down.
pub(super) type Point = (f32, f32);

/// A line between two points.
pub(super) type Edge = (Point, Point);

/// A painted shape, after rotation.
pub(super) struct Shape {
    /// Its outline. Curves are replaced by straight lines.
    pub edges: Vec<Edge>,
    /// Its style.
    pub mark: Mark,
}

/// The shapes of a rotated drawing; none if it has text or an unknown transform.
pub(super) fn shapes(markup: &Markup<'_>, drawing: NodeId, turn: [f32; 4]) -> Option<Vec<Shape>> {
    let mut shapes = Vec::new();
    add(markup, drawing, turn, &mut shapes)?;
    Some(shapes)
}

fn add(markup: &Markup<'_>, around: NodeId, turn: [f32; 4], shapes: &mut Vec<Shape>) -> Option<()> {
    for node in markup.children(around) {
        let attribute = |name| markup.attribute(node, name);
        let name = markup.name(node);
        if name.is_empty() || attribute("data-agt-d") == Some("n") {
            continue;
        }
        if name == "text" || name == "tspan" {
            return None;
        }
        let mark = attribute("data-agt-mark").map_or_else(|| Some(Mark::default()), read)?;
        let turn = times(turn, turn_of(&mark.tf)?);
        add(markup, node, turn, shapes)?;
        let edges = turned(outline(name, attribute), turn);
        if is_painted(&mark) && !edges.is_empty() {
            shapes.push(Shape { edges, mark });
        }
    }
    Some(())
}

fn outline<'a>(name: &str, attribute: impl Fn(&'static str) -> Option<&'a str>) -> Vec<Edge> {
    match name {
        "path" => path(attribute("d").unwrap_or_default()),
        "polygon" | "polyline" => {
            let mut points = points(attribute("points").unwrap_or_default());
            if name == "polygon"
                && let Some(&first) = points.first()
            {
                points.push(first);
            }
            points.windows(2).map(|pair| (pair[0], pair[1])).collect()
        }
        "line" => {
            let number = |name| attribute(name).and_then(|text| text.parse::<f32>().ok());
            let end = |x, y| number(x).zip(number(y));
            end("x1", "y1").zip(end("x2", "y2")).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The edges after rotation.
pub(super) fn turned(edges: Vec<Edge>, [a, b, c, d]: [f32; 4]) -> Vec<Edge> {
    let turned = |(x, y): Point| (a * x + c * y, b * x + d * y);
    edges.into_iter().map(|(from, to)| (turned(from), turned(to))).collect()
}

/// Whether a shape is filled or stroked. An unknown style counts as painted.
fn is_painted(mark: &Mark) -> bool {
    let clear = |paint: &str| paint == "none" || Colour::read(paint).is_some_and(|paint| paint.alpha == 0.0);
    !clear(&mark.fill) || !(mark.stroke.is_empty() || clear(&mark.stroke))
}

/// The direction of a drawn arrow: its tip is where two edges meet and diverge to both sides.
pub(super) fn direction(segments: &[Edge]) -> Option<&'static str> {
    let segments: Vec<(Point, Point)> = segments.iter().copied().filter(|(from, to)| from != to).collect();
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

/// The edges of an SVG path. Curves are replaced by straight lines.
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

/// The numbers in an SVG list, which may have no separators: `l5.58 5.59L-8-8.5.5`.
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
