//! Diamonds of a rating: how full each is, compared with the other four and with its background.

use super::computed_style::{Mark, scale_of, turn_of};
use super::drawing::{Point, Shape};
use super::fold::normalize_label;
use super::page::Line;
use super::paint::{self, Colour, Halves, NOTHING, PAGE};

/// Placeholder for a diamond in a line until all diamonds of the page are known.
pub(super) const PENDING: char = '◈';

/// The text of diamonds that are not a valid rating, so that no rating is read.
const UNCLEAR: &str = "◆?";

/// The number of diamonds in a rating.
const FIVE: usize = 5;

/// From this many ratings on, all being full is no coincidence.
const MANY_RATINGS: usize = 4;

/// A diamond: the ink of its halves; none if it cannot be part of a rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Diamond(pub Option<Halves>);

/// A square rotated by 45°, with its contents.
pub(super) fn turned(mark: &Mark, inner: &[Mark]) -> Option<Diamond> {
    let [a, b, c, d] = turn_of(&mark.tf)?;
    let scale = scale_of([a, b, c, d]);
    let on_corner = scale > 0.0 && (a.abs() - b.abs()).abs() < 0.1 * scale && b.abs() > 0.1 * scale;
    let square = match mark.size {
        Some([width, height]) => (width - height).abs() <= 2.0 && width.min(height) >= 3.0,
        None => (mark.w - mark.h).abs() <= 2.0,
    };
    (on_corner && square && mark.w <= 40.0).then(|| Diamond(fill(mark, inner)))
}

/// A diamond drawn as SVG: its outline first, then its fill.
pub(super) fn of_shapes(mark: &Mark, shapes: &[Shape]) -> Option<Diamond> {
    let corners = corners(shapes.first()?)?;
    let ink = || {
        let behind = mark.behind().filter(|_| mark.is_plain())?;
        let mut ink = [0.0; 2];
        for shape in shapes {
            let paint = Some(&shape.mark).filter(|paint| paint.is_plain())?;
            if paint.fill != "none" {
                let layer = covered(shape, corners, Colour::read(&paint.fill)?.layer(behind))?;
                if layer[0] != layer[1] && ink[0] != ink[1] {
                    return None;
                }
                ink = paint::over(ink, layer, mark.opacity() * paint.opacity());
            }
        }
        Some(ink)
    };
    Some(Diamond(ink()))
}

/// The top, right, bottom and left corners of a rotated square.
fn corners(shape: &Shape) -> Option<[Point; 4]> {
    let points = || shape.edges.iter().flat_map(|&(from, to)| [from, to]);
    let range = |values: &mut dyn Iterator<Item = f32>| {
        values.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), one| (low.min(one), high.max(one)))
    };
    let (left, right) = range(&mut points().map(|point| point.0));
    let (top, bottom) = range(&mut points().map(|point| point.1));
    let (width, height) = (right - left, bottom - top);
    let (across, down) = (f32::midpoint(left, right), f32::midpoint(top, bottom));
    let corners = [(across, top), (right, down), (across, bottom), (left, down)];
    let met = corners.iter().all(|&corner| points().any(|point| is_near(point, corner, width)));
    let no_more = points().all(|point| corners.iter().any(|&corner| is_near(point, corner, width)));
    (met && no_more && width > 0.0 && (width - height).abs() <= width * 0.15).then_some(corners)
}

fn is_near(one: Point, other: Point, width: f32) -> bool {
    (one.0 - other.0).abs().max((one.1 - other.1).abs()) <= width * 0.12
}

