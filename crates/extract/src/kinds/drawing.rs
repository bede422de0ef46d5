//! What an Explore page draws of rows of trade: the kinds that read it share what they need, when they are confirmed, and
//! that answers to our own queries are read as the page's own.

use super::kind::{Description, Found, Kind, Needs, Slot, TREEMAP};
use crate::manifest::Method;
use crate::manifest::spec::Point;
use crate::observation::{Tooltip, Wanted};
use crate::treemap::Drawing;
use crate::value::AnswerField;
use crate::view::View;

/// A figure of a drawing.
pub(crate) trait OfDrawing: std::fmt::Debug + Send + Sync + 'static {
    /// What it is, for messages and the docs.
    const SUMMARY: &'static str;

    /// How it reads: the response, confirmed by the labels over the drawing.
    fn method(&self) -> Method {
        Method::ApiPreferred
    }

    /// What it needs beside [`needs`].
    fn needs(&self) -> Needs {
        needs()
    }

    /// The fields of its rows that may answer a question.
    fn answers(&self) -> &'static [AnswerField] {
        &[AnswerField::Value]
    }

    /// Reads it, of a page or of answers to our own queries.
    fn read(&self, drawing: &Drawing, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found;

    /// The values that a person can find in the drawing when no response gives them.
    fn for_person(
        &self,
        _drawing: &Drawing,
        _view: &View<'_>,
        _point: &Point,
        _wanted: &Wanted,
    ) -> Vec<Slot> {
        Vec::new()
    }

    /// Labels of the figure in the tooltip of a cell, which confirms it.
    fn tooltip(&self) -> &[String] {
        &[]
    }
}

/// What all of them need: the rows, and a picture for a person.
pub fn needs() -> Needs {
    Needs { pages: &[TREEMAP], picture: true, rows: true, ..Needs::default() }
}

/// The kind of such a figure.
#[derive(Debug)]
pub struct OnDrawing<T>(pub T);

impl<T: OfDrawing> Kind for OnDrawing<T> {
    fn method(&self) -> Method {
        self.0.method()
    }

    fn needs(&self) -> Needs {
        self.0.needs()
    }

    fn answers(&self) -> &'static [AnswerField] {
        self.0.answers()
    }

    fn describe(&self) -> Description {
        Description::of(T::SUMMARY, "drawing", "a response that its labels confirm")
    }

    fn read(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found {
        self.0.read(&Drawing::of(view), view, point, wanted)
    }

    fn answer(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found {
        self.read(view, point, wanted)
    }

    fn for_person(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Vec<Slot> {
        self.0.for_person(&Drawing::of(view), view, point, wanted)
    }

    fn is_backed(&self, _point: &Point) -> bool {
        true
    }

    fn is_unconfirmed(&self, view: &View<'_>) -> bool {
        Drawing::of(view).is_unconfirmed(view)
    }

    fn tooltips(&self, view: &View<'_>, wanted: &Wanted) -> Vec<Tooltip> {
        let tooltip = Drawing::of(view).tooltip(view, wanted).filter(|_| !self.0.tooltip().is_empty());
        tooltip.into_iter().collect()
    }
}
