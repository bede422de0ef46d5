//! What the snapshot says of small marks: how they look, and how they are turned.

use serde::Deserialize;

/// What the snapshot says of a small element without text, or of glyphs that are typed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Mark {
    /// Computed background colour.
    pub bg: String,
    /// Computed background image.
    pub bgi: String,
    /// Size and repetition of the background image, where it has one that is not laid out as it is.
    pub bgs: String,
    /// Computed shadow.
    pub sh: String,
    /// Fill and stroke of a drawing.
    pub fill: String,
    pub stroke: String,
    /// How it is turned with all around it, as `matrix(a, b, c, d, e, f)`; of parts of a drawing, and in captures of
    /// old, its own rotation and transform only: `45deg`, `matrix(…)`, both or none of them.
    pub tf: String,
    /// Borders as `width style colour` or `0`: one where all are alike, else top, right, bottom and left with
    /// ` / ` between.
    pub bd: String,
    /// Clip, mask and filter.
    pub clip: String,
    pub mask: String,
    pub filter: String,
    /// Opacity with all around it.
    pub op: Option<f32>,
    /// Colour of typed glyphs.
    pub fg: String,
    /// Colour behind it; none where the page is not painted.
    pub on: String,
    /// Width in CSS pixels.
    pub w: f32,
    /// Height in CSS pixels.
    pub h: f32,
    /// Width and height before it is turned.
    pub size: Option<[f32; 2]>,
    /// How much of a turned box around it it takes, in width and height; nothing where that is not plain.
    pub part: Option<Vec<f32>>,
}

impl Mark {
    /// Width and colour of its borders: one where all are alike, else of each side.
    pub fn borders(&self) -> impl Iterator<Item = (f32, &str)> {
        self.bd.split(" / ").filter_map(|side| {
            let (width, colour) = side.split_once(' ').unwrap_or((side, ""));
            let colour = colour.split_once(' ').map_or("", |(_, colour)| colour);
            Some((width.trim_end_matches("px").parse().ok()?, colour))
        })
    }
}

/// Reads what the snapshot says.
pub(super) fn read(mark: &str) -> Option<Mark> {
    serde_json::from_str(mark).ok()
}

/// The linear part of a computed rotation and transform, the rotation first; none where it is not known.
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
                // as it is seen from the front
                ("matrix3d", &[a, b, _, _, c, d, ..]) => [a, b, c, d],
                _ => return None,
            }
        }
    };
    let turn = times(rotation, matrix);
    turn.iter().all(|part| part.is_finite()).then_some(turn)
}

/// Nothing turned.
pub(super) const UPRIGHT: [f32; 4] = [1.0, 0.0, 0.0, 1.0];

/// How much larger or smaller a turn makes what it turns.
pub(super) fn scale_of([a, b, c, d]: [f32; 4]) -> f32 {
    (a * d - b * c).abs().sqrt()
}

pub(super) fn times([a, b, c, d]: [f32; 4], [e, f, g, h]: [f32; 4]) -> [f32; 4] {
    [a * e + c * f, b * e + d * f, a * g + c * h, b * g + d * h]
}