/// The part of a diamond that a shape paints. Three of its corners are a half.
fn covered(shape: &Shape, whole: [Point; 4], layer: paint::Layer) -> Option<paint::Layer> {
    let width = whole[1].0 - whole[3].0;
    if let Some(own) = corners(shape) {
        let share = (own[1].0 - own[3].0) / width;
        let centred = is_near((own[0].0, own[1].1), (whole[0].0, whole[1].1), width);
        return paint::taken(layer, [share; 2]).filter(|_| centred && share <= 1.1);
    }
    let near = |point: Point| whole.iter().position(|&corner| is_near(point, corner, width));
    let met: Vec<usize> =
        shape.edges.iter().flat_map(|&(from, to)| [near(from), near(to)]).collect::<Option<_>>()?;
    let count = (0..whole.len()).filter(|corner| met.contains(corner)).count();
    (count == 3).then(|| [layer[0], NOTHING[1]])
}

/// The diamond of a typed glyph, `◆`, `◇` or `⬖`, in its color.
pub(super) fn typed(glyph: char, mark: &Mark) -> Option<Diamond> {
    let filled = match glyph {
        '◆' => [true, true],
        '⬖' => [true, false],
        '◇' => [false, false],
        _ => return None,
    };
    let ink = || {
        let behind = mark.behind()?;
        let colour = Colour::read(&mark.fg).filter(|colour| colour.alpha > 0.1)?;
        let [ink, _] = paint::over([0.0; 2], colour.layer(behind), mark.opacity());
        mark.is_plain().then(|| filled.map(|filled| if filled { ink } else { 0.0 }))
    };
    Some(Diamond(ink()))
}

fn fill(mark: &Mark, inner: &[Mark]) -> Option<Halves> {
    let behind = mark.behind()?;
    let side = match mark.size {
        Some([width, height]) => width.min(height),
        None => mark.w / std::f32::consts::SQRT_2,
    };
    let mut ink = own(mark, [0.0; 2], side, behind)?;
    for mark in inner {
        let bare = own(mark, [0.0; 2], side, behind)?;
        let part = match mark.part.as_deref() {
            Some(&[width, height]) => Some([width, height]),
            _ => None,
        };
        // paint that is invisible may be anywhere, as long as nothing is below it
        if ink == [0.0; 2] && bare == [0.0; 2] {
            continue;
        }
        let layers = layers(mark, side, behind)?;
        for layer in layers {
            let layer = if layer == NOTHING { continue } else { paint::taken(layer, part?)? };
            let cut = layer[0] != layer[1] && layer[1] == NOTHING[1];
            if cut && ink[0] != ink[1] {
                return None;
            }
            ink = paint::over(ink, layer, mark.opacity());
        }
    }
    Some(ink)
}

fn own(mark: &Mark, below: Halves, side: f32, behind: Colour) -> Option<Halves> {
    let layers = layers(mark, side, behind)?;
    Some(layers.into_iter().fold(below, |ink, layer| paint::over(ink, layer, mark.opacity())))
}

/// The paint layers of a box, lowest first.
fn layers(mark: &Mark, side: f32, behind: Colour) -> Option<Vec<paint::Layer>> {
    if !mark.is_plain() {
        return None;
    }
    let mut layers = Vec::new();
    if !mark.bg.is_empty() {
        layers.push(Colour::read(&mark.bg)?.layer(behind));
    }
    if !matches!(mark.bgi.as_str(), "" | "none") {
        layers.push(paint::gradient(&mark.bgi, behind)?);
    }
    if !mark.sh.is_empty() {
        layers.push(paint::shadow(&mark.sh, side, behind)?);
    }
    for (width, colour) in mark.borders() {
        match 2.0 * width / side {
            0.0..=0.55 => {}
            thick if thick >= 0.85 && !mark.bd.contains(" / ") => {
                layers.push(Colour::read(colour)?.layer(behind));
            }
            _ if Colour::read(colour).is_some_and(|colour| colour.alpha == 0.0) => {}
            _ => return None,
        }
    }
    Some(layers)
}

impl Mark {
    /// The background color behind it.
    fn behind(&self) -> Option<Colour> {
        if self.on.is_empty() { Some(PAGE) } else { Colour::read(&self.on) }
    }

    fn opacity(&self) -> f32 {
        self.op.unwrap_or(1.0)
    }

