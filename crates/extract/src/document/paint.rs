//! The paint of small drawings: computed colors, gradients and shadows, and their contrast.

/// A color, with channels from 0 to 255 and opacity from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Colour {
    channels: [f32; 3],
    /// The opacity.
    pub alpha: f32,
}

/// The ink of the two halves of a box: 0 is the background, 1 is as far from it as black from
/// white.
pub(super) type Halves = [f32; 2];

/// The paint on the two halves of a box: opacity, and contrast with the background.
pub(super) type Layer = [(f32, f32); 2];

/// The background of a page without one.
pub(super) const PAGE: Colour = Colour { channels: [255.0; 3], alpha: 1.0 };

/// The number of gradient samples. A color change between the two middle samples is one at the
/// middle.
const SAMPLES: usize = 20;

/// Ink differences up to this value are invisible.
const ALIKE: f32 = 0.1;

impl Colour {
    /// Parses a computed color; none for an unknown format.
    pub fn read(text: &str) -> Option<Self> {
        if text == "transparent" {
            return Some(Self { channels: [0.0; 3], alpha: 0.0 });
        }
        let (kind, rest) = text.trim().split_once('(')?;
        let rest = rest.strip_suffix(')')?;
        let (rest, scale) = match rest.strip_prefix("srgb ") {
            Some(rest) => (rest, 255.0),
            None => (rest, 1.0),
        };
        let parts: Vec<f32> = rest
            .split([',', ' ', '/'])
            .filter(|part| !part.is_empty())
            .map(|part| part.parse().ok())
            .collect::<Option<_>>()?;
        let &[a, b, c, ref alpha @ ..] = parts.as_slice() else { return None };
        let alpha = alpha.first().copied().unwrap_or(1.0);
        let channels = match (kind, scale > 1.0) {
            ("rgb" | "rgba", _) | ("color", true) => [a * scale, b * scale, c * scale],
            // the lightness is enough
            ("oklch" | "oklab", _) => [a * 255.0; 3],
            ("lch" | "lab", _) => [a * 2.55; 3],
            _ => return None,
        };
        Some(Self { channels, alpha })
    }

    /// The contrast with another color, from 0 to 1, without its own opacity.
    pub(crate) fn contrast(self, other: Self) -> f32 {
        let apart = self.channels.iter().zip(other.channels).map(|(own, other)| (own - other).abs());
        apart.fold(0.0, f32::max) / 255.0
    }

    /// A layer of this color on both halves.
    pub fn layer(self, behind: Self) -> Layer {
        [(self.alpha, self.contrast(behind)); 2]
    }
}

/// No paint.
pub(super) const NOTHING: Layer = [(0.0, 0.0); 2];

/// Paints a layer over existing ink, dimmed to `opacity`.
pub(super) fn over(below: Halves, layer: Layer, opacity: f32) -> Halves {
    let half = |at: usize| {
        let (alpha, contrast) = layer[at];
        let alpha = alpha * opacity;
        alpha * contrast + (1.0 - alpha) * below[at]
    };
    [half(0), half(1)]
}

/// Splits text at a character outside parentheses.
fn split_outside_parentheses(text: &str, at: char) -> Vec<&str> {
    let mut depth = 0;
    text.split(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == at && depth == 0
    })
    .map(str::trim)
    .filter(|part| !part.is_empty())
    .collect()
}

