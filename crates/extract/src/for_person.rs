//! What a person needs to read a value on a picture: what it is, where on the page it is, and what stands around it.

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

/// A value that a person is to read, or to judge.
#[derive(Debug, Clone)]
pub struct ForPerson {
    /// Its name for people.
    pub metric: String,
    /// What to look for.
    pub label: String,
    /// The vocabulary of its word.
    pub vocabulary: Option<String>,
    /// Which fields of its rows answer the question.
    pub answers: Vec<AnswerField>,
    /// The section of the page.
    pub section: String,
    /// The part of the page that shows it, where its boxes are known.
    pub area: Option<Area>,
    /// What the page says there.
    pub seen: String,
    /// The values that a person may read where no response holds them; none where it is not drawn.
    pub slots: Vec<Slot>,
}

/// How far the picture of a mark goes beyond the text that it is cut around, to each side, in CSS pixels.
const MARGIN: (f32, f32) = (240.0, 160.0);

/// How far that of a section begins above its first text.
const EDGE: f32 = 8.0;

/// Characters that are kept of what the page says around a value.
const SEEN: usize = 400;

impl Extractor {
    /// What a person needs to read the wanted points of a capture; nothing where it is not the page that was asked for.
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

    /// The part of a page around a value that was read of it, where its box is known.
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
        page.lines[lines].iter().find(|line| line.text.contains(displayed)).and_then(around)
    }
}

/// A line of a page with what stands around it.
fn around(line: &Line) -> Option<Area> {
    let (x, y) = MARGIN;
    let [left, top, width, height] = line.area?;
    Some(pixels([left - x, top - y, left + width + x, top + height + y]))
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

/// The part of the page that shows a point, and what it says there. What a control revealed has gone again when the page
/// is photographed.
fn place(view: &View<'_>, point: &Point, kind: &dyn Kind) -> Option<(Option<Area>, String)> {
    let (page, lines) = view.region(point).ok().filter(|_| point.state.is_none())?;
    let seen: String = page.text(lines.clone()).chars().take(SEEN).collect();
    let mark =
        kind.around().and_then(|cue| page.lines[lines.clone()].iter().find(|line| cue.is_in(&line.text)));
    if let Some(mark) = mark {
        return Some((around(mark), seen));
    }
    // a drawing has no box: it is beside or below the texts of its section, which goes on to the next one
    let tops =
        |lines: &[Line]| lines.iter().filter_map(|line| line.area.map(|[_, top, ..]| top)).reduce(f32::min);
    let bottom = page.lines.get(lines.end).and_then(|next| tops(std::slice::from_ref(next)));
    let area = tops(&page.lines[lines]).map(|top| {
        pixels([0.0, top - EDGE, f32::MAX, bottom.filter(|bottom| *bottom > top).unwrap_or(f32::MAX)])
    });
    Some((area, seen))
}

/// Left, top, right and bottom as whole pixels of the page.
fn pixels([left, top, right, bottom]: [f32; 4]) -> Area {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "edges of a page, none below zero; what is beyond it ends with the picture"
    )]
    let [x, y, right, bottom] =
        [left.floor(), top.floor(), right.ceil(), bottom.ceil()].map(|edge| edge.max(0.0) as u32);
    // what ends nowhere goes to the edge, wherever it begins
    let length = |from: u32, to: u32| if to == u32::MAX { to } else { to.saturating_sub(from) };
    Area { x, y, width: length(x, right), height: length(y, bottom) }
}