    /// Whether no filter, mask or clip applies.
    fn is_plain(&self) -> bool {
        [&self.filter, &self.clip, &self.mask].iter().all(|what| matches!(what.as_str(), "" | "none"))
            && matches!(self.bgs.as_str(), "" | "auto" | "100% 100%" | "cover")
    }
}

/// Replaces the [`PENDING`] placeholders in a page's lines by its diamonds, in reading order.
pub(super) fn write(lines: &mut [Line], diamonds: &[Diamond]) {
    if diamonds.is_empty() {
        return;
    }
    let glyphs = judge(&runs(lines), diamonds);
    let mut at = 0;
    for line in lines.iter_mut().filter(|line| line.text.contains(PENDING)) {
        let mut text = String::with_capacity(line.text.len());
        for c in line.text.chars() {
            if c == PENDING {
                text.push_str(glyphs.get(at).copied().unwrap_or(UNCLEAR));
                at += 1;
            } else {
                text.push(c);
            }
        }
        line.normalized = normalize_label(&text);
        line.text = text;
    }
}

/// The lengths of runs of adjacent diamonds, separated only by blanks and line ends.
fn runs(lines: &[Line]) -> Vec<usize> {
    let mut runs = Vec::new();
    let mut run = 0;
    for line in lines {
        for c in line.text.chars() {
            if c == PENDING {
                run += 1;
            } else if c != ' ' {
                runs.push(std::mem::take(&mut run));
            }
        }
    }
    runs.push(run);
    runs.retain(|&run| run > 0);
    runs
}

fn judge(runs: &[usize], diamonds: &[Diamond]) -> Vec<&'static str> {
    let mut glyphs = vec![UNCLEAR; diamonds.len()];
    let mut ratings: Vec<usize> = Vec::new();
    let mut at = 0;
    for &run in runs {
        if run % FIVE == 0 {
            ratings.extend((at..at + run).step_by(FIVE));
        } else {
            for at in at..at + run {
                glyphs[at] = alone(diamonds[at]);
            }
        }
        at += run;
    }
    let inks = |at: usize| -> Option<Vec<Halves>> {
        diamonds[at..at + FIVE].iter().map(|diamond| diamond.0).collect()
    };
    let darkest = ratings.iter().filter_map(|&at| inks(at)).flatten().flatten().fold(0.0, f32::max);
    let mut filled: Vec<[&'static str; FIVE]> = Vec::new();
    for &at in &ratings {
        if let Some(rating) = inks(at).and_then(|inks| rating(&inks, darkest)) {
            glyphs[at..at + FIVE].copy_from_slice(&rating);
            filled.push(rating);
        }
    }
    // if all ratings look empty, or all look full, the difference is not visible
    let all = |glyph| filled.iter().flatten().all(|&one| one == glyph);
    if (filled.len() > 1 && all("◇")) || (filled.len() >= MANY_RATINGS && all("◆")) {
        for at in ratings {
            glyphs[at..at + FIVE].fill(UNCLEAR);
        }
    }
    glyphs
}

/// Five diamonds: full ones, then at most one half, then empty ones; none for any other order.
/// `darkest` is the maximum ink on the page.
fn rating(inks: &[Halves], darkest: f32) -> Option<[&'static str; FIVE]> {
    let flat = || inks.iter().flatten().copied();
    let (most, least) = (flat().fold(0.0, f32::max), flat().fold(1.0, f32::min));
    // equal diamonds are compared with the others of the page
    let full = if least <= most * 0.45 { most } else { darkest };
    let is_full = |ink: f32| match ink / full {
        0.8.. => Some(true),
        _ if ink <= full * 0.45 => Some(false),
        _ => None,
    };
    if most < 0.03 {
        return Some(["◇"; FIVE]);
    }
    if full < 0.12 {
        return None;
    }
    let mut glyphs = [UNCLEAR; FIVE];
    let mut left = 4;
    for (glyph, &[one, other]) in glyphs.iter_mut().zip(inks) {
        let halves = u8::from(is_full(one)?) + u8::from(is_full(other)?);
        let rank = [0, 1, 4][usize::from(halves)];
        if rank > left {
            return None;
        }
        left = if rank == 1 { 0 } else { rank };
        *glyph = ["◇", "⬖", "◆"][usize::from(halves)];
    }
    Some(glyphs)
}