/// The paint of a background image: a linear gradient with one color, or with two that meet in the
/// middle.
pub(super) fn gradient(image: &str, behind: Colour) -> Option<Layer> {
    let &[image] = split_outside_parentheses(image, ',').as_slice() else { return None };
    let inner = image.strip_prefix("linear-gradient(")?.strip_suffix(')')?;
    let mut stops = split_outside_parentheses(inner, ',');
    let direction = |part: &&str| part.starts_with("to ") || (part.ends_with("deg") && !part.contains(' '));
    if stops.first().is_some_and(direction) {
        stops.remove(0);
    }
    let last = stops.len().checked_sub(1).filter(|&last| last > 0)?;
    let mut at = 0.0_f32;
    let mut points: Vec<(f32, f32, f32)> = Vec::new();
    for (index, stop) in stops.iter().enumerate() {
        let words = split_outside_parentheses(stop, ' ');
        let (colour, places) = words.split_first()?;
        let colour = Colour::read(colour)?;
        let places: Vec<f32> = match places {
            [] if index == 0 => vec![0.0],
            [] if index == last => vec![1.0],
            [] => return None,
            places => places.iter().map(|place| place_of(place)).collect::<Option<_>>()?,
        };
        for place in places {
            at = at.max(place);
            points.push((at, colour.alpha, colour.contrast(behind)));
        }
    }
    let sample = |t: f32| {
        let next = points.iter().position(|&(place, ..)| place > t);
        let (one, two) = match next {
            Some(0) => (points[0], points[0]),
            Some(next) => (points[next - 1], points[next]),
            None => (points[points.len() - 1], points[points.len() - 1]),
        };
        let part = if two.0 > one.0 { (t - one.0) / (two.0 - one.0) } else { 0.0 };
        (one.1 + (two.1 - one.1) * part, one.2 + (two.2 - one.2) * part)
    };
    let samples: Vec<(f32, f32)> =
        (0..SAMPLES).map(|at| sample((at as f32 + 0.5) / SAMPLES as f32)).collect();
    even(&samples)
        .map(|all| [all; 2])
        .or_else(|| Some([even(&samples[..SAMPLES / 2 - 1])?, even(&samples[SAMPLES / 2 + 1..])?]))
}

fn place_of(text: &str) -> Option<f32> {
    match text {
        "0px" => Some(0.0),
        _ => text.strip_suffix('%')?.parse().ok().map(|place: f32| place / 100.0),
    }
}

/// The paint of a uniform part.
fn even(samples: &[(f32, f32)]) -> Option<(f32, f32)> {
    let ink = samples.iter().map(|(alpha, contrast)| alpha * contrast);
    let alphas = samples.iter().map(|(alpha, _)| *alpha);
    let spread = |low: f32, high: f32| high - low <= ALIKE;
    let range = |values: &mut dyn Iterator<Item = f32>| {
        values.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), one| (low.min(one), high.max(one)))
    };
    let (low, high) = range(&mut ink.into_iter());
    let (clear, solid) = range(&mut alphas.into_iter());
    (spread(low, high) && spread(clear, solid)).then(|| samples[samples.len() / 2])
}

/// The paint of the shadows of a box with this side length: over all of it, a half, or nothing.
pub(super) fn shadow(text: &str, side: f32, behind: Colour) -> Option<Layer> {
    let mut all = NOTHING;
    for shadow in split_outside_parentheses(text, ',') {
        let words = split_outside_parentheses(shadow, ' ');
        let colour = Colour::read(words.first()?)?;
        let inset = words.last() == Some(&"inset");
        let lengths: Vec<f32> = words[1..words.len() - usize::from(inset)]
            .iter()
            .map(|word| word.strip_suffix("px")?.parse().ok())
            .collect::<Option<_>>()?;
        let &[x, y, blur, spread] = lengths.as_slice() else { return None };
        let [x, y, blur, spread] = [x.abs(), y.abs(), blur, spread].map(|length| length / side);
        if colour.alpha == 0.0 {
            continue;
        }
        let layer = match inset {
            // an edge, or a light and dark relief
            false if spread + x.max(y) <= 0.35 => continue,
            true if x + y == 0.0 && spread + blur <= 0.2 => continue,
            true if x + y == 0.0 && spread >= 0.42 => colour.layer(behind),
            true if spread + blur == 0.0 && x.min(y) == 0.0 => taken(colour.layer(behind), [x.max(y), 1.0])?,
            _ => return None,
        };
        if all != NOTHING {
            return None;
        }
        all = layer;
    }
    Some(all)
}

