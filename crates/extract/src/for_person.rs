//! Helps a person to read a value on a picture: what it is, where it is, and the text around it.

use super::document::Line;
use super::extractor::Extractor;
use super::kinds::kind::{Kind, Slot};
use super::observation::Wanted;
use super::view::open::{Parsed, open};
use super::view::{Source, View};
use crate::atlas::AtlasUrl;
use crate::capture::Capture;
use crate::manifest::spec::Point;
use crate::picture::Area;
use crate::value::AnswerField;

/// A value for a person to read or review.
#[derive(Debug, Clone)]
pub struct ForPerson {
    /// The display name.
    pub metric: String,
    /// What to look for.
    pub label: String,
    /// The vocabulary of its words.
    pub vocabulary: Option<String>,
    /// The row fields that answer the question.
    pub answers: Vec<AnswerField>,
    /// The section of the page.
    pub section: String,
    /// The picture area that shows it, if its position is known.
    pub area: Option<Area>,
    /// The text around it.
    pub seen: String,
    /// The values to read if no response holds them; empty if they are not drawn.
    pub slots: Vec<Slot>,
}

/// The margin of a mark's picture around its text, to each side, in CSS pixels.
const MARGIN: (f32, f32) = (240.0, 160.0);

/// The margin of a section's picture above its first text.
const EDGE: f32 = 8.0;

/// The maximum characters of surrounding text.
const MAX_SEEN: usize = 400;

impl Extractor {
    /// The help for reading the wanted points of a capture. Returns none for a point if the page is
    /// not the requested one.
    #[must_use]
    pub fn for_person(&self, capture: &Capture, url: &AtlasUrl, wanted: &[Wanted]) -> Vec<Option<ForPerson>> {
        let parsed = Parsed::of(capture);
        let view = open(self.spec(), self.patterns(), (capture, &parsed), url, Source::Page).ok();
        let one = |wanted: &Wanted| {
            let (point, kind) = self.find(&wanted.data_point)?;
            Some(for_person(view.as_ref()?, point, kind, wanted))
        };
        wanted.iter().map(one).collect()
    }

    /// The picture area of a value, if its position is known.
    #[must_use]
    pub fn place_of(
        &self,
        capture: &Capture,
        url: &AtlasUrl,
        data_point: &str,
        displayed: &str,
    ) -> Option<Area> {
        let parsed = Parsed::of(capture);
        let view = open(self.spec(), self.patterns(), (capture, &parsed), url, Source::Page).ok()?;
        let (point, _) = self.find(data_point).filter(|(point, _)| point.state.is_none())?;
        let (page, lines) = view.region(point).ok()?;
        page.box_of(&lines, displayed, "").map(with_margin)
    }
}

/// The picture area around a box.
fn with_margin([left, top, width, height]: [f32; 4]) -> Area {
    let (x, y) = MARGIN;
    pixels([left - x, top - y, left + width + x, top + height + y])
}

fn for_person(view: &View<'_>, point: &Point, kind: &dyn Kind, wanted: &Wanted) -> ForPerson {
    let (area, seen) = place(view, point, kind).unwrap_or_default();
    ForPerson {
        metric: point.metric.clone(),
        label: kind.describe().label,
        vocabulary: point.vocabulary.clone(),
        answers: point.answers.clone(),
        section: point.section.clone(),
        area,
        seen,
        slots: kind.for_person(view, point, wanted),
    }
}

/// The picture area of a point, with its text. The content that a control revealed is gone when the
/// picture is taken.
fn place(view: &View<'_>, point: &Point, kind: &dyn Kind) -> Option<(Option<Area>, String)> {
    let (page, lines) = view.region(point).ok().filter(|_| point.state.is_none())?;
    let seen: String = page.text(lines.clone()).chars().take(MAX_SEEN).collect();
    let mark =
        kind.around().and_then(|cue| page.lines[lines.clone()].iter().find(|line| cue.is_in(&line.text)));
    if let Some(mark) = mark {
        return Some((mark.area.map(with_margin), seen));
    }
    // a drawing has no box: it is beside or below its section's texts, and ends at the next section
    let tops =
        |lines: &[Line]| lines.iter().filter_map(|line| line.area.map(|[_, top, ..]| top)).reduce(f32::min);
    let bottom = page.lines.get(lines.end).and_then(|next| tops(std::slice::from_ref(next)));
    let area = tops(&page.lines[lines]).map(|top| {
        pixels([0.0, top - EDGE, f32::MAX, bottom.filter(|bottom| *bottom > top).unwrap_or(f32::MAX)])
    });
    Some((area, seen))
}

/// Left, top, right and bottom in whole page pixels.
fn pixels([left, top, right, bottom]: [f32; 4]) -> Area {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "edges of a page, none below zero; what is beyond it ends with the picture"
    )]
    let [x, y, right, bottom] =
        [left.floor(), top.floor(), right.ceil(), bottom.ceil()].map(|edge| edge.max(0.0) as u32);
    // an open end extends to the edge of the picture
    let length = |from: u32, to: u32| if to == u32::MAX { to } else { to.saturating_sub(from) };
    Area { x, y, width: length(x, right), height: length(y, bottom) }
}