/// A diamond outside a rating.
pub(super) fn alone(diamond: Diamond) -> &'static str {
    match diamond.0.map(|halves| halves.map(|ink| ink > 0.08)) {
        None => UNCLEAR,
        Some([true, true]) => "◆",
        Some([false, false]) => "◇",
        Some(_) => "⬖",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ratings of a page as written, from the ink of their diamonds' halves in percent.
    fn read(ratings: &[[[u8; 2]; FIVE]]) -> Vec<String> {
        let diamonds: Vec<Diamond> = ratings
            .iter()
            .flatten()
            .map(|halves| Diamond(Some(halves.map(|ink| f32::from(ink) / 100.0))))
            .collect();
        let glyphs = judge(&vec![FIVE; ratings.len()], &diamonds);
        glyphs.chunks(FIVE).map(<[_]>::concat).collect()
    }

    const UNCLEAR_FIVE: &str = "◆?◆?◆?◆?◆?";

    #[test]
    fn five_are_judged_beside_each_other() {
        let (full, half, empty) = ([50, 50], [50, 0], [0, 0]);
        assert_eq!(read(&[[full, full, half, empty, empty]]), ["◆◆⬖◇◇"]);
        assert_eq!(read(&[[full; 5]]), ["◆◆◆◆◆"]);
        assert_eq!(read(&[[empty; 5]]), ["◇◇◇◇◇"]);
        assert_eq!(read(&[[half, empty, empty, empty, empty]]), ["⬖◇◇◇◇"]);
        let (full, half, pale) = ([62, 62], [62, 15], [15, 15]);
        assert_eq!(
            read(&[[full, full, half, pale, pale], [pale; 5], [full; 5]]),
            ["◆◆⬖◇◇", "◇◇◇◇◇", "◆◆◆◆◆"]
        );
    }

    #[test]
    fn what_does_not_plainly_fall_is_no_rating() {
        let (full, half, empty, middling) = ([60, 60], [60, 0], [0, 0], [36, 36]);
        for five in [
            [empty, full, full, full, full],
            [full, half, half, empty, empty],
            [full, half, full, empty, empty],
            [full, empty, half, empty, empty],
            [full, full, middling, empty, empty],
            [full, full, full, middling, middling],
        ] {
            assert_eq!(read(&[five]), [UNCLEAR_FIVE], "{five:?}");
        }
        assert_eq!(read(&[[[8, 8]; 5]]), [UNCLEAR_FIVE], "too faint to be full, and no plain paper");
        let mixed = [[full, full, full, empty, empty], [middling; 5]];
        assert_eq!(read(&mixed), ["◆◆◆◇◇", UNCLEAR_FIVE], "alike, but neither full nor empty beside others");
    }

    #[test]
    fn a_page_on_which_all_are_alike_hides_what_tells_them_apart() {
        assert_eq!(read(&[[[0, 0]; 5]; 2]), [UNCLEAR_FIVE; 2]);
        assert_eq!(read(&[[[60, 60]; 5]; 4]), [UNCLEAR_FIVE; 4]);
    }

    #[test]
    fn diamonds_of_several_lines_and_cells_are_parted_by_what_stands_between() {
        let lines = |texts: &[&str]| -> Vec<usize> {
            let lines: Vec<Line> = texts
                .iter()
                .map(|text| Line {
                    bare: None,
                    text: (*text).to_owned(),
                    normalized: String::new(),
                    block: 0,
                    font: 0.0,
                    control: false,
                    chart: false,
                    heading: false,
                    area: None,
                })
                .collect();
            runs(&lines)
        };
        assert_eq!(lines(&["◈◈ ◈", "◈◈", "Tea", "a◈b", "◈◈◈◈◈"]), [5, 1, 5]);
    }
}