/// The layer after covering only a fraction of the box, in width and height: nearly all, a half, or
/// nothing.
pub(super) fn taken(layer: Layer, [width, height]: [f32; 2]) -> Option<Layer> {
    let (less, more) = (width.min(height), width.max(height));
    if less <= 0.08 {
        Some(NOTHING)
    } else if more >= 0.85 && (0.4..=0.6).contains(&less) {
        Some([layer[0], NOTHING[1]])
    } else if less >= 0.9 || (less >= 0.55 && more - less <= 0.15) {
        Some(layer)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GREY: &str = "rgb(128, 128, 128)";

    fn halves(layer: Option<Layer>) -> Option<[u32; 2]> {
        let ink = over([0.0; 2], layer?, 1.0);
        Some(ink.map(|ink| (ink * 10.0).round() as u32))
    }

    #[test]
    fn colours_of_every_form_are_read() {
        let alpha = |text| Colour::read(text).map(|colour| (colour.contrast(PAGE) * 10.0).round() as u32);
        assert_eq!(alpha(GREY), Some(5));
        assert_eq!(alpha("rgba(0,0,0,0.5)"), Some(10));
        assert_eq!(alpha("color(srgb 0.5 0.5 0.5)"), Some(5));
        assert_eq!(alpha("oklch(0.5 0.2 290 / 0.4)"), Some(5));
        assert_eq!(alpha("lab(50 1 1)"), Some(5));
        assert_eq!(alpha("color(display-p3 1 1 1)"), None);
        assert_eq!(alpha("rgb(none 1 1)"), None);
    }

    #[test]
    fn a_gradient_is_all_half_or_nothing_by_where_its_colours_meet() {
        let at = |percent: u32| {
            let image = format!("linear-gradient(135deg, {GREY} {percent}%, rgba(0, 0, 0, 0) {percent}%)");
            halves(gradient(&image, PAGE))
        };
        assert_eq!([at(0), at(50), at(100)], [Some([0, 0]), Some([5, 0]), Some([5, 5])]);
        assert_eq!([at(25), at(75)], [None, None], "a quarter is no half");
        let read = |image: &str| halves(gradient(image, PAGE));
        assert_eq!(read("linear-gradient(to right, rgba(0, 0, 0, 0) 50%, rgb(0, 0, 0) 0px)"), Some([0, 10]));
        assert_eq!(read("linear-gradient(rgb(0, 0, 0), rgb(0, 0, 0))"), Some([10, 10]));
        assert_eq!(read("linear-gradient(rgb(0, 0, 0), rgb(255, 255, 255))"), None);
        assert_eq!(read("linear-gradient(90deg, rgb(0, 0, 0) 5px, rgb(255, 255, 255) 5px)"), None);
        assert_eq!(read("url(\"a.png\")"), None);
    }

    #[test]
    fn a_shadow_within_a_box_may_fill_it() {
        let read = |text: &str| halves(shadow(text, 10.0, PAGE));
        assert_eq!(read("rgb(128, 128, 128) 0px 0px 0px 6px inset"), Some([5, 5]));
        assert_eq!(read("rgb(128, 128, 128) 5px 0px 0px 0px inset"), Some([5, 0]));
        assert_eq!(read("rgb(128, 128, 128) 0px 0px 0px 1px inset"), Some([0, 0]));
        assert_eq!(read("rgba(0, 0, 0, 0.2) 0px 1px 3px 0px, rgb(0, 0, 0) 0px 0px 0px 1px"), Some([0, 0]));
        assert_eq!(read("rgb(128, 128, 128) 0px 0px 0px 3px inset"), None, "neither edge nor filling");
    }

    #[test]
    fn a_part_of_a_box_is_all_half_or_nothing() {
        let layer = [(1.0, 1.0); 2];
        assert_eq!(taken(layer, [0.5, 1.0]), Some([(1.0, 1.0), (0.0, 0.0)]));
        assert_eq!(taken(layer, [1.0, 1.0]), Some(layer));
        assert_eq!(taken(layer, [0.75, 0.75]), Some(layer), "a dot within an edge");
        assert_eq!(taken(layer, [1.0, 0.0]), Some(NOTHING));
        assert_eq!(taken(layer, [1.0, 0.75]), None);
        assert_eq!(taken(layer, [0.5, 0.5]), None);
    }
}
