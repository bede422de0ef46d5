//! The computed style of small marks in the snapshot, and their rotation.

use serde::Deserialize;

/// The style of a small element without text, or of typed glyphs.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Mark {
    /// The background color.
    pub bg: String,
    /// The background image.
    pub bgi: String,
    /// The size and repetition of the background image, unless it has its default layout.
    pub bgs: String,
    /// The shadow.
    pub sh: String,
    /// The fill and stroke of an SVG shape.
    pub fill: String,
    pub stroke: String,
    /// The total rotation, as `matrix(a, b, c, d, e, f)`. For parts of an SVG, and in older
    /// captures, its own rotation and transform only: `45deg`, `matrix(…)`, both, or none.
    pub tf: String,
    /// The borders as `width style color` or `0`: one entry if all are equal, else top, right,
    /// bottom and left, separated by ` / `.
    pub bd: String,
    /// The clip, mask and filter.
    pub clip: String,
    pub mask: String,
    pub filter: String,
    /// The total opacity.
    pub op: Option<f32>,
    /// The color of typed glyphs.
    pub fg: String,
    /// The background color behind it; none if the page has none.
    pub on: String,
    /// The width in CSS pixels.
    pub w: f32,
    /// The height in CSS pixels.
    pub h: f32,
    /// The width and height before rotation.
    pub size: Option<[f32; 2]>,
    /// The covered fraction of a rotated box around it, in width and height; none if unclear.
    pub part: Option<Vec<f32>>,
}

impl Mark {
    /// The width and color of its borders: one entry if all are equal, else one per side.
    pub fn borders(&self) -> impl Iterator<Item = (f32, &str)> {
        self.bd.split(" / ").filter_map(|side| {
            let (width, colour) = side.split_once(' ').unwrap_or((side, ""));
            let colour = colour.split_once(' ').map_or("", |(_, colour)| colour);
            Some((width.trim_end_matches("px").parse().ok()?, colour))
        })
    }
}

/// Parses the style in a snapshot.
pub(super) fn read(mark: &str) -> Option<Mark> {
    serde_json::from_str(mark).ok()
}

/// The linear part of rotation and transform, rotation first; none if unknown.
pub(super) fn turn_of(transform: &str) -> Option<[f32; 4]> {
    let (rotation, rest) = match transform.split_once("deg") {
        Some((degrees, rest)) => {
            let (sin, cos) = degrees.trim().parse::<f32>().ok()?.to_radians().sin_cos();
            ([cos, sin, -sin, cos], rest.trim())
        }
        None => (UPRIGHT, transform),
    };
    let matrix = match rest {
        "" | "none" => UPRIGHT,
        _ => {
            let (kind, numbers) = rest.strip_suffix(')')?.split_once('(')?;
            let numbers: Vec<f32> =
                numbers.split(',').map(|part| part.trim().parse().ok()).collect::<Option<_>>()?;
            match (kind, numbers.as_slice()) {
                ("matrix", &[a, b, c, d, ..]) => [a, b, c, d],
                // as seen from the front
                ("matrix3d", &[a, b, _, _, c, d, ..]) => [a, b, c, d],
                _ => return None,
            }
        }
    };
    let turn = times(rotation, matrix);
    turn.iter().all(|part| part.is_finite()).then_some(turn)
}

/// No rotation.
pub(super) const UPRIGHT: [f32; 4] = [1.0, 0.0, 0.0, 1.0];

/// The scale factor of a transform.
pub(super) fn scale_of([a, b, c, d]: [f32; 4]) -> f32 {
    (a * d - b * c).abs().sqrt()
}

pub(super) fn times([a, b, c, d]: [f32; 4], [e, f, g, h]: [f32; 4]) -> [f32; 4] {
    [a * e + c * f, b * e + d * f, a * g + c * h, b * g + d * h]
}
